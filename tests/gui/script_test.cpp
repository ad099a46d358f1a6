#include <QImage>

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

TEST(Launch, ReadsTheCommandLine) {
  const LaunchOptions o = parseLaunch(
      {"a.txt", "--script", "s.json", "--offscreen", "--size=800x600", "--theme", "dark", "b.log"});
  EXPECT_TRUE(o.error.isEmpty());
  EXPECT_EQ(o.files, (QStringList{"a.txt", "b.log"}));
  EXPECT_EQ(o.size, QSize(800, 600));
  EXPECT_TRUE(o.offscreen);
  for (const QStringList& bad : {QStringList{"--size", "1x1"},
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
