// All keys on one page, from the action registry.
#pragma once

#include <QDialog>

#include "gui/document/actions.h"

namespace descry::gui {

/// Sections with their actions and keys as HTML; `mutedColour` for section titles.
QString keySheetHtml(const Actions& actions, const QString& mutedColour, const QString& keyColour);

class KeySheet final : public QDialog {
  Q_OBJECT
 public:
  /// `paneHelp`: what the focused pane says about itself.
  KeySheet(const Actions& actions, const QString& paneTitle, const QString& paneHelp, QWidget* parent);
};

}  // namespace descry::gui
