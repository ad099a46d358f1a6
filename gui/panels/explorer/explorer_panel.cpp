#include "gui/panels/explorer/explorer_panel.h"

#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTreeView>

#include "gui/models/explorer_model.h"
#include "gui/panels/icons.h"
#include "gui/panels/row_views.h"

namespace descry::gui {
namespace {

constexpr int kOpenRows = 60;  // a file with more rows below it shows its first levels only

class KindDelegate final : public QStyledItemDelegate {
 public:
  KindDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() != ExplorerModel::NameColumn) {
      option->palette.setColor(QPalette::Text, theme_.mutedText);
      return;
    }
    using Kind = session::ExplorerItem::Kind;
    const auto kind = static_cast<Kind>(index.data(ExplorerModel::kKindRole).toInt());
    const bool joint = index.data(ExplorerModel::kGraphIdRole).toString().contains(QLatin1String("joint"));
    IconKind icon = IconKind::Graph;
    QColor colour = theme_.mutedText;
    switch (kind) {
      case Kind::File:
        icon = IconKind::File;
        break;
      case Kind::Rank:
      case Kind::Compile:
        icon = IconKind::Folder;
        break;
      case Kind::Graph:
      case Kind::Subgraph:
        icon = joint ? IconKind::Joint : IconKind::Graph;
        colour = theme_.accent;
        break;
      case Kind::State:
        icon = index.data(ExplorerModel::kStateNameRole).toString() == QLatin1String("joint")
                   ? IconKind::Joint
                   : IconKind::Graph;
        break;
      case Kind::Records:
      case Kind::Record:
        icon = IconKind::Record;
        break;
      case Kind::Table:
        icon = IconKind::Table;
        break;
    }
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = QSize(15, 15);
    option->icon = makeIcon(icon, colour);
  }

 private:
  Theme theme_;
};

}  // namespace

ExplorerPanel::ExplorerPanel(Document& document, QWidget* parent)
    : Panel(QStringLiteral("explorer"), tr("Explorer"), Qt::LeftDockWidgetArea, document, parent) {
  model_ = new ExplorerModel(this);
  tree_ = new QTreeView(this);
  setUpTree(tree_, tr("Open files and their graphs"));
  tree_->setHeaderHidden(true);
  tree_->setModel(model_);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setMaximumSectionSize(2000);
  tree_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  tree_->header()->setSectionResizeMode(1, QHeaderView::Fixed);
  tree_->header()->resizeSection(1, 80);
  tree_->setIndentation(12);  // states of a graph are four levels deep
  setWidget(tree_);
  connect(tree_, &QTreeView::clicked, this, &ExplorerPanel::openIndex);
  connect(tree_, &QTreeView::activated, this, &ExplorerPanel::openIndex);
  connect(&document, &Document::filesChanged, this, &ExplorerPanel::rebuild);
  connect(&document, &Document::tabClosing, this,
          [this](GraphTab* closing) { model_->setStates(closing->path(), closing->graphId(), {}); });
}

QString ExplorerPanel::help() const {
  return tr(
      "Files, ranks, compile ids and their graphs. A click opens a graph in a tab; records and tables open "
      "in a window of their own. Below a graph stand those that passes made of it.");
}

void ExplorerPanel::applyTheme(const Theme& theme) {
  Panel::applyTheme(theme);
  auto* old = tree_->itemDelegate();
  tree_->setItemDelegate(new KindDelegate(theme, this));
  if (old && old->parent() == this) delete old;
}

QWidget* ExplorerPanel::focusTarget() {
  return tree_;
}

void ExplorerPanel::rebuild() {
  std::vector<ExplorerFile> files;
  for (const OpenFile& file : document().files()) {
    ExplorerFile row;
    row.path = file.path;
    row.items = file.explorer;
    for (const auto& graph : file.document->input().graphs()) row.graphIds.push_back(toQString(graph.id));
    files.push_back(std::move(row));
  }
  model_->setFiles(std::move(files));
  // Levels open from the top until the list gets long; records stay closed.
  std::vector<QModelIndex> level;
  for (int r = 0; r < model_->rowCount(); ++r) level.push_back(model_->index(r, 0));
  int rows = static_cast<int>(level.size());
  while (!level.empty() && rows < kOpenRows) {
    std::vector<QModelIndex> next;
    for (const QModelIndex& index : level) {
      const auto kind =
          static_cast<session::ExplorerItem::Kind>(index.data(ExplorerModel::kKindRole).toInt());
      if (kind == session::ExplorerItem::Kind::Records) continue;
      rows += model_->rowCount(index);
      tree_->expand(index);
      for (int r = 0; r < model_->rowCount(index); ++r) next.push_back(model_->index(r, 0, index));
    }
    level = std::move(next);
  }
  for (const auto& open : document().tabs()) showStates(*open);
  markCurrent();
}

void ExplorerPanel::showTab() {
  if (linked_ != document().current()) {
    if (linked_) disconnect(&linked_->passes(), nullptr, this, nullptr);
    linked_ = document().current();
    if (linked_)
      connect(&linked_->passes(), &PassStepper::changed, this, [this] {
        showStates(*linked_);
        markCurrent();
      });
  }
  if (linked_) showStates(*linked_);
  markCurrent();
}

void ExplorerPanel::showStates(const GraphTab& of) {
  std::vector<ExplorerState> states;
  for (const PassStateRow& row : of.passes().states())
    states.push_back({row.name, row.pass, static_cast<int>(row.position)});
  model_->setStates(of.path(), of.graphId(), std::move(states));
}

void ExplorerPanel::markCurrent() {
  const GraphTab* t = document().current();
  if (!t) return;
  QModelIndex index = model_->find(t->path(), t->graphId());
  if (!index.isValid()) return;
  if (const int shown = t->passes().shownState(); shown >= 0) {
    const int states = static_cast<int>(t->passes().states().size());
    const QModelIndex state = model_->index(model_->rowCount(index) - states + shown, 0, index);
    if (state.isValid()) {
      tree_->expand(index);
      index = state;
    }
  }
  tree_->selectionModel()->setCurrentIndex(index,
                                           QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  tree_->scrollTo(index);
}

void ExplorerPanel::openIndex(const QModelIndex& clicked) {
  const QModelIndex index = clicked.siblingAtColumn(0);
  const QString path = index.data(ExplorerModel::kPathRole).toString();
  const QString graph = index.data(ExplorerModel::kGraphIdRole).toString();
  using Kind = session::ExplorerItem::Kind;
  const auto kind = static_cast<Kind>(index.data(ExplorerModel::kKindRole).toInt());
  if (kind == Kind::Record && index.data(ExplorerModel::kRecordRole).toInt() >= 0 && graph.isEmpty())
    emit recordRequested(path, index.data(ExplorerModel::kRecordRole).toInt());
  else if (kind == Kind::Table && index.data(ExplorerModel::kTableRole).toInt() >= 0)
    emit tableRequested(path, index.data(ExplorerModel::kTableRole).toInt());
  else if (!graph.isEmpty()) {
    document().openGraph(path, graph);
    // A graph that has states below it stands for the file's own.
    GraphTab* tab = document().current();
    if (!tab || tab->path() != path || tab->graphId() != graph) return;
    const int position = index.data(ExplorerModel::kPositionRole).toInt();
    const QString name = index.data(ExplorerModel::kStateNameRole).toString();
    PassStepper& passes = tab->passes();
    if (static_cast<size_t>(position) != passes.position() || (position && name != passes.graphName()))
      passes.goTo(static_cast<size_t>(position), name);
  }
}

}  // namespace descry::gui
