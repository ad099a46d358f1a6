#include "cli/commands/commands.h"
#include "cli/support/json.h"
#include "cli/support/loading.h"
#include "session/node_text.h"
#include "session/views.h"

namespace descry::cli {

namespace {

const char* originName(session::Origin o) {
  return o == session::Origin::Recorded ? "recorded" : o == session::Origin::Inferred ? "inferred" : "absent";
}

void rowJson(Json& json, const session::IoRow& r) {
  json.object().field("position", r.position);
  // A returned None has no name: JSON says so with null.
  json.textOrNull("name", !r.input && r.name == "None" ? std::string_view() : std::string_view(r.name));
  json.field("kind", r.kind).textOrNull("descriptor", r.descriptor);
  json.textOrNull(r.input ? "grad" : "tangent", r.gradOrTangent);
  json.field("words", r.words).field("origin", originName(r.origin)).textOrNull("rule", r.originRule);
  json.textOrNull("type", r.type).key("bytes").value(r.bytes);
  json.textOrNull("path", r.path).textOrNull("source", r.source).textOrNull("facts", r.facts).end();
}

int run(const Arguments& args, Console& console) {
  const Opened in = openGraph(args.words()[0], console);
  if (!in.ok()) return in.code;
  const std::vector<session::IoRow> rows = session::ioRows(*in.graph);
  if (args.has("--json")) {
    Json json;
    json.object()
        .field("schema", "descry.io/1")
        .field("file", in.address.file)
        .field("graph", in.graph->entry.id);
    json.field("kind", in.graph->entry.kind);
    for (const bool others : {false, true}) {
      for (const bool input : {true, false}) {
        json.key(others ? (input ? "other_inputs" : "other_outputs") : (input ? "inputs" : "outputs"))
            .array();
        for (const session::IoRow& r : rows)
          if (r.input == input && r.differentiable != others) rowJson(json, r);
        json.end();
      }
    }
    json.end();
    console.printExact(json.take());
    return in.code;
  }
  bool inferred = false, source = false;
  for (const session::IoRow& r : rows) {
    inferred = inferred || r.origin == session::Origin::Inferred;
    source = source || !r.source.empty() || !r.facts.empty();
  }
  std::string out;
  for (const bool input : {true, false}) {
    std::vector<std::string> titles{input ? "INPUT" : "OUTPUT",    "NAME", "KIND", "MEANING", "TYPE",
                                    input ? "GRADIENT" : "TANGENT"};
    if (source && input) titles.push_back("SOURCE");
    Table table(titles);
    table.right(0);
    for (const session::IoRow& r : rows) {
      if (r.input != input) continue;
      std::vector<std::string> cells{std::to_string(r.position),
                                     tidy(r.name, 40),
                                     r.kind,
                                     r.words + (r.origin == session::Origin::Inferred ? " (inferred)" : ""),
                                     r.type,
                                     r.gradOrTangent};
      if (source && input) cells.push_back(r.source + (r.facts.empty() ? "" : " (" + r.facts + ")"));
      table.row(std::move(cells));
    }
    out += (out.empty() ? "" : "\n") + table.text();
  }
  if (inferred)
    out += "\n(inferred): no descriptor says so; found from names and positions. --json states the rule.\n";
  console.print(out);
  return in.code;
}

}  // namespace

CommandDef ioCommand() {
  return {
      "io",
      "what every input and output of a graph means, and which belong together",
      "FILE[::GRAPH]",
      "One row per input and per output in call order: descriptor, meaning in words, type, and the partner: "
      "the "
      "gradient of an input, the tangent of an output. Pairs are found by descriptor equality, as PyTorch's "
      "get_all_input_and_grad_nodes and get_all_output_and_tangent_nodes do. Where the text has no "
      "descriptors the "
      "meaning is inferred from PyTorch's names and marked so. In JSON, what can have no gradient by its "
      "descriptor "
      "(tokens, random seeds, pieces of subclasses) stands under other_inputs and other_outputs, as those "
      "queries leave "
      "it out.",
      {{"--json", 0, "", "machine-readable (descry.io/1)"}},
      {{"descry io trace.log::0/0:joint", "inputs, outputs, gradients and tangents"},
       {"descry io joint.txt --json | jq '.inputs[] | select(.grad == null) | .name'",
        "inputs without a gradient"}},
      1,
      1,
      run};
}

}  // namespace descry::cli
