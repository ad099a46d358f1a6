// One row per node, all columns; sorted and filtered off the GUI thread.
#pragma once

#include "gui/panels/panel.h"

class QCheckBox;
class QLabel;
class QTableView;

namespace descry::gui {

class NodeTableModel;

class TablePanel final : public Panel {
  Q_OBJECT
 public:
  TablePanel(Document& document, QWidget* parent);
  QString help() const override;
  QWidget* focusTarget() override;
  QTableView* table() const { return table_; }
  const NodeTableModel& model() const { return *model_; }
  /// The selected rows as CSV, all rows when none is selected.
  QString csv() const;
  void sortBy(int column, bool descending);

 protected:
  void showTab() override;
  void showPart(Part part) override;
  void showSelection() override;
  void showHits() override;

 private:
  void reorder();
  void updateCount();
  NodeTableModel* model_;
  QTableView* table_;
  QCheckBox* onlyHits_;
  QLabel* count_;
  JobControlPtr sortJob_;
  int column_ = 0;
  bool descending_ = false;
  bool choosing_ = false;
  bool fitted_ = false;
};

}  // namespace descry::gui
