#include "session/scene_builder.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "ir/analysis/boundary.h"
#include "ir/analysis/module_paths.h"
#include "ir/ops/registry.h"
#include "ir/text/printer.h"
#include "layout/layout.h"
#include "session/node_text.h"

namespace descry::session {

namespace {

// Widths of a character as the canvas draws names (12 px, bold), ops and types.
constexpr double kNameWidth = 8.6, kCharWidth = 7.0, kLineHeight = 15;
constexpr double kMinWidth = 64, kMaxWidth = 300;
constexpr uint32_t kNone = 0xFFFFFFFF;
const std::string kBackwardHalf = "backward: ";  // before the path of a module's half

size_t characters(std::string_view text) {
  size_t n = 0;
  for (const char c : text) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return n;
}

/// What a shape takes from the text's room: pointed and rounded ends, the marks of parameters and gradients.
double shapePadding(ir::NodeRole role) {
  switch (role) {
    case ir::NodeRole::Input:
    case ir::NodeRole::Parameter:
    case ir::NodeRole::Buffer:
    case ir::NodeRole::Tangent:
    case ir::NodeRole::Output:
    case ir::NodeRole::GradOutput:
      return 44;
    case ir::NodeRole::View:
      return 32;
    default:
      return 24;
  }
}

/// Up to two lines: the name (or, far away, the op), and the type.
layout::Size boxSize(const ir::SceneNode& node) {
  double widest = kNameWidth * static_cast<double>(characters(node.label));
  int lines = 1;
  if (node.outputSlot < 0) widest = std::max(widest, kCharWidth * static_cast<double>(characters(node.op)));
  if (!node.type.empty()) {
    widest = std::max(widest, kCharWidth * static_cast<double>(characters(node.type)));
    lines = 2;
  }
  return {std::clamp(shapePadding(node.role) + widest, kMinWidth, kMaxWidth), 14 + kLineHeight * lines};
}

uint8_t edgeWidth(const ir::Type& type) {
  const auto bytes = bytesOf(type);
  if (!bytes) return 1;
  return *bytes >= (int64_t{64} << 20) ? 4 : *bytes >= (int64_t{1} << 20) ? 3 : *bytes >= 4096 ? 2 : 1;
}

class Builder {
 public:
  Builder(const LoadedGraph& lg, const SceneOptions& options) : lg_(lg), g_(*lg.graph), o_(options) {}

  ir::Scene run(LayoutStats* stats) {
    scene_.title = lg_.entry.id;
    scene_.hasBackward = lg_.phases.backward > 0;
    const std::vector<ir::NodeRole> roles = ir::nodeRoles(g_);
    boundary_ = ir::findBoundary(g_);
    hideNodes(roles);
    makeNodes(roles);
    makeOutputSlots();
    makeEdges(roles);
    makeGroups();
    place(stats);
    return std::move(scene_);
  }

 private:
  void hideNodes(const std::vector<ir::NodeRole>& roles) {
    hidden_.assign(g_.idBound(), false);
    for (ir::NodeId id : g_.nodes()) {
      if (o_.hideViews && roles[id.index] == ir::NodeRole::View) hidden_[id.index] = true;
      if (o_.hideSymbolicSizes && g_.type(id).kind == ir::TypeKind::Sym) hidden_[id.index] = true;
    }
  }

