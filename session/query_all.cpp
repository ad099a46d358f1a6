#include "session/query_all.h"

namespace descry::session {

AllHits runQueryOnAll(const Document& document, std::string_view query, const std::atomic<bool>* cancel) {
  AllHits out;
  const auto cancelled = [&] { return cancel && cancel->load(std::memory_order_relaxed); };
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
    // The graph and all below it, each in front of its own parts.
    std::vector<std::pair<uint32_t, std::string>> below{{0, ""}};
    while (!below.empty()) {
      const auto [at, path] = std::move(below.back());
      below.pop_back();
      if ((out.cancelled = cancelled())) return out;
      const ir::Result<LoadedGraphPtr> graph = path.empty() ? root : document.graph((*root)->entry.id + path);
      if (graph) search(*graph);
      if (out.error) return out;  // it would be the same in every graph
      const ir::Module& module = *(*root)->module;
      const auto& children = module.graphs[at].children;
      for (auto child = children.rbegin(); child != children.rend(); ++child)
        if (child->graph < module.graphs.size())
          below.emplace_back(child->graph, path + "/" + std::string(module.context().str(child->attribute)));
    }
  }
  return out;
}

}  // namespace descry::session
