#include <filesystem>

#include "cli/commands/commands.h"
#include "cli/support/console.h"
#include "cli/support/json.h"
#include "cli/support/loading.h"
#include "ir/text/printer.h"
#include "session/aot_run.h"
#include "session/atomic_file.h"
#include "session/diff.h"
#include "session/node_text.h"
#include "session/pass_run.h"
#include "session/recorded_options.h"
#include "session/terminal_text.h"

namespace descry::cli {

namespace {

passes::PassOptionValues partitionOptions(const Arguments& args) {
  passes::PassOptionValues out;
  out["method"] = args.value("--partition", "min-cut");
  for (const char* wish : {"save", "recompute"}) {
    std::string names;
    for (const std::string& name : args.values(std::string("--") + wish))
      names += (names.empty() ? "" : "+") + name;
    if (!names.empty()) out[wish] = names;
  }
  if (args.has("--memory-budget")) out["memory-budget"] = args.value("--memory-budget");
  return out;
}

std::string cutJson(const session::CutReport& cut) {
  Json json;
  json.object().field("schema", "descry.cut/1").field("method", cut.method);
  json.field("saved", cut.saved).field("saved_bytes", cut.savedBytes);
  if (cut.plainBytes) json.field("plain_saved_bytes", *cut.plainBytes);
  json.field("recomputed", cut.recomputed).field("cut_value", cut.cutValue);
  json.key("values").array();
  for (const session::DecisionRow& r : cut.rows) {
    json.object().field("node", r.node).field("fate", r.fate).field("reason", r.reason);
    json.textOrNull("type", r.type).field("bytes", r.bytes);
    json.field("weight", r.weight < 0 ? std::optional<int64_t>() : std::optional(r.weight));
    json.field("saved_index",
               r.savedIndex < 0 ? std::optional<int64_t>() : std::optional<int64_t>(r.savedIndex));
    json.end();
  }
  json.end().end();
  return json.take();
}

std::string cutText(const session::CutReport& cut) {
  const std::string out = session::cutHeadline(cut);
  Table table({"#", "VALUE", "TYPE", "FATE", "WHY"});
  table.right(0);
  for (const session::DecisionRow& r : cut.rows)
    if (r.fate != "forward only")
      table.row({r.savedIndex < 0 ? "" : std::to_string(r.savedIndex), r.node, r.type, r.fate, r.reason});
  return out + "\n" + (table.empty() ? "" : "\n" + table.text());
}

/// Ours against what PyTorch wrote into the same log. True when all are equal.
bool compare(const Opened& in, const std::vector<std::pair<std::string, session::LoadedGraphPtr>>& ours,
             Console& console) {
  bool equal = true, any = false;
  for (const auto& [kind, graph] : ours) {
    const session::LoadedGraphPtr recorded = session::recordedGraph(*in.document, *in.graph, kind);
    if (!recorded) continue;
    any = true;
    const session::GraphDiff diff = session::compareWithRecorded(recorded, graph);
    console.print(kind + ": " + (diff.identical() ? "as PyTorch's\n" : "differs from PyTorch's\n"));
    if (!diff.identical()) console.print(session::terminalText(session::diffText(diff)));
    equal = equal && diff.identical();
  }
  if (!any)
    console.say("the file has no joint, forward, backward or inference graph of the compile of " +
                in.graph->entry.id);
  return equal && any;
}

/// A folder for all results, or the file that a single one is written to.
bool isFileName(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return false;
  return path == "-" || std::filesystem::exists(path, error) || std::filesystem::path(path).has_extension();
}

/// Two options of which each says what is printed, so that one would be left out. Empty when there are none.
std::string clash(const Arguments& args) {
  std::string first;
  for (const char* what : {"--cut", "--verify", "--compare", "--emit", "--output"}) {
    if (!args.has(what)) continue;
    if (first.empty())
      first = what;
    else if (first != "--emit")  // of which --output says where
      return first + " prints something of its own: it does not go with " + what;
  }
  return {};
}

int run(const Arguments& args, Console& console) {
  if (const std::string two = clash(args); !two.empty()) return console.usage(two);
  const Opened in = openGraph(args.words()[0], console, Takes::Graph, "dynamo_output_graph");
  if (!in.ok()) return in.code;
  if (const std::string kind = session::aotGraphKind(*in.graph); !kind.empty())
    return console.usage(
        in.graph->entry.id + " is " + (kind == "inference" ? "an " : "a ") + kind +
        " graph already: AOT autograd starts from a captured graph (`descry opt` runs passes on "
        "others)");
  session::AotRequest request;
  const std::string decompositions = args.value("--decompositions", "none");
  request.decompositions = decompositions == "inductor" ? passes::Decompositions::Inductor
                           : decompositions == "core"   ? passes::Decompositions::Core
                                                        : passes::Decompositions::None;
  if (const std::string keep = args.value("--keep-input-mutations", "auto"); keep != "auto")
    request.keepInputMutations = keep == "on";
  if (const std::string unlift = args.value("--unlift-tokens", "auto"); unlift != "auto")
    request.unliftTokens = unlift == "on";
  request.functionalizeRng = passes::functionalizeRngOf(args.value("--functionalize-rng", "off"));
  request.unknownOps = args.value("--unknown-ops", "assume") == "refuse" ? passes::UnknownOps::Refuse
                                                                         : passes::UnknownOps::Assume;
  request.cancelled = [] { return Console::cancelled().load(); };
  int wrong = kFine;
  request.ops = readOpOptions(args, in.document->path(), console, wrong);
  if (wrong) return wrong;
  passes::CapturedFacts facts = session::capturedFacts(*in.document, *in.graph);
  if (args.has("--requires-grad"))
    if (const ir::Status s = passes::setRequiresGrad(facts, *in.graph->graph, args.value("--requires-grad"));
        !s)
      return console.usage(s.error().message + " [" + s.error().code + "]");
  const auto assumed = [&](const char* code, const std::string& what) {
    ir::Diagnostic d = ir::failure(code, what, in.document->path());
    d.severity = ir::Severity::Warning;
    d.graph = in.graph->entry.id;
    console.report(d);
  };
  if (facts.requiresGradAssumed)
    assumed("assumed-gradients", std::string(passes::kGradientsAssumed) + "; --requires-grad says otherwise");
  for (const std::string& what : facts.assumed) assumed("assumed", what);
  const ir::Result<passes::AotResult> result = session::runAot(*in.document, *in.graph, facts, request);
  if (!result) {
    console.report(result.error());
    return result.error().code == "cancelled" ? kCancelled : kDiffers;
  }
  for (const std::string& what : result->assumed) assumed("assumed-pure", what);
  std::optional<session::CutReport> report;
  std::shared_ptr<const passes::Partition> parts;
  if (result->joint) {
    ir::Result<passes::Partition> cut = session::cutJoint(*result, facts, partitionOptions(args));
    if (!cut) {
      ir::Diagnostic d = cut.error();
      if (d.code == "bad-option") return console.usage(d.message + " [" + d.code + "]");
      if (d.file.empty()) d.file = in.document->path();
      console.report(d);
      // What was asked for cannot be done, whatever the graph.
      const std::string& code = cut.error().code;
      const bool asked = code == "partition-wish" || code == "unknown-node" || code == "partition-budget";
      return asked ? kUsage : kDiffers;
    }
    for (ir::Diagnostic warning : cut->warnings) {
      warning.file = in.document->path();
      warning.graph = in.graph->entry.id;
      console.report(warning);
    }
    parts = std::make_shared<passes::Partition>(std::move(*cut));
    report = session::cutReport(*parts, result->joint->root());
    if (args.has("--save") || args.has("--recompute") || args.has("--memory-budget")) {
      passes::PassOptionValues plain = partitionOptions(args);
      plain.erase("save");
      plain.erase("recompute");
      plain.erase("memory-budget");
      if (const auto without = session::cutJoint(*result, facts, plain))
        report->plainBytes = without->savedBytes;
    }
  }
  if (args.has("--cut")) {
    if (!report) return console.usage("this graph is used for inference only: there is nothing to cut");
    if (args.has("--json"))
      console.printExact(cutJson(*report));
    else
      console.print(cutText(*report));
    return in.code;
  }
  if (args.has("--json")) return console.usage("--json goes with --cut; metadata is JSON with --emit meta");
  if (args.has("--verify")) {
    size_t errors = 0;
    for (const ir::Diagnostic& d : session::verifyAot(*result, facts, parts.get())) {
      if (d.severity != ir::Severity::Error) continue;
      ++errors;
      console.print(d.graph + ": " + (d.node.empty() ? "" : d.node + ": ") + d.message + " [" + d.code +
                    "]\n");
    }
    console.print(errors ? session::counted(errors, "violation") + "\n" : std::string("all rules hold\n"));
    return errors ? static_cast<int>(kDiffers) : in.code;
  }
  if (args.has("--compare")) {
    if (compare(in, session::loadedGraphsOf(*in.graph, *result, parts), console)) return in.code;
    if (!args.has("--save") && !args.has("--recompute") && !args.has("--memory-budget"))
      if (const auto made = session::optionsOfTheLog(
              *in.document, *in.graph, facts, request,
              {args.value("--decompositions", "none"), args.value("--partition", "min-cut")}))
        console.print("the recorded graphs were made otherwise: with --decompositions " +
                      made->decompositions +
                      (made->partition.empty() ? "" : " --partition " + made->partition) +
                      " all of them are as PyTorch's\n");
    return kDiffers;
  }
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& [kind, module] : session::graphsOf(*result, parts))
    files.emplace_back(kind, ir::printModule(*module));
  files.emplace_back("meta", session::aotMetaJson(*result, parts.get()) + "\n");
  const std::string emit = args.value("--emit", "all"), folder = args.value("--output");
  const bool asFile = emit != "all" && !folder.empty() && isFileName(folder);
  if (!folder.empty() && !asFile) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
  }
  bool any = false;
  for (const auto& [name, text] : files) {
    if (emit != "all" && emit != name) continue;
    if (asFile) {
      const int code = writeOutput(folder, text, {&in}, console);
      return code ? code : in.code;
    }
    if (folder.empty()) {
      // One result is itself; among several each says what it is.
      if (emit == "all")
        console.printExact((any ? "\n# " : "# ") + std::string(name == "meta" ? "" : "graph: ") + name +
                           "\n");
      console.printExact(text);
      any = true;
      continue;
    }
    any = true;
    const std::string path = folder + "/" + name + (name == "meta" ? ".json" : ".txt");
    if (const ir::Status s = session::writeFileAtomically(path, text); !s) return console.fail(s.error());
  }
  if (!any)
    return console.usage("this graph has no " + emit + " graph: it is " +
                         (result->joint ? "trained" : "used for inference only"));
  return in.code;
}

