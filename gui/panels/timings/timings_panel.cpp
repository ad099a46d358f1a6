#include "gui/panels/timings/timings_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/models/timings_model.h"
#include "gui/panels/row_views.h"
#include "gui/panels/table_section.h"
#include "gui/panels/timings/time_picture.h"

namespace descry::gui {
namespace {

/// A bar behind the text.
class BarDelegate final : public QStyledItemDelegate {
 public:
  BarDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QColor bar = theme_.forward.solid;
    bar.setAlphaF(theme_.isDark() ? 0.55f : 0.28f);
    const QRect room = option.rect.adjusted(2, 3, -2, -3);
    const double share = index.data(TimingsModel::kBarRole).toDouble();
    painter->fillRect(QRectF(room.left(), room.top(), std::max(1.0, room.width() * share), room.height()),
                      bar);
    QStyledItemDelegate::paint(painter, option, index);
  }

 private:
  Theme theme_;
};

}  // namespace

TimingsPanel::TimingsPanel(Document& document, QWidget* parent)
    : Panel(QStringLiteral("timings"), tr("Timings"), Qt::BottomDockWidgetArea, document, parent) {
  auto* page = new QWidget(this);
  QVBoxLayout* column = bareColumn(page);
  const auto label = [&](const QString& name) {
    auto* l = new QLabel(page);
    l->setWordWrap(true);
    l->setTextFormat(Qt::PlainText);
    l->setTextInteractionFlags(Qt::TextSelectableByMouse);
    l->setAccessibleName(name);
    column->addWidget(l);
    return l;
  };
  summary_ = label(tr("Time of the run"));
  summary_->setContentsMargins(10, 6, 10, 2);
  selection_ = label(tr("Time of the selection"));
  selection_->setContentsMargins(10, 0, 10, 4);
  split_ = new QSplitter(page);
  split_->setChildrenCollapsible(false);
  split_->setHandleWidth(1);
  table_ = new QTableView(split_);
  setUpTable(table_, tr("Time of each node"));
  model_ = new TimingsModel(this);
  table_->setModel(model_);
  tones_ = new ToneDelegate(this);
  table_->setItemDelegate(tones_);
  table_->setSortingEnabled(true);
  table_->horizontalHeader()->setSortIndicator(TimingsModel::TimeColumn, Qt::DescendingOrder);
  fit_ = new ColumnFit(table_, {TimingsModel::DeltaColumn, TimingsModel::OpColumn, TimingsModel::NodeColumn});
  pages_ = new QTabWidget(split_);
  pages_->setDocumentMode(true);
  icicle_ = new TimePicture(TimePicture::Kind::Icicle, pages_);
  treemap_ = new TimePicture(TimePicture::Kind::Treemap, pages_);
  pages_->addTab(icicle_, tr("Modules"));
  pages_->addTab(treemap_, tr("Ops"));
  split_->addWidget(table_);
  split_->addWidget(pages_);
  split_->setStretchFactor(0, 5);
  split_->setStretchFactor(1, 4);
  split_->setSizes({580, 420});
  column->addWidget(split_, 1);
  column->addStretch();
  setWidget(page);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    if (choosing_ || !tab()) return;
    std::vector<ir::NodeId> nodes;
    for (const QModelIndex& row : table_->selectionModel()->selectedRows())
      nodes.push_back(model_->nodeAt(row.row()));
    if (nodes.empty()) return;
    choosing_ = true;
    tab()->select(std::move(nodes));
    choosing_ = false;
    showSelection();
  });
  for (TimePicture* picture : {icicle_, treemap_})
    connect(picture, &TimePicture::chosen, this, [this](const std::vector<ir::NodeId>& nodes) {
      if (tab() && !nodes.empty()) tab()->selectAll(nodes);
    });
}

QString TimingsPanel::help() const {
  return tr(
      "Medians of the timed runs, slowest first. The nodes together take less than the whole run: the "
      "difference is "
      "measuring overhead. Modules and Ops show shares as areas; a click selects the nodes. Against another "
      "run a "
      "difference is shown only where the quartiles do not overlap.");
}

void TimingsPanel::applyTheme(const Theme& theme) {
  Panel::applyTheme(theme);
  auto* old = table_->itemDelegateForColumn(TimingsModel::TimeColumn);
  table_->setItemDelegateForColumn(TimingsModel::TimeColumn, new BarDelegate(theme, this));
  delete old;
  tones_->setTheme(theme);
  icicle_->setTheme(theme);
  treemap_->setTheme(theme);
}

QWidget* TimingsPanel::focusTarget() {
  return table_->isVisible() ? static_cast<QWidget*>(table_) : summary_;
}

void TimingsPanel::showTab() {
  if (linked_ != tab()) {
    if (linked_) disconnect(&linked_->runs(), nullptr, this, nullptr);
    linked_ = tab();
    if (linked_)
      connect(&linked_->runs(), &GraphRuns::changed, this, [this] {
        if (shown()) {
          refresh();
          showSelection();
        }
      });
  }
  refresh();
}

void TimingsPanel::refresh() {
  const GraphRuns* runs = tab() ? &tab()->runs() : nullptr;
  const session::RunView* view = runs ? runs->view() : nullptr;
  const bool timed = view && view->timed();
  QString text;
  if (!runs)
    text = tr("Open a graph and run it to see where its time goes.");
  else if (!view)
    text = runs->nothingYet();
  else if (timed)
    text = timingSummary(*view) +
           (view->run->plan ? tr("  \u00B7  times of steps stand at the node that a step makes") : QString());
  else
    text = tr("Run %1 took no times: Timed runs was 0, or it ended too early.").arg(runs->shown()->number);
  if (const ComparedRuns* c = runs ? runs->compared() : nullptr; c && timed) {
    const session::TimeDelta whole = session::timeDelta(c->a->view->whole, c->b->view->whole);
    text += tr("\nRun %1 against run %2: whole run %3")
                .arg(c->a->number)
                .arg(c->b->number)
                .arg(toQString(whole.verdict));
  }
  summary_->setText(text);
  choosing_ = true;
  model_->setRun(timed ? view : nullptr, runs ? runs->compared() : nullptr);
  table_->setColumnHidden(TimingsModel::DeltaColumn, !(runs && runs->compared()));
  choosing_ = false;
  split_->setVisible(timed);
  selection_->setVisible(timed);
  if (!timed) return;
  table_->sortByColumn(table_->horizontalHeader()->sortIndicatorSection(),
                       table_->horizontalHeader()->sortIndicatorOrder());
  fit_->refit();
  icicle_->show(session::timesByModule(*view), {});
  treemap_->show(session::timesByOp(*view), {});
}

void TimingsPanel::showSelection() {
  const session::RunView* view = tab() ? tab()->runs().view() : nullptr;
  if (!view || !view->timed()) return;
  const std::vector<ir::NodeId>& nodes = tab()->selection();
  const QString text = selectionTime(*view, nodes);
  selection_->setText(text.isEmpty() ? tr("Select nodes to add up their times.") : text);
  icicle_->setSelected(nodes);
  treemap_->setSelected(nodes);
  if (choosing_) return;
  choosing_ = true;
  const int row = model_->rowOf(tab()->current());
  if (row < 0) {
    table_->clearSelection();
  } else if (!table_->selectionModel()->isRowSelected(row)) {
    table_->selectRow(row);
    table_->scrollTo(model_->index(row, 0));
  }
  choosing_ = false;
}

}  // namespace descry::gui
