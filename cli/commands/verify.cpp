#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/support/json.h"
#include "cli/support/loading.h"
#include "ir/verify/verify.h"
#include "session/compiles.h"
#include "session/node_text.h"
#include "session/views.h"

namespace descry::cli {

namespace {

int listRules(const Arguments& args, Console& console) {
  if (args.has("--json")) {
    Json json;
    json.object().field("schema", "descry.verify/1").key("rules").array();
    for (const ir::VerifyRule& r : ir::verifyRules())
      json.object()
          .field("code", r.code)
          .field("severity", ir::severityName(r.severity))
          .field("meaning", r.meaning)
          .end();
    json.end().end();
    console.printExact(json.take());
    return kFine;
  }
  Table table({"RULE", "SEVERITY", "MEANING"});
  for (const ir::VerifyRule& r : ir::verifyRules())
    table.row({r.code, std::string(ir::severityName(r.severity)), r.meaning});
  console.print(table.text());
  return kFine;
}

int run(const Arguments& args, Console& console) {
  if (args.has("--rules") && !args.words().empty())
    return console.usage("--rules lists the rules; it takes no file");
  if (args.has("--rules")) return listRules(args, console);
  if (args.words().empty()) return console.usage("`descry verify` needs FILE[::GRAPH]");
  const Opened in = openFile(args.words()[0], console);
  if (!in.document) return in.code;
  std::vector<session::LoadedGraphPtr> graphs;
  int code = kFine;
  if (!in.address.graph.empty()) {
    const ir::Result<session::LoadedGraphPtr> g = in.document->graph(in.address.graph);
    if (!g) return console.fail(g.error());
    graphs.push_back(*g);
  } else if (in.document->input().graphs().empty()) {
    console.report(in.document->input().diagnostics().all());
    return console.fail(ir::failure("no-graphs", "no graph found in this input", in.address.file));
  }
  Json json;
  json.object().field("schema", "descry.verify/1").field("file", in.address.file).key("graphs").array();
  size_t checked = 0, violations = 0;
  std::string out;
  auto check = [&](const session::LoadedGraph& g) {
    console.report(g.diagnostics);
    // A graph that was logged without its end is whole as far as it goes: only unread text counts here.
    code = std::max(code, readState(g.diagnostics, nullptr));
    const std::vector<ir::Diagnostic> found = session::verifyGraph(g);
    size_t errors = 0;
    for (const ir::Diagnostic& d : found) {
      errors += d.severity == ir::Severity::Error;
      out += tidy(d.text()) + "\n";
    }
    ++checked;
    violations += errors;
    json.object().field("id", g.entry.id).field("ok", errors == 0);
    diagnosticsJson(json, "violations", found);
    json.end();
  };
  // A lost record may have been a graph that breaks the rules.
  if (reportLosses(in, console)) code = kPartlyRead;
  if (!graphs.empty()) check(*graphs[0]);
  for (size_t i = 0; graphs.empty() && i < in.document->input().graphs().size(); ++i) {
    if (Console::cancelled()) return console.fail(ir::failure("cancelled", "cancelled", in.address.file));
    const ir::Result<session::LoadedGraphPtr> g = in.document->graphAt(i);
    if (g) {
      check(**g);
    } else {
      console.report(g.error());
      code = kPartlyRead;
    }
  }
  json.end();
  size_t related = 0;
  if (graphs.empty()) {
    json.key("compiles").array();
    for (const session::CompileReport& c : session::verifyCompiles(*in.document)) {
      size_t errors = 0;
      for (const ir::Diagnostic& d : c.found) {
        errors += d.severity == ir::Severity::Error;
        out += tidy(d.text()) + "\n";
      }
      ++related;
      violations += errors;
      json.object().field("id", c.compileId).field("ok", errors == 0).key("graphs").array();
      for (const std::string& g : c.graphs) json.value(g);
      json.end();
      diagnosticsJson(json, "violations", c.found);
      json.end();
    }
    json.end();
  }
  json.field("ok", violations == 0).end();
  if (args.has("--json")) {
    console.printExact(json.take());
  } else {
    out += session::counted(checked, "graph") +
           (related ? " of " + session::counted(related, "compile") : std::string()) + " checked, " +
           (violations ? session::counted(violations, "violation") : std::string("all rules hold")) + "\n";
    console.print(out);
  }
  return violations ? static_cast<int>(kDiffers) : code;
}

}  // namespace

CommandDef verifyCommand() {
  return {"verify",
          "check that a graph keeps every rule",
          "FILE[::GRAPH]",
          "Checks all graphs of the file, or the one named: definitions before uses, names, types, "
          "descriptors and their "
          "legality, arguments against op schemas, subgraphs. For a whole file also what holds between the "
          "joint, "
          "forward and backward graph of a compile and its metadata. Every violation is listed with node and "
          "rule. "
          "Exit code 1 "
          "when a rule is broken.",
          {{"--json", 0, "", "machine-readable (descry.verify/1)"},
           {"--rules", 0, "", "list the rules and what they mean"}},
          {{"descry verify trace.log", "check every graph of a trace"},
           {"descry verify --rules", "what is checked"}},
          0,
          1,
          run};
}

}  // namespace descry::cli
