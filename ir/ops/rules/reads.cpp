// What a body reads: decides what a gradient saves.
#include <algorithm>

#include "ir/ops/rules/rule.h"

namespace descry::ir::rules {

namespace {

bool visit(const Expr& e, std::string_view name, bool contentsOnly) {
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
                                    [&](const ExprPtr& k) { return k && visit(*k, name, contentsOnly); });
    return true;
  }
  if (contentsOnly && e.kind == ExprKind::Compare && e.kids.size() == 2 &&
      (e.compares[0] == CompareOp::Is || e.compares[0] == CompareOp::IsNot) &&
      e.kids[1]->kind == ExprKind::None && e.kids[0]->kind == ExprKind::Local && e.kids[0]->text == name)
    return false;
  for (const ExprPtr& k : e.kids)
    if (k && visit(*k, name, contentsOnly)) return true;
  return false;
}

bool visit(const std::vector<Stmt>& body, std::string_view name, bool contentsOnly) {
  for (const Stmt& s : body) {
    if (s.target && visit(*s.target, name, contentsOnly)) return true;
    if (s.value && visit(*s.value, name, contentsOnly)) return true;
    if (visit(s.body, name, contentsOnly) || visit(s.orElse, name, contentsOnly)) return true;
  }
  return false;
}

}  // namespace

bool readsContents(const Function& function, std::string_view name) {
  return visit(function.body, name, true);
}
bool mentions(const Function& function, std::string_view name) {
  return visit(function.body, name, false);
}

}  // namespace descry::ir::rules
