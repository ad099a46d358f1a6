// Running passes in the inspector: states, the cut, other cuts, and PyTorch's own graphs.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "gui/app/breadcrumb_bar.h"
#include "gui/app/graph_page.h"
#include "gui/app/script_runner.h"
#include "session/diff.h"
#include "tests/gui/pass_window.h"

namespace descry::gui {
namespace {

// ---- states

TEST(PassStepper, StepsThroughTheStatesOfTheEngineAndBackToTheFile) {
  Document document(false);
  document.open(kCaptured);
  ASSERT_TRUE(waitIdle(document));
  GraphTab& tab = *document.current();
  const session::LoadedGraphPtr own = tab.graph();
  const session::PassRunPtr expected = Engine().run("aot");
  tab.passes().run("aot");
  EXPECT_TRUE(tab.passes().running());
  ASSERT_TRUE(waitIdle(document));
  EXPECT_FALSE(tab.passes().running());
  ASSERT_EQ(tab.passes().lastPosition() + 1, expected->positions());
  EXPECT_EQ(tab.passes().position(), tab.passes().lastPosition());
  std::string before;
  size_t texts = 0;
  for (size_t at = 0; at < expected->positions(); ++at) {
    for (size_t g = 0; g < expected->graphCount(at); ++g) {
      tab.passes().goTo(at, q(expected->graphName(at, g)));
      ASSERT_TRUE(waitIdle(document));
      EXPECT_EQ(tab.passes().position(), at);
      EXPECT_EQ(tab.passes().graphName(), q(expected->graphName(at, g)));
      const std::string text = shownText(tab);
      EXPECT_EQ(text, session::textView(*expected->graph(at, g)).text) << at;
      texts += text != before;
      before = text;
    }
  }
  EXPECT_GE(texts, 5u);  // captured, lowered, functional, joint, forward, backward
  tab.passes().goTo(0);
  ASSERT_TRUE(waitIdle(document));
  EXPECT_EQ(tab.graph(), own);
  EXPECT_EQ(tab.passes().stateText(), "");
}

TEST(PassStepper, AllViewsShowTheStateAndSelectionFollowsByName) {
  Document document(false);
  document.open(kCaptured);
  ASSERT_TRUE(waitIdle(document));
  GraphTab& tab = *document.current();
  tab.passes().run("aot");
  ASSERT_TRUE(waitIdle(document));
  tab.passes().goTo(*tab.passes().positionFrom("trace-joint"));
  ASSERT_TRUE(waitIdle(document));
  tab.request(Part::Text);
  tab.request(Part::Table);
  tab.request(Part::Io);
  ASSERT_TRUE(waitIdle(document));
  ASSERT_TRUE(tab.sceneIsCurrent());
  EXPECT_EQ(tab.table()->size(), 116u);
  EXPECT_EQ(tab.text()->text(), session::textView(*tab.graph()).text);
  EXPECT_EQ(tab.io()->size(), 28u);
  tab.select(NameIndex(tab.graph()).find("gelu"));
  ASSERT_TRUE(waitIdle(document));
  tab.passes().goTo(kCut, "forward");
  ASSERT_TRUE(waitIdle(document));
  EXPECT_EQ(tab.selectedNames(), QStringList{"gelu"});
  ASSERT_NE(tab.details(), nullptr);
  EXPECT_EQ(tab.details()->name, "gelu");
  tab.passes().goTo(kCut, "backward");  // does not compute it
  ASSERT_TRUE(waitIdle(document));
  EXPECT_TRUE(tab.selection().empty());
  EXPECT_EQ(tab.details(), nullptr);
  tab.passes().goTo(kTraced);
  ASSERT_TRUE(waitIdle(document));
  EXPECT_EQ(tab.selectedNames(), QStringList{"gelu"});
}

TEST(PassStepper, KeepsTheChosenGraphFromPassToPass) {
  Document document(false);
  document.open(kCaptured);
  ASSERT_TRUE(waitIdle(document));
  PassStepper& passes = document.current()->passes();
  passes.run("aot");
  ASSERT_TRUE(waitIdle(document));
  EXPECT_EQ(passes.graphNames(), (QStringList{"forward", "backward"}));
  EXPECT_EQ(passes.graphName(), "forward");
  passes.goTo(kEnd, "backward");
  passes.goTo(kTraced);
  EXPECT_EQ(passes.graphName(), "joint");
  passes.goTo(kCut);
  EXPECT_EQ(passes.graphName(), "backward");
  ASSERT_TRUE(waitIdle(document));
  EXPECT_EQ(document.current()->graph()->graph->size(), 84u);
}

TEST(PassStepper, PhasesOfTheJointAreThoseOfPyTorchsJoint) {
  const Engine engine;
  const auto run = engine.run("aot");
  const auto ours = run->graph(run->positionOf("trace-joint"), 0);
  const auto recorded = session::recordedGraph(*engine.document, *engine.start, "joint");
  ASSERT_TRUE(recorded);
  EXPECT_TRUE(ours->phases.joint);
  const ir::Scene scene = session::buildScene(*ours, {}), expected = session::buildScene(*recorded, {});
  std::map<std::string, ir::Phase> phases;
  for (const ir::SceneNode& n : expected.nodes)
    if (n.node) phases[std::string(recorded->graph->nodeName(n.node))] = n.phase;
  size_t backward = 0;
  for (const ir::SceneNode& n : scene.nodes) {
    if (!n.node) continue;
    EXPECT_EQ(n.phase, phases.at(std::string(ours->graph->nodeName(n.node))))
        << ours->graph->nodeName(n.node);
    backward += n.phase == ir::Phase::Backward;
  }
  EXPECT_GT(backward, 30u);
}

TEST(PassStepper, AWorkspaceBringsTheShownStateBack) {
  Document document(false);
  document.open(kCaptured);
  ASSERT_TRUE(waitIdle(document));
  PassStepper& passes = document.current()->passes();
  passes.run("aot");
  ASSERT_TRUE(waitIdle(document));
  passes.wish({"gelu"}, PassStepper::Wish::Save);
  ASSERT_TRUE(waitIdle(document));
  passes.goTo(kCut, "backward");
  ASSERT_TRUE(waitIdle(document));
  const std::string shown = shownText(*document.current());
  Document fresh(false);
  fresh.restore(document.workspace());
  ASSERT_TRUE(waitIdle(fresh));
  ASSERT_NE(fresh.current(), nullptr);
  const PassStepper& again = fresh.current()->passes();
  EXPECT_EQ(again.position(), kCut);
  EXPECT_EQ(again.graphName(), "backward");
  EXPECT_EQ(again.wishes(), passes.wishes());
  EXPECT_EQ(shownText(*fresh.current()), shown);
}

TEST(PassStepper, EveryStateIsCheckedWhereThatIsAskedFor) {
  PassWindow w;
  EXPECT_FALSE(w.panel().verify()->isChecked());
  w.panel().verify()->click();
  EXPECT_TRUE(w.passes().verifiesEach());
  EXPECT_TRUE(w.panel().verify()->isChecked());
  EXPECT_TRUE(w.window.actions().find("run-passes")->cli({}).endsWith(" --verify-each"));
  EXPECT_TRUE(w.run("run-passes", {{"passes", "aot"}}).ok);
  ASSERT_TRUE(w.settle());
  EXPECT_TRUE(w.passes().passRun()->recording().verified);
  EXPECT_TRUE(w.run("verify-passes").ok);
  EXPECT_FALSE(w.panel().verify()->isChecked());
  EXPECT_TRUE(w.run("run-passes", {{"passes", "aot"}}).ok);
  ASSERT_TRUE(w.settle());
  EXPECT_FALSE(w.passes().passRun()->recording().verified);
}

TEST(PassStepper, OpsThatTheProjectDeclaresAreKnown) {
  QTemporaryDir folder;
  const auto write = [&](const char* name, const QByteArray& text) {
    QFile file(folder.filePath(QString::fromLatin1(name)));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
  };
  write("graph.txt",
        "class GraphModule(torch.nn.Module):\n"
        "    def forward(self, L_x_: \"i64[4][1]cpu\"):\n"
        "        bump: \"i64[4][1]cpu\" = torch.ops.mylib.bump(L_x_)\n"
        "        return (L_x_,)\n");
  Document document(false);
  document.open(folder.filePath(QStringLiteral("graph.txt")));
  ASSERT_TRUE(waitIdle(document));
  PassStepper& passes = document.current()->passes();
  passes.run("aot");
  ASSERT_TRUE(waitIdle(document));
  ASSERT_TRUE(passes.passRun());
  EXPECT_TRUE(passes.passRun()->recording().failure) << "nothing tells what bump writes";
  write("descry.ops", "mylib::bump(Tensor(a!) x) -> Tensor\n");
  passes.run("aot");
  ASSERT_TRUE(waitIdle(document));
  EXPECT_FALSE(passes.passRun()->recording().failure);
  write("descry.ops", "mylib::bump(Tensor\n");
  QSignalSpy failed(&passes, &PassStepper::failed);
  passes.run("aot");
  ASSERT_TRUE(waitIdle(document));
  ASSERT_EQ(failed.count(), 1);
  EXPECT_TRUE(failed[0][0].toString().contains(QLatin1String("descry.ops:1:")))
      << failed[0][0].toString().toStdString();
}

TEST(PassStepper, ErrorsAreSaidAndLeaveTheGraphAlone) {
  Document document(false);
  document.open(kCaptured);
  ASSERT_TRUE(waitIdle(document));
  PassStepper& passes = document.current()->passes();
  QSignalSpy failed(&document, &Document::failed);
  for (const auto& [pipeline, says] :
       {std::pair("no-such-pass", "no-such-pass"), std::pair("", "missing"),
        std::pair("partition(method=luck)", "luck"), std::pair("aot(", "not closed")}) {
    failed.clear();
    passes.run(pipeline);
    ASSERT_TRUE(waitIdle(document));
    ASSERT_EQ(failed.size(), 1) << pipeline;
    if (QByteArray(pipeline) != "aot(") {
      EXPECT_TRUE(failed[0][0].toString().contains(says)) << qPrintable(failed[0][0].toString());
    }
    EXPECT_EQ(passes.passRun(), nullptr);
    EXPECT_FALSE(passes.running());
  }
  EXPECT_EQ(document.current()->graph()->graph->size(), 32u);
}

TEST(PassStepper, APassThatFailsKeepsWhatWasDone) {
  Document document(false);
  document.open(kCaptured);
  ASSERT_TRUE(waitIdle(document));
  PassStepper& passes = document.current()->passes();
  QSignalSpy failed(&document, &Document::failed);
  passes.run("lower,partition,cse");
  ASSERT_TRUE(waitIdle(document));
  ASSERT_EQ(failed.size(), 1);
  EXPECT_EQ(passes.lastPosition(), 1u);
  EXPECT_EQ(passes.position(), 1u);
  ASSERT_EQ(passes.steps().size(), 3u);
  EXPECT_TRUE(passes.steps()[2].failed);
  EXPECT_EQ(passes.steps()[2].pass, "partition");
  EXPECT_TRUE(passes.steps()[2].summary.contains("traced")) << qPrintable(passes.steps()[2].summary);
  EXPECT_TRUE(failed[0][0].toString().contains("partition"));
}

TEST(PassStepper, CancelledRunsBringNothing) {
  Document document(false);
  document.open(kCaptured);
  ASSERT_TRUE(waitIdle(document));
  PassStepper& passes = document.current()->passes();
  QSignalSpy failed(&document, &Document::failed);
  passes.run("aot");
  passes.cancel();
  EXPECT_FALSE(passes.running());
  ASSERT_TRUE(waitIdle(document));
  EXPECT_EQ(passes.passRun(), nullptr);
  // All jobs at once, as the action `stop` does.
  passes.run("aot");
  document.jobs().cancelAll();
  ASSERT_TRUE(waitIdle(document));
  EXPECT_FALSE(passes.running());
  EXPECT_EQ(passes.passRun(), nullptr);
  EXPECT_EQ(failed.size(), 0);
  // A run that is stopped leaves the one before.
  passes.run("aot");
  ASSERT_TRUE(waitIdle(document));
  const session::PassRunPtr kept = passes.passRun();
  passes.run("cleanup");
  passes.cancel();
  ASSERT_TRUE(waitIdle(document));
  EXPECT_EQ(passes.passRun(), kept);
}

TEST(PassStepper, BackAndForwardGoAcrossStates) {
  Document document(false);
  document.open(kCaptured);
  ASSERT_TRUE(waitIdle(document));
  GraphTab& tab = *document.current();
  tab.passes().run("aot");
  ASSERT_TRUE(waitIdle(document));
  tab.passes().goTo(kTraced);
  ASSERT_TRUE(waitIdle(document));
  tab.select(NameIndex(tab.graph()).find("mm"));
  tab.passes().goTo(kCut, "backward");
  ASSERT_TRUE(waitIdle(document));
  document.goBack();
  ASSERT_TRUE(waitIdle(document));
  EXPECT_EQ(tab.passes().position(), kTraced);
  EXPECT_EQ(tab.selectedNames(), QStringList{"mm"});
  document.goForward();
  ASSERT_TRUE(waitIdle(document));
  EXPECT_EQ(tab.passes().position(), kCut);
  EXPECT_EQ(tab.passes().graphName(), "backward");
  // Places of a run that is gone keep the shown graph.
  tab.passes().run("cleanup");
  ASSERT_TRUE(waitIdle(document));
  QSignalSpy message(&document, &Document::message);
  document.goBack();
  ASSERT_TRUE(waitIdle(document));
  EXPECT_EQ(message.size(), 1);
}

TEST(PassStepper, AReloadRunsThePassesAgain) {
  QTemporaryDir folder;
  const QString path = folder.filePath("trace.log");
  ASSERT_TRUE(QFile::copy(kTrace, path));
  Document document(false);
  document.open(path + "::0/0:dynamo");
  ASSERT_TRUE(waitIdle(document));
  GraphTab& tab = *document.current();
  tab.passes().run("aot");
  ASSERT_TRUE(waitIdle(document));
  tab.passes().wish({"gelu"}, PassStepper::Wish::Recompute);
  ASSERT_TRUE(waitIdle(document));
  tab.passes().goTo(kCut, "backward");
  ASSERT_TRUE(waitIdle(document));
  const session::PassRunPtr before = tab.passes().passRun();
  const std::string text = shownText(tab);
  document.reload(path);
  ASSERT_TRUE(waitIdle(document));
  EXPECT_NE(tab.passes().passRun(), before);
  EXPECT_EQ(tab.passes().position(), kCut);
  EXPECT_EQ(tab.passes().graphName(), "backward");
  EXPECT_EQ(tab.passes().wishes().size(), 1u);
  EXPECT_EQ(shownText(tab), text);
}

// ---- the cut

TEST(PassStepper, WishesChangeFateAndBytesAndAreTakenBack) {
  Document document(false);
  document.open(kCaptured);
  ASSERT_TRUE(waitIdle(document));
  PassStepper& passes = document.current()->passes();
  passes.run("aot");
  ASSERT_TRUE(waitIdle(document));
  passes.goTo(kTraced);
  ASSERT_TRUE(waitIdle(document));
  const auto shown = document.current()->graph();
  ASSERT_NE(passes.cut(), nullptr);
  EXPECT_EQ(passes.cut()->savedBytes, 3936);
  passes.wish({"gelu"}, PassStepper::Wish::Recompute);
  ASSERT_TRUE(waitIdle(document));
  const auto expected =
      session::cutReport(*Engine().run("lower,collect-metadata,merge-duplicates,synthetic-bases,"
                                       "functionalize,trace-joint,partition(recompute=gelu)"));
  ASSERT_TRUE(expected);
  EXPECT_EQ(passes.cut()->savedBytes, expected->savedBytes);
  EXPECT_EQ(passes.cut()->savedBytes, 3680);
  EXPECT_EQ(passes.cutBefore()->savedBytes, 3936);
  EXPECT_TRUE(passes.cutHeadline().contains("256 fewer than the plain cut"))
      << qPrintable(passes.cutHeadline());
  const auto fate = [&](const char* node) {
    for (const auto& r : passes.cut()->rows)
      if (r.node == node) return r.fate;
    return std::string();
  };
  EXPECT_EQ(fate("gelu"), "recomputed");
  EXPECT_EQ(passes.position(), kTraced);
  EXPECT_EQ(document.current()->graph(), shown);  // nothing changes before the cut
  passes.wish({"_unsafe_view_2"}, PassStepper::Wish::Save);
  ASSERT_TRUE(waitIdle(document));
  EXPECT_EQ(fate("_unsafe_view_2"), "saved");
  EXPECT_EQ(passes.wishes().size(), 2u);
  EXPECT_EQ(passes.pipelineTo(kCut).section(',', kCut - 1), "partition(recompute=gelu, save=_unsafe_view_2)");
  EXPECT_EQ(passes.cutCommandLine(passes.wishes()),
            "descry aot " + kCaptured + " --cut --save _unsafe_view_2 --recompute gelu");
  // What cannot be recomputed is said, and the cut stays.
  QSignalSpy failed(&document, &Document::failed);
  passes.wish({"getitem"}, PassStepper::Wish::Recompute);
  ASSERT_TRUE(waitIdle(document));
  ASSERT_EQ(failed.size(), 1);
  EXPECT_TRUE(failed[0][0].toString().startsWith("partition: ")) << qPrintable(failed[0][0].toString());
  EXPECT_EQ(passes.wishes().size(), 2u);
  passes.clearWishes();
  ASSERT_TRUE(waitIdle(document));
  EXPECT_TRUE(passes.wishes().empty());
  EXPECT_EQ(passes.cut()->savedBytes, 3936);
}

TEST(PassStepper, WishesInThePipelineAreComparedWithTheCutWithoutThem) {
  Document document(false);
  document.open(kTrace + "::0/0:joint");
  ASSERT_TRUE(waitIdle(document));
  PassStepper& passes = document.current()->passes();
  EXPECT_EQ(passes.defaultPipeline(), "partition");
  passes.run("partition(method=min-cut, recompute=gelu)");
  ASSERT_TRUE(waitIdle(document));
  ASSERT_EQ(passes.wishes().size(), 1u);
  EXPECT_EQ(passes.wishes().begin()->first, "gelu");
  EXPECT_EQ(passes.cut()->savedBytes, 3680);
  ASSERT_NE(passes.cutBefore(), nullptr);
  EXPECT_EQ(passes.cutBefore()->savedBytes, 3936);
  EXPECT_EQ(passes.cutCommandLine({}),
            "descry opt " + kTrace + "::0/0:joint --passes 'partition(method=min-cut)' --findings");
}

// ---- PyTorch's own

TEST(PassStepper, ComparesWithPyTorchsGraphOfTheSameKind) {
  Document document(false);
  document.open(kCaptured);
  ASSERT_TRUE(waitIdle(document));
  PassStepper& passes = document.current()->passes();
  EXPECT_FALSE(passes.compareUnavailable().isEmpty());
  passes.run("aot");
  ASSERT_TRUE(waitIdle(document));
  const Engine engine;
  const auto run = engine.run("aot");
  for (const auto& [position, which] : {std::pair(kTraced, 0), std::pair(kCut, 0), std::pair(kCut, 1)}) {
    passes.goTo(position, q(run->graphName(position, which)));
    ASSERT_TRUE(waitIdle(document));
    EXPECT_EQ(passes.comparison(), nullptr);
    passes.compare();
    EXPECT_TRUE(passes.comparing());
    ASSERT_TRUE(waitIdle(document));
    const auto recorded =
        session::recordedGraph(*engine.document, *engine.start, run->graphName(position, which));
    const session::GraphDiff diff = session::diffGraphs(recorded, run->graph(position, which));
    ASSERT_NE(passes.comparison(), nullptr);
    EXPECT_EQ(passes.comparison()->equal, diff.identical());
    EXPECT_EQ(passes.comparison()->rows.empty(), diff.identical());
    EXPECT_EQ(passes.comparison()->recordedId, q(recorded->entry.id));
    size_t only = 0;
    for (const ComparisonRow& row : passes.comparison()->rows) only += row.state == "only here";
    EXPECT_EQ(only, diff.added);
  }
  passes.goTo(kTraced);
  ASSERT_NE(passes.comparison(), nullptr);  // kept
  EXPECT_TRUE(passes.comparison()->equal);
  // A graph named forward that PyTorch does not record, and the file's own.
  passes.goTo(kBeforeTrace);
  EXPECT_EQ(passes.graphName(), "forward");
  EXPECT_EQ(passes.recordedKind(), "");
  EXPECT_TRUE(passes.compareUnavailable().contains("stage"));
  passes.goTo(0);
  EXPECT_TRUE(passes.compareUnavailable().contains("file"));
}

TEST(PassStepper, SaysWhenTheFileHasNoGraphToCompareWith) {
  OpenSample s;
  PassStepper& passes = s.tab().passes();
  passes.run(passes.defaultPipeline());
  ASSERT_TRUE(waitIdle(s.document));
  ASSERT_NE(passes.passRun(), nullptr);
  ASSERT_EQ(passes.recordedKind(), "forward");
  QSignalSpy failed(&s.document, &Document::failed);
  passes.compare();
  ASSERT_TRUE(waitIdle(s.document));
  ASSERT_NE(passes.comparison(), nullptr);
  EXPECT_TRUE(passes.comparison()->recordedId.isEmpty());
  EXPECT_EQ(failed.size(), 1);
}

// ---- actions

TEST(PassActions, SayWhyTheyCannotBeDone) {
  TestWindow empty{QString()};
  const char* all[] = {"run-passes",       "next-pass",     "previous-pass",   "go-to-pass",
                       "pass-graph",       "save-value",    "recompute-value", "clear-wishes",
                       "compare-recorded", "open-recorded", "select-saved"};
  for (const char* id : all) {
    ASSERT_NE(empty.window.actions().find(id), nullptr) << id;
    EXPECT_EQ(empty.run(id).message, "No graph is open.") << id;
  }
  PassWindow w;
  EXPECT_EQ(w.run("next-pass").message, "No passes were run on this graph.");
  EXPECT_EQ(w.run("save-value", {{"node", "gelu"}}).message, "No passes were run on this graph.");
  EXPECT_TRUE(w.run("run-passes", {{"passes", "lower"}}).ok);
  EXPECT_EQ(w.run("next-pass").message, "This is the graph after the last pass.");
  EXPECT_TRUE(w.run("select-saved").message.contains("partition"));
  EXPECT_TRUE(w.run("compare-recorded").message.contains("lowered"));
  EXPECT_TRUE(w.run("go-to-pass", {{"position", "9"}}).message.contains("9"));
  EXPECT_TRUE(w.run("go-to-pass", {{"position", "trace-joint"}}).message.contains("trace-joint"));
  EXPECT_TRUE(w.run("previous-pass").ok);
  EXPECT_EQ(w.run("previous-pass").message, "This is the graph before all passes.");
  EXPECT_TRUE(w.run("run-passes").ok);  // what the dock shows
  EXPECT_EQ(w.passes().pipeline(), "lower");
  EXPECT_TRUE(w.run("choose-passes", {{"passes", "aot"}}).ok);
  EXPECT_TRUE(w.run("run-passes").ok);
  EXPECT_EQ(w.passes().pipeline(), "aot");
  EXPECT_TRUE(w.run("pass-graph", {{"name", "sideways"}}).message.contains("forward, backward"));
  EXPECT_TRUE(w.run("save-value").message.contains("none is selected"));
  EXPECT_TRUE(w.run("recompute-value", {{"node", "no_such"}}).message.contains("no_such"));
  EXPECT_EQ(w.run("clear-wishes").message, "There are no wishes.");
  EXPECT_EQ(w.window.actions().doubledKeys(), QStringList());
}

TEST(PassActions, CommandLinesSayTheSameOutsideTheWindow) {
  PassWindow w;
  const auto cli = [&](const char* id, const QJsonObject& args = {}) {
    return w.window.actions().find(id)->cli(args);
  };
  EXPECT_EQ(cli("run-passes", {{"passes", "cse,dce"}}),
            "descry opt " + kCaptured + " --passes cse,dce --summary");
  w.run("run-passes", {{"passes", "aot"}});
  w.run("go-to-pass", {{"position", "1"}});
  EXPECT_EQ(cli("next-pass"), "descry opt " + kCaptured + " --passes lower,collect-metadata");
  EXPECT_EQ(cli("previous-pass"), "descry show " + kCaptured);
  EXPECT_EQ(cli("go-to-pass", {{"position", "lower"}}), "descry opt " + kCaptured + " --passes lower");
  EXPECT_EQ(cli("query", {{"text", "op=gelu"}}),
            "descry find <(descry opt " + kCaptured + " --passes lower) op=gelu");
  w.run("select", {{"node", "gelu"}});
  EXPECT_EQ(cli("copy-name"), "descry show <(descry opt " + kCaptured + " --passes lower)#gelu");
  EXPECT_TRUE(cli("layout").startsWith("descry layout <(descry opt "));
  EXPECT_TRUE(cli("export", {{"file", "x.svg"}}).startsWith("descry export <(descry opt "));
  EXPECT_TRUE(cli("back").startsWith("printf '%s\\n' 'run-passes lower' back | descry open "));
  EXPECT_EQ(cli("save-value"), "descry aot " + kCaptured + " --cut --save gelu");
  EXPECT_EQ(cli("recompute-value", {{"node", "view"}}),
            "descry aot " + kCaptured + " --cut --recompute view");
  EXPECT_EQ(cli("compare-recorded"), "descry aot " + kCaptured + " --compare");
  w.run("go-to-pass", {{"position", "partition"}});
  w.run("pass-graph", {{"name", "backward"}});
  EXPECT_TRUE(cli("compare-recorded").startsWith("descry diff " + kTrace + "::0/0:backward <(descry opt "));
  EXPECT_TRUE(cli("compare-recorded").endsWith(")::graph#2"));
  EXPECT_EQ(cli("open-recorded"), "descry show " + kTrace + "::0/0:backward");
}

TEST(PassActions, BracketsStepFromTheCanvasAndFromTables) {
  PassWindow w;
  w.run("run-passes", {{"passes", "aot"}});
  QWidget* canvas = w.window.currentPage()->canvas();
  canvas->setFocus();
  QTest::keyClick(canvas, Qt::Key_BracketLeft);
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.passes().position(), kEnd - 1);
  QTest::keyClick(canvas, Qt::Key_BracketRight);
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.passes().position(), kEnd);
  QTest::keyClick(w.panel().steps().table, Qt::Key_BracketLeft);
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.passes().position(), kEnd - 1);
}

