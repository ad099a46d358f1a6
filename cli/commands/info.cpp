#include <algorithm>
#include <chrono>
#include <map>

#include "cli/commands/commands.h"
#include "cli/support/json.h"
#include "cli/support/loading.h"
#include "session/node_text.h"
#include "session/views.h"

namespace descry::cli {

namespace {

struct GraphFacts {
  uint32_t nodes = 0, inputs = 0, outputs = 0, subgraphs = 0;
  bool read = false, partial = false;
  std::vector<ir::Diagnostic> diagnostics;
};

/// Parses one graph and lets go of it again: a log may hold more graphs than memory.
GraphFacts measure(const importers::Input& input, size_t index) {
  GraphFacts facts;
  ir::DiagnosticSink sink;
  const importers::GraphEntry& entry = input.graphs()[index];
  sink.setFile(entry.file.empty() ? input.path() : entry.file);
  const ir::Result<std::shared_ptr<ir::Module>> module = input.load(index, sink);
  facts.diagnostics = sink.take();
  if (!module || !*module || (*module)->graphs.empty()) {
    if (!module) facts.diagnostics.push_back(module.error());
    facts.partial = true;
    return facts;
  }
  const ir::Graph& root = (*module)->root();
  facts.read = true;
  facts.nodes = root.size();
  // Placeholders may follow calls: percent text and edited graphs have them so.
  for (ir::NodeId id : root.nodes()) facts.inputs += root.node(id).op == ir::OpKind::Placeholder;
  facts.outputs = static_cast<uint32_t>(session::outputCount(root));
  facts.subgraphs = static_cast<uint32_t>((*module)->graphs.size()) - 1;
  facts.partial = readState(facts.diagnostics, module->get()) != kFine;
  return facts;
}

void graphJson(Json& json, const importers::GraphEntry& g, const GraphFacts* facts) {
  json.object().field("id", g.id).field("kind", g.kind).field("compile_id", g.compileId);
  json.key("rank").value(g.rank);
  json.field("attempt", g.attempt)
      .field("instance", g.instance)
      .field("title", g.title)
      .field("file", g.file);
  json.field("line", g.begin.line).field("bytes", g.bytes).textOrNull("hash", g.hashState);
  json.key("nodes");
  facts && facts->read ? json.value(facts->nodes) : json.null();
  json.key("inputs");
  facts && facts->read ? json.value(facts->inputs) : json.null();
  json.key("outputs");
  facts && facts->read ? json.value(facts->outputs) : json.null();
  json.key("subgraphs");
  facts && facts->read ? json.value(facts->subgraphs) : json.null();
  json.key("partial");
  facts ? json.value(facts->partial) : json.null();
  json.end();
}

struct KindCount {
  uint64_t count = 0, payloadBytes = 0;
  bool known = true;
};

std::map<std::string, KindCount> recordKinds(const importers::Input& input) {
  std::map<std::string, KindCount> out;
  for (const importers::RecordEntry& r : input.records()) {
    KindCount& k = out[r.kind];
    ++k.count;
    k.payloadBytes += r.payloadBytes;
    k.known = k.known && r.known;
  }
  return out;
}

// ---- one graph

struct Tally {
  std::map<std::string, uint64_t> ops, dtypes, phases;
  int64_t bytes = 0;
  uint64_t unknownBytes = 0;
};

Tally tally(const session::LoadedGraph& graph) {
  Tally t;
  for (const session::NodeRow& r : session::nodeRows(graph)) {
    ++t.ops[r.op];
    if (!r.dtype.empty()) ++t.dtypes[r.dtype];
    if (!r.phase.empty()) ++t.phases[r.phase];
    if (!r.bytes || __builtin_add_overflow(t.bytes, *r.bytes, &t.bytes)) t.unknownBytes += !r.dtype.empty();
  }
  return t;
}

std::vector<std::pair<std::string, uint64_t>> byCount(const std::map<std::string, uint64_t>& m) {
  std::vector<std::pair<std::string, uint64_t>> out(m.begin(), m.end());
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return out;
}

void countsJson(Json& json, std::string_view key, const std::map<std::string, uint64_t>& counts) {
  json.key(key).object();
  for (const auto& [name, n] : counts) json.field(name, n);
  json.end();
}

int oneGraph(const Arguments& args, Console& console) {
  for (const char* option : {"--index-only", "--timings"})
    if (args.has(option)) return console.usage(std::string(option) + " is about a whole file, not one graph");
  const Opened in = openGraph(args.words()[0], console);
  if (!in.ok()) return in.code;
  const session::LoadedGraph& g = *in.graph;
  const Tally t = tally(g);
  uint32_t inputs = 0;
  for (ir::NodeId id : g.graph->nodes()) inputs += g.graph->node(id).op == ir::OpKind::Placeholder;
  if (args.has("--json")) {
    Json json;
    json.object()
        .field("schema", "descry.info/1")
        .field("file", in.address.file)
        .field("format", in.document->input().format());
    json.field("reason", in.document->input().formatReason());
    json.key("graphs").array();
    GraphFacts facts;
    facts.read = true;
    facts.nodes = g.graph->size();
    facts.inputs = inputs;
    facts.outputs = static_cast<uint32_t>(session::outputCount(*g.graph));
    facts.subgraphs = static_cast<uint32_t>(g.graph->children.size());
    facts.partial = in.code != kFine;
    graphJson(json, g.entry, &facts);
    json.end();
    json.key("counts").object();
    countsJson(json, "op", t.ops);
    countsJson(json, "dtype", t.dtypes);
    countsJson(json, "phase", t.phases);
    json.field("bytes", t.bytes).field("nodes_without_bytes", t.unknownBytes).end();
    diagnosticsJson(json, "diagnostics", g.diagnostics);
    json.end();
    console.printExact(json.take());
    return in.code;
  }
  std::string out = g.entry.id + ": " + g.entry.kind + ", " + session::counted(g.graph->size(), "node") +
                    ", " + session::counted(inputs, "input") + ", " +
                    session::counted(session::outputCount(*g.graph), "output") + "\n";
  for (const auto& [name, n] : byCount(t.phases))
    out += "  " + name + ": " + session::counted(n, "node") + "\n";
  if (t.bytes) {
    out += "  values: " + session::formatBytes(t.bytes);
    if (t.unknownBytes) out += ", and " + session::counted(t.unknownBytes, "value") + " of unknown size";
    out += "\n";
  }
  for (const auto& [title, counts] : {std::pair("op", &t.ops), std::pair("dtype", &t.dtypes)}) {
    Table table({title, "nodes"});
    table.right(1);
    for (const auto& [name, n] : byCount(*counts)) table.row({name, std::to_string(n)});
    if (!table.empty()) out += "\n" + table.text();
  }
  console.print(out);
  return in.code;
}

int run(const Arguments& args, Console& console) {
  if (!session::parseAddress(args.words()[0]).graph.empty()) return oneGraph(args, console);
  const auto begin = std::chrono::steady_clock::now();
  const Opened in = openFile(args.words()[0], console);
  if (!in.document) return in.code;
  const importers::Input& input = in.document->input();
  std::vector<ir::Diagnostic> diagnostics = input.diagnostics().all();
  std::vector<GraphFacts> facts;
  const bool parse = !args.has("--index-only");
  for (size_t i = 0; parse && i < input.graphs().size(); ++i) {
    if (Console::cancelled()) return console.fail(ir::failure("cancelled", "cancelled", in.address.file));
    facts.push_back(measure(input, i));
    for (ir::Diagnostic& d : facts.back().diagnostics) {
      if (d.graph.empty()) d.graph = input.graphs()[i].id;
      diagnostics.push_back(std::move(d));
    }
  }
  int code = input.readInPart() ? static_cast<int>(kPartlyRead) : readState(diagnostics, nullptr);
  for (const GraphFacts& f : facts)
    if (f.partial) code = kPartlyRead;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::map<std::string, KindCount> kinds = recordKinds(input);

  if (args.has("--json")) {
    Json json;
    json.object()
        .field("schema", "descry.info/1")
        .field("file", in.address.file)
        .field("format", input.format());
    json.field("reason", input.formatReason());
    json.key("graphs").array();
    for (size_t i = 0; i < input.graphs().size(); ++i)
      graphJson(json, input.graphs()[i], i < facts.size() ? &facts[i] : nullptr);
    json.end();
    json.key("records").array();
    for (const auto& [kind, k] : kinds)
      json.object()
          .field("kind", kind)
          .field("count", k.count)
          .field("payload_bytes", k.payloadBytes)
          .field("known", k.known)
          .end();
    json.end();
    json.key("tables").array();
    for (const importers::FactTable& t : input.tables())
      json.object().field("name", t.name).field("rows", static_cast<uint64_t>(t.rows.size())).end();
    json.end();
    diagnosticsJson(json, "diagnostics", diagnostics);
    json.field("diagnostics_dropped", static_cast<uint64_t>(input.diagnostics().dropped()));
    if (args.has("--timings")) json.field("seconds", seconds);
    json.end();
    console.printExact(json.take());
    console.report(diagnostics);
    return code;
  }

  std::string out = in.address.file + ": " + input.format();
  if (!input.formatReason().empty()) out += " (" + input.formatReason() + ")";
  out += "\n" + session::counted(input.graphs().size(), "graph");
  if (!input.records().empty()) out += ", " + session::counted(input.records().size(), "record");
  if (args.has("--timings")) out += ", " + std::to_string(static_cast<int>(seconds * 1000)) + " ms";
  out += "\n";
  if (!input.graphs().empty()) {
    Table table({"GRAPH", "KIND", "NODES", "IN", "OUT", "SUBGRAPHS", "NOTE"});
    for (size_t c = 2; c < 6; ++c) table.right(c);
    for (size_t i = 0; i < input.graphs().size(); ++i) {
      const importers::GraphEntry& g = input.graphs()[i];
      std::string note = g.title == g.id || g.title == g.kind ? "" : g.title;
      if (i < facts.size() && facts[i].partial) note = "read in part" + (note.empty() ? "" : "; " + note);
      if (g.hashState == "mismatch") note = "hash differs" + (note.empty() ? "" : "; " + note);
      const GraphFacts* f = i < facts.size() && facts[i].read ? &facts[i] : nullptr;
      auto number = [&](uint32_t GraphFacts::*member) {
        return f ? std::to_string(f->*member) : std::string("?");
      };
      table.row({g.id, g.kind, number(&GraphFacts::nodes), number(&GraphFacts::inputs),
                 number(&GraphFacts::outputs), f && f->subgraphs ? std::to_string(f->subgraphs) : "",
                 tidy(note, 60)});
    }
    out += "\n" + table.text();
  }
  if (!kinds.empty()) {
    Table table({"RECORD", "COUNT", "PAYLOAD", ""});
    table.right(1);
    table.right(2);
    for (const auto& [kind, k] : kinds)
      table.row({kind, std::to_string(k.count),
                 k.payloadBytes ? session::formatBytes(static_cast<int64_t>(k.payloadBytes)) : "",
                 k.known ? "" : "kind not known"});
    out += "\n" + table.text();
  }
  if (!input.tables().empty()) {
    Table table({"TABLE", "ROWS"});
    table.right(1);
    for (const importers::FactTable& t : input.tables()) table.row({t.name, std::to_string(t.rows.size())});
    out += "\n" + table.text();
  }
  console.print(out);
  console.report(diagnostics);
  return code;
}

}  // namespace

CommandDef infoCommand() {
  return {"info",
          "what a file holds: format, graphs, records, problems",
          "FILE[::GRAPH]",
          "Prints how the content was recognised, every graph with its id, its kind (the name of its record "
          "in the log) "
          "and its size, the other records by kind, and what could not be read. With a graph: its nodes "
          "counted by op, "
          "dtype and phase.",
          {{"--json", 0, "", "machine-readable (descry.info/1)"},
           {"--index-only", 0, "", "do not parse the graphs: quick for large logs, no node counts"},
           {"--timings", 0, "", "say how long reading took"}},
          {{"descry info trace.log", "list the graphs of a trace"},
           {"descry info trace_folder/ --json | jq -r '.graphs[].id'", "ids of all graphs, for scripts"},
           {"descry info trace.log::0/0:joint", "count the nodes of one graph"}},
          1,
          1,
          run};
}

}  // namespace descry::cli
