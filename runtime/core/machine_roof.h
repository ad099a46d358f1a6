// What the machine can do at most, measured in this process: how fast it copies, how fast it multiplies.
#pragma once

#include <functional>
#include <string>

namespace descry::runtime {

/// With as many threads as kernels use.
struct MachineRoof {
  int threads = 1;
  double copyBytesPerSecond = 0;      ///< read and written, of memory far larger than the caches
  double flopsF32 = 0, flopsF64 = 0;  ///< operations a second: fused multiply-adds count two
  std::string vectors;                ///< "avx512", "avx2", "portable"
};

/// Takes about `seconds`, and 128 MiB; without these bytes copies are 0: not known. The best of what was
/// tried counts: the roof is what is possible.
MachineRoof measureRoof(double seconds = 0.6, const std::function<bool()>& cancelled = {});

}  // namespace descry::runtime
