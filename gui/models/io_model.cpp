#include "gui/models/io_model.h"

#include <QFont>

namespace descry::gui {

void IoModel::setRows(std::shared_ptr<const std::vector<session::IoRow>> rows) {
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

int IoModel::rowOf(ir::NodeId node) const {
  if (!rows_ || !node) return -1;
  for (size_t i = 0; i < rows_->size(); ++i)
    if ((*rows_)[i].node == node) return static_cast<int>(i);
  return -1;
}

int IoModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !rows_ ? 0 : static_cast<int>(rows_->size());
}

int IoModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QString IoModel::text(const session::IoRow& row, int column) const {
  switch (column) {
    case PositionColumn:
      return (row.input ? tr("in %1") : tr("out %1")).arg(row.position);
    case NameColumn:
      return toQString(row.name);
    case KindColumn:
      return toQString(row.kind);
    case WordsColumn:
      return toQString(row.words);
    case PartnerColumn:
      return toQString(row.gradOrTangent);
    case TypeColumn:
      return toQString(row.type);
    case BytesColumn:
      return row.bytes ? bytesText(*row.bytes) : QString();
    case PathColumn:
      return toQString(row.path.empty() ? row.source : row.path);
    case FactsColumn:
      return toQString(row.facts);
    case OriginColumn:
      switch (row.origin) {
        case session::Origin::Recorded:
          return tr("recorded");
        case session::Origin::Inferred:
          return tr("inferred");
        case session::Origin::Absent:
          return tr("not in this log");
      }
      return {};
    case DescriptorColumn:
      return toQString(row.descriptor);
    default:
      return {};
  }
}

QVariant IoModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const session::IoRow& row = (*rows_)[static_cast<size_t>(index.row())];
  const int column = index.column();
  const bool about = column == KindColumn || column == WordsColumn || column == OriginColumn;
  switch (role) {
    case Qt::DisplayRole:
      return text(row, column);
    case Qt::ToolTipRole:
      if (about && row.origin == session::Origin::Inferred)
        return tr("Inferred: %1").arg(toQString(row.originRule));
      if (about && row.origin == session::Origin::Absent)
        return tr(
            "The text carries no descriptors. Capture with TORCH_TRACE, or print the graph with "
            "print_readable(expanded_def=True).");
      return text(row, column);
    case Qt::FontRole: {
      QFont font;
      if (about) font.setItalic(row.origin != session::Origin::Recorded);
      return font;
    }
    case Qt::TextAlignmentRole:
      return column == BytesColumn ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case kNodeRole:
      return row.node.index;
    case kPartnerRole:
      return row.partner.index;
    case kIsInputRole:
      return row.input;
    case kOriginRole:
      return static_cast<int>(row.origin);
    case kHintRole:
      return toQString(row.originRule);
    case kSortRole:
      if (column == PositionColumn) return index.row();
      if (column == BytesColumn) return row.bytes ? qlonglong(*row.bytes) : qlonglong(-1);
      return text(row, column);
    default:
      return {};
  }
}

QVariant IoModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case PositionColumn:
      return tr("#");
    case NameColumn:
      return tr("Name");
    case KindColumn:
      return tr("Kind");
    case WordsColumn:
      return tr("Meaning");
    case PartnerColumn:
      return tr("Gradient / tangent");
    case TypeColumn:
      return tr("Type");
    case BytesColumn:
      return tr("Bytes");
    case PathColumn:
      return tr("Outer path");
    case FactsColumn:
      return tr("Facts from the log");
    case OriginColumn:
      return tr("Origin");
    case DescriptorColumn:
      return tr("Descriptor");
    default:
      return {};
  }
}

}  // namespace descry::gui
