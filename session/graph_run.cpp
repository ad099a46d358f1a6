#include "session/graph_run.h"

#include <algorithm>
#include <chrono>

#include "ir/ops/eval/flops.h"
#include "runtime/core/memory.h"
#include "runtime/interpreter/graph_runner.h"
#include "runtime/plan/plan.h"
#include "session/run_recorder.h"
#include "session/run_setup.h"

namespace descry::session {

using runtime::EvalError;
using runtime::Value;

namespace {

class Runner {
 public:
  Runner(std::shared_ptr<RunSetup> setup, const RunRequest& request)
      : setup_(std::move(setup)), request_(request), graph_(setup_->graph()), root_(&setup_->root()) {
    run_ = std::make_shared<Run>();
    run_->graph = graph_;
    run_->module = setup_->module();
    run_->origins = setup_->origins();
    run_->backward = setup_->backward();
    run_->assumed = setup_->assumed();
  }

  ir::Result<RunPtr> run() {
    runtime::Machine machine(request_.ops ? *request_.ops : ir::allOps());
    machine.generator.seed(request_.seed);
    machine.cancelled = request_.cancelled;
    machine.print = [this](std::string text) { run_->printed.push_back(std::move(text)); };
    if (ir::Status s = knowsWhereToEnd(); !s) return s.error();
    try {
      const auto attributes = setup_->attributes(machine);
      const RunSetup::Given given = setup_->given();
      const runtime::Values& inputs = given.values;
      if (compiled()) {
        runPlan(machine, attributes, given);
        return RunPtr(run_);
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
        run_->results = setup_->results(outputs, given);
        recorder.end(outputs, setup_->resultNames());
      }
      if (request_.time && run_->ended) measure(runner, machine);
    } catch (const runtime::RunFailure& e) {
      run_->failure = setup_->failure(e);
    } catch (const EvalError& e) {
      run_->failure = setup_->failure(e.code, e.what());
    } catch (const std::bad_alloc&) {
      run_->failure = setup_->failure("out-of-memory", "the system has no more memory");
    }
    return RunPtr(run_);
  }

