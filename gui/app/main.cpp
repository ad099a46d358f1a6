// Starts the inspector: reads the command line, then opens the window, runs a script, or draws one graph.
#include <QApplication>
#include <QFile>
#include <QTimer>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "gui/app/launch_options.h"
#include "gui/app/main_window.h"
#include "gui/app/render_command.h"
#include "gui/app/script_runner.h"
#include "gui/document/engine.h"

namespace {

using namespace descry::gui;

constexpr int kStepFailed = 1, kUsage = 2, kCannotRead = 3, kPartlyRead = 4, kCannotWrite = 5;

int say(const QString& text, int code) {
  // Not by printf: a NUL from a script would end the text.
  const std::string line = "descry-inspector: " + descry::session::terminalMessage(text.toStdString()) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
  return code;
}

/// What the command line itself asked for ends with the exit codes that all programs of Descry share; only a
/// step of the script is a failed step.
int exitCodeOf(size_t failedStep, size_t files, size_t opening, size_t scripted, const Document& document) {
  if (failedStep >= opening + scripted) return kCannotWrite;  // --shot
  if (failedStep >= opening) return kStepFailed;
  if (failedStep >= files) return kCannotRead;  // --workspace
  const auto& problems = document.openProblems();
  if (problems.empty()) return kUsage;  // the file was read, but has no such node
  const std::string& code = problems.back().code;
  return code == "graph-not-found" || code == "graph-ambiguous" ? kUsage : kCannotRead;
}

/// kPartlyRead, and said, when text of an opened file or of a shown graph was lost.
int partlyRead(const Document& document) {
  QStringList lost;
  for (const OpenFile& file : document.files())
    if (file.document->input().readInPart()) lost << file.path;
  for (const auto& tab : document.tabs()) {
    const descry::ir::Graph& graph = *tab->graph()->graph;
    if ((graph.partial || graph.truncated) && !lost.contains(tab->path())) lost << tab->address();
  }
  if (lost.isEmpty()) return 0;
  return say(QStringLiteral("read only in part: %1").arg(lost.join(QStringLiteral(", "))), kPartlyRead);
}

/// One line an action: name, arguments, keys, title; then what only scripts know.
int listActions() {
  Document document(false);
  MainWindow window(document);
  const auto row = [](const QString& id, const QStringList& args, const QString& keys, const QString& title) {
    std::printf("%-20s %-26s %-22s %s\n", qPrintable(id), qPrintable(args.join(QLatin1Char(' '))),
                qPrintable(keys), qPrintable(title));
  };
  row("ACTION", {"ARGUMENTS"}, "KEYS", "TITLE");
  for (const auto& action : window.actions().all())
    row(action->id, action->args, action->keys, action->title);
  std::puts("\nOnly in scripts (docs/scripts.md):");
  row("wait", {"ms"}, "", "until nothing runs any more, and at least so long");
  row("resize", {"size"}, "", "of the window: 1440x900");
  row("assert-...", {"value"}, "", "ends the script with exit code 1 when something else is found");
  return 0;
}

QByteArray readAll(const QString& path, QString* error) {
  QFile file(path);
  const bool open =
      path == QLatin1String("-") ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
  if (!open) {
    *error = QStringLiteral("%1: %2").arg(path, file.errorString());
    return {};
  }
  return file.read(64 << 20);
}

int runWindow(QApplication& app, const LaunchOptions& options) {
  const bool scripted = !options.script.isEmpty() || !options.shot.isEmpty() || options.offscreen;
  Script script;
  if (!options.script.isEmpty()) {
    QString error;
    const QByteArray text = readAll(options.script, &error);
    if (!error.isEmpty()) return say(error, kCannotRead);
    script = parseScript(text);
    if (!script.error.isEmpty()) return say(options.script + QStringLiteral(": ") + script.error, kUsage);
  }
  const size_t scriptSteps = script.steps.size();
  for (const QString& file : options.files)
    if (descry::session::sameFile(options.shot.toStdString(),
                                  descry::session::parseAddress(file.toStdString()).file))
      return say(QStringLiteral("--shot would overwrite %1, which is opened").arg(file), kUsage);
  if (!options.shot.isEmpty())
    script.steps.push_back(QJsonObject{{"action", "shot"}, {"file", options.shot}});
  std::vector<QJsonObject> steps;
  for (const QString& file : options.files) steps.push_back(QJsonObject{{"action", "open"}, {"file", file}});
  if (!options.workspace.isEmpty())
    steps.push_back(QJsonObject{{"action", "load-workspace"}, {"file", options.workspace}});
  const size_t opening = steps.size();
  steps.insert(steps.end(), script.steps.begin(), script.steps.end());

  // Scripts do not depend on what a person did before, and leave no trace.
  auto document = std::make_unique<Document>(!scripted);
  Autosave autosave(document->preferences().dataFolder());
  int code = 0;
  {
    MainWindow window(*document);
    if (!options.theme.isEmpty())
      window.actions().run(QStringLiteral("theme"), QJsonObject{{"name", options.theme}});
    if (scripted || options.sizeGiven) window.resize(options.size);
    window.show();
    if (scripted) {
      ScriptRunner runner(window, steps, opening);
      QObject::connect(&runner, &ScriptRunner::finished, &app, [&](bool ok) {
        if (!ok)
          code =
              say(runner.failure(), exitCodeOf(runner.failedStep(), static_cast<size_t>(options.files.size()),
                                               opening, scriptSteps, *document));
        else
          code = partlyRead(*document);
        app.exit(code);
      });
      QTimer::singleShot(0, &runner, &ScriptRunner::start);
      code = app.exec();
    } else {
      if (auto last = autosave.afterCrash()) window.offerRestore(*last);
      for (const QString& file : options.files) document->open(file);
      if (!options.workspace.isEmpty())
        window.trigger(QStringLiteral("load-workspace"), QJsonObject{{"file", options.workspace}});
      window.startAutosave(document->preferences().dataFolder());
      code = app.exec();
    }
  }
  document.reset();  // waits for the last autosave, which must not come after the mark
  if (!scripted) autosave.markClean();
  return code;
}

/// The platform without a display warns about things that do not matter there.
void quietMessages(QtMsgType type, const QMessageLogContext&, const QString& text) {
  if (text.contains(QLatin1String("propagateSizeHints")) || text.contains(QLatin1String("XDG_RUNTIME_DIR")))
    return;
  std::fprintf(stderr, "%s\n", descry::session::terminalMessage(text.toStdString()).c_str());
  if (type == QtFatalMsg) std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  QStringList words;
  for (int i = 1; i < argc; ++i) words << QString::fromLocal8Bit(argv[i]);
  const LaunchOptions options = parseLaunch(words);
  if (options.help) {
    std::fputs(qPrintable(launchHelp()), stdout);
    return 0;
  }
  if (options.version) {
    std::printf("descry-inspector %s\n", descry::session::versionText());
    return 0;
  }
  if (!options.error.isEmpty()) return say(options.error + QStringLiteral(" (see --help)"), kUsage);
  const bool display = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
                       qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
  if (options.offscreen || options.actions || (options.render && !display))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  else if (!display)
    return say(QStringLiteral("there is no display; use --offscreen with --shot or --script"), kUsage);
  QApplication::setApplicationName(QStringLiteral("descry-inspector"));
  QApplication::setOrganizationName(QStringLiteral("descry"));
  if (qgetenv("QT_QPA_PLATFORM") == "offscreen") qInstallMessageHandler(quietMessages);
  QApplication app(argc, argv);
  if (options.actions) return listActions();
  return options.render ? renderCommand(options) : runWindow(app, options);
}
