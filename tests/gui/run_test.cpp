// Running graphs in the inspector: settings, results, stopping, failures, NaN, two runs, scripts.
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include "gui/app/script_runner.h"
#include "gui/document/workspace_store.h"
#include "gui/models/problems_model.h"
#include "gui/models/run_rows.h"
#include "gui/panels/run/run_form.h"
#include "session/value_text.h"
#include "tests/gui/run_window.h"

namespace descry::gui {
namespace {

TEST(GraphRuns, RunsForwardAndBackwardAndListsResults) {
  RunWindow w;
  EXPECT_EQ(w.panel().state()->text(), "Not run yet.");
  EXPECT_EQ(w.panel().results().headline->text(),
            "This graph was not run yet: press R, or Run in the Run dock.");
  EXPECT_FALSE(w.panel().stopButton()->isEnabled());
  ASSERT_TRUE(w.set("backward", true).ok);
  ASSERT_TRUE(w.set("runs", 4).ok);
  ASSERT_TRUE(w.run("run").ok);
  ASSERT_EQ(w.runs().runs().size(), 1u);
  const KeptRun& run = *w.runs().runs()[0];
  EXPECT_EQ(run.end, KeptRun::End::Finished);
  // The output and gradients of 13 inputs, as the command line names them.
  ASSERT_EQ(w.panel().results().model->rowCount(), 14);
  EXPECT_EQ(RunWindow::cell(w.panel().results(), 0, kResultName), "out.0");
  EXPECT_EQ(RunWindow::cell(w.panel().results(), 0, kResultType), "f32[1, 4, 8]");
  EXPECT_EQ(RunWindow::cell(w.panel().results(), 0, kResultMeaning), "what add_1 gives");
  EXPECT_EQ(RunWindow::cell(w.panel().results(), 1, kResultMeaning), "gradient of l_x_");
  // A row leads to its node.
  w.panel().results().table->selectRow(0);
  EXPECT_EQ(w.selected(), QStringList{"add_1"});
  // Four timed runs of every node, the warm-up not among them.
  const session::NodeView* linear = w.runs().view()->find(w.node("linear"));
  ASSERT_NE(linear, nullptr);
  EXPECT_EQ(linear->time.runs, 4u);
  EXPECT_GT(linear->parts.size(), 1u) << "a linear layer is several aten nodes, and more in the backward";
  EXPECT_GT(linear->forward, 0);
  EXPECT_GT(linear->backward, 0);
  EXPECT_LE(linear->time.low, linear->time.median);
  EXPECT_LE(linear->time.median, linear->time.high);
  EXPECT_GE(w.runs().view()->whole.median, 0);
  EXPECT_TRUE(w.panel().state()->text().contains("finished")) << qPrintable(w.panel().state()->text());
}

TEST(GraphRuns, TheCommandLineDoesTheSameAndIsCopied) {
  RunWindow w;
  EXPECT_EQ(w.panel().commandLine()->text(), "descry run " + kBlock + " --nodes --profile --runs 9");
  w.set("backward", true);
  w.set("inputs", "random:7");
  w.set("seed", 3);
  w.set("runs", 0);
  EXPECT_EQ(w.panel().commandLine()->text(),
            "descry run " + kBlock + " --inputs random:7 --backward --seed 3 --nodes");
  EXPECT_EQ(w.window.actions().find("run-to")->cli({{"node", "gelu"}}),
            "descry run " + kBlock + " --inputs random:7 --backward --seed 3 --up-to gelu --nodes");
  w.run("copy-run-command");
  EXPECT_EQ(QGuiApplication::clipboard()->text(), w.panel().commandLine()->text());
  w.set("executor", "compiled");
  EXPECT_EQ(w.panel().commandLine()->text(),
            "descry run " + kBlock + " --inputs random:7 --executor compiled --backward --seed 3");
  w.set("runs", 5);
  EXPECT_TRUE(w.panel().commandLine()->text().endsWith("--seed 3 --profile --runs 5"));
}

TEST(GraphRuns, OptionsAreCheckedAndShownInTheForm) {
  RunWindow w;
  const std::pair<const char*, const char*> wrong[] = {
      {"inputs", ""},   {"executor", "fast"},  {"backward", "maybe"}, {"runs", "-1"},
      {"runs", "many"}, {"keep", "some"},      {"memory", "much"},    {"memory", "0"},
      {"seed", "x"},    {"tolerance", "lots"}, {"speed", "9"}};
  for (const auto& [option, value] : wrong) {
    const ActionOutcome outcome = w.set(option, value);
    EXPECT_FALSE(outcome.ok) << option << " " << value;
    EXPECT_FALSE(outcome.message.isEmpty());
  }
  EXPECT_EQ(w.runs().settings(), RunSettings());
  RunForm& form = *w.panel().form();
  w.set("keep", "selected");
  w.set("memory", "2GiB");
  EXPECT_EQ(form.keep()->currentText(), "selected");
  EXPECT_EQ(form.memory()->text(), "2GiB");
  EXPECT_EQ(w.runs().settings().cap, qint64{2} << 30);
  form.memory()->selectAll();
  QTest::keyClicks(form.memory(), "500M");
  QTest::keyClick(form.memory(), Qt::Key_Return);
  EXPECT_EQ(w.runs().settings().cap, 500000000);
  // What is looked at is not fused: a compiled run begins without.
  w.set("executor", "compiled");
  EXPECT_EQ(form.keep()->currentText(), "none");
  EXPECT_FALSE(form.memory()->isEnabled());
  EXPECT_EQ(form.timed()->value(), 9);
  w.set("executor", "interpret");
  EXPECT_EQ(form.keep()->currentText(), "all");
  // CUDA is there, greyed, with the reason.
  auto* devices = qobject_cast<QStandardItemModel*>(form.device()->model());
  ASSERT_EQ(devices->rowCount(), 2);
  EXPECT_TRUE(devices->item(1)->text().startsWith("CUDA"));
  EXPECT_FALSE(devices->item(1)->isEnabled());
  EXPECT_TRUE(devices->item(1)->toolTip().contains("no CUDA kernels"));
}

TEST(GraphRuns, WorkspacesKeepTheSettings) {
  WorkspaceState state;
  WorkspaceTab tab;
  tab.file = "/tmp/a.log";
  tab.graph = "0/0:joint";
  tab.runs.inputs = "ones";
  tab.runs.backward = true;
  tab.runs.keep = RunSettings::Keep::Statistics;
  tab.runs.cap = 12345;
  tab.runs.runs = 3;
  tab.runs.seed = 99;
  tab.runs.tolerance = "f32=1e-4";
  state.tabs = {tab};
  const auto back = readWorkspace(writeWorkspace(state, {}), {}, nullptr);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->tabs[0].runs, tab.runs);
  // What a stranger wrote there changes nothing that it does not name.
  QByteArray json = writeWorkspace(state, {});
  json.replace("\"12345\"", "\"lots\"");
  json.replace("\"ones\"", "{}");
  const auto odd = readWorkspace(json, {}, nullptr);
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->tabs[0].runs.cap, RunSettings().cap);
  EXPECT_EQ(odd->tabs[0].runs.inputs, "random:0");
  EXPECT_EQ(odd->tabs[0].runs.seed, 99u);

