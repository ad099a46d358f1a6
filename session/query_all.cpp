#include "session/query_all.h"

namespace descry::session {

AllHits runQueryOnAll(const Document& document, std::string_view query, const std::atomic<bool>* cancel) {
  AllHits out;
  const auto search = [&](const LoadedGraphPtr& graph) {
    ++out.searched;
    QueryResult found = runQuery(*graph, query);
    out.error = std::move(found.error);
    if (found.nodes.empty()) return;
    out.hits += found.nodes.size();
    out.graphs.push_back({graph, std::move(found.nodes)});
  };
  for (size_t i = 0; i < document.input().graphs().size(); ++i) {
    const ir::Result<LoadedGraphPtr> root = document.graphAt(i);
    if (!root) {
      out.unread.push_back(root.error());
      continue;
    }
    out.roots.push_back(*root);
    const ir::Module& module = *(*root)->module;
    // The graph and all below it, each in front of its own parts. A graph has one parent at most, so each
    // comes once, whatever a damaged file says.
    std::vector<bool> seen(module.graphs.size(), false);
    std::vector<std::pair<uint32_t, std::string>> below{{0, ""}};
    while (!below.empty()) {
      const auto [at, path] = std::move(below.back());
      below.pop_back();
      if (at >= module.graphs.size() || seen[at]) continue;
      seen[at] = true;
      if ((out.cancelled = cancel && cancel->load(std::memory_order_relaxed))) return out;
      search(at == 0 ? *root : document.subgraph(*root, at, path, false));
      if (out.error) return out;  // it would be the same in every graph
      const auto& children = module.graphs[at].children;
      for (auto child = children.rbegin(); child != children.rend(); ++child) {
        std::string name(module.context().str(child->attribute));
        below.emplace_back(child->graph, path.empty() ? std::move(name) : path + "/" + name);
      }
    }
  }
  return out;
}

}  // namespace descry::session
