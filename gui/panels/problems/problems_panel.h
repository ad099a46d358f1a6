// Faults of reading and of the checks; each row leads to its node.
#pragma once

#include "gui/panels/panel.h"

class QLabel;
class QTableView;

namespace descry::gui {

class ProblemsModel;

class ProblemsPanel final : public Panel {
  Q_OBJECT
 public:
  ProblemsPanel(Document& document, QWidget* parent);
  QString help() const override;
  void applyTheme(const Theme& theme) override;
  QWidget* focusTarget() override;
  QTableView* table() const { return table_; }
  const ProblemsModel& model() const { return *model_; }

 protected:
  void showTab() override;
  void showPart(Part part) override;

 private:
  void jump(const QModelIndex& index);
  ProblemsModel* model_;
  QTableView* table_;
  QLabel* count_;
  QPointer<GraphTab> linked_;
};

}  // namespace descry::gui
