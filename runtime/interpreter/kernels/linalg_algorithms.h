// Algorithms of linear algebra on matrices in memory, with LAPACK's conventions: signs of reflections, choice
// of pivots, what is stored where.
#pragma once

#include <cmath>
#include <complex>
#include <vector>

#include "runtime/core/gemm.h"

namespace descry::runtime::linalg {

template <class T>
struct RealOf {
  using type = T;
};
template <class R>
struct RealOf<std::complex<R>> {
  using type = R;
};
template <class T>
using Real = typename RealOf<T>::type;

inline float conjugate(float x) {
  return x;
}
inline double conjugate(double x) {
  return x;
}
template <class R>
std::complex<R> conjugate(std::complex<R> x) {
  return std::conj(x);
}
template <class T>
Real<T> realPart(T x) {
  return std::real(x);
}
/// |re| + |im|: by what LAPACK chooses pivots.
template <class T>
Real<T> size1(T x) {
  if constexpr (kIsComplex<T>)
    return std::abs(x.real()) + std::abs(x.imag());
  else
    return std::abs(x);
}

/// A matrix in foreign memory.
template <class T>
struct Mat {
  T* data = nullptr;
  int64_t rows = 0, columns = 0, rowStride = 1, columnStride = 0;

  T& operator()(int64_t i, int64_t j) const { return data[i * rowStride + j * columnStride]; }
  Mat transposed() const { return {data, columns, rows, columnStride, rowStride}; }
  Mat part(int64_t i, int64_t j, int64_t m, int64_t n) const {
    return {data + i * rowStride + j * columnStride, m, n, rowStride, columnStride};
  }
  MatrixOf<const T> operand() const { return {data, rowStride, columnStride}; }
  MatrixOf<T> target() const { return {data, rowStride, columnStride}; }
};

template <class T>
Mat<T> matOf(const View& v) {
  return {v.as<T>(), v.size(0), v.size(1), v.stride(0), v.stride(1)};
}

/// A matrix of its own, column by column.
template <class T>
class Own {
 public:
  Own() = default;
  Own(int64_t m, int64_t n) : m_(m), n_(n), data_(static_cast<size_t>(m * n)) {}
  template <class S>
  explicit Own(const Mat<S>& from) : Own(from.rows, from.columns) {
    for (int64_t j = 0; j < n_; ++j)
      for (int64_t i = 0; i < m_; ++i) (*this)(i, j) = convertTo<T>(from(i, j));
  }
  static Own identity(int64_t n) {
    Own out(n, n);
    for (int64_t i = 0; i < n; ++i) out(i, i) = T(1);
    return out;
  }
  T& operator()(int64_t i, int64_t j) { return data_[static_cast<size_t>(j * m_ + i)]; }
  const T& operator()(int64_t i, int64_t j) const { return data_[static_cast<size_t>(j * m_ + i)]; }
  Mat<T> mat() { return {data_.data(), m_, n_, 1, std::max<int64_t>(m_, 1)}; }
  T* column(int64_t j) { return data_.data() + j * m_; }
  int64_t rows() const { return m_; }
  int64_t columns() const { return n_; }

