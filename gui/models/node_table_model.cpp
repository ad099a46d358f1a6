#include "gui/models/node_table_model.h"

#include <algorithm>
#include <numeric>

namespace descry::gui {
namespace {

/// Columns that hold numbers compare as numbers.
std::optional<int64_t> number(const session::NodeRow& row, const std::string& title) {
  if (title == "order") return row.order;
  if (title == "line") return row.line;
  if (title == "inputs") return row.inputs;
  if (title == "users") return row.users;
  if (title == "bytes") return row.bytes.value_or(-1);
  return std::nullopt;
}

QString csvCell(const QString& text) {
  if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) &&
      !text.contains(QLatin1Char('\n')))
    return text;
  QString quoted = text;
  quoted.replace(QLatin1String("\""), QLatin1String("\"\""));
  return QLatin1Char('"') + quoted + QLatin1Char('"');
}

}  // namespace

void NodeTableModel::setRows(NodeRows rows, std::shared_ptr<const std::vector<uint32_t>> order) {
  beginResetModel();
  rows_ = std::move(rows);
  order_ = std::move(order);
  viewRowOfNode_.clear();
  endResetModel();
}

void NodeTableModel::setOrder(std::shared_ptr<const std::vector<uint32_t>> order) {
  beginResetModel();
  order_ = std::move(order);
  viewRowOfNode_.clear();
  endResetModel();
}

const session::NodeRow* NodeTableModel::row(int viewRow) const {
  if (viewRow < 0 || viewRow >= rowCount()) return nullptr;
  return &(*rows_)[source(viewRow)];
}

int NodeTableModel::rowOf(ir::NodeId node) const {
  if (!rows_ || !node) return -1;
  if (viewRowOfNode_.empty()) {
    for (int r = 0, n = rowCount(); r < n; ++r) {
      const uint32_t id = (*rows_)[source(r)].node.index;
      if (id >= viewRowOfNode_.size()) viewRowOfNode_.resize(id + 1, -1);
      viewRowOfNode_[id] = r;
    }
  }
  return node.index < viewRowOfNode_.size() ? viewRowOfNode_[node.index] : -1;
}

std::shared_ptr<std::vector<uint32_t>> NodeTableModel::makeOrder(const std::vector<session::NodeRow>& rows,
                                                                 int column, bool descending,
                                                                 const std::vector<bool>* keep) {
  auto order = std::make_shared<std::vector<uint32_t>>();
  order->reserve(rows.size());
  for (uint32_t i = 0; i < rows.size(); ++i) {
    const uint32_t id = rows[i].node.index;
    if (!keep || (id < keep->size() && (*keep)[id])) order->push_back(i);
  }
  const auto& titles = session::nodeRowColumns();
  if (column < 0 || column >= static_cast<int>(titles.size())) return order;
  const std::string& title = titles[static_cast<size_t>(column)];
  if (!rows.empty() && number(rows.front(), title)) {
    std::vector<int64_t> keys(rows.size());
    for (uint32_t i : *order) keys[i] = *number(rows[i], title);
    std::stable_sort(order->begin(), order->end(), [&](uint32_t a, uint32_t b) {
      return descending ? keys[a] > keys[b] : keys[a] < keys[b];
    });
  } else {
    std::vector<std::string> keys(rows.size());
    for (uint32_t i : *order) keys[i] = session::nodeRowCell(rows[i], static_cast<size_t>(column));
    std::stable_sort(order->begin(), order->end(), [&](uint32_t a, uint32_t b) {
      return descending ? keys[a] > keys[b] : keys[a] < keys[b];
    });
  }
  return order;
}

QString NodeTableModel::csv(const std::vector<int>& viewRows) const {
  QString out;
  const int columns = columnCount();
  for (int c = 0; c < columns; ++c)
    out += (c ? QStringLiteral(",") : QString()) +
           csvCell(headerData(c, Qt::Horizontal, Qt::DisplayRole).toString());
  out += QLatin1Char('\n');
  for (int r : viewRows) {
    for (int c = 0; c < columns; ++c)
      out += (c ? QStringLiteral(",") : QString()) + csvCell(index(r, c).data().toString());
    out += QLatin1Char('\n');
  }
  return out;
}

int NodeTableModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || !rows_) return 0;
  return static_cast<int>(order_ ? order_->size() : rows_->size());
}

int NodeTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(session::nodeRowColumns().size());
}

QVariant NodeTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const session::NodeRow& row = (*rows_)[source(index.row())];
  const auto column = static_cast<size_t>(index.column());
  switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
      return toQString(session::nodeRowCell(row, column));
    case Qt::TextAlignmentRole:
      return number(row, session::nodeRowColumns()[column]) ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                                            : QVariant();
    case kNodeRole:
      return row.node.index;
    case kSortRole: {
      if (const auto n = number(row, session::nodeRowColumns()[column])) return qlonglong(*n);
      return toQString(session::nodeRowCell(row, column));
    }
    default:
      return {};
  }
}

QVariant NodeTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  const auto& titles = session::nodeRowColumns();
  return section >= 0 && section < static_cast<int>(titles.size())
             ? toQString(titles[static_cast<size_t>(section)])
             : QString();
}

}  // namespace descry::gui
