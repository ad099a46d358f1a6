// Facts about nodes that several exporters show: short op names, edge kinds, sizes, output slots.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exporters/common/exporter.h"

namespace descry::exporters {

/// An ExportInput with its defaults filled in. Holds the phases when it had to compute them.
class Subject {
 public:
  /// `input.module` must not be null and must hold a graph.
  explicit Subject(const ExportInput& input);
  /// Another graph of the same module.
  Subject(const ir::Module& module, const ir::Graph& graph);
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  const ir::Module& module() const { return *module_; }
  const ir::Graph& graph() const { return *graph_; }
  const ir::PhaseMap& phases() const { return *phases_; }
  ir::NodeRole role(ir::NodeId id) const {
    return id.index < roles_.size() ? roles_[id.index] : ir::NodeRole::Compute;
  }
  const std::string& title() const { return title_; }

 private:
  const ir::Module* module_;
  const ir::Graph* graph_;
  const ir::PhaseMap* phases_;
  ir::PhaseMap owned_;
  std::vector<ir::NodeRole> roles_;
  std::string title_;
};

/// `torch.ops.aten.add.Tensor` -> `add.Tensor`, `operator.getitem` -> `getitem`; as written for everything
/// else.
std::string_view shortOp(std::string_view target);
/// `placeholder`, `get_attr`, `output`, or shortOp of the target.
std::string_view nodeOp(const ir::Graph& graph, ir::NodeId id);

/// "data", "saved", "alias", "mutation", "control", "symbolic-size".
std::string_view edgeKindName(ir::EdgeKind kind);

/// Saved: from forward to backward. Symbolic size: the value is a symbolic number. Alias: the reader is a
/// view. `role` is that of the reader.
ir::EdgeKind edgeKind(const ir::Graph& graph, const ir::PhaseMap& phases, ir::NodeId from, ir::NodeId to,
                      ir::NodeRole role);

/// `f32`; empty when the value is no tensor.
std::string dtypeOf(const ir::Type& type);
/// `[8, 16]`; empty when the value is no tensor.
std::string shapeOf(const ir::Type& type);

/// One returned value.
struct OutputSlot {
  std::string value;            ///< as printed: name, `None`, `13.5`
  ir::NodeId node;              ///< invalid when the value is no node
  std::string_view descriptor;  ///< as written; empty when none was
  const ir::Descriptor* parsed = nullptr;
};
std::vector<OutputSlot> outputSlots(const ir::Graph& graph);

/// Graphs that can be reached from `root`, root first, each once.
std::vector<const ir::Graph*> reachableGraphs(const ir::Module& module, const ir::Graph& root);

}  // namespace descry::exporters
