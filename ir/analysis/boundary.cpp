#include "ir/analysis/boundary.h"

#include <charconv>
#include <unordered_map>

namespace descry::ir {

std::string_view boundaryKindName(BoundaryKind kind) {
  switch (kind) {
    case BoundaryKind::Unknown:
      return "unknown";
    case BoundaryKind::Argument:
      return "argument";
    case BoundaryKind::Parameter:
      return "parameter";
    case BoundaryKind::Buffer:
      return "buffer";
    case BoundaryKind::Constant:
      return "constant";
    case BoundaryKind::SizeArgument:
      return "size";
    case BoundaryKind::Tangent:
      return "tangent";
    case BoundaryKind::BaseOfViews:
      return "base of views";
    case BoundaryKind::SubclassPiece:
      return "subclass piece";
    case BoundaryKind::RandomState:
      return "random state";
    case BoundaryKind::Token:
      return "token";
    case BoundaryKind::SavedInput:
      return "saved value";
    case BoundaryKind::OpaqueObject:
      return "opaque object";
    case BoundaryKind::StandIn:
      return "stand-in";
    case BoundaryKind::Output:
      return "output";
    case BoundaryKind::InputMutation:
      return "input mutation";
    case BoundaryKind::MetadataMutation:
      return "metadata mutation";
    case BoundaryKind::IntermediateBase:
      return "intermediate base";
    case BoundaryKind::Gradient:
      return "gradient";
    case BoundaryKind::SavedOutput:
      return "saved value";
    case BoundaryKind::NoGradient:
      return "no gradient";
    case BoundaryKind::ConstantOutput:
      return "constant";
  }
  return "unknown";
}

namespace {

/// `primals_12` with prefix `primals_` gives 12; 0 when the rest is not a number from 1.
uint32_t numbered(std::string_view name, std::string_view prefix) {
  if (name.substr(0, prefix.size()) != prefix) return 0;
  name.remove_prefix(prefix.size());
  uint32_t n = 0;
  const auto [end, ec] = std::from_chars(name.data(), name.data() + name.size(), n);
  return ec == std::errc() && end == name.data() + name.size() ? n : 0;
}

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

BoundaryKind kindOf(const Descriptor& d) {
  switch (d.kind()) {
    case DescKind::PlainInput:
      return BoundaryKind::Argument;
    case DescKind::ParamInput:
      return BoundaryKind::Parameter;
    case DescKind::BufferInput:
      return BoundaryKind::Buffer;
    case DescKind::SyntheticBaseInput:
    case DescKind::ViewBaseInput:
      return BoundaryKind::BaseOfViews;
    case DescKind::TangentInput:
      return BoundaryKind::Tangent;
    case DescKind::SubclassGetAttrInput:
    case DescKind::SubclassSizeInput:
    case DescKind::SubclassStrideInput:
      if (d.isTangent()) return BoundaryKind::Tangent;
      return BoundaryKind::SubclassPiece;
    case DescKind::PhiloxForwardSeedInput:
    case DescKind::PhiloxForwardBaseOffsetInput:
    case DescKind::PhiloxBackwardSeedInput:
    case DescKind::PhiloxBackwardBaseOffsetInput:
    case DescKind::PhiloxUpdatedForwardOffsetOutput:
    case DescKind::PhiloxUpdatedBackwardOffsetOutput:
      return BoundaryKind::RandomState;
    case DescKind::ForwardTokenInput:
    case DescKind::BackwardTokenInput:
    case DescKind::ForwardTokenOutput:
    case DescKind::BackwardTokenOutput:
      return BoundaryKind::Token;
    case DescKind::OpaqueRefInput:
      return BoundaryKind::OpaqueObject;
    case DescKind::DummyInput:
    case DescKind::DummyOutput:
      return BoundaryKind::StandIn;
    case DescKind::PlainOutput:
      return BoundaryKind::Output;
    case DescKind::InputMutationOutput:
      return BoundaryKind::InputMutation;
    case DescKind::IntermediateBaseOutput:
      return BoundaryKind::IntermediateBase;
    case DescKind::MetadataMutationOutput:
      return BoundaryKind::MetadataMutation;
    case DescKind::GradOutput:
      return BoundaryKind::Gradient;
    case DescKind::SubclassGetAttrOutput:
    case DescKind::SubclassSizeOutput:
    case DescKind::SubclassStrideOutput:
      return d.isGrad() ? BoundaryKind::Gradient : BoundaryKind::SubclassPiece;
    case DescKind::SavedForBackwardsOutput:
    case DescKind::SavedForBackwardsNoVcCheckOutput:
      return BoundaryKind::SavedOutput;
    case DescKind::Count:
      break;
  }
  return BoundaryKind::Unknown;
}

struct DescHash {
  size_t operator()(const Descriptor* d) const { return hashValue(*d); }
};
struct DescEqual {
  bool operator()(const Descriptor* a, const Descriptor* b) const { return *a == *b; }
};
template <class T>
using ByDescriptor = std::unordered_map<const Descriptor*, T, DescHash, DescEqual>;

/// Pieces of a subclass gradient or tangent pair with the piece of the same attribute path of the input or
/// output. `Sub(Grad(x), 'a')` is the gradient of `Sub(x, 'a')`. Empty when the pieces do not line up.
std::optional<Descriptor> pieceTarget(const Descriptor& d, DescKind inner, DescKind getAttr) {
  std::vector<const Descriptor*> pieces;
  const Descriptor* at = &d;
  while (at->kind() != inner) {
    pieces.push_back(at);
    at = at->base();
    if (!at || pieces.size() > 64) return std::nullopt;
  }
  if (!at->base()) return std::nullopt;
  Descriptor out = *at->base();
  for (auto it = pieces.rbegin(); it != pieces.rend(); ++it) {
    const DescKind k = (*it)->kind();
    if (k != DescKind::SubclassGetAttrInput && k != DescKind::SubclassGetAttrOutput) return std::nullopt;
    Result<Descriptor> wrapped = Descriptor::wrap(getAttr, out, 0, (*it)->text());
    if (!wrapped) return std::nullopt;
    out = std::move(*wrapped);
  }
  return out;
}

class Finder {
 public:
  explicit Finder(const Graph& graph) : g_(graph) {}

