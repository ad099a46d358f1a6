// Rules of graphs that AOT autograd made: what they may write, how tokens order their effects, where the
// random state crosses. Graphs without descriptors are not looked at.
#include <unordered_map>

#include "ir/analysis/boundary.h"
#include "ir/verify/checks.h"

namespace descry::ir {

namespace {

bool isPiece(DescKind k) {
  return k == DescKind::SubclassSizeInput || k == DescKind::SubclassStrideInput ||
         k == DescKind::SubclassSizeOutput || k == DescKind::SubclassStrideOutput;
}

class AotGraphCheck {
 public:
  explicit AotGraphCheck(GraphCheck& check) : check_(check), g_(check.graph) {}

  void run() {
    if (g_.truncated || g_.partial) return;
    bool aot = false;
    for (const NodeId id : g_.nodes()) {
      if (g_.node(id).op != OpKind::Placeholder) break;
      inputs_.push_back(id);
      aot = aot || g_.node(id).desc;
    }
    if (!aot || !g_.output()) return;
    joint_ = findBoundary(g_).shape == GraphShape::Joint;
    pieces();
    philox();
    tokens();
    if (check_.ops) calls();
  }

 private:
  struct Target {
    const OpDef* op = nullptr;
    bool allowedWrite = false, plainCopy = false, withEffects = false, getitem = false, makesToken = false;
  };

  const Target& targetOf(NodeId id) {
    auto [found, fresh] = targets_.try_emplace(g_.node(id).target.index);
    Target& t = found->second;
    if (!fresh) return t;
    const std::string_view name = g_.target(id);
    t.op = check_.ops && name.starts_with("torch.ops.") ? check_.ops->find(name) : nullptr;
    t.plainCopy = name == "torch.ops.aten.copy_.default";
    // PyTorch's list (_is_functional_graph), and the resize that FSDP brings along.
    t.allowedWrite = t.plainCopy || name == "torch.ops.aten.set_.source_Tensor" ||
                     name == "torch.ops.aten.shallow_copy_data_.default" ||
                     name == "torch.ops.fsdp.copy_.default" ||
                     name == "torch.ops.inductor.resize_storage_bytes_.default";
    t.withEffects = name == "torch.ops.higher_order.with_effects";
    t.getitem = name == "operator.getitem";
    t.makesToken = name.starts_with("torch.ops.prims._make_token");
    return t;
  }

  std::optional<NodeId> argument(NodeId id, uint32_t i) const {
    if (i >= g_.argCount(id) || g_.arg(id, i).kind() != ValueKind::NodeRef) return std::nullopt;
    const NodeId at = g_.arg(id, i).node();
    return at.index < check_.position.size() && check_.position[at.index] ? std::optional(at) : std::nullopt;
  }

  /// Tangents come without the sizes of the subclass that they are.
  void pieces() {
    for (const NodeId id : inputs_)
      if (const Descriptor* d = g_.descriptor(id); d && isPiece(d->kind()) && d->isTangent())
        check_.report("tangent-size", id,
                      "input " + check_.quoted(id) + " (" + d->repr() + ") is a size of a tangent");
  }

  // ---- random state

