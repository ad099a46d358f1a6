// Runs the rules of the op table: a small interpreter over rules::Function, with a host that carries out op
// calls.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/ops/eval/value.h"
#include "ir/ops/registry.h"
#include "ir/ops/rules/op_rules.h"

namespace descry::ir::eval {

using Keywords = std::vector<std::pair<std::string_view, Value>>;

/// What the rules need from whoever runs them.
class Host {
 public:
  virtual ~Host() = default;
  /// Carries out an op; `args` are bound in the order of the schema, defaults filled in.
  virtual Value call(const OpDef& op, Values args) = 0;
  /// `t[index]` of a tensor. `python`: the meaning of the caller's code.
  virtual Value index(const Value& tensor, const Value& index, bool python) = 0;
  virtual void setIndex(const Value& tensor, const Value& index, const Value& value) = 0;
  /// A symbolic number was computed from others (`result = a op b`; op as Python's operator names: "mul"):
  /// the tracer records it.
  virtual void symbolic(std::string_view op, const Value& a, const Value& b, Value& result) {
    (void)op, (void)a, (void)b, (void)result;
  }
  /// The number of elements of a tensor with symbolic sizes, computed as part of the program.
  virtual Value numel(const Value& tensor) { return Value(tensor.meta().numel()); }
  /// A function of the rules that only this host has: `needs`, `zeros_like_result`. False: not known.
  virtual bool special(std::string_view name, Values& args, Value& result) {
    (void)name, (void)args, (void)result;
    return false;
  }
  /// What Python's binding of a factory function of torch (`torch.zeros_like`) makes of the op's result.
  virtual Value fromFactory(const Value& made) { return made; }
  /// An attribute of a tensor beyond its meta: `requires_grad`, `grad_fn`. False: not known.
  virtual bool attribute(const Value& tensor, std::string_view name, Value& result) {
    (void)tensor, (void)name, (void)result;
    return false;
  }
};

/// The op whose shape is asked for, for built-in shape rules.
struct ShapeCall {
  const OpDef* op = nullptr;
  const Values* args = nullptr;

  const Value* argument(std::string_view name) const;  ///< null when the op has none of this name
};

class Interpreter {
 public:
  Interpreter(const OpRegistry& ops, Host& host) : ops_(ops), host_(&host) {}
  const OpRegistry& ops() const { return ops_; }
  Host& host() const { return *host_; }

  /// Runs a body; `args` fill the parameters in order, missing ones are None.
  Value run(const rules::Function& f, Values args);
  /// Calls with Python's binding of positional and keyword arguments. Throws `type-error`.
  Value callFunction(const rules::Function& f, Values args, Keywords keywords);
  Value callValue(const Value& function, Values args, Keywords keywords = {});

  /// Chooses the overload of `head` that takes these arguments, as PyTorch's argument parser (python) or C++
  /// overloads do, converts and fills them in. Throws `type-error`.
  const OpDef* resolve(const OpDef* head, Values& args, const Keywords& keywords, bool python,
                       bool method) const;
  Value callOp(const OpDef* head, Values args, const Keywords& keywords, bool python, bool method = false);
  /// A torch-level spelling: Python function of the table, op, or operator. Throws `unsupported-call`.
  Value callSpelling(std::string_view spelling, Values args, const Keywords& keywords);
  /// An operator of Python on two values: number arithmetic here, tensors by the host.
  Value binary(rules::BinaryOp op, const Value& a, const Value& b, bool python);
  Value unary(char op, const Value& a, bool python);
  Value compare(rules::CompareOp op, const Value& a, const Value& b, bool python);
  Value subscript(const Value& object, const Value& index, bool python);
  Value attributeOf(const Value& object, std::string_view name);

  /// Metas of the results of an op, by its shape rule: a tensor value per result (or a tuple, list, number,
  /// None). Throws `no-shape` when the table has no rule.
  Value shape(const OpDef& op, const Values& args);
  const ShapeCall& shapeCall() const { return shapeCall_; }

  bool pythonMeaning() const { return python_; }
  /// Tells the host of a symbolic result, unless a shape rule computed it: those are no part of the program.
  void noteSymbolic(std::string_view op, const Value& a, const Value& b, Value& result) {
    if (!inShape_) host_->symbolic(op, a, b, result);
  }

 private:
  friend struct Builtins;
  struct Frame {
    const rules::Function* function = nullptr;
    Values locals;
    Value result;
    const rules::Expr* at = nullptr;  ///< what is computed, for messages
  };
  Value runDeclared(const rules::Function& f, Values args);
  /// Takes part of what a rule that the user declares may do: see limits.cpp.
  void spend(int64_t steps) {
    if (left_ >= 0) takeSteps(steps);
  }
  void takeSteps(int64_t steps);
  /// A call may trace ops, and each takes memory.
  static constexpr int64_t kStepsOfCall = 50;
  void spendOn(const Value& made);
  enum class Flow : uint8_t { Next, Return, Break, Continue };
  Flow exec(const std::vector<rules::Stmt>& body, Frame& frame);
  Value eval(const rules::Expr& e, Frame& frame);
  Value evalHere(const rules::Expr& e, Frame& frame);
  Value evalCall(const rules::Expr& e, Frame& frame);
  Value evalGlobal(const rules::Expr& e);
  Value method(const Value& object, std::string_view name, Values args, const Keywords& keywords,
               bool& known);
  void assign(const rules::Expr& target, const Value& value, Frame& frame);
  [[noreturn]] void fail(const rules::Expr& e, const Frame& frame, const std::string& message) const;

  const OpRegistry& ops_;
  Host* host_;
  ShapeCall shapeCall_;
  bool python_ = false;
  bool inShape_ = false;
  int depth_ = 0;
  int64_t left_ = -1;            ///< steps that the declared rule may still do; -1: no such rule runs
  const char* stack_ = nullptr;  ///< where the stack was when the outermost rule began
};

/// Throws `rule-result` when a rule that the user declares returns something else than its part has to.
void checkResult(const rules::Function& rule, const Value& result);

/// True when `args` and `keywords` fit `op`; on success they are in schema order, converted.
/// `exact`: the overload was named in full, and takes numbers for tensors.
bool bindTo(const OpDef& op, const Values& args, const Keywords& keywords, bool python, bool method,
            Values& bound, std::string* why, bool exact = false);

}  // namespace descry::ir::eval
