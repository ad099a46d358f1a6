#include "runtime/plan/plan.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "runtime/core/memory.h"
#include "runtime/interpreter/pointwise.h"

namespace descry::runtime {

using ir::NodeId;

namespace {

/// Tensors that stand for the inputs: their layouts over storages that borrow their memory in each run.
Values standIns(const Values& inputs) {
  Values out;
  for (const Value& v : inputs) {
    if (!v.isTensor()) {
      out.push_back(v);
      continue;
    }
    const TensorRef given = tensorOf(v);
    auto t = ir::eval::make<Tensor>();
    t->meta = given->meta;
    t->storage = std::make_shared<Storage>(0);
    out.emplace_back(t);
  }
  return out;
}

/// Elements one after the other from the start of the memory.
bool fillsMemory(const Tensor& t, size_t bytes) {
  return t.meta.offset.value == 0 &&
         static_cast<size_t>(productOf(Dims(t.meta.sizes)) * itemBytes(t.meta.dtype)) == bytes;
}

/// Of the same bytes each, in the same places.
bool sameElements(const Tensor& a, const Tensor& b) {
  Meta as = a.meta;
  as.dtype = b.meta.dtype;
  return itemBytes(a.meta.dtype) == itemBytes(b.meta.dtype) && sameLayout(as, b.meta);
}

}  // namespace

/// What is ready to run, made with the first run.
struct Plan::Prepared {
  struct LoopStep {
    std::unique_ptr<LoopCode> code;
    GroupLoop loop;
    std::optional<BoundLoop> bound;
    std::vector<std::pair<size_t, size_t>> inputs, outputs;  ///< operand, buffer: those whose memory changes
  };
  std::vector<LoopStep> loops;              ///< by step
  std::deque<std::optional<Call>> kernels;  ///< by step
  std::vector<RowStep> rowSteps;            ///< by step
  std::vector<std::unique_ptr<RowRunner>> rows;
  bool bound = false;
};

Plan::Plan(const ir::Module& module, const ir::Graph& graph, Machine& machine,
           const std::unordered_map<std::string, Value>& attributes, const Values& inputs,
           PlanOptions options)
    : module_(module),
      names_(graph),
      machine_(machine),
      options_(options),
      placeholders_(graph.placeholders()),
      inputs_(standIns(inputs)),
      runner_(module, graph, machine) {
  for (const auto& [name, value] : attributes) runner_.setAttribute(name, value);
  if (inputs.size() != placeholders_.size())
    throw EvalError("missing-input", "the graph '" + graph.name + "' takes " +
                                         std::to_string(placeholders_.size()) + " inputs, given are " +
                                         std::to_string(inputs.size()));
  for (const Value& v : inputs) inputBytes_.push_back(v.isTensor() ? tensorOf(v)->storage->bytes() : 0);
  graph_ = traceGraph(module, graph, machine.ops(), attributes, inputs_, inputBytes_, machine.cancelled);
  values_ = std::move(graph_.values);
  if (!whole().empty()) return;
  for (OpGroup& g : groupOps(graph_, graph, options_.fusion)) {
    PlanStep s;
    const PlannedOp& first = graph_.ops[g.ops[0]];
    switch (first.kind) {
      case PlannedOp::Pointwise:
        s.kind = g.loop ? PlanStep::Loop : PlanStep::Elements;
        break;
      case PlannedOp::Kernel:
        s.kind = PlanStep::Kernel;
        break;
      case PlannedOp::Call:
        s.kind = PlanStep::Call;
        break;
      case PlannedOp::Node:
        s.kind = PlanStep::Node;
        break;
      case PlannedOp::Write:
        s.kind = PlanStep::Write;
        break;
    }
    for (const size_t k : g.ops)
      if (s.nodes.empty() || s.nodes.back() != graph_.ops[k].node) s.nodes.push_back(graph_.ops[k].node);
    s.group = std::move(g);
    steps_.push_back(std::move(s));
  }
  addBuffers();
  findLifetimes();
  prepared_ = std::make_unique<Prepared>();
  buildLoops();
  joinRows();
  if (options_.reuseMemory) shareInPlace();
  placeBuffers();
  noteChanges();
}

Plan::~Plan() = default;

size_t Plan::fallbacks() const {
  return static_cast<size_t>(std::count_if(steps_.begin(), steps_.end(), [](const PlanStep& s) {
    return s.kind == PlanStep::Call || s.kind == PlanStep::Node;
  }));
}

size_t Plan::bufferOf(const Tensor& t, PlanBuffer::Kind kind, std::string name) {
  const auto [at, fresh] = bufferOf_.try_emplace(t.storage.get(), buffers_.size());
  if (fresh) {
    PlanBuffer b;
    b.kind = kind;
    b.storage = t.storage;
    b.name = std::move(name);
    b.bytes = kind == PlanBuffer::Constant
                  ? t.storage->bytes()
                  : static_cast<size_t>(t.meta.offset.value * itemBytes(t.meta.dtype)) + extentBytes(t.meta);
    buffers_.push_back(std::move(b));
  }
  return at->second;
}

void Plan::addBuffers() {
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (inputs_[i].isTensor())
      bufferOf(*tensorOf(inputs_[i]), PlanBuffer::Input, std::string(names_.nodeName(placeholders_[i])));
  for (const PlannedOp& op : graph_.ops)
    for (const TensorRef& t : op.results)
      if (t) bufferOf(*t, PlanBuffer::Inside, std::string(names_.nodeName(op.node)));
  // What nothing makes is there from the start.
  for (PlanStep& s : steps_) {
    std::set<size_t> reads, writes;
    for (const size_t k : s.group.ops) {
      for (const Value& a : graph_.ops[k].args)
        forEachTensor(a, [&](const Tensor& t) { reads.insert(bufferOf(t, PlanBuffer::Constant, {})); });
      for (const TensorRef& t : graph_.ops[k].results)
        if (t) writes.insert(bufferOf(*t, PlanBuffer::Inside, {}));
    }
    s.reads.assign(reads.begin(), reads.end());
    s.writes.assign(writes.begin(), writes.end());
  }
  for (const Value& v : graph_.outputs)
    forEachTensor(v, [&](const Tensor& t) {
      PlanBuffer& b = buffers_[bufferOf(t, PlanBuffer::Constant, {})];
      if (b.kind == PlanBuffer::Inside) b.kind = PlanBuffer::Output;
    });
}

void Plan::findLifetimes() {
  std::vector<size_t> maker(buffers_.size(), steps_.size());
  std::vector<bool> readElsewhere(buffers_.size(), false);
  for (size_t i = 0; i < steps_.size(); ++i) {
    for (const size_t b : steps_[i].writes) {
      maker[b] = i;
      buffers_[b].life.first = buffers_[b].life.last = i;
    }
    for (const size_t b : steps_[i].reads) {
      buffers_[b].life.last = std::max(buffers_[b].life.last, i);
      if (maker[b] != i) readElsewhere[b] = true;
      // What a node makes of it may lie in its memory.
      if (steps_[i].kind == PlanStep::Node) buffers_[b].life.last = steps_.size();
    }
  }
  for (PlanStep& s : steps_) {
    if (s.kind != PlanStep::Loop) continue;
    std::vector<size_t> inside;
    for (const size_t b : s.writes)
      if (!readElsewhere[b] && buffers_[b].kind == PlanBuffer::Inside) inside.push_back(b);
    // Values that nobody reads are still computed where that can fail.
    if (inside.size() == s.writes.size()) {
      const PlannedOp& last = graph_.ops[s.group.mayFail.empty() ? s.group.ops.back() : s.group.mayFail[0]];
      std::erase(inside, bufferOf_.at(last.results[0]->storage.get()));
    }
    for (const size_t b : inside) {
      buffers_[b].kind = PlanBuffer::Register;
      std::erase(s.writes, b);
      std::erase(s.reads, b);
    }
    // What the step makes itself is no input of it.
    for (const size_t b : s.writes) std::erase(s.reads, b);
  }
  // Values of nodes that are known only then, and are not needed any more.
  std::vector<size_t> last(names_.idBound(), steps_.size());
  for (size_t i = 0; i < steps_.size(); ++i)
    for (const NodeId node : steps_[i].nodes) {
      if (steps_[i].kind != PlanStep::Node && steps_[i].kind != PlanStep::Write) continue;
      last[node.index] = i;
      names_.forEachInput(node, [&](NodeId in) { last[in.index] = i; });
    }
  if (names_.output().valid())
    names_.forEachInput(names_.output(), [&](NodeId in) { last[in.index] = steps_.size(); });
  dead_.resize(steps_.size());
  for (uint32_t n = 0; n < last.size(); ++n) {
    if (!graph_.dynamic[n]) continue;
    dynamic_.push_back(n);
    if (last[n] < steps_.size()) dead_[last[n]].push_back(n);
  }
}

void Plan::buildLoops() {
  prepared_->loops.resize(steps_.size());
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].kind != PlanStep::Loop) continue;
    std::vector<bool> stored;
    for (const size_t k : steps_[i].group.ops)
      stored.push_back(buffers_[bufferOf_.at(graph_.ops[k].results[0]->storage.get())].kind !=
                       PlanBuffer::Register);
    Prepared::LoopStep& s = prepared_->loops[i];
    s.loop = loopOf(graph_, steps_[i].group, stored);
    s.code = std::make_unique<LoopCode>(std::move(s.loop.program));
  }
}

