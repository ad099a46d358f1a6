#include "gui/canvas/box_colours.h"

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
    case ir::ColourKind::Category:
      break;
  }
  return theme.categories[c.category % theme.categories.size()];
}

}  // namespace

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

BoxColourTable makeBoxColours(const ir::Scene& scene, const Theme& theme, ColourMode mode) {
  ir::ColourClasses classes = ir::classifyBoxes(scene, mode, theme.categories.size());
  BoxColourTable table;
  for (const ir::ColourClass& c : classes.classes) {
    const BoxColours& colours = coloursOf(c, theme);
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
