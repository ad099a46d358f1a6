#include "session/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "session/exports.h"
#include "tests/session/graphs.h"

namespace descry::session {
namespace {

namespace fs = std::filesystem;

class AtomicFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("descry_atomic_file_test." + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "sub");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string at(const char* name) const { return (folder_ / name).string(); }
  std::string read(const char* name) const {
    std::ostringstream out;
    out << std::ifstream(at(name)).rdbuf();
    return out.str();
  }

  fs::path folder_;
};

TEST_F(AtomicFile, WritesThroughLinks) {
  ASSERT_TRUE(writeFileAtomically(at("sub/real"), "old"));
  fs::create_symlink("sub/real", at("near"));
  fs::create_symlink(at("near"), at("far"));
  ASSERT_TRUE(writeFileAtomically(at("far"), "new"));
  EXPECT_TRUE(fs::is_symlink(at("far")));
  EXPECT_TRUE(fs::is_symlink(at("near")));
  EXPECT_EQ(read("sub/real"), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "sub"), fs::directory_iterator()), 1);
}

TEST_F(AtomicFile, MakesTheTargetOfADanglingLink) {
  fs::create_symlink("sub/later", at("link"));
  ASSERT_TRUE(writeFileAtomically(at("link"), "x"));
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(read("sub/later"), "x");
  fs::create_symlink("nowhere/later", at("lost"));
  EXPECT_EQ(writeFileAtomically(at("lost"), "x").error().code, "cannot-write");
}

TEST_F(AtomicFile, LinksInACircleAreAnError) {
  fs::create_symlink("b", at("a"));
  fs::create_symlink("a", at("b"));
  const ir::Status status = writeFileAtomically(at("a"), "x");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, "cannot-write");
  EXPECT_TRUE(fs::is_symlink(at("a")));
}

TEST_F(AtomicFile, SameFileSeesThroughNames) {
  ASSERT_TRUE(writeFileAtomically(at("a"), "x"));
  ASSERT_TRUE(writeFileAtomically(at("b"), "x"));
  fs::create_hard_link(at("a"), at("hard"));
  fs::create_symlink("a", at("soft"));
  EXPECT_TRUE(sameFile(at("a"), at("sub/../a")));
  EXPECT_TRUE(sameFile(at("a"), at("hard")));
  EXPECT_TRUE(sameFile(at("soft"), at("hard")));
  EXPECT_FALSE(sameFile(at("a"), at("b")));
  EXPECT_FALSE(sameFile(at("none"), at("none")));
}

TEST_F(AtomicFile, ExportsDoNotOverwriteTheirGraph) {
  ASSERT_TRUE(writeFileAtomically(at("in.txt"), kJoint));
  const auto document = Document::open(at("in.txt"));
  ASSERT_TRUE(document);
  const auto graph = (*document)->graph("");
  ASSERT_TRUE(graph);
  fs::create_symlink("in.txt", at("soft.json"));
  ExportRequest request;
  request.format = "json";
  request.path = at("soft.json");
  EXPECT_EQ(exportGraph(**graph, request).error().code, "output-is-input");
  EXPECT_EQ(read("in.txt"), kJoint);
  request.path = at("out.json");
  EXPECT_TRUE(exportGraph(**graph, request));
}

TEST(ExportCommand, LeavesOutWhatTheFormatIgnores) {
  const auto g = load(kJoint);
  ExportRequest r;
  r.format = "json";
  r.path = "x.json";
  r.theme = "dark";
  r.scene.leftToRight = true;
  EXPECT_EQ(exportCommandLine(*g, r), "descry export test.txt::graph --format json -o x.json");
  r.format = "svg";
  EXPECT_NE(exportCommandLine(*g, r).find("--theme dark --left-to-right"), std::string::npos);
}

TEST(Exports, FoldsThatNameNoGroupAreTold) {
  const auto g = load(kJoint);
  ExportRequest r;
  r.format = "svg";
  r.scene.groupBy = GroupBy::Phase;
  r.scene.folded = {"forward", "nope"};
  std::vector<std::string> unknown;
  ASSERT_TRUE(exportGraph(*g, r, &unknown));
  EXPECT_EQ(unknown, std::vector<std::string>{"nope"});
}

}  // namespace
}  // namespace descry::session
