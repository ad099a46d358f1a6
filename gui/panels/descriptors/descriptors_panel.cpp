#include "gui/panels/descriptors/descriptors_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/models/io_model.h"
#include "gui/panels/row_views.h"

namespace descry::gui {
namespace {

/// Inputs, outputs or both, and a text that any cell may hold.
class IoFilter final : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void setSide(int side) {
    side_ = side;
    invalidateFilter();
  }

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
    const QModelIndex first = sourceModel()->index(row, 0, parent);
    if (side_ && first.data(IoModel::kIsInputRole).toBool() != (side_ == 1)) return false;
    return QSortFilterProxyModel::filterAcceptsRow(row, parent);
  }

 private:
  int side_ = 0;  // 0 both, 1 inputs, 2 outputs
};

}  // namespace

DescriptorsPanel::DescriptorsPanel(Document& document, QWidget* parent)
    : Panel(QStringLiteral("descriptors"), tr("Descriptors"), Qt::BottomDockWidgetArea, document, parent) {
  model_ = new IoModel(this);
  auto* filter = new IoFilter(this);
  proxy_ = filter;
  proxy_->setSourceModel(model_);
  proxy_->setSortRole(kSortRole);
  proxy_->setFilterKeyColumn(-1);
  proxy_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(8, 4, 8, 4);
  bar->setSpacing(8);
  side_ = new QComboBox(page);
  side_->addItems({tr("Inputs and outputs"), tr("Inputs"), tr("Outputs")});
  side_->setAccessibleName(tr("Which rows"));
  filter_ = new QLineEdit(page);
  filter_->setPlaceholderText(tr("Filter rows"));
  filter_->setClearButtonEnabled(true);
  filter_->setMaximumWidth(260);
  count_ = new QLabel(page);
  count_->setObjectName(QStringLiteral("caption"));
  bar->addWidget(side_);
  bar->addWidget(filter_);
  bar->addWidget(count_);
  bar->addStretch();
  column->addLayout(bar);
  table_ = new QTableView(page);
  setUpTable(table_, tr("Inputs and outputs in call order"));
  table_->setModel(proxy_);
  table_->setSortingEnabled(true);
  table_->sortByColumn(0, Qt::AscendingOrder);
  column->addWidget(table_);
  setWidget(page);

  connect(side_, &QComboBox::currentIndexChanged, this, [this, filter](int side) {
    filter->setSide(side);
    updateCount();
  });
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    proxy_->setFilterFixedString(text);
    updateCount();
  });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    if (choosing_ || !tab()) return;
    std::vector<ir::NodeId> nodes;
    for (const QModelIndex& row : table_->selectionModel()->selectedRows())
      nodes.push_back({row.data(kNodeRole).toUInt()});
    choosing_ = true;
    tab()->select(std::move(nodes));
    choosing_ = false;
  });
  connect(table_, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
    const ir::NodeId partner{index.data(IoModel::kPartnerRole).toUInt()};
    if (partner && tab()) tab()->select(partner);
  });
}

QString DescriptorsPanel::help() const {
  return tr(
      "Every input and output in call order and what it means. Double click jumps to the gradient or "
      "tangent. "
      "Italic meanings are inferred from names.");
}

QWidget* DescriptorsPanel::focusTarget() {
  return table_;
}

void DescriptorsPanel::showTab() {
  if (tab()) tab()->request(Part::Io);
  choosing_ = true;
  model_->setRows(tab() ? tab()->io() : nullptr);
  choosing_ = false;
  updateCount();
  if (tab() && tab()->io()) showPart(Part::Io);
}

void DescriptorsPanel::showPart(Part part) {
  if (part != Part::Io || !tab()) return;
  if (model_->rows() != tab()->io()) {
    choosing_ = true;
    model_->setRows(tab()->io());
    choosing_ = false;
  }
  updateCount();
  if (!fitted_ && model_->rowCount()) {
    fitted_ = true;
    fitColumns(table_, 360);
  }
  showSelection();
}

void DescriptorsPanel::updateCount() {
  if (!model_->rows()) {
    count_->clear();
    return;
  }
  int inputs = 0;
  for (const auto& row : *model_->rows()) inputs += row.input;
  QString text = tr("%1 inputs, %2 outputs").arg(inputs).arg(model_->rowCount() - inputs);
  if (proxy_->rowCount() != model_->rowCount()) text += tr("; %1 shown").arg(proxy_->rowCount());
  count_->setText(text);
}

void DescriptorsPanel::showSelection() {
  if (choosing_ || !tab()) return;
  choosing_ = true;
  const QModelIndex index = proxy_->mapFromSource(model_->index(model_->rowOf(tab()->current()), 0));
  if (index.isValid()) {
    table_->selectionModel()->setCurrentIndex(
        index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    table_->scrollTo(index);
  } else {
    table_->clearSelection();
  }
  choosing_ = false;
}

}  // namespace descry::gui