TEST(PassActions, SelectSavedAndOpenRecorded) {
  PassWindow w;
  w.run("run-passes", {{"passes", "aot"}});
  w.run("select-saved");
  EXPECT_EQ(w.tab().selection().size(), 24u);
  QStringList saved;
  const auto report = session::cutReport(*Engine().run("aot"));
  ASSERT_TRUE(report);
  for (const auto& r : report->rows)
    if (r.savedIndex >= 0) saved << q(r.node);
  EXPECT_EQ(w.selected(), saved);
  w.run("pass-graph");  // the next one
  EXPECT_EQ(w.passes().graphName(), "backward");
  EXPECT_TRUE(w.run("open-recorded").ok);
  EXPECT_EQ(w.document.tabs().size(), 2u);
  EXPECT_EQ(w.tab().graphId(), "0/0:backward");
}

// ---- panel

TEST(PassesPanel, SaysWhatToDoBeforeAnythingRan) {
  PassWindow w;
  PassesPanel& p = w.panel();
  EXPECT_TRUE(p.steps().table->isHidden());
  EXPECT_TRUE(p.steps().headline->text().contains("press Run: aot"))
      << qPrintable(p.steps().headline->text());
  EXPECT_TRUE(p.cut().headline->text().contains("partition"));
  EXPECT_EQ(p.comparison().headline->text(), "Run passes first.");
  EXPECT_EQ(p.pipeline()->itemText(0), "aot");
  p.runButton()->click();
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.passes().lastPosition(), kEnd);
}

