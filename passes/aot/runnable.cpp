// The graph that is run: the program on inputs of known sizes, and its tape backwards where that is asked
// for.
#include "passes/aot/runnable.h"

#include <map>

#include "ir/ops/eval/strides.h"
#include "passes/aot/boundary.h"
#include "passes/aot/hop.h"
#include "passes/aot/stages.h"

namespace descry::passes {

namespace {

class RunTrace {
 public:
  RunTrace(const ir::Module& module, const ir::Graph& captured, const std::vector<RunnableInput>& inputs,
           const CapturedFacts& facts, const RunnableOptions& options)
      : program_(module, captured),
        inputs_(inputs),
        facts_(facts),
        options_(options),
        backward_(options.backward),
        functional_(options.functional) {
    out_.module = std::make_shared<ir::Module>(captured.contextPtr());
    out_.module->addGraph("run");
  }

  Runnable run() {
    ir::Graph& graph = out_.module->root();
    Tracer tracer(options_.ops ? *options_.ops : ir::allOps(), graph, Decompositions::None);
    tracer_ = &tracer;
    tracer.cancelled = options_.cancelled;
    const auto token = [&tracer] {
      return tracer.inner(
          tracer.emit("torch.ops.prims._make_token.default", {}, {}, tracer.typeOf(tokenMeta())),
          tokenMeta());
    };
    startHigherOrder(tracer, token, true, facts_, options_.unknownOps);
    // Ops run in the order in which they stand: nothing else has to keep effects in order.
    tracer.effects = {};
    tracer.unbacked = facts_.unbacked;
    tracer.autocast = facts_.autocast;
    tracer.keepWrites = !functional_;
    // What was captured under no_grad is differentiated when that is asked for.
    tracer.gradMode = backward_;
    tracer.gradModeFixed = !backward_;

    const Values passed = placeInputs();
    tracer.lazyNumbers = false;
    const Values outputs = program_.run(tracer, passed);
    tracer.lazyNumbers = true;
    const uint32_t forwardNodes = graph.idBound();
    for (size_t j = 0; j < outputs.size(); ++j) addResult({RunnableSlot::Output, j}, outputs[j]);
    if (backward_) addGradients(outputs);
    addContents(passed);

    graph.setOutput(ir::Argument::tuple(std::move(arguments_)));
    dropDead(graph, tracer.ops());
    graph.style.className = "run";
    graph.style.signature = ir::SignatureForm::Expanded;
    graph.style.returnForm = ir::ReturnForm::OnePerLine;
    out_.origins.resize(graph.idBound());
    out_.backward.resize(graph.idBound());
    for (uint32_t i = 0; i < graph.idBound(); ++i) {
      if (i < tracer.facts.size()) out_.origins[i] = ir::NodeId{tracer.facts[i].origin};
      out_.backward[i] = backward_ && i >= forwardNodes && graph.contains({i}) &&
                         graph.node({i}).op != ir::OpKind::Placeholder && i >= backwardFrom_;
    }
    out_.literals = std::move(tracer.literals);
    overlaps_ = tracer.overlappingWrites;
    for (const auto& [op, what] : tracer.higherOrder->assumed) out_.assumed.push_back(what);
    adoptSubgraphs(*out_.module, *tracer.higherOrder);
    return std::move(out_);
  }
  /// Some write cannot be told without writes.
  bool overlaps() const { return overlaps_; }

 private:
  TensorRef place(const std::string& name, const Meta& meta, bool requiresGrad) {
    ir::Graph& graph = tracer_->graph();
    const ir::NodeId node = graph.addPlaceholder(graph.str(tracer_->freshName(name)), tracer_->typeOf(meta));
    if (tracer_->facts.size() <= node.index) tracer_->facts.resize(node.index + 1);
    return tracer_->input(node, meta, requiresGrad);
  }

