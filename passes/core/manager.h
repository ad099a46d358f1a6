// The pass manager: runs passes one after the other and keeps what each did.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "passes/core/pass.h"

namespace descry::passes {

struct PipelineStep {
  const PassDef* pass = nullptr;
  PassOptionValues options;
  std::string text;  ///< as it was asked for: `partition(method=default)`
};

struct PipelineDef {
  const char* name;
  const char* summary;
  std::string passes;  ///< in the form that parsePipeline reads
};

/// Reads `dce,partition(method=default, save=mul+add)`. Names of pipelines stand for their passes; their
/// options go to the passes that have them: `aot(memory-budget=0.5)`. Errors: `unknown-pass` (names the near
/// ones), `unknown-option`, `bad-option`, `bad-pipeline`, each with its column.
ir::Result<std::vector<PipelineStep>> parsePipeline(std::string_view text,
                                                    const std::vector<const PassDef*>& passes,
                                                    const std::vector<PipelineDef>& pipelines);

/// The same text with an option set, in every step that has it: `aot` becomes `aot(memory-budget=0.5)`. An
/// option that is back at what it is without being set is left out. Errors: those of parsePipeline;
/// `unknown-option` when no step has it.
ir::Result<std::string> withOption(std::string_view text, const std::vector<const PassDef*>& passes,
                                   const std::vector<PipelineDef>& pipelines, std::string_view option,
                                   std::string_view value);

/// Whether the pass has the options, takes the values, and takes them together. Errors: `unknown-option`,
/// `bad-option`.
ir::Status checkOptions(const PassDef& pass, const PassOptionValues& values);

/// Null when the pass has no option of that name.
const PassOption* findOption(const PassDef& pass, std::string_view name);
/// As the step says, else the default.
std::string_view optionValue(const PipelineStep& step, const PassOption& option);

/// What one pass did.
struct PassRecord {
  std::string text;  ///< of the step
  const PassDef* pass = nullptr;
  PassOutcome outcome;
  Stage stage = Stage::Any;
  std::vector<StateGraph> graphs;        ///< after the pass
  std::vector<ir::Diagnostic> problems;  ///< of the verifier, when it was asked
  double seconds = 0;
};

struct Recording {
  ProgramState start;
  std::vector<PassRecord> passes;  ///< those that ended
  std::optional<ir::Diagnostic>
      failure;            /// of the pass behind the last record: why it and the rest did not run
  std::string failed;     ///< text of that step
  bool verified = false;  ///< every state was checked
  /// Graphs after `position` passes; 0 is the start.
  const std::vector<StateGraph>& at(size_t position) const {
    return position == 0 ? start.graphs : passes[position - 1].graphs;
  }
};

struct RunOptions {
  bool verifyEach = false;                             ///< a graph with faults ends the run
  std::function<bool()> cancelled;                     ///< asked between passes
  const ir::OpRegistry* ops = nullptr;                 ///< null: the op table
  const std::vector<const PassDef*>* known = nullptr;  ///< which to name when a stage is missing
};

/// Never throws: a pass that fails ends the run with `failure`. Errors of the manager: `pass-order` (a pass
/// needs a stage that is not reached, or one that is over), `verify-failed`, `cancelled`.
Recording runPipeline(ProgramState start, const std::vector<PipelineStep>& steps,
                      const RunOptions& options = {});

}  // namespace descry::passes