TEST(PassesPanel, ListsStepsWithTheCurrentOneMarked) {
  PassWindow w;
  PassesPanel& p = w.panel();
  w.run("run-passes", {{"passes", "aot"}});
  const auto run = Engine().run("aot");
  ASSERT_EQ(p.steps().model->rowCount(), int(kEnd) + 1);
  for (int i = 1; i <= int(kEnd); ++i) {
    const passes::PassRecord& r = run->recording().passes[static_cast<size_t>(i - 1)];
    EXPECT_EQ(w.cell(p.steps(), i, 0), QString::number(i));
    EXPECT_EQ(w.cell(p.steps(), i, 1), q(r.text));
    EXPECT_EQ(w.cell(p.steps(), i, 4), q(r.outcome.summary));
    EXPECT_EQ(w.tone(p.steps(), i), i == int(kEnd)      ? CellTone::Strong
                                    : r.outcome.changed ? CellTone::Normal
                                                        : CellTone::Dim);
  }
  EXPECT_EQ(w.cell(p.steps(), kCut, 2), "forward + backward");
  EXPECT_EQ(w.cell(p.steps(), kCut, 3), "142");
  EXPECT_FALSE(p.graphChoice()->isHidden());
  emit p.steps().table->activated(p.steps().model->index(kTraced, 0));
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.passes().position(), kTraced);
  EXPECT_EQ(w.tone(p.steps(), kTraced), CellTone::Strong);
  EXPECT_TRUE(p.graphChoice()->isHidden());
  EXPECT_EQ(w.window.breadcrumbs()->crumbs().last(), "0/0:dynamo@9:joint");
  w.run("go-to-pass", {{"position", "collect-metadata"}});
  ASSERT_EQ(p.findings().model->rowCount(), 1);
  EXPECT_EQ(w.cell(p.findings(), 0, 1), "TangentAOTInput(output=PlainAOTOutput(idx=0))");
}

