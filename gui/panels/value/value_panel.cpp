#include "gui/panels/value/value_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/models/table_model.h"
#include "gui/models/value_grid_model.h"
#include "gui/panels/row_views.h"
#include "gui/panels/table_section.h"
#include "gui/panels/value/value_pictures.h"

namespace descry::gui {
namespace {

/// NaN and infinities stand out.
class ElementDelegate final : public QStyledItemDelegate {
 public:
  ElementDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (!index.data(ValueGridModel::kBadRole).toBool()) return;
    option->palette.setColor(QPalette::Text, theme_.error);
    option->font.setBold(true);
  }

 private:
  Theme theme_;
};

}  // namespace

ValuePanel::ValuePanel(Document& document, QWidget* parent)
    : Panel(QStringLiteral("value"), tr("Value"), Qt::RightDockWidgetArea, document, parent) {
  auto* page = new QWidget(this);
  QVBoxLayout* column = bareColumn(page);
  headline_ = new QLabel(page);
  headline_->setWordWrap(true);
  headline_->setTextFormat(Qt::PlainText);
  headline_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  headline_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  headline_->setAccessibleName(tr("State of the value"));
  auto* headRow = new QHBoxLayout;
  headRow->setContentsMargins(10, 8, 10, 4);
  headRow->addWidget(headline_);
  column->addLayout(headRow);
  part_ = new QComboBox(page);
  part_->setAccessibleName(tr("Which tensor of the node"));
  part_->setToolTip(
      tr("What was run for this node: its own value, steps on the way, and parts of gradients"));
  part_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  part_->setMinimumContentsLength(10);
  auto* partRow = new QHBoxLayout;
  partRow->setContentsMargins(10, 2, 10, 4);
  partRow->addWidget(part_);
  column->addLayout(partRow);
  pages_ = new QTabWidget(page);
  pages_->setDocumentMode(true);
  pages_->addTab(buildFigures(), tr("Figures"));
  pages_->addTab(buildElements(), tr("Elements"));
  column->addWidget(pages_, 1);
  column->addStretch();
  setWidget(page);
  connect(part_, &QComboBox::activated, this, [this](int index) {
    if (!tab() || index >= static_cast<int>(tab()->value().choices().size())) return;
    emit actionRequested(QStringLiteral("value-part"),
                         {{"name", toQString(tab()->value().choices()[static_cast<size_t>(index)].name)}});
  });
}

QWidget* ValuePanel::buildFigures() {
  auto* area = new QScrollArea(this);
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  figures_ = new QWidget(area);
  auto* column = new QVBoxLayout(figures_);
  column->setContentsMargins(10, 8, 10, 8);
  column->setSpacing(8);
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(3);
  const auto rows = statisticsRows({});
  for (size_t i = 0; i < rows.size(); ++i) {
    auto* name = new QLabel(rows[i].first, figures_);
    name->setObjectName(QStringLiteral("caption"));
    auto* value = new QLabel(figures_);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setAccessibleName(rows[i].first);
    const int row = static_cast<int>(i / 2), at = static_cast<int>(i % 2) * 2;
    grid->addWidget(name, row, at);
    grid->addWidget(value, row, at + 1);
    figureLabels_.emplace_back(name, value);
  }
  grid->setColumnStretch(1, 1);
  grid->setColumnStretch(3, 1);
  column->addLayout(grid);
  histogram_ = new HistogramView(figures_);
  column->addWidget(histogram_);
  auto* row = new QHBoxLayout;
  row->setSpacing(10);
  const auto box = [&](const QString& text, const QString& tip) {
    auto* b = new QCheckBox(text, figures_);
    b->setToolTip(tip);
    row->addWidget(b);
    return b;
  };
  logBins_ = box(tr("Log bins"), tr("Bins over powers of ten of the absolute values"));
  logCounts_ = box(tr("Log counts"), tr("Heights by the logarithm of the counts: rare values can be seen"));
  clip_ = box(tr("Clip"), tr("Leaves out the outermost thousandth on each side; they are counted"));
  row->addStretch();
  column->addLayout(row);
  layoutText_ = new QLabel(figures_);
  layoutText_->setWordWrap(true);
  layoutText_->setObjectName(QStringLiteral("caption"));
  column->addWidget(layoutText_);
  layout_ = new LayoutView(figures_);
  layout_->setFixedHeight(132);
  column->addWidget(layout_);
  column->addStretch();
  area->setWidget(figures_);
  connect(logBins_, &QCheckBox::clicked, this,
          [this] { emit actionRequested(QStringLiteral("histogram-log"), {}); });
  connect(clip_, &QCheckBox::clicked, this,
          [this] { emit actionRequested(QStringLiteral("histogram-clip"), {}); });
  connect(logCounts_, &QCheckBox::toggled, histogram_, &HistogramView::setLogCounts);
  return area;
}

