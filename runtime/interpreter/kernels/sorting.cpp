// Sorting and order statistics along one dimension.
#include <numeric>

#include "runtime/interpreter/kernels/element_support.h"

namespace descry::runtime {
namespace {

template <class T>
struct Ranked {
  T value;
  int64_t index;
};

/// Small floats are compared as floats.
template <class T>
bool before(T a, T b) {
  return lessThan(a, b);
}

void sort(Call& c) {
  View self = atLeastOneDim(c.view("self")), values = atLeastOneDim(c.out(0)),
       indices = atLeastOneDim(c.out(1));
  const int64_t dim = wrappedDim(c.integer("dim"), c.view("self").dim());
  const bool descending = c.flag("descending");
  if (self.numel() == 0) return;
  const int64_t n = self.size(dim);
  visitAny(self.dtype, [&]<class T>(TypeTag<T>) {
    if constexpr (kIsComplex<T>) {
      throw EvalError("unsupported-dtype", "Sort does not support complex dtypes on CPU");
    } else {
      forEachLine<3>(
          {self, values, indices}, dim,
          [&](const std::array<std::byte*, 3>& at) {
            const Line<T> from(at[0], self.stride(dim)), to(at[1], values.stride(dim));
            const Line<int64_t> places(at[2], indices.stride(dim));
            std::vector<Ranked<T>> line(static_cast<size_t>(n));
            for (int64_t i = 0; i < n; ++i) line[static_cast<size_t>(i)] = {from[i], i};
            if (descending)
              std::stable_sort(line.begin(), line.end(), [](const Ranked<T>& a, const Ranked<T>& b) {
                return before(b.value, a.value);
              });
            else
              std::stable_sort(line.begin(), line.end(), [](const Ranked<T>& a, const Ranked<T>& b) {
                return before(a.value, b.value);
              });
            for (int64_t i = 0; i < n; ++i) {
              to[i] = line[static_cast<size_t>(i)].value;
              places[i] = line[static_cast<size_t>(i)].index;
            }
          },
          lineGrain(n));
    }
  });
}

/// The order of equal elements is that of the algorithms of the C++ library, as in PyTorch.
void topk(Call& c) {
  View self = atLeastOneDim(c.view("self")), values = atLeastOneDim(c.out(0)),
       indices = atLeastOneDim(c.out(1));
  const int64_t dim = wrappedDim(c.integer("dim"), c.view("self").dim()), k = c.integer("k"),
                n = self.size(dim);
  const bool largest = c.flag("largest"), sorted = c.flag("sorted");
  if (k < 0 || k > n) throw EvalError("value-error", "selected index k out of range");
  if (k == 0 || self.numel() == 0) return;
  visitReal(self.dtype, [&]<class T>(TypeTag<T>) {
    forEachLine<3>(
        {self, values, indices}, dim,
        [&](const std::array<std::byte*, 3>& at) {
          const Line<T> from(at[0], self.stride(dim)), to(at[1], values.stride(dim));
          const Line<int64_t> places(at[2], indices.stride(dim));
          std::vector<std::pair<T, int64_t>> queue(static_cast<size_t>(n));
          for (int64_t i = 0; i < n; ++i) queue[static_cast<size_t>(i)] = {from[i], i};
          const auto choose = [&](const auto& ahead) {
            if (k * 64 <= n) {
              std::partial_sort(queue.begin(), queue.begin() + k, queue.end(), ahead);
            } else {
              std::nth_element(queue.begin(), queue.begin() + k - 1, queue.end(), ahead);
              if (sorted) std::sort(queue.begin(), queue.begin() + k - 1, ahead);
            }
          };
          using Pair = std::pair<T, int64_t>;
          if (largest)
            choose([](const Pair& a, const Pair& b) { return before(b.first, a.first); });
          else
            choose([](const Pair& a, const Pair& b) { return before(a.first, b.first); });
          for (int64_t i = 0; i < k; ++i) {
            to[i] = queue[static_cast<size_t>(i)].first;
            places[i] = queue[static_cast<size_t>(i)].second;
          }
        },
        lineGrain(n));
  });
}

/// Puts the element of rank k in its place (quickselect with the median of three, as PyTorch does it, so that
/// the choice among equal elements is the same).
template <class T>
void quickSelect(std::vector<Ranked<T>>& a, size_t k) {
  const auto after = [&](size_t i, size_t j) { return before(a[j].value, a[i].value); };
  size_t left = 0, right = a.size() - 1;
  while (true) {
    if (right <= left) return;
    if (right == left + 1) {
      if (after(left, right)) std::swap(a[left], a[right]);
      return;
    }
    std::swap(a[left + (right - left) / 2], a[left + 1]);
    if (after(left + 1, right)) std::swap(a[left + 1], a[right]);
    if (after(left, right)) std::swap(a[left], a[right]);
    if (after(left + 1, left)) std::swap(a[left + 1], a[left]);
    size_t i = left + 1, j = right;
    const T pivot = a[left].value;
    while (true) {
      do ++i;
      while (before(a[i].value, pivot));
      do --j;
      while (before(pivot, a[j].value));
      if (j < i) break;
      std::swap(a[i], a[j]);
    }
    std::swap(a[left], a[j]);
    if (j <= k) left = i;
    if (j >= k) right = j - 1;
  }
}

/// Runs choose(line, length) -> element and its place for each line; the results have one element in `dim`,
/// or not that dimension.
template <class F>
void chooseFromLines(Call& c, F&& choose) {
  const View self = atLeastOneDim(c.view("self"));
  const int64_t dim = wrappedDim(c.integer("dim"), c.view("self").dim()), n = self.size(dim);
  View values = c.out(0), indices = c.out(1);
  if (values.dim() < self.dim()) {
    values = values.unsqueezed(dim);
    indices = indices.unsqueezed(dim);
  }
  if (values.numel() == 0) return;
  if (n == 0)
    throw EvalError("index-error", std::string(c.op().name()) + "(): Expected reduction dim " +
                                       std::to_string(dim) + " to have non-zero size.");
  visitReal(self.dtype, [&]<class T>(TypeTag<T>) {
    forEachLine<3>(
        {self, values, indices}, dim,
        [&](const std::array<std::byte*, 3>& at) {
          const auto chosen = choose(Line<T>(at[0], self.stride(dim)), n, TypeTag<T>{});
          *reinterpret_cast<T*>(at[1]) = chosen.value;
          *reinterpret_cast<int64_t*>(at[2]) = chosen.index;
        },
        lineGrain(n));
  });
}

void kthvalue(Call& c) {
  const int64_t k = c.integer("k");
  const View self = atLeastOneDim(c.view("self"));
  const int64_t n = self.size(wrappedDim(c.integer("dim"), c.view("self").dim()));
  if (k < 1 || k > n)
    throw EvalError("value-error", "kthvalue(): selected number k out of range for dimension " +
                                       std::to_string(wrappedDim(c.integer("dim"), self.dim())));
  chooseFromLines(c, [k]<class T>(const Line<T>& from, int64_t length, TypeTag<T>) {
    std::vector<Ranked<T>> line(static_cast<size_t>(length));
    for (int64_t i = 0; i < length; ++i) line[static_cast<size_t>(i)] = {from[i], i};
    quickSelect(line, static_cast<size_t>(k - 1));
    return line[static_cast<size_t>(k - 1)];
  });
}

/// The lower of the two in the middle; the first NaN if there is one that counts.
template <bool ignoresNan, class T, class Get>
Ranked<T> medianOf(Get&& at, int64_t n) {
  int64_t counted = n;
  for (int64_t i = 0; i < n; ++i) {
    if (!isNanValue(at(i))) continue;
    if (!ignoresNan) return {at(i), i};
    --counted;
  }
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), int64_t{0});
  const auto middle = order.begin() + (counted > 0 ? (counted - 1) / 2 : 0);
  std::nth_element(order.begin(), middle, order.end(), [&](int64_t i, int64_t j) {
    const T a = at(i), b = at(j);
    return before(a, b) || (!before(b, a) && i < j);
  });
  return {at(*middle), *middle};
}