  void makeNodes(const std::vector<ir::NodeRole>& roles) {
    at_.assign(g_.idBound(), kNone);
    std::vector<bool> saved(g_.idBound(), false);
    for (ir::NodeId id : g_.nodes()) {
      if (lg_.phases[id] != ir::Phase::Backward) continue;
      g_.forEachInput(id, [&](ir::NodeId in) {
        if (lg_.phases[in] == ir::Phase::Forward) saved[in.index] = true;
      });
    }
    for (const ir::BoundaryOutput& out : boundary_.outputs)
      if (out.node && out.kind == ir::BoundaryKind::SavedOutput) saved[out.node.index] = true;
    std::unordered_map<std::string_view, bool> problems;
    for (const ir::Diagnostic& d : lg_.diagnostics)
      if (!d.node.empty()) problems[d.node] = true;
    for (ir::NodeId id : g_.nodes()) {
      const ir::Node& n = g_.node(id);
      if (n.op == ir::OpKind::Output || hidden_[id.index]) continue;
      ir::SceneNode node;
      node.node = id;
      node.label = g_.nodeName(id);
      node.op = n.op == ir::OpKind::Placeholder ? "" : std::string(shortOp(g_, id));
      const ir::Type& type = g_.type(id);
      node.type = type.kind == ir::TypeKind::Tensor ? dtypeText(type) + shapeText(type) : type.text;
      node.role = roles[id.index];
      node.phase = lg_.phases[id];
      const ir::NodeCut* cut = cutOf(id);
      if (cut ? cut->fate == ir::CutFate::Saved : saved[id.index]) node.badges |= ir::kBadgeSaved;
      if (n.flags & (ir::kNodeUnparsed | ir::kNodeExternal)) node.badges |= ir::kBadgeProblem;
      if (!problems.empty() && problems.count(node.label)) node.badges |= ir::kBadgeProblem;
      if (const ir::BoundaryInput* in = boundary_.input(id); in && in->inferred)
        node.badges |= ir::kBadgeInferred;
      if (cut ? cut->fate == ir::CutFate::Recomputed
              : n.source && g_.str(g_.source(id).tags).find("RECOMPUTE") != std::string_view::npos)
        node.badges |= ir::kBadgeRecomputed;
      if (lg_.cut) scene_.cuts.push_back(cut ? *cut : ir::NodeCut{});
      at_[id.index] = static_cast<uint32_t>(scene_.nodes.size());
      scene_.nodes.push_back(std::move(node));
    }
  }

  void makeOutputSlots() {
    firstSlot_ = static_cast<uint32_t>(scene_.nodes.size());
    values_ = g_.outputs();
    for (size_t i = 0; i < values_.size(); ++i) {
      const ir::BoundaryOutput& out = boundary_.outputs[i];
      ir::SceneNode node;
      node.outputSlot = static_cast<int32_t>(i);
      std::string value = ir::printValue(values_[i]);
      if (value.size() > 60) value = value.substr(0, 57) + "...";
      const bool gradient =
          out.kind == ir::BoundaryKind::Gradient || out.kind == ir::BoundaryKind::NoGradient;
      node.label = (out.kind == ir::BoundaryKind::NoGradient ? "no gradient "
                    : gradient                               ? "gradient "
                                                             : "output ") +
                   std::to_string(i);
      if (gradient && out.gradOf) node.label = "grad of " + std::string(g_.nodeName(out.gradOf));
      node.op = value;
      node.role = gradient ? ir::NodeRole::GradOutput : ir::NodeRole::Output;
      if (lg_.phases.joint)
        node.phase = gradient ? ir::Phase::Backward : ir::Phase::Forward;
      else if (lg_.phases.backward)
        node.phase = ir::Phase::Backward;
      if (out.node) {
        const ir::Type& type = g_.type(out.node);
        node.type = type.kind == ir::TypeKind::Tensor ? dtypeText(type) + shapeText(type) : type.text;
      }
      if (out.inferred) node.badges |= ir::kBadgeInferred;
      scene_.nodes.push_back(std::move(node));
      if (!lg_.cut) continue;
      const ir::NodeCut* cut = out.kind == ir::BoundaryKind::SavedOutput ? cutOf(out.node) : nullptr;
      scene_.cuts.push_back(cut ? *cut : ir::NodeCut{});
    }
  }

  /// Null where no partition is known; of a node that is no value of the forward, fate None.
  const ir::NodeCut* cutOf(ir::NodeId id) const {
    if (!lg_.cut || !id || id.index >= lg_.cut->size()) return nullptr;
    return &(*lg_.cut)[id.index];
  }

