// Classes, their nesting, and the links from attributes to subgraphs.
#include <algorithm>
#include <unordered_set>

#include "importers/fx_text/parser.h"

namespace descry::importers::fx {

using ir::NodeId;
using ir::OpKind;

Parser::Parser(std::string_view text, const LineMap& map, ir::DiagnosticSink& sink, ir::Module& module)
    : text_(text),
      map_(map),
      sink_(sink),
      module_(module),
      ctx_(module.context()),
      p_(text.data()),
      end_(text.data() + text.size()),
      lineStart_(text.data()) {}

/// `[origin ]class Name(base):`. False when the line is something else; p_ is then unchanged.
bool Parser::classLine(int indent) {
  const std::string_view line = restOfLine();
  size_t at = 0;
  if (!line.starts_with("class ")) {
    at = line.find(" class ");
    if (at == std::string_view::npos) return false;
    ++at;
  }
  const size_t open = line.find('(', at);
  size_t nameEnd = open;
  if (open == std::string_view::npos) nameEnd = line.find(':', at);
  if (nameEnd == std::string_view::npos || line.find(':', nameEnd) == std::string_view::npos) return false;
  while (!classes_.empty() && classes_.back().indent >= indent) classes_.pop_back();
  if (classes_.size() >= kMaxClassDepth) {
    sink_.error("nested-too-deep", here(), "classes nested deeper than " + std::to_string(kMaxClassDepth));
    skipLine();
    return true;
  }
  const std::string_view name = line.substr(at + 6, nameEnd - at - 6);
  const uint32_t graph = module_.addGraph(std::string(name));
  ir::Graph& g = module_.graphs[graph];
  g.style.className = std::string(name);
  if (open != std::string_view::npos) {
    const size_t close = line.find(')', open);
    g.style.classBase = std::string(
        line.substr(open + 1, (close == std::string_view::npos ? line.size() : close) - open - 1));
  }
  if (at > 0) g.style.origin = std::string(line.substr(0, at - 1));
  g.begin = here();
  if (graph != 0) {
    const uint32_t parent = classes_.empty() ? 0 : classes_.back().graph;
    g.parent = parent;
    module_.graphs[parent].children.push_back({ctx_.intern(name), graph});
  }
  classes_.push_back({graph, indent});
  skipLine();
  return true;
}

void Parser::run() {
  std::vector<bool> hasFunction;
  while (!atEnd()) {
    const char* start = p_;
    int indent = 0;
    while (p_ < end_ && (*p_ == ' ' || *p_ == '\t')) {
      indent += *p_ == '\t' ? 4 : 1;
      ++p_;
    }
    if (atEnd()) break;
    if (*p_ == '\n') {
      newline();
      continue;
    }
    if (*p_ == '#') {
      if (!module_.graphs.empty()) {
        std::string_view text = restOfLine();
        while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
        ir::Graph& root = module_.root();
        constexpr std::string_view kId = "# graph id: ";
        if (text.starts_with(kId)) {
          root.graphId = std::string(text.substr(kId.size()));
          root.style.trailing.emplace_back(text);
        }
      }
      skipLine();
      continue;
    }
    if (classLine(indent)) continue;
    if (startsWith("def ")) {
      while (!classes_.empty() && classes_.back().indent > indent) classes_.pop_back();
      uint32_t graph;
      if (classes_.empty()) {
        if (!module_.graphs.empty()) {
          sink_.note("extra-function", here(), "a second function of one region is left out");
          skipLine();
          continue;
        }
        graph = module_.addGraph("forward");
        module_.graphs[graph].style.hasClass = false;
      } else {
        graph = classes_.back().graph;
      }
      if (hasFunction.size() <= graph) hasFunction.resize(graph + 1);
      p_ += 4;
      while (peek() == ' ') ++p_;
      // `__init__` and helpers of repro scripts are no graphs.
      const bool forward = !startsWith("__");
      if (!forward || hasFunction[graph]) {
        skipLine();
        continue;
      }
      hasFunction[graph] = true;
      function(graph, indent);
      continue;
    }
    p_ = start;
    skipLine();  // decorators, attributes, other text inside the region
  }
  if (module_.graphs.empty()) {
    sink_.error("no-graph", here(), "no `class` and no `def` found");
    return;
  }
  for (uint32_t i = 0; i < module_.graphs.size(); ++i) {
    if (i < hasFunction.size() && hasFunction[i]) continue;
    ir::Graph& g = module_.graphs[i];
    g.truncated = true;
    g.style.hasReturn = false;
    sink_.warning("missing-forward", g.begin, "class '" + g.name + "' has no function that could be a graph");
  }
  linkChildren();
}

/// Up to torch 2.4 all nested classes were printed as GraphModule: the k-th then belongs to the k-th
/// graph-valued attribute of the parent, in order of first use. Names that match an attribute need no such
/// guess.
void Parser::linkChildren() {
  for (ir::Graph& g : module_.graphs) {
    if (g.children.empty()) continue;
    std::unordered_set<uint32_t> names;
    bool repeated = false;
    for (const auto& c : g.children) repeated |= !names.insert(c.attribute.index).second;
    std::vector<ir::StrId> attributes;
    bool anyNamed = false;
    std::unordered_set<uint32_t> seen;
    for (NodeId id : g.nodes()) {
      const ir::Node& n = g.node(id);
      if (n.op != OpKind::GetAttr) continue;
      anyNamed |= names.count(n.target.index) > 0;
      bool higherOrder = false;
      for (NodeId user : g.users(id)) higherOrder |= g.target(user).starts_with("torch.ops.higher_order.");
      if (higherOrder && seen.insert(n.target.index).second) attributes.push_back(n.target);
    }
    if (anyNamed && !repeated) continue;
    if (attributes.size() == g.children.size()) {
      for (size_t k = 0; k < attributes.size(); ++k) g.children[k].attribute = attributes[k];
    } else if (repeated) {
      sink_.note("ambiguous-subgraphs", g.begin,
                 "nested classes of '" + g.name + "' share a name and cannot be matched to attributes");
    }
  }
}

}  // namespace descry::importers::fx

namespace descry::importers {

std::shared_ptr<ir::Module> parseFxText(std::string_view text, const LineMap& map, ir::DiagnosticSink& sink,
                                        ir::ContextPtr context) {
  auto module = std::make_shared<ir::Module>(context ? std::move(context) : std::make_shared<ir::Context>());
  fx::Parser(text, map, sink, *module).run();
  if (module->graphs.empty()) module->addGraph("empty");
  return module;
}

}  // namespace descry::importers
