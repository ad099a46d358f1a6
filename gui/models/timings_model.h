// One row per node that was run: how long it took, in how many runs, and beside another run. Also where boxes
// of an icicle and of a treemap stand.
#pragma once

#include <QRectF>

#include <memory>
#include <vector>

#include "gui/document/graph_runs.h"
#include "gui/models/table_model.h"

namespace descry::gui {

class TimingsModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { NodeColumn, OpColumn, TimeColumn, ShareColumn, SpreadColumn, DeltaColumn, ColumnCount };
  /// 0 to 1: the length of the bar of a row.
  enum Role { kBarRole = kSeverityRole + 16 };
  using QAbstractTableModel::QAbstractTableModel;

  /// Rows of the shown run, the slowest first. `compared` may be null.
  void setRun(const session::RunView* view, const ComparedRuns* compared);
  ir::NodeId nodeAt(int row) const;
  int rowOf(ir::NodeId node) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order) override;

 private:
  struct Row {
    ir::NodeId node;
    QString name, op, tip;
    session::Spread time;
    double share = 0;  ///< of the nodes together
    double delta = 0;  ///< seconds
    QString verdict;
  };
  std::vector<Row> rows_;
  double slowest_ = 0;
};

/// Whole run, nodes together, and what lies between.
QString timingSummary(const session::RunView& view);
/// `3 nodes selected: 0.3 ms, 16 % of the nodes`; empty when none of them was timed.
QString selectionTime(const session::RunView& view, const std::vector<ir::NodeId>& nodes);

/// A box of a picture of a TimeTree.
struct TimeBox {
  QRectF rect;
  int item = 0;   ///< of TimeTree::items
  int depth = 0;  ///< 0: all
  int more = 0;   ///< above 0: so many brothers from `item` on, each too thin for a box of its own
};
/// Rows below one another, each as wide as its share. Brothers that would be too thin for a mouse are one
/// box.
std::vector<TimeBox> icicleBoxes(const session::TimeTree& tree, const QRectF& area);
/// Squarified: the children of the root, areas by share.
std::vector<TimeBox> treemapBoxes(const session::TimeTree& tree, const QRectF& area);
/// Nodes of an item and of all below it.
std::vector<ir::NodeId> nodesBelow(const session::TimeTree& tree, int item);
/// The same of a box.
std::vector<ir::NodeId> nodesOf(const session::TimeTree& tree, const TimeBox& box);

}  // namespace descry::gui
