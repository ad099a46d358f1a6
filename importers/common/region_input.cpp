#include "importers/common/region_input.h"

#include <algorithm>
#include <cstring>

#include "importers/fx_percent/fx_percent.h"
#include "ir/support/python_text.h"

namespace descry::importers {

std::vector<LinePiece> splitLines(std::string_view text) {
  std::vector<LinePiece> out;
  size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  uint32_t line = 1;
  while (at < text.size()) {
    const void* hit = std::memchr(text.data() + at, '\n', text.size() - at);
    const size_t end = hit ? static_cast<const char*>(hit) - text.data() : text.size();
    size_t length = end - at;
    while (length && text[at + length - 1] == '\r') --length;
    out.push_back({at, static_cast<uint32_t>(std::min<size_t>(length, 0xFFFFFFFFu)), line++, 1});
    at = end + 1;
  }
  return out;
}

namespace {

uint32_t lineNumber(const LineMap* map) {
  return map ? static_cast<uint32_t>(map->lines.size() - 1) : 0;
}

/// The place in the file of a place that the parser reported.
ir::SourceLoc original(ir::SourceLoc loc, const LineMap& map, const std::vector<ColumnPlace>& columns) {
  const auto line = std::lower_bound(map.lines.begin(), map.lines.end(), loc.line,
                                     [](const LineOrigin& o, uint32_t wanted) { return o.line < wanted; });
  if (line == map.lines.end() || line->line != loc.line || loc.column < line->column) return loc;
  const uint32_t number = static_cast<uint32_t>(line - map.lines.begin());
  const uint32_t offset = loc.column - line->column;
  auto place = std::upper_bound(
      columns.begin(), columns.end(), std::pair(number, offset),
      [](const auto& wanted, const ColumnPlace& c) { return wanted < std::pair(c.line, c.clean); });
  if (place == columns.begin() || (--place)->line != number) return loc;
  const uint32_t behind = offset - place->clean;
  return {place->origin.line, place->origin.column + behind, place->origin.byte + behind};
}

}  // namespace

RegionInput::RegionInput(std::string path, std::string format, std::shared_ptr<const ByteSource> source)
    : source_(std::move(source)) {
  path_ = std::move(path);
  format_ = std::move(format);
  diagnostics_.setFile(path_);
}

void RegionInput::addGraph(GraphEntry entry, RegionForm form, std::vector<LinePiece> lines) {
  entry.file = path_;
  if (!lines.empty()) {
    entry.begin = {lines.front().line, lines.front().column, static_cast<int64_t>(lines.front().byte)};
    entry.bytes = lines.back().byte + lines.back().length - lines.front().byte;
  }
  graphs_.push_back(std::move(entry));
  forms_.push_back(form);
  graphLines_.push_back(std::move(lines));
}

size_t RegionInput::addRecord(RecordEntry entry, std::vector<LinePiece> lines) {
  entry.file = path_;
  if (!lines.empty()) {
    entry.line = lines.front().line;
    entry.byte = static_cast<int64_t>(lines.front().byte);
    for (const LinePiece& piece : lines) entry.payloadBytes += piece.length + 1;
    entry.hasPayload = true;
  }
  records_.push_back(std::move(entry));
  recordLines_.push_back(std::move(lines));
  return records_.size() - 1;
}

void RegionInput::finish(bool rankPrefixes) {
  GraphIds ids;
  for (GraphEntry& g : graphs_)
    g.id = ids.make(rankPrefixes && g.rank ? "rank" + std::to_string(*g.rank) + ":" : "", g.shownCompileId,
                    g.kind);
}

std::string RegionInput::assemble(const std::vector<LinePiece>& lines, LineMap* map,
                                  ColumnMap* columns) const {
  std::string out;
  const std::string_view bytes = source_->bytes();
  std::vector<LineShift> shifts;
  size_t begin = 0;  // of the line that is being put together
  for (const LinePiece& piece : lines) {
    if (piece.join == LineJoin::No) {
      if (!out.empty() || &piece != lines.data()) out += '\n';
      begin = out.size();
      if (map) map->lines.push_back({piece.line, piece.column, static_cast<int64_t>(piece.byte)});
    } else if (piece.join == LineJoin::Blank) {
      out += ' ';
    }
    const uint32_t at = static_cast<uint32_t>(out.size() - begin);
    shifts.clear();
    appendCleanLine(out, bytes.substr(piece.byte, piece.length), html_, columns ? &shifts : nullptr);
    if (!columns || (shifts.empty() && piece.join == LineJoin::No)) continue;
    // The first character of a joined piece has a place of its own; a line's first has that of the line.
    shifts.insert(shifts.begin(), LineShift{0, 0});
    for (const LineShift& s : shifts)
      columns->push_back({lineNumber(map),
                          at + s.clean,
                          {piece.line, piece.column + s.raw, static_cast<int64_t>(piece.byte) + s.raw}});
  }
  if (!lines.empty()) out += '\n';
  if (map && !map->lines.empty()) map->first = map->lines.front();
  return out;
}

ir::Result<std::shared_ptr<ir::Module>> RegionInput::load(size_t index, ir::DiagnosticSink& sink) const {
  if (index >= graphs_.size())
    return ir::failure("no-such-graph", "the input has no graph with this number", path_);
  if (const ir::Status same = source_->unchanged(); !same) return same.error();
  if (sink.file().empty()) sink.setFile(path_);
  LineMap map;
  ColumnMap columns;
  std::string text = assemble(graphLines_[index], &map, &columns);
  if (columns.empty()) return parse(index, std::move(text), map, sink);
  // The parser counts columns in the text that it gets; what was left out of a line is added here.
  ir::DiagnosticSink inner;
  inner.setFile(sink.file());
  auto module = parse(index, std::move(text), map, inner);
  for (ir::Diagnostic& d : inner.take()) {
    d.loc = original(d.loc, map, columns);
    for (ir::DiagnosticNote& note : d.notes) note.loc = original(note.loc, map, columns);
    sink.add(std::move(d));
  }
  return module;
}

std::shared_ptr<ir::Module> RegionInput::parse(size_t index, std::string text, const LineMap& map,
                                               ir::DiagnosticSink& sink) const {
  size_t bad = 0;
  std::string clean = ir::cleanUtf8(text, bad);
  if (bad) {
    sink.warning("invalid-utf8", graphs_[index].begin,
                 std::to_string(bad) + " bytes are no UTF-8; shown as U+FFFD");
    text = std::move(clean);
  }
  switch (forms_[index]) {
    case RegionForm::Percent:
      return parsePercentText(text, map, sink);
    case RegionForm::Tabular:
      return parseTabularText(text, map, sink);
    case RegionForm::Fx:
      break;
  }
  return parseFxText(text, map, sink);
}

ir::Result<std::string> RegionInput::text(size_t index) const {
  if (index >= graphs_.size())
    return ir::failure("no-such-graph", "the input has no graph with this number", path_);
  if (const ir::Status same = source_->unchanged(); !same) return same.error();
  return assemble(graphLines_[index], nullptr);
}

std::optional<ExportSignature> RegionInput::exportSignature(size_t index) const {
  constexpr size_t kMost = 4u << 20;  // a line of specs for 10^4 parameters has 1.5 MB
  if (index >= graphs_.size() || forms_[index] != RegionForm::Fx || !source_->unchanged())
    return std::nullopt;
  const GraphEntry& g = graphs_[index];
  const size_t begin = static_cast<size_t>(std::max<int64_t>(0, g.begin.byte)) + g.bytes;
  size_t end = std::min(source_->bytes().size(), begin + kMost);
  if (index + 1 < graphs_.size() && graphs_[index + 1].begin.byte >= static_cast<int64_t>(begin))
    end = std::min(end, static_cast<size_t>(graphs_[index + 1].begin.byte));
  if (begin >= end) return std::nullopt;
  std::string clean;
  const std::string_view rest = source_->bytes().substr(begin, end - begin);
  if (rest.find("Graph signature:") == std::string_view::npos) return std::nullopt;
  for (const LinePiece& piece : splitLines(rest)) {
    appendCleanLine(clean, rest.substr(piece.byte, piece.length), html_);
    clean += '\n';
  }
  return findExportSignature(clean);
}

ir::Result<std::string> RegionInput::payload(size_t index) const {
  if (index >= recordLines_.size())
    return ir::failure("no-such-record", "the input has no record with this number", path_);
  if (const ir::Status same = source_->unchanged(); !same) return same.error();
  return assemble(recordLines_[index], nullptr);
}

}  // namespace descry::importers
