// Where the selection is: file > rank > compile id > graph > module path > node. Each crumb can be clicked.
#pragma once

#include <QPointer>
#include <QWidget>

#include "gui/document/document.h"

class QHBoxLayout;
class QMenu;

namespace descry::gui {

class BreadcrumbBar final : public QWidget {
  Q_OBJECT
 public:
  BreadcrumbBar(Document& document, QWidget* parent);
  QStringList crumbs() const { return crumbs_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void follow(GraphTab* tab);
  void rebuild();
  void fillMenu(QMenu* menu, int crumb) const;

  Document& document_;
  QPointer<GraphTab> tab_;
  QHBoxLayout* row_;
  QStringList crumbs_;
};

}  // namespace descry::gui
