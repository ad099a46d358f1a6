// MD5, because trace logs carry it for every payload. Not for anything that needs safety.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace descry::importers {

class Md5 {
 public:
  void add(std::string_view bytes);
  /// Ends the sum. The object cannot be used again.
  std::array<uint8_t, 16> finish();

 private:
  void block(const uint8_t* data);
  uint32_t state_[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  uint64_t length_ = 0;
  uint8_t rest_[64];
  size_t restSize_ = 0;
};

/// 32 lower-case hexadecimal digits.
std::string hex(const std::array<uint8_t, 16>& sum);
std::string md5Hex(std::string_view bytes);

}  // namespace descry::importers
