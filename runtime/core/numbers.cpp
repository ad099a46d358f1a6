#include "runtime/core/numbers.h"

namespace descry::runtime {

std::string_view scalarTypeName(DType dtype) {
  switch (dtype) {
    case DType::F64:
      return "Double";
    case DType::F32:
      return "Float";
    case DType::F16:
      return "Half";
    case DType::BF16:
      return "BFloat16";
    case DType::F8E4M3FN:
      return "Float8_e4m3fn";
    case DType::F8E5M2:
      return "Float8_e5m2";
    case DType::F8E4M3FNUZ:
      return "Float8_e4m3fnuz";
    case DType::F8E5M2FNUZ:
      return "Float8_e5m2fnuz";
    case DType::C128:
      return "ComplexDouble";
    case DType::C64:
      return "ComplexFloat";
    case DType::C32:
      return "ComplexHalf";
    case DType::I64:
      return "Long";
    case DType::I32:
      return "Int";
    case DType::I16:
      return "Short";
    case DType::I8:
      return "Char";
    case DType::U64:
      return "UInt64";
    case DType::U32:
      return "UInt32";
    case DType::U16:
      return "UInt16";
    case DType::U8:
      return "Byte";
    case DType::B8:
      return "Bool";
    default:
      return "Undefined";
  }
}

void unsupportedDType(DType dtype, std::string_view what) {
  throw EvalError("unsupported-dtype", (what.empty() ? std::string("this op") : std::string(what)) +
                                           " not implemented for '" + std::string(scalarTypeName(dtype)) +
                                           "'");
}

}  // namespace descry::runtime
