// Losses that need more than a formula for each element: by class, by label, by alignment; distances of rows.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/interpreter/kernels/numeric.h"

namespace descry::runtime {

namespace {

enum Reduction : int64_t { None = 0, Mean = 1, SumUp = 2 };

int64_t checkedClass(int64_t target, int64_t classes) {
  if (target < 0 || target >= classes)
    throw EvalError("index-error", "Target " + std::to_string(target) + " is out of bounds.");
  return target;
}

// ---- negative log likelihood

/// [batch, classes, area] with a class for each of [batch, area].
struct Classified {
  int64_t batch = 1, classes = 0, area = 1;
  View targets;
  int64_t ignored;

  explicit Classified(Call& c) : targets(c.dense("target", DType::I64)), ignored(c.integer("ignore_index")) {
    const View self = c.view("self");
    if (self.dim() == 1) {
      classes = self.size(0);
    } else if (self.dim() >= 2) {
      batch = self.size(0);
      classes = self.size(1);
      area = extentOf(self.sizes, 2, self.dim());
    } else {
      throw EvalError("shape-mismatch", "input tensor should be 1D or 2D");
    }
    if (targets.numel() != batch * area)
      throw EvalError("shape-mismatch", "size mismatch (got input: " + std::to_string(batch * area) +
                                            ", target: " + std::to_string(targets.numel()) + ")");
    for (int64_t i = 0; i < targets.numel(); ++i)
      if (const int64_t t = targets.as<int64_t>()[i]; t != ignored) checkedClass(t, classes);
  }
  /// Calls f(index of the target, class, index of its element).
  template <class F>
  void forEachTarget(F&& f) const {
    for (int64_t i = 0; i < batch * area; ++i) {
      const int64_t t = targets.as<int64_t>()[i];
      if (t != ignored) f(i, t, (i / area * classes + t) * area + i % area);
    }
  }
};

template <class T>
const T* classWeights(Call& c, DType compute, int64_t classes) {
  if (!c.given("weight")) return nullptr;
  const View w = c.dense("weight", compute);
  if (w.numel() != classes)
    throw EvalError("shape-mismatch", "weight tensor should be defined either for all " +
                                          std::to_string(classes) +
                                          " classes or no classes but got weight tensor of shape: [" +
                                          std::to_string(w.numel()) + "]");
  return w.as<T>();
}

void classLoss(Call& c) {
  const Classified p(c);
  const DType compute = computeType(c.out().dtype);
  const View self = c.dense("self", compute);
  const View out = c.denseOut(0, compute), total = c.denseOut(1, compute);
  const int64_t reduction = c.integer("reduction");
  visitComputed(compute, "loss", [&]<class T>(TypeTag<T>) {
    const T* weight = classWeights<T>(c, compute, p.classes);
    const T* x = self.as<T>();
    // 1-d inputs have one target: their loss is a number, reduced or not.
    if (reduction == None && c.view("self").dim() > 1) {
      zeroElements(out);
      total.as<T>()[0] = 0;
      p.forEachTarget(
          [&](int64_t i, int64_t t, int64_t at) { out.as<T>()[i] = -x[at] * (weight ? weight[t] : T(1)); });
      return;
    }
    double sum = 0, weights = 0;
    p.forEachTarget([&](int64_t, int64_t t, int64_t at) {
      const double w = weight ? static_cast<double>(weight[t]) : 1.0;
      sum -= static_cast<double>(x[at]) * w;
      weights += w;
    });
    if (reduction == Mean) sum /= weights;
    out.as<T>()[0] = static_cast<T>(sum);
    total.as<T>()[0] = static_cast<T>(weights);
  });
}

void classLossBackward(Call& c) {
  const Classified p(c);
  const DType compute = computeType(c.out().dtype);
  const View grad = c.dense("grad_output", compute), total = c.dense("total_weight", compute);
  const View out = c.denseOut(0, compute);
  const int64_t reduction = c.integer("reduction");
  zeroElements(out);
  const bool each = reduction == None && c.view("self").dim() > 1;
  if (grad.numel() != (each ? p.batch * p.area : 1) || total.numel() != 1)
    throw EvalError("shape-mismatch", "the gradient of nll_loss does not have the sizes of its result");
  visitComputed(compute, "loss", [&]<class T>(TypeTag<T>) {
    const T* weight = classWeights<T>(c, compute, p.classes);
    const T scale = reduction == Mean ? T(1) / total.as<T>()[0] : T(1);
    p.forEachTarget([&](int64_t i, int64_t t, int64_t at) {
      out.as<T>()[at] = -(weight ? weight[t] : T(1)) * scale * grad.as<T>()[each ? i : 0];
    });
  });
}

// ---- margins

/// The gradient of each row of [batch, classes], times that of the result.
struct Margins {
  int64_t batch, classes;
  double scale;
  View grad;

