#include "gui/panels/row_views.h"

#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>

namespace descry::gui {
namespace {
constexpr int kRowPadding = 8;
constexpr int kSampledRows = 60;

class CopyFilter final : public QObject {
 public:
  CopyFilter(QObject* parent, std::function<void()> copy) : QObject(parent), copy_(std::move(copy)) {}
  bool eventFilter(QObject*, QEvent* event) override {
    const bool offered = event->type() == QEvent::ShortcutOverride;
    if (!offered && event->type() != QEvent::KeyPress) return false;
    if (!static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) return false;
    event->accept();
    if (!offered) copy_();
    return true;
  }

 private:
  std::function<void()> copy_;
};

}  // namespace

void setUpTable(QTableView* table, const QString& accessibleName) {
  table->setAccessibleName(accessibleName);
  table->setShowGrid(false);
  table->setAlternatingRowColors(false);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->setWordWrap(false);
  table->setTextElideMode(Qt::ElideRight);
  table->setFrameShape(QFrame::NoFrame);
  table->setTabKeyNavigation(false);
  table->setCornerButtonEnabled(false);
  QHeaderView* rows = table->verticalHeader();
  rows->setVisible(false);
  rows->setSectionResizeMode(QHeaderView::Fixed);
  rows->setMinimumSectionSize(16);
  rows->setDefaultSectionSize(table->fontMetrics().height() + kRowPadding);
  QHeaderView* columns = table->horizontalHeader();
  columns->setHighlightSections(false);
  columns->setStretchLastSection(true);
  columns->setSectionsMovable(true);
  columns->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void setUpTree(QTreeView* tree, const QString& accessibleName) {
  tree->setAccessibleName(accessibleName);
  tree->setUniformRowHeights(true);
  tree->setFrameShape(QFrame::NoFrame);
  tree->setSelectionMode(QAbstractItemView::SingleSelection);
  tree->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  tree->setTextElideMode(Qt::ElideRight);
  tree->setIndentation(14);
  tree->setAnimated(false);
}

void onCopyKey(QAbstractItemView* view, std::function<void()> copy) {
  view->installEventFilter(new CopyFilter(view, std::move(copy)));
}

void fitColumns(QTableView* table, int most) {
  const QAbstractItemModel* model = table->model();
  if (!model) return;
  const QFontMetrics metrics = table->fontMetrics();
  QFont bold = table->font();
  bold.setBold(true);
  const QFontMetrics titles(bold);
  const int rows = std::min(model->rowCount(), kSampledRows);
  for (int c = 0; c < model->columnCount(); ++c) {
    if (table->horizontalHeader()->sectionResizeMode(c) == QHeaderView::Stretch) continue;
    int width = titles.horizontalAdvance(model->headerData(c, Qt::Horizontal).toString()) + 32;
    for (int r = 0; r < rows; ++r) {
      const QString text = model->index(r, c).data().toString();
      width = std::max(width, metrics.horizontalAdvance(text.left(120)) + 24);
    }
    table->setColumnWidth(c, std::clamp(width, 40, most));
  }
}

}  // namespace descry::gui
