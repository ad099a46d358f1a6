// What the higher-order ops have in common: how they are called, functions on the tape, subgraphs that are
// traced anew. Private to passes/aot.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "passes/aot/program.h"
#include "passes/aot/stages.h"

namespace descry::passes {

struct Subgraph;

/// What higher-order ops share during one trace, subgraphs included.
struct HigherOrderState {
  std::vector<std::shared_ptr<ir::Graph>>
      graphs;  ///< behind the root, which is graph 0 of the finished module
  std::unordered_map<const ir::Graph*, uint32_t> positions;  ///< in `graphs`
  /// invoke_subgraph: what was traced for an identifier, and its backwards by the layout of the gradients.
  std::map<std::string, std::shared_ptr<Subgraph>> regions;
  std::map<std::string, std::vector<std::string>> regionGradients;
  /// How often a module calls each region; counted at the first call.
  struct RegionCounts {
    const ir::Module* module = nullptr;
    std::map<std::string, size_t, std::less<>> calls;
  };
  std::shared_ptr<const RegionCounts> regionCounts;
  /// Whether the first call of a region recorded gradients: PyTorch does not look again.
  std::map<std::string, bool> regionsDifferentiable;
  int32_t regionCalls = 0;
  std::map<std::string, size_t> nextNumbers;  ///< of subgraphs that torch.fx names, by stem
  /// What orders effects: passed into each call that has one, which gives the next. Null until the first one.
  TensorRef token;
  std::function<TensorRef()> firstToken;
  /// score_mod of flex_attention is being traced: `x[i]` with an index that is a tensor without dimensions
  /// reads a value of x; elsewhere it makes a view.
  bool scalarIndices = false;
  bool keepsWrites = true;                         ///< writes to inputs stay in the graph
  std::unordered_map<std::string, int64_t> hints;  ///< of size symbols
  UnknownOps unknown = UnknownOps::Assume;
  std::map<std::string, std::string> assumed;  ///< by op that nothing is known of: what was taken for granted
  /// Attributes that describe calls that write their arguments: by graph and description.
  std::map<std::pair<const ir::Graph*, std::string>, std::string> schemas;
};

/// Takes back what a trial did to the state: graphs are only ever added, and are not copied.
class HigherOrderUndo {
 public:
  explicit HigherOrderUndo(HigherOrderState& state) {
    std::vector<std::shared_ptr<ir::Graph>> graphs = std::exchange(state.graphs, {});
    std::unordered_map<const ir::Graph*, uint32_t> positions = std::exchange(state.positions, {});
    count_ = graphs.size();
    before_ = state;
    state.graphs = std::move(graphs);
    state.positions = std::move(positions);
  }
  void undo(HigherOrderState& state) const {
    std::vector<std::shared_ptr<ir::Graph>> graphs = std::exchange(state.graphs, {});
    std::unordered_map<const ir::Graph*, uint32_t> positions = std::exchange(state.positions, {});
    for (size_t i = count_; i < graphs.size(); ++i) positions.erase(graphs[i].get());
    graphs.resize(count_);
    state = before_;
    state.graphs = std::move(graphs);
    state.positions = std::move(positions);
  }

 private:
  HigherOrderState before_;
  size_t count_ = 0;
};

/// A call of a higher-order op in a captured graph.
struct HopCall {
  const Program& program;
  Tracer& tracer;
  ir::NodeId node;
  std::string_view target;
  const Values& args;
  const ir::eval::Keywords& keywords;

  /// By position or keyword; None when absent.
  Value at(size_t position, std::string_view keyword) const;
  /// A subgraph among the arguments, as a function. Throws `missing-subgraph`.
  FlatFunction body(const Value& argument) const;
  Values rest(size_t from) const {
    return from < args.size() ? Values(args.begin() + static_cast<std::ptrdiff_t>(from), args.end())
                              : Values();
  }
};

// ---- functions on the tape

/// What PyTorch calls a torch.autograd.Function: its forward is not recorded op by op, its backward is the
/// user's.
struct TapeFunction {
  std::string name;  ///< of the class
  FlatFunction forward;
  /// After the outputs have their history: what is kept for the backward.
  std::function<void(Tracer&, const Values& outputs)> keep;
  /// One gradient per argument from one per output; None for what is no tensor.
  std::function<Values(Tracer&, const Values& grads)> backward;
  std::vector<size_t> nonDifferentiable, dirty;  ///< outputs
  bool zeros = true;                             ///< for outputs that get no gradient
};

/// Runs `f.forward` with grad mode off, and puts one node on the tape when a gradient may be asked for.
Values applyFunction(Tracer& tracer, const Values& args, TapeFunction f);

/// Tensors and numbers kept between forward and backward, as ctx.save_for_backward keeps them.
class Kept {
 public:
  /// `outputs`: the values are results of the function itself, and are kept without their history.
  void keep(Tracer& tracer, const Values& values, bool outputs);
  Values give(Tracer& tracer, std::string_view name) const;

