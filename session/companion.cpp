#include "session/companion.h"

#include <filesystem>
#include <optional>

namespace descry::session {

namespace {

std::shared_ptr<ir::Module> forwardOf(const importers::Input& input, size_t index) {
  const importers::GraphEntry& own = input.graphs()[index];
  ir::DiagnosticSink ignored;  // the forward graph reports its own faults when it is opened itself
  for (size_t i = 0; i < input.graphs().size(); ++i) {
    const importers::GraphEntry& g = input.graphs()[i];
    if (g.kind != "aot_forward_graph" || g.compileId != own.compileId || g.rank != own.rank ||
        g.instance != own.instance)
      continue;
    if (auto module = input.load(i, ignored)) return *module;
  }
  const std::filesystem::path path = input.path();
  if (input.graphs().size() != 1 || path.filename() != "joint.txt") return nullptr;
  const std::filesystem::path beside = path.parent_path() / "forward.txt";
  std::error_code ec;
  if (!std::filesystem::is_regular_file(beside, ec)) return nullptr;
  auto opened = importers::openInput(beside.string());
  if (!opened || (*opened)->graphs().size() != 1) return nullptr;
  auto module = (*opened)->load(0, ignored);
  return module ? *module : nullptr;
}

}  // namespace

std::unordered_map<std::string, std::string> companionDescriptors(const importers::Input& input, size_t index,
                                                                  const ir::Graph& joint) {
  std::unordered_map<std::string, std::string> out;
  bool anyTangent = false, anyMissing = false;
  for (ir::NodeId id : joint.placeholders()) {
    const ir::Descriptor* d = joint.descriptor(id);
    anyTangent |= d && d->isTangent();
    anyMissing |= !joint.node(id).desc;
  }
  if (!anyTangent || !anyMissing || joint.outputDescs.empty()) return out;
  const std::shared_ptr<ir::Module> module = forwardOf(input, index);
  if (!module || module->graphs.empty()) return out;
  const ir::Graph& forward = module->root();
  // The forward takes the same inputs in the same order; names and recorded descriptors must say so too.
  for (ir::NodeId id : joint.placeholders()) {
    const ir::NodeId twin = forward.find(joint.nodeName(id));
    const bool here = joint.node(id).desc.index != 0;
    if (!twin.valid() || forward.node(twin).op != ir::OpKind::Placeholder || !forward.node(twin).desc)
      continue;
    const std::string_view text = forward.str(forward.context().descriptor(forward.node(twin).desc).text);
    if (!here)
      out.emplace(joint.nodeName(id), text);
    else if (text != joint.str(joint.context().descriptor(joint.node(id).desc).text))
      return {};
  }
  return out;
}

}  // namespace descry::session