 private:
  int64_t m_ = 0, n_ = 0;
  std::vector<T> data_;
};

template <class T, class S>
void assign(const Mat<T>& to, const Mat<S>& from) {
  for (int64_t j = 0; j < to.columns; ++j)
    for (int64_t i = 0; i < to.rows; ++i) to(i, j) = convertTo<T>(from(i, j));
}
template <class T>
Own<T> adjointOf(const Mat<T>& a) {
  Own<T> out(a.columns, a.rows);
  for (int64_t j = 0; j < a.rows; ++j)
    for (int64_t i = 0; i < a.columns; ++i) out(i, j) = conjugate(a(j, i));
  return out;
}
template <class T>
Own<T> conjugateOf(const Mat<T>& a) {
  Own<T> out(a.rows, a.columns);
  for (int64_t j = 0; j < a.columns; ++j)
    for (int64_t i = 0; i < a.rows; ++i) out(i, j) = conjugate(a(i, j));
  return out;
}
/// c = alpha a b + beta c
template <class T>
void multiplyTo(const Mat<T>& a, const Mat<T>& b, const Mat<T>& c, double alpha = 1, double beta = 0) {
  multiply(c.rows, c.columns, a.columns, a.operand(), b.operand(), c.target(), alpha, beta);
}
template <class T>
Own<T> product(const Mat<T>& a, const Mat<T>& b) {
  Own<T> c(a.rows, b.columns);
  multiplyTo(a, b, c.mat());
  return c;
}
template <class T>
bool finite(const Mat<T>& a) {
  for (int64_t j = 0; j < a.columns; ++j)
    for (int64_t i = 0; i < a.rows; ++i)
      if (!std::isfinite(std::real(a(i, j))) || !std::isfinite(std::imag(a(i, j)))) return false;
  return true;
}

// ---- triangular matrices

/// T X = B in place; of T one triangle is read.
template <class T>
void solveTriangular(const Mat<T>& t, bool upper, bool unit, const Mat<T>& b) {
  const int64_t n = t.rows;
  if (n == 0 || b.columns == 0) return;
  if (n <= 32) {
    for (int64_t s = 0; s < n; ++s) {
      const int64_t k = upper ? n - 1 - s : s;
      for (int64_t j = 0; j < b.columns; ++j) {
        if (!unit) b(k, j) /= t(k, k);
        const T x = b(k, j);
        if (upper)
          for (int64_t i = 0; i < k; ++i) b(i, j) -= t(i, k) * x;
        else
          for (int64_t i = k + 1; i < n; ++i) b(i, j) -= t(i, k) * x;
      }
    }
    return;
  }
  const int64_t h = n / 2;
  const Mat<T> one = t.part(0, 0, h, h), two = t.part(h, h, n - h, n - h);
  const Mat<T> top = b.part(0, 0, h, b.columns), bottom = b.part(h, 0, n - h, b.columns);
  if (upper) {
    solveTriangular(two, true, unit, bottom);
    multiplyTo(t.part(0, h, h, n - h), bottom, top, -1, 1);
    solveTriangular(one, true, unit, top);
  } else {
    solveTriangular(one, false, unit, top);
    multiplyTo(t.part(h, 0, n - h, h), top, bottom, -1, 1);
    solveTriangular(two, false, unit, bottom);
  }
}

// ---- LU

template <class T>
void swapRows(const Mat<T>& a, int64_t i, int64_t k) {
  if (i == k) return;
  for (int64_t j = 0; j < a.columns; ++j) std::swap(a(i, j), a(k, j));
}

/// P A = L U in place, with the rows that were swapped (from 0). The column of the first zero pivot, from 1,
/// or 0.
template <class T>
int64_t factorLu(const Mat<T>& a, int32_t* pivots) {
  const int64_t m = a.rows, n = std::min(a.rows, a.columns);
  if (a.columns > m) {
    // The square part first; the rest follows from it.
    const int64_t info = factorLu(a.part(0, 0, m, m), pivots);
    const Mat<T> rest = a.part(0, m, m, a.columns - m);
    for (int64_t i = 0; i < m; ++i) swapRows(rest, i, pivots[i]);
    solveTriangular(a.part(0, 0, m, m), false, true, rest);
    return info;
  }
  if (n <= 16) {
    int64_t info = 0;
    for (int64_t k = 0; k < n; ++k) {
      int64_t best = k;
      Real<T> most = size1(a(k, k));
      for (int64_t i = k + 1; i < m; ++i)
        if (const Real<T> s = size1(a(i, k)); s > most) {
          most = s;
          best = i;
        }
      pivots[k] = static_cast<int32_t>(best);
      if (a(best, k) == T(0)) {
        if (!info) info = k + 1;
        continue;
      }
      swapRows(a, k, best);
      const T scale = T(1) / a(k, k);
      for (int64_t i = k + 1; i < m; ++i) a(i, k) *= scale;
      for (int64_t j = k + 1; j < n; ++j) {
        const T x = a(k, j);
        if (x == T(0)) continue;
        for (int64_t i = k + 1; i < m; ++i) a(i, j) -= a(i, k) * x;
      }
    }
    return info;
  }
  const int64_t h = n / 2;
  const Mat<T> left = a.part(0, 0, m, h), right = a.part(0, h, m, n - h);
  int64_t info = factorLu(left, pivots);
  for (int64_t i = 0; i < h; ++i) swapRows(right, i, pivots[i]);
  solveTriangular(a.part(0, 0, h, h), false, true, a.part(0, h, h, n - h));
  const Mat<T> lower = a.part(h, h, m - h, n - h);
  multiplyTo(a.part(h, 0, m - h, h), a.part(0, h, h, n - h), lower, -1, 1);
  const int64_t below = factorLu(lower, pivots + h);
  if (!info && below) info = below + h;
  const Mat<T> bottomLeft = a.part(h, 0, m - h, h);
  for (int64_t i = h; i < n; ++i) {
    swapRows(bottomLeft, i - h, pivots[i]);
    pivots[i] += static_cast<int32_t>(h);
  }
  return info;
}

/// A X = B in place, or with the transpose of A; A as factorLu leaves it.
template <class T>
void solveLu(const Mat<T>& lu, const int32_t* pivots, bool transpose, const Mat<T>& b) {
  const int64_t n = lu.rows;
  if (!transpose) {
    for (int64_t i = 0; i < n; ++i) swapRows(b, i, pivots[i]);
    solveTriangular(lu, false, true, b);
    solveTriangular(lu, true, false, b);
  } else {
    solveTriangular(lu.transposed(), false, false, b);
    solveTriangular(lu.transposed(), true, true, b);
    for (int64_t i = n - 1; i >= 0; --i) swapRows(b, i, pivots[i]);
  }
}

// ---- Cholesky

/// A = L L^H in place, of the lower triangle. The order of the first minor that is not positive, or 0.
template <class T>
int64_t factorCholesky(const Mat<T>& a) {
  const int64_t n = a.rows;
  if (n <= 32) {
    for (int64_t k = 0; k < n; ++k) {
      Real<T> d = realPart(a(k, k));
      for (int64_t p = 0; p < k; ++p) d -= std::norm(a(k, p));
      if (!(d > 0)) {
        a(k, k) = T(d);
        return k + 1;
      }
      d = std::sqrt(d);
      a(k, k) = T(d);
      for (int64_t i = k + 1; i < n; ++i) {
        T x = a(i, k);
        for (int64_t p = 0; p < k; ++p) x -= a(i, p) * conjugate(a(k, p));
        a(i, k) = x / d;
      }
    }
    return 0;
  }
  const int64_t h = n / 2;
  if (const int64_t info = factorCholesky(a.part(0, 0, h, h))) return info;
  // The block below solves X L11^H = A21.
  const Mat<T> below = a.part(h, 0, n - h, h);
  Own<T> conjugated = conjugateOf(a.part(0, 0, h, h));
  solveTriangular(conjugated.mat(), false, false, below.transposed());
  Own<T> right = adjointOf(below);
  multiplyTo(below, right.mat(), a.part(h, h, n - h, n - h), -1, 1);
  const int64_t info = factorCholesky(a.part(h, h, n - h, n - h));
  return info ? info + h : 0;
}

// ---- Householder reflections

/// H^H (alpha, x) = (beta, 0) with H = 1 - tau v v^H and v = (1, x): alpha becomes beta, x the rest of v.
template <class T>
T reflection(T& alpha, T* x, int64_t n, int64_t step) {
  using R = Real<T>;
  R most = 0;
  for (int64_t i = 0; i < n; ++i) most = std::max(most, std::abs(x[i * step]));
  R norm = 0;
  if (most > 0) {
    for (int64_t i = 0; i < n; ++i) norm += std::norm(x[i * step] / most);
    norm = most * std::sqrt(norm);
  }
  const R re = std::real(alpha), im = kIsComplex<T> ? static_cast<R>(std::imag(alpha)) : R(0);
  if (norm == 0 && im == 0) return T(0);
  const R length = std::hypot(std::hypot(re, im), norm);
  const R beta = re >= 0 ? -length : length;
  T tau;
  if constexpr (kIsComplex<T>)
    tau = T((beta - re) / beta, -im / beta);
  else
    tau = (beta - alpha) / beta;
  const T scale = T(1) / (alpha - beta);
  for (int64_t i = 0; i < n; ++i) x[i * step] *= scale;
  alpha = T(beta);
  return tau;
}

/// c -= tau v (v^H c), where v = (1, rest).
template <class T>
void reflectLeft(T tau, const T* rest, int64_t step, const Mat<T>& c) {
  if (tau == T(0)) return;
  for (int64_t j = 0; j < c.columns; ++j) {
    T sum = c(0, j);
    for (int64_t i = 1; i < c.rows; ++i) sum += conjugate(rest[(i - 1) * step]) * c(i, j);
    sum *= tau;
    c(0, j) -= sum;
    for (int64_t i = 1; i < c.rows; ++i) c(i, j) -= rest[(i - 1) * step] * sum;
  }
}
/// c -= tau (c v) v^H
template <class T>
void reflectRight(T tau, const T* rest, int64_t step, const Mat<T>& c) {
  if (tau == T(0)) return;
  for (int64_t i = 0; i < c.rows; ++i) {
    T sum = c(i, 0);
    for (int64_t j = 1; j < c.columns; ++j) sum += c(i, j) * rest[(j - 1) * step];
    sum *= tau;
    c(i, 0) -= sum;
    for (int64_t j = 1; j < c.columns; ++j) c(i, j) -= sum * conjugate(rest[(j - 1) * step]);
  }
}

/// A = Q R: R above, the reflections of Q below.
template <class T>
void factorQr(const Mat<T>& a, T* tau) {
  const int64_t k = std::min(a.rows, a.columns);
  for (int64_t i = 0; i < k; ++i) {
    T* below = &a(std::min(i + 1, a.rows - 1), i);
    tau[i] = reflection(a(i, i), below, a.rows - i - 1, a.rowStride);
    reflectLeft(conjugate(tau[i]), below, a.rowStride, a.part(i, i + 1, a.rows - i, a.columns - i - 1));
  }
}

/// The first columns of H1 H2 ... Hk, in place of the reflections.
template <class T>
void productOfReflections(const Mat<T>& a, const T* tau, int64_t k) {
  const int64_t m = a.rows, n = a.columns;
  for (int64_t j = k; j < n; ++j) {
    for (int64_t i = 0; i < m; ++i) a(i, j) = T(0);
    a(j, j) = T(1);
  }
  for (int64_t i = k - 1; i >= 0; --i) {
    const T* below = &a(std::min(i + 1, m - 1), i);
    if (i + 1 < n) reflectLeft(tau[i], below, a.rowStride, a.part(i, i + 1, m - i, n - i - 1));
    for (int64_t r = i + 1; r < m; ++r) a(r, i) *= -tau[i];
    a(i, i) = T(1) - tau[i];
    for (int64_t r = 0; r < i; ++r) a(r, i) = T(0);
  }
}

/// The reflections of a times c, or c times them; of their adjoint.
template <class T>
void applyReflections(const Mat<T>& a, const T* tau, int64_t k, bool left, bool adjoint, const Mat<T>& c) {
  for (int64_t s = 0; s < k; ++s) {
    const int64_t i = left == adjoint ? s : k - 1 - s;
    const T* below = &a(std::min(i + 1, a.rows - 1), i);
    const T factor = adjoint ? conjugate(tau[i]) : tau[i];
    if (left)
      reflectLeft(factor, below, a.rowStride, c.part(i, 0, c.rows - i, c.columns));
    else
      reflectRight(factor, below, a.rowStride, c.part(0, i, c.rows, c.columns - i));
  }
}

/// Columns from `have` on become an orthonormal basis of what the ones before leave.
template <class T>
void completeBasis(const Mat<T>& u, int64_t have) {
  if (have >= u.columns) return;
  Own<T> work(u.rows, u.columns);
  assign(work.mat().part(0, 0, u.rows, have), u.part(0, 0, u.rows, have));
  std::vector<T> tau(static_cast<size_t>(std::max<int64_t>(have, 1)));
  factorQr(work.mat().part(0, 0, u.rows, have), tau.data());
  productOfReflections(work.mat(), tau.data(), have);
  assign(u.part(0, have, u.rows, u.columns - have), work.mat().part(0, have, u.rows, u.columns - have));
}

// ---- eigenvalues and singular values (linalg_spectra.cpp); T: double or std::complex<double>

/// Of a Hermitian matrix (its lower triangle): values in ascending order, vectors in place of A. False when
/// the iteration does not end.
template <class T>
bool eigenHermitian(Own<T>& a, std::vector<double>& values, bool vectors);

/// Values in descending order; U (m x m or m x k) and V (n x n or n x k) with A = U S V^H.
template <class T>
bool singularValues(const Mat<T>& a, bool full, bool vectors, Own<T>& u, std::vector<double>& s, Own<T>& v);

/// Of any square matrix; vectors of length one, as LAPACK's geev turns them.
bool eigenReal(Own<double> a, std::vector<std::complex<double>>& values, Own<std::complex<double>>* vectors);
bool eigenComplex(Own<std::complex<double>> a, std::vector<std::complex<double>>& values,
                  Own<std::complex<double>>* vectors);

}  // namespace descry::runtime::linalg
