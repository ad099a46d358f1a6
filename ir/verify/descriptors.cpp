// Rules about descriptors, and the invariants of joint, forward and backward graphs that follow from them.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "ir/descriptors/pieces.h"
#include "ir/verify/checks.h"

namespace descry::ir {

namespace {

struct HashDescriptor {
  size_t operator()(const Descriptor* d) const { return hashValue(*d); }
};
struct EqualDescriptor {
  bool operator()(const Descriptor* a, const Descriptor* b) const { return *a == *b; }
};
using DescriptorMap = std::unordered_map<const Descriptor*, uint32_t, HashDescriptor, EqualDescriptor>;

bool isForwardOutput(DescKind k) {
  return k == DescKind::PlainOutput || k == DescKind::InputMutationOutput ||
         k == DescKind::IntermediateBaseOutput;
}

bool isSaved(DescKind k) {
  return k == DescKind::SavedForBackwardsOutput || k == DescKind::SavedForBackwardsNoVcCheckOutput;
}

class DescriptorCheck {
 public:
  explicit DescriptorCheck(GraphCheck& check) : check_(check), g_(check.graph) {}

  void run() {
    collect();
    if (inputs_.empty() && outputs_.empty()) return;
    for (const Item& i : inputs_) one(i, true);
    for (const Item& o : outputs_) one(o, false);
    duplicates(inputs_, true);
    duplicates(outputs_, false);
    pieces(inputs_, true);
    pieces(outputs_, false);
    tokens();
    saved();
    joint();
  }

 private:
  struct Item {
    const Descriptor* desc;  ///< null for None and unknown classes
    DescId id;
    NodeId node;        ///< placeholder, or the output node
    uint32_t position;  ///< among inputs or outputs
  };

  std::string place(const Item& item, bool input) const {
    return input ? "input " + check_.quoted(item.node) : "output " + std::to_string(item.position);
  }

  void collect() {
    uint32_t k = 0;
    bool any = false;
    for (NodeId id : g_.nodes()) {
      const Node& n = g_.node(id);
      if (n.op != OpKind::Placeholder) continue;
      any |= static_cast<bool>(n.desc);
      inputs_.push_back({g_.descriptor(n.desc), n.desc, id, k++});
    }
    if (!any) inputs_.clear();
    const NodeId out = g_.output();
    if (!out || g_.outputDescs.empty()) return;
    values_ = g_.outputs();
    if (g_.outputDescs.size() != values_.size())
      check_.report("descriptor-count", out,
                    "there are " + std::to_string(values_.size()) + " outputs and " +
                        std::to_string(g_.outputDescs.size()) + " output descriptors");
    for (uint32_t i = 0; i < g_.outputDescs.size(); ++i)
      outputs_.push_back({g_.descriptor(g_.outputDescs[i]), g_.outputDescs[i], out, i});
  }

  void one(const Item& item, bool input) {
    if (!item.id) return;
    if (!item.desc) {
      const std::string_view text = g_.str(g_.context().descriptor(item.id).text);
      if (text != "None")
        check_.reportOnce("descriptor-unknown", text, item.node,
                          place(item, input) + ": the descriptor " + std::string(text) + " is not known");
      return;
    }
    const Descriptor& d = *item.desc;
    if (d.isInput() != input)
      check_.report(
          "descriptor-side", item.node,
          place(item, input) + " has the descriptor " + d.repr() + " of an " + (input ? "output" : "input"));
    if (std::string why = d.legality(); !why.empty())
      check_.report("descriptor-illegal", item.node, place(item, input) + ": " + d.repr() + ": " + why);
    for (const Descriptor* at = &d; at; at = at->base())
      if (at->kind() == DescKind::DummyInput || at->kind() == DescKind::DummyOutput)
        check_.report("dummy-descriptor", item.node,
                      place(item, input) + " still has the stand-in descriptor " + d.repr());
  }

  void duplicates(const std::vector<Item>& items, bool input) {
    DescriptorMap seen;  // -> index in items
    for (uint32_t i = 0; i < items.size(); ++i) {
      const Item& item = items[i];
      if (!item.desc) continue;
      const auto [first, fresh] = seen.emplace(item.desc, i);
      if (!fresh)
        check_.report("descriptor-duplicate", item.node,
                      place(items[first->second], input) + " and " + place(item, input) +
                          " both have the descriptor " + item.desc->repr());
    }
  }

  /// A backward graph takes what is saved, sizes first: there only the pieces of tangents stand together.
  bool takesSaved() const {
    bool tangents = false, forward = false;
    for (const Item& i : inputs_) tangents |= i.desc && i.desc->isTangent();
    for (const Item& o : outputs_) forward |= o.desc && isForwardOutput(withoutPieces(*o.desc).kind());
    return tangents && !forward;
  }

  void pieces(const std::vector<Item>& items, bool input) {
    const bool tangentsOnly = input && takesSaved();
    DescriptorMap ended;  // subclass -> where its run of pieces ended
    const Descriptor* current = nullptr;
    for (const Item& item : items) {
      const Descriptor* whole =
          item.desc && isPieceKind(item.desc->kind()) && (!tangentsOnly || item.desc->isTangent())
              ? &withoutPieces(*item.desc)
              : nullptr;
      if (current && !(whole && *whole == *current)) ended.emplace(current, item.position);
      if (whole && !(current && *whole == *current) && ended.count(whole))
        check_.report("subclass-pieces", item.node,
                      place(item, input) + ": the piece " + item.desc->repr() +
                          " stands apart from the others of " + whole->repr());
      current = whole;
    }
  }

