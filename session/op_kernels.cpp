#include "session/op_kernels.h"

#include <algorithm>

#include "runtime/interpreter/graph_runner.h"

namespace descry::session {

std::string kernelOf(const ir::OpDef& op) {
  if (op.ns() == "higher_order") {
    const std::vector<std::string_view> names = runtime::runnableHigherOrder();
    return std::find(names.begin(), names.end(), op.name()) == names.end() ? "" : "its graphs are run";
  }
  const runtime::OpPlan plan = runtime::planOf(op);
  return plan.way == runtime::Way::Unsupported ? std::string() : std::string(runtime::wayName(plan.way));
}

}  // namespace descry::session
