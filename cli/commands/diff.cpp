#include "session/diff.h"
#include "cli/commands/commands.h"
#include "cli/support/json.h"
#include "cli/support/loading.h"
#include "session/terminal_text.h"
#include "session/views.h"

namespace descry::cli {

namespace {

std::string asJson(const session::GraphDiff& d) {
  Json json;
  json.object().field("schema", "descry.diff/1");
  for (const auto& [key, g] : {std::pair("before", d.before), std::pair("after", d.after)})
    json.key(key)
        .object()
        .field("file", g->documentPath)
        .field("graph", g->entry.id)
        .field("nodes", g->graph->size())
        .end();
  json.field("identical", d.identical());
  json.key("counts").object().field("same", d.same).field("changed", d.changed).field("moved", d.moved);
  json.field("renamed", d.renamed).field("added", d.added).field("removed", d.removed);
  json.field("outputs", static_cast<uint64_t>(d.outputs.size())).end();
  json.key("nodes").array();
  auto changes = [&](const std::vector<session::FieldChange>& list) {
    json.array();
    for (const session::FieldChange& c : list)
      json.object().field("field", c.field).textOrNull("before", c.before).textOrNull("after", c.after).end();
    json.end();
  };
  for (const session::NodeDiff& n : d.nodes) {
    if (n.state == session::DiffState::Same) continue;
    json.object().field("state", session::diffStateName(n.state));
    json.textOrNull("before", n.before ? d.before->graph->nodeName(n.before) : std::string_view());
    json.textOrNull("after", n.after ? d.after->graph->nodeName(n.after) : std::string_view());
    json.field("moved", n.moved).field("renamed", n.renamed).textOrNull("reason", n.reason).key("changes");
    changes(n.changes);
    json.end();
  }
  json.end().key("outputs");
  changes(d.outputs);
  json.end();
  return json.take();
}

/// `html` for `x.html`: the format that an output file's name asks for.
std::string formatOf(const std::string& path) {
  for (const char* format : {"json", "svg", "html"})
    if (path.ends_with(std::string(".") + format)) return format;
  return "text";
}

int run(const Arguments& args, Console& console) {
  const std::string output = args.value("--output");
  const std::string format =
      args.has("--json") ? "json" : args.value("--format", args.has("--unified") ? "text" : formatOf(output));
  if (args.words()[0] == "-" && args.words()[1] == "-")
    return console.usage("only one side can come from standard input");
  if (args.has("--unified") && (args.has("--json") || args.value("--format", "text") != "text"))
    return console.usage("--unified is text; leave out --json or --format");
  if (args.has("--json") && args.value("--format", "json") != "json")
    return console.usage("--json and --format " + args.value("--format") + " ask for different things");
  const Opened a = openGraph(args.words()[0], console);
  if (!a.ok()) return a.code;
  const Opened b = openGraph(args.words()[1], console);
  if (!b.ok()) return b.code;
  const session::GraphDiff diff = session::diffGraphs(a.graph, b.graph);
  std::string out;
  if (format == "json") {
    out = asJson(diff);
  } else if (format == "svg") {
    out = session::diffSvg(diff);
  } else if (format == "html") {
    out = session::diffHtml(diff);
  } else if (args.has("--unified")) {
    const std::string before = session::textView(*a.graph).text, after = session::textView(*b.graph).text;
    out =
        session::unifiedDiff(session::diffLines(before, after), tidy(args.words()[0]), tidy(args.words()[1]));
  } else {
    out = session::terminalText(session::diffText(diff));  // a list for people; programs read the JSON
  }
  if (const int code = writeOutput(output, out, {&a, &b}, console)) return code;
  if (a.code || b.code) return std::max(a.code, b.code);
  return diff.identical() ? kFine : kDiffers;
}

}  // namespace

CommandDef diffCommand() {
  return {"diff",
          "what changed from one graph to another",
          "A[::GRAPH] B[::GRAPH]",
          "Pairs the nodes of both graphs by name and arguments, then by structure from the inputs on and "
          "from the "
          "outputs back, and lists what was added, removed, changed (which field), moved or only renamed. "
          "Exit code 1 "
          "when the graphs differ.",
          {{"--format",
            0,
            "FORMAT",
            "found from the ending of -o when left out",
            {"text", "json", "svg", "html"}},
           {"--json", 0, "", "the same as --format json (descry.diff/1)"},
           {"--unified", 'u', "", "compare the texts line by line instead, as diff -u does"},
           {"--output", 'o', "FILE", "write there instead of standard output"}},
          {{"descry diff trace.log::0/0:joint trace.log::1/0:joint", "compare two graphs of one trace"},
           {"descry diff old.txt new.txt -o diff.html", "a page with drawing, changes and both texts"}},
          2,
          2,
          run};
}

}  // namespace descry::cli
