// Tracer: runs a program of op calls on tensors without contents, and writes down the graph that comes out.
//
// A call goes down through the same layers as in PyTorch: composite ops fall into others; autograd puts a
// node on the tape; functionalization replaces writes and keeps track of views; decompositions fall into
// others again; what is left becomes a node of the graph, its type by the shape rule of the op table.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/ops/variants.h"
#include "ir/support/id_map.h"
#include "passes/autodiff/autocast.h"
#include "passes/autodiff/subclass.h"

namespace descry::passes {

enum class Decompositions : uint8_t { None, Core, Inductor };

/// Where a node of the joint graph belongs; the partitioners read it.
enum class Phase : uint8_t { Forward, Backward, MustBeForward, MustBeBackward, Untold };

struct NodeFacts {
  Phase phase = Phase::Forward;
  uint8_t recompute = 0;        ///< 0 none, else Recompute + 1
  uint32_t region = 0;          ///< checkpoint region
  uint64_t sequence = 0;        ///< of the tape node that was made or run when it was emitted
  bool noVersionCheck = false;  ///< saved for the backward without a look at whether it was written since
  int32_t call = -1;            ///< of a nested region: its forward and its backward call share a number
  uint32_t origin = ir::NodeId::kNone;  ///< node of the captured graph that it was made for
};

struct HigherOrderState;
class FunctionalRandom;
struct OpNode;

/// The levels of torch.func that are open (passes/aot/functorch.cpp).
struct Levels {
  virtual ~Levels() = default;
  /// Calls an op at the innermost level.
  virtual Value call(const OpDef& op, Values args) = 0;
  /// Whether that level records gradients, and calls what it recorded one level further down.
  virtual bool descends() const = 0;
  virtual bool batches() const = 0;  ///< the innermost level is one of vmap
  virtual Value descend(const OpDef& op, Values args) = 0;
  virtual const Level* innermost() const = 0;
  virtual size_t depth() const = 0;  ///< how many are open
};

/// A call that writes some of its arguments.
struct MutableCall {
  std::string op;  ///< target
  std::vector<std::pair<std::string, Value>> arguments;
  std::vector<std::string> written;  ///< names
  Values results;                    ///< metas
  std::string schema;  ///< attribute of the graph that describes the call; empty for ops with a schema
};

class Tracer : public ir::eval::Host {
 public:
  Tracer(const ir::OpRegistry& ops, ir::Graph& graph, Decompositions decompositions);
  ~Tracer() override;

  const ir::OpRegistry& ops() const { return ops_; }
  ir::eval::Interpreter& rules() { return rules_; }
  ir::Graph& graph() { return graph_; }

  // ---- Host
  Value call(const OpDef& op, Values args) override;
  Value index(const Value& tensor, const Value& index, bool python) override;
  /// Calls an op that stands in the captured graph: `results` is what the graph types the call's results as,
  /// None where it does not. An op that is declared without a shape rule gives just that.
  Value callTyped(const OpDef& op, Values args, Value results);
  void setIndex(const Value& tensor, const Value& index, const Value& value) override;
  void symbolic(std::string_view op, const Value& a, const Value& b, Value& result) override;
  bool special(std::string_view name, Values& args, Value& result) override;
  bool attribute(const Value& tensor, std::string_view name, Value& result) override;
  Value numel(const Value& tensor) override;
  Value fromFactory(const Value& made) override;

  /// Calls an op by name, overload found by the arguments (`aten::sum`), with the C++ meaning of arguments.
  Value op(std::string_view name, Values args, const ir::eval::Keywords& keywords = {});
  /// A tensor that the graph holds as an attribute.
  Value attributeTensor(std::string_view attribute, const Meta& meta);
  /// Writes a number to the places that one mask or one index tensor names. False, and nothing done, where
  /// PyTorch writes by index_put_ instead.
  bool fillsAt(const Value& sliced, const Values& indices, const Value& number);
  Value scalarTensor(const Value& number, ir::DType dtype, uint32_t device);
  /// A tensor from nested lists of numbers.
  Value literalTensor(const Value& list, uint32_t device);
  /// torch.tensor(data, dtype, device); None where not given.
  Value literal(const Value& data, const Value& dtype, const Value& device);
  /// A literal as PyTorch lifts it: an attribute of the graph, and a copy of it.
  /// `data`: its numbers, in nested lists.
  Value constant(const Ints& sizes, ir::DType dtype, uint32_t device, const Value& data);
  /// The numbers of literals, by the attribute that holds them.
  std::unordered_map<std::string, Value> literals;
  /// Calls one overload: `aten.copy_.default`, arguments in schema order.
  Value exact(std::string_view target, Values args);

