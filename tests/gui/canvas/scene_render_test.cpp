// Pictures: the right things in the right colours, equal whole or in parts, and never a crash.
#include "gui/canvas/scene_render.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdlib>
#include <map>

#include "gui/canvas/legend.h"
#include "gui/canvas/pixel_raster.h"
#include "gui/canvas/scene_painter.h"
#include "gui/canvas/text_cache.h"
#include "tests/gui/canvas/sample_scenes.h"

namespace descry::gui {
namespace {

using descry::testing::everyShapeScene;
using descry::testing::gridScene;
using descry::testing::sampleScene;

// Differences in rounding where antialiased shapes are cut: at most two steps of 255.
int largestDifference(const QImage& a, const QImage& b) {
  if (a.size() != b.size()) return 256;
  int most = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) {
      const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
      most = std::max({most, std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)),
                       std::abs(qBlue(p) - qBlue(q))});
    }
  }
  return most;
}

int count(const QImage& image, const QColor& colour) {
  int n = 0;
  for (int y = 0; y < image.height(); ++y) {
    const QRgb* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
    for (int x = 0; x < image.width(); ++x) n += (line[x] & 0xFFFFFF) == (colour.rgb() & 0xFFFFFF);
  }
  return n;
}

TEST(SceneRender, EveryThemeShowsEveryColour) {
  const ir::Scene scene = everyShapeScene();
  for (ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast, ThemeKind::Print}) {
    RenderOptions o;
    o.theme = Theme::of(kind);
    o.margin = 30;
    const QImage image = renderScene(scene, o);
    SCOPED_TRACE(themeName(kind).toStdString());
    ASSERT_EQ(image.width(), renderSize(scene, o).width());
    EXPECT_EQ(image.pixelColor(2, 2), o.theme.canvas);
    for (const BoxColours* c :
         {&o.theme.forward, &o.theme.backward, &o.theme.input, &o.theme.output, &o.theme.card}) {
      EXPECT_GT(count(image, c->fill), 300) << c->fill.name().toStdString();
      EXPECT_GT(count(image, c->outline), 20) << c->outline.name().toStdString();
    }
    EXPECT_GT(count(image, o.theme.edgeSaved), 50);
  }
}

TEST(SceneRender, SymbolicEdgesAreHiddenUnlessAskedFor) {
  const ir::Scene scene = everyShapeScene();
  RenderOptions o;
  const QImage without = renderScene(scene, o);
  o.symbolicEdges = true;
  EXPECT_NE(renderScene(scene, o), without);
}

TEST(SceneRender, DetailFollowsTheZoom) {
  EXPECT_EQ(detailFor(1), Detail::Density);
  EXPECT_EQ(detailFor(4), Detail::Boxes);
  EXPECT_EQ(detailFor(10), Detail::Groups);
  EXPECT_EQ(detailFor(20), Detail::Names);
  EXPECT_EQ(detailFor(40), Detail::Full);
  // At every level something of every phase is there, even when a box is smaller than a pixel.
  const ir::Scene scene = sampleScene({.layers = 20});
  for (double scale : {0.01, 0.05, 0.1, 0.25, 0.5}) {
    RenderOptions o;
    o.scale = scale;
    const QImage image = renderScene(scene, o);
    int coloured = 0;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) {
        const QColor c = image.pixelColor(x, y);
        coloured += c.hsvSaturation() > 40;
      }
    }
    EXPECT_GT(coloured, 60) << scale;
  }
}

TEST(SceneRender, PartsFitTogetherWithoutSeams) {
  const ir::Scene scene = sampleScene({.layers = 3});
  for (double scale : {0.05, 0.2, 0.45, 1.0}) {
    RenderOptions o;
    o.scale = scale;
    o.area = QRectF(scene.bounds.x, scene.bounds.y, std::min(scene.bounds.w, 900 / float(scale)),
                    std::min(scene.bounds.h, 700 / float(scale)));
    const QImage whole = renderScene(scene, o);
    RenderOptions part = o;
    const int half = whole.width() / 2;
    part.area =
        QRectF(o.area.left() + half / scale, o.area.top(), o.area.width() - half / scale, o.area.height());
    const QImage right = renderScene(scene, part);
    // Scene units that are no whole pixels may round differently at the border only.
    const QSize shared(right.width() - 1, right.height() - 1);
    EXPECT_LE(
        largestDifference(whole.copy(QRect(QPoint(half, 0), shared)), right.copy(QRect(QPoint(), shared))), 2)
        << scale;
  }
}

