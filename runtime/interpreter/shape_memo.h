// What shape rules said of calls before: a graph that runs again asks the same again.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ir/ops/eval/value.h"
#include "ir/ops/registry.h"

namespace descry::runtime {

/// A table of fixed size; a new answer takes the place of an older one.
class ShapeMemo {
 public:
  using OpDef = ir::OpDef;
  using Value = ir::eval::Value;
  using Values = ir::eval::Values;

  /// By the op, the layouts of tensors and the other arguments. Null when it is not known.
  const Value* find(const OpDef& op, const Values& args) const;
  /// Remembers layouts, no tensors: no memory is kept. Calls with functions or symbols are not remembered.
  void put(const OpDef& op, const Values& args, const Value& shape);

 private:
  struct Entry {
    const OpDef* op = nullptr;
    Values args;
    Value shape;
  };
  static constexpr size_t kEntries = 1024;
  static size_t placeOf(const OpDef& op, const Values& args);
  std::vector<Entry> entries_;
};

}  // namespace descry::runtime
