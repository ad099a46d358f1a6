// Runs graphs for a program that times them beside something else: one command a line on standard input, one
// answer a line on standard output. bench/peers/run.py is its user.
//
//   load NAME GRAPH TENSORS   FX text of aten ops, and safetensors by placeholder -> ok ops=N steps=N ...
//   run NAME CALLS            by the plan -> ok SECONDS (of one call)
//   interpret NAME CALLS      node by node, every value kept -> ok SECONDS
//   save NAME WHAT FILE       results of one run (WHAT: plan, interpret) as out.J -> ok
//   peak NAME WHAT            bytes of tensors of one run above those of the inputs -> ok BYTES
//   plan NAME FILE            the plan in words -> ok
//   steps NAME CALLS FILE     how long each step of the plan takes, longest first: median microseconds -> ok
//   copy BYTES CALLS          copies by all threads -> ok SECONDS
//   drop NAME
//
// What fails is answered with `error MESSAGE`; the program goes on.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "importers/fx_text/fx_text.h"
#include "runtime/core/memory.h"
#include "runtime/core/tensor_files.h"
#include "runtime/core/threads.h"
#include "runtime/plan/plan.h"

namespace {

using namespace descry;
using namespace descry::runtime;

struct Fault {
  std::string text;
};

std::string contentsOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Fault{"cannot read " + path};
  std::ostringstream all;
  all << in.rdbuf();
  return std::move(all).str();
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  if (!out.flush()) throw Fault{"cannot write " + path};
}

struct Loaded {
  std::shared_ptr<ir::Module> module;
  Machine machine;
  Values inputs;
  std::unique_ptr<Plan> plan;
  std::unique_ptr<GraphRunner> runner;

  Loaded(const std::string& graph, const std::string& tensors) {
    ir::DiagnosticSink sink;
    module = importers::parseFxText(contentsOf(graph), {}, sink);
    if (!module || sink.errors()) throw Fault{sink.all().empty() ? "no graph" : sink.all()[0].message};
    const ir::Result<TensorFile> file = readSafetensors(contentsOf(tensors));
    if (!file) throw Fault{file.error().message};
    for (const ir::NodeId p : module->root().placeholders()) {
      const TensorRef t = file->find(module->root().nodeName(p));
      if (!t) throw Fault{"no tensor for " + std::string(module->root().nodeName(p))};
      // In memory of the allocator, on huge pages, as PyTorch's inputs are.
      const TensorRef own = allocate(t->meta);
      copyElements(viewOf(*own), viewOf(*t));
      inputs.emplace_back(own);
    }
  }
  void makePlan() {
    if (!plan)
      plan = std::make_unique<Plan>(*module, module->root(), machine,
                                    std::unordered_map<std::string, Value>{}, inputs);
  }
  Values run(bool compiled, bool keep = true) {
    if (compiled) {
      makePlan();
      return plan->run(inputs);
    }
    if (!runner) runner = std::make_unique<GraphRunner>(*module, module->root(), machine);
    RunHooks hooks;
    hooks.keepValues = keep;
    return runner->run(inputs, hooks);
  }
};

template <class F>
std::string timed(int64_t calls, F&& f) {
  const auto start = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < calls; ++i) f();
  const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  char text[40];
  std::snprintf(text, sizeof(text), "%.9f", s / static_cast<double>(calls));
  return text;
}

std::string stepsOf(Loaded& g, int64_t calls) {
  g.makePlan();
  Plan& p = *g.plan;
  std::vector<std::vector<double>> times(p.steps().size());
  p.onStep = [&](size_t step, double seconds) { times[step].push_back(seconds); };
  for (int64_t i = 0; i < calls; ++i) p.run(g.inputs);
  p.onStep = nullptr;
  std::vector<std::pair<double, std::string>> lines;
  for (size_t i = 0; i < times.size(); ++i) {
    std::vector<double>& t = times[i];
    if (t.empty()) continue;
    std::nth_element(t.begin(), t.begin() + std::ssize(t) / 2, t.end());
    const PlanStep& step = p.steps()[i];
    std::string what(stepKindName(step.kind));
    for (const size_t op : step.group.ops) what += " " + p.ops()[op].name();
    for (const Value& v : p.ops()[step.group.ops[0]].args)
      if (v.isTensor()) what += " " + shapesOf({v});
    lines.emplace_back(t[t.size() / 2], what + " -> " + std::string(p.graph().nodeName(step.nodes.back())));
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& x, const auto& y) { return x.first > y.first; });
  std::ostringstream out;
  for (const auto& [seconds, what] : lines) out << std::lround(seconds * 1e6) << "\t" << what << "\n";
  return out.str();
}