template <bool ignoresNan>
void medianDim(Call& c) {
  chooseFromLines(c, []<class T>(const Line<T>& from, int64_t n, TypeTag<T>) {
    return medianOf<ignoresNan, T>([&](int64_t i) { return from[i]; }, n);
  });
}
template <bool ignoresNan>
void median(Call& c) {
  const View self = c.dense("self");
  const int64_t n = self.numel();
  visitReal(self.dtype, [&]<class T>(TypeTag<T>) {
    const T* at = self.as<T>();
    *c.out().as<T>() = n ? medianOf<ignoresNan, T>([&](int64_t i) { return at[i]; }, n).value
                         : convertTo<T>(std::numeric_limits<double>::quiet_NaN());
  });
}

/// The element that occurs most often, the smallest of several.
void mode(Call& c) {
  chooseFromLines(c, []<class T>(const Line<T>& from, int64_t n, TypeTag<T>) {
    std::vector<Ranked<T>> line(static_cast<size_t>(n));
    for (int64_t i = 0; i < n; ++i) line[static_cast<size_t>(i)] = {from[i], i};
    std::sort(line.begin(), line.end(),
              [](const Ranked<T>& a, const Ranked<T>& b) { return before(a.value, b.value); });
    Ranked<T> best = line[0];
    int64_t most = 0, run = 0;
    for (size_t i = 0; i < line.size(); ++i) {
      ++run;
      const bool ends = i + 1 == line.size() || !(static_cast<Compute<T>>(line[i].value) ==
                                                  static_cast<Compute<T>>(line[i + 1].value));
      if (!ends) continue;
      if (run > most) {
        most = run;
        best = line[i];
      }
      run = 0;
    }
    return best;
  });
}

}  // namespace

void addSortingKernels(KernelTable& table) {
  table.fill("aten.sort.default aten.sort.stable", sort);
  table.fill("aten.topk.default", topk);
  table.fill("aten.kthvalue.default", kthvalue);
  table.fill("aten.median.dim", medianDim<false>);
  table.fill("aten.nanmedian.dim", medianDim<true>);
  table.fill("aten.median.default", median<false>);
  table.fill("aten.nanmedian.default", median<true>);
  table.fill("aten.mode.default", mode);
}

}  // namespace descry::runtime
