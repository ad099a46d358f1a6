// Session: the engine behind both fronts. Opens inputs, caches parsed graphs, and answers every question that
// the command line and the inspector ask. No Qt. What a widget shows and what a subcommand prints both come
// from the functions here and in session/views.h, session/query.h, session/scene_builder.h,
// session/exports.h.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "importers/common/importer.h"
#include "ir/analysis/phases.h"
#include "ir/core/graph.h"

namespace descry::session {

/// A parsed graph of a document, with the facts that views share. Immutable once made; share it between
/// threads.
struct LoadedGraph {
  importers::GraphEntry entry;
  std::shared_ptr<const ir::Module> module;
  const ir::Graph* graph = nullptr;  ///< module->graphs[subgraph]
  uint32_t subgraph = 0;
  std::vector<ir::Diagnostic> diagnostics;       ///< of parsing this graph
  std::vector<importers::InputFact> inputFacts;  ///< parallel to nothing; joined by name
  ir::PhaseMap phases;
  /// Input name -> descriptor that only the forward graph of the same compile prints (session/companion.h).
  std::unordered_map<std::string, std::string> companionDescs;
  /// Of a printed ExportedProgram, else null.
  std::shared_ptr<const importers::ExportSignature> signature;
  std::string documentPath;
  /// What a partition made of the nodes, by node id; null when none is known.
  std::shared_ptr<const std::vector<ir::NodeCut>> cut;
};
using LoadedGraphPtr = std::shared_ptr<const LoadedGraph>;
/// A loaded graph around a module that is already there (root graph; phases and name index are made).
LoadedGraphPtr makeLoadedGraph(std::shared_ptr<const ir::Module> module, importers::GraphEntry entry,
                               std::string path, std::vector<ir::Diagnostic> diagnostics = {},
                               std::vector<importers::InputFact> facts = {});

/// One opened file, folder or standard input.
class Document {
 public:
  /// Errors: those of importers::openInput.
  static ir::Result<std::shared_ptr<Document>> open(const std::string& path,
                                                    const importers::OpenOptions& = {});

  const importers::Input& input() const { return *input_; }
  const std::string& path() const { return path_; }
  /// Parsed on first use and cached. `address` is an id of `descry info`, a unique prefix of one, or
  /// `id/subgraph` path such as `0/0:joint/true_graph_0`; empty means the first graph of the best kind (joint
  /// before others). Errors: `graph-not-found` (names the candidates), `graph-ambiguous`, `no-graphs`. Thread
  /// safe.
  ir::Result<LoadedGraphPtr> graph(std::string_view address) const;
  /// What an address means. `subgraph` is the path below the graph, empty for the graph itself.
  struct Resolved {
    size_t index = 0;
    std::string subgraph;
  };
  ir::Result<Resolved> resolve(std::string_view address) const;
  /// The graph that an empty address means. There must be one.
  size_t bestGraph() const;
  /// Index into input().graphs().
  ir::Result<LoadedGraphPtr> graphAt(size_t index) const;
  /// Graph `index` of the module of `root`, which an address would name by `path`. With or without a copy of
  /// the diagnostics of the root.
  LoadedGraphPtr subgraph(const LoadedGraphPtr& root, uint32_t index, const std::string& path,
                          bool diagnostics) const;
  /// All diagnostics: of indexing, and of the graphs parsed so far.
  std::vector<ir::Diagnostic> diagnostics() const;
  /// True when the file on disk is no longer the one that was opened (size or time differ).
  bool changedOnDisk() const;

 private:
  std::string path_;
  std::unique_ptr<importers::Input> input_;
  int64_t openedSize_ = -1, openedTime_ = -1;
  mutable std::mutex mutex_;
  mutable std::map<size_t, LoadedGraphPtr> cache_;
};
using DocumentPtr = std::shared_ptr<Document>;

/// Splits `FILE::GRAPH#node` into its parts; the later parts may be empty. A file that exists under the whole
/// text wins over the split.
struct Address {
  std::string file, graph, node;
};
Address parseAddress(std::string_view text);

}  // namespace descry::session
