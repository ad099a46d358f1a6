#include "runtime/core/gemm.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "runtime/core/memory.h"
#include "runtime/core/threads.h"

// The innermost loops are compiled several times, for the vectors that machines have. They multiply and add
// in one rounding where the machine can.
#if defined(__x86_64__) && defined(__GNUC__)
#define DESCRY_X86 1
#define DESCRY_AVX512 __attribute__((target("avx512f,avx512dq,fma")))
#define DESCRY_AVX2 __attribute__((target("avx2,fma")))
#endif
#if defined(__clang__)
#define DESCRY_CONTRACT _Pragma("clang fp contract(fast)")
#define DESCRY_FAST
#else
#define DESCRY_CONTRACT
#define DESCRY_FAST __attribute__((optimize("O3", "fp-contract=fast")))
#endif

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

/// A tile of C from a panel of A (k columns of `rows` numbers) and rows of B that are `bStep` apart:
/// c = alpha * a b + beta * c, where beta is zero c is not read.
template <class P>
using TileFunction = void (*)(int64_t k, const P* a, const P* b, int64_t bStep, P* c, int64_t cStep, P alpha,
                              P beta);
template <class P>
using DotFunction = P (*)(int64_t n, const P* a, const P* b);
/// y += x * f
template <class P>
using AddFunction = void (*)(int64_t n, P f, const P* x, P* y);

// A vector is loaded and stored with memcpy: no alignment is asked for.
#define DESCRY_TILE(NAME, TARGET, P, BYTES, ROWS, VECTORS)                                            \
  TARGET DESCRY_FAST void NAME(int64_t k, const P* a, const P* b, int64_t bStep, P* c, int64_t cStep, \
                               P alpha, P beta) {                                                     \
    DESCRY_CONTRACT                                                                                   \
    typedef P V __attribute__((vector_size(BYTES)));                                                  \
    constexpr int kLanes = BYTES / sizeof(P);                                                         \
    V sum[ROWS][VECTORS] = {};                                                                        \
    for (int64_t p = 0; p < k; ++p) {                                                                 \
      V row[VECTORS];                                                                                 \
      for (int j = 0; j < VECTORS; ++j) __builtin_memcpy(&row[j], b + j * kLanes, sizeof(V));         \
      for (int i = 0; i < ROWS; ++i)                                                                  \
        for (int j = 0; j < VECTORS; ++j) sum[i][j] += a[i] * row[j];                                 \
      a += ROWS;                                                                                      \
      b += bStep;                                                                                     \
    }                                                                                                 \
    for (int i = 0; i < ROWS; ++i)                                                                    \
      for (int j = 0; j < VECTORS; ++j) {                                                             \
        V value = alpha * sum[i][j];                                                                  \
        P* at = c + i * cStep + j * kLanes;                                                           \
        if (beta != P(0)) {                                                                           \
          V old;                                                                                      \
          __builtin_memcpy(&old, at, sizeof(V));                                                      \
          value += beta * old;                                                                        \
        }                                                                                             \
        __builtin_memcpy(at, &value, sizeof(V));                                                      \
      }                                                                                               \
  }
#define DESCRY_DOT(NAME, TARGET, P, BYTES)                              \
  TARGET DESCRY_FAST P NAME(int64_t n, const P* a, const P* b) {        \
    DESCRY_CONTRACT                                                     \
    typedef P V __attribute__((vector_size(BYTES)));                    \
    constexpr int kLanes = BYTES / sizeof(P), kSums = 4;                \
    V sum[kSums] = {};                                                  \
    int64_t i = 0;                                                      \
    for (; i + kLanes * kSums <= n; i += kLanes * kSums)                \
      for (int j = 0; j < kSums; ++j) {                                 \
        V x, y;                                                         \
        __builtin_memcpy(&x, a + i + j * kLanes, sizeof(V));            \
        __builtin_memcpy(&y, b + i + j * kLanes, sizeof(V));            \
        sum[j] += x * y;                                                \
      }                                                                 \
    sum[0] = (sum[0] + sum[1]) + (sum[2] + sum[3]);                     \
    P total = 0;                                                        \
    for (int j = 0; j < kLanes; ++j) total += sum[0][j];                \
    for (; i < n; ++i) total += a[i] * b[i];                            \
    return total;                                                       \
  }                                                                     \
  TARGET DESCRY_FAST void NAME##Add(int64_t n, P f, const P* x, P* y) { \
    DESCRY_CONTRACT                                                     \
    for (int64_t i = 0; i < n; ++i) y[i] += f * x[i];                   \
  }

