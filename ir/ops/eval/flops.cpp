#include "ir/ops/eval/flops.h"

#include <algorithm>

#include "ir/ops/variants.h"

namespace descry::ir::eval {

namespace {

using rules::Expr;
using rules::ExprKind;

int64_t operationsOf(const Expr& e) {
  int64_t n = 0;
  if (e.kind == ExprKind::IfElse) {
    // One of both is computed, which costs as much as the dearer one where elements are computed in rows.
    return operationsOf(*e.kids[0]) + std::max(operationsOf(*e.kids[1]), operationsOf(*e.kids[2]));
  }
  for (size_t i = 0; i < e.kids.size(); ++i)
    if (e.kids[i] && (e.kind != ExprKind::Call || i > 0)) n += operationsOf(*e.kids[i]);
  switch (e.kind) {
    case ExprKind::Binary:
    case ExprKind::Unary:
    case ExprKind::Call:
    case ExprKind::Compare:
    case ExprKind::And:
    case ExprKind::Or:
      return n + 1;
    default:
      return n;
  }
}

int64_t operationsOf(const std::vector<rules::Stmt>& body) {
  int64_t n = 0;
  for (const rules::Stmt& s : body) {
    if (s.kind == rules::StmtKind::If) {
      n += operationsOf(*s.value) + std::max(operationsOf(s.body), operationsOf(s.orElse));
      continue;
    }
    if (s.value) n += operationsOf(*s.value);
    if (s.kind == rules::StmtKind::AugAssign) ++n;
    n += operationsOf(s.body) + operationsOf(s.orElse);
  }
  return n;
}

std::optional<int64_t> elementsOf(const Value& v) {
  if (v.isTensor()) return v.meta().numel().value;
  if (!v.isList()) return std::nullopt;
  int64_t n = 0;
  for (const Value& i : v.items()) n += elementsOf(i).value_or(0);
  return n;
}

}  // namespace

std::optional<int64_t> flopsOf(Interpreter& interpreter, const OpDef& op, const Values& args,
                               const Value& result) {
  const OpDef* known = &op;
  Values given = args;
  if (!op.rules().flops && !op.rules().scalar)
    if (const OpDef* pure = functionalVariant(op)) {
      known = pure;
      given.resize(std::min(given.size(), pure->schema().arguments.size()));
    }
  const rules::OpRules& table = known->rules();
  if (table.flops) {
    given.resize(known->schema().arguments.size());
    given.push_back(result);
    try {
      return interpreter.run(*table.flops, std::move(given)).toInt().known();
    } catch (const EvalError&) {
      return std::nullopt;  // sizes that are not known, or do not fit
    }
  }
  const std::optional<int64_t> elements = elementsOf(result);
  if (!elements) return std::nullopt;
  int64_t n = 0;
  if (table.scalar) {
    // A value that is passed on is no arithmetic, but moving it takes the time of one.
    if (__builtin_mul_overflow(*elements, operationsOf(table.scalar->body), &n)) return std::nullopt;
    return n;
  }
  if (known->has(kOpReduction)) {
    for (const Value& v : args) n = std::max(n, elementsOf(v).value_or(0));
    return n;
  }
  if (known->has(kOpView) || known->has(kOpViewCopy)) return 0;
  return std::nullopt;
}

}  // namespace descry::ir::eval