  /// Whether a line from `from` crosses the cut: a saved value goes to where the backward reads it, or
  /// computes something again from it.
  bool crosses(ir::NodeId from, uint32_t to) const {
    const ir::SceneNode& reader = scene_.nodes[to];
    const ir::NodeCut* cut = cutOf(from);
    if (!cut) return lg_.phases[from] == ir::Phase::Forward && reader.phase == ir::Phase::Backward;
    if (cut->fate != ir::CutFate::Saved) return false;
    const ir::CutFate at = scene_.cuts[to].fate;
    if (reader.outputSlot >= 0) return at == ir::CutFate::Saved;
    // The backward graph has no forward part that could be crossed from.
    if (!lg_.phases.joint && lg_.phases.backward) return false;
    return at == ir::CutFate::Recomputed || at == ir::CutFate::None;
  }

  /// Scene nodes that stand for `id`: itself, or what hidden views lead back to.
  void sourcesOf(ir::NodeId id, std::vector<ir::NodeId>& out) {
    std::vector<ir::NodeId> stack{id};
    size_t steps = 0;
    while (!stack.empty() && ++steps < 64) {
      const ir::NodeId at = stack.back();
      stack.pop_back();
      if (!hidden_[at.index]) {
        out.push_back(at);
        continue;
      }
      if (g_.type(at).kind == ir::TypeKind::Sym) continue;  // symbolic sizes are left out, not bridged
      // A view has one tensor that matters: its first argument.
      bool first = true;
      g_.forEachInput(at, [&](ir::NodeId in) {
        if (first) stack.push_back(in);
        first = false;
      });
    }
  }

  ir::EdgeKind kindOf(ir::NodeId from, uint32_t to, ir::NodeRole role, bool firstArgument) const {
    if (g_.type(from).kind == ir::TypeKind::Sym) return ir::EdgeKind::SymbolicSize;
    const ir::SceneNode& reader = scene_.nodes[to];
    if (crosses(from, to)) return ir::EdgeKind::Saved;
    const ir::BoundaryInput* in = boundary_.input(from);
    if (in && in->kind == ir::BoundaryKind::Token) return ir::EdgeKind::Control;
    if (reader.outputSlot >= 0 || !firstArgument) return ir::EdgeKind::Data;
    if (role == ir::NodeRole::View) return ir::EdgeKind::Alias;
    if (role == ir::NodeRole::Mutation) return ir::EdgeKind::Mutation;
    return ir::EdgeKind::Data;
  }

  void makeEdges(const std::vector<ir::NodeRole>& roles) {
    std::vector<uint32_t> lastReader(scene_.nodes.size(), kNone);
    std::vector<ir::NodeId> sources;
    auto connect = [&](ir::NodeId in, uint32_t to, ir::NodeRole role, bool first) {
      sources.clear();
      sourcesOf(in, sources);
      for (ir::NodeId from : sources) {
        const uint32_t f = at_[from.index];
        if (f == kNone || f == to || lastReader[f] == to) continue;
        lastReader[f] = to;
        ir::SceneEdge edge;
        edge.from = f;
        edge.to = to;
        edge.kind = kindOf(from, to, role, first);
        edge.width = edgeWidth(g_.type(from));
        scene_.edges.push_back(edge);
      }
    };
    for (uint32_t to = 0; to < firstSlot_; ++to) {
      const ir::NodeId id = scene_.nodes[to].node;
      bool first = true;
      g_.forEachInput(id, [&](ir::NodeId in) {
        connect(in, to, roles[id.index], first);
        first = false;
      });
    }
    for (size_t i = 0; i < values_.size(); ++i) {
      const uint32_t to = firstSlot_ + static_cast<uint32_t>(i);
      std::vector<ir::ArgView> stack{values_[i]};
      while (!stack.empty()) {
        const ir::ArgView v = stack.back();
        stack.pop_back();
        if (v.kind() == ir::ValueKind::NodeRef) connect(v.node(), to, ir::NodeRole::Output, true);
        for (uint32_t c = v.size(); c-- > 0;) stack.push_back(v[c]);
      }
    }
  }

