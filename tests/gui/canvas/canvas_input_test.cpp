// Mouse, wheel and keys on a real widget, without a display.
#include <gtest/gtest.h>

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>
#include <cstdlib>

#include "gui/canvas/graph_canvas.h"
#include "gui/canvas/legend.h"
#include "gui/canvas/minimap.h"
#include "tests/gui/canvas/sample_scenes.h"

namespace descry::gui {
namespace {

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

class CanvasInput : public ::testing::Test {
 protected:
  void show(ir::Scene scene) {
    canvas.resize(1000, 700);
    canvas.setReducedMotion(true);
    canvas.setScene(std::make_shared<ir::Scene>(std::move(scene)));
    canvas.setLegendVisible(false);
    canvas.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&canvas));
    canvas.setFocus();
  }
  QPoint at(uint32_t node) const { return canvas.nodeRectOnScreen(ir::NodeId{node}).center().toPoint(); }
  std::vector<uint32_t> selected() const {
    std::vector<uint32_t> ids;
    for (ir::NodeId id : canvas.selectedNodes()) ids.push_back(id.index);
    return ids;
  }
  void key(Qt::Key k, Qt::KeyboardModifiers m = Qt::NoModifier) { QTest::keyClick(&canvas, k, m); }
  void wheel(QPoint where, int angle, Qt::KeyboardModifiers m) {
    QWheelEvent event(where, canvas.mapToGlobal(where), {}, {0, angle}, Qt::NoButton, m, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&canvas, &event);
  }

  GraphCanvas canvas;
};

using Ids = std::vector<uint32_t>;

TEST(CanvasLegend, BeginsFoldedWhereItWouldLieOverTheDrawing) {
  for (const bool wide : {false, true}) {
    GraphCanvas canvas;
    canvas.resize(1200, 700);
    canvas.setScene(std::make_shared<ir::Scene>(wide ? gridScene(144, 12) : gridScene(40, 1)));
    canvas.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&canvas));
    auto* legend = canvas.findChild<LegendWidget*>();
    ASSERT_NE(legend, nullptr);
    EXPECT_EQ(legend->isFolded(), wide);
    // What was chosen by hand stays.
    QTest::mouseClick(legend, Qt::LeftButton);
    canvas.resize(1210, 700);
    EXPECT_EQ(legend->isFolded(), !wide);
  }
}

TEST_F(CanvasInput, ClickSelectsCtrlClickTogglesEmptyClears) {
  show(gridScene(20, 5));
  QSignalSpy changed(&canvas, &GraphCanvas::selectionChanged),
      current(&canvas, &GraphCanvas::currentNodeChanged);
  QTest::mouseClick(&canvas, Qt::LeftButton, {}, at(7));
  EXPECT_EQ(selected(), Ids{7});
  EXPECT_EQ(canvas.currentNode().index, 7u);
  EXPECT_EQ(changed.count(), 1);
  EXPECT_EQ(current.count(), 1);
  QTest::mouseClick(&canvas, Qt::LeftButton, Qt::ControlModifier, at(3));
  EXPECT_EQ(selected(), (Ids{3, 7}));
  QTest::mouseClick(&canvas, Qt::LeftButton, Qt::ControlModifier, at(7));
  EXPECT_EQ(selected(), Ids{3});
  QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPoint(5, 5));
  EXPECT_TRUE(selected().empty());
  EXPECT_FALSE(canvas.currentNode().valid());
}

TEST_F(CanvasInput, ShiftClickSelectsTheShortestPath) {
  show(gridScene(20, 5));
  QTest::mouseClick(&canvas, Qt::LeftButton, {}, at(1));
  QTest::mouseClick(&canvas, Qt::LeftButton, Qt::ShiftModifier, at(13));  // diagonally: 1 -> 7 -> 13
  EXPECT_EQ(selected(), (Ids{1, 7, 13}));
}

TEST_F(CanvasInput, ShiftDragSelectsWhatTheBandTouches) {
  show(gridScene(20, 5));
  const QRectF a = canvas.nodeRectOnScreen(ir::NodeId{6}), b = canvas.nodeRectOnScreen(ir::NodeId{12});
  const QPoint from = (a.topLeft() - QPointF(8, 8)).toPoint(),
               to = (b.bottomRight() + QPointF(8, 8)).toPoint();
  QTest::mousePress(&canvas, Qt::LeftButton, Qt::ShiftModifier, from);
  QTest::mouseMove(&canvas, (from + to) / 2);
  QTest::mouseMove(&canvas, to);
  QTest::mouseRelease(&canvas, Qt::LeftButton, Qt::ShiftModifier, to);
  EXPECT_EQ(selected(), (Ids{6, 7, 11, 12}));
}

