#include "session/compiles.h"

#include <map>
#include <tuple>

#include "ir/verify/compile.h"
#include "passes/partition/verify_partition.h"
#include "session/recorded_meta.h"

namespace descry::session {

namespace {

/// Indices into the graphs of the input, and the record of the metadata.
struct Compile {
  std::optional<size_t> joint, forward, backward, inference, metadata;

  size_t parts() const {
    return joint.has_value() + forward.has_value() + backward.has_value() + inference.has_value() +
           metadata.has_value();
  }
};

/// Sorts graphs and records into compiles as they come in the file.
class Grouping {
 public:
  explicit Grouping(const importers::Input& input) : input_(input) {}

  std::vector<Compile> run() {
    bool any = false;
    for (const importers::RecordEntry& r : input_.records()) any = any || r.graph >= 0;
    if (any) {
      for (size_t i = 0; i < input_.records().size(); ++i) record(i);
    } else {
      for (size_t i = 0; i < input_.graphs().size(); ++i) graph(i);
    }
    return std::move(all_);
  }

 private:
  using Key = std::tuple<std::string, int>;
  static Key keyOf(const std::string& compileId, const std::optional<int>& rank) {
    return {compileId, rank.value_or(-1)};
  }

  void record(size_t i) {
    const importers::RecordEntry& r = input_.records()[i];
    if (r.graph >= 0)
      graph(static_cast<size_t>(r.graph));
    else if (r.name == kMetadataRecord && !r.lost())
      metadata_[keyOf(r.compileId, r.rank)] = i;
  }

  void graph(size_t i) {
    const importers::GraphEntry& g = input_.graphs()[i];
    const Key key = keyOf(g.compileId, g.rank);
    std::optional<size_t> Compile::*part = nullptr;
    if (g.kind == "aot_joint_graph") part = &Compile::joint;
    if (g.kind == "aot_forward_graph") part = &Compile::forward;
    if (g.kind == "aot_backward_graph") part = &Compile::backward;
    if (g.kind == "aot_inference_graph") part = &Compile::inference;
    if (!part) return;
    const auto open = open_.find(key);
    // A joint begins a compile, and so does what the last one has already.
    const bool fresh = open == open_.end() || part == &Compile::joint || part == &Compile::inference ||
                       all_[open->second].*part || all_[open->second].inference ||
                       (part == &Compile::forward && all_[open->second].backward);
    if (fresh) {
      open_[key] = all_.size();
      all_.emplace_back();
    }
    Compile& c = all_[open_[key]];
    c.*part = i;
    // The metadata is written right before the graphs that it describes.
    if (part == &Compile::joint) {
      metadata_.erase(key);
    } else if (part != &Compile::backward) {
      if (const auto m = metadata_.find(key); m != metadata_.end()) {
        c.metadata = m->second;
        metadata_.erase(m);
      }
    }
  }

  const importers::Input& input_;
  std::vector<Compile> all_;
  std::map<Key, size_t> open_, metadata_;
};

}  // namespace

std::vector<CompileReport> verifyCompiles(const Document& document) {
  const importers::Input& input = document.input();
  std::vector<CompileReport> out;
  for (const Compile& c : Grouping(input).run()) {
    if (c.parts() < 2) continue;
    CompileReport report;
    ir::CompileGraphs graphs;
    std::vector<LoadedGraphPtr> loaded;  // keeps the modules
    const auto take = [&](const std::optional<size_t>& index, ir::CompileGraph& into) {
      if (!index) return;
      ir::Result<LoadedGraphPtr> g = document.graphAt(*index);
      if (!g) return;
      const importers::GraphEntry& e = (*g)->entry;
      into = {(*g)->module.get(), e.id, e.file.empty() ? document.path() : e.file};
      report.compileId = e.shownCompileId;
      report.graphs.push_back(e.id);
      loaded.push_back(std::move(*g));
    };
    take(c.joint, graphs.joint);
    take(c.forward, graphs.forward);
    take(c.backward, graphs.backward);
    take(c.inference, graphs.inference);
    ir::DiagnosticSink sink;
    ir::verifyCompile(graphs, ir::allOps(), sink);
    if (graphs.joint.graph() && graphs.backward.graph())
      if (const std::optional<size_t> n = ir::forwardOutputsOf(*graphs.joint.graph()))
        passes::verifyPolicies(graphs, passes::deriveRoles(*graphs.joint.graph(), static_cast<uint32_t>(*n)),
                               sink);
    if (c.metadata) {
      const importers::RecordEntry& r = input.records()[*c.metadata];
      const std::string file = r.file.empty() ? document.path() : r.file;
      const std::string name = report.compileId.empty() ? "metadata" : report.compileId + ":metadata";
      ir::SourceLoc loc;
      loc.line = r.line;
      const ir::Result<std::string> text = input.payload(*c.metadata);
      const std::optional<RecordedMeta> meta = text ? readRecordedMeta(*text) : std::nullopt;
      const auto note = [&](std::string message) {
        ir::Diagnostic d;
        d.severity = ir::Severity::Note;
        d.code = "metadata-unread";
        d.message = std::move(message);
        d.graph = name;
        d.file = file;
        d.loc = loc;
        sink.add(std::move(d));
      };
      if (meta) {
        for (const std::string& field : meta->unread) note("cannot be read: " + field);
        const passes::MetadataCheck check{meta->meta, &meta->cut, c.joint || c.forward || c.backward,
                                          name,       file,       loc};
        passes::verifyMetadata(check, sink);
        passes::verifyAgainstMetadata(check, graphs, sink);
      } else {
        note("the ViewAndMutationMeta of this compile cannot be read");
      }
    }
    report.found = sink.take();
    out.push_back(std::move(report));
  }
  return out;
}

}  // namespace descry::session
