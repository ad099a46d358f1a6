// Times the layout on residual networks and transformers; with --dot also Graphviz dot on the same joint
// graphs in the same run.
//
//   layout_bench [--repeat N] [--dot [FILE...]]
//
// Prints the least time of N runs, exit 1 if a goal is missed. `dot -Tplain` runs in a child process that is
// killed after 60 s of processor time, on joint graphs that grow until it is killed, and on the joint graph
// of each FILE.

#include "bench/clock.h"
#include "importers/common/importer.h"
#include "layout/layout.h"
#include "tests/layout/sample_graphs.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using descry::bench::cpuNow;

using namespace descry::layout;
constexpr int kDotSeconds = 60;
constexpr double kTimesDot = 100;                   // goal: so many times as fast as dot
constexpr double kMost10k = 500, kMost100k = 6000;  // goals in ms
// From 10,000 to 100,000 nodes. Linear is 10; caches that no longer hold the graph may add half as much
// again.
constexpr double kMostGrowth = 15;

bool missed = false;

const char* verdict(bool ok) {
  missed = missed || !ok;
  return ok ? "ok" : "MISSED";
}

struct Measured {
  double ms = 0;
  Output output;
};

Measured measure(const Input& input, const Options& options, int repeat) {
  Measured result{1e9, {}};
  for (int i = 0; i < repeat; ++i) {
    const double start = cpuNow();
    Output output = layoutGraph(input, options);
    result.ms = std::min(result.ms, (cpuNow() - start) * 1e3);
    result.output = std::move(output);
  }
  return result;
}

void report(const char* kind, Input (*make)(uint32_t, uint32_t), const Options& options, int repeat) {
  double last = 0;
  for (uint32_t n : {1000u, 10000u, 100000u}) {
    Input input = make(n, 1);
    Measured m = measure(input, options, repeat);
    const Stats& s = m.output.stats;
    std::printf(
        "%-8s %7zu nodes %7zu edges %9.2f ms  layers %6d  dummies %7lld  crossings %7lld  lanes %6lld"
        "  (order %.1f, x %.1f, routes %.1f)",
        kind, input.nodes.size(), input.edges.size(), m.ms, s.layers, static_cast<long long>(s.dummies),
        static_cast<long long>(s.crossings), static_cast<long long>(s.laneEdges), s.orderingMs,
        s.coordinatesMs, s.routingMs);
    std::printf("\n");
    if (n == 10000)
      std::printf("%-8s goal: 10,000 nodes in at most %.0f ms  %s\n", kind, kMost10k,
                  verdict(m.ms <= kMost10k));
    if (n == 100000) {
      std::printf("%-8s goal: 100,000 nodes in at most %.0f ms  %s\n", kind, kMost100k,
                  verdict(m.ms <= kMost100k));
      std::printf("%-8s 100,000 nodes take %.1f times as long as 10,000; goal: at most %.0f  %s\n", kind,
                  m.ms / last, kMostGrowth, verdict(m.ms / last <= kMostGrowth));
    }
    std::fflush(stdout);
    last = m.ms;
  }
}

// Processor seconds that dot took; kDotSeconds when it was killed; negative when it could not run.
double timeDot(const Input& input) {
  char path[] = "/tmp/layout_bench_XXXXXX";
  int file = mkstemp(path);
  if (file < 0) return -1;
  std::FILE* out = fdopen(file, "w");
  std::fprintf(out, "digraph g {\n  node [shape=box, fixedsize=true, label=\"\"];\n");
  for (size_t v = 0; v < input.nodes.size(); ++v)
    std::fprintf(out, "  n%zu [width=%.3f, height=%.3f];\n", v, input.nodes[v].size.w / 72,
                 input.nodes[v].size.h / 72);
  for (const InputEdge& e : input.edges) std::fprintf(out, "  n%u -> n%u;\n", e.from, e.to);
  std::fprintf(out, "}\n");
  std::fclose(out);

  pid_t child = fork();
  if (child == 0) {
    int null = open("/dev/null", O_WRONLY);
    dup2(null, 1);
    dup2(null, 2);
    const rlimit limit{kDotSeconds, kDotSeconds};
    setrlimit(RLIMIT_CPU, &limit);
    execlp("dot", "dot", "-Tplain", path, static_cast<char*>(nullptr));
    _exit(127);
  }
  double seconds = -1;
  int status = 0;
  rusage use{};
  if (child > 0 && wait4(child, &status, 0, &use) == child) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      seconds = static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
    else if (WIFSIGNALED(status))
      seconds = kDotSeconds;
  }
  unlink(path);
  return seconds;
}

