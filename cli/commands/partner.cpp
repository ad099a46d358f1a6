#include "cli/commands/commands.h"
#include "cli/support/json.h"
#include "cli/support/loading.h"
#include "session/views.h"

namespace descry::cli {

namespace {

int run(const Arguments& args, Console& console) {
  const Opened in = openGraph(args.words()[0], console, Takes::Node);
  if (!in.ok()) return in.code;
  if (!in.node) return console.usage("`descry partner` needs a node: FILE::GRAPH#NODE");
  const session::Partner p = session::partnerOf(*in.graph, in.node);
  const std::string_view name = p.node ? in.graph->graph->nodeName(p.node) : std::string_view();
  if (args.has("--json")) {
    Json json;
    json.object()
        .field("schema", "descry.partner/1")
        .field("file", in.address.file)
        .field("graph", in.graph->entry.id);
    json.field("node", in.graph->graph->nodeName(in.node)).textOrNull("partner", name).key("output");
    if (p.output >= 0)
      json.value(p.output);
    else
      json.null();
    json.field("why", p.why).end();
    console.printExact(json.take());
  } else if (p.node || p.output >= 0) {
    console.print((name.empty() ? "output " + std::to_string(p.output) : tidy(name)) + ": " + p.why + "\n");
  } else {
    console.say("no partner: " + p.why);
  }
  return in.code != kFine ? in.code : p.node || p.output >= 0 ? kFine : kDiffers;
}

}  // namespace

CommandDef partnerCommand() {
  return {"partner",
          "the node that belongs to a node",
          "FILE::GRAPH#NODE",
          "The gradient of an input, the tangent of an output and back, or the node of the other half with "
          "the same "
          "source line. Exit code 1 when there is none, with the reason.",
          {{"--json", 0, "", "machine-readable (descry.partner/1)"}},
          {{"descry partner joint.txt#primals_1", "which value is the gradient of primals_1"}},
          1,
          1,
          run};
}

}  // namespace descry::cli