TEST_F(CanvasInput, DragPansByTheSameDistance) {
  show(gridScene(400, 20));
  const QPointF before = canvas.camera().offset;
  QTest::mousePress(&canvas, Qt::LeftButton, {}, QPoint(500, 300));
  QTest::mouseMove(&canvas, QPoint(520, 310));
  QTest::mouseMove(&canvas, QPoint(560, 270));
  QTest::mouseRelease(&canvas, Qt::LeftButton, {}, QPoint(560, 270));
  EXPECT_EQ(canvas.camera().offset - before, QPointF(60, -30));
  EXPECT_TRUE(selected().empty()) << "a drag is not a click";
}

TEST_F(CanvasInput, WheelPansAndCtrlWheelZoomsAtThePointer) {
  show(gridScene(400, 20));
  const double zoom = canvas.zoom();
  const QPointF offset = canvas.camera().offset;
  wheel({400, 300}, -120, Qt::NoModifier);
  EXPECT_DOUBLE_EQ(canvas.zoom(), zoom);
  EXPECT_NE(canvas.camera().offset, offset);
  const QPointF fixed = canvas.camera().toScene(QPointF(400, 300));
  wheel({400, 300}, 120, Qt::ControlModifier);
  EXPECT_NEAR(canvas.zoom(), zoom * 1.15, 1e-9);
  EXPECT_NEAR(canvas.camera().toScreen(fixed).x(), 400, 0.51);
  EXPECT_NEAR(canvas.camera().toScreen(fixed).y(), 300, 0.51);
  canvas.setWheelZooms(true);
  wheel({400, 300}, -120, Qt::NoModifier);
  EXPECT_NEAR(canvas.zoom(), zoom, 1e-9);
}

TEST_F(CanvasInput, ArrowsWalkTheGraph) {
  show(gridScene(20, 5));
  canvas.selectNodes({ir::NodeId{7}});
  key(Qt::Key_Up);
  EXPECT_EQ(selected(), Ids{2});
  key(Qt::Key_Down);
  EXPECT_EQ(selected(), Ids{7});
  key(Qt::Key_Left);
  EXPECT_EQ(selected(), Ids{6});
  key(Qt::Key_Right);
  EXPECT_EQ(selected(), Ids{7});
  key(Qt::Key_Period);
  EXPECT_EQ(selected(), Ids{8});
  key(Qt::Key_Comma);
  EXPECT_EQ(selected(), Ids{7});
  key(Qt::Key_2);  // second input
  EXPECT_EQ(selected(), Ids{1});
  key(Qt::Key_2, Qt::AltModifier);  // second reader of 1: 6, 7
  EXPECT_EQ(selected(), Ids{7});
  key(Qt::Key_9);
  EXPECT_EQ(selected(), Ids{7}) << "no ninth input";
}

TEST_F(CanvasInput, SingleKeysCanBeSwitchedOff) {
  show(gridScene(20, 5));
  canvas.selectNodes({ir::NodeId{7}});
  canvas.setSingleKeys(false);
  key(Qt::Key_2);
  EXPECT_EQ(selected(), Ids{7});
  key(Qt::Key_Up);
  EXPECT_EQ(selected(), Ids{2});
}

TEST_F(CanvasInput, KeysFitZoomAndReset) {
  show(gridScene(2000, 40));
  const double fit = canvas.zoom();
  EXPECT_TRUE(canvas.visibleArea().contains(QRectF(0, 0, 40 * 120 - 30, 50 * 70 - 36)));
  key(Qt::Key_0);
  EXPECT_DOUBLE_EQ(canvas.zoom(), 1);
  key(Qt::Key_Minus);
  EXPECT_LT(canvas.zoom(), 1);
  key(Qt::Key_Plus);
  EXPECT_NEAR(canvas.zoom(), 1, 1e-9);
  key(Qt::Key_Home);
  EXPECT_DOUBLE_EQ(canvas.zoom(), fit);
  canvas.selectNodes({ir::NodeId{500}}, false);
  key(Qt::Key_F);
  EXPECT_TRUE(QRectF(canvas.rect()).contains(canvas.nodeRectOnScreen(ir::NodeId{500})));
  EXPECT_GE(canvas.zoom(), 1);
  key(Qt::Key_F);  // twice: the neighbours too
  for (uint32_t n : {460u, 459u, 540u, 541u})
    EXPECT_TRUE(QRectF(canvas.rect()).contains(canvas.nodeRectOnScreen(ir::NodeId{n})));
}

