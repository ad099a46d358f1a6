// QR, eigenvalues, singular values, and functions of matrices.
#include <limits>

#include "runtime/interpreter/kernels/linalg_support.h"

namespace descry::runtime {

namespace {

using namespace linalg;

// ---- QR

void qr(Call& c) {
  const View a = c.view("A"), r = c.out(1);
  const std::string mode = c.text("mode");
  const Batch batch(batchOf(a.sizes));
  visitLinalg(a.dtype, "qr", [&]<class T>(TypeTag<T>) {
    batch.each(cubed(std::max(a.size(-1), a.size(-2))), [&](int64_t i) {
      const int64_t m = a.size(-2), n = a.size(-1), k = std::min(m, n), columns = mode == "complete" ? m : k;
      Own<T> work(m, std::max(n, columns));
      assign(work.mat().part(0, 0, m, n), batch.matrix<T>(a, i));
      std::vector<T> tau(static_cast<size_t>(std::max<int64_t>(k, 1)));
      if (k) factorQr(work.mat().part(0, 0, m, n), tau.data());
      const Mat<T> to = batch.matrix<T>(r, i);
      for (int64_t x = 0; x < to.columns; ++x)
        for (int64_t y = 0; y < to.rows; ++y) to(y, x) = y <= x && y < k ? work(y, x) : T(0);
      if (mode == "r" || m == 0) return;
      productOfReflections(work.mat().part(0, 0, m, columns), tau.data(), k);
      assign(batch.matrix<T>(c.out(0), i), work.mat().part(0, 0, m, columns));
    });
  });
}

/// The factors as LAPACK leaves them: R above, reflections below.
void geqrf(Call& c) {
  const View a = c.view(0), out = c.out(0), taus = c.out(1);
  const Batch batch(batchOf(a.sizes));
  visitLinalg(a.dtype, "geqrf", [&]<class T>(TypeTag<T>) {
    for (int64_t i = 0; i < batch.count(); ++i) {
      Own<T> work(batch.matrix<T>(a, i));
      const View t = batch.part(taus, i, 1);
      std::vector<T> tau(static_cast<size_t>(std::max<int64_t>(t.size(0), 1)));
      if (t.size(0)) factorQr(work.mat(), tau.data());
      assign(batch.matrix<T>(out, i), work.mat());
      for (int64_t k = 0; k < t.size(0); ++k) t.as<T>()[k * t.stride(0)] = tau[static_cast<size_t>(k)];
    }
  });
}

template <class T>
std::vector<T> factorsOf(const Batch& batch, const View& taus, int64_t i, int64_t most) {
  const View t = batch.part(taus, i, 1);
  if (t.size(0) > most)
    throw EvalError("shape-mismatch", "there are more factors of reflections than columns");
  std::vector<T> tau;
  for (int64_t k = 0; k < t.size(0); ++k) tau.push_back(t.as<T>()[k * t.stride(0)]);
  return tau;
}

void householderProduct(Call& c) {
  const View a = c.view(0), taus = c.view(1), out = c.out();
  if (taus.dtype != a.dtype)
    throw EvalError("type-error", "torch.linalg.householder_product: tau dtype does not match input dtype");
  const Batch batch(batchOf(a.sizes));
  visitLinalg(a.dtype, "orgqr", [&]<class T>(TypeTag<T>) {
    for (int64_t i = 0; i < batch.count(); ++i) {
      Own<T> work(batch.matrix<T>(a, i));
      const std::vector<T> tau = factorsOf<T>(batch, taus, i, std::min(a.size(-1), a.size(-2)));
      if (work.rows()) productOfReflections(work.mat(), tau.data(), static_cast<int64_t>(tau.size()));
      assign(batch.matrix<T>(out, i), work.mat());
    }
  });
}

void multiplyByReflections(Call& c) {
  const View a = c.view("self"), taus = c.view("input2"), other = c.view("input3"), out = c.out();
  if (taus.dtype != a.dtype || other.dtype != a.dtype)
    throw EvalError("type-error", "torch.ormqr: Expected input, tau and other to have the same dtype");
  const bool left = c.flag("left"), adjoint = c.flag("transpose");
  if (a.size(-2) != other.size(left ? -2 : -1))
    throw EvalError("shape-mismatch", "torch.ormqr: other.shape[" + std::string(left ? "-2" : "-1") +
                                          "] must be equal to input.shape[-2]");
  const Batch batch(batchOf(other.sizes));
  visitLinalg(a.dtype, "ormqr", [&]<class T>(TypeTag<T>) {
    for (int64_t i = 0; i < batch.count(); ++i) {
      Own<T> work(batch.matrix<T>(a, i)), x(batch.matrix<T>(other, i));
      const std::vector<T> tau = factorsOf<T>(batch, taus, i, std::min(a.size(-1), a.size(-2)));
      applyReflections(work.mat(), tau.data(), static_cast<int64_t>(tau.size()), left, adjoint, x.mat());
      assign(batch.matrix<T>(out, i), x.mat());
    }
  });
}

// ---- eigenvalues

template <class T>
void requireFinite(const Mat<T>& a, std::string_view api, std::string_view why) {
  if (!finite(a))
    failed(api, "", std::string(why) + " because the input matrix contained non-finite values.");
}

/// The lower triangle, or the adjoint of the upper one, as a full matrix of double.
template <class T>
Own<Wide<T>> hermitianOf(const Mat<T>& a, bool upper) {
  const int64_t n = a.rows;
  Own<Wide<T>> out(n, n);
  for (int64_t x = 0; x < n; ++x)
    for (int64_t y = x; y < n; ++y) {
      out(y, x) = convertTo<Wide<T>>(upper ? conjugate(a(x, y)) : a(y, x));
      out(x, y) = conjugate(out(y, x));
    }
  return out;
}

template <class T>
void storeValues(const View& to, const std::vector<double>& values) {
  for (size_t k = 0; k < values.size(); ++k)
    to.as<Real<T>>()[static_cast<int64_t>(k) * to.stride(0)] = static_cast<Real<T>>(values[k]);
}

void eigh(Call& c) {
  const View a = c.view(0), values = c.out(0);
  const std::string& triangle = c.text("UPLO");
  if (triangle.size() != 1 || std::string("LUlu").find(triangle[0]) == std::string::npos)
    throw EvalError("value-error", "Expected UPLO argument to be 'L' or 'U', but got " + triangle);
  const bool upper = triangle == "U" || triangle == "u", vectors = c.flag("compute_v");
  const Batch batch(batchOf(a.sizes));
  visitLinalg(a.dtype, "linalg_eigh", [&]<class T>(TypeTag<T>) {
    batch.each(cubed(a.size(-1)) * 10, [&](int64_t i) {
      Own<Wide<T>> work = hermitianOf(batch.matrix<T>(a, i), upper);
      requireFinite(work.mat(), "linalg.eigh", "The algorithm failed to converge");
      std::vector<double> found;
      if (!eigenHermitian(work, found, vectors))
        failed("linalg.eigh", "",
               "The algorithm failed to converge because the input matrix is ill-conditioned or has too many "
               "repeated eigenvalues (error code: 1).");
      storeValues<T>(batch.part(values, i, 1), found);
      if (vectors) assign(batch.matrix<T>(c.out(1), i), work.mat());
    });
  });
}

void eigenvalues(Call& c, bool vectors) {
  const View a = c.view(0), values = c.out(0);
  const Batch batch(batchOf(a.sizes));
  visitLinalg(a.dtype, "linalg_eig", [&]<class T>(TypeTag<T>) {
    using Out = std::complex<Real<T>>;
    batch.each(cubed(a.size(-1)) * 20, [&](int64_t i) {
      Own<Wide<T>> work(batch.matrix<T>(a, i));
      requireFinite(work.mat(), "torch.linalg.eig", "The algorithm failed to converge");
      std::vector<std::complex<double>> found;
      Own<std::complex<double>> basis;
      bool done;
      if constexpr (kIsComplex<T>)
        done = eigenComplex(std::move(work), found, vectors ? &basis : nullptr);
      else
        done = eigenReal(std::move(work), found, vectors ? &basis : nullptr);
      if (!done) failed("linalg.eig", "", "The algorithm failed to converge.");
      const View to = batch.part(values, i, 1);
      for (size_t k = 0; k < found.size(); ++k)
        to.as<Out>()[static_cast<int64_t>(k) * to.stride(0)] = convertTo<Out>(found[k]);
      if (vectors) assign(batch.matrix<Out>(c.out(1), i), basis.mat());
    });
  });
}
void eig(Call& c) {
  eigenvalues(c, true);
}
void eigvals(Call& c) {
  eigenvalues(c, false);
}

// ---- singular values

template <class T>
struct Svd {
  Own<Wide<T>> u, v;  ///< A = u diag(s) v^H
  std::vector<double> s;

