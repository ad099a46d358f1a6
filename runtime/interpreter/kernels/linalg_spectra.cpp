// Eigenvalues and singular values by iteration.
#include <algorithm>
#include <limits>
#include <numeric>

#include "runtime/interpreter/kernels/linalg_algorithms.h"

namespace descry::runtime::linalg {

namespace {

using C = std::complex<double>;
constexpr double kEps = std::numeric_limits<double>::epsilon();

/// QL iteration on a symmetric tridiagonal matrix (diagonal d, below it e); z collects the rotations.
template <class T>
bool tridiagonalQl(std::vector<double>& d, std::vector<double>& e, Own<T>* z) {
  const int64_t n = static_cast<int64_t>(d.size());
  const auto at = [](std::vector<double>& v, int64_t i) -> double& { return v[static_cast<size_t>(i)]; };
  for (int64_t l = 0; l < n; ++l) {
    for (int step = 0;; ++step) {
      int64_t m = l;
      for (; m + 1 < n; ++m) {
        const double scale = std::abs(at(d, m)) + std::abs(at(d, m + 1));
        if (std::abs(at(e, m)) <= kEps * scale || at(e, m) == 0) break;
      }
      if (m == l) break;
      if (step > 60) return false;
      double g = (at(d, l + 1) - at(d, l)) / (2 * at(e, l));
      double r = std::hypot(g, 1.0);
      g = at(d, m) - at(d, l) + at(e, l) / (g + std::copysign(r, g));
      double s = 1, c = 1, p = 0;
      int64_t i = m - 1;
      for (; i >= l; --i) {
        double f = s * at(e, i);
        const double b = c * at(e, i);
        r = std::hypot(f, g);
        at(e, i + 1) = r;
        if (r == 0) {
          at(d, i + 1) -= p;
          at(e, m) = 0;
          break;
        }
        s = f / r;
        c = g / r;
        g = at(d, i + 1) - p;
        r = (at(d, i) - g) * s + 2 * c * b;
        p = s * r;
        at(d, i + 1) = g + p;
        g = c * r - b;
        if (z) {
          T *x = z->column(i), *y = z->column(i + 1);
          for (int64_t k = 0; k < z->rows(); ++k) {
            const T old = y[k];
            y[k] = s * x[k] + c * old;
            x[k] = c * x[k] - s * old;
          }
        }
      }
      if (r == 0 && i >= l) continue;
      at(d, l) -= p;
      at(e, l) = g;
      at(e, m) = 0;
    }
  }
  return true;
}

/// Columns and values in the order `before` gives.
template <class T, class F>
void sortColumns(std::vector<double>& values, std::initializer_list<Own<T>*> matrices, F&& before) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return before(values[a], values[b]); });
  std::vector<double> sorted;
  for (const size_t i : order) sorted.push_back(values[i]);
  values = std::move(sorted);
  for (Own<T>* m : matrices) {
    if (!m) continue;
    Own<T> copy(m->rows(), m->columns());
    for (size_t k = 0; k < order.size(); ++k)
      std::copy_n(m->column(static_cast<int64_t>(order[k])), m->rows(), copy.column(static_cast<int64_t>(k)));
    *m = std::move(copy);
  }
}

}  // namespace

