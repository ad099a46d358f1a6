// Folding dimensions of a tensor: what sums, products, extremes and norms share.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "runtime/core/rows.h"
#include "runtime/interpreter/kernel.h"

namespace descry::runtime {

/// Marks the dimensions of `list` (negative ones count from the end; an empty list means all unless
/// `emptyIsNone`). Throws `index-error`, and `value-error` for a dimension given twice.
std::vector<bool> markedDims(const std::vector<int64_t>& list, size_t ndim, bool emptyIsNone = false);

/// How elements are folded, without their types: what goes through a whole tensor (foldDims) is written once.
/// Results are of at most 16 bytes; `output` numbers the results in the order of the dimensions that stay.
class FoldSteps {
 public:
  FoldSteps(int64_t item, int64_t result) : item(item), result(result) {}
  virtual ~FoldSteps() = default;
  virtual void start(std::byte* totals, int64_t n) const = 0;
  /// Into one result: n elements, `stride` bytes apart.
  virtual void line(const std::byte* p, int64_t stride, int64_t n, int64_t output,
                    std::byte* total) const = 0;
  /// Into n results beside one another, an element each.
  virtual void row(const std::byte* p, int64_t stride, int64_t n, int64_t output,
                   std::byte* totals) const = 0;
  virtual void join(std::byte* totals, const std::byte* others, int64_t n) const = 0;

  int64_t item, result;  ///< bytes
};
/// Fills `totals`, a result for each output. Long sums are made of sums of parts of about equal length, so
/// that errors of rounding stay small, and do not depend on the number of threads.
void foldDims(const View& x, const std::vector<bool>& folded, const FoldSteps& steps, std::byte* totals);
/// How many results there are.
int64_t countOutputs(const View& x, const std::vector<bool>& folded);

/// Folds that rows of numbers have in the processor's vectors (rows.h): sums, and the greatest element.
template <class F>
constexpr bool kPlainSum = false;
template <class F>
constexpr bool kPlainGreatest = false;

/// With F: `using Result`, `Result start()`, `Result of(T element, int64_t output)`, and the associative
/// `Result join(Result, Result)`.
template <class T, class F>
class TypedFoldSteps : public FoldSteps {
  using A = typename F::Result;
  static_assert(sizeof(A) <= 16);
  static constexpr int64_t kLanes = sizeof(A) > 4 ? 16 : 32;

 public:
  explicit TypedFoldSteps(const F& f) : FoldSteps(sizeof(T), sizeof(A)), f_(f) {}

  void start(std::byte* totals, int64_t n) const override {
    std::fill_n(reinterpret_cast<A*>(totals), n, f_.start());
  }
  void join(std::byte* totals, const std::byte* others, int64_t n) const override {
    A* a = reinterpret_cast<A*>(totals);
    const A* b = reinterpret_cast<const A*>(others);
    for (int64_t i = 0; i < n; ++i) a[i] = f_.join(a[i], b[i]);
  }
  void line(const std::byte* p, int64_t stride, int64_t n, int64_t output, std::byte* total) const override {
    const F f = f_;
    A sum = *reinterpret_cast<A*>(total);
    if constexpr ((kPlainSum<F> || kPlainGreatest<F>)&&std::is_floating_point_v<T> && std::is_same_v<A, T>) {
      if (stride == static_cast<int64_t>(sizeof(T))) {
        const T* x = reinterpret_cast<const T*>(p);
        const A folded = kPlainSum<F> ? static_cast<A>(rowMath<T>().sum(x, n)) : rowMath<T>().greatest(x, n);
        *reinterpret_cast<A*>(total) = f.join(sum, folded);
        return;
      }
    }
    int64_t i = 0;
    if (stride == static_cast<int64_t>(sizeof(T)) && n >= 2 * kLanes) {
      // Several sums side by side, which vector instructions add to at once.
      const T* x = reinterpret_cast<const T*>(p);
      A lane[kLanes];
      for (int64_t l = 0; l < kLanes; ++l) lane[l] = f.of(x[l], output);
      for (i = kLanes; i + kLanes <= n; i += kLanes)
        for (int64_t l = 0; l < kLanes; ++l) lane[l] = f.join(lane[l], f.of(x[i + l], output));
      for (int64_t half = kLanes / 2; half > 0; half /= 2)
        for (int64_t l = 0; l < half; ++l) lane[l] = f.join(lane[l], lane[l + half]);
      sum = f.join(sum, lane[0]);
    }
    for (; i < n; ++i) sum = f.join(sum, f.of(*reinterpret_cast<const T*>(p + i * stride), output));
    *reinterpret_cast<A*>(total) = sum;
  }
  void row(const std::byte* p, int64_t stride, int64_t n, int64_t output, std::byte* totals) const override {
    const F f = f_;
    A* __restrict to = reinterpret_cast<A*>(totals);
    if (stride == static_cast<int64_t>(sizeof(T))) {
      const T* x = reinterpret_cast<const T*>(p);
      for (int64_t j = 0; j < n; ++j) to[j] = f.join(to[j], f.of(x[j], output + j));
    } else {
      for (int64_t j = 0; j < n; ++j)
        to[j] = f.join(to[j], f.of(*reinterpret_cast<const T*>(p + j * stride), output + j));
    }
  }

 private:
  F f_;
};

/// Calls done(output, result) for each output.
template <class T, class F, class Done>
void fold(const View& x, const std::vector<bool>& folded, const F& f, const Done& done) {
  using A = typename F::Result;
  const int64_t n = countOutputs(x, folded);
  const TypedFoldSteps<T, F> steps(f);
  const std::unique_ptr<A[]> totals(new A[static_cast<size_t>(n)]);
  foldDims(x, folded, steps, reinterpret_cast<std::byte*>(totals.get()));
  for (int64_t o = 0; o < n; ++o) done(o, totals[static_cast<size_t>(o)]);
}

}  // namespace descry::runtime
