#include "ir/ops/eval/promotion.h"

namespace descry::ir::eval {

bool isFloating(DType t) {
  return dtypeInfo(t).floating;
}
bool isComplex(DType t) {
  return dtypeInfo(t).complex;
}
bool isIntegral(DType t) {
  return t >= DType::I64 && t <= DType::U8;
}
int64_t itemSize(DType t) {
  return dtypeInfo(t).bits / 8;
}

DType toComplex(DType t) {
  switch (t) {
    case DType::F64:
      return DType::C128;
    case DType::F16:
      return DType::C32;
    case DType::BF16:
    case DType::F32:
      return DType::C64;
    default:
      return isComplex(t) ? t : DType::C64;
  }
}
DType toReal(DType t) {
  switch (t) {
    case DType::C128:
      return DType::F64;
    case DType::C64:
      return DType::F32;
    case DType::C32:
      return DType::F16;
    default:
      return t;
  }
}

namespace {

int category(DType t) {
  return t == DType::B8 ? 0 : isIntegral(t) ? 1 : isFloating(t) ? 2 : isComplex(t) ? 3 : 4;
}

DType promoteInts(DType a, DType b) {
  const auto bits = [](DType t) { return dtypeInfo(t).bits; };
  const bool sa = dtypeInfo(a).isSigned, sb = dtypeInfo(b).isSigned;
  if (sa == sb) return bits(a) >= bits(b) ? a : b;
  const DType s = sa ? a : b, u = sa ? b : a;
  if (u != DType::U8)
    throw EvalError("type-error", "promotion for uint16, uint32, uint64 with signed types is not supported");
  return s == DType::I8 ? DType::I16 : s;
}

DType promoteFloats(DType a, DType b) {
  if (a == b) return a;
  if (itemSize(a) == 1 || itemSize(b) == 1)
    throw EvalError("type-error",
                    "promotion for 8-bit floating point types is not supported, attempted to promote " +
                        std::string(dtypeInfo(a).torchName) + " and " + std::string(dtypeInfo(b).torchName));
  if (itemSize(a) == 2 && itemSize(b) == 2) return DType::F32;
  return itemSize(a) > itemSize(b) ? a : b;
}

DType skipUnknown(DType a, DType b) {
  return a == DType::Unknown ? b : b == DType::Unknown ? a : promote(a, b);
}

DType combine(DType higher, DType lower) {
  if (higher == DType::Unknown) return lower;
  if (isComplex(higher)) return higher;
  if (isFloating(higher)) return lower != DType::Unknown && isComplex(lower) ? toComplex(higher) : higher;
  if (higher == DType::B8 || (lower != DType::Unknown && (isFloating(lower) || isComplex(lower))))
    return skipUnknown(higher, lower);
  return higher;
}

}  // namespace

DType promote(DType a, DType b) {
  if (a == b) return a;
  const int ca = category(a), cb = category(b);
  if (ca == 4 || cb == 4) throw EvalError("type-error", "these dtypes do not promote");
  if (ca != cb) {
    const DType high = ca > cb ? a : b, low = ca > cb ? b : a;
    if (category(high) == 3 && category(low) == 2)
      return toComplex(promoteFloats(toReal(high), low == DType::BF16 ? DType::F32 : low));
    return high;
  }
  if (ca == 1) return promoteInts(a, b);
  if (ca == 2) return promoteFloats(a, b);
  return itemSize(a) > itemSize(b) ? a : b;
}

DType dtypeOfNumber(const Value& v) {
  switch (v.kind()) {
    case VKind::Bool:
      return DType::B8;
    case VKind::Int:
      return DType::I64;
    case VKind::Float:
      return DType::F32;
    case VKind::Complex:
      return DType::C64;
    default:
      throw EvalError("type-error", "expected a number, found " + v.describe());
  }
}

void ResultType::add(const Value& v) {
  if (v.isNone()) return;
  if (!v.isTensor()) {
    wrapped_ = skipUnknown(wrapped_, dtypeOfNumber(v));
    return;
  }
  const Meta& m = v.meta();
  DType t = m.dtype;
  if (m.wrappedNumber) {
    t = isComplex(t) ? DType::C64 : isFloating(t) ? DType::F32 : t;
    wrapped_ = skipUnknown(wrapped_, t);
  } else if (m.sizes.empty()) {
    zero_ = skipUnknown(zero_, t);
  } else {
    dim_ = skipUnknown(dim_, t);
  }
}

DType ResultType::get() const {
  return combine(dim_, combine(zero_, wrapped_));
}

}  // namespace descry::ir::eval
