#include "gui/panels/passes/passes_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "gui/panels/icons.h"
#include "gui/panels/passes/pass_settings.h"
#include "gui/panels/passes/passes_parts.h"

namespace descry::gui {

namespace {

constexpr int kRoomForBoth = 900;  // pixels: a narrower panel shows the steps on a page of their own

/// `f32[4, 8]` of `f32[4, 8][8, 1]cpu`: strides and devices are in the tip.
QString shortType(const QString& type) {
  const qsizetype end = type.indexOf(QLatin1Char(']'));
  return end < 0 ? type : type.left(end + 1);
}

QString counted(const QString& title, int rows) {
  return rows ? QStringLiteral("%1 (%2)").arg(title).arg(rows) : title;
}

}  // namespace

PassesPanel::PassesPanel(Document& document, QWidget* parent)
    : Panel(QStringLiteral("passes"), tr("Passes"), Qt::BottomDockWidgetArea, document, parent) {
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildBar());
  split_ = new QSplitter(page);
  split_->setChildrenCollapsible(false);
  split_->setMinimumWidth(300);  // a narrow window arranges it otherwise, see arrange()
  split_->setHandleWidth(1);
  stepsPage_ = buildSteps();
  split_->addWidget(stepsPage_);
  pages_ = new QTabWidget(split_);
  pages_->setDocumentMode(true);
  findingsPage_ = buildFindings();
  cutPage_ = buildCut();
  comparisonPage_ = buildComparison();
  settings_ = new PassSettings(this);
  pages_->addTab(findingsPage_, tr("Findings"));
  pages_->addTab(cutPage_, tr("Cut"));
  pages_->addTab(comparisonPage_, tr("PyTorch's"));
  pages_->addTab(settings_, tr("Settings"));
  connect(settings_, &PassSettings::chosen, this, [this](const QString& option, const QString& value) {
    emit actionRequested(QStringLiteral("set-pass-option"), {{"option", option}, {"value", value}});
  });
  split_->addWidget(pages_);
  split_->setStretchFactor(0, 44);
  split_->setStretchFactor(1, 56);
  column->addWidget(split_, 1);
  setWidget(page);
}

QString PassesPanel::help() const {
  return tr(
      "Run a pipeline, then go through the states between its passes: all views show the chosen one. Grey "
      "passes changed nothing. Cut lists what the forward graph saves for the backward graph and why; Save "
      "and Recompute cut again with the selected values, and the colours `cut` show it in the graph. "
      "PyTorch's compares with the graph in the same file. Settings are the options of the chosen passes.");
}

void PassesPanel::applyTheme(const Theme& theme) {
  Panel::applyTheme(theme);
  for (ToneDelegate* d : delegates_) d->setTheme(theme);
  previous_->setIcon(makeIcon(IconKind::Back, theme.text));
  next_->setIcon(makeIcon(IconKind::Forward, theme.text));
  for (const Section* section : {&steps_, &findings_, &cut_, &comparison_})
    section->table->viewport()->update();
}

QWidget* PassesPanel::focusTarget() {
  return steps_.model->rowCount() ? static_cast<QWidget*>(steps_.table) : pipeline_;
}

void PassesPanel::resizeEvent(QResizeEvent* event) {
  Panel::resizeEvent(event);
  arrange();
}

/// Beside each other where both can be read, else the steps as the first page.
void PassesPanel::arrange() {
  const bool both = width() >= kRoomForBoth;
  const bool apart = pages_->indexOf(stepsPage_) < 0;
  if (both == apart) return;
  // The graphs stand in the Explorer, too: what a pass did needs the room more.
  steps_.table->setColumnHidden(kStepGraphs, both);
  if (both) {
    pages_->removeTab(pages_->indexOf(stepsPage_));
    split_->insertWidget(0, stepsPage_);
    stepsPage_->show();
    split_->setStretchFactor(0, 44);
    split_->setStretchFactor(1, 56);
    split_->setSizes({width() * 44 / 100, width() * 56 / 100});
  } else {
    pages_->insertTab(0, stepsPage_, tr("Steps"));
    pages_->setCurrentWidget(stepsPage_);
  }
  steps_.fit->refit();
}

bool PassesPanel::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    // Tables would take the keys for a search in their rows.
    const QString text = static_cast<QKeyEvent*>(event)->text();
    if (text == QLatin1String("[") || text == QLatin1String("]")) {
      emit actionRequested(
          text == QLatin1String("[") ? QStringLiteral("previous-pass") : QStringLiteral("next-pass"), {});
      return true;
    }
  }
  return Panel::eventFilter(object, event);
}

