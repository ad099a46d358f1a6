#include "runtime/interpreter/kernels/reduce.h"

#include "ir/ops/eval/strides.h"

namespace descry::runtime {

std::vector<bool> markedDims(const std::vector<int64_t>& list, size_t ndim, bool emptyIsNone) {
  std::vector<bool> out(ndim, list.empty() && !emptyIsNone);
  for (const int64_t d : list) {
    const int64_t at = ir::eval::wrapDim(d, static_cast<int64_t>(std::max<size_t>(ndim, 1)));
    if (ndim == 0) continue;
    if (out[static_cast<size_t>(at)])
      throw EvalError("value-error",
                      "dim " + std::to_string(at) + " appears multiple times in the list of dims");
    out[static_cast<size_t>(at)] = true;
  }
  return out;
}

int64_t countOutputs(const View& x, const std::vector<bool>& folded) {
  int64_t n = 1;
  for (size_t d = 0; d < x.dim(); ++d)
    if (!folded[d]) n *= x.sizes[d];
  return n;
}

namespace {

constexpr int64_t kPart = 32768;    ///< elements that are worth a thread
constexpr int64_t kBlock = 2048;    ///< elements that are summed one after the other
constexpr int64_t kColumns = 1024;  ///< results that are folded side by side: a page of float
constexpr int64_t kRows = 64;

/// Some dimensions, joined where their strides (in bytes) allow, the fastest last.
struct Span {
  Dims sizes, strides;
  int64_t count = 1;

  void add(int64_t size, int64_t stride) {
    count *= size;
    if (size == 1) return;
    if (!sizes.empty() && strides.back() == stride * size) {
      sizes[sizes.size() - 1] *= size;
      strides[strides.size() - 1] = stride;
    } else {
      sizes.push_back(size);
      strides.push_back(stride);
    }
  }
  int64_t inner() const { return sizes.empty() ? 1 : sizes.back(); }
  int64_t stride() const { return strides.empty() ? 0 : strides.back(); }
  int64_t offset(int64_t at) const {
    int64_t out = 0;
    for (size_t d = sizes.size(); d-- > 0;) {
      out += at % sizes[d] * strides[d];
      at /= sizes[d];
    }
    return out;
  }
};

struct Fold {
  const FoldSteps& steps;
  const std::byte* data;
  std::byte* totals;
  Span kept, gone;

