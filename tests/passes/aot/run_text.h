// AOT autograd on a captured graph that a test writes down.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "importers/fx_text/fx_text.h"
#include "passes/aot/aot.h"
#include "tests/passes/aot/staged.h"

namespace descry::passes {

/// With `grad` every f32 input requires a gradient, as a leaf.
inline ir::Result<AotResult> aotOf(const std::string& text, bool grad, const AotOptions& options = {}) {
  ir::DiagnosticSink sink;
  const auto module = importers::parseFxText(text, {}, sink);
  EXPECT_EQ(sink.errors(), 0u) << text;
  CapturedFacts facts;
  for (const ir::NodeId id : module->root().placeholders()) {
    CapturedInput in;
    in.name = std::string(module->root().nodeName(id));
    in.requiresGrad = grad && module->root().type(id).tensor.dtype == ir::DType::F32;
    facts.inputs.push_back(in);
  }
  std::string faults;
  ir::Result<AotResult> result = runStaged(*module, facts, options, faults);
  EXPECT_EQ(faults, "") << text;
  return result;
}

}  // namespace descry::passes
