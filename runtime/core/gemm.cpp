#include "runtime/core/gemm.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "runtime/core/gemm_follower.h"
#include "runtime/core/gemm_tiles.h"
#include "runtime/core/inside.h"
#include "runtime/core/memory.h"
#include "runtime/core/threads.h"
#include "runtime/library/library.h"

namespace descry::runtime {

namespace {

/// Memory for packed matrices.
template <class P>
class Buffer {
 public:
  explicit Buffer(int64_t count) : data_(allocateBytes(static_cast<size_t>(count) * sizeof(P), capacity_)) {}
  ~Buffer() { releaseBytes(data_, capacity_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  P* get() const { return reinterpret_cast<P*>(data_); }

 private:
  size_t capacity_ = 0;
  std::byte* data_;
};

/// What elements are multiplied in: unsigned integers wrap.
template <class T>
using Packed = std::conditional_t<
    kIsSmallFloat<T>, float,
    std::conditional_t<std::is_integral_v<T>, std::conditional_t<sizeof(T) <= 4, uint32_t, uint64_t>, T>>;

template <class T>
struct Operand {
  const T* data;
  int64_t rowStride, columnStride;
};
template <class P>
struct Target {
  P* data;
  int64_t rowStride, columnStride;
};

// A panel of B stays in the first cache, a block of A in the second one. Of A all is packed once; panels of B
// are packed for each block of rows, right before they are used.
constexpr int64_t kDepth = 256;
constexpr size_t kRowBlockBytes = size_t{1} << 20, kMostPackedBytes = size_t{64} << 20;
/// Multiplications below which one thread is quicker.
constexpr int64_t kAlone = 1 << 17;

int64_t partsOf(int64_t whole, int64_t most) {
  return std::max<int64_t>(1, (whole + most - 1) / std::max<int64_t>(most, 1));
}

template <class P>
void scaleTarget(int64_t m, int64_t n, P beta, const Target<P>& c) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      P& at = c.data[i * c.rowStride + j * c.columnStride];
      at = beta == P(0) ? P(0) : at * beta;
    }
}

/// A x for a matrix whose rows or columns lie in one piece; false when they do not.
template <class P>
bool multiplyVector(int64_t m, int64_t k, P alpha, const Operand<P>& a, const P* x, int64_t xStride, P beta,
                    P* y, int64_t yStride) {
  if (a.columnStride != 1 && a.rowStride != 1) return false;
  const Loops<P> loops = loopsOf<P>();
  const Buffer<P> vector(k);
  P* dense = vector.get();
  for (int64_t p = 0; p < k; ++p) dense[p] = x[p * xStride];
  const int64_t grain = std::max<int64_t>(1, kAlone / std::max<int64_t>(k, 1));
  const auto store = [&](int64_t i, P value) {
    P& at = y[i * yStride];
    at = beta == P(0) ? alpha * value : alpha * value + beta * at;
  };
  if (a.columnStride == 1) {
    parallelFor(0, m, grain, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) store(i, loops.dot(k, a.data + i * a.rowStride, dense));
    });
  } else {
    parallelFor(0, m, std::max<int64_t>(grain, 64), [&](int64_t from, int64_t to) {
      // Sums of a few hundred rows stay in the first cache.
      std::array<P, 512> sums;
      for (int64_t start = from; start < to; start += 512) {
        const int64_t n = std::min<int64_t>(512, to - start);
        std::fill_n(sums.begin(), n, P(0));
        for (int64_t p = 0; p < k; ++p)
          loops.add(n, dense[p], a.data + p * a.columnStride + start, sums.data());
        for (int64_t i = 0; i < n; ++i) store(start + i, sums[static_cast<size_t>(i)]);
      }
    });
  }
  return true;
}

/// What one product is made of, once its factors are in order: C is written row by row.
template <class T, class P>
struct Product {
  int64_t m, n, k;
  P alpha, beta;
  Operand<T> a, b;
  Target<P> c;
  Loops<P> loops = loopsOf<P>();
  bool direct = false;  ///< B is read where it lies
  int64_t depths = 1;   ///< steps of k, evenly

