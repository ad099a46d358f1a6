// Readability of every theme, computed: WCAG 2 contrast, and CIEDE2000 distances as seen with the three kinds
// of colour blindness.
#include "gui/theme/theme.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <array>
#include <cmath>

namespace descry::gui {
namespace {

using Rgb = std::array<double, 3>;

double linear(double v) {
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}
Rgb linear(const QColor& c) {
  return {linear(c.redF()), linear(c.greenF()), linear(c.blueF())};
}
double luminance(const QColor& c) {
  const Rgb l = linear(c);
  return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2];
}
double contrast(const QColor& a, const QColor& b) {
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

// Machado, Oliveira, Fernandes 2009, severity 1.0, on linear RGB.
constexpr double kDeficiencies[3][3][3] = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

Rgb simulated(const QColor& c, int kind) {
  const Rgb l = linear(c);
  Rgb out{};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) out[size_t(i)] += kDeficiencies[kind][i][k] * l[size_t(k)];
    out[size_t(i)] = std::clamp(out[size_t(i)], 0.0, 1.0);
  }
  return out;
}

Rgb lab(const Rgb& l) {
  const double x = (0.4124564 * l[0] + 0.3575761 * l[1] + 0.1804375 * l[2]) / 0.95047;
  const double y = 0.2126729 * l[0] + 0.7151522 * l[1] + 0.0721750 * l[2];
  const double z = (0.0193339 * l[0] + 0.1191920 * l[1] + 0.9503041 * l[2]) / 1.08883;
  auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
  return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}

// Sharma, Wu, Dalal 2005.
double ciede2000(const Rgb& p, const Rgb& q) {
  const double pi = std::acos(-1.0), k25 = std::pow(25.0, 7);
  const double c1 = std::hypot(p[1], p[2]), c2 = std::hypot(q[1], q[2]), cm7 = std::pow((c1 + c2) / 2, 7);
  const double g = 0.5 * (1 - std::sqrt(cm7 / (cm7 + k25)));
  const double a1 = (1 + g) * p[1], a2 = (1 + g) * q[1];
  const double cp1 = std::hypot(a1, p[2]), cp2 = std::hypot(a2, q[2]);
  auto hue = [&](double b, double a) {
    if (a == 0 && b == 0) return 0.0;
    const double h = std::atan2(b, a) * 180 / pi;
    return h < 0 ? h + 360 : h;
  };
  const double h1 = hue(p[2], a1), h2 = hue(q[2], a2);
  const double dl = q[0] - p[0], dc = cp2 - cp1;
  double dh = h2 - h1;
  if (cp1 * cp2 == 0) {
    dh = 0;
  } else if (dh > 180) {
    dh -= 360;
  } else if (dh < -180) {
    dh += 360;
  }
  const double dH = 2 * std::sqrt(cp1 * cp2) * std::sin(dh / 2 * pi / 180);
  const double lm = (p[0] + q[0]) / 2, cm = (cp1 + cp2) / 2;
  double hm = h1 + h2;
  if (cp1 * cp2 != 0) hm = std::abs(h1 - h2) <= 180 ? hm / 2 : hm < 360 ? (hm + 360) / 2 : (hm - 360) / 2;
  auto cosine = [&](double degrees) { return std::cos(degrees * pi / 180); };
  const double t = 1 - 0.17 * cosine(hm - 30) + 0.24 * cosine(2 * hm) + 0.32 * cosine(3 * hm + 6) -
                   0.20 * cosine(4 * hm - 63);
  const double theta = 30 * std::exp(-std::pow((hm - 275) / 25, 2));
  const double rc = 2 * std::sqrt(std::pow(cm, 7) / (std::pow(cm, 7) + k25));
  const double sl = 1 + 0.015 * std::pow(lm - 50, 2) / std::sqrt(20 + std::pow(lm - 50, 2));
  const double sc = 1 + 0.045 * cm, sh = 1 + 0.015 * cm * t, rt = -std::sin(2 * theta * pi / 180) * rc;
  return std::sqrt(std::pow(dl / sl, 2) + std::pow(dc / sc, 2) + std::pow(dH / sh, 2) +
                   rt * (dc / sc) * (dH / sh));
}

double leastDistance(const QColor& a, const QColor& b) {
  double least = 1e9;
  for (int kind = 0; kind < 3; ++kind)
    least = std::min(least, ciede2000(lab(simulated(a, kind)), lab(simulated(b, kind))));
  return least;
}

const ThemeKind kKinds[] = {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast, ThemeKind::Print};

std::vector<std::pair<std::string, BoxColours>> boxes(const Theme& t) {
  std::vector<std::pair<std::string, BoxColours>> all = {
      {"forward", t.forward}, {"backward", t.backward},      {"either", t.either},        {"plain", t.plain},
      {"input", t.input},     {"output", t.output},          {"constant", t.constant},    {"card", t.card},
      {"saved", t.saved},     {"saved input", t.savedInput}, {"recomputed", t.recomputed}};
  for (size_t i = 0; i < t.categories.size(); ++i)
    all.emplace_back("category " + std::to_string(i), t.categories[i]);
  return all;
}

