// Command lines that do what the window shows.
#include "gui/document/document_actions.h"
#include "session/exports.h"

namespace descry::gui {

QString needsGraph(const Document& document) {
  return document.current() ? QString() : Document::tr("No graph is open.");
}

QString needsNode(const Document& document) {
  if (!document.current()) return needsGraph(document);
  return document.current()->current() ? QString() : Document::tr("No node is selected.");
}

QString currentAddress(const Document& document) {
  return document.current() ? tabAddress(*document.current()) : QStringLiteral("FILE");
}

QString tabAddress(const GraphTab& tab) {
  const QString address = shellQuote(tab.address());
  const PassStepper& passes = tab.passes();
  if (passes.position() == 0) return address;
  // All graphs of a state are printed; those behind the first have numbers.
  return QStringLiteral("<(descry opt %1 --passes %2)%3")
      .arg(address, shellQuote(passes.pipelineTo(passes.position())),
           passes.which() ? QStringLiteral("::graph#%1").arg(passes.which() + 1) : QString());
}

QString currentNodeAddress(const Document& document) {
  const GraphTab* tab = document.current();
  if (!tab || !tab->current()) return currentAddress(document);
  const QString node = QLatin1Char('#') + tab->nameOf(tab->current());
  return tab->passes().position() ? currentAddress(document) + node : shellQuote(tab->address() + node);
}

QString queryCommandLine(const Document& document, const QString& query) {
  return QStringLiteral("descry find %1 %2").arg(currentAddress(document), shellQuote(query));
}

QString scriptCommandLine(const Document& document, const QString& step) {
  const GraphTab* tab = document.current();
  const QString file = tab ? shellQuote(tab->address()) + QLatin1Char(' ') : QString();
  QStringList own = step.split(QLatin1Char('\n'));
  for (QString& s : own) s = shellQuote(s);
  QString echo = (own.size() == 1 ? QStringLiteral("echo ") : QStringLiteral("printf '%s\\n' ")) +
                 own.join(QLatin1Char(' '));
  if (tab && tab->passes().position() != 0) {
    const PassStepper& passes = tab->passes();
    QStringList steps = {QStringLiteral("run-passes ") + passes.pipelineTo(passes.position())};
    if (passes.which()) steps << QStringLiteral("pass-graph ") + passes.graphName();
    for (QString& s : steps) s = shellQuote(s);
    steps << own;
    echo = QStringLiteral("printf '%s\\n' ") + steps.join(QLatin1Char(' '));
  }
  return echo + QStringLiteral(" | descry open ") + file + QStringLiteral("--script - --offscreen");
}

QString exportCommandLine(const Document& document, const session::ExportRequest& request) {
  const GraphTab* tab = document.current();
  QString line = QString::fromStdString(session::exportCommandLine(*tab->graph(), request));
  const PassStepper& passes = tab->passes();
  const session::LoadedGraph& graph = *tab->graph();
  if (request.colours == "cut" && passes.passRun())
    // The printed graph does not say what was cut: the command makes it again.
    return line.replace(
        shellQuote(QString::fromStdString(graph.documentPath + "::" + graph.entry.id)),
        shellQuote(tab->address()) +
            QStringLiteral(" --passes %1 --state %2")
                .arg(shellQuote(passes.pipelineTo(passes.lastPosition())), passes.graphName()));
  if (passes.position() == 0) return line;
  return line.replace(shellQuote(QString::fromStdString(graph.documentPath + "::" + graph.entry.id)),
                      currentAddress(document));
}

session::GroupBy groupByFrom(const QString& name, bool* ok) {
  using session::GroupBy;
  for (GroupBy g : {GroupBy::None, GroupBy::Module, GroupBy::Phase, GroupBy::SourceLine}) {
    if (name != groupByName(g)) continue;
    if (ok) *ok = true;
    return g;
  }
  if (ok) *ok = false;
  return GroupBy::Module;
}

QString groupByName(session::GroupBy groupBy) {
  switch (groupBy) {
    case session::GroupBy::None:
      return QStringLiteral("none");
    case session::GroupBy::Module:
      return QStringLiteral("module");
    case session::GroupBy::Phase:
      return QStringLiteral("phase");
    case session::GroupBy::SourceLine:
      return QStringLiteral("source");
  }
  return {};
}

std::string shownColours(const Document& document) {
  const GraphTab* tab = document.current();
  // Command lines and text formats have no run to show.
  const bool unknown = (document.colours() == ir::ColourMode::Cut && !(tab && tab->graph()->cut)) ||
                       ir::isHeatMode(document.colours());
  return std::string(ir::colourModeName(unknown ? ir::ColourMode::Phase : document.colours()));
}

QString renderCommandLine(const Document& document, std::optional<ir::ColourMode> colours) {
  const GraphTab* tab = document.current();
  if (!tab) return QStringLiteral("descry render FILE -o graph.svg");
  session::ExportRequest request;
  request.format = "png";  // makes it a `render` line; the ending of the path decides what is drawn
  request.path = "graph.svg";
  request.scene = tab->sceneOptions();
  request.colours = colours ? std::string(ir::colourModeName(*colours)) : shownColours(document);
  return exportCommandLine(document, request);
}

}  // namespace descry::gui