  int32_t groupAt(const std::string& path) {
    if (path.empty()) return -1;
    const auto found = groupIndex_.find(path);
    if (found != groupIndex_.end()) return found->second;
    // Iterative: paths from files may have very many parts.
    int32_t parent = -1;
    size_t from = 0;
    int depth = 0;
    while (from <= path.size()) {
      size_t dot = path.find('.', from);
      if (dot == std::string::npos || ++depth >= layout::kMaxGroupDepth - 2) dot = path.size();
      std::string prefix = path.substr(0, dot);
      const auto [it, fresh] = groupIndex_.emplace(prefix, static_cast<int32_t>(scene_.groups.size()));
      if (fresh) {
        ir::SceneGroup group;
        group.label = path.substr(from, dot - from);
        group.path = std::move(prefix);
        group.parent = parent;
        scene_.groups.push_back(std::move(group));
      }
      parent = it->second;
      from = dot + 1;
    }
    return parent;
  }

  /// The joint drawing stands what only the backward uses on the right, too.
  bool backwardHalf(const ir::SceneNode& node) const {
    const ir::Phase side = sideOf(static_cast<size_t>(&node - scene_.nodes.data()));
    return side == ir::Phase::Backward || (o_.jointU && side == ir::Phase::Either);
  }

  /// Where a box is placed. What a partition lets the forward compute stands there, whoever uses it: then all
  /// that crosses is what is saved.
  ir::Phase sideOf(size_t box) const {
    const bool forward =
        box < scene_.cuts.size() && scene_.cuts[box].fate != ir::CutFate::None && lg_.phases.joint;
    return forward ? ir::Phase::Forward : scene_.nodes[box].phase;
  }

  /// The node whose module `node` stands in. A gradient's box stands where the gradient is made: a thousand
  /// of them in one row below the graph say nothing about where they come from.
  ir::NodeId groupedAs(const ir::SceneNode& node) const {
    if (node.outputSlot < 0) return node.node;
    const ir::BoundaryOutput& out = boundary_.outputs[static_cast<size_t>(node.outputSlot)];
    return out.kind == ir::BoundaryKind::Gradient ? out.node : ir::NodeId();
  }

  void makeGroups() {
    if (o_.groupBy == GroupBy::None) return;
    ir::ModuleMap modules;
    if (o_.groupBy == GroupBy::Module) {
      modules = ir::findModules(g_);
      scene_.groupSource = modules.source;
    } else {
      scene_.groupSource = o_.groupBy == GroupBy::Phase ? "phase" : "source lines";
    }
    for (ir::SceneNode& node : scene_.nodes) {
      std::string path;
      if (o_.groupBy == GroupBy::Phase) {
        if (node.phase != ir::Phase::None) path = ir::phaseName(node.phase);
      } else if (o_.groupBy == GroupBy::Module && groupedAs(node)) {
        path = modules.path(groupedAs(node));
      } else if (node.node) {
        const ir::Source& s = g_.source(node.node);
        if (s.file && g_.node(node.node).op != ir::OpKind::Placeholder) {
          std::string_view file = g_.str(s.file);
          if (const size_t slash = file.rfind('/'); slash != std::string_view::npos)
            file.remove_prefix(slash + 1);
          path = std::string(file) + ":" + std::to_string(s.line);
          std::replace(path.begin(), path.end(), '.', '_');
        }
      }
      // One box cannot hold both halves of a module: they stand at opposite ends of the drawing.
      if (!path.empty() && o_.groupBy != GroupBy::Phase && lg_.phases.joint && backwardHalf(node))
        path = kBackwardHalf + path;
      node.group = groupAt(path);
    }
    dropSmallGroups();
    for (ir::SceneGroup& g : scene_.groups) g.folded = o_.folded.count(g.path) > 0;
    pairHalves();
  }

