// How passes look in the window: columns, settings, states in the Explorer, and the colours of the cut.
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include "gui/app/graph_page.h"
#include "gui/canvas/box_colours.h"
#include "gui/canvas/legend.h"
#include "gui/models/explorer_model.h"
#include "gui/models/outline_model.h"
#include "gui/panels/column_fit.h"
#include "gui/panels/explorer/explorer_panel.h"
#include "gui/panels/node/node_panel.h"
#include "gui/panels/outline/outline_panel.h"
#include "gui/panels/passes/pass_settings.h"
#include "tests/gui/pass_window.h"

namespace descry::gui {
namespace {

/// Titles and texts of a shown table that do not fit where they stand, and whether there is a scroll bar.
QStringList cutOff(const QTableView& table) {
  QStringList out;
  const QAbstractItemModel& model = *table.model();
  QFont bold = table.font();
  bold.setBold(true);
  const QFontMetrics titles(bold);
  for (int c = 0; c < model.columnCount(); ++c) {
    if (table.isColumnHidden(c)) continue;
    const QString title = model.headerData(c, Qt::Horizontal).toString();
    if (titles.horizontalAdvance(title) + 18 > table.columnWidth(c)) out << "title " + title;
    for (int r = 0; r < model.rowCount(); ++r) {
      const QString text = model.index(r, c).data().toString();
      const QRect room(0, 0, table.columnWidth(c) - 22, 10000);
      const bool strong = model.index(r, c).data(Qt::FontRole).isValid();
      const QRect needed = QFontMetrics(strong ? bold : table.font())
                               .boundingRect(room, Qt::TextWordWrap, breakableText(text));
      if (needed.width() > room.width() || needed.height() > table.rowHeight(r)) out << text;
    }
  }
  if (table.horizontalHeader()->length() > table.viewport()->width()) out << "wider than the view";
  return out;
}

TEST(PassesLayout, NothingIsCutOffAndNothingHasToBeDragged) {
  for (const QSize size : {QSize(1600, 1000), QSize(1280, 800), QSize(1024, 768)}) {
    PassWindow w;
    w.window.resize(size);
    w.run("layout-passes");
    w.run("run-passes", {{"passes", "aot"}});
    w.run("recompute-value", {{"node", "gelu"}});
    PassesPanel& p = w.panel();
    SCOPED_TRACE(size.width());
    const auto shownWhole = [&](const PassesPanel::Section& section, const char* what) {
      w.showPage(section);
      ASSERT_TRUE(section.table->isVisible()) << what;
      EXPECT_EQ(cutOff(*section.table).join(QLatin1Char('|')).toStdString(), "") << what;
    };
    shownWhole(p.steps(), "steps");
    shownWhole(p.cut(), "cut");
    w.run("go-to-pass", {{"position", "partition"}});
    shownWhole(p.findings(), "findings");
    w.run("pass-graph", {{"name", "backward"}});
    w.run("compare-recorded");
    ASSERT_GT(p.comparison().model->rowCount(), 0);
    shownWhole(p.comparison(), "comparison");
  }
}

TEST(PassesLayout, ColumnsThatWereDraggedStay) {
  PassWindow w;
  w.run("layout-passes");
  w.run("run-passes", {{"passes", "aot"}});
  QTableView* table = w.panel().cut().table;
  w.showPage(w.panel().cut());
  table->setColumnWidth(1, 333);
  w.window.resize(w.window.width() - 40, w.window.height());
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(table->columnWidth(1), 333);
}

// ---- settings

TEST(PassSettings, ShowTheOptionsOfTheChosenPasses) {
  PassWindow w;
  PassSettings& s = *w.panel().settings();
  ASSERT_NE(s.field("requires-grad"), nullptr) << "before anything ran";
  ASSERT_NE(s.field("unknown-ops"), nullptr);
  ASSERT_NE(s.field("unlift-tokens"), nullptr);
  EXPECT_EQ(static_cast<QComboBox*>(s.field("method"))->currentText(), "min-cut");
  EXPECT_TRUE(s.field("memory-budget")->isEnabled());
  EXPECT_EQ(s.field("save"), nullptr) << "the Cut page has buttons for that";
  w.run("choose-passes", {{"passes", "aot-default"}});
  EXPECT_EQ(static_cast<QComboBox*>(s.field("method"))->currentText(), "default");
  EXPECT_FALSE(s.field("memory-budget")->isEnabled()) << "it would change nothing";
  EXPECT_TRUE(s.field("memory-budget")->toolTip().contains("minimum cut"));
  w.run("choose-passes", {{"passes", "cse"}});
  EXPECT_EQ(s.field("method"), nullptr);
}

TEST(PassSettings, FollowWhatIsTyped) {
  PassWindow w;
  QLineEdit* line = w.panel().pipeline()->lineEdit();
  line->selectAll();
  QTest::keyClicks(line, "lower,cse");
  EXPECT_EQ(w.passes().chosen(), "lower,cse");
  EXPECT_EQ(w.panel().settings()->field("method"), nullptr);
  ASSERT_NE(w.panel().settings()->field("requires-grad"), nullptr);
  w.run("run-passes", {{"passes", "aot"}});
  EXPECT_EQ(line->text(), "aot");
}

TEST(PassSettings, ChangeThePassesAndRunThemAgain) {
  PassWindow w;
  PassSettings& s = *w.panel().settings();
  w.run("run-passes", {{"passes", "aot"}});
  w.run("go-to-pass", {{"position", "trace-joint"}});
  auto* budget = static_cast<QLineEdit*>(s.field("memory-budget"));
  budget->clear();
  QTest::keyClicks(budget, "0.5");
  QTest::keyClick(budget, Qt::Key_Return);
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.passes().pipeline(), "aot(memory-budget=0.5)");
  EXPECT_EQ(w.panel().pipeline()->currentText(), "aot(memory-budget=0.5)");
  EXPECT_EQ(w.passes().position(), kTraced) << "the position stays";
  const auto expected = session::cutReport(*Engine().run("aot(memory-budget=0.5)"));
  EXPECT_EQ(w.passes().cut()->savedBytes, expected->savedBytes);
  EXPECT_NE(w.passes().cut()->savedBytes, 3936);
  // Wishes stay, too.
  w.run("recompute-value", {{"node", "gelu"}});
  w.run("set-pass-option", {{"option", "memory-budget"}, {"value", 1}});
  EXPECT_EQ(w.passes().pipeline(), "aot");
  EXPECT_EQ(w.passes().wishes().size(), 1u);
  EXPECT_EQ(w.passes().cut()->savedBytes, 3680);
  w.run("set-pass-option", {{"option", "requires-grad"}, {"value", "none"}});
  EXPECT_EQ(w.passes().cut(), nullptr) << "an inference graph has none";
  EXPECT_EQ(w.window.actions().find("set-pass-option")->cli({{"option", "unknown-ops"}, {"value", "refuse"}}),
            "descry opt " + kCaptured + " --passes 'aot(requires-grad=none, unknown-ops=refuse)' --summary");
  EXPECT_TRUE(w.run("set-pass-option", {{"option", "speed"}, {"value", "9"}}).message.contains("speed"));
  EXPECT_TRUE(w.run("set-pass-option", {{"option", "method"}, {"value", "luck"}}).message.contains("luck"));
  EXPECT_EQ(w.passes().pipeline(), "aot(requires-grad=none)");
}

TEST(PassSettings, WhatCannotBeChangesNothing) {
  PassWindow w;
  w.run("run-passes", {{"passes", "aot"}});
  QSignalSpy failed(&w.document, &Document::failed);
  w.run("set-pass-option", {{"option", "requires-grad"}, {"value", "nobody"}});
  ASSERT_EQ(failed.size(), 1);
  EXPECT_TRUE(failed[0][0].toString().contains("nobody")) << qPrintable(failed[0][0].toString());
  EXPECT_EQ(w.passes().pipeline(), "aot");
  EXPECT_EQ(w.passes().chosen(), "aot");
  EXPECT_EQ(static_cast<QLineEdit*>(w.panel().settings()->field("requires-grad"))->text(), "");
}

TEST(PassesPanel, AFailureLeadsToItsNode) {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("graph.txt"));
  writeText(path,
            "class GraphModule(torch.nn.Module):\n"
            "    def forward(self, x: \"f32[4, 3][3, 1]cpu\"):\n"
            "        first: \"f32[4, 3][3, 1]cpu\" = torch.sin(x)\n"
            "        wrong: \"f32[4, 3][3, 1]cpu\" = first @ x\n"
            "        return (wrong,)\n");
  PassWindow w(path);
  PassesPanel& p = w.panel();
  w.run("run-passes", {{"passes", "aot"}});
  const int last = p.steps().model->rowCount() - 1;
  ASSERT_EQ(w.tone(p.steps(), last), CellTone::Error);
  emit p.steps().table->activated(p.steps().model->index(last, 0));
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.passes().position(), 0u);
  EXPECT_EQ(w.selected(), QStringList{"wrong"});
}

