// A plan: all that is known of running a graph on inputs of given layouts before it runs. Made once, run many
// times.
//
// The graph is traced to ops (trace.h), these are grouped to steps (regions.h), and what the steps make is
// given places in one piece of memory (memory_plan.h). A run gives the inputs and the results memory, and
// carries out the steps. Nodes that are known only when they run keep their place among the steps, as do
// nodes that read them; a graph that writes what it goes on reading is run node by node as a whole. text()
// says so.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/plan/memory_plan.h"
#include "runtime/plan/regions.h"
#include "runtime/plan/rows.h"

namespace descry::runtime {

struct PlanOptions {
  FusionLimits fusion;
  RowLimits rows;
  bool epilogues = true;    ///< loops that read a product run on its blocks as they are made
  bool reuseMemory = true;  ///< buffers that do not live at the same time may share memory
};

/// Memory that steps read and write.
struct PlanBuffer {
  enum Kind : uint8_t {
    Input,
    Constant,  ///< a tensor that the graph holds
    Inside,    ///< in the memory of the plan
    Output,    ///< given anew with each run
    Block,     ///< of some rows at a time: memory of the steps that run together (rows.h)
    Register   ///< only within a loop: no memory
  } kind = Inside;
  StorageRef storage;  ///< that stands for it
  std::string name;    ///< of the node that makes it
  size_t bytes = 0;
  Lifetime life;                       ///< in steps; of Inside
  size_t offset = 0;                   ///< of Inside: in the memory of the plan, or of the output it is in
  std::optional<size_t> takesPlaceOf;  ///< buffer that dies where this one is made, at the same place
  bool given = false;                  ///< another one takes its place
  std::optional<size_t> within;        ///< of Inside: an output that is written later; its memory until then
};
std::string_view bufferKindName(PlanBuffer::Kind kind);

struct PlanStep {
  enum Kind : uint8_t { Loop, Elements, Kernel, Call, Node, Write } kind = Kernel;
  OpGroup group;
  std::vector<ir::NodeId> nodes;      ///< that it carries out, each once
  std::vector<size_t> reads, writes;  ///< buffers
};
std::string_view stepKindName(PlanStep::Kind kind);

class Plan {
 public:
  /// `inputs` by placeholder: their layouts count, and the values of numbers. Module and machine outlive the
  /// plan. Throws EvalError and RunFailure where the graph cannot be run at all.
  Plan(const ir::Module& module, const ir::Graph& graph, Machine& machine,
       const std::unordered_map<std::string, Value>& attributes, const Values& inputs,
       PlanOptions options = {});
  ~Plan();
  Plan(const Plan&) = delete;

  /// Flat outputs, in memory of their own or that of the inputs. Throws RunFailure, and EvalError
  /// `input-mismatch` when inputs are laid out otherwise. One thread at a time.
  Values run(const Values& inputs);
  /// After each step of a run, how long it took. Null: nobody looks at the clock.
  std::function<void(size_t step, double seconds)> onStep;

  const std::vector<PlanBuffer>& buffers() const { return buffers_; }
  const std::vector<PlanStep>& steps() const { return steps_; }
  const std::vector<PlannedOp>& ops() const { return graph_.ops; }
  /// Steps that run together. onStep hears of each when all have run.
  const std::vector<RowRange>& rows() const { return rows_; }
  const ir::Graph& graph() const { return names_; }
  /// Why the graph is run node by node; empty when it is not.
  const std::string& whole() const { return graph_.whole; }
  size_t insideBytes() const { return insideBytes_; }
  size_t outputBytes() const { return outputBytes_; }
  /// Of all buffers inside, had each memory of its own.
  size_t bytesWithoutReuse() const { return bytesWithoutReuse_; }
  /// Steps that are carried out as the interpreter does.
  size_t fallbacks() const;
  std::string text() const;

 private:
  struct Prepared;
  size_t bufferOf(const Tensor& t, PlanBuffer::Kind kind, std::string name);
  void addBuffers();
  void findLifetimes();
  void shareInPlace();
  void shareRows(size_t step);
  void placeBuffers();
  void placeWithinOutputs(const std::vector<size_t>& root, std::vector<Lifetime>& lives);
  void noteChanges();
  void buildLoops();
  void joinRows();
  void joinEpilogues();
  void prepare();
  void giveMemory(const Values& inputs);
  void runStep(size_t index);
  void checkInputs(const Values& inputs) const;
  [[noreturn]] void fail(const EvalError& e, const PlanStep& step);
  Value settled(const Value& v, const Values& inputs) const;

  const ir::Module& module_;
  const ir::Graph& names_;
  Machine& machine_;
  PlanOptions options_;
  std::vector<ir::NodeId> placeholders_;
  Values inputs_;                   ///< by placeholder: tensors that stand for the inputs, and numbers
  std::vector<size_t> inputBytes_;  ///< of the memory of the inputs: views of them stay within
  GraphRunner runner_;
  PlannedGraph graph_;
  std::vector<PlanStep> steps_;
  std::vector<RowRange> rows_;
  std::vector<size_t> rowsAt_;  ///< by step: its place in rows_, or as many as there are
  std::vector<double> rowShares_;
  double rowSeconds_ = 0;
  std::vector<PlanBuffer> buffers_;
  std::unordered_map<const Storage*, size_t> bufferOf_;
  std::vector<size_t> outputBuffers_;
  std::vector<StorageRef> outputs_;  ///< of the last run, used again when nobody has them
  size_t insideBytes_ = 0, outputBytes_ = 0, bytesWithoutReuse_ = 0;
  StorageRef memory_;
  Values values_;  ///< by node: what stands for them, and in a run those that are known only then
  std::vector<uint32_t> dynamic_;            ///< nodes that are
  std::vector<std::vector<uint32_t>> dead_;  ///< by step: nodes whose values are read last there
  std::unique_ptr<Prepared> prepared_;
};

}  // namespace descry::runtime
