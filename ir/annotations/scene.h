// Scene: a placed graph, ready to be drawn. Made by session from a graph and a layout; drawn by the
// inspector's canvas and by the SVG exporter. Plain data, no Qt.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/core/value.h"

namespace descry::ir {

struct ScenePoint {
  float x = 0, y = 0;
};
struct SceneRect {
  float x = 0, y = 0, w = 0, h = 0;  ///< top left corner and size, in scene units (1 unit = 1 pixel at 100 %)
};

/// Shape of a node (spec: role of the node).
enum class NodeRole : uint8_t {
  Input,
  Parameter,
  Buffer,
  Tangent,
  Output,
  GradOutput,
  Compute,
  View,
  Mutation,
  Constant,
  Control,
  Random
};
/// Part of a joint graph. Either: needs no tangent and is used by the backward only.
enum class Phase : uint8_t { None, Forward, Backward, Either };
enum class EdgeKind : uint8_t { Data, Saved, Alias, Mutation, Control, SymbolicSize };

enum SceneBadge : uint16_t {
  kBadgeSaved = 1,  ///< saved for backward
  kBadgeRecomputed = 2,
  kBadgeProblem = 4,  ///< a diagnostic names this node
  kBadgeInferred = 8,
};

/// What a partition made of a value of the forward. None: it is no value of the forward.
enum class CutFate : uint8_t { None, ForwardOnly, Saved, Recomputed };
struct NodeCut {
  CutFate fate = CutFate::None;
  int64_t bytes = 0;
  std::string reason;  ///< one sentence, without the fate
};

struct SceneNode {
  NodeId node;              ///< invalid for boxes that are no node (output slots)
  int32_t outputSlot = -1;  ///< >= 0: the box of the k-th output
  SceneRect rect;
  std::string label;  ///< name
  std::string op;     ///< short op name, `mm`
  std::string type;   ///< `f32[8, 16]`
  NodeRole role = NodeRole::Compute;
  Phase phase = Phase::None;
  uint16_t badges = 0;
  int32_t group = -1;
};

struct SceneEdge {
  uint32_t from = 0, to = 0;  ///< indices into Scene::nodes
  uint32_t firstPoint = 0, pointCount = 0;
  EdgeKind kind = EdgeKind::Data;
  uint8_t width = 1;  ///< 1..4, log2 of bytes in four steps
};

struct SceneGroup {
  std::string path;   ///< `layers.3.attn`
  std::string label;  ///< last part
  SceneRect rect;
  int32_t parent = -1;
  uint32_t nodeCount = 0;  ///< nodes inside, deep
  bool folded = false;
};

struct Scene {
  std::vector<SceneNode> nodes;
  std::vector<SceneEdge> edges;
  std::vector<ScenePoint> points;
  std::vector<SceneGroup> groups;  ///< parents before children
  std::vector<NodeCut> cuts;       ///< by node of the scene; empty: no partition is known
  SceneRect bounds;
  std::string title;
  std::string groupSource;  ///< where groups came from: "module stack", "source lines", "" for none
  bool hasBackward = false;
};

}  // namespace descry::ir
