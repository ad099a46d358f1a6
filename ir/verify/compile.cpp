#include "ir/verify/compile.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/descriptors/pieces.h"
#include "ir/types/sym_expr.h"
#include "ir/verify/verify.h"

namespace descry::ir {

namespace {

bool isSaved(const Descriptor& d) {
  return d.kind() == DescKind::SavedForBackwardsOutput ||
         d.kind() == DescKind::SavedForBackwardsNoVcCheckOutput;
}

/// Returned by the program itself, not by its gradients.
bool isForwardOutput(const Descriptor& d) {
  switch (withoutPieces(d).kind()) {
    case DescKind::PlainOutput:
    case DescKind::InputMutationOutput:
    case DescKind::IntermediateBaseOutput:
    case DescKind::MetadataMutationOutput:
    case DescKind::ForwardTokenOutput:
    case DescKind::PhiloxUpdatedForwardOffsetOutput:
      return true;
    default:
      return false;
  }
}

/// Handed to the backward graph by autograd or by the runtime, not by the forward graph.
bool arrivesInBackward(const Descriptor& d) {
  return d.isTangent() || d.kind() == DescKind::BackwardTokenInput ||
         d.kind() == DescKind::PhiloxBackwardSeedInput || d.kind() == DescKind::PhiloxBackwardBaseOffsetInput;
}

/// A graph with its inputs and outputs as lists.
struct Side {
  const CompileGraph& from;
  const Graph& g;
  std::vector<NodeId> inputs;
  std::vector<ArgView> outputs;
  bool unlifted = false;  ///< tokens are made and sunk inside

  explicit Side(const CompileGraph& c)
      : from(c), g(*c.graph()), inputs(g.placeholders()), outputs(g.outputs()) {
    for (const NodeId id : g.nodes())
      if (g.node(id).op == OpKind::CallFunction)
        unlifted = unlifted || g.target(id).starts_with("torch.ops.prims._make_token") ||
                   g.target(id).starts_with("torch.ops.prims._sink_tokens");
  }
  const Descriptor* inputDesc(size_t i) const { return g.descriptor(inputs[i]); }
  const Descriptor* outputDesc(size_t i) const {
    return i < g.outputDescs.size() ? g.descriptor(g.outputDescs[i]) : nullptr;
  }
  /// The text `None` is a descriptor too: of the gradient of an input that asks for none.
  bool noGradient(size_t i) const {
    return i < g.outputDescs.size() && g.outputDescs[i] &&
           g.str(g.context().descriptor(g.outputDescs[i]).text) == "None";
  }
  bool isNode(size_t i) const { return outputs[i].kind() == ValueKind::NodeRef; }
  std::string_view outputName(size_t i) const {
    return isNode(i) ? g.nodeName(outputs[i].node()) : std::string_view("None");
  }
  bool isSym(NodeId id) const { return g.type(id).kind == TypeKind::Sym; }
};

std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}
std::string outputAt(size_t i) {
  return "output " + std::to_string(i);
}

class CompileCheck {
 public:
  CompileCheck(const CompileGraphs& graphs, const OpRegistry& ops, DiagnosticSink& sink)
      : ops_(ops), sink_(sink) {
    const auto take = [](std::optional<Side>& side, const CompileGraph& c) {
      if (c.graph() && !c.graph()->truncated && !c.graph()->partial && c.graph()->output()) side.emplace(c);
    };
    take(joint_, graphs.joint);
    take(forward_, graphs.forward);
    take(backward_, graphs.backward);
    forwardOutputs_ = graphs.forwardOutputs;
  }

  void run() {
    if (joint_) {
      countOutputs();
      gradientSlots();
    }
    if (joint_ && forward_) {
      forwardInputs();
      if (forwardOutputs_) sameOutputs(*forward_, 0, *forwardOutputs_, "forward-outputs");
      sameCalls(*forward_);
    }
    if (joint_ && backward_) {
      if (forwardOutputs_)
        sameOutputs(*backward_, *forwardOutputs_, joint_->outputs.size(), "backward-outputs");
      sameCalls(*backward_);
    }
    if (joint_ && forward_ && backward_) writesKept();
    if (forward_ && backward_) crossing();
    if (backward_) symbols();
  }

