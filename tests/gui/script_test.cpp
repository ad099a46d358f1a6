#include <QImage>
#include <QProcess>

#include "gui/app/launch_options.h"
#include "gui/app/render_command.h"
#include "gui/app/script_runner.h"
#include "tests/gui/window_support.h"

namespace descry::gui {
namespace {

/// Runs a script in a fresh window; the failure text, empty when all steps passed.
QString runScript(const QByteArray& text) {
  const Script script = parseScript(text);
  if (!script.error.isEmpty()) return script.error;
  TestWindow w{QString()};
  ScriptRunner runner(w.window, script.steps);
  bool done = false;
  QObject::connect(&runner, &ScriptRunner::finished, [&] { done = true; });
  runner.start();
  EXPECT_TRUE(waitFor([&] { return done; }));
  return runner.failure();
}

TEST(Script, LinesAndJsonAreTheSame) {
  const Script lines = parseScript(
      "# comment\n\nselect mm\nquery op~mm dtype=f32\n{\"action\":\"theme\",\"name\":\"dark\"}\n");
  ASSERT_TRUE(lines.error.isEmpty());
  ASSERT_EQ(lines.steps.size(), 3u);
  EXPECT_EQ(lines.steps[1]["_rest"].toString(), "op~mm dtype=f32");
  const Script json = parseScript("[{\"action\":\"select\",\"node\":\"mm\"}]");
  ASSERT_EQ(json.steps.size(), 1u);
  EXPECT_TRUE(parseScript("[{\"action\":").error.startsWith("byte"));
  EXPECT_TRUE(parseScript("[3]").error.startsWith("step 1"));
  EXPECT_TRUE(parseScript("[{\"node\":\"x\"}]").error.startsWith("step 1"));
}

TEST(Script, DrivesTheWindow) {
  QTemporaryDir folder;
  const QByteArray script = "open " + samplePath().toUtf8() + R"(
select primals_1
assert-selection primals_1
partner
assert-selection t_7
back
assert-selection primals_1
query op~mm
assert-hits 4
next-hit
assert-selection addmm
theme dark
assert-theme dark
show-dock problems
assert-dock problems
assert-problems 0
assert-nodes 24
assert-tab graph
assert-status 24 nodes
resize 1200x800
wait 20
shot )" + folder.filePath("x.png").toUtf8() +
                            "\n";
  EXPECT_EQ(runScript(script), "");
  const QImage shot(folder.filePath("x.png"));
  EXPECT_EQ(shot.size(), QSize(1200, 800));
}

TEST(Script, FailuresNameTheStep) {
  const QByteArray open = "open " + samplePath().toUtf8() + "\n";
  EXPECT_TRUE(runScript(open + "assert-selection mm\n")
                  .startsWith("step 2 (assert-selection): selection: expected 'mm'"));
  EXPECT_TRUE(runScript(open + "select nobody\n").contains("nobody"));
  EXPECT_TRUE(runScript(open + "fly\n").contains("fly"));
  EXPECT_TRUE(runScript(open + "assert-nonsense\n").contains("no such check"));
  EXPECT_TRUE(runScript("open /no/such\n").contains("not-found"));
  EXPECT_TRUE(runScript("select mm\n").contains("No graph is open"));
  EXPECT_EQ(runScript("{\"action\":\"open\",\"file\":\"/no/such\",\"fails\":\"not-found\"}\nassert-no-tab\n"),
            "");
  EXPECT_TRUE(runScript(open + "{\"action\":\"select\",\"node\":\"mm\",\"fails\":\"\"}\n")
                  .contains("expected to fail"));
}

TEST(Script, WrongArgumentsNameStepArgumentAndWhatIsAllowed) {
  const struct {
    const char* step;
    const char* says;
  } cases[] = {
      {R"({"action": "resize", "size": "100000x100000"})",
       "\"size\" is '100000x100000'; expected WIDTHxHEIGHT, each from 100 to 10000"},
      {R"({"action": "resize", "size": "-5x-5"})", "each from 100"},
      {R"({"action": "resize", "size": "axb"})", "each from 100"},
      {R"({"action": "resize", "size": "99999999999x9"})", "each from 100"},
      {R"({"action": "resize", "size": [1, 2]})", "\"size\" is [1,2]"},
      {R"({"action": "resize"})", "needs \"size\""},
      {R"({"action": "wait", "ms": "abc"})", "\"ms\" is 'abc'; expected a whole number from 0 to 120000"},
      {R"({"action": "wait", "ms": -5})", "from 0 to 120000"},
      {R"({"action": "wait", "ms": 1e300})", "from 0 to 120000"},
      {R"({"action": "wait", "ms": 1000000000000000000})", "from 0 to 120000"},
      {R"({"action": "wait", "ms": 0.5})", "a whole number"},
      {R"({"action": "wait", "ms": null})", "a whole number"},
      {R"({"action": "wait", "milliseconds": 5})", "has no argument \"milliseconds\"; there is ms"},
      {"wait soon", "from 0 to 120000"},
      {R"({"action": "assert-selection", "nodes": {}})", "a list of names"},
      {R"({"action": "assert-selection", "nodes": [1]})", "a list of names"},
      {R"({"action": "assert-selection"})", "needs \"nodes\""},
      {R"({"action": "assert-no-tab", "value": 1})", "takes no argument"},
      {R"({"action": "assert-nodes", "value": [24]})", "a text or a number"},
      {R"({"action": "assert-message"})", "needs \"value\""},
      {R"({"action": "select", "node": 5})", "\"node\" is 5; expected a text"},
      {R"({"action": "select", "nodes": "a", "nods": "b"})", "has no argument \"nods\""},
      {R"({"action": "zoom", "percent": "big"})", "a number from"},
      {R"({"action": "zoom", "percent": 1e300})", "a number from"},
      {R"({"action": "nth-input", "n": 1.5})", "a whole number"},
      {R"({"action": "export", "file": "x.png", "scale": 0})", "a number from"},
      {R"({"action": "open", "file": {}})", "expected a text"},
      {R"({"action": "theme", "name": 3})", "expected a text"},
      {R"({"action": "fit", "fails": 1})", "\"fails\" is 1; expected a text"},
      {"fit now", "takes no argument"},
  };
  const QByteArray open = "open " + samplePath().toUtf8() + "\n";
  for (const auto& c : cases) {
    const QString failure = runScript(open + c.step + "\n");
    EXPECT_TRUE(failure.startsWith("step 2 (")) << c.step << qPrintable(failure);
    EXPECT_TRUE(failure.contains(QString::fromUtf8(c.says))) << c.step << qPrintable(failure);
  }
}

TEST(Script, ArgumentsInRangePass) {
  const QByteArray open = "open " + samplePath().toUtf8() + "\n";
  EXPECT_EQ(runScript(open + "wait\nwait 0\nresize 800X600\nzoom 150\nselect primals_1\n"
                             R"({"action": "assert-selection", "nodes": ["primals_1"]})"
                             "\n"
                             R"({"action": "assert-nodes", "value": 24})"
                             "\n"
                             R"({"action": "wait", "ms": "5"})"
                             "\n"),
            "");
}

/// Exit code of the inspector and what it says.
std::pair<int, QByteArray> inspector(const QStringList& arguments) {
  QProcess process;
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(QStringLiteral(DESCRY_INSPECTOR), arguments);
  EXPECT_TRUE(process.waitForFinished(60000));
  return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAll()};
}

