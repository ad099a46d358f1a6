#include <algorithm>
#include <unordered_map>

#include "ir/analysis/boundary.h"
#include "ir/text/printer.h"
#include "session/views.h"

namespace descry::session {

using ir::Boundary;
using ir::BoundaryInput;
using ir::BoundaryKind;
using ir::BoundaryOutput;

namespace {

std::string inferredWords(const LoadedGraph& lg, const BoundaryInput& in) {
  const std::string_view name = lg.graph->nodeName(in.node);
  switch (in.kind) {
    case BoundaryKind::Parameter:
      return "parameter " + (in.path.empty() ? std::string(name) : in.path);
    case BoundaryKind::Buffer:
      return "buffer " + (in.path.empty() ? std::string(name) : in.path);
    case BoundaryKind::Constant:
      return "constant " + in.path;
    case BoundaryKind::Tangent:
      return in.tangentOfOutput >= 0 ? "gradient arriving for output " + std::to_string(in.tangentOfOutput)
                                     : "gradient arriving for an output";
    case BoundaryKind::SizeArgument:
      return "size that changes from call to call";
    case BoundaryKind::SavedInput:
      return "value that the forward saved";
    case BoundaryKind::RandomState:
      return "random state";
    case BoundaryKind::Token:
      return "token that orders side effects";
    default:
      return in.path.empty() ? "argument" : "captured value " + in.path;
  }
}

std::string inferredWords(const LoadedGraph& lg, const BoundaryOutput& out, int position) {
  switch (out.kind) {
    case BoundaryKind::Gradient:
      return out.gradOf ? "gradient of " + std::string(lg.graph->nodeName(out.gradOf))
                        : "gradient of input " + std::to_string(position);
    case BoundaryKind::NoGradient:
      return "no gradient is returned here";
    case BoundaryKind::ConstantOutput:
      return "a constant";
    case BoundaryKind::SavedOutput:
      return "value saved for the backward";
    default:
      return "output " + std::to_string(position);
  }
}

/// A value that the graph returns: what pytree would call a leaf.
struct Leaf {
  ir::ArgView value;
  size_t output;     ///< of Graph::outputs
  std::string path;  ///< inside what is returned: `[1][0]`, `['o']`; empty when the place says it already
};

/// Texts are only needed for rows; counting passes null.
void addLeaves(const ir::ArgView& v, size_t output, const std::string& path, std::vector<Leaf>* out,
               size_t& count) {
  const ir::ValueKind kind = v.kind();
  if (kind == ir::ValueKind::Tuple || kind == ir::ValueKind::List) {
    for (uint32_t i = 0; i < v.size(); ++i)
      addLeaves(v[i], output, out ? path + "[" + std::to_string(i) + "]" : path, out, count);
  } else if (kind == ir::ValueKind::Dict) {
    for (uint32_t i = 0; i + 1 < v.size(); i += 2)
      addLeaves(v[i + 1], output, out ? path + "[" + ir::printValue(v[i]) + "]" : path, out, count);
  } else {
    ++count;
    if (out) out->push_back({v, output, path});
  }
}

/// Outputs with a descriptor are leaves already: AOT autograd flattens before it describes.
size_t leavesOf(const ir::Graph& g, std::vector<Leaf>* out) {
  const std::vector<ir::ArgView> values = g.outputs();
  size_t count = 0;
  const ir::NodeId output = g.output();
  const bool sequence =
      output && g.argCount(output) &&
      (g.arg(output, 0).kind() == ir::ValueKind::Tuple || g.arg(output, 0).kind() == ir::ValueKind::List);
  for (size_t i = 0; i < values.size(); ++i) {
    const ir::ValueKind kind = values[i].kind();
    const bool nested =
        kind == ir::ValueKind::Tuple || kind == ir::ValueKind::List || kind == ir::ValueKind::Dict;
    if (!nested || (i < g.outputDescs.size() && g.outputDescs[i])) {
      ++count;
      if (out) out->push_back({values[i], i, ""});
    } else {
      addLeaves(values[i], i, out && sequence ? "[" + std::to_string(i) + "]" : "", out, count);
    }
  }
  return count;
}

/// The text of a descriptor whose class is not known here; empty when there is none.
std::string_view unknownDescriptor(const ir::Graph& g, ir::DescId id) {
  if (g.descriptor(id)) return {};
  const std::string_view text = g.str(g.context().descriptor(id).text);
  return text == "None" ? std::string_view() : text;
}

/// What a spec of an ExportedProgram means. `number` counts user inputs or user outputs.
struct SpecMeaning {
  BoundaryKind kind = BoundaryKind::Unknown;
  std::string words;
};

SpecMeaning meaningOf(const importers::SignatureSpec& spec, bool input, int number) {
  const std::string& k = spec.kind;
  const std::string& t = spec.target;
  const std::string count = std::to_string(number);
  if (input) {
    if (k == "USER_INPUT") return {BoundaryKind::Argument, "argument " + count};
    if (k == "PARAMETER") return {BoundaryKind::Parameter, "parameter " + t};
    if (k == "BUFFER")
      return {BoundaryKind::Buffer,
              "buffer " + t + (spec.persistent.value_or(true) ? "" : ", not in the state dict")};
    if (k == "CONSTANT_TENSOR") return {BoundaryKind::Constant, "constant tensor " + t};
    if (k == "CUSTOM_OBJ") return {BoundaryKind::OpaqueObject, "object " + t};
    if (k == "TOKEN") return {BoundaryKind::Token, "token that orders side effects"};
  } else {
    if (k == "USER_OUTPUT") return {BoundaryKind::Output, "output " + count};
    if (k == "LOSS_OUTPUT") return {BoundaryKind::Output, "output " + count + ", the loss"};
    if (k == "BUFFER_MUTATION")
      return {BoundaryKind::InputMutation, "new value of buffer " + t + ", written back after the call"};
    if (k == "PARAMETER_MUTATION")
      return {BoundaryKind::InputMutation, "new value of parameter " + t + ", written back after the call"};
    if (k == "USER_INPUT_MUTATION")
      return {BoundaryKind::InputMutation, "new value of argument " + t + ", written back after the call"};
    if (k == "GRADIENT_TO_PARAMETER") return {BoundaryKind::Gradient, "gradient of parameter " + t};
    if (k == "GRADIENT_TO_USER_INPUT") return {BoundaryKind::Gradient, "gradient of argument " + t};
    if (k == "TOKEN") return {BoundaryKind::Token, "token after the side effects"};
  }
  return {BoundaryKind::Unknown, spec.text};  // a kind of later versions: what is written
}

/// The specs of a graph by the rows they belong to: by name, else by place when there are as many specs as
/// rows. The module may rename an input (`input` becomes `input_1`), and constants that are returned have no
/// name.
class Specs {
 public:
  using Found = std::pair<const importers::SignatureSpec*, SpecMeaning>;