TEST_F(CanvasInput, EscapeClearsThenTellsItsOwner) {
  show(gridScene(20, 5));
  QSignalSpy escaped(&canvas, &GraphCanvas::escapePressed);
  canvas.selectNodes({ir::NodeId{7}});
  key(Qt::Key_Escape);
  EXPECT_TRUE(selected().empty());
  EXPECT_EQ(escaped.count(), 0);
  key(Qt::Key_Escape);
  EXPECT_EQ(escaped.count(), 1);
}

TEST_F(CanvasInput, RequestsCarryNodesAndGroups) {
  show(sampleScene({.layers = 2, .foldEvery = 2}));
  const auto scene = canvas.scene();
  QSignalSpy toggle(&canvas, &GraphCanvas::groupToggleRequested),
      expand(&canvas, &GraphCanvas::expandRequested), collapse(&canvas, &GraphCanvas::collapseRequested),
      isolate(&canvas, &GraphCanvas::isolateRequested), activated(&canvas, &GraphCanvas::nodeActivated),
      partner(&canvas, &GraphCanvas::partnerRequested);
  canvas.selectGroup(QStringLiteral("layers.1"));
  const ir::SceneRect r = scene->groups[size_t(4)].rect;
  ASSERT_EQ(scene->groups[4].path, "layers.1");
  const QPoint card = canvas.camera().toScreen(QRectF(r.x, r.y, r.w, r.h)).center().toPoint();
  QTest::mouseDClick(&canvas, Qt::LeftButton, {}, card);
  ASSERT_EQ(toggle.count(), 1);
  EXPECT_EQ(toggle.at(0).at(0).toString(), QStringLiteral("layers.1"));
  key(Qt::Key_E, Qt::ShiftModifier);
  ASSERT_EQ(expand.count(), 1);
  EXPECT_EQ(expand.at(0).at(0).toString(), QStringLiteral("layers.1"));
  EXPECT_TRUE(expand.at(0).at(1).toBool());

  uint32_t inside = 0;
  while (scene->groups[size_t(std::max(scene->nodes[inside].group, 0))].path != "layers.0.mlp") ++inside;
  canvas.selectNodes({scene->nodes[inside].node});
  key(Qt::Key_C);
  ASSERT_EQ(collapse.count(), 1);
  EXPECT_EQ(collapse.at(0).at(0).toString(), QStringLiteral("layers.0.mlp"));
  key(Qt::Key_X);
  key(Qt::Key_J);
  key(Qt::Key_Return);
  EXPECT_EQ(isolate.count(), 1);
  EXPECT_EQ(partner.count(), 1);
  EXPECT_EQ(activated.count(), 1);
}

TEST_F(CanvasInput, HoverShowsACardAndAnEdgeListsAllReaders) {
  show(gridScene(20, 5));
  canvas.setCamera(Camera{1, {100, 100}});
  canvas.finishRefining();
  QTest::mouseMove(&canvas, at(7));
  QTest::qWait(350);
  auto* card = canvas.findChild<QWidget*>(QStringLiteral("canvasHoverCard"));
  ASSERT_NE(card, nullptr);
  EXPECT_TRUE(card->isVisible());
  QTest::mouseMove(&canvas, QPoint(990, 690));
  EXPECT_FALSE(card->isVisible());
  // The straight line from 2 to 7 lies between their boxes.
  const QPoint edge = (at(2) + at(7)) / 2 - QPoint(0, 10);
  ASSERT_GE(canvas.edgeAt(edge), 0);
  EXPECT_EQ(canvas.scene()->edges[size_t(canvas.edgeAt(edge))].from, 2u);
  QTest::mouseClick(&canvas, Qt::LeftButton, {}, edge);
  EXPECT_EQ(selected(), (Ids{2, 7, 8})) << "the value and all its readers";
}