// ---- selection

QString PassesPanel::node(const QTableView* table) const {
  QStringList names;
  for (const QModelIndex& row : table->selectionModel()->selectedRows())
    names << row.data(CellsModel::kNameRole).toString();
  return names.join(QLatin1Char(','));
}

void PassesPanel::selectNodes(const Section& section) {
  if (choosing_ || !tab()) return;
  std::vector<ir::NodeId> nodes;
  for (const QModelIndex& row : section.table->selectionModel()->selectedRows()) {
    const QString name = row.data(CellsModel::kNameRole).toString();
    if (name.isEmpty()) continue;
    if (const ir::NodeId id = tab()->graph()->graph->find(name.toStdString())) nodes.push_back(id);
  }
  if (nodes.empty()) return;
  choosing_ = true;
  tab()->select(std::move(nodes));
  choosing_ = false;
}

void PassesPanel::showSelection() {
  if (choosing_ || !tab()) return;
  choosing_ = true;
  const QString name = tab()->nameOf(tab()->current());
  for (const Section* section : {&findings_, &cut_, &comparison_}) {
    const int row = section->model->rowOf(name);
    if (row < 0) {
      section->table->clearSelection();
      continue;
    }
    const QModelIndex index = section->model->index(row, 0);
    if (!section->table->selectionModel()->isRowSelected(row)) section->table->selectRow(row);
    section->table->scrollTo(index);
  }
  choosing_ = false;
}

// ---- showing

void PassesPanel::showTab() {
  if (linked_ != tab()) {
    if (linked_) disconnect(&linked_->passes(), nullptr, this, nullptr);
    linked_ = tab();
    if (linked_)
      connect(&linked_->passes(), &PassStepper::changed, this, [this] {
        if (shown()) refresh();
      });
    pipeline_->clear();
    if (tab()) {
      for (const PipelineChoice& choice : tab()->passes().choices()) {
        pipeline_->addItem(choice.text);
        pipeline_->setItemData(pipeline_->count() - 1, choice.summary, Qt::ToolTipRole);
      }
      pipeline_->setEditText(tab()->passes().chosen());
    }
    cutShown_ = comparisonShown_ = nullptr;
  }
  refresh();
}

void PassesPanel::refresh() {
  // What was asked for elsewhere, by a key or a menu, is shown where it will appear.
  if (tab() && tab()->passes().comparing()) pages_->setCurrentWidget(comparisonPage_);
  if (tab() && tab()->passes().wishing()) pages_->setCurrentWidget(cutPage_);
  showBar();
  showSteps();
  showFindings();
  showCut();
  showComparison();
  showSettings();
  showSelection();
}

void PassesPanel::showSettings() {
  QString error = tab() ? QString() : tr("No graph is open.");
  std::vector<session::PipelineOption> options;
  if (tab()) options = tab()->passes().options(&error);
  settings_->setOptions(options, error);
}

void PassesPanel::showBar() {
  const PassStepper* passes = tab() ? &tab()->passes() : nullptr;
  const bool ran = passes && passes->passRun();
  pipeline_->setEnabled(passes);
  run_->setEnabled(passes);
  verify_->setEnabled(passes);
  verify_->setChecked(passes && passes->verifiesEach());
  const QString typed = pipeline_->currentText().trimmed();
  if (passes && !typed.isEmpty() && typed != passes->chosen()) pipeline_->setEditText(passes->chosen());
  run_->setText(passes && passes->running() ? tr("Stop") : tr("Run"));
  previous_->setEnabled(ran && passes->position() > 0);
  next_->setEnabled(ran && passes->position() < passes->lastPosition());
  QString at = ran ? tr("%1 of %2").arg(passes->position()).arg(passes->lastPosition()) : QString();
  if (ran && width() >= kRoomForBoth)
    at += tr(": %1").arg(passes->position()
                             ? passes->steps()[passes->position()].pass.section(QLatin1Char('('), 0, 0)
                             : tr("start"));
  at_->setText(at);
  const QStringList names = ran ? passes->graphNames() : QStringList();
  graph_->clear();
  graph_->addItems(names);
  graph_->setVisible(names.size() > 1);
  if (ran) graph_->setCurrentIndex(static_cast<int>(passes->which()));
}