  int64_t depthBegin(int64_t d) const { return k * d / depths; }

  /// Panels [from, to) of A for all of k: those of a step of k one after the other.
  void packRows(int64_t first, int64_t from, int64_t to, P* packed, int64_t panels) const {
    for (int64_t d = 0; d < depths; ++d) {
      const int64_t p0 = depthBegin(d), kc = depthBegin(d + 1) - p0;
      P* const step = packed + p0 * panels * loops.rows;
      for (int64_t panel = from; panel < to; ++panel) {
        const int64_t i = first + panel * loops.rows;
        packPanel(a.data + i * a.rowStride + p0 * a.columnStride, a.rowStride, a.columnStride,
                  std::min(loops.rows, m - i), loops.rows, kc, step + panel * loops.rows * kc);
      }
    }
  }

  /// The tiles of rows [first, last) with the columns of one panel of B, for one step of k.
  void tilesOf(int64_t first, int64_t last, const P* left, int64_t j, const P* right, int64_t bStep,
               int64_t kc, P factor) const {
    const int64_t rows = loops.rows, columns = loops.columns, width = std::min(columns, n - j);
    for (int64_t i = first; i < last; i += rows, left += rows * kc) {
      const int64_t height = std::min(rows, last - i);
      P* at = c.data + i * c.rowStride + j * c.columnStride;
      if (width == columns && c.columnStride == 1) {
        loops.tile(height)(kc, left, right, bStep, at, c.rowStride, alpha, factor);
        continue;
      }
      alignas(64) std::array<P, kMostRows * kMostColumnBytes / sizeof(P)> tile;
      loops.tile(height)(kc, left, right, bStep, tile.data(), columns, alpha, P(0));
      for (int64_t y = 0; y < height; ++y)
        for (int64_t x = 0; x < width; ++x) {
          P& to = at[y * c.rowStride + x * c.columnStride];
          const P value = tile[static_cast<size_t>(y * columns + x)];
          to = factor == P(0) ? value : value + factor * to;
        }
    }
  }

  /// A block of C, all of k. `left`: the panels of A of its first row, of `panels` in all.
  void block(int64_t first, int64_t last, int64_t fromPanel, int64_t toPanel, const P* left,
             int64_t panels) const {
    const int64_t columns = loops.columns;
    alignas(64) std::array<P, kDepth * kMostColumnBytes / sizeof(P)> panelB;
    for (int64_t d = 0; d < depths; ++d) {
      const int64_t p0 = depthBegin(d), kc = depthBegin(d + 1) - p0;
      const P factor = d == 0 ? beta : P(1);
      const P* rowsOfStep =
          left + p0 * panels * loops.rows + (first / loops.rows - firstPanel) * loops.rows * kc;
      for (int64_t panel = fromPanel; panel < toPanel; ++panel) {
        const int64_t j = panel * columns, width = std::min(columns, n - j);
        if constexpr (std::is_same_v<T, P>) {
          if (direct && width == columns) {
            tilesOf(first, last, rowsOfStep, j, b.data + p0 * b.rowStride + j, b.rowStride, kc, factor);
            continue;
          }
        }
        packPanel(b.data + p0 * b.rowStride + j * b.columnStride, b.columnStride, b.rowStride, width, columns,
                  kc, panelB.data());
        tilesOf(first, last, rowsOfStep, j, panelB.data(), columns, kc, factor);
      }
    }
  }
  int64_t firstPanel = 0;  ///< of those that are packed now
};

using Done = std::function<void(int64_t rowBegin, int64_t rowEnd, int64_t columnBegin, int64_t columnEnd)>;

/// Of a slice of C that something follows.
constexpr int64_t kFollowedBytes = int64_t{1} << 20;

