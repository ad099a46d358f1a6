#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "cli/commands/commands.h"
#include "cli/support/console.h"
#include "cli/support/json.h"
#include "cli/support/loading.h"
#include "session/atomic_file.h"
#include "session/graph_run.h"
#include "session/value_text.h"

namespace descry::cli {

namespace {

std::string asJson(const session::Run& run, const session::RunRequest& request) {
  Json json;
  json.object().field("schema", "descry.run/1");
  json.field("file", run.graph->documentPath).field("graph", run.graph->entry.id);
  json.field("executor", request.executor).field("device", "cpu").field("backward", request.backward);
  json.field("finished", run.ended && !run.failure);
  json.key("results").array();
  for (const session::RunValue& v : run.results) {
    json.object().field("name", v.name).textOrNull("meaning", v.meaning);
    if (v.tensor) {
      json.field("type", session::valueType(*v.tensor));
      session::statisticsJson(runtime::statisticsOf(*v.tensor),
                              [&](const char* key, const auto& value) { json.field(key, value); });
    } else {
      json.field("value", v.text);
    }
    json.end();
  }
  json.end().field("nodes", static_cast<uint64_t>(run.nodes.size()));
  if (run.plan) {
    const session::RunPlan& p = *run.plan;
    json.key("plan")
        .object()
        .field("steps", static_cast<uint64_t>(p.steps))
        .field("loops", static_cast<uint64_t>(p.loops));
    json.field("fallbacks", static_cast<uint64_t>(p.fallbacks)).field("inside_bytes", p.insideBytes);
    json.field("bytes_without_reuse", p.bytesWithoutReuse).field("result_bytes", p.resultBytes);
    json.field("text", p.text).end();
  }
  if (request.time) json.field("seconds", run.seconds);
  json.textOrNull("failed_node", run.failure ? run.failure->node : std::string());
  json.textOrNull("reason",
                  run.failure ? run.failure->message + " [" + run.failure->code + "]" : std::string());
  json.end();
  return json.take();
}

std::string asTable(const session::Run& run) {
  Table table({"NAME", "TYPE", "MIN", "MEAN", "MAX", "NAN", "MEANING"});
  for (size_t c = 2; c < 6; ++c) table.right(c);
  for (const session::RunValue& v : run.results) {
    if (!v.tensor) {
      table.row({v.name, v.text, "", "", "", "", v.meaning});
      continue;
    }
    const runtime::ValueStatistics s = runtime::statisticsOf(*v.tensor);
    const auto number = [&](double x) { return s.finite ? session::shortNumber(x) : std::string("-"); };
    table.row({v.name, session::valueType(*v.tensor), number(s.min), number(s.mean), number(s.max),
               s.nan ? std::to_string(s.nan) : "", v.meaning});
  }
  return table.empty() ? "the graph returns nothing\n" : table.text();
}

std::string opOf(const session::Run& run, ir::NodeId node) {
  std::string_view target = run.module->root().target(node);
  if (target.starts_with("torch.ops.")) target.remove_prefix(10);
  return std::string(target);
}

/// The node of the graph that was asked for, where it is another one.
std::string madeFor(const session::Run& run, ir::NodeId node) {
  if (node.index >= run.origins.size() || !run.origins[node.index].valid()) return {};
  const ir::NodeId origin = run.origins[node.index];
  return run.graph->graph->contains(origin) ? std::string(run.graph->graph->nodeName(origin)) : std::string();
}

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", seconds * 1e3);
  return text;
}

/// Quarter and three quarters of the runs, in milliseconds.
std::string spread(std::vector<double> times) {
  if (times.size() < 2) return {};
  std::sort(times.begin(), times.end());
  return milliseconds(times[times.size() / 4]) + "-" + milliseconds(times[(times.size() * 3) / 4]);
}

std::string nodesTable(const session::Run& run, bool statistics, bool times) {
  const bool traced = !run.origins.empty();
  std::vector<std::string> titles = {"NODE", "OP"};
  if (traced) titles.push_back("FOR");
  titles.push_back("TYPE");
  const size_t texts = titles.size();
  if (statistics) titles.insert(titles.end(), {"MIN", "MEAN", "MAX", "NAN", "INF"});
  if (times) titles.insert(titles.end(), {"MS", "SPREAD"});
  Table table(titles);
  for (size_t c = texts; c < titles.size(); ++c) table.right(c);
  double sum = 0;
  for (const session::NodeRun& n : run.nodes) {
    const ir::Graph& graph = run.module->root();
    std::vector<std::string> row = {std::string(graph.nodeName(n.node)), opOf(run, n.node)};
    if (traced) row.push_back(madeFor(run, n.node));
    row.push_back(n.type);
    if (statistics) {
      const runtime::ValueStatistics s = n.statistics.value_or(runtime::ValueStatistics{});
      const auto number = [&](double x) { return s.finite ? session::shortNumber(x) : std::string(); };
      const auto count = [](int64_t c) { return c ? std::to_string(c) : std::string(); };
      row.insert(row.end(),
                 {number(s.min), number(s.mean), number(s.max), count(s.nan), count(s.plusInf + s.minusInf)});
    }
    if (times) row.insert(row.end(), {milliseconds(n.seconds), spread(n.times)});
    table.row(std::move(row));
    sum += n.seconds;
  }
  std::string out = table.text();
  if (times)
    out += "nodes " + milliseconds(sum) + " ms, whole run " + milliseconds(run.seconds) + " ms (" +
           std::to_string(run.times.size()) +
           " runs, medians; the difference is what measuring and calling cost)\n";
  if (statistics)
    out += run.firstBad.valid()
               ? "first bad node: " + std::string(run.module->root().nodeName(run.firstBad)) + " (" +
                     opOf(run, run.firstBad) + ") makes NaN or infinities of inputs that have none\n"
               : "no node makes NaN or infinities of inputs that have none\n";
  return out;
}

/// True when all results are as the file has them.
bool compared(const std::vector<session::ComparedResult>& rows, Console& console) {
  Table table({"NAME", "TYPE", "VERDICT", "OUTSIDE", "MAX ABS", "MAX REL", "MEDIAN ULP", "MAX ULP", "COSINE",
               "SNR DB"});
  for (size_t c = 3; c < 10; ++c) table.right(c);
  bool fine = !rows.empty();
  for (const session::ComparedResult& r : rows) {
    const runtime::Comparison& c = r.comparison;
    const bool both = c.verdict <= runtime::Verdict::Outside;
    fine = fine && (c.verdict == runtime::Verdict::BitEqual || c.verdict == runtime::Verdict::Within);
    const auto number = [&](double x) { return both ? session::shortNumber(x) : std::string(); };
    table.row({r.name, r.type, std::string(runtime::verdictName(c.verdict)),
               both ? std::to_string(c.outside) : "", number(c.maxAbs), number(c.maxRel), number(c.medianUlp),
               number(c.maxUlp), number(c.cosine), number(c.snr)});
  }
  console.print(rows.empty() ? "there is nothing to compare\n" : table.text());
  return fine;
}

int run(const Arguments& args, Console& console) {
  if (args.value("--device", "cpu") == "cuda") {
    console.say(
        "there is no CUDA device support yet: --device cpu runs here; docs/status.md says what is missing");
    return kDeviceMissing;
  }
  const Opened in = openGraph(args.words()[0], console, Takes::Graph, {}, session::graphToRun);
  if (!in.ok()) return in.code;
  session::RunRequest request;
  request.inputs = args.value("--inputs", "random:0");
  request.executor = args.value("--executor", "interpret");
  request.backward = args.has("--backward");
  request.time = args.has("--profile");
  request.statistics = args.has("--nodes");
  if (args.has("--json") && (args.has("--nodes") || args.has("--profile") || args.has("--compare")))
    return console.usage("--json prints results: it does not go with --nodes, --profile and --compare");
  if (request.executor == "compiled" && (request.time || request.statistics))
    return console.usage("--nodes and --profile look at single nodes: --executor interpret has them");
  request.runs = request.time ? 5 : 1;
  if (args.has("--runs")) {
    const std::optional<uint64_t> n = session::readCount(args.value("--runs"), false);
    if (!n || *n < 1 || *n > 100000) return console.usage("--runs takes a number from 1 to 100000");
    request.runs = static_cast<unsigned>(*n);
  }
  std::optional<double> tolerance;
  if (args.has("--tolerance")) {
    char* end = nullptr;
    const std::string text = args.value("--tolerance");
    tolerance = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end || !(*tolerance >= 0))
      return console.usage("--tolerance takes a number, 0 or more");
  }
  std::optional<runtime::TensorFile> reference;
  if (args.has("--compare")) {
    ir::Result<runtime::TensorFile> file = session::readTensors(args.value("--compare"));
    if (!file) {
      console.report(file.error());
      return kCannotRead;
    }
    reference = std::move(*file);
  }
  request.upTo = args.value("--up-to");
  request.unknownOps = args.value("--unknown-ops", "assume") == "refuse" ? passes::UnknownOps::Refuse
                                                                         : passes::UnknownOps::Assume;
  request.cancelled = [] { return Console::cancelled().load(); };
  for (const auto& [option, target] : {std::pair{"--seed", &request.seed}, {"--memory", &request.memoryCap}})
    if (args.has(option)) {
      const std::optional<uint64_t> n = session::readCount(args.value(option), target == &request.memoryCap);
      if (!n) return console.usage(std::string(option) + " takes a number, not `" + args.value(option) + "`");
      *target = *n;
    }
  int wrong = kFine;
  request.ops = readOpOptions(args, in.document->path(), console, wrong);
  if (wrong) return wrong;
  const ir::Result<session::RunPtr> result = session::runGraph(*in.document, in.graph, request);
  if (!result) {
    console.report(result.error());
    const std::string& code = result.error().code;
    if (code == "cancelled") return kCancelled;
    if (code == "bad-inputs" || code == "bad-request") return kUsage;
    return code == "cannot-read" || code == "bad-safetensors" ? kCannotRead : kRunFailed;
  }
  const session::Run& done = **result;
  for (const std::string& what : done.assumed) {
    ir::Diagnostic d = ir::failure("assumed", what, in.document->path());
    d.severity = ir::Severity::Warning;
    d.graph = in.graph->entry.id;
    console.report(d);
  }
  for (const std::string& line : done.printed) console.print(line + "\n");
  if (done.failure) {
    console.report(*done.failure);
    if (args.has("--json")) console.printExact(asJson(done, request));
    return done.failure->code == "cancelled" ? kCancelled : kRunFailed;
  }
  if (const std::string path = args.value("--save"); !path.empty()) {
    if (outputIsInput(path, in, console)) return kUsage;
    if (const ir::Status s = session::writeFileAtomically(path, session::resultBytes(done)); !s)
      return console.fail(s.error());
  }
  if (args.has("--nodes") || args.has("--profile"))
    console.print(nodesTable(done, args.has("--nodes"), args.has("--profile")));
  if (reference)
    return compared(session::compareResults(done, *reference, tolerance, tolerance), console)
               ? in.code
               : static_cast<int>(kDiffers);
  if (args.has("--json"))
    console.printExact(asJson(done, request));
  else if (!args.has("--save") && !args.has("--nodes") && !args.has("--profile"))
    console.print(asTable(done));
  return in.code;
}