/// Operands of loops whose memory is another one in each run.
void Plan::noteChanges() {
  const auto changes = [&](const TensorRef& t) {
    const PlanBuffer& b = buffers_[bufferOf_.at(t->storage.get())];
    return b.kind == PlanBuffer::Input || b.kind == PlanBuffer::Output || b.within;
  };
  for (Prepared::LoopStep& s : prepared_->loops) {
    for (size_t k = 0; k < s.loop.inputs.size(); ++k)
      if (changes(s.loop.inputs[k])) s.inputs.emplace_back(k, bufferOf_.at(s.loop.inputs[k]->storage.get()));
    for (size_t k = 0; k < s.loop.outputs.size(); ++k)
      if (changes(s.loop.outputs[k]))
        s.outputs.emplace_back(k, bufferOf_.at(s.loop.outputs[k]->storage.get()));
  }
}

void Plan::joinRows() {
  std::vector<RowStep>& all = prepared_->rowSteps;
  for (size_t i = 0; i < steps_.size(); ++i) {
    RowStep s;
    if (steps_[i].kind == PlanStep::Loop) {
      s.loop = &prepared_->loops[i].loop;
      s.code = prepared_->loops[i].code.get();
    } else if (steps_[i].kind == PlanStep::Kernel) {
      s.kernel = &graph_.ops[steps_[i].group.ops[0]];
    }
    all.push_back(s);
  }
  rows_ = findRows(all, options_.rows);
  rowsAt_.assign(steps_.size(), rows_.size());
  for (size_t k = 0; k < rows_.size(); ++k) {
    const RowRange& r = rows_[k];
    std::vector<const Storage*> inside;
    for (size_t i = r.first; i <= r.last; ++i) {
      rowsAt_[i] = k;
      for (const size_t b : steps_[i].writes) {
        PlanBuffer& buffer = buffers_[b];
        if (buffer.kind == PlanBuffer::Inside && buffer.life.last <= r.last) {
          buffer.kind = PlanBuffer::Block;
          inside.push_back(buffer.storage.get());
        }
        // The first rows of what one step makes are there before the last rows of what another reads.
        buffer.life.first = r.first;
      }
      for (const size_t b : steps_[i].reads) {
        Lifetime& life = buffers_[b].life;
        if (life.last >= r.first && life.last <= r.last) life.last = r.last;
      }
    }
    prepared_->rows.push_back(std::make_unique<RowRunner>(r, all, std::move(inside), machine_));
  }
}

