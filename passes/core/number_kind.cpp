#include "passes/core/number_kind.h"

#include <algorithm>

namespace descry::passes {

bool isFloatNumber(const ir::SymExpr& e) {
  switch (e.kind()) {
    case ir::SymKind::Real:
      return true;
    case ir::SymKind::Symbol:
      return e.name().starts_with("zf") || e.name().starts_with("zuf");
    case ir::SymKind::Add:
    case ir::SymKind::Mul:
    case ir::SymKind::Pow:
      return std::any_of(e.args().begin(), e.args().end(), isFloatNumber);
    case ir::SymKind::Function: {
      const std::string& f = e.name();
      if (f == "Max" || f == "Min") return std::any_of(e.args().begin(), e.args().end(), isFloatNumber);
      return f == "ToFloat" || f == "IntTrueDiv" || f == "FloatTrueDiv" || f == "FloatPow" || f.starts_with("OpaqueUnaryFn");
    }
    default:
      return false;
  }
}

}  // namespace descry::passes
