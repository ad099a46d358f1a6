#include "runtime/plan/regions.h"

#include <algorithm>
#include <map>
#include <set>

#include "runtime/interpreter/pointwise.h"

namespace descry::runtime {

namespace {

/// Division of integers by zero is all that fails on what elements hold.
bool canFail(const PlannedOp& op) {
  const LoopProgram* program = op.op ? pointwiseProgram(*op.op, op.args, op.results[0]->meta.dtype) : nullptr;
  if (!program) return false;
  return std::any_of(program->instructions.begin(), program->instructions.end(),
                     [](const LoopInstruction& i) {
                       return i.type == LoopType::Int &&
                              (i.op == LoopOp::FloorDiv || i.op == LoopOp::Mod || i.op == LoopOp::TruncDiv ||
                               i.op == LoopOp::Fmod || i.op == LoopOp::Div);
                     });
}

class Grouping {
 public:
  Grouping(const PlannedGraph& graph, const ir::Graph& names, const FusionLimits& limits)
      : graph_(graph), names_(names), limits_(limits) {}

  std::vector<OpGroup> run() {
    for (size_t i = 0; i < graph_.ops.size(); ++i) {
      const PlannedOp& op = graph_.ops[i];
      if (isFusible(op)) {
        join(i);
        continue;
      }
      if (op.kind == PlannedOp::Write) closeAll(op, "an input is written behind it");
      for (const Value& a : op.args)
        forEachTensor(a, [&](const Tensor& t) { closeOwner(t, op, "reads it"); });
      groups_.push_back({false, {i}, {}, {}, {}});
    }
    while (!open_.empty()) close(open_.begin(), "the graph ends", {});
    // Where the last op of a group stands, not where it became certain that nothing joins it: what it reads
    // is given back the sooner. Whoever reads one of its values stands behind all of them.
    std::stable_sort(groups_.begin(), groups_.end(),
                     [](const OpGroup& a, const OpGroup& b) { return a.ops.back() < b.ops.back(); });
    moveResultsUp();
    return std::move(groups_);
  }

 private:
  /// Products that only make results, such as gradients of weights, run as soon as they can where that gives
  /// back memory before more is taken. Autograd has them behind the gradient that goes on.
  void moveResultsUp() {
    std::set<const Storage*> results;
    for (const Value& v : graph_.outputs)
      forEachTensor(v, [&](const Tensor& t) { results.insert(t.storage.get()); });
    // By group; `last`: where a storage of the plan's own is read last.
    std::vector<std::set<const Storage*>> makes(groups_.size()), reads(groups_.size());
    std::unordered_map<const Storage*, size_t> last;
    for (size_t g = 0; g < groups_.size(); ++g)
      for (const size_t k : groups_[g].ops) {
        for (const TensorRef& t : graph_.ops[k].results)
          if (t) makes[g].insert(t->storage.get()), last[t->storage.get()] = g;
        for (const Value& a : graph_.ops[k].args)
          forEachTensor(a, [&](const Tensor& t) {
            reads[g].insert(t.storage.get());
            if (const auto at = last.find(t.storage.get()); at != last.end()) at->second = g;
          });
      }
    const auto isResult = [&](const Storage* s) { return results.count(s) > 0; };
    for (size_t i = 1; i < groups_.size(); ++i) {
      if (!isProduct(groups_[i]) || !std::all_of(makes[i].begin(), makes[i].end(), isResult)) continue;
      for (size_t at = i; at > 0; --at) {
        const size_t before = at - 1;
        const OpGroup& other = groups_[before];
        if (!isProduct(other) && !(other.loop && other.mayFail.empty())) break;
        const auto& own = reads[at];
        if (std::any_of(own.begin(), own.end(), [&](const Storage* s) { return makes[before].count(s) > 0; }))
          break;
        const bool frees = std::any_of(own.begin(), own.end(), [&](const Storage* s) {
          const auto l = last.find(s);
          return l != last.end() && l->second == at && !isResult(s) && !reads[before].count(s);
        });
        if (!frees || std::all_of(makes[before].begin(), makes[before].end(), isResult)) break;
        for (const Storage* s : own)
          if (const auto l = last.find(s); l != last.end() && l->second == at && !reads[before].count(s))
            l->second = before;
        for (const auto* list : {&reads[before], &makes[before]})
          for (const Storage* s : *list)
            if (const auto l = last.find(s); l != last.end() && l->second == before && !own.count(s))
              l->second = at;
        std::swap(groups_[before], groups_[at]);
        std::swap(makes[before], makes[at]);
        std::swap(reads[before], reads[at]);
      }
    }
  }
  bool isProduct(const OpGroup& g) const {
    const PlannedOp& op = graph_.ops[g.ops[0]];
    return !g.loop && op.kind == PlannedOp::Kernel && (op.kernel->facts & kProduct);
  }

