// Rules that the user declares: how much they may do, and what they have to return.
#include "ir/ops/eval/builtins.h"
#include "ir/ops/eval/interpreter.h"

namespace descry::ir::eval {

namespace {

/// Well under a second. The longest rule that makes sense is a loop over some thousand steps of a sequence.
constexpr int64_t kSteps = 2'000'000;
/// Of the stack, for all rules that call one another. Threads have 8 MiB.
constexpr std::ptrdiff_t kStackBytes = 3 << 20;

[[noreturn]] void wrong(const rules::Function& rule, const std::string& expected, const Value& found) {
  const std::string_view part = rule.part == rules::RulePart::Shape     ? "shape"
                                : rule.part == rules::RulePart::Grad    ? "gradient"
                                : rule.part == rules::RulePart::Tangent ? "tangent"
                                                                        : "composite body";
  EvalError e("rule-result", "the " + std::string(part) + " of " + rule.declared->target() + " has to be " +
                                 expected + ", found " + found.describe());
  e.file = rule.file;
  // Where the value stands: the last statement that returns one.
  const rules::Stmt* last = nullptr;
  for (const rules::Stmt& s : rule.body)
    if (s.kind == rules::StmtKind::Return) last = &s;
  if (!last && !rule.body.empty()) last = &rule.body.back();
  if (last) {
    const rules::Expr* value = last->value.get();
    if (value && value->kind == rules::ExprKind::Tuple && !value->kids.empty()) value = value->kids[0].get();
    e.line = value ? value->line : last->line;
    e.column = value ? value->column : 1;
  }
  throw e;
}

/// Whether a value can be a result of this type. Rules write numbers for symbolic ones and lists for tuples.
bool fits(const SchemaType& type, const Value& v) {
  bool optional = false;
  for (const SchemaType::Wrap& w : type.wraps) optional = optional || !w.list;
  if (v.isNone()) return optional;
  if (type.isList()) {
    if (!v.isList()) return false;
    if (type.base != "Tensor") return true;
    for (const Value& i : v.items())
      if (!i.isTensor() && !i.isNone()) return false;
    return true;
  }
  if (type.base == "Tensor") return v.isTensor();
  if (type.base == "int" || type.base == "SymInt" || type.base == "float" || type.base == "bool" ||
      type.base == "SymBool" || type.base == "number" || type.base == "Scalar")
    return v.isNumber();
  return true;
}

std::string several(size_t n) {
  return std::to_string(n) + (n == 1 ? " result" : " results");
}

}  // namespace

void checkResult(const rules::Function& rule, const Value& result) {
  if (rule.part == rules::RulePart::Other) return;
  const Schema& schema = rule.declared->schema();
  if (result.kind() == VKind::Object && result.text() == "NotImplemented") return;
  if (rule.part == rules::RulePart::Grad) {
    // None where there is no gradient; of an argument that is a list, a list.
    const auto gradient = [&](const Value& v) {
      if (v.isNone() || v.isTensor()) return true;
      if (!v.isList()) return false;
      for (const Value& i : v.items())
        if (!i.isNone() && !i.isTensor()) return false;
      return true;
    };
    if (rule.grads > 1) {
      if (!result.isNone() && (!result.isList() || result.items().size() != rule.grads))
        wrong(rule, std::to_string(rule.grads) + " gradients, one for each argument that it names", result);
      if (result.isList())
        for (const Value& v : result.items())
          if (!gradient(v)) wrong(rule, "tensors or None", v);
    } else if (!gradient(result)) {
      wrong(rule, "a tensor or None", result);
    }
    return;
  }
  if (rule.part == rules::RulePart::Tangent) {
    // Of one result, or of all where the op returns a list.
    const bool list = result.isList() && schema.returns.size() == 1 && schema.returns[0].type.isList();
    if (!result.isNone() && !result.isTensor() && !list) wrong(rule, "a tensor or None", result);
    return;
  }
  if (schema.varReturns) return;
  // A shape rule may be given by the name of a function alone: its value is called then.
  if (rule.part == rules::RulePart::Shape && result.kind() == VKind::Function) return;
  const size_t n = schema.returns.size();
  if (n == 0) {
    if (!result.isNone() && !(result.isList() && result.items().empty()))
      wrong(rule, "None, since its schema returns nothing", result);
    return;
  }
  if (n == 1) {
    if (!fits(schema.returns[0].type, result)) wrong(rule, "`" + schema.returns[0].type.str() + "`", result);
    return;
  }
  if (!result.isList() || result.items().size() != n)
    wrong(rule, several(n) + ", as its schema says", result);
  for (size_t i = 0; i < n; ++i)
    // A result that was not asked for may be missing.
    if (!result.items()[i].isNone() && !fits(schema.returns[i].type, result.items()[i]))
      wrong(rule, "`" + schema.returns[i].type.str() + "` as result " + std::to_string(i), result.items()[i]);
}

Value Interpreter::runDeclared(const rules::Function& f, Values args) {
  struct Leave {
    Interpreter& i;
    bool outermost;
    ~Leave() {
      if (outermost) i.left_ = -1;
    }
  } leave{*this, left_ < 0};
  if (leave.outermost) {
    left_ = kSteps;
    stack_ = static_cast<const char*>(__builtin_frame_address(0));
  }
  Frame frame;
  frame.function = &f;
  frame.locals = std::move(args);
  frame.locals.resize(f.locals.size());
  try {
    exec(f.body, frame);
  } catch (EvalError& e) {
    if (!e.line && frame.at) {
      e.file = f.file;
      e.line = frame.at->line;
      e.column = frame.at->column;
    }
    throw;
  }
  checkResult(f, frame.result);
  return std::move(frame.result);
}

void Interpreter::takeSteps(int64_t steps) {
  const auto* now = static_cast<const char*>(__builtin_frame_address(0));
  if ((now < stack_ ? stack_ - now : now - stack_) > kStackBytes)
    throw EvalError("rule-limit", "rules call one another without end");
  if (left_ < steps) {
    left_ = 0;  // nothing more, also not in what catches the error
    throw EvalError("rule-limit", "the rule goes on for too long, or makes lists or texts that are too long");
  }
  left_ -= steps;
}

void Interpreter::spendOn(const Value& made) {
  if (left_ < 0) return;
  if (made.isList() || made.kind() == VKind::Dict)
    takeSteps(static_cast<int64_t>(made.items().size()));
  else if (made.kind() == VKind::Str)
    takeSteps(static_cast<int64_t>(made.text().size() / 8));
}

}  // namespace descry::ir::eval
