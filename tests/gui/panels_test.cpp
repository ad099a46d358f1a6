#include <QClipboard>
#include <QLineEdit>
#include <QTableView>
#include <QTest>
#include <QTreeView>

#include "gui/app/breadcrumb_bar.h"
#include "gui/app/graph_page.h"
#include "gui/app/notice_bar.h"
#include "gui/app/query_bar.h"
#include "gui/app/status_line.h"
#include "gui/models/explorer_model.h"
#include "gui/models/io_model.h"
#include "gui/models/node_table_model.h"
#include "gui/models/outline_model.h"
#include "gui/models/problems_model.h"
#include "gui/panels/descriptors/descriptors_panel.h"
#include "gui/panels/explorer/explorer_panel.h"
#include "gui/panels/node/node_panel.h"
#include "gui/panels/outline/outline_panel.h"
#include "gui/panels/problems/problems_panel.h"
#include "gui/panels/table/table_panel.h"
#include "gui/panels/text/text_panel.h"
#include "gui/panels/text/text_view.h"
#include "tests/gui/window_support.h"

namespace descry::gui {
namespace {

template <class P>
P& panel(TestWindow& w, const char* id) {
  w.window.showDock(QString::fromLatin1(id), true);
  EXPECT_TRUE(w.settle());
  return *static_cast<P*>(w.window.panel(QString::fromLatin1(id)));
}

TEST(TextPanel, CaretAndSelectionFollowEachOther) {
  TestWindow w;
  auto& text = panel<TextPanel>(w, "text");
  TextView* view = text.view();
  ASSERT_NE(view->lines(), nullptr);
  w.tab().select(w.node("mm"));
  EXPECT_EQ(view->caretLine(), view->lines()->lineOf(w.node("mm")));
  view->setFocus();
  QTest::keyClick(view, Qt::Key_Down);  // mm is followed by t_3
  EXPECT_EQ(w.selected(), QStringList{"t_3"});
  QTest::keyClick(view, Qt::Key_Down, Qt::ShiftModifier);
  EXPECT_EQ(w.selected(), (QStringList{"t_3", "sum_1"}));
  QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QGuiApplication::clipboard()->text().count('\n'), 2);
  EXPECT_TRUE(QGuiApplication::clipboard()->text().contains("aten.sum.dim_IntList"));
}

TEST(TextView, MillionLinesAndLongLines) {
  std::string text;
  for (int i = 0; i < 1000000; ++i) text += "    x = 1\n";
  text += std::string(1000000, 'y') + "\n\xff\xfe bad utf8\n";
  TextView view;
  view.resize(600, 400);
  view.show();
  view.setLines(std::make_shared<TextLines>(session::TextView{text, {}}));
  view.showLine(1000000);
  QElapsedTimer clock;
  clock.start();
  const QImage image = view.grab().toImage();
  EXPECT_FALSE(image.isNull());
  EXPECT_LT(clock.elapsed(), 500);
  EXPECT_LE(view.firstVisibleLine(), 1000000);
  EXPECT_EQ(view.selectedText().size(), 1000001);
}

TEST(DescriptorsPanel, FilterSelectAndJump) {
  TestWindow w;
  auto& p = panel<DescriptorsPanel>(w, "descriptors");
  ASSERT_EQ(p.table()->model()->rowCount(), 14);
  p.filter()->setFocus();
  QTest::keyClicks(p.filter(), "l2.weight");
  ASSERT_EQ(p.table()->model()->rowCount(), 2);  // the parameter and its gradient
  p.table()->selectRow(0);
  EXPECT_EQ(w.selected(), QStringList{"primals_3"});
  emit p.table()->doubleClicked(p.table()->model()->index(0, IoModel::PartnerColumn));
  EXPECT_EQ(w.selected(), QStringList{"t_4"});
}

TEST(OutlinePanel, ArrowsMoveTheSharedSelection) {
  TestWindow w;
  auto& p = panel<OutlinePanel>(w, "outline");
  w.tab().select(w.node("mm"));
  EXPECT_EQ(p.tree()->currentIndex().data(kNodeRole).toUInt(), w.node("mm").index);
  p.tree()->setFocus();
  const auto before = w.selected();
  QTest::keyClick(p.tree(), Qt::Key_Down);
  EXPECT_NE(w.selected(), before);
}

TEST(TablePanel, SortsOffThreadAndSharesTheSelection) {
  TestWindow w;
  auto& p = panel<TablePanel>(w, "table");
  ASSERT_EQ(p.model().rowCount(), 24);
  int name = -1;
  for (int c = 0; c < p.model().columnCount(); ++c)
    if (p.model()
            .headerData(c, Qt::Horizontal, Qt::DisplayRole)
            .toString()
            .compare("name", Qt::CaseInsensitive) == 0)
      name = c;
  ASSERT_GE(name, 0);
  p.sortBy(name, false);
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(p.model().index(0, name).data().toString(), "addmm");
  p.table()->selectRow(0);
  EXPECT_EQ(w.selected(), QStringList{"addmm"});
  w.tab().select(w.node("view_1"));
  ASSERT_EQ(p.table()->selectionModel()->selectedRows().size(), 1);
  EXPECT_EQ(p.table()->selectionModel()->selectedRows().first().row(), 23);
  EXPECT_TRUE(p.csv().contains("view_1"));
  p.table()->setFocus();
  QTest::keyClick(p.table(), Qt::Key_C, Qt::ControlModifier);
  EXPECT_TRUE(QGuiApplication::clipboard()->text().contains("view_1"));
}

TEST(NodePanel, ShowsFactsWithLinksAndEscapesThem) {
  TestWindow w;
  auto& p = panel<NodePanel>(w, "node");
  w.tab().select(w.node("primals_1"));
  ASSERT_TRUE(w.settle());
  const QString text = p.plainText();
  EXPECT_TRUE(text.contains("primals_1"));
  EXPECT_TRUE(text.contains("t_7"));  // its gradient
}

TEST(NodePanel, HostileNamesStayText) {
  QTemporaryDir folder;
  writeText(folder.filePath("x.txt"),
            "class A(torch.nn.Module):\n    def forward(self, a):\n        # File: "
            "/x/<script>alert(1)</script>.py:1 in f, code: "
            "<img src=x>\n        relu = torch.ops.aten.relu.default(a)\n        return (relu,)\n");
  TestWindow w(folder.filePath("x.txt"));
  auto& p = panel<NodePanel>(w, "node");
  w.tab().select(w.node("relu"));
  ASSERT_TRUE(w.settle());
  // Escaped, the marks are part of the text; unescaped, they would be gone from it.
  EXPECT_TRUE(p.plainText().remove(QChar(0x200B)).contains("<script>alert(1)</script>"))
      << qPrintable(p.plainText());
}

TEST(ExplorerPanel, ListsTheOpenFile) {
  TestWindow w;
  auto& p = panel<ExplorerPanel>(w, "explorer");
  EXPECT_GE(p.model().rowCount(), 1);
  EXPECT_TRUE(p.model().find(w.tab().path(), w.tab().graphId()).isValid());
  EXPECT_EQ(p.tree()->currentIndex(), p.model().find(w.tab().path(), w.tab().graphId()));
}

TEST(ProblemsPanel, AClickGoesToTheNode) {
  QTemporaryDir folder;
  writeText(folder.filePath("bad.txt"),
            "class A(torch.nn.Module):\n    def forward(self, a):\n        relu = "
            "torch.ops.aten.relu.default(missing)\n"
            "        return (relu,)\n");
  TestWindow w(folder.filePath("bad.txt"));
  auto& p = panel<ProblemsPanel>(w, "problems");
  ASSERT_GT(p.model().rowCount(), 0);
  int withNode = -1;
  for (int r = 0; r < p.model().rowCount(); ++r)
    if (p.model().row(r)->node) withNode = r;
  ASSERT_GE(withNode, 0);
  emit p.table()->clicked(p.model().index(withNode, 0));
  EXPECT_EQ(w.tab().current(), p.model().row(withNode)->node);
}

TEST(ProblemsPanel, SaysWhyAFileDidNotOpen) {
  TestWindow w{QString()};
  w.document.open("/no/such.txt");
  ASSERT_TRUE(w.settle());
  auto& p = panel<ProblemsPanel>(w, "problems");
  ASSERT_EQ(p.model().rowCount(), 1);
  EXPECT_EQ(p.model().index(0, ProblemsModel::CodeColumn).data().toString(), "not-found");
  EXPECT_TRUE(w.window.notice()->text().contains("such.txt"));
}

TEST(QueryBar, TypingFindsErrsAndClears) {
  TestWindow w;
  QLineEdit* edit = w.window.queryBar()->edit();
  edit->setFocus();
  QTest::keyClicks(edit, "op=mm");
  ASSERT_TRUE(w.settle());
  EXPECT_TRUE(w.window.queryBar()->strip()->text().startsWith("2 of 24"));
  EXPECT_TRUE(w.window.queryBar()->strip()->commandLine().startsWith("descry find "));
  edit->clear();
  QTest::keyClicks(edit, "op=mm )");
  ASSERT_TRUE(w.settle());
  ASSERT_TRUE(w.tab().hits() && w.tab().hits()->error);
  EXPECT_EQ(w.tab().hits()->error->column, 6u);
  EXPECT_TRUE(
      w.window.queryBar()->strip()->text().contains(QString::fromStdString(w.tab().hits()->error->message)));
  QTest::keyClick(edit, Qt::Key_Escape);
  ASSERT_TRUE(w.settle());
  EXPECT_TRUE(w.window.queryBar()->strip()->isHidden());
}

TEST(QueryBar, EmptyResultSaysWhichClause) {
  TestWindow w;
  w.run("query", {{"text", "op=mm dtype=f64"}});
  EXPECT_TRUE(w.window.queryBar()->strip()->text().contains("dtype=f64"))
      << qPrintable(w.window.queryBar()->strip()->text());
}

TEST(Window, CanvasSelectionIsTheSharedSelection) {
  TestWindow w;
  GraphCanvas* canvas = w.window.currentPage()->canvas();
  ASSERT_NE(canvas->scene(), nullptr);
  canvas->selectNodes({w.node("mm")});
  EXPECT_EQ(w.selected(), QStringList{"mm"});
  w.tab().select({w.node("t"), w.node("t_1")});
  EXPECT_EQ(canvas->selectedNodes().size(), 2u);
  EXPECT_EQ(canvas->currentNode(), w.node("t_1"));
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.window.breadcrumbs()->crumbs().last(), "t_1");
  EXPECT_TRUE(w.window.statusLine()->text().contains("24 nodes"));
  EXPECT_TRUE(w.window.statusLine()->text().contains("2 selected"));
}

TEST(Window, EveryDockIsListedAndResetBringsAllBack) {
  TestWindow w;
  for (Panel* p : w.window.panels()) p->hide();
  w.run("reset-layout");
  for (Panel* p : w.window.panels()) EXPECT_FALSE(p->isHidden()) << qPrintable(p->id());
  for (Panel* p : w.window.panels()) {
    EXPECT_FALSE(p->objectName().isEmpty());
    EXPECT_FALSE(p->help().isEmpty());
  }
}

TEST(Window, DamagedFileShowsTheYellowBar) {
  TestWindow w(QStringLiteral(DESCRY_SOURCE_DIR) + "/samples/traces/damaged.log");
  EXPECT_TRUE(w.window.notice()->text().contains("in part")) << qPrintable(w.window.notice()->text());
}

}  // namespace
}  // namespace descry::gui
