#include "passes/aot/invariants.h"

#include <algorithm>
#include <map>

#include "ir/descriptors/pieces.h"

namespace descry::passes {

namespace {

using ir::DescKind;
using ir::Descriptor;
using ir::Graph;
using ir::NodeId;

std::string str(size_t n) {
  return std::to_string(n);
}
std::string str(int64_t n) {
  return std::to_string(n);
}

/// A value of the calling convention before wrappers are taken apart.
struct Whole {
  const Descriptor* desc = nullptr;  ///< null where none is written
  NodeId node;                       ///< first piece
  size_t pieces = 0;
};

bool isForwardInput(const Descriptor* d, std::string_view name) {
  if (!d)
    return name.find("tangents") == std::string_view::npos && !name.starts_with("bwd_") &&
           !name.starts_with("fwd_");
  switch (d->kind()) {
    case DescKind::ForwardTokenInput:
    case DescKind::BackwardTokenInput:
    case DescKind::PhiloxForwardSeedInput:
    case DescKind::PhiloxForwardBaseOffsetInput:
    case DescKind::PhiloxBackwardSeedInput:
    case DescKind::PhiloxBackwardBaseOffsetInput:
      return false;
    default:
      return !d->isTangent();
  }
}

void addPiece(std::vector<Whole>& out, const Descriptor* d, NodeId node) {
  const Descriptor* w = d ? &ir::withoutPieces(*d) : nullptr;
  if (w && w != d && !out.empty() && out.back().desc && *out.back().desc == *w) {
    ++out.back().pieces;
    return;
  }
  out.push_back({w, node, 1});
}

/// Inputs of the program, without tokens, tangents and random state.
std::vector<Whole> programInputs(const Graph& g) {
  std::vector<Whole> out;
  for (const NodeId id : g.placeholders())
    if (const Descriptor* d = g.descriptor(id); isForwardInput(d, g.nodeName(id))) addPiece(out, d, id);
  return out;
}

class AgainstMetadata {
 public:
  AgainstMetadata(const MetadataCheck& check, const ir::CompileGraphs& graphs, ir::DiagnosticSink& sink)
      : c_(check), m_(check.meta), graphs_(graphs), sink_(sink) {}

  void run() {
    for (const ir::CompileGraph* c : {&graphs_.joint, &graphs_.forward, &graphs_.inference})
      if (readable(*c) && described(*c->graph())) {
        main_ = c;
        break;
      }
    unlifted_ = unlifted(graphs_.forward) || unlifted(graphs_.backward) || unlifted(graphs_.inference);
    if (main_) {
      inputs_ = programInputs(*main_->graph());
      inputs();
      outputs();
      tangents();
      tokens();
    }
    if (c_.cut) cut();
  }

 private:
  static bool readable(const ir::CompileGraph& c) {
    const Graph* g = c.graph();
    return g && !g->truncated && !g->partial && g->output();
  }
  static bool described(const Graph& g) {
    const auto ids = g.placeholders();
    return !g.outputDescs.empty() &&
           (ids.empty() || std::any_of(ids.begin(), ids.end(), [&](NodeId id) { return g.descriptor(id); }));
  }
  static bool unlifted(const ir::CompileGraph& c) {
    if (!c.graph()) return false;
    for (const NodeId id : c.graph()->nodes())
      if (c.graph()->target(id).starts_with("torch.ops.prims._sink_tokens") ||
          c.graph()->target(id).starts_with("torch.ops.prims._make_token"))
        return true;
    return false;
  }
  void report(const char* code, const ir::CompileGraph& graph, NodeId node, std::string message) {
    sink_.add(ir::ruleBroken(code, graph, node, std::move(message)));
  }

  void inputs() {
    if (inputs_.size() != m_.inputInfo.size()) {
      report("meta-inputs", *main_, {},
             "the graph has " + str(inputs_.size()) + " inputs, the metadata tells of " +
                 str(m_.inputInfo.size()));
      inputs_.clear();
      return;
    }
    if (m_.subclassInpMeta.empty()) return;
    if (m_.subclassInpMeta.size() != inputs_.size()) {
      report("subclass-count", *main_, {},
             "subclass_inp_meta has " + str(m_.subclassInpMeta.size()) + " entries for " +
                 str(inputs_.size()) + " inputs");
      return;
    }
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const SubclassMeta& s = m_.subclassInpMeta[i];
      const size_t pieces = s.name.empty() ? 1 : static_cast<size_t>(s.argCount);
      if (pieces != inputs_[i].pieces)
        report("subclass-count", *main_, inputs_[i].node,
               "input " + str(i) + " of the program is " + str(inputs_[i].pieces) +
                   " inputs of the graph, the metadata says " + str(pieces));
    }
  }