  std::function<bool()> cancelled;  ///< asked at every node of the program and of its tape
  void throwIfCancelled() const {
    if (cancelled && cancelled()) throw EvalError("cancelled", "stopped while the program was traced");
  }

  std::shared_ptr<Levels> levels;  ///< null until the program opens one
  /// Calls an op past the levels: composite ops fall into others, autograd records.
  Value callHere(const OpDef& op, Values args);

  // ---- inputs and outputs
  /// An outer tensor around a fresh inner one that stands for `node`.
  TensorRef input(ir::NodeId node, const Meta& meta, bool requiresGrad);
  TensorRef inner(ir::NodeId node, const Meta& meta);
  TensorRef wrap(const TensorRef& innerTensor);
  /// A tensor of a wrapper subclass around outer tensors, of the sizes of the first.
  TensorRef wrapPieces(std::string_view subclass, std::vector<std::pair<std::string, TensorRef>> pieces);
  /// The constructor of a wrapper subclass, called by the program.
  Value constructSubclass(const SubclassClass& c, std::string_view target, const Values& args,
                          const ir::eval::Keywords& keywords);
  /// Brings an outer tensor up to date with writes through its aliases, and gives its inner tensor.
  TensorRef innerOf(const TensorRef& outer);
  void sync(Tensor& t);
  /// A symbolic number that stands for a placeholder.
  Value symbolInput(ir::NodeId node, ir::SymExpr expr, int64_t hint, bool hasHint = true);
  /// From here on sizes of this value that stand for no placeholder of their own are read from `node`.
  void sizeInput(ir::NodeId node, const Int& size) { symbols_[size.str()] = node; }
  bool apartSubclasses =
      false;  ///< subclasses are taken apart: it matters which of its sizes a view computes
  /// What size symbols were called when the program was captured, by what they were called at first.
  std::unordered_map<std::string, std::string> namesAtCapture;
  /// Tensors of wrapper subclasses are values of the graph as they are, for a look at the program. Who makes
  /// such a graph gives them their types afterwards.
  bool wholeSubclasses = false;
  ir::NodeId nodeOf(const Int& i);
  ir::NodeId nodeOfNumber(const Value& v);

