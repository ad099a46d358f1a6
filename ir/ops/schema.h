// Op schemas in PyTorch's own grammar: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/result.h"

namespace descry::ir {

/// `(a!)`, `(a -> *)`, `(a|b)`: which alias sets a value belongs to and whether it is written.
struct AliasInfo {
  std::vector<std::string> before;  ///< set names; `*` is the wildcard
  std::vector<std::string> after;   ///< behind `->`; empty when the schema writes no arrow
  bool write = false;

  std::string str() const;
};

/// Tensor, int, SymInt, float, bool, str, Scalar, ScalarType, Layout, Device, MemoryFormat, Generator,
/// Dimname, Stream, Storage, Any, a type variable such as `t`, a class (`__torch__.torch.classes.c10d.Work`),
/// or a generic
/// (`Dict(str, t)`, `Future(t)`; a tuple has an empty base); wrapped in optional and list.
struct SchemaType {
  struct Wrap {
    bool list = false;               ///< else optional
    int64_t size = -1;               ///< int[2]: 2; -1 when not written
    std::optional<AliasInfo> alias;  ///< `t[](a!)`: of the list itself
  };

  std::string base;
  std::vector<SchemaType> params;  ///< of Dict, Future, Await, RRef, Union and tuples
  std::vector<Wrap> wraps;         ///< outermost first: `int[2]?` is optional of list(2) of int
  std::optional<AliasInfo> alias;  ///< of the innermost value: `Tensor(a!)[]`

  std::string str() const;
  bool isTensorLike() const { return base == "Tensor"; }
  bool isOptional() const { return !wraps.empty() && !wraps.front().list; }
  /// A list, or an optional list.
  bool isList() const;
  bool writes() const;   ///< some alias annotation has `!`
  bool aliases() const;  ///< some alias annotation is there
};

struct SchemaArgument {
  std::string name;
  SchemaType type;
  std::optional<std::string> defaultText;  ///< as written: `1`, `None`, `[0, 1]`, `Mean`, `contiguous_format`
  bool keywordOnly = false;

  std::string str() const;
};

struct Schema {
  std::string ns;        ///< "aten"
  std::string name;      ///< "add"
  std::string overload;  ///< "Tensor"; "default" when the schema writes none
  std::vector<SchemaArgument> arguments;
  std::vector<SchemaArgument> returns;  ///< names may be empty
  bool varargs = false;                 ///< `...` behind the arguments
  bool varReturns = false;              ///< `-> ...`

  /// "torch.ops.aten.add.Tensor".
  std::string target() const;
  /// In PyTorch's grammar, with namespace: `aten::add.Tensor(Tensor self, ...) -> Tensor`.
  std::string str() const;
  /// Some argument is written.
  bool isMutable() const;
  /// Some return shares memory with an argument without writing it.
  bool isView() const;
};

/// Reads one schema. `ns::` in front is optional (default aten). Error: `schema-syntax` with the column.
Result<Schema> parseSchema(std::string_view text);

}  // namespace descry::ir