  /// Seeds and offsets stand behind everything else, in the order of their classes.
  void philox() {
    const auto isState = [](const Descriptor* d) {
      return d && d->kind() >= DescKind::PhiloxForwardSeedInput &&
             d->kind() <= DescKind::PhiloxBackwardBaseOffsetInput;
    };
    const Descriptor* last = nullptr;
    for (const NodeId id : inputs_) {
      const Descriptor* d = g_.descriptor(id);
      if (isState(d)) {
        if (last && d->kind() <= last->kind())
          check_.report("philox-slot", id,
                        check_.quoted(id) + " (" + d->repr() + ") follows " + last->repr());
        last = d;
      } else if (last && d) {
        check_.report("philox-slot", id,
                      "input " + check_.quoted(id) + " (" + d->repr() + ") stands behind " + last->repr());
      }
    }
    random_ = last != nullptr;
    philoxCount();
    // The forward offset ends what the program returns; the backward's follows the gradients.
    enum Place { Program, ForwardOffset, Gradients, BackwardOffset, BackwardTokens, Saved };
    Place now = Program;
    size_t position = 0;
    for (const DescId id : g_.outputDescs) {
      const Descriptor* d = g_.descriptor(id);
      const size_t at = position++;
      if (!d) continue;
      Place place = Program;
      if (d->kind() == DescKind::PhiloxUpdatedForwardOffsetOutput) place = ForwardOffset;
      if (d->isGrad()) place = Gradients;
      if (d->kind() == DescKind::PhiloxUpdatedBackwardOffsetOutput) place = BackwardOffset;
      if (d->kind() == DescKind::BackwardTokenOutput) place = BackwardTokens;
      if (d->kind() == DescKind::SavedForBackwardsOutput ||
          d->kind() == DescKind::SavedForBackwardsNoVcCheckOutput)
        place = Saved;
      const bool offset =
          now == ForwardOffset || now == BackwardOffset || place == ForwardOffset || place == BackwardOffset;
      if (place < now && offset)
        check_.report(
            "philox-slot", g_.output(),
            "output " + std::to_string(at) + " (" + d->repr() + ") stands behind what it comes before");
      now = std::max(now, place);
    }
  }

  /// A pass takes a seed and an offset and returns the new offset; a joint graph holds two passes.
  void philoxCount() {
    std::unordered_map<DescKind, int> n;
    for (const NodeId id : inputs_)
      if (const Descriptor* d = g_.descriptor(id)) ++n[d->kind()];
    for (const DescId id : g_.outputDescs)
      if (const Descriptor* d = g_.descriptor(id)) ++n[d->kind()];
    const int forward = n[DescKind::PhiloxForwardSeedInput], backward = n[DescKind::PhiloxBackwardSeedInput];
    const bool fits = n[DescKind::PhiloxForwardBaseOffsetInput] == forward &&
                      n[DescKind::PhiloxBackwardBaseOffsetInput] == backward &&
                      n[DescKind::PhiloxUpdatedForwardOffsetOutput] == forward &&
                      n[DescKind::PhiloxUpdatedBackwardOffsetOutput] == backward;
    if (!fits || (joint_ && forward != backward) || (!joint_ && forward && backward))
      check_.report("philox-slot", {}, "seeds, offsets and returned offsets do not go together");
  }

  // ---- effects

  /// The tokens of each chain: every one is read by one effect, and each chain ends where it began, in the
  /// forward or in the backward.
  void tokens() {
    std::unordered_map<uint32_t, NodeId> readBy;  // token -> effect
    std::vector<uint32_t> root(g_.idBound(), NodeId::kNone);
    for (const NodeId id : g_.nodes()) {
      const Node& n = g_.node(id);
      const Descriptor* d = g_.descriptor(id);
      if (n.op == OpKind::Placeholder) {
        if (d && (d->kind() == DescKind::ForwardTokenInput || d->kind() == DescKind::BackwardTokenInput))
          root[id.index] = id.index;
        continue;
      }
      if (n.op != OpKind::CallFunction) continue;
      const Target& t = targetOf(id);
      if (t.makesToken) root[id.index] = id.index;
      const std::optional<NodeId> first = argument(id, 0);
      if (!first) continue;
      if (t.getitem && g_.argCount(id) == 2 && g_.arg(id, 1).kind() == ValueKind::Int &&
          g_.arg(id, 1).integer() == 0 && g_.node(*first).op == OpKind::CallFunction &&
          targetOf(*first).withEffects)
        root[id.index] = root[first->index];
      if (!t.withEffects) continue;
      root[id.index] = root[first->index];
      if (const auto [found, fresh] = readBy.emplace(first->index, id); !fresh)
        check_.report("token-chain", id,
                      check_.quoted(id) + " takes the token " + check_.quoted(*first) + ", which " +
                          check_.quoted(found->second) + " has taken already");
    }
    const std::vector<ArgView> values = g_.outputs();
    for (size_t i = 0; i < g_.outputDescs.size() && i < values.size(); ++i) {
      const Descriptor* d = g_.descriptor(g_.outputDescs[i]);
      if (!d || values[i].kind() != ValueKind::NodeRef) continue;
      const bool forward = d->kind() == DescKind::ForwardTokenOutput;
      if (!forward && d->kind() != DescKind::BackwardTokenOutput) continue;
      const NodeId value = values[i].node();
      if (value.index >= root.size() || root[value.index] == NodeId::kNone) continue;
      const Descriptor* begins = g_.descriptor(NodeId{root[value.index]});
      if (!begins) continue;
      if (forward != (begins->kind() == DescKind::ForwardTokenInput))
        check_.report("token-chain", value,
                      "output " + std::to_string(i) + ", " + check_.quoted(value) + " (" + d->repr() +
                          "), ends the chain of " + begins->repr());
      if (const auto reader = readBy.find(value.index); reader != readBy.end())
        check_.report("token-chain", value,
                      "output " + std::to_string(i) + ", " + check_.quoted(value) + " (" + d->repr() +
                          "), is a token that " + check_.quoted(reader->second) + " has taken already");
    }
  }

