#include "gui/panels/panel.h"

#include <QJsonObject>
#include <QMainWindow>

namespace descry::gui {

Panel::Panel(const QString& id, const QString& title, Qt::DockWidgetArea area, Document& document,
             QWidget* parent)
    : QDockWidget(title, parent), id_(id), area_(area), document_(document) {
  setObjectName(id);
  connect(&document, &Document::currentChanged, this, &Panel::follow);
  connect(&document, &Document::tabClosing, this, [this](GraphTab* closing) {
    if (closing == tab_) follow(nullptr);
  });
  connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    shown_ = visible;
    if (visible && stale_) refresh();
    updateTitleBar();
  });
  connect(this, &QDockWidget::dockLocationChanged, this, &Panel::updateTitleBar);
  connect(this, &QDockWidget::topLevelChanged, this, &Panel::updateTitleBar);
  tab_ = document.current();
}

void Panel::follow(GraphTab* next) {
  if (tab_) disconnect(tab_, nullptr, this, nullptr);
  tab_ = next;
  if (next) {
    connect(next, &GraphTab::partReady, this, [this](Part part) {
      if (shown_)
        showPart(part);
      else
        stale_ = true;
    });
    connect(next, &GraphTab::selectionChanged, this, [this] {
      if (shown_)
        showSelection();
      else
        stale_ = true;
    });
    connect(next, &GraphTab::hitsChanged, this, [this] {
      if (shown_)
        showHits();
      else
        stale_ = true;
    });
    connect(next, &GraphTab::graphReplaced, this, &Panel::refresh);
  }
  refresh();
}

void Panel::updateTitleBar() {
  // A tab already says the title; the bar would say it twice. The tab can be dragged instead.
  auto* window = qobject_cast<QMainWindow*>(parentWidget());
  const bool tabbed = window && !isFloating() && !window->tabifiedDockWidgets(this).isEmpty();
  if (tabbed == (titleBarWidget() != nullptr)) return;
  QWidget* old = titleBarWidget();
  setTitleBarWidget(tabbed ? new QWidget(this) : nullptr);
  if (old) old->deleteLater();
}

void Panel::refresh() {
  stale_ = !shown_;
  if (!shown_) return;
  showTab();
  showHits();
  showSelection();
}

}  // namespace descry::gui