  Boundary run() {
    b_.inputOf.assign(g_.idBound(), Boundary::kNone);
    for (NodeId id : g_.nodes()) {
      if (g_.node(id).op != OpKind::Placeholder) continue;
      b_.inputOf[id.index] = static_cast<uint32_t>(b_.inputs.size());
      b_.inputs.push_back(readInput(id));
    }
    values_ = g_.outputs();
    for (size_t i = 0; i < values_.size(); ++i) b_.outputs.push_back(readOutput(i));
    decideShape();
    if (anyDescriptor_) pairByDescriptor();
    inferOutputs();
    inferInputs();
    return std::move(b_);
  }

 private:
  BoundaryInput readInput(NodeId id) {
    BoundaryInput in;
    in.node = id;
    const std::string_view name = g_.nodeName(id);
    const std::string_view target = g_.target(id);
    if (const Descriptor* d = g_.descriptor(id)) {
      anyDescriptor_ = true;
      in.kind = kindOf(*d);
      const DescKind root = d->root().kind();
      if (root == DescKind::ParamInput || root == DescKind::BufferInput) in.path = d->root().text();
      if (in.kind == BoundaryKind::Argument && g_.type(id).kind == TypeKind::Sym)
        in.kind = BoundaryKind::SizeArgument;
      primals_ += in.kind != BoundaryKind::Tangent;
      return in;
    }
    if (recordedText(g_.node(id).desc)) {
      // A descriptor of a class that is not known here: the log says what it is, so its name must not.
      anyDescriptor_ = true;
      ++primals_;
      return in;
    }
    in.inferred = true;
    if (numbered(name, "tangents_")) {
      in.kind = BoundaryKind::Tangent;
      in.rule = "AOT autograd names the gradients that arrive tangents_N";
      return in;
    }
    if (const uint32_t n = numbered(name, "primals_")) {
      ++namedPrimals_;
      lastPrimal_ = std::max(lastPrimal_, n);
      in.kind = g_.type(id).kind == TypeKind::Sym ? BoundaryKind::SizeArgument : BoundaryKind::Argument;
      in.rule = "AOT autograd names the inputs of a training graph primals_N";
      return in;
    }
    const InputName read = readInputName(name.empty() ? target : name);
    in.kind = read.kind;
    in.path = read.path;
    in.rule = read.rule;
    if (in.kind == BoundaryKind::Unknown && g_.type(id).kind == TypeKind::Sym) {
      in.kind = BoundaryKind::SizeArgument;
      in.rule = "its type is a symbolic number";
    }
    if (in.kind == BoundaryKind::Unknown) ++otherInputs_;
    return in;
  }