  Fold(const View& x, const std::vector<bool>& folded, const FoldSteps& s, std::byte* t)
      : steps(s), data(x.data), totals(t) {
    std::vector<std::pair<int64_t, int64_t>> going;  // size, stride
    for (size_t d = 0; d < x.dim(); ++d) {
      const int64_t stride = x.strides[d] * s.item;
      if (folded[d])
        going.emplace_back(x.sizes[d], stride);
      else
        kept.add(x.sizes[d], stride);
    }
    // The order does not matter to what is folded.
    std::stable_sort(going.begin(), going.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
    for (const auto& [size, stride] : going) gone.add(size, stride);
  }

  void run() const {
    if (kept.count == 0) return;
    if (gone.count == 0) {
      steps.start(totals, kept.count);
    } else if (!kept.sizes.empty() && !gone.sizes.empty() && kept.stride() != 0 &&
               std::abs(kept.stride()) < std::abs(gone.stride())) {
      rows();
    } else if (kept.count < 16 && gone.count >= 2 * kPart) {
      parts();
    } else {
      parallelFor(0, kept.count, std::max<int64_t>(1, kPart / gone.count), [&](int64_t from, int64_t to) {
        steps.start(totals + from * steps.result, to - from);
        for (int64_t o = from; o < to; ++o)
          range(data + kept.offset(o), 0, gone.count, o, totals + o * steps.result);
      });
    }
  }

  /// Elements `from` to `to` of one output.
  void range(const std::byte* base, int64_t from, int64_t to, int64_t output, std::byte* total) const {
    if (to - from > kBlock) {
      const int64_t middle = from + ((to - from) / 2 + kBlock - 1) / kBlock * kBlock;
      if (middle < to) {
        alignas(16) std::byte other[16];
        steps.start(other, 1);
        range(base, from, middle, output, total);
        range(base, middle, to, output, other);
        steps.join(total, other, 1);
        return;
      }
    }
    const int64_t inner = gone.inner(), stride = gone.stride();
    while (from < to) {
      const int64_t take = std::min(to - from, inner - from % inner);
      steps.line(base + gone.offset(from), stride, take, output, total);
      from += take;
    }
  }

  /// Few outputs of many elements: parts of each on several threads.
  void parts() const {
    const int64_t count = (gone.count + kPart - 1) / kPart;
    const TensorRef memory = allocate(Dims{count * steps.result}, DType::U8);
    std::byte* each = memory->storage->data();
    for (int64_t o = 0; o < kept.count; ++o) {
      const std::byte* base = data + kept.offset(o);
      steps.start(each, count);
      parallelFor(0, count, 1, [&](int64_t from, int64_t to) {
        for (int64_t k = from; k < to; ++k)
          range(base, k * kPart, std::min(gone.count, (k + 1) * kPart), o, each + k * steps.result);
      });
      // Neighbours first, as within parts.
      for (int64_t step = 1; step < count; step *= 2)
        for (int64_t k = 0; k + step < count; k += 2 * step)
          steps.join(each + k * steps.result, each + (k + step) * steps.result, 1);
      std::copy_n(each, steps.result, totals + o * steps.result);
    }
  }

  /// Outputs lie beside one another: some are folded at once, row by row.
  void rows() const {
    const int64_t inner = kept.inner(), chunks = (inner + kColumns - 1) / kColumns,
                  outer = kept.count / inner;
    const int64_t work = gone.count * std::min(inner, kColumns);
    // Rows are shared among threads where there are few columns.
    const int64_t parts = outer * chunks >= 8 || work < 4 * kPart ? 1 : std::min<int64_t>(32, work / kPart);
    const int64_t each = (gone.count + parts - 1) / parts;
    TensorRef memory;
    std::byte* partial = totals;
    if (parts > 1) {
      memory = allocate(Dims{parts * kept.count * steps.result}, DType::U8);
      partial = memory->storage->data();
    }
    steps.start(partial, parts * kept.count);
    parallelFor(0, outer * chunks * parts, std::max<int64_t>(1, kPart * parts / std::max<int64_t>(1, work)),
                [&](int64_t from, int64_t to) {
                  for (int64_t k = from; k < to; ++k) {
                    const int64_t part = k % parts, first = k / parts % chunks * kColumns;
                    const int64_t output = k / parts / chunks * inner + first;
                    columns(data + kept.offset(output), std::min(kColumns, inner - first), part * each,
                            std::min(gone.count, (part + 1) * each), output,
                            partial + (part * kept.count + output) * steps.result);
                  }
                });
    if (parts == 1) return;
    for (int64_t step = 1; step < parts; step *= 2)
      for (int64_t k = 0; k + step < parts; k += 2 * step)
        steps.join(partial + k * kept.count * steps.result, partial + (k + step) * kept.count * steps.result,
                   kept.count);
    std::copy_n(partial, kept.count * steps.result, totals);
  }
  void columns(const std::byte* base, int64_t n, int64_t begin, int64_t end, int64_t output,
               std::byte* into) const {
    if (end - begin > kRows) {
      const int64_t middle = begin + (end - begin) / 2;
      alignas(16) std::byte other[kColumns * 16];
      steps.start(other, n);
      columns(base, n, begin, middle, output, into);
      columns(base, n, middle, end, output, other);
      steps.join(into, other, n);
      return;
    }
    for (int64_t r = begin; r < end; ++r) steps.row(base + gone.offset(r), kept.stride(), n, output, into);
  }
};

}  // namespace

void foldDims(const View& x, const std::vector<bool>& folded, const FoldSteps& steps, std::byte* totals) {
  Fold(x, folded, steps, totals).run();
}

}  // namespace descry::runtime