 private:
  void report(const char* code, const Side& side, NodeId node, std::string message) {
    sink_.add(ruleBroken(code, side.from, node, std::move(message)));
  }

  // ---- the joint alone

  void countOutputs() {
    if (!forwardOutputs_) forwardOutputs_ = forwardOutputsOf(joint_->g);
    if (!forwardOutputs_ && backward_ && backward_->outputs.size() <= joint_->outputs.size() &&
        !backward_->unlifted)
      forwardOutputs_ = joint_->outputs.size() - backward_->outputs.size();
    if (forwardOutputs_ && *forwardOutputs_ > joint_->outputs.size()) forwardOutputs_.reset();
    for (size_t i = 0; i < joint_->inputs.size(); ++i)
      if (const Descriptor* d = joint_->inputDesc(i))
        forwardTokens_ += d->kind() == DescKind::ForwardTokenInput;
    for (size_t i = 0; i < joint_->outputs.size(); ++i)
      if (const Descriptor* d = joint_->outputDesc(i))
        backwardTokens_ += d->kind() == DescKind::BackwardTokenOutput;
  }

  /// One slot for each primal: its gradient, or None. Wrappers are taken apart after differentiation, and a
  /// gradient may be one where its input is none: then the slots are not counted.
  void gradientSlots() {
    if (!forwardOutputs_ || joint_->g.outputDescs.empty()) return;
    std::vector<size_t> primals;
    for (size_t i = 0; i < joint_->inputs.size(); ++i) {
      const Descriptor* d = joint_->inputDesc(i);
      if (d && &withoutPieces(*d) != d) return;
      if (d && (arrivesInBackward(*d) || d->kind() == DescKind::ForwardTokenInput ||
                d->kind() == DescKind::PhiloxForwardSeedInput ||
                d->kind() == DescKind::PhiloxForwardBaseOffsetInput))
        continue;
      primals.push_back(i);
    }
    std::vector<size_t> slots;
    for (size_t i = *forwardOutputs_; i < joint_->outputs.size(); ++i) {
      const Descriptor* d = joint_->outputDesc(i);
      if (d && &withoutPieces(*d) != d) return;
      if (!d || d->kind() == DescKind::GradOutput) slots.push_back(i);
    }
    if (slots.size() != primals.size()) {
      report("gradient-slot", *joint_, joint_->g.output(),
             "there are " + std::to_string(primals.size()) + " inputs and " + std::to_string(slots.size()) +
                 " gradients");
      return;
    }
    for (size_t k = 0; k < slots.size(); ++k) {
      const Descriptor* d = joint_->outputDesc(slots[k]);
      const Descriptor* of = joint_->inputDesc(primals[k]);
      if (d && d->base() && of && !(*d->base() == *of))
        report("gradient-slot", *joint_, joint_->inputs[primals[k]],
               outputAt(slots[k]) + " (" + d->repr() + ") stands where the gradient of " + of->repr() +
                   " belongs");
      if (!d && joint_->noGradient(slots[k]) && joint_->isNode(slots[k]))
        report("gradient-slot", *joint_, joint_->outputs[slots[k]].node(),
               outputAt(slots[k]) + " is a gradient of an input that asks for none");
    }
  }

  // ---- joint and parts

  void forwardInputs() {
    size_t at = 0;
    for (size_t i = 0; i < joint_->inputs.size(); ++i) {
      const Descriptor* d = joint_->inputDesc(i);
      const std::string_view name = joint_->g.nodeName(joint_->inputs[i]);
      // Without descriptors a tangent is told by its name, as in PyTorch.
      if (d ? arrivesInBackward(*d)
            : name.find("tangents") != std::string_view::npos || name.starts_with("bwd_seed") ||
                  name.starts_with("bwd_base_offset"))
        continue;
      if (forward_->unlifted && d && d->kind() == DescKind::ForwardTokenInput) continue;
      if (at == forward_->inputs.size()) {
        report("forward-inputs", *forward_, {}, "the joint's input " + quoted(name) + " is missing");
        return;
      }
      const NodeId here = forward_->inputs[at];
      const Descriptor* own = forward_->inputDesc(at++);
      if (forward_->g.nodeName(here) != name) {
        report("forward-inputs", *forward_, here,
               "input " + std::to_string(at - 1) + " is " + quoted(forward_->g.nodeName(here)) +
                   ", that of the joint is " + quoted(name));
        return;
      }
      if (d && own && !(*d == *own))
        report("forward-inputs", *forward_, here,
               quoted(name) + " is " + own->repr() + " here and " + d->repr() + " in the joint");
    }
    // States for random ops that the backward repeats come last.
    for (; at < forward_->inputs.size(); ++at)
      if (const NodeId id = forward_->inputs[at]; !forward_->g.nodeName(id).starts_with("fwd_rng_state"))
        report("forward-inputs", *forward_, id,
               "the input " + quoted(forward_->g.nodeName(id)) + " is none of the joint");
  }

