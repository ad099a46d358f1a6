// Times import, printing, copying, common subexpressions and dead code on graphs, in processor seconds (least
// of some rounds). scripts/bench_peers.py compares its figures with those of other programs on the same text.
//
//   graph_bench [NODES...]        made graphs (default 10000 100000 1000000)
//   graph_bench --json FILE       FX text from a file; prints one JSON object, times in seconds
//
// Exit 1 if a goal is missed.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/clock.h"
#include "importers/fx_text/fx_text.h"
#include "ir/text/printer.h"
#include "passes/cleanup/cleanup.h"

namespace {

using namespace descry;
using bench::cpuNow;

double residentBytes() {
  std::ifstream in("/proc/self/statm");
  double size = 0, resident = 0;
  in >> size >> resident;
  return resident * 4096;
}

bool missed = false;

/// The least time that `f` took. What it returns is destroyed outside the measured time.
template <class F>
double best(int rounds, F&& f) {
  double least = 1e9;
  for (int i = 0; i < rounds; ++i) {
    const double from = cpuNow();
    const auto result = f();
    least = std::min(least, cpuNow() - from);
  }
  return least;
}

/// Layers of mm, add, relu, view as print_readable writes a graph: types, deletions, one comment a layer.
std::string fxText(int nodes) {
  std::string out =
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, primals_1: \"f32[8, 16][16, 1]cpu\", primals_2: \"f32[16, 16][16, 1]cpu\", "
      "primals_3: \"f32[16][1]cpu\"):\n";
  std::string prev = "primals_1";
  const std::string type = ": \"f32[8, 16][16, 1]cpu\" = torch.ops.aten.";
  for (int i = 0, k = 3; k < nodes; ++i, k += 4) {
    const std::string s = i ? "_" + std::to_string(i) : "";
    out += "        # File: model.py:" + std::to_string(40 + i % 400) +
           " in forward, code: x = torch.relu(x @ self.w + self.b).view(8, 16)\n";
    out += "        mm" + s + type + "mm.default(" + prev + ", primals_2)" +
           (i ? ";  " + prev + " = None" : "") + "\n";
    out += "        add" + s + type + "add.Tensor(mm" + s + ", primals_3);  mm" + s + " = None\n";
    out += "        relu" + s + type + "relu.default(add" + s + ");  add" + s + " = None\n";
    out += "        view" + s + type + "view.default(relu" + s + ", [8, 16]);  relu" + s + " = None\n";
    prev = "view" + s;
  }
  return out + "        return (" + prev + ",)\n";
}

std::shared_ptr<ir::Module> parse(const std::string& text) {
  ir::DiagnosticSink sink;
  auto module = importers::parseFxText(text, {}, sink);
  if (sink.errors() + sink.warnings()) {
    std::fprintf(stderr, "%s\n", sink.all()[0].text().c_str());
    std::exit(1);
  }
  return module;
}

/// Every second call stands twice; the second time nobody reads it.
ir::Graph withDuplicates(const ir::Graph& from) {
  ir::Graph g = from;
  std::vector<ir::NodeId> calls;
  for (ir::NodeId id : g.nodes())
    if (g.node(id).op == ir::OpKind::CallFunction && id.index % 2) calls.push_back(id);
  for (ir::NodeId id : calls) {
    ir::Graph::NodeSpec spec;
    spec.target = g.target(id);
    for (uint32_t i = 0; i < g.argCount(id); ++i) spec.args.push_back(g.toArgument(g.arg(id, i)));
    g.add(spec, g.next(id));
  }
  return g;
}

/// Copies of `g` that share no storage with it, chunk for chunk, as fast as chunks can be copied.
class DeepCopy {
 public:
  explicit DeepCopy(const ir::Graph& g) : from_(g) {
    // Storage is unshared by writing to it. Nodes can be written in place; of the cells those can that refer
    // to a node: its readers are moved to the output, which nobody reads, and back. A value with few readers
    // in every chunk of cells will do.
    std::vector<uint32_t> least;
    for (ir::NodeId id : g.nodes()) {
      const uint32_t uses = g.useCount(id);
      if (!uses) continue;
      const uint32_t chunk = g.node(id).firstUse / kCellsTouched;
      if (chunk >= least.size()) {
        least.resize(chunk + 1, UINT32_MAX);
        read_.resize(chunk + 1);
      }
      if (uses >= least[chunk]) continue;
      least[chunk] = uses;
      read_[chunk] = id;
    }
    if (ir::Graph copy = (*this)(); copy.ownBytes() != copy.bytes()) {
      std::fprintf(stderr, "graph_bench: the copy still shares %zu of %zu bytes\n",
                   copy.bytes() - copy.ownBytes(), copy.bytes());
      std::exit(1);
    }
  }
  ir::Graph operator()() const {
    ir::Graph copy = from_;
    for (uint32_t i = 0; i < copy.idBound(); i += kNodesTouched) copy.edit({i});
    for (ir::NodeId id : read_) {
      if (!id.valid()) continue;
      copy.replaceAllUses(id, copy.output());
      copy.replaceAllUses(copy.output(), id);
    }
    return copy;
  }

