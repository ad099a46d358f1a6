// Rules about type annotations.
#include "ir/types/sym_expr.h"
#include "ir/verify/checks.h"

namespace descry::ir {

namespace {

bool bracketsMatch(std::string_view text) {
  std::string open;
  for (char c : text) {
    if (c == '[' || c == '(') open += c;
    if (c == ']' || c == ')') {
      if (open.empty() || (open.back() == '[') != (c == ']')) return false;
      open.pop_back();
    }
  }
  return open.empty();
}

/// `f32[` in front, so meant as a tensor.
bool looksLikeTensor(std::string_view text) {
  const size_t bracket = text.find('[');
  return bracket != std::string_view::npos && dtypeFromShortName(text.substr(0, bracket)) != DType::Unknown;
}

/// The first size or stride that is no expression.
const Dim* unreadable(const std::vector<Dim>& dims) {
  for (const Dim& d : dims)
    if (d.symbolic() && !SymExpr::parse(d.text)) return &d;
  return nullptr;
}

}  // namespace

void checkTypes(GraphCheck& check) {
  const Graph& g = check.graph;
  // Types are shared: each is judged once, and reported at every node that has it.
  std::unordered_map<uint32_t, std::pair<const char*, std::string>> judged;
  auto judge = [](const Type& t) -> std::pair<const char*, std::string> {
    const bool lost = t.kind == TypeKind::Python && (!bracketsMatch(t.text) || looksLikeTensor(t.text));
    if (t.kind == TypeKind::Unknown || lost)
      return {"type-malformed", "the type \"" + t.text + "\" cannot be read"};
    if (t.kind == TypeKind::Sym && !SymExpr::parse(t.sym))
      return {"type-malformed", "\"" + t.sym + "\" is no symbolic expression"};
    if (t.kind != TypeKind::Tensor && t.kind != TypeKind::Wrapped) return {nullptr, {}};
    const TensorType& tensor = t.tensor;
    for (const Dim& d : tensor.shape)
      if (!d.symbolic() && d.value < 0)
        return {"type-malformed", "the type \"" + t.text + "\" has a negative size"};
    const Dim* bad = unreadable(tensor.shape);
    if (!bad && tensor.strides) bad = unreadable(*tensor.strides);
    if (bad)
      return {"type-malformed",
              "the type \"" + t.text + "\": \"" + bad->text + "\" is no symbolic expression"};
    if (tensor.strides && tensor.strides->size() != tensor.shape.size())
      return {"stride-rank", "the type \"" + t.text + "\" has " + std::to_string(tensor.shape.size()) +
                                 " sizes and " + std::to_string(tensor.strides->size()) + " strides"};
    if (tensor.dtype == DType::Unknown && !tensor.dtypeText.empty())
      return {"unknown-dtype", "the dtype '" + tensor.dtypeText + "' is not known"};
    return {nullptr, {}};
  };
  for (NodeId id : g.nodes()) {
    const TypeId type = g.node(id).type;
    if (!type) continue;
    auto [found, fresh] = judged.try_emplace(type.index);
    if (fresh) found->second = judge(g.context().types.at(type));
    const auto& [code, message] = found->second;
    if (code) check.report(code, id, check.quoted(id) + ": " + message);
  }
}

}  // namespace descry::ir
