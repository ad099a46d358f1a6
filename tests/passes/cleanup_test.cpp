// Clean-up passes: what goes, and above all what must stay.
#include <gtest/gtest.h>

#include "importers/fx_text/fx_text.h"
#include "ir/text/printer.h"
#include "passes/cleanup/cleanup.h"

namespace {

using namespace descry;

/// Statements of the body after a pass, printed without comments and deletions.
std::string after(const passes::PassDef& pass, const std::string& body, uint32_t expectRemoved) {
  std::string text = "class G(torch.nn.Module):\n    def forward(self, x, y):\n";
  for (size_t from = 0; from < body.size();) {
    const size_t end = std::min(body.find('\n', from), body.size());
    text += "        " + body.substr(from, end - from) + "\n";
    from = end + 1;
  }
  ir::DiagnosticSink sink;
  auto module = importers::parseFxText(text, {}, sink);
  EXPECT_EQ(sink.errors(), 0u);
  const auto result = pass.run(module->root(), {&ir::allOps()});
  EXPECT_EQ(result.removed, expectRemoved);
  std::string out = ir::printModule(*module, {true, true, false, false});
  out.erase(0, out.find("):\n", out.find("def ")) + 3);
  std::string plain;
  for (size_t from = 0; from < out.size();) {
    const size_t end = std::min(out.find('\n', from), out.size());
    plain += out.substr(from + 8, end - from - 8) + "\n";
    from = end + 1;
  }
  return plain;
}

TEST(Dce, DropsChainsThatNobodyReads) {
  EXPECT_EQ(after(passes::kDce,
                  "a = torch.ops.aten.sin.default(x)\nb = torch.ops.aten.cos.default(a)\n"
                  "c = torch.ops.aten.mul.Tensor(x, y)\nreturn (c,)",
                  2),
            "c = torch.ops.aten.mul.Tensor(x, y)\nreturn (c,)\n");
}

TEST(Dce, KeepsEffects) {
  const std::string body =
      "a = torch.ops.aten.add_.Tensor(x, y)\n"
      "b = torch._C._set_grad_enabled(False)\n"
      "c = torch.ops.aten._assert_async.msg(x, 'no')\n"
      "return (x,)\n";
  EXPECT_EQ(after(passes::kDce, body, 0), body);
}

TEST(Cse, MergesEqualCallsAndWhatFollowsFromThem) {
  EXPECT_EQ(after(passes::kCse,
                  "a = torch.ops.aten.mul.Tensor(x, 2)\nb = torch.ops.aten.mul.Tensor(x, 2)\n"
                  "c = torch.ops.aten.sum.dim_IntList(a, [0], True)\nd = torch.ops.aten.sum.dim_IntList(b, "
                  "[0], True)\n"
                  "return (c, d)",
                  2),
            "a = torch.ops.aten.mul.Tensor(x, 2)\nc = torch.ops.aten.sum.dim_IntList(a, [0], True)\nreturn "
            "(c, c)\n");
}

TEST(Cse, TellsArgumentsApart) {
  const std::string body =
      "a = torch.ops.aten.mul.Tensor(x, 2)\nb = torch.ops.aten.mul.Tensor(x, 2.0)\n"
      "c = torch.ops.aten.sum.dim_IntList(a, [0], True)\nd = torch.ops.aten.sum.dim_IntList(a, [0], False)\n"
      "e = torch.ops.aten.mul.Tensor(2, x)\nreturn (b, c, d, e)\n";
  EXPECT_EQ(after(passes::kCse, body, 0), body);
}

TEST(Cse, LeavesRandomAndUnknownOpsAlone) {
  const std::string body =
      "a = torch.ops.aten.bernoulli.default(x)\nb = torch.ops.aten.bernoulli.default(x)\n"
      "c = torch.ops.mylib.thing.default(x)\nd = torch.ops.mylib.thing.default(x)\nreturn (a, b, c, d)\n";
  EXPECT_EQ(after(passes::kCse, body, 0), body);
}

TEST(Cse, DoesNothingWhereAnArgumentIsWritten) {
  const std::string body =
      "a = torch.ops.aten.mul.Tensor(x, 2)\nm = torch.ops.aten.add_.Tensor(x, 1)\n"
      "b = torch.ops.aten.mul.Tensor(x, 2)\nreturn (a, b)\n";
  EXPECT_EQ(after(passes::kCse, body, 0), body);
}

}  // namespace
