// Element types, by PyTorch's short names in graph text (`f32`) and by its attribute names (`torch.float32`).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace descry::ir {

enum class DType : uint8_t {
  Unknown,
  F64,
  F32,
  F16,
  BF16,
  F8E4M3FN,
  F8E5M2,
  F8E4M3FNUZ,
  F8E5M2FNUZ,
  F8E8M0FNU,
  F4E2M1FNX2,
  C128,
  C64,
  C32,
  BC32,
  I64,
  I32,
  I16,
  I8,
  U64,
  U32,
  U16,
  U8,
  B8,  // bool
  B16,
  B1X8,
  B1X16,
  B2X4,
  B4X2,
  B8X1,  // bits types
};

struct DTypeInfo {
  DType dtype;
  std::string_view shortName;  ///< "f32"
  std::string_view torchName;  ///< "float32", without `torch.`
  /// Bits of one element as stored; for the packed types, of the whole byte they share.
  uint16_t bits;
  bool floating, complex, isSigned;
};

const DTypeInfo& dtypeInfo(DType dtype);
/// By short name, "f32". An unknown name gives DType::Unknown.
DType dtypeFromShortName(std::string_view name);
/// By torch name, with or without `torch.`; also `float`, `double`, `half`, `long`, `int`, `bool`.
DType dtypeFromTorchName(std::string_view name);
/// All known dtypes in declaration order.
const std::vector<DTypeInfo>& allDTypes();

}  // namespace descry::ir