// ---- Explorer

TEST(PassesInExplorer, TheShownStateIsMarkedAndOpensByClick) {
  PassWindow w;
  auto& explorer = *static_cast<ExplorerPanel*>(w.window.panel(QStringLiteral("explorer")));
  const auto marked = [&] { return explorer.tree()->currentIndex().data().toString(); };
  EXPECT_EQ(marked(), "0/0:dynamo");
  w.run("run-passes", {{"passes", "aot"}});
  EXPECT_EQ(marked(), "@10 forward") << "the last passes change no graph";
  w.run("pass-graph", {{"name", "backward"}});
  EXPECT_EQ(marked(), "@10 backward");
  w.run("go-to-pass", {{"position", "trace-joint"}});
  EXPECT_EQ(marked(), "@9 joint");
  w.run("go-to-pass", {{"position", "synthetic-bases"}});
  EXPECT_EQ(marked(), "@1 lowered");
  w.run("go-to-pass", {{"position", "start"}});
  EXPECT_EQ(marked(), "0/0:dynamo");
  const QModelIndex graph = explorer.model().find(kTrace, QStringLiteral("0/0:dynamo"));
  ASSERT_EQ(explorer.model().rowCount(graph), 5);  // lowered, forward, joint, and the halves
  const auto click = [&](const QModelIndex& index) {
    emit explorer.tree()->clicked(index);
    EXPECT_TRUE(w.settle());
  };
  click(explorer.model().index(2, 0, graph));
  EXPECT_EQ(w.passes().position(), kTraced);
  click(explorer.model().index(4, 0, graph));
  EXPECT_EQ(w.passes().graphName(), "backward");
  click(explorer.model().find(kTrace, QStringLiteral("0/0:dynamo")));
  EXPECT_EQ(w.passes().position(), 0u) << "the graph itself is the file's own";
  w.run("run-passes", {{"passes", "cse"}});
  EXPECT_EQ(explorer.model().rowCount(graph), static_cast<int>(w.passes().states().size()));
  w.run("close-tab");
  EXPECT_EQ(explorer.model().rowCount(graph), 0);
}

