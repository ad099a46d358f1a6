#include "gui/panels/passes/passes_panel.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "gui/panels/icons.h"
#include "gui/panels/row_views.h"

namespace descry::gui {

/// Colours of the tones of a row.
class ToneDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void setTheme(const Theme& theme) { theme_ = theme; }
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const auto tone = static_cast<CellTone>(index.data(CellsModel::kToneRole).toInt());
    if (tone == CellTone::Dim) option->palette.setColor(QPalette::Text, theme_.mutedText);
    if (tone == CellTone::Error) option->palette.setColor(QPalette::Text, theme_.error);
  }

 private:
  Theme theme_ = Theme::light();
};

namespace {

constexpr int kWidestCell = 460;

enum StepColumn { kStepAt, kStepPass, kStepGraphs, kStepNodes, kStepWhat };
enum CutColumn { kCutAt, kCutValue, kCutType, kCutBytes };
enum Page { kFindingsPage, kCutPage, kComparisonPage };

void narrow(QTableView* table, int column, int most) {
  table->setColumnWidth(column, std::min(table->columnWidth(column), most));
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
  split_->setHandleWidth(1);
  split_->addWidget(buildSteps());
  pages_ = new QTabWidget(split_);
  pages_->setDocumentMode(true);
  pages_->addTab(buildFindings(), tr("Findings"));
  pages_->addTab(buildCut(), tr("Cut"));
  pages_->addTab(buildComparison(), tr("PyTorch's"));
  split_->addWidget(pages_);
  split_->setSizes({500, 500});
  column->addWidget(split_, 1);
  setWidget(page);
}

QString PassesPanel::help() const {
  return tr(
      "Run a pipeline, then go through the states between its passes: all views show the chosen one. Grey "
      "passes changed nothing. Cut lists what the forward graph saves for the backward graph and why; Save "
      "and "
      "Recompute cut again with the selected values. PyTorch's compares with the graph in the same file.");
}

// ---- building

QWidget* PassesPanel::buildBar() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(8, 4, 8, 4);
  row->setSpacing(6);
  pipeline_ = new QComboBox(bar);
  pipeline_->setEditable(true);
  pipeline_->setInsertPolicy(QComboBox::NoInsert);
  pipeline_->setMinimumContentsLength(24);
  pipeline_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  pipeline_->setAccessibleName(tr("Passes to run"));
  pipeline_->setToolTip(
      tr("A pipeline, or passes with commas between: cse,dce or partition(method=default)"));
  run_ = new QPushButton(tr("Run"), bar);
  run_->setObjectName(QStringLiteral("primary"));
  verify_ = new QCheckBox(tr("Check states"), bar);
  verify_->setToolTip(tr("Verify the graphs after every pass, and stop at the first fault"));
  previous_ = new QToolButton(bar);
  previous_->setAccessibleName(tr("Previous pass"));
  previous_->setToolTip(tr("Previous pass ([)"));
  next_ = new QToolButton(bar);
  next_->setAccessibleName(tr("Next pass"));
  next_->setToolTip(tr("Next pass (])"));
  at_ = new QLabel(bar);
  at_->setObjectName(QStringLiteral("caption"));
  graph_ = new QComboBox(bar);
  graph_->setAccessibleName(tr("Graph of this pass"));
  graph_->setToolTip(tr("Which graph of this pass is shown"));
  graph_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  row->addWidget(pipeline_);
  row->addWidget(run_);
  row->addWidget(verify_);
  row->addSpacing(8);
  row->addWidget(previous_);
  row->addWidget(next_);
  row->addWidget(at_);
  row->addWidget(graph_);
  row->addStretch();
  const auto run = [this] {
    if (!tab()) return;
    if (tab()->passes().running())
      tab()->passes().cancel();
    else
      emit actionRequested(QStringLiteral("run-passes"), {{"passes", pipeline_->currentText()}});
  };
  connect(run_, &QPushButton::clicked, this, run);
  connect(verify_, &QCheckBox::clicked, this,
          [this] { emit actionRequested(QStringLiteral("verify-passes"), {}); });
  connect(pipeline_->lineEdit(), &QLineEdit::returnPressed, this, run);
  connect(previous_, &QToolButton::clicked, this,
          [this] { emit actionRequested(QStringLiteral("previous-pass"), {}); });
  connect(next_, &QToolButton::clicked, this,
          [this] { emit actionRequested(QStringLiteral("next-pass"), {}); });
  connect(graph_, &QComboBox::activated, this, [this](int index) {
    emit actionRequested(QStringLiteral("pass-graph"), {{"name", graph_->itemText(index)}});
  });
  return bar;
}