  RunWindow w;
  w.set("inputs", "ones");
  const WorkspaceState saved = w.document.workspace();
  Document other(false);
  other.restore(saved);
  ASSERT_TRUE(waitIdle(other));
  ASSERT_NE(other.current(), nullptr);
  EXPECT_EQ(other.current()->runs().settings().inputs, "ones");
}

TEST(GraphRuns, StoppingKeepsWhatWasFoundSoFar) {
  QByteArray text =
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, x: \"f32[700, 700][700, 1]cpu\"):\n"
      "        a0: \"f32[700, 700][700, 1]cpu\" = torch.ops.aten.mul.Tensor(x, 0.001)\n";
  constexpr int kSteps = 3000;
  for (int i = 1; i <= kSteps; ++i)
    text += "        a" + QByteArray::number(i) +
            ": \"f32[700, 700][700, 1]cpu\" = torch.ops.aten.mm.default(a" + QByteArray::number(i - 1) +
            ", x)\n";
  text += "        return (a" + QByteArray::number(kSteps) + ",)\n";
  RunWindow w(text);
  w.set("keep", "statistics");
  ASSERT_TRUE(w.window.actions().run("run").ok);
  EXPECT_TRUE(w.runs().running());
  ASSERT_TRUE(waitFor([&] { return w.runs().progress().done >= 3; }));
  EXPECT_TRUE(w.panel().stopButton()->isEnabled());
  EXPECT_FALSE(w.panel().runButton()->isEnabled());
  EXPECT_TRUE(waitFor([&] { return w.panel().state()->text().contains("running, values, node"); }))
      << qPrintable(w.panel().state()->text());
  EXPECT_FALSE(w.window.actions().run("run").ok) << "one run at a time";
  QElapsedTimer clock;
  clock.start();
  ASSERT_TRUE(w.window.actions().run("stop").ok);
  ASSERT_TRUE(waitFor([&] { return !w.runs().running(); }, 20000));
  // 100 ms on an idle machine; this one may be busy with other tests.
  EXPECT_LT(clock.elapsed(), 2000);
  RecordProperty("stop_ms", static_cast<int>(clock.elapsed()));
  ASSERT_TRUE(w.settle());
  ASSERT_EQ(w.runs().runs().size(), 1u);
  const KeptRun& run = *w.runs().runs()[0];
  EXPECT_EQ(run.end, KeptRun::End::Cancelled);
  ASSERT_NE(w.runs().view(), nullptr);
  EXPECT_GE(run.run()->nodes.size(), 3u);
  EXPECT_LT(run.run()->nodes.size(), static_cast<size_t>(kSteps));
  EXPECT_TRUE(w.runs().view()->find(w.node("a1"))->statistics.has_value());
  EXPECT_TRUE(w.panel().results().headline->text().contains("cancelled after"))
      << qPrintable(w.panel().results().headline->text());
  // Closing the tab of a run ends it, too.
  ASSERT_TRUE(w.window.actions().run("run").ok);
  w.document.closeTab(w.document.current());
  EXPECT_TRUE(waitIdle(w.document));
}