  struct Region {
    std::vector<size_t> ops, mayFail;
    std::set<const Storage*> outside;
    const Meta* space = nullptr;
  };
  using Open = std::map<size_t, Region>;  // by number: older ones first

  std::string nameOf(const PlannedOp& op) const { return std::string(names_.nodeName(op.node)); }

  void close(Open::iterator at, std::string why, ir::NodeId by) {
    Region& r = at->second;
    for (const size_t k : r.ops) owner_.erase(graph_.ops[k].results[0]->storage.get());
    std::sort(r.ops.begin(), r.ops.end());
    groups_.push_back({true, std::move(r.ops), std::move(why), by, std::move(r.mayFail)});
    open_.erase(at);
  }
  void closeAll(const PlannedOp& by, const std::string& why) {
    while (!open_.empty()) close(open_.begin(), why, by.node);
  }
  void closeOwner(const Tensor& t, const PlannedOp& by, const std::string& how) {
    const auto owner = owner_.find(t.storage.get());
    if (owner == owner_.end()) return;
    close(open_.find(owner->second), by.name() + " `" + nameOf(by) + "` " + how, by.node);
  }

  void join(size_t i) {
    const PlannedOp& op = graph_.ops[i];
    const Meta& space = op.results[0]->meta;
    const bool fails = canFail(op);
    std::set<size_t> feeding;
    std::set<const Storage*> outside;
    for (const Value& a : op.args)
      forEachTensor(a, [&](const Tensor& t) {
        const auto owner = owner_.find(t.storage.get());
        if (owner == owner_.end()) {
          outside.insert(t.storage.get());
          return;
        }
        const Region& r = open_.at(owner->second);
        const TensorRef& made = graph_.ops[makerOf_.at(t.storage.get())].results[0];
        if (!sameNumbers(r.space->sizes, space.sizes))
          closeOwner(t, op, "is of other sizes");
        else if (!sameLayout(made->meta, t.meta))
          closeOwner(t, op, "reads it in another layout");
        else if (!limits_.fuse)
          closeOwner(t, op, "follows, and nothing is fused");
        else
          feeding.insert(owner->second);
      });
    // What was closed by a later argument feeds from memory.
    std::erase_if(feeding, [&](size_t r) { return !open_.count(r); });
    // As many of those that feed it as there is room for, the largest first.
    std::vector<size_t> order(feeding.begin(), feeding.end());
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return open_.at(a).ops.size() > open_.at(b).ops.size(); });
    Region all;
    all.outside = outside;
    all.space = &space;
    size_t number = next_++;
    for (const size_t r : order) {
      Region& other = open_.at(r);
      std::set<const Storage*> reads = all.outside;
      reads.insert(other.outside.begin(), other.outside.end());
      std::string why;
      if (all.ops.size() + other.ops.size() + 1 > limits_.ops)
        why = "it has as many ops as one loop may have";
      else if (reads.size() > limits_.inputs)
        why = "it reads as many tensors as one loop may read";
      else if (!other.mayFail.empty() && (fails || !all.mayFail.empty()))
        why = "a second op that can fail follows";
      if (!why.empty()) {
        close(open_.find(r), why, op.node);
        continue;
      }
      all.outside = std::move(reads);
      all.ops.insert(all.ops.end(), other.ops.begin(), other.ops.end());
      all.mayFail.insert(all.mayFail.end(), other.mayFail.begin(), other.mayFail.end());
      open_.erase(r);
    }
    all.ops.push_back(i);
    if (fails) all.mayFail.push_back(i);
    const Storage* own = op.results[0]->storage.get();
    makerOf_[own] = i;
    for (const size_t k : all.ops) owner_[graph_.ops[k].results[0]->storage.get()] = number;
    open_.emplace(number, std::move(all));
  }

