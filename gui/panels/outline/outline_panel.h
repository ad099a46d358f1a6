// Module tree with sums: the keyboard and screen-reader twin of the canvas.
#pragma once

#include "gui/panels/panel.h"

class QTreeView;

namespace descry::gui {

class OutlineModel;

class OutlinePanel final : public Panel {
  Q_OBJECT
 public:
  OutlinePanel(Document& document, QWidget* parent);
  QString help() const override;
  QWidget* focusTarget() override;
  QTreeView* tree() const { return tree_; }
  const OutlineModel& model() const { return *model_; }

 protected:
  void showTab() override;
  void showPart(Part part) override;
  void showSelection() override;

 private:
  void choose(const QModelIndex& index);
  OutlineModel* model_;
  QTreeView* tree_;
  bool choosing_ = false;
};

}  // namespace descry::gui
