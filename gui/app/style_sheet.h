// The look of the window's widgets, made from the theme: one type scale, one spacing.
#pragma once

#include <QString>

#include "gui/theme/theme.h"

class QApplication;

namespace descry::gui {

QString styleSheet(const Theme& theme);
/// The theme that a preference names; "system" asks the desktop.
Theme themeFromPreference(const QString& name);
/// Fonts, palette and style sheet of the whole program.
void applyTheme(QApplication& app, const Theme& theme);

}  // namespace descry::gui
