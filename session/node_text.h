// Short texts about nodes that several views share.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/core/graph.h"

namespace descry::session {

/// `torch.ops.aten.add.Tensor` -> `add.Tensor`; `.default` is dropped: `mm`. `operator.getitem` -> `getitem`.
std::string_view shortTarget(std::string_view target);
/// The same, and the kind for nodes without a target: "placeholder", "output", "get_attr".
std::string_view shortOp(const ir::Graph& graph, ir::NodeId id);
/// `f32`, or empty.
std::string dtypeText(const ir::Type& type);
/// `[8, 16]`, or empty.
std::string shapeText(const ir::Type& type);
std::optional<int64_t> bytesOf(const ir::Type& type);
/// `12.5 MiB`.
std::string formatBytes(int64_t bytes);
/// Number with the noun in the right number: `1 node`, `3 nodes`.
std::string counted(uint64_t n, std::string_view noun);

}  // namespace descry::session
