// Times AOT autograd from the captured graph to forward and backward, in processor seconds (least of some
// rounds), with the memory at its peak.
//
//   aot_bench [NODES...]        joint nodes (default 1000 10000 100000)
//   aot_bench --json FILE       a captured graph as FX text: one line of JSON, for comparisons
//
// Models: `mlp`, linear layers and relu; `transformer`, attention blocks. Parameters require gradients.
// Exit 1 if a goal is missed.
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "bench/clock.h"
#include "importers/fx_text/fx_text.h"
#include "passes/aot/aot.h"
#include "passes/aot/partition_input.h"

namespace {

using namespace descry;
using bench::cpuNow;

double peakMegabytes() {
  rusage u{};
  getrusage(RUSAGE_SELF, &u);
  return static_cast<double>(u.ru_maxrss) / 1024;
}

/// A captured graph as text, as dynamo prints it.
class Text {
 public:
  /// The first is the data, the others are parameters.
  std::string input(const char* type) {
    const std::string name = inputs_ == 0 ? "l_x_" : "l_parameters_" + std::to_string(inputs_) + "_";
    ++inputs_;
    parameters_ += (parameters_.empty() ? "" : ", ") + name + ": \"" + type + "\"";
    return name;
  }
  std::string call(const char* type, const std::string& expression) {
    const std::string name = "v" + std::to_string(values_++);
    body_ += "        " + name + ": \"" + type + "\" = " + expression + "\n";
    return name;
  }
  std::string finish(const std::string& result) const {
    return "class GraphModule(torch.nn.Module):\n    def forward(self, " + parameters_ + "):\n" + body_ +
           "        return (" + result + ",)\n";
  }

