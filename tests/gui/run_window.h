// The window on graphs whose values can be computed by hand.
#pragma once

#include "gui/app/graph_page.h"
#include "gui/panels/problems/problems_panel.h"
#include "gui/panels/run/run_panel.h"
#include "gui/panels/timings/timings_panel.h"
#include "gui/panels/value/value_panel.h"
#include "tests/gui/window_support.h"

namespace descry::gui {

inline const QString kBlock =
    QStringLiteral(DESCRY_SOURCE_DIR) + QStringLiteral("/samples/traces/transformer_block.log::0/0:dynamo");

/// With inputs of ones: `low` is -9, its logarithm NaN, and so is all that reads it; `plain` stays 2.
inline const QByteArray kNanGraph =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"f32[4, 4][4, 1]cpu\"):\n"
    "        low: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.sub.Tensor(x, 10.0)\n"
    "        root: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.log.default(low)\n"
    "        twice: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(root, 2.0)\n"
    "        plain: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(x, 1.0)\n"
    "        out: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(twice, plain)\n"
    "        return (out, plain)\n";

/// With inputs of ones: row 1 of a table with one row.
inline const QByteArray kFailingGraph =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, table: \"f32[1, 3][3, 1]cpu\", i: \"i64[2][1]cpu\"):\n"
    "        first: \"f32[1, 3][3, 1]cpu\" = torch.ops.aten.neg.default(table)\n"
    "        second: \"f32[1, 3][3, 1]cpu\" = torch.ops.aten.exp.default(first)\n"
    "        picked: \"f32[2, 3][3, 1]cpu\" = torch.ops.aten.index_select.default(second, 0, i)\n"
    "        return (picked,)\n";

/// 0 to 23 in a value of three dimensions, and the same turned around: strides [4, 1, 8] of [2, 3, 4] and so
/// on.
inline const QByteArray kCountingGraph =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"f32[24][1]cpu\"):\n"
    "        sums: \"f32[24][1]cpu\" = torch.ops.aten.cumsum.default(x, 0)\n"
    "        less: \"f32[24][1]cpu\" = torch.ops.aten.sub.Tensor(sums, 1.0)\n"
    "        cube: \"f32[2, 3, 4][12, 4, 1]cpu\" = torch.ops.aten.view.default(less, [2, 3, 4])\n"
    "        turned: \"f32[4, 3, 2][1, 4, 12]cpu\" = torch.ops.aten.permute.default(cube, [2, 1, 0])\n"
    "        return (turned,)\n";

struct RunWindow : TestWindow {
  explicit RunWindow(const QString& address = kBlock) : TestWindow(address) { show("run"); }
  /// A graph written as text.
  explicit RunWindow(const QByteArray& text) : TestWindow(QString()) {
    const QString path = folder.filePath(QStringLiteral("graph.txt"));
    writeText(path, text);
    document.open(path);
    EXPECT_TRUE(settle());
    EXPECT_NE(document.current(), nullptr);
    show("run");
  }
  void show(const char* dock) {
    window.showDock(QString::fromLatin1(dock), false);
    EXPECT_TRUE(settle());
  }
  GraphRuns& runs() { return tab().runs(); }
  RunPanel& panel() { return *static_cast<RunPanel*>(window.panel(QStringLiteral("run"))); }
  ValuePanel& value() { return *static_cast<ValuePanel*>(window.panel(QStringLiteral("value"))); }
  TimingsPanel& timings() { return *static_cast<TimingsPanel*>(window.panel(QStringLiteral("timings"))); }
  GraphCanvas& canvas() { return *window.currentPage()->canvas(); }
  ActionOutcome set(const char* option, const QJsonValue& value) {
    return run("set-run-option", {{"option", option}, {"value", value}});
  }
  void select(const char* name) {
    tab().select(node(name));
    EXPECT_TRUE(settle());
  }
  static QString cell(const TableSection& section, int row, int column) {
    return section.model->index(row, column).data().toString();
  }
  QTemporaryDir folder;
};

}  // namespace descry::gui
