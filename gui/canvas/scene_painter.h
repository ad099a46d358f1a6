// Draws a scene into images and painters, at the level of detail that the zoom calls for.
#pragma once

#include <QImage>
#include <QLineF>
#include <QPainter>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "gui/canvas/box_colours.h"
#include "gui/canvas/camera.h"
#include "gui/canvas/pixel_raster.h"
#include "gui/canvas/scene_index.h"
#include "gui/canvas/text_cache.h"
#include "gui/theme/theme.h"
#include "ir/annotations/scene.h"

namespace descry::gui {

class SceneTopology;

/// By the height of a typical box on the screen, in device-independent pixels.
enum class Detail : uint8_t {
  Density,  ///< below 2: where boxes are, as a heat picture
  Boxes,    ///< below 6: filled boxes, edges merged into bundles
  Groups,   ///< below 12: boxes, names of groups
  Names,    ///< below 28: op names
  Full,     ///< name, type, badges, arrow heads
};
Detail detailFor(double boxHeightOnScreen);

/// One picture's circumstances. Camera and rectangles are in device pixels; `ratio` of them make one
/// device-independent pixel.
struct View {
  Camera camera;
  double ratio = 1;
  QRectF visible;       ///< nothing outside needs to be drawn
  bool vector = false;  ///< lines and text instead of pixels, full detail whatever the zoom
  QRectF whole;         ///< of the picture that `visible` is a part of
};

class ScenePainter {
 public:
  ScenePainter(const ir::Scene& scene, const SceneIndex& index, const SceneTopology& topology,
               const QFont& font);

  /// `heat`: of modes that show a run.
  void setStyle(const Theme& theme, ColourMode mode, bool symbolicEdges,
                std::shared_ptr<const ir::Heat> heat = nullptr);
  /// What a run found, drawn in every colour mode; null for nothing.
  void setMarks(std::shared_ptr<const ir::RunMarks> marks) { marks_ = std::move(marks); }
  const std::shared_ptr<const ir::Heat>& heat() const { return heat_; }
  /// Crowded views are drawn with plain lines, in time for the next frame. Off: as good as it gets.
  void setQuick(bool on) { quick_ = on; }
  /// One byte per box, non-zero for hits; all others are dimmed. Empty: nothing is dimmed.
  void setHits(std::vector<uint8_t> hits) { hits_ = std::move(hits); }
  const BoxColourTable& colours() const { return colours_; }
  const Theme& theme() const { return theme_; }

  /// Fills `clip` of an opaque 32 bit image. Pictures of neighbouring clips fit together without seams.
  void paint(QImage& image, const QRect& clip, const Camera& camera, double ratio);
  void paintVector(QPainter& painter, const View& view);
  /// Independent scales for both directions, for the minimap; `area` fills the image.
  void paintMap(QImage& image, const QRectF& area);

  // Single items on top of a finished picture, undimmed.
  void paintBox(QPainter& painter, const View& view, uint32_t box);
  void paintCard(QPainter& painter, const View& view, uint32_t group, bool dimmed);
  /// `colour` invalid: as usual. `wider`: pixels added to the line.
  void paintEdge(QPainter& painter, const View& view, uint32_t edge, const QColor& colour, double wider);
  bool edgeShown(uint32_t edge) const;
  /// Outline of a box as drawn, for rings around it.
  QPainterPath boxOutline(const View& view, uint32_t box) const;
  Detail detail(const View& view) const;
  double headerHeight() const { return 20; }  ///< scene units, of an open group

 private:
  struct EdgeLook;

  // scene_painter.cpp
  void paintRaster(QImage& image, const QRect& clip, const View& view, Detail detail);
  void paintGroupsRaster(PixelRaster& raster, const View& view);
  void paintGroups(QPainter& painter, const View& view);
  void paintGroupLabels(QPainter& painter, const View& view);
  bool dimmed(uint32_t box) const { return !hits_.empty() && !hits_[box]; }
  bool edgeDimmed(const ir::SceneEdge& e) const { return !hits_.empty() && (!hits_[e.from] || !hits_[e.to]); }

  // node_painter.cpp
  void paintNode(QPainter& painter, const View& view, Detail detail, uint32_t box, const BoxColours& colours);
  void paintNodeText(QPainter& painter, const View& view, Detail detail, uint32_t box,
                     const BoxColours& colours, QRectF room);
  void paintBadges(QPainter& painter, const View& view, Detail detail, uint32_t box, const QRectF& rect,
                   uint16_t badges);
  void paintStrip(QPainter& painter, const View& view, uint32_t box, const BoxColours& colours,
                  const QRectF& rect);
  QRectF snapped(const View& view, const ir::SceneRect& r) const;

  // edge_painter.cpp
  void paintEdgesRaster(QImage& image, const QRect& clip, const View& view, Detail detail);
  QRectF freeLabelPlace(const View& view, const QRectF& frame, const QRectF& at, double least) const;
  void paintEdgesPlain(QPainter& painter, const View& view);
  void paintEdgesStyled(QPainter& painter, const View& view);
  bool crowded(const View& view);
  EdgeLook look(const ir::SceneEdge& e, double unit) const;
  void strokeEdge(QPainter& painter, const View& view, const ir::SceneEdge& e, const QColor& colour,
                  double wider);

  const ir::Scene& scene_;
  const SceneIndex& index_;
  const SceneTopology& topology_;
  TextCache text_;
  Theme theme_;
  bool symbolic_ = false, quick_ = false;
  BoxColourTable colours_;
  std::vector<uint8_t> hits_;
  std::shared_ptr<const ir::Heat> heat_;
  std::shared_ptr<const ir::RunMarks> marks_;
  struct Strings {
    uint32_t label, op, type;
  };
  std::vector<Strings> strings_;  // by box
  std::vector<uint32_t> groupLabels_, groupCounts_;
  std::deque<std::string> ownTexts_;  // stay where they are
  LineField lines_;
  std::vector<uint32_t> boxesInView_, groupsInView_;
  std::vector<SceneIndex::Segment> segmentsInView_;
};

}  // namespace descry::gui
