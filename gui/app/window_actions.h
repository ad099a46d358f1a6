// Actions that need the window: camera, docks, dialogs, clipboard, pictures.
#pragma once

namespace descry::gui {

class MainWindow;

void addWindowActions(MainWindow& window);

}  // namespace descry::gui
