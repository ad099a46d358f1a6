#include <QClipboard>
#include <QDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QToolButton>

#include <algorithm>
#include <set>

#include "gui/app/breadcrumb_bar.h"
#include "gui/app/export_dialog.h"
#include "gui/app/graph_page.h"
#include "gui/app/key_sheet.h"
#include "gui/app/palette_dialog.h"
#include "gui/panels/panel.h"
#include "session/exports.h"
#include "session/query_all.h"
#include "session/views.h"
#include "tests/gui/window_support.h"

namespace descry::gui {
namespace {

/// The same graph as the command line loads it.
session::LoadedGraphPtr engineGraph() {
  auto document = session::Document::open(samplePath().toStdString());
  EXPECT_TRUE(document.ok());
  auto graph = (*document)->graph("");
  EXPECT_TRUE(graph.ok());
  return *graph;
}

QStringList names(const session::LoadedGraph& graph, const std::vector<ir::NodeId>& nodes) {
  QStringList list;
  for (ir::NodeId id : nodes) list << QString::fromStdString(std::string(graph.graph->nodeName(id)));
  return list;
}

TEST(Actions, EachHasIdTitleGroupAndCommandLine) {
  TestWindow w;
  w.tab().select(w.node("mm"));
  ASSERT_TRUE(w.settle());
  EXPECT_GE(w.window.actions().all().size(), 60u);
  for (const auto& action : w.window.actions().all()) {
    EXPECT_FALSE(action->id.isEmpty());
    EXPECT_FALSE(action->title.isEmpty()) << qPrintable(action->id);
    EXPECT_FALSE(action->group.isEmpty()) << qPrintable(action->id);
    ASSERT_TRUE(action->cli) << qPrintable(action->id);
    EXPECT_FALSE(action->cli({}).isEmpty()) << qPrintable(action->id);
    EXPECT_TRUE(action->run) << qPrintable(action->id);
  }
  EXPECT_EQ(w.window.actions().doubledKeys(), QStringList());
}

TEST(Actions, NeedAGraphAndSaySo) {
  TestWindow w{QString()};
  EXPECT_EQ(w.run("fit").message, "No graph is open.");
  EXPECT_EQ(w.run("partner").message, "No graph is open.");
  EXPECT_FALSE(w.run("no-such-action").ok);
  EXPECT_FALSE(w.run("open").ok);
}

TEST(Actions, QueryGivesTheHitsOfTheEngine) {
  TestWindow w;
  const auto graph = engineGraph();
  for (const char* query :
       {"op=mm", "mm", "op~t -> mm", "bytes>=32 and not op=mm", "kind=tangent sort:bytes-"}) {
    const auto expected = session::runQuery(*graph, query);
    w.run("query", {{"text", query}});
    ASSERT_NE(w.tab().hits(), nullptr) << query;
    EXPECT_EQ(names(*w.tab().graph(), w.tab().hits()->nodes), names(*graph, expected.nodes)) << query;
    EXPECT_EQ(w.window.actions().find("query")->cli({{"text", query}}),
              "descry find " + samplePath() + "::graph " + shellQuote(query));
  }
  w.run("query", {{"text", "op=mm"}});
  w.run("select-hits");
  EXPECT_EQ(w.selected(), (QStringList{"mm", "mm_1"}));
}

TEST(Actions, ExportGivesTheBytesOfTheEngine) {
  QTemporaryDir folder;
  TestWindow w;
  const auto graph = engineGraph();
  for (const session::ExportFormat& format : session::exportFormats()) {
    if (!format.available || format.name == "png" || format.name == "pdf") continue;
    const QString path = folder.filePath("out." + QString::fromStdString(format.name));
    session::ExportRequest request;
    request.format = format.name;
    request.path = path.toStdString();
    const auto expected = session::exportGraph(*graph, request);
    ASSERT_TRUE(expected.ok()) << format.name;
    const QByteArray engine = readText(path);
    QFile::remove(path);
    const QJsonObject args{{"file", path}, {"format", QString::fromStdString(format.name)}};
    EXPECT_TRUE(w.run("export", args).ok);
    EXPECT_EQ(readText(path), engine) << format.name;
    EXPECT_EQ(w.window.actions().find("export")->cli(args).toStdString(),
              session::exportCommandLine(*graph, request));
  }
}

TEST(Actions, ExportDrawsPicturesAndRefusesUnknownEndings) {
  QTemporaryDir folder;
  TestWindow w;
  EXPECT_TRUE(w.run("export", {{"file", folder.filePath("a.png")}, {"theme", "dark"}}).ok);
  const QImage image(folder.filePath("a.png"));
  EXPECT_GT(image.width(), 100);
  EXPECT_LT(qGray(image.pixel(1, 1)), 60);
  EXPECT_TRUE(w.run("export", {{"file", folder.filePath("a.pdf")}}).ok);
  EXPECT_TRUE(readText(folder.filePath("a.pdf")).startsWith("%PDF"));
  EXPECT_FALSE(w.run("export", {{"file", folder.filePath("a.xyz")}}).ok);
}

TEST(Actions, ExportIsRepeatedAsItWas) {
  QTemporaryDir folder;
  TestWindow w;
  EXPECT_EQ(w.run("repeat-export").message, "Nothing was exported yet.");
  const QString path = folder.filePath("a.csv");
  const QJsonObject args{{"file", path}};
  EXPECT_TRUE(w.run("export", args).ok);
  const QByteArray first = readText(path);
  QFile::remove(path);
  EXPECT_TRUE(w.run("repeat-export").ok);
  EXPECT_EQ(readText(path), first);
  EXPECT_EQ(w.window.actions().find("repeat-export")->cli({}), w.window.actions().find("export")->cli(args));
}

TEST(Actions, QueryOfAllGraphsListsHitsAndGoesThere) {
  QTemporaryDir folder;
  const QString path = folder.filePath("two.txt");
  {
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    for (const char* op : {"sin", "cos"})
      file.write(
          QByteArray("class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[4]\"):\n"
                     "        a: \"f32[4]\" = torch.ops.aten.") +
          op +
          ".default(x);  x = None\n        relu: \"f32[4]\" = torch.ops.aten.relu.default(a);  a = None\n"
          "        return (relu,)\n\n");
  }
  TestWindow w(path);
  EXPECT_TRUE(w.run("query-all", {{"text", "op=relu or op=cos"}}).ok);
  const auto document = session::Document::open(path.toStdString());
  ASSERT_TRUE(document.ok());
  const session::AllHits hits = session::runQueryOnAll(**document, "op=relu or op=cos");
  EXPECT_EQ(hits.hits, 3u);
  PaletteDialog* list = w.window.palettePopup();
  ASSERT_TRUE(list->isVisible());
  EXPECT_EQ(static_cast<size_t>(list->model().rowCount()), hits.hits);
  EXPECT_TRUE(w.window.lastMessage().contains("2 of 2 graphs")) << w.window.lastMessage().toStdString();
  list->edit()->setText("aten.cos");
  EXPECT_EQ(list->model().rowCount(), 1);
  list->accept();
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.tab().graphId(), "graph#2");
  EXPECT_EQ(w.selected(), QStringList{"a"});
  EXPECT_FALSE(w.run("query-all", {{"text", " "}}).ok);
  w.run("query-all", {{"text", "oops=1"}});
  EXPECT_TRUE(w.window.lastMessage().contains("oops")) << w.window.lastMessage().toStdString();
  EXPECT_EQ(w.window.actions().find("query-all")->cli({{"text", "op=cos"}}),
            "descry find --all " + path + " op=cos");
}

TEST(Actions, ColoursGroupingAndLayoutAreChosenInTheToolbar) {
  TestWindow w;
  for (const char* id : {"colour-by", "group-by", "choose-layout"}) {
    const Action* action = w.window.actions().find(id);
    ASSERT_GE(action->choices.size(), 3u) << id;
    for (const ActionChoice& choice : action->choices) {
      EXPECT_TRUE(w.run(id, {{"name", choice.name}}).ok) << id << " " << choice.name.toStdString();
      EXPECT_EQ(action->chosen(), choice.name) << id;
    }
    EXPECT_FALSE(w.run(id, {{"name", "no such thing"}}).ok) << id;
    auto* button = w.window.findChild<QToolButton*>(QString::fromLatin1(id) + "Button");
    ASSERT_NE(button, nullptr) << id;
    emit button->menu()->aboutToShow();
    EXPECT_EQ(static_cast<size_t>(button->menu()->actions().size()), action->choices.size());
    button->menu()->actions().front()->trigger();
    ASSERT_TRUE(w.settle());
    EXPECT_EQ(action->chosen(), action->choices.front().name);
  }
  const ir::ColourMode before = w.document.colours();
  w.run("colour-by");
  EXPECT_NE(w.document.colours(), before);
  w.run("previous-colours");
  EXPECT_EQ(w.document.colours(), before);
}

TEST(Actions, CrumbsNameTheCompileBeforeAnythingIsSelected) {
  TestWindow w;
  const auto graph = engineGraph();
  QStringList expected;
  for (const std::string& crumb : session::breadcrumbs(*graph, {})) expected << QString::fromStdString(crumb);
  EXPECT_EQ(w.window.breadcrumbs()->crumbs(), expected);
}

TEST(Actions, PartnerIsThatOfTheEngineAndSaysWhenThereIsNone) {
  TestWindow w;
  const auto graph = engineGraph();
  for (const char* name : {"primals_1", "primals_2", "primals_3", "primals_4", "tangents_1", "t_7", "view"}) {
    w.tab().select(w.node(name));
    const session::Partner expected = session::partnerOf(*graph, graph->graph->find(name));
    ASSERT_TRUE(expected.node) << name;
    w.run("partner");
    EXPECT_EQ(w.selected(), names(*graph, {expected.node})) << name;
  }
  // Facts of the text: t_7 is the gradient of l1.weight, which is primals_1.
  w.tab().select(w.node("primals_1"));
  w.run("partner");
  EXPECT_EQ(w.selected(), QStringList{"t_7"});
  w.tab().select(w.node("primals_5"));  // its gradient is None
  w.run("partner");
  EXPECT_EQ(w.selected(), QStringList{"primals_5"});
  EXPECT_FALSE(w.window.lastMessage().isEmpty());
}

TEST(Actions, WalkingEdgesAndOrder) {
  TestWindow w;
  w.run("select", {{"node", "addmm"}});
  EXPECT_EQ(w.selected(), QStringList{"addmm"});
  w.run("nth-input", {{"n", 2}});
  EXPECT_EQ(w.selected(), QStringList{"primals_5"});
  w.run("consumer");
  EXPECT_EQ(w.selected(), QStringList{"addmm"});
  w.run("next-node");
  EXPECT_EQ(w.selected(), QStringList{"t_1"});
  w.run("previous-node");
  w.run("producer");
  EXPECT_EQ(w.selected(), QStringList{"primals_2"});
  EXPECT_FALSE(w.run("producer").ok);
  EXPECT_FALSE(w.run("nth-reader", {{"n", 9}}).ok);
  w.run("select", {{"node", "mm"}});
  w.run("select-same-op");
  EXPECT_EQ(w.selected(), (QStringList{"mm_1", "mm"}));
}

TEST(Actions, GoToTakesNameIndexLineAndPrefix) {
  TestWindow w;
  w.run("goto", {{"where", "mm_1"}});
  EXPECT_EQ(w.selected(), QStringList{"mm_1"});
  w.run("goto", {{"where", "0"}});
  EXPECT_EQ(w.selected(), QStringList{"primals_1"});
  w.run("goto", {{"where", "addmm_"}});
  EXPECT_EQ(w.selected(), QStringList{"addmm_1"});
  const QList<QByteArray> lines = readText(samplePath()).split('\n');
  int line = 0;
  for (int i = 0; i < lines.size(); ++i)
    if (lines[i].trimmed().startsWith("sum_2:")) line = i + 1;
  w.run("goto", {{"where", QStringLiteral(":%1").arg(line)}});
  EXPECT_EQ(w.selected(), QStringList{"sum_2"});
  w.run("goto", {{"where", "nothing_like_it"}});
  EXPECT_EQ(w.selected(), QStringList{"sum_2"});
  EXPECT_TRUE(w.window.lastMessage().contains("nothing_like_it"));
}

TEST(Actions, CopyNameAndAddress) {
  TestWindow w;
  w.tab().select(w.node("mm"));
  w.run("copy-name");
  EXPECT_EQ(QGuiApplication::clipboard()->text(), "mm");
  w.run("copy-address");
  EXPECT_EQ(QGuiApplication::clipboard()->text(), shellQuote(samplePath() + "::graph#mm"));
}

TEST(Actions, ViewSwitchesChangeThePictureAsTheEngineWould) {
  TestWindow w;
  const auto graph = engineGraph();
  w.run("joint-u");
  EXPECT_TRUE(w.tab().state().jointU);
  session::SceneOptions options;
  options.jointU = true;
  const ir::Scene expected = session::buildScene(*graph, options);
  ASSERT_EQ(w.tab().scene()->nodes.size(), expected.nodes.size());
  w.run("undo");
  EXPECT_FALSE(w.tab().state().jointU);
  // The engine keeps boxes near the picture before: the same one must be given to both.
  const std::shared_ptr<const ir::Scene> before = w.tab().scene();
  w.run("flow");
  options.jointU = false;
  options.leftToRight = true;
  options.previous = before.get();
  const ir::Scene wide = session::buildScene(*graph, options);
  EXPECT_FLOAT_EQ(w.tab().scene()->bounds.w, wide.bounds.w);
  EXPECT_FLOAT_EQ(w.tab().scene()->bounds.h, wide.bounds.h);
  EXPECT_NE(w.tab().scene(), before);
  EXPECT_TRUE(w.window.actions().find("flow")->cli({}).contains("--left-to-right"));
  w.run("group-by", {{"name", "none"}});
  EXPECT_EQ(w.tab().scene()->groups.size(), 0u);
  EXPECT_FALSE(w.run("group-by", {{"name", "colour"}}).ok);
}

TEST(Actions, JointDrawingSaysWhyNot) {
  QTemporaryDir folder;
  writeText(
      folder.filePath("f.txt"),
      "class A(torch.nn.Module):\n    def forward(self, a):\n        relu = torch.ops.aten.relu.default(a)\n"
      "        return (relu,)\n");
  TestWindow w(folder.filePath("f.txt"));
  const ActionOutcome outcome = w.run("joint-u");
  EXPECT_FALSE(outcome.ok);
  EXPECT_TRUE(outcome.message.contains("tangents"));
}

TEST(Actions, ThemesSwitchLive) {
  TestWindow w;
  std::set<QRgb> colours;
  for (const char* name : {"light", "dark", "high-contrast"}) {
    EXPECT_TRUE(w.run("theme", {{"name", name}}).ok);
    EXPECT_EQ(w.window.currentPage()->canvas()->theme().kind, w.window.theme().kind);
    colours.insert(w.window.theme().window.rgb());
    colours.insert(w.window.theme().canvas.rgb() ^ 1);
  }
  EXPECT_GE(colours.size(), 5u);
  EXPECT_FALSE(w.run("theme", {{"name", "pink"}}).ok);
}

TEST(Actions, DocksPresetsAndCamera) {
  TestWindow w;
  EXPECT_TRUE(w.run("hide-dock", {{"dock", "problems"}}).ok);
  EXPECT_TRUE(w.window.panel("problems")->isHidden());
  EXPECT_TRUE(w.run("show-dock", {{"dock", "problems"}}).ok);
  EXPECT_FALSE(w.window.panel("problems")->isHidden());
  EXPECT_FALSE(w.run("show-dock", {{"dock", "kitchen"}}).ok);
  EXPECT_TRUE(w.run("layout-joint").ok);
  EXPECT_FALSE(w.window.panel("descriptors")->visibleRegion().isEmpty());
  w.run("zoom", {{"percent", 150}});
  EXPECT_NEAR(w.window.currentPage()->canvas()->zoom(), 1.5, 1e-6);
  w.run("fit");
  const bool before = w.window.currentPage()->canvas()->isMinimapVisible();
  w.run("minimap");
  EXPECT_NE(w.window.currentPage()->canvas()->isMinimapVisible(), before);
}

TEST(Actions, TabsCloseAndCycle) {
  TestWindow w;
  w.document.open(QStringLiteral(DESCRY_SOURCE_DIR) + "/samples/graphs/attention_joint.txt");
  ASSERT_TRUE(w.settle());
  ASSERT_EQ(w.document.tabs().size(), 2u);
  const QString second = w.tab().path();
  w.run("next-tab");
  EXPECT_EQ(w.tab().path(), samplePath());
  w.run("previous-tab");
  EXPECT_EQ(w.tab().path(), second);
  w.run("back");
  EXPECT_EQ(w.tab().path(), samplePath());
  w.run("close-tab");
  EXPECT_EQ(w.document.tabs().size(), 1u);
  w.run("close-tab");
  EXPECT_EQ(w.document.current(), nullptr);
}

TEST(Actions, WorkspaceTravels) {
  QTemporaryDir folder;
  const QString file = folder.filePath("w.descry");
  {
    TestWindow w;
    w.run("select", {{"node", "mm"}});
    w.run("flow");
    EXPECT_TRUE(w.run("save-workspace", {{"file", file}}).ok);
  }
  TestWindow w{QString()};
  EXPECT_TRUE(w.run("load-workspace", {{"file", file}}).ok);
  ASSERT_NE(w.document.current(), nullptr);
  EXPECT_EQ(w.selected(), QStringList{"mm"});
  EXPECT_TRUE(w.tab().state().leftToRight);
  EXPECT_FALSE(w.run("load-workspace", {{"file", samplePath()}}).ok);
}

TEST(Palette, FindsAndRunsAnAction) {
  TestWindow w;
  w.window.trigger("palette");
  PaletteDialog* palette = w.window.palettePopup();
  ASSERT_TRUE(palette->isVisible());
  palette->edit()->setText("left to right");
  ASSERT_GE(palette->model().rowCount(), 1);
  EXPECT_EQ(palette->model().entry(0)->id, "flow");
  palette->accept();
  ASSERT_TRUE(w.settle());
  EXPECT_TRUE(w.tab().state().leftToRight);
}

TEST(KeySheet, ListsEveryKey) {
  TestWindow w;
  const QString html = keySheetHtml(w.window.actions(), "#000", "#000");
  for (const auto& action : w.window.actions().all())
    if (!action->keys.isEmpty()) {
      EXPECT_TRUE(html.contains(action->title.toHtmlEscaped())) << qPrintable(action->id);
    }
}

TEST(KeySheet, NoKeyIsCutOff) {
  TestWindow w;
  for (const QSize size : {QSize(900, 700), QSize(1280, 800), QSize(1900, 1100)}) {
    w.window.resize(size);
    KeySheet sheet(w.window.actions(), "Graph", "Drag pans.", &w.window);
    sheet.show();
    auto* area = sheet.findChild<QScrollArea*>();
    ASSERT_NE(area, nullptr);
    QCoreApplication::processEvents();
    const int room = area->viewport()->width();
    for (const QLabel* label : area->widget()->findChildren<QLabel*>()) {
      EXPECT_GE(label->width(), label->sizeHint().width()) << size.width();
      EXPECT_LE(label->mapTo(area->widget(), QPoint(label->width(), 0)).x(), room) << size.width();
    }
    EXPECT_LE(sheet.width(), size.width());
    EXPECT_LE(sheet.height(), size.height());
  }
}

TEST(ExportDialog, ShowsCommandAndExactSize) {
  TestWindow w;
  ExportDialog dialog(w.document, &w.window);
  dialog.show();
  ASSERT_TRUE(waitFor([&] { return !dialog.estimate().isEmpty(); }));
  const session::ExportRequest request = dialog.request();
  EXPECT_EQ(request.format, "svg");
  EXPECT_EQ(dialog.commandLine().toStdString(), session::exportCommandLine(*engineGraph(), request));
}

}  // namespace
}  // namespace descry::gui