/// False when dot was killed: it will not end on larger graphs either.
bool compareWithDot(const std::string& what, const Input& input, int repeat) {
  const double ours = measure(input, {}, repeat).ms / 1e3, dot = timeDot(input);
  if (dot < 0) {
    std::printf("dot      %s: dot could not run\n", what.c_str());
    return false;
  }
  const bool killed = dot >= kDotSeconds;
  std::printf(
      "dot      %s, %zu nodes, %zu edges: dot %s%.2f s, layout %.5f s, ratio %s%.0f; goal: at least %.0f  "
      "%s\n",
      what.c_str(), input.nodes.size(), input.edges.size(), killed ? "killed after " : "", dot, ours,
      killed ? "over " : "", dot / ours, kTimesDot, verdict(dot / ours >= kTimesDot));
  std::fflush(stdout);
  return !killed;
}

/// Boxes and edges of the first joint graph of a file, else of its first graph.
bool readGraph(const char* path, Input& input) {
  namespace importers = descry::importers;
  namespace ir = descry::ir;
  const auto opened = importers::openInput(path);
  if (!opened) return false;
  const auto& entries = (*opened)->graphs();
  size_t which = 0;
  while (which < entries.size() && entries[which].kind.find("joint") == std::string::npos) ++which;
  if (which == entries.size()) which = 0;
  if (entries.empty()) return false;
  ir::DiagnosticSink sink;
  const auto module = (*opened)->load(which, sink);
  if (!module || !*module) return false;
  const ir::Graph& g = (*module)->root();
  std::vector<uint32_t> at(g.idBound(), 0);
  for (ir::NodeId id : g.nodes()) {
    at[id.index] = samples::addNode(input, Phase::None, -1, 30 + 7 * double(g.nodeName(id).size()));
    for (ir::NodeId from : g.inputs(id)) samples::addEdge(input, at[from.index], at[id.index]);
  }
  return true;
}

void compareWithDot(const std::vector<const char*>& files, int repeat) {
  for (const char* file : files) {
    Input input;
    if (readGraph(file, input))
      compareWithDot(file, input, repeat);
    else
      std::printf("dot      %s: holds no graph that can be read\n", file);
  }
  for (uint32_t n : {50u, 100u, 150u, 200u, 287u, 400u, 600u, 1002u})
    if (!compareWithDot("made joint graph", samples::residualJoint(n, 1), repeat)) break;
}

}  // namespace

int main(int argc, char** argv) {
  bool dot = false;
  int repeat = 5;
  std::vector<const char*> files;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--dot") == 0) {
      dot = true;
    } else if (dot && argv[i][0] != '-') {
      files.push_back(argv[i]);
    } else if (std::strcmp(argv[i], "--repeat") == 0 && i + 1 < argc) {
      repeat = std::max(1, std::atoi(argv[++i]));
    } else {
      std::fprintf(stderr, "usage: layout_bench [--repeat N] [--dot [FILE...]]\n");
      return 2;
    }
  }
  Options joint;
  joint.jointU = true;
  report("forward", samples::residualForward, {}, repeat);
  report("joint", samples::residualJoint, {}, repeat);
  report("joint-u", samples::residualJoint, joint, repeat);
  auto blocks = [](uint32_t n, uint32_t) { return samples::transformerJoint(n / 78, true); };
  report("groups", blocks, {}, repeat);
  report("groups-u", blocks, joint, repeat);
  if (dot) compareWithDot(files, repeat);
  return missed ? 1 : 0;
}