  /// What the program gets. Writes to an input that is no leaf are differentiated, so it is a copy of one.
  Values placeInputs() {
    Tracer& tracer = *tracer_;
    const std::vector<ir::NodeId> placeholders = program_.graph().placeholders();
    std::unordered_map<size_t, std::vector<size_t>> owners;
    for (size_t i = 0; i < inputs_.size(); ++i)
      if (inputs_[i].meta) owners[inputs_[i].storage].push_back(i);
    Values passed(inputs_.size());
    leaves_.resize(inputs_.size());
    std::vector<std::pair<size_t, TensorRef>> copies;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const RunnableInput& in = inputs_[i];
      if (!in.meta) {
        passed[i] = in.number;
        continue;
      }
      const std::vector<size_t>& own = owners[in.storage];
      const bool grad = backward_ && in.requiresGrad;
      if (own.size() == 1) {
        leaves_[i] =
            place(i < placeholders.size() ? std::string(program_.graph().nodeName(placeholders[i])) : "x",
                  *in.meta, grad);
        out_.inputs.push_back({RunnableSlot::Input, i});
        passed[i] = Value(leaves_[i]);
        if (grad && !in.isLeaf) copies.emplace_back(i, leaves_[i]);
        continue;
      }
      if (memories_.count(in.storage)) continue;
      Memory& memory = memories_[in.storage];
      Int last = 0;
      for (const size_t k : own) {
        const Meta& m = *inputs_[k].meta;
        if (m.dtype != in.meta->dtype)
          throw EvalError("alias-dtype", "inputs that share memory have different dtypes");
        Int end = m.offset + Int(1);
        for (size_t d = 0; d < m.sizes.size(); ++d) end = end + (m.sizes[d] - Int(1)) * m.strides[d];
        if (m.numel() == Int(0)) end = m.offset;
        last = maxOf(last, end);
        memory.requiresGrad = memory.requiresGrad || (backward_ && inputs_[k].requiresGrad);
      }
      Meta flat;
      flat.dtype = in.meta->dtype;
      flat.device = in.meta->device;
      flat.sizes = {maxOf(last, Int(in.storageElements))};
      flat.strides = {1};
      memory.leaf = memory.base = place("storage_" + std::to_string(in.storage), flat, memory.requiresGrad);
      out_.inputs.push_back({RunnableSlot::Storage, in.storage});
    }
    // Placeholders stand first.
    copies_.resize(inputs_.size());
    memoryBefore_.resize(inputs_.size());
    for (const auto& [i, leaf] : copies) {
      passed[i] = tracer.op("clone", {Value(leaf)});
      copies_[i] = passed[i].meta();
    }
    for (auto& [storage, memory] : memories_) {
      if (memory.requiresGrad) memory.base = TensorRef(tensorIn(tracer.op("clone", {Value(memory.leaf)})));
      for (const size_t k : owners[storage]) {
        const RunnableInput& in = inputs_[k];
        Value from(memory.base);
        if (memory.requiresGrad && !in.requiresGrad) from = tracer.op("detach", {from});
        memory.before = memory.base->value->memory;
        passed[k] = tracer.op("as_strided",
                              {from, Value(in.meta->sizes), Value(in.meta->strides), Value(in.meta->offset)});
      }
    }
    for (size_t i = 0; i < inputs_.size(); ++i)
      if (Tensor* t = tensorIn(passed[i])) memoryBefore_[i] = t->value->memory;
    return passed;
  }

  void addResult(RunnableSlot slot, const Value& v) {
    Tensor* t = tensorIn(v);
    if (t && t->isWrapper()) {
      // The plain tensors that it holds, each by itself.
      for (const auto& [attribute, piece] : t->extras->pieces) {
        RunnableSlot part = slot;
        part.piece += "." + attribute;
        addResult(std::move(part), Value(piece));
      }
      return;
    }
    arguments_.push_back(t ? ir::Argument(tracer_->innerOf(TensorRef(t))->node) : argumentOf(*tracer_, v));
    out_.results.push_back(std::move(slot));
  }

  /// What is written to inputs: where writes stay in the graph, only that of inputs that were copied.
  void addContents(const Values& passed) {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      Tensor* t = inputs_[i].meta && leaves_[i] ? tensorIn(passed[i]) : nullptr;
      if (!t) continue;
      const bool other = t->storageChanged || t->dataReplaced;
      // Calls that return the new contents of what they write (auto_functionalized) leave the memory alone.
      const bool replaced = t->value->memory != memoryBefore_[i];
      if (!functional_ && !copies_[i] && !other && !replaced) continue;
      if (functional_) {
        tracer_->sync(*t);
        if (!other && t->storage->mutations == 0) continue;
      }
      // A copy may lie in another order than the input that it stands for.
      const bool asBefore = copies_[i] && sameLayout(*copies_[i], t->meta);
      addResult({RunnableSlot::Contents, i, asBefore ? *inputs_[i].meta : t->meta, other},
                Value(TensorRef(t)));
    }
    for (auto& [storage, memory] : memories_) {
      if (functional_) {
        tracer_->sync(*memory.base);
        if (memory.base->storage->mutations == 0) continue;
      } else if (memory.base == memory.leaf && memory.base->value->memory == memory.before) {
        continue;
      }
      addResult({RunnableSlot::StorageContents, storage}, Value(memory.base));
    }
  }

