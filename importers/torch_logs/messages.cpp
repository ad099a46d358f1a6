#include "importers/torch_logs/messages.h"

#include <algorithm>
#include <unordered_map>

namespace descry::importers {
namespace {

constexpr uint32_t kCloseAfterLines = 10000;

std::string_view view(std::string_view text, const LinePiece& piece) {
  return text.substr(piece.byte, piece.length);
}

/// `name-1  | text`: container logs. Empty when the line has none.
std::string_view containerPrefix(std::string_view line) {
  size_t i = 0;
  while (i < line.size() && i < 64 &&
         ((line[i] >= 'a' && line[i] <= 'z') || (line[i] >= 'A' && line[i] <= 'Z') ||
          (line[i] >= '0' && line[i] <= '9') || line[i] == '-' || line[i] == '_' || line[i] == '.'))
    ++i;
  if (i == 0) return {};
  while (i < line.size() && line[i] == ' ') ++i;
  if (i >= line.size() || line[i] != '|') return {};
  ++i;
  if (i < line.size() && line[i] == ' ') ++i;
  return line.substr(0, i);
}

bool hunkHeader(std::string_view s) {
  return s.starts_with("@@ ") && s.find(" @@", 3) != std::string_view::npos;
}

}  // namespace

Wrapping detectWrapping(std::string_view head) {
  Wrapping out;
  out.colours = head.find("\x1b[") != std::string_view::npos;
  out.html =
      head.find("class &lt;") != std::string_view::npos || head.find("&quot;") != std::string_view::npos;
  const std::vector<LinePiece> lines = splitLines(head);
  size_t filled = 0, launched = 0, contained = 0, hunks = 0;
  for (const LinePiece& piece : lines) {
    const std::string_view s = view(head, piece);
    if (s.empty()) continue;
    ++filled;
    if (launcherPrefix(s)) ++launched;
    if (const std::string_view p = containerPrefix(s); !p.empty()) {
      if (out.shared.empty()) out.shared = std::string(p);
      ++contained;
    }
    if (s.starts_with("```") || s.starts_with("~~~")) out.fences = true;
    if (hunkHeader(s)) ++hunks;
  }
  out.launcher = launched > 0;
  if (contained * 5 < filled * 4) out.shared.clear();
  out.diff = hunks > 0;
  return out;
}

std::vector<LogMessage> splitMessages(std::string_view text, const Wrapping& wrapping) {
  std::vector<LogMessage> out;
  struct Open {
    size_t message;
    uint32_t seen;
  };
  std::unordered_map<std::string_view, Open> open;
  // Continuation lines carry no prefix: they belong to the message of the line before, when only first lines
  // have one (Basic, and Long of 2.0), else they are other text.
  size_t plain = SIZE_MAX;
  LogLine::Form lastForm = LogLine::Form::None;
  size_t lastMessage = SIZE_MAX;
  bool fenceOpen = false;
  bool inHunk = false;

  // Long prefixes on first lines only: PyTorch 2.0. Then a graph's own lines stand without one.
  bool firstLineOnly = false;
  {
    size_t continued = 0, repeated = 0;
    bool announced = false;
    for (const LinePiece& piece : splitLines(text.substr(0, 256u << 10))) {
      const std::string_view raw = view(text, piece);
      const LogLine l = splitLogLine(raw);
      const bool prefixed = l.form == LogLine::Form::Long || l.form == LogLine::Form::Short;
      if (announced) (prefixed ? repeated : continued)++;
      announced = prefixed && raw.substr(l.textAt).starts_with("TRACED GRAPH");
    }
    firstLineOnly = continued > repeated;
  }

  for (LinePiece piece : splitLines(text)) {
    std::string_view raw = view(text, piece);
    uint32_t cut = 0;
    if (!wrapping.shared.empty())
      if (const std::string_view p = containerPrefix(raw); !p.empty()) cut = static_cast<uint32_t>(p.size());
    if (wrapping.launcher) cut += launcherPrefix(raw.substr(cut));
    if (wrapping.diff) {
      const std::string_view s = raw.substr(cut);
      if (hunkHeader(s)) {
        inHunk = true;
        plain = SIZE_MAX;
        continue;
      }
      if (s.starts_with("diff ") || s.starts_with("--- ") || s.starts_with("+++ ") ||
          s.starts_with("index ")) {
        inHunk = false;
        continue;
      }
      if (inHunk && !s.empty()) {
        if (s[0] == '-' || s[0] == '\\') continue;
        if (s[0] == ' ' || s[0] == '+') cut += 1;
      }
    }
    if (wrapping.fences) {
      const std::string_view s = raw.substr(cut);
      const size_t first = s.find_first_not_of(' ');
      if (first != std::string_view::npos &&
          (s.substr(first).starts_with("```") || s.substr(first).starts_with("~~~"))) {
        fenceOpen = !fenceOpen;
        plain = SIZE_MAX;
        lastMessage = SIZE_MAX;
        continue;
      }
    }
    // Colours may stand in front of the prefix itself; then only the text behind matters.
    while (raw.substr(cut).starts_with("\x1b[")) {
      size_t end = cut + 2;
      while (end < raw.size() && ((raw[end] >= '0' && raw[end] <= '9') || raw[end] == ';')) ++end;
      const LogLine probe = end < raw.size() ? splitLogLine(raw, static_cast<uint32_t>(end + 1)) : LogLine{};
      if (probe.form == LogLine::Form::None) break;
      cut = static_cast<uint32_t>(end + 1);
    }
    const LogLine line = splitLogLine(raw, cut);
    piece.byte += line.textAt;
    piece.length -= std::min(line.textAt, piece.length);
    piece.column += line.textAt;

    if (line.form == LogLine::Form::None && !line.rank) {
      const bool continues = (lastForm == LogLine::Form::Basic || firstLineOnly) && lastMessage != SIZE_MAX;
      if (continues) {
        out[lastMessage].lines.push_back(piece);
        continue;
      }
      if (plain == SIZE_MAX) {
        plain = out.size();
        out.emplace_back();
      }
      out[plain].lines.push_back(piece);
      continue;
    }
    plain = SIZE_MAX;
    size_t message = SIZE_MAX;
    // Basic prefixes stand on first lines only, so the same one again is a new message.
    if (line.form != LogLine::Form::Basic) {
      const auto found = open.find(line.key);
      if (found != open.end() && piece.line - found->second.seen <= kCloseAfterLines) {
        // A second graph of the same origin within one millisecond.
        const std::string_view body = view(text, piece);
        const bool again = body == "TRACED GRAPH" && out[found->second.message].lines.size() > 2;
        if (!again) message = found->second.message;
      }
    }
    if (message == SIZE_MAX) {
      message = out.size();
      LogMessage fresh;
      fresh.form = line.form;
      fresh.compileId = std::string(line.compileId);
      fresh.artifact = std::string(line.artifact);
      fresh.level = line.level;
      fresh.rank = line.rank;
      out.push_back(std::move(fresh));
    }
    if (line.form != LogLine::Form::Basic) {
      open[line.key] = {message, piece.line};
      if (open.size() > 4096) {
        const uint32_t now = piece.line;
        std::erase_if(open, [&](const auto& entry) { return now - entry.second.seen > kCloseAfterLines; });
        if (open.size() > 65536) open.clear();
      }
    }
    out[message].lines.push_back(piece);
    lastForm = line.form;
    lastMessage = message;
  }
  return out;
}

}  // namespace descry::importers
