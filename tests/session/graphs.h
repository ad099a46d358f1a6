// Graphs as text, loaded as the session loads them.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "importers/fx_text/fx_text.h"
#include "session/session.h"

namespace descry::session {

inline LoadedGraphPtr load(std::string_view text, std::string id = "graph") {
  ir::DiagnosticSink sink;
  std::shared_ptr<ir::Module> module = importers::parseFxText(text, {}, sink);
  importers::GraphEntry entry;
  entry.id = std::move(id);
  entry.kind = "graph";
  return makeLoadedGraph(module, entry, "test.txt", sink.take());
}

inline std::string names(const LoadedGraph& g, const std::vector<ir::NodeId>& nodes) {
  std::string out;
  for (ir::NodeId id : nodes) out += (out.empty() ? "" : " ") + std::string(g.graph->nodeName(id));
  return out;
}

inline ir::NodeId at(const LoadedGraph& g, std::string_view name) {
  const ir::NodeId id = g.graph->find(name);
  EXPECT_TRUE(id) << name;
  return id;
}

/// y = relu(x @ w) with its gradients. As PyTorch 2.15 prints it.
inline constexpr const char* kJoint = R"(class joint_helper(torch.nn.Module):
    def forward(
        self,
        primals,
        tangents,
    ):
        primals_1: "f32[8, 16][16, 1]cpu"  # ParamAOTInput(target='fc.weight')
        primals_2: "f32[4, 8][8, 1]cpu"  # PlainAOTInput(idx=0)
        tangents_1: "f32[4, 16][16, 1]cpu"  # TangentAOTInput(output=PlainAOTOutput(idx=0))
        primals_1, primals_2, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
        # File: /src/model.py:7 in forward, code: h = x @ self.fc.weight
        mm: "f32[4, 16][16, 1]cpu" = torch.ops.aten.mm.default(primals_2, primals_1)

        # File: /src/model.py:8 in forward, code: return torch.relu(h)
        relu: "f32[4, 16][16, 1]cpu" = torch.ops.aten.relu.default(mm);  mm = None

        # File: /src/model.py:8 in forward, code: return torch.relu(h)
        le: "b8[4, 16][16, 1]cpu" = torch.ops.aten.le.Scalar(relu, 0)
        full: "f32[][]cpu" = torch.ops.aten.full.default([], 0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        where: "f32[4, 16][16, 1]cpu" = torch.ops.aten.where.self(le, full, tangents_1);  le = full = tangents_1 = None

        # File: /src/model.py:7 in forward, code: h = x @ self.fc.weight
        t: "f32[8, 4][1, 8]cpu" = torch.ops.aten.t.default(primals_2);  primals_2 = None
        mm_1: "f32[8, 16][16, 1]cpu" = torch.ops.aten.mm.default(t, where);  t = None
        t_1: "f32[16, 8][1, 16]cpu" = torch.ops.aten.t.default(primals_1);  primals_1 = None
        mm_2: "f32[4, 8][8, 1]cpu" = torch.ops.aten.mm.default(where, t_1);  where = t_1 = None
        return pytree.tree_unflatten([
            relu,  # PlainAOTOutput(idx=0)
            mm_1,  # GradAOTOutput(grad_of=ParamAOTInput(target='fc.weight'))
            mm_2,  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))
        ], self._out_spec)
)";

}  // namespace descry::session
