#include "runtime/core/numbers.h"

namespace descry::runtime {

template <int E, int M, bool Finite, bool Fnuz>
Float8<E, M, Finite, Fnuz>::operator float() const {
  const int sign = bits >> 7, exponent = (bits >> M) & ((1 << E) - 1), fraction = bits & ((1 << M) - 1);
  if constexpr (Fnuz) {
    if (bits == 0x80) return std::nanf("");
  } else if constexpr (Finite) {
    if ((bits & 0x7F) == 0x7F) return std::nanf("");
  } else {
    if (exponent == (1 << E) - 1) {
      if (fraction) return std::nanf("");
      return sign ? -INFINITY : INFINITY;
    }
  }
  const float value = exponent ? std::ldexp(1.0f + static_cast<float>(fraction) / (1 << M), exponent - kBias)
                               : std::ldexp(static_cast<float>(fraction) / (1 << M), 1 - kBias);
  return sign ? -value : value;
}

template <int E, int M, bool Finite, bool Fnuz>
Float8<E, M, Finite, Fnuz>::Float8(float f) {
  const uint8_t nan = Fnuz ? 0x80 : 0x7F;
  const uint8_t sign = std::signbit(f) ? 0x80 : 0;
  if (std::isnan(f)) {
    bits = Fnuz ? nan : static_cast<uint8_t>(sign | nan);
    return;
  }
  // The largest finite value, and what lies beyond it.
  constexpr int topFraction = (1 << M) - (Finite && !Fnuz ? 2 : 1);
  constexpr int topExponent = (1 << E) - (Finite ? 1 : 2);
  const double largest = std::ldexp(1.0 + static_cast<double>(topFraction) / (1 << M), topExponent - kBias);
  const double magnitude = std::fabs(static_cast<double>(f));
  const double step = std::ldexp(1.0, topExponent - kBias - M);
  // A tie between the largest number and what would be next rounds to even.
  const bool topEven = topFraction % 2 == 0;
  if (magnitude > largest + step / 2 || (magnitude == largest + step / 2 && !topEven)) {
    // The kinds that have infinities overflow to them, e4m3fn stays at its largest number, fnuz has NaN only.
    bits = Fnuz ? nan : static_cast<uint8_t>(Finite ? sign | (nan - 1) : sign | ((1 << E) - 1) << M);
    return;
  }
  int exponent = 0;
  (void)std::frexp(magnitude, &exponent);
  exponent = magnitude == 0 ? 1 - kBias : std::max(exponent - 1, 1 - kBias);
  int units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, M - exponent)));
  // Units of 2^M are a one in front of the fraction.
  int biased = exponent + kBias;
  if (units >= (2 << M)) {
    units >>= 1;
    ++biased;
  }
  if (units < (1 << M)) biased = 0;
  bits = static_cast<uint8_t>(biased << M | (units & ((1 << M) - 1)));
  if (!Fnuz || bits) bits |= sign;
}

template struct Float8<4, 3, true, false>;
template struct Float8<5, 2, false, false>;
template struct Float8<4, 3, true, true>;
template struct Float8<5, 2, true, true>;

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
