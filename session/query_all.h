// One query on every graph of a document.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/query.h"

namespace descry::session {

struct GraphHits {
  LoadedGraphPtr graph;
  std::vector<ir::NodeId> nodes;  ///< as QueryResult::nodes; never empty
};
struct AllHits {
  std::vector<GraphHits> graphs;      ///< those with hits, in file order
  size_t hits = 0;                    ///< nodes in all of them
  size_t searched = 0;                ///< graphs that were read, those below others counted too
  std::vector<LoadedGraphPtr> roots;  ///< the document's own graphs that were read
  std::optional<QueryError> error;
  std::vector<ir::Diagnostic> unread;  ///< graphs that could not be loaded
  bool cancelled = false;
};
/// `limit:` in the query holds for each graph. Graphs that are not loaded yet are read and kept by the
/// document.
AllHits runQueryOnAll(const Document& document, std::string_view query,
                      const std::atomic<bool>* cancel = nullptr);

}  // namespace descry::session
