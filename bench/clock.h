// Clocks of the benchmarks.
#pragma once

#include <ctime>

namespace descry::bench {

/// Processor seconds of this process so far, all threads.
inline double cpuNow() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace descry::bench
