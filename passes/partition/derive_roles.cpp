#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "ir/analysis/boundary.h"
#include "passes/partition/op_facts.h"
#include "passes/partition/partition.h"

namespace descry::passes {

using ir::DescKind;
using ir::Graph;
using ir::NodeId;
using ir::OpKind;

namespace {

bool isPrimal(const ir::BoundaryInput& in) {
  return in.kind != ir::BoundaryKind::Tangent;
}

/// Reads ` ac_graph_id: 4 - MUST_SAVE` and ` recompute: MUST_SAVE` out of a comment.
void readPolicy(std::string_view tags, NodeRole& role) {
  const auto policy = [&](std::string_view text) {
    for (RecomputePolicy p : {RecomputePolicy::MustSave, RecomputePolicy::PreferSave,
                              RecomputePolicy::MustRecompute, RecomputePolicy::PreferRecompute})
      if (text.starts_with(recomputePolicyName(p))) role.recompute = p;
  };
  constexpr std::string_view kRegion = "ac_graph_id: ", kRecompute = "recompute: ";
  if (const size_t at = tags.rfind(kRegion); at != std::string_view::npos) {
    std::string_view rest = tags.substr(at + kRegion.size());
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), role.region);
    if (error != std::errc()) return;
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    if (rest.starts_with(" - ")) policy(rest.substr(3));
  } else if (const size_t plain = tags.rfind(kRecompute); plain != std::string_view::npos) {
    policy(tags.substr(plain + kRecompute.size()));
  }
}

/// Reads `Annotation: {'call_id': 9}`, which both halves of a call of a nested region carry.
void readCall(std::string_view tags, NodeRole& role) {
  constexpr std::string_view kCall = "'call_id': ";
  const size_t at = tags.find(kCall);
  if (at == std::string_view::npos) return;
  const std::string_view rest = tags.substr(at + kCall.size());
  std::from_chars(rest.data(), rest.data() + rest.size(), role.call);
}

/// Marks primals whose mutation has a tangent: the runtime writes them when the forward graph is done.
void markWrittenAfterwards(const Graph& g, std::vector<NodeRole>& roles) {
  std::vector<const ir::Descriptor*> written;  // of Tangent(output=InputMutation(mutated_input=X)): X
  const std::vector<NodeId> inputs = g.placeholders();
  for (NodeId id : inputs) {
    const ir::Descriptor* d = g.descriptor(id);
    if (!d || !d->isTangent()) continue;
    while (d && d->kind() != DescKind::InputMutationOutput) d = d->base();
    if (d && d->base()) written.push_back(d->base());
  }
  if (written.empty()) return;
  std::unordered_map<std::string, std::vector<NodeId>>
      primals;  // by descriptor, and by what it is a piece of
  for (NodeId id : inputs) {
    const ir::Descriptor* d = g.descriptor(id);
    if (!d || d->isTangent()) continue;
    for (; d; d = d->base()) primals[d->repr()].push_back(id);
  }
  for (const ir::Descriptor* d : written)
    if (const auto it = primals.find(d->repr()); it != primals.end())
      for (NodeId id : it->second) roles[id.index].writtenAfterwards = true;
}

/// A trace runs forward, then backward, then writes inputs. Looks for the two borders.
class RoleFinder {
 public:
  RoleFinder(const Graph& g, uint32_t forwardOutputs)
      : g_(g),
        table_(g),
        roles_(g.idBound()),
        onTangent_(g.idBound(), false),
        forForward_(g.idBound(), false) {
    for (NodeId id : g.nodes()) order_.push_back(id);
    markInputs();
    for (size_t k = 0; k < order_.size(); ++k)
      g.forEachInput(order_[k], [&](NodeId in) {
        if (onTangent_[in.index]) onTangent_[order_[k].index] = true;
      });
    findTail();
    markForward(forwardOutputs);
  }

  std::vector<NodeRole> find() {
    const size_t border = firstBackward();
    for (size_t k = 0; k < order_.size(); ++k) {
      const NodeId id = order_[k];
      const OpKind op = g_.node(id).op;
      if (op == OpKind::Placeholder || op == OpKind::Output) continue;
      NodeRole& role = roles_[id.index];
      if (k < tail_)
        role.tag = k < border ? PartitionTag::Forward : PartitionTag::Backward;
      else if (table_.of(id).has(partition::kAllowedMutation))
        role.tag = writesBackwardValue(id) ? PartitionTag::MustBeInBackward : PartitionTag::MustBeInForward;
      readPolicy(g_.str(g_.source(id).tags), role);
      readCall(g_.str(g_.source(id).tags), role);
    }
    markWrittenAfterwards(g_, roles_);
    return std::move(roles_);
  }

 private:
  void markInputs() {
    for (const ir::BoundaryInput& in : ir::findBoundary(g_).inputs) {
      NodeRole& role = roles_[in.node.index];
      const ir::Descriptor* d = g_.descriptor(in.node);
      const bool tangent = !isPrimal(in) || (d && d->kind() == DescKind::BackwardTokenInput);
      role.tag = tangent ? PartitionTag::Backward : PartitionTag::Forward;
      onTangent_[in.node.index] = tangent;
      if (tangent && !d) role.input = InputRole::Tangent;
    }
  }