// Tiles fill the registers: 24 of 32 sums with AVX-512, 12 of 16 else.
DESCRY_TILE(tileFloat, , float, 16, 4, 2)
DESCRY_TILE(tileDouble, , double, 16, 4, 2)
DESCRY_TILE(tileWord, , uint32_t, 16, 4, 2)
DESCRY_TILE(tileLong, , uint64_t, 16, 4, 2)
DESCRY_DOT(dotFloat, , float, 16)
DESCRY_DOT(dotDouble, , double, 16)
DESCRY_DOT(dotWord, , uint32_t, 16)
DESCRY_DOT(dotLong, , uint64_t, 16)
#ifdef DESCRY_X86
DESCRY_TILE(tileFloat256, DESCRY_AVX2, float, 32, 6, 2)
DESCRY_TILE(tileDouble256, DESCRY_AVX2, double, 32, 6, 2)
DESCRY_TILE(tileWord256, DESCRY_AVX2, uint32_t, 32, 6, 2)
DESCRY_TILE(tileLong256, DESCRY_AVX2, uint64_t, 32, 4, 2)
DESCRY_DOT(dotFloat256, DESCRY_AVX2, float, 32)
DESCRY_DOT(dotDouble256, DESCRY_AVX2, double, 32)
DESCRY_DOT(dotWord256, DESCRY_AVX2, uint32_t, 32)
DESCRY_DOT(dotLong256, DESCRY_AVX2, uint64_t, 32)
DESCRY_TILE(tileFloat512, DESCRY_AVX512, float, 64, 12, 2)
DESCRY_TILE(tileDouble512, DESCRY_AVX512, double, 64, 12, 2)
DESCRY_TILE(tileWord512, DESCRY_AVX512, uint32_t, 64, 12, 2)
DESCRY_TILE(tileLong512, DESCRY_AVX512, uint64_t, 64, 12, 2)
DESCRY_DOT(dotFloat512, DESCRY_AVX512, float, 64)
DESCRY_DOT(dotDouble512, DESCRY_AVX512, double, 64)
DESCRY_DOT(dotWord512, DESCRY_AVX512, uint32_t, 64)
DESCRY_DOT(dotLong512, DESCRY_AVX512, uint64_t, 64)
#endif

template <class P>
struct Loops {
  TileFunction<P> tile;
  int64_t rows, columns;  ///< of a tile
  DotFunction<P> dot;
  AddFunction<P> add;
};
constexpr int64_t kMostRows = 12, kMostColumnBytes = 128;

int machineVectors() {
#ifdef DESCRY_X86
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return 64;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 32;
#endif
  return 16;
}
std::atomic<int> vectorLimit{64};
int vectorBytes() {
  static const int machine = machineVectors();
  return std::min(machine, vectorLimit.load(std::memory_order_relaxed));
}

