// The threads that kernels share.
#pragma once

#include <cstdint>
#include <functional>

namespace descry::runtime {

/// How many threads kernels use; at first as many as the machine has cores, or DESCRY_THREADS.
int threadCount();
void setThreadCount(int count);

/// Calls body(begin, end) on parts of [begin, end), on several threads when there are more than `grain`
/// steps. Parts do not depend on how many threads there are free, so results are the same in each run. What a
/// body throws is thrown here. Inside of a body everything runs on its thread.
void parallelFor(int64_t begin, int64_t end, int64_t grain,
                 const std::function<void(int64_t, int64_t)>& body);

}  // namespace descry::runtime
