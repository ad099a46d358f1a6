// A whole window with the sample open.
#pragma once

#include "gui/app/main_window.h"
#include "tests/gui/gui_support.h"

namespace descry::gui {

struct TestWindow {
  Document document{false};
  MainWindow window{document};
  explicit TestWindow(const QString& address = samplePath()) {
    window.resize(1400, 900);
    window.show();
    if (!address.isEmpty()) {
      document.open(address);
      settle();
      EXPECT_NE(document.current(), nullptr);
    }
  }
  bool settle() {
    int quiet = 0;
    return waitFor([&] {
      quiet = window.settled() ? quiet + 1 : 0;
      return quiet > 5;
    });
  }
  ActionOutcome run(const char* id, const QJsonObject& args = {}) {
    const ActionOutcome outcome = window.actions().run(QString::fromLatin1(id), args);
    EXPECT_TRUE(settle()) << id;
    return outcome;
  }
  GraphTab& tab() { return *document.current(); }
  ir::NodeId node(const char* name) { return NameIndex(tab().graph()).find(name); }
  QStringList selected() { return tab().selectedNames(); }
};

}  // namespace descry::gui
