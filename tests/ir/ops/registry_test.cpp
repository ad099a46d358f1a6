// The op table: complete for what real graphs name, consistent with PyTorch, quick to build.
#include "ir/ops/registry.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

namespace descry::ir {
namespace {

std::vector<std::string> lines(const char* name) {
  std::ifstream in(std::string(DESCRY_SOURCE_DIR "/tests/data/") + name);
  std::vector<std::string> out;
  std::string line;
  while (std::getline(in, line))
    if (!line.empty() && line[0] != '#') out.push_back(line);
  return out;
}

TEST(Ops, EverySchemaParsesAndPrintsTheSame) {
  size_t count = 0;
  for (const OpDef& op : allOps().all()) {
    const Result<Schema> s = parseSchema(op.text());
    ASSERT_TRUE(s.ok()) << op.text() << "\n" << s.error().text();
    EXPECT_EQ(op.schema().target(), op.target());
    if (op.ns() != "higher_order") {
      EXPECT_EQ(s->str(), op.text());
    }
    // Traits that are read off the text agree with the parsed schema.
    EXPECT_EQ(op.has(kOpMutates), s->isMutable()) << op.text();
    EXPECT_EQ(op.has(kOpView), s->isView()) << op.text();
    ++count;
  }
  EXPECT_GT(count, 3000u);
}

TEST(Ops, TargetsOfRealGraphsAreKnown) {
  const auto targets = lines("op_targets.txt");
  ASSERT_GT(targets.size(), 380u);
  for (const std::string& t : targets) EXPECT_NE(allOps().find(t), nullptr) << t;
}

TEST(Ops, SpellingsOfRealModelsAreKnown) {
  const auto spellings = lines("op_spellings.txt");
  ASSERT_GT(spellings.size(), 230u);
  for (const std::string& s : spellings) EXPECT_TRUE(allOps().knows(s)) << s;
}

TEST(Ops, EffectsAsTorchFx) {
  const auto rows = lines("op_effects.txt");
  ASSERT_GT(rows.size(), 250u);
  for (const std::string& row : rows) {
    std::istringstream in(row);
    std::string target;
    int kept = 0, keptWithoutRandom = 0;
    in >> target >> kept >> keptWithoutRandom;
    EXPECT_EQ(hasEffect(allOps(), target), kept != 0) << target;
    EXPECT_EQ(hasEffect(allOps(), target, false), keptWithoutRandom != 0) << target;
  }
}

TEST(Ops, EffectsOfTorchLevelCode) {
  const OpRegistry& ops = allOps();
  for (const char* t : {"operator.setitem", "operator.iadd", "torch._C._set_grad_enabled", "torch._assert",
                        "torch.amp.autocast_mode._enter_autocast", "torch.rand", "add_", "torch.relu_",
                        "torch.ops.mylib.update_.default", "<unparsed>"})
    EXPECT_TRUE(hasEffect(ops, t)) << t;
  for (const char* t : {"operator.add", "operator.and_", "operator.getitem", "torch.relu", "view", "__add__",
                        "torch.nn.functional.dropout", "torch.ops.mylib.pure.default", "<literal>",
                        "torch.max", "torch.ops.aten.add.Tensor", "torch.ops.higher_order.cond"})
    EXPECT_FALSE(hasEffect(ops, t)) << t;
}

TEST(Ops, Find) {
  const OpRegistry& ops = allOps();
  const OpDef* add = ops.find("torch.ops.aten.add.Tensor");
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(ops.find("aten.add.Tensor"), add);
  EXPECT_EQ(ops.find("aten::add.Tensor"), add);
  EXPECT_EQ(add->schema().arguments.size(), 3u);
  EXPECT_TRUE(add->has(kOpPointwise) && add->has(kOpCore) && add->has(kOpPure));
  EXPECT_EQ(ops.find("torch.ops.aten.relu")->target(), "torch.ops.aten.relu.default");
  EXPECT_EQ(ops.find("torch.ops.aten.add.Nothing"), nullptr);
  EXPECT_EQ(ops.find("torch.ops.aten"), nullptr);
  EXPECT_EQ(ops.find(""), nullptr);
  EXPECT_TRUE(ops.find("torch.ops.aten.rand.default")->has(kOpRandom));
  EXPECT_FALSE(ops.find("torch.ops.aten.rand.default")->has(kOpPure));
  EXPECT_TRUE(ops.find("torch.ops._c10d_functional.all_reduce.default")->has(kOpCommunicates));
  EXPECT_TRUE(ops.find("torch.ops.aten.mm.default")->has(kOpMatmul));
}

TEST(Ops, Spellings) {
  const OpRegistry& ops = allOps();
  std::set<std::string> targets;
  for (const OpDef* op : ops.findSpelling("operator.add")) targets.insert(op->target());
  EXPECT_TRUE(targets.count("torch.ops.aten.add.Tensor") && targets.count("torch.ops.aten.add.Scalar"));
  EXPECT_EQ(ops.findSpelling(".view").front()->name(), "view");
  EXPECT_EQ(ops.findSpelling("torch._C._nn.gelu").front()->name(), "gelu");
  EXPECT_TRUE(ops.findSpelling("torch.no_such_thing").empty());
  ASSERT_NE(ops.findPython("torch.nn.functional.dropout"), nullptr);
  EXPECT_EQ(ops.findPython("torch.nn.functional.dropout")->signature,
            "(input, p=0.5, training=True, inplace=False)");
}

TEST(Ops, AddFromOutside) {
  OpRegistry ops;
  EXPECT_TRUE(ops.add("mylib::thing(Tensor x) -> Tensor", kOpPointwise, {"mylib.thing"}).ok());
  EXPECT_EQ(ops.add("mylib::thing(Tensor x) -> Tensor", 0).error().code, "op-duplicate");
  EXPECT_EQ(ops.add("mylib::broken(Tensor", 0).error().code, "schema-syntax");
  ASSERT_NE(ops.find("torch.ops.mylib.thing"), nullptr);
  EXPECT_EQ(ops.findSpelling("mylib.thing").size(), 1u);
  for (int i = 0; i < 20000; ++i) EXPECT_TRUE(ops.add("m::op" + std::to_string(i) + "() -> ()", 0).ok());
  EXPECT_NE(ops.find("m::op19999"), nullptr);
}

TEST(Ops, SchemasParseInManyThreads) {
  OpRegistry ops;
  for (int i = 0; i < 500; ++i)
    ASSERT_TRUE(ops.add("m::op" + std::to_string(i) + "(Tensor x) -> Tensor", 0).ok());
  std::vector<std::thread> threads;
  std::atomic<size_t> seen{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (const OpDef& op : ops.all()) seen += op.schema().arguments.size();
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(seen, 2000u);
}

}  // namespace
}  // namespace descry::ir
