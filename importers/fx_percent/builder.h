// Builds a graph from node lines: names, made-up inputs, places. Private to importers/fx_percent.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "importers/fx_percent/values.h"
#include "importers/fx_text/fx_text.h"
#include "ir/core/graph.h"
#include "ir/support/python_text.h"

namespace descry::importers::percent {

class Builder {
 public:
  Builder(const LineMap& map, ir::DiagnosticSink& sink) : map_(map), sink_(sink) {
    module_->addGraph("graph");
  }

  ir::Graph& graph() { return module_->root(); }
  ir::DiagnosticSink& sink() { return sink_; }
  std::shared_ptr<ir::Module> done() {
    noteSubgraphs();
    return module_;
  }

  ir::SourceLoc loc(uint32_t line, size_t column) const {
    const bool listed = line < map_.lines.size();
    const LineOrigin origin = listed ? map_.lines[line] : map_.first;
    const int64_t byte = listed && origin.byte >= 0 ? origin.byte + static_cast<int64_t>(column) : -1;
    return {listed ? origin.line : origin.line + line, origin.column + static_cast<uint32_t>(column), byte};
  }

  ir::NodeId add(const ir::Graph::NodeSpec& spec, uint32_t line, size_t column) {
    const ir::NodeId id = graph().add(spec);
    // Its text would be a statement of Python's own: `def = f(x)`.
    if (ir::isPythonKeyword(spec.name)) {
      graph().rename(id, std::string(spec.name) + "_1");
      sink_.warning("reserved-name", loc(line, column),
                    "'" + std::string(spec.name) + "' is a word of Python; the node is called '" +
                        std::string(graph().nodeName(id)) + "' here");
    }
    if (!spec.name.empty()) {
      if (names_.contains(std::string(spec.name)))
        sink_.warning("redefined-name", loc(line, column),
                      "'" + std::string(spec.name) + "' is defined twice; later uses read the newer one");
      names_[std::string(spec.name)] = id;
    }
    const ir::SourceLoc at = loc(line, column);
    graph().edit(id).line = at.line;
    graph().edit(id).column = at.column;
    if (!firstReal_.valid()) firstReal_ = id;
    return id;
  }

  ir::NodeId find(std::string_view name) const {
    const auto found = names_.find(std::string(name));
    return found == names_.end() ? ir::NodeId{} : found->second;
  }

  /// A node that the text uses but does not define becomes an input. Fragments are expected to have such.
  ir::NodeId findOrMake(std::string_view name, uint32_t line, size_t column, bool expected) {
    if (const ir::NodeId id = find(name); id.valid()) return id;
    if (!expected)
      sink_.warning("use-before-definition", loc(line, column),
                    "'" + std::string(name) + "' is used but not defined; it is shown as an input");
    ir::Graph::NodeSpec spec;
    spec.op = ir::OpKind::Placeholder;
    spec.name = name;
    const ir::NodeId id = graph().add(spec, firstReal_);
    graph().edit(id).flags |= ir::kNodeExternal;
    names_[std::string(name)] = id;
    graph().partial = graph().partial || !expected;
    return id;
  }

  void unparsed(std::string_view name, std::string_view text, uint32_t line) {
    sink_.warning("syntax", loc(line, 0), "this node line cannot be read; it is kept as text");
    ir::Graph::NodeSpec spec;
    spec.name = name.empty() ? "unparsed" : name;
    spec.target = "<unparsed>";
    spec.args = {ir::Argument::texted(ir::ValueKind::Opaque, std::string(text))};
    // What the line mentions is read by it, so that nothing is deleted in front of it.
    for (size_t at = text.find('%', 1); at != std::string_view::npos; at = text.find('%', at + 1)) {
      size_t end = at + 1;
      while (end < text.size() && (isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
      const ir::NodeId read = find(text.substr(at + 1, end - at - 1));
      if (read.valid() &&
          std::find(spec.args.begin(), spec.args.end(), ir::Argument(read)) == spec.args.end())
        spec.args.emplace_back(read);
    }
    const ir::NodeId id = add(spec, line, 0);
    graph().edit(id).flags |= ir::kNodeUnparsed;
    graph().partial = true;
  }

 private:
  /// These forms print one graph: what its higher order ops call is named and stands elsewhere.
  void noteSubgraphs() {
    const ir::Graph& g = module_->root();
    for (const ir::NodeId id : g.nodes()) {
      if (g.node(id).op != ir::OpKind::GetAttr) continue;
      for (const auto& use : g.users(id)) {
        if (!g.target(use).starts_with("torch.ops.higher_order.")) continue;
        module_->root().subgraphsLeftOut = true;
        sink_.note(
            "subgraphs-not-printed", {g.node(id).line, g.node(id).column, -1},
            "this form of a graph does not print its subgraphs, such as '" + std::string(g.target(id)) + "'");
        return;
      }
    }
  }

  const LineMap& map_;
  ir::DiagnosticSink& sink_;
  std::shared_ptr<ir::Module> module_ = std::make_shared<ir::Module>();
  std::unordered_map<std::string, ir::NodeId> names_;
  ir::NodeId firstReal_;
};

}  // namespace descry::importers::percent
