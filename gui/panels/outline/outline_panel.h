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
  bool eventFilter(QObject* object, QEvent* event) override;
  void showTab() override;
  void showPart(Part part) override;
  void showSelection() override;

 private:
  void choose(const QModelIndex& index);
  void fitNames();
  OutlineModel* model_;
  QTreeView* tree_;
  int nodesWidth_ = 0, bytesWidth_ = 0, namesWidth_ = 0;
  bool choosing_ = false;
};

}  // namespace descry::gui
