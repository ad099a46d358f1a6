// Builds the scene (placed boxes, routed edges, groups) that the canvas and the SVG exporter draw.
#pragma once

#include <atomic>
#include <functional>
#include <set>
#include <string>

#include "ir/annotations/scene.h"
#include "session/session.h"

namespace descry::session {

enum class GroupBy : uint8_t { None, Module, Phase, SourceLine };

struct SceneOptions {
  GroupBy groupBy = GroupBy::Module;
  bool leftToRight = false;
  bool jointU = false;
  bool hideViews = false, hideSymbolicSizes = false;
  std::set<std::string> folded;         ///< paths of groups that are shown as one card
  const ir::Scene* previous = nullptr;  ///< keep positions close to this
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(double)> progress;
};

struct LayoutStats {
  uint32_t nodes = 0, edges = 0, layers = 0, dummies = 0;
  uint64_t crossings = 0;
  double milliseconds = 0;
  bool cancelled = false;
};

/// Deterministic for equal input and options. Near linear in nodes + edges.
ir::Scene buildScene(const LoadedGraph& graph, const SceneOptions& options, LayoutStats* stats = nullptr);

}  // namespace descry::session
