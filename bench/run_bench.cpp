// Times running graphs: by the interpreter, and compiled. Wall time, median of some rounds; processor time of
// both threads where what is said of a machine's memory counts.
//
// Exit 1 if a goal is missed.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "importers/fx_text/fx_text.h"
#include "runtime/core/threads.h"
#include "runtime/plan/plan.h"

namespace {

using namespace descry;
using namespace descry::runtime;

bool missed = false;

/// Seconds of one call: the median of `rounds`, after two that do not count.
template <class F>
double seconds(int rounds, F&& f) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int i = -2; i < rounds; ++i) {
    const Clock::time_point start = Clock::now();
    f();
    if (i >= 0) times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + std::ssize(times) / 2, times.end());
  return times[times.size() / 2];
}

void report(const char* what, double value, const char* unit, double goal, bool atLeast) {
  const bool ok = atLeast ? value >= goal : value <= goal;
  missed = missed || !ok;
  std::printf("%-46s %9.2f %-8s goal %s %7.2f  %s\n", what, value, unit, atLeast ? ">=" : "<=", goal,
              ok ? "ok" : "MISSED");
  std::fflush(stdout);
}
void tell(const char* what, double value, const char* unit) {
  std::printf("%-46s %9.2f %s\n", what, value, unit);
  std::fflush(stdout);
}

TensorRef numbers(const Dims& sizes) {
  const TensorRef t = allocate(sizes, DType::F32);
  auto* at = reinterpret_cast<float*>(t->storage->data());
  for (int64_t i = 0; i < productOf(sizes); ++i) at[i] = static_cast<float>(i % 1013) / 1013.0f - 0.4f;
  return t;
}

struct Graph {
  std::shared_ptr<ir::Module> module;
  Machine machine;
  Values inputs;

  Graph(const std::string& parameters, const std::string& body, const std::string& returned, Values given)
      : inputs(std::move(given)) {
    ir::DiagnosticSink sink;
    module = importers::parseFxText("class GraphModule(torch.nn.Module):\n    def forward(self, " +
                                        parameters + "):\n" + body + "        return (" + returned + ",)\n",
                                    {}, sink);
  }
  double compiled(int rounds, int calls = 1) {
    Plan plan(*module, module->root(), machine, {}, inputs);
    return seconds(rounds,
                   [&] {
                     for (int i = 0; i < calls; ++i) plan.run(inputs);
                   }) /
           calls;
  }
  double interpreted(int rounds, int calls = 1) {
    GraphRunner runner(*module, module->root(), machine);
    RunHooks hooks;
    hooks.keepValues = true;
    return seconds(rounds,
                   [&] {
                     for (int i = 0; i < calls; ++i) runner.run(inputs, hooks);
                   }) /
           calls;
  }
};

/// 12 ops that memory bounds.
Graph chain(const Dims& sizes, const std::string& type) {
  const char* ops[] = {"add.Tensor({0}, 0.5)",        "mul.Tensor({0}, 1.25)", "relu.default({0})",
                       "sub.Tensor({0}, y)",          "abs.default({0})",      "mul.Tensor({0}, y)",
                       "clamp_min.default({0}, 0.1)", "neg.default({0})",      "add.Tensor({0}, y)",
                       "mul.Tensor({0}, 0.75)",       "square.default({0})",   "add.Tensor({0}, 0.25)"};
  std::string body, last = "x";
  int n = 0;
  for (const std::string op : ops) {
    std::string call = op;
    call.replace(call.find("{0}"), 3, last);
    last = "v" + std::to_string(n++);
    body += "        " + last + ": \"" + type + "\" = torch.ops.aten." + call + "\n";
  }
  return Graph("x: \"" + type + "\", y: \"" + type + "\"", body, last,
               {Value(numbers(sizes)), Value(numbers(sizes))});
}

