// Inputs and outputs of a graph in call order, with their meaning in words.
#pragma once

#include <memory>
#include <vector>

#include "gui/models/table_model.h"
#include "session/views.h"

namespace descry::gui {

class IoModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    PositionColumn,
    NameColumn,
    KindColumn,
    WordsColumn,
    PartnerColumn,
    TypeColumn,
    BytesColumn,
    PathColumn,
    FactsColumn,
    OriginColumn,
    DescriptorColumn,
    ColumnCount
  };
  /// Node that the partner cell leads to.
  static constexpr int kPartnerRole = Qt::UserRole + 100;
  static constexpr int kIsInputRole = Qt::UserRole + 101;
  using QAbstractTableModel::QAbstractTableModel;

  void setRows(std::shared_ptr<const std::vector<session::IoRow>> rows);
  const std::shared_ptr<const std::vector<session::IoRow>>& rows() const { return rows_; }
  /// First row of a node, -1 for none.
  int rowOf(ir::NodeId node) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString text(const session::IoRow& row, int column) const;
  std::shared_ptr<const std::vector<session::IoRow>> rows_;
};

}  // namespace descry::gui
