#include "gui/theme/theme.h"

#include <QFontDatabase>
#include <QGuiApplication>
#include <QStyleHints>
#include <algorithm>
#include <array>

#include "ir/annotations/palette.h"

namespace descry::gui {

namespace {

QColor mix(const QColor& a, const QColor& b, double share) {
  return QColor::fromRgbF(a.redF() * (1 - share) + b.redF() * share,
                          a.greenF() * (1 - share) + b.greenF() * share,
                          a.blueF() * (1 - share) + b.blueF() * share);
}

// A box whose fill is a light wash of its own outline, so that text stays readable and the hue still tells.
BoxColours washed(const QColor& outline, const QColor& surface, double share, const QColor& ink,
                  const QColor& muted, const QColor& solid = {}) {
  return {mix(surface, outline, share), outline, ink, muted, solid};
}

std::vector<BoxColours> washedAll(const std::array<ir::Rgb, 10>& outlines, const QColor& surface,
                                  double share, const QColor& ink, const QColor& muted) {
  std::vector<BoxColours> all;
  for (QRgb rgb : outlines) all.push_back(washed(QColor(rgb), surface, share, ink, muted, QColor(rgb)));
  return all;
}

// Fills of boxes too small for text, and the canvas: the same colours as in exported pictures.
void takeBase(Theme& t, const ir::Palette& p) {
  t.canvas = QColor::fromRgb(p.canvas);
  t.forward.solid = QColor::fromRgb(p.forward);
  t.backward.solid = QColor::fromRgb(p.backward);
  t.either.solid = QColor::fromRgb(p.either);
  t.input.solid = QColor::fromRgb(p.input);
  t.output.solid = QColor::fromRgb(p.output);
  t.saved.solid = QColor::fromRgb(p.savedFill);
  t.savedInput.solid = QColor::fromRgb(p.savedInputFill);
  t.recomputed.solid = QColor::fromRgb(p.recomputedFill);
  t.edgeSaved = t.badgeSaved = QColor::fromRgb(p.saved);
}

}  // namespace

Theme Theme::light() {
  Theme t;
  t.kind = ThemeKind::Light;
  t.window = QColor(0xF3F4F6);
  t.panel = QColor(0xFFFFFF);
  t.base = QColor(0xFFFFFF);
  t.alternateBase = QColor(0xF7F8FA);
  t.border = QColor(0xD5D8DE);
  t.text = QColor(0x1B1F24);
  t.mutedText = QColor(0x5B636E);
  t.disabledText = QColor(0x8C939D);
  t.accent = QColor(0x0B66C3);
  t.accentText = QColor(0xFFFFFF);
  t.error = QColor(0xB3261E);
  t.warning = QColor(0x8A5200);
  t.success = QColor(0x00694E);
  t.info = QColor(0x0B5CAD);
  t.link = QColor(0x0B5CAD);
  t.syntaxComment = QColor(0x5F6B76);
  t.syntaxKeyword = QColor(0x7A3E9D);
  t.syntaxString = QColor(0x2E6B1F);
  t.syntaxNumber = QColor(0x0B5CAD);
  t.syntaxName = QColor(0x1B1F24);
  t.syntaxType = QColor(0x8A4B08);

  const QColor surface(0xFFFFFF), ink(0x16202B), muted(0x4A5461);
  t.forward = washed(QColor(0x0072B2), surface, 0.14, ink, muted);
  t.backward = washed(QColor(0xC25400), surface, 0.16, ink, muted);
  t.either = washed(QColor(0x6F6F6F), surface, 0.14, ink, muted);
  t.plain = washed(QColor(0x6B7683), surface, 0.07, ink, muted, QColor(0x7D8793));
  t.input = washed(QColor(0x2B7CB3), QColor(0xFFFFFF), 0.05, ink, muted);
  t.output = washed(QColor(0x00795A), surface, 0.14, ink, muted);
  t.constant = washed(QColor(0x8A6A00), surface, 0.14, ink, muted, QColor(0xA8850F));
  t.card = washed(QColor(0x556070), surface, 0.04, ink, muted, QColor(0x8792A0));
  t.categories = washedAll(ir::palette(ir::Theme::Light).categories, surface, 0.14, ink, muted);
  t.saved = washed(QColor(0xA8527F), surface, 0.34, ink, muted);
  t.savedInput = washed(QColor(0xA8527F), surface, 0.14, ink, muted);
  t.recomputed = {QColor(0xFBF6B8), QColor(0x7A6A00), ink, muted, {}};
  t.edge = QColor(0x7B8592);
  t.edgeAlias = QColor(0x5C6B7A);
  t.edgeMutation = QColor(0xA86400);
  t.edgeControl = QColor(0x7B8592);
  t.edgeSymbolic = QColor(0x9AA3AD);
  t.edgeHighlight = QColor(0x0B66C3);
  t.groupOutline = QColor(0xC3C9D1);
  t.groupText = QColor(0x56606C);
  t.groupFill = {QColor(0xF3F5F7), QColor(0xECEFF3), QColor(0xE5E9EE)};
  t.selection = QColor(0x0B66C3);
  t.hover = QColor(0x3C8DDC);
  t.hit = QColor(0xE69F00);
  t.focus = QColor(0x0B66C3);
  t.badgeRecomputed = QColor(0x6A4FB5);
  t.badgeProblem = QColor(0xB3261E);
  t.badgeInferred = QColor(0x5B636E);
  t.overlay = QColor(255, 255, 255, 240);
  t.overlayBorder = QColor(0xD0D5DB);
  t.overlayText = QColor(0x1B1F24);
  t.overlayMuted = QColor(0x5B636E);
  t.viewRectangle = QColor(0x0B66C3);
  takeBase(t, ir::palette(ir::Theme::Light));
  return t;
}

Theme Theme::dark() {
  Theme t;
  t.kind = ThemeKind::Dark;
  t.window = QColor(0x1D2025);
  t.panel = QColor(0x212429);
  t.base = QColor(0x1A1C21);
  t.alternateBase = QColor(0x1F2227);
  t.border = QColor(0x363B43);
  t.text = QColor(0xE4E7EB);
  t.mutedText = QColor(0xA0A8B3);
  t.disabledText = QColor(0x6C7480);
  t.accent = QColor(0x3D8FE0);
  t.accentText = QColor(0x0B0E12);
  t.error = QColor(0xFF8A80);
  t.warning = QColor(0xF2B84B);
  t.success = QColor(0x4FCFA3);
  t.info = QColor(0x7DB8F2);
  t.link = QColor(0x7DB8F2);
  t.syntaxComment = QColor(0x8D97A3);
  t.syntaxKeyword = QColor(0xCF9DF0);
  t.syntaxString = QColor(0x97CB7F);
  t.syntaxNumber = QColor(0x7DB8F2);
  t.syntaxName = QColor(0xE4E7EB);
  t.syntaxType = QColor(0xE5B567);

  const QColor surface(0x1E2127), ink(0xE8EBEF), muted(0xB4BCC7);
  t.forward = washed(QColor(0x3D97D3), surface, 0.20, ink, muted);
  t.backward = washed(QColor(0xE8742A), surface, 0.18, ink, muted);
  t.either = washed(QColor(0xA8A8A8), surface, 0.16, ink, muted);
  t.plain = washed(QColor(0x8B95A3), surface, 0.10, ink, muted, QColor(0x7C8694));
  t.input = washed(QColor(0x6CC0F0), surface, 0.06, ink, muted);
  t.output = washed(QColor(0x1DB98E), surface, 0.18, ink, muted);
  t.constant = washed(QColor(0xD9B44A), surface, 0.14, ink, muted, QColor(0xBF9C33));
  t.card = washed(QColor(0x8A94A3), surface, 0.14, ink, muted, QColor(0x6B7582));
  t.categories = washedAll(ir::palette(ir::Theme::Dark).categories, surface, 0.18, ink, muted);
  t.saved = washed(QColor(0xD98AB5), surface, 0.28, ink, muted);
  t.savedInput = washed(QColor(0xD98AB5), surface, 0.14, ink, muted);
  t.recomputed = washed(QColor(0xF0E442), surface, 0.18, ink, muted);
  t.edge = QColor(0x717B88);
  t.edgeAlias = QColor(0x8996A5);
  t.edgeMutation = QColor(0xE69F00);
  t.edgeControl = QColor(0x717B88);
  t.edgeSymbolic = QColor(0x5A636E);
  t.edgeHighlight = QColor(0x6DB3F5);
  t.groupOutline = QColor(0x3A404A);
  t.groupText = QColor(0x9AA4B1);
  t.groupFill = {QColor(0x1B1E24), QColor(0x20242B), QColor(0x262A32)};
  t.selection = QColor(0x58A6F5);
  t.hover = QColor(0x8CC4FA);
  t.hit = QColor(0xF0C542);
  t.focus = QColor(0x58A6F5);
  t.badgeRecomputed = QColor(0xB09BF0);
  t.badgeProblem = QColor(0xFF8A80);
  t.badgeInferred = QColor(0xA0A8B3);
  t.overlay = QColor(30, 33, 39, 240);
  t.overlayBorder = QColor(0x3A404A);
  t.overlayText = QColor(0xE4E7EB);
  t.overlayMuted = QColor(0xA0A8B3);
  t.viewRectangle = QColor(0x58A6F5);
  takeBase(t, ir::palette(ir::Theme::Dark));
  return t;
}

Theme Theme::highContrast() {
  Theme t = dark();
  t.kind = ThemeKind::HighContrast;
  t.window = t.panel = t.base = t.alternateBase = QColor(Qt::black);
  t.border = t.text = t.mutedText = QColor(0xFFFFFF);
  t.disabledText = QColor(0xB0B0B0);
  t.accent = QColor(0xFFE14D);
  t.accentText = QColor(Qt::black);
  t.link = t.info = QColor(0x8FD0FF);
  t.syntaxComment = QColor(0xC8C8C8);
  t.syntaxName = QColor(0xFFFFFF);
  const QColor surface(Qt::black), ink(0xFFFFFF);
  t.forward = washed(QColor(0x5CB8FF), surface, 0.12, ink, ink);
  t.backward = washed(QColor(0xFF8A3D), surface, 0.12, ink, ink);
  t.either = washed(QColor(0xD6D6D6), surface, 0.12, ink, ink);
  t.plain = washed(QColor(0xFFFFFF), surface, 0.0, ink, ink, QColor(0xC0C7D0));
  t.input = washed(QColor(0xA4DEFF), surface, 0.05, ink, ink);
  t.output = washed(QColor(0x3DE0B0), surface, 0.12, ink, ink);
  t.constant = washed(QColor(0xFFE14D), surface, 0.10, ink, ink, QColor(0xE0C23A));
  t.card = washed(QColor(0xFFFFFF), surface, 0.12, ink, ink, QColor(0x8A8A8A));
  t.saved = washed(QColor(0xFF9FD6), surface, 0.36, ink, ink);
  t.savedInput = washed(QColor(0xFF9FD6), surface, 0.14, ink, ink);
  t.recomputed = washed(QColor(0xFFF34D), surface, 0.30, ink, ink);
  t.edge = t.edgeControl = QColor(0xB8C0CA);
  t.edgeAlias = QColor(0xD6DEE8);
  t.edgeMutation = QColor(0xFFC24D);
  t.edgeSymbolic = QColor(0x8E98A4);
  t.edgeHighlight = QColor(0xFFE14D);
  t.groupOutline = QColor(0x9AA4B1);
  t.groupText = QColor(0xFFFFFF);
  t.groupFill = {QColor(Qt::black), QColor(0x0C0C0C), QColor(0x161616)};
  t.selection = t.focus = t.viewRectangle = QColor(0xFFE14D);
  t.hover = QColor(0xFFFFFF);
  t.hit = QColor(0xFFC24D);
  t.overlay = QColor(Qt::black);
  t.overlayBorder = t.overlayText = t.overlayMuted = QColor(0xFFFFFF);
  t.lineScale = 1.5;
  takeBase(t, ir::palette(ir::Theme::Contrast));
  // Small boxes have only their hue: further apart than fills that carry text.
  t.either.solid = QColor(0x9A9A9A);
  t.input.solid = QColor(0xB8ECFF);
  return t;
}

Theme Theme::print() {
  Theme t = light();
  t.kind = ThemeKind::Print;
  t.groupFill = {QColor(0xFFFFFF)};
  t.groupOutline = QColor(0x9AA2AC);
  t.groupText = QColor(0x3F4853);
  t.edge = t.edgeControl = QColor(0x5B6570);
  // Greyscale printers: pale washes whose lightness also differs.
  const QColor surface(0xFFFFFF), ink(Qt::black), muted(0x3A434D);
  t.forward = washed(QColor(0x00588C), surface, 0.06, ink, muted);
  t.backward = washed(QColor(0xB04C00), surface, 0.20, ink, muted);
  t.either = washed(QColor(0x737373), surface, 0.10, ink, muted);
  t.overlay = QColor(0xFFFFFF);
  takeBase(t, ir::palette(ir::Theme::Print));
  // Small boxes have no outline; the pale fills of exported print pictures would be lost.
  const ir::Palette& base = ir::palette(ir::Theme::Light);
  t.forward.solid = QColor::fromRgb(base.forward);
  t.backward.solid = QColor::fromRgb(base.backward);
  t.either.solid = QColor::fromRgb(base.either);
  t.input.solid = QColor::fromRgb(base.input);
  t.output.solid = QColor::fromRgb(base.output);
  t.saved.solid = QColor::fromRgb(base.savedFill);
  t.savedInput.solid = QColor::fromRgb(base.savedInputFill);
  t.recomputed.solid = QColor::fromRgb(base.recomputedFill);
  return t;
}

Theme Theme::of(ThemeKind kind) {
  switch (kind) {
    case ThemeKind::Light:
      return light();
    case ThemeKind::Dark:
      return dark();
    case ThemeKind::HighContrast:
      return highContrast();
    case ThemeKind::Print:
      return print();
  }
  return light();
}

const BoxColours& Theme::box(ir::NodeRole role, ir::Phase phase) const {
  switch (role) {
    case ir::NodeRole::Input:
    case ir::NodeRole::Parameter:
    case ir::NodeRole::Buffer:
    case ir::NodeRole::Tangent:
      return input;
    case ir::NodeRole::Output:
    case ir::NodeRole::GradOutput:
      return output;
    case ir::NodeRole::Constant:
      return constant;
    default:
      break;
  }
  switch (phase) {
    case ir::Phase::Forward:
      return forward;
    case ir::Phase::Backward:
      return backward;
    case ir::Phase::Either:
      return either;
    case ir::Phase::None:
      break;
  }
  return plain;
}

const QColor& Theme::edgeColour(ir::EdgeKind kind) const {
  switch (kind) {
    case ir::EdgeKind::Saved:
      return edgeSaved;
    case ir::EdgeKind::Alias:
      return edgeAlias;
    case ir::EdgeKind::Mutation:
      return edgeMutation;
    case ir::EdgeKind::Control:
      return edgeControl;
    case ir::EdgeKind::SymbolicSize:
      return edgeSymbolic;
    case ir::EdgeKind::Data:
      break;
  }
  return edge;
}

const QColor& Theme::groupFillAt(int depth) const {
  return groupFill[std::min<size_t>(size_t(std::max(depth, 0)), groupFill.size() - 1)];
}

bool Theme::isDark() const {
  return canvas.lightnessF() < 0.5;
}

QPalette Theme::palette() const {
  QPalette p;
  p.setColor(QPalette::Window, window);
  p.setColor(QPalette::WindowText, text);
  p.setColor(QPalette::Base, base);
  p.setColor(QPalette::AlternateBase, alternateBase);
  p.setColor(QPalette::Text, text);
  p.setColor(QPalette::PlaceholderText, mutedText);
  p.setColor(QPalette::Button, panel);
  p.setColor(QPalette::ButtonText, text);
  p.setColor(QPalette::BrightText, error);
  p.setColor(QPalette::ToolTipBase, panel);
  p.setColor(QPalette::ToolTipText, text);
  p.setColor(QPalette::Highlight, accent);
  p.setColor(QPalette::HighlightedText, accentText);
  p.setColor(QPalette::Link, link);
  p.setColor(QPalette::LinkVisited, link);
  p.setColor(QPalette::Light, mix(panel, QColor(Qt::white), isDark() ? 0.08 : 0.5));
  p.setColor(QPalette::Midlight, mix(panel, border, 0.5));
  p.setColor(QPalette::Mid, border);
  p.setColor(QPalette::Dark, mix(border, QColor(Qt::black), 0.25));
  p.setColor(QPalette::Shadow, isDark() ? QColor(0x0A0B0D) : QColor(0x9BA2AB));
  for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    p.setColor(QPalette::Disabled, role, disabledText);
  }
  p.setColor(QPalette::Disabled, QPalette::Highlight, border);
  p.setColor(QPalette::Disabled, QPalette::HighlightedText, disabledText);
  return p;
}

