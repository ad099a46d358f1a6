// Calls bound to schemas: what PyTorch's dispatcher takes is taken, what it refuses is named.
#include "ir/ops/bind.h"

#include <gtest/gtest.h>

#include "ir/ops/registry.h"

namespace descry::ir {
namespace {

struct Call {
  Graph graph{std::make_shared<Context>()};
  NodeId x = graph.addPlaceholder("x");
  NodeId node;
  BoundCall bound;

  Call(const char* target, std::vector<Argument> args,
       std::vector<std::pair<std::string, Argument>> kwargs = {}) {
    node = graph.add({.target = target, .args = std::move(args), .kwargs = std::move(kwargs)});
    const OpDef* op = allOps().find(target);
    EXPECT_NE(op, nullptr) << target;
    bound = bindArguments(op->schema(), graph, node);
  }
  std::string problems() const {
    std::string out;
    for (const BindProblem& p : bound.problems) out += std::string(out.empty() ? "" : " ") + p.code;
    return out;
  }
};

const Argument kX = NodeId{0};

TEST(Bind, ValuesAndDefaults) {
  const Call c("torch.ops.aten.add.Tensor", {kX, Argument(2)}, {{"alpha", Argument(3)}});
  EXPECT_EQ(c.problems(), "");
  EXPECT_EQ(c.bound.value("other")->integer(), 2);
  EXPECT_EQ(c.bound.value("alpha")->integer(), 3);
  const Call d("torch.ops.aten.add.Tensor", {kX, kX});
  EXPECT_FALSE(d.bound.value("alpha").has_value());
  EXPECT_EQ(defaultValue(*d.bound.arguments[2].argument), Argument(1));
}

TEST(Bind, ConversionsThatPyTorchMakes) {
  EXPECT_EQ(Call("torch.ops.aten.mul.Tensor", {kX, Argument(0.5)}).problems(), "");
  EXPECT_EQ(Call("torch.ops.aten.max_pool2d.default", {kX, Argument(2)}).problems(), "");
  EXPECT_EQ(
      Call("torch.ops.aten.view.default", {kX, Argument::of(ValueKind::List, {kX, Argument(-1)})}).problems(),
      "");
  EXPECT_EQ(Call("torch.ops.aten.dropout.default", {kX, Argument(1), Argument::boolean(true)}).problems(),
            "");
  EXPECT_EQ(Call("torch.ops.aten.index.Tensor", {kX, Argument::list({Argument::none(), kX})}).problems(), "");
  EXPECT_EQ(Call("torch.ops.aten.sum.default", {kX},
                 {{"dtype", Argument::texted(ValueKind::Dtype, "torch.float32")}})
                .problems(),
            "");
  EXPECT_EQ(Call("torch.ops.aten.to.device", {kX, Argument::texted(ValueKind::Device, "cpu"),
                                              Argument::texted(ValueKind::Dtype, "torch.int64")})
                .problems(),
            "");
}

TEST(Bind, Faults) {
  EXPECT_EQ(Call("torch.ops.aten.relu.default", {kX, kX}).problems(), "arity");
  EXPECT_EQ(Call("torch.ops.aten.add.Tensor", {kX, kX, Argument(1)}).problems(), "arity");
  EXPECT_EQ(Call("torch.ops.aten.mm.default", {kX}).problems(), "missing-argument");
  EXPECT_EQ(Call("torch.ops.aten.mm.default", {kX, kX}, {{"self", kX}}).problems(), "duplicate-argument");
  EXPECT_EQ(Call("torch.ops.aten.relu.default", {kX}, {{"inplace", Argument::boolean(true)}}).problems(),
            "unknown-keyword");
  EXPECT_EQ(Call("torch.ops.aten.relu.default", {Argument::str("x")}).problems(), "argument-type");
  EXPECT_EQ(Call("torch.ops.aten.select.int", {kX, Argument(0), Argument(1.5)}).problems(), "argument-type");
  EXPECT_EQ(Call("torch.ops.aten.view.default", {kX, Argument(4)}).problems(), "argument-type");
  EXPECT_EQ(Call("torch.ops.aten.add.Tensor", {}, {{"what", kX}}).problems(),
            "unknown-keyword missing-argument missing-argument");
}

TEST(Bind, VarargsTakeTheRest) {
  const Call c("torch.ops.higher_order.invoke_subgraph", {kX, Argument::str("id"), kX, kX}, {{"more", kX}});
  EXPECT_EQ(c.problems(), "");
  EXPECT_EQ(c.bound.extra.size(), 3u);
}

TEST(Bind, DefaultTexts) {
  auto value = [](const char* schema) { return defaultValue(parseSchema(schema)->arguments[0]); };
  EXPECT_EQ(value("f(int a=-1) -> ()"), Argument(-1));
  EXPECT_EQ(value("f(float a=1) -> ()"), Argument(1.0));
  EXPECT_EQ(value("f(float a=1.0000000000000001e-05) -> ()"), Argument(1e-5));
  EXPECT_EQ(value("f(float a=-1.) -> ()"), Argument(-1.0));
  EXPECT_EQ(value("f(bool a=True) -> ()"), Argument::boolean(true));
  EXPECT_EQ(value("f(Tensor? a=None) -> ()"), Argument::none());
  EXPECT_EQ(value("f(int[2] a=[0, -1]) -> ()"), Argument::ints({0, -1}));
  EXPECT_EQ(value("f(str a=\"x\\ny\") -> ()"), Argument::str("x\ny"));
  EXPECT_EQ(value("f(int a=Mean) -> ()"), std::nullopt);
  EXPECT_EQ(value("f(int a) -> ()"), std::nullopt);
}

}  // namespace
}  // namespace descry::ir
