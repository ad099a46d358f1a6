// The window with the Passes dock on a captured graph, and what the engine makes of the same graph.
#pragma once

#include <QTabWidget>
#include <QTableView>

#include "gui/panels/passes/passes_panel.h"
#include "session/pass_run.h"
#include "tests/gui/window_support.h"

namespace descry::gui {

inline const QString kTrace =
    QStringLiteral(DESCRY_SOURCE_DIR) + QStringLiteral("/samples/traces/transformer_block.log");
inline const QString kCaptured = kTrace + QStringLiteral("::0/0:dynamo");
/// Positions in the pipeline `aot`.
inline constexpr size_t kBeforeTrace = 8, kTraced = 9, kCut = 10, kEnd = 12;

inline QString q(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// What the engine makes of the same graph.
struct Engine {
  session::DocumentPtr document;
  session::LoadedGraphPtr start;
  explicit Engine(const char* graph = "0/0:dynamo") {
    document = *session::Document::open(kTrace.toStdString());
    start = *document->graph(graph);
  }
  session::PassRunPtr run(const char* pipeline) const {
    const auto result = session::runPasses(*document, start, pipeline);
    EXPECT_TRUE(result.ok()) << pipeline;
    return *result;
  }
};

/// The text that a tab shows.
inline std::string shownText(GraphTab& tab) {
  return session::textView(*tab.graph()).text;
}

struct PassWindow : TestWindow {
  explicit PassWindow(const QString& address = kCaptured) : TestWindow(address) {
    window.showDock(QStringLiteral("passes"), true);
    EXPECT_TRUE(settle());
  }
  PassStepper& passes() { return tab().passes(); }
  PassesPanel& panel() { return *static_cast<PassesPanel*>(window.panel(QStringLiteral("passes"))); }
  /// The page that a section stands on, where it is on one.
  void showPage(const PassesPanel::Section& section) {
    for (int i = 0; i < panel().pages()->count(); ++i)
      if (panel().pages()->widget(i)->isAncestorOf(section.table)) panel().pages()->setCurrentIndex(i);
    EXPECT_TRUE(settle());
  }
  QString cell(const PassesPanel::Section& section, int row, int column) {
    return section.model->index(row, column).data().toString();
  }
  CellTone tone(const PassesPanel::Section& section, int row) {
    return static_cast<CellTone>(section.model->index(row, 0).data(CellsModel::kToneRole).toInt());
  }
};

}  // namespace descry::gui
