// Products of matrices.
#pragma once

#include <complex>
#include <functional>

#include "runtime/core/tensor.h"

namespace descry::runtime {

/// A factor of a product, in the forms that the dtypes need.
struct Factor {
  double real = 1, imaginary = 0;
  int64_t whole = 1;

  Factor() = default;
  Factor(double x) : real(x), whole(convertTo<int64_t>(x)) {}  // NOLINT: implicit on purpose
  explicit Factor(std::complex<double> x)
      : real(x.real()), imaginary(x.imag()), whole(convertTo<int64_t>(x.real())) {}
  explicit Factor(const Value& number);
  bool zero() const { return real == 0 && imaginary == 0 && whole == 0; }
  template <class T>
  T as() const {
    if constexpr (kIsComplex<T>)
      return T(static_cast<typename T::value_type>(real), static_cast<typename T::value_type>(imaginary));
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(whole);
    else
      return static_cast<T>(real);
  }
};

/// Matrices one after the other (`batchStride`), over raw memory. Strides in elements.
struct Matrices {
  std::byte* data = nullptr;
  int64_t rowStride = 0, columnStride = 0, batchStride = 0;

  Matrices transposed() const { return {data, columnStride, rowStride, batchStride}; }
};
/// Of the last two dimensions of a view; the third last one is that of the batch.
Matrices matricesOf(const View& v);

/// Part of the result number `index` of a batch.
struct GemmBlock {
  int64_t index = 0, rowBegin = 0, rowEnd = 0, columnBegin = 0, columnEnd = 0;
};

/// C = alpha A B + beta C for each of the batch. A (m x k) and B (k x n) are of `dtype`, C (m x n) of `out`.
/// Half precision is computed in float, integers wrap. With beta zero C is not read.
struct Gemm {
  DType dtype = DType::F32, out = DType::F32;
  int64_t batch = 1, m = 0, n = 0, k = 0;
  Factor alpha = 1.0, beta = 0.0;
  Matrices a, b, c;
  /// What follows: called for blocks of C as soon as each is whole and while it is in the cache, on the
  /// threads of the product; together the blocks are all of C, once.
  std::function<void(const GemmBlock&)> epilogue;
};
/// On several threads. dtypes: floating, complex and integral ones.
void gemm(const Gemm& call);

/// y += f x for n numbers in one piece; the sum of the products of two such vectors.
void addScaled(int64_t n, float f, const float* x, float* y);
void addScaled(int64_t n, double f, const double* x, double* y);
float dotProduct(int64_t n, const float* x, const float* y);
double dotProduct(int64_t n, const double* x, const double* y);
template <class T>
void addScaled(int64_t n, T f, const T* x, T* y) {
  for (int64_t i = 0; i < n; ++i) y[i] += f * x[i];
}
template <class T>
T dotProduct(int64_t n, const T* x, const T* y) {
  T sum{};
  for (int64_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

/// The widest vectors that are used, in bytes (64: AVX-512, 32: AVX2, 16: what every machine has); never
/// wider than the machine's. For tests.
void limitGemmVectors(int bytes);

/// Unsigned numbers of 64 bits go as signed ones: the bits of a product are the same.
template <class T>
constexpr DType kDTypeOf = std::is_same_v<T, double>                 ? DType::F64
                           : std::is_same_v<T, float>                ? DType::F32
                           : std::is_same_v<T, Half>                 ? DType::F16
                           : std::is_same_v<T, BFloat16>             ? DType::BF16
                           : std::is_same_v<T, std::complex<double>> ? DType::C128
                           : std::is_same_v<T, std::complex<float>>  ? DType::C64
                           : sizeof(T) == 8 && std::is_integral_v<T> ? DType::I64
                           : std::is_same_v<T, int32_t>              ? DType::I32
                           : std::is_same_v<T, int16_t>              ? DType::I16
                           : std::is_same_v<T, int8_t>               ? DType::I8
                           : std::is_same_v<T, uint8_t>              ? DType::U8
                                                                     : DType::B8;

/// The same for typed memory: a pointer and the strides of rows and columns.
template <class T>
struct MatrixOf {
  T* data = nullptr;
  int64_t rowStride = 0, columnStride = 1;

  MatrixOf transposed() const { return {data, columnStride, rowStride}; }
  operator Matrices() const {  // NOLINT: implicit on purpose
    return {reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(data)), rowStride, columnStride,
            0};
  }
};
template <class A, class B, class T>
void multiply(int64_t m, int64_t n, int64_t k, MatrixOf<A> a, MatrixOf<B> b, MatrixOf<T> c,
              Factor alpha = 1.0, Factor beta = 0.0) {
  Gemm call;
  call.dtype = kDTypeOf<std::remove_const_t<A>>;
  call.out = kDTypeOf<T>;
  call.m = m;
  call.n = n;
  call.k = k;
  call.alpha = alpha;
  call.beta = beta;
  call.a = a;
  call.b = b;
  call.c = c;
  gemm(call);
}

}  // namespace descry::runtime
