// Ops as the rule language and programs call them: by a spelling of torch, and for the shape of what they
// return.
#include "ir/ops/eval/builtins.h"
#include "ir/ops/eval/interpreter.h"
#include "ir/ops/eval/strides.h"
#include "ir/ops/variants.h"

namespace descry::ir::eval {

namespace {
/// PyTorch's Python binding of factory functions passes more than it was given: no pinned memory, and the
/// default device unless there is a tensor to take it from.
/// True where the op is such a function.
bool factoryDefaults(const OpDef& op, Values& args) {
  const Schema& schema = op.schema();
  bool factory = false;
  if (op.ns() != "aten" || op.name().starts_with("to") || op.name().starts_with("_to")) return false;
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    const std::string& name = schema.arguments[i].name;
    factory = factory || name == "pin_memory";
    if (!args[i].isNone()) continue;
    if (name == "pin_memory") args[i] = Value::boolean(false);
    if (name == "device" && schema.arguments[i].keywordOnly && !op.name().ends_with("_like") &&
        !op.name().starts_with("new_"))
      args[i] = Value::device(0);
  }
  return factory;
}
}  // namespace

Value Interpreter::callSpelling(std::string_view spelling, Values args, const Keywords& keywords) {
  if (spelling == "torch.tensor" || spelling == "torch.as_tensor" || spelling == "torch.asarray") {
    Values parts = {args.empty() ? Value() : args[0], {}, {}};
    for (const auto& [key, v] : keywords) {
      if (key == "data") parts[0] = v;
      if (key == "dtype") parts[1] = v;
      if (key == "device") parts[2] = v;
    }
    if (Value out; host_->special(spelling, parts, out)) return out;
  }
  Diagnostic problem;
  if (const rules::Function* f = ops_.pythonBody(spelling, &problem))
    return callFunction(*f, std::move(args), keywords);
  if (!problem.message.empty()) throw EvalError("rule-error", problem.text());
  // The heads of all ops of this spelling are tried in turn.
  const std::vector<const OpDef*> found = ops_.findSpelling(spelling);
  std::string why;
  const OpDef* last = nullptr;
  for (const OpDef* o : found) {
    if (o->head() == last) continue;
    last = o->head();
    Values tried = args;
    const OpDef* op = nullptr;
    try {
      op = resolve(o->head(), tried, keywords, true, spelling.starts_with("."));
    } catch (const EvalError& e) {
      if (why.empty()) why = e.what();
      continue;
    }
    const bool factory = factoryDefaults(*op, tried) && spelling.starts_with("torch.");
    // PyTorch's Python bindings return the list that an op without results has written.
    const Schema& schema = op->schema();
    const bool givesList =
        schema.returns.empty() && !tried.empty() && tried[0].isList() && schema.arguments[0].type.writes();
    const Value written = givesList ? tried[0] : Value();
    const Value result = host_->call(*op, std::move(tried));
    if (factory) return host_->fromFactory(result);
    return givesList && result.isNone() ? written : result;
  }
  if (!why.empty()) {
    // Where a number is asked for, Python takes a tensor of one that has no gradient: its item.
    bool changed = false;
    for (size_t i = 1; i < args.size(); ++i) {
      Value gradient;
      if (!args[i].isTensor() || !args[i].meta().sizes.empty()) continue;
      host_->attribute(args[i], "requires_grad", gradient);
      if (gradient.truthy()) continue;
      args[i] = callOp(ops_.findName("aten", "item"), {args[i]}, {}, false, true);
      changed = true;
    }
    if (changed) return callSpelling(spelling, std::move(args), keywords);
    throw EvalError("type-error", why);
  }
  // A method that is called through the class.
  for (const std::string_view cls : {"torch.Tensor", "torch._C.TensorBase"})
    if (spelling.starts_with(cls) && spelling.size() > cls.size() && spelling[cls.size()] == '.')
      return callSpelling(spelling.substr(cls.size()), std::move(args), keywords);
  throw EvalError("unsupported-call", "Descry has no rule for " + std::string(spelling));
}

Value Interpreter::shape(const OpDef& op, const Values& args) {
  const rules::OpRules& rules = op.rules();
  if (!rules.shape) {
    if (!rules.problems.empty()) throw EvalError("rule-error", rules.problems.front().text());
    if (const OpDef* view = viewOfCopy(op)) {
      // A copying twin: what the view op gives, in memory of its own.
      const auto fresh = [](const Value& v) {
        Meta m = v.meta();
        m.strides = contiguousStrides(m.sizes);
        m.offset = 0;
        auto t = make<TensorBase>();
        t->meta = std::move(m);
        return Value(t);
      };
      const Value v = shape(*view, args);
      if (!v.isList()) return fresh(v);
      Values items;
      for (const Value& i : v.items()) items.push_back(fresh(i));
      return Value(std::move(items), v.kind());
    }
    throw EvalError("no-shape", "the op table has no shape rule for " + op.target());
  }
  const ShapeCall outer = shapeCall_;
  const bool outerInShape = std::exchange(inShape_, true);
  shapeCall_ = {&op, &args};
  struct Leave {
    Interpreter& i;
    const ShapeCall& outer;
    bool inShape;
    ~Leave() {
      i.shapeCall_ = outer;
      i.inShape_ = inShape;
    }
  } leave{*this, outer, outerInShape};
  if (!rules.shapeName.empty()) {
    const int64_t id = findBuiltin(rules.shapeName);
    if (id >= 0) {
      Values none;
      Keywords noKeywords;
      return builtinAt(id).call(*this, none, noKeywords);
    }
  }
  try {
    Value v = run(*rules.shape, args);
    if (v.kind() == VKind::Function) return callValue(v, {});
    return v;
  } catch (const EvalError& e) {
    // What only the rule's own code stumbles over says nothing to who called the op.
    const bool stumbled =
        e.code == "rule-error" || e.code == "type-error" ||
        (e.code == "index-error" && e.what() == std::string_view("list index out of range"));
    if (!stumbled || std::string_view(e.what()).starts_with("the shape rule of ")) throw;
    throw EvalError("shape-rule",
                    "the shape rule of " + op.target() + " does not hold for these arguments: " + e.what());
  }
}

}  // namespace descry::ir::eval