  BoundaryOutput readOutput(size_t i) {
    BoundaryOutput out;
    const ArgView v = values_[i];
    if (v.kind() == ValueKind::NodeRef) out.node = v.node();
    const DescId written = i < g_.outputDescs.size() ? g_.outputDescs[i] : DescId{};
    if (const Descriptor* d = g_.descriptor(written)) {
      anyOutputDescriptor_ = anyDescriptor_ = true;
      out.kind = kindOf(*d);
    } else if (written && v.kind() == ValueKind::None &&
               g_.str(g_.context().descriptor(written).text) == "None") {
      out.kind = BoundaryKind::NoGradient;
    }
    return out;
  }

  /// True when something is written that is a descriptor; `None` says that there is none.
  bool recordedText(DescId id) const {
    const std::string_view text = g_.str(g_.context().descriptor(id).text);
    return !text.empty() && text != "None";
  }

  static bool holdsValues(const ArgView& v) {
    return v.kind() == ValueKind::Tuple || v.kind() == ValueKind::List || v.kind() == ValueKind::Dict;
  }

  bool isForwardOutput(const BoundaryOutput& o) const {
    return o.kind != BoundaryKind::Gradient && o.kind != BoundaryKind::NoGradient &&
           o.kind != BoundaryKind::Unknown;
  }

  void decideShape() {
    uint32_t tangents = 0, forward = 0, gradients = 0, saved = 0;
    for (const BoundaryInput& in : b_.inputs) tangents += in.kind == BoundaryKind::Tangent;
    for (const BoundaryOutput& o : b_.outputs) {
      gradients += o.kind == BoundaryKind::Gradient || o.kind == BoundaryKind::NoGradient;
      saved += o.kind == BoundaryKind::SavedOutput;
      forward += isForwardOutput(o) && o.kind != BoundaryKind::Token && o.kind != BoundaryKind::RandomState;
    }
    if (anyOutputDescriptor_) {
      if (forward && (tangents || gradients) && !saved)
        b_.shape = GraphShape::Joint;
      else if (tangents || gradients)
        b_.shape = GraphShape::Backward;
      else if (saved)
        b_.shape = GraphShape::Forward;
      return;
    }
    b_.inferredShape = true;
    if (!tangents) return;
    // Without descriptors: a joint graph returns its forward outputs, then one slot per primal; forward
    // outputs read no tangent. A backward graph returns only the slots.
    b_.shape = GraphShape::Backward;
    const size_t slots = anyDescriptor_ ? primals_ : namedPrimals_;
    if (otherInputs_ || (!anyDescriptor_ && lastPrimal_ != namedPrimals_)) return;
    if (values_.size() < slots + 1 || slots == 0) return;
    std::vector<bool> backward(g_.idBound(), false);
    for (NodeId id : g_.nodes()) {
      bool hit = b_.isTangent(id);
      if (!hit) g_.forEachInput(id, [&](NodeId in) { hit = hit || backward[in.index]; });
      backward[id.index] = hit;
    }
    size_t real = 0;
    for (size_t i = 0; i + slots < values_.size(); ++i) {
      const BoundaryOutput& o = b_.outputs[i];
      if (!o.node) continue;
      if (backward[o.node.index]) return;
      ++real;
    }
    if (real) b_.shape = GraphShape::Joint;
  }

