#include <map>

#include "session/node_text.h"
#include "session/views.h"

namespace descry::session {

namespace {

std::string baseName(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos || slash + 1 == path.size() ? path : path.substr(slash + 1);
}

}  // namespace

std::vector<ExplorerItem> explorer(const Document& document) {
  using Kind = ExplorerItem::Kind;
  const importers::Input& input = document.input();
  std::vector<ExplorerItem> out;
  auto add = [&](Kind kind, std::string label, std::string detail, int parent) {
    ExplorerItem item;
    item.kind = kind;
    item.label = std::move(label);
    item.detail = std::move(detail);
    item.parent = parent;
    out.push_back(std::move(item));
    return static_cast<int>(out.size()) - 1;
  };
  const int root = add(Kind::File, document.path() == "-" ? "standard input" : baseName(document.path()),
                       input.format(), -1);
  bool ranks = false;
  for (const importers::GraphEntry& g : input.graphs()) ranks = ranks || g.rank.has_value();

  std::map<std::pair<int, std::string>, int> compiles;
  std::map<int, int> rankItems;
  auto rankItem = [&](std::optional<int> rank) {
    if (!ranks) return root;
    const int key = rank.value_or(-1);
    const auto it = rankItems.find(key);
    if (it != rankItems.end()) return it->second;
    return rankItems[key] = add(Kind::Rank, rank ? "rank " + std::to_string(*rank) : "no rank", "", root);
  };
  auto compileItem = [&](std::optional<int> rank, const std::string& id) {
    const int parent = rankItem(rank);
    if (id.empty()) return parent;
    const auto key = std::pair(parent, id);
    const auto it = compiles.find(key);
    if (it != compiles.end()) return it->second;
    return compiles[key] = add(Kind::Compile, "[" + id + "]", "", parent);
  };
  for (size_t i = 0; i < input.graphs().size(); ++i) {
    const importers::GraphEntry& g = input.graphs()[i];
    std::string compile = g.shownCompileId;
    if (!compile.empty() && g.instance > 0) compile += " (instance " + std::to_string(g.instance + 1) + ")";
    const int item =
        add(Kind::Graph, g.id, g.kind == "graph" ? g.title : g.kind, compileItem(g.rank, compile));
    out[static_cast<size_t>(item)].graph = static_cast<int>(i);
  }
  if (!input.tables().empty()) {
    for (size_t i = 0; i < input.tables().size(); ++i) {
      const importers::FactTable& t = input.tables()[i];
      const int item = add(Kind::Table, t.name, counted(t.rows.size(), "row"), root);
      out[static_cast<size_t>(item)].table = static_cast<int>(i);
    }
  }
  if (!input.records().empty()) {
    const int records = add(Kind::Records, "records", std::to_string(input.records().size()), root);
    std::map<std::string, int> kinds;
    std::map<std::string, size_t> counts;
    for (const importers::RecordEntry& r : input.records()) ++counts[r.kind];
    for (size_t i = 0; i < input.records().size(); ++i) {
      const importers::RecordEntry& r = input.records()[i];
      auto it = kinds.find(r.kind);
      if (it == kinds.end())
        it = kinds
                 .emplace(r.kind,
                          add(Kind::Records, r.kind,
                              std::to_string(counts[r.kind]) + (r.known ? "" : ", kind not known"), records))
                 .first;
      std::string label = r.name.empty() ? r.kind : r.name;
      if (!r.shownCompileId.empty()) label = "[" + r.shownCompileId + "] " + label;
      std::string detail = "line " + std::to_string(r.line);
      if (r.hasPayload) detail += ", " + formatBytes(static_cast<int64_t>(r.payloadBytes));
      if (!r.state.empty()) detail += ", " + r.state;
      const int item = add(Kind::Record, std::move(label), std::move(detail), it->second);
      out[static_cast<size_t>(item)].record = static_cast<int>(i);
      out[static_cast<size_t>(item)].graph = r.graph;
    }
  }
  return out;
}

}  // namespace descry::session
