// Tensors of a traced run: a value of the graph below, functionalized storage and views, and autograd state
// above.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ir/core/graph.h"
#include "ir/ops/eval/interpreter.h"
#include "ir/ops/eval/promotion.h"

namespace descry::passes {

using ir::OpDef;
using ir::eval::EvalError;
using ir::eval::Int;
using ir::eval::Ints;
using ir::eval::make;
using ir::eval::Meta;
using ir::eval::Ref;
using ir::eval::Value;
using ir::eval::Values;
using ir::eval::VKind;

/// A size that was found equal to another one and is called by that one's symbol now.
struct RenamedSize : ir::eval::Symbolic {
  std::string original;  ///< what it was called before
};
/// Empty for sizes that are called what they always were.
inline std::string originalName(const Int& i) {
  const auto* renamed = i.symbolic() ? dynamic_cast<const RenamedSize*>(i.sym.get()) : nullptr;
  return renamed ? renamed->original : std::string();
}

struct Tensor;
using TensorRef = Ref<Tensor>;
struct AutogradNode;

/// One view op on the way from a base to a view; argument 0 is left out of `args` (None).
struct ViewStep {
  const OpDef* op = nullptr;
  Values args;
  int32_t index = -1;    ///< of the result, for ops with several
  bool inPlace = false;  ///< it changed sizes and strides of a tensor that was there before
};

/// The way from a base to a view, last step first. Views of a view share the way to it, so that a chain of
/// views takes memory for each view once.
struct ViewPath : ir::eval::Counted {
  ViewPath(ViewStep last, Ref<ViewPath> way) : step(std::move(last)), before(std::move(way)) {}
  ~ViewPath() override {
    // One after the other: ways are as long as a program makes them.
    while (before && before->refs == 1) before = Ref<ViewPath>(std::move(before->before));
  }
  ViewStep step;
  Ref<ViewPath> before;
};
using ViewPathRef = Ref<ViewPath>;
/// The steps of a way from the base on.
std::vector<const ViewStep*> stepsOf(const ViewPathRef& way);

/// The memory that tensors share, as a value: the newest base and the writes that are not yet in it.
struct FunctionalStorage : ir::eval::Counted {
  TensorRef base;  ///< inner
  struct Update {
    TensorRef value;  ///< inner
    ViewPathRef steps;
  };
  std::vector<Update> updates;
  uint64_t generation = 0;
  uint32_t mutations = 0, mutationsNoGrad = 0, mutationsHidden = 0, resizes = 0;
  uint32_t views = 0;  ///< taken of it
  bool frozen = false;
};

struct VersionCounter : ir::eval::Counted {
  uint32_t version = 0;
};

/// Why an in-place write to a view cannot be differentiated.
enum class ViewOrigin : uint8_t { Plain, InCustomFunction, MultiOutput, NoGrad, Inference };

struct Edge {
  Ref<AutogradNode> node;
  uint32_t input = 0;
};

/// A level of torch.func: vmap, or grad and its kin. Ops on tensors of a level fall into ops on what they
/// wrap.
struct Level : ir::eval::Counted {
  bool vmap = false;
  bool forward = false;  ///< jvp: its tensors carry tangents
  bool alive = true;
  int64_t number = 0;         ///< from 1, as programs name it
  bool outerGradMode = true;  ///< of the levels below
};

/// What a tensor has as a differentiable view.
struct DifferentiableView {
  TensorRef base;   ///< the root
  ViewPathRef way;  ///< from the root
  ViewOrigin origin = ViewOrigin::Plain;
  uint32_t madeBy = ir::NodeId::kNone;  ///< node of the captured graph
};

/// What few tensors have.
struct TensorExtras {
  Value numel;                             ///< computed so far, where sizes are symbolic
  uint32_t changedBy = ir::NodeId::kNone;  ///< node of the captured graph that gave it other memory
  Ref<AutogradNode> accumulator;           ///< of a leaf

  // A tensor of a torch.func level: what it wraps, and which of its dimensions is not seen here.
  Ref<Level> level;
  TensorRef lower;
  int64_t batchDim = -1;
  TensorRef tangent;  ///< of a jvp level: a tensor of the same level

