#include "session/run_bench.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "runtime/core/memory.h"
#include "runtime/interpreter/graph_runner.h"
#include "runtime/plan/plan.h"
#include "session/run_setup.h"

namespace descry::session {

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Timer {
 public:
  Timer(const RunSetup& setup, const BenchRequest& request, const std::string& executor)
      : setup_(setup), request_(request), machine_(request.run.ops ? *request.run.ops : ir::allOps()) {
    row_.executor = executor;
    machine_.cancelled = request.run.cancelled;
  }

  BenchRow timed() {
    runtime::resetPeak();
    const auto attributes = setup_.attributes(machine_);
    RunSetup::Given given = setup_.given();
    machine_.generator.seed(request_.run.seed);
    const Clock::time_point start = Clock::now();
    if (row_.executor == "compiled") {
      plan_ = std::make_unique<runtime::Plan>(*setup_.module(), setup_.root(), machine_, attributes,
                                              given.values);
      plan_->run(given.values);
    } else {
      runner_ = std::make_unique<runtime::GraphRunner>(*setup_.module(), setup_.root(), machine_);
      for (const auto& [name, value] : attributes) runner_->setAttribute(name, value);
      runner_->run(given.values);
    }
    row_.first = since(start);
    row_.peakBytes = runtime::memoryCounts().peak;
    for (unsigned r = 0; r < request_.warmUp; ++r) once();
    std::vector<double> whole;
    const Clock::time_point begin = Clock::now();
    while (request_.runs ? whole.size() < request_.runs
                         : whole.size() < 5 || (since(begin) < request_.seconds && whole.size() < 100000)) {
      whole.push_back(once());
      if (request_.progress) request_.progress(row_.executor, static_cast<unsigned>(whole.size()));
    }
    row_.whole = quartilesOf(std::move(whole));
    return row_;
  }

 private:
  double once() {
    const RunSetup::Given given = setup_.given();
    machine_.generator.seed(request_.run.seed);
    const Clock::time_point start = Clock::now();
    if (plan_)
      plan_->run(given.values);
    else
      runner_->run(given.values);
    return since(start);
  }

  const RunSetup& setup_;
  const BenchRequest& request_;
  runtime::Machine machine_;
  std::unique_ptr<runtime::Plan> plan_;
  std::unique_ptr<runtime::GraphRunner> runner_;
  BenchRow row_;
};

/// Node by node (step by step) on the same inputs: what each part takes, and what all of them move.
void addParts(const std::shared_ptr<RunSetup>& setup, const BenchRequest& request,
              const runtime::MachineRoof& roof, BenchRow& row) {
  RunRequest asked = request.run;
  asked.executor = row.executor;
  asked.time = true;
  asked.runs = static_cast<unsigned>(std::clamp<size_t>(row.whole.runs, 1, 50));
  ir::Result<RunPtr> run = runSetup(setup, asked);
  if (!run) {
    row.failure = run.error();
    return;
  }
  if ((*run)->failure) {
    row.failure = (*run)->failure;
    return;
  }
  const RunProfile profile = profileOf(**run, roof);
  row.clocked = profile.whole;
  row.sum = profile.sum;
  row.between = profile.between;
  row.parts = profile.rows.size();
  bool known = !profile.rows.empty();
  double least = 0;
  for (const ProfileRow& p : profile.rows) {
    known = known && p.cost.flops;
    row.knownFlops += p.cost.flops.value_or(0);
    row.bytes += p.cost.bytes;
    least += p.share * p.time.median;
  }
  if (known) row.flops = row.knownFlops;
  if (!(row.whole.median > 0)) return;
  row.gflops = static_cast<double>(row.knownFlops) / row.whole.median / 1e9;
  row.gbytes = static_cast<double>(row.bytes) / row.whole.median / 1e9;
  row.share = least / row.whole.median;
}

}  // namespace

ir::Result<Bench> benchGraph(const Document& document, const LoadedGraphPtr& graph,
                             const BenchRequest& request) {
  Bench out;
  out.graph = graph;
  out.roof = runtime::measureRoof(0.6, request.run.cancelled);  // with memory that is not the graph's
  const MemoryLimit limit(request.run.memoryCap);
  for (const std::string& executor : request.executors) {
    if (executor != "interpret" && executor != "compiled")
      return ir::failure("no-executor", "there is no executor `" + executor + "`");
    BenchRow row;
    row.executor = executor;
    RunRequest asked = request.run;
    asked.executor = executor;
    ir::Result<std::shared_ptr<RunSetup>> setup = RunSetup::make(document, graph, asked);
    if (!setup) return setup.error();
    if (out.assumed.empty()) out.assumed = (*setup)->assumed();
    try {
      row = Timer(**setup, request, executor).timed();
      addParts(*setup, request, out.roof, row);
    } catch (const runtime::RunFailure& e) {
      row.failure = (*setup)->failure(e);
    } catch (const runtime::EvalError& e) {
      row.failure = (*setup)->failure(e.code, e.what());
    } catch (const std::bad_alloc&) {
      row.failure = (*setup)->failure("out-of-memory", "the system has no more memory");
    }
    if (row.failure && row.failure->code == "cancelled") return *row.failure;
    out.rows.push_back(std::move(row));
  }
  return out;
}

}  // namespace descry::session
