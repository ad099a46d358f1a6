#include "importers/common/region_input.h"

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

std::string withoutColours(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\x1b' && i + 1 < raw.size() && raw[i + 1] == '[') {
      size_t j = i + 2;
      while (j < raw.size() && ((raw[j] >= '0' && raw[j] <= '9') || raw[j] == ';')) ++j;
      if (j < raw.size() && ((raw[j] >= 'A' && raw[j] <= 'Z') || (raw[j] >= 'a' && raw[j] <= 'z'))) {
        i = j;
        continue;
      }
    }
    out += raw[i];
  }
  return out;
}

namespace {

/// `[31mf32[0m`: colours that lost their escape byte when they were copied. Only the codes that PyTorch
/// prints, and only where no list of Python can stand: `[0m` is none.
std::string withoutBareColours(std::string_view raw) {
  std::string out;
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '[') {
      static constexpr std::string_view kCodes[] = {"[0m",  "[2m",  "[30m", "[31m", "[32m",
                                                    "[33m", "[34m", "[35m", "[36m", "[37m"};
      bool cut = false;
      for (const std::string_view code : kCodes)
        if (raw.substr(i).starts_with(code)) {
          i += code.size() - 1;
          cut = true;
          break;
        }
      if (cut) continue;
    }
    out += raw[i];
  }
  return out;
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

void appendCleanLine(std::string& out, std::string_view raw, bool html) {
  const bool escape = raw.find('\x1b') != std::string_view::npos;
  const bool bare = raw.find("[0m") != std::string_view::npos;
  const bool wide =
      raw.find("\xC2\xA0") != std::string_view::npos || raw.find("\xE2\x80") != std::string_view::npos;
  if (!escape && !bare && !wide && !html) {
    out += raw;
    return;
  }
  std::string line = escape ? withoutColours(raw) : std::string(raw);
  if (bare && line.find("[0m") != std::string::npos) line = withoutBareColours(line);
  if (wide) {
    replaceAll(line, "\xC2\xA0", " ");
    replaceAll(line, "\xE2\x80\x9C", "\"");
    replaceAll(line, "\xE2\x80\x9D", "\"");
    replaceAll(line, "\xE2\x80\x98", "'");
    replaceAll(line, "\xE2\x80\x99", "'");
    replaceAll(line, "\xE2\x80\x8B", "");
  }
  if (html && line.find('&') != std::string::npos) {
    replaceAll(line, "&lt;", "<");
    replaceAll(line, "&gt;", ">");
    replaceAll(line, "&quot;", "\"");
    replaceAll(line, "&#39;", "'");
    replaceAll(line, "&nbsp;", " ");
    replaceAll(line, "&amp;", "&");
  }
  while (!line.empty() && line.back() == '\r') line.pop_back();
  out += line;
}

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

std::string RegionInput::assemble(const std::vector<LinePiece>& lines, LineMap* map) const {
  std::string out;
  const std::string_view bytes = source_->bytes();
  for (const LinePiece& piece : lines) {
    if (map) map->lines.push_back({piece.line, piece.column, static_cast<int64_t>(piece.byte)});
    appendCleanLine(out, bytes.substr(piece.byte, piece.length), html_);
    out += '\n';
  }
  if (map && !map->lines.empty()) map->first = map->lines.front();
  return out;
}

ir::Result<std::shared_ptr<ir::Module>> RegionInput::load(size_t index, ir::DiagnosticSink& sink) const {
  if (index >= graphs_.size())
    return ir::failure("no-such-graph", "the input has no graph with this number", path_);
  if (const ir::Status same = source_->unchanged(); !same) return same.error();
  if (sink.file().empty()) sink.setFile(path_);
  LineMap map;
  std::string text = assemble(graphLines_[index], &map);
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

ir::Result<std::string> RegionInput::payload(size_t index) const {
  if (index >= recordLines_.size())
    return ir::failure("no-such-record", "the input has no record with this number", path_);
  if (const ir::Status same = source_->unchanged(); !same) return same.error();
  return assemble(recordLines_[index], nullptr);
}

}  // namespace descry::importers
