// Solving: LU, Cholesky and LDL factors, triangular systems, determinants, inverses.
#include "runtime/interpreter/kernels/element_support.h"
#include "runtime/interpreter/kernels/linalg_support.h"

namespace descry::runtime {

namespace {

using namespace linalg;

// ---- LU

void refuseUnpivoted(const Call& c, std::string_view api) {
  if (!c.flag("pivot"))
    throw EvalError("unsupported-op",
                    std::string(api) + ": LU without pivoting is not implemented on the CPU");
}

/// The error that `check_errors` asks for.
void checkInfo(const View& info, std::string_view api);

/// LU factors of a batch into `out` (any layout); pivots counted from 1.
template <class T>
void factorAll(const View& a, const View& out, const View& pivots, const View* info) {
  const Batch batch(batchOf(out.sizes));
  batch.each(cubed(out.size(-1)), [&](int64_t i) {
    Own<T> work(batch.matrix<T>(a, i));
    std::vector<int32_t> rows(
        static_cast<size_t>(std::max<int64_t>(std::min(work.rows(), work.columns()), 1)));
    const int64_t zero = factorLu(work.mat(), rows.data());
    assign(batch.matrix<T>(out, i), work.mat());
    const View p = batch.part(pivots, i, 1);
    for (int64_t k = 0; k < p.size(0); ++k)
      p.as<int32_t>()[k * p.stride(0)] = rows[static_cast<size_t>(k)] + 1;
    if (info) *batch.part(*info, i, 0).as<int32_t>() = static_cast<int32_t>(zero);
  });
}

void luFactor(Call& c) {
  refuseUnpivoted(c, "linalg.lu_factor");
  const View a = c.view(0), info = c.out(2);
  visitLinalg(a.dtype, "lu_factor", [&]<class T>(TypeTag<T>) { factorAll<T>(a, c.out(0), c.out(1), &info); });
  if (c.flag("check_errors")) checkInfo(info, "torch.linalg.lu_factor_ex");
}

/// Pivots of one matrix, from 0; checked.
std::vector<int32_t> pivotsOf(const View& p, int64_t rows) {
  std::vector<int32_t> out;
  for (int64_t k = 0; k < p.size(0); ++k) {
    const int32_t at = p.as<int32_t>()[k * p.stride(0)];
    if (at < 1 || at > rows)
      throw EvalError(
          "index-error",
          "pivots given to lu_solve must all be greater or equal to 1 and not more than the number of rows");
    out.push_back(at - 1);
  }
  return out;
}

/// A batch of matrices, all of the batch sizes given (or broadcast to them), with so many rows and columns.
void needMatrices(const View& v, const Dims& batch, int64_t rows, int64_t columns, std::string_view name) {
  if (v.dim() < 2 || v.size(-2) != rows || v.size(-1) != columns)
    throw EvalError("shape-mismatch", "Expected `" + std::string(name) + "` to have matrices of " +
                                          std::to_string(rows) + " rows and " + std::to_string(columns) +
                                          " columns, but got " + sizesText(v.sizes));
  View lead = v;
  lead.sizes = batchOf(v.sizes);
  lead.strides = Dims(lead.sizes.size(), 0);
  (void)lead.expanded(batch);
}
/// The same of vectors.
void needVectors(const View& v, const Dims& batch, int64_t length, std::string_view name) {
  if (v.dim() < 1)
    throw EvalError("shape-mismatch", "Expected `" + std::string(name) + "` to have at least one dimension");
  needMatrices(v.unsqueezed(-1), batch, length, 1, name);
}

/// P, L and U of factors; a result without elements is not wanted.
template <class T>
void unpackOne(const Batch& batch, int64_t i, const Mat<T>& lu, const std::vector<int32_t>& pivots, Call& c) {
  const int64_t m = lu.rows, n = lu.columns, k = std::min(m, n);
  if (c.has(1) && c.out(1).dim() >= 2) {
    const Mat<T> l = batch.matrix<T>(c.out(1), i), u = batch.matrix<T>(c.out(2), i);
    for (int64_t y = 0; y < m; ++y)
      for (int64_t x = 0; x < k; ++x) l(y, x) = y == x ? T(1) : y > x ? lu(y, x) : T(0);
    for (int64_t y = 0; y < k; ++y)
      for (int64_t x = 0; x < n; ++x) u(y, x) = y <= x ? lu(y, x) : T(0);
  }
  if (c.has(0) && c.out(0).dim() >= 2) {
    std::vector<int64_t> row(static_cast<size_t>(m));
    for (int64_t y = 0; y < m; ++y) row[static_cast<size_t>(y)] = y;
    for (size_t y = 0; y < pivots.size(); ++y) std::swap(row[y], row[static_cast<size_t>(pivots[y])]);
    const Mat<T> p = batch.matrix<T>(c.out(0), i);
    for (int64_t y = 0; y < m; ++y)
      for (int64_t x = 0; x < m; ++x) p(y, x) = T(0);
    for (int64_t x = 0; x < m; ++x) p(row[static_cast<size_t>(x)], x) = T(1);
  }
}

void luUnpack(Call& c) {
  const View lu = c.view("LU_data"), pivots = c.view("LU_pivots");
  if (pivots.dtype != DType::I32 && c.flag("unpack_pivots"))
    throw EvalError("type-error",
                    "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.");
  const Batch batch(batchOf(lu.sizes));
  if (c.flag("unpack_pivots"))
    needVectors(pivots, batchOf(lu.sizes), std::min(lu.size(-2), lu.size(-1)), "LU_pivots");
  visitLinalg(lu.dtype, "lu_unpack", [&]<class T>(TypeTag<T>) {
    for (int64_t i = 0; i < batch.count(); ++i) {
      std::vector<int32_t> rows;
      if (c.flag("unpack_pivots")) rows = pivotsOf(batch.part(pivots, i, 1), lu.size(-2));
      unpackOne<T>(batch, i, batch.matrix<T>(lu, i), rows, c);
    }
  });
}

void lu(Call& c) {
  refuseUnpivoted(c, "linalg.lu_factor");
  const View a = c.view(0);
  const Batch batch(batchOf(a.sizes));
  visitLinalg(a.dtype, "lu", [&]<class T>(TypeTag<T>) {
    for (int64_t i = 0; i < batch.count(); ++i) {
      Own<T> work(batch.matrix<T>(a, i));
      std::vector<int32_t> rows(static_cast<size_t>(std::min(work.rows(), work.columns())));
      factorLu(work.mat(), rows.data());
      unpackOne<T>(batch, i, work.mat(), rows, c);
    }
  });
}

/// op(A) X = B, or X op(A) = B: the latter is a system of the transpose.
template <class T>
void solveFactored(const Mat<T>& lu, const std::vector<int32_t>& pivots, bool left, bool adjoint,
                   const Mat<T>& b) {
  if (left) {
    if (!adjoint) return solveLu(lu, pivots.data(), false, b);
    Own<T> conjugated = conjugateOf(lu);
    return solveLu(conjugated.mat(), pivots.data(), true, b);
  }
  if (!adjoint) return solveLu(lu, pivots.data(), true, b.transposed());
  Own<T> conjugated = conjugateOf(lu);
  solveLu(conjugated.mat(), pivots.data(), false, b.transposed());
}

void luSolve(Call& c) {
  const View lu = c.view("LU"), pivots = c.view("pivots"), b = c.view("B"), out = c.out();
  if (pivots.dtype != DType::I32)
    throw EvalError("type-error", "linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32");
  if (b.dtype != lu.dtype)
    throw EvalError("type-error", "linalg.lu_solve: Expected LU and B to have the same dtype");
  const bool left = c.flag("left"), adjoint = c.flag("adjoint");
  const Dims lead = batchOf(out.sizes);
  const int64_t n = out.size(left ? -2 : -1);
  needMatrices(lu, lead, n, n, "LU");
  needMatrices(b, lead, out.size(-2), out.size(-1), "B");
  needVectors(pivots, lead, n, "pivots");
  const Batch batch(lead);
  visitLinalg(lu.dtype, "lu_solve", [&]<class T>(TypeTag<T>) {
    batch.each(cubed(lu.size(-1)), [&](int64_t i) {
      Own<T> x(batch.matrix<T>(b, i)), factors(batch.matrix<T>(lu, i));
      solveFactored(factors.mat(), pivotsOf(batch.part(pivots, i, 1), lu.size(-1)), left, adjoint, x.mat());
      assign(batch.matrix<T>(out, i), x.mat());
    });
  });
}

void solve(Call& c) {
  const View a = c.view("A");
  View b = c.view("B"), out = c.out(0);
  const View factors = c.out(1), pivots = c.out(2), info = c.out(3);
  if (b.dtype != a.dtype)
    throw EvalError("type-error", "linalg.solve: Expected A and B to have the same dtype");
  // A vector, or a batch of vectors, on the right; the rule of the op has seen to which it is.
  const bool vectors = out.dim() + 1 == std::max(a.dim(), b.dim() + 1) && b.dim() + 1 == a.dim();
  bool vector = b.dim() == 1;
  if (vectors && !vector) {
    vector = true;
    for (size_t d = 0; d < b.dim(); ++d) vector = vector && b.sizes[d] == a.sizes[d];
  }
  if (vector) {
    b = b.unsqueezed(static_cast<int64_t>(b.dim()));
    out = out.unsqueezed(static_cast<int64_t>(out.dim()));
  }
  const bool left = c.flag("left");
  visitLinalg(a.dtype, "solve", [&]<class T>(TypeTag<T>) {
    factorAll<T>(a, factors, pivots, &info);
    const Batch batch(batchOf(out.sizes));
    batch.each(cubed(a.size(-1)), [&](int64_t i) {
      Own<T> x(batch.matrix<T>(b, i)), lu(batch.matrix<T>(factors, i));
      solveFactored(lu.mat(), pivotsOf(batch.part(pivots, i, 1), a.size(-1)), left, false, x.mat());
      assign(batch.matrix<T>(out, i), x.mat());
    });
  });
  if (c.flag("check_errors")) checkInfo(info, "torch.linalg.solve_ex");
}

void inverse(Call& c) {
  const View a = c.view(0), out = c.out(0), info = c.out(1);
  const Batch batch(batchOf(a.sizes));
  visitLinalg(a.dtype, "inv", [&]<class T>(TypeTag<T>) {
    batch.each(cubed(a.size(-1)), [&](int64_t i) {
      Own<T> work(batch.matrix<T>(a, i)), x = Own<T>::identity(a.size(-1));
      std::vector<int32_t> rows(static_cast<size_t>(a.size(-1)));
      *batch.part(info, i, 0).as<int32_t>() = static_cast<int32_t>(factorLu(work.mat(), rows.data()));
      solveLu(work.mat(), rows.data(), false, x.mat());
      assign(batch.matrix<T>(out, i), x.mat());
    });
  });
  if (c.flag("check_errors")) checkInfo(info, "linalg.inv_ex");
}

/// For determinants PyTorch factors the transpose of a matrix that lies row by row: LAPACK wants columns.
bool factorsTranspose(const View& a) {
  return a.contiguous() && !isComplexType(a.dtype);
}

/// The sign of a permutation made of swaps.
template <class T>
T signOf(const View& pivots) {
  T sign(1);
  for (int64_t k = 0; k < pivots.size(0); ++k)
    if (pivots.as<int32_t>()[k * pivots.stride(0)] != static_cast<int32_t>(k + 1)) sign = -sign;
  return sign;
}

void determinant(Call& c) {
  const View a = c.view(0), result = c.out(0), factors = c.out(1), pivots = c.out(2);
  const Batch batch(batchOf(a.sizes));
  visitLinalg(a.dtype, "det", [&]<class T>(TypeTag<T>) {
    factorAll<T>(factorsTranspose(a) ? a.transposed(-1, -2) : a, factors, pivots, nullptr);
    for (int64_t i = 0; i < batch.count(); ++i) {
      const Mat<T> lu = batch.matrix<T>(factors, i);
      T value = signOf<T>(batch.part(pivots, i, 1));
      for (int64_t k = 0; k < lu.rows; ++k) value *= lu(k, k);
      *batch.part(result, i, 0).as<T>() = value;
    }
  });
}

void signAndLogOfDeterminant(Call& c) {
  const View a = c.view(0), sign = c.out(0), log = c.out(1), factors = c.out(2), pivots = c.out(3);
  const Batch batch(batchOf(a.sizes));
  visitLinalg(a.dtype, "slogdet", [&]<class T>(TypeTag<T>) {
    factorAll<T>(factorsTranspose(a) ? a.transposed(-1, -2) : a, factors, pivots, nullptr);
    for (int64_t i = 0; i < batch.count(); ++i) {
      const Mat<T> lu = batch.matrix<T>(factors, i);
      T s = signOf<T>(batch.part(pivots, i, 1));
      Real<T> sum = 0;
      for (int64_t k = 0; k < lu.rows; ++k) {
        const Real<T> size = std::abs(lu(k, k));
        s *= size == 0 ? T(0) : lu(k, k) / size;
        sum += std::log(size);
      }
      *batch.part(sign, i, 0).as<T>() = s;
      *batch.part(log, i, 0).as<Real<T>>() = sum;
    }
  });
}

// ---- Cholesky

void cholesky(Call& c) {
  const View a = c.view(0), out = c.out(0), info = c.out(1);
  const bool upper = c.flag("upper");
  const Batch batch(batchOf(a.sizes));
  visitLinalg(a.dtype, "cholesky", [&]<class T>(TypeTag<T>) {
    batch.each(cubed(a.size(-1)), [&](int64_t i) {
      const Mat<T> from = batch.matrix<T>(a, i), to = batch.matrix<T>(out, i);
      const int64_t n = from.rows;
      // The triangle that counts, as the lower one.
      Own<T> work(n, n);
      for (int64_t x = 0; x < n; ++x)
        for (int64_t y = x; y < n; ++y) work(y, x) = upper ? conjugate(from(x, y)) : from(y, x);
      *batch.part(info, i, 0).as<int32_t>() = static_cast<int32_t>(factorCholesky(work.mat()));
      for (int64_t x = 0; x < n; ++x)
        for (int64_t y = 0; y < n; ++y) {
          const bool inside = upper ? y <= x : y >= x;
          to(y, x) = !inside ? T(0) : upper ? conjugate(work(x, y)) : work(y, x);
        }
    });
  });
  if (c.flag("check_errors")) checkInfo(info, "linalg.cholesky_ex");
}

/// L L^H X = B in place, or U^H U X = B.
template <class T>
void solveCholesky(const Mat<T>& factor, bool upper, const Mat<T>& b) {
  Own<T> adjoint = adjointOf(factor);
  if (upper) {
    solveTriangular(adjoint.mat(), false, false, b);
    solveTriangular(factor, true, false, b);
  } else {
    solveTriangular(factor, false, false, b);
    solveTriangular(adjoint.mat(), true, false, b);
  }
}

void choleskySolve(Call& c) {
  const View b = c.view(0), factor = c.view(1), out = c.out();
  if (factor.dtype != b.dtype)
    throw EvalError("type-error", "cholesky_solve: expected both arguments to have the same dtype");
  const bool upper = c.flag("upper");
  needMatrices(b, batchOf(out.sizes), out.size(-2), out.size(-1), "self");
  needMatrices(factor, batchOf(out.sizes), out.size(-2), out.size(-2), "input2");
  const Batch batch(batchOf(out.sizes));
  visitLinalg(out.dtype, "cholesky_solve", [&]<class T>(TypeTag<T>) {
    batch.each(cubed(out.size(-2)), [&](int64_t i) {
      Own<T> x(batch.matrix<T>(b, i));
      solveCholesky(batch.matrix<T>(factor, i), upper, x.mat());
      assign(batch.matrix<T>(out, i), x.mat());
    });
  });
}

void choleskyInverse(Call& c) {
  const View factor = c.view(0), out = c.out();
  const bool upper = c.flag("upper");
  const Batch batch(batchOf(out.sizes));
  visitLinalg(out.dtype, "cholesky_inverse", [&]<class T>(TypeTag<T>) {
    batch.each(cubed(out.size(-1)), [&](int64_t i) {
      Own<T> x = Own<T>::identity(out.size(-1));
      solveCholesky(batch.matrix<T>(factor, i), upper, x.mat());
      assign(batch.matrix<T>(out, i), x.mat());
    });
  });
}

// ---- triangular systems

void triangular(const View& a, const View& b, const View& out, bool upper, bool left, bool unit,
                bool transpose) {
  if (a.dtype != b.dtype)
    throw EvalError("type-error", "linalg.solve_triangular: Expected A and B to have the same dtype");
  const Batch batch(batchOf(out.sizes));
  visitLinalg(out.dtype, "solve_triangular", [&]<class T>(TypeTag<T>) {
    batch.each(cubed(a.size(-1)), [&](int64_t i) {
      Own<T> x(batch.matrix<T>(b, i));
      Mat<T> t = batch.matrix<T>(a, i), to = x.mat();
      bool up = upper;
      if (transpose != !left) {
        t = t.transposed();
        up = !up;
      }
      if (!left) to = to.transposed();
      solveTriangular(t, up, unit, to);
      assign(batch.matrix<T>(out, i), x.mat());
    });
  });
}

void solveTriangularOp(Call& c) {
  triangular(c.view("self"), c.view("B"), c.out(), c.flag("upper"), c.flag("left"), c.flag("unitriangular"),
             false);
}

void triangularSolve(Call& c) {
  const View a = c.view("A");
  triangular(a, c.view("self"), c.out(0), c.flag("upper"), true, c.flag("unitriangular"),
             c.flag("transpose"));
  copyElements(c.out(1), a.expanded(c.out(1).sizes));
}

// ---- LDL of symmetric and Hermitian matrices

/// Bunch and Kaufman's pivots, as LAPACK's sytf2 and hetf2 of the lower triangle. The first zero pivot, from
/// 1, or 0.
template <class T>
int64_t factorLdl(const Mat<T>& a, int32_t* pivots, bool hermitian) {
  const int64_t n = a.rows;
  const Real<T> alpha = static_cast<Real<T>>((1 + std::sqrt(17.0)) / 8);
  const auto turned = [&](T x) { return hermitian ? conjugate(x) : x; };
  const auto diagonal = [&](int64_t i) { return hermitian ? std::abs(realPart(a(i, i))) : size1(a(i, i)); };
  int64_t info = 0;
  for (int64_t k = 0; k < n;) {
    int64_t step = 1, kp = k, imax = k;
    const Real<T> own = diagonal(k);
    Real<T> most = 0;
    for (int64_t i = k + 1; i < n; ++i)
      if (const Real<T> s = size1(a(i, k)); s > most) {
        most = s;
        imax = i;
      }
    if (std::max(own, most) == 0 || std::isnan(own)) {
      if (!info) info = k + 1;
      if (hermitian) a(k, k) = T(realPart(a(k, k)));
      pivots[k] = static_cast<int32_t>(k + 1);
      ++k;
      continue;
    }
    if (own < alpha * most) {
      Real<T> rowMost = 0;
      for (int64_t j = k; j < imax; ++j) rowMost = std::max(rowMost, size1(a(imax, j)));
      for (int64_t i = imax + 1; i < n; ++i) rowMost = std::max(rowMost, size1(a(i, imax)));
      if (own >= alpha * most * (most / rowMost)) {
        kp = k;
      } else {
        kp = imax;
        if (diagonal(imax) < alpha * rowMost) step = 2;
      }
    }
    const int64_t kk = k + step - 1;
    if (kp != kk) {
      for (int64_t i = kp + 1; i < n; ++i) std::swap(a(i, kk), a(i, kp));
      for (int64_t j = kk + 1; j < kp; ++j) {
        const T x = turned(a(j, kk));
        a(j, kk) = turned(a(kp, j));
        a(kp, j) = x;
      }
      a(kp, kk) = turned(a(kp, kk));
      std::swap(a(kk, kk), a(kp, kp));
      if (step == 2) std::swap(a(k + 1, k), a(kp, k));
    }
    if (hermitian)
      for (int64_t i = k; i < k + step; ++i) a(i, i) = T(realPart(a(i, i)));
    if (step == 1) {
      const T scale = T(1) / a(k, k);
      for (int64_t j = k + 1; j < n; ++j) {
        const T x = scale * turned(a(j, k));
        for (int64_t i = j; i < n; ++i) a(i, j) -= a(i, k) * x;
        if (hermitian) a(j, j) = T(realPart(a(j, j)));
      }
      for (int64_t i = k + 1; i < n; ++i) a(i, k) *= scale;
      pivots[k] = static_cast<int32_t>(kp + 1);
    } else {
      // Columns times the inverse of the block of two.
      const T p = a(k, k), q = a(k + 1, k), r = a(k + 1, k + 1);
      const T det = (p / q) * (r / turned(q)) - T(1);
      for (int64_t j = k + 2; j < n; ++j) {
        const T x = a(j, k), y = a(j, k + 1);
        // [x y] inverse([p q^H; q r]), written so that nothing overflows.
        const T first = ((r / turned(q)) * (x / q) - y / turned(q)) / det;
        const T second = ((p / q) * (y / turned(q)) - x / q) / det;
        for (int64_t i = j; i < n; ++i) a(i, j) -= a(i, k) * turned(first) + a(i, k + 1) * turned(second);
        a(j, k) = first;
        a(j, k + 1) = second;
        if (hermitian) a(j, j) = T(realPart(a(j, j)));
      }
      pivots[k] = pivots[k + 1] = -static_cast<int32_t>(kp + 1);
    }
    k += step;
  }
  return info;
}

template <class T>
void solveLdl(const Mat<T>& a, const View& pivots, bool hermitian, const Mat<T>& b) {
  const int64_t n = a.rows;
  std::vector<int64_t> at;
  for (int64_t k = 0; k < n; ++k) {
    const int64_t p = pivots.as<int32_t>()[k * pivots.stride(0)];
    if (p == 0 || std::abs(p) > n)
      throw EvalError("index-error", "linalg.ldl_solve: a pivot is out of range");
    at.push_back(p);
  }
  const auto turned = [&](T x) { return hermitian ? conjugate(x) : x; };
  const auto pivot = [&](int64_t k) { return at[static_cast<size_t>(k)]; };
  const auto eliminate = [&](int64_t column, int64_t first) {
    for (int64_t j = 0; j < b.columns; ++j)
      for (int64_t i = first; i < n; ++i) b(i, j) -= a(i, column) * b(column, j);
  };
  for (int64_t k = 0; k < n;) {
    if (pivot(k) > 0) {
      swapRows(b, k, pivot(k) - 1);
      eliminate(k, k + 1);
      for (int64_t j = 0; j < b.columns; ++j) b(k, j) /= a(k, k);
      ++k;
      continue;
    }
    if (k + 1 >= n) throw EvalError("index-error", "linalg.ldl_solve: a pivot is out of range");
    swapRows(b, k + 1, -pivot(k) - 1);
    eliminate(k, k + 2);
    eliminate(k + 1, k + 2);
    const T p = a(k, k), q = a(k + 1, k), r = a(k + 1, k + 1), det = p * r - q * turned(q);
    for (int64_t j = 0; j < b.columns; ++j) {
      const T x = b(k, j), y = b(k + 1, j);
      b(k, j) = (r * x - turned(q) * y) / det;
      b(k + 1, j) = (p * y - q * x) / det;
    }
    k += 2;
  }
  const auto gather = [&](int64_t row, int64_t first, int64_t column) {
    for (int64_t j = 0; j < b.columns; ++j)
      for (int64_t i = first; i < n; ++i) b(row, j) -= turned(a(i, column)) * b(i, j);
  };
  for (int64_t k = n - 1; k >= 0;) {
    gather(k, k + 1, k);
    if (pivot(k) > 0 || k == 0) {
      swapRows(b, k, std::abs(pivot(k)) - 1);
      --k;
      continue;
    }
    gather(k - 1, k + 1, k - 1);
    swapRows(b, k, -pivot(k) - 1);
    k -= 2;
  }
}

void ldlFactor(Call& c) {
  const View a = c.view(0), out = c.out(0), pivots = c.out(1), info = c.out(2);
  const bool hermitian = c.flag("hermitian") && isComplexType(a.dtype);
  const Batch batch(batchOf(a.sizes));
  visitLinalg(a.dtype, "ldl_factor", [&]<class T>(TypeTag<T>) {
    batch.each(cubed(a.size(-1)), [&](int64_t i) {
      Own<T> work(batch.matrix<T>(a, i));
      std::vector<int32_t> rows(static_cast<size_t>(a.size(-1)));
      *batch.part(info, i, 0).as<int32_t>() =
          static_cast<int32_t>(factorLdl(work.mat(), rows.data(), hermitian));
      for (int64_t x = 0; x < work.columns(); ++x)
        for (int64_t y = 0; y < x; ++y) work(y, x) = T(0);
      assign(batch.matrix<T>(out, i), work.mat());
      const View p = batch.part(pivots, i, 1);
      for (size_t k = 0; k < rows.size(); ++k)
        p.as<int32_t>()[static_cast<int64_t>(k) * p.stride(0)] = rows[k];
    });
  });
  if (c.flag("check_errors")) checkInfo(info, "torch.linalg.ldl_factor_ex");
}

void ldlSolve(Call& c) {
  const View factors = c.view("LD"), pivots = c.view("pivots"), b = c.view("B"), out = c.out();
  if (pivots.dtype != DType::I32 || b.dtype != factors.dtype)
    throw EvalError("type-error",
                    "torch.linalg.ldl_solve: Expected pivots to be of int32 and LD and B of one dtype");
  const bool hermitian = c.flag("hermitian") && isComplexType(out.dtype);
  const Dims lead = batchOf(out.sizes);
  needMatrices(factors, lead, out.size(-2), out.size(-2), "LD");
  needMatrices(b, lead, out.size(-2), out.size(-1), "B");
  needVectors(pivots, lead, out.size(-2), "pivots");
  const Batch batch(lead);
  visitLinalg(out.dtype, "ldl_solve", [&]<class T>(TypeTag<T>) {
    batch.each(cubed(out.size(-2)), [&](int64_t i) {
      Own<T> x(batch.matrix<T>(b, i));
      solveLdl(batch.matrix<T>(factors, i), batch.part(pivots, i, 1), hermitian, x.mat());
      assign(batch.matrix<T>(out, i), x.mat());
    });
  });
}

// ---- errors

void checkInfo(const View& info, std::string_view api) {
  const TensorRef dense = copyOf(info, DType::I64);
  const View v = viewOf(*dense);
  for (int64_t i = 0; i < v.numel(); ++i) {
    const int64_t k = v.as<int64_t>()[i];
    if (k == 0) continue;
    const std::string batch = info.dim() == 0 ? "" : "(Batch element " + std::to_string(i) + "): ",
                      at = std::to_string(k);
    const auto has = [&](std::string_view part) { return api.find(part) != std::string_view::npos; };
    if (k < 0)
      failed(api, batch,
             "Argument " + std::to_string(-k) +
                 " has illegal value. Most certainly there is a bug in the implementation calling the "
                 "backend library.");
    if (has("inv"))
      failed(api, batch,
             "The diagonal element " + at +
                 " is zero, the inversion could not be completed because the input matrix is singular.");
    if (has("solve")) failed(api, batch, "The solver failed because the input matrix is singular.");
    if (has("cholesky"))
      failed(api, batch,
             "The factorization could not be completed because the input is not positive-definite (the "
             "leading minor of order " +
                 at + " is not positive-definite).");
    if (has("svd"))
      failed(api, batch,
             "The algorithm failed to converge because the input matrix is ill-conditioned or has too many "
             "repeated singular values (error code: " +
                 at + ").");
    if (has("eig") || has("syevd"))
      failed(api, batch,
             "The algorithm failed to converge because the input matrix is ill-conditioned or has too many "
             "repeated eigenvalues (error code: " +
                 at + ").");
    if (has("lstsq"))
      failed(api, batch,
             "The least squares solution could not be computed because the input matrix does not have full "
             "rank (error code: " +
                 at + ").");
    if (has("lu_factor"))
      failed(api, batch,
             "U[" + at + "," + at +
                 "] is zero and using it on lu_solve would result in a division by zero. If you still want "
                 "to perform the factorization, consider calling linalg.lu(A, pivot) or "
                 "linalg.lu_factor_ex(A, pivot)");
    failed(api, batch, "Unknown error code: " + at + ".");
  }
}

Value checkErrors(Call& c) {
  checkInfo(c.view("info"), c.text("api_name"));
  return {};
}

}  // namespace

void addLinalgKernels(KernelTable& table) {
  addDecompositionKernels(table);
  table.fill("aten.linalg_lu_factor_ex.default", luFactor);
  table.fill("aten.lu_unpack.default", luUnpack);
  table.fill("aten.linalg_lu.default", lu);
  table.fill("aten.linalg_lu_solve.default", luSolve);
  table.fill("aten._linalg_solve_ex.default", solve);
  table.fill("aten.linalg_inv_ex.default", inverse);
  table.fill("aten._linalg_det.default", determinant);
  table.fill("aten._linalg_slogdet.default", signAndLogOfDeterminant);
  table.fill("aten.linalg_cholesky_ex.default", cholesky);
  table.fill("aten.cholesky_solve.default aten._cholesky_solve_helper.default", choleskySolve);
  table.fill("aten.cholesky_inverse.default", choleskyInverse);
  table.fill("aten.linalg_solve_triangular.default", solveTriangularOp);
  table.fill("aten.triangular_solve.default", triangularSolve);
  table.fill("aten.linalg_ldl_factor_ex.default", ldlFactor);
  table.fill("aten.linalg_ldl_solve.default", ldlSolve);
  table.make("aten._linalg_check_errors.default", checkErrors);
}

}  // namespace descry::runtime
