// Inputs and outputs in call order, explained in words.
#pragma once

#include "gui/panels/panel.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace descry::gui {

class IoModel;

class DescriptorsPanel final : public Panel {
  Q_OBJECT
 public:
  DescriptorsPanel(Document& document, QWidget* parent);
  QString help() const override;
  QWidget* focusTarget() override;
  QTableView* table() const { return table_; }
  QLineEdit* filter() const { return filter_; }
  const IoModel& model() const { return *model_; }

 protected:
  void showTab() override;
  void showPart(Part part) override;
  void showSelection() override;

 private:
  void updateCount();
  IoModel* model_;
  QSortFilterProxyModel* proxy_;
  QTableView* table_;
  QComboBox* side_;
  QLineEdit* filter_;
  QLabel* count_;
  bool choosing_ = false;
  bool fitted_ = false;
};

}  // namespace descry::gui