QWidget* ValuePanel::buildElements() {
  auto* page = new QWidget(this);
  QVBoxLayout* column = bareColumn(page);
  elementsText_ = new QLabel(page);
  elementsText_->setWordWrap(true);
  elementsText_->setContentsMargins(10, 8, 10, 8);
  column->addWidget(elementsText_);
  elementsBody_ = new QWidget(page);
  QVBoxLayout* body = bareColumn(elementsBody_);
  auto* axes = new QHBoxLayout;
  axes->setContentsMargins(8, 6, 8, 2);
  axes->setSpacing(6);
  const auto combo = [&](const QString& title, const QString& tip) {
    auto* label = new QLabel(title, elementsBody_);
    auto* c = new QComboBox(elementsBody_);
    c->setAccessibleName(title);
    c->setToolTip(tip);
    c->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    label->setBuddy(c);
    axes->addWidget(label);
    axes->addWidget(c);
    return c;
  };
  rowAxis_ = combo(tr("Rows"), tr("The dimension that goes down"));
  columnAxis_ = combo(tr("Columns"), tr("The dimension that goes to the right"));
  axes->addStretch();
  body->addLayout(axes);
  indexRow_ = new QWidget(elementsBody_);
  auto* index = new QHBoxLayout(indexRow_);
  index->setContentsMargins(8, 2, 8, 2);
  index->setSpacing(4);
  body->addWidget(indexRow_);
  grid_ = new QTableView(elementsBody_);
  setUpTable(grid_, tr("Elements"));
  model_ = new ValueGridModel(this);
  grid_->setModel(model_);
  grid_->setFont(codeFont());
  grid_->setSelectionBehavior(QAbstractItemView::SelectItems);
  grid_->setShowGrid(true);
  grid_->verticalHeader()->show();
  grid_->horizontalHeader()->setStretchLastSection(false);
  body->addWidget(grid_, 1);
  cell_ = new QLabel(elementsBody_);
  cell_->setContentsMargins(10, 4, 10, 2);
  cell_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  cell_->setWordWrap(true);
  cell_->setAccessibleName(tr("The chosen element"));
  body->addWidget(cell_);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 2, 8, 6);
  row->setSpacing(6);
  format_ = new QComboBox(elementsBody_);
  format_->addItems({QStringLiteral("short"), QStringLiteral("exact"), QStringLiteral("fixed"),
                     QStringLiteral("scientific"), QStringLiteral("hex")});
  format_->setAccessibleName(tr("Number format"));
  format_->setToolTip(tr("How elements are written; hex shows their bits"));
  firstBad_ = new QPushButton(tr("First bad"), elementsBody_);
  firstBad_->setToolTip(tr("Go to the first NaN or infinity"));
  copy_ = new QPushButton(tr("Copy"), elementsBody_);
  copy_->setToolTip(tr("Copies the grid as text"));
  row->addWidget(format_);
  row->addWidget(firstBad_);
  row->addWidget(copy_);
  row->addStretch();
  body->addLayout(row);
  column->addWidget(elementsBody_, 1);
  column->addStretch();
  for (QComboBox* c : {rowAxis_, columnAxis_})
    connect(c, &QComboBox::activated, this, [this] { chooseSlice(); });
  connect(format_, &QComboBox::textActivated, this, [this](const QString& name) {
    emit actionRequested(QStringLiteral("value-format"), {{"name", name}});
  });
  connect(firstBad_, &QPushButton::clicked, this,
          [this] { emit actionRequested(QStringLiteral("value-first-bad"), {}); });
  connect(copy_, &QPushButton::clicked, this,
          [this] { emit actionRequested(QStringLiteral("copy-value"), {}); });
  onCopyKey(grid_, [this] { emit actionRequested(QStringLiteral("copy-value"), {}); });
  connect(grid_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& index) { cell_->setText(model_->cellText(index)); });
  return page;
}

QString ValuePanel::help() const {
  return tr(
      "The value that the selected node had in the shown run. Figures are of all elements; min, max, mean "
      "and std of "
      "the finite ones. The grid shows two dimensions at an index of the others. A click on an element shows "
      "its bits.");
}