ThemeKind systemThemeKind() {
  if (qEnvironmentVariable("GTK_THEME").contains(QLatin1String("HighContrast"), Qt::CaseInsensitive)) {
    return ThemeKind::HighContrast;
  }
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
  if (qGuiApp) {
    const Qt::ColorScheme scheme = QGuiApplication::styleHints()->colorScheme();
    if (scheme != Qt::ColorScheme::Unknown)
      return scheme == Qt::ColorScheme::Dark ? ThemeKind::Dark : ThemeKind::Light;
  }
#endif
  const QPalette palette;  // the platform's, as long as the application has set none of its own
  return palette.color(QPalette::Window).lightnessF() < palette.color(QPalette::WindowText).lightnessF()
             ? ThemeKind::Dark
             : ThemeKind::Light;
}

std::optional<ThemeKind> themeKindFromName(const QString& name) {
  for (ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast, ThemeKind::Print}) {
    if (name == themeName(kind)) return kind;
  }
  return std::nullopt;
}

QString themeName(ThemeKind kind) {
  switch (kind) {
    case ThemeKind::Light:
      return QStringLiteral("light");
    case ThemeKind::Dark:
      return QStringLiteral("dark");
    case ThemeKind::HighContrast:
      return QStringLiteral("high-contrast");
    case ThemeKind::Print:
      return QStringLiteral("print");
  }
  return {};
}

QFont interfaceFont() {
  QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
  if (font.pointSizeF() > 0 && font.pointSizeF() < 9) font.setPointSizeF(9);
  return font;
}

QFont codeFont() {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  if (font.pointSizeF() > 0 && font.pointSizeF() < 9) font.setPointSizeF(9);
  return font;
}

}  // namespace descry::gui
