// `descry-inspector render`: a graph as PNG, PDF or SVG, without a window.
#pragma once

#include "gui/app/launch_options.h"

namespace descry::gui {

/// Needs a QGuiApplication (for fonts). Returns the exit code; says on standard error what is wrong.
int renderCommand(const LaunchOptions& options);

}  // namespace descry::gui