#ifdef DESCRY_X86
#define DESCRY_LOOPS(P, NAME, ROWS256)                                                               \
  template <>                                                                                        \
  Loops<P> loopsOf<P>() {                                                                            \
    const int bytes = vectorBytes();                                                                 \
    if (bytes >= 64)                                                                                 \
      return {tile##NAME##512, 12, 128 / int64_t{sizeof(P)}, dot##NAME##512, dot##NAME##512Add};     \
    if (bytes >= 32)                                                                                 \
      return {tile##NAME##256, ROWS256, 64 / int64_t{sizeof(P)}, dot##NAME##256, dot##NAME##256Add}; \
    return {tile##NAME, 4, 32 / int64_t{sizeof(P)}, dot##NAME, dot##NAME##Add};                      \
  }
#else
#define DESCRY_LOOPS(P, NAME, ROWS256)                                          \
  template <>                                                                   \
  Loops<P> loopsOf<P>() {                                                       \
    return {tile##NAME, 4, 32 / int64_t{sizeof(P)}, dot##NAME, dot##NAME##Add}; \
  }
#endif
template <class P>
Loops<P> loopsOf();
DESCRY_LOOPS(float, Float, 6)
DESCRY_LOOPS(double, Double, 6)
DESCRY_LOOPS(uint32_t, Word, 6)
DESCRY_LOOPS(uint64_t, Long, 4)

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

// Blocks: a panel of B stays in the first cache, a block of A in the second one.
constexpr int64_t kDepth = 256, kRowBlock = 144, kMostRowsPacked = 3072, kMostColumnsPacked = 3072;
/// Multiplications below which one thread is quicker.
constexpr int64_t kAlone = 1 << 17;

/// Panels of `width` rows, k columns each; missing rows are zero.
template <class T, class P>
void packPanel(const T* from, int64_t stride, int64_t depthStride, int64_t count, int64_t width, int64_t k,
               P* to) {
  if (count == width && stride == 1) {
    for (int64_t p = 0; p < k; ++p, to += width)
      for (int64_t i = 0; i < width; ++i) to[i] = static_cast<P>(from[p * depthStride + i]);
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    const T* at = from + i * stride;
    for (int64_t p = 0; p < k; ++p) to[p * width + i] = static_cast<P>(at[p * depthStride]);
  }
  for (int64_t i = count; i < width; ++i)
    for (int64_t p = 0; p < k; ++p) to[p * width + i] = P(0);
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

template <class T, class P>
void multiplyMatrix(int64_t m, int64_t n, int64_t k, P alpha, Operand<T> a, Operand<T> b, P beta,
                    Target<P> c) {
  if (m == 0 || n == 0) return;
  if (k == 0) return scaleTarget(m, n, beta, c);
  // Rows of C in one piece, and for products with a vector the vector on the right.
  if ((c.columnStride != 1 && c.rowStride == 1 && n > 1) || (m == 1 && n > 1)) {
    std::swap(a, b);
    std::swap(a.rowStride, a.columnStride);
    std::swap(b.rowStride, b.columnStride);
    std::swap(c.rowStride, c.columnStride);
    std::swap(m, n);
  }
  if constexpr (std::is_same_v<T, P>) {
    if (n == 1 && multiplyVector(m, k, alpha, a, b.data, b.rowStride, beta, c.data, c.rowStride)) return;
  }
  const Loops<P> loops = loopsOf<P>();
  const int64_t rows = loops.rows, columns = loops.columns;
  // Few rows: B is read where it lies, packing would cost as much as the product.
  bool direct = false;
  if constexpr (std::is_same_v<T, P>) direct = m <= 2 * rows && b.columnStride == 1;
  const int64_t depth = std::min(k, kDepth);
  const int64_t rowsPacked = std::min((m + rows - 1) / rows * rows, kMostRowsPacked);
  const int64_t columnsPacked =
      direct ? columns : std::min((n + columns - 1) / columns * columns, kMostColumnsPacked);
  const Buffer<P> packedA(rowsPacked * depth), packedB(columnsPacked * depth);
  const int64_t columnBlock = direct ? n : columnsPacked;

  for (int64_t j0 = 0; j0 < n; j0 += columnBlock) {
    const int64_t nc = std::min(columnBlock, n - j0), panelsB = (nc + columns - 1) / columns;
    for (int64_t p0 = 0; p0 < k; p0 += depth) {
      const int64_t kc = std::min(depth, k - p0);
      const P factor = p0 == 0 ? beta : P(1);
      const int64_t panelGrain = std::max<int64_t>(1, 32768 / (kc * columns));
      const auto packB = [&](int64_t panel, P* to) {
        const int64_t j = j0 + panel * columns;
        packPanel(b.data + p0 * b.rowStride + j * b.columnStride, b.columnStride, b.rowStride,
                  std::min(columns, n - j), columns, kc, to);
      };
      if (!direct)
        parallelFor(0, panelsB, panelGrain, [&](int64_t from, int64_t to) {
          for (int64_t panel = from; panel < to; ++panel) packB(panel, packedB.get() + panel * columns * kc);
        });
      else if (nc % columns)
        packB(panelsB - 1, packedB.get());
      for (int64_t i0 = 0; i0 < m; i0 += rowsPacked) {
        const int64_t mc = std::min(rowsPacked, m - i0), panelsA = (mc + rows - 1) / rows;
        parallelFor(0, panelsA, std::max<int64_t>(1, 32768 / (kc * rows)), [&](int64_t from, int64_t to) {
          for (int64_t panel = from; panel < to; ++panel) {
            const int64_t i = i0 + panel * rows;
            packPanel(a.data + i * a.rowStride + p0 * a.columnStride, a.rowStride, a.columnStride,
                      std::min(rows, m - i), rows, kc, packedA.get() + panel * rows * kc);
          }
        });
        const auto tiles = [&](int64_t panelA, int64_t endA, int64_t panelB) {
          const int64_t j = j0 + panelB * columns, width = std::min(columns, n - j);
          const bool inPlace = direct && width == columns;
          const P* right = inPlace  ? reinterpret_cast<const P*>(b.data + p0 * b.rowStride + j)
                           : direct ? packedB.get()
                                    : packedB.get() + panelB * columns * kc;
          const int64_t step = inPlace ? b.rowStride : columns;
          for (int64_t panel = panelA; panel < endA; ++panel) {
            const int64_t i = i0 + panel * rows, height = std::min(rows, m - i);
            P* at = c.data + i * c.rowStride + j * c.columnStride;
            const P* left = packedA.get() + panel * rows * kc;
            if (height == rows && width == columns && c.columnStride == 1) {
              loops.tile(kc, left, right, step, at, c.rowStride, alpha, factor);
              continue;
            }
            alignas(64) std::array<P, kMostRows * kMostColumnBytes / sizeof(P)> tile;
            loops.tile(kc, left, right, step, tile.data(), columns, alpha, P(0));
            for (int64_t y = 0; y < height; ++y)
              for (int64_t x = 0; x < width; ++x) {
                P& to = at[y * c.rowStride + x * c.columnStride];
                const P value = tile[static_cast<size_t>(y * columns + x)];
                to = factor == P(0) ? value : value + factor * to;
              }
          }
        };
        const int64_t panelsInBlock = std::max<int64_t>(1, kRowBlock / rows);
        const int64_t blocksA = (panelsA + panelsInBlock - 1) / panelsInBlock;
        // Steps: a block of A with one panel of B each, those of one block of A after one another.
        const int64_t work = std::max<int64_t>(1, std::min(mc, kRowBlock) * columns * kc);
        parallelFor(0, blocksA * panelsB, std::max<int64_t>(1, kAlone / work), [&](int64_t from, int64_t to) {
          for (int64_t s = from; s < to; ++s) {
            const int64_t block = s / panelsB;
            tiles(block * panelsInBlock, std::min(panelsA, (block + 1) * panelsInBlock), s % panelsB);
          }
        });
      }
    }
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
  if constexpr (kIsComplex<T>) {
    multiplyComplex<T>(g.m, g.n, g.k, g.alpha.as<T>(), a, b, g.beta.as<T>(),
                       {c, g.c.rowStride, g.c.columnStride});
  } else {
    using P = Packed<T>;
    const P alpha = g.alpha.as<P>(), beta = g.beta.as<P>();
    if constexpr (std::is_same_v<Out, P> ||
                  (std::is_integral_v<P> && std::is_integral_v<Out> && sizeof(Out) == sizeof(P))) {
      // Signed and unsigned integers of one size may share memory.
      multiplyMatrix<T, P>(g.m, g.n, g.k, alpha, a, b, beta,
                           {reinterpret_cast<P*>(c), g.c.rowStride, g.c.columnStride});
    } else {
      const Buffer<P> product(g.m * g.n);
      multiplyMatrix<T, P>(g.m, g.n, g.k, alpha, a, b, P(0), {product.get(), g.n, 1});
      parallelFor(0, g.m, std::max<int64_t>(1, 16384 / std::max<int64_t>(g.n, 1)),
                  [&](int64_t from, int64_t to) {
                    for (int64_t i = from; i < to; ++i)
                      for (int64_t j = 0; j < g.n; ++j) {
                        Out& at = c[i * g.c.rowStride + j * g.c.columnStride];
                        P value = product.get()[i * g.n + j];
                        if (beta != P(0)) value += beta * static_cast<P>(at);
                        if constexpr (std::is_integral_v<P>)
                          at = static_cast<Out>(value);
                        else
                          at = convertTo<Out>(value);
                      }
                  });
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

std::atomic<GemmBackend> backendOfGemm{nullptr};

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

void setGemmBackend(GemmBackend backend) {
  backendOfGemm.store(backend);
}

void limitGemmVectors(int bytes) {
  vectorLimit.store(bytes);
}

void gemm(const Gemm& call) {
  if (call.batch == 0 || call.m == 0 || call.n == 0) return;
  if (const GemmBackend backend = backendOfGemm.load(std::memory_order_relaxed); backend && backend(call))
    return;
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

}  // namespace descry::runtime
