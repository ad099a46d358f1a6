// The Value dock: figures, histogram, elements, layout.
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include "gui/models/value_grid_model.h"
#include "gui/panels/value/value_pictures.h"
#include "tests/gui/run_window.h"

#include <QAbstractItemModelTester>

namespace descry::gui {
namespace {

int pixelsOf(QWidget& widget, const QColor& colour) {
  const QImage image = widget.grab().toImage();
  int n = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) n += (image.pixel(x, y) & 0xFFFFFF) == (colour.rgb() & 0xFFFFFF);
  return n;
}

struct Counting : RunWindow {
  Counting() : RunWindow(kCountingGraph) {
    set("inputs", "ones");
    run("run");
    RunWindow::show("value");
    select("cube");
  }
  QString at(int row, int column) { return value().model()->index(row, column).data().toString(); }
};

TEST(ValueDock, FiguresAreThoseOfZeroTo23) {
  Counting w;
  EXPECT_TRUE(w.value().headline()->text().startsWith("cube: f32[2, 3, 4]"))
      << qPrintable(w.value().headline()->text());
  EXPECT_EQ(w.value().figure("count"), "24");
  EXPECT_EQ(w.value().figure("min"), "0");
  EXPECT_EQ(w.value().figure("max"), "23");
  EXPECT_EQ(w.value().figure("mean"), "11.5");
  EXPECT_EQ(w.value().figure("std"), "6.92219");  // sqrt((24 * 24 - 1) / 12)
  EXPECT_EQ(w.value().figure("zeros"), "1");
  EXPECT_EQ(w.value().figure("NaN"), "0");
  EXPECT_EQ(w.value().figure("absmax"), "23");
}

TEST(ValueDock, TheGridShowsTwoDimensionsAtAnIndexOfTheOthers) {
  Counting w;
  w.value().pages()->setCurrentIndex(1);
  QAbstractItemModelTester tester(w.value().model());
  EXPECT_EQ(w.value().model()->rowCount(), 3);
  EXPECT_EQ(w.value().model()->columnCount(), 4);
  EXPECT_EQ(w.at(1, 2), "6");
  // The first dimension by its spin box.
  ASSERT_TRUE(w.value().indices()[0]->isVisibleTo(&w.value()));
  w.value().indices()[0]->setValue(1);
  EXPECT_EQ(w.at(1, 2), "18");
  EXPECT_EQ(w.tab().value().sliceText(), "1, :, :");
  // Other axes: rows are the first dimension, columns the last.
  EXPECT_TRUE(w.run("value-slice", {{"slice", ":, 2, :"}}).ok);
  EXPECT_EQ(w.value().model()->rowCount(), 2);
  EXPECT_EQ(w.at(1, 3), "23");
  EXPECT_EQ(w.value().rowAxis()->currentData().toInt(), 0);
  EXPECT_FALSE(w.run("value-slice", {{"slice", ":, :, :"}}).ok);
  EXPECT_FALSE(w.run("value-slice", {{"slice", "2, :, :"}}).ok);
  EXPECT_FALSE(w.run("value-slice", {{"slice", "what"}}).ok);
  // By the pickers: the dimension that stood there before takes the other side.
  w.value().rowAxis()->setCurrentIndex(w.value().rowAxis()->findData(2));
  emit w.value().rowAxis()->activated(w.value().rowAxis()->currentIndex());
  EXPECT_EQ(w.tab().value().slice().rows, 2);
  EXPECT_EQ(w.tab().value().slice().columns, 0);
  EXPECT_EQ(w.at(3, 1), "23");
}

TEST(ValueDock, FormatsBitsAndTheClipboard) {
  Counting w;
  w.value().pages()->setCurrentIndex(1);
  EXPECT_TRUE(w.run("value-format", {{"name", "hex"}}).ok);
  EXPECT_TRUE(w.at(0, 1).contains("3f800000")) << qPrintable(w.at(0, 1));
  EXPECT_FALSE(w.run("value-format", {{"name", "roman"}}).ok);
  w.run("value-format", {{"name", "short"}});
  w.value().grid()->setCurrentIndex(w.value().model()->index(2, 3));
  EXPECT_TRUE(w.value().cell()->text().contains("[0, 2, 3] = 11")) << qPrintable(w.value().cell()->text());
  EXPECT_TRUE(w.value().cell()->text().contains("41300000")) << qPrintable(w.value().cell()->text());
  EXPECT_TRUE(w.run("copy-value").ok);
  EXPECT_TRUE(QGuiApplication::clipboard()->text().contains("11"))
      << qPrintable(QGuiApplication::clipboard()->text());
}

TEST(ValueDock, TheHistogramIsDrawn) {
  Counting w;
  const session::ValueHistogram* h = w.tab().value().histogram();
  ASSERT_NE(h, nullptr);
  int64_t sum = 0;
  for (const int64_t n : h->counts) sum += n;
  EXPECT_EQ(sum, 24);
  EXPECT_EQ(h->edges.front(), 0);
  EXPECT_EQ(h->edges.back(), 23);
  HistogramView& view = *w.value().histogram();
  ASSERT_TRUE(view.isVisible());
  const QColor bar = w.window.theme().forward.solid;
  EXPECT_GT(pixelsOf(view, bar), 500);
  EXPECT_TRUE(view.accessibleDescription().contains("64 bins from 0 to 23"))
      << qPrintable(view.accessibleDescription());
  // Powers of ten: the zero is in no bin.
  w.run("histogram-log");
  ASSERT_NE(w.tab().value().histogram(), nullptr);
  EXPECT_TRUE(w.tab().value().histogram()->logarithmic);
  EXPECT_EQ(w.tab().value().histogram()->zeros, 1);
  w.run("histogram-log");
  // Another run over it.
  w.set("inputs", "zeros");
  w.run("run");
  w.run("compare-last-runs");
  ASSERT_NE(w.tab().value().otherHistogram(), nullptr);
  EXPECT_GT(pixelsOf(view, w.window.theme().backward.solid), 50);
  EXPECT_TRUE(w.value().headline()->text().contains("against run 1: outside"))
      << qPrintable(w.value().headline()->text());
}

TEST(ValueDock, StridesAreThoseOfTheGraph) {
  Counting w;
  bool known = false;
  EXPECT_EQ(w.tab().value().strides(&known), (std::vector<int64_t>{12, 4, 1}));
  w.select("turned");
  EXPECT_EQ(w.tab().value().strides(&known), (std::vector<int64_t>{1, 4, 12}));
  EXPECT_TRUE(known);
  EXPECT_TRUE(w.value().layoutView()->accessibleDescription().contains("2 columns, 12 apart"))
      << qPrintable(w.value().layoutView()->accessibleDescription());
}

TEST(ValueDock, TheFirstBadElementIsShown) {
  RunWindow w(kNanGraph);
  w.set("inputs", "ones");
  w.run("run");
  w.RunWindow::show("value");
  w.select("plain");
  EXPECT_FALSE(w.value().firstBad()->isEnabled());
  EXPECT_FALSE(w.run("value-first-bad").ok);
  w.select("out");
  EXPECT_EQ(w.value().figure("NaN"), "16");
  ASSERT_TRUE(w.value().firstBad()->isEnabled());
  w.value().firstBad()->click();
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.value().pages()->currentIndex(), 1);
  EXPECT_EQ(w.value().grid()->currentIndex(), w.value().model()->index(0, 0));
  EXPECT_TRUE(w.value().model()->index(0, 0).data(ValueGridModel::kBadRole).toBool());
  EXPECT_EQ(w.value().model()->index(0, 0).data().toString(), "nan");
}

