// Whether a call can be meant at all when it does not say which overload it calls: by number and names of
// its arguments only.
#pragma once

#include <string_view>
#include <vector>

#include "ir/ops/bind.h"
#include "ir/ops/registry.h"

namespace descry::ir {

/// One way to call something: its parameters without their types.
struct CallShape {
  struct Parameter {
    std::string name;
    bool required = false;
    bool keywordOnly = false;
  };
  std::vector<Parameter> parameters;
  bool anyPositional = false;  ///< `*args`, or a list that may be written as separate values: `x.view(2, 3)`
  bool anyKeyword = false;     ///< `**kwargs`
};

/// Reads a Python signature: `(input, p=0.5, *, out=None)`. Text that is none gives a shape that takes
/// everything.
CallShape shapeOfSignature(std::string_view signature);

/// The ways in which `target` may be called; empty when nothing certain is known. Known are
/// `torch.ops.aten.add` (each overload, and as the dispatcher takes it), torch-level spellings and methods
/// (`.view`; each overload of each op it may mean, and what PyTorch's argument parser also takes: NumPy's
/// names, old argument orders) and Python functions.
std::vector<CallShape> callShapes(const OpRegistry& ops, std::string_view target);

/// What is wrong with the call when no shape takes it: the problems with the shape that fits best. Codes as
/// in BindProblem, without argument-type. Empty when some shape takes it, or when the call holds unread text.
std::vector<BindProblem> arityProblems(const std::vector<CallShape>& shapes, const Graph& graph, NodeId node);

}  // namespace descry::ir