template <class T>
bool eigenHermitian(Own<T>& a, std::vector<double>& values, bool vectors) {
  const int64_t n = a.rows();
  const Mat<T> m = a.mat();
  std::vector<double> d(static_cast<size_t>(n)), e(static_cast<size_t>(n));
  std::vector<T> tau(static_cast<size_t>(n)), w(static_cast<size_t>(n));
  for (int64_t k = 0; k + 1 < n; ++k) {
    const int64_t rest = n - k - 1;
    T* below = &m(std::min(k + 2, n - 1), k);
    const T t = reflection(m(k + 1, k), below, rest - 1, 1);
    tau[static_cast<size_t>(k)] = t;
    e[static_cast<size_t>(k)] = realPart(m(k + 1, k));
    if (t != T(0)) {
      // A22 becomes H^H A22 H: of its lower triangle only.
      const auto v = [&](int64_t i) { return i == 0 ? T(1) : m(k + 1 + i, k); };
      const Mat<T> s = m.part(k + 1, k + 1, rest, rest);
      for (int64_t i = 0; i < rest; ++i) s(i, i) = T(realPart(s(i, i)));
      std::fill_n(w.begin(), rest, T(0));
      for (int64_t j = 0; j < rest; ++j) {
        const T x = v(j);
        T sum = s(j, j) * x;
        for (int64_t i = j + 1; i < rest; ++i) {
          w[static_cast<size_t>(i)] += s(i, j) * x;
          sum += conjugate(s(i, j)) * v(i);
        }
        w[static_cast<size_t>(j)] += sum;
      }
      T dot(0);
      for (int64_t i = 0; i < rest; ++i) {
        w[static_cast<size_t>(i)] *= t;
        dot += conjugate(w[static_cast<size_t>(i)]) * v(i);
      }
      const T shift = T(0.5) * t * dot;
      for (int64_t i = 0; i < rest; ++i) w[static_cast<size_t>(i)] -= shift * v(i);
      for (int64_t j = 0; j < rest; ++j) {
        const T x = conjugate(w[static_cast<size_t>(j)]), y = conjugate(v(j));
        for (int64_t i = j; i < rest; ++i) s(i, j) -= v(i) * x + w[static_cast<size_t>(i)] * y;
      }
    }
  }
  for (int64_t i = 0; i < n; ++i) d[static_cast<size_t>(i)] = realPart(m(i, i));
  Own<T> z;
  if (vectors) {
    z = Own<T>::identity(n);
    for (int64_t k = n - 2; k >= 0; --k)
      reflectLeft(tau[static_cast<size_t>(k)], &m(std::min(k + 2, n - 1), k), 1,
                  z.mat().part(k + 1, k + 1, n - k - 1, n - k - 1));
  }
  if (!tridiagonalQl<T>(d, e, vectors ? &z : nullptr)) return false;
  sortColumns<T>(d, {vectors ? &z : nullptr}, std::less<>());
  values = std::move(d);
  if (vectors) a = std::move(z);
  return true;
}
template bool eigenHermitian<double>(Own<double>&, std::vector<double>&, bool);
template bool eigenHermitian<C>(Own<C>&, std::vector<double>&, bool);

