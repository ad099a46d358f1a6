// What each node does in its graph.
#include <gtest/gtest.h>

#include "importers/fx_text/fx_text.h"
#include "ir/analysis/phases.h"

namespace descry::ir {
namespace {

TEST(Roles, ModuleCallsAreControlOnlyWhenTheyRunAGraph) {
  DiagnosticSink sink;
  const auto module = importers::parseFxText(
      "class GraphModule(torch.nn.Module):\n    def forward(self, x):\n"
      "        fc = self.fc1(x);  x = None\n        sub = self.submod_0(fc);  fc = None\n        return "
      "(sub,)\n\n"
      "    class submod_0(torch.nn.Module):\n        def forward(self, y):\n"
      "            relu = torch.relu(y);  y = None\n            return relu\n",
      {}, sink);
  ASSERT_TRUE(module);
  const Graph& g = module->root();
  ASSERT_EQ(g.children.size(), 1u);
  const std::vector<NodeRole> roles = nodeRoles(g);
  EXPECT_EQ(roles[g.find("fc").index], NodeRole::Compute);
  EXPECT_EQ(roles[g.find("sub").index], NodeRole::Control);
  for (const char* name : {"fc", "sub"})
    EXPECT_EQ(nodeRole(g, g.find(name)), roles[g.find(name).index]) << name;
}

}  // namespace
}  // namespace descry::ir
