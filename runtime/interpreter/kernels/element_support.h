// What the kernels that move, choose and rearrange elements share.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "ir/ops/eval/strides.h"
#include "runtime/interpreter/machine.h"

namespace descry::runtime {

/// A dimension counted from the front; of a tensor without dimensions, 0 and -1 are good. Throws
/// `index-error`.
inline int64_t wrappedDim(int64_t d, size_t ndim) {
  return ir::eval::wrapDim(d, static_cast<int64_t>(std::max<size_t>(ndim, 1)));
}

inline View atLeastOneDim(View v) {
  if (v.dim() == 0) v = v.unsqueezed(0);
  return v;
}

/// As PyTorch prints sizes: [2, 3].
inline std::string sizesText(const Dims& d) {
  std::string s = "[";
  for (size_t i = 0; i < d.size(); ++i) s += (i ? ", " : "") + std::to_string(d[i]);
  return s + "]";
}

/// The arguments of a call, to be changed and given to another op or rule.
inline Values argumentsOf(const Call& c) {
  Values args;
  for (size_t i = 0; i < c.count(); ++i) args.push_back(c.value(i));
  return args;
}

/// A fresh tensor with the elements and, where it has neither gaps nor overlaps, the strides of `t`.
inline TensorRef cloneOf(const TensorRef& t) {
  const TensorRef plain = resolved(t);
  Meta m = plain->meta;
  m.strides = ir::eval::stridesLike(m.sizes, m.strides);
  m.wrappedNumber = false;
  const TensorRef made = allocate(std::move(m));
  copyElements(viewOf(*made), viewOf(*plain));
  return made;
}

/// A kernel that changes a copy of argument 0.
template <void (*body)(Call&, const View&)>
void onCopy(Call& c) {
  copyElements(c.out(), c.view(0));
  body(c, c.out());
}

/// A kernel that changes argument 0 itself; behind a conjugate or negative view, by way of a plain copy.
template <void (*body)(Call&, const View&)>
Value inPlace(Call& c) {
  const TensorRef self = tensorOf(c.value(0));
  if (!self) throw EvalError("type-error", c.op().target() + " needs a tensor");
  if (!self->meta.conj && !self->meta.neg) {
    body(c, viewOf(*self));
    ++self->version;
    return c.value(0);
  }
  const TensorRef plain = resolved(self);
  body(c, viewOf(*plain));
  c.call("aten.copy_.default", {c.value(0), Value(plain)});
  return c.value(0);
}

/// A tensor that is read while argument 0 is written: a copy where the two share memory.
inline View readBeside(Call& c, const TensorRef& t) {
  const TensorRef self = tensorOf(c.value(0));
  if (c.results() == 0 && self && self->storage == t->storage)
    return c.hold(copyOf(viewOf(*t), t->meta.dtype));
  return c.hold(t);
}
inline View readBeside(Call& c, std::string_view name) {
  return readBeside(c, c.tensor(name));
}

/// Calls f(pointers) for each line along `dim` of views whose other sizes agree, on several threads; `dim`
/// counts from the front and every view has it. The step along a line is the view's own stride.
template <size_t N, class F>
void forEachLine(const std::array<View, N>& views, int64_t dim, F&& f, int64_t grain = 64) {
  std::array<View, N> heads;
  for (size_t k = 0; k < N; ++k) heads[k] = views[k].select(dim, 0);
  const Iteration it{std::span<const View>(heads.data(), N)};
  it.forEachRunParallel(
      [&](std::byte* const* at, const int64_t* step, int64_t n) {
        std::array<std::byte*, N> line;
        for (int64_t i = 0; i < n; ++i) {
          for (size_t k = 0; k < N; ++k) line[k] = at[k] + i * step[k];
          f(line);
        }
      },
      grain);
}

/// How many lines of this length a thread should get at once.
inline int64_t lineGrain(int64_t length) {
  return std::max<int64_t>(1, 16384 / std::max<int64_t>(1, length));
}

/// A line of one tensor by index.
template <class T>
class Line {
 public:
  Line(std::byte* data, int64_t stride) : data_(reinterpret_cast<T*>(data)), stride_(stride) {}
  T& operator[](int64_t i) const { return data_[i * stride_]; }

