#include "runtime/core/random.h"

#include <cmath>

namespace descry::runtime {

void Generator::seed(uint64_t seed) {
  seed_ = seed;
  state_[0] = static_cast<uint32_t>(seed);
  for (uint32_t i = 1; i < 624; ++i) state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
  left_ = 1;
  next_ = 0;
  kept_.reset();
}

void Generator::refill() {
  const auto twist = [](uint32_t u, uint32_t v) {
    return (((u & 0x80000000u) | (v & 0x7FFFFFFFu)) >> 1) ^ ((v & 1) ? 0x9908B0DFu : 0u);
  };
  for (size_t i = 0; i < 624; ++i)
    state_[i] = state_[(i + 397) % 624] ^ twist(state_[i], state_[(i + 1) % 624]);
  left_ = 624;
  next_ = 0;
}

uint32_t Generator::random32() {
  if (--left_ == 0) refill();
  uint32_t y = state_[next_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9D2C5680u;
  y ^= (y << 15) & 0xEFC60000u;
  y ^= y >> 18;
  return y;
}

uint64_t Generator::random64() {
  const uint64_t high = random32();
  return high << 32 | random32();
}

double Generator::normal(double mean, double std) {
  if (kept_) {
    const double n = *kept_;
    kept_.reset();
    return n * std + mean;
  }
  const double u1 = uniformDouble(), u2 = uniformDouble();
  const double r = std::sqrt(-2.0 * std::log1p(-u2)), theta = 2.0 * M_PI * u1;
  kept_ = r * std::sin(theta);
  return r * std::cos(theta) * std + mean;
}

std::array<uint32_t, 4> philox(uint64_t key, uint64_t counterLow, uint64_t counterHigh) {
  uint32_t k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
  std::array<uint32_t, 4> c = {static_cast<uint32_t>(counterLow), static_cast<uint32_t>(counterLow >> 32),
                               static_cast<uint32_t>(counterHigh), static_cast<uint32_t>(counterHigh >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53u} * c[0], b = uint64_t{0xCD9E8D57u} * c[2];
    c = {static_cast<uint32_t>(b >> 32) ^ c[1] ^ k0, static_cast<uint32_t>(b),
         static_cast<uint32_t>(a >> 32) ^ c[3] ^ k1, static_cast<uint32_t>(a)};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}

}  // namespace descry::runtime
