#include "ir/support/string_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace descry::ir {

StringTable::StringTable() : slots_(256, 0) {
  intern("");
}
StringTable::~StringTable() = default;

std::string_view StringTable::store(std::string_view text) {
  if (text.empty()) return {};
  textBytes_ += text.size();
  if (text.size() > 16384) {  // big texts get a block of their own, so that blocks are not left half empty
    auto block = std::make_unique<char[]>(text.size());
    std::memcpy(block.get(), text.data(), text.size());
    const std::string_view kept(block.get(), text.size());
    blocks_.insert(blocks_.begin(), std::move(block));
    return kept;
  }
  if (blockUsed_ + text.size() > blockSize_) {
    blockSize_ = std::max(std::clamp<size_t>(blockSize_ * 2, 4096, 1 << 20), text.size());
    blocks_.push_back(std::make_unique<char[]>(blockSize_));
    blockUsed_ = 0;
  }
  char* at = blocks_.back().get() + blockUsed_;
  std::memcpy(at, text.data(), text.size());
  blockUsed_ += text.size();
  return {at, text.size()};
}

void StringTable::reserve(uint32_t texts) {
  const std::lock_guard lock(mutex_);
  const size_t count = std::bit_ceil(size_t{texts} * 10 / 6 + 1);
  if (count > slots_.size()) setSlots(count);
}

void StringTable::setSlots(size_t count) {
  std::vector<uint64_t> bigger(count, 0);
  const size_t mask = bigger.size() - 1;
  for (uint32_t id = 0; id < views_.size(); ++id) {
    const uint64_t hash = hashText(views_[id]);
    size_t at = hash & mask;
    while (bigger[at]) at = (at + 1) & mask;
    bigger[at] = (hash & 0xFFFFFFFF00000000ull) | (id + 1);
  }
  slots_ = std::move(bigger);
}

StrId StringTable::intern(std::string_view text) {
  const uint64_t hash = hashText(text);
  const std::lock_guard lock(mutex_);
  size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  while (const uint64_t slot = slots_[at]) {
    if ((slot ^ hash) >> 32 == 0) {
      const uint32_t id = static_cast<uint32_t>(slot) - 1;
      if (views_[id] == text) return {id};
    }
    at = (at + 1) & mask;
  }
  const uint32_t id = views_.append(store(text));
  slots_[at] = (hash & 0xFFFFFFFF00000000ull) | (id + 1);
  if (views_.size() * 10 > slots_.size() * 6) setSlots(slots_.size() * 2);
  return {id};
}

bool StringTable::find(std::string_view text, StrId& id) const {
  const uint64_t hash = hashText(text);
  const std::lock_guard lock(mutex_);
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask; slots_[at]; at = (at + 1) & mask) {
    if ((slots_[at] ^ hash) >> 32 != 0) continue;
    const uint32_t found = static_cast<uint32_t>(slots_[at]) - 1;
    if (views_[found] == text) {
      id = {found};
      return true;
    }
  }
  return false;
}

size_t StringTable::bytes() const {
  const std::lock_guard lock(mutex_);
  return textBytes_ + slots_.size() * sizeof(uint64_t) + views_.size() * sizeof(std::string_view);
}

}  // namespace descry::ir
