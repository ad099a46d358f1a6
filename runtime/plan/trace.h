// The ops that a graph comes down to on inputs of known layouts: what is taken apart is taken apart once,
// view ops leave nothing but layouts.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/interpreter/graph_runner.h"

namespace descry::runtime {

/// One op of a plan. Tensors among its arguments and results have no contents yet: their storages stand for
/// the buffers that a plan gives memory.
struct PlannedOp {
  enum Kind : uint8_t {
    Pointwise,  ///< by its scalar expression; without `op` the elements of the argument, converted
    Kernel,     ///< fills its results
    Call,       ///< by the machine; what it makes is copied to the results
    Node,       ///< the node as it stands, with values that are known when it has run
    Write       ///< an input gets other contents
  } kind = Kernel;
  const OpDef* op = nullptr;
  const struct Kernel* kernel = nullptr;
  Values args;
  std::vector<TensorRef> results;  ///< null for absent ones
  ir::NodeId node;                 ///< that it belongs to
  std::string why;                 ///< of Call and Node: why there is no more to it

  /// In words: `aten.add.Tensor`, `convert`.
  std::string name() const;
};

struct PlannedGraph {
  std::vector<PlannedOp> ops;
  /// By node: its value, tensors without contents; None where it is known when the node has run.
  Values values;
  std::vector<bool> dynamic;  ///< by node: it is one of these
  Values outputs;             ///< where no node is dynamic that they need
  bool dynamicOutputs = false;
  /// Why the graph can only be run node by node; empty else. `ops` has nothing then.
  std::string whole;
};

/// `inputs` by placeholder: tensors whose contents are not looked at, and numbers. `inputBytes`: of the
/// memory that they will lie in.
PlannedGraph traceGraph(const ir::Module& module, const ir::Graph& graph, const ir::OpRegistry& ops,
                        const std::unordered_map<std::string, Value>& attributes, const Values& inputs,
                        const std::vector<size_t>& inputBytes, const std::function<bool()>& cancelled);

/// Calls f(const Tensor&) for the tensors in a value.
template <class F>
void forEachTensor(const Value& v, F&& f) {
  if (v.isTensor()) {
    if (const auto* t = dynamic_cast<const Tensor*>(v.tensor())) f(*t);
  } else if (v.isList() || v.kind() == VKind::Dict) {
    for (const Value& i : v.items()) forEachTensor(i, f);
  }
}
bool sameLayout(const Meta& a, const Meta& b);
/// A value of this dtype can stay in a register of a loop between ops.
bool staysInRegister(DType dtype);

}  // namespace descry::runtime
