// The widgets of the Passes panel.
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/panels/passes/passes_panel.h"
#include "gui/panels/passes/passes_parts.h"
#include "gui/panels/row_views.h"

namespace descry::gui {

QWidget* PassesPanel::buildBar() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(8, 4, 8, 4);
  row->setSpacing(6);
  pipeline_ = new QComboBox(bar);
  pipeline_->setEditable(true);
  pipeline_->setInsertPolicy(QComboBox::NoInsert);
  pipeline_->setMinimumContentsLength(8);
  pipeline_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  pipeline_->setMaximumWidth(420);
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
  row->addWidget(pipeline_, 1);
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
  // What stands there is what Run and the settings mean, from the first letter on.
  const auto choose = [this](const QString& text) {
    if (tab()) tab()->passes().choose(text.trimmed());
  };
  connect(pipeline_->lineEdit(), &QLineEdit::textEdited, this, choose);
  connect(pipeline_, &QComboBox::textActivated, this, choose);
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
                                              std::vector<int> numbers, std::vector<int> flexible) {
  Section section = makeTableSection(page, name, titles, std::move(numbers), std::move(flexible));
  delegates_.push_back(section.delegate);
  section.table->installEventFilter(this);
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
  steps_ = makeSection(page, tr("Passes that were run"),
                       {tr("#"), tr("Pass"), tr("Graphs"), tr("Nodes"), tr("What it did")},
                       {kStepAt, kStepNodes}, {kStepGraphs, kStepPass, kStepWhat});
  steps_.table->setColumnHidden(kStepGraphs, true);
  steps_.table->setSelectionMode(QAbstractItemView::SingleSelection);
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
  findings_ = makeSection(page, tr("Findings of the pass"), {tr("About"), tr("Finding")}, {}, {0, 1});
  column->addWidget(findings_.headline);
  column->addWidget(findings_.table, 1);
  column->addStretch();  // without rows, all stands at the top
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
                     {kCutAt, kCutBytes}, {kCutValue, kCutFate, kCutWhy});
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
  column->addStretch();  // without rows, all stands at the top
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
  comparison_ =
      makeSection(page, tr("Differences from PyTorch's graph"),
                  {tr("State"), tr("Node"), tr("Field"), tr("PyTorch's"), tr("Here")}, {}, {0, 1, 3, 4});
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
  column->addStretch();  // without rows, all stands at the top
  connect(comparison_.table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          [this] { selectNodes(comparison_); });
  return page;
}

}  // namespace descry::gui
