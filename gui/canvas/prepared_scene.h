// A scene with all that the canvas derives from it. Deriving takes a while for a large graph, so it is made
// in a worker and handed to the canvas whole.
#pragma once

#include <QFont>
#include <memory>

#include "gui/canvas/scene_index.h"
#include "gui/canvas/scene_painter.h"
#include "gui/canvas/scene_topology.h"
#include "ir/annotations/scene.h"

namespace descry::gui {

/// Any thread may make one; from then on it belongs to one canvas. The parts refer to each other: no copies.
struct PreparedScene {
  /// `font`: interfaceFont(), which only the window's thread may ask for.
  PreparedScene(std::shared_ptr<const ir::Scene> made, const QFont& font)
      : scene(std::move(made)),
        topology(*scene),
        index(*scene, topology),
        painter(*scene, index, topology, font) {
    painter.setQuick(true);
  }
  PreparedScene(const PreparedScene&) = delete;
  PreparedScene& operator=(const PreparedScene&) = delete;

  const std::shared_ptr<const ir::Scene> scene;
  const SceneTopology topology;
  const SceneIndex index;
  ScenePainter painter;
};

}  // namespace descry::gui
