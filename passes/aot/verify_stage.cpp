// The state of AOT autograd between two stages.
#include <map>

#include "passes/aot/invariants.h"
#include "passes/aot/runtime_facts.h"
#include "passes/aot/stages.h"

namespace descry::passes {

namespace {

using ir::DescKind;
using ir::Descriptor;
using ir::Graph;
using ir::NodeId;

std::string str(size_t n) {
  return std::to_string(n);
}

class StageCheck {
 public:
  StageCheck(const AotResult& result, ir::DiagnosticSink& sink) : r_(result), sink_(sink) {}

  void run(Stage stage) {
    if (stage < Stage::Described) return;
    if (r_.inputs.size() != r_.meta.inputInfo.size()) {
      report("meta-inputs", "there are " + str(r_.inputs.size()) + " inputs, the metadata tells of " +
                                str(r_.meta.inputInfo.size()));
      return;
    }
    MetadataCheck check{r_.meta, nullptr, true, "metadata", "", {}};
    // Where inputs were merged PyTorch may have lost count of tangents, which it only finds when it traces.
    const bool counted = stage >= Stage::Traced || (!r_.duplicates && !r_.overlaps);
    check.training = r_.meta.isTrain && counted;
    verifyMetadata(check, sink_);
    if (stage >= Stage::Deduplicated) duplicates();
    if (stage >= Stage::Unaliased) overlaps();
    if (stage >= Stage::Traced) traced(check);
  }

 private:
  void report(const char* code, std::string message) {
    sink_.add(ir::ruleBroken(code, {nullptr, "metadata", ""}, {}, std::move(message)));
  }
  std::string input(size_t i) const { return r_.inputs[i].descriptor.repr(); }

  void duplicates() {
    for (size_t i = 0; i < r_.inputs.size(); ++i)
      if (r_.inputs[i].sameAs && (r_.meta.inputInfo[i].mutatesData || r_.meta.inputInfo[i].mutatesMetadata))
        report("duplicate-input",
               input(i) + " is written and is one object with input " + str(*r_.inputs[i].sameAs));
    if (!r_.duplicates) return;
    const InputMerge& m = *r_.duplicates;
    std::vector<bool> kept;
    for (size_t i = 0; i < m.places.size(); ++i) {
      const size_t at = m.places[i].at;
      const bool first = at == kept.size();
      if (first) kept.push_back(true);
      const std::optional<size_t>& same = m.inputs[i].sameAs;
      if (at >= kept.size() || first == same.has_value() || (same && m.places[*same].at != at))
        report("merged-inputs", "input " + str(i) + " became input " + str(at) + ", which is another tensor");
    }
    // Later stages move inputs once more.
    if (!r_.overlaps && kept.size() != r_.inputs.size())
      report("merged-inputs", "of " + str(m.inputs.size()) + " inputs " + str(kept.size()) +
                                  " are left, and there are " + str(r_.inputs.size()));
    sameBases(m, r_.overlaps ? r_.overlaps->meta : r_.meta);
  }

  /// Merging inputs leaves bases alone that are no inputs.
  void sameBases(const InputMerge& m, const ViewAndMutationMeta& after) {
    for (size_t i = 0; i < m.meta.outputInfo.size() && i < after.outputInfo.size(); ++i) {
      const OutputAliasInfo &was = m.meta.outputInfo[i], &is = after.outputInfo[i];
      if (!isViewOfInput(was.type) && (was.type != is.type || was.baseIdx != is.baseIdx))
        report("meta-base-index", "output " + str(i) + " (" + std::string(outputTypeName(was.type)) +
                                      ") has another base since inputs were merged");
    }
  }

  void overlaps() {
    if (r_.overlaps) merged(*r_.overlaps);
    std::map<std::string_view, std::vector<size_t>> byStorage;
    for (size_t i = 0; i < r_.inputs.size(); ++i)
      if (r_.inputs[i].meta && r_.inputs[i].layout.plain() && !r_.inputs[i].storage.empty())
        byStorage[r_.inputs[i].storage].push_back(i);
    for (const auto& [storage, members] : byStorage)
      for (const size_t i : members)
        if (r_.meta.inputInfo[i].mutatesData)
          for (const size_t k : members)
            if (k != i && mayOverlap(*r_.inputs[i].meta, *r_.inputs[k].meta)) {
              report("shared-memory", input(i) + " is written and shares memory with " + input(k));
              break;
            }
  }

