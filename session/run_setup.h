// A graph with its inputs, ready to be run by any executor as often as wanted.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "passes/aot/runnable.h"
#include "runtime/interpreter/graph_runner.h"
#include "session/graph_run.h"

namespace descry::session {

class RunSetup {
 public:
  /// Reads or makes the inputs, and brings captured graphs to aten ops. The caller has set the memory cap.
  /// Errors: those of runInputs and makeRunnable, `bad-request`.
  static ir::Result<std::shared_ptr<RunSetup>> make(const Document& document, const LoadedGraphPtr& graph,
                                                    const RunRequest& request);

  const LoadedGraphPtr& graph() const { return graph_; }
  const std::shared_ptr<const ir::Module>& module() const { return module_; }
  const ir::Graph& root() const { return *root_; }
  /// As of Run.
  const std::vector<ir::NodeId>& origins() const { return origins_; }
  const std::vector<bool>& backward() const { return backward_; }
  const std::vector<std::string>& assumed() const { return assumed_; }
  /// The node of graph() that a node of root() was made for; invalid when there is none.
  ir::NodeId originOf(ir::NodeId node) const;

  /// Inputs in memory of their own, for one run: it may write them.
  struct Given {
    RunInputs inputs;
    runtime::Values values;  ///< by placeholder of root()
  };
  /// Throws EvalError: `missing-input`, `input-mismatch`, `out-of-memory`.
  Given given() const;
  /// The gradient of an output: as it was given, else ones. Throws EvalError.
  runtime::Value tangent(const Given& given, size_t output, const ir::TensorType& type) const {
    return tangentOf(given.inputs, output, type);
  }
  /// Outputs whose gradients the graph takes.
  std::vector<size_t> tangentOutputs() const;
  /// Tensors that the graph holds.
  std::unordered_map<std::string, runtime::Value> attributes(runtime::Machine& machine) const;

  /// What comes out, with the memory of inputs that was written. `after` are the inputs of this run.
  std::vector<RunValue> results(const runtime::Values& outputs, const Given& after) const;
  /// Names of the results by flat output: `out.0`, `grad.1`, `after.0`.
  std::vector<std::string> resultNames() const;
  /// An error of a node as it is reported: placed in the file, with what the node was called with.
  ir::Diagnostic failure(const runtime::RunFailure& e) const;
  ir::Diagnostic failure(const std::string& code, const std::string& message) const;

 private:
  RunSetup() = default;
  ir::Status trace(const RunRequest& request);
  const ir::Type* attributeType(std::string_view attribute) const;
  runtime::Value tangentOf(const RunInputs& inputs, size_t output, const ir::TensorType& type) const;
  passes::RunnableSlot slotOf(size_t result) const;
  std::string resultName(const passes::RunnableSlot& slot) const;
  std::string inputName(size_t i) const;

  LoadedGraphPtr graph_;
  std::shared_ptr<const ir::Module> module_;
  const ir::Graph* root_ = nullptr;
  std::vector<ir::NodeId> origins_;
  std::vector<bool> backward_;
  std::vector<std::string> assumed_;
  passes::CapturedFacts facts_;
  RunInputs before_;
  std::vector<passes::RunnableSlot> slots_, resultSlots_;
  std::unordered_map<std::string, runtime::Value> literals_;
};

/// runGraph of what is ready.
ir::Result<RunPtr> runSetup(std::shared_ptr<RunSetup> setup, const RunRequest& request);

/// The process has at most this much memory for tensors as long as the object lives; 0: what the system has
/// to spare. Without a cap the system itself would end the program, whatever else it does.
struct MemoryLimit {
  explicit MemoryLimit(uint64_t bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
};

/// The middle one of the times; 0 of none.
double medianOf(std::vector<double> v);

}  // namespace descry::session
