#include "ir/analysis/module_paths.h"

#include <unordered_map>

#include "ir/analysis/parameter_modules.h"

namespace descry::ir {

namespace {

/// `L['self'].layers['0'].fc` -> `layers.0.fc`; `L__self___layers_0` stays.
std::string tidyPath(std::string_view path) {
  std::string out;
  for (size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (c == '[' || c == ']' || c == '\'' || c == '"') {
      if (c == '[' && !out.empty() && out.back() != '.') out += '.';
    } else {
      out += c;
    }
  }
  for (std::string_view head : {"L.self", "self", "G.self"}) {
    if (out.substr(0, head.size()) == head && (out.size() == head.size() || out[head.size()] == '.')) {
      out.erase(0, head.size() + (out.size() > head.size()));
      break;
    }
  }
  return out;
}

class Interner {
 public:
  explicit Interner(std::vector<std::string>& paths) : paths_(paths) {}
  uint32_t operator()(const std::string& path) {
    if (path.empty()) return ModuleMap::kNone;
    const auto [it, fresh] = index_.emplace(path, static_cast<uint32_t>(paths_.size()));
    if (fresh) paths_.push_back(path);
    return it->second;
  }

 private:
  std::vector<std::string>& paths_;
  std::unordered_map<std::string, uint32_t> index_;
};

bool fromStacks(const Graph& g, ModuleMap& map) {
  Interner intern(map.paths);
  bool any = false;
  for (NodeId id : g.nodes()) {
    const auto* meta = g.meta(id);
    if (!meta) continue;
    for (const NodeMetaEntry& e : *meta) {
      if (e.key != "nn_module_stack") continue;
      any = true;
      map.of[id.index] = intern(innermostModule(e.value));
    }
  }
  return any;
}

void fromSources(const Graph& g, ModuleMap& map) {
  Interner intern(map.paths);
  std::unordered_map<uint32_t, uint32_t> bySource;
  bool any = false;
  for (NodeId id : g.nodes()) {
    const OpKind op = g.node(id).op;
    const SourceId s = g.node(id).source;
    if (!s || op == OpKind::Placeholder || op == OpKind::Output) continue;
    const auto [it, fresh] = bySource.emplace(s.index, ModuleMap::kNone);
    if (fresh) {
      const Source& source = g.source(id);
      if (source.file) {
        std::string_view file = g.str(source.file);
        if (const size_t slash = file.rfind('/'); slash != std::string_view::npos)
          file.remove_prefix(slash + 1);
        // Dots would read as nesting.
        std::string name =
            std::string(file.substr(0, file.rfind(".py"))) + ":" + std::string(g.str(source.function));
        for (char& c : name)
          if (c == '.') c = '_';
        it->second = intern(name);
      }
    }
    map.of[id.index] = it->second;
    any = any || it->second != ModuleMap::kNone;
  }
  map.source = any ? "source lines" : "";
}

}  // namespace

std::string innermostModule(std::string_view stack) {
  if (stack.empty()) return {};
  if (stack.find('(') != std::string_view::npos) {
    // {'key': ('path', class), ...}: the first quoted text behind the last parenthesis that opens a pair.
    size_t at = stack.rfind("(\"");
    const size_t single = stack.rfind("('");
    if (at == std::string_view::npos || (single != std::string_view::npos && single > at)) at = single;
    if (at == std::string_view::npos) return {};
    const char quote = stack[at + 1];
    const size_t end = stack.find(std::string(1, quote) + ",", at + 2);
    if (end == std::string_view::npos) return {};
    return tidyPath(stack.substr(at + 2, end - at - 2));
  }
  // key,path,class;key,path,class
  std::string_view last = stack;
  while (!last.empty() && last.back() == ';') last.remove_suffix(1);
  if (const size_t semi = last.rfind(';'); semi != std::string_view::npos) last.remove_prefix(semi + 1);
  const size_t first = last.find(',');
  if (first == std::string_view::npos) return tidyPath(last);
  last.remove_prefix(first + 1);
  return tidyPath(last.substr(0, last.find(',')));
}

ModuleMap findModules(const Graph& graph) {
  ModuleMap map;
  map.of.assign(graph.idBound(), ModuleMap::kNone);
  if (fromStacks(graph, map)) {
    map.source = "module stack";
    return map;
  }
  map.inferred = true;
  if (modulesFromParameters(graph, map)) {
    map.source = "parameter names";
    return map;
  }
  map.of.assign(graph.idBound(), ModuleMap::kNone);
  map.paths.clear();
  fromSources(graph, map);
  return map;
}

}  // namespace descry::ir
