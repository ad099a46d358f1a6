// Modules guessed from parameter names: forward, between modules, and in the backward half.
#include "ir/analysis/module_paths.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "importers/fx_text/fx_text.h"
#include "ir/support/diagnostic.h"

namespace descry::ir {
namespace {

/// Name of each node that has a module, with the module.
std::map<std::string, std::string> modulesOf(const std::string& text) {
  DiagnosticSink sink;
  const auto module = importers::parseFxText(text, {}, sink);
  const Graph& g = module->root();
  const ModuleMap map = findModules(g);
  EXPECT_EQ(map.source, "parameter names");
  EXPECT_TRUE(map.inferred);
  std::map<std::string, std::string> out;
  for (NodeId id : g.nodes())
    if (!map.path(id).empty()) out[std::string(g.nodeName(id))] = std::string(map.path(id));
  return out;
}

constexpr const char* kJoint = R"(class inner_f(torch.nn.Module):
    def forward(
        self,
        primals,
        tangents,
    ):
        primals_1: "f32[4, 4][4, 1]cpu"  # ParamAOTInput(target='net.0.fc1.weight')
        primals_2: "f32[4, 4][4, 1]cpu"  # ParamAOTInput(target='net.0.fc2.weight')
        primals_3: "f32[4, 4][4, 1]cpu"  # ParamAOTInput(target='net.1.fc1.weight')
        primals_4: "f32[4, 4][4, 1]cpu"  # PlainAOTInput(idx=0)
        tangents_1: "f32[4, 4][4, 1]cpu"  # TangentAOTInput(output=PlainAOTOutput(idx=0))
        primals_1, primals_2, primals_3, primals_4, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
        mm: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mm.default(primals_4, primals_1)
        gelu: "f32[4, 4][4, 1]cpu" = torch.ops.aten.gelu.default(mm)
        mm_1: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mm.default(gelu, primals_2)
        add: "f32[4, 4][4, 1]cpu" = torch.ops.aten.add.Tensor(primals_4, mm_1)
        mm_2: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mm.default(add, primals_3)
        relu: "f32[4, 4][4, 1]cpu" = torch.ops.aten.relu.default(mm_2)
        t: "f32[4, 4][1, 4]cpu" = torch.ops.aten.t.default(add)
        mm_3: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mm.default(t, tangents_1)
        t_1: "f32[4, 4][1, 4]cpu" = torch.ops.aten.t.default(primals_3)
        mm_4: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mm.default(tangents_1, t_1)
        t_2: "f32[4, 4][1, 4]cpu" = torch.ops.aten.t.default(primals_2)
        mm_5: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mm.default(mm_4, t_2)
        gelu_backward: "f32[4, 4][4, 1]cpu" = torch.ops.aten.gelu_backward.default(mm_5, mm)
        t_3: "f32[4, 4][1, 4]cpu" = torch.ops.aten.t.default(primals_4)
        mm_6: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mm.default(t_3, gelu_backward)
        return pytree.tree_unflatten([
            relu,  # PlainAOTOutput(idx=0)
            mm_6,  # GradAOTOutput(grad_of=ParamAOTInput(target='net.0.fc1.weight'))
            None,  # None
            mm_3,  # GradAOTOutput(grad_of=ParamAOTInput(target='net.1.fc1.weight'))
            None,  # None
        ], self._out_spec)
)";

TEST(ModulePaths, ForwardNodes) {
  auto of = modulesOf(kJoint);
  EXPECT_EQ(of["primals_1"], "net.0.fc1");
  EXPECT_EQ(of["mm"], "net.0.fc1");
  EXPECT_EQ(of["gelu"], "net.0");
  EXPECT_EQ(of["mm_1"], "net.0.fc2");
  EXPECT_EQ(of["add"], "net");
  EXPECT_EQ(of.count("relu"), 0u) << "nothing behind it says where it belongs";
  EXPECT_EQ(of.count("primals_4"), 0u);
}

TEST(ModulePaths, BackwardNodes) {
  auto of = modulesOf(kJoint);
  EXPECT_EQ(of["mm_3"], "net.1.fc1") << "only leads to that parameter's gradient";
  EXPECT_EQ(of["mm_6"], "net.0.fc1");
  EXPECT_EQ(of["t_1"], "net.1.fc1");
  EXPECT_EQ(of["mm_4"], "net.1.fc1") << "reads the parameter";
  EXPECT_EQ(of["gelu_backward"], "net.0.fc1");
}

}  // namespace
}  // namespace descry::ir