/// How far apart the rows of a matrix lie, and whether it has to be read by columns; false when neither its
/// rows nor its columns lie in one piece.
template <class P>
bool leadingOf(const Operand<P>& a, int64_t rows, int64_t columns, bool& transposed, int64_t& leading) {
  transposed = a.columnStride != 1 || (columns == 1 && a.rowStride == 1 && rows > 1);
  leading = transposed ? a.columnStride : a.rowStride;
  const int64_t along = transposed ? a.rowStride : a.columnStride, length = transposed ? rows : columns;
  if (rows == 1 && !transposed) leading = std::max(leading, columns);
  if (columns == 1 && transposed) leading = std::max(leading, rows);
  return along == 1 && leading >= length && leading <= INT32_MAX;
}

/// By a library, if there is one that takes it: slices of C, one thread each.
template <class P, class F>
bool multiplyByLibrary(int64_t m, int64_t n, int64_t k, P alpha, const Operand<P>& a, const Operand<P>& b,
                       P beta, const Target<P>& c, bool followed, const F& finished) {
  bool transposedA = false, transposedB = false;
  int64_t lda = 0, ldb = 0;
  if (c.columnStride != 1 || (c.rowStride < n) || c.rowStride > INT32_MAX || n < 8 || m < 4 ||
      std::max({m, n, k}) > INT32_MAX || !leadingOf(a, m, k, transposedA, lda) ||
      !leadingOf(b, k, n, transposedB, ldb))
    return false;
  library::Multiply<P> multiply = nullptr;
  if constexpr (std::is_same_v<P, float>)
    multiply = library::products().single;
  else
    multiply = library::products().twice;
  if (!multiply) return false;
  // Along the longer side, so that slices share little; what follows finds a slice in the second cache.
  const bool byRows = m > n;
  const int64_t unit = byRows ? 8 : 48, units = partsOf(byRows ? m : n, unit);
  int64_t parts = std::min<int64_t>(insideParallel() ? 1 : threadCount(), m * n * k / kAlone);
  if (followed) parts *= partsOf(m * n * int64_t{sizeof(P)}, parts * kFollowedBytes);
  parts = std::clamp<int64_t>(parts, 1, units);
  parallelFor(0, parts, 1, [&](int64_t from, int64_t to) {
    for (int64_t part = from; part < to; ++part) {
      const int64_t begin = units * part / parts * unit;
      const int64_t end = std::min(byRows ? m : n, units * (part + 1) / parts * unit);
      const int64_t i0 = byRows ? begin : 0, i1 = byRows ? end : m, j0 = byRows ? 0 : begin,
                    j1 = byRows ? n : end;
      multiply(transposedA, transposedB, i1 - i0, j1 - j0, k, alpha, a.data + i0 * a.rowStride, lda,
               b.data + j0 * b.columnStride, ldb, beta, c.data + i0 * c.rowStride + j0, c.rowStride);
      finished(i0, i1, j0, j1);
    }
  });
  return true;
}