TEST(TextCache, ShortenedNamesKeepTheirNumber) {
  QFont font = interfaceFont();
  font.setPixelSize(10);
  const QFontMetricsF metrics(font);
  const auto room = [&](const char* text) { return metrics.horizontalAdvance(QString::fromUtf8(text)); };
  const QString name = QStringLiteral("native_layer_norm_12");
  const QString cut = shortened(name, metrics, room("native_la12"));
  EXPECT_TRUE(cut.startsWith(QStringLiteral("nat")) && cut.endsWith(QStringLiteral("\u202612")))
      << cut.toStdString();
  EXPECT_LE(metrics.horizontalAdvance(cut), room("native_la12"));
  EXPECT_TRUE(shortened(QStringLiteral("scaled_dot_product"), metrics, room("scaled_")).startsWith("scal"));
  EXPECT_TRUE(shortened(QStringLiteral("f32[1, 2, 4]"), metrics, room("f32[1, ")).startsWith("f32"));
  EXPECT_LE(metrics.horizontalAdvance(shortened(name, metrics, 4)), room("\u2026"));
}

TEST(Legend, NothingShinesThrough) {
  const ir::Scene scene = everyShapeScene();
  for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
    const Theme theme = Theme::of(kind);
    const LegendPicture legend(scene, makeBoxColours(scene, theme, ColourMode::Phase), theme, false);
    QImage on[2];
    for (int i = 0; i < 2; ++i) {
      on[i] = QImage(legend.size(), QImage::Format_RGB32);
      on[i].fill(i ? Qt::red : Qt::green);
      QPainter painter(&on[i]);
      legend.paint(painter, {0, 0});
      painter.end();
      on[i] = on[i].copy(on[i].rect().adjusted(4, 4, -4, -4));  // without the round corners
    }
    EXPECT_EQ(on[0], on[1]) << themeName(kind).toStdString();
  }
}

TEST(SceneRender, PngInBandsEqualsTheImage) {
  QTemporaryDir dir;
  const ir::Scene scene = sampleScene({.layers = 4});
  RenderOptions o;
  o.scale = 0.4;
  o.legend = true;
  o.title = true;
  QString error;
  const QString path = dir.filePath(QStringLiteral("a.png"));
  ASSERT_TRUE(renderPng(scene, path, o, &error)) << error.toStdString();
  const QImage read = QImage(path).convertToFormat(QImage::Format_RGB32), image = renderScene(scene, o);
  ASSERT_GT(image.height(), 600) << "more than one band";
  EXPECT_LE(largestDifference(read, image), 6)
      << "curves that a border cuts may be shaded a trace differently";
}

TEST(SceneRender, PngCanBeWiderThanQPainterDraws) {
  QTemporaryDir dir;
  const ir::Scene scene = gridScene(600, 300);
  RenderOptions o;
  o.scale = 1.1;
  ASSERT_GT(renderSize(scene, o).width(), 32768);
  QString error;
  const QString path = dir.filePath(QStringLiteral("wide.png"));
  ASSERT_TRUE(renderPng(scene, path, o, &error)) << error.toStdString();
  const QImage read(path);
  ASSERT_EQ(read.size(), renderSize(scene, o));
  const QImage lastBox =
      read.copy(read.width() - 130, 0, 130, read.height()).convertToFormat(QImage::Format_RGB32);
  EXPECT_GT(count(lastBox, o.theme.forward.fill) + count(lastBox, o.theme.backward.fill), 1000);
}

TEST(SceneRender, PdfHoldsTextNotOnlyPixels) {
  QTemporaryDir dir;
  RenderOptions o;
  o.legend = true;
  QString error;
  const QString path = dir.filePath(QStringLiteral("a.pdf"));
  ASSERT_TRUE(renderPdf(everyShapeScene(), path, o, &error)) << error.toStdString();
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const QByteArray data = file.readAll();
  EXPECT_TRUE(data.startsWith("%PDF-"));
  EXPECT_TRUE(data.contains("/FontFile2") || data.contains("/FontFile3") || data.contains("/Type /Font"));
}

TEST(SceneRender, FailureLeavesTheOldFile) {
  QTemporaryDir dir;
  const QString path = dir.filePath(QStringLiteral("a.png"));
  QFile old(path);
  ASSERT_TRUE(old.open(QIODevice::WriteOnly));
  old.write("old");
  old.close();
  RenderOptions o;
  o.progress = [](double fraction) { return fraction < 0.3; };
  QString error;
  EXPECT_FALSE(renderPng(sampleScene({.layers = 4}), path, o, &error));
  EXPECT_FALSE(error.isEmpty());
  ASSERT_TRUE(old.open(QIODevice::ReadOnly));
  EXPECT_EQ(old.readAll(), "old");
  EXPECT_FALSE(renderPng(everyShapeScene(), QStringLiteral("/nowhere/at/all.png"), {}, &error));
  EXPECT_FALSE(error.isEmpty());
  EXPECT_FALSE(renderPdf(everyShapeScene(), QStringLiteral("/nowhere/at/all.pdf"), {}, &error));
}

