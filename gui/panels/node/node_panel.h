// Everything that is known about the selected node.
#pragma once

#include "gui/panels/panel.h"

class QTextBrowser;
class QUrl;

namespace descry::gui {

class FactsModel;

class NodePanel final : public Panel {
  Q_OBJECT
 public:
  NodePanel(Document& document, QWidget* parent);
  QString help() const override;
  void applyTheme(const Theme& theme) override;
  QWidget* focusTarget() override;
  const FactsModel& model() const { return *model_; }
  QString plainText() const;

 protected:
  void showTab() override;

 private:
  void showDetails();
  void showFacts();
  void follow(const QUrl& link);
  FactsModel* model_;
  QTextBrowser* page_;
  QPointer<GraphTab> linked_;
};

}  // namespace descry::gui