 private:
  std::string parameters_, body_;
  int inputs_ = 0, values_ = 0;
};

std::string mlp(int layers) {
  Text t;
  const char* type = "f32[8, 16][16, 1]cpu";
  std::string x = t.input(type);
  for (int i = 0; i < layers; ++i) {
    const std::string w = t.input("f32[16, 16][16, 1]cpu"), b = t.input("f32[16][1]cpu");
    x = t.call(type, "torch._C._nn.linear(" + x + ", " + w + ", " + b + ")");
    x = t.call(type, "torch.relu(" + x + ")");
  }
  return t.finish(x);
}

std::string transformer(int blocks) {
  Text t;
  const char* type = "f32[2, 8, 32][256, 32, 1]cpu";
  std::string x = t.input(type);
  const auto linear = [&](const std::string& v, int in, int out) {
    const std::string o = std::to_string(out), i = std::to_string(in);
    const std::string w = t.input(("f32[" + o + ", " + i + "][" + i + ", 1]cpu").c_str());
    const std::string b = t.input(("f32[" + o + "][1]cpu").c_str());
    return t.call(("f32[2, 8, " + o + "][" + std::to_string(8 * out) + ", " + o + ", 1]cpu").c_str(),
                  "torch._C._nn.linear(" + v + ", " + w + ", " + b + ")");
  };
  const auto norm = [&](const std::string& v) {
    const std::string w = t.input("f32[32][1]cpu"), b = t.input("f32[32][1]cpu");
    return t.call(type, "torch.nn.functional.layer_norm(" + v + ", (32,), " + w + ", " + b + ", 1e-05)");
  };
  for (int k = 0; k < blocks; ++k) {
    std::string qkv = linear(norm(x), 32, 96);
    qkv = t.call("f32[2, 8, 3, 4, 8][768, 96, 32, 8, 1]cpu", qkv + ".view(2, 8, 3, 4, 8)");
    qkv = t.call("f32[3, 2, 4, 8, 8][32, 768, 8, 96, 1]cpu", qkv + ".permute(2, 0, 3, 1, 4)");
    const std::string parts = t.call("f32[2, 4, 8, 8][768, 8, 96, 1]cpu", qkv + ".unbind(0)");
    std::string qkvs[3];
    for (int i = 0; i < 3; ++i)
      qkvs[i] = t.call("f32[2, 4, 8, 8][768, 8, 96, 1]cpu", parts + "[" + std::to_string(i) + "]");
    std::string a = t.call("f32[2, 4, 8, 8][768, 8, 1, 96]cpu", qkvs[1] + ".transpose(-1, -2)");
    const char* square = "f32[2, 4, 8, 8][256, 64, 8, 1]cpu";
    a = t.call(square, qkvs[0] + " @ " + a);
    a = t.call(square, a + " / 2.8284271247461903");
    a = t.call(square, "torch.softmax(" + a + ", -1)");
    a = t.call(square, a + " @ " + qkvs[2]);
    a = t.call("f32[2, 8, 4, 8][256, 8, 64, 1]cpu", a + ".transpose(1, 2)");
    a = t.call(type, a + ".reshape(2, 8, 32)");
    x = t.call(type, x + " + " + linear(a, 32, 32));
    const std::string up = linear(norm(x), 32, 128);
    const std::string g =
        t.call("f32[2, 8, 128][1024, 128, 1]cpu", "torch._C._nn.gelu(" + up + ", approximate = 'none')");
    x = t.call(type, x + " + " + linear(g, 128, 32));
  }
  return t.finish(x);
}

struct Measured {
  uint32_t nodes = 0;
  size_t saved = 0;
  double joint = 1e9, partition = 1e9;  ///< seconds
};

Measured measure(const std::string& text, int rounds) {
  ir::DiagnosticSink sink;
  const std::shared_ptr<ir::Module> captured = importers::parseFxText(text, {}, sink);
  if (!captured || sink.errors()) {
    std::fprintf(stderr, "aot_bench: the graph cannot be read\n");
    std::exit(2);
  }
  passes::CapturedFacts facts;
  for (const ir::NodeId id : captured->root().placeholders()) {
    passes::CapturedInput in;
    in.name = captured->root().nodeName(id);
    in.requiresGrad = in.isLeaf = in.isStatic = in.name.find("parameters") != std::string::npos;
    facts.inputs.push_back(std::move(in));
  }
  Measured out;
  const auto stop = [](const ir::Diagnostic& d) {
    std::fprintf(stderr, "aot_bench: %s\n", d.text().c_str());
    std::exit(2);
  };
  for (int k = 0; k < rounds; ++k) {
    const double from = cpuNow();
    const ir::Result<passes::AotResult> result = passes::runAot(*captured, facts, {});
    const double traced = cpuNow();
    if (!result) stop(result.error());
    const auto cut = passes::partitionJoint(passes::partitionInputOf(*result, facts),
                                            {.method = passes::PartitionOptions::Method::MinCut});
    const double end = cpuNow();
    if (!cut) stop(cut.error());
    out.joint = std::min(out.joint, traced - from);
    out.partition = std::min(out.partition, end - traced);
    out.nodes = result->joint->root().size();
    out.saved = cut->saved.size();
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--json") {
    std::ifstream file(argv[2]);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const Measured m = measure(text, text.size() < 200000 ? 30 : 7);
    std::printf(
        "{\"nodes\": %u, \"saved\": %zu, \"joint\": %.9f, \"partition\": %.9f, \"megabytes\": %.1f}\n",
        m.nodes, m.saved, m.joint, m.partition, peakMegabytes());
    return 0;
  }
  std::vector<int> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::max(50, std::atoi(argv[i])));
  if (sizes.empty()) sizes = {1000, 10000, 100000};
  bool missed = false;
  for (const auto& [name, make] :
       {std::pair<const char*, std::string (*)(int)>{"mlp", mlp}, {"transformer", transformer}}) {
    const double each = (measure(make(4), 1).nodes - measure(make(2), 1).nodes) / 2.0;
    std::vector<std::pair<double, double>> grown;
    for (const int want : sizes) {
      const Measured m =
          measure(make(std::max(1, static_cast<int>(std::lround(want / each)))), want <= 20000 ? 7 : 3);
      const double total = m.joint + m.partition, megabytes = peakMegabytes();
      const bool big = m.nodes > 90000;
      const bool ok = !big || (total < 2 && megabytes < 1024);
      missed = missed || !ok;
      std::printf(
          "%-11s %7u joint nodes  metadata and joint %8.4f s %6.2f us/node  min-cut %8.4f s %5.2f us/node  "
          "%4.0f MB%s\n",
          name, m.nodes, m.joint, m.joint / m.nodes * 1e6, m.partition, m.partition / m.nodes * 1e6,
          megabytes, big ? (ok ? "   goal: 2 s, 1 GB  ok" : "   goal: 2 s, 1 GB  MISSED") : "");
      grown.emplace_back(m.nodes, total);
    }
    if (grown.size() > 1) {
      const double exponent = std::log(grown.back().second / grown.front().second) /
                              std::log(grown.back().first / grown.front().first);
      const bool ok = exponent < 1.15;
      missed = missed || !ok;
      std::printf("%-11s grows with the power %.2f   goal: at most 1.15  %s\n", name, exponent,
                  ok ? "ok" : "MISSED");
    }
  }
  return missed ? 1 : 0;
}