  /// Written inputs that the runtime copies back, then results, then bases.
  void outputs() {
    const Graph& g = *main_->graph();
    // Descriptors of unlifted graphs are those of other outputs.
    if (main_ != &graphs_.joint && unlifted_) return;
    std::vector<Whole> mutated, results, bases;
    const std::vector<ir::ArgView> values = g.outputs();
    std::vector<NodeId> valueOfResult;
    for (size_t i = 0; i < g.outputDescs.size() && i < values.size(); ++i) {
      const Descriptor* d = g.descriptor(g.outputDescs[i]);
      if (!d) continue;
      const NodeId node = values[i].kind() == ir::ValueKind::NodeRef ? values[i].node() : NodeId{};
      switch (ir::withoutPieces(*d).kind()) {
        case DescKind::InputMutationOutput:
          addPiece(mutated, d, node);
          break;
        case DescKind::PlainOutput:
        case DescKind::MetadataMutationOutput:
          addPiece(results, d, node);
          break;
        case DescKind::IntermediateBaseOutput:
          addPiece(bases, d, node);
          break;
        default:
          break;
      }
    }
    if (results.size() != m_.outputInfo.size())
      report("meta-outputs", *main_, g.output(),
             "the graph returns " + str(results.size()) + " results, the metadata tells of " +
                 str(m_.outputInfo.size()));
    mutatedInputs(mutated);
    intermediateBases(bases);
    std::vector<Whole> all = mutated;
    all.insert(all.end(), results.begin(), results.end());
    all.insert(all.end(), bases.begin(), bases.end());
    outputPieces(all);
    if (results.size() == m_.outputInfo.size()) returnedInputs(results);
    if (main_ == &graphs_.joint) gradients();
  }

  void outputPieces(const std::vector<Whole>& outputs) {
    if (m_.subclassFwGraphOutMeta.size() != outputs.size()) return;  // merging inputs drops them
    for (size_t i = 0; i < outputs.size(); ++i) {
      const SubclassMeta& s = m_.subclassFwGraphOutMeta[i];
      // Of wrappers that hold wrappers PyTorch counts symbolic sizes that it does not return.
      if (std::any_of(s.inner.begin(), s.inner.end(), [](const SubclassMeta& m) { return !m.name.empty(); }))
        continue;
      const size_t pieces = s.name.empty() ? 1 : static_cast<size_t>(s.argCount);
      if (pieces != outputs[i].pieces)
        report("subclass-count", *main_, outputs[i].node,
               outputs[i].desc->repr() + " is " + str(outputs[i].pieces) +
                   " outputs of the graph, the metadata says " + str(pieces));
    }
  }

  void mutatedInputs(const std::vector<Whole>& mutated) {
    if (inputs_.empty()) return;
    const std::vector<size_t> at = m_.mutatedRuntimeIndices();
    for (size_t k = 0; k < std::max(mutated.size(), at.size()); ++k) {
      if (k >= mutated.size()) {
        report("mutated-input", *main_, inputs_[at[k]].node,
               "input " + str(at[k]) + " is copied back by the runtime, and the graph does not return it");
        return;
      }
      const Descriptor* of = mutated[k].desc->base();
      if (k < at.size() && of && inputs_[at[k]].desc && *of == *inputs_[at[k]].desc) continue;
      report("mutated-input", *main_, mutated[k].node,
             "the graph returns " + mutated[k].desc->repr() +
                 (k < at.size() ? ", the metadata wants input " + str(at[k]) + " there"
                                : ", and the metadata says that no runtime copies it back"));
      return;
    }
  }

  void intermediateBases(const std::vector<Whole>& bases) {
    // An inference graph returns none.
    const bool inference = main_ == &graphs_.inference;
    if (bases.size() != (inference ? 0 : static_cast<size_t>(m_.numIntermediateBases))) {
      report("intermediate-base", *main_, main_->graph()->output(),
             "the graph returns " + str(bases.size()) + " bases of views, the metadata tells of " +
                 str(m_.numIntermediateBases));
      return;
    }
    size_t k = 0;
    for (size_t i = 0; i < m_.outputInfo.size() && k < bases.size(); ++i) {
      if (m_.outputInfo[i].type != OutputType::AliasOfIntermediateSaveAsOutput) continue;
      const Descriptor* of = bases[k].desc->base();
      if (of && (of->kind() != DescKind::PlainOutput || of->idx() != static_cast<int64_t>(i)))
        report("intermediate-base", *main_, bases[k].node,
               bases[k].desc->repr() + " stands where the base of output " + str(i) + " belongs");
      ++k;
    }
  }

