// Times the layout on residual networks; with --dot also Graphviz dot on joint graphs, in the same run.
//
//   layout_bench [--dot] [--repeat N]
//
// Prints the median of N runs. `dot -Tplain` runs in a child process that is killed after 60 s.

#include "layout/layout.h"
#include "tests/layout/sample_graphs.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace descry::layout;
using Clock = std::chrono::steady_clock;

constexpr double kDotTimeoutSeconds = 60;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Measured {
  double medianMs = 0;
  Output output;
};

Measured measure(const Input& input, const Options& options, int repeat) {
  std::vector<double> ms;
  Measured result;
  for (int i = 0; i < repeat; ++i) {
    auto start = Clock::now();
    result.output = layoutGraph(input, options);
    ms.push_back(secondsSince(start) * 1e3);
  }
  std::sort(ms.begin(), ms.end());
  result.medianMs = ms[ms.size() / 2];
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
        kind, input.nodes.size(), input.edges.size(), m.medianMs, s.layers, static_cast<long long>(s.dummies),
        static_cast<long long>(s.crossings), static_cast<long long>(s.laneEdges), s.orderingMs,
        s.coordinatesMs, s.routingMs);
    if (n == 100000) std::printf("  100k/10k %.1f", m.medianMs / last);
    std::printf("\n");
    std::fflush(stdout);
    last = m.medianMs;
  }
}

// Seconds that dot took; kDotTimeoutSeconds when it was killed; negative when it could not run.
double timeDot(const Input& input) {
  char path[] = "/tmp/layout_bench_XXXXXX";
  int file = mkstemp(path);
  if (file < 0) return -1;
  std::FILE* out = fdopen(file, "w");
  std::fprintf(out, "digraph g {\n  node [shape=box];\n");
  for (const InputEdge& e : input.edges) std::fprintf(out, "  n%u -> n%u;\n", e.from, e.to);
  std::fprintf(out, "}\n");
  std::fclose(out);

  auto start = Clock::now();
  pid_t child = fork();
  if (child == 0) {
    int null = open("/dev/null", O_WRONLY);
    dup2(null, 1);
    dup2(null, 2);
    execlp("dot", "dot", "-Tplain", path, static_cast<char*>(nullptr));
    _exit(127);
  }
  double seconds = -1;
  while (child > 0) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) {
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) seconds = secondsSince(start);
      break;
    }
    if (secondsSince(start) > kDotTimeoutSeconds) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      seconds = kDotTimeoutSeconds;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  unlink(path);
  return seconds;
}

void compareWithDot(int repeat) {
  for (uint32_t n : {287u, 1002u}) {
    Input input = samples::residualJoint(n, 1);
    double ours = measure(input, {}, repeat).medianMs / 1e3, dot = timeDot(input);
    if (dot < 0) {
      std::printf("dot      %zu-node joint graph: dot could not run\n", input.nodes.size());
      continue;
    }
    bool killed = dot >= kDotTimeoutSeconds;
    std::printf("dot      %zu-node joint graph: dot %s%.2f s, layout %.5f s, ratio %s%.0f\n",
                input.nodes.size(), killed ? "killed after " : "", dot, ours, killed ? "over " : "",
                dot / ours);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool dot = false;
  int repeat = 5;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--dot") == 0) {
      dot = true;
    } else if (std::strcmp(argv[i], "--repeat") == 0 && i + 1 < argc) {
      repeat = std::max(1, std::atoi(argv[++i]));
    } else {
      std::fprintf(stderr, "usage: layout_bench [--dot] [--repeat N]\n");
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
  if (dot) compareWithDot(repeat);
  return 0;
}