TEST_F(CanvasInput, MinimapHidesWhenAllIsInViewAndMovesTheView) {
  show(gridScene(2000, 40));
  auto* map = canvas.findChild<MinimapWidget*>();
  ASSERT_NE(map, nullptr);
  EXPECT_FALSE(map->isVisible());
  key(Qt::Key_0);
  ASSERT_TRUE(map->isVisible());
  const QPoint corner(map->width() - 12, map->height() - 12);
  QTest::mouseClick(map, Qt::LeftButton, {}, corner);
  EXPECT_TRUE(canvas.visibleArea().contains(QPointF(40 * 120 - 400, 50 * 70 - 300)));
  EXPECT_TRUE(map->viewRectangle().contains(QPointF(corner)));
  // Dragging the rectangle back to the start.
  const QPoint grab = map->viewRectangle().center().toPoint();
  QTest::mousePress(map, Qt::LeftButton, {}, grab);
  QTest::mouseMove(map, grab - QPoint(60, 60));
  QTest::mouseRelease(map, Qt::LeftButton, {}, grab - QPoint(60, 60));
  EXPECT_FALSE(canvas.visibleArea().contains(QPointF(40 * 120 - 400, 50 * 70 - 300)));
  key(Qt::Key_M);
  EXPECT_FALSE(map->isVisible());
}

TEST_F(CanvasInput, ANewSceneKeepsSelectionAndPlace) {
  show(gridScene(400, 20));
  canvas.setCamera(Camera{1, {0, 0}});
  canvas.selectNodes({ir::NodeId{43}}, false);
  const QPointF before = canvas.nodeRectOnScreen(ir::NodeId{43}).center();
  ir::Scene moved = gridScene(300, 20);
  for (auto& n : moved.nodes) n.rect.x += 777, n.rect.y += 333;
  canvas.setScene(std::make_shared<ir::Scene>(moved), ViewPolicy::Keep);
  EXPECT_EQ(selected(), Ids{43});
  const QPointF after = canvas.nodeRectOnScreen(ir::NodeId{43}).center();
  EXPECT_NEAR(after.x(), before.x(), 1.1);
  EXPECT_NEAR(after.y(), before.y(), 1.1);
  canvas.selectNodes({ir::NodeId{350}});
  EXPECT_TRUE(selected().empty()) << "not in this scene";
  canvas.setScene(std::shared_ptr<const ir::Scene>());
  EXPECT_TRUE(selected().empty());
  key(Qt::Key_Down);
  QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPoint(50, 50));
  canvas.grabView();
}

TEST_F(CanvasInput, AccessibleTextNamesTheCurrentNode) {
  show(gridScene(20, 5));
  canvas.selectNodes({ir::NodeId{7}});
  const QString text = canvas.accessibleDescription();
  for (const char* part : {"n7", "mul", "f32[8]", "forward", "2 inputs", "2 readers"}) {
    EXPECT_TRUE(text.contains(QLatin1String(part))) << text.toStdString();
  }
}

TEST_F(CanvasInput, PanningByShiftedPixelsEqualsDrawingAnew) {
  show(sampleScene({.layers = 6}));
  for (double zoom : {0.08, 0.3, 0.6, 1.0, 1.7}) {
    canvas.setCamera(Camera{zoom, {-137, -211}});
    canvas.finishRefining();
    for (QPointF delta : {QPointF(37, -21), QPointF(-90, 13), QPointF(0, 55), QPointF(-3, -1)}) {
      canvas.setCamera(canvas.camera().panned(delta));
      canvas.grabView();  // one frame per step
    }
    canvas.finishRefining();
    const QImage shifted = canvas.grabView();
    canvas.setTheme(canvas.theme());  // forgets the picture
    canvas.finishRefining();
    EXPECT_LE(largestDifference(canvas.grabView(), shifted), 2) << "zoom " << zoom;
  }
}

TEST_F(CanvasInput, HitsDimTheRest) {
  show(gridScene(20, 5));
  canvas.setCamera(Camera{1, {60, 60}});
  canvas.finishRefining();
  auto edgeColour = [&](uint32_t node) {
    const QRectF r = canvas.nodeRectOnScreen(ir::NodeId{node});
    return canvas.grabView().pixelColor(int(r.center().x()) + 20, int(r.top()) + 3);
  };
  const QColor before = edgeColour(8);
  canvas.setHits({ir::NodeId{7}});
  canvas.finishRefining();
  const QColor canvasColour = canvas.theme().canvas;
  auto distance = [&](const QColor& c) {
    return std::abs(c.red() - canvasColour.red()) + std::abs(c.green() - canvasColour.green()) +
           std::abs(c.blue() - canvasColour.blue());
  };
  EXPECT_LT(distance(edgeColour(8)), distance(before) * 0.6);
  canvas.clearHits();
  canvas.finishRefining();
  EXPECT_EQ(edgeColour(8), before);
}

}  // namespace
}  // namespace descry::gui
