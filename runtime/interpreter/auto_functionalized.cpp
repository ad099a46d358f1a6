// auto_functionalized: a call that writes its arguments, carried out on copies that it returns.
#include <algorithm>
#include <charconv>
#include <map>

#include "runtime/interpreter/graph_runner.h"

namespace descry::runtime {

namespace {

using ir::eval::Keywords;

const Value* find(const Keywords& keywords, const std::string& name) {
  for (const auto& [key, v] : keywords)
    if (key == name) return &v;
  return nullptr;
}

/// The same layout over memory of its own.
Value copied(const Value& v) {
  const TensorRef t = resolved(tensorOf(v));
  auto made = ir::eval::make<Tensor>();
  made->meta = t->meta;
  made->storage = std::make_shared<Storage>(t->storage->bytes());
  if (t->storage->bytes()) std::memcpy(made->storage->data(), t->storage->data(), t->storage->bytes());
  return Value(TensorRef(made));
}

/// An argument as it lies in its base: `_x_base_index`, and `_x_alias`, or `_x_slice_dim`, `_start` and
/// `_end`, or
/// `_x_size`, `_stride` and `_storage_offset`, or the base itself.
Value fromBase(Machine& machine, const Keywords& keywords, const std::string& prefix, const Values& bases) {
  const Value* index = find(keywords, prefix + "_base_index");
  if (!index || index->isNone()) return {};
  const int64_t at = index->toInt().value;
  if (at < 0 || at >= std::ssize(bases)) throw EvalError("bad-call", prefix + "_base_index names no base");
  const Value& base = bases[static_cast<size_t>(at)];
  if (const Value* dim = find(keywords, prefix + "_slice_dim")) {
    const Value *start = find(keywords, prefix + "_slice_start"),
                *end = find(keywords, prefix + "_slice_end");
    if (!start || !end) throw EvalError("bad-call", prefix + "_slice_dim without start and end");
    return machine.call("aten.slice.Tensor", {base, *dim, *start, *end, 1});
  }
  const Value *size = find(keywords, prefix + "_size"), *stride = find(keywords, prefix + "_stride"),
              *offset = find(keywords, prefix + "_storage_offset");
  if (size && stride && offset)
    return machine.call("aten.as_strided.default", {base, *size, *stride, *offset});
  return base;
}

/// Plain arguments by name, those that are written as they lie in `bases`.
std::map<std::string, Value> argumentsOf(Machine& machine, const Keywords& keywords, const Values& bases) {
  std::map<std::string, Value> out;
  constexpr std::string_view kIndex = "_base_index", kLength = "_length";
  for (const auto& [key, v] : keywords) {
    if (key == "_all_bases" || key == "_op_schema") continue;
    if (!key.starts_with('_')) {
      out[std::string(key)] = v;
    } else if (key.ends_with(kLength)) {
      const std::string prefix(key.substr(0, key.size() - kLength.size()));
      Values items;
      for (int64_t i = 0; i < v.toInt().value; ++i)
        items.push_back(fromBase(machine, keywords, prefix + "_" + std::to_string(i), bases));
      out[prefix.substr(1)] = Value(std::move(items));
    } else if (key.ends_with(kIndex)) {
      const std::string prefix(key.substr(0, key.size() - kIndex.size()));
      // Of an element of a list, which its length tells of.
      const size_t dash = prefix.rfind('_');
      if (dash > 0 && find(keywords, prefix.substr(0, dash) + "_length")) continue;
      out[prefix.substr(1)] = fromBase(machine, keywords, prefix, bases);
    }
  }
  return out;
}

void append(Values& to, const Value& v) {
  if (v.kind() == VKind::Tuple)
    to.insert(to.end(), v.items().begin(), v.items().end());
  else if (!v.isNone())
    to.push_back(v);
}

Value callTarget(GraphRunner& runner, const std::string& target,
                 const std::map<std::string, Value>& arguments) {
  if (target.starts_with("torch.ops.higher_order.")) {
    // invoke_subgraph: operands are arg0, arg1, ... in this order.
    const auto body = arguments.find("subgraph");
    if (body == arguments.end())
      throw EvalError("unsupported-op", "nothing here can run " + target + " on copies");
    Values operands;
    for (size_t i = 0;; ++i) {
      const auto operand = arguments.find("arg" + std::to_string(i));
      if (operand == arguments.end()) break;
      operands.push_back(operand->second);
    }
    return Value::tuple(runner.callSubgraph(body->second, operands));
  }
  Machine& machine = runner.machine();
  const OpDef* op = machine.ops().find(target);
  if (!op)
    throw EvalError("unsupported-op",
                    "the op " + target + " is not in the op table: nothing is known of what it computes");
  Keywords keywords;
  for (const auto& [name, v] : arguments) keywords.emplace_back(name, v);
  Values bound;
  std::string why;
  if (!ir::eval::bindTo(*op, {}, keywords, true, false, bound, &why, true))
    throw EvalError("type-error", target + ": " + why);
  return machine.call(*op, std::move(bound));
}

}  // namespace

Value runAutoFunctionalized(const HigherOrderCall& call) {
  if (call.args.empty() || call.args[0].kind() != VKind::Object)
    throw EvalError("bad-call", "auto_functionalized is not told which op to call");
  const std::string& target = call.args[0].text();
  Values out;
  if (call.name == "auto_functionalized_v2") {
    Values bases;
    if (const Value* all = find(call.keywords, "_all_bases"))
      for (const Value& b : all->items()) bases.push_back(copied(b));
    append(out, callTarget(call.runner, target, argumentsOf(call.runner.machine(), call.keywords, bases)));
    out.insert(out.end(), bases.begin(), bases.end());
    return Value::tuple(std::move(out));
  }
  // The first form: what is written is copied argument by argument.
  const OpDef* op = call.runner.machine().ops().find(target);
  if (!op) throw EvalError("unsupported-op", "the op " + target + " is not in the op table");
  std::map<std::string, Value> arguments;
  for (const auto& [key, v] : call.keywords) arguments[std::string(key)] = v;
  Values written;
  for (const ir::SchemaArgument& a : op->schema().arguments) {
    const auto at = arguments.find(a.name);
    if (!a.type.writes() || at == arguments.end()) continue;
    if (at->second.isTensor()) {
      at->second = copied(at->second);
    } else if (at->second.isList()) {
      Values items;
      for (const Value& v : at->second.items()) items.push_back(v.isTensor() ? copied(v) : v);
      at->second = Value(std::move(items));
    }
    written.push_back(at->second);
  }
  append(out, callTarget(call.runner, target, arguments));
  out.insert(out.end(), written.begin(), written.end());
  return Value::tuple(std::move(out));
}

}  // namespace descry::runtime
