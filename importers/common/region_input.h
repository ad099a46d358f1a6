// An input whose graphs are runs of lines of one text: logs, percent text, pasted fragments.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "importers/common/byte_source.h"
#include "importers/common/clean_line.h"
#include "importers/common/graph_ids.h"
#include "importers/common/importer.h"
#include "importers/fx_text/fx_text.h"

namespace descry::importers {

/// Whether a piece goes on with the line of the piece before it, because something broke a long line.
enum class LineJoin : uint8_t { No, Direct, Blank };

/// A part of a line of the file: what is left when prefixes are cut off.
struct LinePiece {
  uint64_t byte = 0;
  uint32_t length = 0;
  uint32_t line = 0;    ///< from 1
  uint32_t column = 1;  ///< from 1
  LineJoin join = LineJoin::No;
};

enum class RegionForm : uint8_t { Fx, Percent, Tabular };

/// Where a part of a cleaned text stands in the file; see appendCleanLine.
struct ColumnPlace {
  uint32_t line = 0;   ///< of the cleaned text, from 0
  uint32_t clean = 0;  ///< offset in that line
  LineOrigin origin;   ///< of the character there
};
/// Sorted by line and offset; lines that stand in the file as they are have no entry.
using ColumnMap = std::vector<ColumnPlace>;

class RegionInput : public Input {
 public:
  RegionInput(std::string path, std::string format, std::shared_ptr<const ByteSource> source);

  /// `entry` without id, file and begin. Lines are given in order.
  void addGraph(GraphEntry entry, RegionForm form, std::vector<LinePiece> lines);
  /// Text that is no graph. Returns the index.
  size_t addRecord(RecordEntry entry, std::vector<LinePiece> lines);
  /// Gives each graph its id. Call once, after kinds are settled.
  void finish(bool rankPrefixes);
  std::vector<GraphEntry>& editGraphs() { return graphs_; }
  std::vector<FactTable>& editTables() { return tables_; }
  ir::DiagnosticSink& sink() { return diagnostics_; }
  void setHtml(bool html) { html_ = html; }

  /// The cleaned text of these lines. `columns` needs `map`.
  std::string assemble(const std::vector<LinePiece>& lines, LineMap* map, ColumnMap* columns = nullptr) const;

  ir::Result<std::shared_ptr<ir::Module>> load(size_t index, ir::DiagnosticSink& sink) const override;
  ir::Result<std::string> text(size_t index) const override;
  ir::Result<std::string> payload(size_t index) const override;
  /// Found when it stands behind the graph without prefixes, in a Markdown fence for example.
  std::optional<ExportSignature> exportSignature(size_t index) const override;

 private:
  std::shared_ptr<ir::Module> parse(size_t index, std::string text, const LineMap& map,
                                    ir::DiagnosticSink& sink) const;

  std::shared_ptr<const ByteSource> source_;
  std::vector<std::vector<LinePiece>> graphLines_, recordLines_;
  std::vector<RegionForm> forms_;
  bool html_ = false;
};

/// The lines of a text as pieces. Cost: 24 bytes a line.
std::vector<LinePiece> splitLines(std::string_view text);

}  // namespace descry::importers
