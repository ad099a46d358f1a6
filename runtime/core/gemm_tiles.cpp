#include "runtime/core/gemm_tiles.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include "runtime/core/gemm.h"

// Products add in one rounding where the machine can.
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

// A vector is loaded and stored with memcpy: no alignment is asked for.
#define DESCRY_TILE(NAME, TARGET, P, BYTES, ROWS, VECTORS)                                                  \
  template <int R>                                                                                          \
  TARGET DESCRY_FAST void NAME##Rows(int64_t k, const P* a, const P* b, int64_t bStep, P* c, int64_t cStep, \
                                     P alpha, P beta) {                                                     \
    DESCRY_CONTRACT                                                                                         \
    typedef P V __attribute__((vector_size(BYTES)));                                                        \
    constexpr int kLanes = BYTES / sizeof(P);                                                               \
    V sum[R][VECTORS] = {};                                                                                 \
    for (int i = 0; i < R; ++i)                                                                             \
      for (int j = 0; j < VECTORS; ++j) __builtin_prefetch(c + i * cStep + j * kLanes, 1);                  \
    for (int64_t p = 0; p < k; ++p) {                                                                       \
      __builtin_prefetch(a + 64 * ROWS); /* the panel streams from the second cache */                      \
      V row[VECTORS];                                                                                       \
      for (int j = 0; j < VECTORS; ++j) __builtin_memcpy(&row[j], b + j * kLanes, sizeof(V));               \
      for (int i = 0; i < R; ++i)                                                                           \
        for (int j = 0; j < VECTORS; ++j) sum[i][j] += a[i] * row[j];                                       \
      a += ROWS;                                                                                            \
      b += bStep;                                                                                           \
    }                                                                                                       \
    for (int i = 0; i < R; ++i)                                                                             \
      for (int j = 0; j < VECTORS; ++j) {                                                                   \
        V value = alpha * sum[i][j];                                                                        \
        P* at = c + i * cStep + j * kLanes;                                                                 \
        if (beta != P(0)) {                                                                                 \
          V old;                                                                                            \
          __builtin_memcpy(&old, at, sizeof(V));                                                            \
          value += beta * old;                                                                              \
        }                                                                                                   \
        __builtin_memcpy(at, &value, sizeof(V));                                                            \
      }                                                                                                     \
  }                                                                                                         \
  template <int... R>                                                                                       \
  constexpr std::array<TileFunction<P>, ROWS> NAME##Table(std::integer_sequence<int, R...>) {               \
    return {NAME##Rows<R + 1>...};                                                                          \
  }                                                                                                         \
  constexpr std::array<TileFunction<P>, ROWS> NAME = NAME##Table(std::make_integer_sequence<int, ROWS>{});
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

// C is asked for at the start of a tile, since it comes from far. Tiles fill the registers: 24 of 32 sums
// with AVX-512, 12 of 16 else.
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

template <class P, size_t Rows>
Loops<P> loopsFrom(const std::array<TileFunction<P>, Rows>& tiles, int64_t bytes, DotFunction<P> dot,
                   AddFunction<P> add) {
  return {tiles.data(), static_cast<int64_t>(Rows), bytes * 2 / static_cast<int64_t>(sizeof(P)), dot, add};
}

/// Four steps of four numbers: rows become columns.
template <class P>
inline void transposeFour(const P* from, int64_t stride, P* to, int64_t step) {
  if constexpr (sizeof(P) == 4) {
    typedef P V __attribute__((vector_size(16)));
    V r[4];
    for (int i = 0; i < 4; ++i) __builtin_memcpy(&r[i], from + i * stride, sizeof(V));
    const V a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5),
            b = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
    const V c = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7),
            d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
    r[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    r[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    r[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
    for (int i = 0; i < 4; ++i) __builtin_memcpy(to + i * step, &r[i], sizeof(V));
  } else {
    for (int p = 0; p < 4; ++p)
      for (int i = 0; i < 4; ++i) to[p * step + i] = from[i * stride + p];
  }
}

template <int Bytes, class P>
DESCRY_FAST void copySteps(const P* from, int64_t depthStride, int64_t k, P* to) {
  for (int64_t p = 0; p < k; ++p)
    std::memcpy(to + p * (Bytes / int64_t{sizeof(P)}), from + p * depthStride, Bytes);
}

}  // namespace

#ifdef DESCRY_X86
#define DESCRY_LOOPS(P, NAME)                                                                     \
  template <>                                                                                     \
  Loops<P> loopsOf<P>() {                                                                         \
    const int bytes = vectorBytes();                                                              \
    if (bytes >= 64) return loopsFrom<P>(tile##NAME##512, 64, dot##NAME##512, dot##NAME##512Add); \
    if (bytes >= 32) return loopsFrom<P>(tile##NAME##256, 32, dot##NAME##256, dot##NAME##256Add); \
    return loopsFrom<P>(tile##NAME, 16, dot##NAME, dot##NAME##Add);                               \
  }
#else
#define DESCRY_LOOPS(P, NAME)                                       \
  template <>                                                       \
  Loops<P> loopsOf<P>() {                                           \
    return loopsFrom<P>(tile##NAME, 16, dot##NAME, dot##NAME##Add); \
  }
#endif
DESCRY_LOOPS(float, Float)
DESCRY_LOOPS(double, Double)
DESCRY_LOOPS(uint32_t, Word)
DESCRY_LOOPS(uint64_t, Long)

template <class P>
DESCRY_FAST void packPanel(const P* from, int64_t stride, int64_t depthStride, int64_t count, int64_t width,
                           int64_t k, P* to) {
  if (count == width && stride == 1) {
    const int64_t bytes = width * int64_t{sizeof(P)};
    if (bytes == 128) return copySteps<128>(from, depthStride, k, to);
    if (bytes == 48) return copySteps<48>(from, depthStride, k, to);
    if (bytes == 64) return copySteps<64>(from, depthStride, k, to);
    for (int64_t p = 0; p < k; ++p) std::copy_n(from + p * depthStride, width, to + p * width);
    return;
  }
  int64_t i = 0;
  if (depthStride == 1) {
    for (; i + 4 <= count; i += 4) {
      const P* at = from + i * stride;
      P* out = to + i;
      int64_t p = 0;
      for (; p + 4 <= k; p += 4) transposeFour(at + p, stride, out + p * width, width);
      for (; p < k; ++p)
        for (int64_t r = 0; r < 4; ++r) out[p * width + r] = at[r * stride + p];
    }
  }
  for (; i < count; ++i) {
    const P* at = from + i * stride;
    for (int64_t p = 0; p < k; ++p) to[p * width + i] = at[p * depthStride];
  }
  for (; i < width; ++i)
    for (int64_t p = 0; p < k; ++p) to[p * width + i] = P(0);
}
template void packPanel(const float*, int64_t, int64_t, int64_t, int64_t, int64_t, float*);
template void packPanel(const double*, int64_t, int64_t, int64_t, int64_t, int64_t, double*);
template void packPanel(const uint32_t*, int64_t, int64_t, int64_t, int64_t, int64_t, uint32_t*);
template void packPanel(const uint64_t*, int64_t, int64_t, int64_t, int64_t, int64_t, uint64_t*);

void limitGemmVectors(int bytes) {
  vectorLimit.store(bytes);
}

}  // namespace descry::runtime
