#include "gui/canvas/box_colours.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace descry::gui {

namespace {

const BoxColours& coloursOf(const ir::ColourClass& c, const Theme& theme) {
  switch (c.kind) {
    case ir::ColourKind::Plain:
      return theme.plain;
    case ir::ColourKind::Forward:
      return theme.forward;
    case ir::ColourKind::Backward:
      return theme.backward;
    case ir::ColourKind::Either:
      return theme.either;
    case ir::ColourKind::Input:
      return theme.input;
    case ir::ColourKind::Output:
      return theme.output;
    case ir::ColourKind::Constant:
      return theme.constant;
    case ir::ColourKind::Saved:
      return theme.saved;
    case ir::ColourKind::SavedInput:
      return theme.savedInput;
    case ir::ColourKind::Recomputed:
      return theme.recomputed;
    case ir::ColourKind::Heat:  // made for each step
    case ir::ColourKind::Category:
      break;
  }
  return theme.categories[c.category % theme.categories.size()];
}

/// Of WCAG.
double luminance(const QColor& c) {
  const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace

BoxColours heatColours(ir::Heat::Scale scale, int step, const Theme& theme) {
  const QColor fill = QColor::fromRgb(ir::heatColour(scale, step)), dark(Qt::black), light(Qt::white);
  // Nothing short of black and white can be read on the middle of a scale.
  const QColor ink = contrast(fill, dark) >= contrast(fill, light) ? dark : light;
  BoxColours out{fill, fill, ink, ink, fill};
  // Of the fill darkened and lightened, what stands out best from both sides of the line.
  double best = 0;
  for (int i = 0; i <= 20; ++i)
    for (const QColor& end : {dark, light}) {
      const QColor line = mixed(fill, end, i / 20.0);
      const double shown = std::min(contrast(line, fill), contrast(line, theme.canvas));
      if (shown > best && best < 3) {
        best = shown;
        out.outline = line;
      }
    }
  return out;
}

QColor mixed(const QColor& a, const QColor& b, double shareOfB) {
  const double s = shareOfB;
  return QColor::fromRgbF(float(a.redF() * (1 - s) + b.redF() * s),
                          float(a.greenF() * (1 - s) + b.greenF() * s),
                          float(a.blueF() * (1 - s) + b.blueF() * s));
}

BoxColours faded(const BoxColours& c, const QColor& canvas, double opacity) {
  const double s = 1 - opacity;
  return {mixed(c.fill, canvas, s), mixed(c.outline, canvas, s), mixed(c.ink, canvas, s),
          mixed(c.mutedInk, canvas, s), mixed(c.solid, canvas, s)};
}

BoxColourTable makeBoxColours(const ir::Scene& scene, const Theme& theme, ColourMode mode,
                              const ir::Heat* heat) {
  ir::ColourClasses classes = ir::classifyBoxes(scene, mode, theme.categories.size(), heat);
  BoxColourTable table;
  for (const ir::ColourClass& c : classes.classes) {
    const BoxColours colours =
        c.kind == ir::ColourKind::Heat ? heatColours(c.scale, c.category, theme) : coloursOf(c, theme);
    table.entries.push_back({colours, faded(colours, theme.canvas, theme.dimmed),
                             QString::fromStdString(ir::classText(c)), c.count, c.kind});
  }
  table.of = std::move(classes.of);
  table.note = QString::fromStdString(classes.note);
  return table;
}

QString roleName(ir::NodeRole role) {
  const std::string_view text = ir::roleText(role);
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString phaseName(ir::Phase phase) {
  const std::string_view text = ir::phaseText(phase);
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString cutText(const ir::NodeCut& cut) {
  const QString bytes = QString::fromStdString(ir::bytesWords(cut.bytes));
  switch (cut.fate) {
    case ir::CutFate::None:
      break;
    case ir::CutFate::ForwardOnly:
      return QStringLiteral("not saved");
    case ir::CutFate::Saved:
      return QStringLiteral("saved for backward, ") + bytes;
    case ir::CutFate::Recomputed:
      return QStringLiteral("recomputed in backward, instead of saving ") + bytes;
  }
  return {};
}

QString edgeKindName(ir::EdgeKind kind) {
  switch (kind) {
    case ir::EdgeKind::Data:
      return QStringLiteral("data");
    case ir::EdgeKind::Saved:
      return QStringLiteral("saved for backward");
    case ir::EdgeKind::Alias:
      return QStringLiteral("alias");
    case ir::EdgeKind::Mutation:
      return QStringLiteral("mutation order");
    case ir::EdgeKind::Control:
      return QStringLiteral("control");
    case ir::EdgeKind::SymbolicSize:
      return QStringLiteral("symbolic size");
  }
  return {};
}

}  // namespace descry::gui
