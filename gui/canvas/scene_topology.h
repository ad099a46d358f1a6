// Who feeds whom in a scene, and what lies beside what: the answers that keyboard walking and selection need.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ir/annotations/scene.h"

namespace descry::gui {

/// "Box" is an index into Scene::nodes; boxes are in program order. Immutable; refers to the scene, which
/// must outlive it.
class SceneTopology {
 public:
  explicit SceneTopology(const ir::Scene& scene);

  std::span<const uint32_t> inputEdges(uint32_t box) const;  ///< edge indices in argument order
  std::span<const uint32_t> outputEdges(
      uint32_t box) const;  ///< edge indices in program order of the readers
  uint32_t inputCount(uint32_t box) const { return uint32_t(inputEdges(box).size()); }
  uint32_t readerCount(uint32_t box) const { return uint32_t(outputEdges(box).size()); }

  int nthInput(uint32_t box, int n) const;  ///< n from 0; -1 when there are fewer
  int nthConsumer(uint32_t box, int n) const;
  /// Beside it in the layer, nearest first: +1 right (or down in a left-to-right drawing), -1 left; -1 for
  /// none.
  int layerNeighbour(uint32_t box, int direction) const;
  /// Next drawn box in program order; -1 at the end.
  int inProgramOrder(uint32_t box, int direction) const;

  /// Boxes from `a` to `b` along as few edges as possible: with the flow of data if there is such a way, else
  /// against it, else ignoring directions. Both ends included; empty when not connected. O(boxes + edges).
  std::vector<uint32_t> shortestPath(uint32_t a, uint32_t b) const;

  int boxOf(ir::NodeId node) const;  ///< -1 if not in the scene
  int boxOfOutput(int slot) const;
  int groupOf(const std::string& path) const;
  /// Outermost folded group around the box, -1 if it is drawn itself.
  int foldedAround(uint32_t box) const;
  bool drawn(uint32_t box) const;
  bool flowsRight() const { return flowsRight_; }
  int groupDepth(int group) const;  ///< 0 for outermost

 private:
  enum class Way { Forward, Backward, Any };
  std::vector<uint32_t> search(uint32_t a, uint32_t b, Way way) const;

  const ir::Scene& scene_;
  std::vector<uint32_t> inStart_, in_, outStart_, out_;
  std::vector<uint32_t> boxOfNode_;    // by node id, kNone where absent
  std::vector<uint32_t> byLayer_;      // drawn boxes sorted by (layer, position in the layer)
  std::vector<uint32_t> rankInLayer_;  // box -> place in byLayer_
  std::vector<uint32_t> layer_;
  std::vector<int> groupDepth_, groupFolded_;
  bool flowsRight_ = false;
};

}  // namespace descry::gui
