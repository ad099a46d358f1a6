#include "gui/app/breadcrumb_bar.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include "gui/document/engine.h"

namespace descry::gui {
namespace {
constexpr int kMostInMenu = 200;
}

BreadcrumbBar::BreadcrumbBar(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
  setAccessibleName(tr("Breadcrumbs"));
  row_ = new QHBoxLayout(this);
  row_->setContentsMargins(4, 0, 8, 0);
  row_->setSpacing(0);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  setMinimumWidth(80);
  connect(&document, &Document::currentChanged, this, &BreadcrumbBar::follow);
  connect(&document, &Document::tabClosing, this, [this](GraphTab* tab) {
    if (tab == tab_) follow(nullptr);
  });
  follow(document.current());
}

void BreadcrumbBar::follow(GraphTab* tab) {
  if (tab_) disconnect(tab_, nullptr, this, nullptr);
  tab_ = tab;
  if (tab) {
    connect(tab, &GraphTab::detailsReady, this, &BreadcrumbBar::rebuild);
    connect(tab, &GraphTab::graphReplaced, this, &BreadcrumbBar::rebuild);
  }
  rebuild();
}

void BreadcrumbBar::rebuild() {
  crumbs_.clear();
  if (tab_) {
    // Without a selection: down to the graph, which costs nothing.
    const std::vector<std::string> crumbs =
        tab_->details() ? tab_->details()->crumbs : session::breadcrumbs(*tab_->graph(), {});
    for (const std::string& crumb : crumbs) crumbs_.push_back(QString::fromStdString(crumb));
  }
  if (!crumbs_.isEmpty()) crumbs_.first() = QFileInfo(crumbs_.first()).fileName();
  while (QLayoutItem* item = row_->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  for (int i = 0; i < crumbs_.size(); ++i) {
    if (i) {
      auto* separator = new QLabel(QStringLiteral("\u203A"), this);
      separator->setObjectName(QStringLiteral("crumbSeparator"));
      row_->addWidget(separator);
    }
    auto* button = new QToolButton(this);
    button->setObjectName(i + 1 == crumbs_.size() ? QStringLiteral("lastCrumb") : QStringLiteral("crumb"));
    button->setText(fontMetrics().elidedText(crumbs_[i], Qt::ElideMiddle, 220));
    button->setToolTip(crumbs_[i]);
    button->setAccessibleName(crumbs_[i]);
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    connect(menu, &QMenu::aboutToShow, this, [this, menu, i] { fillMenu(menu, i); });
    button->setMenu(menu);
    row_->addWidget(button);
  }
  row_->addStretch();
  resizeEvent(nullptr);
}

void BreadcrumbBar::resizeEvent(QResizeEvent*) {
  // The end matters most: crumbs go from the front until the rest fits.
  std::vector<QWidget*> widgets;
  int total = 12;
  for (int i = 0; i < row_->count(); ++i)
    if (QWidget* w = row_->itemAt(i)->widget()) {
      widgets.push_back(w);
      total += w->sizeHint().width();
    }
  size_t hidden = 0;
  while (total > width() && hidden + 1 < widgets.size()) total -= widgets[hidden++]->sizeHint().width();
  for (size_t i = 0; i < widgets.size(); ++i) widgets[i]->setVisible(i >= hidden);
}

void BreadcrumbBar::fillMenu(QMenu* menu, int crumb) const {
  menu->clear();
  if (!tab_) return;
  // The first crumb lists the open files, those up to the graph list its file's graphs, the rest list module
  // nodes.
  if (crumb == 0) {
    for (const OpenFile& file : document_.files()) {
      menu->addAction(QFileInfo(file.path).fileName(), this, [this, path = file.path] {
        for (const auto& tab : document_.tabs())
          if (tab->path() == path) return document_.setCurrent(tab.get());
        document_.open(path);
      });
    }
    return;
  }
  const int graphCrumb = static_cast<int>(crumbs_.indexOf(tab_->graphId()));
  if (!tab_->details() || crumb <= std::max(graphCrumb, 1) || crumb + 1 < crumbs_.size()) {
    int listed = 0;
    for (const auto& graph : tab_->file()->input().graphs()) {
      if (++listed > kMostInMenu) {
        menu->addAction(tr("More in the Explorer"))->setEnabled(false);
        break;
      }
      const QString id = QString::fromStdString(graph.id);
      QAction* action = menu->addAction(id, this, [this, id] { document_.openGraph(tab_->path(), id); });
      action->setCheckable(true);
      action->setChecked(id == tab_->graphId());
    }
    return;
  }
  // The node's siblings in program order around it.
  const ir::Graph& graph = *tab_->graph()->graph;
  ir::NodeId at = tab_->current();
  for (int back = 0; back < 10 && graph.prev(at); ++back) at = graph.prev(at);
  for (int i = 0; i < 20 && at; ++i, at = graph.next(at)) {
    QAction* action = menu->addAction(tab_->nameOf(at), this, [this, at] {
      if (tab_) tab_->select(at);
    });
    action->setCheckable(true);
    action->setChecked(at == tab_->current());
  }
}

}  // namespace descry::gui