TEST(PassesPanel, AFailedPassIsTheLastRowWithItsReason) {
  PassWindow w;
  PassesPanel& p = w.panel();
  w.run("run-passes", {{"passes", "lower,partition"}});
  ASSERT_EQ(p.steps().model->rowCount(), 3);
  EXPECT_EQ(w.tone(p.steps(), 2), CellTone::Error);
  EXPECT_TRUE(w.cell(p.steps(), 2, 4).startsWith("failed: "));
  emit p.steps().table->activated(p.steps().model->index(2, 0));  // leads nowhere
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.passes().position(), 1u);
}

TEST(PassesPanel, CutRowsAreThoseOfTheEngineAndSelectTheirNode) {
  PassWindow w;
  PassesPanel& p = w.panel();
  w.run("run-passes", {{"passes", "aot"}});
  const auto report = session::cutReport(*Engine().run("aot"));
  ASSERT_TRUE(report);
  p.allValues()->setChecked(true);
  ASSERT_EQ(p.cut().model->rowCount(), static_cast<int>(report->rows.size()));
  for (int i = 0; i < p.cut().model->rowCount(); ++i) {
    const session::DecisionRow& r = report->rows[static_cast<size_t>(i)];
    EXPECT_EQ(w.cell(p.cut(), i, 1), q(r.node));
    EXPECT_EQ(w.cell(p.cut(), i, 2), q(r.type.substr(0, r.type.find(']') + 1)));
    EXPECT_EQ(w.cell(p.cut(), i, 3), QString::number(r.bytes));
    EXPECT_EQ(w.cell(p.cut(), i, 4), q(r.fate));
    EXPECT_EQ(w.cell(p.cut(), i, 5), q(r.reason));
  }
  p.allValues()->setChecked(false);
  EXPECT_EQ(p.cut().model->rowCount(), 25);
  EXPECT_TRUE(p.cut().headline->text().startsWith(
      "min-cut: 24 values saved, 3936 bytes; 1 recomputed; the cut costs 4344"))
      << qPrintable(p.cut().headline->text());
  w.showPage(p.cut());
  const int row = p.cut().model->rowOf("addmm_2");
  ASSERT_GE(row, 0);
  p.cut().table->selectRow(row);
  EXPECT_EQ(w.selected(), QStringList{"addmm_2"});
  w.run("pass-graph", {{"name", "backward"}});
  EXPECT_EQ(w.selected(), QStringList{"addmm_2"});  // an input there
  w.run("select", {{"node", "view_5"}});
  EXPECT_EQ(p.cut().table->selectionModel()->selectedRows().first().row(), p.cut().model->rowOf("view_5"));
}

