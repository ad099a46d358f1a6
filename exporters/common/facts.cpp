#include "exporters/common/facts.h"

#include "ir/text/printer.h"

namespace descry::exporters {

using namespace ir;

Subject::Subject(const ExportInput& input)
    : module_(input.module),
      graph_(input.graph ? input.graph : &input.module->root()),
      phases_(input.phases),
      roles_(nodeRoles(*graph_)),
      title_(input.title) {
  if (!phases_) {
    owned_ = computePhases(*graph_);
    phases_ = &owned_;
  }
  if (title_.empty()) title_ = graph_->style.className;
  if (title_.empty()) title_ = graph_->name;
}

Subject::Subject(const Module& module, const Graph& graph)
    : module_(&module),
      graph_(&graph),
      phases_(&owned_),
      owned_(computePhases(graph)),
      roles_(nodeRoles(graph)) {}

std::string_view shortOp(std::string_view target) {
  if (target.starts_with("torch.ops.")) {
    target.remove_prefix(10);
    const size_t dot = target.find('.');
    return dot == std::string_view::npos ? target : target.substr(dot + 1);
  }
  if (target.starts_with("operator.")) return target.substr(9);
  return target;
}

std::string_view nodeOp(const Graph& graph, NodeId id) {
  switch (graph.node(id).op) {
    case OpKind::Placeholder:
    case OpKind::GetAttr:
    case OpKind::Output:
      return opKindName(graph.node(id).op);
    default:
      return shortOp(graph.target(id));
  }
}

std::string_view edgeKindName(EdgeKind kind) {
  constexpr std::string_view kNames[] = {"data", "saved", "alias", "mutation", "control", "symbolic-size"};
  return kNames[static_cast<size_t>(kind)];
}

EdgeKind edgeKind(const Graph& graph, const PhaseMap& phases, NodeId from, NodeId to, NodeRole role) {
  if (graph.type(from).kind == TypeKind::Sym) return EdgeKind::SymbolicSize;
  const bool crosses = phases[from] == Phase::Forward && phases[to] == Phase::Backward;
  if (crosses) return EdgeKind::Saved;
  switch (role) {
    case NodeRole::View:
      return EdgeKind::Alias;
    case NodeRole::Mutation: {
      bool written = false;
      if (graph.argCount(to) > 0) {
        const ArgView first = graph.arg(to, 0);
        written = first.kind() == ValueKind::NodeRef && first.node() == from;
      }
      return written ? EdgeKind::Mutation : EdgeKind::Data;
    }
    default:
      return EdgeKind::Data;
  }
}

std::string dtypeOf(const Type& type) {
  if (type.kind != TypeKind::Tensor && type.kind != TypeKind::Wrapped) return {};
  if (!type.tensor.dtypeText.empty()) return type.tensor.dtypeText;
  return std::string(dtypeInfo(type.tensor.dtype).shortName);
}

std::string shapeOf(const Type& type) {
  if (type.kind != TypeKind::Tensor && type.kind != TypeKind::Wrapped) return {};
  std::string out = "[";
  for (const Dim& dim : type.tensor.shape) {
    if (out.size() > 1) out += ", ";
    out += dim.str();
  }
  out += ']';
  return out;
}

std::vector<OutputSlot> outputSlots(const Graph& graph) {
  std::vector<OutputSlot> slots;
  const std::vector<ArgView> values = graph.outputs();
  slots.reserve(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    OutputSlot slot;
    slot.value = printValue(values[i]);
    if (values[i].kind() == ValueKind::NodeRef) slot.node = values[i].node();
    if (i < graph.outputDescs.size() && graph.outputDescs[i]) {
      slot.descriptor = graph.str(graph.context().descriptor(graph.outputDescs[i]).text);
      slot.parsed = graph.descriptor(graph.outputDescs[i]);
    }
    slots.push_back(std::move(slot));
  }
  return slots;
}

std::vector<const Graph*> reachableGraphs(const Module& module, const Graph& root) {
  std::vector<const Graph*> order;
  std::vector<bool> seen(module.graphs.size(), false);
  const auto visit = [&](const Graph& graph) {
    const auto index = static_cast<size_t>(&graph - module.graphs.data());
    if (index >= seen.size() || seen[index]) return;
    seen[index] = true;
    order.push_back(&graph);
  };
  visit(root);
  for (size_t i = 0; i < order.size(); ++i)
    for (const Graph::Child& child : order[i]->children)
      if (child.graph < module.graphs.size()) visit(module.graphs[child.graph]);
  return order;
}

}  // namespace descry::exporters
