// Normalization of channels over the batch, and the statistics of parts of a batch.
#include "runtime/core/rows.h"
#include "runtime/interpreter/kernels/normalization_support.h"

namespace descry::runtime {

namespace {

using namespace normalizing;

struct Channels {
  int64_t batch = 0, channels = 0, area = 1;
  explicit Channels(const Dims& sizes) {
    if (sizes.size() < 2) throw EvalError("shape-mismatch", "Expected an input of at least two dimensions");
    batch = sizes[0];
    channels = sizes[1];
    area = extentOf(sizes, 2, sizes.size());
  }
  int64_t count() const { return batch * area; }
  /// Channels of few elements an image are worked on one after the other in memory: as if of one image.
  bool scattered() const { return area < 16 && batch > 1 && channels > 0; }
  void join() {
    area *= batch;
    batch = 1;
  }

  /// Calls f(where it starts) for the part of a channel in each image.
  template <class F>
  void forPlanes(int64_t channel, F&& f) const {
    for (int64_t n = 0; n < batch; ++n) f((n * channels + channel) * area);
  }
  template <class F>
  void forChannels(F&& f) const {
    parallelFor(0, channels, grainOf(count() * 4), [&](int64_t from, int64_t to) {
      for (int64_t k = from; k < to; ++k) f(k);
    });
  }
};

/// Mean and sum of squared distances of each channel.
template <class T>
std::vector<Moments> channelMoments(const Channels& s, const T* x) {
  std::vector<Moments> moments(static_cast<size_t>(s.channels));
  const RowMath<T>& math = rowMath<T>();
  s.forChannels([&](int64_t k) {
    const double count = static_cast<double>(s.count());
    double sum = 0, squares = 0;
    s.forPlanes(k, [&](int64_t start) { sum += math.sum(x + start, s.area); });
    const double mean = sum / count;
    // Distances are from the mean as the elements can tell it; how far that is from it is known.
    const T center = static_cast<T>(mean);
    s.forPlanes(k, [&](int64_t start) { squares += math.squares(x + start, center, s.area); });
    const double off = mean - static_cast<double>(center);
    const double exact = squares - count * off * off;
    moments[static_cast<size_t>(k)] = {mean, exact < 0 ? 0.0 : exact};
  });
  return moments;
}

/// y = x * slope + shift
template <class T>
void scalePlane(const T* x, T slope, T shift, T* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] * slope + shift;
}

/// What the running statistics become: those of the argument, or written to it.
class Running {
 public:
  Running(Call& c, std::string_view name, int64_t channels) {
    if (!c.knows(name) || !c.given(name)) return;
    tensor_ = c.tensor(name);
    const View v = viewOf(*tensor_);
    if (v.numel() == 0 && channels != 0) {
      tensor_ = {};
      return;
    }
    if (v.numel() != channels)
      throw EvalError("shape-mismatch", std::string(name) + " should contain " + std::to_string(channels) +
                                            " elements not " + std::to_string(v.numel()));
    const View dense = c.hold(copyOf(v, DType::F64));
    values_.assign(dense.as<double>(), dense.as<double>() + channels);
  }
  explicit operator bool() const { return static_cast<bool>(tensor_); }
  double operator[](int64_t k) const { return values_[static_cast<size_t>(k)]; }
  void mix(int64_t k, double momentum, double value) {
    double& at = values_[static_cast<size_t>(k)];
    at = (1 - momentum) * at + momentum * value;
  }
  void storeTo(const View& to) const {
    if (!tensor_) return;
    const TensorRef fresh = allocate(to.sizes, DType::F64);
    std::copy(values_.begin(), values_.end(), viewOf(*fresh).as<double>());
    copyElements(to, viewOf(*fresh));
  }
  void write() {
    if (!tensor_) return;
    storeTo(viewOf(*tensor_));
    ++tensor_->version;
  }

