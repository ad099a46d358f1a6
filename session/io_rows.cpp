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

std::string factsText(const importers::InputFact& f) {
  std::vector<std::string> parts;
  if (f.isParameter.value_or(false)) parts.push_back("parameter");
  if (f.requiresGrad) parts.push_back(*f.requiresGrad ? "requires grad" : "no grad");
  if (f.isLeaf) parts.push_back(*f.isLeaf ? "leaf" : "not a leaf");
  if (!f.viewOf.empty())
    parts.push_back("view of " + f.viewOf);
  else if (f.isView.value_or(false))
    parts.push_back("view");
  std::string out;
  for (const std::string& p : parts) out += (out.empty() ? "" : ", ") + p;
  return out;
}

}  // namespace

std::vector<IoRow> ioRows(const LoadedGraph& lg) {
  const ir::Graph& g = *lg.graph;
  const Boundary b = ir::findBoundary(g);
  const std::vector<ir::ArgView> values = g.outputs();
  std::unordered_map<std::string_view, const importers::InputFact*> facts;
  for (const importers::InputFact& f : lg.inputFacts)
    if (!f.name.empty()) facts[f.name] = &f;

  auto valueText = [&](size_t output) { return ir::printValue(values[output]); };
  std::vector<IoRow> rows;
  rows.reserve(b.inputs.size() + b.outputs.size());
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
        row.partnerOutput = in.gradOutput;
      }
    } else if (in.tangentOfOutput >= 0) {
      row.partner = b.outputs[static_cast<size_t>(in.tangentOfOutput)].node;
      row.partnerOutput = in.tangentOfOutput;
    }
    rows.push_back(std::move(row));
  }
  for (size_t i = 0; i < b.outputs.size(); ++i) {
    const BoundaryOutput& out = b.outputs[i];
    IoRow row;
    row.input = false;
    row.position = static_cast<int>(i);
    row.node = out.node;
    row.name = valueText(i);
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
    } else if (out.inferred) {
      row.origin = Origin::Inferred;
      row.originRule = out.rule;
      row.words = inferredWords(lg, out, row.position);
    } else {
      row.origin = Origin::Recorded;
      row.words = inferredWords(lg, out, row.position);
    }
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
