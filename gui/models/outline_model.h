// Outline tree: module > op, with sums of nodes and bytes.
#pragma once

#include <QAbstractItemModel>

#include <memory>

#include "gui/document/graph_rows.h"
#include "gui/models/table_model.h"

namespace descry::gui {

class OutlineModel final : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Column { NameColumn, NodesColumn, BytesColumn, ColumnCount };
  using QAbstractItemModel::QAbstractItemModel;

  void setTree(std::shared_ptr<const OutlineTree> tree);
  QModelIndex indexOf(ir::NodeId node) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::shared_ptr<const OutlineTree> tree_;
};

}  // namespace descry::gui
