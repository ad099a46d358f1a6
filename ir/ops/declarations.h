// Ops that a user declares beside the op table: custom ops of a program, by PyTorch's schema and what else is
// known.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/ops/registry.h"

namespace descry::ir {

/// A text that declares ops: a file, or one line of a command.
struct OpDeclarations {
  std::string name;  ///< of the file, or of the option, for messages
  std::string text;
};

/// The op table and the declared ops. A declaration is a schema with namespace at the start of a line, and
/// below it, indented, properties as in the op table (docs/op-table.md); behind a schema, properties may also
/// follow `;` on the same line. `#` starts a comment. What differs from the table:
///
///     mylib::scale(Tensor x, float by) -> Tensor
///       is: effect                      # keeps its place among other effects; in the table `ordered`
///       shape: same(x)                  # needed only where a graph does not type the call itself
///       grad x: mylib.scale(grad, by)   # formulas have python meaning, as register_autograd has
///
/// Errors, with file, line and column: `schema-syntax`, `op-namespace`, `op-duplicate`, `table-syntax`,
/// `rule-syntax`.
Result<std::shared_ptr<const OpRegistry>> declareOps(const std::vector<OpDeclarations>& declarations);

}  // namespace descry::ir
