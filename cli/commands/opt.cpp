#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/commands/commands.h"
#include "cli/support/console.h"
#include "cli/support/json.h"
#include "cli/support/loading.h"
#include "ir/text/printer.h"
#include "session/atomic_file.h"
#include "session/pass_run.h"

namespace descry::cli {

namespace {

uint32_t nodesAt(const std::vector<passes::StateGraph>& graphs) {
  uint32_t n = 0;
  for (const passes::StateGraph& g : graphs) n += g.module->root().size();
  return n;
}

std::string namesOf(const std::vector<passes::StateGraph>& graphs) {
  std::string out;
  for (const passes::StateGraph& g : graphs) out += (out.empty() ? "" : " + ") + g.name;
  return out;
}

std::string asJson(const session::PassRun& run, bool timings) {
  const passes::Recording& r = run.recording();
  Json json;
  json.object().field("schema", "descry.opt/1");
  json.field("file", run.start()->documentPath).field("graph", run.start()->entry.id);
  const auto graphs = [&](const std::vector<passes::StateGraph>& list) {
    json.key("graphs").array();
    for (const passes::StateGraph& g : list)
      json.object().field("name", g.name).field("nodes", g.module->root().size()).end();
    json.end();
  };
  json.key("start").object();
  graphs(r.start.graphs);
  json.end().key("passes").array();
  for (const passes::PassRecord& p : r.passes) {
    json.object().field("pass", p.text).field("stage", passes::stageName(p.stage));
    json.field("changed", p.outcome.changed).field("summary", p.outcome.summary);
    if (timings) json.field("seconds", p.seconds);
    graphs(p.graphs);
    json.key("findings").array();
    for (const auto& [what, finding] : p.outcome.findings)
      json.object().field("what", what).field("finding", finding).end();
    json.end().end();
  }
  json.end().textOrNull("failed", r.failed);
  json.textOrNull("reason", r.failure ? r.failure->message + " [" + r.failure->code + "]" : std::string());
  json.end();
  return json.take();
}

std::string asTable(const session::PassRun& run, bool timings, bool findings) {
  const passes::Recording& r = run.recording();
  std::vector<std::string> titles = {"STEP", "PASS", "GRAPHS", "NODES", "WHAT IT DID"};
  if (timings) titles.emplace_back("MS");
  Table table(titles);
  table.right(0);
  table.right(3);
  const auto row = [&](size_t at, const std::string& pass, const std::string& what, double ms) {
    std::vector<std::string> cells = {std::to_string(at), pass, namesOf(r.at(at)),
                                      std::to_string(nodesAt(r.at(at))), what};
    if (timings) {
      char text[32];
      std::snprintf(text, sizeof text, "%.2f", ms);
      cells.emplace_back(text);
    }
    table.row(std::move(cells));
  };
  row(0, "(start)", "", 0);
  for (size_t i = 0; i < r.passes.size(); ++i)
    row(i + 1, r.passes[i].text, r.passes[i].outcome.summary, r.passes[i].seconds * 1e3);
  std::string out = table.text();
  if (findings)
    for (const passes::PassRecord& p : r.passes) {
      if (p.outcome.findings.empty()) continue;
      Table found({p.text, ""});
      for (const auto& [what, finding] : p.outcome.findings) found.row({what, finding});
      out += "\n" + found.text();
    }
  return out;
}

/// `03_trace-joint_joint.txt` for every graph of every position.
int dumpAll(const session::PassRun& run, const std::string& folder, Console& console) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (size_t at = 0; at < run.positions(); ++at)
    for (size_t g = 0; g < run.graphCount(at); ++g) {
      const std::string pass = at == 0 ? "start" : run.recording().passes[at - 1].pass->name;
      const std::string number = (at < 10 ? "0" : "") + std::to_string(at);
      const ir::Status s = session::writeFileAtomically(
          folder + "/" + number + "_" + pass + "_" + run.graphName(at, g) + ".txt",
          ir::printModule(*run.recording().at(at)[g].module));
      if (!s) return console.fail(s.error());
    }
  return kFine;
}

/// Options of passes that have a name of their own here, as in `descry aot`.
constexpr const char* kPassOptions[] = {"--requires-grad", "--unknown-ops", "--unlift-tokens"};

int run(const Arguments& args, Console& console) {
  std::string pipeline = args.value("--passes");
  if (pipeline.empty()) return console.usage("--passes is missing: `descry passes` lists what there is");
  for (const char* option : kPassOptions) {
    if (!args.has(option)) continue;
    std::string value = args.value(option);
    std::replace(value.begin(), value.end(), ',', '+');  // commas part passes
    ir::Result<std::string> with = session::withOption(pipeline, option + 2, value);
    if (!with) return console.usage(with.error().message + " [" + with.error().code + "]");
    pipeline = std::move(*with);
  }
  const Opened in = openGraph(
      args.words()[0], console, Takes::Graph, {},
      [&](const session::Document& document) { return session::graphForPasses(document, pipeline); });
  if (!in.ok()) return in.code;
  session::PassRunOptions options;
  options.verifyEach = args.has("--verify-each");
  options.cancelled = [] { return Console::cancelled().load(); };
  int wrong = kFine;
  options.ops = readOpOptions(args, in.document->path(), console, wrong);
  if (wrong) return wrong;
  const ir::Result<session::PassRunPtr> result =
      session::runPasses(*in.document, in.graph, pipeline, options);
  if (!result) return console.usage(result.error().message + " [" + result.error().code + "]");
  const session::PassRun& done = **result;
  const passes::Recording& r = done.recording();
  if (const std::string folder = args.value("--dump-after-all"); !folder.empty())
    if (const int code = dumpAll(done, folder, console)) return code;
  const bool timings = args.has("--timings");
  std::string out;
  if (args.has("--json")) {
    out = asJson(done, timings);
  } else if (args.has("--summary") || args.has("--findings")) {
    out = asTable(done, timings, args.has("--findings"));
  } else if (!r.failure) {
    for (const passes::StateGraph& g : r.at(r.passes.size()))
      out += (out.empty() ? "" : "\n") + ir::printModule(*g.module);
  }
  if (!out.empty())
    if (const int code = writeOutput(args.value("--output"), out, {&in}, console)) return code;
  for (const passes::PassRecord& p : r.passes) console.report(p.problems);
  if (r.failure) {
    console.report(*r.failure);
    return r.failure->code == "cancelled" ? kCancelled : kDiffers;
  }
  return in.code;
}

std::vector<OptionDef> options() {
  std::vector<OptionDef> out = {
      {"--passes", 'p', "LIST", "passes and pipelines, as `cse,dce` or `aot(memory-budget=0.5)`"},
      {"--requires-grad", 0, "INPUTS",
       "of pass lower: which inputs require gradients, whatever the file says: names, all or none"},
      {"--unknown-ops", 0, "HOW", "of pass lower: custom ops that are not declared", {"assume", "refuse"}},
      {"--unlift-tokens",
       0,
       "WHEN",
       "of pass partition: tokens of effects leave the compiled graphs",
       {"auto", "on", "off"}},
      {"--verify-each", 0, "", "check every state, and stop at the first fault"},
      {"--dump-after-all", 0, "DIR", "write the graphs after every pass there"},
      {"--summary", 0, "", "a table of what each pass did instead of the graph"},
      {"--findings", 0, "", "the same, and what the passes found out"},
      {"--timings", 0, "", "with --summary, --findings or --json: how long each pass took"},
      {"--json", 0, "", "machine-readable (descry.opt/1)"},
      {"--output", 'o', "FILE", "write there instead of standard output"}};
  const std::vector<OptionDef> ops = opOptions();
  out.insert(out.begin() + 1, ops.begin(), ops.end());
  return out;
}

}  // namespace

CommandDef optCommand() {
  return {
      "opt",
      "run passes over a graph",
      "FILE[::GRAPH]",
      "Runs passes one after the other and prints the last state. Between passes the graph can be looked at: "
      "--summary says what each did, --findings what it found out, --dump-after-all writes every state to a "
      "file that all other commands read. A captured graph can go through the stages of AOT autograd "
      "(pipeline `aot`), and is taken when no graph is named and the first pass needs one; a joint graph can "
      "be cut (`partition`); every graph can be cleaned (`cleanup`). `descry passes` lists them all; "
      "`functionalize-rng`, which is off in PyTorch too, is in no pipeline and stands before `trace-joint` "
      "where it is wanted. "
      "Exit code 1 when a pass fails.",
      options(),
      {{"descry opt trace.log::0/0:dynamo --passes aot --summary", "step through AOT autograd"},
       {"descry opt trace.log::0/0:joint -p 'partition(recompute=relu)' --findings",
        "what would be saved if relu were computed again"}},
      1,
      1,
      run};
}

}  // namespace descry::cli