TEST(GraphRuns, RunToHereStopsBehindTheNode) {
  RunWindow w(kNanGraph);
  w.set("inputs", "ones");
  w.select("twice");
  ASSERT_TRUE(w.panel().runToButton()->isEnabled());
  ASSERT_TRUE(w.run("run-to").ok);
  EXPECT_EQ(w.runs().runs()[0]->end, KeptRun::End::Stopped);
  EXPECT_NE(w.runs().view()->find(w.node("twice")), nullptr);
  EXPECT_EQ(w.runs().view()->find(w.node("out")), nullptr);
  EXPECT_TRUE(w.panel().results().headline->text().contains("stopped behind twice"));
  EXPECT_TRUE(w.runs().runs()[0]->commandLine.contains("--up-to twice"));
  // What is not there is refused with the reason.
  QSignalSpy failed(&w.document, &Document::failed);
  w.run("run-to", {{"node", "twicee"}});
  ASSERT_EQ(failed.size(), 1);
  EXPECT_TRUE(failed[0][0].toString().contains("twicee")) << qPrintable(failed[0][0].toString());
}

TEST(GraphRuns, AFailureNamesTheNodeAndTheWaysOut) {
  RunWindow w(kFailingGraph);
  w.set("inputs", "ones");
  QSignalSpy failed(&w.document, &Document::failed);
  w.run("run");
  ASSERT_EQ(failed.size(), 1);
  const KeptRun& run = *w.runs().runs()[0];
  EXPECT_EQ(run.end, KeptRun::End::Failed);
  ASSERT_TRUE(w.panel().failure()->isVisible());
  const QString text = w.panel().failureText()->text();
  EXPECT_TRUE(text.contains("picked")) << qPrintable(text);
  EXPECT_TRUE(text.contains("called with f32[1, 3], 0, i64[2]")) << qPrintable(text);
  // The node is framed, and one click away.
  ASSERT_NE(w.runs().marks(), nullptr);
  EXPECT_EQ(w.runs().marks()->failed, w.node("picked"));
  ASSERT_NE(w.canvas().marks(), nullptr);
  EXPECT_EQ(w.canvas().marks()->failed, w.node("picked"));
  const auto buttons = w.panel().failure()->findChildren<QPushButton*>();
  ASSERT_EQ(buttons.size(), 3);
  buttons[0]->click();
  EXPECT_EQ(w.selected(), QStringList{"picked"});
  buttons[2]->click();
  EXPECT_EQ(QGuiApplication::clipboard()->text(), run.commandLine);
  // What ran before is there.
  EXPECT_NE(w.runs().view()->find(w.node("second")), nullptr);
  // Up to it: the last node that worked.
  EXPECT_EQ(lastNode(run), "second");
  buttons[1]->click();
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.runs().runs().back()->end, KeptRun::End::Stopped);
  EXPECT_FALSE(w.panel().failure()->isVisible());
}

