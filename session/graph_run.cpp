#include "session/graph_run.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "ir/ops/eval/builtins.h"
#include "passes/aot/program.h"
#include "passes/aot/runnable.h"
#include "runtime/core/memory.h"
#include "runtime/interpreter/graph_runner.h"
#include "runtime/plan/plan.h"
#include "session/aot_run.h"
#include "session/pass_run.h"
#include "session/run_recorder.h"
#include "session/value_text.h"

namespace descry::session {

using ir::eval::Meta;
using passes::RunnableSlot;
using runtime::EvalError;
using runtime::TensorRef;
using runtime::Value;

namespace {

TensorRef flatMemory(const runtime::Tensor& t) {
  Meta m;
  m.dtype = t.meta.dtype;
  m.sizes = {static_cast<int64_t>(t.storage->bytes()) / runtime::itemBytes(m.dtype)};
  m.strides = {1};
  return runtime::viewInto(t, m);
}

bool sameBytes(const runtime::Tensor& a, const runtime::Tensor& b) {
  const runtime::View x = runtime::viewOf(a), y = runtime::viewOf(b);
  return x.sizes == y.sizes && x.dtype == y.dtype &&
         (x.numel() == 0 ||
          std::memcmp(x.data, y.data, static_cast<size_t>(x.numel() * runtime::itemBytes(x.dtype))) == 0);
}

double medianOf(std::vector<double> v) {
  if (v.empty()) return 0;
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

class Runner {
 public:
  Runner(const LoadedGraphPtr& graph, const RunRequest& request, passes::CapturedFacts facts,
         RunInputs inputs)
      : graph_(graph), request_(request), facts_(std::move(facts)), given_(std::move(inputs)) {
    run_ = std::make_shared<Run>();
    run_->graph = graph;
    run_->assumed = given_.assumed;
  }

  ir::Result<RunPtr> run() {
    const bool traced = request_.backward || aotGraphKind(*graph_).empty();
    if (traced) {
      if (ir::Status s = trace(); !s) return s.error();
    } else {
      run_->module = graph_->module;
      root_ = graph_->graph;
      for (size_t i = 0; i < given_.values.size(); ++i) slots_.push_back({RunnableSlot::Input, i});
    }
    const RunInputs before = given_;
    given_ = copyOf(given_);
    runtime::Machine machine(request_.ops ? *request_.ops : ir::allOps());
    machine.generator.seed(request_.seed);
    machine.cancelled = request_.cancelled;
    machine.print = [this](std::string text) { run_->printed.push_back(std::move(text)); };
    if (ir::Status s = knowsWhereToEnd(); !s) return s.error();
    try {
      std::unordered_map<std::string, Value> attributes;
      for (const auto& [name, data] : literals_) {
        ir::eval::Values parts = {data, {}, {}};
        const ir::Type* type = attributeType(name);
        if (type) parts[1] = Value::dtype(type->tensor.dtype);
        Value made;
        machine.special("torch.tensor", parts, made);
        attributes[name] = made;
      }
      for (const auto& [name, tensor] : given_.attributes) attributes[name] = Value(tensor);
      const runtime::Values inputs = graphInputs();
      if (compiled()) {
        runPlan(machine, attributes, inputs, before);
        return finished();
      }
      runtime::GraphRunner runner(*run_->module, *root_, machine);
      for (const auto& [name, value] : attributes) runner.setAttribute(name, value);
      runtime::RunHooks hooks;
      hooks.time = request_.time;
      const size_t all = root_->size() * (request_.time ? std::max(request_.runs, 1u) : 1);
      RunRecorder recorder(*run_, request_, *root_);
      hooks.onNode = [&](ir::NodeId node, const Value& v, double seconds) {
        recorder.node(node, v, seconds);
        if (request_.progress) request_.progress(run_->nodes.size(), all);
      };
      bool reached = isInput(request_.upTo);
      if (!request_.upTo.empty())
        hooks.goOn = [&](ir::NodeId node) {
          // A node of the file may have become several, one behind the other.
          const bool asked = isAsked(node);
          if (reached && !asked) return run_->ended = false;
          reached = reached || asked;
          return true;
        };
      const std::vector<ir::NodeId> placeholders = root_->placeholders();
      for (size_t i = 0; i < inputs.size() && i < placeholders.size(); ++i)
        recorder.input(placeholders[i], inputs[i]);
      runtime::resetPeak();
      const auto start = std::chrono::steady_clock::now();
      const runtime::Values outputs = runner.run(inputs, hooks);
      run_->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      run_->peakBytes = runtime::memoryCounts().peak;
      if (run_->ended) {
        collect(outputs, before);
        recorder.end(outputs, resultNames(outputs.size()));
      }
      if (request_.time && run_->ended) measure(runner, machine, before);
    } catch (const runtime::RunFailure& e) {
      fail(e);
    } catch (const EvalError& e) {
      run_->failure = ir::failure(e.code, e.what(), graph_->documentPath);
    } catch (const std::bad_alloc&) {
      run_->failure = ir::failure("out-of-memory", "the system has no more memory", graph_->documentPath);
    }
    return finished();
  }

 private:
  /// The same run again, for its times alone.
  void measure(runtime::GraphRunner& runner, runtime::Machine& machine, const RunInputs& before) {
    for (NodeRun& n : run_->nodes) n.times = {n.seconds};
    run_->times = {run_->seconds};
    for (unsigned r = 1; r < request_.runs; ++r) {
      given_ = copyOf(before);
      machine.generator.seed(request_.seed);
      machine.print = nullptr;
      const runtime::Values inputs = graphInputs();
      size_t k = 0;
      runtime::RunHooks hooks;
      hooks.time = true;
      hooks.onNode = [&](ir::NodeId, const Value&, double seconds) {
        if (k < run_->nodes.size()) run_->nodes[k++].times.push_back(seconds);
        if (request_.progress) request_.progress(root_->size() * r + k, root_->size() * request_.runs);
      };
      const auto start = std::chrono::steady_clock::now();
      runner.run(inputs, hooks);
      run_->times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    for (NodeRun& n : run_->nodes) n.seconds = medianOf(n.times);
    run_->seconds = medianOf(run_->times);
  }

  bool compiled() const { return request_.executor == "compiled"; }

  RunPtr finished() {
    if (run_->failure) run_->failure->graph = graph_->entry.id;
    return run_;
  }

  void runPlan(runtime::Machine& machine, const std::unordered_map<std::string, Value>& attributes,
               const runtime::Values& inputs, const RunInputs& before) {
    runtime::resetPeak();
    runtime::Plan plan(*run_->module, *root_, machine, attributes, inputs);
    RunPlan& told = run_->plan.emplace();
    told.steps = plan.steps().size();
    told.loops =
        static_cast<size_t>(std::count_if(plan.steps().begin(), plan.steps().end(),
                                          [](const auto& s) { return s.kind == runtime::PlanStep::Loop; }));
    told.fallbacks = plan.fallbacks();
    told.insideBytes = plan.insideBytes();
    told.bytesWithoutReuse = plan.bytesWithoutReuse();
    told.resultBytes = plan.outputBytes();
    told.text = plan.text();
    const auto start = std::chrono::steady_clock::now();
    const runtime::Values outputs = plan.run(inputs);
    run_->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    run_->peakBytes = runtime::memoryCounts().peak;
    collect(outputs, before);
  }

  ir::Status trace() {
    passes::RunnableOptions options;
    options.backward = request_.backward;
    options.functional = compiled();
    options.ops = request_.ops;
    options.unknownOps = request_.unknownOps;
    options.cancelled = request_.cancelled;
    ir::Result<passes::Runnable> made =
        passes::makeRunnable(*graph_->module, *graph_->graph, given_.kinds, facts_, options);
    if (!made) {
      ir::Diagnostic d = made.error();
      if (d.file.empty()) d.file = graph_->documentPath;
      d.graph = graph_->entry.id;
      return d;
    }
    run_->module = made->module;
    root_ = &made->module->root();
    run_->origins = std::move(made->origins);
    run_->backward = std::move(made->backward);
    run_->assumed.insert(run_->assumed.end(), made->assumed.begin(), made->assumed.end());
    slots_ = std::move(made->inputs);
    resultSlots_ = std::move(made->results);
    literals_ = std::move(made->literals);
    return {};
  }

  const ir::Type* attributeType(std::string_view attribute) const {
    for (const ir::Graph& g : run_->module->graphs)
      for (const ir::NodeId id : g.nodes())
        if (g.node(id).op == ir::OpKind::GetAttr && g.target(id) == attribute &&
            g.type(id).kind == ir::TypeKind::Tensor)
          return &g.type(id);
    return nullptr;
  }

  bool isInput(std::string_view name) const {
    for (const ir::Graph* g : {root_, graph_->graph})
      for (const ir::NodeId id : g->placeholders())
        if (!name.empty() && g->nodeName(id) == name) return true;
    return false;
  }

  /// A node to end at that there is not would mean a run to the end.
  ir::Status knowsWhereToEnd() const {
    if (request_.upTo.empty() || isInput(request_.upTo)) return {};
    for (const ir::NodeId id : root_->nodes())
      if (isAsked(id)) return {};
    std::vector<std::pair<size_t, std::string>> near;
    bool there = false;
    for (const ir::NodeId id : graph_->graph->nodes()) {
      const std::string name(graph_->graph->nodeName(id));
      there = there || name == request_.upTo;
      // Names alike have much of their beginning in common, or hold one another.
      const size_t same = static_cast<size_t>(
          std::mismatch(name.begin(), name.end(), request_.upTo.begin(), request_.upTo.end()).first -
          name.begin());
      const bool holds =
          name.find(request_.upTo) != std::string::npos || request_.upTo.find(name) != std::string::npos;
      if (holds || same * 2 > std::max(name.size(), request_.upTo.size()))
        near.emplace_back(holds ? 0 : 1, name);
    }
    std::stable_sort(near.begin(), near.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string message = there ? "nothing that runs comes from the node `" + request_.upTo + "`"
                                : "the graph has no node `" + request_.upTo + "`";
    for (size_t i = 0; !there && i < near.size() && i < 3; ++i)
      message += (i ? ", `" : "; near it are `") + near[i].second + "`";
    ir::Diagnostic d = ir::failure("unknown-node", message, graph_->documentPath);
    d.graph = graph_->entry.id;
    return d;
  }

  bool isAsked(ir::NodeId node) const {
    if (root_->nodeName(node) == request_.upTo) return true;
    if (node.index >= run_->origins.size() || !run_->origins[node.index].valid()) return false;
    return graph_->graph->contains(run_->origins[node.index]) &&
           graph_->graph->nodeName(run_->origins[node.index]) == request_.upTo;
  }

  /// The tangent of an output, as the gradient that arrives: that of the real part of <output, tangent>.
  Value tangentOf(size_t output, const ir::TensorType& type) {
    const auto given = given_.tangents.find(output);
    if (given != given_.tangents.end()) {
      const TensorRef t = runtime::contiguousOf(given->second, type.dtype);
      const ir::eval::Ints& sizes = t->meta.sizes;
      bool fits = sizes.size() == type.shape.size();
      for (size_t d = 0; fits && d < sizes.size(); ++d)
        fits = type.shape[d].symbolic() || type.shape[d].value == sizes[d].value;
      if (!fits)
        throw EvalError("input-mismatch", "tangent." + std::to_string(output) +
                                              " does not have the sizes of its output: " + type.text());
      if (!ir::dtypeInfo(type.dtype).complex) return Value(t);
      const TensorRef turned = runtime::viewInto(*t, t->meta);
      turned->meta.conj = true;
      return Value(runtime::resolved(turned));
    }
    runtime::Dims sizes;
    for (const ir::Dim& d : type.shape) {
      if (d.symbolic())
        throw EvalError("missing-input", "the size " + d.str() + " of output " + std::to_string(output) +
                                             " depends on data: tangent." + std::to_string(output) +
                                             " has to be given");
      sizes.push_back(d.value);
    }
    const TensorRef made = runtime::allocate(sizes, type.dtype);
    runtime::fillElements(runtime::viewOf(*made), Value(1));
    return Value(made);
  }

  runtime::Values graphInputs() {
    runtime::Values out;
    const std::vector<ir::NodeId> placeholders = root_->placeholders();
    for (size_t k = 0; k < slots_.size(); ++k) {
      const RunnableSlot& s = slots_[k];
      if (s.kind == RunnableSlot::Input)
        out.push_back(given_.values.at(s.index));
      else if (s.kind == RunnableSlot::Storage)
        out.emplace_back(given_.memories.at(s.index));
      else
        out.push_back(tangentOf(s.index, root_->type(placeholders.at(k)).tensor));
    }
    return out;
  }

  void add(std::string name, const Value& v, std::string meaning) {
    RunValue r;
    r.name = std::move(name);
    r.meaning = std::move(meaning);
    if (v.isTensor())
      r.tensor = settledCopy(v);
    else
      r.text = ir::eval::textOf(v);
    run_->results.push_back(std::move(r));
  }

  std::string inputName(size_t i) const {
    const std::vector<ir::NodeId> p = graph_->graph->placeholders();
    return i < p.size() ? std::string(graph_->graph->nodeName(p[i])) : std::to_string(i);
  }

  RunnableSlot slotOf(size_t result) const {
    return resultSlots_.empty() ? RunnableSlot{RunnableSlot::Output, result} : resultSlots_.at(result);
  }

  /// `out.0`; memory has the name of its storage.
  std::string resultName(const RunnableSlot& slot) const {
    switch (slot.kind) {
      case RunnableSlot::Output:
        return "out." + std::to_string(slot.index) + slot.piece;
      case RunnableSlot::Gradient:
        return "grad." + std::to_string(slot.index) + slot.piece;
      case RunnableSlot::StorageGradient:
        return "grad_storage." + std::to_string(slot.index);
      case RunnableSlot::StorageContents:
        return "after." + std::to_string(slot.index);
      case RunnableSlot::Contents:
        return "after." + std::to_string(given_.kinds.at(slot.index).storage);
      default:
        return {};
    }
  }
  std::vector<std::string> resultNames(size_t n) const {
    std::vector<std::string> out;
    for (size_t j = 0; j < n; ++j) out.push_back(resultName(slotOf(j)));
    return out;
  }

  void collect(const runtime::Values& outputs, const RunInputs& before) {
    std::map<size_t, TensorRef> after;
    for (size_t j = 0; j < outputs.size(); ++j) {
      const RunnableSlot slot = slotOf(j);
      switch (slot.kind) {
        case RunnableSlot::Output:
          add(resultName(slot), outputs[j], {});
          break;
        case RunnableSlot::Gradient:
          add(resultName(slot), outputs[j], "gradient of " + inputName(slot.index));
          break;
        case RunnableSlot::StorageGradient:
          add(resultName(slot), outputs[j], "gradient of the memory that inputs share");
          break;
        case RunnableSlot::StorageContents:
          after[slot.index] = settledCopy(outputs[j]);
          break;
        case RunnableSlot::Contents: {
          const size_t storage = given_.kinds.at(slot.index).storage;
          const runtime::Dims now(runtime::tensorOf(outputs[j])->meta.sizes);
          if (slot.otherMemory || !(now == runtime::Dims(slot.meta->sizes))) {  // or it was resized
            after[storage] = flatMemory(*settledCopy(outputs[j]));
            break;
          }
          TensorRef memory = runtime::copyOf(runtime::viewOf(*before.memories.at(storage)),
                                             before.memories.at(storage)->meta.dtype);
          const size_t needed = runtime::endBytes(*slot.meta);
          if (memory->storage->bytes() < needed) {
            memory->storage->resize(needed);
            memory = flatMemory(*memory);
          }
          runtime::copyElements(runtime::viewOf(*runtime::viewInto(*memory, *slot.meta)),
                                runtime::viewOf(*runtime::resolved(runtime::tensorOf(outputs[j]))));
          after[storage] = memory;
          break;
        }
        default:
          break;
      }
    }
    // Where writes stayed in the graph the memory of the inputs has them.
    for (size_t i = 0; i < given_.kinds.size(); ++i) {
      if (!given_.kinds[i].meta || after.count(given_.kinds[i].storage)) continue;
      const TensorRef now = runtime::tensorOf(given_.values[i]);
      const TensorRef flat = flatMemory(*now);
      if (!sameBytes(*flat, *flatMemory(*before.memories.at(given_.kinds[i].storage))))
        after[given_.kinds[i].storage] = flat;
    }
    for (const auto& [storage, tensor] : after) {
      if (sameBytes(*tensor, *flatMemory(*before.memories.at(storage)))) continue;
      std::string names;
      for (size_t i = 0; i < given_.kinds.size(); ++i)
        if (given_.kinds[i].meta && given_.kinds[i].storage == storage)
          names += (names.empty() ? "" : ", ") + inputName(i);
      add("after." + std::to_string(storage), Value(tensor), "memory of " + names + ", which was written");
    }
  }

  void fail(const runtime::RunFailure& e) {
    ir::Diagnostic d = ir::failure(e.code, e.what(), graph_->documentPath);
    d.node = e.nodeName;
    if (!e.arguments.empty()) d.message += " (called with " + e.arguments + ")";
    ir::NodeId at = e.inRoot ? e.node : ir::NodeId{};
    if (!run_->origins.empty() && at.valid()) {
      at = at.index < run_->origins.size() ? run_->origins[at.index] : ir::NodeId{};
      if (at.valid() && graph_->graph->contains(at) && graph_->graph->nodeName(at) != e.nodeName)
        d.node = std::string(graph_->graph->nodeName(at)) + " (" + e.nodeName + ")";
    }
    if (at.valid() && graph_->graph->contains(at)) {
      d.loc.line = graph_->graph->node(at).line;
      d.loc.column = graph_->graph->node(at).column;
    }
    d.message = d.node + ": " + d.message;
    run_->failure = std::move(d);
  }

  LoadedGraphPtr graph_;
  const RunRequest& request_;
  passes::CapturedFacts facts_;
  RunInputs given_;
  std::shared_ptr<Run> run_;
  const ir::Graph* root_ = nullptr;
  std::vector<RunnableSlot> slots_, resultSlots_;
  std::unordered_map<std::string, Value> literals_;
};

}  // namespace

std::string graphToRun(const Document& document) {
  for (const importers::GraphEntry& e : document.input().graphs())
    if (e.kind == "dynamo_output_graph") return e.id;
  return {};
}

ir::Result<RunPtr> runGraph(const Document& document, const LoadedGraphPtr& graph,
                            const RunRequest& request) {
  if (request.executor != "interpret" && request.executor != "compiled")
    return ir::failure("no-executor", "there is no executor `" + request.executor + "`");
  if (request.executor == "compiled" && (request.keepValues || !request.upTo.empty()))
    return ir::failure("no-executor",
                       "the compiled executor keeps no values of nodes and does not stop at one: the "
                       "executor `interpret` does");
  if (const std::string kind = aotGraphKind(*graph);
      request.backward && (kind == "joint" || kind == "backward")) {
    ir::Diagnostic d = ir::failure(
        "bad-request", "the " + kind + " graph computes gradients already: they are among its results",
        graph->documentPath);
    d.graph = graph->entry.id;
    return d;
  }
  // Without a cap the system itself would end the program, whatever else it does.
  runtime::setMemoryCap(request.memoryCap ? request.memoryCap : runtime::availableMemory());
  struct Uncap {
    ~Uncap() { runtime::setMemoryCap(0); }
  } uncap;
  try {
    passes::CapturedFacts facts = capturedFacts(document, *graph);
    ir::Result<RunInputs> inputs = runInputs(*graph, facts, request.inputs);
    if (!inputs) return inputs.error();
    return Runner(graph, request, std::move(facts), std::move(*inputs)).run();
  } catch (const EvalError& e) {
    return ir::failure(e.code, e.what(), graph->documentPath);
  }
}

std::string resultBytes(const Run& run) {
  runtime::TensorFile file;
  for (const RunValue& v : run.results)
    if (v.tensor) file.tensors.emplace_back(v.name, v.tensor);
  return runtime::safetensorsBytes(file);
}

}  // namespace descry::session
