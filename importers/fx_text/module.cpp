// Classes, their nesting, and the links from attributes to subgraphs.
#include <algorithm>
#include <unordered_map>
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
      lineStart_(text.data()) {
  // About one new text for each line of a printed graph; a guess too low costs time only.
  ctx_.strings.reserve(static_cast<uint32_t>(std::min<size_t>(text.size() / 100, 1 << 20)));
}

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
  const std::string_view name = line.substr(at + 6, nameEnd - at - 6);
  if (!unindentedChild(name, indent))
    while (!classes_.empty() && classes_.back().indent >= indent) classes_.pop_back();
  if (classes_.size() >= kMaxClassDepth) {
    sink_.warning("nested-too-deep", here(), "classes nested deeper than " + std::to_string(kMaxClassDepth));
    skipLine();
    return true;
  }
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
    module_.graphs[parent].children.push_back({intern(name), graph});
  }
  classes_.push_back({graph, indent});
  skipLine();
  return true;
}

/// In a text that lost its indentation nested classes stand at the column of their parent. The parent is then
/// the innermost class whose function names such an attribute; classes_ is cut back to it.
bool Parser::unindentedChild(std::string_view name, int indent) {
  if (classes_.empty() || classes_.back().indent != indent || classes_.front().indent != indent) return false;
  const ir::StrId wanted = intern(name);
  for (size_t k = classes_.size(); k-- > 0;) {
    const ir::Graph& g = module_.graphs[classes_[k].graph];
    const auto taken = [&](const ir::Graph::Child& c) { return c.attribute == wanted; };
    if (std::any_of(g.children.begin(), g.children.end(), taken)) continue;
    for (NodeId id : g.nodes()) {
      const ir::Node& n = g.node(id);
      if ((n.op != OpKind::GetAttr && n.op != OpKind::CallModule) || !(n.target == wanted)) continue;
      classes_.resize(k + 1);
      return true;
    }
  }
  return false;
}

const char* Parser::commentTail() {
  if (commentTail_) return commentTail_;
  commentTail_ = end_;
  bool behind = true;  // blank lines may follow the comments, but not part them from the code
  for (size_t end = text_.size(); end > 0;) {
    const size_t nl = text_.rfind('\n', end - 1);
    const size_t begin = nl == std::string_view::npos ? 0 : nl + 1;
    const std::string_view line = text_.substr(begin, end - begin);
    const size_t at = line.find_first_not_of(" \t\r");
    if (at == std::string_view::npos) {
      if (!behind) return commentTail_ = end_;
    } else if (line[at] == '#') {
      behind = false;
      commentTail_ = line.data();
    } else {
      break;
    }
    end = begin ? begin - 1 : 0;
  }
  return commentTail_;
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
        const bool graphId = text.starts_with(kId);
        if (graphId) root.graphId = std::string(text.substr(kId.size()));
        if (graphId || start >= commentTail()) root.style.trailing.emplace_back(text);
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

void Parser::linkChildren() {
  for (ir::Graph& g : module_.graphs)
    if (!g.children.empty()) linkChildrenOf(g);
}

/// Up to torch 2.4 all nested classes were printed as GraphModule: the k-th then belongs to the k-th
/// graph-valued attribute of the parent, in order of first use. Names that match an attribute need no such
/// guess.
void Parser::linkChildrenOf(ir::Graph& g) {
  std::unordered_map<uint32_t, uint32_t> classNames;
  for (const auto& c : g.children) ++classNames[c.attribute.index];
  // What an attribute may be, surest first: given to a higher order op; called as a module; read by something
  // that need not want a tensor. Tensors have a type, or go into methods, operators and ATen ops.
  enum : uint8_t { kHigherOrder, kCalled, kOther };
  struct Attribute {
    ir::StrId name;
    uint8_t sort;
  };
  std::vector<Attribute> attributes;
  std::unordered_map<uint32_t, size_t> seen;
  std::unordered_set<uint32_t> named;
  const auto add = [&](ir::StrId name, uint8_t sort) {
    const auto [at, fresh] = seen.emplace(name.index, attributes.size());
    if (fresh)
      attributes.push_back({name, sort});
    else
      attributes[at->second].sort = std::min(attributes[at->second].sort, sort);
  };
  for (NodeId id : g.nodes()) {
    const ir::Node& n = g.node(id);
    if (n.op != OpKind::GetAttr && n.op != OpKind::CallModule) continue;
    if (const auto found = classNames.find(n.target.index); found != classNames.end() && found->second == 1) {
      named.insert(n.target.index);
      continue;
    }
    if (n.op == OpKind::CallModule) {
      add(n.target, kCalled);
      continue;
    }
    // An attribute of an attribute is no class of this one.
    if (g.str(n.target).find('.') != std::string_view::npos) continue;
    bool higherOrder = false, tensor = static_cast<bool>(n.type) || !g.hasUsers(id);
    for (NodeId user : g.users(id)) {
      const std::string_view target = g.target(user);
      const ir::OpKind op = g.node(user).op;
      higherOrder |= op == OpKind::CallFunction && target.find("higher_order") != std::string_view::npos;
      tensor |= op != OpKind::CallFunction || target.starts_with("operator.") ||
                target.starts_with("torch.ops.aten.") || target.starts_with("torch.ops.prims.");
    }
    if (higherOrder)
      add(n.target, kHigherOrder);
    else if (!tensor)
      add(n.target, kOther);
  }
  std::vector<ir::Graph::Child*> open;
  bool repeated = false;
  for (ir::Graph::Child& c : g.children) {
    repeated |= classNames[c.attribute.index] > 1;
    if (!named.count(c.attribute.index)) open.push_back(&c);
  }
  if (open.empty()) return;
  for (const uint8_t limit : {kHigherOrder, kCalled, kOther}) {
    std::vector<ir::StrId> fit;
    for (const Attribute& a : attributes)
      if (a.sort <= limit) fit.push_back(a.name);
    if (fit.size() != open.size()) continue;
    for (size_t k = 0; k < fit.size(); ++k) open[k]->attribute = fit[k];
    return;
  }
  if (repeated)
    sink_.note("ambiguous-subgraphs", g.begin,
               "nested classes of '" + g.name + "' share a name and cannot be matched to attributes");
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