std::vector<OptionDef> options() {
  std::vector<OptionDef> out = {
      {"--inputs", 0, "FROM",
       "random:SEED, zeros, ones, or a safetensors file with a tensor for each input under its name "
       "(tangent.J: the "
       "gradient of output J)"},
      {"--backward", 0, "", "also compute gradients of the inputs that require them"},
      {"--executor", 0, "HOW", "node by node, or compiled", {"interpret", "compiled"}},
      {"--device", 0, "DEVICE", "where to run", {"cpu", "cuda"}},
      {"--save", 0, "FILE", "write the results as safetensors: out.J, grad.N, after.K"},
      {"--seed", 0, "N", "of random ops"},
      {"--memory", 0, "BYTES", "the run fails when its tensors need more: 500M, 2G"},
      {"--up-to", 0, "NODE", "end behind this node"},
      {"--nodes", 0, "",
       "print every node with its extremes, mean, NaN and infinities, and the first that makes bad values of "
       "good ones"},
      {"--profile", 0, "", "print how long every node takes: medians of --runs runs"},
      {"--runs", 0, "N", "with --profile: how often (default 5)"},
      {"--compare", 0, "FILE",
       "compare the results with those of a safetensors file; exit code 1 when one is outside of the "
       "tolerance"},
      {"--tolerance", 0, "R",
       "with --compare: absolute, and relative to the largest element (default: by dtype, 3e-05 for f32)"},
      {"--unknown-ops", 0, "HOW", "custom ops that are not declared", {"assume", "refuse"}},
      {"--json", 0, "", "machine-readable (descry.run/1)"}};
  const std::vector<OptionDef> ops = opOptions();
  out.insert(out.end() - 1, ops.begin(), ops.end());
  return out;
}

}  // namespace

CommandDef runCommand() {
  return {"run",
          "execute a graph",
          "FILE[::GRAPH]",
          "Runs a graph on the CPU, node by node, as eager PyTorch computes it: type promotion, rounding, "
          "views and "
          "writes. A captured graph is brought to aten ops first; with --backward gradients of the inputs "
          "follow. Without "
          "--inputs they are random numbers. Nothing in the file itself is executed but the ops it names.",
          options(),
          {{"descry run trace.log", "run the captured graph on random inputs"},
           {"descry run trace.log::0/0:joint --inputs values.safetensors --save out.safetensors",
            "on given inputs, results to a file"},
           {"descry run trace.log --backward --json", "outputs and gradients, as JSON"}},
          1,
          1,
          run};
}

}  // namespace descry::cli
