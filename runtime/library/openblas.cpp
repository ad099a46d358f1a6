#include "runtime/library/openblas.h"

#if defined(__unix__)
#include <dlfcn.h>
#endif

namespace descry::runtime::library {

namespace {

// As cblas.h declares them; the header is not needed for that.
constexpr int kRowMajor = 101, kPlain = 111, kTransposed = 112;
template <class P>
using Cblas = void (*)(int order, int a, int b, int m, int n, int k, P alpha, const P* left, int lda,
                       const P* right, int ldb, P beta, P* c, int ldc);
Cblas<float> sgemm = nullptr;
Cblas<double> dgemm = nullptr;

template <class P>
void multiply(Cblas<P> gemm, bool ta, bool tb, int64_t m, int64_t n, int64_t k, P alpha, const P* a,
              int64_t lda, const P* b, int64_t ldb, P beta, P* c, int64_t ldc) {
  gemm(kRowMajor, ta ? kTransposed : kPlain, tb ? kTransposed : kPlain, static_cast<int>(m),
       static_cast<int>(n), static_cast<int>(k), alpha, a, static_cast<int>(lda), b, static_cast<int>(ldb),
       beta, c, static_cast<int>(ldc));
}

void single(bool ta, bool tb, int64_t m, int64_t n, int64_t k, float alpha, const float* a, int64_t lda,
            const float* b, int64_t ldb, float beta, float* c, int64_t ldc) {
  multiply(sgemm, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void twice(bool ta, bool tb, int64_t m, int64_t n, int64_t k, double alpha, const double* a, int64_t lda,
           const double* b, int64_t ldb, double beta, double* c, int64_t ldc) {
  multiply(dgemm, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

bool load() {
#if defined(__unix__)
  void* const handle = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return false;
  sgemm = reinterpret_cast<Cblas<float>>(dlsym(handle, "cblas_sgemm"));
  dgemm = reinterpret_cast<Cblas<double>>(dlsym(handle, "cblas_dgemm"));
  const auto threads = reinterpret_cast<void (*)(int)>(dlsym(handle, "openblas_set_num_threads"));
  if (!sgemm || !dgemm || !threads) return false;
  // Its own threads would be more than the machine has cores.
  threads(1);
  return true;
#else
  return false;
#endif
}

}  // namespace

Products openBlasProducts() {
  static const bool there = load();
  return there ? Products{single, twice} : Products{};
}

}  // namespace descry::runtime::library
