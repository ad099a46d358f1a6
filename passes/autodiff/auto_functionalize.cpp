// Calls that write their arguments and have no twin that returns the new values: auto_functionalized_v2
// stands for one.
#include <algorithm>

#include "passes/autodiff/tracer.h"

namespace descry::passes {

namespace {

using Keywords = std::vector<std::pair<std::string, Value>>;

bool same(const Int& a, const Int& b) {
  return a.str() == b.str();
}

bool same(const Ints& a, const Ints& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Int& x, const Int& y) { return same(x, y); });
}

Value shape(const Ints& ints) {
  Values items;
  for (const Int& i : ints) items.emplace_back(i);
  return Value::tuple(std::move(items));
}

/// How a written argument is made from its base.
void describeView(Keywords& out, const std::string& prefix, const Meta& base, const Meta& view) {
  if (same(base.offset, view.offset) && same(base.strides, view.strides) && same(base.sizes, view.sizes)) {
    out.emplace_back(prefix + "_alias", Value::boolean(true));
    return;
  }
  if (same(base.strides, view.strides) && base.sizes.size() == view.sizes.size()) {
    size_t dim = 0, count = 0;
    for (size_t i = 0; i < base.sizes.size(); ++i)
      if (!(base.sizes[i] == view.sizes[i])) {
        dim = i;
        ++count;
      }
    const Int stride = count == 1 ? view.strides[dim] : Int(0);
    if (count == 1 && !(stride == Int(0)) && ir::eval::floorMod(view.offset, stride) == Int(0)) {
      const Int start = ir::eval::floorDiv(view.offset, stride);
      out.emplace_back(prefix + "_slice_dim", Value(static_cast<int64_t>(dim)));
      out.emplace_back(prefix + "_slice_start", Value(start));
      out.emplace_back(prefix + "_slice_end", Value(start + view.sizes[dim]));
      return;
    }
  }
  out.emplace_back(prefix + "_size", shape(view.sizes));
  out.emplace_back(prefix + "_stride", shape(view.strides));
  out.emplace_back(prefix + "_storage_offset", Value(view.offset));
}

}  // namespace

Value Tracer::autoFunctionalized(const MutableCall& call) {
  std::vector<TensorRef> bases;
  Keywords plain, views;
  const auto describe = [&](const std::string& prefix, const Value& v) {
    Tensor* t = tensorIn(v);
    if (!t) {
      views.emplace_back(prefix + "_base_index", Value());
      return;
    }
    const TensorRef base = t->isView() ? t->view->base : TensorRef(t);
    auto at = std::find(bases.begin(), bases.end(), base);
    if (at == bases.end()) at = bases.insert(bases.end(), base);
    views.emplace_back(prefix + "_base_index", Value(static_cast<int64_t>(at - bases.begin())));
    if (t->isView()) describeView(views, prefix, base->meta, t->meta);
  };
  for (const auto& [name, v] : call.arguments) {
    if (std::find(call.written.begin(), call.written.end(), name) == call.written.end()) {
      plain.emplace_back(name, unwrapped(v));
    } else if (v.isList()) {
      views.emplace_back("_" + name + "_length", Value(static_cast<int64_t>(v.items().size())));
      for (size_t i = 0; i < v.items().size(); ++i)
        describe("_" + name + "_" + std::to_string(i), v.items()[i]);
    } else {
      describe("_" + name, v);
    }
  }
  Values values, metas = call.results;
  for (const TensorRef& b : bases) {
    values.emplace_back(innerOf(b));
    metas.emplace_back(b);
  }
  plain.insert(plain.end(), views.begin(), views.end());
  plain.emplace_back("_all_bases", Value(std::move(values)));
  if (!call.schema.empty()) {
    auto holder = make<Tensor>();
    holder->node = recording ? emitAttribute(call.schema, {}) : ir::NodeId{0};
    plain.emplace_back("_op_schema", Value(TensorRef(holder)));
  }
  const ir::NodeId node =
      emit("torch.ops.higher_order.auto_functionalized_v2", {Value::str(call.op, VKind::Object)}, plain, {});
  const Value made = track(node, Value::tuple(metas));
  Values out;
  for (size_t i = 0; i < call.results.size(); ++i) out.push_back(wrapped(made.items()[i]));
  for (size_t i = 0; i < bases.size(); ++i)
    commit(*bases[i], TensorRef(tensorIn(made.items()[call.results.size() + i])));
  return Value::tuple(std::move(out));
}

Value Tracer::autoFunctionalized(const OpDef& op, const Values& args) {
  const ir::Schema& schema = op.schema();
  MutableCall call;
  call.op = op.target();
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    call.arguments.emplace_back(schema.arguments[i].name, args[i]);
    if (schema.arguments[i].type.writes()) call.written.push_back(schema.arguments[i].name);
  }
  if (schema.returns.empty()) {
    call.results = {Value()};
  } else {
    Values inner;
    for (const Value& v : args) inner.push_back(unwrapped(v));
    const Value metas = resultsOf(op, inner);
    call.results = metas.isList() && !schema.returns[0].type.isList() ? metas.items() : Values{metas};
  }
  Values out = autoFunctionalized(call).items();
  if (schema.returns.empty()) return {};
  return out.size() == 1 ? out[0] : Value::tuple(std::move(out));
}

}  // namespace descry::passes