  // ---- calls

  void calls() {
    std::unordered_map<uint32_t, uint32_t> written;  // input -> how often it was copied to
    // A name that is read and defined elsewhere may be one that nobody reads here.
    bool lost = false;
    for (const NodeId id : g_.nodes()) lost = lost || (g_.node(id).flags & (kNodeExternal | kNodeUnparsed));
    for (const NodeId id : g_.nodes()) {
      if (g_.node(id).op != OpKind::CallFunction) continue;
      const Target& t = targetOf(id);
      const bool writes = t.allowedWrite || (t.op && t.op->has(kOpMutates));
      if (writes && !t.allowedWrite)
        check_.report(
            "not-functional", id,
            check_.quoted(id) + " calls " + std::string(g_.target(id)) + ", which writes its arguments");
      if (!writes && t.op && !t.op->has(kOpView) && !written.empty())
        g_.forEachInput(id, [&](NodeId in) {
          if (written.count(in.index))
            check_.report(
                "read-after-write", id,
                check_.quoted(id) + " reads the input " + check_.quoted(in) + " after it was written");
        });
      if (t.plainCopy)
        if (const std::optional<NodeId> to = argument(id, 0); to && g_.node(*to).op == OpKind::Placeholder)
          // Both passes may write an input, and the joint holds both.
          if (++written[to->index] > (joint_ ? 2u : 1u))
            check_.report("written-twice", id,
                          check_.quoted(id) + " writes the input " + check_.quoted(*to) + " once more");
      if (!t.op) continue;
      if (!lost && t.op->has(kOpPure) && !g_.hasUsers(id))
        check_.report(
            "dead-call", id,
            "nobody reads " + check_.quoted(id) + ", and " + std::string(g_.target(id)) + " has no effect");
      if (random_ && t.op->has(kOpRandom) && onCuda(id))
        check_.report("stateful-random", id,
                      check_.quoted(id) + " draws from the generator, although the state is an input");
      if (!g_.node(id).type && t.op->schema().returns.size() == 1 && !t.op->schema().varReturns &&
          t.op->schema().returns[0].type.str() == "Tensor")
        check_.report("untyped-value", id, check_.quoted(id) + " is a tensor without a type");
    }
  }

  bool onCuda(NodeId id) const {
    return g_.type(id).kind == TypeKind::Tensor && g_.type(id).text.find("cuda") != std::string::npos;
  }

  GraphCheck& check_;
  const Graph& g_;
  std::vector<NodeId> inputs_;
  std::unordered_map<uint32_t, Target> targets_;
  bool joint_ = false, random_ = false;
};

}  // namespace

void checkAotGraph(GraphCheck& check) {
  AotGraphCheck(check).run();
}

}  // namespace descry::ir
