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
  const GraphTab* tab = document.current();
  return tab ? shellQuote(tab->address()) : QStringLiteral("FILE");
}

QString currentNodeAddress(const Document& document) {
  const GraphTab* tab = document.current();
  if (!tab || !tab->current()) return currentAddress(document);
  return shellQuote(tab->address() + QLatin1Char('#') + tab->nameOf(tab->current()));
}

QString queryCommandLine(const Document& document, const QString& query) {
  return QStringLiteral("descry find %1 %2").arg(currentAddress(document), shellQuote(query));
}

QString scriptCommandLine(const Document& document, const QString& step) {
  const GraphTab* tab = document.current();
  const QString file = tab ? shellQuote(tab->address()) + QLatin1Char(' ') : QString();
  return QStringLiteral("echo %1 | descry open %2--script - --offscreen").arg(shellQuote(step), file);
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

QString renderCommandLine(const Document& document) {
  const GraphTab* tab = document.current();
  if (!tab) return QStringLiteral("descry render FILE -o graph.svg");
  session::ExportRequest request;
  request.format = "png";  // makes it a `render` line; the ending of the path decides what is drawn
  request.path = "graph.svg";
  request.scene = tab->sceneOptions();
  return QString::fromStdString(session::exportCommandLine(*tab->graph(), request));
}

}  // namespace descry::gui
