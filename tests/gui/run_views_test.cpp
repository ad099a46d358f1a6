// Colours of a run on the canvas, the Timings dock, queries about runs, and keys.
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include <QAbstractItemModelTester>

#include "gui/canvas/box_colours.h"
#include "gui/canvas/legend.h"
#include "gui/canvas/scene_render.h"
#include "gui/models/timings_model.h"
#include "gui/panels/timings/time_picture.h"
#include "tests/gui/run_window.h"

namespace descry::gui {
namespace {

LegendWidget* legendOf(GraphCanvas& canvas) {
  return static_cast<LegendWidget*>(canvas.findChild<QWidget*>(QStringLiteral("canvasLegend")));
}

// ---- colours

TEST(RunColours, TimeFillsBySharesAndTheLegendHasNumbers) {
  RunWindow w;
  w.run("colour-by", {{"name", "time"}});
  EXPECT_TRUE(w.window.lastMessage().contains("press R") || w.canvas().heat() == nullptr);
  EXPECT_EQ(w.canvas().heat(), nullptr);
  w.run("run");
  ASSERT_NE(w.canvas().heat(), nullptr);
  const ir::Heat& heat = *w.canvas().heat();
  EXPECT_TRUE(QString::fromStdString(heat.title).startsWith("time: share of "));
  ASSERT_EQ(heat.ticks.size(), 3u);
  // The slowest is at one end, all are on the scale, inputs are not.
  const session::RunView& view = *w.runs().view();
  const session::NodeView* slowest = nullptr;
  for (const session::NodeView& n : view.nodes) {
    if (n.input) {
      EXPECT_LT(heat.placeOf(n.node), 0);
      continue;
    }
    EXPECT_GE(heat.placeOf(n.node), 0);
    EXPECT_LE(heat.placeOf(n.node), 1);
    if (!slowest || n.time.median > slowest->time.median) slowest = &n;
  }
  EXPECT_FLOAT_EQ(heat.placeOf(slowest->node), 1);
  LegendWidget* legend = legendOf(w.canvas());
  EXPECT_FALSE(legend->isFolded());
  EXPECT_TRUE(legend->accessibleDescription().contains("time: share of"))
      << qPrintable(legend->accessibleDescription());
  // The current node is marked on the scale.
  w.select("linear");
  EXPECT_FLOAT_EQ(legend->mark(), heat.placeOf(w.node("linear")));
  EXPECT_TRUE(w.canvas().accessibleDescription().contains("%"))
      << qPrintable(w.canvas().accessibleDescription());
  // Linear and unclipped scales.
  w.run("heat-log");
  ASSERT_NE(w.canvas().heat(), nullptr);
  EXPECT_TRUE(w.canvas().heat()->note.starts_with("linear"));
  const float share = w.canvas().heat()->placeOf(w.node("gelu"));
  EXPECT_NEAR(share, view.find(w.node("gelu"))->time.median / slowest->time.median, 0.02);
}

TEST(RunColours, BoxesAreFilledWithTheColoursOfTheScale) {
  RunWindow w;
  w.run("run");
  w.run("colour-by", {{"name", "time"}});
  const std::shared_ptr<const ir::Heat> heat = w.runs().heat(ir::ColourMode::Time);
  const ir::Scene& scene = *w.tab().scene();
  const BoxColourTable table = makeBoxColours(scene, w.window.theme(), ir::ColourMode::Time, heat.get());
  size_t coloured = 0;
  for (uint32_t box = 0; box < scene.nodes.size(); ++box) {
    const ir::SceneNode& n = scene.nodes[box];
    const float at = n.outputSlot < 0 ? heat->placeOf(n.node) : -1;
    if (at < 0) continue;
    ++coloured;
    EXPECT_EQ(table.colours(box, false).fill.rgb() & 0xFFFFFF,
              ir::heatColour(ir::Heat::Scale::Sequential, ir::heatStep(at)));
  }
  EXPECT_GT(coloured, 10u);
  // The exported picture has them, too.
  RenderOptions options;
  options.colourMode = ir::ColourMode::Time;
  options.heat = heat;
  const QImage picture = renderScene(scene, options);
  const QRgb brightest = ir::heatColour(ir::Heat::Scale::Sequential, ir::kHeatSteps - 1) | 0xFF000000;
  int pixels = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) pixels += picture.pixel(x, y) == brightest;
  EXPECT_GT(pixels, 200);
}

TEST(RunColours, ExportedPicturesHaveThem) {
  RunWindow w;
  w.run("run");
  w.run("colour-by", {{"name", "time"}});
  const QString path = w.folder.filePath(QStringLiteral("time.png"));
  w.run("export", {{"file", path}});
  const QImage picture(path);
  ASSERT_FALSE(picture.isNull());
  const QRgb brightest = ir::heatColour(ir::Heat::Scale::Sequential, ir::kHeatSteps - 1) | 0xFF000000;
  int pixels = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) pixels += picture.pixel(x, y) == brightest;
  EXPECT_GT(pixels, 200);
  // Text formats know no run: phases, and no error.
  const QString svg = w.folder.filePath(QStringLiteral("time.svg"));
  EXPECT_TRUE(w.run("export", {{"file", svg}}).ok);
  EXPECT_TRUE(QFile::exists(svg));
}

