// What a pass is: a function over one graph, with its name and what it needs.
#pragma once

#include <cstdint>

#include "ir/core/graph.h"
#include "ir/ops/registry.h"

namespace descry::passes {

struct PassContext {
  const ir::OpRegistry* ops = nullptr;  ///< never null when a pass runs
};

struct PassResult {
  uint32_t removed = 0;  ///< nodes that are gone
  bool changed() const { return removed != 0; }
};

struct PassDef {
  const char* name;  ///< kebab case, equal to the file stem
  const char* summary;
  PassResult (*run)(ir::Graph& graph, const PassContext& context);
};

}  // namespace descry::passes
