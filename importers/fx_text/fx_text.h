// Reads FX readable text (`print_readable`, `gm.code`, TORCH_LOGS graphs, repro scripts) into a module.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "importers/common/importer.h"
#include "ir/core/graph.h"

namespace descry::importers {

/// Where a line of a region stands in the original file.
struct LineOrigin {
  uint32_t line = 0;    ///< from 1
  uint32_t column = 1;  ///< column of the region line's first character, from 1
  int64_t byte = -1;
};

/// Maps region lines to the file. Empty `lines`: line k of the region is line `first.line + k` of the file,
/// and each starts at `first.column`.
struct LineMap {
  LineOrigin first{1, 1, 0};
  std::vector<LineOrigin> lines;
};

/// Parses one region that holds one module (one `class` with its nested classes, or one bare `def forward`).
/// Never fails and never loses the rest: damaged statements become nodes with kNodeUnparsed, names without a
/// definition become placeholders with kNodeExternal, and each gets a diagnostic with its place.
/// Lines end in LF. No ANSI sequences, no log prefixes: see prefixes.h. Cost: linear in the text.
std::shared_ptr<ir::Module> parseFxText(std::string_view text, const LineMap& map, ir::DiagnosticSink& sink,
                                        ir::ContextPtr context = nullptr);

/// A part of a text that holds one module.
struct FxRegion {
  size_t begin = 0, end = 0;  ///< byte offsets; `begin` at the start of a line
  uint32_t line = 0;          ///< first line, from 0
  std::string title;          ///< class name or banner
};

/// Finds the modules in a text that may hold other things around them (logs, scripts, Markdown, tracebacks).
std::vector<FxRegion> findFxRegions(std::string_view text);

/// The files of a GraphNet capture that hold the tensor metadata of the model at `path`, whether they exist
/// or not; none when `path` is no `model.py`.
std::vector<std::string> modelMetadataFiles(const std::string& path);

/// The framework of a program that looks like a graph of PyTorch and is none; empty for all others.
std::string_view otherFramework(std::string_view head);

extern const Importer kFxTextImporter;

}  // namespace descry::importers
