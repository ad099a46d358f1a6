#include "ir/core/operators.h"

namespace descry::ir {

const OperatorForm* findOperator(std::string_view name) {
  static constexpr OperatorForm kForms[] = {{"add", "+", 2},
                                            {"sub", "-", 2},
                                            {"mul", "*", 2},
                                            {"floordiv", "//", 2},
                                            {"truediv", "/", 2},
                                            {"div", "/", 2},
                                            {"mod", "%", 2},
                                            {"pow", "**", 2},
                                            {"lshift", "<<", 2},
                                            {"rshift", ">>", 2},
                                            {"and_", "&", 2},
                                            {"or_", "|", 2},
                                            {"xor", "^", 2},
                                            {"getitem", "[]", 2},
                                            {"matmul", "@", 2},
                                            {"eq", "==", 2},
                                            {"ne", "!=", 2},
                                            {"lt", "<", 2},
                                            {"gt", ">", 2},
                                            {"le", "<=", 2},
                                            {"ge", ">=", 2},
                                            {"pos", "+", 1},
                                            {"neg", "-", 1},
                                            {"invert", "~", 1},
                                            {"iadd", "+=", 2, true},
                                            {"iand", "&=", 2, true},
                                            {"ifloordiv", "//=", 2, true},
                                            {"ilshift", "<<=", 2, true},
                                            {"imod", "%=", 2, true},
                                            {"imul", "*=", 2, true},
                                            {"imatmul", "@=", 2, true},
                                            {"ior", "|=", 2, true},
                                            {"ipow", "**=", 2, true},
                                            {"irshift", ">>=", 2, true},
                                            {"isub", "-=", 2, true},
                                            {"itruediv", "/=", 2, true},
                                            {"ixor", "^=", 2, true},
                                            {"setitem", "=", 3, true}};
  for (const OperatorForm& f : kForms)
    if (f.name == name) return &f;
  return nullptr;
}

}  // namespace descry::ir
