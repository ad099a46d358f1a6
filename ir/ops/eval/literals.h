// Values as graphs write them, and Python's operators on them by name.
#pragma once

#include <optional>
#include <string_view>

#include "ir/core/graph.h"
#include "ir/ops/eval/value.h"
#include "ir/ops/rules/rule.h"

namespace descry::ir::eval {

/// The value of an argument that is neither a node nor a container: numbers, texts, dtypes, devices. What is
/// not understood is an object of its text, an op or graph one of its name (`self.body_0`). Throws
/// `type-error` for an unknown dtype.
Value literalOf(const ArgView& argument);
/// The kind of the container that an argument is; nothing when it is none.
std::optional<VKind> containerOf(const ArgView& argument);

/// `add`, `truediv`, `and_`, ... of Python's module `operator`; nothing when it has no such operator of two
/// values.
std::optional<rules::BinaryOp> binaryNamed(std::string_view name);
/// `eq`, `lt`, `is_`, ...
std::optional<rules::CompareOp> compareNamed(std::string_view name);

}  // namespace descry::ir::eval