/// A result takes the place of an input that dies there: of a loop element on element, of steps that run
/// together row on row.
void Plan::shareInPlace() {
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (rowsAt_[i] < rows_.size()) {
      shareRows(i);
      continue;
    }
    const GroupLoop& loop = prepared_->loops[i].loop;
    std::set<size_t> taken;
    for (const TensorRef& out : loop.outputs) {
      const size_t to = bufferOf_.at(out->storage.get());
      if (buffers_[to].kind != PlanBuffer::Inside || !fillsMemory(*out, buffers_[to].bytes)) continue;
      for (const TensorRef& in : loop.inputs) {
        const size_t from = bufferOf_.at(in->storage.get());
        const PlanBuffer& b = buffers_[from];
        if (b.kind != PlanBuffer::Inside || b.life.last != i || taken.count(from) ||
            !sameElements(*in, *out) || !fillsMemory(*in, b.bytes))
          continue;
        const auto ofSame = std::count_if(loop.inputs.begin(), loop.inputs.end(),
                                          [&](const TensorRef& t) { return t->storage == in->storage; });
        if (ofSame != 1) continue;  // also read in another order
        buffers_[to].takesPlaceOf = from;
        taken.insert(from);
        break;
      }
    }
  }
}

void Plan::shareRows(size_t step) {
  const RowRange& range = rows_[rowsAt_[step]];
  const std::vector<RowStep>& all = prepared_->rowSteps;
  const std::vector<TensorRef>& results =
      all[step].loop ? all[step].loop->outputs : all[step].kernel->results;
  for (const TensorRef& out : results) {
    if (!out) continue;
    const size_t to = bufferOf_.at(out->storage.get());
    if (buffers_[to].kind != PlanBuffer::Inside || buffers_[to].takesPlaceOf) continue;
    for (size_t i = range.first; i <= step && !buffers_[to].takesPlaceOf; ++i)
      for (const size_t from : steps_[i].reads) {
        const PlanBuffer& b = buffers_[from];
        if (b.kind != PlanBuffer::Inside || b.life.first >= range.first || b.life.last != range.last ||
            b.bytes != buffers_[to].bytes ||
            std::any_of(buffers_.begin(), buffers_.end(),
                        [&](const PlanBuffer& other) { return other.takesPlaceOf == from; }) ||
            !takesRowsOf(range, all, *b.storage, *out, step))
          continue;
        buffers_[to].takesPlaceOf = from;
        break;
      }
  }
}

