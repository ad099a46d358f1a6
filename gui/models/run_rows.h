// Rows of the Run dock: results, runs, and what the compiled executor made of the graph.
#pragma once

#include <vector>

#include "gui/document/graph_runs.h"
#include "gui/models/cells_model.h"

namespace descry::gui {

enum ResultColumn {
  kResultName,
  kResultType,
  kResultMin,
  kResultMean,
  kResultMax,
  kResultBad,
  kResultMeaning
};
/// Of each result; a row is about the node or the input that it belongs to.
std::vector<CellRow> resultRows(const KeptRun& run);

enum RunColumn { kRunNumber, kRunWhat, kRunTime, kRunBad, kRunValues, kRunEnd };
/// Newest first. The shown one is strong, the one it is held against is marked in the first column.
std::vector<CellRow> runRows(const GraphRuns& runs);

/// Facts of the plan of a compiled run; empty for others.
std::vector<CellRow> planRows(const KeptRun& run);

/// `f32[4, 2], f32[2, 8]` of a failure: what the node was called with; empty when it is not told.
QString calledWith(const ir::Diagnostic& failure);
/// The node of the graph that ran last before a failure; empty when there is none.
QString lastNode(const KeptRun& run);

}  // namespace descry::gui