// ---- colours of the cut

TEST(CutColours, TellSavedAndRecomputedValues) {
  PassWindow w;
  w.run("run-passes", {{"passes", "aot"}});
  w.run("recompute-value", {{"node", "gelu"}});
  EXPECT_TRUE(w.run("colour-by", {{"name", "cut"}}).ok);
  for (const char* position : {"trace-joint", "partition"}) {
    w.run("go-to-pass", {{"position", position}});
    const ir::Scene& scene = *w.tab().scene();
    const Theme& theme = w.window.theme();
    const BoxColourTable table = makeBoxColours(scene, theme, w.document.colours());
    for (const session::DecisionRow& row : w.passes().cut()->rows) {
      const auto box = std::find_if(scene.nodes.begin(), scene.nodes.end(),
                                    [&](const ir::SceneNode& n) { return n.label == row.node; });
      if (box == scene.nodes.end()) continue;
      const auto at = static_cast<uint32_t>(box - scene.nodes.begin());
      const bool input = box->role == ir::NodeRole::Input || box->role == ir::NodeRole::Parameter;
      const QColor& fill = table.colours(at, false).fill;
      if (row.savedIndex >= 0)
        EXPECT_EQ(fill, input ? theme.savedInput.fill : theme.saved.fill) << row.node;
      else if (row.fate == "recomputed")
        EXPECT_EQ(fill, theme.recomputed.fill) << row.node;
      else
        EXPECT_NE(fill, theme.saved.fill) << row.node;
      EXPECT_EQ(scene.cuts[at].reason, row.reason);
    }
    const LegendPicture legend(scene, table, theme, false);
    EXPECT_TRUE(legend.description().contains("saved: 18 values, 3.3 KiB"))
        << qPrintable(legend.description());
    EXPECT_TRUE(legend.description().contains("recomputed: 3 values"));
    EXPECT_TRUE(legend.description().contains("saved for backward"));  // the lines
  }
  EXPECT_TRUE(w.window.actions().find("export")->cli({{"file", "x.svg"}}).contains("--passes "));
  EXPECT_TRUE(w.window.actions().find("export")->cli({{"file", "x.svg"}}).contains("--state forward"));
}

TEST(CutColours, SayWhenNoPartitionIsKnown) {
  PassWindow w;
  EXPECT_TRUE(w.run("colour-by", {{"name", "cut"}}).message.contains("no partition"));
  const ir::Scene& scene = *w.tab().scene();
  const BoxColourTable table = makeBoxColours(scene, w.window.theme(), ir::ColourMode::Cut);
  EXPECT_TRUE(LegendPicture(scene, table, w.window.theme(), false).description().contains("no partition"));
  EXPECT_FALSE(w.window.actions().find("export")->cli({{"file", "x.svg"}}).contains("--colours"));
}