/// One-sided Jacobi rotations on the triangle of a QR factorization.
template <class T>
bool singularValues(const Mat<T>& a, bool full, bool vectors, Own<T>& u, std::vector<double>& s, Own<T>& v) {
  if (a.rows < a.columns) {
    Own<T> adjoint = adjointOf(a);
    return singularValues(adjoint.mat(), full, vectors, v, s, u);
  }
  const int64_t m = a.rows, n = a.columns;
  Own<T> work(a);
  double most = 0;
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < m; ++i) most = std::max(most, std::abs(work(i, j)));
  const double scale = most > 0 ? most : 1;
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < m; ++i) work(i, j) /= scale;
  std::vector<T> tau(static_cast<size_t>(std::max<int64_t>(n, 1)));
  factorQr(work.mat(), tau.data());
  // X = R^H: X W = Y S with orthogonal columns, so that R = W S Y^H.
  Own<T> x(n, n), w = Own<T>::identity(n);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = j; i < n; ++i) x(i, j) = conjugate(work(j, i));
  bool rotated = n > 1;
  for (int sweep = 0; rotated; ++sweep) {
    if (sweep > 80) return false;
    rotated = false;
    for (int64_t p = 0; p + 1 < n; ++p)
      for (int64_t q = p + 1; q < n; ++q) {
        T *xp = x.column(p), *xq = x.column(q);
        double alpha = 0, beta = 0;
        T gamma(0);
        for (int64_t i = 0; i < n; ++i) {
          alpha += std::norm(xp[i]);
          beta += std::norm(xq[i]);
          gamma += conjugate(xp[i]) * xq[i];
        }
        const double g = std::abs(gamma);
        if (g == 0 || g <= 4 * kEps * std::sqrt(alpha) * std::sqrt(beta) ||
            g < std::numeric_limits<double>::min())
          continue;
        rotated = true;
        const T phase = conjugate(gamma / g);
        const double zeta = (beta - alpha) / (2 * g);
        const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
        const double c = 1 / std::hypot(1.0, t), sine = c * t;
        const auto rotate = [&](T* one, T* two) {
          for (int64_t i = 0; i < n; ++i) {
            const T b = two[i] * phase, old = one[i];
            one[i] = c * old - sine * b;
            two[i] = sine * old + c * b;
          }
        };
        rotate(xp, xq);
        rotate(w.column(p), w.column(q));
      }
  }
  s.assign(static_cast<size_t>(n), 0);
  for (int64_t j = 0; j < n; ++j) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += std::norm(x(i, j));
    s[static_cast<size_t>(j)] = std::sqrt(sum);
  }
  sortColumns<T>(s, {&x, &w}, std::greater<>());
  if (vectors) {
    // Columns that vanish have no direction of their own.
    int64_t rank = 0;
    while (rank < n && s[static_cast<size_t>(rank)] > std::numeric_limits<double>::min()) ++rank;
    for (int64_t j = 0; j < rank; ++j)
      for (int64_t i = 0; i < n; ++i) x(i, j) /= s[static_cast<size_t>(j)];
    completeBasis(x.mat(), rank);
    v = std::move(x);
    const int64_t columns = full ? m : n;
    u = Own<T>(m, columns);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) u(i, j) = w(i, j);
    for (int64_t j = n; j < columns; ++j) u(j, j) = T(1);
    applyReflections(work.mat(), tau.data(), n, true, false, u.mat());
  }
  for (double& value : s) value *= scale;
  return true;
}
template bool singularValues<double>(const Mat<double>&, bool, bool, Own<double>&, std::vector<double>&,
                                     Own<double>&);
template bool singularValues<C>(const Mat<C>&, bool, bool, Own<C>&, std::vector<double>&, Own<C>&);

namespace {

/// Reduces to upper Hessenberg form; z becomes the transformation.
template <class T>
void hessenberg(Own<T>& a, Own<T>& z) {
  const int64_t n = a.rows();
  const Mat<T> m = a.mat();
  z = Own<T>::identity(n);
  std::vector<T> tau(static_cast<size_t>(n));
  for (int64_t k = 0; k + 2 < n; ++k) {
    T* below = &m(k + 2, k);
    const T t = reflection(m(k + 1, k), below, n - k - 2, 1);
    tau[static_cast<size_t>(k)] = t;
    reflectLeft(conjugate(t), below, 1, m.part(k + 1, k + 1, n - k - 1, n - k - 1));
    reflectRight(t, below, 1, m.part(0, k + 1, n, n - k - 1));
  }
  for (int64_t k = n - 3; k >= 0; --k) {
    reflectLeft(tau[static_cast<size_t>(k)], &m(k + 2, k), 1,
                z.mat().part(k + 1, k + 1, n - k - 1, n - k - 1));
    for (int64_t i = k + 2; i < n; ++i) m(i, k) = T(0);
  }
}

/// Length one, the largest component real.
void normalize(C* x, int64_t n, bool turn) {
  double length = 0, most = 0;
  int64_t best = 0;
  for (int64_t i = 0; i < n; ++i) length = std::hypot(length, std::abs(x[i]));
  if (length == 0) return;
  for (int64_t i = 0; i < n; ++i) {
    x[i] /= length;
    if (std::norm(x[i]) > most) {
      most = std::norm(x[i]);
      best = i;
    }
  }
  if (!turn) return;
  const C phase = std::conj(x[best]) / std::abs(x[best]);
  for (int64_t i = 0; i < n; ++i) x[i] *= phase;
  x[best] = C(x[best].real(), 0);
}

/// Vectors of a triangular matrix, turned back by z.
void triangularVectors(const Own<C>& t, const Own<C>& z, Own<C>& vectors) {
  const int64_t n = t.rows();
  double norm = 0;
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i <= j; ++i) norm = std::max(norm, std::abs(t(i, j)));
  const double smallest = std::max(kEps * norm, std::numeric_limits<double>::min());
  Own<C> x(n, n);
  for (int64_t k = 0; k < n; ++k) {
    const C value = t(k, k);
    x(k, k) = 1;
    for (int64_t i = k - 1; i >= 0; --i) {
      C sum = -t(i, k);
      for (int64_t j = i + 1; j < k; ++j) sum -= t(i, j) * x(j, k);
      C d = t(i, i) - value;
      if (std::abs(d) < smallest) d = smallest;
      x(i, k) = sum / d;
    }
    // Kept from overflow where values are close to one another.
    double most = 0;
    for (int64_t i = 0; i <= k; ++i) most = std::max(most, std::abs(x(i, k)));
    for (int64_t i = 0; i <= k; ++i) x(i, k) /= most;
  }
  Own<C> turn(z);
  vectors = product(turn.mat(), x.mat());
}

}  // namespace

