#include "gui/panels/outline/outline_panel.h"

#include <QEvent>
#include <QHeaderView>
#include <QTreeView>

#include "gui/models/outline_model.h"
#include "gui/panels/row_views.h"

namespace descry::gui {
namespace {
constexpr int kExpandedRows = 400;  // a long flat list below a module stays closed at first
constexpr int kNameLetters = 17;    // of a name that can be read, with what it is indented by
}  // namespace

OutlinePanel::OutlinePanel(Document& document, QWidget* parent)
    : Panel(QStringLiteral("outline"), tr("Outline"), Qt::LeftDockWidgetArea, document, parent) {
  model_ = new OutlineModel(this);
  tree_ = new QTreeView(this);
  setUpTree(tree_, tr("Modules and ops"));
  tree_->setModel(model_);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionResizeMode(OutlineModel::NameColumn, QHeaderView::Stretch);
  tree_->header()->setSectionResizeMode(OutlineModel::NodesColumn, QHeaderView::Fixed);
  tree_->header()->setSectionResizeMode(OutlineModel::BytesColumn, QHeaderView::Fixed);
  QFont titles = tree_->font();
  titles.setBold(true);
  const QFontMetrics metrics(titles);
  nodesWidth_ = metrics.horizontalAdvance(tr("Nodes")) + 20;
  bytesWidth_ = metrics.horizontalAdvance(QStringLiteral("999.9 KiB")) + 8;
  namesWidth_ = metrics.horizontalAdvance(QLatin1Char('n')) * kNameLetters;
  tree_->header()->resizeSection(OutlineModel::NodesColumn, nodesWidth_);
  tree_->header()->resizeSection(OutlineModel::BytesColumn, bytesWidth_);
  tree_->viewport()->installEventFilter(this);
  setWidget(tree_);
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& index) { choose(index); });
}

bool OutlinePanel::eventFilter(QObject* object, QEvent* event) {
  if (object == tree_->viewport() && event->type() == QEvent::Resize) fitNames();
  return Panel::eventFilter(object, event);
}

/// Counts of nodes stand beside modules only, and in the tips: in a narrow panel names need their room.
void OutlinePanel::fitNames() {
  const int rest = tree_->viewport()->width() - nodesWidth_ - bytesWidth_;
  tree_->setColumnHidden(OutlineModel::NodesColumn, rest < namesWidth_);
}

QString OutlinePanel::help() const {
  return tr(
      "Modules and the ops inside, with node counts and bytes. Arrows walk; a module selects all nodes in "
      "it.");
}

QWidget* OutlinePanel::focusTarget() {
  return tree_;
}

void OutlinePanel::showTab() {
  if (tab()) tab()->request(Part::Outline);
  showPart(Part::Outline);
}

void OutlinePanel::showPart(Part part) {
  if (part != Part::Outline) return;
  choosing_ = true;
  model_->setTree(tab() ? tab()->outline() : nullptr);
  int rows = model_->rowCount();
  for (int r = 0; r < std::min(model_->rowCount(), kExpandedRows) && rows < kExpandedRows; ++r) {
    const QModelIndex index = model_->index(r, 0);
    rows += model_->rowCount(index);
    if (rows < kExpandedRows) tree_->expand(index);
  }
  choosing_ = false;
  showSelection();
}

void OutlinePanel::showSelection() {
  if (choosing_ || !tab()) return;
  const QModelIndex index = model_->indexOf(tab()->current());
  if (!index.isValid()) return;
  choosing_ = true;
  tree_->setCurrentIndex(index);
  tree_->scrollTo(index);
  choosing_ = false;
}

void OutlinePanel::choose(const QModelIndex& index) {
  if (choosing_ || !tab() || !index.isValid()) return;
  std::vector<ir::NodeId> nodes;
  std::vector<QModelIndex> open{index.siblingAtColumn(0)};
  while (!open.empty()) {
    const QModelIndex at = open.back();
    open.pop_back();
    const ir::NodeId node{at.data(kNodeRole).toUInt()};
    if (node) nodes.push_back(node);
    for (int r = model_->rowCount(at) - 1; r >= 0; --r) open.push_back(model_->index(r, 0, at));
  }
  choosing_ = true;
  tab()->select(std::move(nodes));
  choosing_ = false;
}

}  // namespace descry::gui
