// Times import, printing, copying, common subexpressions and dead code on generated graphs, in processor
// seconds (minimum of some rounds), and CPython's ast.parse on the same text in the same run when python3 is
// there.
//
//   graph_bench [nodes...]        (default 10000 100000 1000000)
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "importers/fx_text/fx_text.h"
#include "ir/text/printer.h"
#include "passes/cleanup/cleanup.h"

namespace {

using namespace descry;

double cpuNow() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double residentBytes() {
  std::ifstream in("/proc/self/statm");
  double size = 0, resident = 0;
  in >> size >> resident;
  return resident * 4096;
}

template <class F>
double best(int rounds, F&& f) {
  double least = 1e9;
  for (int i = 0; i < rounds; ++i) {
    const double from = cpuNow();
    f();
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

double astParseSeconds(const std::string& text) {
  namespace fs = std::filesystem;
  const fs::path file = fs::temp_directory_path() / ("descry_bench_" + std::to_string(::getpid()) + ".py");
  std::ofstream(file) << text;
  const std::string command =
      "python3 -c \"import ast,gc,time;gc.disable();t=open('" + file.string() +
      "').read();a=time.process_time();ast.parse(t);print(time.process_time()-a)\" 2>/dev/null";
  double seconds = -1;
  if (FILE* p = popen(command.c_str(), "r")) {
    if (std::fscanf(p, "%lf", &seconds) != 1) seconds = -1;
    pclose(p);
  }
  fs::remove(file);
  return seconds;
}

void run(int nodes) {
  const std::string text = fxText(nodes);
  const double before = residentBytes();
  double parseSeconds = 0;
  auto module = [&] {
    const double from = cpuNow();
    auto m = parse(text);
    parseSeconds = cpuNow() - from;
    return m;
  }();
  const double after = residentBytes();
  if (nodes <= 200000) parseSeconds = std::min(parseSeconds, best(5, [&] { parse(text); }));
  const ir::Graph& g = module->root();
  const double n = g.size();
  const double mb = static_cast<double>(text.size()) / 1e6;
  std::printf("%d nodes, %.1f MB of text\n", nodes, mb);
  std::printf("  import            %8.1f MB/s  %9.0f nodes/s  %6.0f bytes/node (resident growth)\n",
              mb / parseSeconds, n / parseSeconds, (after - before) / n);
  if (nodes <= 200000) {
    if (const double python = astParseSeconds(text); python > 0)
      std::printf("  ast.parse         %8.1f MB/s  -> import is %.1f times as fast\n", mb / python,
                  python / parseSeconds);
    else
      std::printf("  ast.parse         not measured: no python3\n");
  }
  std::string printed;
  const double print = best(nodes > 200000 ? 1 : 5, [&] { printed = ir::printModule(*module); });
  std::printf("  print             %8.3f us/node\n", print / n * 1e6);
  const double copy = best(5, [&] {
    ir::Graph c = g;
    // A copy that really holds its own nodes: touch one node in every chunk.
    for (uint32_t id = 0; id < c.idBound(); id += 256) c.setSource({id}, {}, false);
  });
  const double snapshot = best(5, [&] { const ir::Graph c = g; });
  std::printf("  copy, all unshared %7.3f us/node;  snapshot %.4f us/node\n", copy / n * 1e6,
              snapshot / n * 1e6);
  const passes::PassContext context{&ir::allOps()};
  const ir::Graph twice = withDuplicates(g);
  const double m = twice.size();
  double cse = 1e9, cseSame = 1e9, dce = 1e9, dceNothing = 1e9;
  uint32_t merged = 0, removed = 0;
  for (int i = 0; i < 3; ++i) {
    ir::Graph a = twice, b = g, c = twice, d = g;
    double from = cpuNow();
    merged = passes::kCse.run(a, context).removed;
    cse = std::min(cse, cpuNow() - from);
    from = cpuNow();
    passes::kCse.run(b, context);
    cseSame = std::min(cseSame, cpuNow() - from);
    from = cpuNow();
    removed = passes::kDce.run(c, context).removed;
    dce = std::min(dce, cpuNow() - from);
    from = cpuNow();
    passes::kDce.run(d, context);
    dceNothing = std::min(dceNothing, cpuNow() - from);
  }
  std::printf("  cse               %8.3f us/node (nothing to merge)  %.3f us/node (%u merged)\n",
              cseSame / n * 1e6, cse / m * 1e6, merged);
  std::printf("  dce               %8.3f us/node (nothing dead)      %.3f us/node (%u dead)\n",
              dceNothing / n * 1e6, dce / m * 1e6, removed);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::max(8, std::atoi(argv[i])));
  if (sizes.empty()) sizes = {10000, 100000, 1000000};
  for (int n : sizes) run(n);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  std::printf("peak resident %.0f MB\n", static_cast<double>(usage.ru_maxrss) / 1024);
}