  Margins(Call& c, DType compute) {
    const View self = c.view("self");
    batch = self.dim() < 2 ? 1 : self.size(0);
    classes = self.dim() == 0 ? 1 : self.size(-1);
    const int64_t reduction = c.integer("reduction");
    scale = 1 / static_cast<double>(reduction == Mean ? batch * classes : classes);
    grad = c.dense("grad_output", compute);
    if (grad.numel() != 1 && grad.numel() != batch)
      throw EvalError("shape-mismatch",
                      "the gradient of a margin loss does not have the sizes of its result");
  }
  template <class T>
  T of(int64_t row) const {
    return grad.as<T>()[grad.numel() == 1 ? 0 : row];
  }
};

void multiMarginBackward(Call& c) {
  const DType compute = computeType(c.out().dtype);
  const Margins m(c, compute);
  const View self = c.dense("self", compute), targets = c.dense("target", DType::I64),
             out = c.denseOut(0, compute);
  if (targets.numel() != m.batch) throw EvalError("shape-mismatch", "inconsistent target size");
  const double power = c.real("p"), margin = c.real("margin");
  if (power != 1 && power != 2) throw EvalError("value-error", "only p == 1 and p == 2 supported");
  visitComputed(compute, "loss", [&]<class T>(TypeTag<T>) {
    const T* weight = classWeights<T>(c, compute, m.classes);
    for (int64_t r = 0; r < m.batch; ++r) {
      const T* x = self.as<T>() + r * m.classes;
      T* dx = out.as<T>() + r * m.classes;
      const int64_t t = checkedClass(targets.as<int64_t>()[r], m.classes);
      T sum = 0;
      for (int64_t d = 0; d < m.classes; ++d) {
        if (d == t) continue;
        const T z = static_cast<T>(margin) - x[t] + x[d];
        T h = 0;
        if (z > 0) {
          h = static_cast<T>(power == 1 ? m.scale : 2 * m.scale * static_cast<double>(z));
          if (weight) h *= weight[t];
        }
        sum += h;
        dx[d] = h * m.of<T>(r);
      }
      dx[t] = -sum * m.of<T>(r);
    }
  });
}

void multiLabelMarginBackward(Call& c) {
  const DType compute = computeType(c.out().dtype);
  const Margins m(c, compute);
  const View self = c.dense("self", compute), targets = c.dense("target", DType::I64);
  const View marked = c.dense("is_target", compute), out = c.denseOut(0, compute);
  if (targets.numel() != self.numel() || marked.numel() != self.numel())
    throw EvalError("shape-mismatch", "inconsistent target size");
  zeroElements(out);
  visitComputed(compute, "loss", [&]<class T>(TypeTag<T>) {
    const T g = static_cast<T>(m.scale);
    for (int64_t r = 0; r < m.batch; ++r) {
      const int64_t start = r * m.classes;
      const T* x = self.as<T>() + start;
      T* dx = out.as<T>() + start;
      for (int64_t k = 0; k < m.classes; ++k) {
        const int64_t label = targets.as<int64_t>()[start + k];
        if (label < 0) break;  // the list of labels ends
        checkedClass(label, m.classes);
        for (int64_t d = 0; d < m.classes; ++d) {
          if (marked.as<T>()[start + d] != T(0) || T(1) - x[label] + x[d] <= 0) continue;
          dx[label] -= g;
          dx[d] += g;
        }
      }
      for (int64_t d = 0; d < m.classes; ++d) dx[d] *= m.of<T>(r);
    }
  });
}

// ---- connectionist temporal classification

/// Targets with blanks between them: 2 * length + 1 states.
struct Alignment {
  int64_t times, batch, classes, blank;
  std::vector<int64_t> inputLengths, targetLengths, starts;
  View targets;
  int64_t longest = 0;

