#include "gui/models/outline_model.h"

namespace descry::gui {
namespace {
int itemOf(const QModelIndex& index) {
  return index.isValid() ? static_cast<int>(index.internalId()) : -1;
}
}  // namespace

void OutlineModel::setTree(std::shared_ptr<const OutlineTree> tree) {
  beginResetModel();
  tree_ = std::move(tree);
  endResetModel();
}

QModelIndex OutlineModel::indexOf(ir::NodeId node) const {
  if (!tree_ || node.index >= tree_->itemOfNode.size()) return {};
  const int item = tree_->itemOfNode[node.index];
  if (item < 0) return {};
  return createIndex(static_cast<int>(tree_->rowInParent[static_cast<size_t>(item)]), 0,
                     static_cast<quintptr>(item));
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const {
  if (column < 0 || column >= ColumnCount || row < 0 || row >= rowCount(parent)) return {};
  return createIndex(row, column,
                     static_cast<quintptr>(tree_->child(itemOf(parent), static_cast<uint32_t>(row))));
}

QModelIndex OutlineModel::parent(const QModelIndex& index) const {
  if (!tree_ || !index.isValid()) return {};
  const int above = tree_->items[static_cast<size_t>(itemOf(index))].parent;
  if (above < 0) return {};
  return createIndex(static_cast<int>(tree_->rowInParent[static_cast<size_t>(above)]), 0,
                     static_cast<quintptr>(above));
}

int OutlineModel::rowCount(const QModelIndex& parent) const {
  if (!tree_ || parent.column() > 0) return 0;
  return static_cast<int>(tree_->childCount(itemOf(parent)));
}

int OutlineModel::columnCount(const QModelIndex&) const {
  return ColumnCount;
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
  if (!tree_ || !index.isValid()) return {};
  const session::OutlineItem& item = tree_->items[static_cast<size_t>(itemOf(index))];
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == NameColumn) return toQString(item.label);
      if (index.column() == NodesColumn) return item.node ? QString() : QString::number(item.nodes);
      return item.bytes ? bytesText(*item.bytes) : QString();
    case Qt::ToolTipRole:
      if (index.column() != NameColumn) return {};
      if (item.node) return toQString(item.label);
      return (item.nodes == 1 ? tr("%1: %2 node") : tr("%1: %2 nodes"))
          .arg(toQString(item.label))
          .arg(item.nodes);
    case Qt::TextAlignmentRole:
      return index.column() == NameColumn ? QVariant() : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case kNodeRole:
      return item.node.index;
    case kSortRole:
      if (index.column() == NodesColumn) return item.nodes;
      if (index.column() == BytesColumn) return item.bytes ? qlonglong(*item.bytes) : qlonglong(-1);
      return toQString(item.label);
    default:
      return {};
  }
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case NameColumn:
      return tr("Module");
    case NodesColumn:
      return tr("Nodes");
    case BytesColumn:
      return tr("Bytes");
    default:
      return {};
  }
}

}  // namespace descry::gui