/// Of WCAG, from the pixels.
double luminance(const QColor& c) {
  const auto part = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * part(c.redF()) + 0.7152 * part(c.greenF()) + 0.0722 * part(c.blueF());
}
double contrast(const QColor& a, const QColor& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(RunColours, TextAndOutlinesCanBeReadOnEveryStepOfEveryTheme) {
  for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast, ThemeKind::Print})
    for (const auto scale : {ir::Heat::Scale::Sequential, ir::Heat::Scale::Diverging})
      for (int step = 0; step < ir::kHeatSteps; ++step) {
        const Theme theme = Theme::of(kind);
        const BoxColours c = heatColours(scale, step, theme);
        EXPECT_GE(contrast(c.ink, c.fill), 4.5) << step;
        EXPECT_GE(contrast(c.outline, theme.canvas), 2.2) << step;
      }
}

TEST(RunColours, NumericDrawsRangesAndErrorNeedsTwoRuns) {
  RunWindow w(kNanGraph);
  w.set("inputs", "ones");
  w.run("run");
  w.run("colour-by", {{"name", "numeric"}});
  ASSERT_NE(w.canvas().heat(), nullptr);
  const ir::Heat& heat = *w.canvas().heat();
  EXPECT_EQ(heat.scale, ir::Heat::Scale::Diverging);
  EXPECT_FLOAT_EQ(heat.placeOf(w.node("low")), 0) << "all elements are -9";
  EXPECT_FLOAT_EQ(heat.placeOf(w.node("plain")), 1) << "all are 2";
  const ir::HeatStrip low = heat.strips[w.node("low").index], plain = heat.strips[w.node("plain").index];
  EXPECT_FLOAT_EQ(low.low, 0);
  EXPECT_FLOAT_EQ(low.high, 0);
  EXPECT_GT(plain.low, 0.5f);
  EXPECT_LT(heat.strips[w.node("root").index].high, heat.strips[w.node("root").index].low)
      << "nothing but NaN";
  w.run("colour-by", {{"name", "error"}});
  EXPECT_EQ(w.canvas().heat(), nullptr);
  EXPECT_TRUE(w.window.lastMessage().contains("two runs") || w.canvas().heat() == nullptr);
  w.set("inputs", "random:4");
  w.run("run");
  w.run("compare-last-runs");
  ASSERT_NE(w.canvas().heat(), nullptr);
  EXPECT_GT(w.canvas().heat()->placeOf(w.node("plain")), 0.5f);
}

TEST(RunColours, KeysGoThroughTheModesThatHaveSomething) {
  RunWindow w;
  w.canvas().setFocus();
  QStringList seen;
  for (int i = 0; i < 6; ++i) {
    QTest::keyClick(&w.canvas(), Qt::Key_V);
    seen << QString::fromUtf8(ir::colourModeName(w.document.colours()).data());
  }
  EXPECT_EQ(seen, (QStringList{"cut", "role", "op", "dtype", "plain", "phase"}))
      << qPrintable(seen.join(','));
  QTest::keyClick(&w.canvas(), Qt::Key_R);
  EXPECT_TRUE(w.runs().running());
  ASSERT_TRUE(w.settle());
  ASSERT_NE(w.runs().view(), nullptr);
  QTest::keyClick(&w.canvas(), Qt::Key_V, Qt::ShiftModifier);
  EXPECT_EQ(w.document.colours(), ir::ColourMode::Numeric) << "error has nothing to show";
  w.select("gelu");
  w.canvas().setFocus();
  QTest::keyClick(&w.canvas(), Qt::Key_R, Qt::ShiftModifier);
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.runs().shown()->upTo, "gelu");
  // Letters can be switched off.
  w.document.preferences().setLetterKeys(false);
  QTest::keyClick(&w.canvas(), Qt::Key_R);
  EXPECT_FALSE(w.runs().running());
}