/// `done` is called for blocks of C that are whole; together they are all of it.
template <class T, class P>
void multiplyMatrix(int64_t m, int64_t n, int64_t k, P alpha, Operand<T> a, Operand<T> b, P beta, Target<P> c,
                    const Done& done = {}) {
  if (m == 0 || n == 0) return;
  if (k == 0) {
    scaleTarget(m, n, beta, c);
    if (done) done(0, m, 0, n);
    return;
  }
  // Rows of C in one piece, and for products with a vector the vector on the right.
  bool swapped = false;
  if ((c.columnStride != 1 && c.rowStride == 1 && n > 1) || (m == 1 && n > 1)) {
    std::swap(a, b);
    std::swap(a.rowStride, a.columnStride);
    std::swap(b.rowStride, b.columnStride);
    std::swap(c.rowStride, c.columnStride);
    std::swap(m, n);
    swapped = true;
  }
  const auto finished = [&](int64_t i0, int64_t i1, int64_t j0, int64_t j1) {
    if (!done) return;
    if (swapped)
      done(j0, j1, i0, i1);
    else
      done(i0, i1, j0, j1);
  };
  if constexpr (std::is_same_v<T, P>) {
    if (n == 1 && multiplyVector(m, k, alpha, a, b.data, b.rowStride, beta, c.data, c.rowStride))
      return finished(0, m, 0, n);
    if constexpr (std::is_same_v<P, float> || std::is_same_v<P, double>)
      if (m * n * k > kAlone &&
          multiplyByLibrary(m, n, k, alpha, a, b, beta, c, static_cast<bool>(done), finished))
        return;
  }
  Product<T, P> product{m, n, k, alpha, beta, a, b, c};
  const int64_t rows = product.loops.rows, columns = product.loops.columns;
  // Few rows: B is read where it lies, packing would cost as much as the product.
  product.direct = std::is_same_v<T, P> && m <= 2 * rows && b.columnStride == 1;
  product.depths = partsOf(k, kDepth);
  const int64_t depth = partsOf(k, product.depths), panelsB = partsOf(n, columns);
  // Rows that are packed at once, in blocks of the second cache; both evenly.
  const int64_t panels = partsOf(m, rows);
  const auto bytesOf = [&](int64_t count, int64_t steps) {
    return static_cast<size_t>(count * rows * steps) * sizeof(P);
  };
  const int64_t chunks =
      partsOf(panels, std::max<int64_t>(1, static_cast<int64_t>(kMostPackedBytes / bytesOf(1, k))));
  const int64_t chunkPanels = partsOf(panels, chunks);
  const int64_t blockPanels = std::max<int64_t>(1, static_cast<int64_t>(kRowBlockBytes / bytesOf(1, depth)));
  alignas(64) std::array<P, 8192 / sizeof(P)> few;
  std::optional<Buffer<P>> many;
  if (bytesOf(chunkPanels, k) > sizeof(few)) many.emplace(chunkPanels * rows * k);
  P* const packed = many ? many->get() : few.data();
  const bool alone = m * n * k <= kAlone;
  for (int64_t start = 0; start < panels; start += chunkPanels) {
    const int64_t count = std::min(chunkPanels, panels - start), first = start * rows;
    product.firstPanel = start;
    if (alone) {
      product.packRows(first, 0, count, packed, count);
      product.block(first, std::min(m, (start + count) * rows), 0, panelsB, packed, count);
      finished(first, std::min(m, (start + count) * rows), 0, n);
      continue;
    }
    parallelFor(0, count, std::max<int64_t>(1, 65536 / (k * rows)),
                [&](int64_t from, int64_t to) { product.packRows(first, from, to, packed, count); });
    const int64_t blocks = partsOf(count, blockPanels);
    // Groups of columns: a few tasks a thread, each with enough to do.
    const int64_t wanted = std::max<int64_t>(1, int64_t{4} * threadCount() / blocks);
    const int64_t rowsOfBlock = partsOf(count, blocks) * rows;
    const int64_t least = std::max<int64_t>(1, kAlone / std::max<int64_t>(1, rowsOfBlock * columns * k));
    const int64_t groups = std::clamp<int64_t>(wanted, 1, partsOf(panelsB, least));
    parallelFor(0, blocks * groups, 1, [&](int64_t from, int64_t to) {
      for (int64_t task = from; task < to; ++task) {
        const int64_t block = task / groups, group = task % groups;
        const int64_t i0 = first + count * block / blocks * rows;
        const int64_t i1 = std::min(m, first + count * (block + 1) / blocks * rows);
        const int64_t from = panelsB * group / groups, to = panelsB * (group + 1) / groups;
        if (i0 >= i1 || from >= to) continue;
        product.block(i0, i1, from, to, packed, count);
        finished(i0, i1, from * columns, std::min(n, to * columns));
      }
    });
  }
}