 private:
  static constexpr uint32_t kNodesTouched = 64, kCellsTouched = 128;
  const ir::Graph& from_;
  std::vector<ir::NodeId> read_;
};

/// What is measured on one text. Times are processor seconds, the least of some rounds.
struct Figures {
  double nodes = 0, megabytes = 0, bytesPerNode = 0;
  double import = 0, print = 0, copy = 0, snapshot = 0, cse = 0, dce = 0;
  uint32_t merged = 0, dead = 0;
};

/// Times the two passes. Merging makes a new graph, as torch.fx's does, so its time holds the snapshot; dead
/// nodes are removed in place, in a graph that shares nothing.
void timePasses(const ir::Graph& g, int rounds, Figures& out) {
  const passes::PassContext context{&ir::allOps()};
  const DeepCopy deepCopy(g);
  out.cse = out.dce = 1e9;
  for (int i = 0; i < rounds; ++i) {
    ir::Graph own = deepCopy();
    double from = cpuNow();
    out.dead = passes::kDce.run(own, context).removed;
    out.dce = std::min(out.dce, cpuNow() - from);
    from = cpuNow();
    ir::Graph merged = g;
    out.merged = passes::kCse.run(merged, context).removed;
    out.cse = std::min(out.cse, cpuNow() - from);
  }
}

Figures measure(const std::string& text, std::shared_ptr<ir::Module>& module) {
  Figures f;
  f.megabytes = static_cast<double>(text.size()) / 1e6;
  const double before = residentBytes();
  f.import = best(1, [&] { return module = parse(text); });
  const ir::Graph& g = module->root();
  f.nodes = g.size();
  f.bytesPerNode = (residentBytes() - before) / f.nodes;
  const int rounds = f.nodes <= 20000 ? 20 : f.nodes <= 200000 ? 5 : 2;
  f.import = std::min(f.import, best(rounds, [&] { return parse(text); }));
  f.print = best(rounds, [&] { return ir::printModule(*module); });
  const DeepCopy deepCopy(g);
  f.copy = best(rounds, deepCopy);
  f.snapshot = best(rounds, [&] { return ir::Graph(g); });
  timePasses(g, rounds, f);
  return f;
}

/// Prints a figure next to its goal, and remembers a miss.
void judge(const char* what, double value, const char* unit, double goal, bool atLeast) {
  const bool ok = atLeast ? value >= goal : value <= goal;
  missed = missed || !ok;
  std::printf("  %-28s %10.3f %-8s goal: at %s %g  %s\n", what, value, unit, atLeast ? "least" : "most", goal,
              ok ? "ok" : "MISSED");
}

void run(int nodes) {
  const std::string text = fxText(nodes);
  std::shared_ptr<ir::Module> module;
  const Figures f = measure(text, module);
  const auto row = [&](const char* what, double seconds, double of) {
    std::printf("  %-28s %10.4f us/node\n", what, seconds / of * 1e6);
  };
  std::printf("%.0f nodes, %.1f MB of text\n", f.nodes, f.megabytes);
  std::printf("  %-28s %10.1f MB/s     %.0f nodes/s\n", "import", f.megabytes / f.import, f.nodes / f.import);
  judge("memory (resident growth)", f.bytesPerNode, "bytes", 500, false);
  row("import", f.import, f.nodes);
  row("print", f.print, f.nodes);
  row("copy that shares nothing", f.copy, f.nodes);
  row("snapshot", f.snapshot, f.nodes);
  row("cse, nothing to merge", f.cse, f.nodes);
  row("dce, nothing dead", f.dce, f.nodes);
  Figures t;
  const ir::Graph twice = withDuplicates(module->root());
  timePasses(twice, 3, t);
  row(("cse, " + std::to_string(t.merged) + " merged").c_str(), t.cse, twice.size());
  row(("dce, " + std::to_string(t.dead) + " dead").c_str(), t.dce, twice.size());
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  std::printf("  %-28s %10.0f MiB\n", "peak resident", static_cast<double>(usage.ru_maxrss) / 1024);
}

int runFile(const char* path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "graph_bench: cannot read %s\n", path);
    return 2;
  }
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::shared_ptr<ir::Module> module;
  const Figures f = measure(text, module);
  std::printf(
      "{\"nodes\": %.0f, \"megabytes\": %.6f, \"bytes_per_node\": %.1f, \"import\": %.9f, \"print\": %.9f, "
      "\"copy\": %.9f, \"snapshot\": %.9f, \"cse\": %.9f, \"merged\": %u, \"dce\": %.9f, \"dead\": %u}\n",
      f.nodes, f.megabytes, f.bytesPerNode, f.import, f.print, f.copy, f.snapshot, f.cse, f.merged, f.dce,
      f.dead);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--json") return runFile(argv[2]);
  std::vector<int> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::max(8, std::atoi(argv[i])));
  if (sizes.empty()) sizes = {10000, 100000, 1000000};
  // Each size in a process of its own: memory that an earlier one gave back would be used again uncounted.
  bool ok = true;
  for (int n : sizes) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      run(n);
      std::exit(missed ? 1 : 0);
    }
    int status = 1;
    ok = child > 0 && waitpid(child, &status, 0) == child && status == 0 && ok;
  }
  return ok ? 0 : 1;
}