bool eigenComplex(Own<C> a, std::vector<C>& values, Own<C>* vectors) {
  const int64_t n = a.rows();
  Own<C> z;
  hessenberg(a, z);
  const Mat<C> h = a.mat();
  int64_t high = n - 1;
  int steps = 0;
  while (high > 0) {
    int64_t low = high;
    for (; low > 0; --low) {
      const double scale = std::abs(h(low, low)) + std::abs(h(low - 1, low - 1));
      if (std::abs(h(low, low - 1)) <= kEps * scale || h(low, low - 1) == C(0)) break;
    }
    if (low > 0) h(low, low - 1) = 0;
    if (low == high) {
      --high;
      steps = 0;
      continue;
    }
    if (++steps > 300) return false;
    // The eigenvalue of the last block that is closer to its corner; now and then another shift.
    const C p = h(high - 1, high - 1), q = h(high - 1, high), r = h(high, high - 1), s = h(high, high);
    C shift;
    if (steps % 10 == 0) {
      shift = s + std::abs(r);
    } else {
      const C half = (p + s) * 0.5, root = std::sqrt((p - s) * (p - s) * 0.25 + q * r);
      const C one = half + root, two = half - root;
      shift = std::abs(one - s) < std::abs(two - s) ? one : two;
    }
    // H - shift = Q R by rotations, then R Q + shift.
    std::vector<double> cosines(static_cast<size_t>(high - low));
    std::vector<C> sines(cosines.size());
    for (int64_t i = low; i <= high; ++i) h(i, i) -= shift;
    for (int64_t i = low; i < high; ++i) {
      const C x = h(i, i), y = h(i + 1, i);
      const double length = std::hypot(std::abs(x), std::abs(y));
      double c = 1;
      C sine = 0;
      if (length > 0) {
        c = std::abs(x) / length;
        const C phase = std::abs(x) > 0 ? x / std::abs(x) : C(1);
        sine = phase * std::conj(y) / length;
      }
      cosines[static_cast<size_t>(i - low)] = c;
      sines[static_cast<size_t>(i - low)] = sine;
      for (int64_t j = i; j < n; ++j) {
        const C up = h(i, j), down = h(i + 1, j);
        h(i, j) = c * up + sine * down;
        h(i + 1, j) = -std::conj(sine) * up + c * down;
      }
    }
    for (int64_t i = low; i < high; ++i) {
      const double c = cosines[static_cast<size_t>(i - low)];
      const C sine = sines[static_cast<size_t>(i - low)];
      const auto rotate = [&](const Mat<C>& m, int64_t end) {
        for (int64_t k = 0; k < end; ++k) {
          const C left = m(k, i), right = m(k, i + 1);
          m(k, i) = c * left + std::conj(sine) * right;
          m(k, i + 1) = -sine * left + c * right;
        }
      };
      rotate(h, std::min(i + 2, high) + 1);
      if (vectors) rotate(z.mat(), n);
    }
    for (int64_t i = low; i <= high; ++i) h(i, i) += shift;
  }
  values.clear();
  for (int64_t i = 0; i < n; ++i) values.push_back(h(i, i));
  if (vectors) {
    triangularVectors(a, z, *vectors);
    for (int64_t k = 0; k < n; ++k) normalize(vectors->column(k), n, true);
  }
  return true;
}