  /// From the first write to an input on, nothing is computed but views of what was written.
  void findTail() {
    tail_ = order_.size();
    for (size_t k = order_.size(); k-- > 0;) {
      const NodeId id = order_[k];
      const OpKind op = g_.node(id).op;
      const bool write = table_.of(id).has(partition::kAllowedMutation);
      if (op == OpKind::Placeholder || (op != OpKind::Output && !write && onTangent_[id.index])) break;
      if (write) tail_ = k;
    }
    if (tail_ == order_.size() && g_.output()) --tail_;
  }

  bool saidToBeBackward(NodeId id) const {
    const ir::Source& s = g_.source(id);
    return s.backward || g_.str(s.function) == "backward";  // of a custom function
  }

  /// Forward outputs need it, or a write that happens after the forward pass.
  void markForward(uint32_t forwardOutputs) {
    const std::vector<ir::ArgView> outputs = g_.outputs();
    for (size_t i = 0; i < std::min<size_t>(forwardOutputs, outputs.size()); ++i)
      if (outputs[i].kind() == ir::ValueKind::NodeRef) forForward_[outputs[i].node().index] = true;
    for (size_t k = tail_; k < order_.size(); ++k) {
      if (!table_.of(order_[k]).has(partition::kAllowedMutation) || onTangent_[order_[k].index]) continue;
      g_.forEachInput(order_[k], [&](NodeId in) {
        if (!saidToBeBackward(in)) forForward_[in.index] = true;
      });
    }
    for (size_t k = order_.size(); k-- > 0;)
      if (forForward_[order_[k].index])
        g_.forEachInput(order_[k], [&](NodeId in) { forForward_[in.index] = true; });
  }

  /// Autograd keeps a result as `detach(result)` and takes it back as `detach` of that. Elements of a tuple
  /// belong to the op that computes it.
  bool isKeptResult(NodeId id) const {
    const std::string_view target = g_.target(id);
    if (target != "torch.ops.aten.detach.default" && target != "torch.ops.aten.alias.default" &&
        target != "operator.getitem")
      return false;
    const std::vector<NodeId> in = g_.inputs(id);
    return in.size() == 1 && forForward_[in[0].index];
  }

  size_t firstBackward() const {
    size_t border = 0;
    const auto certain = [&](NodeId id) {
      return onTangent_[id.index] || (!forForward_[id.index] && g_.source(id).backward);
    };
    while (border < tail_ && (g_.node(order_[border]).op == OpKind::Placeholder || !certain(order_[border])))
      ++border;
    if (border == tail_) return border;
    // What the first backward op needs may stand before it: under the same comment, in a custom backward, or
    // without a place.
    for (; border > 0; --border) {
      const NodeId id = order_[border - 1];
      if (g_.node(id).op == OpKind::Placeholder || forForward_[id.index]) break;
      const bool noPlace = g_.source(id).noStackTrace && !isKeptResult(id);
      const bool sameComment =
          !g_.source(id).noStackTrace && g_.node(id).source == g_.node(order_[border]).source;
      if (!noPlace && !sameComment && !saidToBeBackward(id)) break;
    }
    return border;
  }

  bool writesBackwardValue(NodeId id) const {
    const uint32_t at = g_.argCount(id) > 1 ? 1 : 0;
    if (g_.argCount(id) == 0 || g_.arg(id, at).kind() != ir::ValueKind::NodeRef) return false;
    return roles_[g_.arg(id, at).node().index].tag == PartitionTag::Backward;
  }

  const Graph& g_;
  partition::OpFactTable table_;
  std::vector<NodeRole> roles_;
  std::vector<NodeId> order_;
  std::vector<bool> onTangent_, forForward_;
  size_t tail_ = 0;  // the first of the writes at the end
};

}  // namespace

uint32_t countForwardOutputs(const Graph& joint) {
  const size_t outputs = joint.outputs().size();
  bool described = false;
  for (ir::DescId id : joint.outputDescs) described = described || id;
  if (!described) {
    size_t primals = 0;
    for (const ir::BoundaryInput& in : ir::findBoundary(joint).inputs) primals += isPrimal(in);
    return static_cast<uint32_t>(outputs - std::min(outputs, primals));
  }
  for (size_t i = 0; i < joint.outputDescs.size(); ++i) {
    const ir::Descriptor* d = joint.descriptor(joint.outputDescs[i]);
    const bool noGradient = !d && joint.str(joint.context().descriptor(joint.outputDescs[i]).text) == "None";
    if (noGradient || (d && (d->isGrad() || d->kind() == DescKind::BackwardTokenOutput ||
                             d->kind() == DescKind::PhiloxUpdatedBackwardOffsetOutput)))
      return static_cast<uint32_t>(i);
  }
  return static_cast<uint32_t>(outputs);
}

std::vector<NodeRole> deriveRoles(const Graph& g, uint32_t forwardOutputs) {
  return RoleFinder(g, forwardOutputs).find();
}

}  // namespace descry::passes
