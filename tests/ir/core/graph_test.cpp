// The graph: order, uses, editing, snapshots, and the tables below it.
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "ir/core/graph.h"
#include "ir/support/python_text.h"

namespace {

using namespace descry::ir;

struct Chain {
  Graph graph{std::make_shared<Context>(), "g"};
  NodeId x, y;
  Chain() {
    x = graph.addPlaceholder("x");
    y = graph.addPlaceholder("y");
  }
  NodeId call(std::string_view target, std::vector<Argument> args) {
    Graph::NodeSpec spec;
    spec.target = target;
    spec.args = std::move(args);
    return graph.add(spec);
  }
};

TEST(Graph, NamesFollowTheTargetAndStayUnique) {
  Chain c;
  const NodeId a = c.call("torch.ops.aten.add.Tensor", {c.x, c.y});
  const NodeId b = c.call("torch.ops.aten.add.Tensor", {a, c.y});
  const NodeId d = c.call("torch.ops.aten.add.Tensor", {b, c.y});
  EXPECT_EQ(c.graph.nodeName(a), "add");
  EXPECT_EQ(c.graph.nodeName(b), "add_1");
  EXPECT_EQ(c.graph.nodeName(d), "add_2");
  EXPECT_EQ(c.graph.find("add_1"), b);
}

TEST(Graph, UsesFollowEdits) {
  Chain c;
  const NodeId a = c.call("torch.relu", {c.x});
  const NodeId b = c.call("torch.add", {a, Argument::list({a, Argument(2)})});
  EXPECT_EQ(c.graph.users(a), std::vector<NodeId>{b});
  EXPECT_EQ(c.graph.useCount(a), 2u);
  c.graph.replaceAllUses(a, c.y);
  EXPECT_FALSE(c.graph.hasUsers(a));
  EXPECT_EQ(c.graph.users(c.y), std::vector<NodeId>{b});
  EXPECT_EQ(c.graph.inputs(b), std::vector<NodeId>{c.y});
  c.graph.setArgs(b, {c.x}, {{"alpha", Argument(c.y)}});
  EXPECT_EQ(c.graph.inputs(b), (std::vector<NodeId>{c.x, c.y}));
  EXPECT_EQ(c.graph.kwargKey(b, 0), "alpha");
  c.graph.erase(a);
  EXPECT_FALSE(c.graph.contains(a));
  EXPECT_EQ(c.graph.size(), 3u);
}

TEST(Graph, OrderSurvivesMoves) {
  Chain c;
  const NodeId a = c.call("torch.relu", {c.x});
  const NodeId b = c.call("torch.sin", {c.x});
  c.graph.setOutput(Argument::tuple({a, b}));
  c.graph.moveBefore(b, a);
  std::vector<NodeId> order;
  for (NodeId id : c.graph.nodes()) order.push_back(id);
  EXPECT_EQ(order, (std::vector<NodeId>{c.x, c.y, b, a, c.graph.output()}));
}

TEST(Graph, ASnapshotDoesNotSeeLaterEdits) {
  Chain c;
  std::vector<NodeId> made;
  NodeId last = c.x;
  for (int i = 0; i < 5000; ++i) made.push_back(last = c.call("torch.ops.aten.sin.default", {last}));
  c.graph.setOutput(Argument::tuple({last}));
  const Graph before = c.graph;
  EXPECT_EQ(before.ownBytes(), 0u);
  c.graph.replaceAllUses(made[10], c.x);
  c.graph.rename(made[20], "renamed");
  EXPECT_EQ(before.inputs(made[11]), std::vector<NodeId>{made[10]});
  EXPECT_EQ(c.graph.inputs(made[11]), std::vector<NodeId>{c.x});
  EXPECT_EQ(before.nodeName(made[20]), "sin_20");
  EXPECT_FALSE(before.find("renamed").valid());
  // Only the chunks that changed were copied.
  EXPECT_LT(c.graph.ownBytes(), c.graph.bytes() / 2);
}

TEST(Graph, SnapshotsCanBeReadWhileTheOriginalChanges) {
  Chain c;
  NodeId last = c.x;
  for (int i = 0; i < 3000; ++i) last = c.call("torch.ops.aten.sin.default", {last});
  const Graph snapshot = c.graph;
  size_t seen = 0;
  std::thread reader([&] {
    for (int round = 0; round < 20; ++round) {
      seen = 0;
      for (NodeId id : snapshot.nodes()) seen += snapshot.inputs(id).size();
    }
  });
  for (int i = 0; i < 3000; ++i) last = c.call("torch.ops.aten.cos.default", {last});
  reader.join();
  EXPECT_EQ(seen, 3000u);
}

TEST(Graph, DeadCodeGoesWithItsInputs) {
  Chain c;
  const NodeId a = c.call("torch.relu", {c.x});
  const NodeId dead = c.call("torch.sin", {a});
  const NodeId deader = c.call("torch.cos", {dead});
  const NodeId kept = c.call("torch._assert", {c.y});
  c.graph.setOutput(Argument::tuple({a}));
  EXPECT_EQ(c.graph.eliminateDeadCode([&](NodeId id) { return id == kept; }), 2u);
  EXPECT_FALSE(c.graph.contains(dead));
  EXPECT_FALSE(c.graph.contains(deader));
  EXPECT_EQ(c.graph.users(a), std::vector<NodeId>{c.graph.output()});
}

TEST(Graph, LongListsSpanChunks) {
  Chain c;
  std::vector<Argument> items;
  for (int i = 0; i < 10000; ++i) items.emplace_back(i % 2 ? Argument(c.x) : Argument(int64_t{i}));
  const NodeId a = c.call("torch.stack", {Argument::list(items)});
  ASSERT_EQ(c.graph.arg(a, 0).size(), 10000u);
  EXPECT_EQ(c.graph.arg(a, 0)[9998].integer(), 9998);
  EXPECT_EQ(c.graph.arg(a, 0)[9999].node(), c.x);
  EXPECT_EQ(c.graph.useCount(c.x), 5000u);
  EXPECT_EQ(c.graph.toArgument(c.graph.arg(a, 0)), Argument::list(items));
}

TEST(StringTable, ManyTextsKeepTheirIds) {
  StringTable table;
  std::vector<StrId> ids;
  for (int i = 0; i < 200000; ++i) ids.push_back(table.intern("name_" + std::to_string(i)));
  for (int i = 0; i < 200000; i += 777) {
    EXPECT_EQ(table.view(ids[static_cast<size_t>(i)]), "name_" + std::to_string(i));
    EXPECT_EQ(table.intern("name_" + std::to_string(i)), ids[static_cast<size_t>(i)]);
  }
  const std::string big(100000, 'z');
  const StrId id = table.intern(big);
  const StrId small = table.intern("after");
  EXPECT_EQ(table.view(id), big);
  EXPECT_EQ(table.view(small), "after");
}

// Expected texts: Python 3's own repr().
TEST(PythonText, FloatsPrintAsPythonDoes) {
  EXPECT_EQ(pythonFloat(0.1), "0.1");
  EXPECT_EQ(pythonFloat(1.0), "1.0");
  EXPECT_EQ(pythonFloat(-0.0), "-0.0");
  EXPECT_EQ(pythonFloat(1e-05), "1e-05");
  EXPECT_EQ(pythonFloat(0.0001), "0.0001");
  EXPECT_EQ(pythonFloat(1e16), "1e+16");
  EXPECT_EQ(pythonFloat(9999999999999998.0), "9999999999999998.0");
  EXPECT_EQ(pythonFloat(123456789012345680.0), "1.2345678901234568e+17");
  EXPECT_EQ(pythonFloat(0.7071067811865476), "0.7071067811865476");
  EXPECT_EQ(pythonFloat(5e-324), "5e-324");
  EXPECT_EQ(pythonFloat(HUGE_VAL), "inf");
  EXPECT_EQ(pythonFloat(-HUGE_VAL), "-inf");
  EXPECT_EQ(pythonFloat(NAN), "nan");
}

TEST(PythonText, StringsPrintAsPythonDoes) {
  EXPECT_EQ(pythonString("a"), "'a'");
  EXPECT_EQ(pythonString("it's"), "\"it's\"");
  EXPECT_EQ(pythonString("it's \"so\""), "'it\\'s \"so\"'");
  EXPECT_EQ(pythonString("a\\b\n\t\r"), "'a\\\\b\\n\\t\\r'");
  EXPECT_EQ(pythonString(std::string_view("\0\x7f", 2)), "'\\x00\\x7f'");
  EXPECT_EQ(pythonString("\xC3\xA9"), "'\xC3\xA9'");
  EXPECT_EQ(unescapePython("\\x41\\u00e9\\n\\'\\q\\101"), "A\xC3\xA9\n'\\qA");
}

TEST(PythonText, BadUtf8IsReplacedAndCounted) {
  size_t bad = 0;
  EXPECT_EQ(cleanUtf8("a\xFF\xC3\xA9\xED\xA0\x80", bad),
            "a\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(bad, 4u);
}

}  // namespace