  void addGradients(const Values& outputs) {
    Tracer& tracer = *tracer_;
    std::vector<TensorRef> outs;
    Values incoming;
    for (size_t j = 0; j < outputs.size(); ++j) {
      Tensor* t = tensorIn(outputs[j]);
      if (!t || !tracer.requiresGrad(*t) || !differentiable(t->meta.dtype)) continue;
      // A view that was taken under no_grad counts as one that requires a gradient, and has no history.
      if (!tracer.gradFn(*t) &&
          std::none_of(leaves_.begin(), leaves_.end(), [&](const TensorRef& l) { return l.get() == t; }))
        continue;
      Meta m = t->meta;
      m.strides = ir::eval::contiguousStrides(m.sizes);
      m.offset = 0;
      m.conj = m.neg = false;
      outs.emplace_back(t);
      incoming.emplace_back(place("tangent_" + std::to_string(j), m, false));
      out_.inputs.push_back({RunnableSlot::Tangent, j});
    }
    std::vector<TensorRef> wanted;
    std::vector<RunnableSlot> slots;
    for (size_t i = 0; i < inputs_.size(); ++i)
      if (leaves_[i] && inputs_[i].requiresGrad) {
        wanted.push_back(leaves_[i]);
        slots.push_back({RunnableSlot::Gradient, i});
      }
    for (auto& [storage, memory] : memories_)
      if (memory.requiresGrad) {
        wanted.push_back(memory.leaf);
        slots.push_back({RunnableSlot::StorageGradient, storage});
      }
    backwardFrom_ = tracer.graph().idBound();
    if (outs.empty() || wanted.empty())
      throw EvalError("no-gradient-asked", "no output depends on an input that requires a gradient");
    tracer.phase = Phase::Backward;
    tracer.gradMode = false;
    const Values found = tracer.backward(outs, incoming, wanted);
    for (size_t k = 0; k < found.size(); ++k)
      if (found[k].isTensor()) addResult(slots[k], found[k]);
  }

  /// Memory of several inputs.
  struct Memory {
    TensorRef leaf, base;
    bool requiresGrad = false;
    uint64_t before = 0;  ///< which memory the graph knows it by at first
  };

  Program program_;
  const std::vector<RunnableInput>& inputs_;
  const CapturedFacts& facts_;
  const RunnableOptions& options_;
  bool backward_, functional_, overlaps_ = false;
  Runnable out_;
  Tracer* tracer_ = nullptr;
  std::vector<std::optional<Meta>> copies_;  ///< by input that was copied: how the copy lies
  std::vector<uint64_t> memoryBefore_;       ///< by input
  std::vector<TensorRef> leaves_;            ///< by input; null for numbers and shared memory
  std::map<size_t, Memory> memories_;
  std::vector<ir::Argument> arguments_;
  uint32_t backwardFrom_ = 0;
};

}  // namespace

ir::Result<Runnable> makeRunnable(const ir::Module& module, const ir::Graph& captured,
                                  const std::vector<RunnableInput>& inputs, const CapturedFacts& facts,
                                  const RunnableOptions& options) {
  Runnable out;
  const ir::Status done = guarded(captured, [&] {
    RunTrace trace(module, captured, inputs, facts, options);
    out = trace.run();
    if (!options.functional || !trace.overlaps()) return;
    RunnableOptions withWrites = options;
    withWrites.functional = false;
    out = RunTrace(module, captured, inputs, facts, withWrites).run();
    out.assumed.push_back(
        "a write overlaps in part with what it reads: the graph is run with its writes, as eager PyTorch "
        "does");
  });
  if (!done) return done.error();
  return out;
}

}  // namespace descry::passes