 private:
  std::vector<Tracer::Saved> values_;
};

// ---- subgraphs

/// What becomes of operands that a subgraph writes: nothing, their new values are copied back at its end, or
/// returned behind the results.
enum class Writes : uint8_t { Ignored, CopiedBack, Returned };
enum class OutputForm : uint8_t { Tuple, List, Single };  ///< `return (a, b)`, `return [a, b]`, `return a`
struct SubgraphOptions {
  std::vector<bool> requiresGrad;  ///< by operand; empty: none does
  bool gradMode = false;
  OutputForm output = OutputForm::Tuple;
  bool copyViews = false;  ///< views become copies
  bool record = true;      ///< false: only a look at what comes out
  Writes writes = Writes::Ignored;
  bool keepDead = false;      ///< nodes that nobody reads stay
  bool sourceOfCall = false;  ///< all nodes carry the source of the call
};

/// A function traced into a graph of its own.
struct Subgraph {
  std::shared_ptr<ir::Graph> graph;
  Values outputs;                  ///< metas, numbers, None
  std::vector<bool> mutated;       ///< by operand: its contents are written
  std::vector<int> aliases;        ///< by output: the operand whose memory it shares, or -1
  std::vector<bool> requiresGrad;  ///< by output
  bool sharedOutputs = false;      ///< two outputs share memory
};

/// Traces `f` on placeholders like `operands`, which are values of `parent`.
Subgraph traceSubgraph(Tracer& parent, const FlatFunction& f, const Values& operands,
                       const SubgraphOptions& options = {});
/// Makes the subgraph an attribute of the graph that is being written.
void installSubgraph(Tracer& parent, const Subgraph& sub, const std::string& name);
/// The first of `prefix`_0, `prefix`_1, ... that names no subgraph yet.
std::string freshSubgraphName(Tracer& parent, const std::string& prefix);
/// The same for names that torch.fx gives (get_fresh_qualname): `stem`0 where it is free, else it goes on
/// counting where the last name of this stem was given, be that in another graph.
std::string freshQualifiedName(Tracer& parent, const std::string& stem);
/// The node `name = self.name`, as a value for arguments.
Value subgraphReference(Tracer& tracer, const std::string& name);

/// Which results of a joint function are cloned because they share memory: those that share it with operands,
/// or gradients that share it with anything before them.
enum class CloneGradients : uint8_t { No, OfInputs, All };
struct JointOptions {
  bool allOutputs =
      true;  ///< a gradient arrives for every tensor that `f` returns, not only for those that require one
  bool zeros = true;  ///< for operands that get no gradient
  CloneGradients clone = CloneGradients::All;
  bool withOutputs = false;  ///< the outputs of `f` come behind the gradients
};
/// The backward of control flow as PyTorch traces it: takes the operands, then a gradient per output of `f`;
/// runs `f` and returns the gradients of the operands.
FlatFunction jointFunction(FlatFunction f, size_t operands, JointOptions options = {});

/// Tensors replaced by their values in the graph, in lists too.
Value innerValue(Tracer& tracer, const Value& v);
Values innerValues(Tracer& tracer, const Values& values);
/// A tensor that can only be asked what it is.
Value metaValue(const Meta& meta);
/// One row of a tensor that is walked along its first dimension, and rows put on top of one another again.
Value rowOf(const Value& tensor);
Values rowsOf(const Values& tensors);
void append(Values& to, const Values& more);
Value stacked(const Value& row, const Int& rows);
/// The same meta without ties to the graph it comes from: its symbolic sizes name no node.
Meta rebased(const Meta& meta);
/// Emits the call of a higher-order op whose results are `outputs` (a tuple), and gives outer tensors for
/// them.
Values emitHigherOrder(Tracer& tracer, std::string_view target, const Values& args,
                       const std::vector<std::pair<std::string, Value>>& keywords, const Values& outputs,
                       ir::NodeId* made = nullptr);
/// The same for a call that writes operands: through auto_functionalized_v2.
Values emitWriting(Tracer& tracer, std::string_view target,
                   std::vector<std::pair<std::string, Value>> arguments, std::vector<std::string> written,
                   const Values& outputs);
bool writesAny(const Subgraph& sub);
/// Control flow refuses subgraphs that write their inputs, or return them.
void refuseAliases(const Subgraph& sub, const std::string& name);
/// What a loop hands from round to round keeps dtype and sizes, and strides where they count
/// (check_meta_consistency; scan compares copies, which are dense). `before` and `after` are names for
/// messages.
void refuseOtherMeta(const Values& handed, const Values& returned, const std::string& before,
                     const std::string& after, bool strides);
bool anyRequiresGrad(const Tracer& tracer, const Values& values);
std::vector<bool> requiringGrad(const Tracer& tracer, const Values& values);

// ---- the ops, by file

Value runAutogradFunction(const HopCall& call);  // autograd_function.cpp
Value runCheckpoint(const HopCall& call);        // wrappers.cpp
Value runWrapper(const HopCall& call);
Value runHintsWrapper(const HopCall& call);
Value runStrictMode(const HopCall& call);
Value runOutDtype(const HopCall& call);
Value runRegisterHook(const HopCall& call);
Value runCond(const HopCall& call);  // cond.cpp
Value runSwitch(const HopCall& call);
Value runWhileLoop(const HopCall& call);  // while_loop.cpp
Value runScan(const HopCall& call);       // scan.cpp
Value runMap(const HopCall& call);
Value runAssociativeScan(const HopCall& call);  // associative_scan.cpp
Value runInvokeSubgraph(const HopCall& call);   // invoke_subgraph.cpp
Value runForeachMap(const HopCall& call);
Value runPrint(const HopCall& call);               // effects.cpp
Value runAutoFunctionalized(const HopCall& call);  // custom_ops.cpp
Value runFlexAttention(const HopCall& call);       // flex_attention.cpp

}  // namespace descry::passes