  Specs(const importers::ExportSignature* signature, size_t inputs, size_t outputs) {
    if (!signature) return;
    inputs_.fill(signature->inputs, inputs, true);
    outputs_.fill(signature->outputs, outputs, false);
  }

  const Found* input(size_t place, std::string_view name) const { return inputs_.find(place, name); }
  const Found* output(size_t place, std::string_view name) const {
    // One value may be returned twice, once to be written back: its place tells which is meant.
    return outputs_.byPlace ? &outputs_.specs[place] : outputs_.find(place, name);
  }
  static void fill(IoRow& row, const Found& found) {
    row.origin = Origin::Recorded;
    row.words = found.second.words;
    row.kind = ir::boundaryKindName(found.second.kind);
    row.descriptor = found.first->text;
    row.path = found.first->target;
  }

 private:
  struct Side {
    std::vector<Found> specs;
    std::unordered_map<std::string_view, size_t> byName;
    bool byPlace = false;

    void fill(const std::vector<importers::SignatureSpec>& from, size_t rows, bool input) {
      byPlace = from.size() == rows;
      int number = 0;
      for (const importers::SignatureSpec& s : from) {
        const bool user = s.kind == "USER_INPUT" || s.kind == "USER_OUTPUT" || s.kind == "LOSS_OUTPUT";
        if (!s.name.empty()) byName.try_emplace(s.name, specs.size());
        specs.push_back({&s, meaningOf(s, input, user ? number++ : 0)});
      }
    }
    const Found* find(size_t place, std::string_view name) const {
      const auto it = byName.find(name);
      if (it != byName.end()) return &specs[it->second];
      return byPlace ? &specs[place] : nullptr;
    }
  };
  Side inputs_, outputs_;
};

std::string factsText(const importers::InputFact& f) {
  std::vector<std::string> parts;
  if (f.isParameter.value_or(false)) parts.push_back("parameter");
  if (f.requiresGrad) parts.push_back(*f.requiresGrad ? "requires grad" : "no grad");
  if (f.isLeaf) parts.push_back(*f.isLeaf ? "leaf" : "not a leaf");
  if (!f.viewOf.empty())
    parts.push_back("view of " + f.viewOf);
  else if (f.isView.value_or(false))
    parts.push_back("view");
  if (!f.baseOf.empty()) parts.push_back("base of " + f.baseOf);
  std::string out;
  for (const std::string& p : parts) out += (out.empty() ? "" : ", ") + p;
  return out;
}

}  // namespace

size_t outputCount(const ir::Graph& graph) {
  return leavesOf(graph, nullptr);
}

std::vector<IoRow> ioRows(const LoadedGraph& lg) {
  const ir::Graph& g = *lg.graph;
  const Boundary b = ir::findBoundary(g);
  const std::vector<ir::ArgView> values = g.outputs();
  std::unordered_map<std::string_view, const importers::InputFact*> facts;
  for (const importers::InputFact& f : lg.inputFacts)
    if (!f.name.empty()) facts[f.name] = &f;

  auto valueText = [&](size_t output) { return ir::printValue(values[output]); };
  std::vector<Leaf> leaves;
  leavesOf(g, &leaves);
  // Rows count leaves, the boundary counts what stands in the return.
  std::vector<int> firstLeaf(values.size(), -1);
  for (size_t i = leaves.size(); i-- > 0;) firstLeaf[leaves[i].output] = static_cast<int>(i);
  const Specs specs(lg.signature.get(), b.inputs.size(), leaves.size());
  std::vector<IoRow> rows;
  rows.reserve(b.inputs.size() + leaves.size());
  for (size_t i = 0; i < b.inputs.size(); ++i) {
    const BoundaryInput& in = b.inputs[i];
    IoRow row;
    row.input = true;
    row.position = static_cast<int>(i);
    row.node = in.node;
    row.name = g.nodeName(in.node);
    row.kind = ir::boundaryKindName(in.kind);
    row.descriptor = g.str(g.context().descriptor(g.node(in.node).desc).text);
    row.path = in.path;
    if (const ir::Descriptor* d = g.descriptor(in.node)) {
      row.origin = Origin::Recorded;
      row.words = d->words();
      row.differentiable = d->isDifferentiable();
    } else if (const std::string_view text = unknownDescriptor(g, g.node(in.node).desc); !text.empty()) {
      row.origin = Origin::Recorded;
      row.words = text;
    } else if (const Specs::Found* spec = specs.input(i, row.name)) {
      Specs::fill(row, *spec);
    } else if (const auto other = lg.companionDescs.find(row.name); other != lg.companionDescs.end()) {
      row.origin = Origin::Inferred;
      row.originRule =
          "the joint graph prints no descriptor for it; the forward graph of the same compile does";
      row.descriptor = other->second;
      if (const auto parsed = ir::Descriptor::parse(other->second)) {
        row.words = parsed->words();
        row.differentiable = parsed->isDifferentiable();
        row.kind = ir::boundaryKindName(parsed->isParam()    ? BoundaryKind::Parameter
                                        : parsed->isBuffer() ? BoundaryKind::Buffer
                                                             : BoundaryKind::Argument);
      }
    } else {
      row.origin = Origin::Inferred;
      row.originRule = in.rule;
      row.words = inferredWords(lg, in);
    }
    const ir::Type& type = g.type(in.node);
    row.type = type.text;
    if (type.kind == ir::TypeKind::Tensor) row.bytes = type.tensor.bytes();
    if (const auto it = facts.find(row.name); it != facts.end()) {
      row.source = it->second->source;
      row.facts = factsText(*it->second);
      if (row.type.empty()) row.type = it->second->type;
    }
    if (in.gradOutput >= 0) {
      const ir::ArgView v = values[static_cast<size_t>(in.gradOutput)];
      if (v.kind() != ir::ValueKind::None) {
        row.gradOrTangent = valueText(static_cast<size_t>(in.gradOutput));
        row.partner = b.outputs[static_cast<size_t>(in.gradOutput)].node;
        row.partnerOutput = firstLeaf[static_cast<size_t>(in.gradOutput)];
      }
    } else if (in.tangentOfOutput >= 0) {
      row.partner = b.outputs[static_cast<size_t>(in.tangentOfOutput)].node;
      row.partnerOutput = firstLeaf[static_cast<size_t>(in.tangentOfOutput)];
    }
    rows.push_back(std::move(row));
  }
  for (size_t position = 0; position < leaves.size(); ++position) {
    const Leaf& leaf = leaves[position];
    const size_t i = leaf.output;
    BoundaryOutput out = b.outputs[i];
    if (!leaf.path.empty()) {
      if (leaf.value.kind() == ir::ValueKind::NodeRef) {
        out.node = leaf.value.node();
      } else {
        out.kind = BoundaryKind::ConstantOutput;
        out.rule = "a value written in the return";
      }
    }
    IoRow row;
    row.input = false;
    row.position = static_cast<int>(position);
    row.node = out.node;
    row.name = ir::printValue(leaf.value);
    row.kind = ir::boundaryKindName(out.kind);
    const ir::DescId written = i < g.outputDescs.size() ? g.outputDescs[i] : ir::DescId{};
    row.descriptor = g.str(g.context().descriptor(written).text);
    if (const ir::Descriptor* d = g.descriptor(written)) {
      row.origin = Origin::Recorded;
      row.words = d->words();
      row.differentiable = d->isDifferentiable();
      const ir::DescKind root = d->root().kind();
      if (root == ir::DescKind::ParamInput || root == ir::DescKind::BufferInput) row.path = d->root().text();
      if (d->isGrad() && !out.node) row.words += " (none: nothing flows to it)";
    } else if (const std::string_view text = unknownDescriptor(g, written); !text.empty()) {
      row.origin = Origin::Recorded;
      row.words = text;
    } else if (const Specs::Found* spec = specs.output(position, row.name)) {
      Specs::fill(row, *spec);
    } else if (out.inferred) {
      row.origin = Origin::Inferred;
      row.originRule = out.rule;
      row.words = inferredWords(lg, out, row.position);
    } else {
      row.origin = Origin::Recorded;
      row.words = inferredWords(lg, out, row.position);
    }
    if (!leaf.path.empty()) row.words += ": " + leaf.path + " of what is returned";
    if (out.node) {
      const ir::Type& type = g.type(out.node);
      row.type = type.text;
      if (type.kind == ir::TypeKind::Tensor) row.bytes = type.tensor.bytes();
    }
    if (out.tangent) {
      row.gradOrTangent = g.nodeName(out.tangent);
      row.partner = out.tangent;
    } else if (out.gradOf) {
      row.partner = out.gradOf;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Partner partnerOf(const LoadedGraph& lg, ir::NodeId node) {
  const ir::Graph& g = *lg.graph;
  Partner out;
  if (!node || !g.contains(node)) {
    out.why = "no node is selected";
    return out;
  }
  const Boundary b = ir::findBoundary(g);
  if (const BoundaryInput* in = b.input(node)) {
    const int output = in->kind == BoundaryKind::Tangent ? in->tangentOfOutput : in->gradOutput;
    if (output >= 0) {
      out.node = b.outputs[static_cast<size_t>(output)].node;
      out.output = output;
      if (out.node)
        out.why = in->kind == BoundaryKind::Tangent ? "the output whose gradient this is" : "its gradient";
      else
        out.why = "output " + std::to_string(output) + " is its gradient, and it is None";
      return out;
    }
    out.why = in->kind == BoundaryKind::Tangent
                  ? "the output of this tangent is not in this graph; look into the forward graph"
              : b.shape == ir::GraphShape::Joint || b.shape == ir::GraphShape::Backward
                  ? "this graph returns no gradient for it"
                  : "this graph has no backward part; open the joint or backward graph";
    return out;
  }
  for (size_t i = 0; i < b.outputs.size(); ++i) {
    const BoundaryOutput& o = b.outputs[i];
    if (o.node != node) continue;
    out.node = o.tangent ? o.tangent : o.gradOf;
    if (out.node) {
      out.why = o.tangent ? "the gradient that arrives for it" : "the input whose gradient this is";
      return out;
    }
  }
  // A twin: the other half's node with the same source line.
  const ir::Source& source = g.source(node);
  const ir::Phase mine = lg.phases[node];
  if (!source.file || mine == ir::Phase::None) {
    out.why = source.file ? "this graph has no backward part" : "the log holds no source line for this node";
    return out;
  }
  const ir::Phase other = mine == ir::Phase::Backward ? ir::Phase::Forward : ir::Phase::Backward;
  std::vector<ir::NodeId> twins;
  size_t mineIndex = 0, mineCount = 0;
  for (ir::NodeId id : g.nodes()) {
    const ir::Source& s = g.source(id);
    if (s.file != source.file || s.line != source.line || !g.node(id).source) continue;
    if (lg.phases[id] == other) twins.push_back(id);
    if (lg.phases[id] == mine) {
      if (id == node) mineIndex = mineCount;
      ++mineCount;
    }
  }
  if (twins.empty()) {
    out.why = "no " + std::string(ir::phaseName(other)) + " node has the same source line";
    return out;
  }
  // The backward runs a line's ops in reverse: the last forward op of the line meets the first backward op.
  const size_t at = mineCount > 1 ? (mineCount - 1 - mineIndex) * (twins.size() - 1) / (mineCount - 1) : 0;
  out.node = twins[at];
  out.why = "same source line, " + std::string(ir::phaseName(other)) + " half (inferred)";
  return out;
}

}  // namespace descry::session