void PassesPanel::showSteps() {
  const PassStepper* passes = tab() ? &tab()->passes() : nullptr;
  std::vector<CellRow> rows;
  if (passes) {
    const auto& steps = passes->steps();
    for (size_t i = 0; i < steps.size(); ++i) {
      const PassStepRow& s = steps[i];
      CellRow row;
      row.cells = {QString::number(i), s.pass.isEmpty() ? tr("(start)") : s.pass, s.graphs,
                   s.failed ? QString() : QString::number(s.nodes),
                   s.failed ? tr("failed: %1").arg(s.summary) : s.summary};
      row.tone = s.failed                  ? CellTone::Error
                 : i == passes->position() ? CellTone::Strong
                 : s.changed               ? CellTone::Normal
                                           : CellTone::Dim;
      if (s.failed)
        row.tip = s.node.isEmpty() ? s.summary : tr("%1\nA click shows %2.").arg(s.summary, s.node);
      rows.push_back(std::move(row));
    }
  }
  const bool any = !rows.empty();
  steps_.model->setRows(std::move(rows));
  steps_.table->setVisible(any);
  steps_.headline->setVisible(!any);
  if (!any) {
    steps_.headline->setText(!passes ? tr("Open a graph to run passes on it.")
                             : passes->running()
                                 ? tr("Running.")
                                 : tr("Choose what to run above, and press Run: %1 (%2).")
                                       .arg(passes->defaultPipeline(), passes->choices().front().summary));
    return;
  }
  steps_.fit->refit();
  steps_.table->selectRow(static_cast<int>(passes->position()));
}

void PassesPanel::showFindings() {
  const PassStepper* passes = tab() ? &tab()->passes() : nullptr;
  // Thousands of rows are made when they are others, not whenever something else has changed.
  const std::pair<const void*, size_t> shown(passes ? passes->passRun().get() : nullptr,
                                             passes ? passes->position() : 0);
  if (shown.first && shown == findingsShown_) return;
  findingsShown_ = shown;
  std::vector<CellRow> rows;
  if (passes)
    for (const auto& [what, finding] : passes->findings()) {
      CellRow row;
      row.cells = {what, finding};
      row.node = what;
      rows.push_back(std::move(row));
    }
  QString text;
  if (!passes || !passes->passRun())
    text = tr("What the passes find out will be listed here.");
  else if (passes->position() == 0)
    text = tr("This is the graph before all passes.");
  else
    text = tr("%1: %2.").arg(passes->steps()[passes->position()].pass,
                             passes->steps()[passes->position()].summary);
  const bool any = !rows.empty();
  pages_->setTabText(pages_->indexOf(findingsPage_), counted(tr("Findings"), static_cast<int>(rows.size())));
  choosing_ = true;
  findings_.model->setRows(std::move(rows));
  choosing_ = false;
  findings_.headline->setText(text);
  findings_.headline->setVisible(!text.isEmpty());
  findings_.table->setVisible(any);
  if (any) findings_.fit->refit();
}

