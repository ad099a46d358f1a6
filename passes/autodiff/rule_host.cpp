// What rules of the op table ask the tracer for: literals, sizes that depend on data, gradients that are
// needed.
#include <algorithm>

#include "passes/autodiff/call_arguments.h"
#include "passes/autodiff/functional_random.h"
#include "passes/autodiff/tape_nodes.h"

namespace descry::passes {

namespace {
/// PyTorch finds out once for each tensor whether it is contiguous, with symbolic sizes by numbers of the
/// program: nothing of them is left, but their names are gone.
void noteContiguity(Tracer& tracer, Tensor* t, std::unordered_map<std::string, Value>& known) {
  if (!t) return;
  const Ints &sizes = t->meta.sizes, &strides = t->meta.strides;
  const auto symbolic = [](const Int& i) { return i.symbolic(); };
  if (std::none_of(sizes.begin(), sizes.end(), symbolic)) return;
  if (std::any_of(sizes.begin(), sizes.end(), [](const Int& i) { return i.symbolic() && !i.sym->hasHint; }))
    return;
  if (!known.emplace("contiguity " + std::to_string(reinterpret_cast<uintptr_t>(t)), Value(TensorRef(t)))
           .second)
    return;
  // Of an input it was known before.
  const bool value = !t->isOuter();
  if (value && t->node.valid() && tracer.graph().node(t->node).op == ir::OpKind::Placeholder) return;
  const Int count = tracer.numel(Value(TensorRef(t))).toInt();
  if (value && count.symbolic()) tracer.nodeOf(count);
  if (!ir::symPositive(count.expr())) tracer.freshName("eq");
  Int expected = 1;
  const auto product = [&](const Int& size) {
    if ((expected.symbolic() || size.symbolic()) && !(expected == Int(1) && !expected.symbolic()))
      tracer.freshName("mul");
  };
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i].symbolic()) tracer.freshName("eq");
    if (!sizes[i].symbolic() && sizes[i] == Int(1)) continue;
    if (!(strides[i] == expected)) {
      // Then it is found out for all sizes what the answer is.
      Int all = 1;
      for (size_t k = sizes.size(); k-- > 0;) {
        if ((all.symbolic() || sizes[k].symbolic()) && (all.symbolic() || all.value != 1) &&
            (sizes[k].symbolic() || sizes[k].value != 1))
          tracer.freshName("mul");
        all = all * sizes[k];
      }
      return;
    }
    if (sizes[i].symbolic()) tracer.freshName("sym_max");
    product(sizes[i]);
    product(sizes[i]);
    expected = expected * sizes[i];
  }
}
}  // namespace

bool Tracer::special(std::string_view name, Values& args, Value& result) {
  const CallArguments call(name, args);
  if (name.starts_with("torch.")) {  // of data, dtype, device
    call.at(2);
    Value data = args[0];
    if (!data.isTensor()) {
      result = literal(data, args[1], args[2]);
      return true;
    }
    if (name == "torch.tensor") data = op("clone", {op("detach", {data})});
    ir::eval::Keywords options;
    if (!args[1].isNone()) options.emplace_back("dtype", args[1]);
    if (!args[2].isNone()) options.emplace_back("device", args[2]);
    result = options.empty() ? data : rules_.callSpelling(".to", {data}, options);
    return true;
  }
  if (name == "grad_mode") {
    result = Value::boolean(gradMode);
    return true;
  }
  if (name == "philox_rand") {  // of sizes, dtype, device
    if (!functionalRandom) return false;
    result = functionalRandom->rand(*this, call.at(0), call.at(1), call.at(2));
    return true;
  }
  if (name == "no_grad") {
    struct Restore {
      bool& mode;
      bool was;
      ~Restore() { mode = was; }
    } restore{gradMode, gradMode};
    gradMode = false;
    result = rules_.callValue(call.at(0), {});
    return true;
  }
  if (name == "fresh_size" || name == "fresh_scalar") {
    // Known again for the same tensor and purpose, as PyTorch remembers it.
    std::string key;
    if (!args.empty() && args[0].isTensor()) {
      key = std::to_string(reinterpret_cast<uintptr_t>(args[0].tensor())) +
            (args.size() > 1 ? args[1].describe() : "");
      const auto known = fresh_.find(key);
      if (known != fresh_.end()) {
        result = known->second;
        return true;
      }
    }
    const bool isFloat =
        name == "fresh_scalar" && !args.empty() && ir::eval::isFloating(call.tensor(0).meta.dtype);
    auto s = make<ir::eval::Symbolic>();
    std::string symbol = isFloat ? "zuf" + std::to_string(freshFloats_++) : "u" + std::to_string(unbacked++);
    if (!isFloat && !unbackedNames.empty()) {
      symbol = unbackedNames.front();
      unbackedNames.erase(unbackedNames.begin());
    }
    s->expr = ir::SymExpr::symbol(symbol);
    s->hasHint = false;
    s->isFloat = isFloat;
    s->facts = numberFacts;
    if (name == "fresh_size") numberFacts->assume(ir::symRelation(ir::SymRel::Ge, s->expr, 0));
    result = isFloat ? Value::symFloat(s) : Value(Int(4096, s));
    if (!key.empty()) fresh_.emplace(key, result);
    return true;
  }
  if (name == "compares") {  // of a symbolic number and the name of the operator
    // The comparison becomes a node that nobody reads, for which the number has to be one.
    if (recording && !lazyNumbers && call.at(0).isInt()) {
      nodeOfNumber(args[0]);
      freshName(call.text(1));
    }
    return true;
  }
  if (name == "contiguity") {
    noteContiguity(*this, recording && !lazyNumbers ? tensorIn(call.at(0)) : nullptr, fresh_);
    return true;
  }
  if (name == "tangent") {
    Tensor* t = args.empty() ? nullptr : tensorIn(args[0]);
    result = t && t->extras->tangent ? Value(t->extras->tangent) : Value();
    return true;
  }
  if (name == "needs" && inForward_ && !running_) {
    result = Value::boolean(true);
    return true;
  }
  if (!running_) return false;
  if (name == "needs") {
    const ir::Schema& schema = running_->formulas->schema();
    bool is = false;
    for (uint32_t i = 0; i < schema.arguments.size(); ++i)
      if (schema.arguments[i].name == call.text(0)) is = running_->needs(i, *runningNeeds_);
    result = Value::boolean(is);
    return true;
  }
  if (name == "zeros_like_result") {
    const int64_t i = args.empty() ? 0 : call.integer(0);
    if (i < 0 || i >= std::ssize(running_->inputs)) call.refuse("the op has no result " + std::to_string(i));
    const GradMeta& m = running_->inputs[static_cast<size_t>(i)];
    result = op("zeros", {Value(m.sizes)},
                {{"dtype", Value::dtype(m.dtype)},
                 {"device", Value::device(m.device)},
                 {"layout", Value::layout(ir::eval::Layout::Strided)}});
    return true;
  }
  return false;
}

}  // namespace descry::passes
