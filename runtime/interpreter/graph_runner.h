// Runs a graph node by node on a machine, with a look at every value.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/core/graph.h"
#include "ir/support/diagnostic.h"
#include "runtime/interpreter/machine.h"

namespace descry::runtime {

/// Why a run ended: an error of a kernel or a shape rule, at a node of a graph.
struct RunFailure : EvalError {
  RunFailure(const EvalError& e, const ir::Graph& graph, ir::NodeId node, std::string arguments)
      : EvalError(e),
        graphName(graph.name),
        node(node),
        nodeName(graph.nodeName(node)),
        nodeLine(graph.node(node).line),
        nodeColumn(graph.node(node).column),
        arguments(std::move(arguments)) {}
  std::string graphName;
  ir::NodeId node;  ///< of the root graph when `inRoot`
  std::string nodeName;
  uint32_t nodeLine, nodeColumn;
  std::string arguments;  ///< what it was called with: `f32[2, 3], 1`
  bool inRoot = false;
};

/// `f32[2, 3], [1, 2], 0.5`: values in words.
std::string shapesOf(const Values& values);

struct RunHooks {
  /// After each node of the root graph but placeholders and the output: its value and how long it took.
  std::function<void(ir::NodeId, const Value&, double seconds)> onNode;
  /// Asked before each node of the root; false ends the run there.
  std::function<bool(ir::NodeId)> goOn;
  bool time = false;        ///< `seconds` is measured
  bool keepValues = false;  ///< no value is given back before the run ends
};

/// A graph and the graphs it calls, made ready to run. One thread at a time.
class GraphRunner {
 public:
  /// The module outlives the runner.
  GraphRunner(const ir::Module& module, const ir::Graph& graph, Machine& machine);
  ~GraphRunner();

  /// Tensors that the graph holds, by attribute.
  void setAttribute(std::string name, Value value);
  /// Attributes that the graph reads and that have no value so far.
  std::vector<std::string> missingAttributes() const;

  /// `inputs` by placeholder. Flat outputs, as Graph::outputs lists them. Throws RunFailure.
  Values run(const Values& inputs, const RunHooks& hooks = {});
  Machine& machine() const { return machine_; }
  /// The value of a node after a run with keepValues.
  const Value& valueOf(ir::NodeId node) const { return environment_.at(node.index); }

  // ---- for whoever keeps the values of the nodes: one a node, by its number
  const ir::Module& module() const { return module_; }
  /// The value of a node of the root graph but placeholders and the output. Throws EvalError.
  Value runNode(ir::NodeId node, const Values& environment);
  /// What a node of the root graph is called with, by position; of keywords the values alone, behind.
  Values argumentsOf(ir::NodeId node, const Values& environment);
  Values outputsOf(const Values& environment);

  // ---- for higher-order ops
  /// Runs a graph that a node refers to as `self.name`.
  Values callSubgraph(const Value& reference, const Values& inputs);

 private:
  struct Step;
  struct Prepared;
  Prepared& prepared(const ir::Graph& graph);
  Step& stepOf(ir::NodeId node);
  Values runGraph(Prepared& p, const Values& inputs, const RunHooks* hooks, Values& environment);
  Value runStep(const ir::Graph& graph, Step& step, const Values& environment);

  const ir::Module& module_;
  const ir::Graph& graph_;
  Machine& machine_;
  std::unordered_map<const ir::Graph*, std::unique_ptr<Prepared>> prepared_;
  std::vector<const ir::Graph*> running_;
  std::unordered_map<std::string, Value> attributes_;
  Values environment_;
};

/// A call of a higher-order op. higher_order.cpp.
struct HigherOrderCall {
  GraphRunner& runner;
  std::string_view name;  ///< `cond`
  Values args;
  ir::eval::Keywords keywords;
};
/// Throws `unsupported-op`.
Value runHigherOrder(const HigherOrderCall& call);
/// Of auto_functionalized and auto_functionalized_v2. auto_functionalized.cpp.
Value runAutoFunctionalized(const HigherOrderCall& call);
/// Of flex_attention and flex_attention_backward. flex_attention.cpp.
Value runFlexAttention(const HigherOrderCall& call);
Value runFlexAttentionBackward(const HigherOrderCall& call);
/// Names of the higher-order ops that run, sorted.
std::vector<std::string_view> runnableHigherOrder();

}  // namespace descry::runtime