  const PlannedGraph& graph_;
  const ir::Graph& names_;
  const FusionLimits& limits_;
  Open open_;
  size_t next_ = 0;
  std::unordered_map<const Storage*, size_t> owner_, makerOf_;
  std::vector<OpGroup> groups_;
};

}  // namespace

bool isFusible(const PlannedOp& op) {
  if (op.kind != PlannedOp::Pointwise || !staysInRegister(op.results[0]->meta.dtype)) return false;
  bool fits = true;
  for (const Value& a : op.args)
    forEachTensor(a, [&](const Tensor& t) { fits = fits && staysInRegister(t.meta.dtype); });
  return fits;
}

std::vector<OpGroup> groupOps(const PlannedGraph& graph, const ir::Graph& names, const FusionLimits& limits) {
  return Grouping(graph, names, limits).run();
}

GroupLoop loopOf(const PlannedGraph& graph, const OpGroup& group, const std::vector<bool>& stored) {
  GroupLoop out;
  LoopBuilder b;
  std::unordered_map<const Storage*, LoopRegister> made;  // values of the group
  std::vector<std::pair<TensorRef, LoopRegister>> read;
  std::vector<LoopRegister> parameters;
  const auto valueOf = [&](const TensorRef& t) {
    if (const auto at = made.find(t->storage.get()); at != made.end()) return at->second;
    for (const auto& [other, r] : read)
      if (other->storage == t->storage && sameLayout(other->meta, t->meta)) return r;
    out.inputs.push_back(t);
    LoopRegister r = b.input(t->meta.dtype);
    if (t->meta.conj) r = b.emit(LoopOp::Conj, r);
    if (t->meta.neg) r = asStored(b, b.emit(LoopOp::Neg, r), t->meta.dtype);
    read.emplace_back(t, r);
    return r;
  };
  for (size_t n = 0; n < group.ops.size(); ++n) {
    const PlannedOp& op = graph.ops[group.ops[n]];
    const PointwiseOperands from = {
        [&](size_t i) { return valueOf(tensorOf(op.args[i])); },
        [&](size_t i, LoopType type, DType through) {
          const LoopNumber number = pointwiseNumber(type, through, op.args[i]);
          for (size_t k = 0; k < parameters.size(); ++k)
            if (out.numbers[k].type == number.type && out.numbers[k].bytes == number.bytes)
              return parameters[k];
          out.numbers.push_back(number);
          return parameters.emplace_back(b.parameter(type));
        }};
    const TensorRef& result = op.results[0];
    const LoopRegister value =
        op.op ? writePointwise(b, *op.op, op.args, result->meta.dtype, from) : valueOf(tensorOf(op.args[0]));
    const LoopRegister r = asStored(b, value, result->meta.dtype);
    made[result->storage.get()] = r;
    if (stored[n]) {
      b.output(r, result->meta.dtype);
      out.outputs.push_back(result);
    }
  }
  out.program = b.take();
  std::vector<size_t> inputs, numbers;
  dropUnused(out.program, inputs, numbers);
  std::vector<TensorRef> usedInputs;
  std::vector<LoopNumber> usedNumbers;
  for (const size_t k : inputs) usedInputs.push_back(out.inputs[k]);
  for (const size_t k : numbers) usedNumbers.push_back(out.numbers[k]);
  out.inputs = std::move(usedInputs);
  out.numbers = std::move(usedNumbers);
  return out;
}

}  // namespace descry::runtime