  /// Outputs of `part` are those of the joint from `begin` to `end`, by position. A value may have another
  /// name when equal calls were merged: then the part does not compute the joint's.
  void sameOutputs(const Side& part, size_t begin, size_t end, const char* code) {
    const bool forward = begin == 0;
    // Tokens that were taken out lead the forward's outputs and end the backward's.
    if (part.unlifted) (forward ? begin : end) += forward ? forwardTokens_ : size_t{0} - backwardTokens_;
    if (part.outputs.size() < end - begin || (!forward && part.outputs.size() != end - begin)) {
      report(code, part, part.g.output(),
             "there are " + std::to_string(part.outputs.size()) + " outputs, of the joint's " +
                 std::to_string(end - begin) + " belong here");
      return;
    }
    for (size_t i = 0; i < end - begin; ++i) {
      const size_t at = begin + i;
      const bool here = part.isNode(i), there = joint_->isNode(at);
      const Descriptor *own = part.outputDesc(i), *of = joint_->outputDesc(at);
      // Where tokens were taken out PyTorch leaves the descriptors where they were.
      if (!part.unlifted && own && of && !(*own == *of))
        report(code, part, part.g.output(),
               outputAt(i) + " is " + own->repr() + ", in the joint it is " + of->repr());
      if (here != there) {
        report(code, part, part.g.output(),
               outputAt(i) + " is " + quoted(part.outputName(i)) + ", in the joint it is " +
                   quoted(joint_->outputName(at)));
        continue;
      }
      if (!here || part.outputName(i) == joint_->outputName(at)) continue;
      if (part.g.find(joint_->outputName(at)))
        report(code, part, part.outputs[i].node(),
               outputAt(i) + " is " + quoted(part.outputName(i)) + ", in the joint it is " +
                   quoted(joint_->outputName(at)) + ", which is here too");
      else if (part.g.type(part.outputs[i].node()).text != joint_->g.type(joint_->outputs[at].node()).text)
        report(code, part, part.outputs[i].node(),
               outputAt(i) + " has another type than that of the joint, " + quoted(joint_->outputName(at)));
    }
  }

  /// What has the name of a call of the joint is that call.
  void sameCalls(const Side& part) {
    for (const NodeId id : part.g.nodes()) {
      if (part.g.node(id).op != OpKind::CallFunction) continue;
      const NodeId twin = joint_->g.find(part.g.nodeName(id));
      if (!twin || joint_->g.node(twin).op != OpKind::CallFunction) continue;
      // Random ops that both parts run, and calls of regions that are cut, are wrapped.
      if (part.g.target(id) == joint_->g.target(twin) ||
          part.g.target(id).starts_with("torch.ops.higher_order."))
        continue;
      report("foreign-call", part, id,
             quoted(part.g.nodeName(id)) + " calls " + std::string(part.g.target(id)) +
                 ", in the joint it is " + std::string(joint_->g.target(twin)));
    }
  }

  /// Writes to inputs of the joint, by name of the input.
  std::unordered_set<std::string_view> written(const Side& side) const {
    std::unordered_set<std::string_view> out;
    for (const NodeId id : side.g.nodes()) {
      if (side.g.node(id).op != OpKind::CallFunction || !side.g.argCount(id) ||
          side.g.arg(id, 0).kind() != ValueKind::NodeRef)
        continue;
      const NodeId to = side.g.arg(id, 0).node();
      if (side.g.node(to).op != OpKind::Placeholder) continue;
      const OpDef* op = ops_.find(side.g.target(id));
      if (op && op->has(kOpMutates)) out.insert(side.g.nodeName(to));
    }
    return out;
  }

