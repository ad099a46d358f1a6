#include "gui/panels/run/run_panel.h"

#include <QFileDialog>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>

#include <algorithm>

#include "gui/models/run_rows.h"
#include "gui/panels/run/run_form.h"

namespace descry::gui {

namespace {
constexpr int kFormWidth = 430;
constexpr int kRoomForBoth = 860;  // pixels: a narrower panel shows the form on a page of its own
}  // namespace

QString RunPanel::help() const {
  return tr(
      "Runs the shown graph on the CPU. Results are listed as `descry run` names them; a click selects the "
      "node that "
      "gives one. Runs stay in the list: A is the one that all views show, B the one it is held against. The "
      "line "
      "at the top is the command that does the same.");
}

void RunPanel::applyTheme(const Theme& theme) {
  Panel::applyTheme(theme);
  for (const TableSection* section : {&results_, &runs_, &plan_}) {
    section->delegate->setTheme(theme);
    section->table->viewport()->update();
  }
  QPalette red = failureText_->palette();
  red.setColor(QPalette::WindowText, theme.error);
  failureText_->setPalette(red);
}

QWidget* RunPanel::focusTarget() {
  return run_;
}

void RunPanel::resizeEvent(QResizeEvent* event) {
  Panel::resizeEvent(event);
  arrange();
}

/// The form beside the results where there is room for both, else as the last page.
void RunPanel::arrange() {
  const bool both = width() >= kRoomForBoth;
  const bool apart = pages_->indexOf(form_) < 0;
  if (both == apart) return;
  form_->setMinimumWidth(both ? kFormWidth : 0);
  if (both) {
    pages_->removeTab(pages_->indexOf(form_));
    split_->insertWidget(0, form_);
    form_->QWidget::show();
    split_->setStretchFactor(0, 0);
    split_->setStretchFactor(1, 1);
    split_->setSizes({kFormWidth, width() - kFormWidth});
  } else {
    pages_->addTab(form_, tr("Settings"));
  }
}

void RunPanel::showTab() {
  if (linked_ != tab()) {
    if (linked_) disconnect(&linked_->runs(), nullptr, this, nullptr);
    linked_ = tab();
    if (linked_) {
      const auto again = [this] {
        if (shown()) refresh();
      };
      connect(&linked_->runs(), &GraphRuns::changed, this, again);
      connect(&linked_->runs(), &GraphRuns::settingsChanged, this, again);
      connect(&linked_->runs(), &GraphRuns::progressed, this, [this] {
        if (shown()) showProgress();
      });
    }
  }
  refresh();
}

void RunPanel::showSelection() {
  const GraphTab* t = tab();
  runTo_->setEnabled(t && t->current() && !t->runs().running());
  if (choosing_ || !t) return;
  const int row = results_.model->rowOf(t->nameOf(t->current()));
  if (row < 0)
    results_.table->clearSelection();
  else if (!results_.table->selectionModel()->isRowSelected(row))
    results_.table->selectRow(row);
}

void RunPanel::refresh() {
  const GraphRuns* runs = tab() ? &tab()->runs() : nullptr;
  form_->show(runs ? &runs->settings() : nullptr, runs ? runs->keptBytes() : 0,
              runs ? runs->backwardUnavailable() : QString());
  command_->setText(runs ? runs->commandLine() : QString());
  command_->setCursorPosition(0);
  showFailure();
  showResults();
  showRuns();
  showPlan();
  showProgress();
  showSelection();
}

void RunPanel::showProgress() {
  const GraphRuns* runs = tab() ? &tab()->runs() : nullptr;
  const bool running = runs && runs->running();
  run_->setEnabled(runs && !running);
  stop_->setEnabled(running && !runs->stopping());
  progress_->setVisible(running);
  if (running) {
    const GraphRuns::Progress p = runs->progress();
    progress_->setRange(0, static_cast<int>(p.all));
    progress_->setValue(static_cast<int>(p.done));
    state_->setText(runs->progressText());
    return;
  }
  const KeptRunPtr run = runs ? runs->shown() : nullptr;
  if (!run) {
    state_->setText(!runs ? tr("Open a graph to run it.")
                    : runs->runs().empty()
                        ? tr("Not run yet.")
                        : runs->runs().back()->title() + QStringLiteral(", ") + tr("did not start"));
    return;
  }
  QString text = run->title() + QStringLiteral("  \u00B7  ");
  text += run->end == KeptRun::End::Failed ? tr("failed") : run->endText();
  if (run->view->whole.runs)
    text += QStringLiteral("  \u00B7  ") + toQString(session::spreadText(run->view->whole));
  state_->setText(text);
}

void RunPanel::showFailure() {
  const GraphRuns* runs = tab() ? &tab()->runs() : nullptr;
  const KeptRunPtr last = runs && !runs->runs().empty() ? runs->runs().back() : nullptr;
  const bool failed = last && !runs->running() && last->graph == tab()->graph() &&
                      (last->end == KeptRun::End::Failed || last->end == KeptRun::End::Refused);
  failure_->setVisible(failed);
  if (!failed) return;
  const QString code = toQString(last->why.code), called = calledWith(last->why);
  QString text = tr("%1 failed: %2").arg(tr("Run %1").arg(last->number), last->whyText());
  if (!code.isEmpty()) text += tr(" [%1]").arg(code);
  failureText_->setText(text);
  failureText_->setAccessibleDescription(called.isEmpty() ? QString() : tr("called with %1").arg(called));
  failureNode_->setVisible(last->view && last->view->failed.valid());
  const QString before = lastNode(*last);
  failureRun_->setVisible(!before.isEmpty());
  failureRun_->setToolTip(tr("Runs up to %1, the last node that worked").arg(before));
}

void RunPanel::showResults() {
  const KeptRunPtr run = tab() ? tab()->runs().shown() : nullptr;
  QString text;
  std::vector<CellRow> rows;
  if (run) rows = resultRows(*run);
  if (!tab())
    text = tr("Open a graph to run it.");
  else if (!run)
    text = tab()->runs().nothingYet();
  else if (rows.empty())
    text = run->end == KeptRun::End::Finished ? tr("The graph returns nothing.")
                                              : tr("This run has no results: it %1.").arg(run->endText());
  const bool bad =
      std::any_of(rows.begin(), rows.end(), [](const CellRow& r) { return r.tone == CellTone::Error; });
  results_.table->setColumnHidden(kResultBad, !bad);
  results_.show(std::move(rows), text);
}

void RunPanel::showRuns() {
  const GraphRuns* runs = tab() ? &tab()->runs() : nullptr;
  std::vector<CellRow> rows;
  if (runs) rows = runRows(*runs);
  QString text;
  if (!runs || rows.empty()) {
    text = tr("Runs will be listed here.");
  } else if (runs->comparing()) {
    text = tr("Comparing.");
  } else if (const ComparedRuns* c = runs->compared()) {
    size_t differ = 0, compared = 0;
    for (const session::NodeDifference& d : c->nodes) {
      differ += d.differs;
      compared += d.value && d.value->b;
    }
    text =
        tr("A (run %1) against B (run %2): %3 of %4 compared values differ by more than rounding explains.")
            .arg(c->a->number)
            .arg(c->b->number)
            .arg(differ)
            .arg(compared);
    if (compared == 0) text = tr("A and B have no values in common that were kept.");
  }
  runs_.show(std::move(rows), text);
  show_->setEnabled(false);
  against_->setEnabled(false);
  forget_->setEnabled(false);
  end_->setEnabled(runs && runs->comparedWith() != 0);
}

void RunPanel::showPlan() {
  const KeptRunPtr run = tab() ? tab()->runs().shown() : nullptr;
  std::vector<CellRow> rows;
  if (run) rows = planRows(*run);
  const QString text = !rows.empty() ? QString()
                       : run ? tr("The interpreter runs node by node, without a plan. Choose the executor "
                                  "compiled for one.")
                             : tr("What the compiled executor makes of the graph will be listed here.");
  plan_.show(std::move(rows), text);
}

int RunPanel::runOfRow(int row) const {
  const CellRow* cells = runs_.model->row(row);
  return cells ? cells->cells.front().section(QLatin1Char(' '), 0, 0).toInt() : 0;
}

}  // namespace descry::gui
