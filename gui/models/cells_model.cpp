#include "gui/models/cells_model.h"

#include <QFont>

#include <algorithm>

namespace descry::gui {

CellsModel::CellsModel(QStringList titles, std::vector<int> numbers, QObject* parent)
    : QAbstractTableModel(parent), titles_(std::move(titles)), numbers_(std::move(numbers)) {}

void CellsModel::setRows(std::vector<CellRow> rows) {
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

const CellRow* CellsModel::row(int index) const {
  return index >= 0 && index < rowCount() ? &rows_[static_cast<size_t>(index)] : nullptr;
}

int CellsModel::rowOf(const QString& node) const {
  if (node.isEmpty()) return -1;
  const auto it = std::find_if(rows_.begin(), rows_.end(), [&](const CellRow& r) { return r.node == node; });
  return it == rows_.end() ? -1 : static_cast<int>(it - rows_.begin());
}

bool CellsModel::isNumber(int column) const {
  return std::find(numbers_.begin(), numbers_.end(), column) != numbers_.end();
}

int CellsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CellsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(titles_.size());
}

QVariant CellsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const CellRow& r = rows_[static_cast<size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return r.cells.value(index.column());
    case Qt::ToolTipRole:
      if (!r.tip.isEmpty()) return r.tip;
      return r.tips.value(index.column()).isEmpty() ? r.cells.value(index.column())
                                                    : r.tips.value(index.column());
    case Qt::TextAlignmentRole:
      return isNumber(index.column()) ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::FontRole: {
      QFont font;
      font.setBold(r.tone == CellTone::Strong);
      return r.tone == CellTone::Strong ? QVariant(font) : QVariant();
    }
    case kToneRole:
      return static_cast<int>(r.tone);
    case kNameRole:
      return r.node;
    default:
      return {};
  }
}

QVariant CellsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::DisplayRole) return titles_.value(section);
  if (role == Qt::TextAlignmentRole && isNumber(section)) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

}  // namespace descry::gui