namespace {

/// Francis's double shift QR on a real Hessenberg matrix until blocks of one and two rows are left.
class RealSchur {
 public:
  RealSchur(Own<double>& h, Own<double>& z) : h_(h.mat()), z_(z.mat()), n_(h.rows()) {}

  bool run() {
    int64_t high = n_ - 1;
    int steps = 0;
    while (high >= 1) {
      int64_t low = high;
      for (; low > 0; --low) {
        double scale = std::abs(h_(low, low)) + std::abs(h_(low - 1, low - 1));
        if (scale == 0) scale = norm();
        if (std::abs(h_(low, low - 1)) <= kEps * scale) break;
      }
      if (low > 0) h_(low, low - 1) = 0;
      if (low == high) {
        --high;
        steps = 0;
      } else if (low == high - 1) {
        splitBlock(low);
        high -= 2;
        steps = 0;
      } else {
        if (++steps > 300) return false;
        sweep(low, high, steps);
      }
    }
    return true;
  }

 private:
  double norm() const {
    double sum = 0;
    for (int64_t j = 0; j < n_; ++j)
      for (int64_t i = 0; i <= std::min(j + 1, n_ - 1); ++i) sum += std::abs(h_(i, j));
    return sum;
  }
  void rotate(int64_t i, double c, double s) {
    for (int64_t j = 0; j < n_; ++j) {
      const double up = h_(i, j), down = h_(i + 1, j);
      h_(i, j) = c * up + s * down;
      h_(i + 1, j) = c * down - s * up;
    }
    for (const Mat<double>* m : {&h_, &z_})
      for (int64_t k = 0; k < n_; ++k) {
        const double left = (*m)(k, i), right = (*m)(k, i + 1);
        (*m)(k, i) = c * left + s * right;
        (*m)(k, i + 1) = c * right - s * left;
      }
  }
  /// A block with two real eigenvalues becomes triangular.
  void splitBlock(int64_t i) {
    const double a = h_(i, i), b = h_(i, i + 1), c = h_(i + 1, i), d = h_(i + 1, i + 1);
    const double p = (a - d) / 2, q = p * p + b * c;
    if (c == 0 || q < 0) return;
    const double root = p + std::copysign(std::sqrt(q), p);
    // (root, c) spans the vectors of the eigenvalue d + root.
    const double length = std::hypot(root, c);
    rotate(i, root / length, c / length);
    h_(i + 1, i) = 0;
  }
  void sweep(int64_t low, int64_t high, int steps) {
    double sum = h_(high - 1, high - 1) + h_(high, high);
    double det = h_(high - 1, high - 1) * h_(high, high) - h_(high - 1, high) * h_(high, high - 1);
    if (steps % 10 == 0) {
      const double s = std::abs(h_(high, high - 1)) + std::abs(h_(high - 1, high - 2));
      sum = 1.5 * s + 2 * h_(high, high);
      det = h_(high, high) * h_(high, high) + 1.5 * s * h_(high, high) + s * s;
    }
    std::array<double, 3> v = {
        h_(low, low) * h_(low, low) + h_(low, low + 1) * h_(low + 1, low) - sum * h_(low, low) + det,
        h_(low + 1, low) * (h_(low, low) + h_(low + 1, low + 1) - sum),
        h_(low + 1, low) * h_(low + 2, low + 1)};
    for (int64_t k = low; k < high; ++k) {
      const int64_t rows = std::min<int64_t>(3, high - k + 1);
      if (k > low)
        for (int64_t i = 0; i < 3; ++i) v[static_cast<size_t>(i)] = i < rows ? h_(k + i, k - 1) : 0;
      double alpha = v[0];
      std::array<double, 2> rest = {v[1], v[2]};
      const double tau = reflection(alpha, rest.data(), rows - 1, 1);
      if (k > low) {
        h_(k, k - 1) = alpha;
        for (int64_t i = 1; i < rows; ++i) h_(k + i, k - 1) = 0;
      }
      reflectLeft(tau, rest.data(), 1, h_.part(k, k, rows, n_ - k));
      reflectRight(tau, rest.data(), 1, h_.part(0, k, std::min(k + 3, high) + 1, rows));
      reflectRight(tau, rest.data(), 1, z_.part(0, k, n_, rows));
    }
  }

