// The allocator of storages: blocks are kept and used again, large ones lie in huge pages.
#pragma once

#include <cstddef>
#include <cstdint>

namespace descry::runtime {

struct MemoryCounts {
  uint64_t inUse = 0, peak = 0;  ///< bytes of storages
  uint64_t cached = 0;           ///< bytes kept for later
  uint64_t allocations = 0, reused = 0;
};

/// Aligned to 64 bytes; `capacity` is what the block really holds. Throws `out-of-memory` when more than the
/// cap would be in use, or the system has no more.
std::byte* allocateBytes(size_t bytes, size_t& capacity);
void releaseBytes(std::byte* block, size_t capacity);

/// Bytes of storages that may be in use at once; 0: no cap of our own.
void setMemoryCap(uint64_t bytes);
/// Bytes that storages can have in all without taking memory from others; 0 where the system does not say.
uint64_t availableMemory();
MemoryCounts memoryCounts();
/// The peak is counted from here on.
void resetPeak();
/// Gives what is kept back to the system.
void trimMemory();

}  // namespace descry::runtime
