// Where the time of the shown run went: bars by node, an icicle by module, a treemap by op.
#pragma once

#include "gui/panels/panel.h"

class QLabel;
class QSplitter;
class QTabWidget;
class QTableView;

namespace descry::gui {

class ColumnFit;
class TimePicture;
class TimingsModel;
class ToneDelegate;

class TimingsPanel final : public Panel {
  Q_OBJECT
 public:
  TimingsPanel(Document& document, QWidget* parent);
  QString help() const override;
  void applyTheme(const Theme& theme) override;
  QWidget* focusTarget() override;

  QLabel* summary() const { return summary_; }
  QLabel* selection() const { return selection_; }
  QTableView* table() const { return table_; }
  TimingsModel* model() const { return model_; }
  TimePicture* icicle() const { return icicle_; }
  TimePicture* treemap() const { return treemap_; }
  QTabWidget* pages() const { return pages_; }

 protected:
  void showTab() override;
  void showSelection() override;

 private:
  void refresh();

  QPointer<GraphTab> linked_;
  QLabel *summary_ = nullptr, *selection_ = nullptr;
  QSplitter* split_ = nullptr;
  QTableView* table_ = nullptr;
  TimingsModel* model_ = nullptr;
  ColumnFit* fit_ = nullptr;
  ToneDelegate* tones_ = nullptr;
  QTabWidget* pages_ = nullptr;
  TimePicture *icicle_ = nullptr, *treemap_ = nullptr;
  bool choosing_ = false;
};

}  // namespace descry::gui
