// What a body reads: decides what a gradient saves.
#include <algorithm>

#include "ir/ops/registry.h"
#include "ir/ops/rules/rule.h"

namespace descry::ir::rules {

namespace {

struct Reader {
  std::string_view name;
  bool contentsOnly;
  const OpRegistry* helpers = nullptr;
  int depth = 0;  ///< of helpers that call helpers

  bool visit(const Expr& e) const;
  bool visit(const std::vector<Stmt>& body) const;
  bool handsOver(const Expr& call) const;
};

/// `name` itself, or an element of it.
bool isNamed(const Expr& e, std::string_view name) {
  if (e.kind == ExprKind::Index) return isNamed(*e.kids[0], name);
  return e.kind == ExprKind::Local && e.text == name;
}

/// Whether a call of a helper reads `name`: what it gets whole is read when the helper reads its parameter.
bool Reader::handsOver(const Expr& call) const {
  const Function* helper =
      depth < 8 && call.kids[0]->kind == ExprKind::Global ? helpers->function(call.kids[0]->text) : nullptr;
  const size_t positional = call.kids.size() - 1 - call.keys.size();
  for (size_t i = 1; i < call.kids.size(); ++i) {
    const Expr& given = *call.kids[i];
    const bool named = i > positional;
    size_t at = i - 1;
    if (helper && named)
      at = static_cast<size_t>(
          std::find_if(helper->params.begin(), helper->params.end(),
                       [&](const Parameter& p) { return p.name == call.keys[i - positional - 1]; }) -
          helper->params.begin());
    const bool simple =
        helper && at < helper->params.size() && !helper->params[at].star && !helper->params[at].doubleStar;
    const bool reads = simple && isNamed(given, name)
                           ? Reader{helper->params[at].name, true, helpers, depth + 1}.visit(helper->body) ||
                                 (given.kind == ExprKind::Index && visit(*given.kids[1]))
                           : visit(given);
    if (reads) return true;
  }
  return false;
}

bool Reader::visit(const Expr& e) const {
  if (contentsOnly && helpers && e.kind == ExprKind::Call && e.kids[0]->kind == ExprKind::Global)
    return handsOver(e);
  if (e.kind == ExprKind::Local || e.kind == ExprKind::Global) return e.text == name;
  // `x.dtype`, or `xs[i].dtype` of a list.
  const Expr* of = contentsOnly && e.kind == ExprKind::Attribute ? e.kids[0].get() : nullptr;
  const Expr* index = of && of->kind == ExprKind::Index ? of : nullptr;
  if (index) of = index->kids[0].get();
  if (of && of->kind == ExprKind::Local && of->text == name) {
    for (std::string_view meta : {"dtype",         "device",
                                  "layout",        "shape",
                                  "ndim",          "dim",
                                  "size",          "sizes",
                                  "stride",        "strides",
                                  "numel",         "storage_offset",
                                  "is_complex",    "is_floating_point",
                                  "requires_grad", "element_size",
                                  "options",       "is_cuda",
                                  "is_contiguous", "suggest_memory_format",
                                  "defined"})
      if (e.text == meta)
        return index && std::any_of(index->kids.begin() + 1, index->kids.end(),
                                    [&](const ExprPtr& k) { return k && visit(*k); });
    return true;
  }
  if (contentsOnly && e.kind == ExprKind::Compare && e.kids.size() == 2 &&
      (e.compares[0] == CompareOp::Is || e.compares[0] == CompareOp::IsNot) &&
      e.kids[1]->kind == ExprKind::None && e.kids[0]->kind == ExprKind::Local && e.kids[0]->text == name)
    return false;
  for (const ExprPtr& k : e.kids)
    if (k && visit(*k)) return true;
  return false;
}

bool Reader::visit(const std::vector<Stmt>& body) const {
  for (const Stmt& s : body) {
    if (s.target && visit(*s.target)) return true;
    if (s.value && visit(*s.value)) return true;
    if (visit(s.body) || visit(s.orElse)) return true;
  }
  return false;
}

bool visitAttribute(const Expr& e, std::string_view name, std::string_view attribute) {
  if (e.kind == ExprKind::Attribute && e.text == attribute && e.kids[0]->kind == ExprKind::Local &&
      e.kids[0]->text == name)
    return true;
  return std::any_of(e.kids.begin(), e.kids.end(),
                     [&](const ExprPtr& k) { return k && visitAttribute(*k, name, attribute); });
}

bool visitAttribute(const std::vector<Stmt>& body, std::string_view name, std::string_view attribute) {
  return std::any_of(body.begin(), body.end(), [&](const Stmt& s) {
    return (s.target && visitAttribute(*s.target, name, attribute)) ||
           (s.value && visitAttribute(*s.value, name, attribute)) ||
           visitAttribute(s.body, name, attribute) || visitAttribute(s.orElse, name, attribute);
  });
}

}  // namespace

bool readsContents(const Function& function, std::string_view name, const OpRegistry* helpers) {
  return Reader{name, true, helpers}.visit(function.body);
}
bool readsAttribute(const Function& function, std::string_view name, std::string_view attribute) {
  return visitAttribute(function.body, name, attribute);
}
bool mentions(const Function& function, std::string_view name) {
  return Reader{name, false}.visit(function.body);
}

}  // namespace descry::ir::rules
