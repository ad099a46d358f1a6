// StringTable: each distinct text is stored once and named by a 32-bit id.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "ir/support/append_store.h"

namespace descry::ir {

/// Id of an interned text. Id 0 is the empty text.
struct StrId {
  uint32_t index = 0;
  friend bool operator==(StrId, StrId) = default;
  explicit operator bool() const { return index != 0; }
};

/// Threads: `intern` locks; `view` of an id that was handed to this thread needs no lock.
/// Views stay valid as long as the table lives.
class StringTable {
 public:
  StringTable();
  ~StringTable();

  StrId intern(std::string_view text);
  /// The id of a text that is already there, else false.
  bool find(std::string_view text, StrId& id) const;
  std::string_view view(StrId id) const { return views_[id.index]; }
  uint32_t size() const { return views_.size(); }
  /// Room for so many texts in all, so that the index need not grow on the way there.
  void reserve(uint32_t texts);
  /// Bytes held by texts and index.
  size_t bytes() const;

 private:
  std::string_view store(std::string_view text);
  void setSlots(size_t count);

  AppendStore<std::string_view> views_;
  std::vector<uint64_t> slots_;  // open addressing: hash in the high half, id + 1 in the low half
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t blockUsed_ = 0;
  size_t blockSize_ = 0;
  size_t textBytes_ = 0;
  mutable std::mutex mutex_;
};

/// The hash that the table uses; callers that look names up in tables of their own share it.
inline uint64_t hashText(std::string_view text) {
  // Eight bytes at a time with a multiply and fold (wyhash's idea); graph names are 5-40 bytes long.
  uint64_t h = 0x9E3779B97F4A7C15ull ^ text.size();
  const char* p = text.data();
  size_t n = text.size();
  auto mix = [&h](uint64_t v) {
    const __uint128_t m = static_cast<__uint128_t>(h ^ v) * 0xA0761D6478BD642Full;
    h = static_cast<uint64_t>(m) ^ static_cast<uint64_t>(m >> 64);
  };
  while (n >= 8) {
    uint64_t v;
    __builtin_memcpy(&v, p, 8);
    mix(v);
    p += 8;
    n -= 8;
  }
  if (n) {
    uint64_t v = 0;
    __builtin_memcpy(&v, p, n);
    mix(v);
  }
  return h;
}

}  // namespace descry::ir
