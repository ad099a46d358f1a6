#include "gui/panels/table/table_panel.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

#include "gui/models/node_table_model.h"
#include "gui/panels/row_views.h"

namespace descry::gui {
namespace {
// More rows than this are not marked one by one when the selection comes from elsewhere.
constexpr size_t kMostMarked = 5000;
}  // namespace

TablePanel::TablePanel(Document& document, QWidget* parent)
    : Panel(QStringLiteral("table"), tr("Table"), Qt::BottomDockWidgetArea, document, parent) {
  model_ = new NodeTableModel(this);
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(8, 4, 8, 4);
  onlyHits_ = new QCheckBox(tr("Only hits of the query"), page);
  count_ = new QLabel(page);
  count_->setObjectName(QStringLiteral("caption"));
  bar->addWidget(onlyHits_);
  bar->addSpacing(8);
  bar->addWidget(count_);
  bar->addStretch();
  column->addLayout(bar);
  table_ = new QTableView(page);
  setUpTable(table_, tr("Nodes"));
  table_->setModel(model_);
  table_->horizontalHeader()->setSortIndicator(0, Qt::AscendingOrder);
  table_->setSortingEnabled(true);
  column->addWidget(table_);
  setWidget(page);

  connect(model_, &NodeTableModel::sortRequested, this, &TablePanel::sortBy);
  connect(onlyHits_, &QCheckBox::toggled, this, &TablePanel::reorder);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    if (choosing_ || !tab()) return;
    std::vector<ir::NodeId> nodes;
    for (const QItemSelectionRange& range : table_->selectionModel()->selection())
      for (int r = range.top(); r <= range.bottom(); ++r)
        if (const auto* row = model_->row(r)) nodes.push_back(row->node);
    if (const auto* current = model_->row(table_->currentIndex().row()))
      if (std::find(nodes.begin(), nodes.end(), current->node) != nodes.end()) nodes.push_back(current->node);
    choosing_ = true;
    tab()->select(std::move(nodes));
    choosing_ = false;
  });
  onCopyKey(table_, [this] { QApplication::clipboard()->setText(csv()); });
}

QString TablePanel::help() const {
  return tr("One row per node. Click a title to sort. Ctrl+C copies the selected rows as CSV.");
}

QWidget* TablePanel::focusTarget() {
  return table_;
}

QString TablePanel::csv() const {
  std::vector<int> rows;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows()) rows.push_back(index.row());
  std::sort(rows.begin(), rows.end());
  if (rows.empty())
    for (int r = 0; r < model_->rowCount(); ++r) rows.push_back(r);
  return model_->csv(rows);
}

void TablePanel::sortBy(int column, bool descending) {
  column_ = column;
  descending_ = descending;
  reorder();
}

void TablePanel::reorder() {
  if (!tab() || !tab()->table()) return;
  if (sortJob_) sortJob_->cancelled = true;
  auto keep = std::make_shared<std::vector<bool>>();
  const bool filter = onlyHits_->isChecked() && tab()->hits();
  if (filter) {
    keep->assign(tab()->graph()->graph->idBound(), false);
    for (ir::NodeId id : tab()->hits()->nodes)
      if (id.index < keep->size()) (*keep)[id.index] = true;
  }
  const NodeRows rows = tab()->table();
  sortJob_ = document().jobs().start(
      tr("Sorting"), this,
      [rows, keep, filter, column = column_, descending = descending_](JobControl&) {
        return NodeTableModel::makeOrder(*rows, column, descending, filter ? keep.get() : nullptr);
      },
      [this, rows](std::shared_ptr<std::vector<uint32_t>> order) {
        sortJob_ = nullptr;
        if (!tab() || tab()->table() != rows) return;
        choosing_ = true;
        model_->setRows(rows, std::move(order));
        choosing_ = false;
        if (!fitted_ && model_->rowCount()) {
          fitted_ = true;
          fitColumns(table_, 240);
        }
        updateCount();
        showSelection();
      },
      true);
}

void TablePanel::updateCount() {
  const qsizetype all = model_->rows() ? static_cast<qsizetype>(model_->rows()->size()) : 0;
  const QLocale locale(QLocale::English);
  const QString total = locale.toString(all);
  count_->setText(model_->rowCount() == all
                      ? tr("%1 nodes").arg(total)
                      : tr("%1 of %2 nodes").arg(locale.toString(model_->rowCount()), total));
}

void TablePanel::showTab() {
  choosing_ = true;
  model_->setRows(nullptr);
  choosing_ = false;
  updateCount();
  if (!tab()) return;
  tab()->request(Part::Table);
  if (tab()->has(Part::Table)) reorder();
}

void TablePanel::showPart(Part part) {
  if (part == Part::Table) reorder();
}

void TablePanel::showHits() {
  onlyHits_->setEnabled(tab() && tab()->hits());
  if (onlyHits_->isChecked()) reorder();
}

void TablePanel::showSelection() {
  if (choosing_ || !tab() || !model_->rows()) return;
  choosing_ = true;
  const auto& nodes = tab()->selection();
  QItemSelection selection;
  const size_t begin = nodes.size() > kMostMarked ? nodes.size() - 1 : 0;
  const int last = std::max(0, model_->columnCount() - 1);
  for (size_t i = begin; i < nodes.size(); ++i)
    if (const int r = model_->rowOf(nodes[i]); r >= 0)
      selection.append(QItemSelectionRange(model_->index(r, 0), model_->index(r, last)));
  table_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
  const int row = model_->rowOf(tab()->current());
  if (row >= 0) {
    table_->selectionModel()->setCurrentIndex(model_->index(row, 0), QItemSelectionModel::NoUpdate);
    table_->scrollTo(model_->index(row, 0));
  }
  choosing_ = false;
}

}  // namespace descry::gui
