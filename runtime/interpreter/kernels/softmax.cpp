// Softmax and its kin: along one dimension, with the dimensions inside of it side by side.
#include <limits>

#include "runtime/core/rows.h"
#include "runtime/interpreter/kernels/checks.h"
#include "runtime/interpreter/kernels/numeric.h"
#include "runtime/loops/instructions.h"

namespace descry::runtime {

namespace {

/// A tensor as [outer, length, inner] along a dimension.
struct Along {
  int64_t outer = 1, length = 1, inner = 1;

  Along(const Dims& sizes, int64_t dim) {
    const int64_t n = static_cast<int64_t>(sizes.size());
    if (dim < -std::max<int64_t>(n, 1) || dim >= std::max<int64_t>(n, 1))
      throw EvalError("index-error", "Dimension out of range (expected to be in range of [" +
                                         std::to_string(-std::max<int64_t>(n, 1)) + ", " +
                                         std::to_string(std::max<int64_t>(n, 1) - 1) + "], but got " +
                                         std::to_string(dim) + ")");
    if (n == 0) return;
    const size_t at = static_cast<size_t>(dim < 0 ? dim + n : dim);
    outer = extentOf(sizes, 0, at);
    length = sizes[at];
    inner = extentOf(sizes, at + 1, sizes.size());
  }
  /// Whether results are so large that they are written past the caches.
  template <class T>
  bool streams(const T* in, const T* out) const {
    return outer * length * inner * static_cast<int64_t>(sizeof(T)) >= kPastCaches && in != out;
  }
  /// Calls f(offset of the first element) for each row; elements of one are `inner` apart.
  template <class F>
  void forRows(int64_t cost, F&& f) const {
    if (length == 0) return;
    parallelFor(0, outer * inner, grainOf(length * cost), [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) f(i / inner * length * inner + i % inner);
    });
  }
};

/// Rows up to this length are computed aside, and then written at once.
constexpr int64_t kAside = 16384;

/// Of elements that lie one after the other.
template <class T>
class DenseRow {
 public:
  DenseRow() : math_(rowMath<T>()) {
    constexpr LoopType type = std::is_same_v<T, double> ? LoopType::Double : LoopType::Float;
    exp_ = loopKernels().instruction(LoopOp::Exp, type, type);
  }
  const RowMath<T>& math() const { return math_; }

  /// exp(x - shift), and the sum of these. `use(values, i, n)` is called for parts.
  template <class F>
  double exponentials(const T* x, T shift, int64_t n, F&& use) const {
    T shifted[kTile], values[kTile];
    double sum = 0;
    for (int64_t i = 0; i < n; i += kTile) {
      const int64_t m = std::min(kTile, n - i);
      math_.subtract(x + i, shift, shifted, m);
      exp_(values, shifted, nullptr, nullptr, m);
      sum += math_.sum(values, m);
      use(values, i, m);
    }
    return sum;
  }
  /// `in` and `out` may be the same memory.
  void softmax(const T* in, T* out, int64_t n, bool streamed) const {
    thread_local T aside[kAside];
    streamed = streamed && n <= kAside;
    T* to = streamed ? aside : out;
    const double sum = exponentials(in, math_.greatest(in, n), n, [&](const T* values, int64_t i, int64_t m) {
      std::copy_n(values, m, to + i);
    });
    (streamed ? math_.multiplyStreamed : math_.multiply)(to, static_cast<T>(1 / sum), out, n);
  }
  void logSoftmax(const T* in, T* out, int64_t n, bool streamed) const {
    const T most = math_.greatest(in, n);
    const double sum = exponentials(in, most, n, [](const T*, int64_t, int64_t) {});
    const T shift = static_cast<T>(std::log(sum));
    thread_local T aside[kAside];
    streamed = streamed && n <= kAside;
    T* to = streamed ? aside : out;
    math_.subtract(in, most, to, n);
    (streamed ? math_.subtractStreamed : math_.subtract)(to, shift, out, n);
  }

 private:
  static constexpr int64_t kTile = 512;
  const RowMath<T>& math_;
  LoopKernel exp_;
};

/// Of elements `step` apart. `in` and `out` may be the same memory.
template <class T>
void softmaxRow(const T* in, T* out, int64_t n, int64_t step) {
  T most = -std::numeric_limits<T>::infinity();
  for (int64_t i = 0; i < n; ++i)
    most = in[i * step] > most || std::isnan(in[i * step]) ? in[i * step] : most;
  T sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    out[i * step] = std::exp(in[i * step] - most);
    sum += out[i * step];
  }
  const T scale = T(1) / sum;
  for (int64_t i = 0; i < n; ++i) out[i * step] *= scale;
}

