// The value of the selected node in the shown run: figures, histogram, elements, layout.
#pragma once

#include "gui/panels/panel.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QSpinBox;
class QTableView;
class QTabWidget;

namespace descry::gui {

class HistogramView;
class LayoutView;
class ValueGridModel;

class ValuePanel final : public Panel {
  Q_OBJECT
 public:
  ValuePanel(Document& document, QWidget* parent);
  QString help() const override;
  void applyTheme(const Theme& theme) override;
  QWidget* focusTarget() override;

  QLabel* headline() const { return headline_; }
  QComboBox* part() const { return part_; }
  QTabWidget* pages() const { return pages_; }
  HistogramView* histogram() const { return histogram_; }
  LayoutView* layoutView() const { return layout_; }
  QTableView* grid() const { return grid_; }
  ValueGridModel* model() const { return model_; }
  QLabel* cell() const { return cell_; }
  QPushButton* firstBad() const { return firstBad_; }
  QComboBox* rowAxis() const { return rowAxis_; }
  QComboBox* columnAxis() const { return columnAxis_; }
  QComboBox* format() const { return format_; }
  const std::vector<QSpinBox*>& indices() const { return indices_; }
  /// Text of a figure: `mean`; empty when it is not shown.
  QString figure(const QString& name) const;

 protected:
  void showTab() override;
  void showSelection() override {}

 private:
  QWidget* buildFigures();
  QWidget* buildElements();
  void link();
  void refresh();
  void showFigures();
  void showHistogram();
  void showElements();
  void chooseSlice();

  QPointer<GraphTab> linked_;
  QLabel* headline_ = nullptr;
  QComboBox* part_ = nullptr;
  QTabWidget* pages_ = nullptr;
  QWidget* figures_ = nullptr;
  std::vector<std::pair<QLabel*, QLabel*>> figureLabels_;
  HistogramView* histogram_ = nullptr;
  QCheckBox *logBins_ = nullptr, *logCounts_ = nullptr, *clip_ = nullptr;
  LayoutView* layout_ = nullptr;
  QLabel* layoutText_ = nullptr;
  QComboBox *rowAxis_ = nullptr, *columnAxis_ = nullptr, *format_ = nullptr;
  QWidget* indexRow_ = nullptr;
  std::vector<QSpinBox*> indices_;
  QTableView* grid_ = nullptr;
  ValueGridModel* model_ = nullptr;
  QLabel *cell_ = nullptr, *elementsText_ = nullptr;
  QWidget* elementsBody_ = nullptr;
  QPushButton *firstBad_ = nullptr, *copy_ = nullptr;
  bool filling_ = false;
};

}  // namespace descry::gui
