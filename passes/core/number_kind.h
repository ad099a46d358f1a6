// What kind of number a symbolic expression is: the text `Sym(...)` of a type does not say.
#pragma once

#include "ir/types/sym_expr.h"

namespace descry::passes {

/// Whether the number is a float.
bool isFloatNumber(const ir::SymExpr& e);

}  // namespace descry::passes
