#include "session/run_profile.h"

#include <algorithm>

#include "ir/ops/eval/flops.h"
#include "ir/ops/eval/literals.h"
#include "ir/ops/eval/strides.h"

namespace descry::session {

using ir::NodeId;
using ir::eval::Value;
using ir::eval::Values;

std::string_view boundName(Bound bound) {
  switch (bound) {
    case Bound::Overhead:
      return "overhead";
    case Bound::Memory:
      return "memory";
    case Bound::Compute:
      return "compute";
    case Bound::Unknown:
      break;
  }
  return "unknown";
}

Quartiles quartilesOf(std::vector<double> times) {
  Quartiles q;
  q.runs = times.size();
  if (times.empty()) return q;
  std::sort(times.begin(), times.end());
  q.low = times[times.size() / 4];
  q.median = times[times.size() / 2];
  q.high = times[times.size() * 3 / 4];
  return q;
}

namespace {

/// Rules of costs call no ops.
struct NoHost : ir::eval::Host {
  Value call(const ir::OpDef& op, Values) override {
    throw ir::eval::EvalError("rule-error", "the cost of " + op.target() + " is asked for by a cost");
  }
  Value index(const Value&, const Value&, bool) override { return {}; }
  void setIndex(const Value&, const Value&, const Value&) override {}
};

/// Metas of what NodeRun::type says: `f32[2, 3]`, `(f32[2], i64[2])`; a number, or None.
Value metaOf(std::string_view text) {
  if (text.starts_with('(')) {
    Values items;
    size_t depth = 0, from = 1;
    for (size_t i = 1; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '[' || c == '(') ++depth;
      if ((c == ',' && depth == 0) || (c == ')' && depth == 0)) {
        std::string_view part = text.substr(from, i - from);
        while (part.starts_with(' ')) part.remove_prefix(1);
        if (!part.empty()) items.push_back(metaOf(part));
        from = i + 1;
        continue;
      }
      if (c == ']' || c == ')') --depth;
    }
    return Value(std::move(items), ir::eval::VKind::Tuple);
  }
  const ir::Type type = ir::parseType(text);
  if (type.kind != ir::TypeKind::Tensor) return {};
  auto t = ir::eval::make<ir::eval::TensorBase>();
  t->meta.dtype = type.tensor.dtype;
  for (const ir::Dim& d : type.tensor.shape) t->meta.sizes.emplace_back(d.value);
  t->meta.strides = ir::eval::contiguousStrides(t->meta.sizes);
  return Value(t);
}

bool isWide(const Value& v) {
  if (v.isList()) return std::any_of(v.items().begin(), v.items().end(), isWide);
  return v.isTensor() && (v.meta().dtype == ir::DType::F64 || v.meta().dtype == ir::DType::C128);
}

class Costs {
 public:
  explicit Costs(const Run& run) : graph_(*graphOf(run)), rules_(ir::allOps(), host_) {
    values_.resize(graph_.idBound());
    bytes_.resize(graph_.idBound(), 0);
    for (const NodeRun& n : run.inputs) add(n);
    for (const NodeRun& n : run.nodes) add(n);
  }

  NodeCost of(const NodeRun& row) {
    NodeCost cost;
    const Value& result = values_[row.node.index];
    cost.wide = isWide(result);
    const ir::OpDef* op = graph_.target(row.node).starts_with("torch.ops.")
                              ? ir::allOps().find(graph_.target(row.node))
                              : nullptr;
    const bool moves =
        op ? !op->has(ir::kOpView)
           : graph_.node(row.node).op != ir::OpKind::GetAttr && !graph_.target(row.node).ends_with("getitem");
    if (moves) {
      cost.bytes = row.bytes;
      std::vector<NodeId> seen = graph_.inputs(row.node);
      for (const NodeId in : seen) cost.bytes += bytes_[in.index];
    } else {
      cost.flops = 0;
    }
    if (!op) return cost;
    Values args;
    ir::eval::Keywords keywords;
    for (uint32_t i = 0; i < graph_.argCount(row.node); ++i)
      args.push_back(argument(graph_.arg(row.node, i)));
    for (uint32_t i = 0; i < graph_.kwargCount(row.node); ++i)
      keywords.emplace_back(graph_.kwargKey(row.node, i), argument(graph_.kwarg(row.node, i)));
    Values bound;
    std::string why;
    if (ir::eval::bindTo(*op, args, keywords, true, false, bound, &why, true) ||
        ir::eval::bindTo(*op, args, keywords, false, false, bound, &why, true))
      cost.flops = ir::eval::flopsOf(rules_, *op, bound, result);
    return cost;
  }