struct Bench {
  std::map<std::string, std::unique_ptr<Loaded>> graphs;
  TensorRef from, to;

  Loaded& graph(const std::string& name) {
    const auto at = graphs.find(name);
    if (at == graphs.end()) throw Fault{"no graph " + name + " was loaded"};
    return *at->second;
  }

  std::string copy(int64_t bytes, int64_t calls) {
    if (!from || static_cast<int64_t>(from->storage->bytes()) != bytes) {
      from = allocate(Dims{bytes}, DType::U8);
      to = allocate(Dims{bytes}, DType::U8);
      std::memset(from->storage->data(), 1, static_cast<size_t>(bytes));
    }
    const std::byte* a = from->storage->data();
    std::byte* b = to->storage->data();
    return timed(calls, [&] {
      parallelFor(0, bytes, 1 << 18,
                  [&](int64_t i, int64_t end) { std::memcpy(b + i, a + i, static_cast<size_t>(end - i)); });
    });
  }

  std::string answer(const std::string& line) {
    std::istringstream in(line);
    std::string command, name, a, b;
    in >> command >> name >> a >> b;
    if (command == "load") {
      auto fresh = std::make_unique<Loaded>(a, b);
      fresh->makePlan();
      const Plan& p = *fresh->plan;
      std::string said =
          "ops=" + std::to_string(p.ops().size()) + " steps=" + std::to_string(p.steps().size()) +
          " fallbacks=" + std::to_string(p.fallbacks()) + " inside=" + std::to_string(p.insideBytes()) +
          " whole=" + (p.whole().empty() ? "0" : "1");
      graphs[name] = std::move(fresh);
      return said;
    }
    if (command == "run" || command == "interpret") {
      Loaded& g = graph(name);
      return timed(std::max(1L, std::atol(a.c_str())), [&] { g.run(command == "run"); });
    }
    if (command == "save") {
      TensorFile file;
      const Values out = graph(name).run(a == "plan");
      for (size_t k = 0; k < out.size(); ++k)
        if (out[k].isTensor())
          file.tensors.emplace_back("out." + std::to_string(k), contiguousOf(tensorOf(out[k])));
      write(b, safetensorsBytes(file));
      return {};
    }
    if (command == "peak") {
      Loaded& g = graph(name);
      // Memory of earlier runs does not count.
      g.plan.reset();
      g.runner.reset();
      const uint64_t before = memoryCounts().inUse;
      resetPeak();
      g.run(a == "plan", false);
      const uint64_t peak = memoryCounts().peak;
      return std::to_string(peak - before);
    }
    if (command == "plan") {
      Loaded& g = graph(name);
      g.makePlan();
      write(a, g.plan->text());
      return {};
    }
    if (command == "steps") {
      write(b, stepsOf(graph(name), std::max(1L, std::atol(a.c_str()))));
      return {};
    }
    if (command == "copy") return copy(std::atol(name.c_str()), std::max(1L, std::atol(a.c_str())));
    if (command == "drop") {
      graphs.erase(name);
      from = to = {};
      trimMemory();
      return {};
    }
    throw Fault{"no such command: " + command};
  }
};

}  // namespace

int main() {
  Bench bench;
  for (std::string line; std::getline(std::cin, line);) {
    std::string said;
    try {
      said = bench.answer(line);
      said = said.empty() ? "ok" : "ok " + said;
    } catch (const Fault& e) {
      said = "error " + e.text;
    } catch (const std::exception& e) {
      said = std::string("error ") + e.what();
    }
    std::cout << said << std::endl;
  }
}