  // ---- autograd
  bool gradMode = true;
  bool inferenceMode = false;
  bool gradModeFixed = false;  ///< switches of the program are ignored
  Autocast autocast;
  bool copyViews = false;   ///< views are written as their copying twins
  bool keepWrites = false;  ///< nothing is functionalized: ops that write are emitted as they are
  /// An op wrote memory in which another argument lies in part: eager PyTorch reads some elements that were
  /// written already, the graph without writes reads none.
  bool overlappingWrites = false;
  bool recording = true;    ///< false: nothing is written, for a first look at a program
  bool ofSubgraph = false;  ///< what is written is the graph of a higher-order op
  /// Ops skip autograd's kernels: the `detach_` at the end of torch.tensor, which autograd keeps to itself,
  /// is seen.
  bool belowAutograd = false;
  std::shared_ptr<HigherOrderState>
      higherOrder;  ///< subgraphs and tokens of higher-order ops; one for a whole trace
  /// Carries out ops whose effects have to stay in order; false for all others. Below autograd.
  std::function<bool(const OpDef&, const Values&, Value&)> effects;
  bool requiresGrad(const Tensor& t) const;
  Edge gradientEdge(const TensorRef& t);
  Ref<AutogradNode> gradFn(Tensor& t);
  bool isLeaf(Tensor& t) { return !gradFn(t); }
  void setGradientEdge(Tensor& t, Edge edge) {
    t.gradFn = edge.node;
    t.outputNr = edge.input;
    if (t.version) t.attrVersion = t.version->version;
  }
  /// After a write: the history of `t`, and of what it is a view of, goes through `node`.
  void rebaseHistory(const TensorRef& t, const Ref<AutogradNode>& node);
  /// Reverse mode from `outputs` with `grads` (None: ones are not made up); gradients for `inputs`, None when
  /// unused.
  Values backward(const std::vector<TensorRef>& outputs, Values grads, const std::vector<TensorRef>& inputs);
  /// Puts a node on the tape: gives it its number.
  void record(const Ref<AutogradNode>& node) {
    node->sequence = sequence_++;
    node->source = source;
    node->programNode = programNode;
    tape_.push_back(node);
  }
  /// Sums `grad` down to a shape that was broadcast to its own.
  Value sumTo(const Value& grad, const Ints& shape);
  /// What the source of a node becomes for the nodes of its gradient.
  std::function<ir::SourceId(ir::SourceId)> backwardSource;
  static GradMeta gradMeta(const Meta& m) { return {m.sizes, m.dtype, m.device}; }
  /// Saved for a gradient: results are detached when saved and again when used.
  struct Saved {
    Value value;
    uint32_t version = 0;
    bool original = true;
  };
  Saved save(const Value& v, bool isResult);
  Value unpack(const Saved& saved, std::string_view nodeName);

  // ---- forward mode (forward.cpp)
  bool forwardGrad = true;  ///< torch._C._set_fwd_grad_enabled
  /// The value itself, without a tangent.
  Value primalOf(const Value& v);
  /// `t` gets a tangent, in memory of the same layout.
  void setTangent(Tensor& t, Value tangent);

  // ---- what is emitted
  Decompositions decompositions;
  std::shared_ptr<FunctionalRandom> functionalRandom;  ///< null: random ops stay as they are
  Phase phase = Phase::Forward;
  ir::SourceId source;
  uint32_t programNode = ir::NodeId::kNone;  ///< of the outermost captured graph, while it runs
  bool sourceFixed = false;                  ///< nodes of captured graphs do not change the source
  uint8_t recompute = 0;
  uint32_t region = 0;
  uint32_t regions = 0;          ///< so far
  std::vector<NodeFacts> facts;  ///< by node id
  /// Types of nodes as they were before sizes were found equal to others, where that makes a difference.
  std::unordered_map<uint32_t, std::string> originalTypes;
  std::function<void(ir::NodeId)> onEmit;
  /// Symbolic numbers become nodes when they are first used: everywhere but while the captured program runs.
  bool lazyNumbers = true;
  Ref<ir::eval::NumberFacts> numberFacts = make<ir::eval::NumberFacts>();
  uint32_t unbacked = 0;  ///< number of the next symbol that depends on data
  /// What the program calls the symbols that the next calls make, where that is known.
  std::vector<std::string> unbackedNames;
  /// Calls so far, of ops and nodes of the program: one number for a trace and the subgraphs in it.
  std::shared_ptr<uint64_t> calls = std::make_shared<uint64_t>(0);
  /// Throws `graph-too-large` where a program asks for more than any graph has.
  void countCall(uint64_t weight = 1) {
    if ((*calls += weight) > kMostCalls) refuseCalls();
  }
  /// Emits a call of something that is no op of the table: higher-order ops, operators on symbolic numbers.
  ir::NodeId emit(std::string_view target, const Values& args,
                  const std::vector<std::pair<std::string, Value>>& keywords, ir::TypeId type,
                  std::string_view name = {});
  Value emitOp(const OpDef& op, const Values& args);
  /// The metas of what a call returns. Throws `no-shape`.
  Value resultsOf(const OpDef& op, const Values& args);
  /// Arguments as the dispatcher passes them on: without defaults at the end, and without keywords that equal
  /// theirs.
  void splitArguments(const OpDef& op, const Values& args, Values& positional,
                      std::vector<std::pair<std::string, Value>>& keywords) const;
  /// Emits auto_functionalized_v2 for the call, and gives the written arguments their new contents. Returns
  /// the results.
  Value autoFunctionalized(const MutableCall& call);
  Value autoFunctionalized(const OpDef& op, const Values& args);
  /// The contents of an outer tensor are `value` from now on.
  void replaceContents(const TensorRef& outer, const TensorRef& value) { commit(*outer, value); }
  /// The node `name = self.attribute`.
  ir::NodeId emitAttribute(std::string_view attribute, ir::TypeId type);
  /// Gives the results of a multi-result node their getitem nodes and inner tensors.
  Value track(ir::NodeId node, const Value& metas);
  ir::TypeId typeOf(const Meta& m);
  ir::TypeId typeOf(const Value& v);
  /// A name that no node has, as near to the wanted one as FX makes it; taken from now on.
  ir::StrId freshName(std::string_view wanted);
  /// Names that were given and that no node of the graph has (any more), by length and then by letters.
  std::vector<std::string> goneNames() const;