template <class T>
void logSoftmaxRow(const T* in, T* out, int64_t n, int64_t step) {
  T most = -std::numeric_limits<T>::infinity();
  for (int64_t i = 0; i < n; ++i)
    most = in[i * step] > most || std::isnan(in[i * step]) ? in[i * step] : most;
  T sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += std::exp(in[i * step] - most);
  const T shift = std::log(sum);
  for (int64_t i = 0; i < n; ++i) out[i * step] = in[i * step] - most - shift;
}

/// Calls f(TypeTag, input, output) with float or double memory.
template <class F>
void visitSoft(Call& c, F&& f) {
  const DType compute = computeType(c.out().dtype);
  if (!isFloatType(compute)) unsupportedDType(compute, "softmax");
  const View in = needSizes(c.dense(size_t{0}, compute), c.out().sizes, c.op().schema().arguments[0].name),
             out = c.denseOut(0, compute);
  if (compute == DType::F64)
    f(in.as<double>(), out.as<double>());
  else
    f(in.as<float>(), out.as<float>());
}

void softmax(Call& c) {
  const Along along(c.out().sizes, c.integer("dim"));
  visitSoft(c, [&]<class T>(const T* in, T* out) {
    const DenseRow<T> dense;
    const bool streamed = along.streams(in, out);
    along.forRows(4, [&](int64_t at) {
      if (along.inner == 1)
        dense.softmax(in + at, out + at, along.length, streamed);
      else
        softmaxRow(in + at, out + at, along.length, along.inner);
    });
  });
}

void logSoftmax(Call& c) {
  const Along along(c.out().sizes, c.integer("dim"));
  visitSoft(c, [&]<class T>(const T* in, T* out) {
    const DenseRow<T> dense;
    const bool streamed = along.streams(in, out);
    along.forRows(4, [&](int64_t at) {
      if (along.inner == 1)
        dense.logSoftmax(in + at, out + at, along.length, streamed);
      else
        logSoftmaxRow(in + at, out + at, along.length, along.inner);
    });
  });
}

/// Rows in which everything is minus infinity become zero.
void safeSoftmax(Call& c) {
  const Along along(c.out().sizes, c.integer("dim"));
  visitSoft(c, [&]<class T>(const T* in, T* out) {
    const int64_t step = along.inner;
    const DenseRow<T> dense;
    along.forRows(16, [&](int64_t at) {
      bool any = false;
      for (int64_t i = 0; i < along.length && !any; ++i)
        any = in[at + i * step] != -std::numeric_limits<T>::infinity();
      if (any && step == 1)
        dense.softmax(in + at, out + at, along.length, false);
      else if (any)
        softmaxRow(in + at, out + at, along.length, step);
      else
        for (int64_t i = 0; i < along.length; ++i) out[at + i * step] = 0;
    });
  });
}

/// Gradients from that of the result (argument 0) and the result (1).
template <bool Log>
void softmaxBackward(Call& c) {
  const Along along(c.out().sizes, c.integer("dim"));
  const View result = needSizes(c.dense("output", computeType(c.out().dtype)), c.out().sizes, "output");
  visitSoft(c, [&]<class T>(const T* grad, T* out) {
    const T* y = result.as<T>();
    const int64_t step = along.inner;
    const DenseRow<T> dense;
    [[maybe_unused]] const bool streamed = along.streams(grad, out) && y != out;
    along.forRows(Log ? 4 : 2, [&](int64_t at) {
      if (step == 1) {
        const T *g = grad + at, *row = y + at;
        if constexpr (Log) {
          const T total = static_cast<T>(dense.math().sum(g, along.length));
          dense.exponentials(row, T(0), along.length, [&](const T* values, int64_t i, int64_t m) {
            dense.math().logSoftmaxBackward(g + i, values, total, out + at + i, m);
          });
        } else {
          const T total = static_cast<T>(dense.math().dot(g, row, along.length));
          (streamed ? dense.math().softmaxBackwardStreamed : dense.math().softmaxBackward)(
              g, row, total, out + at, along.length);
        }
        return;
      }
      T sum = 0;
      for (int64_t i = 0; i < along.length; ++i) {
        const int64_t k = at + i * step;
        sum += Log ? grad[k] : grad[k] * y[k];
      }
      for (int64_t i = 0; i < along.length; ++i) {
        const int64_t k = at + i * step;
        out[k] = Log ? grad[k] - std::exp(y[k]) * sum : (grad[k] - sum) * y[k];
      }
    });
  });
}

