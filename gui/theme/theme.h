// All colours and fonts of the inspector as one value, so that a theme can be checked by tests and swapped at
// run time.
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/annotations/scene.h"

namespace descry::gui {

enum class ThemeKind : uint8_t { Light, Dark, HighContrast, Print };

/// A filled box: `fill` is what the box is painted with when it carries text, `solid` when it is too small
/// for text.
struct BoxColours {
  QColor fill;
  QColor outline;   ///< at least 3:1 against the fill and the canvas
  QColor ink;       ///< at least 4.5:1 against the fill
  QColor mutedInk;  ///< second line of text, at least 4.5:1 against the fill
  QColor solid;
};

struct Theme {
  ThemeKind kind = ThemeKind::Light;

  // window
  QColor window, panel, base, alternateBase, border, text, mutedText, disabledText, accent, accentText;
  QColor error, warning, success, info;  ///< readable as text on `base`
  QColor link;
  // source text panes
  QColor syntaxComment, syntaxKeyword, syntaxString, syntaxNumber, syntaxName, syntaxType;

  // canvas
  QColor canvas;
  BoxColours forward, backward, either, plain;  ///< by phase; plain: no phase
  BoxColours input, output, constant, card;     ///< by role; card: folded group
  BoxColours saved, savedInput, recomputed;     ///< what a partition made of a value
  std::vector<BoxColours> categories;  ///< colour modes with many values; told apart by the legend too
  QColor edge, edgeSaved, edgeAlias, edgeMutation, edgeControl, edgeSymbolic, edgeHighlight;
  QColor groupOutline, groupText;
  std::vector<QColor> groupFill;  ///< by nesting depth, the last repeats
  QColor selection, hover, hit, focus;
  QColor badgeSaved, badgeRecomputed, badgeProblem, badgeInferred;
  QColor overlay, overlayBorder, overlayText, overlayMuted;  ///< minimap, legend, cards
  QColor viewRectangle;
  double dimmed = 0.35;  ///< opacity of what is not meant while something is highlighted
  double lineScale = 1;  ///< high contrast draws thicker lines

  static Theme light();
  static Theme dark();
  static Theme highContrast();
  static Theme print();
  static Theme of(ThemeKind kind);

  /// Colours of a node in the colour mode "phase".
  const BoxColours& box(ir::NodeRole role, ir::Phase phase) const;
  const QColor& edgeColour(ir::EdgeKind kind) const;
  const QColor& groupFillAt(int depth) const;

  bool isDark() const;
  /// Palette for QApplication, so that standard widgets match.
  QPalette palette() const;
};

/// What the desktop asks for: its colour scheme where Qt knows it, else the brightness of the default
/// palette.
ThemeKind systemThemeKind();
/// `light`, `dark`, `high-contrast`, `print`; nothing for any other name.
std::optional<ThemeKind> themeKindFromName(const QString& name);
QString themeName(ThemeKind kind);

/// Font of canvas and overlays: the desktop's own, never below 9 points.
QFont interfaceFont();
QFont codeFont();

}  // namespace descry::gui
