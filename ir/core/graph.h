// Graph: nodes in program order, their argument trees, uses, types, descriptors and sources.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/core/context.h"
#include "ir/core/value.h"
#include "ir/support/cow_vector.h"

namespace descry::ir {

/// The six node kinds of torch.fx.
enum class OpKind : uint8_t { Placeholder, GetAttr, CallFunction, CallMethod, CallModule, Output };
std::string_view opKindName(OpKind kind);  ///< "call_function"

enum NodeFlag : uint16_t {
  kNodeStartsSource = 1,  ///< a comment block was printed right above this node
  kNodeExternal = 2,      ///< made up for a name that the text uses but never defines
  kNodeUnparsed = 4,      ///< the statement could not be read; its text is the first argument
  kNodeNameMadeUp = 8,    ///< the text gave the result no name
  kNodeBareCall = 16,     ///< printed as a call without target
  kNodeErased = 32,
  kNodeKeepsResult = 64,  ///< nobody reads it, and the text did not delete it either
};

/// One node. Plain data, so that snapshots can share whole chunks; texts are ids of the context.
struct Node {
  OpKind op = OpKind::CallFunction;
  uint8_t spare = 0;
  uint16_t flags = 0;
  StrId name;
  /// Placeholder: the parameter name. GetAttr, CallModule: dotted path without `self`. CallMethod: the
  /// method. CallFunction: `torch.ops.aten.add.Tensor`, `operator.add`, `torch.relu`, `builtins.getattr`.
  StrId target;
  TypeId type;
  DescId desc;  ///< of placeholders; outputs keep theirs in Graph::outputDescs
  SourceId source;
  uint32_t prev = NodeId::kNone, next = NodeId::kNone;
  uint32_t args = 0;                  ///< index of the first argument cell
  uint32_t argCount = 0;              ///< positional
  uint32_t kwargCount = 0;            ///< pairs (key, value) that follow the positional cells
  uint32_t firstUse = NodeId::kNone;  ///< newest NodeRef cell that uses this node
  uint32_t line = 0, column = 0;      ///< in the original file, from 1; 0 unknown
  uint32_t meta = 0;                  ///< index + 1 into Graph::nodeMeta, 0 for none
};

class Graph;

/// A place in an argument tree, to walk it without copying.
class ArgView {
 public:
  ArgView(const Graph* graph, uint32_t cell) : graph_(graph), cell_(cell) {}
  ValueKind kind() const { return cell().kind; }
  inline const Cell& cell() const;
  uint32_t cellIndex() const { return cell_; }

  NodeId node() const { return {cell().a}; }
  int64_t integer() const { return cell().i; }
  bool boolean() const { return cell().i != 0; }
  double real() const { return cell().d; }
  inline std::string_view text() const;
  uint32_t size() const { return cell().isContainer() ? cell().a : 0; }
  ArgView operator[](uint32_t i) const { return {graph_, cell().u.b + i}; }
  const Graph* graph() const { return graph_; }

 private:
  const Graph* graph_;
  uint32_t cell_;
};

/// An argument tree that stands on its own: for building nodes by hand.
struct Argument {
  ValueKind kind = ValueKind::None;
  int64_t i = 0;
  double d = 0;
  NodeId node;
  std::string text;
  std::vector<Argument> items;