  void pairByDescriptor() {
    ByDescriptor<uint32_t> inputs, outputs;
    std::vector<Descriptor> made;
    for (uint32_t i = 0; i < b_.inputs.size(); ++i)
      if (const Descriptor* d = g_.descriptor(b_.inputs[i].node)) inputs[d] = i;
    auto outputDescriptor = [&](uint32_t i) {
      return i < g_.outputDescs.size() ? g_.descriptor(g_.outputDescs[i]) : nullptr;
    };
    for (uint32_t i = 0; i < b_.outputs.size(); ++i) {
      const Descriptor* d = outputDescriptor(i);
      if (!d) continue;
      outputs[d] = i;
      if (!d->isGrad()) continue;
      std::optional<Descriptor> of;
      if (d->kind() == DescKind::GradOutput) {
        if (d->base()) of = *d->base();
      } else {
        of = pieceTarget(*d, DescKind::GradOutput, DescKind::SubclassGetAttrInput);
      }
      if (!of) continue;
      if (const auto it = inputs.find(&*of); it != inputs.end()) {
        b_.outputs[i].gradOf = b_.inputs[it->second].node;
        b_.inputs[it->second].gradOutput = static_cast<int>(i);
      }
    }
    for (BoundaryInput& in : b_.inputs) {
      const Descriptor* d = g_.descriptor(in.node);
      if (!d || !d->isTangent()) continue;
      std::optional<Descriptor> of;
      if (d->kind() == DescKind::TangentInput) {
        if (d->base()) of = *d->base();
      } else {
        of = pieceTarget(*d, DescKind::TangentInput, DescKind::SubclassGetAttrOutput);
      }
      if (!of) continue;
      if (const auto it = outputs.find(&*of); it != outputs.end()) {
        in.tangentOfOutput = static_cast<int>(it->second);
        b_.outputs[it->second].tangent = in.node;
      }
    }
  }

  void inferOutputs() {
    std::vector<NodeId> primals, tangents;
    for (const BoundaryInput& in : b_.inputs) {
      if (in.kind == BoundaryKind::Tangent)
        tangents.push_back(in.node);
      else if (numbered(g_.nodeName(in.node), "primals_") || anyDescriptor_)
        primals.push_back(in.node);
    }
    const size_t n = b_.outputs.size();
    if (!anyOutputDescriptor_ && b_.shape == GraphShape::Joint) {
      const size_t forward = n - std::min(n, primals.size());
      for (size_t i = 0; i < n; ++i) {
        BoundaryOutput& o = b_.outputs[i];
        o.inferred = true;
        if (i < forward) {
          o.kind = BoundaryKind::Output;
          o.rule = "reads no tangent and stands before the gradient slots";
          if (forward == tangents.size()) {
            o.tangent = tangents[i];
            inputAt(tangents[i]).tangentOfOutput = static_cast<int>(i);
            o.rule = "as many tangents as forward outputs: paired in order";
          }
        } else {
          slot(o, static_cast<int>(i), primals[i - forward]);
        }
      }
    } else if (!anyOutputDescriptor_ && b_.shape == GraphShape::Backward) {
      for (size_t i = 0; i < n; ++i) {
        NodeId primal;
        for (NodeId p : byNumber(primals, i + 1)) primal = p;
        slot(b_.outputs[i], static_cast<int>(i), primal);
      }
    }
    for (size_t i = 0; i < n; ++i) {
      BoundaryOutput& o = b_.outputs[i];
      if (o.kind != BoundaryKind::Unknown) continue;
      if (i < g_.outputDescs.size() && recordedText(g_.outputDescs[i])) continue;
      o.inferred = true;
      if (!o.node && !holdsValues(values_[i])) {
        o.kind = BoundaryKind::ConstantOutput;
        o.rule = "a value written in the return";
      } else {
        o.kind = BoundaryKind::Output;
        o.rule = namedPrimals_ ? "returned by a forward graph: a result, or a value saved for the backward"
                               : "returned by the graph";
      }
    }
  }

  /// The primal with number `n`; the map is built once, since backward graphs may have 10^5 slots.
  std::vector<NodeId> byNumber(const std::vector<NodeId>& primals, size_t n) {
    if (numbers_.empty())
      for (NodeId p : primals) numbers_[numbered(g_.nodeName(p), "primals_")] = p;
    const auto it = numbers_.find(static_cast<uint32_t>(n));
    return it == numbers_.end() ? std::vector<NodeId>{} : std::vector<NodeId>{it->second};
  }

  void slot(BoundaryOutput& o, int position, NodeId primal) {
    o.inferred = true;
    o.rule = "AOT autograd returns one slot per primal, in order";
    o.kind = o.node ? BoundaryKind::Gradient : BoundaryKind::NoGradient;
    if (!o.node || !primal) return;
    o.gradOf = primal;
    inputAt(primal).gradOutput = position;
  }