  /// A frame around one node says nothing; its node moves to the parent. Groups left without members go too.
  void dropSmallGroups() {
    std::vector<uint32_t> deep(scene_.groups.size(), 0);
    for (const ir::SceneNode& n : scene_.nodes)
      if (n.group >= 0) ++deep[static_cast<size_t>(n.group)];
    for (size_t i = scene_.groups.size(); i-- > 0;)
      if (const int32_t p = scene_.groups[i].parent; p >= 0) deep[static_cast<size_t>(p)] += deep[i];
    std::vector<int32_t> moved(scene_.groups.size(), -1);
    std::vector<ir::SceneGroup> kept;
    for (size_t i = 0; i < scene_.groups.size(); ++i) {
      ir::SceneGroup& g = scene_.groups[i];
      const int32_t parent = g.parent >= 0 ? moved[static_cast<size_t>(g.parent)] : -1;
      if (deep[i] < 2) {
        moved[i] = parent;
        continue;
      }
      g.parent = parent;
      g.nodeCount = deep[i];
      moved[i] = static_cast<int32_t>(kept.size());
      kept.push_back(std::move(g));
    }
    for (ir::SceneNode& n : scene_.nodes)
      if (n.group >= 0) n.group = moved[static_cast<size_t>(n.group)];
    scene_.groups = std::move(kept);
  }

  /// In the joint drawing both halves of a module share their rows, so they are one group there and fold as
  /// one.
  void pairHalves() {
    half_.assign(scene_.groups.size(), kNone);
    if (!o_.jointU || !lg_.phases.joint) return;
    std::unordered_map<std::string_view, uint32_t> byPath;
    for (uint32_t i = 0; i < scene_.groups.size(); ++i) byPath.emplace(scene_.groups[i].path, i);
    for (uint32_t i = 0; i < scene_.groups.size(); ++i) {
      const std::string& path = scene_.groups[i].path;
      if (path.compare(0, kBackwardHalf.size(), kBackwardHalf) != 0) continue;
      const auto it = byPath.find(std::string_view(path).substr(kBackwardHalf.size()));
      if (it == byPath.end()) continue;
      half_[i] = it->second;
      ir::SceneGroup &a = scene_.groups[i], &b = scene_.groups[it->second];
      a.folded = b.folded = a.folded || b.folded;
    }
  }
  /// The layout's group of a scene group: the backward half of a module is placed as its forward half's other
  /// side.
  int32_t placedAs(int32_t group) const {
    if (group < 0 || half_.empty()) return group;
    const uint32_t other = half_[static_cast<size_t>(group)];
    return other == kNone ? group : static_cast<int32_t>(other);
  }

  void place(LayoutStats* stats) {
    layout::Input in;
    in.nodes.resize(scene_.nodes.size());
    std::unordered_map<std::string_view, layout::Point> before;
    if (o_.previous) {
      for (const ir::SceneNode& n : o_.previous->nodes)
        if (n.rect.w > 0 && n.rect.h > 0)
          before.emplace(n.label, layout::Point{n.rect.x + n.rect.w / 2.0, n.rect.y + n.rect.h / 2.0});
    }
    for (size_t i = 0; i < scene_.nodes.size(); ++i) {
      const ir::SceneNode& n = scene_.nodes[i];
      layout::InputNode& out = in.nodes[i];
      out.size = boxSize(n);
      out.group = placedAs(n.group);
      out.phase = static_cast<layout::Phase>(sideOf(i));
      if (const auto it = before.find(n.label); it != before.end()) {
        out.hasPrevious = true;
        out.previous = it->second;
      }
    }
    if (o_.jointU) twins(in);
    for (const ir::SceneEdge& e : scene_.edges)
      in.edges.push_back({e.from, e.to,
                          (sideOf(e.from) == ir::Phase::Forward && sideOf(e.to) == ir::Phase::Backward) ||
                              e.kind == ir::EdgeKind::Saved || e.kind == ir::EdgeKind::Control ||
                              e.kind == ir::EdgeKind::SymbolicSize});
    for (const ir::SceneGroup& g : scene_.groups) {
      layout::InputGroup group;
      group.parent = placedAs(g.parent);
      group.folded = g.folded;
      group.foldedSize = {
          std::clamp(60 + kCharWidth * static_cast<double>(characters(g.label) + 10), 160.0, kMaxWidth), 44};
      in.groups.push_back(group);
    }
    layout::Options options;
    options.direction = o_.leftToRight ? layout::Direction::LeftToRight : layout::Direction::TopToBottom;
    options.jointU = o_.jointU && lg_.phases.joint;
    options.cancel = o_.cancel;
    if (o_.progress) options.progress = [this](float f) { o_.progress(f); };
    layout::Output out = layout::layoutGraph(in, options);
    if (stats) {
      stats->nodes = static_cast<uint32_t>(scene_.nodes.size());
      stats->edges = static_cast<uint32_t>(scene_.edges.size());
      stats->layers = static_cast<uint32_t>(std::max(0, out.stats.layers));
      stats->dummies = static_cast<uint32_t>(out.stats.dummies);
      stats->crossings = static_cast<uint64_t>(out.stats.crossings);
      stats->milliseconds = out.stats.totalMs;
      stats->cancelled = out.cancelled;
    }
    if (out.cancelled) {
      scene_.edges.clear();
      scene_.nodes.clear();
      scene_.groups.clear();
      return;
    }
    take(out);
  }

