#include <algorithm>
#include <filesystem>

#include "cli/commands/commands.h"
#include "cli/support/json.h"
#include "cli/support/loading.h"
#include "session/node_text.h"
#include "session/query_all.h"
#include "session/terminal_text.h"
#include "session/views.h"

namespace descry::cli {

namespace {

int listFields(const Arguments& args, Console& console) {
  if (args.has("--json")) {
    Json json;
    json.object().field("schema", "descry.find/1").key("fields").array();
    for (const session::QueryField& f : session::queryFields())
      json.object().field("name", f.name).field("meaning", f.meaning).end();
    json.end().end();
    console.printExact(json.take());
    return kFine;
  }
  Table table({"FIELD", "MEANING"});
  for (const session::QueryField& f : session::queryFields()) table.row({f.name, f.meaning});
  console.print(table.text());
  return kFine;
}

/// The query with its fault marked below; of a long one the surroundings of the fault.
std::string marked(const std::string& query, const session::QueryError& error) {
  constexpr size_t kAround = 60;
  const auto slice = [&](size_t from, size_t to) {
    const size_t begin = session::firstCharacters(query, from).size();
    return tidy(std::string_view(query).substr(begin, session::firstCharacters(query, to).size() - begin));
  };
  const size_t length = session::characterCount(query);
  const size_t at = std::min<size_t>(error.column, length), end = std::min<size_t>(at + error.length, length);
  const size_t from = at > kAround ? at - kAround : 0,
               to = std::min(std::min(end, at + kAround) + kAround, length);
  // Escapes are longer than what they stand for, so the marks are counted in what is printed.
  const std::string before = (from ? "..." : "") + slice(from, at), fault = slice(at, std::min(end, to));
  return "  " + before + fault + slice(std::min(end, to), to) + (to < length ? "..." : "") + "\n  " +
         std::string(session::characterCount(before), ' ') +
         std::string(std::max<size_t>(1, session::characterCount(fault)), '^');
}

int refuse(const std::string& query, const session::QueryError& error, Console& console) {
  console.say("in the query: " + error.message + "\n" + marked(query, error));
  return kUsage;
}

/// The rows of `nodes`, in their order.
std::vector<session::NodeRow> rowsOf(const session::LoadedGraph& graph,
                                     const std::vector<ir::NodeId>& nodes) {
  const std::vector<session::NodeRow> rows = session::nodeRows(graph);
  std::vector<uint32_t> place(graph.graph->idBound(), 0);
  for (uint32_t i = 0; i < rows.size(); ++i) place[rows[i].node.index] = i;
  std::vector<session::NodeRow> out;
  for (ir::NodeId id : nodes) out.push_back(rows[place[id.index]]);
  return out;
}

void nodesJson(Json& json, const std::vector<session::NodeRow>& rows) {
  json.key("nodes").array();
  for (const session::NodeRow& r : rows) {
    json.object().field("name", r.name).field("order", r.order).field("op", r.op).field("target", r.target);
    json.textOrNull("type", r.type).key("bytes").value(r.bytes);
    json.textOrNull("phase", r.phase).textOrNull("descriptor", r.descriptor).textOrNull("module", r.module);
    json.textOrNull("file", r.file)
        .field("line", r.line)
        .field("users", r.users)
        .field("inputs", r.inputs)
        .end();
  }
  json.end();
}

std::string tableOf(const std::vector<session::NodeRow>& rows) {
  Table table({"ORDER", "NAME", "OP", "TYPE", "PHASE", "USERS", "DESCRIPTOR", "SOURCE"});
  table.right(0);
  table.right(5);
  for (const session::NodeRow& r : rows) {
    const std::string source =
        r.file.empty() ? "" : r.file.substr(r.file.rfind('/') + 1) + ":" + std::to_string(r.line);
    table.row({std::to_string(r.order), tidy(r.name, 50), tidy(r.op, 40), tidy(r.type, 60), r.phase,
               std::to_string(r.users), tidy(r.descriptor, 70), source});
  }
  return table.text();
}

int findInAll(const Arguments& args, Console& console) {
  const Opened in = openFile(args.words()[0], console, Takes::File);
  if (!in.document) return in.code;
  if (in.document->input().graphs().empty()) {
    console.report(in.document->input().diagnostics().all());
    return console.fail(ir::failure("no-graphs", "no graph found in this input", in.address.file));
  }
  const std::string& query = args.words()[1];
  const session::AllHits found = session::runQueryOnAll(*in.document, query, &Console::cancelled());
  if (found.cancelled) return console.fail(ir::failure("cancelled", "cancelled", in.address.file));
  if (found.error) return refuse(query, *found.error, console);
  console.report(found.unread);
  int code = reportLosses(in, console) || !found.unread.empty() ? kPartlyRead : kFine;
  for (const session::LoadedGraphPtr& g : found.roots) {
    console.report(g->diagnostics);
    code = std::max(code, readState(g->diagnostics, g->module.get()));
  }
  if (args.has("--json")) {
    Json json;
    json.object().field("schema", "descry.find/1").field("file", in.address.file).field("query", query);
    json.field("searched", found.searched).key("graphs").array();
    for (const session::GraphHits& g : found.graphs) {
      json.object().field("graph", g.graph->entry.id);
      nodesJson(json, rowsOf(*g.graph, g.nodes));
      json.end();
    }
    json.end().end();
    console.printExact(json.take());
    return code;
  }
  for (const session::GraphHits& g : found.graphs) {
    const std::string id = tidy(g.graph->entry.id);
    if (args.has("--names")) {
      for (ir::NodeId node : g.nodes) console.print(id + "#" + tidy(g.graph->graph->nodeName(node)) + "\n");
    } else {
      console.print(id + ": " + session::counted(g.nodes.size(), "node") + "\n" +
                    tableOf(rowsOf(*g.graph, g.nodes)) + "\n");
    }
  }
  if (!args.has("--names"))
    console.print(session::counted(found.hits, "node") + " in " + std::to_string(found.graphs.size()) +
                  " of " + session::counted(found.searched, "graph") + "\n");
  return code;
}

int run(const Arguments& args, Console& console) {
  if (args.has("--fields") && (!args.words().empty() || args.has("--names") || args.has("--all")))
    return console.usage(
        "--fields lists the fields of the language; it takes no file, query, --names or --all");
  if (args.has("--names") && args.has("--json"))
    return console.usage("--names and --json ask for different things");
  if (args.has("--fields")) return listFields(args, console);
  if (args.words().size() != 2) return console.usage("`descry find` needs FILE[::GRAPH] and a query");
  // Only a hint: a query may be too long for a path, and may be the name of a file by chance.
  std::error_code ignored;
  const std::string file = session::parseAddress(args.words()[0]).file;
  if (file != "-" && !std::filesystem::exists(file, ignored) &&
      std::filesystem::exists(session::parseAddress(args.words()[1]).file, ignored))
    return console.usage("the file comes first, then the query");
  if (args.has("--all")) return findInAll(args, console);
  const Opened in = openGraph(args.words()[0], console);
  if (!in.ok()) return in.code;
  const std::string& query = args.words()[1];
  const session::QueryResult found = session::runQuery(*in.graph, query);
  if (found.error) return refuse(query, *found.error, console);
  if (args.has("--json")) {
    Json json;
    json.object()
        .field("schema", "descry.find/1")
        .field("file", in.address.file)
        .field("graph", in.graph->entry.id);
    json.field("query", query).textOrNull("why_empty", found.why);
    nodesJson(json, rowsOf(*in.graph, found.nodes));
    json.end();
    console.printExact(json.take());
    return in.code;
  }
  if (args.has("--names")) {
    std::string out;
    for (ir::NodeId id : found.nodes) out += tidy(in.graph->graph->nodeName(id)) + "\n";
    console.print(out);
  } else if (!found.nodes.empty()) {
    console.print(tableOf(rowsOf(*in.graph, found.nodes)));
  }
  if (found.nodes.empty())
    console.say("no node: " + (found.why.empty() ? std::string("nothing matches") : found.why));
  return in.code;
}

}  // namespace

CommandDef findQueryCommand() {
  return {
      "find",
      "nodes that match a query",
      "FILE[::GRAPH] QUERY",
      "Plain words search names and ops; \"quotes\" match exactly; /slashes/ hold a regular expression. "
      "Fields have "
      "operators: = != ~ !~ < <= > >= in has. Terms side by side must all hold; there are and, or, not and ( "
      "). "
      "Arrows follow values: a -> b, a ->> b at any distance, a ->{1,3} b. sort:FIELD- sorts downwards, "
      "limit:N cuts. "
      "`descry find --fields` lists the fields; docs/query.md explains all of it.",
      {{"--json", 0, "", "machine-readable (descry.find/1)"},
       {"--names", 0, "", "print names only, one a line; with --all as GRAPH#NODE"},
       {"--all", 0, "", "in every graph of the file and in the graphs below them"},
       {"--fields", 0, "", "list the fields of the language"}},
      {{"descry find joint.txt 'op=mm phase=backward'", "matrix products of the backward"},
       {"descry find --all trace.log 'op=mm'", "the same op in every graph of a trace"},
       {"descry find joint.txt 'saved sort:bytes- limit:10'", "the ten largest values kept for the backward"},
       {"descry find joint.txt 'transpose -> {view,reshape} -> mm'", "a pattern of three nodes"}},
      0,
      2,
      run};
}

}  // namespace descry::cli