  Alignment(Call& c, std::vector<int64_t> inputs, std::vector<int64_t> lengths)
      : inputLengths(std::move(inputs)),
        targetLengths(std::move(lengths)),
        targets(c.dense("targets", DType::I64)) {
    const View probabilities = c.view("log_probs");
    if (probabilities.dim() != 3)
      throw EvalError("shape-mismatch", "ctc_loss: log_probs has to have 3 dimensions");
    times = probabilities.size(0);
    batch = probabilities.size(1);
    classes = probabilities.size(2);
    blank = c.integer("blank");
    if (blank < 0 || blank >= classes) throw EvalError("value-error", "blank must be in label range");
    if (static_cast<int64_t>(inputLengths.size()) != batch)
      throw EvalError("shape-mismatch", "input_lengths must be of size batch_size");
    if (static_cast<int64_t>(targetLengths.size()) != batch)
      throw EvalError("shape-mismatch", "target_lengths must be of size batch_size");
    int64_t at = 0;
    for (int64_t b = 0; b < batch; ++b) {
      const int64_t length = targetLengths[static_cast<size_t>(b)],
                    input = inputLengths[static_cast<size_t>(b)];
      if (length < 0)
        throw EvalError("value-error", "Expected target_lengths to have value at least 0, but got value " +
                                           std::to_string(length));
      if (input < 0 || input > times)
        throw EvalError("value-error", "Expected input_lengths to have value at most " +
                                           std::to_string(times) + ", but got value " +
                                           std::to_string(input) +
                                           " (while checking arguments for ctc_loss_cpu)");
      starts.push_back(targets.dim() == 2 ? b * targets.size(1) : at);
      if (targets.dim() == 2 ? (targets.size(0) != batch || length > targets.size(1))
                             : at + length > targets.numel())
        throw EvalError("shape-mismatch", "ctc_loss: target_lengths do not fit the targets");
      for (int64_t i = 0; i < length; ++i) {
        const int64_t t = targets.as<int64_t>()[starts.back() + i];
        if (t < 0 || t >= classes)
          throw EvalError("index-error", "ctc_loss: target " + std::to_string(t) + " is out of range");
      }
      at += length;
      longest = std::max(longest, length);
    }
  }
  int64_t label(int64_t b, int64_t state) const {
    return state % 2 == 0 ? blank : targets.as<int64_t>()[starts[static_cast<size_t>(b)] + state / 2];
  }
  int64_t length(int64_t b) const { return targetLengths[static_cast<size_t>(b)]; }
  int64_t input(int64_t b) const { return inputLengths[static_cast<size_t>(b)]; }
};

template <class T>
constexpr T kNothing = -std::numeric_limits<T>::infinity();

template <class T>
T logSum(T a, T b, T c = kNothing<T>) {
  T most = std::max(a, std::max(b, c));
  if (most == kNothing<T>) most = 0;
  return std::log(std::exp(a - most) + std::exp(b - most) + std::exp(c - most)) + most;
}

void alignmentLoss(Call& c) {
  const Alignment a(c, c.integers("input_lengths"), c.integers("target_lengths"));
  const DType compute = computeType(c.out().dtype);
  const View probabilities = c.dense("log_probs", compute), loss = c.denseOut(0, compute),
             alphas = c.denseOut(1, compute);
  visitComputed(compute, "loss", [&]<class T>(TypeTag<T>) {
    const int64_t states = 2 * a.longest + 1;
    std::fill_n(alphas.as<T>(), alphas.numel(), kNothing<T>);
    parallelFor(0, a.batch, grainOf(a.times * states * 32), [&](int64_t from, int64_t to) {
      for (int64_t b = from; b < to; ++b) {
        const auto p = [&](int64_t t, int64_t state) {
          return probabilities.as<T>()[(t * a.batch + b) * a.classes + a.label(b, state)];
        };
        T* alpha = alphas.as<T>() + b * a.times * states;
        const int64_t length = a.length(b), input = a.input(b);
        if (input == 0) {
          loss.as<T>()[b] = length == 0 ? T(0) : -kNothing<T>;
          continue;
        }
        alpha[0] = p(0, 0);
        if (length > 0) alpha[1] = p(0, 1);
        for (int64_t t = 1; t < input; ++t) {
          const T* before = alpha + (t - 1) * states;
          for (int64_t s = 0; s < 2 * length + 1; ++s) {
            const T one = s > 0 ? before[s - 1] : kNothing<T>;
            const T two = s > 1 && a.label(b, s - 2) != a.label(b, s) ? before[s - 2] : kNothing<T>;
            alpha[t * states + s] = logSum(before[s], one, two) + p(t, s);
          }
        }
        const T* last = alpha + (input - 1) * states;
        loss.as<T>()[b] = length == 0 ? -last[0] : -logSum(last[2 * length], last[2 * length - 1]);
      }
    });
  });
}

void alignmentLossBackward(Call& c, std::vector<int64_t> inputs, std::vector<int64_t> lengths) {
  const Alignment a(c, std::move(inputs), std::move(lengths));
  const DType compute = computeType(c.out().dtype);
  const View probabilities = c.dense("log_probs", compute), loss = c.dense("neg_log_likelihood", compute);
  const View alphas = c.dense("log_alpha", compute), grad = c.dense("grad", compute),
             out = c.denseOut(0, compute);
  const bool zeroInfinity = c.flag("zero_infinity");
  const int64_t states = alphas.dim() == 3 ? alphas.size(2) : 0;
  if (states < 2 * a.longest + 1 || alphas.size(0) != a.batch || alphas.size(1) != a.times ||
      loss.numel() != a.batch || (grad.numel() != a.batch && grad.numel() != 1))
    throw EvalError("shape-mismatch", "_ctc_loss_backward: the sizes do not fit");
  visitComputed(compute, "loss", [&]<class T>(TypeTag<T>) {
    parallelFor(0, a.batch, grainOf(a.times * states * 64), [&](int64_t from, int64_t to) {
      std::vector<T> beta(static_cast<size_t>(2 * states));
      for (int64_t b = from; b < to; ++b) {
        const auto row = [&](int64_t t) { return out.as<T>() + (t * a.batch + b) * a.classes; };
        const auto p = [&](int64_t t, int64_t k) {
          return probabilities.as<T>()[(t * a.batch + b) * a.classes + k];
        };
        const T nll = loss.as<T>()[b], g = grad.as<T>()[grad.numel() == 1 ? 0 : b];
        const int64_t length = a.length(b), input = a.input(b), end = 2 * length;
        const bool nothing = zeroInfinity && nll == -kNothing<T>;
        for (int64_t t = 0; t < a.times; ++t)
          std::fill_n(row(t), a.classes, nothing || t >= input ? T(0) : kNothing<T>);
        if (nothing || input == 0) continue;
        const T* alpha = alphas.as<T>() + b * a.times * states;
        std::fill(beta.begin(), beta.end(), kNothing<T>);
        for (int64_t t = input - 1; t >= 0; --t) {
          T* now = beta.data() + t % 2 * states;
          const T* next = beta.data() + (t + 1) % 2 * states;
          for (int64_t s = end; s >= 0; --s) {
            const int64_t label = a.label(b, s);
            if (t == input - 1) {
              now[s] = s >= end - 1 ? p(t, label) : kNothing<T>;
            } else {
              const T one = s < end ? next[s + 1] : kNothing<T>;
              const T two = s < end - 1 && a.label(b, s + 2) != label ? next[s + 2] : kNothing<T>;
              now[s] = logSum(next[s], one, two) + p(t, label);
            }
            const T both = alpha[t * states + s] + now[s];
            T& at = row(t)[label];
            at = at == kNothing<T> ? both : logSum(at, both);
          }
        }
        for (int64_t t = 0; t < input; ++t)
          for (int64_t k = 0; k < a.classes; ++k) {
            const T lp = p(t, k);
            row(t)[k] = (std::exp(lp) - std::exp(row(t)[k] + nll - lp)) * g;
          }
      }
    });
  });
}
void alignmentBackwardLists(Call& c) {
  alignmentLossBackward(c, c.integers("input_lengths"), c.integers("target_lengths"));
}
std::vector<int64_t> numbersOf(Call& c, std::string_view name) {
  const View v = c.dense(name, DType::I64);
  return {v.as<int64_t>(), v.as<int64_t>() + v.numel()};
}
void alignmentBackwardTensors(Call& c) {
  alignmentLossBackward(c, numbersOf(c, "input_lengths"), numbersOf(c, "target_lengths"));
}
/// Lengths in tensors: sizes of the results depend on them.
Value alignmentLossTensors(Call& c) {
  const auto list = [&](const char* name) {
    Values items;
    for (const int64_t n : numbersOf(c, name)) items.push_back(Value(n));
    return Value(std::move(items));
  };
  return c.call("aten._ctc_loss.default",
                {c.value("log_probs"), c.value("targets"), list("input_lengths"), list("target_lengths"),
                 c.value("blank"), c.value("zero_infinity")});
}

// ---- distances

template <class T>
T distance(const T* a, const T* b, int64_t n, double p) {
  T sum = 0;
  if (p == 2) {
    for (int64_t i = 0; i < n; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
  }
  if (p == 1) {
    for (int64_t i = 0; i < n; ++i) sum += std::abs(a[i] - b[i]);
    return sum;
  }
  if (p == 0) {
    for (int64_t i = 0; i < n; ++i) sum += a[i] != b[i] ? T(1) : T(0);
    return sum;
  }
  if (std::isinf(p)) {
    for (int64_t i = 0; i < n; ++i) {
      const T d = std::abs(a[i] - b[i]);
      sum = d > sum || std::isnan(d) ? d : sum;
    }
    return sum;
  }
  for (int64_t i = 0; i < n; ++i) sum += std::pow(std::abs(a[i] - b[i]), static_cast<T>(p));
  return std::pow(sum, static_cast<T>(1 / p));
}

/// to += factor * sign * the gradient of the distance by its first row.
template <class T>
void addDistanceGradient(const T* a, const T* b, int64_t n, double p, T grad, T dist, T* to, T* against) {
  const T power = static_cast<T>(p);
  const T scale = p > 0 && !std::isinf(p) && p != 1 && p != 2 && dist != 0 ? std::pow(dist, power - 1) : T(1);
  for (int64_t i = 0; i < n; ++i) {
    const T d = a[i] - b[i];
    const T sign = d > 0 ? T(1) : d < 0 ? T(-1) : T(0);
    T g = 0;
    if (p == 1)
      g = grad * sign;
    else if (p == 2)
      g = dist == 0 ? T(0) : grad * d / dist;
    else if (std::isinf(p))
      g = std::abs(d) == dist ? grad * sign : T(0);
    else if (p != 0)
      g = dist == 0 || (d == 0 && p < 2) ? T(0) : sign * std::pow(std::abs(d), power - 1) * grad / scale;
    to[i] += g;
    if (against) against[i] -= g;
  }
}

void refuseNegativePower(double p, std::string_view what) {
  if (p < 0) throw EvalError("value-error", std::string(what) + " only supports non-negative p values");
}

/// Batches of rows, broadcast to those of the result.
View batches(Call& c, const char* name, const Dims& batch, DType compute) {
  const View v = c.view(name);
  Dims sizes = batch;
  sizes.push_back(v.size(-2));
  sizes.push_back(v.size(-1));
  return c.hold(copyOf(v.expanded(sizes), compute));
}

void rowDistances(Call& c) {
  const double p = c.real("p");
  refuseNegativePower(p, "cdist");
  const DType compute = computeType(c.out().dtype);
  const View out = c.denseOut(0, compute);
  Dims batch;
  for (size_t d = 0; d + 2 < out.dim(); ++d) batch.push_back(out.sizes[d]);
  const View a = batches(c, "x1", batch, compute), b = batches(c, "x2", batch, compute);
  const int64_t rows = a.size(-2), others = b.size(-2), n = a.size(-1);
  if (b.size(-1) != n)
    throw EvalError("shape-mismatch", "X1 and X2 must have the same number of columns. X1: " +
                                          std::to_string(n) + " X2: " + std::to_string(b.size(-1)));
  visitComputed(compute, "loss", [&]<class T>(TypeTag<T>) {
    parallelFor(0, out.numel(), grainOf(n * 2), [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        const int64_t k = i / (rows * others), r = i / others % rows, q = i % others;
        out.as<T>()[i] = distance(a.as<T>() + (k * rows + r) * n, b.as<T>() + (k * others + q) * n, n, p);
      }
    });
  });
}

void rowDistancesBackward(Call& c) {
  const double p = c.real("p");
  const DType compute = computeType(c.out().dtype);
  const View out = c.denseOut(0, compute);
  Dims batch;
  for (size_t d = 0; d + 2 < out.dim(); ++d) batch.push_back(out.sizes[d]);
  const View a = batches(c, "x1", batch, compute), b = batches(c, "x2", batch, compute);
  const View grad = batches(c, "grad_output", batch, compute), dist = batches(c, "cdist", batch, compute);
  const int64_t rows = a.size(-2), others = b.size(-2), n = a.size(-1);
  if (b.size(-1) != n || grad.size(-2) != rows || grad.size(-1) != others || !(dist.sizes == grad.sizes))
    throw EvalError("shape-mismatch", "_cdist_backward: the sizes do not fit");
  zeroElements(out);
  visitComputed(compute, "loss", [&]<class T>(TypeTag<T>) {
    parallelFor(0, n ? out.numel() / n : 0, grainOf(n * others * 2), [&](int64_t from, int64_t to) {
      for (int64_t r = from; r < to; ++r)
        for (int64_t q = 0; q < others; ++q)
          addDistanceGradient<T>(a.as<T>() + r * n, b.as<T>() + (r / rows * others + q) * n, n, p,
                                 grad.as<T>()[r * others + q], dist.as<T>()[r * others + q],
                                 out.as<T>() + r * n, nullptr);
    });
  });
}

/// Distances of all pairs of rows, in the order (0, 1), (0, 2) ... (1, 2) ...
void pairDistances(Call& c) {
  const double p = c.real("p");
  refuseNegativePower(p, "pdist");
  const DType compute = computeType(c.out().dtype);
  const View x = c.dense("self", compute), out = c.denseOut(0, compute);
  const int64_t rows = x.size(0), n = x.size(1);
  visitComputed(compute, "loss", [&]<class T>(TypeTag<T>) {
    parallelFor(0, rows, grainOf(n * rows), [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        T* at = out.as<T>() + i * rows - i * (i + 1) / 2;
        for (int64_t j = i + 1; j < rows; ++j) *at++ = distance(x.as<T>() + i * n, x.as<T>() + j * n, n, p);
      }
    });
  });
}

void pairDistancesBackward(Call& c) {
  const double p = c.real("p");
  const DType compute = computeType(c.out().dtype);
  const View x = c.dense("self", compute), grad = c.dense("grad_output", compute),
             dist = c.dense("pdist", compute);
  const View out = c.denseOut(0, compute);
  const int64_t rows = x.size(0), n = x.size(1), pairs = rows * (rows - 1) / 2;
  if (grad.numel() != pairs || dist.numel() != pairs)
    throw EvalError("shape-mismatch", "_pdist_backward: the sizes do not fit");
  zeroElements(out);
  visitComputed(compute, "loss", [&]<class T>(TypeTag<T>) {
    int64_t k = 0;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = i + 1; j < rows; ++j, ++k)
        addDistanceGradient(x.as<T>() + i * n, x.as<T>() + j * n, n, p, grad.as<T>()[k], dist.as<T>()[k],
                            out.as<T>() + i * n, out.as<T>() + j * n);
  });
}

}  // namespace

void addLossKernels(KernelTable& table) {
  table.fill("aten.nll_loss_forward.default aten.nll_loss2d_forward.default", classLoss);
  table.fill("aten.nll_loss_backward.default aten.nll_loss2d_backward.default", classLossBackward);
  table.fill("aten.multi_margin_loss_backward.default", multiMarginBackward);
  table.fill("aten.multilabel_margin_loss_backward.default", multiLabelMarginBackward);
  table.fill("aten._ctc_loss.default", alignmentLoss);
  table.make("aten._ctc_loss.Tensor", alignmentLossTensors);
  table.fill("aten._ctc_loss_backward.default", alignmentBackwardLists);
  table.fill("aten._ctc_loss_backward.Tensor", alignmentBackwardTensors);
  table.fill("aten._cdist_forward.default", rowDistances);
  table.fill("aten._cdist_backward.default", rowDistancesBackward);
  table.fill("aten._pdist_forward.default", pairDistances);
  table.fill("aten._pdist_backward.default", pairDistancesBackward);
}

}  // namespace descry::runtime