TEST(SceneRender, OddScenesAndOptionsAreDrawnOrRefused) {
  ir::Scene empty;
  EXPECT_FALSE(renderScene(empty).isNull());
  ir::Scene odd = gridScene(6, 3);
  odd.nodes[0].label = std::string("a\0b\nc\x80\xff", 8);
  odd.nodes[1].label = std::string(1000000, 'x');
  odd.nodes[2].label = "<b>\"&</b>";
  odd.nodes[3].rect = {-1e30f, -1e30f, 1e20f, 1e20f};
  odd.nodes[4].rect.w = 0.001f;
  odd.edges[0].to = 77;
  odd.points[1] = {3e38f, -3e38f};
  RenderOptions o;
  o.area = QRectF(-50, -50, 500, 300);
  for (double scale : {1.0, 0.01, 30.0}) {
    o.scale = scale;
    EXPECT_FALSE(renderScene(odd, o).isNull());
  }
  o.area = {};
  o.scale = 1;
  EXPECT_TRUE(renderScene(odd, o).isNull()) << "too large for memory";
  o.scale = -3;
  o.area = QRectF(0, 0, 10, 10);
  EXPECT_EQ(renderSize(odd, o), QSize(10, 10)) << "a scale that makes no sense counts as 1";
}

/// Groups of a scene that lie around boxes up to their upper edge, some of them folded.
TEST(SceneRender, TitlesOfGroupsCoverNoBoxes) {
  testing::SampleOptions sample;
  sample.layers = 3;
  for (const int fold : {0, 2}) {
    sample.foldEvery = fold;
    const ir::Scene scene = testing::sampleScene(sample);
    ir::Scene untitled = scene;
    for (ir::SceneGroup& g : untitled.groups) g.label.clear();
    ASSERT_FALSE(scene.groups.empty());
    int titles = 0;
    for (const double scale : {0.12, 0.2, 0.3, 0.42, 0.6, 1.0}) {
      RenderOptions options;
      options.scale = scale;
      const QImage with = renderScene(scene, options), without = renderScene(untitled, options);
      ASSERT_EQ(with.size(), without.size());
      titles += with != without;
      for (const ir::SceneNode& n : scene.nodes) {
        if (!(n.rect.w > 0)) continue;
        bool inside = false;  // of a folded group, which is drawn as a card with its title on it
        for (int32_t g = n.group; g >= 0; g = scene.groups[size_t(g)].parent)
          inside |= scene.groups[size_t(g)].folded;
        if (inside) continue;
        const QRectF at((n.rect.x - scene.bounds.x + options.margin) * scale,
                        (n.rect.y - scene.bounds.y + options.margin) * scale, n.rect.w * scale,
                        n.rect.h * scale);
        const QRect whole = at.toAlignedRect().adjusted(1, 1, -1, -1).intersected(with.rect());
        EXPECT_EQ(with.copy(whole), without.copy(whole)) << n.label << " at " << scale;
      }
    }
    EXPECT_GE(titles, 3) << "titles are shown where there is room";
  }
}

TEST(LineField, SumsLinesLikePlainCounting) {
  // Against a picture drawn line by line, pixel by pixel.
  QImage image(40, 30, QImage::Format_RGB32);
  image.fill(Qt::white);
  LineField field;
  field.reset(image.rect());
  std::vector<std::vector<int>> expected(30, std::vector<int>(40, 0));
  auto vertical = [&](int x, int y0, int y1) {
    field.add(x + 0.5, y0, x + 0.5, y1, LineField::Plain);
    for (int y = std::max(y0, 0); y <= std::min(y1, 29); ++y) ++expected[size_t(y)][size_t(x)];
  };
  auto horizontal = [&](int y, int x0, int x1) {
    field.add(x0, y + 0.5, x1, y + 0.5, LineField::Plain);
    for (int x = std::max(x0, 0); x <= std::min(x1, 39); ++x) ++expected[size_t(y)][size_t(x)];
  };
  vertical(3, 2, 20);
  vertical(3, 10, 500);
  vertical(39, -7, 5);
  horizontal(12, -100, 200);
  horizontal(29, 5, 6);
  field.add(-5, 2, -5, 20, LineField::Plain);  // outside
  field.paint(image, qRgb(0, 0, 0), qRgb(255, 0, 0), 0.3);
  std::map<int, QRgb> colourOf;
  for (int y = 0; y < 30; ++y) {
    for (int x = 0; x < 40; ++x) {
      const int n = expected[size_t(y)][size_t(x)];
      const auto [it, added] = colourOf.try_emplace(n, image.pixel(x, y));
      EXPECT_EQ(it->second, image.pixel(x, y)) << x << ", " << y;
    }
  }
  ASSERT_EQ(colourOf.size(), 4u);
  EXPECT_EQ(colourOf[0], qRgb(255, 255, 255));
  EXPECT_GT(qRed(colourOf[1]), qRed(colourOf[2])) << "two lines are darker than one";
  EXPECT_GT(qRed(colourOf[2]), qRed(colourOf[3]));
}

}  // namespace
}  // namespace descry::gui