  Argument() = default;
  Argument(NodeId n) : kind(ValueKind::NodeRef), node(n) {}  // NOLINT: implicit on purpose
  Argument(int64_t v) : kind(ValueKind::Int), i(v) {}        // NOLINT
  Argument(int v) : kind(ValueKind::Int), i(v) {}            // NOLINT
  Argument(double v) : kind(ValueKind::Float), d(v) {}       // NOLINT
  static Argument none() { return {}; }
  static Argument boolean(bool v);
  static Argument str(std::string v) { return texted(ValueKind::Str, std::move(v)); }
  static Argument texted(ValueKind kind, std::string text);
  static Argument list(std::vector<Argument> items) { return of(ValueKind::List, std::move(items)); }
  static Argument tuple(std::vector<Argument> items) { return of(ValueKind::Tuple, std::move(items)); }
  static Argument of(ValueKind kind, std::vector<Argument> items);
  static Argument ints(const std::vector<int64_t>& values);
  friend bool operator==(const Argument&, const Argument&) = default;
};

/// How the graph was written, so that it can be printed the same way again.
enum class SignatureForm : uint8_t {
  OneLine,         ///< def forward(self, a: "f32[2]", b):
  Expanded,        ///< one parameter a line, descriptors behind
  PytreeCompact,   ///< annotations on one line, then tree_flatten_spec
  PytreeExpanded,  ///< annotations one a line with descriptors, then tree_flatten_spec
  Boxed,           ///< def forward(self, args_list): with next(args_iter)
  Shuffle,         ///< export wrapper: pytree.tree_leaves, _in_shuffle_graph
};
enum class ReturnForm : uint8_t { Inline, OnePerLine };

struct PrintStyle {
  std::string className = "GraphModule";
  std::string classBase = "torch.nn.Module";
  std::string origin;  ///< text before `class` in logs
  std::string functionName = "forward";
  SignatureForm signature = SignatureForm::OneLine;
  ReturnForm returnForm = ReturnForm::Inline;
  std::vector<std::string> signatureNames;  ///< of the pytree forms: primals, tangents
  std::string signatureTail;                ///< of Shuffle: the `pytree.tree_leaves` line
  std::string shuffleLeaves;                ///< of Shuffle: names that the outer graph passes on
  std::string flattenSource;                ///< `[primals, tangents], self._in_spec`
  std::string outSpec;                      ///< non-empty: return pytree.tree_unflatten([...], <outSpec>)
  std::string returnAnnotation;
  bool quotedTypes = true;                ///< `x: "f32[2]"`; false for the form of 2023, `x: f32[2]`
  bool deletions = true;                  ///< print `;  x = None` behind last uses
  bool hasClass = true;                   ///< false: a bare `def forward`
  bool pass = false;                      ///< the body was `pass`
  bool hasReturn = true;                  ///< false: the text ended before a return
  std::vector<std::string> beforeReturn;  ///< comment lines above the return, or at the end of a cut body
  std::vector<std::string> trailing;      ///< comment lines after the graph, such as `# graph id: 1`
};

struct NodeMetaEntry {
  std::string key, value;
};

/// A directed graph of nodes in program order.
///
/// Copying shares storage until one copy changes (CowVector): a snapshot of n nodes costs about n / 1000
/// pointers. Threads: a copy may be read while another copy is written. The context is shared by all copies.
class Graph {
 public:
  explicit Graph(ContextPtr context, std::string name = "");

  Context& context() const { return *context_; }
  const ContextPtr& contextPtr() const { return context_; }
  std::string_view str(StrId id) const { return context_->str(id); }

  std::string name;
  PrintStyle style;
  SourceLoc begin, end;             ///< text span in the original file
  std::vector<DescId> outputDescs;  ///< parallel to the flat outputs; empty when none was written
  bool truncated = false;           ///< the text ended inside the graph
  bool partial = false;             ///< some statement could not be read
  bool subgraphsLeftOut = false;    ///< its form of text never prints the graphs that its ops call
  std::string graphId;              ///< number behind `# graph id:`

  /// Subgraphs: attribute name -> index in Module::graphs.
  struct Child {
    StrId attribute;
    uint32_t graph;
  };
  std::vector<Child> children;
  std::optional<uint32_t> parent;

  // ---- reading
  uint32_t size() const { return live_; }             ///< live nodes
  uint32_t idBound() const { return nodes_.size(); }  ///< ids are below this
  const Node& node(NodeId id) const { return nodes_[id.index]; }
  bool contains(NodeId id) const { return id.index < nodes_.size() && !(node(id).flags & kNodeErased); }
  NodeId first() const { return {head_}; }
  NodeId last() const { return {tail_}; }
  NodeId next(NodeId id) const { return {node(id).next}; }
  NodeId prev(NodeId id) const { return {node(id).prev}; }
  std::string_view nodeName(NodeId id) const { return str(node(id).name); }
  std::string_view target(NodeId id) const { return str(node(id).target); }
  const Type& type(NodeId id) const { return context_->types.at(node(id).type); }
  const Source& source(NodeId id) const { return context_->source(node(id).source); }
  /// Null when nothing was written or the class is not known.
  const Descriptor* descriptor(NodeId id) const { return descriptor(node(id).desc); }
  const Descriptor* descriptor(DescId id) const {
    const auto& d = context_->descriptor(id).descriptor;
    return d ? &*d : nullptr;
  }

