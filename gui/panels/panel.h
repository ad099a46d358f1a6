// What every dock has: a fixed name, one document, and work only while it can be seen.
#pragma once

#include <QDockWidget>
#include <QPointer>

#include "gui/document/document.h"
#include "gui/theme/theme.h"

namespace descry::gui {

class Panel : public QDockWidget {
  Q_OBJECT
 public:
  /// `id` is the object name and what scripts call the dock.
  Panel(const QString& id, const QString& title, Qt::DockWidgetArea area, Document& document,
        QWidget* parent);

  const QString& id() const { return id_; }
  Qt::DockWidgetArea defaultArea() const { return area_; }
  virtual QString help() const = 0;
  virtual void applyTheme(const Theme& theme) { theme_ = theme; }
  /// Where keys go when the dock is asked for.
  virtual QWidget* focusTarget() { return widget(); }

 signals:
  /// A row was activated that leads to another place.
  void actionRequested(const QString& actionId, const QJsonObject& args);

 protected:
  GraphTab* tab() const { return tab_; }
  Document& document() const { return document_; }
  const Theme& theme() const { return theme_; }
  bool shown() const { return shown_; }

  /// Another graph, or none: ask for parts, show what is there. Called only while the dock can be seen.
  virtual void showTab() = 0;
  virtual void showPart(Part) {}
  virtual void showSelection() {}
  virtual void showHits() {}

 private:
  void follow(GraphTab* tab);
  void refresh();
  void updateTitleBar();

  QString id_;
  Qt::DockWidgetArea area_;
  Document& document_;
  QPointer<GraphTab> tab_;
  Theme theme_ = Theme::light();
  bool shown_ = false;
  bool stale_ = true;
};

}  // namespace descry::gui