 private:
  static const ir::Graph* graphOf(const Run& run) {
    // The run's graph is the root of what was traced, or the graph itself.
    return run.module.get() == run.graph->module.get() ? run.graph->graph : &run.module->root();
  }

  void add(const NodeRun& n) {
    values_[n.node.index] = metaOf(n.type);
    bytes_[n.node.index] = n.bytes;
  }

  Value argument(ir::ArgView v) const {
    if (v.kind() == ir::ValueKind::NodeRef) return values_[v.node().index];
    const std::optional<ir::eval::VKind> container = ir::eval::containerOf(v);
    if (!container) return ir::eval::literalOf(v);
    Values items;
    for (uint32_t i = 0; i < v.size(); ++i) items.push_back(argument(v[i]));
    return Value(std::move(items), *container);
  }

  const ir::Graph& graph_;
  NoHost host_;
  ir::eval::Interpreter rules_;
  Values values_;               ///< by node: metas
  std::vector<int64_t> bytes_;  ///< by node
};

void judge(ProfileRow& row, const runtime::MachineRoof& roof) {
  const double seconds = row.time.median;
  if (!(seconds > 0)) return;
  const double flops = static_cast<double>(row.cost.flops.value_or(0));
  row.gflops = flops / seconds / 1e9;
  row.gbytes = static_cast<double>(row.cost.bytes) / seconds / 1e9;
  const double peak = row.cost.wide ? roof.flopsF64 : roof.flopsF32;
  const double compute = peak > 0 ? flops / peak : 0;
  const double memory =
      roof.copyBytesPerSecond > 0 ? static_cast<double>(row.cost.bytes) / roof.copyBytesPerSecond : 0;
  const double least = std::max(compute, memory);
  row.share = least / seconds;
  if (row.share < 0.25)
    row.bound = row.cost.flops ? Bound::Overhead : Bound::Unknown;
  else
    row.bound = compute > memory ? Bound::Compute : Bound::Memory;
}

}  // namespace

std::vector<NodeCost> nodeCosts(const Run& run) {
  Costs costs(run);
  std::vector<NodeCost> out;
  for (const NodeRun& n : run.nodes) out.push_back(costs.of(n));
  return out;
}

namespace {

/// Of each run: what is left of the whole when the rows are taken off.
double leftOver(const std::vector<double>& whole, const std::vector<const std::vector<double>*>& rows) {
  std::vector<double> left;
  for (size_t r = 0; r < whole.size(); ++r) {
    double sum = 0;
    for (const std::vector<double>* times : rows) {
      if (r >= times->size()) return 0;
      sum += (*times)[r];
    }
    left.push_back(whole[r] - sum);
  }
  return quartilesOf(std::move(left)).median;
}

}  // namespace

RunProfile profileOf(const Run& run, const runtime::MachineRoof& roof) {
  RunProfile out;
  out.roof = roof;
  out.whole = quartilesOf(run.times);
  const ir::Graph& graph =
      run.module.get() == run.graph->module.get() ? *run.graph->graph : run.module->root();
  std::vector<const std::vector<double>*> times;
  if (run.plan) {
    for (const PlanStepRun& s : run.plan->timed) {
      times.push_back(&s.times);
      ProfileRow row;
      row.name = s.text;
      row.nodes = s.nodes;
      for (const NodeId n : s.nodes) row.op += (row.op.empty() ? "" : " ") + std::string(graph.nodeName(n));
      row.time = quartilesOf(s.times);
      row.cost.bytes = s.bytes;
      row.cost.flops = s.flops;
      row.cost.wide = s.wide;
      judge(row, roof);
      out.sum += row.time.median;
      out.rows.push_back(std::move(row));
    }
    out.between = leftOver(run.times, times);
    return out;
  }
  const std::vector<NodeCost> costs = nodeCosts(run);
  for (size_t i = 0; i < run.nodes.size(); ++i) {
    const NodeRun& n = run.nodes[i];
    times.push_back(&n.times);
    ProfileRow row;
    row.name = graph.nodeName(n.node);
    std::string_view target = graph.target(n.node);
    if (target.starts_with("torch.ops.")) target.remove_prefix(10);
    row.op = target;
    row.nodes = {n.node};
    row.type = n.type;
    row.time = quartilesOf(n.times.empty() ? std::vector<double>{n.seconds} : n.times);
    row.cost = costs[i];
    judge(row, roof);
    out.sum += row.time.median;
    out.rows.push_back(std::move(row));
  }
  out.between = leftOver(run.times, times);
  return out;
}

}  // namespace descry::session
