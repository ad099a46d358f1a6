#include "cli/support/loading.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "session/atomic_file.h"
#include "session/op_declarations.h"
#include "session/pass_run.h"

namespace descry::cli {

Opened openFile(const std::string& word, Console& console, Takes takes) {
  Opened out;
  out.address = session::parseAddress(word);
  if (out.address.file.empty()) {
    out.code = console.usage("'" + word + "' names no file");
    return out;
  }
  importers::OpenOptions options;
  options.progress.cancel = &Console::cancelled();
  if (out.address.file == "-") options.name = "<stdin>";
  ir::Result<session::DocumentPtr> document = session::Document::open(out.address.file, options);
  if (!document) {
    out.code = console.fail(document.error());
    return out;
  }
  const std::string graph = out.address.graph, node = out.address.node;
  if (!node.empty() && takes != Takes::Node)
    out.code = console.usage("'" + word + "' names a node, which this command would ignore; leave out '#" +
                             node + "'");
  else if (!graph.empty() && takes == Takes::File)
    out.code = console.usage(
        "'" + word + "' names a graph, but this is about the whole file; leave out '::" + graph + "'");
  else
    out.document = std::move(*document);
  return out;
}

int readState(const std::vector<ir::Diagnostic>& diagnostics, const ir::Module* module) {
  for (const ir::Diagnostic& d : diagnostics)
    if (d.severity == ir::Severity::Error) return kPartlyRead;
  if (module)
    for (const ir::Graph& g : module->graphs)
      if (g.truncated || g.partial) return kPartlyRead;
  return kFine;
}

bool reportLosses(const Opened& in, Console& console) {
  const importers::Input& input = in.document->input();
  if (!input.readInPart()) return false;
  // What the graph at hand says of its own text comes with the graph; these are about what lies around it.
  constexpr size_t kShown = 5;
  size_t found = 0;
  for (const ir::Diagnostic& d : input.diagnostics().all()) {
    static const std::set<std::string_view> kLosses{"gzip-damaged", "bad-header", "truncated",
                                                    "orphan-payload", "payload-indent"};
    if (!kLosses.contains(d.code)) continue;
    if (++found <= kShown) console.report(d);
  }
  ir::Diagnostic whole = ir::failure("read-in-part", "", in.address.file);
  whole.severity = ir::Severity::Warning;
  whole.message = "only part of this file could be read";
  if (found > kShown) whole.message += "; `descry info` lists all " + std::to_string(found) + " faults";
  console.report(whole);
  return true;
}

Opened openGraph(const std::string& word, Console& console, Takes takes, std::string_view preferred,
                 const std::function<std::string(const session::Document&)>& choose) {
  Opened out = openFile(word, console, takes);
  if (!out.document) return out;
  std::string wanted = out.address.graph;
  if (wanted.empty() && !preferred.empty())
    for (const importers::GraphEntry& e : out.document->input().graphs())
      if (e.kind == preferred) {
        wanted = e.id;
        break;
      }
  if (wanted.empty() && choose) wanted = choose(*out.document);
  ir::Result<session::LoadedGraphPtr> graph = out.document->graph(wanted);
  if (!graph) {
    // A log without graphs may be one that could not be read at all: its own diagnostics say so.
    if (graph.error().code == "no-graphs") console.report(out.document->input().diagnostics().all());
    out.code = console.fail(graph.error());
    return out;
  }
  console.report((*graph)->diagnostics);
  out.code = readState((*graph)->diagnostics, (*graph)->module.get());
  if (reportLosses(out, console)) {
    out.code = kPartlyRead;
    if (out.address.graph.empty()) {
      ir::Diagnostic d = ir::failure("graph-by-default",
                                     "this answers for graph '" + (*graph)->entry.id +
                                         "'; what was lost may have held one that comes first",
                                     out.address.file);
      d.severity = ir::Severity::Warning;
      console.report(d);
    }
  }
  if (!out.address.node.empty()) {
    out.node = (*graph)->graph->find(out.address.node);
    if (!out.node) {
      out.code = console.fail(ir::failure(
          "node-not-found", "no node '" + out.address.node + "' in graph '" + (*graph)->entry.id + "'",
          out.address.file));
      return out;
    }
  }
  out.graph = std::move(*graph);
  return out;
}

std::vector<OptionDef> stateOptions() {
  return {{"--passes", 'p', "LIST", "run passes first, as `descry opt` does"},
          {"--state", 0, "NAME", "with --passes: which graph they left: joint, forward, backward, ..."}};
}

Opened openState(const Arguments& arguments, Console& console) {
  const std::string passes = arguments.value("--passes");
  Opened in =
      openGraph(arguments.words()[0], console, Takes::Graph, {}, [&](const session::Document& document) {
        return passes.empty() ? std::string() : session::graphForPasses(document, passes);
      });
  if (!in.ok() || passes.empty()) {
    if (in.ok() && arguments.has("--state")) {
      in.code = console.usage("--state goes with --passes, which leave more graphs than one");
      in.graph = nullptr;
    }
    return in;
  }
  ir::Result<session::LoadedGraphPtr> after = session::graphAfter(
      *in.document, in.graph, passes, arguments.value("--state"), [] { return Console::cancelled().load(); });
  if (after) {
    in.graph = std::move(*after);
    return in;
  }
  in.graph = nullptr;
  const ir::Diagnostic& d = after.error();
  if (d.code == "state-unknown" || d.file.empty()) {
    in.code = console.usage(d.message + " [" + d.code + "]");
  } else {
    console.report(d);
    in.code = d.code == "cancelled" ? kCancelled : kDiffers;
  }
  return in;
}

OptionDef coloursOption() {
  return {"--colours",
          0,
          "BY",
          "what fills tell; cut: saved and recomputed values of a partition, for graphs that --passes made",
          {"phase", "cut", "role", "op", "dtype", "plain"}};
}

std::vector<OptionDef> drawingOptions() {
  return {{"--group", 0, "BY", "frames around nodes", {"module", "phase", "source", "none"}},
          {"--fold", 0, "PATH", "draw that group as one card; may be given again", {}, true},
          {"--left-to-right", 0, "", "flow from left to right instead of downwards"},
          {"--joint-u", 0, "", "joint graphs: forward down on the left, backward up on the right"},
          {"--hide-views", 0, "", "leave out views, keep the paths through them"},
          {"--hide-sizes", 0, "", "leave out arithmetic on symbolic sizes"}};
}

session::SceneOptions readDrawingOptions(const Arguments& arguments) {
  session::SceneOptions o;
  const std::string group = arguments.value("--group", "module");
  o.groupBy = group == "phase"    ? session::GroupBy::Phase
              : group == "source" ? session::GroupBy::SourceLine
              : group == "none"   ? session::GroupBy::None
                                  : session::GroupBy::Module;
  for (const std::string& path : arguments.values("--fold")) o.folded.insert(path);
  o.leftToRight = arguments.has("--left-to-right");
  o.jointU = arguments.has("--joint-u");
  o.hideViews = arguments.has("--hide-views");
  o.hideSymbolicSizes = arguments.has("--hide-sizes");
  o.cancel = &Console::cancelled();
  return o;
}

void warnOfFolds(const std::vector<std::string>& unknown, const Opened& in, Console& console) {
  for (const std::string& path : unknown) {
    ir::Diagnostic d =
        ir::failure("group-not-found", "no group '" + path + "' to fold in this drawing", in.address.file);
    d.severity = ir::Severity::Warning;
    console.report(d);
  }
}

std::string firstGiven(const Arguments& arguments, const std::vector<OptionDef>& options) {
  for (const OptionDef& o : options)
    if (arguments.has(o.name)) return o.name;
  return {};
}

bool outputIsInput(const std::string& path, const Opened& in, Console& console) {
  // Standard input may be a file as well: `descry export - -o p.txt < p.txt`.
  std::set<std::string> files = {in.address.file == "-" ? "/dev/stdin" : in.address.file};
  std::error_code ec;
  if (in.document && std::filesystem::is_directory(in.address.file, ec)) {
    for (const importers::GraphEntry& g : in.document->input().graphs()) files.insert(g.file);
    for (const importers::RecordEntry& r : in.document->input().records())
      if (r.state != "ignored") files.insert(r.file);  // a report beside the traces may be written anew
  }
  for (const std::string& file : files) {
    if (!session::sameFile(path, file)) continue;
    console.report(
        ir::failure("output-is-input",
                    "the output is the input '" + file + "', which would be lost; give another name", path));
    return true;
  }
  return false;
}

int writeOutput(const std::string& path, const std::string& text, std::initializer_list<const Opened*> inputs,
                Console& console) {
  if (path.empty() || path == "-" || path == "/dev/stdout") {
    console.printExact(text);
    return kFine;
  }
  for (const Opened* in : inputs)
    if (outputIsInput(path, *in, console)) return kUsage;
  const ir::Status written = session::writeFileAtomically(path, text);
  return written ? static_cast<int>(kFine) : console.fail(written.error());
}

std::vector<OptionDef> opOptions() {
  return {{"--op",
           0,
           "SCHEMA",
           "declare a custom op: `ns::name(Tensor(a!) x) -> Tensor; is: effect; grad x: ...`",
           {},
           true},
          {"--ops",
           0,
           "FILE",
           "a file of such lines, with properties below them as in the op table; a `descry.ops` near FILE is "
           "read too",
           {},
           true}};
}

std::shared_ptr<const ir::OpRegistry> readOpOptions(const Arguments& arguments, const std::string& opened,
                                                    Console& console, int& code) {
  // What a project always declares comes before what this call does.
  std::vector<std::string> files = session::standingDeclarations(opened);
  const std::vector<std::string> named = arguments.values("--ops");
  files.insert(files.end(), named.begin(), named.end());
  ir::Result<std::shared_ptr<const ir::OpRegistry>> ops =
      session::readOpDeclarations(arguments.values("--op"), files);
  code = kFine;
  if (ops) return *ops;
  console.report(ops.error());
  code = ops.error().code == "file-unreadable" ? kCannotRead : kUsage;
  return nullptr;
}

}  // namespace descry::cli
