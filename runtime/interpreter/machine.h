// The machine: carries out single ops on tensors with contents, as eager PyTorch does on a CPU.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/ops/eval/interpreter.h"
#include "runtime/interpreter/kernel.h"
#include "runtime/interpreter/shape_memo.h"

namespace descry::runtime {

/// How an op is carried out, found once.
enum class Way : uint8_t {
  Kernel,
  Pointwise,      ///< by its scalar expression
  View,           ///< another layout of the same memory, by its shape rule
  ViewInPlace,    ///< its argument gets another layout
  ViewCopy,       ///< what the view gives, in fresh memory
  Write,          ///< what the op without writes gives, copied to what is written
  Lists,          ///< element by element of lists (foreach)
  Decomposition,  ///< by its rule in the op table
  Composite,
  Unsupported
};
/// In words, for `descry ops`.
std::string_view wayName(Way way);

struct OpPlan {
  Way way = Way::Unsupported;
  const Kernel* kernel = nullptr;
  const OpDef* other = nullptr;  ///< op without writes, view op of a copy, op of the elements of lists
  const ir::rules::Function* body = nullptr;
  bool pointwise = false;  ///< of Write: the op without writes is computed element by element
};
OpPlan planOf(const OpDef& op);

class Machine : public ir::eval::Host {
 public:
  explicit Machine(const ir::OpRegistry& ops = ir::allOps());

  const ir::OpRegistry& ops() const { return ops_; }
  ir::eval::Interpreter& rules() { return rules_; }

  /// Carries out an op; arguments in the order of the schema. Throws EvalError: `unsupported-op`, and what
  /// shape rules and kernels say.
  Value call(const OpDef& op, Values args) override;
  Value index(const Value& tensor, const Value& index, bool python) override;
  void setIndex(const Value& tensor, const Value& index, const Value& value) override;
  bool special(std::string_view name, Values& args, Value& result) override;
  bool attribute(const Value& tensor, std::string_view name, Value& result) override;

  /// By target: `aten.sum.dim_IntList`; positional arguments, missing ones by default.
  Value call(std::string_view target, Values args);
  /// Overload found by the arguments.
  Value callByName(std::string_view name, Values args, const ir::eval::Keywords& keywords = {});

  Generator generator;                     ///< of the CPU
  std::function<bool()> cancelled;         ///< asked before each op; error `cancelled`
  std::function<void(std::string)> print;  ///< what ops that print print; null: dropped
  bool deterministic = false;

 protected:
  Value lists(const OpDef& op, const OpPlan& plan, Values& args);

 private:
  friend class Call;
  const OpPlan& plan(const OpDef& op);
  /// What the shape rule says, now or when it was asked the same before.
  Value shapeOf(const OpDef& op, const Values& args);
  Value runKernel(const OpDef& op, const Kernel& kernel, Values& args);
  Value pointwise(const OpDef& op, Values& args);
  Value viewed(const OpDef& op, Values& args);
  Value viewInPlace(const OpDef& op, const OpPlan& plan, Values& args);
  Value viewCopy(const OpDef& op, const OpPlan& plan, Values& args);
  Value write(const OpDef& op, const OpPlan& plan, Values& args);
  /// Computes a pointwise op where it is to be written. False, and nothing done, where that cannot be.
  bool writePointwise(const OpDef& pure, const Values& args, const TensorRef& self);
  Value decomposed(const OpDef& op, const OpPlan& plan, Values& args);

  const ir::OpRegistry& ops_;
  ir::eval::Interpreter rules_;
  ShapeMemo shapes_;
  uint64_t calls_ = 0;  ///< of ops so far
  std::unordered_map<const OpDef*, OpPlan> plans_;
  std::unordered_map<std::string, const OpDef*> byTarget_;
  int depth_ = 0;
};

/// The tensor in a value: null for None; a number that stands for a tensor is made one.
TensorRef tensorOf(const Value& v);
/// Conjugate and negative views become plain ones.
TensorRef resolved(const TensorRef& t);

/// The value of a pointwise op by its scalar expression, written to `out` (which is of the result's sizes;
/// another dtype is converted to). pointwise.cpp.
void runPointwise(const OpDef& op, const Values& args, const View& out);

}  // namespace descry::runtime
