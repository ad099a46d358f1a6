#include "passes/autodiff/tracer.h"

#include <algorithm>

namespace descry::passes {

using ir::rules::OpRules;

Value Tracer::op(std::string_view name, Values args, const ir::eval::Keywords& keywords) {
  const OpDef* head = ops_.findName("aten", name);
  if (!head) throw EvalError("internal", "no op aten::" + std::string(name));
  return rules_.callOp(head, std::move(args), keywords, false);
}

Value Tracer::exact(std::string_view target, Values args) {
  const OpDef* def = ops_.find(target);
  if (!def) throw EvalError("internal", "no op " + std::string(target));
  Values bound;
  std::string why;
  // Arguments behind the positional ones are the keywords in the order of the schema.
  ir::eval::Keywords keywords;
  const ir::Schema& schema = def->schema();
  size_t positional = 0;
  while (positional < schema.arguments.size() && !schema.arguments[positional].keywordOnly) ++positional;
  for (size_t i = positional; i < args.size() && i < schema.arguments.size(); ++i)
    keywords.emplace_back(schema.arguments[i].name, args[i]);
  if (args.size() > positional) args.resize(positional);
  if (!ir::eval::bindTo(*def, args, keywords, false, false, bound, &why, true))
    throw EvalError("internal", def->target() + ": " + why);
  return call(*def, std::move(bound));
}

namespace {
/// What an assertion says of a number that depends on data.
void learn(ir::eval::NumberFacts& facts, const OpDef& op, const Values& args) {
  if (op.ns() != "aten" || args.empty() || !args[0].symbolic()) return;
  if (op.name() == "_assert_scalar" && args[0].kind() == VKind::Bool) facts.assume(args[0].sym()->expr);
  if (op.name() != "sym_constrain_range" && op.name() != "sym_constrain_range_for_size") return;
  const ir::SymExpr& e = args[0].sym()->expr;
  if (op.name() == "sym_constrain_range_for_size") facts.assume(ir::symRelation(ir::SymRel::Ge, e, 0));
  if (args.size() > 1 && args[1].isInt())
    facts.assume(ir::symRelation(ir::SymRel::Ge, e, args[1].toInt().expr()));
  if (args.size() > 2 && args[2].isInt())
    facts.assume(ir::symRelation(ir::SymRel::Le, e, args[2].toInt().expr()));
}
}  // namespace

Value Tracer::call(const OpDef& op, Values args) {
  if (op.has(ir::kOpSideEffect)) learn(*numberFacts, op, args);
  if (below_) return callBelow(op, std::move(args));
  if (autocast.any())
    if (const std::optional<size_t> device = castDevice(op, args))
      return callCast(op, std::move(args), *device);
  return levels ? levels->call(op, std::move(args)) : callHere(op, std::move(args));
}

Value Tracer::callHere(const OpDef& op, Values args) {
  const OpRules& rules = op.rules();
  if (rules.composite) {
    bool used = false;
    Value v = decomposed(*rules.composite, args, used);
    if (used) return v;
  }
  if (op.has(ir::kOpMutates) && !op.has(ir::kOpInplaceView)) {
    // An in-place form of a composite op: compute, then copy.
    const OpDef* variant = functionalVariant(op);
    if (variant && variant->rules().composite &&
        op.schema().arguments.size() == variant->schema().arguments.size()) {
      Values pure = args;
      const Value v = call(*variant, std::move(pure));
      return exact("aten.copy_.default", {args[0], v});
    }
  }
  // Where it has no formula of forward mode, but its decomposition is differentiable.
  if (rules.core && rules.jvps.size() == 1 && !rules.jvps[0].body &&
      rules.jvps[0].kind == ir::rules::JvpRule::Formula && forwardMode(args)) {
    bool used = false;
    Value v = decomposed(*rules.core, args, used);
    if (used) return v;
  }
  return autograd(op, std::move(args));
}

bool Tracer::attribute(const Value& tensor, std::string_view name, Value& result) {
  Tensor* t = tensorIn(tensor);
  if (name == "requires_grad") {
    result = Value::boolean(t && requiresGrad(*t));
    return true;
  }
  if (name == "is_leaf") {
    result = Value::boolean(t && isLeaf(*t));
    return true;
  }
  if (name == "grad") {
    result = {};
    return true;
  }
  if (t && wholeSubclasses && isSubclassAttribute(name)) {
    result = Value(wrap(
        inner(emit("builtins.getattr", {Value(innerOf(TensorRef(t))), Value::str(name)}, {}, typeOf(t->meta)),
              t->meta)));
    return true;
  }
  if (t && !t->extras->subclass.empty())
    for (const auto& [key, piece] : t->extras->pieces)
      if (key == name) {
        result = Value(piece);
        return true;
      }
  return false;
}

bool Tracer::handleSpecially(const OpDef& op, Values& args, Value& out) {
  if (op.ns() != "aten") return false;
  const std::string_view name = op.name();
  if (name == "set_" && op.overload() == "source_Tensor") {
    Tensor* self = tensorIn(args[0]);
    Tensor* from = tensorIn(args[1]);
    if (recording) {
      sync(*self);
      sync(*from);
    }
    // The value is taken as it stands: writes that it has not seen yet reach both later. Above
    // functionalization the tensor keeps its sizes and strides, as in PyTorch.
    self->storage->frozen = true;
    self->storage = from->storage;
    self->steps = from->steps;
    self->generation = from->generation;
    self->value = from->value;
    self->storageChanged = true;
    self->extras.own().changedBy = programNode;
    out = args[0];
    return true;
  }
  if (name == "detach_") {
    out = args[0];
    return true;
  }
  if (name == "shallow_copy_data_") {
    // `x.data = y`: the tensor takes over y's contents, sizes and strides.
    Tensor* self = tensorIn(args[0]);
    Tensor* from = tensorIn(args[1]);
    sync(*from);
    self->storage = from->storage;
    self->steps = from->steps;
    self->generation = from->generation;
    self->value = from->value;
    self->meta = from->value->meta;
    self->storageChanged = self->dataReplaced = true;
    self->extras.own().changedBy = programNode;
    if (!self->version) self->version = make<VersionCounter>();
    out = args[0];
    return true;
  }
  return false;
}

}  // namespace descry::passes
