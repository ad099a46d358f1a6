// What each element is of those before it along a dimension.
#include <cmath>

#include "ir/ops/eval/strides.h"
#include "runtime/interpreter/kernel.h"

namespace descry::runtime {

namespace {

/// Memory [outer, n, inner] with the scanned dimension in the middle.
struct Lines {
  int64_t outer = 1, n = 1, inner = 1;
};
Lines linesOf(const View& x, int64_t dim) {
  const int64_t at = ir::eval::wrapDim(dim, static_cast<int64_t>(std::max<size_t>(x.dim(), 1)));
  Lines l;
  for (size_t d = 0; d < x.dim(); ++d)
    (static_cast<int64_t>(d) == at ? l.n : static_cast<int64_t>(d) < at ? l.outer : l.inner) *= x.sizes[d];
  return l;
}

constexpr int64_t kColumns = 64;

/// Calls f(offset of the first element, columns) for columns beside one another.
template <class F>
void eachColumns(const Lines& l, const F& f) {
  if (l.outer * l.n * l.inner == 0) return;
  const int64_t chunks = (l.inner + kColumns - 1) / kColumns;
  parallelFor(0, l.outer * chunks, std::max<int64_t>(1, 32768 / (l.n * std::min(l.inner, kColumns))),
              [&](int64_t from, int64_t to) {
                for (int64_t k = from; k < to; ++k) {
                  const int64_t first = k % chunks * kColumns;
                  f(k / chunks * l.n * l.inner + first, std::min(kColumns, l.inner - first));
                }
              });
}

/// What sums along a line are kept in: wider than Sum, as PyTorch does.
template <class T>
using Running = std::conditional_t<
    std::is_same_v<T, float>, double,
    std::conditional_t<std::is_same_v<T, std::complex<float>>, std::complex<double>, Sum<T>>>;

struct Plus {
  template <class A>
  A operator()(A a, A b) const {
    if constexpr (std::is_same_v<A, int64_t>)
      return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    else
      return a + b;
  }
  static constexpr int start = 0;
};
struct Times {
  template <class A>
  A operator()(A a, A b) const {
    if constexpr (std::is_same_v<A, int64_t>)
      return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    else
      return a * b;
  }
  static constexpr int start = 1;
};

template <class F>
void running(Call& c) {
  const View out = c.denseOut(0);
  const View x = c.dense(0, out.dtype);
  const Lines l = linesOf(x, c.integer("dim"));
  visitAny(out.dtype, [&]<class T>(TypeTag<T>) {
    using A = Running<T>;
    const T* from = x.as<T>();
    T* to = out.as<T>();
    eachColumns(l, [&](int64_t at, int64_t width) {
      A total[kColumns];
      for (int64_t j = 0; j < width; ++j) total[j] = A(F::start);
      for (int64_t r = 0; r < l.n; ++r, at += l.inner)
        for (int64_t j = 0; j < width; ++j) {
          total[j] = F{}(total[j], convertTo<A>(from[at + j]));
          to[at + j] = convertTo<T>(total[j]);
        }
    });
  });
}

/// The last of equal ones counts; a NaN stays.
template <bool greatest>
void runningExtreme(const View& x, const View& values, const View& indices, int64_t dim) {
  const Lines l = linesOf(x, dim);
  visitReal(x.dtype, [&]<class T>(TypeTag<T>) {
    using A = Compute<T>;
    eachColumns(l, [&](int64_t at, int64_t width) {
      A best[kColumns];
      int64_t where[kColumns];
      for (int64_t r = 0; r < l.n; ++r, at += l.inner)
        for (int64_t j = 0; j < width; ++j) {
          const A v = static_cast<A>(x.as<T>()[at + j]);
          if (r == 0 || v != v || (best[j] == best[j] && (greatest ? v >= best[j] : v <= best[j]))) {
            best[j] = v;
            where[j] = r;
          }
          values.as<T>()[at + j] = convertTo<T>(best[j]);
          indices.as<int64_t>()[at + j] = where[j];
        }
    });
  });
}
template <bool greatest>
void extremes(Call& c) {
  runningExtreme<greatest>(c.dense(0), c.denseOut(0), c.denseOut(1), c.integer("dim"));
}
/// Writes its arguments `values` and `indices`.
template <bool greatest>
Value extremesInto(Call& c) {
  const View x = c.dense(0);
  const View values = c.scratch(x.sizes, x.dtype), indices = c.scratch(x.sizes, DType::I64);
  runningExtreme<greatest>(x, values, indices, c.integer("dim"));
  copyElements(c.view("values"), values);
  copyElements(c.view("indices"), indices);
  return {};
}

double logAddExp(double a, double b) {
  const double low = std::isnan(a) || a < b ? a : b, high = std::isnan(a) || a > b ? a : b;
  if (std::isnan(b)) return b;
  // Equal infinities.
  if (low == high && std::isinf(low)) return low;
  return std::log1p(std::exp(low - high)) + high;
}
std::complex<double> logAddExp(std::complex<double> a, std::complex<double> b) {
  if (std::isnan(a.real()) || std::isnan(b.real())) return {NAN, NAN};
  if (a.real() < b.real()) std::swap(a, b);
  if (std::isinf(a.real()) && a.real() == b.real()) {
    if (a.real() < 0) return a;
    return std::log(std::exp(a) + std::exp(b));
  }
  return a + std::log(1.0 + std::exp(b - a));
}

void logCumSumExp(Call& c) {
  const View out = c.denseOut(0);
  const View x = c.dense(0);
  const Lines l = linesOf(x, c.integer("dim"));
  visitFloatingOrComplex(out.dtype, [&]<class T>(TypeTag<T>) {
    using A = std::conditional_t<kIsComplex<T>, std::complex<double>, double>;
    eachColumns(l, [&](int64_t at, int64_t width) {
      A total[kColumns];
      for (int64_t j = 0; j < width; ++j) total[j] = A(-std::numeric_limits<double>::infinity());
      for (int64_t r = 0; r < l.n; ++r, at += l.inner)
        for (int64_t j = 0; j < width; ++j) {
          total[j] =
              r ? logAddExp(total[j], convertTo<A>(x.as<T>()[at + j])) : convertTo<A>(x.as<T>()[at + j]);
          out.as<T>()[at + j] = convertTo<T>(total[j]);
        }
    });
  });
}

}  // namespace

void addScanKernels(KernelTable& table) {
  table.fill("aten.cumsum.default prims.cumsum.default", running<Plus>);
  table.fill("aten.cumprod.default", running<Times>);
  table.fill("aten.cummax.default", extremes<true>);
  table.fill("aten.cummin.default", extremes<false>);
  table.make("aten._cummax_helper.default", extremesInto<true>);
  table.make("aten._cummin_helper.default", extremesInto<false>);
  table.fill("aten.logcumsumexp.default aten._logcumsumexp.default", logCumSumExp);
}

}  // namespace descry::runtime