TEST(ValueDock, StepsThatWereRunForANodeCanBeChosen) {
  RunWindow w;
  w.set("backward", true);
  w.run("run");
  w.RunWindow::show("value");
  w.select("linear");
  ValueLook& look = w.tab().value();
  ASSERT_GT(look.choices().size(), 2u);
  EXPECT_TRUE(look.choice()->own);
  EXPECT_EQ(look.choice()->tensor->type, "f32[1, 4, 24]");
  EXPECT_EQ(w.value().part()->count(), static_cast<int>(look.choices().size()));
  QStringList titles;
  for (const ValueChoice& c : look.choices()) titles << c.title;
  EXPECT_FALSE(titles.filter("backward").isEmpty()) << qPrintable(titles.join(" | "));
  const QString last = QString::fromStdString(look.choices().back().name);
  EXPECT_TRUE(w.run("value-part", {{"name", last}}).ok);
  EXPECT_EQ(look.chosen(), static_cast<int>(look.choices().size()) - 1);
  EXPECT_EQ(w.value().part()->currentIndex(), look.chosen());
  EXPECT_FALSE(w.run("value-part", {{"name", "nothing"}}).ok);
  // A parameter is what it was given.
  w.select("l_wo_");
  ASSERT_NE(look.choice(), nullptr);
  EXPECT_EQ(look.choice()->tensor->type, "f32[8, 8]");
}

TEST(ValueDock, SaysWhatIsMissing) {
  RunWindow w;
  w.RunWindow::show("value");
  EXPECT_TRUE(w.value().headline()->text().contains("was not run yet"));
  w.run("run");
  EXPECT_EQ(w.value().headline()->text(), "Select a node to see its value.");
  w.run("run-to", {{"node", "linear"}});
  w.select("gelu");
  EXPECT_TRUE(w.value().headline()->text().contains("ended before gelu"))
      << qPrintable(w.value().headline()->text());
  EXPECT_FALSE(w.value().pages()->isVisible());
}

}  // namespace
}  // namespace descry::gui
