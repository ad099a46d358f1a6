#include "passes/aot/partition_input.h"

#include <algorithm>
#include <map>
#include <memory>

#include "ir/ops/eval/value.h"

namespace descry::passes {

namespace {

constexpr int64_t kUnknownSize = 4096;  // PyTorch's guess for a size without hint

/// What the assertions of a graph say of its numbers.
ir::eval::NumberFacts assertedFacts(const ir::Graph& graph) {
  ir::eval::NumberFacts facts;
  for (const ir::NodeId id : graph.nodes()) {
    if (graph.node(id).op != ir::OpKind::CallFunction ||
        graph.target(id) != "torch.ops.aten._assert_scalar.default")
      continue;
    const std::vector<ir::NodeId> inputs = graph.inputs(id);
    if (inputs.size() != 1 || graph.type(inputs[0]).kind != ir::TypeKind::Sym) continue;
    if (const ir::Result<ir::SymExpr> e = ir::SymExpr::parse(graph.type(inputs[0]).sym)) facts.assume(*e);
  }
  return facts;
}

}  // namespace

namespace {

using Renames = std::map<std::string, std::string, std::less<>>;  ///< symbol as printed -> as it was

bool identifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Calls f(name, begin) for the names in a type's text.
template <class F>
void forEachName(std::string_view text, F&& f) {
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && identifier(text[end])) ++end;
    if (end > i) f(text.substr(i, end - i), i);
    i = end > i ? end : i + 1;
  }
}

std::string renamed(std::string_view text, const Renames& renames) {
  std::string out;
  size_t done = 0;
  forEachName(text, [&](std::string_view name, size_t at) {
    const auto it = renames.find(name);
    if (it == renames.end()) return;
    out.append(text.substr(done, at - done)).append(it->second);
    done = at + name.size();
  });
  return out.append(text.substr(done));
}

/// Types as they were before a symbol was found equal to another. An input `s77: Sym(s17)` tells of it: the
/// tensor that brought it comes next, and what is computed from a tensor takes its sizes over.
std::function<std::string(ir::NodeId)> originalTypes(const AotResult& result) {
  if (!result.originalTypes.empty())
    return [types = result.originalTypes](ir::NodeId id) {
      const auto it = types.find(id.index);
      return it == types.end() ? std::string() : it->second;
    };
  const ir::Graph& g = result.joint->root();
  const std::vector<ir::NodeId> placeholders = g.placeholders();
  const size_t tokens = result.meta.tokens.size();
  std::map<uint32_t, Renames> of;
  auto types = std::make_shared<std::map<uint32_t, std::string>>();
  Renames pending;
  for (size_t i = 0; i < result.inputs.size() && i + tokens < placeholders.size(); ++i) {
    const AotInput& in = result.inputs[i];
    const ir::NodeId id = placeholders[i + tokens];
    if (!in.meta && !in.originalSymbol.empty() && in.originalSymbol != in.symbol) {
      (*types)[id.index] = "Sym(" + in.originalSymbol + ")";
      pending[in.symbol] = in.originalSymbol;
    } else if (in.meta && !pending.empty()) {
      forEachName(g.type(id).text, [&](std::string_view name, size_t) {
        if (const auto it = pending.find(name); it != pending.end()) of[id.index].insert(*it);
      });
      if (of.count(id.index)) pending.clear();
    }
  }
  if (of.empty() && types->empty()) return {};
  for (const ir::NodeId id : g.nodes()) {
    if (g.node(id).op == ir::OpKind::CallFunction) {
      Renames known;  // the first operand that has a symbol decides
      g.forEachInput(id, [&](ir::NodeId from) {
        const auto it = of.find(from.index);
        if (it != of.end() && g.type(from).text.empty()) known.insert(it->second.begin(), it->second.end());
        forEachName(g.type(from).text, [&](std::string_view name, size_t) {
          const auto was = it == of.end() ? Renames::const_iterator() : it->second.find(name);
          const bool other = it != of.end() && was != it->second.end();
          known.emplace(name, other ? was->second : std::string(name));
        });
      });
      std::erase_if(known, [](const auto& k) { return k.first == k.second; });
      if (!known.empty()) of[id.index] = std::move(known);
    }
    if (const auto it = of.find(id.index); it != of.end())
      (*types)[id.index] = renamed(g.type(id).text, it->second);
  }
  return [types](ir::NodeId id) {
    const auto it = types->find(id.index);
    return it == types->end() ? std::string() : it->second;
  };
}

}  // namespace

PartitionInput partitionInputOf(const AotResult& result, const CapturedFacts& facts) {
  PartitionInput input;
  input.module = result.joint.get();
  input.joint = &result.joint->root();
  input.ops = result.ops.get();
  input.forwardOutputs = static_cast<uint32_t>(result.numForward);
  input.roles.resize(result.joint->root().idBound());
  for (size_t i = 0; i < input.roles.size() && i < result.facts.size(); ++i) {
    const NodeFacts& f = result.facts[i];
    NodeRole& role = input.roles[i];
    switch (f.phase) {
      case Phase::Forward:
        role.tag = PartitionTag::Forward;
        break;
      case Phase::Backward:
        role.tag = PartitionTag::Backward;
        break;
      case Phase::MustBeForward:
        role.tag = PartitionTag::MustBeInForward;
        break;
      case Phase::MustBeBackward:
        role.tag = PartitionTag::MustBeInBackward;
        break;
      case Phase::Untold:
        break;
    }
    role.recompute = static_cast<RecomputePolicy>(f.recompute);
    if (f.region) role.region = static_cast<int32_t>(f.region);
    role.noVersionCheck = f.noVersionCheck;
    role.call = f.call;
  }
  const std::vector<ir::NodeId> placeholders = result.joint->root().placeholders();
  const size_t tokens = result.meta.tokens.size();
  size_t at = tokens;
  for (size_t i = 0; i < result.placeholders.size(); ++i) {
    const InputAliasInfo& info = result.meta.inputInfo[i];
    for (size_t k = 0; k < result.placeholders[i] && at < placeholders.size(); ++k, ++at)
      if (info.requiresGrad && info.mutatesData && info.mutationType() == MutationType::MutatedOutGraph)
        input.roles[placeholders[at].index].writtenAfterwards = true;
  }
  // Parameters live on whether they are saved or not. PyTorch counts them by input even where subclasses were
  // taken apart.
  for (size_t i = 0; i < result.inputs.size(); ++i)
    if (result.inputs[i].isStatic) input.staticInputs.push_back(static_cast<uint32_t>(i + tokens));
  input.goneNames = result.goneNames;
  if (!facts.randomStateSize.empty()) input.randomStateSize = facts.randomStateSize;
  input.originalType = originalTypes(result);
  const ir::eval::NumberFacts asserted = assertedFacts(result.joint->root());
  input.hint = [&facts, asserted](std::string_view text) -> std::optional<int64_t> {
    const ir::Result<ir::SymExpr> e = ir::SymExpr::parse(text);
    if (!e) return std::nullopt;
    // A number that depends on data is guessed, within what the program asserts of it.
    if (e->kind() == ir::SymKind::Symbol && !facts.hints.count(e->name()))
      if (const auto range = asserted.ranges.find(e->name()); range != asserted.ranges.end())
        return std::clamp(kUnknownSize, range->second.lo, std::max(range->second.lo, range->second.hi));
    const ir::Result<int64_t> v = e->evaluate(ir::SymExpr::Bindings(facts.hints.begin(), facts.hints.end()));
    return v ? std::optional(*v) : std::nullopt;
  };
  return input;
}

}  // namespace descry::passes