TEST(PassesPanel, SaveAndRecomputeCutAgain) {
  PassWindow w;
  PassesPanel& p = w.panel();
  w.run("run-passes", {{"passes", "aot"}});
  w.showPage(p.cut());
  const auto press = [&](const QString& text) {
    for (QPushButton* b : p.cut().table->parentWidget()->findChildren<QPushButton*>())
      if (b->text().startsWith(text) && b->text() != "Select saved") {
        EXPECT_TRUE(b->isEnabled()) << qPrintable(text);
        b->click();
      }
    EXPECT_TRUE(w.settle());
  };
  p.cut().table->selectRow(p.cut().model->rowOf("addmm_2"));
  press("Recompute");
  const int row = p.cut().model->rowOf("addmm_2");
  ASSERT_GE(row, 0);
  EXPECT_EQ(w.cell(p.cut(), row, 4), "recomputed, as wished");
  EXPECT_EQ(w.tone(p.cut(), row), CellTone::Strong);
  EXPECT_TRUE(p.cut().headline->text().contains("192 fewer than the plain cut (3936)"))
      << qPrintable(p.cut().headline->text());
  EXPECT_EQ(w.cell(p.steps(), kCut, 1), "partition(recompute=addmm_2)");
  press("Clear");
  EXPECT_TRUE(w.passes().wishes().empty());
  EXPECT_EQ(w.cell(p.cut(), p.cut().model->rowOf("addmm_2"), 4), "saved");
}