  /// A returned input that is written in the graph is that input, or the copy into it.
  void returnedInputs(const std::vector<Whole>& results) {
    const Graph& g = *main_->graph();
    for (size_t i = 0; i < results.size(); ++i) {
      const OutputAliasInfo& o = m_.outputInfo[i];
      if (o.type != OutputType::IsInput || !o.baseIdx || results[i].pieces != 1 || !results[i].node) continue;
      const size_t at = static_cast<size_t>(*o.baseIdx);
      if (at >= inputs_.size() || inputs_[at].pieces != 1 ||
          m_.inputInfo[at].mutationType() != MutationType::MutatedInGraph || !m_.inputInfo[at].mutatesData)
        continue;
      const NodeId value = results[i].node;
      const bool copy = g.argCount(value) > 0 && g.target(value) == "torch.ops.aten.copy_.default" &&
                        g.arg(value, 0).kind() == ir::ValueKind::NodeRef &&
                        g.arg(value, 0).node() == inputs_[at].node;
      if (value == inputs_[at].node || copy) continue;
      report("returned-input", *main_, value,
             "output " + str(i) + " is input " + str(at) +
                 " itself, which the graph writes, and the graph returns '" + std::string(g.nodeName(value)) +
                 "'");
    }
  }

  void gradients() {
    const Graph& g = *main_->graph();
    std::map<std::string, size_t> byName;
    for (size_t i = 0; i < inputs_.size(); ++i)
      if (inputs_[i].desc) byName.emplace(inputs_[i].desc->repr(), i);
    for (const ir::DescId id : g.outputDescs) {
      const Descriptor* d = g.descriptor(id);
      if (!d || ir::withoutPieces(*d).kind() != DescKind::GradOutput || !ir::withoutPieces(*d).base())
        continue;
      const auto at = byName.find(ir::withoutPieces(*d).base()->repr());
      if (at != byName.end() && !m_.inputInfo[at->second].requiresGrad)
        report("meta-gradient", *main_, inputs_[at->second].node,
               "the graph returns " + d->repr() + ", and the metadata says that input " + str(at->second) +
                   " requires none");
    }
  }

  void tangents() {
    for (const ir::CompileGraph* c : {&graphs_.joint, &graphs_.backward}) {
      if (!readable(*c)) continue;
      const Graph& g = *c->graph();
      std::vector<Whole> found;
      for (const NodeId id : g.placeholders())
        if (const Descriptor* d = g.descriptor(id); d && d->isTangent()) addPiece(found, d, id);
      // Older graphs have no descriptors.
      if (found.empty() && m_.tracedTangentsDescs.size() && !described(g)) continue;
      if (found.size() != m_.tracedTangentsDescs.size()) {
        report("tangent-order", *c, {},
               "the graph has " + str(found.size()) + " tangents, the metadata tells of " +
                   str(m_.tracedTangentsDescs.size()));
        continue;
      }
      for (size_t i = 0; i < found.size(); ++i)
        if (m_.tracedTangentsDescs[i].isTangent() && !(*found[i].desc == m_.tracedTangentsDescs[i])) {
          report("tangent-order", *c, found[i].node,
                 "tangent " + str(i) + " is " + found[i].desc->repr() + ", in the metadata it is " +
                     m_.tracedTangentsDescs[i].repr());
          break;
        }
    }
  }

  void tokens() {
    // The metadata of graphs whose tokens were taken out tells of none.
    if (unlifted_) return;
    size_t n = 0;
    bool effects = false;
    for (const NodeId id : main_->graph()->nodes()) {
      if (const Descriptor* d = main_->graph()->descriptor(id)) n += d->kind() == DescKind::ForwardTokenInput;
      effects = effects || main_->graph()->target(id) == "torch.ops.higher_order.with_effects";
    }
    // PyTorch forgets the token of an effect in a branch of cond where it wants tokens taken out, and leaves
    // it in the graph.
    if (m_.tokens.empty() && !effects) return;
    if (n != m_.tokens.size())
      report("meta-tokens", *main_, {},
             "the graph takes " + str(n) + " tokens, the metadata tells of " + str(m_.tokens.size()));
    size_t returned = 0;
    for (const ir::DescId id : main_->graph()->outputDescs)
      if (const Descriptor* d = main_->graph()->descriptor(id))
        returned += d->kind() == DescKind::ForwardTokenOutput;
    if (returned != n)
      report("meta-tokens", *main_, main_->graph()->output(),
             "the graph takes " + str(n) + " tokens and returns " + str(returned));
  }

  // ---- what crosses

