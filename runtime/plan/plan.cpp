#include "runtime/plan/plan.h"

#include <algorithm>
#include <chrono>

#include "runtime/core/gemm_follower.h"
#include "runtime/core/memory.h"
#include "runtime/interpreter/pointwise.h"
#include "runtime/plan/prepared.h"

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

}  // namespace

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
  joinEpilogues();
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
    if (b.within) b.storage->borrow(buffers_[*b.within].storage->data() + b.offset, b.bytes);
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
      if (const size_t product = prepared_->productOf[index];
          product < steps_.size() && prepared_->followed[product])
        return;
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
      std::optional<GemmFollower> follower;
      if (const std::optional<Epilogue>& e = prepared_->epilogues[index])
        follower.emplace(e->target(), e->elements(), [&e](const GemmBlock& block) { e->run(block); });
      op.kernel->fill(call);
      prepared_->followed[index] = follower && follower->taken();
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
