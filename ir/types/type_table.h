// Types of values as graphs print them, stored once each and named by a 32-bit id.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/support/append_store.h"
#include "ir/support/string_table.h"
#include "ir/types/dtype.h"

namespace descry::ir {

/// Id of a type. Id 0 means that the value has no type written (lists, None, graphs without fake tensors).
struct TypeId {
  uint32_t index = 0;
  friend bool operator==(TypeId, TypeId) = default;
  explicit operator bool() const { return index != 0; }
};

/// One size or stride: an integer, or the text of a symbolic expression such as `2*s77 + 1`.
struct Dim {
  int64_t value = 0;
  std::string text;  ///< empty for an integer

  bool symbolic() const { return !text.empty(); }
  std::string str() const { return symbolic() ? text : std::to_string(value); }
  friend bool operator==(const Dim&, const Dim&) = default;
};

enum class TypeKind : uint8_t {
  None,
  Tensor,   ///< f32[2, 3][3, 1]cpu; strides and device may be absent
  Sym,      ///< Sym(s77 + 1): a symbolic integer, float or bool
  Wrapped,  ///< TwoTensor(f32[2]): a tensor subclass around a tensor type
  Python,   ///< torch.Tensor, torch.nn.parameter.Parameter, list[torch.Tensor]
  Unknown,  ///< none of these; text kept
};

struct TensorType {
  DType dtype = DType::Unknown;
  std::string dtypeText;  ///< as written; differs from the table only for unknown dtypes
  std::vector<Dim> shape;
  std::optional<std::vector<Dim>> strides;  ///< in elements
  std::string device;                       ///< "cpu", "cuda:0"; empty when not written

  /// `f32[2, 3][3, 1]cpu`.
  std::string text() const;
  /// Elements, if all sizes are integers and the product fits.
  std::optional<int64_t> numel() const;
  /// Bytes of the elements (not of the storage), if known.
  std::optional<int64_t> bytes() const;
};

struct Type {
  TypeKind kind = TypeKind::None;
  std::string text;     ///< exactly as written, without quotes
  TensorType tensor;    ///< for Tensor and Wrapped
  std::string sym;      ///< expression of Sym
  std::string wrapper;  ///< class name of Wrapped
};

/// Reads an annotation; never fails (what is not understood becomes TypeKind::Unknown).
Type parseType(std::string_view text);

/// Threads: as StringTable.
class TypeTable {
 public:
  TypeTable();
  TypeId intern(std::string_view text);
  TypeId intern(const TensorType& type) { return intern(type.text()); }
  const Type& at(TypeId id) const { return types_[id.index]; }
  uint32_t size() const { return types_.size(); }

 private:
  AppendStore<Type> types_;
  std::vector<uint64_t> slots_;  // as in StringTable: hash half and id + 1
  mutable std::mutex mutex_;
};

}  // namespace descry::ir
