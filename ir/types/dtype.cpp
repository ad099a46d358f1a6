#include "ir/types/dtype.h"

#include <algorithm>

namespace descry::ir {

const std::vector<DTypeInfo>& allDTypes() {
  // Short names: torch.fx.graph's dtype abbreviations. Order follows the enum.
  static const std::vector<DTypeInfo> kTable = {
      {DType::Unknown, "?", "?", 0, false, false, false},
      {DType::F64, "f64", "float64", 64, true, false, true},
      {DType::F32, "f32", "float32", 32, true, false, true},
      {DType::F16, "f16", "float16", 16, true, false, true},
      {DType::BF16, "bf16", "bfloat16", 16, true, false, true},
      {DType::F8E4M3FN, "f8e4m3fn", "float8_e4m3fn", 8, true, false, true},
      {DType::F8E5M2, "f8e5m2", "float8_e5m2", 8, true, false, true},
      {DType::F8E4M3FNUZ, "f8e4m3fnuz", "float8_e4m3fnuz", 8, true, false, true},
      {DType::F8E5M2FNUZ, "f8e5m2fnuz", "float8_e5m2fnuz", 8, true, false, true},
      {DType::F8E8M0FNU, "f8e8m0fnu", "float8_e8m0fnu", 8, true, false, false},
      {DType::F4E2M1FNX2, "f4e2m1fnx2", "float4_e2m1fn_x2", 8, true, false, true},
      {DType::C128, "c128", "complex128", 128, false, true, true},
      {DType::C64, "c64", "complex64", 64, false, true, true},
      {DType::C32, "c32", "complex32", 32, false, true, true},
      {DType::BC32, "bc32", "bcomplex32", 32, false, true, true},
      {DType::I64, "i64", "int64", 64, false, false, true},
      {DType::I32, "i32", "int32", 32, false, false, true},
      {DType::I16, "i16", "int16", 16, false, false, true},
      {DType::I8, "i8", "int8", 8, false, false, true},
      {DType::U64, "u64", "uint64", 64, false, false, false},
      {DType::U32, "u32", "uint32", 32, false, false, false},
      {DType::U16, "u16", "uint16", 16, false, false, false},
      {DType::U8, "u8", "uint8", 8, false, false, false},
      {DType::B8, "b8", "bool", 8, false, false, false},
      {DType::B16, "b16", "bits16", 16, false, false, false},
      {DType::B1X8, "b1x8", "bits1x8", 8, false, false, false},
      {DType::B1X16, "b1x16", "bits1x16", 16, false, false, false},
      {DType::B2X4, "b2x4", "bits2x4", 8, false, false, false},
      {DType::B4X2, "b4x2", "bits4x2", 8, false, false, false},
      {DType::B8X1, "b8x1", "bits8", 8, false, false, false},
  };
  return kTable;
}

const DTypeInfo& dtypeInfo(DType dtype) {
  return allDTypes()[static_cast<size_t>(dtype)];
}

DType dtypeFromShortName(std::string_view name) {
  for (const DTypeInfo& row : allDTypes())
    if (row.shortName == name && row.dtype != DType::Unknown) return row.dtype;
  if (name == "b16x1") return DType::B16;
  if (name == "b8") return DType::B8;
  return DType::Unknown;
}

DType dtypeFromTorchName(std::string_view name) {
  if (name.starts_with("torch.")) name.remove_prefix(6);
  for (const DTypeInfo& row : allDTypes())
    if (row.torchName == name && row.dtype != DType::Unknown) return row.dtype;
  static const std::pair<std::string_view, DType> kAliases[] = {
      {"float", DType::F32},  {"double", DType::F64},   {"half", DType::F16},
      {"long", DType::I64},   {"int", DType::I32},      {"short", DType::I16},
      {"cfloat", DType::C64}, {"cdouble", DType::C128}, {"chalf", DType::C32}};
  for (const auto& [alias, dtype] : kAliases)
    if (alias == name) return dtype;
  return DType::Unknown;
}

}  // namespace descry::ir