  void inferInputs() {
    for (BoundaryInput& in : b_.inputs) {
      if (in.kind != BoundaryKind::Unknown || !in.inferred) continue;
      if (b_.shape == GraphShape::Backward) {
        in.kind = BoundaryKind::SavedInput;
        in.rule = "an input of a backward graph that is no primal and no tangent";
      } else {
        in.kind = BoundaryKind::Argument;
        in.rule = "an input of the graph; the name tells no more";
      }
    }
  }

  BoundaryInput& inputAt(NodeId id) { return b_.inputs[b_.inputOf[id.index]]; }

  const Graph& g_;
  Boundary b_;
  std::vector<ArgView> values_;
  std::unordered_map<uint32_t, NodeId> numbers_;
  bool anyDescriptor_ = false, anyOutputDescriptor_ = false;
  uint32_t primals_ = 0, namedPrimals_ = 0, lastPrimal_ = 0, otherInputs_ = 0;
};

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  std::string out;
  size_t at = 0;
  while (true) {
    const size_t hit = text.find(from, at);
    out.append(text, at, hit == std::string::npos ? std::string::npos : hit - at);
    if (hit == std::string::npos) break;
    out += to;
    at = hit + from.size();
  }
  text = std::move(out);
}

}  // namespace

Boundary findBoundary(const Graph& graph) {
  return Finder(graph).run();
}

InputName readInputName(std::string_view name) {
  InputName out;
  if (startsWith(name, "L_") || startsWith(name, "l_") || startsWith(name, "G_")) {
    std::string path(name.substr(2));
    while (!path.empty() && path.back() == '_') path.pop_back();
    out.kind = BoundaryKind::Argument;
    out.rule = name[0] == 'G' ? "Dynamo names captured globals G_..." : "Dynamo names captured values L_...";
    const size_t parameter = path.rfind("_parameters_");
    const size_t buffer = path.rfind("_buffers_");
    if (parameter != std::string::npos && (buffer == std::string::npos || parameter > buffer)) {
      out.kind = BoundaryKind::Parameter;
    } else if (buffer != std::string::npos) {
      out.kind = BoundaryKind::Buffer;
    }
    if (out.kind != BoundaryKind::Argument || path.find("_modules_") != std::string::npos) {
      out.rule = "Dynamo writes the access path into the name";
      replaceAll(path, "_parameters_", ".");
      replaceAll(path, "_buffers_", ".");
      replaceAll(path, "_modules_", ".");
      // `self.layer1.0.weight` reads as `layer1.0.weight`, as in state_dict().
      if (startsWith(path, "self.")) path.erase(0, 5);
    }
    out.path = std::move(path);
    return out;
  }
  struct Prefix {
    std::string_view text;
    BoundaryKind kind;
    const char* rule;
  };
  static constexpr Prefix kExport[] = {
      {"p_", BoundaryKind::Parameter, "torch.export names parameters p_..."},
      {"b_", BoundaryKind::Buffer, "torch.export names buffers b_..."},
      {"c_", BoundaryKind::Constant, "torch.export names constants c_..."},
      {"token", BoundaryKind::Token, "effect tokens are named token..."},
      {"fwd_seed", BoundaryKind::RandomState, "random state of the forward"},
      {"fwd_base_offset", BoundaryKind::RandomState, "random state of the forward"},
      {"bwd_seed", BoundaryKind::RandomState, "random state of the backward"},
      {"bwd_base_offset", BoundaryKind::RandomState, "random state of the backward"},
      {"fwd_rng_state", BoundaryKind::RandomState, "generator state that the forward kept"},
      {"bwd_rng_state", BoundaryKind::RandomState, "generator state of the backward"},
  };
  for (const Prefix& p : kExport) {
    if (!startsWith(name, p.text)) continue;
    out.kind = p.kind;
    out.rule = p.rule;
    if (p.text.size() == 2) out.path = std::string(name.substr(2));
    return out;
  }
  if (name.size() >= 2 && name[0] == 's' && numbered(name, "s")) {
    out.kind = BoundaryKind::SizeArgument;
    out.rule = "a size symbol as input";
    return out;
  }
  if (startsWith(name, "arg") && name.find('_') != std::string_view::npos) {
    out.kind = BoundaryKind::Argument;
    out.rule = "AOT autograd names the inputs of an inference graph argN_1";
  }
  return out;
}

}  // namespace descry::ir