  void merged(const InputMerge& m) {
    std::vector<size_t> plain(r_.inputs.size()), views(r_.inputs.size());
    for (size_t i = 0; i < m.places.size(); ++i) {
      const InputMerge::Place& p = m.places[i];
      if (p.at >= r_.inputs.size()) {
        report("merged-inputs",
               "input " + str(i) + " became input " + str(p.at) + " of " + str(r_.inputs.size()));
        return;
      }
      ++(p.view ? views : plain)[p.at];
      const DescKind kind = r_.inputs[p.at].descriptor.kind();
      const bool base = kind == DescKind::SyntheticBaseInput || kind == DescKind::ViewBaseInput;
      if (p.view != base && p.view)
        report("merged-inputs", "input " + str(i) + " is a view of " + input(p.at) + ", which is no base");
      if (!p.view && !(m.inputs[i].descriptor == r_.inputs[p.at].descriptor))
        report("merged-inputs", "input " + str(i) + " became " + input(p.at));
      if (p.view && m.meta.inputInfo[i].isLeaf != r_.meta.inputInfo[p.at].isLeaf)
        report("merged-inputs",
               "input " + str(i) + " is merged with others, and not all of them are leaves or none");
    }
    for (size_t i = 0; i < r_.inputs.size(); ++i)
      if (plain[i] + (views[i] > 0) != 1)
        report("merged-inputs",
               input(i) + " stands for " + str(plain[i]) + " inputs and " + str(views[i]) + " views");
    sameBases(m, r_.meta);
  }

  void traced(const MetadataCheck& metadata) {
    ir::CompileGraphs graphs;
    if (r_.joint) graphs.joint = {r_.joint.get(), "joint", ""};
    if (r_.inference) graphs.inference = {r_.inference.get(), "inference", ""};
    CutMeta cut;
    if (r_.joint) cut.backwardTokens = static_cast<int64_t>(backwardTokens(r_));
    MetadataCheck check = metadata;
    check.cut = &cut;
    verifyAgainstMetadata(check, graphs, sink_);
    if (!r_.joint) return;
    const Graph& g = r_.joint->root();
    graphs.forwardOutputs = r_.numForward;
    if (const std::optional<size_t> n = ir::forwardOutputsOf(g); n && *n != r_.numForward)
      sink_.add(ir::ruleBroken(
          "forward-outputs", graphs.joint, g.output(),
          str(r_.numForward) + " outputs belong to the forward, by their descriptors " + str(*n)));
    ir::verifyCompile(graphs, r_.ops ? *r_.ops : ir::allOps(), sink_);
    // The partitioners put a write where its tag says. PyTorch tags those to tangents with neither side.
    for (const NodeId id : g.nodes()) {
      if (g.target(id) != "torch.ops.aten.copy_.default" || g.arg(id, 0).kind() != ir::ValueKind::NodeRef)
        continue;
      const Descriptor* d = g.descriptor(g.arg(id, 0).node());
      const Phase phase = id.index < r_.facts.size() ? r_.facts[id.index].phase : Phase::Untold;
      if (phase != Phase::MustBeForward && phase != Phase::MustBeBackward && d && !d->isTangent())
        sink_.add(ir::ruleBroken("untagged-write", graphs.joint, id,
                                 "'" + std::string(g.nodeName(id)) + "' belongs to neither pass"));
    }
  }

  const AotResult& r_;
  ir::DiagnosticSink& sink_;
};

}  // namespace

void verifyStage(const AotResult& result, Stage stage, ir::DiagnosticSink& sink) {
  StageCheck(result, sink).run(stage);
}

void verifySameMetadata(const ViewAndMutationMeta& meta, const ViewAndMutationMeta& found,
                        ir::DiagnosticSink& sink) {
  const auto report = [&](std::string message) {
    sink.add(ir::ruleBroken("meta-recollected", {nullptr, "metadata", ""}, {}, std::move(message)));
  };
  if (meta.inputInfo.size() != found.inputInfo.size() || meta.outputInfo.size() != found.outputInfo.size()) {
    report("the function has another number of inputs or outputs than the metadata says");
    return;
  }
  for (size_t i = 0; i < meta.inputInfo.size(); ++i) {
    const InputAliasInfo &a = meta.inputInfo[i], &b = found.inputInfo[i];
    if (a.mutatesData != b.mutatesData || a.mutatesMetadata != b.mutatesMetadata ||
        a.mutationType() != b.mutationType())
      report("input " + str(i) + " is written otherwise than the metadata says");
    if (a.requiresGrad != b.requiresGrad)
      report("input " + str(i) + " requires a gradient, or none, against the metadata");
  }
  for (size_t i = 0; i < meta.outputInfo.size(); ++i) {
    const OutputAliasInfo &a = meta.outputInfo[i], &b = found.outputInfo[i];
    // The types of views of inputs are those from before the merge: pieces of one input beside a view of the
    // other count as if the inputs were apart. Of an output whose aliasing autograd hides nobody asks for the
    // base.
    if (isViewOfInput(a.type) != isViewOfInput(b.type)) continue;
    if (a.type != b.type || (a.type != OutputType::NonAlias && a.baseIdx != b.baseIdx))
      report("output " + str(i) + " is " + std::string(outputTypeName(b.type)) + " and not " +
             std::string(outputTypeName(a.type)));
  }
}

}  // namespace descry::passes
