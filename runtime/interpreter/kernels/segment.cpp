// Reductions of segments along one dimension, and their gradients.
#include <cmath>

#include "runtime/interpreter/kernels/element_support.h"

namespace descry::runtime {
namespace {

/// Where the segments of each row start; rows are the dimensions before the axis.
struct Segments {
  int64_t rows = 1, count = 0, length = 0, inner = 1;  ///< length: of the axis
  std::vector<int64_t> starts;                         ///< rows * (count + 1)
  int64_t start(int64_t row, int64_t s) const { return starts[static_cast<size_t>(row * (count + 1) + s)]; }
};

Segments segmentsOf(Call& c, const View& data) {
  const bool byLengths = c.given("lengths");
  if (byLengths == c.given("offsets"))
    throw EvalError("value-error", "segment_reduce(): Either lengths or offsets must be defined.");
  const View given = c.hold(contiguousOf(c.tensor(byLengths ? "lengths" : "offsets"), DType::I64));
  const int64_t axis = wrappedDim(c.integer("axis"), data.dim());
  if (given.dim() == 0 || axis != static_cast<int64_t>(given.dim()) - 1 || data.dim() < given.dim())
    throw EvalError("shape-mismatch",
                    "segment_reduce(): Expected axis to be the last dimension of lengths but got " +
                        std::to_string(axis) + ".");
  Segments s;
  for (size_t d = 0; d < data.dim(); ++d) {
    const auto at = static_cast<int64_t>(d);
    if (at < axis && given.sizes[d] != data.sizes[d])
      throw EvalError("shape-mismatch",
                      "segment_reduce(): Expected lengths and data to have the same sizes before the axis");
    if (at != axis) (at < axis ? s.rows : s.inner) *= data.sizes[d];
  }
  s.length = data.size(axis);
  s.count = given.size(-1) - (byLengths ? 0 : 1);
  if (s.count < 0)
    throw EvalError("shape-mismatch", "segment_reduce(): offsets need to have at least one element");
  const int64_t* at = given.as<int64_t>();
  for (int64_t row = 0; row < s.rows; ++row) {
    int64_t start = 0;
    for (int64_t k = 0; k <= s.count; ++k) {
      if (!byLengths) start = at[row * (s.count + 1) + k];
      if (start < (k && !byLengths ? s.starts.back() : 0) || start > s.length)
        throw EvalError("value-error", "segment_reduce(): the segments do not lie in the data");
      s.starts.push_back(start);
      if (!byLengths || k == s.count) continue;
      const int64_t length = at[row * s.count + k];
      if (length < 0) throw EvalError("value-error", "lengths contains negative value!");
      start = length > s.length ? s.length + 1 : start + length;
    }
    if (byLengths && !(c.knows("unsafe") && c.flag("unsafe")) && s.starts.back() != s.length)
      throw EvalError(
          "value-error",
          "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) "
          "when !unsafe.");
  }
  return s;
}

enum class Kind { Sum, Mean, Max, Min, Prod };
Kind kindOf(const std::string& name) {
  if (name == "sum") return Kind::Sum;
  if (name == "mean") return Kind::Mean;
  if (name == "max" || name == "amax") return Kind::Max;
  if (name == "min" || name == "amin") return Kind::Min;
  if (name == "prod") return Kind::Prod;
  throw EvalError("value-error", "segment_reduce(): unsupported reduction " + name);
}

void reduceSegments(Call& c) {
  const View data = c.dense("data"), out = c.denseOut();
  const Segments s = segmentsOf(c, data);
  const Kind kind = kindOf(c.text("reduce"));
  const bool initial = c.given("initial");
  if (out.numel() != s.rows * s.count * s.inner)
    throw EvalError("shape-mismatch", "segment_reduce(): the result has other sizes");
  visitFloating(data.dtype, [&]<class T>(TypeTag<T>) {
    using A = Compute<T>;
    const A none = kind == Kind::Max   ? A(-INFINITY)
                   : kind == Kind::Min ? A(INFINITY)
                                       : A(kind == Kind::Prod ? 1 : 0);
    const A first = initial ? elementOf<A>(c.value("initial")) : none;
    parallelFor(0, s.rows * s.count, lineGrain(s.inner), [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        const int64_t row = i / s.count, begin = s.start(row, i % s.count),
                      end = s.start(row, i % s.count + 1);
        for (int64_t x = 0; x < s.inner; ++x) {
          A value = first;
          for (int64_t k = begin; k < end; ++k) {
            const A v = static_cast<A>(data.as<T>()[(row * s.length + k) * s.inner + x]);
            switch (kind) {
              case Kind::Max:
                value = std::isnan(v) || std::isnan(value) ? A(NAN) : std::max(value, v);
                break;
              case Kind::Min:
                value = std::isnan(v) || std::isnan(value) ? A(NAN) : std::min(value, v);
                break;
              case Kind::Prod:
                value *= v;
                break;
              default:
                value += v;
            }
          }
          if (kind == Kind::Mean) {
            if (begin == end && !initial) value = A(NAN);
            if (end > begin && !std::isnan(value)) value /= static_cast<A>(end - begin);
          }
          out.as<T>()[i * s.inner + x] = T(value);
        }
      }
    });
  });
}

void reduceSegmentsBackward(Call& c) {
  const View data = c.dense("data"), grad = c.dense("grad"), output = c.dense("output"), out = c.denseOut();
  const Segments s = segmentsOf(c, data);
  const Kind kind = kindOf(c.text("reduce"));
  zeroElements(out);
  if (grad.numel() != s.rows * s.count * s.inner || output.numel() != grad.numel())
    throw EvalError("shape-mismatch", "segment_reduce(): the gradient has other sizes than the result");
  visitFloating(data.dtype, [&]<class T>(TypeTag<T>) {
    using A = Compute<T>;
    const A first = c.given("initial") ? elementOf<A>(c.value("initial")) : A(1);
    parallelFor(0, s.rows * s.count, lineGrain(s.inner), [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        const int64_t row = i / s.count, begin = s.start(row, i % s.count),
                      end = s.start(row, i % s.count + 1);
        for (int64_t x = 0; x < s.inner; ++x) {
          const A g = static_cast<A>(grad.as<T>()[i * s.inner + x]),
                  result = static_cast<A>(output.as<T>()[i * s.inner + x]);
          const auto place = [&](int64_t k) { return (row * s.length + k) * s.inner + x; };
          const auto value = [&](int64_t k) { return static_cast<A>(data.as<T>()[place(k)]); };
          const auto chosen = [&](int64_t k) { return std::isnan(value(k)) || value(k) == result; };
          int64_t many = 0, zeros = 0;
          A rest = first;  // the product of all that are not zero
          for (int64_t k = begin; k < end; ++k) {
            if (kind == Kind::Max || kind == Kind::Min) many += chosen(k);
            if (kind != Kind::Prod) continue;
            if (value(k) == 0)
              ++zeros;
            else
              rest *= value(k);
          }
          for (int64_t k = begin; k < end; ++k) {
            A part = g;
            if (kind == Kind::Mean) part = g / static_cast<A>(end - begin);
            // PyTorch shares a gradient among several only where it is positive.
            if (kind == Kind::Max || kind == Kind::Min)
              part = chosen(k) ? g / static_cast<A>(g > 0 ? many : 1) : A(0);
            if (kind == Kind::Prod)
              part = value(k) == 0 ? (zeros > 1 ? A(0) : g * rest) : zeros ? A(0) : g * result / value(k);
            out.as<T>()[place(k)] = T(part);
          }
        }
      }
    });
  });
}

}  // namespace

void addSegmentKernels(KernelTable& table) {
  table.fill("aten.segment_reduce.default", reduceSegments);
  table.fill("aten._segment_reduce_backward.default", reduceSegmentsBackward);
}

}  // namespace descry::runtime