void Plan::placeBuffers() {
  // Buffers at one place are one: the root of each has the life of all.
  std::vector<size_t> root(buffers_.size());
  std::vector<Lifetime> lives(buffers_.size());
  for (size_t b = 0; b < buffers_.size(); ++b) {
    root[b] = b;
    while (buffers_[root[b]].takesPlaceOf) root[b] = *buffers_[root[b]].takesPlaceOf;
  }
  for (size_t b = 0; b < buffers_.size(); ++b) {
    PlanBuffer& at = buffers_[b];
    at.life.bytes = at.bytes;
    if (at.kind == PlanBuffer::Output) outputBuffers_.push_back(b), outputBytes_ += at.bytes;
    if (at.kind != PlanBuffer::Inside) continue;
    const size_t alignment = MemoryPlan::kAlignment;
    bytesWithoutReuse_ += (at.bytes + alignment - 1) / alignment * alignment;
    Lifetime& whole = lives[root[b]];
    if (whole.bytes == 0) whole = buffers_[root[b]].life;
    whole.first = std::min(whole.first, at.life.first);
    whole.last = std::max(whole.last, at.life.last);
    if (!options_.reuseMemory) whole.first = 0, whole.last = steps_.size();
  }
  if (options_.reuseMemory) placeWithinOutputs(root, lives);
  std::vector<size_t> number(buffers_.size(), 0);
  std::vector<Lifetime> placing;
  for (size_t b = 0; b < buffers_.size(); ++b) {
    if (buffers_[b].kind != PlanBuffer::Inside || buffers_[b].within || root[b] != b) continue;
    number[b] = placing.size();
    placing.push_back(lives[b]);
  }
  const MemoryPlan placed = planMemory(placing);
  for (size_t b = 0; b < buffers_.size(); ++b)
    if (buffers_[b].kind == PlanBuffer::Inside && !buffers_[b].within)
      buffers_[b].offset = placed.offsets[number[root[b]]];
  insideBytes_ = placed.bytes;
  outputs_.resize(outputBuffers_.size());
}

