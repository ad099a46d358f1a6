#include "gui/app/window_actions.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QImage>

#include <memory>

#include "gui/app/export_run.h"
#include "gui/app/graph_page.h"
#include "gui/app/main_window.h"
#include "gui/document/document_actions.h"
#include "gui/panels/panel.h"
#include "gui/panels/table/table_panel.h"

namespace descry::gui {
namespace {

void addCamera(MainWindow& w) {
  Actions& actions = w.actions();
  Document* d = &w.document();
  const auto add = [&](const char* id, const QString& title, const char* keys, void (GraphCanvas::*what)()) {
    actions.add(
        {.id = id,
         .title = title,
         .group = "Camera",
         .keys = keys,
         .scope = KeyScope::Canvas,
         .cli = [d, id](const QJsonObject&) { return scriptCommandLine(*d, QString::fromLatin1(id)); },
         .run =
             [&w, what](const QJsonObject&) {
               (w.currentPage()->canvas()->*what)();
               return ActionOutcome::done();
             },
         .unavailable = [d] { return needsGraph(*d); }});
  };
  add("fit", MainWindow::tr("Fit the whole graph"), "Home", &GraphCanvas::fitAll);
  add("fit-selection", MainWindow::tr("Fit the selection"), "F", &GraphCanvas::fitSelection);
  add("fit-neighbourhood", MainWindow::tr("Fit the selection and its neighbours"), "F, F",
      &GraphCanvas::fitNeighbourhood);
  add("zoom-in", MainWindow::tr("Zoom in"), "+", &GraphCanvas::zoomIn);
  add("zoom-out", MainWindow::tr("Zoom out"), "-", &GraphCanvas::zoomOut);
  actions.add({.id = "zoom",
               .title = MainWindow::tr("Zoom to 100 %"),
               .group = "Camera",
               .keys = "0",
               .scope = KeyScope::Canvas,
               .args = {"percent"},
               .cli =
                   [d](const QJsonObject& a) {
                     return scriptCommandLine(*d, "zoom " + a["percent"].toVariant().toString());
                   },
               .run =
                   [&w](const QJsonObject& a) {
                     const double percent = a.contains("percent") ? a["percent"].toVariant().toDouble() : 100;
                     if (!(percent > 0))
                       return ActionOutcome::fail(MainWindow::tr("zoom needs a percentage above 0"));
                     w.currentPage()->canvas()->setZoom(percent / 100);
                     return ActionOutcome::done();
                   },
               .unavailable = [d] { return needsGraph(*d); }});
  const auto toggle = [&](const char* id, const QString& title, const char* keys,
                          bool (GraphCanvas::*get)() const, void (GraphCanvas::*set)(bool)) {
    actions.add(
        {.id = id,
         .title = title,
         .group = "Camera",
         .keys = keys,
         .scope = KeyScope::Canvas,
         .cli = [d, id](const QJsonObject&) { return scriptCommandLine(*d, QString::fromLatin1(id)); },
         .run =
             [&w, get, set](const QJsonObject&) {
               GraphCanvas* canvas = w.currentPage()->canvas();
               (canvas->*set)(!(canvas->*get)());
               return ActionOutcome::done();
             },
         .unavailable = [d] { return needsGraph(*d); },
         .checked = [&w, get] { return w.currentPage() && (w.currentPage()->canvas()->*get)(); }});
  };
  toggle("minimap", MainWindow::tr("Minimap"), "M", &GraphCanvas::isMinimapVisible,
         &GraphCanvas::setMinimapVisible);
  toggle("legend", MainWindow::tr("Legend"), "", &GraphCanvas::isLegendVisible,
         &GraphCanvas::setLegendVisible);
  const auto name = [](ir::ColourMode mode) {
    const std::string_view text = ir::colourModeName(mode);
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
  };
  const auto colour = [d, name](ir::ColourMode mode) {
    d->setColours(mode);
    if (mode == ir::ColourMode::Cut && d->current() && !d->current()->graph()->cut)
      return ActionOutcome::done(MainWindow::tr(
          "Coloured by cut; no partition of this graph is known: run passes that end with one"));
    if (ir::isHeatMode(mode) && d->current() && !d->current()->runs().heat(mode))
      return ActionOutcome::done(
          mode == ir::ColourMode::Error
              ? MainWindow::tr(
                    "Coloured by error; it shows two runs: hold one against another in the Run dock")
              : MainWindow::tr("Coloured by %1; it shows a run: press R").arg(name(mode)));
    return ActionOutcome::done(MainWindow::tr("Coloured by %1").arg(name(mode)));
  };
  // Colours of a run exist in the window alone.
  const auto coloursLine = [d, name](ir::ColourMode mode) {
    return ir::isHeatMode(mode) ? scriptCommandLine(*d, QStringLiteral("run\ncolour-by ") + name(mode))
                                : renderCommandLine(*d, mode);
  };
  // Colours of a run are passed over while there is none.
  const auto next = [d](int by) {
    int at = static_cast<int>(d->colours());
    do {
      at = (at + ir::kColourModeCount + by) % ir::kColourModeCount;
    } while (ir::isHeatMode(static_cast<ir::ColourMode>(at)) &&
             !(d->current() && d->current()->runs().heat(static_cast<ir::ColourMode>(at))));
    return static_cast<ir::ColourMode>(at);
  };
  actions.add(
      {.id = "colour-by",
       .title = MainWindow::tr("Colour by phase, cut, role, op, dtype, plain, time, numeric or error"),
       .group = "View",
       .keys = "V",
       .scope = KeyScope::Canvas,
       .args = {"name"},
       .cli =
           [coloursLine, next](const QJsonObject& a) {
             const QString wanted = a["name"].toString();
             return coloursLine(ir::colourModeFromName(wanted.toStdString()).value_or(next(1)));
           },
       .run =
           [colour, next](const QJsonObject& a) {
             const QString wanted = a["name"].toString();
             if (wanted.isEmpty()) return colour(next(1));
             const auto mode = ir::colourModeFromName(wanted.toStdString());
             return mode ? colour(*mode)
                         : ActionOutcome::fail(
                               MainWindow::tr("unknown colours '%1'; expected phase, cut, role, op, "
                                              "dtype, plain, time, numeric or error")
                                   .arg(wanted));
           },
       .choices = {{QStringLiteral("phase"), MainWindow::tr("Phase: forward, backward, either")},
                   {QStringLiteral("cut"), MainWindow::tr("Cut: saved and recomputed values")},
                   {QStringLiteral("role"), MainWindow::tr("Role: input, parameter, view, ...")},
                   {QStringLiteral("op"), MainWindow::tr("Kind of op")},
                   {QStringLiteral("dtype"), MainWindow::tr("Dtype")},
                   {QStringLiteral("plain"), MainWindow::tr("Plain")},
                   {QStringLiteral("time"), MainWindow::tr("Time: share of a run")},
                   {QStringLiteral("numeric"), MainWindow::tr("Numeric: range and sign of values")},
                   {QStringLiteral("error"), MainWindow::tr("Error: one run against another")}},
       .chosen = [d, name] { return name(d->colours()); }});
  actions.add({.id = "previous-colours",
               .title = MainWindow::tr("Previous colours"),
               .group = "View",
               .keys = "Shift+V",
               .scope = KeyScope::Canvas,
               .cli = [coloursLine, next](const QJsonObject&) { return coloursLine(next(-1)); },
               .run = [colour, next](const QJsonObject&) { return colour(next(-1)); }});
}

void addDocks(MainWindow& w) {
  Actions& actions = w.actions();
  Document* d = &w.document();
  int number = 1;
  for (Panel* p : w.panels()) {
    const QString id = QStringLiteral("dock-") + p->id();
    actions.add({.id = id,
                 .title = MainWindow::tr("Show %1").arg(p->windowTitle()),
                 .group = "Window",
                 .keys = number <= 9 ? QStringLiteral("Ctrl+%1").arg(number) : QString(),
                 .cli = [d, id](const QJsonObject&) { return scriptCommandLine(*d, id); },
                 .run =
                     [&w, p](const QJsonObject&) {
                       w.showDock(p->id(), true);
                       return ActionOutcome::done();
                     },
                 .checked = [p] { return !p->isHidden(); }});
    ++number;
  }
  const auto dock = [&](const char* id, const QString& title, bool show) {
    actions.add({.id = id,
                 .title = title,
                 .group = "Window",
                 .args = {"dock"},
                 .cli =
                     [d, id](const QJsonObject& a) {
                       return scriptCommandLine(
                           *d, QString::fromLatin1(id) + QLatin1Char(' ') + a["dock"].toString());
                     },
                 .run =
                     [&w, show](const QJsonObject& a) {
                       const QString name = a["dock"].toString();
                       if (!w.panel(name)) {
                         QStringList known;
                         for (Panel* p : w.panels()) known << p->id();
                         return ActionOutcome::fail(MainWindow::tr("there is no dock '%1'; there are %2")
                                                        .arg(name, known.join(QStringLiteral(", "))));
                       }
                       if (show)
                         w.showDock(name, false);
                       else
                         w.hideDock(name);
                       return ActionOutcome::done();
                     },
                 .inPalette = false});
  };
  dock("show-dock", MainWindow::tr("Show a dock"), true);
  dock("hide-dock", MainWindow::tr("Hide a dock"), false);
  const auto layout = [&](const char* id, const QString& title, const char* keys, const char* preset) {
    actions.add(
        {.id = id,
         .title = title,
         .group = "Window",
         .keys = keys,
         .cli = [d, id](const QJsonObject&) { return scriptCommandLine(*d, QString::fromLatin1(id)); },
         .run =
             [&w, preset](const QJsonObject&) {
               w.applyPreset(QString::fromLatin1(preset));
               return ActionOutcome::done();
             }});
  };
  layout("reset-layout", MainWindow::tr("Reset layout"), "", "read");
  layout("layout-read", MainWindow::tr("Layout: Read"), "Ctrl+Alt+1", "read");
  layout("layout-passes", MainWindow::tr("Layout: Passes"), "Ctrl+Alt+2", "passes");
  layout("layout-joint", MainWindow::tr("Layout: Joint"), "Ctrl+Alt+3", "joint");
  layout("layout-performance", MainWindow::tr("Layout: Performance"), "Ctrl+Alt+4", "performance");
  layout("layout-numerics", MainWindow::tr("Layout: Numerics"), "Ctrl+Alt+5", "numerics");
  actions.add({.id = "next-pane",
               .title = MainWindow::tr("Next pane"),
               .group = "Window",
               .keys = "F6",
               .cli = [d](const QJsonObject&) { return scriptCommandLine(*d, "next-pane"); },
               .run =
                   [&w](const QJsonObject&) {
                     QList<QWidget*> stops;
                     if (w.currentPage()) stops << w.currentPage()->canvas();
                     for (Panel* p : w.panels())
                       if (p->isVisible() && !p->visibleRegion().isEmpty()) stops << p->focusTarget();
                     if (stops.isEmpty()) return ActionOutcome::done();
                     qsizetype at = -1;
                     for (qsizetype i = 0; i < stops.size(); ++i)
                       if (stops[i]->hasFocus() || stops[i]->isAncestorOf(QApplication::focusWidget()))
                         at = i;
                     stops[(at + 1) % stops.size()]->setFocus(Qt::ShortcutFocusReason);
                     return ActionOutcome::done();
                   }});
  actions.add({.id = "full-screen",
               .title = MainWindow::tr("Full screen"),
               .group = "Window",
               .keys = "F11",
               .cli = [d](const QJsonObject&) { return scriptCommandLine(*d, "full-screen"); },
               .run =
                   [&w](const QJsonObject&) {
                     w.setWindowState(w.windowState() ^ Qt::WindowFullScreen);
                     return ActionOutcome::done();
                   },
               .checked = [&w] { return w.isFullScreen(); }});
}

void addExports(MainWindow& w) {
  Actions& actions = w.actions();
  Document* d = &w.document();
  const auto text = [&](const char* id, const QString& title, const char* keys, std::function<QString()> make,
                        std::function<QString()> why) {
    actions.add(
        {.id = id,
         .title = title,
         .group = "Edit",
         .keys = keys,
         .cli = [d](const QJsonObject&) { return QStringLiteral("descry show ") + currentNodeAddress(*d); },
         .run =
             [make](const QJsonObject&) {
               const QString copied = make();
               QApplication::clipboard()->setText(copied);
               return ActionOutcome::done(MainWindow::tr("Copied: %1").arg(copied.left(120)));
             },
         .unavailable = std::move(why)});
  };
  text(
      "copy-name", MainWindow::tr("Copy name"), "Ctrl+C",
      [d] { return d->current()->selectedNames().join(QLatin1Char('\n')); }, [d] { return needsNode(*d); });
  text(
      "copy-address", MainWindow::tr("Copy address"), "Ctrl+Shift+C", [d] { return currentNodeAddress(*d); },
      [d] { return needsGraph(*d); });
  actions.add(
      {.id = "copy-value",
       .title = MainWindow::tr("Copy the shown elements as text"),
       .group = "Value",
       .cli =
           [&actions](const QJsonObject& a) { return actions.find(QStringLiteral("value-slice"))->cli(a); },
       .run =
           [d](const QJsonObject&) {
             QApplication::clipboard()->setText(d->current()->value().gridText());
             return ActionOutcome::done(MainWindow::tr("The elements were copied"));
           },
       .unavailable = [d] { return d->current() ? d->current()->value().absence() : needsGraph(*d); }});
  const auto runLine = [d](const QJsonObject& a) {
    if (!d->current()) return QStringLiteral("descry run FILE");
    const KeptRunPtr run = d->current()->runs().byNumber(a["number"].toVariant().toInt());
    return run ? run->commandLine : d->current()->runs().commandLine();
  };
  actions.add({.id = "copy-run-command",
               .title = MainWindow::tr("Copy the command line that runs this graph"),
               .group = "Run",
               .args = {"number"},
               .cli = runLine,
               .run =
                   [runLine](const QJsonObject& a) {
                     QApplication::clipboard()->setText(runLine(a));
                     return ActionOutcome::done(MainWindow::tr("Copied: %1").arg(runLine(a)));
                   },
               .unavailable = [d] { return needsGraph(*d); }});
  actions.add({.id = "copy-table",
               .title = MainWindow::tr("Copy the table as CSV"),
               .group = "Edit",
               .cli =
                   [d](const QJsonObject&) {
                     return QStringLiteral("descry export %1 --format csv -o -").arg(currentAddress(*d));
                   },
               .run =
                   [&w](const QJsonObject&) {
                     auto* panel = static_cast<TablePanel*>(w.panel(QStringLiteral("table")));
                     QApplication::clipboard()->setText(panel->csv());
                     return ActionOutcome::done(MainWindow::tr("The table was copied"));
                   },
               .unavailable = [d] { return needsGraph(*d); }});
  // What an export was given last, so that it can be repeated on another graph.
  const auto last = std::make_shared<QJsonObject>();
  const auto request = [d](const QJsonObject& a) {
    session::ExportRequest r;
    r.path = a["file"].toString().toStdString();
    r.format =
        (a.contains("format") ? a["format"].toString() : formatOfPath(a["file"].toString())).toStdString();
    if (a.contains("theme")) r.theme = a["theme"].toString().toStdString();
    r.scene = d->current()->sceneOptions();
    r.colours = shownColours(*d);
    return r;
  };
  const auto commandLine = [d, request](const QJsonObject& a) {
    if (!d->current()) return QStringLiteral("descry export FILE --format svg -o OUT");
    session::ExportRequest r = request(a);
    if (r.format.empty()) r.format = "svg";
    return exportCommandLine(*d, r);
  };
  const auto write = [d, request, last](const QJsonObject& a) {
    const QString path = a["file"].toString();
    const session::ExportRequest r = request(a);
    if (path.isEmpty()) return ActionOutcome::fail(MainWindow::tr("export needs a file"));
    if (r.format.empty())
      return ActionOutcome::fail(MainWindow::tr("the ending of %1 names no format").arg(path));
    const double scale = a.contains("scale") ? a["scale"].toVariant().toDouble() : 1;
    *last = a;
    d->jobs().start(
        MainWindow::tr("Writing %1").arg(QFileInfo(path).fileName()), d,
        [graph = d->current()->graph(), scene = d->current()->scene(), r, scale, run = runPicture(*d)](
            JobControl& control) { return runExport(*graph, r, scene, scale, control, run); },
        [d, path](const QString& error) {
          if (error.isEmpty())
            emit d->message(MainWindow::tr("%1 was written").arg(path));
          else
            emit d->failed(error);
        });
    return ActionOutcome::done();
  };
  actions.add({.id = "export",
               .title = MainWindow::tr("Export"),
               .group = "File",
               .keys = "Ctrl+E",
               .args = {"file", "format", "theme", "scale"},
               .cli = commandLine,
               .run = write,
               .unavailable = [d] { return needsGraph(*d); }});
  actions.add({.id = "repeat-export",
               .title = MainWindow::tr("Repeat the last export"),
               .group = "File",
               .keys = "Ctrl+Shift+E",
               .cli = [commandLine, last](const QJsonObject&) { return commandLine(*last); },
               .run = [write, last](const QJsonObject&) { return write(QJsonObject(*last)); },
               .unavailable =
                   [d, last] {
                     if (!d->current()) return needsGraph(*d);
                     return last->isEmpty() ? MainWindow::tr("Nothing was exported yet.") : QString();
                   }});
  actions.add({.id = "shot",
               .title = MainWindow::tr("Save a picture of the window"),
               .group = "File",
               .args = {"file"},
               .cli =
                   [d](const QJsonObject& a) {
                     return QStringLiteral("descry open %1 --offscreen --shot %2")
                         .arg(currentAddress(*d),
                              shellQuote(a["file"].toString().isEmpty() ? QStringLiteral("window.png")
                                                                        : a["file"].toString()));
                   },
               .run =
                   [&w](const QJsonObject& a) {
                     const QString path = a["file"].toString();
                     if (path.isEmpty()) return ActionOutcome::fail(MainWindow::tr("shot needs a file"));
                     return w.picture().save(path)
                                ? ActionOutcome::done()
                                : ActionOutcome::fail(MainWindow::tr("%1 could not be written").arg(path));
                   }});
}

void addQueryAll(MainWindow& w) {
  Document* d = &w.document();
  w.actions().add(
      {.id = "query-all",
       .title = MainWindow::tr("Query all graphs of this file"),
       .group = "Find",
       .keys = "Ctrl+Shift+F",
       .args = {"text"},
       .cli =
           [d](const QJsonObject& a) {
             return QStringLiteral("descry find --all %1 %2")
                 .arg(d->current() ? shellQuote(d->current()->path()) : QStringLiteral("FILE"),
                      shellQuote(a["text"].toString()));
           },
       .run =
           [&w, d](const QJsonObject& a) {
             const QString query = a["text"].toString(), path = d->current()->path();
             if (query.trimmed().isEmpty())
               return ActionOutcome::fail(MainWindow::tr("query-all needs a query"));
             d->jobs().start(
                 MainWindow::tr("Searching all graphs"), &w,
                 [file = d->current()->file(), text = query.toStdString()](JobControl& control) {
                   return session::runQueryOnAll(*file, text, &control.cancelled);
                 },
                 [&w, d, path, query](const session::AllHits& hits) {
                   if (hits.error)
                     emit d->failed(
                         MainWindow::tr("In the query: %1").arg(QString::fromStdString(hits.error->message)));
                   else
                     w.showAllHits(path, query, hits);
                 });
             return ActionOutcome::done();
           },
       .unavailable = [d] { return needsGraph(*d); }});
}

}  // namespace

void addWindowActions(MainWindow& w) {
  addCamera(w);
  addQueryAll(w);
  addExports(w);
  addDocks(w);
  Actions& actions = w.actions();
  Document* d = &w.document();
  actions.add({.id = "open-folder",
               .title = MainWindow::tr("Open a trace folder"),
               .group = "File",
               .keys = "Ctrl+Shift+O",
               .args = {"file"},
               .cli =
                   [](const QJsonObject& a) {
                     return QStringLiteral("descry open ") + shellQuote(a["file"].toString().isEmpty()
                                                                            ? QStringLiteral("FOLDER")
                                                                            : a["file"].toString());
                   },
               .run =
                   [d](const QJsonObject& a) {
                     if (a["file"].toString().isEmpty())
                       return ActionOutcome::fail(MainWindow::tr("open-folder needs a folder"));
                     d->open(a["file"].toString());
                     return ActionOutcome::done();
                   }});
  actions.add({.id = "quit",
               .title = MainWindow::tr("Quit"),
               .group = "File",
               .keys = "Ctrl+Q",
               .cli = [](const QJsonObject&) { return QStringLiteral("exit"); },
               .run =
                   [&w](const QJsonObject&) {
                     w.close();
                     return ActionOutcome::done();
                   }});
}

}  // namespace descry::gui
