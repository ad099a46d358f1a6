#include "passes/aot/runtime_facts.h"

#include <algorithm>

#include "passes/aot/donated_buffers.h"

namespace descry::passes {

size_t backwardTokens(const AotResult& result) {
  if (!result.joint) return 0;
  const ir::Graph& joint = result.joint->root();
  const std::vector<ir::NodeId> inputs = joint.placeholders();
  return static_cast<size_t>(std::count_if(inputs.begin(), inputs.end(), [&](ir::NodeId id) {
    return joint.str(joint.context().descriptor(joint.node(id).desc).text)
        .starts_with("BackwardTokenAOTInput");
  }));
}

std::string heldBy(const SubclassLayout& layout) {
  std::string out = layout.name + " of ";
  for (size_t i = 0; i < layout.inner.size(); ++i) {
    const SubclassLayout::Inner& held = layout.inner[i];
    out += (i ? ", " : "") + held.attr + (held.layout.plain() ? "" : " (" + heldBy(held.layout) + ")");
  }
  return out;
}

namespace {

class Facts {
 public:
  Facts(const AotResult& result, const Partition* cut) : r_(result), m_(result.meta), cut_(cut) {}

  std::vector<PassFinding> all() {
    beforeTheCall();
    ofResults();
    writtenInputs();
    aliasedOutputs();
    afterwards();
    savedTensors();
    beforeTheBackward();
    return std::move(out_);
  }

 private:
  void say(std::string what, std::string how) { out_.emplace_back(std::move(what), std::move(how)); }
  std::string input(size_t i) const { return r_.inputs[i].descriptor.repr(); }
  static std::string output(size_t i) { return "output " + std::to_string(i); }

  void beforeTheCall() {
    for (const AotInput& in : r_.inputs) {
      const ir::DescKind kind = in.descriptor.kind();
      if (kind == ir::DescKind::ViewBaseInput)
        say(in.descriptor.repr(), "is passed for the inputs that are views of it");
      if (kind == ir::DescKind::SyntheticBaseInput)
        say(in.descriptor.repr(), "is made over the memory that inputs share, and passed for them");
    }
    for (size_t i = 0; i < r_.inputs.size() && i < m_.inputInfo.size(); ++i) {
      const InputAliasInfo& info = m_.inputInfo[i];
      if (info.mutationType() == MutationType::MutatedInGraph && !info.mutationsHiddenFromAutograd)
        say(input(i), "its version is counted up: the graph writes it");
      if (detached(i)) say(input(i), "is detached: no gradient comes back for it");
    }
    for (const AotInput& in : r_.inputs)
      if (!in.layout.plain()) say(in.descriptor.repr(), "is taken apart: " + heldBy(in.layout));
    if (!m_.tokens.empty() && !r_.unliftTokens)
      say("tokens", std::to_string(m_.tokens.size()) + " handed in first, taken off the results");
    if (m_.isRngOpFunctionalized)
      say("random state",
          "seed and offset are handed in last; the generator moves on by the returned offset");
  }

  /// Whose gradient is None whatever arrives, of those that have a history. PyTorch leaves subclasses out.
  bool detached(size_t i) const {
    const AotInput& in = r_.inputs[i];
    if (!r_.joint || !in.requiresGrad || in.isLeaf) return false;
    if (m_.inputInfo[i].mutatesStorageMetadata &&
        m_.inputInfo[i].mutationType() == MutationType::MutatedInGraph)
      return false;
    if (std::any_of(r_.placeholders.begin(), r_.placeholders.end(), [](size_t n) { return n != 1; }))
      return false;
    const auto outputs = r_.joint->root().outputs();
    const size_t at = r_.numForward + i;
    return at < outputs.size() && outputs[at].kind() == ir::ValueKind::None;
  }

  void ofResults() {
    for (size_t k = 0; k < m_.subclassFwGraphOutMeta.size(); ++k)
      if (const SubclassMeta& s = m_.subclassFwGraphOutMeta[k]; !s.name.empty())
        say("result " + std::to_string(k), "is put together as " + s.name);
    for (size_t i = 0; i < m_.outputInfo.size(); ++i) {
      const OutputAliasInfo& o = m_.outputInfo[i];
      if (o.type == OutputType::UnsafeViewAlias) say(output(i), "goes through _unsafe_view");
      if (r_.joint && o.isTensor && !o.requiresGrad && isOwnOutput(o.type))
        say(output(i), "is marked as not differentiable");
    }
  }

  void writtenInputs() {
    for (size_t i = 0; i < m_.inputInfo.size() && i < r_.inputs.size(); ++i) {
      const InputAliasInfo& info = m_.inputInfo[i];
      if (info.mutationType() != MutationType::MutatedOutGraph) continue;
      if (info.mutatesStorageMetadata) {
        say(input(i), "gets the memory of the returned value (set_)");
        continue;
      }
      std::string how =
          info.mutatesMetadata ? "gets sizes and strides of the returned value (as_strided_)" : "";
      if (info.mutatesData)
        how += std::string(how.empty() ? "gets the data of the returned value" : ", then its data") +
               (info.requiresGrad && info.isLeaf ? " (detach().copy_)" : " (copy_)");
      say(input(i), how);
    }
  }