  /// Runs f below functionalization and autograd.
  template <class F>
  auto below(F&& f) {
    struct Leave {
      Tracer& t;
      bool was;
      ~Leave() { t.below_ = was; }
    } leave{*this, below_};
    below_ = true;
    return f();
  }
  bool isBelow() const { return below_; }
  /// Applies one view op to an inner (below) or outer tensor.
  Value applyView(const ViewStep& step, const TensorRef& base);
  Value replay(const ViewPathRef& way, const TensorRef& base);

 private:
  static constexpr uint64_t kMostCalls = 4'000'000;
  [[noreturn]] static void refuseCalls();
  /// Throws for results that no tensor can be: negative sizes, an extent past 64 bits.
  static void checkResults(const OpDef& op, const Value& metas);
  /// Tensors of one call are on one device, but for those without dimensions on the CPU.
  static void checkDevices(const OpDef& op, const Values& args);
  friend struct OpNode;
  friend struct CopySlicesNode;
  /// The kind of device on which an open autocast region changes the arguments of the call.
  std::optional<size_t> castDevice(const OpDef& op, const Values& args) const;
  Value callCast(const OpDef& op, Values args, size_t device);
  Value callBelow(const OpDef& op, Values args);
  bool forwardMode(const Values& args) const;
  void forwardOf(const OpDef& op, const OpDef& formulas, const Values& args, const Value& original,
                 const Value& result);
  void copyTangent(const Value& self, const Value& source);
  void refuseTangentOfView(const Tensor& t) const;
  Value tangentOrZero(const Value& v);
  Value zerosFor(const Meta& m);
  bool onZeros(const OpDef& op, Values& args, Value& out);
  Value validated(Value grad, const GradMeta& want, const std::string& from, size_t index);
  Value autograd(const OpDef& op, Values args);
  Value functionalize(const OpDef& op, Values args);
  void nameCached(const Value& result);
  Value dispatchToPieces(const OpDef& op, const Values& args, const Tensor& like);
  void touchSizes(const Tensor& wrapper);
  /// While the program runs, PyTorch writes down all numbers that are computed from sizes, and drops those
  /// that nobody reads. Of the bytes of a storage their names are left.
  void nameStorageBytes(const Meta& m);
  /// The names that go when the strides of a view are computed that is none to autograd.
  void nameViewStrides(const TensorRef& self, const Ints& shape);
  Int namedProduct(const Int& a, const Int& b);
  Value withComputedStrides(const Value& v) const;
  void computedViewSizes(const OpDef& op, const Values& args, Value& result);
  Value functionalizeWrites(const OpDef& op, Values args);
  /// What functionalization takes for a view. `_unsafe_view` is one, though autograd does not know it as
  /// such: an op with an inverse.
  static bool isFunctionalView(const OpDef& op);
  Value functionalizeView(const OpDef& op, Values args);
  Value emitWrites(const OpDef& op, const Values& args);
  Value inplaceView(const OpDef& view, Values args);
  Value resized(Values args);
  Value unwrapped(const Value& v);
  void materialize(const OpDef& op, Values& args);
  Value wrapped(const Value& v);
  void commit(Tensor& outer, TensorRef value);
  void applyUpdates(FunctionalStorage& storage);
  void regenerate(Tensor& outer);
  void checkInplace(Tensor& t, bool anyRequires);
  /// Throws when autograd cannot follow a write to this view, or (`indirect`) to what it is a view of.
  static void refuseWriteTo(const Tensor& view, bool indirect);
  bool asksForGradient(const ir::rules::OpRules& rules, const Values& args) const;
  Ref<OpNode> recordCall(const OpDef& op, const OpDef& formulas, const Values& args, bool overwritesFirst);
  void saveResults(OpNode& node, const Values& results);
  /// An in-place op over a list puts one node on the tape for each element, as if each were written on its
  /// own.
  Value foreachInPlace(const OpDef& op, const OpDef& formulas, const Values& args);
  void checkInplaceResult(const OpDef& op, const Value& self, const Value& result);
  void bumpVersion(Tensor& t);
  void setHistory(const Value& result, const Ref<AutogradNode>& node, const ir::rules::OpRules& rules);
  void trackView(const OpDef& op, const Values& args, const Value& result);
  bool handleSpecially(const OpDef& op, Values& args, Value& out);
  Value decomposed(const ir::rules::Function& body, const Values& args, bool& used);
  Value emitCall(const OpDef& op, const Values& args, const Value& metas);
  uint32_t cellsOf(const Value& v, std::vector<ir::Cell>& out);
  ir::Cell cellOf(const Value& v);