  Svd(const Mat<T>& a, bool full, bool vectors) {
    Own<Wide<T>> work(a);
    requireFinite(work.mat(), "linalg.svd", "The algorithm failed to converge");
    if (!singularValues(work.mat(), full, vectors, u, s, v))
      failed("linalg.svd", "",
             "The algorithm failed to converge because the input matrix is ill-conditioned or has too many "
             "repeated singular values (error code: 1).");
  }
};

void decompose(Call& c, bool full, bool vectors) {
  const View a = c.view(0);
  const Batch batch(batchOf(a.sizes));
  visitLinalg(a.dtype, "linalg_svd", [&]<class T>(TypeTag<T>) {
    batch.each(cubed(std::max(a.size(-1), a.size(-2))) * 20, [&](int64_t i) {
      Svd<T> found(batch.matrix<T>(a, i), full, vectors);
      storeValues<T>(batch.part(c.out(1), i, 1), found.s);
      if (!vectors) return;
      assign(batch.matrix<T>(c.out(0), i), found.u.mat());
      Own<Wide<T>> vh = adjointOf(found.v.mat());
      assign(batch.matrix<T>(c.out(2), i), vh.mat());
    });
  });
}
void svd(Call& c) {
  decompose(c, c.flag("full_matrices"), c.flag("compute_uv"));
}
void primsSvd(Call& c) {
  decompose(c, c.flag("full_matrices"), true);
}

/// x diag(factors) y^H
template <class W>
Own<W> scaledProduct(const Mat<W>& x, const std::vector<double>& factors, const Mat<W>& y) {
  Own<W> left(x), right = adjointOf(y);
  for (int64_t j = 0; j < left.columns(); ++j)
    for (int64_t i = 0; i < left.rows(); ++i) left(i, j) *= factors[static_cast<size_t>(j)];
  return product(left.mat(), right.mat());
}

/// The inverse of what is not too small: more than atol and rtol times the greatest singular value.
void pseudoInverse(Call& c) {
  const View a = c.view(0), out = c.out();
  const bool hermitian = c.flag("hermitian");
  const Batch batch(batchOf(a.sizes));
  const auto limits = [&](const char* name) { return c.given(name) ? c.dense(name, DType::F64) : View(); };
  const View atol = limits("atol"), rtol = limits("rtol");
  for (const View* limit : {&atol, &rtol}) (void)limit->expanded(batchOf(a.sizes));
  if (hermitian && a.size(-1) != a.size(-2))
    throw EvalError("shape-mismatch", "linalg.eigh: A must be batches of square matrices, but they are " +
                                          std::to_string(a.size(-2)) + " by " + std::to_string(a.size(-1)) +
                                          " matrices");
  visitLinalg(a.dtype, "pinv", [&]<class T>(TypeTag<T>) {
    const double eps = static_cast<double>(std::numeric_limits<Real<T>>::epsilon()) *
                       static_cast<double>(std::max(a.size(-1), a.size(-2)));
    for (int64_t i = 0; i < batch.count(); ++i) {
      const double absolute = c.given("atol") ? *batch.part(atol, i, 0).as<double>() : 0;
      const double relative = c.given("rtol") ? *batch.part(rtol, i, 0).as<double>() : absolute > 0 ? 0 : eps;
      std::vector<double> s;
      Own<Wide<T>> u, v;
      if (hermitian) {
        u = hermitianOf(batch.matrix<T>(a, i), false);
        requireFinite(u.mat(), "linalg.eigh", "The algorithm failed to converge");
        if (!eigenHermitian(u, s, true)) failed("linalg.eigh", "", "The algorithm failed to converge.");
        v = Own<Wide<T>>(u.mat());
      } else {
        Svd<T> found(batch.matrix<T>(a, i), false, true);
        u = std::move(found.u);
        v = std::move(found.v);
        s = found.s;
      }
      double most = 0;
      for (const double x : s) most = std::max(most, std::abs(x));
      for (double& x : s) x = std::abs(x) > std::max(absolute, relative * most) ? 1 / x : 0;
      assign(batch.matrix<T>(out, i), scaledProduct(v.mat(), s, u.mat()).mat());
    }
  });
}

/// A = U H with orthonormal columns in U and H Hermitian.
void polar(Call& c) {
  const View a = c.view(0);
  const Batch batch(batchOf(a.sizes));
  visitLinalg(a.dtype, "polar", [&]<class T>(TypeTag<T>) {
    for (int64_t i = 0; i < batch.count(); ++i) {
      Svd<T> found(batch.matrix<T>(a, i), false, true);
      assign(batch.matrix<T>(c.out(0), i),
             scaledProduct(found.u.mat(), std::vector<double>(found.s.size(), 1.0), found.v.mat()).mat());
      assign(batch.matrix<T>(c.out(1), i), scaledProduct(found.v.mat(), found.s, found.v.mat()).mat());
    }
  });
}

/// The square root of a Hermitian matrix without negative eigenvalues.
void squareRoot(Call& c) {
  const View a = c.view(0), out = c.out();
  const Batch batch(batchOf(a.sizes));
  visitLinalg(a.dtype, "matrix_sqrth", [&]<class T>(TypeTag<T>) {
    for (int64_t i = 0; i < batch.count(); ++i) {
      Own<Wide<T>> work = hermitianOf(batch.matrix<T>(a, i), false);
      requireFinite(work.mat(), "linalg.eigh", "The algorithm failed to converge");
      std::vector<double> values;
      if (!eigenHermitian(work, values, true)) failed("linalg.eigh", "", "The algorithm failed to converge.");
      for (double& x : values) x = std::sqrt(std::max(x, 0.0));
      assign(batch.matrix<T>(out, i), scaledProduct(work.mat(), values, work.mat()).mat());
    }
  });
}

// ---- the exponential

/// Halved until the Taylor series of 18 terms is exact, then squared as often.
template <class W>
Own<W> exponential(Own<W> a) {
  const int64_t n = a.rows();
  double norm = 0;
  for (int64_t j = 0; j < n; ++j) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += std::abs(a(i, j));
    norm = std::isnan(sum) ? sum : std::max(norm, sum);
  }
  if (!std::isfinite(norm)) {
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < n; ++i) a(i, j) = W(std::nan(""));
    return a;
  }
  int halvings = 0;
  while (norm > 1) {
    norm /= 2;
    ++halvings;
  }
  const double scale = std::ldexp(1.0, -halvings);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < n; ++i) a(i, j) *= scale;
  // Horner's scheme: 1 + A (1 + A / 2 (1 + A / 3 (...))).
  Own<W> sum = Own<W>::identity(n);
  for (int term = 20; term >= 1; --term) {
    Own<W> next = product(a.mat(), sum.mat());
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < n; ++i)
        sum(i, j) = next(i, j) / static_cast<double>(term) + (i == j ? W(1) : W(0));
  }
  for (int k = 0; k < halvings; ++k) sum = product(sum.mat(), sum.mat());
  return sum;
}

