#include "exporters/dot/dot.h"

#ifdef DESCRY_HAVE_CGRAPH
#include <graphviz/cgraph.h>
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "exporters/common/escape.h"
#include "exporters/common/facts.h"
#include "ir/analysis/module_paths.h"

namespace descry::exporters {

using namespace ir;

#ifndef DESCRY_HAVE_CGRAPH

bool dotAvailable() {
  return false;
}

Result<std::string> exportDot(const ExportInput&, const ExportOptions&) {
  return failure("format-missing",
                 "DOT needs Graphviz's cgraph library, and this program was built without it "
                 "(install libgraphviz-dev and build with DESCRY_GRAPHVIZ=ON)");
}

#else

namespace {

constexpr int kMaxClusterDepth = 32;

/// Ids in order of creation. cgraph's own ids are addresses, and it writes subgraphs in the order of their
/// ids, so that the same graph would give another text in every process.
class OrderedIds {
 public:
  static Agdisc_t* discipline() {
    static Agiddisc_t ids = {open, map, alloc, release, print, close, registered};
    static Agdisc_t all = {nullptr, &ids, nullptr};
    return &all;
  }

 private:
  static void* open(Agraph_t* graph, Agdisc_t*) {
    auto* const self = new OrderedIds;
    self->graph_ = graph;
    return self;
  }
  static void close(void* state) { delete static_cast<OrderedIds*>(state); }
  /// Named objects get even ids, nameless ones odd ids.
  static long map(void* state, int, char* text, IDTYPE* id, int create) {
    auto& self = *static_cast<OrderedIds*>(state);
    if (!text) {
      *id = self.nameless_ += 2;
      return 1;
    }
    const auto found = self.byName_.find(text);
    if (found != self.byName_.end()) {
      *id = found->second;
      return 1;
    }
    if (!create) return 0;
    *id = 2 * (self.names_.size() + 1);
    self.byName_.emplace(text, *id);
    self.names_.push_back(agstrdup(self.graph_, text));  // cgraph looks at a header before its own strings
    return 1;
  }
  static long alloc(void*, int, IDTYPE) { return 0; }  // ids are never asked for by number
  static void release(void* state, int type, IDTYPE id) {
    if (char* const name = print(state, type, id)) agstrfree(static_cast<OrderedIds*>(state)->graph_, name);
  }
  static char* print(void* state, int, IDTYPE id) {
    auto& self = *static_cast<OrderedIds*>(state);
    return id % 2 == 0 && id / 2 <= self.names_.size() ? self.names_[id / 2 - 1] : nullptr;
  }
  static void registered(void*, int, void*) {}

  std::unordered_map<std::string, IDTYPE> byName_;
  std::vector<char*> names_;  // by id, counted references held by cgraph
  Agraph_t* graph_ = nullptr;
  IDTYPE nameless_ = 1;
};

/// cgraph keeps global tables and error state.
std::mutex& cgraphMutex() {
  static std::mutex mutex;
  return mutex;
}

/// cgraph takes `char*` and copies what it is given.
char* mutableText(const char* text) {
  return const_cast<char*>(text);
}
char* mutableText(const std::string& text) {
  return const_cast<char*>(text.c_str());
}

const char* dotShape(NodeRole role) {
  switch (role) {
    case NodeRole::Input:
    case NodeRole::Parameter:
    case NodeRole::Buffer:
    case NodeRole::Tangent:
      return "invhouse";
    case NodeRole::Output:
    case NodeRole::GradOutput:
      return "house";
    case NodeRole::Mutation:
      return "note";
    case NodeRole::Constant:
      return "oval";
    case NodeRole::Control:
      return "tab";
    case NodeRole::View:
    case NodeRole::Compute:
    case NodeRole::Random:
      break;
  }
  return "box";
}

/// Log2 of the size in four steps: below 4 KiB, 1 MiB, 64 MiB, and above.
const char* penWidth(const Type& type) {
  const std::optional<int64_t> bytes = type.kind == TypeKind::Tensor ? type.tensor.bytes() : std::nullopt;
  if (!bytes || *bytes < 4096) return "1";
  if (*bytes < (1 << 20)) return "1.6";
  return *bytes < (64 << 20) ? "2.2" : "3";
}

class DotBuilder {
 public:
  DotBuilder(const Subject& subject, const ExportInput& input, const ExportOptions& options)
      : subject_(subject), input_(input), options_(options), colors_(palette(options.theme)) {}
  ~DotBuilder() {
    if (root_) agclose(root_);
  }