  void cut() {
    const CutMeta& cut = *c_.cut;
    if (readable(graphs_.joint) && cut.backwardTokens && !unlifted_ &&
        !graphs_.joint.graph()->outputDescs.empty()) {
      const Graph& g = *graphs_.joint.graph();
      int64_t n = 0;
      for (const ir::DescId id : g.outputDescs)
        if (const Descriptor* d = g.descriptor(id)) n += d->kind() == DescKind::BackwardTokenOutput;
      if (n != *cut.backwardTokens)
        report(
            "meta-tokens", graphs_.joint, {},
            "the backward returns " + str(n) + " tokens, num_backward_tokens is " + str(*cut.backwardTokens));
    }
    if (!readable(graphs_.forward)) return;
    const Graph& g = *graphs_.forward.graph();
    // Where tokens were taken out, descriptors do not say what is saved.
    if (g.outputDescs.empty() || unlifted_) return;
    const std::vector<ir::ArgView> values = g.outputs();
    int64_t symbols = 0, unchecked = 0, position = 0;
    std::vector<bool> isInput;
    std::vector<NodeId> tensors;
    for (size_t i = 0; i < g.outputDescs.size() && i < values.size(); ++i) {
      const Descriptor* d = g.descriptor(g.outputDescs[i]);
      if (!d) continue;
      const bool free = d->kind() == DescKind::SavedForBackwardsNoVcCheckOutput;
      if (!free && d->kind() != DescKind::SavedForBackwardsOutput) continue;
      ++position;
      if (values[i].kind() != ir::ValueKind::NodeRef) continue;
      const NodeId value = values[i].node();
      unchecked += free;
      if (g.type(value).kind == ir::TypeKind::Sym) {
        ++symbols;
        continue;
      }
      tensors.push_back(value);
      isInput.push_back(g.node(value).op == ir::OpKind::Placeholder);
    }
    if (cut.symints && *cut.symints != symbols)
      report("meta-saved", graphs_.forward, g.output(),
             str(symbols) + " numbers are saved, num_symints_saved_for_bw is " + str(*cut.symints));
    if (cut.uncheckedTensors && *cut.uncheckedTensors != unchecked)
      report("meta-saved", graphs_.forward, g.output(),
             str(unchecked) +
                 " saved tensors are not checked for writes, num_tensors_saved_with_no_vc_check is " +
                 str(*cut.uncheckedTensors));
    if (cut.savedIsInput)
      for (size_t i = 0; i < std::min(isInput.size(), cut.savedIsInput->size()); ++i)
        if (isInput[i] != (*cut.savedIsInput)[i]) {
          report("meta-saved", graphs_.forward, tensors[i],
                 "saved tensor " + str(i) + " is " + (isInput[i] ? "an" : "no") +
                     " input, and saved_tensor_is_graph_input says otherwise");
          break;
        }
    // PyTorch counts the program's outputs without tokens there, and with a wrapper's pieces as if they were
    // inputs that require no gradient: the indices are off then.
    if (cut.donated && m_.tokens.empty() && !hasPieces(g)) donated(*cut.donated, symbols, tensors);
  }

  static bool hasPieces(const Graph& g) {
    for (const NodeId id : g.placeholders())
      if (const Descriptor* d = g.descriptor(id); d && ir::isPieceKind(d->kind())) return true;
    return false;
  }

  /// Memory that the backward may overwrite is that of saved tensors which are no inputs and are returned as
  /// nothing else.
  void donated(const std::vector<int64_t>& indices, int64_t symbols, const std::vector<NodeId>& tensors) {
    const Graph& g = *graphs_.forward.graph();
    std::vector<bool> returned(g.idBound());
    const std::vector<ir::ArgView> values = g.outputs();
    for (size_t o = 0; o < g.outputDescs.size() && o < values.size(); ++o) {
      const Descriptor* d = g.descriptor(g.outputDescs[o]);
      const bool saved = d && (d->kind() == DescKind::SavedForBackwardsOutput ||
                               d->kind() == DescKind::SavedForBackwardsNoVcCheckOutput);
      if (!saved && values[o].kind() == ir::ValueKind::NodeRef) returned[values[o].node().index] = true;
    }
    int64_t last = -1;
    for (const int64_t i : indices) {
      const int64_t k = i - symbols;
      const bool tensor = k >= 0 && k < static_cast<int64_t>(tensors.size());
      const NodeId node = tensor ? tensors[static_cast<size_t>(k)] : NodeId{};
      const char* why = nullptr;
      if (i <= last)
        why = "does not follow the one before";
      else if (!tensor)
        why = "is no saved tensor";
      else if (g.node(node).op == ir::OpKind::Placeholder)
        why = "is an input of the forward, which lives on";
      else if (returned[node.index])
        why = "is returned to the caller too";
      last = i;
      if (!why) continue;
      report("donated-buffer", graphs_.forward, node,
             "bw_donated_idxs: input " + str(i) + " of the backward " + why);
      return;
    }
  }