TEST(Launch, ExitCodesAreThoseOfTheCommandLine) {
  QTemporaryDir folder;
  const auto file = [&](const char* name, const QByteArray& text) {
    QFile f(folder.filePath(name));
    EXPECT_TRUE(f.open(QIODevice::WriteOnly) && f.write(text) == text.size());
    return f.fileName();
  };
  const QString shot = folder.filePath("o.png");
  const auto code = [&](QStringList arguments) {
    return inspector(QStringList{"--offscreen", "--size", "400x300"} + arguments).first;
  };
  EXPECT_EQ(code({samplePath(), "--shot", shot}), 0);
  EXPECT_EQ(code({file("random.bin", QByteArray("\x01\x02\xff\x00zz", 6)), "--shot", shot}), 3);
  EXPECT_EQ(code({"/no/such/file", "--shot", shot}), 3);
  EXPECT_EQ(code({samplePath() + "::nope", "--shot", shot}), 2);
  EXPECT_EQ(code({samplePath() + "#nope", "--shot", shot}), 2);
  EXPECT_EQ(code({samplePath(), "--shot", folder.filePath("no/folder/o.png")}), 5);
  for (const char* damaged :
       {"", "{", "[]", R"({"schema":5,"files":7,"tabs":[1,{}]})",
        R"({"schema":"descry.workspace/99","files":["nonexist"]})", R"({"version":1e400})"})
    EXPECT_EQ(code({"--workspace", file("w.descry", damaged), "--shot", shot}), 3) << damaged;
  EXPECT_EQ(code({samplePath(), "--script", file("s.txt", "select nobody\n"), "--shot", shot}), 1);
}

