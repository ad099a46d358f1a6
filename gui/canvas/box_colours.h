// Which colours each box has in a colour mode, decided once per scene and mode; the legend reads the same
// table.
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "gui/canvas/colour_mode.h"
#include "gui/theme/theme.h"
#include "ir/annotations/scene.h"

namespace descry::gui {

struct BoxColourTable {
  struct Entry {
    BoxColours normal, dimmed;
    QString name;        ///< for the legend
    uint32_t count = 0;  ///< boxes
    ir::ColourKind kind = ir::ColourKind::Plain;
  };
  std::vector<Entry> entries;
  std::vector<uint8_t> of;  ///< box -> entry
  QString note;             ///< what the legend has to add

  const BoxColours& colours(uint32_t box, bool dimmed) const {
    const Entry& e = entries[of[box]];
    return dimmed ? e.dimmed : e.normal;
  }
};

/// `heat`: of modes that show a run; null where nothing is known.
BoxColourTable makeBoxColours(const ir::Scene& scene, const Theme& theme, ColourMode mode,
                              const ir::Heat* heat = nullptr);
/// A box of one step of a scale: ink that can be read, an outline that stands out from fill and canvas.
BoxColours heatColours(ir::Heat::Scale scale, int step, const Theme& theme);

/// Colours as they look behind `1 - opacity` of canvas.
BoxColours faded(const BoxColours& colours, const QColor& canvas, double opacity);
QColor mixed(const QColor& a, const QColor& b, double shareOfB);

QString roleName(ir::NodeRole role);
QString phaseName(ir::Phase phase);
/// "saved for backward, 1.5 KiB".
QString cutText(const ir::NodeCut& cut);
QString edgeKindName(ir::EdgeKind kind);

}  // namespace descry::gui
