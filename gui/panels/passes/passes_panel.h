// Runs passes on the shown graph, steps through their states, and explains what is saved for backward.
#pragma once

#include "gui/models/cells_model.h"
#include "gui/panels/panel.h"
#include "gui/panels/table_section.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;
class QTableView;
class QTabWidget;
class QToolButton;

namespace descry::gui {

class PassSettings;
class PassesPanel final : public Panel {
  Q_OBJECT
 public:
  PassesPanel(Document& document, QWidget* parent);
  QString help() const override;
  void applyTheme(const Theme& theme) override;
  QWidget* focusTarget() override;

  using Section = TableSection;
  const Section& steps() const { return steps_; }
  const Section& findings() const { return findings_; }
  const Section& cut() const { return cut_; }
  const Section& comparison() const { return comparison_; }
  QComboBox* pipeline() const { return pipeline_; }
  QPushButton* runButton() const { return run_; }
  QComboBox* graphChoice() const { return graph_; }
  QTabWidget* pages() const { return pages_; }
  QCheckBox* allValues() const { return all_; }
  QCheckBox* verify() const { return verify_; }
  PassSettings* settings() const { return settings_; }

 protected:
  void showTab() override;
  void showSelection() override;
  bool eventFilter(QObject* object, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildBar();
  QWidget* buildSteps();
  QWidget* buildFindings();
  QWidget* buildCut();
  QWidget* buildComparison();
  /// Text of the `flexible` columns breaks into lines where there is little room.
  Section makeSection(QWidget* page, const QString& name, const QStringList& titles, std::vector<int> numbers,
                      std::vector<int> flexible);
  void arrange();
  QPushButton* button(QWidget* page, const QString& text, const QString& action);
  QString node(const QTableView* table) const;
  void selectNodes(const Section& section);

  void refresh();
  void showBar();
  void showSteps();
  void showFindings();
  void showCut();
  void showComparison();
  void showSettings();
  void goToRow(int row);

  QPointer<GraphTab> linked_;
  QComboBox* pipeline_ = nullptr;
  QComboBox* graph_ = nullptr;
  QPushButton* run_ = nullptr;
  QCheckBox* verify_ = nullptr;
  QToolButton* previous_ = nullptr;
  QToolButton* next_ = nullptr;
  QLabel* at_ = nullptr;
  QSplitter* split_ = nullptr;
  QTabWidget* pages_ = nullptr;
  QWidget *stepsPage_ = nullptr, *findingsPage_ = nullptr, *cutPage_ = nullptr, *comparisonPage_ = nullptr;
  PassSettings* settings_ = nullptr;
  QCheckBox* all_ = nullptr;
  QPushButton *save_ = nullptr, *recompute_ = nullptr, *clear_ = nullptr, *selectSaved_ = nullptr;
  QPushButton *compare_ = nullptr, *openRecorded_ = nullptr;
  Section steps_, findings_, cut_, comparison_;
  std::vector<ToneDelegate*> delegates_;
  std::pair<const void*, size_t> findingsShown_ = {nullptr, 0};  ///< run and position
  const void* cutShown_ = nullptr;                               ///< the run whose cut is in the table
  const void* comparisonShown_ = nullptr;                        ///< likewise
  bool choosing_ = false;
};

}  // namespace descry::gui
