#include "session/diff.h"

#include "tests/session/graphs.h"

namespace descry::session {
namespace {

std::string body(const std::string& statements, const std::string& result) {
  return "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[4]\", y: \"f32[4]\"):\n" +
         statements + "        return (" + result + ",)\n";
}

constexpr const char* kBase =
    "        a: \"f32[4]\" = torch.ops.aten.sin.default(x)\n"
    "        b: \"f32[4]\" = torch.ops.aten.mul.Tensor(a, 2)\n"
    "        c: \"f32[4]\" = torch.ops.aten.add.Tensor(b, y)\n";

std::string states(const GraphDiff& d) {
  std::string out;
  for (const NodeDiff& n : d.nodes) {
    if (n.state == DiffState::Same) continue;
    const std::string_view name =
        n.after ? d.after->graph->nodeName(n.after) : d.before->graph->nodeName(n.before);
    out += (out.empty() ? "" : " ") + std::string(name) + ":" + std::string(diffStateName(n.state));
  }
  return out;
}

TEST(Diff, EqualGraphsAreIdentical) {
  const GraphDiff d = diffGraphs(load(kJoint), load(kJoint));
  EXPECT_TRUE(d.identical());
  EXPECT_EQ(states(d), "");
  EXPECT_EQ(d.same, d.nodes.size());
}

TEST(Diff, NamesTheFieldThatChanged) {
  std::string changed = kBase;
  changed.replace(changed.find("(a, 2)"), 6, "(a, 3)");
  const GraphDiff d = diffGraphs(load(body(kBase, "c")), load(body(changed, "c")));
  EXPECT_EQ(states(d), "b:changed");
  for (const NodeDiff& n : d.nodes) {
    if (n.state != DiffState::Changed) continue;
    ASSERT_EQ(n.changes.size(), 1u);
    EXPECT_EQ(n.changes[0].field, "arguments");
    EXPECT_EQ(n.changes[0].before, "(a, 2)");
    EXPECT_EQ(n.changes[0].after, "(a, 3)");
  }
  EXPECT_FALSE(d.identical());
}

TEST(Diff, InsertedNodeDoesNotDisturbNumbering) {
  // PyTorch would number the second multiplication mul_1 in one graph and mul_2 in the other.
  const std::string before =
      "        mul: \"f32[4]\" = torch.ops.aten.mul.Tensor(x, 2)\n"
      "        mul_1: \"f32[4]\" = torch.ops.aten.mul.Tensor(mul, y)\n"
      "        cos: \"f32[4]\" = torch.ops.aten.cos.default(mul_1)\n";
  const std::string after =
      "        mul: \"f32[4]\" = torch.ops.aten.mul.Tensor(x, 2)\n"
      "        mul_1: \"f32[4]\" = torch.ops.aten.mul.Tensor(y, 5)\n"
      "        mul_2: \"f32[4]\" = torch.ops.aten.mul.Tensor(mul, y)\n"
      "        cos: \"f32[4]\" = torch.ops.aten.cos.default(mul_2)\n";
  const GraphDiff d = diffGraphs(load(body(before, "cos")), load(body(after, "cos")));
  EXPECT_EQ(states(d), "mul_1:added mul_2:renamed");
  EXPECT_TRUE(d.outputs.empty());
}

TEST(Diff, RemovedAddedMovedRenamed) {
  const GraphDiff removed = diffGraphs(
      load(body(std::string(kBase) + "        dead: \"f32[4]\" = torch.ops.aten.cos.default(x)\n", "c")),
      load(body(kBase, "c")));
  EXPECT_EQ(states(removed), "dead:removed");
  std::string renamed = kBase;
  renamed.replace(renamed.find("        a:"), 10, "        q:");
  renamed.replace(renamed.find("(a, 2)"), 6, "(q, 2)");
  EXPECT_EQ(states(diffGraphs(load(body(kBase, "c")), load(body(renamed, "c")))), "q:renamed");
  const std::string two =
      "        p: \"f32[4]\" = torch.ops.aten.sin.default(x)\n        q: \"f32[4]\" = "
      "torch.ops.aten.cos.default(y)\n"
      "        r: \"f32[4]\" = torch.ops.aten.tan.default(y)\n";
  const std::string swapped =
      "        q: \"f32[4]\" = torch.ops.aten.cos.default(y)\n        r: \"f32[4]\" = "
      "torch.ops.aten.tan.default(y)\n"
      "        p: \"f32[4]\" = torch.ops.aten.sin.default(x)\n";
  const GraphDiff moved = diffGraphs(load(body(two, "p, q, r")), load(body(swapped, "p, q, r")));
  EXPECT_EQ(states(moved), "p:moved");
}

TEST(Diff, ChangedOutputsAndTypes) {
  std::string typed = kBase;
  typed.replace(typed.find("c: \"f32[4]\""), 11, "c: \"f16[4]\"");
  const GraphDiff d = diffGraphs(load(body(kBase, "c")), load(body(typed, "c, b")));
  EXPECT_EQ(states(d), "c:changed");
  ASSERT_EQ(d.outputs.size(), 1u);
  EXPECT_EQ(d.outputs[0].after, "b");
}

TEST(Diff, EveryFormNamesTheChangeAndEscapes) {
  std::string changed = kBase;
  changed.replace(changed.find("(a, 2)"), 6, "(a, '<script>&')");
  const GraphDiff d = diffGraphs(load(body(kBase, "c")), load(body(changed, "c")));
  EXPECT_NE(diffText(d).find("~ b\n    arguments: (a, 2) => (a, '<script>&')"), std::string::npos)
      << diffText(d);
  for (const std::string& form : {diffSvg(d), diffHtml(d)}) {
    EXPECT_EQ(form.find("<script>"), std::string::npos);
    EXPECT_NE(form.find("&lt;script"), std::string::npos);
  }
}

TEST(Diff, TenThousandNodesInTime) {
  std::string before, after, last = "x";
  for (int i = 0; i < 10000; ++i) {
    const std::string name = "n" + std::to_string(i);
    const std::string line =
        ": \"f32[4]\" = torch.ops.aten.add.Tensor(" + last + ", " + std::to_string(i % 7) + ")\n";
    before += "        " + name + line;
    after += "        " + name + line;
    last = name;
  }
  after += "        extra: \"f32[4]\" = torch.ops.aten.sin.default(" + last + ")\n";
  const GraphDiff d = diffGraphs(load(body(before, last)), load(body(after, "extra")));
  EXPECT_EQ(states(d), "extra:added");
  EXPECT_EQ(d.outputs.size(), 1u);
}

/// What `diff -u` of GNU diffutils prints for the same files.
TEST(DiffLines, UnifiedFormIsThatOfDiff) {
  const std::string a = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";
  const std::string b = "one\ntwo\n3\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
  EXPECT_EQ(unifiedDiff(diffLines(a, b), "a", "b", 1),
            "--- a\n+++ b\n@@ -2,3 +2,3 @@\n two\n-three\n+3\n four\n@@ -9,1 +9,2 @@\n nine\n+ten\n");
  EXPECT_EQ(unifiedDiff(diffLines(a, a), "a", "b"), "");
  EXPECT_EQ(unifiedDiff(diffLines("", "x\n"), "a", "b"), "--- a\n+++ b\n@@ -0,0 +1,1 @@\n+x\n");
}

TEST(DiffLines, LinesAddUp) {
  const std::string a = "x\nx\ny\nx\nz\nz\nq\n", b = "x\ny\ny\nx\nz\nr\nq\nz\n";
  std::string left, right;
  for (const LineDiff& l : diffLines(a, b)) {
    if (l.kind != LineDiff::Kind::Added) left += std::string(l.text) + "\n";
    if (l.kind != LineDiff::Kind::Removed) right += std::string(l.text) + "\n";
  }
  EXPECT_EQ(left, a);
  EXPECT_EQ(right, b);
}

}  // namespace
}  // namespace descry::session
