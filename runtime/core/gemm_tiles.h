// The innermost loops of products: tiles of registers, packing, dot products. Compiled several times, for the
// vectors that machines have.
#pragma once

#include <cstdint>

namespace descry::runtime {

/// A tile of C from a panel of A (k columns of `Loops::rows` numbers) and rows of B that are `bStep` apart:
/// c = alpha * a b + beta * c, where beta is zero c is not read.
template <class P>
using TileFunction = void (*)(int64_t k, const P* a, const P* b, int64_t bStep, P* c, int64_t cStep, P alpha,
                              P beta);
template <class P>
using DotFunction = P (*)(int64_t n, const P* a, const P* b);
/// y += x * f
template <class P>
using AddFunction = void (*)(int64_t n, P f, const P* x, P* y);

template <class P>
struct Loops {
  const TileFunction<P>* tiles;  ///< by rows of C, less one; all read panels of `rows`
  int64_t rows, columns;         ///< of a full tile
  DotFunction<P> dot;
  AddFunction<P> add;

  TileFunction<P> tile(int64_t height) const { return tiles[height - 1]; }
};
constexpr int64_t kMostRows = 12, kMostColumnBytes = 128;

/// For this machine; P: float, double, uint32_t, uint64_t.
template <class P>
Loops<P> loopsOf();

/// A panel: k steps of `width` numbers, those from `count` on are zero. Number i of step p lies at
/// from[i * stride + p * depthStride].
template <class P>
void packPanel(const P* from, int64_t stride, int64_t depthStride, int64_t count, int64_t width, int64_t k,
               P* to);
/// The same with a conversion.
template <class T, class P>
void packPanel(const T* from, int64_t stride, int64_t depthStride, int64_t count, int64_t width, int64_t k,
               P* to) {
  for (int64_t i = 0; i < count; ++i) {
    const T* at = from + i * stride;
    for (int64_t p = 0; p < k; ++p) to[p * width + i] = static_cast<P>(at[p * depthStride]);
  }
  for (int64_t i = count; i < width; ++i)
    for (int64_t p = 0; p < k; ++p) to[p * width + i] = P(0);
}

}  // namespace descry::runtime
