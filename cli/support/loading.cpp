#include "cli/support/loading.h"

#include "session/atomic_file.h"

namespace descry::cli {

Opened openFile(const std::string& word, Console& console) {
  Opened out;
  out.address = session::parseAddress(word);
  importers::OpenOptions options;
  options.progress.cancel = &Console::cancelled();
  if (out.address.file == "-") options.name = "<stdin>";
  ir::Result<session::DocumentPtr> document = session::Document::open(out.address.file, options);
  if (!document) {
    out.code = console.fail(document.error());
    return out;
  }
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

Opened openGraph(const std::string& word, Console& console) {
  Opened out = openFile(word, console);
  if (!out.document) return out;
  ir::Result<session::LoadedGraphPtr> graph = out.document->graph(out.address.graph);
  if (!graph) {
    // A log without graphs may be one that could not be read at all: its own diagnostics say so.
    if (graph.error().code == "no-graphs") console.report(out.document->input().diagnostics().all());
    out.code = console.fail(graph.error());
    return out;
  }
  console.report((*graph)->diagnostics);
  out.code = readState((*graph)->diagnostics, (*graph)->module.get());
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

int writeOutput(const std::string& path, const std::string& text, Console& console) {
  if (path.empty() || path == "-") {
    console.print(text);
    return kFine;
  }
  const ir::Status written = session::writeFileAtomically(path, text);
  return written ? static_cast<int>(kFine) : console.fail(written.error());
}

}  // namespace descry::cli
