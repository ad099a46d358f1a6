// The graph as text; caret and canvas selection follow each other.
#pragma once

#include "gui/panels/panel.h"

namespace descry::gui {

class TextView;
class TextLinesModel;

class TextPanel final : public Panel {
  Q_OBJECT
 public:
  TextPanel(Document& document, QWidget* parent);
  QString help() const override;
  void applyTheme(const Theme& theme) override;
  QWidget* focusTarget() override;
  TextView* view() const { return view_; }

 protected:
  void showTab() override;
  void showPart(Part part) override;
  void showSelection() override;
  void showHits() override;

 private:
  void choose(qint64 first, qint64 last);
  TextView* view_;
  bool choosing_ = false;
};

}  // namespace descry::gui