TEST(RunColours, TheHoverCardHasTheFigures) {
  RunWindow w;
  w.set("backward", true);
  w.run("run");
  QStringList labels;
  QString all;
  for (const auto& [label, text] : w.runs().hoverRows(w.node("linear"))) {
    labels << label;
    all += label + ": " + text + "\n";
  }
  EXPECT_EQ(labels, (QStringList{"time", "of it", "work", "value", "range"})) << qPrintable(all);
  EXPECT_TRUE(all.contains("9 runs")) << qPrintable(all);
  EXPECT_TRUE(all.contains("FLOP/s")) << qPrintable(all);
  EXPECT_TRUE(all.contains("f32[1, 4, 24], 384 B")) << qPrintable(all);
}

// ---- timings

TEST(TimingsDock, SlowestFirstAndAllAddsUp) {
  RunWindow w;
  w.show("timings");
  EXPECT_TRUE(w.timings().summary()->text().contains("was not run yet"));
  w.run("run");
  TimingsModel& model = *w.timings().model();
  QAbstractItemModelTester tester(&model);
  const session::RunView& view = *w.runs().view();
  double before = 1e9, shares = 0;
  for (int r = 0; r < model.rowCount(); ++r) {
    const session::NodeView* n = view.find(model.nodeAt(r));
    EXPECT_LE(n->time.median, before);
    before = n->time.median;
    shares += n->time.median / view.sum.median;
  }
  EXPECT_NEAR(shares, 1, 0.35) << "medians of nodes beside the median of their sums";
  EXPECT_DOUBLE_EQ(model.index(0, TimingsModel::TimeColumn).data(TimingsModel::kBarRole).toDouble(), 1);
  const QString summary = w.timings().summary()->text();
  EXPECT_TRUE(summary.contains("Whole run") && summary.contains("nodes together")) << qPrintable(summary);
  EXPECT_TRUE(summary.contains("measuring overhead") || summary.contains("noise")) << qPrintable(summary);
  // Rows select nodes; the selection is added up.
  w.timings().table()->selectRow(0);
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.tab().current(), model.nodeAt(0));
  w.tab().selectAll({model.nodeAt(0), model.nodeAt(1)});
  ASSERT_TRUE(w.settle());
  EXPECT_TRUE(w.timings().selection()->text().startsWith("2 nodes selected: "))
      << qPrintable(w.timings().selection()->text());
}

TEST(TimingsDock, PicturesFillTheirAreaByShare) {
  RunWindow w;
  w.show("timings");
  w.run("run");
  const session::TimeTree modules = session::timesByModule(*w.runs().view());
  const QRectF area(0, 0, 400, 200);
  double root = 0;
  std::vector<double> children(modules.items.size(), 0);
  size_t nodes = 0;
  for (const TimeBox& b : icicleBoxes(modules, area)) {
    if (b.depth == 0) root = b.rect.width();
    if (b.depth == 0) nodes = nodesOf(modules, b).size();
    if (b.more) {
      // Thin ones are together as wide as they are long.
      double sum = 0;
      for (int i = 0; i < b.more; ++i) sum += modules.items[static_cast<size_t>(b.item + i)].seconds;
      EXPECT_NEAR(b.rect.width() / area.width(), sum / modules.items[0].seconds, 1e-9);
      EXPECT_EQ(nodesOf(modules, b).size(), static_cast<size_t>(b.more));
      continue;
    }
    EXPECT_NEAR(b.rect.width() / area.width(),
                modules.items[static_cast<size_t>(b.item)].seconds / modules.items[0].seconds, 1e-9);
  }
  EXPECT_DOUBLE_EQ(root, 400);
  // In a picture of 20 pixels most of them are thin, and none is lost.
  size_t boxed = 0, merged = 0;
  for (const TimeBox& b : icicleBoxes(modules, QRectF(0, 0, 20, 100))) {
    for (int i = b.item; i < b.item + std::max(b.more, 1); ++i)
      boxed += modules.items[static_cast<size_t>(i)].nodes.size();
    merged += static_cast<size_t>(b.more);
  }
  EXPECT_EQ(boxed, nodes);
  EXPECT_GT(merged, 3u);
  const session::TimeTree ops = session::timesByOp(*w.runs().view());
  double covered = 0;
  const std::vector<TimeBox> boxes = treemapBoxes(ops, area);
  ASSERT_GT(boxes.size(), 3u);
  for (size_t i = 0; i < boxes.size(); ++i) {
    covered += boxes[i].rect.width() * boxes[i].rect.height();
    for (size_t k = i + 1; k < boxes.size(); ++k) {
      const QRectF both = boxes[i].rect.intersected(boxes[k].rect);
      EXPECT_LT(both.width() * both.height(), 1e-6);
    }
  }
  EXPECT_NEAR(covered, 400.0 * 200, 1);
  // A click on a box selects its nodes.
  w.timings().pages()->setCurrentIndex(1);
  ASSERT_TRUE(w.settle());
  TimePicture& map = *w.timings().treemap();
  ASSERT_FALSE(map.boxes().empty());
  QTest::mouseClick(&map, Qt::LeftButton, {}, map.boxes()[0].rect.center().toPoint());
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.tab().selection().size(), nodesBelow(map.tree(), map.boxes()[0].item).size());
  EXPECT_FALSE(map.accessibleDescription().isEmpty());
}