std::vector<OptionDef> options() {
  std::vector<OptionDef> out = {
      {"--partition",
       0,
       "HOW",
       "where to cut: default saves everything, min-cut recomputes what is cheap",
       {"default", "min-cut"}},
      {"--decompositions", 0, "SET", "which ops are taken apart", {"none", "core", "inductor"}},
      {"--keep-input-mutations",
       0,
       "WHEN",
       "writes to inputs stay in the graph; auto: as recorded in the log, else on, but off with "
       "--decompositions "
       "inductor (as the backends aot_eager and aot_eager_decomp_partition do)",
       {"auto", "on", "off"}},
      {"--functionalize-rng",
       0,
       "WHERE",
       "random ops draw from a seed and an offset that are inputs; PyTorch does so on CUDA only",
       {"off", "cuda", "any-device"}},
      {"--unlift-tokens", 0, "WHEN", "tokens of effects leave the compiled graphs", {"auto", "on", "off"}},
      {"--unknown-ops", 0, "HOW", "custom ops that are not declared", {"assume", "refuse"}},
      {"--requires-grad", 0, "INPUTS",
       "which inputs require gradients, whatever the file says: names, all or none"},
      {"--save", 0, "NODE", "save this value of the joint graph whatever it costs", {}, true},
      {"--recompute", 0, "NODE", "compute this value again in the backward graph", {}, true},
      {"--memory-budget", 0, "N", "from 0 (keep the inputs only) to 1 (fastest)"},
      {"--cut", 0, "",
       "print what is saved and recomputed, and why, instead of graphs: distance counts the steps to the "
       "backward graph, weight is bytes * 1.1^distance"},
      {"--json", 0, "", "with --cut: machine-readable (descry.cut/1)"},
      {"--compare", 0, "",
       "print how each graph differs from PyTorch's own in the log; exit code 1 when one does"},
      {"--verify", 0, "",
       "check the graphs that were made against every rule, instead of printing them; exit code 1 when one "
       "is "
       "broken"},
      {"--emit", 0, "WHAT", "which result", {"joint", "forward", "backward", "inference", "meta", "all"}},
      {"--output", 'o', "DIR",
       "write joint.txt, forward.txt, backward.txt or inference.txt and meta.json there; with --emit of one "
       "result, a name with an extension is the file for it"}};
  const std::vector<OptionDef> ops = opOptions();
  out.insert(out.begin() + 5, ops.begin(), ops.end());
  return out;
}

}  // namespace

CommandDef aotCommand() {
  return {
      "aot",
      "build joint, forward and backward graphs from a captured graph",
      "FILE[::GRAPH]",
      "Does what PyTorch's AOT autograd does with a captured graph: collects metadata, replaces writes by "
      "new values, traces the "
      "forward and its gradients into a joint graph, and cuts it in two. Which inputs require gradients, "
      "share memory or are views is "
      "taken from the log; what the log does not say is assumed, and said. Custom ops are declared with "
      "--op; one that "
      "is not is taken to be pure where nothing speaks against it, with a warning, and refused otherwise.",
      options(),
      {{"descry aot trace.log::0/0:dynamo --emit joint", "print the joint graph"},
       {"descry aot trace.log::0/0:dynamo --cut --recompute relu", "what saving and recomputing costs"},
       {"descry aot graph.txt --requires-grad none --emit inference",
        "as it is compiled under torch.no_grad()"},
       {"descry aot trace.log --op 'lib::bump(Tensor(a!) x, Tensor y) -> ()'",
        "with a custom op that writes x"}},
      1,
      1,
      run};
}

}  // namespace descry::cli