  const MetadataCheck& c_;
  const ViewAndMutationMeta& m_;
  const ir::CompileGraphs& graphs_;
  ir::DiagnosticSink& sink_;
  const ir::CompileGraph* main_ = nullptr;  ///< the graph whose inputs and outputs are the program's
  std::vector<Whole> inputs_;
  bool unlifted_ = false;
};

}  // namespace

void verifyMetadata(const MetadataCheck& check, ir::DiagnosticSink& sink) {
  const ViewAndMutationMeta& m = check.meta;
  const auto report = [&](const char* code, std::string message) {
    ir::Diagnostic d = ir::ruleBroken(code, {nullptr, check.name, check.file}, {}, std::move(message));
    d.loc = check.loc;
    sink.add(std::move(d));
  };
  for (size_t i = 0; i < m.inputInfo.size(); ++i) {
    const InputAliasInfo& in = m.inputInfo[i];
    if (in.mutatesStorageMetadata && (!in.mutatesMetadata || in.mutatesData))
      report("meta-storage",
             "input " + str(i) +
                 " is given another storage, which is a write of its metadata and not of its data");
  }
  int64_t bases = 0;
  for (size_t i = 0; i < m.outputInfo.size(); ++i) {
    const OutputAliasInfo& o = m.outputInfo[i];
    const std::string at = "output " + str(i) + " (" + std::string(outputTypeName(o.type)) + ")";
    std::optional<int64_t> limit;
    if (isViewOfInput(o.type)) limit = static_cast<int64_t>(m.inputInfo.size());
    if (o.type == OutputType::AliasOfIntermediate || o.type == OutputType::AliasOfIntermediateSaveAsOutput)
      limit = m.numIntermediateBases;
    if (o.type == OutputType::AliasOfIntermediateBaseIsUserOutput)
      limit = static_cast<int64_t>(m.outputInfo.size());
    if (limit && !o.baseIdx)
      report("meta-base-index", at + " has no base_idx");
    else if (limit && (*o.baseIdx < 0 || *o.baseIdx >= *limit))
      report("meta-base-index", at + " has the base_idx " + str(*o.baseIdx) + " of " + str(*limit));
    // An output whose aliasing autograd hides keeps the input that it is a view of.
    else if (!limit && o.baseIdx && o.type != OutputType::NonAlias)
      report("meta-base-index", at + " has a base_idx and is no view that is made again");
    if (!o.baseIdx) continue;
    if (o.type == OutputType::AliasOfIntermediateSaveAsOutput && *o.baseIdx != bases++)
      report("meta-base",
             at + " brings in base " + str(*o.baseIdx) + ", and the next one is " + str(bases - 1));
    if (o.type == OutputType::AliasOfIntermediate && *o.baseIdx >= bases)
      report("meta-base",
             at + " is a view of base " + str(*o.baseIdx) + ", which no output before brings in");
  }
  if (bases != m.numIntermediateBases)
    report("meta-base",
           str(bases) + " outputs bring in a base, num_intermediate_bases is " + str(m.numIntermediateBases));
  // PyTorch collects tangents for inference too, and loses count when it merges inputs.
  if (!check.training) return;
  size_t tangents = static_cast<size_t>(std::max<int64_t>(m.numIntermediateBases, 0));
  for (const InputAliasInfo& in : m.inputInfo)
    tangents += in.mutationType() == MutationType::MutatedOutGraph && in.mutatesData && in.requiresGrad;
  for (const OutputAliasInfo& o : m.outputInfo)
    tangents += isOwnOutput(o.type) && o.isTensor && o.requiresGradForBackward;
  if (m.tracedTangents.size() != m.tracedTangentsDescs.size())
    report("meta-tangents", "there are " + str(m.tracedTangents.size()) + " traced tangents and " +
                                str(m.tracedTangentsDescs.size()) + " descriptors of them");
  if (m.tracedTangentsDescs.size() != tangents)
    report("meta-tangents", "there are " + str(m.tracedTangentsDescs.size()) +
                                " tangents; inputs, outputs and bases ask for " + str(tangents));
}

void verifyAgainstMetadata(const MetadataCheck& check, const ir::CompileGraphs& graphs,
                           ir::DiagnosticSink& sink) {
  AgainstMetadata(check, graphs, sink).run();
}

}  // namespace descry::passes
