// CowVector<T>: a list in chunks that copies share until one of them writes, which makes snapshots cheap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace descry::ir {

/// Elements of one chunk lie side by side. T must be trivially copyable.
/// Copying costs one shared pointer per chunk; the first write to a shared chunk copies that chunk.
/// Threads: a snapshot may be read while another copy is written; one object is not for two writers.
template <class T, unsigned kChunkBits = 10>
class CowVector {
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr uint32_t kChunk = 1u << kChunkBits;
  static constexpr uint32_t kMask = kChunk - 1;
  struct Chunk {
    T data[kChunk];
  };

 public:
  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  const T& operator[](uint32_t index) const { return raw_[index >> kChunkBits]->data[index & kMask]; }

  T& edit(uint32_t index) {
    const uint32_t c = index >> kChunkBits;
    own(c);
    return raw_[c]->data[index & kMask];
  }

  uint32_t push(const T& value) {
    const uint32_t index = size_;
    reserveFor(index);
    own(index >> kChunkBits);
    raw_[index >> kChunkBits]->data[index & kMask] = value;
    ++size_;
    return index;
  }

  /// Appends `count` elements that will lie side by side if count <= one chunk, and returns the index of
  /// the first. Longer runs are only consecutive by index: read them element by element.
  uint32_t pushRun(const T* values, uint32_t count) {
    if (count == 0) return size_;
    if (count <= kChunk && (size_ & kMask) + count > kChunk) {
      const uint32_t next = (size_ & ~kMask) + kChunk;  // leave the tail of this chunk unused
      while (size_ < next) push(T{});
    }
    const uint32_t first = size_;
    for (uint32_t i = 0; i < count;) {
      reserveFor(size_);
      own(size_ >> kChunkBits);
      const uint32_t room = std::min(kChunk - (size_ & kMask), count - i);
      std::copy_n(values + i, room, raw_[size_ >> kChunkBits]->data + (size_ & kMask));
      size_ += room;
      i += room;
    }
    return first;
  }

  /// The part of [first, first + count) that lies in the chunk of `first`.
  std::span<const T> run(uint32_t first, uint32_t count) const {
    if (count == 0) return {};
    const uint32_t room = std::min(count, kChunk - (first & kMask));
    return {raw_[first >> kChunkBits]->data + (first & kMask), room};
  }

  void clear() {
    chunks_.clear();
    raw_.clear();
    size_ = 0;
  }

  /// Bytes of all chunks, and of those that no other copy shares.
  size_t bytes() const { return chunks_.size() * sizeof(Chunk); }
  size_t ownBytes() const {
    size_t n = 0;
    for (const auto& c : chunks_) n += c.use_count() == 1 ? sizeof(Chunk) : 0;
    return n;
  }

 private:
  void reserveFor(uint32_t index) {
    if ((index >> kChunkBits) == chunks_.size()) {
      chunks_.push_back(std::make_shared_for_overwrite<Chunk>());
      raw_.push_back(chunks_.back().get());
    }
  }
  void own(uint32_t c) {
    if (chunks_[c].use_count() == 1) return;
    chunks_[c] = std::make_shared<Chunk>(*chunks_[c]);
    raw_[c] = chunks_[c].get();
  }

  std::vector<std::shared_ptr<Chunk>> chunks_;
  std::vector<Chunk*> raw_;  // saves one load per access
  uint32_t size_ = 0;
};

}  // namespace descry::ir
