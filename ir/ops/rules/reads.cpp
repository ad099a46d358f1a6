// What a body reads: decides what a gradient saves.
#include <algorithm>

#include "ir/ops/rules/rule.h"

namespace descry::ir::rules {

namespace {

bool visit(const Expr& e, std::string_view name, bool contentsOnly) {
  if (e.kind == ExprKind::Local || e.kind == ExprKind::Global) return e.text == name;
  // The tensor itself or, of a list, `name[i]`.
  const auto holds = [&](const Expr& object) {
    return object.kind == ExprKind::Local ? object.text == name
                                          : object.kind == ExprKind::Index && object.kids[0]->kind == ExprKind::Local &&
                                                object.kids[0]->text == name;
  };
  if (contentsOnly && e.kind == ExprKind::Attribute && holds(*e.kids[0])) {
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
      if (e.text == meta) return false;
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

bool visitAttribute(const Expr& e, std::string_view name, std::string_view attribute) {
  if (e.kind == ExprKind::Attribute && e.text == attribute && e.kids[0]->kind == ExprKind::Local && e.kids[0]->text == name)
    return true;
  return std::any_of(e.kids.begin(), e.kids.end(),
                     [&](const ExprPtr& k) { return k && visitAttribute(*k, name, attribute); });
}

bool visitAttribute(const std::vector<Stmt>& body, std::string_view name, std::string_view attribute) {
  return std::any_of(body.begin(), body.end(), [&](const Stmt& s) {
    return (s.target && visitAttribute(*s.target, name, attribute)) || (s.value && visitAttribute(*s.value, name, attribute)) ||
           visitAttribute(s.body, name, attribute) || visitAttribute(s.orElse, name, attribute);
  });
}

}  // namespace

bool readsContents(const Function& function, std::string_view name) {
  return visit(function.body, name, true);
}
bool readsAttribute(const Function& function, std::string_view name, std::string_view attribute) {
  return visitAttribute(function.body, name, attribute);
}
bool mentions(const Function& function, std::string_view name) {
  return visit(function.body, name, false);
}

}  // namespace descry::ir::rules