PassesPanel::Section PassesPanel::makeSection(QWidget* page, const QString& name, const QStringList& titles,
                                              std::vector<int> numbers) {
  Section section;
  section.headline = new QLabel(page);
  section.headline->setWordWrap(true);
  section.headline->setTextFormat(Qt::PlainText);
  section.headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
  section.headline->setContentsMargins(10, 6, 10, 6);
  section.headline->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  section.model = new CellsModel(titles, std::move(numbers), this);
  section.table = new QTableView(page);
  setUpTable(section.table, name);
  section.table->setModel(section.model);
  auto* delegate = new ToneDelegate(this);
  section.table->setItemDelegate(delegate);
  delegates_.push_back(delegate);
  section.table->installEventFilter(this);
  onCopyKey(section.table, [table = section.table] {
    QString text;
    for (const QModelIndex& row : table->selectionModel()->selectedRows()) {
      QStringList cells;
      for (int c = 0; c < table->model()->columnCount(); ++c)
        cells << row.siblingAtColumn(c).data().toString();
      text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    QApplication::clipboard()->setText(text);
  });
  return section;
}

QPushButton* PassesPanel::button(QWidget* page, const QString& text, const QString& action) {
  auto* b = new QPushButton(text, page);
  connect(b, &QPushButton::clicked, this, [this, action] { emit actionRequested(action, {}); });
  return b;
}

QWidget* PassesPanel::buildSteps() {
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  steps_ =
      makeSection(page, tr("Passes that were run"),
                  {tr("#"), tr("Pass"), tr("Graphs"), tr("Nodes"), tr("What it did")}, {kStepAt, kStepNodes});
  steps_.table->setSelectionMode(QAbstractItemView::SingleSelection);
  steps_.table->horizontalHeader()->setStretchLastSection(false);
  steps_.table->horizontalHeader()->setSectionResizeMode(kStepWhat, QHeaderView::Stretch);
  column->addWidget(steps_.headline);
  column->addWidget(steps_.table, 1);
  connect(steps_.table, &QTableView::clicked, this,
          [this](const QModelIndex& index) { goToRow(index.row()); });
  connect(steps_.table, &QTableView::activated, this,
          [this](const QModelIndex& index) { goToRow(index.row()); });
  return page;
}

QWidget* PassesPanel::buildFindings() {
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  findings_ = makeSection(page, tr("Findings of the pass"), {tr("About"), tr("Finding")}, {});
  column->addWidget(findings_.headline);
  column->addWidget(findings_.table, 1);
  connect(findings_.table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          [this] { selectNodes(findings_); });
  return page;
}

QWidget* PassesPanel::buildCut() {
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  cut_ = makeSection(page, tr("What is saved for the backward graph"),
                     {tr("#"), tr("Value"), tr("Type"), tr("Bytes"), tr("Fate"), tr("Why")},
                     {kCutAt, kCutBytes});
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 0, 8, 6);
  row->setSpacing(6);
  save_ = button(page, tr("Save"), {});
  save_->setToolTip(tr("Cut again, and save the selected values whatever it costs"));
  recompute_ = button(page, tr("Recompute"), {});
  recompute_->setToolTip(tr("Cut again, and compute the selected values anew in the backward graph"));
  for (auto [b, id] : {std::pair(save_, "save-value"), std::pair(recompute_, "recompute-value")}) {
    disconnect(b, nullptr, this, nullptr);
    connect(b, &QPushButton::clicked, this, [this, id = QString::fromLatin1(id)] {
      emit actionRequested(id, {{"node", node(cut_.table)}});
    });
  }
  clear_ = button(page, tr("Clear"), QStringLiteral("clear-wishes"));
  clear_->setToolTip(tr("Cut without wishes again"));
  selectSaved_ = button(page, tr("Select saved"), QStringLiteral("select-saved"));
  selectSaved_->setToolTip(tr("Select all saved values in the graph"));
  all_ = new QCheckBox(tr("All values"), page);
  all_->setToolTip(tr("Also those that only the forward graph needs"));
  for (QWidget* w : std::initializer_list<QWidget*>{save_, recompute_, clear_, selectSaved_, all_})
    row->addWidget(w);
  row->addStretch();
  column->addWidget(cut_.headline);
  column->addLayout(row);
  column->addWidget(cut_.table, 1);
  connect(all_, &QCheckBox::toggled, this, [this] {
    cutShown_ = nullptr;
    showCut();
  });
  connect(cut_.table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    const bool any = cut_.table->selectionModel()->hasSelection();
    save_->setEnabled(any);
    recompute_->setEnabled(any);
    selectNodes(cut_);
  });
  return page;
}