/// Complex numbers as real ones: [Ar -Ai; Ai Ar] [Br; Bi] = [Cr; Ci].
template <class T>
void multiplyComplex(int64_t m, int64_t n, int64_t k, T alpha, Operand<T> a, Operand<T> b, T beta,
                     Target<T> c) {
  using R = typename T::value_type;
  const auto store = [&](int64_t i, int64_t j, T value) {
    T& at = c.data[i * c.rowStride + j * c.columnStride];
    if (alpha != T(1)) value *= alpha;
    at = beta == T(0) ? value : value + beta * at;
  };
  if (m * n * k <= 4096) {
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        R re = 0, im = 0;
        for (int64_t p = 0; p < k; ++p) {
          const T x = a.data[i * a.rowStride + p * a.columnStride],
                  y = b.data[p * b.rowStride + j * b.columnStride];
          re += x.real() * y.real() - x.imag() * y.imag();
          im += x.real() * y.imag() + x.imag() * y.real();
        }
        store(i, j, T(re, im));
      }
    return;
  }
  const Buffer<R> left(4 * m * k), right(2 * k * n), product(2 * m * n);
  for (int64_t i = 0; i < m; ++i) {
    R* re = left.get() + i * 2 * k;
    R* im = left.get() + (m + i) * 2 * k;
    for (int64_t p = 0; p < k; ++p) {
      const T x = a.data[i * a.rowStride + p * a.columnStride];
      re[p] = im[k + p] = x.real();
      re[k + p] = -x.imag();
      im[p] = x.imag();
    }
  }
  for (int64_t p = 0; p < k; ++p)
    for (int64_t j = 0; j < n; ++j) {
      const T y = b.data[p * b.rowStride + j * b.columnStride];
      right.get()[p * n + j] = y.real();
      right.get()[(k + p) * n + j] = y.imag();
    }
  multiplyMatrix<R, R>(2 * m, n, 2 * k, R(1), {left.get(), 2 * k, 1}, {right.get(), n, 1}, R(0),
                       {product.get(), n, 1});
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) store(i, j, T(product.get()[i * n + j], product.get()[(m + i) * n + j]));
}

template <class T, class Out>
void multiplyOne(const Gemm& g, int64_t index) {
  const Operand<T> a{reinterpret_cast<const T*>(g.a.data) + index * g.a.batchStride, g.a.rowStride,
                     g.a.columnStride};
  const Operand<T> b{reinterpret_cast<const T*>(g.b.data) + index * g.b.batchStride, g.b.rowStride,
                     g.b.columnStride};
  Out* const c = reinterpret_cast<Out*>(g.c.data) + index * g.c.batchStride;
  Done done;
  if (g.epilogue)
    done = [&](int64_t i0, int64_t i1, int64_t j0, int64_t j1) { g.epilogue({index, i0, i1, j0, j1}); };
  if constexpr (kIsComplex<T>) {
    multiplyComplex<T>(g.m, g.n, g.k, g.alpha.as<T>(), a, b, g.beta.as<T>(),
                       {c, g.c.rowStride, g.c.columnStride});
    if (done) done(0, g.m, 0, g.n);
  } else {
    using P = Packed<T>;
    // Signed and unsigned integers of one size may share memory.
    using In = std::conditional_t<std::is_integral_v<T> && sizeof(T) == sizeof(P), P, T>;
    const Operand<In> left{reinterpret_cast<const In*>(a.data), a.rowStride, a.columnStride};
    const Operand<In> right{reinterpret_cast<const In*>(b.data), b.rowStride, b.columnStride};
    const P alpha = g.alpha.as<P>(), beta = g.beta.as<P>();
    if constexpr (std::is_same_v<Out, P> ||
                  (std::is_integral_v<P> && std::is_integral_v<Out> && sizeof(Out) == sizeof(P))) {
      multiplyMatrix<In, P>(g.m, g.n, g.k, alpha, left, right, beta,
                            {reinterpret_cast<P*>(c), g.c.rowStride, g.c.columnStride}, done);
    } else {
      const Buffer<P> product(g.m * g.n);
      const auto store = [&](int64_t i0, int64_t i1, int64_t j0, int64_t j1) {
        for (int64_t i = i0; i < i1; ++i)
          for (int64_t j = j0; j < j1; ++j) {
            Out& at = c[i * g.c.rowStride + j * g.c.columnStride];
            P value = product.get()[i * g.n + j];
            if (beta != P(0)) value += beta * static_cast<P>(at);
            if constexpr (std::is_integral_v<P>)
              at = static_cast<Out>(value);
            else
              at = convertTo<Out>(value);
          }
        if (done) done(i0, i1, j0, j1);
      };
      multiplyMatrix<In, P>(g.m, g.n, g.k, alpha, left, right, P(0), {product.get(), g.n, 1}, store);
    }
  }
}

