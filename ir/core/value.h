// Cells: the compact form of argument trees inside a graph.
#pragma once

#include <cstdint>
#include <string_view>

#include "ir/support/string_table.h"

namespace descry::ir {

/// Stable name of a node inside one graph. Ids are never reused.
struct NodeId {
  static constexpr uint32_t kNone = 0xFFFFFFFF;
  uint32_t index = kNone;
  bool valid() const { return index != kNone; }
  explicit operator bool() const { return valid(); }
  friend bool operator==(NodeId, NodeId) = default;
  friend auto operator<=>(NodeId, NodeId) = default;
};

enum class ValueKind : uint8_t {
  None,
  NodeRef,
  Int,     ///< 64 bit
  BigInt,  ///< decimal text of an integer that does not fit
  Float,
  Bool,
  Str,
  Complex,  ///< text as Python prints it: `(2+3j)`, `1j`
  Tuple,
  List,
  Dict,   ///< Dict holds key, value, key, value, ...
  Slice,  ///< three children: start, stop, step
  Ellipsis,
  Dtype,         ///< "torch.float32"
  Device,        ///< "cuda:0" or "cpu"
  Layout,        ///< "torch.strided"
  MemoryFormat,  ///< "torch.contiguous_format"
  OpRef,         ///< "torch.ops.aten.add.Tensor": an op as a value
  GraphRef,      ///< a subgraph of the module, by name
  Opaque,        ///< exact source text of what is not understood
};

/// 16 bytes. Which members count depends on the kind:
///   NodeRef               a = node index, b = next cell that uses the same node, c = the node that uses it
///   Int, Bool, Float      i or d
///   texts                 a = StrId
///   Tuple List Dict Slice a = number of children, b = index of the first child cell
struct Cell {
  ValueKind kind = ValueKind::None;
  uint32_t a = 0;
  union {
    int64_t i;
    double d;
    struct {
      uint32_t b, c;
    } u;
  };
  Cell() : i(0) {}

  static Cell none() { return {}; }
  static Cell text(ValueKind kind, StrId id) {
    Cell c;
    c.kind = kind;
    c.a = id.index;
    return c;
  }
  static Cell integer(int64_t value) {
    Cell c;
    c.kind = ValueKind::Int;
    c.i = value;
    return c;
  }
  static Cell boolean(bool value) {
    Cell c;
    c.kind = ValueKind::Bool;
    c.i = value;
    return c;
  }
  static Cell real(double value) {
    Cell c;
    c.kind = ValueKind::Float;
    c.d = value;
    return c;
  }
  static Cell ref(NodeId node) {
    Cell c;
    c.kind = ValueKind::NodeRef;
    c.a = node.index;
    return c;
  }
  static Cell ellipsis() {
    Cell c;
    c.kind = ValueKind::Ellipsis;
    return c;
  }
  static Cell container(ValueKind kind, uint32_t count, uint32_t first) {
    Cell c;
    c.kind = kind;
    c.a = count;
    c.u.b = first;
    c.u.c = 0;
    return c;
  }
  bool isContainer() const {
    return kind == ValueKind::Tuple || kind == ValueKind::List || kind == ValueKind::Dict ||
           kind == ValueKind::Slice;
  }
};
static_assert(sizeof(Cell) == 16);

}  // namespace descry::ir