QWidget* PassesPanel::buildComparison() {
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  comparison_ = makeSection(page, tr("Differences from PyTorch's graph"),
                            {tr("State"), tr("Node"), tr("Field"), tr("PyTorch's"), tr("Here")}, {});
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 0, 8, 6);
  row->setSpacing(6);
  compare_ = button(page, tr("Compare"), QStringLiteral("compare-recorded"));
  openRecorded_ = button(page, tr("Open PyTorch's"), QStringLiteral("open-recorded"));
  row->addWidget(compare_);
  row->addWidget(openRecorded_);
  row->addStretch();
  column->addWidget(comparison_.headline);
  column->addLayout(row);
  column->addWidget(comparison_.table, 1);
  connect(comparison_.table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          [this] { selectNodes(comparison_); });
  return page;
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
  // Beside each other at the bottom of the window, one below the other at its side.
  const Qt::Orientation wanted = width() > 700 ? Qt::Horizontal : Qt::Vertical;
  if (split_->orientation() != wanted) split_->setOrientation(wanted);
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
      if (!tab()->passes().pipeline().isEmpty()) pipeline_->setEditText(tab()->passes().pipeline());
    }
    cutShown_ = comparisonShown_ = nullptr;
  }
  refresh();
}

void PassesPanel::refresh() {
  // What was asked for elsewhere, by a key or a menu, is shown where it will appear.
  if (tab() && tab()->passes().comparing()) pages_->setCurrentIndex(kComparisonPage);
  if (tab() && tab()->passes().wishing()) pages_->setCurrentIndex(kCutPage);
  showBar();
  showSteps();
  showFindings();
  showCut();
  showComparison();
  showSelection();
}

void PassesPanel::showBar() {
  const PassStepper* passes = tab() ? &tab()->passes() : nullptr;
  const bool ran = passes && passes->passRun();
  pipeline_->setEnabled(passes);
  run_->setEnabled(passes);
  verify_->setEnabled(passes);
  verify_->setChecked(passes && passes->verifiesEach());
  run_->setText(passes && passes->running() ? tr("Stop") : tr("Run"));
  previous_->setEnabled(ran && passes->position() > 0);
  next_->setEnabled(ran && passes->position() < passes->lastPosition());
  at_->setText(ran ? tr("%1 of %2").arg(passes->position()).arg(passes->lastPosition()) : QString());
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
      if (s.failed) row.tip = s.summary;
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
  if (stepsFitted_ != passes->passRun().get()) {
    stepsFitted_ = passes->passRun().get();
    fitColumns(steps_.table, kWidestCell);
    narrow(steps_.table, kStepAt, 40);
    narrow(steps_.table, kStepPass, 140);
    narrow(steps_.table, kStepGraphs, 110);
  }
  steps_.table->selectRow(static_cast<int>(passes->position()));
}

void PassesPanel::showFindings() {
  const PassStepper* passes = tab() ? &tab()->passes() : nullptr;
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
  pages_->setTabText(kFindingsPage, counted(tr("Findings"), static_cast<int>(rows.size())));
  choosing_ = true;
  findings_.model->setRows(std::move(rows));
  choosing_ = false;
  findings_.headline->setText(text);
  findings_.headline->setVisible(!text.isEmpty());
  findings_.table->setVisible(any);
  if (any) fitColumns(findings_.table, kWidestCell);
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
    pages_->setTabText(kCutPage, tr("Cut"));
    cut_.headline->setText(!passes             ? tr("Open a graph to cut it.")
                           : passes->running() ? tr("Running.")
                                               : tr("Nothing was cut yet. Run a pipeline with partition in "
                                                    "it on a captured or a joint graph: %1.")
                                                     .arg(passes->defaultPipeline()));
    return;
  }
  cut_.headline->setText(passes->running() ? tr("Cutting again.") : passes->cutHeadline());
  pages_->setTabText(kCutPage, tr("Cut (%1 saved)").arg(report->saved));
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
                 toQString(r.type),
                 QString::number(r.bytes),
                 fate,
                 toQString(r.reason)};
    rows.push_back(std::move(row));
  }
  choosing_ = true;
  cut_.model->setRows(std::move(rows));
  choosing_ = false;
  save_->setEnabled(false);
  recompute_->setEnabled(false);
  fitColumns(cut_.table, kWidestCell);
  narrow(cut_.table, kCutType, 130);
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
  pages_->setTabText(kComparisonPage, !made || made->recordedId.isEmpty() ? tr("PyTorch's")
                                      : made->equal                       ? tr("PyTorch's: equal")
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
  if (made) fitColumns(comparison_.table, kWidestCell);
}

void PassesPanel::goToRow(int row) {
  if (!tab() || row < 0) return;
  const PassStepper& passes = tab()->passes();
  if (static_cast<size_t>(row) == passes.position() || static_cast<size_t>(row) > passes.lastPosition())
    return;
  emit actionRequested(QStringLiteral("go-to-pass"), {{"position", QString::number(row)}});
}

}  // namespace descry::gui