  static ir::SceneRect rect(const layout::Rect& r) {
    return {static_cast<float>(r.x), static_cast<float>(r.y), static_cast<float>(r.w),
            static_cast<float>(r.h)};
  }

  void take(const layout::Output& out) {
    for (size_t i = 0; i < scene_.nodes.size(); ++i) scene_.nodes[i].rect = rect(out.nodes[i]);
    for (size_t i = 0; i < scene_.groups.size(); ++i)
      scene_.groups[i].rect =
          rect(half_.empty() || half_[i] == kNone ? out.groups[i] : out.groupsBackward[half_[i]]);
    scene_.points.reserve(out.points.size());
    for (const layout::Point& p : out.points)
      scene_.points.push_back({static_cast<float>(p.x), static_cast<float>(p.y)});
    for (size_t i = 0; i < scene_.edges.size(); ++i) {
      scene_.edges[i].firstPoint = out.edges[i].firstPoint;
      scene_.edges[i].pointCount = out.edges[i].pointCount;
    }
    scene_.bounds = rect(out.bounds);
  }

  /// Backward nodes that name the same source line as a forward node share its row.
  void twins(layout::Input& in) {
    std::unordered_map<uint64_t, uint32_t> forward;
    auto key = [&](ir::NodeId id) -> uint64_t {
      const ir::Source& s = g_.source(id);
      return s.file ? (uint64_t{s.file.index} << 32) | s.line : 0;
    };
    for (uint32_t i = 0; i < firstSlot_; ++i) {
      const ir::SceneNode& n = scene_.nodes[i];
      if (n.phase == ir::Phase::Forward && g_.node(n.node).op != ir::OpKind::Placeholder)
        if (const uint64_t k = key(n.node)) forward[k] = i;
    }
    for (uint32_t i = 0; i < firstSlot_; ++i) {
      const ir::SceneNode& n = scene_.nodes[i];
      if (n.phase != ir::Phase::Backward) continue;
      const uint64_t k = key(n.node);
      const auto it = k ? forward.find(k) : forward.end();
      if (it == forward.end()) continue;
      in.nodes[i].twin = static_cast<int32_t>(it->second);
      forward.erase(it);
    }
  }

  const LoadedGraph& lg_;
  const ir::Graph& g_;
  const SceneOptions& o_;
  ir::Scene scene_;
  ir::Boundary boundary_;
  std::vector<ir::ArgView> values_;
  std::vector<bool> hidden_;
  std::vector<uint32_t> at_;
  uint32_t firstSlot_ = 0;
  std::unordered_map<std::string, int32_t> groupIndex_;
  std::vector<uint32_t>
      half_;  // by scene group: for a backward half, the group of the forward one; else kNone
};

}  // namespace

ir::Scene buildScene(const LoadedGraph& graph, const SceneOptions& options, LayoutStats* stats) {
  return Builder(graph, options).run(stats);
}

}  // namespace descry::session