/// As many ops on 8x8 tensors, pointwise or products.
Graph smallNodes(int count, bool products) {
  std::string body, last = "x";
  for (int i = 0; i < count; ++i) {
    const std::string name = "v" + std::to_string(i);
    const std::string op = products ? "mm.default(" + last + ", y)"
                           : i % 2  ? "mul.Tensor(" + last + ", y)"
                                    : "add.Tensor(" + last + ", x)";
    body += "        " + name + ": \"f32[8, 8]\" = torch.ops.aten." + op + "\n";
    last = name;
  }
  return Graph("x: \"f32[8, 8]\", y: \"f32[8, 8]\"", body, last,
               {Value(numbers({8, 8})), Value(numbers({8, 8}))});
}

double copyBandwidth(int64_t elements) {
  const TensorRef from = numbers({elements}), to = numbers({elements});
  const View a = viewOf(*to), b = viewOf(*from);
  const double s = seconds(9, [&] {
    parallelFor(0, elements, 1 << 16, [&](int64_t begin, int64_t end) {
      std::memcpy(a.data + begin * 4, b.data + begin * 4, static_cast<size_t>(end - begin) * 4);
    });
  });
  return 8.0 * static_cast<double>(elements) / s * 1e-9;
}

Graph one(const std::string& parameters, const std::string& call, Values inputs) {
  return Graph(parameters, "        r = torch.ops.aten." + call + "\n", "r", std::move(inputs));
}

}  // namespace

int main() {
  std::printf("%d threads\n", threadCount());
  constexpr int64_t kLarge = int64_t{16} << 20;
  const double copy = copyBandwidth(kLarge);
  tell("copy of 16M f32", copy, "GB/s");
  {
    Graph g = chain({kLarge}, "f32[16777216]");
    const double compiled = g.compiled(9);
    report("12-op chain, 16M f32: of the copy bandwidth", 12.0 * kLarge / compiled * 1e-9 / copy * 100, "%",
           85, true);
    tell("  interpreted, times as long", g.interpreted(3) / compiled, "x");
  }
  {
    Graph fused = smallNodes(200, false), products = smallNodes(200, true);
    report("200 pointwise nodes of 8x8, compiled, a node", fused.compiled(41, 20) / 200 * 1e6, "us", 0.3,
           false);
    report("200 pointwise nodes of 8x8, interpreted", fused.interpreted(21, 20) / 200 * 1e6, "us", 1.6,
           false);
    report("200 products of 8x8, compiled", products.compiled(41, 20) / 200 * 1e6, "us", 1.0, false);
    tell("200 products of 8x8, interpreted", products.interpreted(21, 20) / 200 * 1e6, "us");
  }
  const Values square = {Value(numbers({4096, 4096}))};
  const std::string x = "x: \"f32[4096, 4096]\"";
  for (const auto& [what, call] :
       {std::pair<const char*, const char*>{"layer_norm of [4096, 4096]",
                                            "native_layer_norm.default(x, [4096], None, None, 1e-05)"},
        {"softmax of [4096, 4096]", "_softmax.default(x, 1, False)"}}) {
    const double s = one(x, call, square).compiled(7);
    report((std::string(what) + ": of the copy bandwidth").c_str(), 8.0 * kLarge / s * 1e-9 / copy * 100, "%",
           70, true);
  }
  for (const int dim : {0, 1}) {
    const double s = one(x, "sum.dim_IntList(x, [" + std::to_string(dim) + "])", square).compiled(7);
    tell(("sum of [4096, 4096] over " + std::to_string(dim) + ": read").c_str(), 4.0 * kLarge / s * 1e-9,
         "GB/s");
  }
  const Values factors = {Value(numbers({1024, 1024})), Value(numbers({1024, 1024}))};
  const double s =
      one("x: \"f32[1024, 1024]\", y: \"f32[1024, 1024]\"", "mm.default(x, y)", factors).compiled(9);
  tell("matmul of 1024", 2.0 * 1024 * 1024 * 1024 / s * 1e-9, "GFLOP/s");
  return missed ? 1 : 0;
}
