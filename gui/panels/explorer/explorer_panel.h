// All open files with their ranks, compile ids, graphs, records and tables.
#pragma once

#include "gui/panels/panel.h"

class QTreeView;

namespace descry::gui {

class ExplorerModel;

class ExplorerPanel final : public Panel {
  Q_OBJECT
 public:
  ExplorerPanel(Document& document, QWidget* parent);
  QString help() const override;
  void applyTheme(const Theme& theme) override;
  QWidget* focusTarget() override;
  QTreeView* tree() const { return tree_; }
  const ExplorerModel& model() const { return *model_; }

 signals:
  void recordRequested(const QString& path, int record);
  void tableRequested(const QString& path, int table);

 protected:
  void showTab() override;

 private:
  void rebuild();
  void showStates(const GraphTab& of);
  void markCurrent();
  void openIndex(const QModelIndex& index);
  ExplorerModel* model_;
  QTreeView* tree_;
  QPointer<GraphTab> linked_;
};

}  // namespace descry::gui
