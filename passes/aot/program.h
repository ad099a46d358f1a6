// A captured graph as a program: runs its calls on the tensors of a tracer.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ir/core/graph.h"
#include "passes/autodiff/tracer.h"

namespace descry::passes {

/// Thrown while a node of the captured graph is traced: the error of PyTorch and the node it belongs to.
struct TraceFailure : EvalError {
  TraceFailure(const EvalError& e, const ir::Graph& graph, ir::NodeId at)
      : EvalError(e),
        node(graph.nodeName(at)),
        nodeLine(graph.node(at).line),
        nodeColumn(graph.node(at).column) {}
  std::string node;
  uint32_t nodeLine, nodeColumn;
};

class Program {
 public:
  Program(const ir::Module& module, const ir::Graph& graph) : module_(module), graph_(graph) {}
  /// Tensors that the graph holds as attributes (`self.weight`) and that are inputs here: they come before
  /// the placeholders.
  void liftAttributes(std::vector<std::string> targets) { lifted_ = std::move(targets); }
  const ir::Graph& graph() const { return graph_; }

  /// Runs the graph; `inputs` by lifted attribute, then by placeholder. Returns the flat outputs. Throws
  /// TraceFailure.
  Values run(Tracer& tracer, const Values& inputs) const;

  /// Symbols for data (`u0`) in the types of all graphs: one more than the highest number.
  uint32_t firstFreeUnbacked() const;
  /// A subgraph that a node refers to as `self.name`; null when missing.
  const ir::Graph* subgraph(std::string_view name) const { return module_.child(graph_, name); }
  const ir::Module& module() const { return module_; }

 private:
  Values runNodes(Tracer& tracer, const Values& inputs) const;
  Value runNode(Tracer& tracer, ir::NodeId id, const Values& env) const;
  Value call(Tracer& tracer, ir::NodeId id, std::string_view target, Values args,
             const ir::eval::Keywords& keywords) const;
  Value opaque(Tracer& tracer, ir::NodeId id, std::string_view target, const Values& args,
               const ir::eval::Keywords& keywords) const;
  Value valueOf(ir::ArgView arg, const Values& env) const;
  bool operatorCall(Tracer& tracer, std::string_view name, Values& args, Value& out) const;
  /// Calls that change how others are carried out; `out` is what they return.
  bool switches(Tracer& tracer, std::string_view target, const Values& args, Value& out) const;

  const ir::Module& module_;
  const ir::Graph& graph_;
  std::vector<std::string> lifted_;
};

/// Sizes, strides, dtype and device of a written type; symbolic sizes get their hints. Nothing when it is no
/// tensor, or none that can be.
std::optional<Meta> metaOfType(const ir::Type& type, const std::unordered_map<std::string, int64_t>& hints);
/// The same; throws `bad-type` when no tensor has the type, `type-error` when a size cannot be read.
std::optional<Meta> checkedMeta(const ir::Type& type, const std::unordered_map<std::string, int64_t>& hints);
/// What a call returns as the graph types it: a tensor, or a tuple of those that getitem takes of it, None
/// where nothing is taken; None where nothing is typed.
Value typedResults(const ir::Graph& graph, ir::NodeId call,
                   const std::unordered_map<std::string, int64_t>& hints);
Int intOfText(const std::string& text, const std::unordered_map<std::string, int64_t>& hints);

}  // namespace descry::passes
