// Runs any bytes as a query over a small joint graph.
#include "importers/fx_text/fx_text.h"
#include "ir/analysis/phases.h"
#include "session/query.h"
#include "tests/fuzz/fuzz_support.h"

namespace {

const char* const kGraph = R"(class inner_f(torch.nn.Module):
    def forward(
        self,
        primals,
        tangents,
    ):
        primals_1: "f32[3, 2][2, 1]cpu"  # ParamAOTInput(target='w')
        primals_2: "f32[4, 3][3, 1]cpu"  # PlainAOTInput(idx=0)
        tangents_1: "f32[4, 2][2, 1]cpu"  # TangentAOTInput(output=PlainAOTOutput(idx=0))
        primals_1, primals_2, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
        # File: model.py:7 in forward, code: return torch.relu(x @ self.w)
        mm: "f32[4, 2][2, 1]cpu" = torch.ops.aten.mm.default(primals_2, primals_1)
        relu: "f32[4, 2][2, 1]cpu" = torch.ops.aten.relu.default(mm);  mm = None
        threshold_backward: "f32[4, 2][2, 1]cpu" = torch.ops.aten.threshold_backward.default(tangents_1, relu, 0)
        t: "f32[3, 4][1, 3]cpu" = torch.ops.aten.t.default(primals_2);  primals_2 = None
        mm_1: "f32[3, 2][2, 1]cpu" = torch.ops.aten.mm.default(t, threshold_backward);  t = threshold_backward = None
        return pytree.tree_unflatten([
            relu,  # PlainAOTOutput(idx=0)
            mm_1,  # GradAOTOutput(grad_of=ParamAOTInput(target='w'))
            None,  # None
        ], self._out_spec)
)";

descry::session::LoadedGraph load() {
  using namespace descry;
  session::LoadedGraph loaded;
  ir::DiagnosticSink sink;
  loaded.module = importers::parseFxText(kGraph, {}, sink);
  fuzz::require(sink.errors() == 0, "the graph of the query target is sound");
  loaded.graph = &loaded.module->root();
  loaded.phases = ir::computePhases(*loaded.graph);
  return loaded;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace descry;
  static const session::LoadedGraph loaded = load();
  const std::string_view query = fuzz::view(data, size);
  const session::QueryResult result = session::runQuery(loaded, query);
  fuzz::require(result.nodes.size() <= loaded.graph->size(), "no node is found twice");
  for (const ir::NodeId id : result.nodes) fuzz::require(loaded.graph->contains(id), "found nodes exist");
  if (result.error) {
    fuzz::require(!result.error->message.empty(), "a wrong query says why");
    fuzz::require(result.error->column <= size, "the mark of a wrong query lies in it");
  }
  (void)session::completeQuery(loaded, query, size);
  return 0;
}