  // A tensor of a wrapper subclass: the name of its class, and the outer tensors that it holds, by attribute.
  // It has no value of its own; its storage only tells which tensors are views of one another.
  std::string subclass;
  std::vector<std::pair<std::string, TensorRef>> pieces;
};

/// A part that most tensors do without: read as if it were there, made when it is first written.
template <class T>
class Seldom {
 public:
  const T& operator*() const { return part_ ? *part_ : none(); }
  const T* operator->() const { return &**this; }
  T& own() {
    if (!part_) part_ = ir::eval::make<Part>();
    return *part_;
  }

 private:
  struct Part : ir::eval::Counted, T {};
  static const T& none() {
    static const T nothing{};
    return nothing;
  }
  Ref<Part> part_;
};

/// Two kinds in one. Inner tensors are values of the graph: `node` is set, nothing else. Outer tensors are
/// what the program sees: `value` is their inner tensor. A trace makes two for each node: what is here is
/// memory of every one of them.
struct Tensor : ir::eval::TensorBase {
  ir::NodeId node;

  bool multiOutputView = false;
  bool metadataMutated = false;
  bool storageChanged = false;  ///< set_, and all that gives a tensor the memory of another; so of its views
  bool dataReplaced = false;    ///< `x.data = y`
  bool requiresGrad = false;
  bool zero = false;  ///< known to be zero everywhere (at::_efficientzerotensor)

  uint64_t memory = 0;  ///< of an inner tensor: equal for values of the graph that share their memory

  // Functionalization.
  TensorRef value;
  Ref<FunctionalStorage> storage;
  uint64_t group =
      0;  ///< equal for a tensor and its views, whatever set_ gives them: which outputs alias which inputs
  ViewPathRef steps;
  uint64_t generation = 0;

  // Autograd.
  Ref<AutogradNode> gradFn;
  uint32_t outputNr = 0;
  uint32_t attrVersion = 0;
  Ref<VersionCounter> version;
  Seldom<DifferentiableView> view;

  Seldom<TensorExtras> extras;

  bool isOuter() const { return static_cast<bool>(value); }
  bool isView() const { return static_cast<bool>(view->base); }
  bool isWrapper() const { return !extras->subclass.empty(); }
};

/// The tensor in a value; null for None, numbers, and numbers that stand for tensors.
inline Tensor* tensorIn(const Value& v) {
  return v.isTensor() && !v.meta().wrappedNumber ? static_cast<Tensor*>(v.tensor()) : nullptr;
}

/// Whether tensors of a dtype can have gradients.
inline bool differentiable(ir::DType t) {
  return ir::eval::isFloating(t) || ir::eval::isComplex(t);
}

/// What a gradient that arrives at a node has to look like.
struct GradMeta {
  Ints sizes;
  ir::DType dtype = ir::DType::F32;
  uint32_t device = 0;
};

class Tracer;

/// Sizes without a known value do not differ from others.
bool knownToDiffer(const Ints& a, const Ints& b);

/// A function on the tape.
struct AutogradNode : ir::eval::Counted {
  uint64_t sequence = 0;
  std::vector<Edge> next;                    ///< by differentiable input
  std::vector<GradMeta> inputs;              ///< by result of the forward op: gradients that arrive
  ir::SourceId source;                       ///< of the forward op
  uint32_t programNode = ir::NodeId::kNone;  ///< of the captured graph that was being run
  /// Of tensors (`register_hook`): what becomes of the gradient that has arrived for a result.
  std::vector<std::pair<uint32_t, std::function<Value(Tracer&, const Value&)>>> hooks;

  virtual std::string name() const = 0;
  /// Gradients for `next`, in order; None where undefined or not needed.
  virtual Values apply(Tracer& tracer, Values grads, const std::vector<bool>& needed) = 0;
  virtual bool accumulates() const { return false; }
  /// Drops everything that is held, so that a tape can be freed.
  virtual void release() { next.clear(); }
};

/// The name of an op as PyTorch's messages have it: "SplitWithSizes" for `split_with_sizes`.
std::string nodeClass(std::string_view op);

/// An error that belongs to a node of the captured graph: of an input, or of a call when its gradient fails.
struct NodeError : EvalError {
  NodeError(const EvalError& e, uint32_t at) : EvalError(e), programNode(at) {}
  uint32_t programNode;
};

/// Marks the node of a user's autograd function.
struct CustomFunctionMark {
  virtual ~CustomFunctionMark() = default;
};

}  // namespace descry::passes
