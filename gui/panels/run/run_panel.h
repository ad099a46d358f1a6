// Runs the shown graph, lists what came out and the runs there were, and says why one failed.
#pragma once

#include "gui/panels/panel.h"
#include "gui/panels/table_section.h"

class QFrame;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSplitter;
class QTabWidget;
class QToolButton;

namespace descry::gui {

class RunForm;

class RunPanel final : public Panel {
  Q_OBJECT
 public:
  RunPanel(Document& document, QWidget* parent);
  QString help() const override;
  void applyTheme(const Theme& theme) override;
  QWidget* focusTarget() override;

  RunForm* form() const { return form_; }
  QPushButton* runButton() const { return run_; }
  QPushButton* stopButton() const { return stop_; }
  QPushButton* runToButton() const { return runTo_; }
  QLabel* state() const { return state_; }
  QLineEdit* commandLine() const { return command_; }
  QTabWidget* pages() const { return pages_; }
  QFrame* failure() const { return failure_; }
  QLabel* failureText() const { return failureText_; }
  const TableSection& results() const { return results_; }
  const TableSection& runs() const { return runs_; }
  const TableSection& plan() const { return plan_; }

 protected:
  void showTab() override;
  void showSelection() override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildBar();
  QWidget* buildFailure(QWidget* parent);
  QWidget* buildPages();
  void refresh();
  void showProgress();
  void showFailure();
  void showResults();
  void showRuns();
  void showPlan();
  void arrange();
  int runOfRow(int row) const;

  QPointer<GraphTab> linked_;
  QPushButton *run_ = nullptr, *runTo_ = nullptr, *stop_ = nullptr;
  QLabel* state_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QLineEdit* command_ = nullptr;
  QToolButton* copy_ = nullptr;
  QSplitter* split_ = nullptr;
  QWidget* right_ = nullptr;
  RunForm* form_ = nullptr;
  QFrame* failure_ = nullptr;
  QLabel* failureText_ = nullptr;
  QPushButton *failureNode_ = nullptr, *failureRun_ = nullptr, *failureCopy_ = nullptr;
  QTabWidget* pages_ = nullptr;
  QPushButton *show_ = nullptr, *against_ = nullptr, *forget_ = nullptr, *end_ = nullptr;
  TableSection results_, runs_, plan_;
  bool choosing_ = false;
};

}  // namespace descry::gui