TEST(GraphRuns, InputsThatCannotBeReadAreSaid) {
  RunWindow w(kNanGraph);
  w.set("inputs", "/nowhere/in.safetensors");
  w.run("run");
  EXPECT_EQ(w.runs().runs()[0]->end, KeptRun::End::Refused);
  ASSERT_TRUE(w.panel().failure()->isVisible());
  EXPECT_TRUE(w.panel().failureText()->text().contains("/nowhere/in.safetensors"));
  EXPECT_EQ(w.runs().view(), nullptr);
  EXPECT_FALSE(w.runs().nothingYet().isEmpty());
}

TEST(GraphRuns, ACompiledRunShowsItsPlan) {
  RunWindow w;
  w.set("executor", "compiled");
  w.run("run");
  EXPECT_EQ(w.runs().runs()[0]->end, KeptRun::End::Finished);
  EXPECT_GT(w.panel().plan().model->rowCount(), 3);
  EXPECT_EQ(RunWindow::cell(w.panel().plan(), 0, 0), "steps");
  // Times are those of steps, at the node that each makes.
  ASSERT_TRUE(w.runs().view()->timed());
  size_t timed = 0;
  for (const session::NodeView& n : w.runs().view()->nodes) {
    timed += n.time.runs > 0;
    EXPECT_FALSE(n.statistics.has_value());
  }
  EXPECT_GT(timed, 3u);
  w.show("value");
  w.select("gelu");
  EXPECT_TRUE(w.value().headline()->text().contains("looked at no values"))
      << qPrintable(w.value().headline()->text());
  w.show("timings");
  EXPECT_TRUE(w.timings().summary()->text().contains("times of steps"))
      << qPrintable(w.timings().summary()->text());
  // With values it is held against the interpreter, node by node.
  w.set("keep", "all");
  w.run("run");
  ASSERT_TRUE(w.tab().value().absence().isEmpty()) << qPrintable(w.tab().value().absence());
  w.set("executor", "interpret");
  w.run("run");
  w.run("compare-last-runs");
  ASSERT_NE(w.runs().compared(), nullptr);
  size_t compared = 0;
  for (const session::NodeDifference& d : w.runs().compared()->nodes) {
    compared += d.value && d.value->b;
    EXPECT_FALSE(d.differs) << w.tab().nameOf(d.node).toStdString() << " " << d.verdict;
  }
  EXPECT_GT(compared, 10u);
}

TEST(GraphRuns, AJointGraphHasItsGradientsAlready) {
  RunWindow w(kBlock.section(QStringLiteral("::"), 0, 0) + QStringLiteral("::0/0:joint"));
  EXPECT_FALSE(w.panel().form()->backward()->isEnabled());
  EXPECT_TRUE(w.panel().form()->backward()->toolTip().contains("computes gradients already"));
  w.set("backward", true);
  EXPECT_FALSE(w.panel().commandLine()->text().contains("--backward"));
  w.run("run");
  EXPECT_EQ(w.runs().runs()[0]->end, KeptRun::End::Finished) << qPrintable(w.runs().runs()[0]->endText());
  EXPECT_GT(w.panel().results().model->rowCount(), 1);
}