void ValuePanel::applyTheme(const Theme& theme) {
  Panel::applyTheme(theme);
  histogram_->setTheme(theme);
  layout_->setTheme(theme);
  auto* old = grid_->itemDelegate();
  grid_->setItemDelegate(new ElementDelegate(theme, grid_));
  if (old) old->deleteLater();
  if (tab()) showFigures();
}

QWidget* ValuePanel::focusTarget() {
  return part_->isVisible() ? static_cast<QWidget*>(part_) : pages_;
}

QString ValuePanel::figure(const QString& name) const {
  for (const auto& [title, value] : figureLabels_)
    if (title->text() == name) return value->text();
  return {};
}

void ValuePanel::showTab() {
  if (linked_ != tab()) {
    if (linked_) disconnect(&linked_->value(), nullptr, this, nullptr);
    if (linked_) disconnect(&linked_->runs(), nullptr, this, nullptr);
    linked_ = tab();
    if (linked_) link();
  }
  refresh();
}

void ValuePanel::link() {
  const auto when = [this](void (ValuePanel::*what)()) {
    return [this, what] {
      if (shown()) (this->*what)();
    };
  };
  connect(&linked_->value(), &ValueLook::changed, this, when(&ValuePanel::refresh));
  connect(&linked_->value(), &ValueLook::histogramChanged, this, when(&ValuePanel::showHistogram));
  connect(&linked_->value(), &ValueLook::sliceChanged, this, when(&ValuePanel::showElements));
  connect(&linked_->runs(), &GraphRuns::changed, this, when(&ValuePanel::refresh));
}

void ValuePanel::refresh() {
  ValueLook* look = tab() ? &tab()->value() : nullptr;
  filling_ = true;
  part_->clear();
  if (look)
    for (const ValueChoice& c : look->choices()) part_->addItem(c.title);
  if (look) part_->setCurrentIndex(look->chosen());
  part_->setVisible(part_->count() > 1);
  filling_ = false;
  const ValueChoice* choice = look ? look->choice() : nullptr;
  QString text;
  if (!look) {
    text = tr("Open a graph and run it to see values.");
  } else if (choice) {
    const KeptRunPtr run = tab()->runs().shown();
    // The choice of a tensor says its name and type already, where there is one.
    text = (part_->count() > 1 ? tab()->nameOf(look->node()) : choice->title) + QStringLiteral("  \u00B7  ") +
           tr("run %1").arg(run ? run->number : 0);
    if (const ComparedRuns* c = tab()->runs().compared())
      if (const session::NodeDifference* d = c->find(look->node()); d && d->value && choice->own) {
        text += QStringLiteral("\n") + tr("against run %1: %2").arg(c->b->number).arg(toQString(d->verdict));
        const runtime::Comparison& k = d->value->comparison;
        if (d->value->basis == "values" && k.count) text += QStringLiteral(", ") + comparisonWords(k);
      }
    if (const QString less = look->absence(); !less.isEmpty()) text += QStringLiteral("\n") + less;
  } else {
    text = look->absence();
  }
  headline_->setText(text);
  pages_->setVisible(choice != nullptr);
  if (!choice) {
    model_->show(nullptr);
    return;
  }
  showFigures();
  showHistogram();
  showElements();
}

void ValuePanel::showFigures() {
  if (!tab() || !tab()->value().choice()) return;
  const auto& s = tab()->value().statistics();
  const auto rows = statisticsRows(s.value_or(runtime::ValueStatistics()));
  for (size_t i = 0; i < rows.size(); ++i) {
    QLabel* value = figureLabels_[i].second;
    value->setText(s ? rows[i].second : QStringLiteral("-"));
    QPalette palette = value->palette();
    const bool bad = s && (rows[i].first == tr("NaN") || rows[i].first.endsWith(QLatin1String("Inf"))) &&
                     rows[i].second != QLatin1String("0");
    palette.setColor(QPalette::WindowText, bad ? theme().error : theme().text);
    value->setPalette(palette);
  }
  // How it lies in memory, by the two dimensions that the grid shows.
  const ValueLook& look = tab()->value();
  const runtime::TensorRef t = look.tensor();
  bool known = false;
  const std::vector<int64_t> strides = look.strides(&known);
  layout_->setVisible(t && !strides.empty());
  layoutText_->setVisible(layout_->isVisibleTo(figures_));
  if (!t || strides.empty()) return;
  QStringList steps;
  for (const int64_t s2 : strides) steps << QString::number(s2);
  const ValueSlice& slice = look.slice();
  layoutText_->setText(
      tr("Strides [%1]%2. Place in memory of the first elements:")
          .arg(steps.join(QStringLiteral(", ")), known ? QString() : tr(" of a copy without gaps")));
  layout_->show(look.rows(), look.columns(), slice.rows >= 0 ? strides[static_cast<size_t>(slice.rows)] : 0,
                slice.columns >= 0 ? strides[static_cast<size_t>(slice.columns)] : 0);
}

