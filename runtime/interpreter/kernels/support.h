// Small things that kernels share.
#pragma once

#include <algorithm>
#include <string>

#include "ir/ops/eval/strides.h"
#include "runtime/interpreter/kernels/checks.h"
#include "runtime/interpreter/machine.h"

namespace descry::runtime {

inline bool isComplexDType(DType dtype) {
  return ir::dtypeInfo(dtype).complex;
}
inline bool isFloatDType(DType dtype) {
  return ir::dtypeInfo(dtype).floating;
}
inline bool isIntegralDType(DType dtype) {
  return !isComplexDType(dtype) && !isFloatDType(dtype);
}

/// `[2, 3]`
inline std::string sizesText(const Dims& sizes) {
  std::string s = "[";
  for (const int64_t n : sizes) s += (s.size() > 1 ? ", " : "") + std::to_string(n);
  return s + "]";
}

/// A dimension counted from the end too; a number is taken to have one.
inline int64_t wrappedDim(int64_t dim, size_t dims) {
  const int64_t n = std::max<int64_t>(static_cast<int64_t>(dims), 1);
  if (dim < -n || dim >= n)
    throw EvalError("index-error", "Dimension out of range (expected to be in range of [" +
                                       std::to_string(-n) + ", " + std::to_string(n - 1) + "], but got " +
                                       std::to_string(dim) + ")");
  return dim < 0 ? dim + n : dim;
}

/// A number as a vector of one element.
inline View atLeastOneDim(const View& v) {
  return v.dim() ? v : v.unsqueezed(0);
}

/// The arguments of a call, for a rule.
inline Values argumentsOf(const Call& c) {
  Values out;
  for (size_t i = 0; i < c.count(); ++i) out.push_back(c.value(i));
  return out;
}

/// A number (or the element of a 0-d tensor) in the type T.
template <class T>
T elementOf(const Value& v) {
  if (v.isTensor()) {
    const TensorRef t = resolved(tensorOf(v));
    return elementOf<T>(numberAt(t->meta.dtype, viewOf(*t).data));
  }
  if (v.kind() == VKind::Int || v.kind() == VKind::Bool) return convertTo<T>(v.raw());
  if (v.kind() == VKind::Complex) return convertTo<T>(std::complex<double>(v.toReal(), v.imag()));
  return convertTo<T>(v.toReal());
}

/// The elements in fresh memory, laid out as empty_like does.
inline TensorRef cloneOf(const TensorRef& t) {
  const TensorRef from = resolved(t);
  Meta m = from->meta;
  m.wrappedNumber = false;
  m.strides = ir::eval::stridesLike(m.sizes, m.strides);
  const TensorRef made = allocate(std::move(m));
  copyElements(viewOf(*made), viewOf(*from));
  return made;
}

/// The sum as PyTorch's kernels have it: integers wrap, bools are joined by or.
template <class T>
T plus(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else if constexpr (kIsComplex<T>)
    return a + b;
  else
    return convertTo<T>(static_cast<Compute<T>>(a) + static_cast<Compute<T>>(b));
}

/// The kernel of an op that writes its first argument and gives it back.
template <void (*Body)(Call&, const View&)>
Value inPlace(Call& c) {
  const TensorRef self = tensorOf(c.value(0));
  if (!self) throw EvalError("type-error", c.op().target() + " needs a tensor");
  Body(c, viewOf(*self));
  ++self->version;
  return c.value(0);
}

}  // namespace descry::runtime
