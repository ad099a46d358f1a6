// A captured graph as a graph that can be run: aten ops on inputs of known sizes, with all that comes out of
// it as results, as eager PyTorch would compute them: outputs, gradients, and the memory of inputs that were
// written.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/core/graph.h"
#include "ir/support/result.h"
#include "passes/aot/aot.h"

namespace descry::passes {

/// An input of the captured graph, by placeholder.
struct RunnableInput {
  std::optional<Meta> meta;  ///< of tensors: plain sizes, strides and offset; absent for numbers
  Value number;              ///< of numbers; None for what is neither
  bool requiresGrad = false, isLeaf = true;
  size_t storage = 0;           ///< tensors with equal numbers share memory
  int64_t storageElements = 0;  ///< of the whole memory
};

struct RunnableOptions {
  /// Gradients of the inputs for given gradients of the outputs.
  bool backward = false;
  /// Without writes: what is written to inputs is a result. Else writes stay in the graph. A program that
  /// writes memory in which what it reads lies in part has its writes in any case: `assumed` says so.
  bool functional = false;
  std::shared_ptr<const ir::OpRegistry> ops;  ///< null: the op table
  UnknownOps unknownOps = UnknownOps::Assume;
  std::function<bool()> cancelled;
};

/// What a placeholder or a result of the runnable graph stands for.
struct RunnableSlot {
  enum Kind : uint8_t {
    Input,     ///< input `index`, alone on its memory
    Storage,   ///< memory `index`, flat, that several inputs share
    Tangent,   ///< gradient of output `index`
    Output,    ///< flat output `index`
    Contents,  ///< what input `index` holds in the end
    Gradient,  ///< of input `index`
    StorageGradient,
    StorageContents
  } kind = Input;
  size_t index = 0;
  /// Of Contents: how they lie in the memory of the input.
  std::optional<Meta> meta = {};
  /// Of Contents: the input has other memory in the end (set_).
  bool otherMemory = false;
  /// Of a plain tensor inside of a wrapper subclass: the way to it, `.a.b`.
  std::string piece = {};
};

struct Runnable {
  std::shared_ptr<ir::Module> module;
  std::vector<RunnableSlot> inputs, results;        ///< by placeholder; by flat output
  std::vector<ir::NodeId> origins;                  ///< by node id: node of the captured graph
  std::unordered_map<std::string, Value> literals;  ///< numbers of tensors that the graph holds, by attribute
  std::vector<std::string> assumed;
  std::vector<bool> backward;  ///< by node id: belongs to the backward
};

/// Errors: those of tracing, placed at nodes of the captured graph; `no-gradient-asked` when no output
/// depends on an input that requires a gradient.
ir::Result<Runnable> makeRunnable(const ir::Module& module, const ir::Graph& captured,
                                  const std::vector<RunnableInput>& inputs, const CapturedFacts& facts,
                                  const RunnableOptions& options);

}  // namespace descry::passes