// Reference pairs of the CIEDE2000 paper's supplementary data (table 1, pairs 1, 7, 17 and 25).
TEST(ThemeTools, Ciede2000MatchesThePublishedPairs) {
  EXPECT_NEAR(ciede2000({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425, 5e-5);
  EXPECT_NEAR(ciede2000({50, 0, 0}, {50, -1, 2}), 2.3669, 5e-5);
  EXPECT_NEAR(ciede2000({50, 2.5, 0}, {73, 25, -18}), 27.1492, 5e-5);
  EXPECT_NEAR(ciede2000({60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}), 1.2644, 5e-5);
}

TEST(ThemeTools, ContrastOfBlackAndWhiteIs21) {
  EXPECT_NEAR(contrast(Qt::black, Qt::white), 21, 1e-6);
}

TEST(Theme, TextIsReadable) {
  for (ThemeKind kind : kKinds) {
    const Theme t = Theme::of(kind);
    SCOPED_TRACE(themeName(kind).toStdString());
    for (const auto& [name, box] : boxes(t)) {
      EXPECT_GE(contrast(box.ink, box.fill), 4.5) << name;
      EXPECT_GE(contrast(box.mutedInk, box.fill), 4.5) << name;
    }
    for (const QColor& ground : {t.window, t.panel, t.base, t.alternateBase, t.canvas}) {
      EXPECT_GE(contrast(t.text, ground), 4.5);
      EXPECT_GE(contrast(t.mutedText, ground), 4.5);
    }
    for (const QColor& text : {t.error, t.warning, t.success, t.info, t.link, t.syntaxComment,
                               t.syntaxKeyword, t.syntaxString, t.syntaxNumber, t.syntaxName, t.syntaxType}) {
      EXPECT_GE(contrast(text, t.base), 4.5) << text.name().toStdString();
      EXPECT_GE(contrast(text, t.alternateBase), 4.5) << text.name().toStdString();
    }
    for (const QColor& fill : t.groupFill) EXPECT_GE(contrast(t.groupText, fill), 4.5);
    EXPECT_GE(contrast(t.accentText, t.accent), 4.5);
    QColor overlay = t.overlay;
    overlay.setAlpha(255);
    EXPECT_GE(contrast(t.overlayText, overlay), 4.5);
    EXPECT_GE(contrast(t.overlayMuted, overlay), 4.5);
  }
}

TEST(Theme, OutlinesAndLinesStandOut) {
  for (ThemeKind kind : kKinds) {
    const Theme t = Theme::of(kind);
    SCOPED_TRACE(themeName(kind).toStdString());
    for (const auto& [name, box] : boxes(t)) {
      EXPECT_GE(contrast(box.outline, t.canvas), 3) << name;
      EXPECT_GE(contrast(box.outline, box.fill), 3) << name;
    }
    for (const QColor& line :
         {t.edge, t.edgeSaved, t.edgeAlias, t.edgeMutation, t.edgeControl, t.edgeHighlight, t.selection,
          t.focus, t.viewRectangle, t.badgeSaved, t.badgeProblem, t.badgeRecomputed, t.badgeInferred}) {
      EXPECT_GE(contrast(line, t.canvas), 3) << line.name().toStdString();
    }
  }
}

TEST(Theme, PhasesAreToldApartWithoutFullColourVision) {
  for (ThemeKind kind : kKinds) {
    const Theme t = Theme::of(kind);
    SCOPED_TRACE(themeName(kind).toStdString());
    const QColor outlines[] = {t.forward.outline, t.backward.outline, t.either.outline};
    const QColor solids[] = {t.forward.solid, t.backward.solid, t.either.solid};
    for (int a = 0; a < 3; ++a) {
      for (int b = a + 1; b < 3; ++b) {
        EXPECT_GE(leastDistance(outlines[a], outlines[b]), 20) << a << b;
        EXPECT_GE(leastDistance(solids[a], solids[b]), 20) << a << b;
      }
    }
    // Inputs and outputs differ in shape as well, so less is enough.
    const QColor others[] = {t.forward.solid, t.backward.solid, t.either.solid, t.input.solid,
                             t.output.solid};
    for (int a = 0; a < 5; ++a) {
      for (int b = a + 1; b < 5; ++b) EXPECT_GE(leastDistance(others[a], others[b]), 10) << a << b;
    }
  }
}

TEST(Theme, FatesOfTheCutAreToldApartWithoutFullColourVision) {
  for (ThemeKind kind : kKinds) {
    const Theme t = Theme::of(kind);
    SCOPED_TRACE(themeName(kind).toStdString());
    const QColor solids[] = {t.forward.solid, t.backward.solid, t.either.solid, t.saved.solid,
                             t.recomputed.solid};
    for (int a = 0; a < 5; ++a)
      for (int b = std::max(a + 1, 3); b < 5; ++b)
        EXPECT_GE(leastDistance(solids[a], solids[b]), 12) << a << b;
    // Inputs differ in shape as well.
    EXPECT_GE(leastDistance(t.savedInput.solid, t.input.solid), 10);
    EXPECT_GE(leastDistance(t.savedInput.solid, t.saved.solid), 8);
  }
}

TEST(Theme, NamesComeBack) {
  for (ThemeKind kind : kKinds) EXPECT_EQ(themeKindFromName(themeName(kind)), kind);
  EXPECT_FALSE(themeKindFromName(QStringLiteral("sepia")).has_value());
}

TEST(Theme, SystemKindFollowsTheDesktopPalette) {
  const QPalette before = QApplication::palette();
  QApplication::setPalette(Theme::dark().palette());
  EXPECT_EQ(systemThemeKind(), ThemeKind::Dark);
  QApplication::setPalette(Theme::light().palette());
  EXPECT_EQ(systemThemeKind(), ThemeKind::Light);
  QApplication::setPalette(before);
}

}  // namespace
}  // namespace descry::gui