TEST(Launch, MessagesAreWholeAndSafe) {
  QTemporaryDir folder;
  QFile script(folder.filePath("s.txt"));
  ASSERT_TRUE(script.open(QIODevice::WriteOnly));
  script.write(QByteArray("sel\0ect\x1b[31m mm\n", 16));
  script.close();
  const auto [code, said] = inspector({"--offscreen", "--script", script.fileName()});
  EXPECT_EQ(code, 1);
  EXPECT_TRUE(said.contains("sel\\x00ect\\x1b")) << said.constData();
  EXPECT_TRUE(said.contains("There is no action")) << said.constData();
}

TEST(Launch, PicturesDoNotOverwriteWhatIsOpen) {
  QTemporaryDir folder;
  const QString graph = folder.filePath("graph.png"), workspace = folder.filePath("link");
  ASSERT_TRUE(QFile::copy(samplePath(), graph));
  ASSERT_TRUE(QFile::link(graph, workspace));
  EXPECT_EQ(inspector({"--offscreen", graph, "--shot", graph}).first, 2);
  EXPECT_EQ(inspector({"render", graph, "-o", graph}).first, 2);
  EXPECT_EQ(QFile(graph).size(), QFile(samplePath()).size());
  TestWindow w(graph);
  EXPECT_FALSE(w.window.actions().run("save-workspace", {{"file", workspace}}).ok);
  EXPECT_TRUE(w.settle());
  EXPECT_EQ(QFile(graph).size(), QFile(samplePath()).size());
}

TEST(Launch, ReadsTheCommandLine) {
  const LaunchOptions o = parseLaunch(
      {"a.txt", "--script", "s.json", "--offscreen", "--size=800x600", "--theme", "dark", "b.log"});
  EXPECT_TRUE(o.error.isEmpty());
  EXPECT_EQ(o.files, (QStringList{"a.txt", "b.log"}));
  EXPECT_EQ(o.size, QSize(800, 600));
  EXPECT_TRUE(o.offscreen);
  for (const QStringList& bad : {QStringList{"--size", "1x1"},
                                 {"--size", "10001x100"},
                                 {"--size", "axb"},
                                 {"--theme", "pink"},
                                 {"--script"},
                                 {"--what"},
                                 {"render", "a"},
                                 {"render", "-o", "x.png"},
                                 {"render", "a", "-o", "x.png", "--scale", "-1"}})
    EXPECT_FALSE(parseLaunch(bad).error.isEmpty()) << qPrintable(bad.join(' '));
}

TEST(Render, DrawsPngInTheWantedSize) {
  QTemporaryDir folder;
  const QString out = folder.filePath("g.png");
  EXPECT_EQ(
      renderCommand(parseLaunch({"render", samplePath(), "-o", out, "--size", "400x300", "--theme", "dark"})),
      0);
  const QImage image(out);
  EXPECT_LE(image.width(), 401);
  EXPECT_LE(image.height(), 301);
  EXPECT_GT(std::max(image.width(), image.height()), 250);
  EXPECT_EQ(renderCommand(parseLaunch({"render", samplePath() + "::nope", "-o", out})), 2);
  EXPECT_EQ(renderCommand(parseLaunch({"render", "/no/such", "-o", out})), 3);
  EXPECT_EQ(renderCommand(parseLaunch({"render", samplePath(), "-o", folder.filePath("g.doc")})), 2);
  EXPECT_EQ(renderCommand(parseLaunch({"render", samplePath(), "-o", "/no/folder/g.png"})), 5);
}

}  // namespace
}  // namespace descry::gui