TEST(GraphRuns, FusedNodesSayInWhichStepTheyAre) {
  RunWindow w(kNanGraph);
  w.set("executor", "compiled");
  w.run("run");
  const session::NodeView* out = w.runs().view()->find(w.node("out"));
  const session::NodeView* twice = w.runs().view()->find(w.node("twice"));
  ASSERT_NE(out, nullptr);
  ASSERT_NE(twice, nullptr);
  EXPECT_EQ(out->time.runs, 9u);
  EXPECT_EQ(twice->time.runs, 0u);
  EXPECT_EQ(twice->step, "in the step of out");
}

// ---- NaN

TEST(Suspects, TheFirstNanIsFoundWithItsPath) {
  RunWindow w(kNanGraph);
  w.set("inputs", "ones");
  w.run("run");
  const session::RunView& view = *w.runs().view();
  EXPECT_EQ(view.firstBad, w.node("root"));
  EXPECT_EQ(view.bad, (std::vector<ir::NodeId>{w.node("root"), w.node("twice"), w.node("out")}));
  EXPECT_EQ(view.find(w.node("root"))->bad, 16);
  // N begins at the cause and goes round; the path to the cause is lit.
  w.canvas().setFocus();
  QTest::keyClick(&w.canvas(), Qt::Key_N);
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.selected(), QStringList{"root"});
  EXPECT_EQ(w.canvas().marks()->path, std::vector<ir::NodeId>{w.node("root")});
  QTest::keyClick(&w.canvas(), Qt::Key_N);
  QTest::keyClick(&w.canvas(), Qt::Key_N);
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.selected(), QStringList{"out"});
  EXPECT_EQ(w.canvas().marks()->path,
            (std::vector<ir::NodeId>{w.node("root"), w.node("twice"), w.node("out")}));
  QTest::keyClick(&w.canvas(), Qt::Key_N, Qt::ShiftModifier);
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.selected(), QStringList{"twice"});
  // A node that is fine has no path.
  w.select("plain");
  EXPECT_TRUE(w.canvas().marks()->path.empty());
  // Badges in every colour mode.
  EXPECT_TRUE(w.canvas().marks()->badgesOf(w.node("root")) & ir::kBadgeProblem);
  EXPECT_FALSE(w.canvas().marks()->badgesOf(w.node("plain")) & ir::kBadgeProblem);
}

TEST(Suspects, ProblemsListThemAndJump) {
  RunWindow w(kNanGraph);
  w.set("inputs", "ones");
  w.run("run");
  w.show("problems");
  auto& problems = *static_cast<ProblemsPanel*>(w.window.panel(QStringLiteral("problems")));
  int row = -1;
  QStringList nodes;
  for (int i = 0; i < problems.model().rowCount(); ++i) {
    if (problems.model().index(i, ProblemsModel::CodeColumn).data().toString() != "nan") continue;
    nodes << problems.model().index(i, ProblemsModel::NodeColumn).data().toString();
    if (nodes.back() == "out") row = i;
  }
  EXPECT_EQ(nodes, (QStringList{"root", "twice", "out"}));
  const QString first = problems.model().index(row - 2, ProblemsModel::MessageColumn).data().toString();
  EXPECT_TRUE(first.contains("16 NaN of 16 elements: it makes them of inputs that have none"))
      << qPrintable(first);
  EXPECT_TRUE(
      problems.model().index(row, ProblemsModel::MessageColumn).data().toString().contains("from root"));
  emit problems.table()->clicked(problems.model().index(row, 0));
  ASSERT_TRUE(w.settle());
  EXPECT_EQ(w.selected(), QStringList{"out"});
}

