// Graphs and scenes that the exporter tests share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exporters/common/exporter.h"
#include "ir/annotations/scene.h"
#include "ir/core/graph.h"

namespace descry::tests {

/// A small joint graph: out = tanh(x) @ w with the gradient of x, descriptors and sources.
std::shared_ptr<ir::Module> smallJoint();
/// One node whose arguments hold every kind of value, at its extremes, and a subgraph.
std::shared_ptr<ir::Module> everyValueKind();
/// Nodes with names and targets that try to leave their quotes in some output language.
std::shared_ptr<ir::Module> hostileNames();
const std::vector<std::string>& hostileTexts();
/// A chain with side branches, for size and time.
std::shared_ptr<ir::Module> bigGraph(uint32_t nodes);

/// Placed on a grid, one row per eight nodes; edges of all kinds.
ir::Scene gridScene(const ir::Graph& graph);

/// One box of every role and phase, a line of every kind, a folded group.
ir::Scene everyShape();

/// Runs exporter `name`; a failure becomes the text of its diagnostic behind "FAILED: ".
std::string exported(const std::string& name, const ir::Module& module, const ir::Scene* scene = nullptr,
                     ir::Theme theme = ir::Theme::Light, const std::string& title = "test");

}  // namespace descry::tests
