// One row per diagnostic: of files that could not be opened, of reading, and of the checks of the shown
// graph.
#pragma once

#include <memory>
#include <vector>

#include "gui/document/graph_rows.h"
#include "gui/models/table_model.h"

namespace descry::gui {

class ProblemsModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { SeverityColumn, MessageColumn, WhereColumn, NodeColumn, CodeColumn, ColumnCount };
  using QAbstractTableModel::QAbstractTableModel;

  void setRows(std::vector<ProblemRow> failures, std::shared_ptr<const std::vector<ProblemRow>> rows);
  const ProblemRow* row(int index) const;
  int count(ir::Severity severity) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<ProblemRow> failures_;
  std::shared_ptr<const std::vector<ProblemRow>> rows_;
};

}  // namespace descry::gui