  void aliasedOutputs() {
    // Merged inputs whose sizes or strides changed are told by the last outputs.
    const size_t user = m_.outputInfo.size() - std::min(m_.numMetadataMutationOutputs, m_.outputInfo.size());
    for (size_t i = 0; i < m_.outputInfo.size(); ++i) {
      const OutputAliasInfo& o = m_.outputInfo[i];
      const std::string base = o.baseIdx ? std::to_string(*o.baseIdx) : "?";
      if (i >= user) {
        say(output(i), "gives a merged input its sizes and strides (as_strided_), and is dropped");
        continue;
      }
      switch (o.type) {
        case OutputType::NonAlias:
        case OutputType::UnsafeViewAlias:
        case OutputType::CustomFunctionView:
          break;
        case OutputType::AliasOfInput:
          say(output(i), "is made again as a view of input " + base);
          break;
        case OutputType::IsInput:
          say(output(i), "is input " + base + " itself");
          break;
        case OutputType::AliasOfIntermediateSaveAsOutput:
        case OutputType::AliasOfIntermediate:
          say(output(i), "is made again as a view of returned base " + base);
          break;
        case OutputType::AliasOfIntermediateBaseIsUserOutput:
          say(output(i), "is made again as a view of output " + base);
          break;
      }
    }
    if (m_.numIntermediateBases > 0)
      say("intermediate bases", std::to_string(m_.numIntermediateBases) + " dropped from the results");
  }

  void afterwards() {
    for (size_t i = 0; i < m_.outputInfo.size(); ++i) {
      std::string dims;
      for (const int64_t d : m_.outputInfo[i].dynamicDims)
        dims += (dims.empty() ? "" : ", ") + std::to_string(d);
      if (!dims.empty()) say(output(i), "dimensions marked as dynamic: " + dims);
    }
    if (m_.gradEnabledMutation)
      say("grad mode", *m_.gradEnabledMutation ? "is switched on" : "is switched off");
  }

  /// Versions are checked of what goes through save_for_backward. Donated buffers are told by their names in
  /// the backward graph.
  void savedTensors() {
    if (!cut_) return;
    const auto count = [&](SavedKind kind) {
      return std::count_if(cut_->saved.begin(), cut_->saved.end(),
                           [&](const SavedValue& v) { return v.kind == kind; });
    };
    if (const auto checked = count(SavedKind::Tensor))
      say("saved tensors", std::to_string(checked) +
                               " checked for writes that come between: the backward refuses a newer version");
    if (const auto unchecked = count(SavedKind::TensorNoVersionCheck))
      say("saved without a check", std::to_string(unchecked) + ": autograd functions kept them on ctx");
    const std::vector<int64_t> donated = donatedBuffers(r_, *cut_);
    if (donated.empty()) return;
    const ir::Graph& backward = cut_->backward.root();
    const std::vector<ir::NodeId> inputs = backward.placeholders();
    std::string names;
    for (size_t i = 0; i < donated.size() && i < kNamed; ++i)
      if (const auto at = static_cast<size_t>(donated[i]); at < inputs.size())
        names += (names.empty() ? "" : ", ") + std::string(backward.nodeName(inputs[at]));
    if (donated.size() > kNamed) names += ", ...";
    say("donated buffers", std::to_string(donated.size()) + " may be overwritten by the backward (" + names +
                               "): running it with retain_graph or create_graph is an error");
  }

  void beforeTheBackward() {
    if (!r_.joint) return;
    const auto list = [](const Ints& ints) {
      std::string out;
      for (const ir::eval::Int& i : ints) out += (out.empty() ? "[" : ", ") + i.str();
      return out.empty() ? std::string("[]") : out + "]";
    };
    for (size_t i = 0; i < m_.tracedTangents.size() && i < m_.tracedTangentsDescs.size(); ++i)
      say(m_.tracedTangentsDescs[i].repr(),
          "is copied where its strides are not " + list(m_.tracedTangents[i].strides));
    if (const size_t tokens = backwardTokens(r_); tokens > 0 && !r_.unliftTokens)
      say("tokens of the backward", std::to_string(tokens) + " handed in last, taken off the gradients");
  }

  static constexpr size_t kNamed = 8;
  const AotResult& r_;
  const ViewAndMutationMeta& m_;
  const Partition* cut_;
  std::vector<PassFinding> out_;
};

}  // namespace

std::vector<PassFinding> runtimeFacts(const AotResult& result, const Partition* cut) {
  return Facts(result, cut).all();
}

}  // namespace descry::passes
