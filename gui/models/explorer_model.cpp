#include "gui/models/explorer_model.h"

#include <QFileInfo>

namespace descry::gui {

void ExplorerModel::setFiles(std::vector<ExplorerFile> files) {
  beginResetModel();
  files_ = std::move(files);
  entries_.clear();
  states_.clear();
  top_.clear();
  for (size_t f = 0; f < files_.size(); ++f) {
    const auto& items = files_[f].items;
    // The session's rows may begin with the file itself; then it is not made again.
    std::vector<int> entryOf;
    int fileEntry = -1;
    auto add = [&](int item, int parent) {
      Entry e;
      e.file = f;
      e.item = item;
      e.parent = parent;
      std::vector<int>& siblings = parent < 0 ? top_ : entries_[static_cast<size_t>(parent)].children;
      e.row = static_cast<int>(siblings.size());
      siblings.push_back(static_cast<int>(entries_.size()));
      entries_.push_back(std::move(e));
      return static_cast<int>(entries_.size()) - 1;
    };
    const bool hasFileRow =
        items && !items->empty() && items->front().kind == session::ExplorerItem::Kind::File;
    if (!hasFileRow) fileEntry = add(-1, -1);
    if (!items) continue;
    entryOf.assign(items->size(), -1);
    for (size_t i = 0; i < items->size(); ++i) {
      const int above = (*items)[i].parent;
      const bool known = above >= 0 && above < static_cast<int>(i);
      entryOf[i] = add(static_cast<int>(i), known ? entryOf[static_cast<size_t>(above)] : fileEntry);
    }
  }
  endResetModel();
}

void ExplorerModel::setStates(const QString& path, const QString& graphId,
                              std::vector<ExplorerState> states) {
  const QModelIndex parent = find(path, graphId);
  if (!parent.isValid()) return;
  const size_t above = parent.internalId();
  std::vector<ExplorerState> before;
  for (const int child : entries_[above].children)
    if (const int s = entries_[static_cast<size_t>(child)].state; s >= 0)
      before.push_back(states_[static_cast<size_t>(s)]);
  if (before == states) return;
  // States are the last children. Their entries stay where they are, without a place, until the next reset.
  const int kept = static_cast<int>(entries_[above].children.size() - before.size());
  if (!before.empty()) {
    beginRemoveRows(parent, kept, kept + static_cast<int>(before.size()) - 1);
    entries_[above].children.resize(static_cast<size_t>(kept));
    endRemoveRows();
  }
  if (states.empty()) return;
  beginInsertRows(parent, kept, kept + static_cast<int>(states.size()) - 1);
  for (ExplorerState& state : states) {
    Entry e;
    e.file = entries_[above].file;
    e.item = entries_[above].item;
    e.state = static_cast<int>(states_.size());
    e.parent = static_cast<int>(above);
    e.row = static_cast<int>(entries_[above].children.size());
    states_.push_back(std::move(state));
    entries_[above].children.push_back(static_cast<int>(entries_.size()));
    entries_.push_back(std::move(e));
  }
  endInsertRows();
}

QModelIndex ExplorerModel::find(const QString& path, const QString& graphId) const {
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].state >= 0) continue;
    const QModelIndex at = createIndex(entries_[i].row, 0, static_cast<quintptr>(i));
    if (data(at, kPathRole).toString() == path && data(at, kGraphIdRole).toString() == graphId) return at;
  }
  return {};
}

QModelIndex ExplorerModel::index(int row, int column, const QModelIndex& parent) const {
  if (column < 0 || column >= ColumnCount || row < 0 || row >= rowCount(parent)) return {};
  const auto& list = parent.isValid() ? entries_[parent.internalId()].children : top_;
  return createIndex(row, column, static_cast<quintptr>(list[static_cast<size_t>(row)]));
}

QModelIndex ExplorerModel::parent(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const int above = entries_[index.internalId()].parent;
  if (above < 0) return {};
  return createIndex(entries_[static_cast<size_t>(above)].row, 0, static_cast<quintptr>(above));
}

int ExplorerModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(top_.size());
  if (parent.column() != 0) return 0;
  return static_cast<int>(entries_[parent.internalId()].children.size());
}

int ExplorerModel::columnCount(const QModelIndex&) const {
  return ColumnCount;
}

QVariant ExplorerModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Entry& e = entries_[index.internalId()];
  const ExplorerFile& file = files_[e.file];
  if (role == kPathRole) return file.path;
  if (e.item < 0) {
    if (role == Qt::DisplayRole)
      return index.column() == NameColumn ? QFileInfo(file.path).fileName()
             : file.items                 ? QString()
                                          : tr("reading");
    if (role == Qt::ToolTipRole) return file.path;
    if (role == kKindRole) return static_cast<int>(session::ExplorerItem::Kind::File);
    return {};
  }
  const session::ExplorerItem& item = (*file.items)[static_cast<size_t>(e.item)];
  if (e.state >= 0) {
    const ExplorerState& state = states_[static_cast<size_t>(e.state)];
    if (role == Qt::DisplayRole)
      return index.column() == NameColumn ? QStringLiteral("@%1 %2").arg(state.position).arg(state.name)
                                          : state.pass;
    if (role == Qt::ToolTipRole)
      return tr("%1 after %2, pass %3").arg(state.name, state.pass).arg(state.position);
    if (role == kKindRole) return static_cast<int>(session::ExplorerItem::Kind::State);
    if (role == kPositionRole) return state.position;
    if (role == kStateNameRole) return state.name;
  }
  switch (role) {
    case Qt::DisplayRole:
      return toQString(index.column() == NameColumn ? item.label : item.detail);
    case Qt::ToolTipRole:
      if (item.kind == session::ExplorerItem::Kind::File) return file.path;
      return item.detail.empty() ? toQString(item.label) : toQString(item.label + "\n" + item.detail);
    case kKindRole:
      return static_cast<int>(item.kind);
    case kRecordRole:
      return item.record;
    case kTableRole:
      return item.table;
    case kGraphIdRole: {
      if (item.graph < 0 || item.graph >= static_cast<int>(file.graphIds.size())) return {};
      const QString id = file.graphIds[static_cast<size_t>(item.graph)];
      return item.subgraph.empty() ? id : id + QLatin1Char('/') + toQString(item.subgraph);
    }
    default:
      return {};
  }
}

QVariant ExplorerModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == NameColumn ? tr("Graph") : tr("Detail");
}

}  // namespace descry::gui