TEST(CutColours, AreThereForAJointGraphOfTheFile) {
  PassWindow w(kTrace + "::0/0:joint");
  w.run("run-passes", {{"passes", "partition"}});
  w.run("go-to-pass", {{"position", "start"}});
  EXPECT_TRUE(w.tab().graph()->cut);
  EXPECT_FALSE(w.tab().scene()->cuts.empty());
}

TEST(CutColours, TheNodePanelAndQueriesKnowTheFate) {
  PassWindow w;
  w.run("run-passes", {{"passes", "aot"}});
  w.run("go-to-pass", {{"position", "trace-joint"}});
  w.run("select", {{"node", "addmm_2"}});
  std::string said;
  for (const session::FactRow& row : w.tab().details()->facts)
    if (row.label == "cut") said = row.value;
  EXPECT_TRUE(said.starts_with("saved: ")) << said;
  w.tab().setQuery(QStringLiteral("recomputed"));
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.tab().hits()->nodes.size(), w.passes().cut()->recomputed);
  w.tab().setQuery(QStringLiteral("saved"));
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.tab().hits()->nodes.size(), w.passes().cut()->saved);
}

TEST(PassViews, AllThatIsSavedIsShownWhenItIsSelected) {
  PassWindow w;
  w.run("run-passes", {{"passes", "aot"}});
  w.window.showDock(QStringLiteral("node"), true);
  w.run("select-saved");
  ASSERT_EQ(w.tab().selection().size(), 24u);
  auto* node = static_cast<NodePanel*>(w.window.panel(QStringLiteral("node")));
  EXPECT_TRUE(node->plainText().startsWith("24 selected")) << qPrintable(node->plainText());
  GraphCanvas* canvas = w.window.currentPage()->canvas();
  for (const ir::NodeId id : w.tab().selection())
    EXPECT_TRUE(QRectF(canvas->rect()).contains(canvas->nodeRectOnScreen(id))) << id.index;
  w.tab().select(w.node("primals_1"));
  ASSERT_TRUE(w.settle());
  EXPECT_FALSE(node->plainText().contains("selected"));
}

TEST(PassViews, WhatIsAssumedStandsWithTheCut) {
  QTemporaryDir folder;
  writeText(folder.filePath("x.txt"),
            "class GraphModule(torch.nn.Module):\n"
            "    def forward(self, L_x_: \"f32[4, 3][3, 1]cpu\", L_w_: \"f32[3, 2][2, 1]cpu\"):\n"
            "        h: \"f32[4, 2][2, 1]cpu\" = L_x_ @ L_w_;  L_x_ = L_w_ = None\n"
            "        r: \"f32[4, 2][2, 1]cpu\" = torch.exp(h);  h = None\n"
            "        return (r,)\n");
  PassWindow w(folder.filePath("x.txt"));
  w.run("run-passes", {{"passes", "aot"}});
  EXPECT_TRUE(
      w.panel().cut().headline->text().contains("1 thing assumed: the file does not say which inputs"))
      << qPrintable(w.panel().cut().headline->text());
  w.run("run-passes", {{"passes", "aot(requires-grad=all)"}});
  EXPECT_FALSE(w.panel().cut().headline->text().contains("assumed"));
}

TEST(PassViews, TheNarrowColumnOfDocksHasRoomForNames) {
  PassWindow w;
  w.window.resize(1280, 800);
  w.run("layout-passes");
  w.run("run-passes", {{"passes", "aot"}});
  auto* tree = static_cast<OutlinePanel*>(w.window.panel(QStringLiteral("outline")))->tree();
  EXPECT_GE(tree->columnWidth(OutlineModel::NameColumn), 150);
  EXPECT_TRUE(tree->isColumnHidden(OutlineModel::NodesColumn));
  w.window.resizeDocks({w.window.panel(QStringLiteral("outline"))}, {420}, Qt::Horizontal);
  ASSERT_TRUE(w.settle());
  EXPECT_FALSE(tree->isColumnHidden(OutlineModel::NodesColumn));
}

TEST(PassViews, NoEmptyBarOfTabsIsLeftOverTheDocks) {
  PassWindow w;
  for (const char* layout : {"layout-passes", "layout-joint", "layout-read", "layout-passes"}) {
    w.run(layout);
    int tabs = 0;
    for (const QTabBar* bar : w.window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
      EXPECT_TRUE(bar->isHidden() || bar->count() > 0) << layout;
      tabs += bar->isHidden() ? 0 : bar->count();
    }
    EXPECT_EQ(tabs, 9) << layout << ": seven at the bottom, two at the right";
  }
}

}  // namespace
}  // namespace descry::gui