void PassesPanel::showCut() {
  const PassStepper* passes = tab() ? &tab()->passes() : nullptr;
  const auto* report = passes ? passes->cut() : nullptr;
  const bool any = report != nullptr;
  for (QWidget* w : std::initializer_list<QWidget*>{save_, recompute_, clear_, selectSaved_, all_})
    w->setVisible(any);
  cut_.table->setVisible(any);
  if (!any) {
    cutShown_ = nullptr;
    cut_.model->setRows({});
    pages_->setTabText(pages_->indexOf(cutPage_), tr("Cut"));
    cut_.headline->setText(!passes             ? tr("Open a graph to cut it.")
                           : passes->running() ? tr("Running.")
                                               : tr("Nothing was cut yet. Run a pipeline with partition in "
                                                    "it on a captured or a joint graph: %1.")
                                                     .arg(passes->defaultPipeline()));
    return;
  }
  // Other gradients make another cut: what is assumed of them belongs to what the cut costs.
  const QStringList assumed = passes->assumed();
  QString headline = passes->running() ? tr("Cutting again.") : passes->cutHeadline();
  if (!assumed.isEmpty() && !passes->running())
    headline += (assumed.size() == 1 ? tr(". %1 thing assumed: %2") : tr(". %1 things assumed: %2"))
                    .arg(assumed.size())
                    .arg(assumed.first().section(QLatin1Char(':'), 0, 0));
  cut_.headline->setText(headline);
  cut_.headline->setToolTip(assumed.join(QLatin1Char('\n')));
  pages_->setTabText(pages_->indexOf(cutPage_), tr("Cut (%1 saved)").arg(report->saved));
  clear_->setEnabled(!passes->wishes().empty());
  clear_->setText(passes->wishes().empty() ? tr("Clear") : tr("Clear %1").arg(passes->wishes().size()));
  if (cutShown_ == passes->passRun().get()) return;
  cutShown_ = passes->passRun().get();
  std::vector<CellRow> rows;
  for (const auto& r : report->rows) {
    if (r.fate == "forward only" && !all_->isChecked()) continue;
    CellRow row;
    row.node = toQString(r.node);
    QString fate = toQString(r.fate);
    if (const auto wish = passes->wishes().find(row.node); wish != passes->wishes().end()) {
      const bool save = wish->second == PassStepper::Wish::Save;
      row.tone = CellTone::Strong;
      fate += (save ? r.fate == "saved" : r.fate == "recomputed") ? tr(", as wished")
              : save                                              ? tr(" (wish: save)")
                                                                  : tr(" (wish: recompute)");
    } else if (r.fate == "forward only") {
      row.tone = CellTone::Dim;
    }
    row.cells = {r.savedIndex < 0 ? QString() : QString::number(r.savedIndex),
                 row.node,
                 shortType(toQString(r.type)),
                 QString::number(r.bytes),
                 fate,
                 toQString(r.reason)};
    row.tips = {{}, {}, toQString(r.type)};
    rows.push_back(std::move(row));
  }
  choosing_ = true;
  cut_.model->setRows(std::move(rows));
  choosing_ = false;
  save_->setEnabled(false);
  recompute_->setEnabled(false);
  cut_.fit->refit();
}

void PassesPanel::showComparison() {
  const PassStepper* passes = tab() ? &tab()->passes() : nullptr;
  const Comparison* made = passes ? passes->comparison() : nullptr;
  const QString why = passes ? passes->compareUnavailable() : tr("Open a graph first.");
  compare_->setVisible(why.isEmpty());
  openRecorded_->setVisible(why.isEmpty());
  compare_->setEnabled(passes && !passes->comparing());
  openRecorded_->setEnabled(!made || !made->recordedId.isEmpty());
  comparison_.table->setVisible(made && !made->rows.empty());
  QString text = why;
  if (made) {
    text = made->headline;
    if (made->more) text += tr(" %1 more rows are not listed.").arg(made->more);
  } else if (why.isEmpty()) {
    text = passes->comparing()
               ? tr("Comparing.")
               : tr("Compare this %1 graph with the one that PyTorch wrote into the same file.")
                     .arg(passes->graphName());
  }
  comparison_.headline->setText(text);
  pages_->setTabText(pages_->indexOf(comparisonPage_), !made || made->recordedId.isEmpty() ? tr("PyTorch's")
                                                       : made->equal ? tr("PyTorch's: equal")
                                                                     : tr("PyTorch's: differs"));
  if (comparisonShown_ == made) return;
  comparisonShown_ = made;
  std::vector<CellRow> rows;
  if (made)
    for (const ComparisonRow& r : made->rows) {
      CellRow row;
      row.cells = {r.state, r.node, r.field, r.recorded, r.here};
      row.node = r.id ? r.node : QString();
      rows.push_back(std::move(row));
    }
  choosing_ = true;
  comparison_.model->setRows(std::move(rows));
  choosing_ = false;
  if (made) comparison_.fit->refit();
}

void PassesPanel::goToRow(int row) {
  if (!tab() || row < 0) return;
  const PassStepper& passes = tab()->passes();
  // A pass that failed leads to where it did.
  if (const auto at = static_cast<size_t>(row); at < passes.steps().size() && passes.steps()[at].failed) {
    const QString node = passes.steps()[at].node;
    if (node.isEmpty()) return;
    if (passes.position() != 0) emit actionRequested(QStringLiteral("go-to-pass"), {{"position", "start"}});
    emit actionRequested(QStringLiteral("select"), {{"node", node}});
    return;
  }
  if (static_cast<size_t>(row) == passes.position() || static_cast<size_t>(row) > passes.lastPosition())
    return;
  emit actionRequested(QStringLiteral("go-to-pass"), {{"position", QString::number(row)}});
}

}  // namespace descry::gui
