#include "gui/document/document_actions.h"

#include <QFileInfo>

#include "gui/document/engine.h"
#include "gui/document/workspace_store.h"

namespace descry::gui {

void addFileActions(Actions& actions, Document& doc) {
  auto tr = [](const char* s) { return Document::tr(s); };
  Document* d = &doc;
  const auto graph = [d] { return needsGraph(*d); };

  actions.add({.id = "open",
               .title = tr("Open file"),
               .group = "File",
               .keys = "Ctrl+O",
               .args = {"file"},
               .cli =
                   [](const QJsonObject& a) {
                     return QStringLiteral("descry open ") + shellQuote(a["file"].toString().isEmpty()
                                                                            ? QStringLiteral("FILE")
                                                                            : a["file"].toString());
                   },
               .run =
                   [d](const QJsonObject& a) {
                     const QString file = a["file"].toString();
                     if (file.isEmpty()) return ActionOutcome::fail(Document::tr("open needs a file"));
                     d->open(file);
                     return ActionOutcome::done();
                   }});
  actions.add({.id = "open-graph",
               .title = tr("Open another graph of this file"),
               .group = "File",
               .args = {"graph"},
               .cli =
                   [d](const QJsonObject& a) {
                     const GraphTab* tab = d->current();
                     return QStringLiteral("descry open ") +
                            shellQuote((tab ? tab->path() : QStringLiteral("FILE")) + QStringLiteral("::") +
                                       a["graph"].toString());
                   },
               .run =
                   [d](const QJsonObject& a) {
                     d->openGraph(d->current()->path(), a["graph"].toString());
                     return ActionOutcome::done();
                   },
               .unavailable = graph,
               .inPalette = false});
  actions.add({.id = "reload",
               .title = tr("Reload file"),
               .group = "File",
               .keys = "F5",
               .cli = [d](const QJsonObject&) { return QStringLiteral("descry open ") + currentAddress(*d); },
               .run =
                   [d](const QJsonObject&) {
                     d->reload(d->current()->path());
                     return ActionOutcome::done();
                   },
               .unavailable = graph});
  actions.add({.id = "close-tab",
               .title = tr("Close tab"),
               .group = "File",
               .keys = "Ctrl+W",
               .cli = [d](const QJsonObject&) { return scriptCommandLine(*d, "close-tab"); },
               .run =
                   [d](const QJsonObject&) {
                     d->closeTab(d->current());
                     return ActionOutcome::done();
                   },
               .unavailable = graph});
  actions.add({.id = "close-file",
               .title = tr("Close file with all its tabs"),
               .group = "File",
               .cli = [d](const QJsonObject&) { return scriptCommandLine(*d, "close-file"); },
               .run =
                   [d](const QJsonObject&) {
                     d->closeFile(d->current()->path());
                     return ActionOutcome::done();
                   },
               .unavailable = graph});
  const auto stepTab = [d](int by) {
    const int count = static_cast<int>(d->tabs().size());
    d->setCurrent(d->tabs()[static_cast<size_t>((d->indexOf(d->current()) + by + count) % count)].get());
    return ActionOutcome::done();
  };
  actions.add({.id = "next-tab",
               .title = tr("Next tab"),
               .group = "Go",
               .keys = "Ctrl+Tab",
               .cli = [d](const QJsonObject&) { return scriptCommandLine(*d, "next-tab"); },
               .run = [stepTab](const QJsonObject&) { return stepTab(1); },
               .unavailable = graph});
  actions.add({.id = "previous-tab",
               .title = tr("Previous tab"),
               .group = "Go",
               .keys = "Ctrl+Shift+Tab",
               .cli = [d](const QJsonObject&) { return scriptCommandLine(*d, "previous-tab"); },
               .run = [stepTab](const QJsonObject&) { return stepTab(-1); },
               .unavailable = graph});
  actions.add(
      {.id = "back",
       .title = tr("Back to the previous place"),
       .group = "Go",
       .keys = "Alt+Left",
       .cli = [d](const QJsonObject&) { return scriptCommandLine(*d, "back"); },
       .run =
           [d](const QJsonObject&) {
             d->goBack();
             return ActionOutcome::done();
           },
       .unavailable = [d] { return d->canGoBack() ? QString() : Document::tr("No earlier place."); }});
  actions.add(
      {.id = "forward",
       .title = tr("Forward to the next place"),
       .group = "Go",
       .keys = "Alt+Right",
       .cli = [d](const QJsonObject&) { return scriptCommandLine(*d, "forward"); },
       .run =
           [d](const QJsonObject&) {
             d->goForward();
             return ActionOutcome::done();
           },
       .unavailable = [d] { return d->canGoForward() ? QString() : Document::tr("No later place."); }});
  actions.add({.id = "theme",
               .title = tr("Theme: light, dark, high contrast or system"),
               .group = "View",
               .args = {"name"},
               .cli =
                   [d](const QJsonObject& a) {
                     const QString name = a["name"].toString();
                     return renderCommandLine(*d) + QStringLiteral(" --theme ") +
                            (name.isEmpty() ? QStringLiteral("light") : name);
                   },
               .run =
                   [d](const QJsonObject& a) {
                     QString name = a["name"].toString();
                     if (name == QLatin1String("contrast")) name = QStringLiteral("high-contrast");
                     static const QStringList known = {"system", "light", "dark", "high-contrast"};
                     if (!known.contains(name))
                       return ActionOutcome::fail(Document::tr("unknown theme '%1'; expected %2")
                                                      .arg(name, known.join(QStringLiteral(", "))));
                     d->preferences().setTheme(name);
                     return ActionOutcome::done();
                   },
               .inPalette = false,
               .choices = {{QStringLiteral("system"), tr("System")},
                           {QStringLiteral("light"), tr("Light")},
                           {QStringLiteral("dark"), tr("Dark")},
                           {QStringLiteral("high-contrast"), tr("High contrast")}},
               .chosen = [d] { return d->preferences().theme(); }});
  actions.add({.id = "letter-keys",
               .title = tr("Single-letter keys on the canvas"),
               .group = "View",
               .cli = [d](const QJsonObject&) { return scriptCommandLine(*d, "letter-keys"); },
               .run =
                   [d](const QJsonObject&) {
                     d->preferences().setLetterKeys(!d->preferences().letterKeys());
                     return ActionOutcome::done();
                   },
               .checked = [d] { return d->preferences().letterKeys(); }});
  actions.add({.id = "save-workspace",
               .title = tr("Save workspace"),
               .group = "File",
               .keys = "Ctrl+S",
               .args = {"file"},
               .cli =
                   [d](const QJsonObject& a) {
                     return scriptCommandLine(*d, "save-workspace " + a["file"].toString());
                   },
               .run =
                   [d](const QJsonObject& a) {
                     const QString path = a["file"].toString();
                     if (path.isEmpty())
                       return ActionOutcome::fail(Document::tr("save-workspace needs a file"));
                     for (const OpenFile& file : d->files())
                       if (session::sameFile(path.toStdString(), file.path.toStdString()))
                         return ActionOutcome::fail(
                             Document::tr("%1 is open; the workspace would overwrite it").arg(path));
                     d->jobs().start(
                         Document::tr("Saving the workspace"), d,
                         [path, state = d->workspace()](JobControl&) {
                           WorkspaceState full = state;
                           hashFiles(full);
                           QString error;
                           saveWorkspaceFile(path, full, &error);
                           return error;
                         },
                         [d, path](const QString& error) {
                           if (!error.isEmpty())
                             emit d->failed(error);
                           else
                             emit d->message(Document::tr("Workspace saved to %1").arg(path));
                         });
                     return ActionOutcome::done();
                   }});
  actions.add({.id = "load-workspace",
               .title = tr("Open workspace"),
               .group = "File",
               .args = {"file"},
               .cli =
                   [](const QJsonObject& a) {
                     return QStringLiteral("descry open ") + shellQuote(a["file"].toString().isEmpty()
                                                                            ? QStringLiteral("x.descry")
                                                                            : a["file"].toString());
                   },
               .run =
                   [d](const QJsonObject& a) {
                     QString error;
                     auto state = loadWorkspaceFile(a["file"].toString(), &error);
                     if (!state) return ActionOutcome::fail(error);
                     if (!state->theme.isEmpty()) d->preferences().setTheme(state->theme);
                     d->restore(*state);
                     return ActionOutcome::done();
                   }});
  actions.add({.id = "stop",
               .title = tr("Cancel running jobs"),
               .group = "Window",
               .keys = "Ctrl+.",
               .cli = [](const QJsonObject&) { return QStringLiteral("Ctrl+C in a terminal"); },
               .run =
                   [d](const QJsonObject&) {
                     // A run that is stopped keeps what it found; all else ends without a result.
                     bool ran = false;
                     for (const auto& tab : d->tabs()) {
                       ran = ran || tab->runs().running();
                       tab->runs().stop();
                     }
                     if (ran) return ActionOutcome::done(Document::tr("Stopping the run"));
                     for (const auto& tab : d->tabs()) tab->stopLayout();
                     d->jobs().cancelAll();
                     return ActionOutcome::done(Document::tr("Cancelled"));
                   }});
}

}  // namespace descry::gui