void matrixExponential(Call& c) {
  const View out = c.out();
  const DType dtype = out.dtype, compute = computeType(dtype);
  const View a = c.dense("self", compute);
  const View to = compute == dtype ? out : c.denseOut(0, compute);
  const Batch batch(batchOf(a.sizes));
  visitLinalg(compute, "matrix_exp", [&]<class T>(TypeTag<T>) {
    batch.each(cubed(a.size(-1)) * 20, [&](int64_t i) {
      assign(batch.matrix<T>(to, i), exponential(Own<Wide<T>>(batch.matrix<T>(a, i))).mat());
    });
  });
}

/// Sums of the first dimension with rows of coefficients.
void linearCombination(Call& c) {
  const View in = c.dense("input"), coefficients = c.view("coefficients"), out = c.denseOut();
  if (in.dim() < 1 || coefficients.dim() != 2 || coefficients.size(1) != in.size(0) ||
      coefficients.dtype != in.dtype)
    throw EvalError("shape-mismatch", "_compute_linear_combination: the sizes do not fit");
  const int64_t width = extentOf(in.sizes, 1, in.dim());
  Gemm g;
  g.dtype = g.out = in.dtype;
  g.m = coefficients.size(0);
  g.n = width;
  g.k = in.size(0);
  g.a = matricesOf(coefficients);
  g.b = {in.data, width, 1, 0};
  g.c = {out.data, width, 1, 0};
  gemm(g);
}

}  // namespace

void addDecompositionKernels(KernelTable& table) {
  table.fill("aten.linalg_qr.default", qr);
  table.fill("aten.geqrf.default", geqrf);
  table.fill("aten.linalg_householder_product.default", householderProduct);
  table.fill("aten.ormqr.default", multiplyByReflections);
  table.fill("aten._linalg_eigh.default", eigh);
  table.fill("aten.linalg_eig.default", eig);
  table.fill("aten._linalg_eigvals.default", eigvals);
  table.fill("aten._linalg_svd.default", svd);
  table.fill("prims.svd.default", primsSvd);
  table.fill("aten.linalg_pinv.atol_rtol_tensor", pseudoInverse);
  table.fill("aten.linalg_polar.default", polar);
  table.fill("aten.linalg_matrix_sqrth.default", squareRoot);
  table.fill("aten.linalg_matrix_exp.default", matrixExponential);
  table.fill("aten._compute_linear_combination.default", linearCombination);
}

}  // namespace descry::runtime