TEST(Suspects, SaysHowManyAreNotListed) {
  QByteArray text =
      "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[4][1]cpu\"):\n"
      "        v0: \"f32[4][1]cpu\" = torch.ops.aten.log.default(x)\n";
  constexpr int kNodes = 620;
  for (int i = 1; i < kNodes; ++i)
    text += QStringLiteral("        v%1: \"f32[4][1]cpu\" = torch.ops.aten.add.Tensor(v%2, 1.0)\n")
                .arg(i)
                .arg(i - 1)
                .toUtf8();
  text += "        return (v619,)\n";
  RunWindow w(text);
  w.set("inputs", "random:0:-2..-1");
  ASSERT_TRUE(w.run("run").ok);
  ASSERT_TRUE(w.settle());
  const std::vector<ProblemRow> rows = w.runs().problems();
  ASSERT_EQ(rows.size(), 501u);
  EXPECT_EQ(rows.back().diagnostic.severity, ir::Severity::Note);
  EXPECT_EQ(rows.back().diagnostic.message,
            std::to_string(kNodes - 500) + " more are not listed: N and Shift+N go through all of them");
  EXPECT_FALSE(rows.back().node.valid());
}

TEST(Suspects, WithoutAnyTheKeySaysSo) {
  RunWindow w;
  EXPECT_FALSE(w.run("next-suspect").ok) << "not run yet";
  w.run("run");
  const ActionOutcome outcome = w.run("next-suspect");
  EXPECT_FALSE(outcome.ok);
  EXPECT_TRUE(outcome.message.contains("no NaN"));
}

// ---- two runs

TEST(TwoRuns, TheSameInputsAreBitEqualOthersAreNot) {
  RunWindow w;
  w.set("runs", 3);
  w.run("run");
  w.run("run");
  ASSERT_TRUE(w.run("compare-last-runs").ok);
  ASSERT_NE(w.runs().compared(), nullptr);
  EXPECT_EQ(w.runs().comparedWith(), 1);
  for (const session::NodeDifference& d : w.runs().compared()->nodes)
    if (d.value) {
      EXPECT_EQ(d.verdict, "bit-equal") << w.tab().nameOf(d.node).toStdString();
    }
  EXPECT_TRUE(w.runs().suspects().empty());
  w.set("inputs", "random:1");
  w.run("run");
  ASSERT_NE(w.runs().compared(), nullptr) << "the comparison goes on with the new run";
  EXPECT_EQ(w.runs().compared()->a->number, 3);
  EXPECT_EQ(w.runs().compared()->b->number, 1);
  const session::NodeDifference* gelu = w.runs().compared()->find(w.node("gelu"));
  ASSERT_NE(gelu, nullptr);
  EXPECT_TRUE(gelu->differs);
  EXPECT_GT(gelu->size, 0.5);
  EXPECT_TRUE(w.runs().marks()->badgesOf(w.node("gelu")) & ir::kBadgeMismatch);
  EXPECT_FALSE(w.runs().suspects().empty());
  EXPECT_TRUE(w.panel().runs().headline->text().startsWith("A (run 3) against B (run 1)"));
  EXPECT_EQ(RunWindow::cell(w.panel().runs(), 0, kRunNumber), "3  A");
  EXPECT_EQ(RunWindow::cell(w.panel().runs(), 2, kRunNumber), "1  B");
  // With room enough nothing differs.
  EXPECT_TRUE(w.set("tolerance", "1000").ok);
  EXPECT_FALSE(w.runs().compared()->find(w.node("gelu"))->differs);
  EXPECT_TRUE(w.window.actions()
                  .find("compare-runs")
                  ->cli({{"number", 1}})
                  .endsWith("descry compare a.safetensors b.safetensors --tolerance 1000"));
  EXPECT_TRUE(w.set("tolerance", "").ok);
  EXPECT_TRUE(w.runs().compared()->find(w.node("gelu"))->differs);
  // Back to an earlier run, and an end.
  ASSERT_TRUE(w.run("show-run", {{"number", 2}}).ok);
  EXPECT_EQ(w.runs().compared()->a->number, 2);
  EXPECT_FALSE(w.run("show-run", {{"number", 9}}).ok);
  EXPECT_FALSE(w.run("compare-runs", {{"number", 2}}).ok) << "with itself";
  ASSERT_TRUE(w.run("compare-runs", {{"number", 0}}).ok);
  EXPECT_EQ(w.runs().compared(), nullptr);
  ASSERT_TRUE(w.run("drop-run", {{"number", 2}}).ok);
  EXPECT_EQ(w.runs().shown()->number, 3);
  EXPECT_EQ(w.runs().runs().size(), 2u);
}