  void tokens() {
    auto side = [&](const std::vector<Item>& items, DescKind kind, bool input) {
      int64_t next = 0;
      bool others = false;
      for (const Item& item : items) {
        if (!item.desc || item.desc->kind() != kind) {
          others = true;
          continue;
        }
        if (others)
          check_.report(
              "token-order", item.node,
              place(item, input) + ": the token " + item.desc->repr() + " stands behind other values");
        else if (item.desc->idx() != next)
          check_.report("token-order", item.node,
                        place(item, input) + ": the token " + item.desc->repr() + " should have idx " +
                            std::to_string(next));
        ++next;
        if (input) {
          const Type& type = g_.type(item.node);
          const auto elements = type.kind == TypeKind::Tensor ? type.tensor.numel() : std::nullopt;
          if (elements && *elements != 0)
            check_.report(
                "token-order", item.node,
                place(item, input) + " is a token but its type \"" + type.text + "\" holds elements");
        }
      }
    };
    side(inputs_, DescKind::ForwardTokenInput, true);
    side(outputs_, DescKind::ForwardTokenOutput, false);
  }

  void saved() {
    int64_t last = -1;
    bool any = false;
    for (const Item& item : outputs_) {
      if (!item.desc || !isSaved(item.desc->kind())) {
        if (any && item.desc && isForwardOutput(item.desc->kind()))
          check_.report("saved-order", item.node,
                        place(item, false) + " (" + item.desc->repr() + ") stands behind saved values");
        continue;
      }
      any = true;
      if (item.desc->idx() <= last)
        check_.report("saved-order", item.node,
                      place(item, false) + ": " + item.desc->repr() + " follows a saved value with idx " +
                          std::to_string(last));
      last = item.desc->idx();
    }
  }

  void joint() {
    DescriptorMap inputs, outputs;
    bool tangents = false, forward = false, grads = false;
    for (const Item& i : inputs_) {
      if (!i.desc) continue;
      const Descriptor& whole = withoutPieces(*i.desc);
      inputs.emplace(&whole, i.position);
      tangents |= whole.kind() == DescKind::TangentInput;
    }
    for (const Item& o : outputs_) {
      if (!o.desc) continue;
      const Descriptor& whole = withoutPieces(*o.desc);
      outputs.emplace(&whole, o.position);
      forward |= isForwardOutput(whole.kind());
      grads |= whole.kind() == DescKind::GradOutput;
    }
    // A backward graph has tangents and gradients too, but not the inputs and outputs that they belong to.
    if (!forward || !(tangents || grads)) return;
    for (const Item& i : inputs_) {
      // Inputs that are no tensors (ints that the graph does not use) are printed without one.
      if (!i.id && g_.type(i.node).kind == TypeKind::Tensor)
        check_.report("descriptor-missing", i.node, place(i, true) + " has no descriptor");
      if (!i.desc) continue;
      const Descriptor& whole = withoutPieces(*i.desc);
      if (whole.kind() == DescKind::TangentInput && whole.base() && !outputs.count(whole.base()))
        check_.report("tangent-of-nothing", i.node,
                      place(i, true) + " is the tangent of " + whole.base()->repr() + ", which is no output");
    }
    for (const Item& o : outputs_) {
      if (!o.desc) continue;
      const Descriptor& whole = withoutPieces(*o.desc);
      if (whole.kind() == DescKind::GradOutput && whole.base() && !inputs.count(whole.base()))
        check_.report(
            "grad-of-nothing", o.node,
            place(o, false) + " is the gradient of " + whole.base()->repr() + ", which is no input");
    }
    if (tangents) tangentInForward();
  }

  void tangentInForward() {
    std::vector<bool> tainted(g_.idBound(), false);
    for (const Item& i : inputs_)
      if (i.desc && i.desc->isTangent()) tainted[i.node.index] = true;
    for (NodeId id : g_.nodes()) {
      if (g_.node(id).op == OpKind::Output) continue;
      bool taint = tainted[id.index];
      g_.forEachInput(id, [&](NodeId in) { taint |= in.index < tainted.size() && tainted[in.index]; });
      tainted[id.index] = taint;
    }
    for (const Item& o : outputs_) {
      if (!o.desc || o.position >= values_.size()) continue;
      const DescKind kind = withoutPieces(*o.desc).kind();
      if (kind != DescKind::PlainOutput && kind != DescKind::IntermediateBaseOutput) continue;
      const ArgView value = values_[o.position];
      if (value.kind() == ValueKind::NodeRef && value.node().index < tainted.size() &&
          tainted[value.node().index])
        check_.report("tangent-in-forward", value.node(),
                      place(o, false) + " (" + o.desc->repr() + ") depends on a tangent through " +
                          check_.quoted(value.node()));
    }
  }

  GraphCheck& check_;
  const Graph& g_;
  std::vector<Item> inputs_, outputs_;
  std::vector<ArgView> values_;
};

}  // namespace

void checkDescriptors(GraphCheck& check) {
  DescriptorCheck(check).run();
}

}  // namespace descry::ir
