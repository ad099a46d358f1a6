// What a graph is run on: tensors from a file or from a seed, laid out and sharing memory as the graph's
// inputs do.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "passes/aot/runnable.h"
#include "runtime/core/tensor.h"
#include "runtime/core/tensor_files.h"
#include "session/session.h"

namespace descry::session {

/// A tensor over its whole memory, and the inputs as they lie in it.
struct RunInputs {
  std::vector<runtime::Value> values;                    ///< by placeholder: a tensor, a number, or None
  std::vector<passes::RunnableInput> kinds;              ///< the same
  std::map<size_t, runtime::TensorRef> memories;         ///< flat, by number (`storage.K`)
  std::map<size_t, runtime::TensorRef> tangents;         ///< given ones, by output
  std::map<std::string, runtime::TensorRef> attributes;  ///< tensors that the graph holds, by attribute
  bool fromFile = false;
  std::vector<std::string> assumed;  ///< what was not told, in words
};

/// Where inputs come from: `random:SEED`, `random:SEED:LOW..HIGH`, `zeros`, `ones`, or a file: safetensors
/// with what tools/reference/harness.py writes (`storage.K` and the metadata `inputs`), or with a tensor for
/// each input under its name; `tangent.J` are gradients of outputs. Sizes that depend on symbols are those of
/// the file, else the recorded hints; they are put into `facts`. Errors: `bad-inputs` (what was asked for is
/// not understood), `missing-input`, `input-mismatch` (names the input, what the graph takes and what was
/// given), those of reading.
ir::Result<RunInputs> runInputs(const LoadedGraph& graph, passes::CapturedFacts& facts,
                                std::string_view from);

/// The tensors of a safetensors file. Errors: `cannot-read`, those of readSafetensors.
ir::Result<runtime::TensorFile> readTensors(const std::string& path);

/// The same values in memory of their own: what runs writes to them.
RunInputs copyOf(const RunInputs& inputs);

}  // namespace descry::session