TEST(TwoRuns, ValuesGoByLeastRecentUseAndStatisticsStay) {
  RunWindow w;
  w.run("run");
  const qint64 one = w.runs().keptBytes();
  ASSERT_GT(one, 0);
  w.set("memory", QString::number(one + one / 2));
  w.run("run");
  EXPECT_LE(w.runs().keptBytes(), one + one / 2);
  const KeptRun& old = *w.runs().runs()[0];
  for (const session::NodeRun& n : old.run()->nodes)
    for (const session::NodeTensor& t : n.tensors) {
      EXPECT_EQ(t.tensor, runtime::TensorRef());
      EXPECT_TRUE(t.statistics.has_value());
    }
  w.show("value");
  w.select("gelu");
  EXPECT_TRUE(w.tab().value().absence().isEmpty());
  w.run("show-run", {{"number", 1}});
  EXPECT_TRUE(w.tab().value().absence().contains("no longer kept")) << qPrintable(w.tab().value().absence());
  EXPECT_NE(w.value().figure("mean"), "-");
  // Statistics alone, and the nodes that were selected.
  w.set("keep", "statistics");
  w.run("run");
  EXPECT_TRUE(w.tab().value().absence().contains("kept statistics only"));
  w.set("keep", "selected");
  w.run("run");
  EXPECT_TRUE(w.tab().value().absence().isEmpty());
  w.select("linear");
  EXPECT_TRUE(w.tab().value().absence().contains("was not one"));
}

TEST(TwoRuns, AnotherStateOfThePassesHasRunsOfItsOwn) {
  RunWindow w;
  w.run("run");
  w.run("run-passes", {{"passes", "aot"}});
  EXPECT_EQ(w.runs().shown(), nullptr);
  EXPECT_FALSE(w.runs().nothingYet().isEmpty());
  w.run("run");
  ASSERT_NE(w.runs().shown(), nullptr);
  EXPECT_EQ(w.runs().shown()->number, 2);
  EXPECT_FALSE(w.runs().shown()->graphText.isEmpty());
  EXPECT_NE(w.runs().view()->find(w.node("gelu")), nullptr) << "a forward graph has it, too";
  w.run("go-to-pass", {{"position", "start"}});
  EXPECT_EQ(w.runs().shown()->number, 1);
}

// ---- scripts

TEST(RunScript, RunsLooksAndChecks) {
  RunWindow w(kNanGraph);
  const QString shot = w.folder.filePath(QStringLiteral("w.png"));
  const Script script = parseScript(
      "set-run-option {\n"
      "{\"action\": \"set-run-option\", \"option\": \"inputs\", \"value\": \"ones\"}\n"
      "run\n");
  EXPECT_EQ(script.steps.size(), 3u);
  std::vector<QJsonObject> steps = {
      {{"action", "set-run-option"}, {"option", "inputs"}, {"value", "ones"}},
      {{"action", "run"}},
      {{"action", "assert-run"}, {"value", "finished, 3 bad"}},
      {{"action", "next-suspect"}},
      {{"action", "assert-selection"}, {"nodes", "root"}},
      {{"action", "value-first-bad"}},
      {{"action", "value-slice"}, {"slice", "2, :"}},
      {{"action", "value-slice"}, {"slice", "9, :"}, {"fails", "9"}},
      {{"action", "colour-by"}, {"name", "numeric"}},
      {{"action", "run-to"}, {"node", "low"}},
      {{"action", "assert-run"}, {"value", "stopped behind low"}},
      {{"action", "show-run"}, {"number", 1}},
      {{"action", "compare-runs"}, {"number", 7}, {"fails", "there is no such run"}},
      {{"action", "shot"}, {"file", shot}}};
  ScriptRunner runner(w.window, steps, 0);
  QSignalSpy done(&runner, &ScriptRunner::finished);
  runner.start();
  ASSERT_TRUE(waitFor([&] { return !done.isEmpty(); }));
  EXPECT_TRUE(done[0][0].toBool()) << qPrintable(runner.failure());
  EXPECT_TRUE(QFile::exists(shot));
}

}  // namespace
}  // namespace descry::gui