template <class T, class Out>
void multiplyAll(const Gemm& g) {
  // Many small products: each on one thread. Large ones share their work out by themselves.
  const int64_t work = std::max<int64_t>(1, g.m * g.n * std::max<int64_t>(g.k, 1));
  if (g.batch >= int64_t{2} * threadCount() || work < kAlone * 4) {
    parallelFor(0, g.batch, std::max<int64_t>(1, kAlone / work), [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) multiplyOne<T, Out>(g, i);
    });
  } else {
    for (int64_t i = 0; i < g.batch; ++i) multiplyOne<T, Out>(g, i);
  }
}

}  // namespace

Factor::Factor(const Value& number) {
  if (number.kind() == VKind::Int || number.kind() == VKind::Bool) {
    whole = number.kind() == VKind::Bool ? int64_t{number.truthy()} : number.toInt().value;
    real = static_cast<double>(whole);
  } else {
    real = number.toReal();
    whole = convertTo<int64_t>(real);
    if (number.kind() == VKind::Complex) imaginary = number.imag();
  }
}

Matrices matricesOf(const View& v) {
  return {v.data, v.stride(-2), v.stride(-1), v.dim() > 2 ? v.stride(-3) : 0};
}

void addScaled(int64_t n, float f, const float* x, float* y) {
  loopsOf<float>().add(n, f, x, y);
}
void addScaled(int64_t n, double f, const double* x, double* y) {
  loopsOf<double>().add(n, f, x, y);
}
float dotProduct(int64_t n, const float* x, const float* y) {
  return loopsOf<float>().dot(n, x, y);
}
double dotProduct(int64_t n, const double* x, const double* y) {
  return loopsOf<double>().dot(n, x, y);
}

namespace {

thread_local GemmFollower* waiting = nullptr;

void multiplyAny(const Gemm& call) {
  visitCommon(call.dtype, [&]<class T>(TypeTag<T>) {
    if (call.out == call.dtype) return multiplyAll<T, T>(call);
    if constexpr (kIsSmallFloat<T>) {
      if (call.out == DType::F32) return multiplyAll<T, float>(call);
    }
    if constexpr (std::is_integral_v<T> && sizeof(T) == 1) {
      if (call.out == DType::I32) return multiplyAll<T, int32_t>(call);
    }
    unsupportedDType(call.out, "matrix product");
  });
}

}  // namespace

GemmFollower::GemmFollower(const std::byte* target, int64_t elements,
                           std::function<void(const GemmBlock&)> follow)
    : target_(target), elements_(elements), follow_(std::move(follow)) {
  waiting = this;
}

GemmFollower::~GemmFollower() {
  waiting = nullptr;
}

GemmFollower* GemmFollower::take(const Gemm& product) {
  GemmFollower* const f = waiting;
  if (!f || f->target_ != product.c.data || f->elements_ != product.batch * product.m * product.n)
    return nullptr;
  f->taken_ = true;
  waiting = nullptr;
  return f;
}

void gemm(const Gemm& call) {
  if (call.batch == 0 || call.m == 0 || call.n == 0) return;
  const GemmFollower* const follower = GemmFollower::take(call);
  if (!follower) return multiplyAny(call);
  Gemm followed = call;
  if (call.epilogue)
    followed.epilogue = [&](const GemmBlock& block) {
      call.epilogue(block);
      follower->follow()(block);
    };
  else
    followed.epilogue = follower->follow();
  multiplyAny(followed);
}

}  // namespace descry::runtime
