#include "gui/models/facts_model.h"

#include <QFont>

namespace descry::gui {

void FactsModel::setDetails(std::shared_ptr<const NodeDetails> details) {
  beginResetModel();
  details_ = std::move(details);
  endResetModel();
}

int FactsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !details_ ? 0 : static_cast<int>(details_->facts.size());
}

int FactsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant FactsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const session::FactRow& row = details_->facts[static_cast<size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return toQString(index.column() == LabelColumn ? row.label : row.value);
    case Qt::ToolTipRole:
      return row.hint.empty() ? QVariant() : toQString(row.hint);
    case Qt::FontRole: {
      QFont font;
      font.setItalic(row.origin == session::Origin::Inferred);
      return font;
    }
    case kSectionRole:
      return toQString(row.section);
    case kNodeRole:
      return row.link.index;
    case kOriginRole:
      return static_cast<int>(row.origin);
    case kHintRole:
      return toQString(row.hint);
    default:
      return {};
  }
}

QVariant FactsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == LabelColumn ? tr("Fact") : tr("Value");
}

}  // namespace descry::gui
