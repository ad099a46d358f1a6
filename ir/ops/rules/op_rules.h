// The properties of an op's table entry, parsed.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/ops/eval/value.h"
#include "ir/ops/registry.h"
#include "ir/ops/rules/rule.h"

namespace descry::ir::rules {

/// Slots of a gradient's body: the op's arguments, then per result its schema name and `resultN`, then
/// `result`, `grad`, `grads`.
struct GradRule {
  std::vector<uint32_t> inputs;  ///< indices of the arguments that it differentiates
  std::shared_ptr<Function> body;
  std::vector<bool> savesResult;  ///< by result: its contents are read
  std::vector<bool> savesInput;   ///< by argument
  std::vector<bool> countsInput;  ///< by argument: its number of elements is read
};

/// How the tangent of a result follows from those of the arguments. Slots of a formula: the op's arguments,
/// then `NAME_t` and `NAME_p` (tangent and value) of each, then per result its schema name and `resultN`,
/// then `result`. Elementwise: the body of the gradient. A formula without a body: the op's decomposition is
/// differentiated.
struct JvpRule {
  enum Kind : uint8_t { Formula, Linear, Elementwise } kind = Formula;
  uint32_t output = 0;  ///< index of the result
  std::shared_ptr<Function> body;
  std::vector<bool> tangents, primals;  ///< by argument: what is read
  bool result = false;                  ///< the result is read
};

/// What torch.autocast does with the arguments of an op (at::autocast::CastPolicy).
enum class CastPolicy : uint8_t {
  None,             ///< they stay as they are
  LowerPrecision,   ///< cast to the dtype of the region
  Fp32,             ///< cast to float32
  Fp32SetOptDtype,  ///< an optional dtype that is not given becomes float32
  Fp32AppendDtype,  ///< the overload with a dtype is called, with float32
  Promote,          ///< cast to the widest dtype among them
  Refused           ///< PyTorch refuses the op inside a region
};
/// Kinds of devices that have regions and policies of their own.
constexpr std::string_view kCastDevices[] = {"cpu", "cuda"};

struct OpRules {
  std::shared_ptr<Function> shape, composite, core, inductor, philox, inverse, scalar;
  std::string shapeName;        ///< when the shape is one built-in rule without arguments
  std::vector<GradRule> grads;  ///< in the order in which they are run
  std::vector<JvpRule> jvps;
  bool notDifferentiable = false;
  bool undefinedGradient =
      false;                    ///< `grad undefined`: nothing was registered for autograd, gradients end here
  bool keepInInductor = false;  ///< `inductor: keep`
  std::vector<bool> differentiable;      ///< by result; empty: all floating-point ones
  std::array<CastPolicy, 2> autocast{};  ///< by kCastDevices
  /// Defaults by argument; nullopt where there is none.
  std::vector<std::optional<eval::Value>> defaults;
  std::vector<Diagnostic> problems;  ///< texts that do not parse
  std::shared_ptr<Function> run;     ///< what the op computes, for running it
  std::shared_ptr<Function> flops;   ///< operations of one call; slots: arguments, `result`
};

OpRules parseRules(const OpDef& op);

/// The value of a default in a schema: `1`, `None`, `[0, 1]`, `contiguous_format`, `Mean`.
eval::Value defaultOf(const SchemaArgument& argument);

}  // namespace descry::ir::rules
