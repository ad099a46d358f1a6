// Facts of the selected node, one row each, in sections.
#pragma once

#include <memory>

#include "gui/document/graph_rows.h"
#include "gui/models/table_model.h"

namespace descry::gui {

class FactsModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { LabelColumn, ValueColumn, ColumnCount };
  using QAbstractTableModel::QAbstractTableModel;

  void setDetails(std::shared_ptr<const NodeDetails> details);
  const std::shared_ptr<const NodeDetails>& details() const { return details_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::shared_ptr<const NodeDetails> details_;
};

}  // namespace descry::gui
