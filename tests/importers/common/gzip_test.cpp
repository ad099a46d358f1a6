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
  const auto out = gunzip(gzip("abc") + gzip("def") + "tail", damaged);
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(*out, "abcdef");
  EXPECT_EQ(damaged, "");
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
