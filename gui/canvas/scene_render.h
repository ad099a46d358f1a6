// Pictures of whole scenes without a window: for export, tests and screenshots on machines without a display.
#pragma once

#include <QImage>
#include <QRectF>
#include <QString>
#include <functional>
#include <memory>

#include "gui/canvas/colour_mode.h"
#include "gui/theme/theme.h"
#include "ir/annotations/heat.h"
#include "ir/annotations/scene.h"

namespace descry::gui {

struct RenderOptions {
  Theme theme = Theme::light();
  ColourMode colourMode = ColourMode::Phase;
  double scale = 1;     ///< pixels per scene unit (PDF: layout scale; text stays text)
  QRectF area;          ///< scene units; empty: the whole scene
  double margin = 24;   ///< scene units around the whole scene
  bool legend = false;  ///< below the drawing; in a picture of a part over it, if there is room
  bool title = false;
  bool symbolicEdges = false;
  std::shared_ptr<const ir::Heat> heat;           ///< of colours that show a run
  std::shared_ptr<const ir::RunMarks> marks;      ///< badges of what it found
  std::function<bool(double fraction)> progress;  ///< return false to stop
};

/// Size in pixels that a picture with these options has.
QSize renderSize(const ir::Scene& scene, const RenderOptions& options);
/// Null when the picture would need more than `kMaxImageBytes`, or was stopped; use renderPng for larger
/// ones.
QImage renderScene(const ir::Scene& scene, const RenderOptions& options = {});
inline constexpr qint64 kMaxImageBytes = qint64(1) << 30;

/// Written to a temporary file beside `path` and renamed when complete. PNG is drawn and compressed in bands,
/// so its size is bounded by the disk, not by memory. False with a reason in `error`.
bool renderPng(const ir::Scene& scene, const QString& path, const RenderOptions& options, QString* error);
/// One page as large as the scene; scaled down to the 200 inches that PDF readers accept.
bool renderPdf(const ir::Scene& scene, const QString& path, const RenderOptions& options, QString* error);

}  // namespace descry::gui