  Mat<double> h_, z_;
  int64_t n_;
};

}  // namespace

bool eigenReal(Own<double> a, std::vector<C>& values, Own<C>* vectors) {
  const int64_t n = a.rows();
  Own<double> z;
  hessenberg(a, z);
  if (!RealSchur(a, z).run()) return false;
  values.assign(static_cast<size_t>(n), C(0));
  // Blocks of two rows become triangular by a complex rotation.
  Own<C> t(a.mat()), turn(z.mat());
  std::vector<bool> pair(static_cast<size_t>(n), false);
  for (int64_t i = 0; i < n; ++i) {
    if (i + 1 >= n || a(i + 1, i) == 0) {
      values[static_cast<size_t>(i)] = C(a(i, i), 0);
      continue;
    }
    const double p = (a(i, i) - a(i + 1, i + 1)) / 2, middle = a(i + 1, i + 1) + p;
    const double root = std::sqrt(std::max(0.0, -(p * p + a(i, i + 1) * a(i + 1, i))));
    const C value(middle, root);
    values[static_cast<size_t>(i)] = value;
    values[static_cast<size_t>(i + 1)] = std::conj(value);
    pair[static_cast<size_t>(i)] = true;
    const C x = value - a(i + 1, i + 1), y = a(i + 1, i);
    const double length = std::hypot(std::abs(x), std::abs(y));
    const C c = x / length, s = y / length;
    for (int64_t j = 0; j < n; ++j) {
      const C up = t(i, j), down = t(i + 1, j);
      t(i, j) = std::conj(c) * up + std::conj(s) * down;
      t(i + 1, j) = -s * up + c * down;
    }
    for (Own<C>* m : {&t, &turn})
      for (int64_t k = 0; k < n; ++k) {
        const C left = (*m)(k, i), right = (*m)(k, i + 1);
        (*m)(k, i) = left * c + right * s;
        (*m)(k, i + 1) = -left * std::conj(s) + right * std::conj(c);
      }
    t(i + 1, i) = 0;
    ++i;
  }
  if (!vectors) return true;
  for (int64_t i = 0; i < n; ++i) t(i, i) = values[static_cast<size_t>(i)];
  triangularVectors(t, turn, *vectors);
  for (int64_t k = 0; k < n; ++k) {
    C* x = vectors->column(k);
    if (values[static_cast<size_t>(k)].imag() == 0) {
      // A real value has a real vector: what the complex rotations left of a phase is turned away.
      normalize(x, n, true);
      for (int64_t i = 0; i < n; ++i) x[i] = C(x[i].real(), 0);
      normalize(x, n, false);
    } else if (pair[static_cast<size_t>(k)]) {
      normalize(x, n, true);
      for (int64_t i = 0; i < n; ++i) vectors->column(k + 1)[i] = std::conj(x[i]);
      ++k;
    }
  }
  return true;
}

}  // namespace descry::runtime::linalg
