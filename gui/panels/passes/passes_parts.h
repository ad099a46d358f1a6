// What the two halves of the Passes panel share: columns of its tables.
#pragma once

namespace descry::gui {

enum StepColumn { kStepAt, kStepPass, kStepGraphs, kStepNodes, kStepWhat };
enum CutColumn { kCutAt, kCutValue, kCutType, kCutBytes, kCutFate, kCutWhy };

}  // namespace descry::gui
