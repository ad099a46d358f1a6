// Icons drawn in code: sharp at every scale, coloured by the theme, no files to ship.
#pragma once

#include <QColor>
#include <QIcon>

#include <cstdint>

class QPainter;

namespace descry::gui {

enum class IconKind : uint8_t {
  App,
  Open,
  Back,
  Forward,
  Search,
  Partner,
  Fit,
  Export,
  Palette,
  Close,
  File,
  Folder,
  Graph,
  Joint,
  Record,
  Table,
  Error,
  Warning,
  Note,
  Input,
  Output,
  Undo,
  Redo,
  Copy,
  Drop,
  Next,
  Previous,
  Node,
  Recent,
  Keys,
  Colours,
  Groups,
  Drawing
};

/// Drawn in `colour` with 1.5 units of line on a 16 x 16 grid.
QIcon makeIcon(IconKind kind, const QColor& colour);
QPixmap iconPixmap(IconKind kind, const QColor& colour, int size, qreal ratio = 1);

}  // namespace descry::gui