  bool build();
  bool write(std::string& out);

 private:
  struct Part {
    const Graph* graph;
    std::string path;  // attributes from the root, joined by '.'
    Agraph_t* cluster;
    Agnode_t* caller;  // node that uses the subgraph, null when none does
  };

  template <class Object>
  void set(Object* object, const char* name, const std::string& value) {
    if (!value.empty()) agsafeset(object, mutableText(name), mutableText(value), mutableText(""));
  }
  template <class Object>
  void data(Object* object, const char* name, std::string_view value) {
    set(object, name, dotValue(value));
  }
  void declare();
  void clusters();
  void moduleClusters();
  Agraph_t* cluster(Agraph_t* parent, std::string_view label, std::string_view path);
  void part(const Part& part);
  Agnode_t* node(const Part& part, const Subject& subject, NodeId id);
  void fill(Agnode_t* n, NodeRole role, Rgb fillColor, Rgb line);
  void edge(Agnode_t* from, Agnode_t* to, EdgeKind kind, const Type& type);
  void outputs(const Part& part, const Subject& subject, const std::vector<Agnode_t*>& nodes);
  void queueChildren(const Part& part, const std::vector<Agnode_t*>& nodes);
  std::string freeId(const std::string& prefix, std::string_view name, size_t order);

  const Subject& subject_;
  const ExportInput& input_;
  const ExportOptions& options_;
  const Palette& colors_;
  Agraph_t* root_ = nullptr;
  std::vector<Agraph_t*> groups_;                 // by scene group
  std::vector<int32_t> groupOf_;                  // by node id of the main graph
  ColourClasses classes_;                         // where another mode than phases is asked for
  std::unordered_map<uint32_t, uint32_t> boxOf_;  // node id of the main graph -> box of the scene
  std::unordered_set<std::string> ids_;
  std::vector<Part> queue_;
  int clusterCount_ = 0;
};

void DotBuilder::declare() {
  const std::string ink = hexColor(colors_.ink);
  const auto graphDefault = [&](const char* name, const std::string& value) {
    agattr(root_, AGRAPH, mutableText(name), mutableText(value));
  };
  graphDefault("label", dotLabel(subject_.title()));
  graphDefault("labelloc", "t");
  graphDefault("rankdir", "TB");
  graphDefault("compound", "true");
  graphDefault("bgcolor", hexColor(colors_.canvas));
  graphDefault("fontname", "Helvetica,Arial,sans-serif");
  graphDefault("fontcolor", ink);
  agattr(root_, AGNODE, mutableText("fontname"), mutableText("Helvetica,Arial,sans-serif"));
  agattr(root_, AGNODE, mutableText("fontsize"), mutableText("11"));
  agattr(root_, AGNODE, mutableText("shape"), mutableText("box"));
  agattr(root_, AGNODE, mutableText("style"), mutableText("filled"));
  agattr(root_, AGEDGE, mutableText("color"), mutableText(hexColor(colors_.edge)));
}

/// One cluster per module of the model, nested as the paths are: `layers.0` stands in `layers`.
void DotBuilder::moduleClusters() {
  const ModuleMap modules = findModules(subject_.graph());
  std::unordered_map<std::string, int32_t> byPath;
  std::vector<int32_t> groupOfPath(modules.paths.size(), -1);
  for (size_t i = 0; i < modules.paths.size(); ++i) {
    const std::string& path = modules.paths[i];
    Agraph_t* parent = root_;
    // Parts beyond the limit stay in the cluster of their ancestor: a name of a thousand dots is no
    // hierarchy.
    size_t end = 0;
    for (int depth = 0; depth < kMaxClusterDepth && end < path.size(); ++depth) {
      const size_t begin = end == 0 ? 0 : end + 1;
      end = std::min(path.find('.', begin), path.size());
      const auto [it, fresh] = byPath.try_emplace(path.substr(0, end), static_cast<int32_t>(groups_.size()));
      if (fresh) groups_.push_back(cluster(parent, path.substr(begin, end - begin), it->first));
      groupOfPath[i] = it->second;
      parent = groups_[static_cast<size_t>(it->second)];
    }
  }
  for (size_t id = 0; id < groupOf_.size() && id < modules.of.size(); ++id)
    if (modules.of[id] != ModuleMap::kNone) groupOf_[id] = groupOfPath[modules.of[id]];
}

Agraph_t* DotBuilder::cluster(Agraph_t* parent, std::string_view label, std::string_view path) {
  Agraph_t* const out = agsubg(parent, mutableText("cluster_" + std::to_string(clusterCount_++)), 1);
  set(out, "label", dotLabel(shortened(visibleUtf8(label), 60)));
  data(out, "path", path);
  set(out, "color", hexColor(colors_.groupLine));
  set(out, "bgcolor", hexColor(colors_.groupFill));
  return out;
}

void DotBuilder::clusters() {
  groupOf_.assign(subject_.graph().idBound(), -1);
  if (!input_.scene) return moduleClusters();
  const Scene& scene = *input_.scene;
  if (options_.colours != ColourMode::Phase) {
    classes_ = classifyBoxes(scene, options_.colours, colors_.categories.size());
    for (uint32_t i = 0; i < scene.nodes.size(); ++i)
      if (scene.nodes[i].node) boxOf_.emplace(scene.nodes[i].node.index, i);
  }
  groups_.resize(scene.groups.size(), nullptr);
  for (size_t i = 0; i < scene.groups.size(); ++i) {
    const SceneGroup& group = scene.groups[i];
    const bool nested = group.parent >= 0 && static_cast<size_t>(group.parent) < i;
    Agraph_t* const parent = nested ? groups_[static_cast<size_t>(group.parent)] : root_;
    groups_[i] = cluster(parent, group.label.empty() ? group.path : group.label, group.path);
  }
  for (const SceneNode& n : scene.nodes)
    if (n.node.index < groupOf_.size() && n.group >= 0 && static_cast<size_t>(n.group) < groups_.size())
      groupOf_[n.node.index] = n.group;
}

/// The node's own name where it is an identifier and not taken, so that other tools can use it.
std::string DotBuilder::freeId(const std::string& prefix, std::string_view name, size_t order) {
  bool plain = !name.empty() && name.size() <= 200 && !(name[0] >= '0' && name[0] <= '9');
  for (char c : name)
    plain = plain && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
  std::string number = "#";
  number += std::to_string(order);
  std::string id = prefix;
  id += plain ? name : std::string_view(number);
  while (!ids_.insert(id).second) id += number;
  return id;
}

void DotBuilder::fill(Agnode_t* n, NodeRole role, Rgb fillColor, Rgb line) {
  set(n, "shape", dotShape(role));
  const bool rounded = role == NodeRole::Compute || role == NodeRole::View || role == NodeRole::Random;
  set(n, "style", rounded ? "rounded,filled" : "filled");
  set(n, "fillcolor", hexColor(fillColor));
  set(n, "color", hexColor(line));
  set(n, "fontcolor", hexColor(inkOn(fillColor)));
  if (role == NodeRole::Parameter || role == NodeRole::GradOutput) set(n, "peripheries", "2");
  if (role == NodeRole::View) set(n, "height", "0.25");
}

Agnode_t* DotBuilder::node(const Part& part, const Subject& subject, NodeId id) {
  const Graph& g = *part.graph;
  const Node& n = g.node(id);
  const Type& type = g.type(id);
  const std::string_view op = nodeOp(g, id);
  const std::string prefix = part.path.empty() ? std::string() : dotValue(part.path) + "/";
  Agnode_t* const out = agnode(root_, mutableText(freeId(prefix, g.str(n.name), id.index)), 1);
  const bool main = part.graph == &subject_.graph();
  Agraph_t* home = part.cluster;
  if (main && id.index < groupOf_.size() && groupOf_[id.index] >= 0)
    home = groups_[static_cast<size_t>(groupOf_[id.index])];
  if (home) agsubnode(home, out, 1);

  std::string label = dotLabel(shortened(visibleUtf8(g.str(n.name)), 60));
  if (n.op != OpKind::Placeholder) label += "\\n" + dotLabel(shortened(visibleUtf8(op), 60));
  if (options_.labels == Labels::Full && !type.text.empty())
    label += "\\n" + dotLabel(shortened(visibleUtf8(type.text), 60));
  set(out, "label", label);
  data(out, "name", g.str(n.name));
  data(out, "op", opKindName(n.op));
  data(out, "target", g.str(n.target));
  data(out, "type", type.text);
  data(out, "dtype", dtypeOf(type));
  data(out, "tensor_shape", shapeOf(type));
  if (n.desc) data(out, "descriptor", g.str(g.context().descriptor(n.desc).text));
  const Phase phase = subject.phases()[id];
  const NodeRole role = subject.role(id);
  if (phase != Phase::None) data(out, "phase", phaseName(phase));
  data(out, "role", roleName(role));
  const Source& source = g.source(id);
  std::string tooltip(g.str(n.name));
  if (!type.text.empty()) tooltip += ": " + type.text;
  if (source.file) {
    const std::string place = std::string(g.str(source.file)) + ":" + std::to_string(source.line);
    data(out, "source", place);
    tooltip += "\n" + place;
  }
  set(out, "tooltip", dotLabel(shortened(tooltip, 400)));
  const auto boxed = main ? boxOf_.find(id.index) : boxOf_.end();
  if (boxed == boxOf_.end()) {
    fill(out, role, nodeFill(colors_, role, phase), nodeLine(colors_, role, phase));
  } else {
    const ColourClass& c = classes_.classes[classes_.of[boxed->second]];
    fill(out, role, classFill(colors_, c), classLine(colors_, c));
  }
  return out;
}

void DotBuilder::edge(Agnode_t* from, Agnode_t* to, EdgeKind kind, const Type& type) {
  Agedge_t* const e = agedge(root_, from, to, nullptr, 1);
  data(e, "kind", edgeKindName(kind));
  set(e, "penwidth", penWidth(type));
  const std::string saved = hexColor(colors_.saved);
  switch (kind) {
    case EdgeKind::Data:
      break;
    case EdgeKind::Saved:
      set(e, "color", saved + ":" + saved);
      break;  // two colours draw two parallel lines
    case EdgeKind::Alias:
      set(e, "style", "dotted");
      break;
    case EdgeKind::Mutation:
      set(e, "style", "dashed,bold");
      break;
    case EdgeKind::Control:
      set(e, "style", "dashed");
      break;
    case EdgeKind::SymbolicSize:
      set(e, "penwidth", "0.5");
      break;
  }
}

void DotBuilder::outputs(const Part& part, const Subject& subject, const std::vector<Agnode_t*>& nodes) {
  const Graph& g = *part.graph;
  const std::string prefix = part.path.empty() ? std::string() : dotValue(part.path) + "/";
  size_t index = 0;
  for (const OutputSlot& slot : outputSlots(g)) {
    const std::string name = "output[" + std::to_string(index) + "]";
    std::string id = prefix + name;
    while (!ids_.insert(id).second) id += '#';
    Agnode_t* const n = agnode(root_, mutableText(id), 1);
    if (part.cluster) agsubnode(part.cluster, n, 1);
    const Type& type = slot.node ? g.type(slot.node) : g.context().types.at({});
    std::string label = name + "\\n" + dotLabel(shortened(visibleUtf8(slot.value), 60));
    if (options_.labels == Labels::Full && slot.parsed)
      label += "\\n" + dotLabel(shortened(slot.parsed->words(), 60));
    set(n, "label", label);
    data(n, "name", name);
    data(n, "op", "output");
    data(n, "value", slot.value);
    data(n, "type", type.text);
    data(n, "dtype", dtypeOf(type));
    data(n, "tensor_shape", shapeOf(type));
    data(n, "descriptor", slot.descriptor);
    const NodeRole role = slot.parsed && slot.parsed->isGrad() ? NodeRole::GradOutput : NodeRole::Output;
    data(n, "role", roleName(role));
    fill(n, role, nodeFill(colors_, role, Phase::None), nodeLine(colors_, role, Phase::None));
    if (slot.node.index < nodes.size() && nodes[slot.node.index]) {
      Agnode_t* const from = nodes[slot.node.index];
      const Phase phase = subject.phases()[slot.node];
      if (phase != Phase::None) data(n, "phase", phaseName(phase));
      edge(from, n, type.kind == TypeKind::Sym ? EdgeKind::SymbolicSize : EdgeKind::Data, type);
    }
    ++index;
  }
}

void DotBuilder::queueChildren(const Part& part, const std::vector<Agnode_t*>& nodes) {
  const Graph& g = *part.graph;
  const Module& module = subject_.module();
  for (const Graph::Child& child : g.children) {
    if (child.graph >= module.graphs.size()) continue;
    const std::string_view attribute = g.str(child.attribute);
    Part next{&module.graphs[child.graph], part.path, nullptr, nullptr};
    if (!next.path.empty()) next.path += '.';
    next.path += attribute;
    for (NodeId id : g.nodes()) {
      const Node& n = g.node(id);
      bool uses = (n.op == OpKind::CallModule || n.op == OpKind::GetAttr) && g.str(n.target) == attribute;
      for (uint32_t i = 0; i < n.argCount && !uses; ++i)
        uses = g.arg(id, i).kind() == ValueKind::GraphRef && g.arg(id, i).text() == attribute;
      if (!uses) continue;
      next.caller = nodes[id.index];
      break;
    }
    next.cluster = cluster(part.cluster ? part.cluster : root_, attribute, next.path);
    queue_.push_back(std::move(next));
  }
}

void DotBuilder::part(const Part& part) {
  const Graph& g = *part.graph;
  std::optional<Subject> own;
  if (&g != &subject_.graph()) own.emplace(subject_.module(), g);
  const Subject& subject = own ? *own : subject_;
  std::vector<Agnode_t*> nodes(g.idBound(), nullptr);
  for (NodeId id : g.nodes())
    if (g.node(id).op != OpKind::Output) nodes[id.index] = node(part, subject, id);
  std::vector<uint32_t> seenBy(g.idBound(), NodeId::kNone);
  for (NodeId id : g.nodes()) {
    if (!nodes[id.index]) continue;
    g.forEachInput(id, [&](NodeId in) {
      if (seenBy[in.index] == id.index || !nodes[in.index]) return;
      seenBy[in.index] = id.index;
      edge(nodes[in.index], nodes[id.index], edgeKind(g, subject.phases(), in, id, subject.role(id)),
           g.type(in));
    });
  }
  outputs(part, subject, nodes);
  if (part.caller && g.first() && nodes[g.first().index]) {
    Agedge_t* const e = agedge(root_, part.caller, nodes[g.first().index], nullptr, 1);
    data(e, "kind", "subgraph");
    set(e, "style", "dashed");
    set(e, "lhead", agnameof(part.cluster));
  }
  queueChildren(part, nodes);
}

bool DotBuilder::build() {
  agseterr(AGMAX);
  root_ = agopen(mutableText(dotValue(shortened(visibleUtf8(subject_.title()), 200))), Agdirected,
                 OrderedIds::discipline());
  if (!root_) return false;
  declare();
  clusters();
  queue_.push_back({&subject_.graph(), {}, nullptr, nullptr});
  std::unordered_set<const Graph*> done;
  for (size_t i = 0; i < queue_.size(); ++i) {
    const Part next = queue_[i];
    if (done.insert(next.graph).second) part(next);
  }
  return true;
}

bool DotBuilder::write(std::string& out) {
  char* buffer = nullptr;
  size_t size = 0;
  FILE* const memory = open_memstream(&buffer, &size);
  if (!memory) return false;
  const bool written = agwrite(root_, memory) == 0;
  const bool closed = std::fclose(memory) == 0;
  if (written && closed) out.assign(buffer, size);
  std::free(buffer);
  return written && closed;
}

}  // namespace

bool dotAvailable() {
  return true;
}

Result<std::string> exportDot(const ExportInput& input, const ExportOptions& options) {
  const Subject subject(input);
  const std::lock_guard lock(cgraphMutex());
  DotBuilder builder(subject, input, options);
  std::string out;
  if (!builder.build() || !builder.write(out))
    return failure("export-failed", "cgraph could not write the graph");
  return out;
}

#endif

}  // namespace descry::exporters