 private:
  TensorRef tensor_;
  std::vector<double> values_;
};

enum class Stats { Written, Returned, Kept };

/// Training: by the moments of the batch, which also change the running ones. Else by the running ones.
template <Stats Way>
void normalizeBatch(Call& c) {
  const View self = c.view("input");
  Channels s(self.sizes);
  const DType compute = computeType(self.dtype);
  const bool training =
      c.knows("training") ? c.flag("training") : c.op().name().find("with_update") != std::string_view::npos;
  const double momentum = c.real("momentum"), eps = c.real("eps");
  View in = c.dense("input", compute), out = c.denseOut(0, compute);
  const View result = out;
  Running mean(c, "running_mean", s.channels), variance(c, "running_var", s.channels);
  if (training && s.count() == 0 && s.channels != 0 && s.batch != 0)
    throw EvalError("value-error", "Expected more than 1 value per channel when training");
  if (!training && (!mean || !variance))
    throw EvalError("value-error", "Expected running_mean and running_var to be defined when not training");
  const bool scattered = s.scattered();
  if (scattered) {
    in = c.hold(copyOf(in.transposed(0, 1), compute));
    out = c.scratch(in.sizes, compute);
    s.join();
  }
  std::vector<double> means(static_cast<size_t>(s.channels)), scales(means.size());
  visitComputed(compute, "normalization", [&]<class T>(TypeTag<T>) {
    const T* weight = optional<T>(c, "weight", compute, s.channels);
    const T* bias = optional<T>(c, "bias", compute, s.channels);
    const T* x = in.as<T>();
    if (training) {
      const std::vector<Moments> moments = channelMoments(s, x);
      const double count = static_cast<double>(s.count());
      for (int64_t k = 0; k < s.channels; ++k) {
        const Moments& m = moments[static_cast<size_t>(k)];
        means[static_cast<size_t>(k)] = m.mean;
        scales[static_cast<size_t>(k)] = 1 / std::sqrt(m.squares / count + eps);
        if (mean) mean.mix(k, momentum, m.mean);
        if (variance) variance.mix(k, momentum, m.squares / (count - 1));
      }
    } else {
      for (int64_t k = 0; k < s.channels; ++k) {
        means[static_cast<size_t>(k)] = mean[k];
        scales[static_cast<size_t>(k)] = 1 / std::sqrt(variance[k] + eps);
      }
    }
    s.forChannels([&](int64_t k) {
      const double w = scales[static_cast<size_t>(k)] * (weight ? static_cast<double>(weight[k]) : 1.0);
      const T slope = static_cast<T>(w);
      const T shift =
          static_cast<T>((bias ? static_cast<double>(bias[k]) : 0.0) - means[static_cast<size_t>(k)] * w);
      T* y = out.as<T>();
      s.forPlanes(k, [&](int64_t start) { scalePlane(x + start, slope, shift, y + start, s.area); });
    });
  });
  if (scattered) copyElements(result, out.transposed(0, 1));
  storeResult(c, 1, means);
  storeResult(c, 2, scales);
  if (Way == Stats::Written && training) {
    mean.write();
    variance.write();
  } else if (Way == Stats::Returned) {
    const size_t first = c.results() - 2;
    if (c.has(first)) mean.storeTo(c.out(first));
    if (c.has(first + 1)) variance.storeTo(c.out(first + 1));
  }
}

void normalizeBatchBackward(Call& c) {
  const View self = c.view("input");
  Channels s(self.sizes);
  const DType compute = computeType(self.dtype);
  const bool training = c.flag(c.knows("train") ? "train" : "update");
  const double eps = c.real("eps");
  View in = c.dense("input", compute), grad = c.dense("grad_out", compute);
  if (grad.numel() != in.numel())
    throw EvalError("shape-mismatch", "the gradient has other sizes than the input");
  const Running mean(c, training ? "save_mean" : "running_mean", s.channels);
  const Running scale(c,
                      !training                ? "running_var"
                      : c.knows("save_invstd") ? "save_invstd"
                                               : "save_var",
                      s.channels);
  if (s.channels && (!mean || !scale))
    throw EvalError("value-error", "the gradient of batch norm needs the statistics");
  const bool scattered = s.scattered();
  View gathered;
  if (scattered) {
    in = c.hold(copyOf(in.transposed(0, 1), compute));
    grad = c.hold(copyOf(grad.reshaped(self.sizes).transposed(0, 1), compute));
    if (c.has(0)) gathered = c.scratch(in.sizes, compute);
    s.join();
  }
  visitComputed(compute, "normalization", [&]<class T>(TypeTag<T>) {
    const T* weight = optional<T>(c, "weight", compute, s.channels);
    T* dx = !c.has(0) ? nullptr : scattered ? gathered.as<T>() : c.denseOut(0, compute).as<T>();
    T* dw = c.has(1) ? c.denseOut(1, compute).as<T>() : nullptr;
    T* db = c.has(2) ? c.denseOut(2, compute).as<T>() : nullptr;
    const T *x = in.as<T>(), *dy = grad.as<T>();
    const double count = static_cast<double>(s.count());
    const RowMath<T>& math = rowMath<T>();
    s.forChannels([&](int64_t k) {
      const double rstd = training ? scale[k] : 1 / std::sqrt(scale[k] + eps), center = mean[k];
      const T middle = static_cast<T>(center);
      double plain = 0, along = 0;
      s.forPlanes(k, [&](int64_t start) {
        double p = 0, a = 0;
        math.normalizedSums(x + start, dy + start, nullptr, middle, T(1), s.area, &p, &a);
        plain += p;
        along += a;
      });
      along -= plain * (center - static_cast<double>(middle));
      if (dw) dw[k] = static_cast<T>(along * rstd);
      if (db) db[k] = static_cast<T>(plain);
      if (!dx) return;
      const double w = rstd * (weight ? static_cast<double>(weight[k]) : 1.0);
      if (!training) {
        s.forPlanes(k,
                    [&](int64_t start) { math.multiply(dy + start, static_cast<T>(w), dx + start, s.area); });
        return;
      }
      // w (dy - plain / count - (x - center) along / count rstd^2), where the gradient of weight zero is
      // zero.
      const double slope = w == 0 ? 0.0 : along / count * rstd * rstd / w;
      s.forPlanes(k, [&](int64_t start) {
        math.normalizeBackward(x + start, dy + start, nullptr, middle, static_cast<T>(w),
                               static_cast<T>(plain / count), static_cast<T>(slope), dx + start, s.area);
      });
    });
  });
  if (scattered && c.has(0)) copyElements(c.denseOut(0, compute), gathered.transposed(0, 1));
}

std::vector<Moments> momentsOfInput(Call& c, const Channels& s) {
  const DType compute = computeType(c.view("input").dtype);
  const View in = c.dense("input", compute);
  std::vector<Moments> moments;
  visitComputed(compute, "normalization",
                [&]<class T>(TypeTag<T>) { moments = channelMoments(s, in.as<T>()); });
  return moments;
}

/// Mean and 1 / sqrt(variance + eps) of each channel.
void batchStats(Call& c) {
  const Channels s(c.view("input").sizes);
  std::vector<double> means, scales;
  for (const Moments& m : momentsOfInput(c, s)) {
    means.push_back(m.mean);
    scales.push_back(1 / std::sqrt(m.squares / static_cast<double>(s.count()) + c.real("eps")));
  }
  storeResult(c, 0, means);
  storeResult(c, 1, scales);
}

/// Mean and variance of each channel; the running ones are changed.
void batchUpdateStats(Call& c) {
  const Channels s(c.view("input").sizes);
  Running mean(c, "running_mean", s.channels), variance(c, "running_var", s.channels);
  const double momentum = c.real("momentum"), count = static_cast<double>(s.count());
  std::vector<double> means, variances;
  int64_t k = 0;
  for (const Moments& m : momentsOfInput(c, s)) {
    means.push_back(m.mean);
    variances.push_back(m.squares / count);
    if (mean) mean.mix(k, momentum, m.mean);
    if (variance) variance.mix(k, momentum, m.squares / (count - 1));
    ++k;
  }
  storeResult(c, 0, means);
  storeResult(c, 1, variances);
  mean.write();
  variance.write();
}

void batchElements(Call& c) {
  const Channels s(c.view("input").sizes);
  const DType compute = computeType(c.view("input").dtype);
  const View in = c.dense("input", compute), out = c.denseOut(0, compute);
  visitComputed(compute, "normalization", [&]<class T>(TypeTag<T>) {
    const T* weight = optional<T>(c, "weight", compute, s.channels);
    const T* bias = optional<T>(c, "bias", compute, s.channels);
    const T* mean = optional<T>(c, "mean", compute, s.channels);
    const T* scale = optional<T>(c, "invstd", compute, s.channels);
    s.forChannels([&](int64_t k) {
      const T w = weight ? weight[k] * scale[k] : scale[k], b = bias ? bias[k] : T(0);
      s.forPlanes(k, [&](int64_t start) {
        for (int64_t i = start; i < start + s.area; ++i) out.as<T>()[i] = (in.as<T>()[i] - mean[k]) * w + b;
      });
    });
  });
}

/// Statistics of parts of a batch (one row each, with its count) become those of the whole.
void batchGatherStats(Call& c) {
  const View means = c.dense("mean", DType::F64), scales = c.dense("invstd", DType::F64),
             counts = c.dense("counts", DType::F64);
  if (means.dim() != 2 || !(scales.sizes == means.sizes) || counts.numel() != means.size(0))
    throw EvalError("shape-mismatch", "batch_norm_gather_stats_with_counts: sizes do not fit");
  const int64_t parts = means.size(0), channels = means.size(1);
  const double momentum = c.real("momentum"), eps = c.real("eps");
  Running mean(c, "running_mean", channels), variance(c, "running_var", channels);
  std::vector<double> allMeans, allScales;
  for (int64_t k = 0; k < channels; ++k) {
    double average = 0, squares = 0, n = 0;
    for (int64_t p = 0; p < parts; ++p) {
      const double count = counts.as<double>()[p], m = means.as<double>()[p * channels + k];
      const double deviation = 1 / scales.as<double>()[p * channels + k];
      if (n + count == 0) continue;
      squares +=
          (deviation * deviation - eps) * count + (average - m) * (average - m) * n * count / (n + count);
      average = (n * average + count * m) / (n + count);
      n += count;
    }
    allMeans.push_back(average);
    allScales.push_back(1 / std::sqrt(squares / n + eps));
    if (mean) mean.mix(k, momentum, average);
    if (variance) variance.mix(k, momentum, squares / (n - 1));
  }
  storeResult(c, 0, allMeans);
  storeResult(c, 1, allScales);
  mean.write();
  variance.write();
}

}  // namespace

void addBatchNormKernels(KernelTable& table) {
  table.fill("aten._native_batch_norm_legit.default aten._batch_norm_with_update.default",
             normalizeBatch<Stats::Written>);
  table.fill(
      "aten._native_batch_norm_legit_functional.default aten._batch_norm_with_update_functional.default",
      normalizeBatch<Stats::Returned>);
  table.fill(
      "aten._native_batch_norm_legit.no_stats aten._native_batch_norm_legit_no_training.default "
      "aten._batch_norm_no_update.default",
      normalizeBatch<Stats::Kept>);
  table.fill("aten.native_batch_norm_backward.default aten.batch_norm_backward.default",
             normalizeBatchBackward);
  table.fill("aten.batch_norm_stats.default", batchStats);
  table.fill("aten.batch_norm_update_stats.default", batchUpdateStats);
  table.fill("aten.batch_norm_elemt.default", batchElements);
  table.fill("aten.batch_norm_gather_stats_with_counts.default", batchGatherStats);
}

}  // namespace descry::runtime