/// What is masked, for each element. Masks of attention (mask_type 0: [L, L], 1: [B, L]) are spread over the
/// rest.
View maskFor(Call& c, const Dims& sizes) {
  View mask = c.view("mask");
  if (mask.dtype != DType::B8)
    throw EvalError("type-error",
                    "Mask should be a boolean tensor, not " + std::string(scalarTypeName(mask.dtype)));
  const int64_t type = c.knows("mask_type") ? c.integer("mask_type", 2) : 2;
  if (c.knows("mask_type") && c.given("mask_type") && (type < 0 || type > 2))
    throw EvalError("value-error",
                    "Mask Type should be 0 (src_mask), 1 (src_key_padding_mask), or 2 (default_mask)");
  if (type == 1 && mask.dim() == 2 && sizes.size() == 4) mask = mask.unsqueezed(1).unsqueezed(1);
  return c.hold(copyOf(mask.expanded(sizes), DType::B8));
}

void maskedSoftmax(Call& c) {
  const Dims sizes = c.out().sizes;
  const Along along(sizes, c.integer("dim", -1));
  const bool* masked = maskFor(c, sizes).as<bool>();
  visitSoft(c, [&]<class T>(const T* in, T* out) {
    const int64_t step = along.inner;
    along.forRows(16, [&](int64_t at) {
      T most = 0;
      bool any = false;
      for (int64_t i = 0; i < along.length; ++i) {
        const int64_t k = at + i * step;
        if (masked[k]) continue;
        most = any ? std::max(most, in[k]) : in[k];
        any = true;
      }
      T sum = 0;
      for (int64_t i = 0; i < along.length; ++i) {
        const int64_t k = at + i * step;
        const T e = masked[k] ? T(0) : std::exp(in[k] - most);
        sum += e;
        out[k] = e;
      }
      const T scale = sum == 0 ? std::numeric_limits<T>::quiet_NaN() : T(1) / sum;
      for (int64_t i = 0; i < along.length; ++i) out[at + i * step] *= scale;
    });
  });
}

void maskedSoftmaxBackward(Call& c) {
  const Dims sizes = c.out().sizes;
  const Along along(sizes, c.integer("dim", -1));
  const bool* masked = maskFor(c, sizes).as<bool>();
  const View result = needSizes(c.dense("output", computeType(c.out().dtype)), c.out().sizes, "output");
  visitSoft(c, [&]<class T>(const T* grad, T* out) {
    const T* y = result.as<T>();
    const int64_t step = along.inner;
    along.forRows(4, [&](int64_t at) {
      T sum = 0;
      for (int64_t i = 0; i < along.length; ++i) {
        const int64_t k = at + i * step;
        if (!masked[k]) sum += grad[k] * y[k];
      }
      for (int64_t i = 0; i < along.length; ++i) {
        const int64_t k = at + i * step;
        out[k] = masked[k] ? T(0) : (grad[k] - sum) * y[k];
      }
    });
  });
}

/// The greatest number and the sum of exp(x - greatest) of each row.
void prepareSoftmax(Call& c) {
  const View self = c.view(0);
  const DType compute = computeType(self.dtype);
  const Along along(self.sizes, c.integer("dim"));
  const View in = c.dense(size_t{0}, compute), most = c.denseOut(0, compute), sums = c.denseOut(1, compute);
  visitComputed(compute, "prepare_softmax_online", [&]<class T>(TypeTag<T>) {
    parallelFor(0, along.outer * along.inner, grainOf(along.length * 16), [&](int64_t from, int64_t to) {
      for (int64_t r = from; r < to; ++r) {
        const T* row = in.as<T>() + r / along.inner * along.length * along.inner + r % along.inner;
        T best = -std::numeric_limits<T>::infinity(), sum = 0;
        for (int64_t i = 0; i < along.length; ++i) {
          const T x = row[i * along.inner];
          best = x > best || std::isnan(x) ? x : best;
        }
        for (int64_t i = 0; i < along.length; ++i) sum += std::exp(row[i * along.inner] - best);
        most.as<T>()[r] = best;
        sums.as<T>()[r] = sum;
      }
    });
  });
}

}  // namespace

void addSoftmaxKernels(KernelTable& table) {
  table.fill("aten._softmax.default", softmax, kRowWise);
  table.fill("aten._log_softmax.default", logSoftmax, kRowWise);
  table.fill("aten._safe_softmax.default", safeSoftmax, kRowWise);
  table.fill("aten._softmax_backward_data.default", softmaxBackward<false>, kRowWise);
  table.fill("aten._log_softmax_backward_data.default", softmaxBackward<true>, kRowWise);
  table.fill("aten._masked_softmax.default", maskedSoftmax);
  table.fill("aten._masked_softmax_backward.default", maskedSoftmaxBackward);
  table.fill("prims.prepare_softmax_online.default", prepareSoftmax);
}

}  // namespace descry::runtime
