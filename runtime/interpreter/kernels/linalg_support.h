// What the kernels of linear algebra share: batches of matrices, checks.
#pragma once

#include "runtime/interpreter/kernels/linalg_algorithms.h"
#include "runtime/interpreter/kernels/numeric.h"

namespace descry::runtime::linalg {

template <class F>
void visitLinalg(DType dtype, std::string_view what, F&& f) {
  if (dtype == DType::F64)
    f(TypeTag<double>{});
  else if (dtype == DType::F32)
    f(TypeTag<float>{});
  else if (dtype == DType::C128)
    f(TypeTag<std::complex<double>>{});
  else if (dtype == DType::C64)
    f(TypeTag<std::complex<float>>{});
  else
    unsupportedDType(dtype, what);
}

/// Iterations run in double, whatever the matrix has.
template <class T>
using Wide = std::conditional_t<kIsComplex<T>, std::complex<double>, double>;

inline Dims batchOf(const Dims& sizes, size_t own = 2) {
  Dims out;
  for (size_t d = 0; d + own < sizes.size(); ++d) out.push_back(sizes[d]);
  return out;
}

/// Views whose leading dimensions are those of a batch; `own` dimensions of each stay.
class Batch {
 public:
  explicit Batch(Dims sizes) : sizes_(std::move(sizes)), count_(productOf(sizes_)) {}
  int64_t count() const { return count_; }

  View part(const View& v, int64_t index, size_t own = 2) const {
    View out;
    out.dtype = v.dtype;
    const size_t lead = v.dim() - own;
    int64_t offset = 0, rest = index;
    for (size_t d = sizes_.size(); d-- > 0;) {
      const int64_t i = rest % sizes_[d];
      rest /= sizes_[d];
      // Fewer dimensions, or such of one, are broadcast.
      if (d + lead >= sizes_.size() && v.sizes[d + lead - sizes_.size()] != 1)
        offset += i * v.strides[d + lead - sizes_.size()];
    }
    out.data = v.data + offset * itemBytes(v.dtype);
    for (size_t d = lead; d < v.dim(); ++d) {
      out.sizes.push_back(v.sizes[d]);
      out.strides.push_back(v.strides[d]);
    }
    return out;
  }
  template <class T>
  Mat<T> matrix(const View& v, int64_t index) const {
    return matOf<T>(part(v, index));
  }
  /// f(index) for all, on several threads when matrices are small.
  template <class F>
  void each(int64_t cost, F&& f) const {
    parallelFor(0, count_, grainOf(cost), [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) f(i);
    });
  }

 private:
  Dims sizes_;
  int64_t count_;
};

inline int64_t cubed(int64_t n) {
  return n < 1000 ? n * n * n : int64_t{1000} * 1000 * 1000;
}

[[noreturn]] inline void failed(std::string_view api, std::string_view batch, std::string_view why) {
  throw EvalError("linalg-error", std::string(api) + ": " + std::string(batch) + std::string(why));
}

}  // namespace descry::runtime::linalg

namespace descry::runtime {
void addDecompositionKernels(KernelTable& table);
}
