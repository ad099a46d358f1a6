// Scenes that look like joint graphs of transformers, placed by the real layout; for tests, benches and
// pictures.
#pragma once

#include <cstdint>

#include "ir/annotations/scene.h"

namespace descry::testing {

struct SampleOptions {
  int layers = 1;  ///< a layer has 28 nodes, forward and backward together
  bool groups = true;
  bool backward = true;
  bool jointU = false;
  int foldEvery = 0;  ///< fold each n-th layer; 0: none
};

/// Deterministic. Program order is the order of Scene::nodes.
ir::Scene sampleScene(const SampleOptions& options);
/// `count` boxes in a grid with `columns` columns, each fed by the one above and the one to its left above;
/// no groups.
ir::Scene gridScene(uint32_t count, uint32_t columns);
/// One node of each role and one edge of each kind.
ir::Scene everyShapeScene();

}  // namespace descry::testing
