// What every exporter takes and gives, and the table of all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/analysis/phases.h"
#include "ir/annotations/colours.h"
#include "ir/annotations/palette.h"
#include "ir/annotations/scene.h"
#include "ir/core/graph.h"
#include "ir/support/result.h"

namespace descry::exporters {

/// What is exported. Pointers must outlive the call; nothing is changed.
struct ExportInput {
  const ir::Module* module = nullptr;
  const ir::Graph* graph = nullptr;      ///< one of module->graphs; null: the root
  const ir::Scene* scene = nullptr;      ///< of `graph`; needed by svg and html, used for clusters by dot
  const ir::PhaseMap* phases = nullptr;  ///< of `graph`; computed when null
  std::string title;                     ///< for people: file name or graph id; empty: the graph's class name
  std::string kind;  ///< record kind of the graph (GraphEntry::kind), kept by json; "graph" counts as none
  std::string compileId;  ///< kept by json
  std::string inputHash;  ///< of the file the graph came from, shown by html; may be empty
  std::string command;    ///< command line that makes the same export, shown by html; may be empty
  std::string version;    ///< of Descry, shown by html; may be empty
};

enum class Labels : uint8_t { Short, Full };

struct ExportOptions {
  ir::Theme theme = ir::Theme::Light;
  ir::ColourMode colours = ir::ColourMode::Phase;  ///< what fills tell; of svg, html and dot
  Labels labels = Labels::Full;                    ///< Short: name and op only
  bool legend = true;                              ///< svg, html: what shapes and colours mean
};

struct ExporterDef {
  const char* name;                     ///< "dot"
  std::vector<std::string> extensions;  ///< without dot, the usual one first
  const char* summary;                  ///< one line for `--help` and the export dialog
  const char* fidelity;                 ///< what of the graph the output keeps
  bool needsScene;                      ///< run() fails with `scene-missing` when input.scene is null
  bool available;  ///< false: built without its library; run() fails with `format-missing`
  /// The whole output, UTF-8. Errors: `format-missing`, `scene-missing`, `export-failed`.
  ir::Result<std::string> (*run)(const ExportInput& input, const ExportOptions& options);
};

/// In the order in which they are offered: svg, html, dot, json, csv, csv-io, fx.
const std::vector<ExporterDef>& allExporters();
/// Null when there is none of that name.
const ExporterDef* findExporter(std::string_view name);
/// By file name ending, `graph.svg`; null when none has it. `.txt`, `.py` give fx.
const ExporterDef* exporterForFile(std::string_view fileName);

}  // namespace descry::exporters
