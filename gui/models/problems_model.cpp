#include "gui/models/problems_model.h"

#include <QFileInfo>

namespace descry::gui {

void ProblemsModel::setRows(std::vector<ProblemRow> failures,
                            std::shared_ptr<const std::vector<ProblemRow>> rows) {
  beginResetModel();
  failures_ = std::move(failures);
  rows_ = std::move(rows);
  endResetModel();
}

const ProblemRow* ProblemsModel::row(int index) const {
  if (index < 0 || index >= rowCount()) return nullptr;
  const auto i = static_cast<size_t>(index);
  return i < failures_.size() ? &failures_[i] : &(*rows_)[i - failures_.size()];
}

int ProblemsModel::count(ir::Severity severity) const {
  int n = 0;
  for (int i = 0; i < rowCount(); ++i) n += row(i)->diagnostic.severity == severity;
  return n;
}

int ProblemsModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  return static_cast<int>(failures_.size() + (rows_ ? rows_->size() : 0));
}

int ProblemsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const ProblemRow& r = *row(index.row());
  const ir::Diagnostic& d = r.diagnostic;
  switch (role) {
    case Qt::DisplayRole:
      switch (index.column()) {
        case SeverityColumn:
          return toQString(ir::severityName(d.severity));
        case MessageColumn:
          return toQString(d.message);
        case WhereColumn: {
          QString where = QFileInfo(toQString(d.file)).fileName();
          if (d.loc.line) where += QStringLiteral(":%1").arg(d.loc.line);
          if (d.loc.line && d.loc.column) where += QStringLiteral(":%1").arg(d.loc.column);
          if (!d.loc.line && d.loc.byte >= 0) where += tr(" byte %1").arg(d.loc.byte);
          return where;
        }
        case NodeColumn:
          return toQString(d.node);
        case CodeColumn:
          return toQString(d.code);
        default:
          return {};
      }
    case Qt::ToolTipRole:
      return toQString(d.text());
    case kNodeRole:
      return r.node.index;
    case kSeverityRole:
      return static_cast<int>(d.severity);
    default:
      return {};
  }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case SeverityColumn:
      return tr("Severity");
    case MessageColumn:
      return tr("Message");
    case WhereColumn:
      return tr("Where");
    case NodeColumn:
      return tr("Node");
    case CodeColumn:
      return tr("Code");
    default:
      return {};
  }
}

}  // namespace descry::gui
