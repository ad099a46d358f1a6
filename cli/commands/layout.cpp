#include "cli/commands/commands.h"
#include "cli/support/json.h"
#include "cli/support/loading.h"
#include "ir/analysis/phases.h"
#include "session/exports.h"
#include "session/node_text.h"

namespace descry::cli {

namespace {

const char* edgeName(ir::EdgeKind k) {
  switch (k) {
    case ir::EdgeKind::Data:
      return "data";
    case ir::EdgeKind::Saved:
      return "saved";
    case ir::EdgeKind::Alias:
      return "alias";
    case ir::EdgeKind::Mutation:
      return "mutation";
    case ir::EdgeKind::Control:
      return "control";
    case ir::EdgeKind::SymbolicSize:
      return "symbolic_size";
  }
  return "data";
}

void rectJson(Json& json, const ir::SceneRect& r) {
  json.key("rect").array().value(static_cast<double>(r.x)).value(static_cast<double>(r.y));
  json.value(static_cast<double>(r.w)).value(static_cast<double>(r.h)).end();
}

int run(const Arguments& args, Console& console) {
  if (args.has("--json") && args.has("--timings") && !args.has("--stats"))
    return console.usage("in --json, --timings is a part of --stats");
  if (args.has("--stats") && !args.has("--json"))
    return console.usage("--stats belongs to --json; without it the figures are printed anyway");
  const Opened in = openState(args, console);
  if (!in.ok()) return in.code;
  session::LayoutStats stats;
  const session::SceneOptions options = readDrawingOptions(args);
  const ir::Scene scene = session::buildScene(*in.graph, options, &stats);
  if (stats.cancelled) return console.fail(ir::failure("cancelled", "layout cancelled", in.address.file));
  warnOfFolds(session::unknownFolds(scene, options), in, console);
  const bool timings = args.has("--timings");
  if (!args.has("--json")) {
    std::string out = std::to_string(stats.nodes) + (stats.nodes == 1 ? " box, " : " boxes, ") +
                      session::counted(stats.edges, "edge") + ", " + session::counted(stats.layers, "layer") +
                      (scene.groups.empty() ? "" : " (groups counted as one box each)") + ", " +
                      session::counted(stats.crossings, "crossing") + ", " +
                      session::counted(scene.groups.size(), "group") + ", " +
                      std::to_string(static_cast<int>(scene.bounds.w)) + " x " +
                      std::to_string(static_cast<int>(scene.bounds.h)) + " units";
    if (timings) out += ", " + std::to_string(stats.milliseconds) + " ms";
    console.print(out + "\n");
    return in.code;
  }
  Json json;
  json.object()
      .field("schema", "descry.layout/1")
      .field("file", in.address.file)
      .field("graph", in.graph->entry.id);
  if (args.has("--stats")) {
    json.key("stats")
        .object()
        .field("nodes", stats.nodes)
        .field("edges", stats.edges)
        .field("layers", stats.layers);
    json.field("dummies", stats.dummies).field("crossings", stats.crossings);
    json.field("groups", static_cast<uint64_t>(scene.groups.size()));
    if (timings) json.field("milliseconds", stats.milliseconds);
    json.end();
  }
  json.key("bounds")
      .array()
      .value(static_cast<double>(scene.bounds.x))
      .value(static_cast<double>(scene.bounds.y));
  json.value(static_cast<double>(scene.bounds.w)).value(static_cast<double>(scene.bounds.h)).end();
  json.field("group_source", scene.groupSource);
  json.key("groups").array();
  for (const ir::SceneGroup& g : scene.groups) {
    json.object()
        .field("path", g.path)
        .field("parent", g.parent)
        .field("nodes", g.nodeCount)
        .field("folded", g.folded);
    rectJson(json, g.rect);
    json.end();
  }
  json.end();
  json.key("nodes").array();
  for (const ir::SceneNode& n : scene.nodes) {
    json.object().field("label", n.label).key("output");
    if (n.outputSlot >= 0)
      json.value(n.outputSlot);
    else
      json.null();
    json.field("role", ir::roleName(n.role)).field("phase", ir::phaseName(n.phase)).field("group", n.group);
    rectJson(json, n.rect);
    json.end();
  }
  json.end();
  json.key("edges").array();
  for (const ir::SceneEdge& e : scene.edges) {
    json.object()
        .field("from", e.from)
        .field("to", e.to)
        .field("kind", edgeName(e.kind))
        .key("points")
        .array();
    for (uint32_t k = 0; k < e.pointCount; ++k) {
      const ir::ScenePoint& p = scene.points[e.firstPoint + k];
      json.value(static_cast<double>(p.x)).value(static_cast<double>(p.y));
    }
    json.end().end();
  }
  json.end().end();
  console.printExact(json.take());
  return in.code;
}

}  // namespace

CommandDef layoutCommand() {
  std::vector<OptionDef> options = {{"--json", 0, "", "positions of all boxes and lines (descry.layout/1)"},
                                    {"--stats", 0, "", "with --json: layers, crossings and the like"},
                                    {"--timings", 0, "", "say how long it took"}};
  for (OptionDef& o : drawingOptions()) options.push_back(std::move(o));
  for (OptionDef& o : stateOptions()) options.push_back(std::move(o));
  return {"layout",
          "place a graph's boxes and lines without drawing them",
          "FILE[::GRAPH]",
          "Prints what the inspector and `descry render` draw from. Positions are in units of one pixel at "
          "100 %, y down; "
          "the same graph gives the same positions. Indices of edges and groups count from 0 in the lists "
          "printed.",
          std::move(options),
          {{"descry layout joint.txt", "size of the drawing and crossings"},
           {"descry layout joint.txt --json --stats", "positions for another program"}},
          1,
          1,
          run};
}

}  // namespace descry::cli
