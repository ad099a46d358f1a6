#include "importers/common/md5.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace descry::importers {
namespace {

// floor(2^32 * abs(sin(i + 1))), RFC 1321.
constexpr uint32_t kSines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
constexpr int kShifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

}  // namespace

void Md5::block(const uint8_t* data) {
  uint32_t word[16];
  for (int i = 0; i < 16; ++i)
    word[i] = data[4 * i] | data[4 * i + 1] << 8 | data[4 * i + 2] << 16 |
              static_cast<uint32_t>(data[4 * i + 3]) << 24;
  uint32_t a = state_[0], b = state_[1], c = state_[2], d = state_[3];
  const auto step = [&](uint32_t f, int i, int g, int shift) {
    const uint32_t next = b + std::rotl(a + f + kSines[i] + word[g], shift);
    a = d;
    d = c;
    c = b;
    b = next;
  };
  for (int i = 0; i < 16; ++i) step((b & c) | (~b & d), i, i, kShifts[0][i & 3]);
  for (int i = 16; i < 32; ++i) step((d & b) | (~d & c), i, (5 * i + 1) & 15, kShifts[1][i & 3]);
  for (int i = 32; i < 48; ++i) step(b ^ c ^ d, i, (3 * i + 5) & 15, kShifts[2][i & 3]);
  for (int i = 48; i < 64; ++i) step(c ^ (b | ~d), i, (7 * i) & 15, kShifts[3][i & 3]);
  state_[0] += a;
  state_[1] += b;
  state_[2] += c;
  state_[3] += d;
}

void Md5::add(std::string_view bytes) {
  const uint8_t* at = reinterpret_cast<const uint8_t*>(bytes.data());
  size_t left = bytes.size();
  length_ += left;
  if (restSize_) {
    const size_t take = std::min(left, 64 - restSize_);
    std::memcpy(rest_ + restSize_, at, take);
    restSize_ += take;
    at += take;
    left -= take;
    if (restSize_ < 64) return;
    block(rest_);
    restSize_ = 0;
  }
  for (; left >= 64; at += 64, left -= 64) block(at);
  if (left) std::memcpy(rest_, at, left);
  restSize_ = left;
}

std::array<uint8_t, 16> Md5::finish() {
  const uint64_t bits = length_ * 8;
  add(std::string_view("\x80", 1));
  while (restSize_ != 56) add(std::string_view("\0", 1));
  char tail[8];
  for (int i = 0; i < 8; ++i) tail[i] = static_cast<char>(bits >> (8 * i));
  add({tail, 8});
  std::array<uint8_t, 16> out;
  for (int i = 0; i < 16; ++i) out[i] = static_cast<uint8_t>(state_[i / 4] >> (8 * (i % 4)));
  return out;
}

std::string hex(const std::array<uint8_t, 16>& sum) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const uint8_t byte : sum) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::string md5Hex(std::string_view bytes) {
  Md5 sum;
  sum.add(bytes);
  return hex(sum.finish());
}

}  // namespace descry::importers