  void writesKept() {
    const std::unordered_set<std::string_view> inForward = written(*forward_),
                                               inBackward = written(*backward_);
    for (const std::string_view name : written(*joint_)) {
      const NodeId input = joint_->g.find(name);
      const Descriptor* d = joint_->g.descriptor(input);
      // Both partitioners drop writes to tangents.
      if (!d || d->isTangent() || inForward.count(name) || inBackward.count(name)) continue;
      report("write-lost", *joint_, input, "neither part writes the input " + quoted(name));
    }
  }

  // ---- forward to backward

  /// What the forward returns behind the program's outputs is what the backward takes first.
  void crossing() {
    const Side &f = *forward_, &b = *backward_;
    size_t begin = 0;
    if (forwardOutputs_) {
      begin = *forwardOutputs_ - (f.unlifted ? std::min(forwardTokens_, *forwardOutputs_) : 0);
    } else if (!f.g.outputDescs.empty() && !f.unlifted) {
      while (begin < f.outputs.size() && !(f.outputDesc(begin) && isSaved(*f.outputDesc(begin)))) ++begin;
    } else {
      return;
    }
    if (begin > f.outputs.size()) return;  // that is said elsewhere
    const size_t count = f.outputs.size() - begin;
    versionChecked(begin);
    size_t symbols = 0;
    bool ended = false;
    for (size_t i = f.outputs.size(); i-- > begin;) {
      const bool sym = f.isNode(i) && f.isSym(f.outputs[i].node());
      if (sym && ended)
        report(
            "saved-symints", f, f.outputs[i].node(),
            outputAt(i) + " (" + quoted(f.outputName(i)) + ") is a saved number in front of saved tensors");
      ended = ended || !sym;
      symbols += sym && !ended;
    }
    if (b.inputs.size() < count) {
      report("saved-crossing", b, {},
             "the forward saves " + std::to_string(count) + " values, and there are " +
                 std::to_string(b.inputs.size()) + " inputs");
      return;
    }
    for (size_t k = 0; k < count; ++k) {
      // Numbers are the last outputs and the first inputs.
      const size_t at = begin + (k < symbols ? count - symbols + k : k - symbols);
      const NodeId here = b.inputs[k];
      const Descriptor* d = b.inputDesc(k);
      if (d && arrivesInBackward(*d)) {
        report("saved-crossing", b, here,
               "input " + std::to_string(k) + " (" + d->repr() + ") stands where the saved " +
                   quoted(f.outputName(at)) + " belongs");
        return;
      }
      if (!f.isNode(at)) {
        report("saved-crossing", f, f.g.output(), outputAt(at) + " is saved and no value");
        return;
      }
      // The state that a repeated random op gets has a name of its own.
      const bool state = b.g.nodeName(here).starts_with("rng_state_output");
      if (f.outputName(at) != b.g.nodeName(here) && !state) {
        report(k < symbols || b.isSym(here) ? "saved-symints" : "saved-crossing", b, here,
               "input " + std::to_string(k) + " is " + quoted(b.g.nodeName(here)) + ", the forward saves " +
                   quoted(f.outputName(at)) + " there");
        return;
      }
      if (!b.g.hasUsers(here) && !(b.isSym(here) && bindsSymbol(b.g, here)))
        report("saved-unread", b, here, quoted(b.g.nodeName(here)) + " is saved, and nobody reads it");
      savedTuple(f, f.outputs[at].node());
    }
    for (size_t k = count; k < b.inputs.size(); ++k)
      if (const Descriptor* d = b.inputDesc(k); d && !arrivesInBackward(*d))
        report("saved-crossing", b, b.inputs[k],
               quoted(b.g.nodeName(b.inputs[k])) + " (" + d->repr() +
                   ") is an input that the forward does not save");
  }

  void versionChecked(size_t begin) {
    if (forward_->unlifted) return;
    bool unchecked = false;
    for (size_t i = begin; i < forward_->outputs.size(); ++i) {
      const Descriptor* d = forward_->outputDesc(i);
      if (!d || !forward_->isNode(i)) continue;
      const NodeId value = forward_->outputs[i].node();
      const bool tensor = forward_->g.type(value).kind == TypeKind::Tensor;
      if (d->kind() == DescKind::SavedForBackwardsNoVcCheckOutput)
        unchecked = true;
      else if (unchecked && tensor)
        report(
            "saved-unchecked", *forward_, value,
            outputAt(i) + " (" + d->repr() + ") is checked for writes and stands behind values that are not");
    }
  }

