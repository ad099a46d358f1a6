// Running the shown graph, and going through what a run found.
#include "gui/document/document_actions.h"

namespace descry::gui {
namespace {

QString numberText(const QJsonObject& args) {
  return args["number"].toVariant().toString().trimmed();
}

/// Scripts may give numbers and switches as such.
QString valueText(const QJsonObject& args) {
  const QJsonValue value = args["value"];
  if (value.isBool()) return value.toBool() ? QStringLiteral("on") : QStringLiteral("off");
  return value.toVariant().toString().trimmed();
}

QString runLine(const Document& d, const QString& upTo = {}) {
  return d.current() ? d.current()->runs().commandLine(upTo) : QStringLiteral("descry run FILE");
}

/// Without what looks at nodes: that goes with nothing else.
QString resultsLine(QString line) {
  return line.section(QStringLiteral(" --nodes"), 0, 0).section(QStringLiteral(" --profile"), 0, 0);
}

/// Both run again, and their values beside each other.
QString compareLine(const Document& d, const QString& a, const QString& b) {
  QString line = QStringLiteral(
                     "%1 --save-values b.safetensors && %2 --save-values a.safetensors && "
                     "descry compare a.safetensors b.safetensors")
                     .arg(resultsLine(b), resultsLine(a));
  const QString tolerance = d.current() ? d.current()->runs().settings().tolerance : QString();
  return tolerance.isEmpty() ? line : line + QStringLiteral(" --tolerance ") + shellQuote(tolerance);
}

QString needsView(const Document& d) {
  return d.current() ? d.current()->runs().nothingYet() : needsGraph(d);
}

/// Why no run can begin now.
QString cannotRun(const Document& d) {
  if (!d.current()) return needsGraph(d);
  return d.current()->runs().running() ? Document::tr("A run is on its way: Ctrl+. stops it.") : QString();
}

/// Node that a call names, else the selected one.
QString target(const Document& d, const QJsonObject& args) {
  const QString name = args["node"].toString().trimmed();
  return !name.isEmpty() || !d.current() ? name : d.current()->nameOf(d.current()->current());
}

QString missingRun(const Document& d, const QString& number) {
  QStringList known;
  for (const KeptRunPtr& run : d.current()->runs().runs()) known << QString::number(run->number);
  return known.isEmpty() ? Document::tr("there are no runs yet")
                         : Document::tr("there is no such run of this graph: '%1'; there are %2")
                               .arg(number, known.join(QStringLiteral(", ")));
}

void addRunning(Actions& actions, Document* d) {
  const auto tr = [](const char* s) { return Document::tr(s); };
  actions.add({.id = "run",
               .title = tr("Run the graph"),
               .group = "Run",
               .keys = "R",
               .scope = KeyScope::Canvas,
               .cli = [d](const QJsonObject&) { return runLine(*d); },
               .run =
                   [d](const QJsonObject&) {
                     d->current()->runs().start();
                     return ActionOutcome::done();
                   },
               .unavailable = [d] { return cannotRun(*d); }});
  actions.add({.id = "run-to",
               .title = tr("Run to here: up to the selected node"),
               .group = "Run",
               .keys = "Shift+R",
               .scope = KeyScope::Canvas,
               .args = {"node"},
               .cli =
                   [d](const QJsonObject& a) {
                     const QString node = target(*d, a);
                     return runLine(*d, node.isEmpty() ? QStringLiteral("NODE") : node);
                   },
               .run =
                   [d](const QJsonObject& a) {
                     const QString node = target(*d, a);
                     if (node.isEmpty())
                       return ActionOutcome::fail(Document::tr("No node is named, and none is selected."));
                     d->current()->runs().start(node);
                     return ActionOutcome::done();
                   },
               .unavailable = [d] { return cannotRun(*d); }});
  actions.add(
      {.id = "set-run-option",
       .title = tr("Set an option of runs: inputs, executor, backward, runs, keep, memory, seed, tolerance"),
       .group = "Run",
       .args = {"option", "value"},
       .cli = [d](const QJsonObject&) { return runLine(*d); },
       .run =
           [d](const QJsonObject& a) {
             const QString why = d->current()->runs().set(a["option"].toString().trimmed(), valueText(a));
             return why.isEmpty() ? ActionOutcome::done() : ActionOutcome::fail(why);
           },
       .unavailable = [d] { return needsGraph(*d); },
       .inPalette = false});
}

void addRuns(Actions& actions, Document* d) {
  const auto tr = [](const char* s) { return Document::tr(s); };
  const auto lineOf = [d](const QJsonObject& a) {
    const KeptRunPtr run = d->current() ? d->current()->runs().byNumber(numberText(a).toInt()) : nullptr;
    return run ? run->commandLine : runLine(*d);
  };
  actions.add({.id = "show-run",
               .title = tr("Show what an earlier run found"),
               .group = "Run",
               .args = {"number"},
               .cli = lineOf,
               .run =
                   [d](const QJsonObject& a) {
                     const QString number = numberText(a);
                     return d->current()->runs().show(number.toInt())
                                ? ActionOutcome::done()
                                : ActionOutcome::fail(missingRun(*d, number));
                   },
               .unavailable = [d] { return needsGraph(*d); },
               .inPalette = false});
  actions.add({.id = "compare-runs",
               .title = tr("Hold the shown run against another one"),
               .group = "Run",
               .args = {"number"},
               .cli =
                   [d, lineOf](const QJsonObject& a) {
                     const KeptRunPtr shown = d->current() ? d->current()->runs().shown() : nullptr;
                     const QString other = lineOf(a);
                     return compareLine(*d, shown ? shown->commandLine : other, other);
                   },
               .run =
                   [d](const QJsonObject& a) {
                     const QString number = numberText(a);
                     return d->current()->runs().compareWith(number.toInt())
                                ? ActionOutcome::done()
                                : ActionOutcome::fail(missingRun(*d, number));
                   },
               .unavailable = [d] { return needsView(*d); },
               .inPalette = false});
  actions.add({.id = "compare-last-runs",
               .title = tr("Hold the shown run against the one before it"),
               .group = "Run",
               .cli = [d](const QJsonObject&) { return compareLine(*d, runLine(*d), runLine(*d)); },
               .run =
                   [d](const QJsonObject&) {
                     GraphRuns& runs = d->current()->runs();
                     int other = 0;
                     for (const KeptRunPtr& run : runs.runs())
                       if (run->view && run->number < runs.shown()->number) other = run->number;
                     return other && runs.compareWith(other)
                                ? ActionOutcome::done()
                                : ActionOutcome::fail(Document::tr("There is no run before the shown one."));
                   },
               .unavailable = [d] { return needsView(*d); }});
  actions.add({.id = "drop-run",
               .title = tr("Forget a run"),
               .group = "Run",
               .args = {"number"},
               .cli = lineOf,
               .run =
                   [d](const QJsonObject& a) {
                     GraphRuns& runs = d->current()->runs();
                     const QString number = numberText(a);
                     if (!runs.byNumber(number.toInt())) return ActionOutcome::fail(missingRun(*d, number));
                     runs.drop(number.toInt());
                     return ActionOutcome::done();
                   },
               .unavailable = [d] { return needsGraph(*d); },
               .inPalette = false});
}

void addSuspects(Actions& actions, Document* d) {
  const auto tr = [](const char* s) { return Document::tr(s); };
  const auto step = [&](const char* id, const QString& title, const char* key, int by) {
    actions.add({.id = id,
                 .title = title,
                 .group = "Go",
                 .keys = key,
                 .scope = KeyScope::Canvas,
                 .cli = [d](const QJsonObject&) { return runLine(*d); },
                 .run =
                     [d, by](const QJsonObject&) {
                       return d->current()->runs().stepSuspect(by)
                                  ? ActionOutcome::done()
                                  : ActionOutcome::fail(
                                        Document::tr("The shown run has no NaN, no infinity, and no "
                                                     "mismatch with another run."));
                     },
                 .unavailable = [d] { return needsView(*d); }});
  };
  step("next-suspect", tr("Next NaN, infinity or mismatch"), "N", 1);
  step("previous-suspect", tr("Previous NaN, infinity or mismatch"), "Shift+N", -1);
}

void addScale(Actions& actions, Document* d) {
  const auto toggle = [&](const char* id, const QString& title, bool session::HeatOptions::*which) {
    actions.add(
        {.id = id,
         .title = title,
         .group = "View",
         .cli = [d, id](const QJsonObject&) { return scriptCommandLine(*d, QString::fromLatin1(id)); },
         .run =
             [d, which](const QJsonObject&) {
               session::HeatOptions options = d->current()->runs().heatOptions();
               options.*which = !(options.*which);
               for (const auto& tab : d->tabs()) tab->runs().setHeatOptions(options);
               return ActionOutcome::done();
             },
         .unavailable = [d] { return needsGraph(*d); },
         .checked = [d, which] { return d->current() && d->current()->runs().heatOptions().*which; }});
  };
  toggle("heat-log", Document::tr("Logarithmic scale of times"), &session::HeatOptions::log);
  toggle("heat-clip", Document::tr("Clip the scale of times to percentiles 1 to 99"),
         &session::HeatOptions::clip);
}

}  // namespace

void addRunActions(Actions& actions, Document& doc) {
  addRunning(actions, &doc);
  addRuns(actions, &doc);
  addSuspects(actions, &doc);
  addScale(actions, &doc);
}

}  // namespace descry::gui