TEST(PassesPanel, ComparisonListsDifferences) {
  PassWindow w;
  PassesPanel& p = w.panel();
  w.run("run-passes", {{"passes", "aot"}});
  w.run("go-to-pass", {{"position", "trace-joint"}});
  w.run("compare-recorded");
  EXPECT_TRUE(p.pages()->currentWidget()->isAncestorOf(p.comparison().table));
  EXPECT_TRUE(p.comparison().headline->text().startsWith("Equal: 116 nodes"))
      << qPrintable(p.comparison().headline->text());
  EXPECT_TRUE(p.comparison().table->isHidden());
  w.run("go-to-pass", {{"position", "partition"}});
  EXPECT_TRUE(p.comparison().headline->text().startsWith("Compare this forward graph"));
  w.run("compare-recorded");
  EXPECT_TRUE(p.comparison().headline->text().contains("with method=default both halves are equal"))
      << qPrintable(p.comparison().headline->text());
  w.run("run-passes", {{"passes", "aot-default"}});
  w.run("compare-recorded");
  EXPECT_EQ(p.comparison().model->rowCount() == 0, w.passes().comparison()->equal);
}

TEST(PassesPanel, FollowsTheTabThatIsShown) {
  PassWindow w;
  PassesPanel& p = w.panel();
  w.run("run-passes", {{"passes", "aot"}});
  w.document.open(kTrace + "::0/0:joint");
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(p.steps().model->rowCount(), 0);
  EXPECT_EQ(p.pipeline()->currentText(), "partition");
  w.run("run-passes", {{"passes", "partition"}});
  EXPECT_EQ(p.steps().model->rowCount(), 2);
  w.run("next-tab");
  EXPECT_EQ(p.steps().model->rowCount(), int(kEnd) + 1);
  EXPECT_EQ(p.pipeline()->currentText(), "aot");
  w.run("close-tab");
  w.run("close-tab");
  EXPECT_TRUE(p.steps().headline->text().contains("Open a graph"));
}

TEST(PassesScript, DrivesPasses) {
  const Script script = parseScript("open " + kCaptured.toUtf8() + R"(
run-passes aot
assert-nodes 58
go-to-pass trace-joint
assert-nodes 116
previous-pass
assert-nodes 47
go-to-pass last
pass-graph backward
assert-nodes 84
recompute-value gelu
assert-message 256 fewer than the plain cut
{"action": "recompute-value", "node": "getitem", "fails": "partition"}
clear-wishes
assert-message 3936 bytes
select-saved
go-to-pass trace-joint
compare-recorded
assert-message Equal
{"action": "run-passes", "passes": "lower,partition", "fails": "traced"}
go-to-pass start
assert-nodes 32
)");
  ASSERT_EQ(script.error, "");
  TestWindow w{QString()};
  ScriptRunner runner(w.window, script.steps);
  bool done = false;
  QObject::connect(&runner, &ScriptRunner::finished, [&] { done = true; });
  runner.start();
  EXPECT_TRUE(waitFor([&] { return done; }));
  EXPECT_EQ(runner.failure(), "");
}

}  // namespace
}  // namespace descry::gui
