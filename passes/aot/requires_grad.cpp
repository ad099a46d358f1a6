// Which inputs of a captured graph require gradients, when somebody says so.
#include <unordered_map>

#include "passes/aot/aot.h"

namespace descry::passes {

ir::Status setRequiresGrad(CapturedFacts& facts, const ir::Graph& graph, std::string_view names) {
  std::vector<std::pair<CapturedInput*, bool>> inputs;  // and whether it can require a gradient
  std::unordered_map<std::string_view, size_t> byName;
  const auto add = [&](CapturedInput& in, const ir::Type& type) {
    const ir::DTypeInfo& d = ir::dtypeInfo(type.tensor.dtype);
    byName.emplace(in.name, inputs.size());
    inputs.emplace_back(&in, type.kind != ir::TypeKind::Sym && (d.floating || d.complex));
  };
  const std::vector<ir::NodeId> placeholders = graph.placeholders();
  for (size_t i = 0; i < facts.inputs.size() && i < placeholders.size(); ++i)
    add(facts.inputs[i], graph.type(placeholders[i]));
  std::unordered_map<std::string_view, ir::NodeId> attributes;
  for (const ir::NodeId id : graph.nodes())
    if (graph.node(id).op == ir::OpKind::GetAttr) attributes.emplace(graph.target(id), id);
  for (CapturedInput& a : facts.attributes)
    if (const auto at = attributes.find(a.name); at != attributes.end()) add(a, graph.type(at->second));

  std::vector<bool> wanted(inputs.size(), false);
  if (names == "all") {
    for (size_t i = 0; i < inputs.size(); ++i) wanted[i] = inputs[i].second;
  } else if (names != "none") {
    while (!names.empty()) {
      const size_t comma = names.find_first_of(",+");
      const std::string_view name = names.substr(0, comma);
      names = comma == std::string_view::npos ? std::string_view() : names.substr(comma + 1);
      const auto at = byName.find(name);
      if (at == byName.end())
        return ir::failure("unknown-node", "the graph has no input named '" + std::string(name) + "'");
      if (!inputs[at->second].second)
        return ir::failure(
            "not-differentiable",
            "only tensors of floating point and complex dtype can require gradients: " + std::string(name));
      wanted[at->second] = true;
    }
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    CapturedInput& in = *inputs[i].first;
    if (in.requiresGrad != wanted[i]) in.isLeaf = true;
    in.requiresGrad = wanted[i];
  }
  facts.requiresGradAssumed = false;
  return {};
}

}  // namespace descry::passes