TEST(TimingsDock, DifferencesThatNoiseExplainsAreNotShown) {
  const session::Spread a = session::quartilesOf({10, 11, 12, 13, 14}),
                        b = session::quartilesOf({11, 12, 13, 14, 15}),
                        c = session::quartilesOf({20, 21, 22, 23, 24}), one = session::quartilesOf({30});
  EXPECT_DOUBLE_EQ(a.median, 12);
  EXPECT_DOUBLE_EQ(a.low, 11);
  EXPECT_DOUBLE_EQ(a.high, 13);
  EXPECT_EQ(session::timeDelta(a, b).verdict, "no difference shown");
  EXPECT_EQ(session::timeDelta(c, a).verdict, "1.83x slower");
  EXPECT_EQ(session::timeDelta(a, c).verdict, "1.83x faster");
  EXPECT_EQ(session::timeDelta(one, a).verdict, "no difference shown") << "one run has no spread";
  EXPECT_EQ(session::timeDelta(a, {}).verdict, "only in A");
  RunWindow w;
  w.show("timings");
  w.set("runs", 5);
  w.run("run");
  EXPECT_TRUE(w.timings().table()->isColumnHidden(TimingsModel::DeltaColumn));
  w.run("run");
  w.run("compare-last-runs");
  EXPECT_FALSE(w.timings().table()->isColumnHidden(TimingsModel::DeltaColumn));
  for (int r = 0; r < w.timings().model()->rowCount(); ++r)
    EXPECT_FALSE(w.timings().model()->index(r, TimingsModel::DeltaColumn).data().toString().isEmpty());
}

TEST(TimingsDock, TakesGraphsOfManyNodes) {
  QByteArray text =
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, x: \"f32[2][1]cpu\"):\n"
      "        a0: \"f32[2][1]cpu\" = torch.ops.aten.neg.default(x)\n";
  for (int i = 1; i < 1200; ++i)
    text += "        a" + QByteArray::number(i) + ": \"f32[2][1]cpu\" = torch.ops.aten.neg.default(a" +
            QByteArray::number(i - 1) + ")\n";
  text += "        return (a1199,)\n";
  RunWindow w(text);
  w.set("runs", 2);
  w.run("run");
  w.show("timings");
  EXPECT_EQ(w.timings().model()->rowCount(), 1200);
}

TEST(TimingsDock, WithoutTimesItSaysSo) {
  RunWindow w;
  w.show("timings");
  w.set("runs", 0);
  w.run("run");
  EXPECT_TRUE(w.timings().summary()->text().contains("took no times"))
      << qPrintable(w.timings().summary()->text());
  EXPECT_EQ(w.timings().model()->rowCount(), 0);
}

// ---- queries

TEST(RunQueries, AskForTimesNanAndErrors) {
  RunWindow w(kNanGraph);
  const auto hits = [&](const char* query) {
    w.run("query", {{"text", query}});
    QStringList names;
    if (!w.tab().hits() || w.tab().hits()->error) return QStringList{"error"};
    for (const ir::NodeId id : w.tab().hits()->nodes) names << w.tab().nameOf(id);
    return names;
  };
  EXPECT_EQ(hits("nan"), QStringList{"error"});
  w.set("inputs", "ones");
  // The query that stands there is asked again.
  w.run("run");
  ASSERT_NE(w.tab().hits(), nullptr);
  EXPECT_FALSE(w.tab().hits()->error.has_value());
  EXPECT_EQ(hits("nan"), (QStringList{"root", "twice", "out"}));
  EXPECT_EQ(hits("time>1ns not nan"), (QStringList{"low", "plain"}));
  EXPECT_EQ(hits("time>1000s"), QStringList());
  EXPECT_EQ(hits("err>0"), QStringList{"error"});
  w.set("inputs", "zeros");
  w.run("run");
  w.run("compare-last-runs");
  EXPECT_EQ(hits("err>0.5 name=plain"), QStringList{"plain"});
}

}  // namespace
}  // namespace descry::gui