 private:
  /// The same run again, for its times alone.
  void measure(runtime::GraphRunner& runner, runtime::Machine& machine) {
    for (NodeRun& n : run_->nodes) n.times = {n.seconds};
    run_->times = {run_->seconds};
    for (unsigned r = 1; r < request_.runs; ++r) {
      const RunSetup::Given given = setup_->given();
      machine.generator.seed(request_.seed);
      machine.print = nullptr;
      size_t k = 0;
      runtime::RunHooks hooks;
      hooks.time = true;
      hooks.onNode = [&](ir::NodeId, const Value&, double seconds) {
        if (k < run_->nodes.size()) run_->nodes[k++].times.push_back(seconds);
        if (request_.progress) request_.progress(root_->size() * r + k, root_->size() * request_.runs);
      };
      const auto start = std::chrono::steady_clock::now();
      runner.run(given.values, hooks);
      run_->times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    for (NodeRun& n : run_->nodes) n.seconds = medianOf(n.times);
    run_->seconds = medianOf(run_->times);
  }

  bool compiled() const { return request_.executor == "compiled"; }

  void runPlan(runtime::Machine& machine, const std::unordered_map<std::string, Value>& attributes,
               const RunSetup::Given& given) {
    const runtime::Values& inputs = given.values;
    std::vector<ir::NodeId> looked;
    const ir::Module* module = run_->module.get();
    const ir::Graph* graph = root_;
    std::unique_ptr<ir::Module> observed;
    if (request_.keepValues || request_.statistics || request_.hashes || !request_.upTo.empty()) {
      observed = withResults(looked);
      module = observed.get();
      graph = &module->graphs[static_cast<size_t>(root_ - run_->module->graphs.data())];
    }
    using Clock = std::chrono::steady_clock;
    const auto seconds = [](Clock::time_point since) {
      return std::chrono::duration<double>(Clock::now() - since).count();
    };
    runtime::resetPeak();
    const Clock::time_point planned = Clock::now();
    runtime::Plan plan(*module, *graph, machine, attributes, inputs);
    RunPlan& told = run_->plan.emplace();
    told.planning = seconds(planned);
    told.steps = plan.steps().size();
    told.loops =
        static_cast<size_t>(std::count_if(plan.steps().begin(), plan.steps().end(),
                                          [](const auto& s) { return s.kind == runtime::PlanStep::Loop; }));
    told.fallbacks = plan.fallbacks();
    told.insideBytes = plan.insideBytes();
    told.bytesWithoutReuse = plan.bytesWithoutReuse();
    told.resultBytes = plan.outputBytes();
    told.text = plan.text();
    const Clock::time_point start = Clock::now();
    runtime::Values outputs = plan.run(inputs);
    run_->seconds = seconds(start);
    run_->times = {run_->seconds};
    run_->peakBytes = runtime::memoryCounts().peak;
    if (observed) {
      RunRecorder recorder(*run_, request_, *root_);
      const std::vector<ir::NodeId> placeholders = root_->placeholders();
      for (size_t i = 0; i < inputs.size() && i < placeholders.size(); ++i)
        recorder.input(placeholders[i], inputs[i]);
      const size_t own = outputs.size() - looked.size();
      for (size_t i = 0; i < looked.size(); ++i) recorder.node(looked[i], outputs[own + i], 0);
      outputs.resize(own);
      run_->ended = request_.upTo.empty();
      if (run_->ended) recorder.end(outputs, setup_->resultNames());
    }
    if (run_->ended) run_->results = setup_->results(outputs, given);
    if (request_.time) timeSteps(machine, plan);
  }

  /// The graph with the values that are asked for as results, behind its own.
  std::unique_ptr<ir::Module> withResults(std::vector<ir::NodeId>& looked) const {
    auto made = std::make_unique<ir::Module>(*run_->module);
    ir::Graph& g = made->graphs[static_cast<size_t>(root_ - run_->module->graphs.data())];
    std::vector<ir::Argument> results;
    if (request_.upTo.empty())
      for (const ir::ArgView& v : root_->outputs()) results.push_back(root_->toArgument(v));
    bool reached = isInput(request_.upTo);
    for (const ir::NodeId id : root_->nodes()) {
      const ir::OpKind op = root_->node(id).op;
      if (op == ir::OpKind::Placeholder || op == ir::OpKind::Output) continue;
      const bool asked = !request_.upTo.empty() && isAsked(id);
      if (reached && !asked && !request_.upTo.empty()) break;
      reached = reached || asked;
      if (root_->type(id).kind != ir::TypeKind::Tensor || !keepsNode(id)) continue;
      looked.push_back(id);
      results.emplace_back(id);
    }
    g.setOutput(ir::Argument::tuple(std::move(results)));
    return made;
  }

  bool keepsNode(ir::NodeId id) const {
    if (request_.keepNodes.empty() || request_.statistics || request_.hashes) return true;
    const ir::NodeId origin = setup_->originOf(id);
    return std::any_of(request_.keepNodes.begin(), request_.keepNodes.end(), [&](const std::string& name) {
      return root_->nodeName(id) == name || (origin.valid() && graph_->graph->nodeName(origin) == name);
    });
  }

  void timeSteps(runtime::Machine& machine, runtime::Plan& plan) {
    RunPlan& told = *run_->plan;
    for (const runtime::PlanStep& step : plan.steps()) {
      PlanStepRun& t = told.timed.emplace_back();
      const runtime::PlannedOp& first = plan.ops()[step.group.ops.at(0)];
      t.text = runtime::stepKindName(step.kind);
      if (step.kind == runtime::PlanStep::Loop)
        t.text += " over " + runtime::shapesOf({Value(first.results.at(0))});
      else if (step.kind != runtime::PlanStep::Node)
        t.text += " " + first.name();
      t.nodes = step.nodes;
      for (const std::vector<size_t>* list : {&step.reads, &step.writes})
        for (const size_t b : *list)
          if (plan.buffers()[b].kind != runtime::PlanBuffer::Register)
            t.bytes += static_cast<int64_t>(plan.buffers()[b].bytes);
      t.flops = 0;
      for (const size_t o : step.group.ops) {
        const runtime::PlannedOp& op = plan.ops()[o];
        if (!op.op) {
          if (op.kind == runtime::PlannedOp::Node) t.flops.reset();
          continue;
        }
        runtime::Values results;
        for (const runtime::TensorRef& r : op.results) {
          results.push_back(r ? Value(r) : Value());
          t.wide = t.wide ||
                   (r && runtime::elementBytes(r->meta.dtype) == 8 && ir::dtypeInfo(r->meta.dtype).floating);
        }
        const std::optional<int64_t> flops = ir::eval::flopsOf(
            machine.rules(), *op.op, op.args, results.size() == 1 ? results[0] : Value(results));
        if (t.flops && flops)
          *t.flops += *flops;
        else
          t.flops.reset();
      }
    }
    plan.onStep = [&](size_t step, double took) { told.timed[step].times.push_back(took); };
    run_->times.clear();  // the first one found its memory, and looked at no clock
    for (unsigned r = 0; r < std::max(request_.runs, 1u); ++r) {
      machine.generator.seed(request_.seed);
      machine.print = nullptr;
      const RunSetup::Given again = setup_->given();
      const auto start = std::chrono::steady_clock::now();
      plan.run(again.values);
      run_->times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      if (request_.progress) request_.progress(r + 1, request_.runs);
    }
    plan.onStep = nullptr;
    run_->seconds = medianOf(run_->times);
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
    return setup_->failure("unknown-node", message);
  }

  bool isAsked(ir::NodeId node) const {
    if (root_->nodeName(node) == request_.upTo) return true;
    const ir::NodeId origin = setup_->originOf(node);
    return origin.valid() && graph_->graph->nodeName(origin) == request_.upTo;
  }

  std::shared_ptr<RunSetup> setup_;
  const RunRequest& request_;
  LoadedGraphPtr graph_;
  const ir::Graph* root_;
  std::shared_ptr<Run> run_;
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
  const MemoryLimit limit(request.memoryCap);
  ir::Result<std::shared_ptr<RunSetup>> setup = RunSetup::make(document, graph, request);
  if (!setup) return setup.error();
  return runSetup(std::move(*setup), request);
}

ir::Result<RunPtr> runSetup(std::shared_ptr<RunSetup> setup, const RunRequest& request) {
  try {
    return Runner(setup, request).run();
  } catch (const EvalError& e) {
    return setup->failure(e.code, e.what());
  }
}

std::string resultBytes(const Run& run) {
  runtime::TensorFile file;
  for (const RunValue& v : run.results)
    if (v.tensor) file.tensors.emplace_back(v.name, v.tensor);
  return runtime::safetensorsBytes(file);
}

}  // namespace descry::session