/// The memory of results is there before they are written. The largest buffers that are dead by then are put
/// there first, each into the smallest result that has room.
void Plan::placeWithinOutputs(const std::vector<size_t>& root, std::vector<Lifetime>& lives) {
  constexpr size_t kWorthIt = 256, kMost = 4096;
  std::vector<size_t> hosts, guests;
  for (const size_t b : outputBuffers_)
    if (buffers_[b].bytes >= kWorthIt) hosts.push_back(b);
  for (size_t b = 0; b < buffers_.size(); ++b)
    if (buffers_[b].kind == PlanBuffer::Inside && root[b] == b && buffers_[b].bytes >= kWorthIt)
      guests.push_back(b);
  const auto smaller = [&](size_t a, size_t b) { return buffers_[a].bytes < buffers_[b].bytes; };
  std::stable_sort(hosts.begin(), hosts.end(), smaller);
  std::stable_sort(guests.begin(), guests.end(), [&](size_t a, size_t b) { return smaller(b, a); });
  if (guests.size() > kMost) guests.resize(kMost);
  std::map<size_t, std::vector<Lifetime>> taken;
  for (const size_t g : guests)
    for (const size_t h : hosts) {
      if (buffers_[h].bytes < buffers_[g].bytes || buffers_[h].life.first <= lives[g].last) continue;
      std::vector<Lifetime>& there = taken[h];
      if (there.size() > 64 ||
          std::any_of(there.begin(), there.end(), [&](const Lifetime& l) { return l.meets(lives[g]); }))
        continue;
      there.push_back(lives[g]);
      buffers_[g].within = h;
      break;
    }
  for (size_t b = 0; b < buffers_.size(); ++b)
    if (root[b] != b && buffers_[b].kind == PlanBuffer::Inside) buffers_[b].within = buffers_[root[b]].within;
}

void Plan::checkInputs(const Values& inputs) const {
  if (inputs.size() != inputs_.size())
    throw EvalError("missing-input", "the plan is for " + std::to_string(inputs_.size()) +
                                         " inputs, given are " + std::to_string(inputs.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    bool same = inputs[i].isTensor() == inputs_[i].isTensor();
    if (same && inputs[i].isTensor())
      same = dynamic_cast<Tensor*>(inputs[i].tensor()) && sameLayout(inputs[i].meta(), inputs_[i].meta()) &&
             static_cast<Tensor*>(inputs[i].tensor())->storage->bytes() >= inputBytes_[i] &&
             inputs[i].meta().wrappedNumber == inputs_[i].meta().wrappedNumber;
    else if (same)
      same = inputs[i].kind() == inputs_[i].kind() && ir::eval::sameAs(inputs[i], inputs_[i]);
    if (!same)
      throw EvalError("input-mismatch", "the plan is for `" + std::string(names_.nodeName(placeholders_[i])) +
                                            "` as " + shapesOf({inputs_[i]}) + ", not " +
                                            shapesOf({inputs[i]}) + ", in sizes, strides, or value");
  }
}

void Plan::giveMemory(const Values& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].isTensor()) continue;
    const Storage& given = *static_cast<Tensor*>(inputs[i].tensor())->storage;
    static_cast<Tensor*>(inputs_[i].tensor())->storage->borrow(given.data(), given.bytes());
  }
  if (!memory_) {
    memory_ = std::make_shared<Storage>(insideBytes_);
    for (const PlanBuffer& b : buffers_)
      if (b.kind == PlanBuffer::Inside && !b.within) b.storage->borrow(memory_->data() + b.offset, b.bytes);
  }
  for (size_t k = 0; k < outputBuffers_.size(); ++k) {
    const PlanBuffer& b = buffers_[outputBuffers_[k]];
    if (!outputs_[k] || outputs_[k].use_count() > 1) outputs_[k] = std::make_shared<Storage>(b.bytes);
    b.storage->borrow(outputs_[k]->data(), b.bytes);
  }
  for (const PlanBuffer& b : buffers_)
    if (b.within) b.storage->borrow(buffers_[*b.within].storage->data(), b.bytes);
}

