// Binds the arguments of a call to the schema of its op: which written value belongs to which parameter.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/core/graph.h"
#include "ir/ops/schema.h"

namespace descry::ir {

struct BoundArgument {
  const SchemaArgument* argument = nullptr;
  std::optional<ArgView> value;  ///< absent: the default holds, or the argument is missing (see problems)
};

struct BindProblem {
  /// arity (too many positional values), unknown-keyword, duplicate-argument, missing-argument,
  /// argument-type.
  const char* code;
  std::string message;
};

struct BoundCall {
  std::vector<BoundArgument> arguments;  ///< parallel to Schema::arguments
  std::vector<ArgView> extra;            ///< what `...` takes: positional values, then keyword values
  std::vector<BindProblem> problems;

  bool ok() const { return problems.empty(); }
  /// The value bound to `name`, or nothing.
  std::optional<ArgView> value(std::string_view name) const;
};

/// Types are checked as PyTorch's dispatcher reads Python values, and only where a literal is certainly
/// wrong: numbers stand for tensors, an int for a float, Scalar or SymInt, an int for `int[2]`, and a node
/// for anything.
BoundCall bindArguments(const Schema& schema, const Graph& graph, NodeId node);

/// What a default text means as a literal: `1`, `-1.5`, `True`, `None`, `"mean"`, `[0, 1]`; nothing for names
/// such as `Mean` and `contiguous_format` that stand for enum members.
std::optional<Argument> defaultValue(const SchemaArgument& argument);

/// True when `value` may be passed for a parameter of `type`.
bool fitsSchemaType(const ArgView& value, const SchemaType& type);

}  // namespace descry::ir