void ValuePanel::showHistogram() {
  if (!tab()) return;
  const ValueLook& look = tab()->value();
  logBins_->setChecked(look.histogramOptions().logarithmic);
  clip_->setChecked(look.histogramOptions().clip > 0);
  const bool any = look.tensor() != runtime::TensorRef();
  for (QCheckBox* b : {logBins_, logCounts_, clip_}) b->setVisible(any);
  histogram_->show(look.histogram(), look.otherHistogram(),
                   any ? tr("Counting.") : tr("Without elements there is no histogram."));
}

void ValuePanel::showElements() {
  if (!tab()) return;
  ValueLook& look = tab()->value();
  const runtime::TensorRef t = look.tensor();
  elementsText_->setText(t ? QString() : look.absence());
  elementsText_->setVisible(!t);
  elementsBody_->setVisible(t != runtime::TensorRef());
  model_->show(t ? &look : nullptr);
  if (!t) return;
  filling_ = true;
  const size_t dims = t->meta.sizes.size();
  const ValueSlice& slice = look.slice();
  rowAxis_->clear();
  columnAxis_->clear();
  rowAxis_->addItem(tr("none"), -1);
  for (size_t d = 0; d < dims; ++d)
    for (QComboBox* c : {rowAxis_, columnAxis_})
      c->addItem(tr("dim %1 (%2)").arg(d).arg(t->meta.sizes[d].value), static_cast<int>(d));
  if (dims == 0) columnAxis_->addItem(tr("none"), -1);
  rowAxis_->setCurrentIndex(rowAxis_->findData(slice.rows));
  columnAxis_->setCurrentIndex(columnAxis_->findData(slice.columns));
  rowAxis_->setEnabled(dims > 1);
  columnAxis_->setEnabled(dims > 1);
  // An index for each of the other dimensions.
  while (indices_.size() < dims) {
    auto* box = new QSpinBox(indexRow_);
    box->setKeyboardTracking(false);
    indexRow_->layout()->addWidget(box);
    connect(box, &QSpinBox::valueChanged, this, [this] {
      if (!filling_) chooseSlice();
    });
    indices_.push_back(box);
  }
  bool others = false;
  for (size_t d = 0; d < indices_.size(); ++d) {
    const bool fixed = d < dims && static_cast<int>(d) != slice.rows && static_cast<int>(d) != slice.columns;
    indices_[d]->setVisible(fixed);
    others = others || fixed;
    if (!fixed) continue;
    indices_[d]->setRange(
        0, static_cast<int>(std::min<int64_t>(std::max<int64_t>(t->meta.sizes[d].value - 1, 0), INT_MAX)));
    indices_[d]->setPrefix(tr("dim %1: ").arg(d));
    indices_[d]->setAccessibleName(tr("Index of dimension %1").arg(d));
    indices_[d]->setValue(static_cast<int>(slice.index[d]));
  }
  indexRow_->setVisible(others);
  format_->setCurrentIndex(static_cast<int>(look.format()));
  filling_ = false;
  const auto& s = look.statistics();
  firstBad_->setEnabled(s && s->bad());
  grid_->resizeColumnsToContents();
  cell_->setText(tr("[%1]: choose an element to see its bits").arg(look.sliceText()));
  const auto [row, column] = look.cell();
  if (row >= 0 && row < model_->rowCount() && column < model_->columnCount()) {
    const QModelIndex index = model_->index(static_cast<int>(row), static_cast<int>(column));
    grid_->setCurrentIndex(index);
    grid_->scrollTo(index, QAbstractItemView::PositionAtCenter);
    pages_->setCurrentIndex(1);
  }
}

void ValuePanel::chooseSlice() {
  if (!tab() || filling_) return;
  ValueSlice slice = tab()->value().slice();
  slice.rows = rowAxis_->currentData().toInt();
  slice.columns = columnAxis_->currentData().toInt();
  for (size_t d = 0; d < slice.index.size() && d < indices_.size(); ++d)
    if (indices_[d]->isVisibleTo(this)) slice.index[d] = indices_[d]->value();
  tab()->value().setSlice(slice);
  showElements();
}

}  // namespace descry::gui
