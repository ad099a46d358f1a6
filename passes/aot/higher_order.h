// Higher-order ops of captured graphs: checkpoints, control flow, custom autograd functions.
#pragma once

#include "passes/aot/program.h"

namespace descry::passes {

Value runHigherOrder(const Program& program, Tracer& tracer, ir::NodeId node, std::string_view target,
                     const Values& args, const ir::eval::Keywords& keywords);

/// Calls that open and close the levels of torch.func, and move tensors between them. False: no such call.
bool runLevelCall(Tracer& tracer, std::string_view target, const Values& args,
                  const ir::eval::Keywords& keywords, Value& out);

/// `x[i]` where x is read value by value (hop.h: scalarIndices). False: elsewhere.
bool runScalarIndex(Tracer& tracer, const Values& args, Value& out);

}  // namespace descry::passes