  class Iterator {
   public:
    Iterator(const Graph* g, uint32_t at) : graph_(g), at_(at) {}
    NodeId operator*() const { return {at_}; }
    Iterator& operator++() {
      at_ = graph_->nodes_[at_].next;
      return *this;
    }
    bool operator!=(const Iterator& o) const { return at_ != o.at_; }
    bool operator==(const Iterator& o) const { return at_ == o.at_; }

   private:
    const Graph* graph_;
    uint32_t at_;
  };
  struct Range {
    Iterator b, e;
    Iterator begin() const { return b; }
    Iterator end() const { return e; }
  };
  /// Live nodes in program order: `for (NodeId id : graph.nodes())`.
  Range nodes() const { return {{this, head_}, {this, NodeId::kNone}}; }

  const Cell& cell(uint32_t index) const { return cells_[index]; }
  uint32_t argCount(NodeId id) const { return node(id).argCount; }
  ArgView arg(NodeId id, uint32_t i) const { return {this, node(id).args + i}; }
  uint32_t kwargCount(NodeId id) const { return node(id).kwargCount; }
  std::string_view kwargKey(NodeId id, uint32_t i) const;
  ArgView kwarg(NodeId id, uint32_t i) const { return {this, node(id).args + node(id).argCount + 2 * i + 1}; }
  /// The value of keyword `key`, or nothing.
  std::optional<ArgView> kwargIf(NodeId id, std::string_view key) const;
  Argument toArgument(ArgView view) const;

  /// Calls f(NodeId) for each node that `id` reads, once per occurrence, in argument order.
  template <class F>
  void forEachInput(NodeId id, F&& f) const;
  /// Distinct nodes that `id` reads, in argument order.
  std::vector<NodeId> inputs(NodeId id) const;
  /// Distinct nodes that read `id`, in order of creation. Cost: uses of `id`.
  std::vector<NodeId> users(NodeId id) const;
  bool hasUsers(NodeId id) const { return node(id).firstUse != NodeId::kNone; }
  uint32_t useCount(NodeId id) const;  ///< occurrences
  /// By name; the newest of equal names. Builds an index on first use after a change; not thread safe then.
  NodeId find(std::string_view name) const;

  std::vector<NodeId> placeholders() const;
  /// The output node, invalid when the text had no return.
  NodeId output() const { return {output_}; }
  /// The returned values as a flat list: the items of a returned tuple or list, else the single value.
  /// Nested tuples are one item each. Parallel to outputDescs.
  std::vector<ArgView> outputs() const;

  // ---- writing
  struct NodeSpec {
    OpKind op = OpKind::CallFunction;
    std::string_view name;  ///< made unique when taken; derived from the target when empty
    std::string_view target;
    std::vector<Argument> args;
    std::vector<std::pair<std::string, Argument>> kwargs;
    TypeId type;
    DescId desc;
    SourceId source;
  };
  /// Appends before the output node if there is one, else at the end; or before `before`.
  NodeId add(const NodeSpec& spec, NodeId before = {});
  NodeId addPlaceholder(std::string_view name, TypeId type = {}, DescId desc = {});
  /// Sets the output node (made when missing).
  NodeId setOutput(const Argument& value, std::vector<DescId> descs = {});
  void setArgs(NodeId id, const std::vector<Argument>& args,
               const std::vector<std::pair<std::string, Argument>>& kwargs = {});
  void rename(NodeId id, std::string_view name);
  void setType(NodeId id, TypeId type) { nodes_.edit(id.index).type = type; }
  void setDesc(NodeId id, DescId desc) { nodes_.edit(id.index).desc = desc; }
  void setSource(NodeId id, SourceId source, bool starts);
  void setTarget(NodeId id, std::string_view target);
  void moveBefore(NodeId id, NodeId before);  ///< invalid `before`: to the end
  /// Every reader of `from` reads `to` instead. Cost: uses of `from`.
  void replaceAllUses(NodeId from, NodeId to);
  /// Removes a node that nobody reads. Cost: uses of its inputs that are newer than it.
  void erase(NodeId id);
  /// Removes all nodes marked true (index = id) in one sweep; none of the kept ones may read a removed one.
  void eraseMarked(const std::vector<bool>& dead);
  /// Drops everything that nothing reads and that has no effect. `keep(id)` says that a node has an effect.
  /// Returns how many were dropped. Cost: O(nodes).
  uint32_t eliminateDeadCode(const std::function<bool(NodeId)>& keep);

