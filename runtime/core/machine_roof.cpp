#include "runtime/core/machine_roof.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <vector>

#include "runtime/core/tensor.h"
#include "runtime/core/threads.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace descry::runtime {

using ir::eval::EvalError;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Chains of multiply-adds that do not wait for one another; each function tells how many operations it did.
/// What they compute is given back, so that no compiler leaves it out.
constexpr int kChains = 12;
constexpr int64_t kRounds = 2000;

#if defined(__x86_64__)
__attribute__((target("avx512f"))) double multiply512(bool wide, double& operations) {
  if (wide) {
    __m512d x[kChains];
    for (int i = 0; i < kChains; ++i) x[i] = _mm512_set1_pd(1.0 + i);
    const __m512d a = _mm512_set1_pd(0.999), b = _mm512_set1_pd(1e-3);
    for (int64_t r = 0; r < kRounds; ++r)
      for (int i = 0; i < kChains; ++i) x[i] = _mm512_fmadd_pd(x[i], a, b);
    double sum = 0, parts[8];
    for (int i = 0; i < kChains; ++i) {
      _mm512_storeu_pd(parts, x[i]);
      sum += parts[0];
    }
    operations = static_cast<double>(kRounds) * kChains * 16;
    return sum;
  }
  __m512 x[kChains];
  for (int i = 0; i < kChains; ++i) x[i] = _mm512_set1_ps(1.0f + static_cast<float>(i));
  const __m512 a = _mm512_set1_ps(0.999f), b = _mm512_set1_ps(1e-3f);
  for (int64_t r = 0; r < kRounds; ++r)
    for (int i = 0; i < kChains; ++i) x[i] = _mm512_fmadd_ps(x[i], a, b);
  float parts[16];
  double sum = 0;
  for (int i = 0; i < kChains; ++i) {
    _mm512_storeu_ps(parts, x[i]);
    sum += static_cast<double>(parts[0]);
  }
  operations = static_cast<double>(kRounds) * kChains * 32;
  return sum;
}

__attribute__((target("avx2,fma"))) double multiply256(bool wide, double& operations) {
  if (wide) {
    __m256d x[kChains];
    for (int i = 0; i < kChains; ++i) x[i] = _mm256_set1_pd(1.0 + i);
    const __m256d a = _mm256_set1_pd(0.999), b = _mm256_set1_pd(1e-3);
    for (int64_t r = 0; r < kRounds; ++r)
      for (int i = 0; i < kChains; ++i) x[i] = _mm256_fmadd_pd(x[i], a, b);
    double sum = 0, parts[4];
    for (int i = 0; i < kChains; ++i) {
      _mm256_storeu_pd(parts, x[i]);
      sum += parts[0];
    }
    operations = static_cast<double>(kRounds) * kChains * 8;
    return sum;
  }
  __m256 x[kChains];
  for (int i = 0; i < kChains; ++i) x[i] = _mm256_set1_ps(1.0f + static_cast<float>(i));
  const __m256 a = _mm256_set1_ps(0.999f), b = _mm256_set1_ps(1e-3f);
  for (int64_t r = 0; r < kRounds; ++r)
    for (int i = 0; i < kChains; ++i) x[i] = _mm256_fmadd_ps(x[i], a, b);
  float parts[8];
  double sum = 0;
  for (int i = 0; i < kChains; ++i) {
    _mm256_storeu_ps(parts, x[i]);
    sum += static_cast<double>(parts[0]);
  }
  operations = static_cast<double>(kRounds) * kChains * 16;
  return sum;
}
#endif

/// Arrays that any compiler makes vectors of.
template <class T>
double multiplyPlain(double& operations) {
  constexpr int kWide = 64;
  T x[kWide];
  for (int i = 0; i < kWide; ++i) x[i] = static_cast<T>(1 + i);
  for (int64_t r = 0; r < kRounds; ++r)
    for (int i = 0; i < kWide; ++i) x[i] = x[i] * T(0.999) + T(1e-3);
  double sum = 0;
  for (const T v : x) sum += static_cast<double>(v);
  operations = static_cast<double>(kRounds) * kWide * 2;
  return sum;
}

double multiply(const std::string& vectors, bool wide, double& operations) {
#if defined(__x86_64__)
  if (vectors == "avx512") return multiply512(wide, operations);
  if (vectors == "avx2") return multiply256(wide, operations);
#endif
  return wide ? multiplyPlain<double>(operations) : multiplyPlain<float>(operations);
}

std::string vectorsHere() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return "avx512";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "avx2";
#endif
  return "portable";
}

double bestFlops(const std::string& vectors, bool wide, int threads, double seconds,
                 const std::function<bool()>& cancelled) {
  constexpr int64_t kCalls = 64;
  double best = 0;
  const double end = now() + seconds;
  do {
    std::vector<double> operations(static_cast<size_t>(threads)), sums(static_cast<size_t>(threads));
    const double start = now();
    parallelFor(0, threads, 1, [&](int64_t from, int64_t to) {
      for (int64_t t = from; t < to; ++t) {
        double all = 0, sum = 0;
        for (int64_t c = 0; c < kCalls; ++c) {
          double n = 0;
          sum += multiply(vectors, wide, n);
          all += n;
        }
        operations[static_cast<size_t>(t)] = all;
        sums[static_cast<size_t>(t)] = sum;
      }
    });
    const double took = now() - start;
    double all = 0;
    for (const double n : operations) all += n;
    if (took > 0 && sums[0] != 0) best = std::max(best, all / took);
  } while (now() < end && !(cancelled && cancelled()));
  return best;
}

double bestCopy(double seconds, const std::function<bool()>& cancelled) {
  constexpr size_t kBytes = size_t{64} << 20;
  const Storage from(kBytes), to(kBytes);
  std::memset(from.data(), 1, kBytes);
  std::memset(to.data(), 0, kBytes);
  constexpr int64_t kPart = 1 << 20;
  double best = 0;
  const double end = now() + seconds;
  do {
    const double start = now();
    parallelFor(0, static_cast<int64_t>(kBytes) / kPart, 1, [&](int64_t a, int64_t b) {
      std::memcpy(to.data() + a * kPart, from.data() + a * kPart, static_cast<size_t>((b - a) * kPart));
    });
    const double took = now() - start;
    if (took > 0) best = std::max(best, 2.0 * static_cast<double>(kBytes) / took);
  } while (now() < end && !(cancelled && cancelled()));
  return best;
}

}  // namespace

MachineRoof measureRoof(double seconds, const std::function<bool()>& cancelled) {
  MachineRoof roof;
  roof.threads = threadCount();
  roof.vectors = vectorsHere();
  try {
    roof.copyBytesPerSecond = bestCopy(seconds / 3, cancelled);
  } catch (const EvalError&) {
    // Under a cap of memory there is no room to measure: what is not known is 0.
  } catch (const std::bad_alloc&) {
  }
  roof.flopsF32 = bestFlops(roof.vectors, false, roof.threads, seconds / 3, cancelled);
  roof.flopsF64 = bestFlops(roof.vectors, true, roof.threads, seconds / 3, cancelled);
  return roof;
}

}  // namespace descry::runtime
