#include "session/run_recorder.h"

#include <algorithm>

#include "ir/ops/eval/builtins.h"
#include "ir/ops/registry.h"
#include "runtime/interpreter/machine.h"
#include "session/value_text.h"

namespace descry::session {

using ir::NodeId;
using runtime::TensorRef;
using runtime::Value;
using runtime::Values;

int64_t bytesOfValue(const Value& v) {
  if (v.isTensor()) return v.meta().numel().value * runtime::itemBytes(v.meta().dtype);
  int64_t n = 0;
  if (v.isList())
    for (const Value& i : v.items()) n += bytesOfValue(i);
  return n;
}

std::string typeOfValue(const Value& v) {
  if (v.isTensor()) return valueType(*runtime::tensorOf(v));
  if (!v.isList()) return v.isNumber() ? ir::eval::textOf(v) : std::string();
  std::string s = "(";
  for (const Value& i : v.items()) s += (s.size() > 1 ? ", " : "") + typeOfValue(i);
  return s + ")";
}

TensorRef settledCopy(const Value& v) {
  const TensorRef t = runtime::resolved(runtime::tensorOf(v));
  return runtime::copyOf(runtime::viewOf(*t), t->meta.dtype);
}

bool mayWrite(const ir::Graph& graph, NodeId node, const ir::OpRegistry& ops) {
  const ir::OpKind kind = graph.node(node).op;
  if (kind == ir::OpKind::Placeholder || kind == ir::OpKind::Output || kind == ir::OpKind::GetAttr)
    return false;
  const std::string_view target = graph.target(node);
  if (target.ends_with("getitem")) return false;
  if (kind == ir::OpKind::CallFunction && target.starts_with("torch.ops.") &&
      !target.starts_with("torch.ops.higher_order."))
    if (const ir::OpDef* op = ops.find(target)) return op->has(ir::kOpMutates);
  return true;
}

RunRecorder::RunRecorder(Run& run, const RunRequest& request, const ir::Graph& graph)
    : run_(run), request_(request), graph_(graph) {
  looks_ = request.keepValues || request.statistics || request.hashes;
  const ir::OpRegistry& ops = request.ops ? *request.ops : ir::allOps();
  writer_.assign(graph.idBound(), false);
  const std::unordered_set<std::string_view> names(request.keepNodes.begin(), request.keepNodes.end());
  for (const NodeId id : graph.nodes()) {
    if (mayWrite(graph, id, ops)) writes_ = writer_[id.index] = true;
    if (names.empty()) continue;
    bool asked = names.count(graph.nodeName(id)) > 0;
    if (id.index < run.origins.size() && run.graph->graph->contains(run.origins[id.index]))
      asked = asked || names.count(run.graph->graph->nodeName(run.origins[id.index])) > 0;
    if (asked) keepOnly_.insert(id.index);
  }
  rowOf_.assign(graph.idBound(), SIZE_MAX);
  badFrom_.assign(graph.idBound(), kGood);
}

bool RunRecorder::wanted(NodeId node) const {
  return request_.keepValues && (request_.keepNodes.empty() || keepOnly_.count(node.index));
}

void RunRecorder::input(NodeId node, const Value& v) {
  NodeRun& row = run_.inputs.emplace_back();
  row.node = node;
  if (looks_) return look(row, v, true);
  row.bytes = bytesOfValue(v);
  row.type = typeOfValue(v);
}

void RunRecorder::node(NodeId node, const Value& v, double seconds) {
  NodeRun& row = run_.nodes.emplace_back();
  row.node = node;
  row.seconds = seconds;
  if (!looks_) {
    row.bytes = bytesOfValue(v);
    row.type = typeOfValue(v);
    return;
  }
  if (request_.keepBytes) {
    rowOf_[node.index] = run_.nodes.size() - 1;
    used_.resize(run_.nodes.size());
    // What it read was used just now.
    graph_.forEachInput(node, [&](NodeId in) {
      const size_t r = rowOf_[in.index];
      if (r == SIZE_MAX || !used_[r]) return;
      order_.erase({used_[r], r});
      order_.insert({used_[r] = ++tick_, r});
    });
  }
  look(row, v, false);
  if (!request_.keepBytes || !wanted(node)) return;
  const size_t at = run_.nodes.size() - 1;
  order_.insert({used_[at] = ++tick_, at});
  for (const NodeTensor& t : row.tensors)
    if (t.tensor) kept_ += t.tensor->storage->bytes();
  makeRoom();
}

void RunRecorder::makeRoom() {
  while (kept_ > request_.keepBytes && !order_.empty()) {
    const size_t at = order_.begin()->second;
    order_.erase(order_.begin());
    used_[at] = 0;
    for (NodeTensor& t : run_.nodes[at].tensors) {
      if (t.tensor) kept_ -= t.tensor->storage->bytes();
      t.tensor = {};
    }
    run_.nodes[at].value = {};
  }
}

void RunRecorder::look(NodeRun& row, const Value& v, bool isInput) {
  row.bytes = bytesOfValue(v);
  row.type = typeOfValue(v);
  const bool keep = wanted(row.node);
  const Value kept = flatten(row, v, {}, keep);
  if (keep) row.value = kept;
  if (request_.statistics) spread(row, v, isInput);
}

Value RunRecorder::flatten(NodeRun& row, const Value& v, const std::string& piece, bool keep) {
  if (v.isList()) {
    Values items;
    for (size_t i = 0; i < v.items().size(); ++i)
      items.push_back(flatten(row, v.items()[i], piece + "." + std::to_string(i), keep));
    return Value(std::move(items), v.kind());
  }
  if (!v.isTensor()) return v;
  NodeTensor t;
  t.piece = piece;
  const TensorRef plain = runtime::resolved(runtime::tensorOf(v));
  t.type = valueType(*plain);
  if (request_.statistics) {
    t.statistics = runtime::statisticsOf(*plain);
    row.statistics = row.statistics ? runtime::joined(*row.statistics, *t.statistics) : *t.statistics;
  }
  if (request_.hashes) t.hash = runtime::contentHash(*plain);
  // With a cap each kept value has memory of its own: a view would hold all of what it looks at.
  if (keep) t.tensor = writes_ || request_.keepBytes ? settledCopy(v) : plain;
  const Value out = keep ? Value(t.tensor) : Value();
  row.tensors.push_back(std::move(t));
  return out;
}

namespace {

template <class F>
void eachTensor(const Value& v, F&& f) {
  if (v.isTensor()) f(*runtime::tensorOf(v));
  if (v.isList())
    for (const Value& i : v.items()) eachTensor(i, f);
}

}  // namespace

void RunRecorder::remember(const Value& v, NodeId node) {
  eachTensor(v, [&](const runtime::Tensor& t) { memories_.emplace_back(t.storage, node); });
}

/// A write of something bad is in every value that has the memory.
void RunRecorder::markMemory(const Value& v, NodeId from) {
  eachTensor(v, [&](const runtime::Tensor& t) {
    for (const auto& [memory, node] : memories_)
      if (badFrom_[node.index] == kGood && !(node == from) && memory.lock() == t.storage)
        badFrom_[node.index] = from.index;
  });
}

void RunRecorder::spread(const NodeRun& row, const Value& v, bool isInput) {
  const NodeId node = row.node;
  if (writes_) remember(v, node);
  if (!row.statistics || !row.statistics->bad()) return;
  uint32_t from = kCause;
  if (!isInput)
    graph_.forEachInput(node, [&](NodeId in) {
      if (from == kCause && badFrom_[in.index] != kGood) from = in.index;
    });
  if (badFrom_[node.index] == kGood) badFrom_[node.index] = from;
  if (from == kCause && !isInput && !run_.firstBad.valid()) run_.firstBad = node;
  if (writer_[node.index]) markMemory(v, node);
}

void RunRecorder::end(const runtime::Values& outputs, const std::vector<std::string>& names) {
  if (!request_.statistics) return;
  const std::vector<ir::ArgView> returned = graph_.outputs();
  for (size_t i = 0; i < returned.size() && i < outputs.size() && i < names.size(); ++i) {
    if (returned[i].kind() != ir::ValueKind::NodeRef || names[i].empty()) continue;
    bool bad = false;
    eachTensor(outputs[i], [&](const runtime::Tensor& t) {
      bad =
          bad || runtime::statisticsOf(*runtime::resolved(TensorRef(const_cast<runtime::Tensor*>(&t)))).bad();
    });
    NodeId at = returned[i].node();
    if (!bad || badFrom_[at.index] == kGood) continue;
    BadPath path;
    path.result = names[i];
    for (path.nodes.push_back(at); badFrom_[at.index] != kCause && path.nodes.size() <= graph_.size();) {
      at = NodeId{badFrom_[at.index]};
      path.nodes.push_back(at);
    }
    std::reverse(path.nodes.begin(), path.nodes.end());
    path.fromInput = graph_.node(path.nodes.front()).op == ir::OpKind::Placeholder;
    run_.badPaths.push_back(std::move(path));
  }
}

}  // namespace descry::session
