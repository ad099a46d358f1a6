#include "gui/models/run_rows.h"

#include <QCoreApplication>

#include "session/node_text.h"
#include "session/value_text.h"

namespace descry::gui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("RunRows", text);
}

/// The node or input that a result such as `out.2`, `grad.0` belongs to.
QString nodeOfResult(const session::Run& run, const std::string& name) {
  const ir::Graph& graph = *run.graph->graph;
  const size_t dot = name.find('.');
  const QString kind = toQString(name).section(QLatin1Char('.'), 0, 0);
  bool ok = false;
  const uint index =
      dot == std::string::npos ? 0 : toQString(name).section(QLatin1Char('.'), 1, 1).toUInt(&ok);
  if (!ok) return {};
  ir::NodeId node;
  if (kind == QLatin1String("out")) {
    const std::vector<ir::ArgView> outputs = graph.outputs();
    if (index < outputs.size() && outputs[index].kind() == ir::ValueKind::NodeRef)
      node = outputs[index].node();
  } else if (kind == QLatin1String("grad")) {
    const std::vector<ir::NodeId> inputs = graph.placeholders();
    if (index < inputs.size()) node = inputs[index];
  }
  return node.valid() ? toQString(graph.nodeName(node)) : QString();
}

QString badText(const runtime::ValueStatistics& s) {
  QStringList parts;
  if (s.nan) parts << tr("%1 NaN").arg(s.nan);
  if (s.plusInf + s.minusInf) parts << tr("%1 Inf").arg(s.plusInf + s.minusInf);
  return parts.join(QStringLiteral(", "));
}

/// Five digits: a column of them has to be read at a glance.
QString number(double v) {
  return QString::number(v, 'g', 5);
}

}  // namespace

std::vector<CellRow> resultRows(const KeptRun& kept) {
  std::vector<CellRow> rows;
  const session::Run* run = kept.run();
  if (!run) return rows;
  for (size_t i = 0; i < run->results.size(); ++i) {
    const session::RunValue& v = run->results[i];
    CellRow row;
    row.node = nodeOfResult(*run, v.name);
    QString meaning = toQString(v.meaning);
    if (meaning.isEmpty() && !row.node.isEmpty()) meaning = tr("what %1 gives").arg(row.node);
    if (!v.tensor) {
      row.cells = {toQString(v.name), toQString(v.text), {}, {}, {}, {}, meaning};
    } else {
      const runtime::ValueStatistics s =
          i < kept.results.size() ? kept.results[i] : runtime::ValueStatistics();
      const auto shown = [&](double x) { return s.finite ? number(x) : QStringLiteral("-"); };
      row.cells = {toQString(v.name),
                   toQString(session::valueType(*v.tensor)),
                   shown(s.min),
                   shown(s.mean),
                   shown(s.max),
                   badText(s),
                   meaning};
      if (s.bad()) row.tone = CellTone::Error;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<CellRow> runRows(const GraphRuns& runs) {
  std::vector<CellRow> rows;
  const KeptRunPtr shown = runs.shown();
  for (size_t i = runs.runs().size(); i-- > 0;) {
    const KeptRun& r = *runs.runs()[i];
    const bool isShown = shown && r.number == shown->number, isOther = r.number == runs.comparedWith();
    CellRow row;
    qint64 kept = 0;
    if (r.run())
      for (const session::NodeRun& n : r.run()->nodes)
        for (const session::NodeTensor& t : n.tensors)
          if (t.tensor && t.tensor->storage) kept += static_cast<qint64>(t.tensor->storage->bytes());
    const bool failed = r.end == KeptRun::End::Failed || r.end == KeptRun::End::Refused;
    const size_t bad = r.view ? r.view->bad.size() : 0;
    row.cells = {isShown   ? tr("%1  A").arg(r.number)
                 : isOther ? tr("%1  B").arg(r.number)
                           : QString::number(r.number),
                 r.title().section(QStringLiteral(": "), 1),
                 r.view && r.view->whole.runs ? toQString(session::spreadText(r.view->whole)) : QString(),
                 bad ? toQString(session::counted(bad, "node")) : QString(),
                 kept ? bytesText(kept) : QString(),
                 r.endText()};
    row.tone = failed    ? CellTone::Error
               : isShown ? CellTone::Strong
               : r.view  ? CellTone::Normal
                         : CellTone::Dim;
    row.tip = r.commandLine;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<CellRow> planRows(const KeptRun& kept) {
  std::vector<CellRow> rows;
  if (!kept.run() || !kept.run()->plan) return rows;
  const session::RunPlan& p = *kept.run()->plan;
  const auto add = [&](const QString& what, const QString& value, const QString& meaning) {
    CellRow row;
    row.cells = {what, value, meaning};
    rows.push_back(std::move(row));
  };
  add(tr("steps"), QString::number(p.steps),
      tr("what is left to call, of %1 nodes").arg(kept.graph->graph->size()));
  add(tr("loops"), QString::number(p.loops), tr("steps that are several pointwise nodes in one"));
  add(tr("fallbacks"), QString::number(p.fallbacks), tr("steps that call the kernel of one op"));
  add(tr("memory inside"), bytesText(static_cast<qint64>(p.insideBytes)),
      tr("of values between steps; without using memory again it would be %1")
          .arg(bytesText(static_cast<qint64>(p.bytesWithoutReuse))));
  add(tr("memory of results"), bytesText(static_cast<qint64>(p.resultBytes)), tr("what is handed out"));
  return rows;
}

QString calledWith(const ir::Diagnostic& failure) {
  const QString text = toQString(failure.message), mark = QStringLiteral("(called with ");
  const qsizetype at = text.lastIndexOf(mark);
  if (at < 0) return {};
  const qsizetype from = at + mark.size();
  return text.mid(from, text.size() - from - (text.endsWith(QLatin1Char(')')) ? 1 : 0));
}

QString lastNode(const KeptRun& kept) {
  const session::Run* run = kept.run();
  if (!run) return {};
  for (size_t i = run->nodes.size(); i-- > 0;)
    if (const ir::NodeId node = session::originOf(*run, run->nodes[i].node); node.valid())
      return toQString(run->graph->graph->nodeName(node));
  return {};
}

}  // namespace descry::gui
