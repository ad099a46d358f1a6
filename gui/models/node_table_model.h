// One row per node, all columns. The order is a permutation that is computed apart, so that a worker can
// sort.
#pragma once

#include <memory>
#include <vector>

#include "gui/models/table_model.h"
#include "session/views.h"

namespace descry::gui {

using NodeRows = std::shared_ptr<const std::vector<session::NodeRow>>;

class NodeTableModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;

  /// Program order; `order` (may be null) picks and orders rows by index.
  void setRows(NodeRows rows, std::shared_ptr<const std::vector<uint32_t>> order = nullptr);
  void setOrder(std::shared_ptr<const std::vector<uint32_t>> order);
  const NodeRows& rows() const { return rows_; }
  const session::NodeRow* row(int viewRow) const;
  /// View row of a node, -1 when it is not shown. Cost: rows, once per order.
  int rowOf(ir::NodeId node) const;

  /// Indices of rows, sorted by a column; stable. `keep` (may be null): only rows whose node id is marked.
  static std::shared_ptr<std::vector<uint32_t>> makeOrder(const std::vector<session::NodeRow>& rows,
                                                          int column, bool descending,
                                                          const std::vector<bool>* keep);
  /// Rows as CSV with a title line, in view order.
  QString csv(const std::vector<int>& viewRows) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  /// Emits sortRequested; the receiver sorts and calls setOrder.
  void sort(int column, Qt::SortOrder order) override {
    emit sortRequested(column, order == Qt::DescendingOrder);
  }

 signals:
  void sortRequested(int column, bool descending);

 private:
  uint32_t source(int viewRow) const {
    return order_ ? (*order_)[static_cast<size_t>(viewRow)] : uint32_t(viewRow);
  }
  NodeRows rows_;
  std::shared_ptr<const std::vector<uint32_t>> order_;
  mutable std::vector<int32_t> viewRowOfNode_;  // made on first use after a change of order
};

}  // namespace descry::gui
