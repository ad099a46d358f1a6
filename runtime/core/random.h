// Random streams: that of PyTorch's CPU generator (mt19937), and Philox 4x32-10 as CUDA and functionalized
// random ops use it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace descry::runtime {

/// at::CPUGeneratorImpl: MT19937 seeded as by Knuth's initialization, with the second sample of a pair of
/// normal numbers kept.
class Generator {
 public:
  static constexpr uint64_t kDefaultSeed = 67280421310721;  // of c10
  explicit Generator(uint64_t seed = kDefaultSeed) { this->seed(seed); }
  void seed(uint64_t seed);
  uint64_t initialSeed() const { return seed_; }

  uint32_t random32();
  uint64_t random64();
  /// [0, 1) of 24 or 53 random bits.
  float uniformFloat() { return static_cast<float>(random32() & 0xFFFFFF) * 0x1p-24f; }
  double uniformDouble() { return static_cast<double>(random64() & ((uint64_t{1} << 53) - 1)) * 0x1p-53; }
  /// Box-Muller in double, two at a time (at::normal_distribution<double>).
  double normal(double mean, double std);

 private:
  void refill();
  uint64_t seed_ = 0;
  std::array<uint32_t, 624> state_{};
  int left_ = 1;
  uint32_t next_ = 0;
  std::optional<double> kept_;
};

/// Philox 4x32 with 10 rounds (Salmon et al., SC 2011): four words for a key and a counter.
std::array<uint32_t, 4> philox(uint64_t key, uint64_t counterLow, uint64_t counterHigh);

}  // namespace descry::runtime
