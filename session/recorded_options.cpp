#include "session/recorded_options.h"

namespace descry::session {

std::vector<std::pair<std::string, std::shared_ptr<const ir::Module>>> graphsOf(
    const passes::AotResult& result, const std::shared_ptr<const passes::Partition>& parts) {
  std::vector<std::pair<std::string, std::shared_ptr<const ir::Module>>> out;
  if (result.joint) out.emplace_back("joint", result.joint);
  if (parts) {
    out.emplace_back("forward", std::shared_ptr<const ir::Module>(parts, &parts->forward));
    out.emplace_back("backward", std::shared_ptr<const ir::Module>(parts, &parts->backward));
  }
  if (result.inference) out.emplace_back("inference", result.inference);
  return out;
}

std::vector<std::pair<std::string, LoadedGraphPtr>> loadedGraphsOf(
    const LoadedGraph& captured, const passes::AotResult& result,
    const std::shared_ptr<const passes::Partition>& parts) {
  std::vector<std::pair<std::string, LoadedGraphPtr>> out;
  for (const auto& [kind, module] : graphsOf(result, parts)) {
    importers::GraphEntry entry = captured.entry;
    entry.id += "@" + kind;
    out.emplace_back(kind, makeLoadedGraph(module, std::move(entry), captured.documentPath));
  }
  return out;
}

namespace {

bool asRecorded(const Document& document, const LoadedGraph& captured, const passes::AotResult& result,
                const std::shared_ptr<const passes::Partition>& parts) {
  bool any = false;
  for (const auto& [kind, graph] : loadedGraphsOf(captured, result, parts)) {
    const LoadedGraphPtr recorded = recordedGraph(document, captured, kind);
    if (!recorded) continue;
    any = true;
    if (!compareWithRecorded(recorded, graph).identical()) return false;
  }
  return any;
}

}  // namespace

std::optional<RecordedOptions> optionsOfTheLog(const Document& document, const LoadedGraph& captured,
                                               const passes::CapturedFacts& facts, AotRequest request,
                                               const RecordedOptions& tried) {
  for (const auto& [set, name] : {std::pair{passes::Decompositions::None, "none"},
                                  std::pair{passes::Decompositions::Inductor, "inductor"},
                                  std::pair{passes::Decompositions::Core, "core"}}) {
    request.decompositions = set;
    const ir::Result<passes::AotResult> made = runAot(document, captured, facts, request);
    if (!made) continue;
    if (!made->joint) {
      if (name != tried.decompositions && asRecorded(document, captured, *made, nullptr))
        return RecordedOptions{name, ""};
      continue;
    }
    for (const char* method : {"min-cut", "default"}) {
      RecordedOptions options{name, method};
      if (options == tried) continue;
      ir::Result<passes::Partition> cut = cutJoint(*made, facts, {{"method", method}});
      if (cut &&
          asRecorded(document, captured, *made, std::make_shared<const passes::Partition>(std::move(*cut))))
        return options;
    }
  }
  return std::nullopt;
}

}  // namespace descry::session