  /// A value that getitem takes apart is none that can be saved.
  void savedTuple(const Side& f, NodeId value) {
    if (f.g.node(value).type) return;
    for (const NodeId user : f.g.users(value))
      if (f.g.target(user) == "operator.getitem" && f.g.argCount(user) == 2 &&
          f.g.arg(user, 1).kind() == ValueKind::Int) {
        report("saved-tuple", f, value, quoted(f.g.nodeName(value)) + " is saved and holds several values");
        return;
      }
  }

  static bool bindsSymbol(const Graph& g, NodeId id) {
    const std::string& e = g.type(id).sym;
    return !e.empty() && e.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
  }

  /// Size symbols that types in the backward mention come in as numbers, where the forward takes them as
  /// such.
  void symbols() {
    const Side* with = joint_ ? &*joint_ : forward_ ? &*forward_ : nullptr;
    if (!with) return;
    std::unordered_set<std::string_view> known, there;
    // Those of the joint that are inputs: a number that is read from data may be known under another symbol.
    for (const NodeId id : with->inputs)
      if (with->isSym(id) && bindsSymbol(with->g, id)) there.insert(with->g.type(id).sym);
    if (there.empty()) return;
    for (const NodeId id : backward_->g.nodes())
      if (backward_->isSym(id) && bindsSymbol(backward_->g, id)) known.insert(backward_->g.type(id).sym);
    std::unordered_set<uint32_t> seen;
    for (const NodeId id : backward_->g.nodes()) {
      if (!seen.insert(backward_->g.node(id).type.index).second) continue;
      const Type& t = backward_->g.type(id);
      const auto look = [&](const std::string& text) {
        const Result<SymExpr> e = SymExpr::parse(text);
        if (!e) return;
        for (const std::string& s : e->symbols()) {
          const auto it = there.find(s);
          if (it == there.end() || known.count(s)) continue;
          known.insert(*it);  // one report
          report(
              "unbound-symbol", *backward_, id,
              "the type of " + quoted(backward_->g.nodeName(id)) + " mentions " + s + ", which is no input");
        }
      };
      if (t.kind == TypeKind::Sym) look(t.sym);
      for (const Dim& d : t.tensor.shape)
        if (d.symbolic()) look(d.text);
      if (t.tensor.strides)
        for (const Dim& d : *t.tensor.strides)
          if (d.symbolic()) look(d.text);
    }
  }

  const OpRegistry& ops_;
  DiagnosticSink& sink_;
  std::optional<Side> joint_, forward_, backward_;
  std::optional<size_t> forwardOutputs_;
  size_t forwardTokens_ = 0, backwardTokens_ = 0;
};

}  // namespace

Diagnostic ruleBroken(const char* code, const CompileGraph& graph, NodeId node, std::string message) {
  Diagnostic d;
  d.severity = Severity::Error;
  d.code = code;
  d.message = std::move(message);
  d.graph = graph.name;
  d.file = graph.file;
  if (const Graph* g = graph.graph()) {
    d.loc = g->begin;
    if (node) {
      d.node = g->nodeName(node);
      d.loc = {};
      d.loc.line = g->node(node).line;
      d.loc.column = g->node(node).column;
    }
  }
  return d;
}

std::optional<size_t> forwardOutputsOf(const Graph& joint) {
  if (joint.outputDescs.empty()) return {};
  for (size_t i = 0; i < joint.outputDescs.size(); ++i) {
    const Descriptor* d = joint.descriptor(joint.outputDescs[i]);
    if (!d && !joint.outputDescs[i]) return {};  // nothing is written there
    if (!d || !isForwardOutput(*d)) return i;
  }
  return joint.outputDescs.size();
}

void verifyCompile(const CompileGraphs& graphs, const OpRegistry& ops, DiagnosticSink& sink) {
  CompileCheck(graphs, ops, sink).run();
}

}  // namespace descry::ir