  void checkDeclared(const OpDef& op) const;

  const ir::OpRegistry& ops_;
  ir::Graph& graph_;
  ir::eval::Interpreter rules_;
  bool below_ = false;
  struct TypedCall {
    const OpDef* head = nullptr;
    Value results;
  } typed_;
  uint64_t sequence_ = 0;
  uint32_t constants_ = 0;
  uint64_t memories_ = 0;
  uint32_t freshFloats_ = 0;
  std::unordered_map<std::string, Value> fresh_;
  std::vector<Ref<AutogradNode>> tape_;
  uint64_t currentSequence_ = 0;
  std::unordered_map<std::string, ir::NodeId> symbols_;  ///< expression text -> node
  struct PendingSize {
    TensorRef tensor;
    uint32_t dim;
    bool stride;
  };
  std::unordered_map<std::string, PendingSize> pendingSizes_;  ///< by expression text
  /// The same by number: a size that an op has computed is taken from what it has returned.
  std::unordered_map<const ir::eval::Symbolic*, std::pair<Ref<ir::eval::Symbolic>, PendingSize>>
      pendingNumbers_;
  struct NameUse {
    uint32_t count = 0;  ///< last number that was put behind it
    bool used = false;
  };
  ir::IdMap<NameUse> names_;   ///< by text
  OpNode* running_ = nullptr;  ///< whose gradient is being computed
  const std::vector<bool>* runningNeeds_ = nullptr;
  /// Computed, but not used so far.
  struct PendingNumber {
    Ref<ir::eval::Symbolic> number;
    std::string target;
    Values args;
    std::string name = {};  ///< empty: by the target
  };
  std::unordered_map<const ir::eval::Symbolic*, PendingNumber> pendingResults_;
  /// The node of a number that is computed but not written down yet, or of one that is a size of a tensor;
  /// invalid for all others.
  ir::NodeId pendingNode(ir::eval::Symbolic& number);
  ir::NodeId readSize(const PendingSize& p, const std::string& text);
  ir::NodeId emitNumber(ir::eval::Symbolic& number, std::string_view target, const Values& args,
                        std::string_view name = {});
  const Level* tangentsOff_ = nullptr;  ///< whose tangents are not looked at
  bool inForward_ = false;              ///< a formula of forward mode is being run
  std::unordered_map<uint32_t, ir::StrId> targets_;
};

}  // namespace descry::passes
