#include "importers/common/gzip.h"

#include <zlib.h>

#include "tests/importers/support.h"

namespace descry::importers::test {
namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(Gzip, SeveralMembersAreOneText) {
  std::string damaged;
  const auto out = gunzip(gzip("abc") + gzip("def") + std::string(512, '\0'), damaged);
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(*out, "abcdef");
  EXPECT_EQ(damaged, "");
}

TEST(Gzip, WhatFollowsTheDataIsSaid) {
  std::string damaged;
  const auto out = gunzip(gzip("abc") + "garbage", damaged);
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(*out, "abc");
  EXPECT_NE(damaged, "");
  const Folder folder;
  const auto input =
      openText(folder, gzip(record("\"aot_joint_graph\": {}, " + kId, kGraph)) + "garbage", "x.log.gz");
  EXPECT_TRUE(input->readInPart());
  EXPECT_EQ(input->graphs().size(), 1u);
}

TEST(Gzip, BinaryDataIsRefusedBeforeAllOfItIsUnpacked) {
  const Folder folder;
  const auto input = openInput(folder.write("x.gz", gzip(std::string(300u << 20, '\0'))));
  ASSERT_FALSE(input.ok());
  EXPECT_EQ(input.error().code, "not-recognised");
  EXPECT_EQ(gunzipHead(gzip("abcdef"), 4).substr(0, 4), "abcd");
}

TEST(Gzip, TheRatioCountsWhatWasReadSoFar) {
  // The noise behind the bomb would make its ratio small, too late.
  std::string text(8u << 20, 'a');
  uint32_t seed = 1;
  for (int i = 0; i < 1 << 20; ++i) text += static_cast<char>((seed = seed * 1664525u + 1013904223u) >> 24);
  std::string damaged;
  GzipLimits limits;
  limits.freeBytes = 1u << 20;
  EXPECT_EQ(gunzip(gzip(text), damaged, limits).error().code, "too-large");
}

TEST(Gzip, ALogCutInTheMiddleGivesWhatCanBeRead) {
  const Folder folder;
  std::string log;
  for (int i = 0; i < 200; ++i)
    log += record("\"aot_joint_graph\": {}, \"frame_id\": " + std::to_string(i * 7919), kGraph);
  const std::string packed = gzip(log);
  const auto input = openText(folder, packed.substr(0, packed.size() / 2), "x.log.gz");
  EXPECT_TRUE(hasCode(input->diagnostics(), "gzip-damaged"));
  EXPECT_GT(input->graphs().size(), 20u);
  EXPECT_LT(input->graphs().size(), 200u);
}

TEST(Gzip, DamagedFromTheStart) {
  const Folder folder;
  const auto input = openInput(folder.write("x.gz", "\x1f\x8b garbage that is no deflate data"));
  ASSERT_FALSE(input.ok());
  EXPECT_EQ(input.error().code, "gzip-damaged");
}

TEST(Gzip, ABombIsRefused) {
  const std::string bomb = gzip(std::string(8u << 20, 'a'));
  std::string damaged;
  GzipLimits limits;
  limits.freeBytes = 1u << 20;
  limits.ratio = 10;
  const auto out = gunzip(bomb, damaged, limits);
  ASSERT_FALSE(out.ok());
  EXPECT_EQ(out.error().code, "too-large");
}

}  // namespace
}  // namespace descry::importers::test