  /// Low level, for importers: appends a node whose cells are already built by pushCells.
  NodeId append(const Node& proto);
  uint32_t pushCells(const Cell* cells, uint32_t count) { return cells_.pushRun(cells, count); }
  Node& edit(NodeId id) { return nodes_.edit(id.index); }
  /// Links the NodeRef cells of `id` into the use lists. Call once after append.
  void linkUses(NodeId id);

  const std::vector<NodeMetaEntry>* meta(NodeId id) const {
    const uint32_t m = node(id).meta;
    return m ? &(*nodeMeta_)[m - 1] : nullptr;
  }
  void setMeta(NodeId id, std::vector<NodeMetaEntry> entries);

  /// Bytes of nodes and cells (the context's tables not counted).
  size_t bytes() const { return nodes_.bytes() + cells_.bytes(); }
  size_t ownBytes() const { return nodes_.ownBytes() + cells_.ownBytes(); }

 private:
  friend class ArgView;
  void link(uint32_t index, uint32_t before);
  void unlink(uint32_t index);
  void unlinkUses(NodeId id);
  template <class F>
  void forEachRefCell(uint32_t first, uint32_t count, F&& f) const;
  uint32_t build(const std::vector<Argument>& args,
                 const std::vector<std::pair<std::string, Argument>>& kwargs);
  Cell build(const Argument& arg);
  StrId freeName(std::string_view wanted);
  void forgetName(NodeId id);

  ContextPtr context_;
  // Small parts: a log may hold very many tiny graphs, and the first part is there from the first node on.
  CowVector<Node, 6> nodes_;
  CowVector<Cell, 8> cells_;
  uint32_t head_ = NodeId::kNone, tail_ = NodeId::kNone, output_ = NodeId::kNone;
  uint32_t lastPlaceholder_ = NodeId::kNone;  ///< the newest one: placeholders stand together
  uint32_t live_ = 0;
  std::shared_ptr<std::vector<std::vector<NodeMetaEntry>>> nodeMeta_;
  mutable std::shared_ptr<std::unordered_map<uint32_t, uint32_t>> byName_;  // StrId -> node
  std::shared_ptr<std::unordered_map<uint32_t, uint32_t>>
      nextNumber_;  // StrId of a base -> number to try next
};

/// A root graph and the subgraphs it names. graphs[0] is the root.
class Module {
 public:
  explicit Module(ContextPtr context = std::make_shared<Context>()) : context_(std::move(context)) {}
  Context& context() const { return *context_; }
  const ContextPtr& contextPtr() const { return context_; }

  std::vector<Graph> graphs;
  Graph& root() { return graphs.front(); }
  const Graph& root() const { return graphs.front(); }
  /// Adds an empty graph and returns its index. References to graphs become invalid.
  uint32_t addGraph(std::string name);
  /// The subgraph that `graph` names `attribute`, or null.
  const Graph* child(const Graph& graph, std::string_view attribute) const;

 private:
  ContextPtr context_;
};

// ---- inline parts

inline const Cell& ArgView::cell() const {
  return graph_->cells_[cell_];
}
inline std::string_view ArgView::text() const {
  return graph_->str({cell().a});
}

template <class F>
void Graph::forEachRefCell(uint32_t first, uint32_t count, F&& f) const {
  // Depth is bounded by the importers (200); an explicit stack keeps hostile modules away from the C stack.
  struct Span {
    uint32_t at, end;
  };
  std::vector<Span> stack;
  Span now{first, first + count};
  while (true) {
    if (now.at == now.end) {
      if (stack.empty()) return;
      now = stack.back();
      stack.pop_back();
      continue;
    }
    const uint32_t index = now.at++;
    const Cell& c = cells_[index];
    if (c.kind == ValueKind::NodeRef) {
      f(index);
    } else if (c.isContainer() && c.a) {
      const Span inner{c.u.b, c.u.b + c.a};
      if (now.at != now.end) stack.push_back(now);
      now = inner;
    }
  }
}

template <class F>
void Graph::forEachInput(NodeId id, F&& f) const {
  const Node& n = node(id);
  forEachRefCell(n.args, n.argCount + 2 * n.kwargCount, [&](uint32_t c) { f(NodeId{cells_[c].a}); });
}

}  // namespace descry::ir
