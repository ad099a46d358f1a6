// Running passes, stepping through them, other cuts, and PyTorch's own graphs.
#include <QJsonArray>

#include "gui/document/document_actions.h"

namespace descry::gui {
namespace {

QString needsRun(const Document& d) {
  if (!d.current()) return needsGraph(d);
  if (d.current()->passes().passRun()) return {};
  return d.current()->passes().running() ? Document::tr("The passes are still running.")
                                         : Document::tr("No passes were run on this graph.");
}

QString needsCut(const Document& d) {
  if (const QString why = needsRun(d); !why.isEmpty()) return why;
  return d.current()->passes().cut() ? QString()
                                     : Document::tr("No partition was run on this graph: run `%1`.")
                                           .arg(d.current()->passes().defaultPipeline());
}

/// The node that the call names, else the selected ones.
QStringList wishedNodes(const Document& d, const QJsonObject& args) {
  if (args["node"].isString() && !args["node"].toString().trimmed().isEmpty()) {
    QStringList names;
    for (const QString& name : args["node"].toString().split(QLatin1Char(','), Qt::SkipEmptyParts))
      names << name.trimmed();
    return names;
  }
  return d.current() ? d.current()->selectedNames() : QStringList();
}

ActionOutcome makeWish(Document& d, const QJsonObject& args, PassStepper::Wish wish) {
  PassStepper& passes = d.current()->passes();
  const QStringList nodes = wishedNodes(d, args);
  if (nodes.isEmpty()) return ActionOutcome::fail(Document::tr("No node is named, and none is selected."));
  for (const QString& node : nodes) {
    bool known = false;
    for (const session::DecisionRow& row : passes.cut()->rows)
      known = known || node == QString::fromStdString(row.node);
    if (!known)
      return ActionOutcome::fail(
          Document::tr("%1 is no value of the forward part of the joint graph.").arg(node));
  }
  passes.wish(nodes, wish);
  return ActionOutcome::done();
}

QString wishCommandLine(const Document& d, const QJsonObject& args, PassStepper::Wish wish) {
  const char* option = wish == PassStepper::Wish::Save ? "save" : "recompute";
  if (!d.current()) return QStringLiteral("descry aot FILE --cut --%1 NODE").arg(QLatin1String(option));
  PassStepper::Wishes next = d.current()->passes().wishes();
  for (const QString& node : wishedNodes(d, args)) next[node] = wish;
  return d.current()->passes().cutCommandLine(next);
}

/// `descry opt` up to a position: what it prints is what the window shows there.
QString stateCommandLine(const Document& d, std::optional<size_t> position) {
  const GraphTab* tab = d.current();
  if (!tab) return QStringLiteral("descry opt FILE --passes LIST");
  const PassStepper& passes = tab->passes();
  if (position == size_t{0}) return QStringLiteral("descry show ") + shellQuote(tab->address());
  return QStringLiteral("descry opt %1 --passes %2")
      .arg(shellQuote(tab->address()),
           shellQuote(passes.pipelineTo(position.value_or(passes.lastPosition()))));
}

/// `descry opt` with these passes, the chosen ones when none are named.
QString runCommandLine(const Document& d, const QString& passes) {
  const GraphTab* tab = d.current();
  QString list = passes.trimmed();
  if (list.isEmpty()) list = tab ? tab->passes().chosen() : QStringLiteral("LIST");
  const bool verify = tab && tab->passes().verifiesEach();
  return QStringLiteral("descry opt %1 --passes %2 --summary")
             .arg(tab ? shellQuote(tab->address()) : QStringLiteral("FILE"), shellQuote(list)) +
         (verify ? QStringLiteral(" --verify-each") : QString());
}

/// Scripts may give numbers and switches as such.
QString valueOf(const QJsonObject& args) {
  const QJsonValue value = args["value"];
  if (value.isBool()) return value.toBool() ? QStringLiteral("on") : QStringLiteral("off");
  return value.toVariant().toString().trimmed();
}

void addSteps(Actions& actions, Document* d) {
  const auto tr = [](const char* s) { return Document::tr(s); };
  const auto step = [&](const char* id, const QString& title, const char* key, int by) {
    actions.add({.id = id,
                 .title = title,
                 .group = "Passes",
                 .keys = key,
                 .cli =
                     [d, by](const QJsonObject&) {
                       const GraphTab* tab = d->current();
                       const size_t at = tab ? tab->passes().position() : 0,
                                    last = tab ? tab->passes().lastPosition() : 0;
                       return stateCommandLine(*d, by > 0 ? std::min(at + 1, last) : at - (at > 0));
                     },
                 .run =
                     [d, by](const QJsonObject&) {
                       PassStepper& passes = d->current()->passes();
                       passes.goTo(passes.position() + static_cast<size_t>(by));
                       return ActionOutcome::done();
                     },
                 .unavailable =
                     [d, by] {
                       if (const QString why = needsRun(*d); !why.isEmpty()) return why;
                       const PassStepper& passes = d->current()->passes();
                       if (by < 0 && passes.position() == 0)
                         return Document::tr("This is the graph before all passes.");
                       if (by > 0 && passes.position() == passes.lastPosition())
                         return Document::tr("This is the graph after the last pass.");
                       return QString();
                     }});
  };
  step("next-pass", tr("Next pass"), "]", 1);
  step("previous-pass", tr("Previous pass"), "[", -1);
  actions.add(
      {.id = "go-to-pass",
       .title = tr("Go to the graph after a pass"),
       .group = "Passes",
       .args = {"position"},
       .cli =
           [d](const QJsonObject& a) {
             const GraphTab* tab = d->current();
             return stateCommandLine(
                 *d, tab ? tab->passes().positionFrom(a["position"].toVariant().toString()) : std::nullopt);
           },
       .run =
           [d](const QJsonObject& a) {
             PassStepper& passes = d->current()->passes();
             const QString text = a["position"].toVariant().toString().trimmed();
             const auto position = passes.positionFrom(text);
             if (!position)
               return ActionOutcome::fail(
                   Document::tr("there is no pass '%1'; expected 0 to %2, the name of a pass that was run, "
                                "start or last")
                       .arg(text)
                       .arg(passes.lastPosition()));
             passes.goTo(*position);
             return ActionOutcome::done();
           },
       .unavailable = [d] { return needsRun(*d); }});
  actions.add({.id = "pass-graph",
               .title = tr("Show another graph of this pass: forward or backward"),
               .group = "Passes",
               .args = {"name"},
               .cli =
                   [d](const QJsonObject&) {
                     return stateCommandLine(
                         *d, d->current() ? std::optional(d->current()->passes().position()) : std::nullopt);
                   },
               .run =
                   [d](const QJsonObject& a) {
                     PassStepper& passes = d->current()->passes();
                     const QStringList names = passes.graphNames();
                     QString name = a["name"].toString();
                     if (name.isEmpty())
                       name = names[static_cast<qsizetype>((passes.which() + 1)) % names.size()];
                     if (!names.contains(name))
                       return ActionOutcome::fail(
                           Document::tr("there is no %1 graph after this pass; there is %2")
                               .arg(name, names.join(QStringLiteral(", "))));
                     passes.goTo(passes.position(), name);
                     return ActionOutcome::done();
                   },
               .unavailable = [d] { return needsRun(*d); }});
}

void addCut(Actions& actions, Document* d) {
  const auto tr = [](const char* s) { return Document::tr(s); };
  const auto wish = [&](const char* id, const QString& title, PassStepper::Wish which) {
    actions.add({.id = id,
                 .title = title,
                 .group = "Passes",
                 .args = {"node"},
                 .cli = [d, which](const QJsonObject& a) { return wishCommandLine(*d, a, which); },
                 .run = [d, which](const QJsonObject& a) { return makeWish(*d, a, which); },
                 .unavailable = [d] { return needsCut(*d); }});
  };
  wish("save-value", tr("Save this value for the backward graph"), PassStepper::Wish::Save);
  wish("recompute-value", tr("Recompute this value in the backward graph"), PassStepper::Wish::Recompute);
  const auto cli = [d](const QJsonObject&) {
    return d->current() ? d->current()->passes().cutCommandLine({}) : QStringLiteral("descry aot FILE --cut");
  };
  actions.add({.id = "clear-wishes",
               .title = tr("Cut without wishes again"),
               .group = "Passes",
               .cli = cli,
               .run =
                   [d](const QJsonObject&) {
                     d->current()->passes().clearWishes();
                     return ActionOutcome::done();
                   },
               .unavailable =
                   [d] {
                     if (const QString why = needsCut(*d); !why.isEmpty()) return why;
                     return d->current()->passes().wishes().empty() ? Document::tr("There are no wishes.")
                                                                    : QString();
                   }});
  actions.add({.id = "select-saved",
               .title = tr("Select the values that are saved for backward"),
               .group = "Select",
               .cli =
                   [d](const QJsonObject&) {
                     return d->current()
                                ? d->current()->passes().cutCommandLine(d->current()->passes().wishes())
                                : QStringLiteral("descry aot FILE --cut");
                   },
               .run =
                   [d](const QJsonObject&) {
                     d->selectByName(d->current(), d->current()->passes().savedNames());
                     return ActionOutcome::done();
                   },
               .unavailable = [d] { return needsCut(*d); }});
}

void addRecorded(Actions& actions, Document* d) {
  const auto tr = [](const char* s) { return Document::tr(s); };
  const auto why = [d] {
    return d->current() ? d->current()->passes().compareUnavailable() : needsGraph(*d);
  };
  // `FILE::0/0:forward`, as far as it is known before the file was asked.
  const auto recorded = [d] {
    const GraphTab* tab = d->current();
    const Comparison* known = tab->passes().comparison();
    QString id = known ? known->recordedId : QString();
    if (id.isEmpty()) {
      const qsizetype colon = tab->graphId().lastIndexOf(QLatin1Char(':'));
      id = tab->graphId().left(colon + 1) + tab->passes().recordedKind();
    }
    return shellQuote(tab->path() + QStringLiteral("::") + id);
  };
  actions.add({.id = "compare-recorded",
               .title = tr("Compare with PyTorch's own graph"),
               .group = "Passes",
               .cli =
                   [d, recorded](const QJsonObject&) {
                     const GraphTab* tab = d->current();
                     if (!tab) return QStringLiteral("descry aot FILE --compare");
                     const PassStepper& passes = tab->passes();
                     if (passes.recordedKind().isEmpty())
                       return QStringLiteral("descry aot %1 --compare").arg(shellQuote(tab->address()));
                     return QStringLiteral("descry diff %1 %2").arg(recorded(), currentAddress(*d));
                   },
               .run =
                   [d](const QJsonObject&) {
                     d->current()->passes().compare();
                     return ActionOutcome::done();
                   },
               .unavailable = why});
  actions.add(
      {.id = "open-recorded",
       .title = tr("Open PyTorch's own graph beside this one"),
       .group = "Passes",
       .cli =
           [d, recorded](const QJsonObject&) {
             const bool known = d->current() && !d->current()->passes().recordedKind().isEmpty();
             return QStringLiteral("descry show ") + (known ? recorded() : QStringLiteral("FILE::GRAPH"));
           },
       .run =
           [d](const QJsonObject&) {
             GraphTab* tab = d->current();
             const QString kind = tab->passes().recordedKind();
             d->jobs().start(
                 Document::tr("Reading PyTorch's %1").arg(kind), tab,
                 [file = tab->file(), run = tab->passes().passRun(), kind](JobControl&) {
                   return session::recordedGraph(*file, *run->start(), kind.toStdString());
                 },
                 [d, path = tab->path(), kind](const session::LoadedGraphPtr& graph) {
                   if (graph)
                     d->openGraph(path, QString::fromStdString(graph->entry.id));
                   else
                     emit d->failed(
                         Document::tr("The file has no %1 graph of this compile: PyTorch did not log it.")
                             .arg(kind));
                 });
             return ActionOutcome::done();
           },
       .unavailable = why});
}

}  // namespace

void addPassActions(Actions& actions, Document& doc) {
  Document* d = &doc;
  actions.add({.id = "run-passes",
               .title = Document::tr("Run passes"),
               .group = "Passes",
               .args = {"passes"},
               .cli = [d](const QJsonObject& a) { return runCommandLine(*d, a["passes"].toString()); },
               .run =
                   [d](const QJsonObject& a) {
                     PassStepper& passes = d->current()->passes();
                     const QString list = a["passes"].toString().trimmed();
                     passes.run(list.isEmpty() ? passes.chosen() : list);
                     return ActionOutcome::done();
                   },
               .unavailable = [d] { return needsGraph(*d); }});
  actions.add({.id = "choose-passes",
               .title = Document::tr("Choose passes without running them"),
               .group = "Passes",
               .args = {"passes"},
               .cli = [d](const QJsonObject& a) { return runCommandLine(*d, a["passes"].toString()); },
               .run =
                   [d](const QJsonObject& a) {
                     d->current()->passes().choose(a["passes"].toString().trimmed());
                     return ActionOutcome::done();
                   },
               .unavailable = [d] { return needsGraph(*d); },
               .inPalette = false});
  actions.add(
      {.id = "set-pass-option",
       .title = Document::tr("Set an option of the passes: requires-grad, unknown-ops, memory-budget, ..."),
       .group = "Passes",
       .args = {"option", "value"},
       .cli =
           [d](const QJsonObject& a) {
             if (!d->current()) return runCommandLine(*d, {});
             const auto with =
                 session::withOption(d->current()->passes().chosen().toStdString(),
                                     a["option"].toString().toStdString(), valueOf(a).toStdString());
             return runCommandLine(*d, with ? QString::fromStdString(*with) : QString());
           },
       .run =
           [d](const QJsonObject& a) {
             const QString why =
                 d->current()->passes().setOption(a["option"].toString().trimmed(), valueOf(a));
             return why.isEmpty() ? ActionOutcome::done() : ActionOutcome::fail(why);
           },
       .unavailable = [d] { return needsGraph(*d); }});
  actions.add({.id = "verify-passes",
               .title = Document::tr("Check every state while passes run"),
               .group = "Passes",
               .cli =
                   [d](const QJsonObject&) {
                     const GraphTab* tab = d->current();
                     return QStringLiteral("descry opt %1 --passes %2 --verify-each")
                         .arg(tab ? shellQuote(tab->address()) : QStringLiteral("FILE"),
                              tab ? shellQuote(tab->passes().defaultPipeline()) : QStringLiteral("LIST"));
                   },
               .run =
                   [d](const QJsonObject&) {
                     PassStepper& passes = d->current()->passes();
                     passes.setVerifiesEach(!passes.verifiesEach());
                     return ActionOutcome::done();
                   },
               .unavailable = [d] { return needsGraph(*d); },
               .checked = [d] { return d->current() && d->current()->passes().verifiesEach(); }});
  addSteps(actions, d);
  addCut(actions, d);
  addRecorded(actions, d);
}

}  // namespace descry::gui
