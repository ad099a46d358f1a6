#include "cli/commands/commands.h"
#include "cli/support/json.h"
#include "cli/support/loading.h"
#include "ir/text/printer.h"
#include "session/exports.h"
#include "session/views.h"

namespace descry::cli {

namespace {

std::vector<OptionDef> textOptions() {
  return {{"--no-types", 0, "", "leave out types"},
          {"--no-descriptors", 0, "", "leave out descriptors"},
          {"--no-comments", 0, "", "leave out source comments"},
          {"--no-deletions", 0, "", "leave out `;  x = None`"}};
}

std::string textOf(const session::LoadedGraph& g, const Arguments& args) {
  ir::PrintOptions options;
  options.types = !args.has("--no-types");
  options.descriptors = !args.has("--no-descriptors");
  options.comments = !args.has("--no-comments");
  options.deletions = !args.has("--no-deletions");
  return g.subgraph == 0 ? ir::printModule(*g.module, options) : ir::printGraph(*g.module, *g.graph, options);
}

const char* sectionTitle(std::string_view section) {
  if (section == "inputs") return "reads";
  if (section == "outputs") return "read by";
  return nullptr;
}

int showNode(const Opened& in, const Arguments& args, Console& console) {
  const std::vector<session::FactRow> facts = session::nodeFacts(*in.graph, in.node);
  if (args.has("--json")) {
    Json json;
    json.object()
        .field("schema", "descry.show/1")
        .field("file", in.address.file)
        .field("graph", in.graph->entry.id);
    json.field("node", in.graph->graph->nodeName(in.node));
    json.key("facts").array();
    for (const session::FactRow& f : facts) {
      json.object().field("section", f.section).field("label", f.label).textOrNull("value", f.value);
      json.field("origin", f.origin == session::Origin::Recorded   ? "recorded"
                           : f.origin == session::Origin::Inferred ? "inferred"
                                                                   : "absent");
      json.textOrNull("hint", f.hint);
      json.textOrNull("link", f.link ? in.graph->graph->nodeName(f.link) : std::string_view()).end();
    }
    json.end().end();
    console.printExact(json.take());
    return in.code;
  }
  std::string out, section;
  for (const session::FactRow& f : facts) {
    if (f.section != section) {
      section = f.section;
      out += (out.empty() ? "" : "\n") +
             std::string(sectionTitle(section) ? sectionTitle(section) : section.c_str()) + "\n";
    }
    std::string label = "  " + tidy(f.label);
    label.resize(std::max<size_t>(16, label.size() + 1), ' ');
    std::string value = tidy(f.value);
    if (f.origin == session::Origin::Absent)
      value = "not in this log (" + f.hint + ")";
    else if (f.origin == session::Origin::Inferred)
      value += "  (inferred" + (f.hint.empty() ? "" : ": " + f.hint) + ")";
    out += label + value + "\n";
  }
  console.print(out);
  return in.code;
}

void graphJson(Json& json, const session::LoadedGraph& g, const Arguments& args) {
  json.object().field("id", g.entry.id).field("kind", g.entry.kind).field("compile_id", g.entry.compileId);
  json.field("text", textOf(g, args));
  session::ExportRequest request;
  request.format = "json";
  const ir::Result<std::string> module = session::exportGraph(g, request);
  json.key("module");
  if (module) {
    std::string_view text = *module;
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    json.raw(text);
  } else {
    json.null();
  }
  json.end();
}

int showAll(const Arguments& args, Console& console) {
  const Opened in = openFile(args.words()[0], console, Takes::File);
  if (!in.document) return in.code;
  const size_t count = in.document->input().graphs().size();
  if (count == 0)
    return console.fail(ir::failure("no-graphs", "no graph found in this input", in.address.file));
  // A lost record may have been a graph: then these are not all.
  int code = reportLosses(in, console) ? kPartlyRead : kFine;
  Json json;
  json.object().field("schema", "descry.show/1").field("file", in.address.file).key("graphs").array();
  std::vector<ir::Diagnostic> all;
  for (size_t i = 0; i < count; ++i) {
    if (Console::cancelled()) return console.fail(ir::failure("cancelled", "cancelled", in.address.file));
    const ir::Result<session::LoadedGraphPtr> g = in.document->graphAt(i);
    if (!g) {
      console.report(g.error());
      code = kPartlyRead;
      continue;
    }
    console.report((*g)->diagnostics);
    code = std::max(code, readState((*g)->diagnostics, (*g)->module.get()));
    if (args.has("--json"))
      graphJson(json, **g, args);
    else
      console.printExact((i ? "\n# graph: " : "# graph: ") + tidy((*g)->entry.id) + "\n" + textOf(**g, args));
  }
  json.end().end();
  if (args.has("--json")) console.printExact(json.take());
  return code;
}

int run(const Arguments& args, Console& console) {
  if (args.has("--all")) return showAll(args, console);
  const Opened in = openGraph(args.words()[0], console, Takes::Node);
  if (!in.ok()) return in.code;
  if (in.node) {
    const std::string useless = firstGiven(args, textOptions());
    if (!useless.empty())
      return console.usage(useless + " changes the text of a graph, and '" + args.words()[0] +
                           "' names a node");
    return showNode(in, args, console);
  }
  if (args.has("--json")) {
    Json json;
    json.object().field("schema", "descry.show/1").field("file", in.address.file).key("graphs").array();
    graphJson(json, *in.graph, args);
    json.end().end();
    console.printExact(json.take());
  } else {
    console.printExact(textOf(*in.graph, args));
  }
  return in.code;
}

}  // namespace

CommandDef showCommand() {
  std::vector<OptionDef> options = {
      {"--all", 'a', "", "every graph of the file, each after a line `# graph: ID`"},
      {"--json", 0, "", "machine-readable: text and graph (descry.show/1)"}};
  for (OptionDef& o : textOptions()) options.push_back(std::move(o));
  return {"show",
          "print a graph as PyTorch prints it, or all facts about one node",
          "FILE[::GRAPH[#NODE]]",
          "Prints canonical FX readable text: descriptors behind inputs and outputs, types, source comments. "
          "Printing the "
          "printed text again changes nothing.",
          std::move(options),
          {{"descry show trace.log::0/0:joint", "print the joint graph of frame 0"},
           {"descry show trace.log::0/0:joint#mm_1", "everything that is known about node mm_1"},
           {"descry show trace.log | descry show -", "read a printed graph from standard input"}},
          1,
          1,
          run};
}

}  // namespace descry::cli
