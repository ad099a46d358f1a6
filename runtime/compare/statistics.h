// What is in a tensor: extremes, mean, special values, histogram.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/core/tensor.h"

namespace descry::runtime {

/// Of the finite elements unless said otherwise; of complex numbers, of their absolute values.
struct ValueStatistics {
  int64_t count = 0;  ///< all elements
  int64_t finite = 0;
  int64_t nan = 0, plusInf = 0, minusInf = 0;
  int64_t zeros = 0, denormals = 0;                        ///< denormal in the tensor's own dtype
  double min = 0, max = 0, mean = 0, std = 0, absMax = 0;  ///< std of the population
  int64_t firstBad = -1;  ///< place of the first NaN or infinity in row-major order

  bool bad() const { return nan + plusInf + minusInf > 0; }
};
ValueStatistics statisticsOf(const Tensor& t);
/// Of two tensors as if they were one; places are those of the first.
ValueStatistics joined(const ValueStatistics& a, const ValueStatistics& b);

/// Counts of finite elements in equal parts from `low` to `high`.
struct Histogram {
  static constexpr size_t kBins = 64;
  double low = 0, high = 0;
  std::array<int64_t, kBins> counts{};
};
/// Between the extremes of the tensor, or in a given range; elements outside are not counted.
Histogram histogramOf(const Tensor& t, const ValueStatistics& statistics);
Histogram histogramOf(const Tensor& t, double low, double high);

}  // namespace descry::runtime