void Plan::prepare() {
  Prepared& p = *prepared_;
  if (!p.bound) {
    p.kernels.clear();
    p.kernels.resize(steps_.size());
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (rowsAt_[i] < rows_.size()) continue;
      PlannedOp& op = graph_.ops[steps_[i].group.ops[0]];
      if (steps_[i].kind == PlanStep::Kernel) p.kernels[i].emplace(machine_, *op.op, op.args, op.results);
      if (steps_[i].kind != PlanStep::Loop) continue;
      Prepared::LoopStep& s = p.loops[i];
      std::vector<View> in, out;
      for (const TensorRef& t : s.loop.inputs) in.push_back(viewOf(*t));
      for (const TensorRef& t : s.loop.outputs) out.push_back(viewOf(*t));
      s.bound.emplace(*s.code, in, s.loop.numbers, out);
    }
    p.bound = true;
    return;
  }
  for (Prepared::LoopStep& s : p.loops) {
    if (!s.bound) continue;
    const auto dataOf = [](const TensorRef& t) {
      return t->storage->data() + t->meta.offset.value * itemBytes(t->meta.dtype);
    };
    for (const auto& [k, buffer] : s.inputs) s.bound->setInput(k, dataOf(s.loop.inputs[k]));
    for (const auto& [k, buffer] : s.outputs) s.bound->setOutput(k, dataOf(s.loop.outputs[k]));
  }
}

void Plan::runStep(size_t index) {
  const PlanStep& step = steps_[index];
  if (const size_t at = rowsAt_[index]; at < rows_.size()) {
    if (index == rows_[at].first)
      prepared_->rows[at]->run([this](size_t i, const EvalError& e) { fail(e, steps_[i]); },
                               onStep ? &rowShares_ : nullptr);
    return;
  }
  PlannedOp& op = graph_.ops[step.group.ops[0]];
  switch (step.kind) {
    case PlanStep::Loop:
      prepared_->loops[index].bound->run();
      return;
    case PlanStep::Elements:
      if (op.op)
        runPointwise(*op.op, op.args, viewOf(*op.results[0]));
      else
        copyElements(viewOf(*op.results[0]), viewOf(*resolved(tensorOf(op.args[0]))));
      return;
    case PlanStep::Kernel: {
      Call& call = *prepared_->kernels[index];
      call.reset();
      op.kernel->fill(call);
      call.finish();
      call.reset();
      return;
    }
    case PlanStep::Call: {
      const Value made = machine_.call(*op.op, op.args);
      const Values one = made.isList() ? made.items() : Values{made};
      for (size_t k = 0; k < op.results.size(); ++k) {
        if (!op.results[k]) continue;
        const TensorRef t = k < one.size() ? tensorOf(one[k]) : TensorRef();
        if (!t || Dims(t->meta.sizes) != Dims(op.results[k]->meta.sizes) ||
            t->meta.dtype != op.results[k]->meta.dtype)
          throw EvalError("internal", op.op->target() + " gives " + shapesOf({made}) +
                                          " where its rule says " + shapesOf({Value(op.results[k])}));
        copyElements(viewOf(*op.results[k]), viewOf(*resolved(t)));
      }
      return;
    }
    case PlanStep::Node:
      values_[op.node.index] = runner_.runNode(op.node, values_);
      return;
    case PlanStep::Write: {
      Values args = op.args.empty() ? runner_.argumentsOf(op.node, values_) : op.args;
      args.resize(op.op->schema().arguments.size(), Value::boolean(false));
      machine_.call(*op.op, std::move(args));
      return;
    }
  }
}