 private:
  T* data_;
  int64_t stride_;
};

template <class T>
bool isNanValue(T v) {
  if constexpr (kIsComplex<T>)
    return std::isnan(v.real()) || std::isnan(v.imag());
  else if constexpr (kIsFloat<T>)
    return std::isnan(static_cast<Compute<T>>(v));
  else
    return false;
}

/// NaN comes after all numbers.
template <class T>
bool lessThan(T a, T b) {
  if constexpr (kIsFloat<T>) {
    const Compute<T> x = a, y = b;
    return x < y || (std::isnan(y) && !std::isnan(x));
  } else {
    return a < b;
  }
}

/// a + b as an element of T: small floats are added in float, bools are or-ed, integers wrap.
template <class T>
T plus(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else
    return T(static_cast<Compute<T>>(a) + static_cast<Compute<T>>(b));
}
template <class T>
T times(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a && b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  else
    return T(static_cast<Compute<T>>(a) * static_cast<Compute<T>>(b));
}

/// Indices into one dimension, checked before they are used.
struct Bounds {
  int64_t size = 0, dim = 0;
  bool negative = false;          ///< counts from the end too
  std::string_view message = {};  ///< instead of the common one
  int64_t operator()(int64_t i) const {
    if (i >= 0 ? i < size : negative && i >= -size) return i < 0 ? i + size : i;
    refuse(i);
  }

 private:
  [[noreturn]] void refuse(int64_t i) const {
    throw EvalError("index-error", !message.empty()
                                       ? std::string(message)
                                       : "index " + std::to_string(i) + " is out of bounds for dimension " +
                                             std::to_string(dim) + " with size " + std::to_string(size));
  }
};

/// An index tensor as 64-bit integers.
inline View indexView(Call& c, const TensorRef& t) {
  switch (t->meta.dtype) {
    case DType::I64:
      return c.hold(t);
    case DType::I32:
    case DType::I16:
    case DType::I8:
    case DType::U8:
      return c.hold(copyOf(viewOf(*t), DType::I64));
    default:
      throw EvalError("type-error", "tensors used as indices must be long, int, byte or bool tensors, not " +
                                        std::string(scalarTypeName(t->meta.dtype)));
  }
}

/// Calls f with a type of the width of an element, for kernels that only move elements.
template <class F>
decltype(auto) visitBytes(DType dtype, F&& f) {
  switch (itemBytes(dtype)) {
    case 1:
      return f(TypeTag<uint8_t>{});
    case 2:
      return f(TypeTag<uint16_t>{});
    case 4:
      return f(TypeTag<uint32_t>{});
    case 8:
      return f(TypeTag<uint64_t>{});
    default:
      return f(TypeTag<std::complex<double>>{});
  }
}

/// out = the element that lies `offset` elements behind `self`, for each place; all three have the sizes of
/// out.
inline void readAt(const View& out, const View& self, const View& offsets) {
  const Iteration it{out, self, offsets};
  visitBytes(out.dtype, [&]<class T>(TypeTag<T>) {
    it.forEachRunParallel([](std::byte* const* at, const int64_t* step, int64_t n) {
      if (step[2] == 0) {
        const std::byte* from =
            at[1] + *reinterpret_cast<const int64_t*>(at[2]) * static_cast<int64_t>(sizeof(T));
        if (step[0] == sizeof(T) && step[1] == sizeof(T)) {
          std::memcpy(at[0], from, static_cast<size_t>(n) * sizeof(T));
        } else {
          for (int64_t i = 0; i < n; ++i)
            *reinterpret_cast<T*>(at[0] + i * step[0]) = *reinterpret_cast<const T*>(from + i * step[1]);
        }
        return;
      }
      for (int64_t i = 0; i < n; ++i) {
        const int64_t offset = *reinterpret_cast<const int64_t*>(at[2] + i * step[2]);
        *reinterpret_cast<T*>(at[0] + i * step[0]) =
            *(reinterpret_cast<const T*>(at[1] + i * step[1]) + offset);
      }
    });
  });
}

/// A number, or a tensor of one element.
inline Value plainNumber(const Value& v) {
  if (!v.isTensor()) return v;
  const TensorRef t = resolved(tensorOf(v));
  const View at = viewOf(*t);
  if (at.numel() != 1)
    throw EvalError("shape-mismatch",
                    "a tensor of one element is wanted, not one of sizes " + sizesText(at.sizes));
  return numberAt(at.dtype, at.data);
}

/// The same as an element.
template <class T>
T elementOf(const Value& v) {
  const Value number = plainNumber(v);
  switch (number.kind()) {
    case VKind::Bool:
      return convertTo<T>(number.asBool());
    case VKind::Int:
      return convertTo<T>(number.raw());
    case VKind::Complex:
      return convertTo<T>(std::complex<double>(number.toReal(), number.imag()));
    default:
      return convertTo<T>(number.toReal());
  }
}

}  // namespace descry::runtime
