#include "importers/common/md5.h"

#include <gtest/gtest.h>

namespace descry::importers {
namespace {

// RFC 1321, appendix A.5.
TEST(Md5, TestSuiteOfTheRfc) {
  EXPECT_EQ(md5Hex(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(md5Hex("a"), "0cc175b9c0f1b6a831c399e269772661");
  EXPECT_EQ(md5Hex("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(md5Hex("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(md5Hex("abcdefghijklmnopqrstuvwxyz"), "c3fcd3d76192e4007dfb496cca67e13b");
  EXPECT_EQ(md5Hex("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
            "57edf4a22be3c955ac49da2e2107b67a");
}

TEST(Md5, PartsGiveTheSameSumAsTheWhole) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += static_cast<char>(i);
  for (const size_t cut : {0u, 1u, 55u, 56u, 63u, 64u, 65u, 127u, 999u}) {
    Md5 sum;
    sum.add(std::string_view(text).substr(0, cut));
    sum.add(std::string_view(text).substr(cut));
    EXPECT_EQ(hex(sum.finish()), "cbecbdb0fdd5cec1e242493b6008cc79") << cut;
  }
}

}  // namespace
}  // namespace descry::importers