void Plan::fail(const EvalError& e, const PlanStep& step) {
  const PlannedOp& op =
      graph_.ops[step.group.mayFail.empty() ? step.group.ops.back() : step.group.mayFail[0]];
  RunFailure failure(e, names_, op.node, shapesOf(runner_.argumentsOf(op.node, values_)));
  failure.inRoot = true;
  throw failure;
}

/// A result as it goes out: over memory of the inputs or its own, not of the plan.
Value Plan::settled(const Value& v, const Values& inputs) const {
  if (v.isList()) {
    Values items;
    for (const Value& i : v.items()) items.push_back(settled(i, inputs));
    return Value(std::move(items), v.kind());
  }
  if (!v.isTensor()) return v;
  const auto* t = dynamic_cast<const Tensor*>(v.tensor());
  if (!t) return v;
  const auto at = bufferOf_.find(t->storage.get());
  if (at == bufferOf_.end() || buffers_[at->second].kind == PlanBuffer::Constant) return v;
  auto out = ir::eval::make<Tensor>();
  out->meta = t->meta;
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (inputs_[i].isTensor() && static_cast<Tensor*>(inputs_[i].tensor())->storage == t->storage) {
      if (sameLayout(inputs_[i].meta(), t->meta)) return inputs[i];
      out->storage = static_cast<Tensor*>(inputs[i].tensor())->storage;
      return Value(out);
    }
  for (size_t k = 0; k < outputBuffers_.size(); ++k)
    if (outputBuffers_[k] == at->second) {
      out->storage = outputs_[k];
      return Value(out);
    }
  return Value(copyOf(viewOf(*resolved(TensorRef(const_cast<Tensor*>(t)))), t->meta.dtype));
}

Values Plan::run(const Values& inputs) {
  checkInputs(inputs);
  if (!whole().empty()) return runner_.run(inputs);
  giveMemory(inputs);
  prepare();
  const auto forget = [this] {
    for (const uint32_t node : dynamic_) values_[node] = {};
  };
  forget();
  using Clock = std::chrono::steady_clock;
  for (size_t i = 0; i < steps_.size(); ++i) {
    const PlanStep& step = steps_[i];
    const Clock::time_point start = onStep ? Clock::now() : Clock::time_point{};
    try {
      if (machine_.cancelled && machine_.cancelled()) throw EvalError("cancelled", "stopped");
      runStep(i);
    } catch (RunFailure& e) {
      if (!e.inRoot) {
        e.node = step.nodes.back();
        e.inRoot = true;
      }
      throw;
    } catch (const EvalError& e) {
      fail(e, step);
    } catch (const std::bad_alloc&) {
      fail(EvalError("out-of-memory", "the system has no more memory"), step);
    }
    if (onStep) {
      double took = std::chrono::duration<double>(Clock::now() - start).count();
      if (const size_t at = rowsAt_[i]; at < rows_.size()) {
        if (i == rows_[at].first) rowSeconds_ = took;
        took = rowSeconds_ * rowShares_[i - rows_[at].first];
      }
      onStep(i, took);
    }
    for (const uint32_t dead : dead_[i]) values_[dead] = {};
  }
  Values out;
  for (const Value& v : graph_.dynamicOutputs ? runner_.outputsOf(values_) : graph_.outputs)
    out.push_back(settled(v, inputs));
  forget();
  return out;
}

}  // namespace descry::runtime
