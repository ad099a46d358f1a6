// Higher-order ops: control flow and regions, by running the graphs that they are given.
#include <algorithm>

#include "runtime/interpreter/graph_runner.h"

namespace descry::runtime {

namespace {

Values itemsOf(const Value& v) {
  if (v.isNone()) return {};
  return v.isList() ? v.items() : Values{v};
}

void append(Values& to, const Values& from) {
  to.insert(to.end(), from.begin(), from.end());
}

const Value& at(const HigherOrderCall& c, size_t i) {
  if (i >= c.args.size())
    throw EvalError("bad-call",
                    std::string(c.name) + " is called with " + std::to_string(c.args.size()) + " arguments");
  return c.args[i];
}

Machine& machineOf(const HigherOrderCall& c) {
  return c.runner.machine();
}

/// A number or a tensor of one element.
Value numberOf(const Value& v) {
  if (!v.isTensor()) return v;
  const TensorRef t = resolved(tensorOf(v));
  const View view = viewOf(*t);
  if (view.numel() != 1) throw EvalError("value-error", "a tensor with one element is expected");
  return numberAt(view.dtype, view.data);
}

Value row(const HigherOrderCall& c, const Value& x, int64_t i) {
  return machineOf(c).call("aten.select.int", {x, 0, i});
}

Value copied(const Value& v) {
  if (!v.isTensor()) return v;
  const TensorRef t = resolved(tensorOf(v));
  return Value(copyOf(viewOf(*t), t->meta.dtype));
}

/// One value from each step, one upon another.
Value stack(const HigherOrderCall& c, Values rows) {
  return machineOf(c).call("aten.stack.default", {Value(std::move(rows)), 0});
}

/// Operands of a call from position `from` on; a list among them is taken apart.
Values rest(const HigherOrderCall& c, size_t from) {
  Values out;
  for (size_t i = from; i < c.args.size(); ++i) append(out, itemsOf(c.args[i]));
  return out;
}

Value tupleOf(Values v) {
  return Value::tuple(std::move(v));
}

Value runCond(const HigherOrderCall& c) {
  const bool taken = numberOf(at(c, 0)).truthy();
  return tupleOf(c.runner.callSubgraph(at(c, taken ? 1 : 2), rest(c, 3)));
}

Value runSwitch(const HigherOrderCall& c) {
  const Values branches = itemsOf(at(c, 1));
  if (branches.empty()) throw EvalError("bad-call", "switch has no branch");
  // An index outside is brought to the nearest branch.
  const int64_t i = std::clamp<int64_t>(numberOf(at(c, 0)).toInt().value, 0, std::ssize(branches) - 1);
  return tupleOf(c.runner.callSubgraph(branches[static_cast<size_t>(i)], rest(c, 2)));
}

Value runWhile(const HigherOrderCall& c) {
  const bool stacked = c.name == "while_loop_stack_output";
  Values carried = itemsOf(at(c, 2));
  const Values more = c.args.size() > 3 ? itemsOf(at(c, 3)) : Values{};
  std::vector<Values> rounds(carried.size());
  while (true) {
    if (machineOf(c).cancelled && machineOf(c).cancelled()) throw EvalError("cancelled", "stopped");
    Values in = carried;
    append(in, more);
    const Values test = c.runner.callSubgraph(at(c, 0), in);
    if (test.empty()) throw EvalError("loop-condition", "the condition of a loop returns nothing");
    if (!numberOf(test[0]).truthy()) break;
    Values next = c.runner.callSubgraph(at(c, 1), in);
    if (next.size() != carried.size())
      throw EvalError("loop-carry", "a round of a loop returns " + std::to_string(next.size()) +
                                        " values, not " + std::to_string(carried.size()));
    carried = std::move(next);
    if (stacked)
      for (size_t i = 0; i < carried.size(); ++i) rounds[i].push_back(carried[i]);
  }
  if (stacked) {
    Values out;
    for (size_t i = 0; i < carried.size(); ++i) {
      if (rounds[i].empty()) {
        Dims sizes(itemsOf(at(c, 2))[i].meta().sizes);
        sizes.insert(0, 0);
        out.emplace_back(allocate(sizes, carried[i].meta().dtype));
      } else {
        out.push_back(stack(c, rounds[i]));
      }
    }
    return tupleOf(std::move(out));
  }
  // Where no round runs, copies of the inputs are returned.
  for (Value& v : carried)
    for (const Value& a : itemsOf(at(c, 2)))
      if (v.isTensor() && v.object() == a.object()) v = copied(v);
  return tupleOf(std::move(carried));
}

Value runScan(const HigherOrderCall& c) {
  Values carry = itemsOf(at(c, 1));
  const Values xs = itemsOf(at(c, 2)), more = c.args.size() > 3 ? itemsOf(at(c, 3)) : Values{};
  if (xs.empty()) throw EvalError("scan-empty", "scan needs something to walk along");
  const int64_t rows = xs[0].meta().sizes.at(0).value;
  std::vector<Values> columns;
  for (int64_t i = 0; i < rows; ++i) {
    Values in = carry;
    for (const Value& x : xs) in.push_back(row(c, x, i));
    append(in, more);
    Values out = c.runner.callSubgraph(at(c, 0), in);
    if (out.size() < carry.size()) throw EvalError("scan-output", "a step of a scan returns too few values");
    columns.resize(out.size() - carry.size());
    for (size_t k = carry.size(); k < out.size(); ++k) columns[k - carry.size()].push_back(copied(out[k]));
    out.resize(carry.size());
    carry = std::move(out);
  }
  Values out = std::move(carry);
  for (Values& column : columns)
    out.push_back(std::any_of(column.begin(), column.end(), [](const Value& v) { return v.isTensor(); })
                      ? stack(c, column)
                      : Value());
  return tupleOf(std::move(out));
}

Value runMap(const HigherOrderCall& c) {
  const Values xs = itemsOf(at(c, 1)), more = c.args.size() > 2 ? itemsOf(at(c, 2)) : Values{};
  if (xs.empty()) throw EvalError("scan-empty", "map needs something to walk along");
  std::vector<Values> columns;
  for (int64_t i = 0; i < xs[0].meta().sizes.at(0).value; ++i) {
    Values in;
    for (const Value& x : xs) in.push_back(row(c, x, i));
    append(in, more);
    const Values out = c.runner.callSubgraph(at(c, 0), in);
    columns.resize(out.size());
    for (size_t k = 0; k < out.size(); ++k) columns[k].push_back(copied(out[k]));
  }
  Values out;
  for (Values& column : columns)
    out.push_back(!column.empty() && column[0].isTensor() ? stack(c, column) : Value());
  return tupleOf(std::move(out));
}

Value runAssociativeScan(const HigherOrderCall& c) {
  const Values xs = itemsOf(at(c, 1)), more = c.args.size() > 2 ? itemsOf(at(c, 2)) : Values{};
  if (xs.empty()) throw EvalError("scan-empty", "associative_scan needs something to walk along");
  Values before;
  for (const Value& x : xs) before.push_back(row(c, x, 0));
  std::vector<Values> columns(xs.size());
  for (int64_t i = 0; i < xs[0].meta().sizes.at(0).value; ++i) {
    if (i > 0) {
      Values in = before;
      for (const Value& x : xs) in.push_back(row(c, x, i));
      append(in, more);
      before = c.runner.callSubgraph(at(c, 0), in);
      if (before.size() != xs.size())
        throw EvalError("scan-output", "a step returns another number of values");
    }
    for (size_t k = 0; k < before.size(); ++k) columns[k].push_back(copied(before[k]));
  }
  Values out;
  for (Values& column : columns) out.push_back(stack(c, column));
  return tupleOf(std::move(out));
}

/// A graph on the operands behind it.
Value runBody(const HigherOrderCall& c) {
  return tupleOf(c.runner.callSubgraph(at(c, 0), Values(c.args.begin() + 1, c.args.end())));
}

Value runInvokeSubgraph(const HigherOrderCall& c) {
  return tupleOf(c.runner.callSubgraph(at(c, 0), rest(c, 2)));
}

Value runHints(const HigherOrderCall& c) {
  return tupleOf(c.runner.callSubgraph(at(c, 0), itemsOf(at(c, 1))));
}

/// Grad mode and autocast change nothing of what a graph computes that was traced with them; a region that
/// still stands calls its body.
Value runGradMode(const HigherOrderCall& c) {
  return tupleOf(c.runner.callSubgraph(at(c, 1), Values(c.args.begin() + 2, c.args.end())));
}

Value runAutocastRegion(const HigherOrderCall& c) {
  return tupleOf(c.runner.callSubgraph(at(c, 4), Values(c.args.begin() + 5, c.args.end())));
}

Value callOpReference(const HigherOrderCall& c, const Value& reference, Values args,
                      const ir::eval::Keywords& keywords) {
  Machine& m = machineOf(c);
  const OpDef* op = m.ops().find(reference.text());
  if (!op)
    throw EvalError("unsupported-op", "the op " + reference.text() +
                                          " is not in the op table: nothing is known of what it computes");
  Values bound;
  std::string why;
  if (!ir::eval::bindTo(*op, args, keywords, true, false, bound, &why, true))
    throw EvalError("type-error", reference.text() + ": " + why);
  return m.call(*op, std::move(bound));
}

Value runWithEffects(const HigherOrderCall& c) {
  Values out = {at(c, 0)};
  if (at(c, 1).kind() == VKind::Object && at(c, 1).text().starts_with("torch.ops.higher_order.")) {
    std::string_view name = at(c, 1).text();
    name.remove_prefix(std::string_view("torch.ops.higher_order.").size());
    if (const size_t dot = name.find('.'); dot != std::string_view::npos) name = name.substr(0, dot);
    const Value v = runHigherOrder({c.runner, name, Values(c.args.begin() + 2, c.args.end()), c.keywords});
    if (v.isList())
      append(out, v.items());
    else
      out.push_back(v);
    return tupleOf(std::move(out));
  }
  const Value v = callOpReference(c, at(c, 1), Values(c.args.begin() + 2, c.args.end()), c.keywords);
  if (v.kind() == VKind::Tuple)
    append(out, v.items());
  else
    out.push_back(v);
  return tupleOf(std::move(out));
}

Value runOutDtype(const HigherOrderCall& c) {
  Values args(c.args.begin() + 2, c.args.end());
  const DType dtype = at(c, 1).asDType();
  // The op itself is computed in the dtype asked for.
  for (Value& v : args)
    if (v.isTensor()) v = Value(contiguousOf(resolved(tensorOf(v)), dtype));
  return callOpReference(c, at(c, 0), std::move(args), {});
}

Value runForeachMap(const HigherOrderCall& c) {
  const Values args(c.args.begin() + 1, c.args.end());
  return tupleOf(c.runner.callSubgraph(at(c, 0), args));
}

Value runPrint(const HigherOrderCall& c) {
  if (machineOf(c).print) {
    std::string text = at(c, 0).kind() == VKind::Str ? at(c, 0).text() : at(c, 0).describe();
    for (const auto& [key, v] : c.keywords) {
      const std::string hole = "{" + std::string(key) + "}";
      for (size_t p = text.find(hole); p != std::string::npos; p = text.find(hole, p + 1))
        text.replace(p, hole.size(), shapesOf({v}));
    }
    machineOf(c).print(text);
  }
  return {};
}

struct Named {
  std::string_view name;
  Value (*run)(const HigherOrderCall&);
};
constexpr Named kAll[] = {
    {"associative_scan", runAssociativeScan},
    {"auto_functionalized", runAutoFunctionalized},
    {"auto_functionalized_v2", runAutoFunctionalized},
    {"checkpoint", runBody},
    {"cond", runCond},
    {"flex_attention", runFlexAttention},
    {"flex_attention_backward", runFlexAttentionBackward},
    {"foreach_map", runForeachMap},
    {"hints_wrapper", runHints},
    {"invoke_subgraph", runInvokeSubgraph},
    {"map_impl", runMap},
    {"out_dtype", runOutDtype},
    {"print", runPrint},
    {"scan", runScan},
    {"strict_mode", runHints},
    {"switch", runSwitch},
    {"tag_activation_checkpoint", runBody},
    {"while_loop", runWhile},
    {"while_loop_stack_output", runWhile},
    {"with_effects", runWithEffects},
    {"wrap", runBody},
    {"wrap_activation_checkpoint", runBody},
    {"wrap_with_autocast", runAutocastRegion},
    {"wrap_with_set_grad_enabled", runGradMode},
};

}  // namespace

Value runHigherOrder(const HigherOrderCall& call) {
  for (const Named& n : kAll)
    if (n.name == call.name) return n.run(call);
  throw EvalError("unsupported-op", "nothing here can run the higher-order op " + std::string(call.name));
}

std::vector<std::string_view> runnableHigherOrder() {
  std::vector<std::string_view> out;
  for (const Named& n : kAll) out.push_back(n.name);
  return out;
}

}  // namespace descry::runtime
