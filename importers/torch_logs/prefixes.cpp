#include "importers/torch_logs/prefixes.h"

#include <cstring>

#include "importers/common/graph_ids.h"

namespace descry::importers {
namespace {

bool digit(char c) {
  return c >= '0' && c <= '9';
}
bool word(char c) {
  return digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool shaped(std::string_view s, std::string_view shape) {
  if (s.size() < shape.size()) return false;
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == '#' ? !digit(s[i]) : s[i] != shape[i]) return false;
  return true;
}

/// `[rank3]:`, length 0 when it is none.
size_t rankPrefix(std::string_view s, int& rank) {
  if (!s.starts_with("[rank")) return 0;
  size_t i = 5;
  rank = 0;
  while (i < s.size() && digit(s[i]) && i < 12) rank = rank * 10 + (s[i++] - '0');
  if (i == 5 || !s.substr(i).starts_with("]:")) return 0;
  return i + 2;
}

/// A bracketed compile id; length with brackets, 0 when it is none.
size_t compileIdAt(std::string_view s) {
  if (s.size() < 4 || s[0] != '[' || !(digit(s[1]) || s[1] == '!' || s[1] == '-')) return 0;
  const size_t close = s.find(']');
  if (close == std::string_view::npos || close > 60) return 0;
  std::string id, shown;
  int attempt = 0;
  return splitCompileId(s.substr(0, close + 1), id, shown, attempt) ? close + 1 : 0;
}

std::string_view artifactOf(std::string_view logger) {
  const size_t dot = logger.rfind('.');
  std::string_view last = dot == std::string_view::npos ? logger : logger.substr(dot + 1);
  if (last.starts_with("__")) return last.substr(2);
  return {};
}

bool levelWord(std::string_view s, char& level) {
  static constexpr std::string_view kNames[] = {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"};
  static constexpr char kLetters[] = "VIWEC";
  for (int i = 0; i < 5; ++i)
    if (s == kNames[i]) {
      level = kLetters[i];
      return true;
    }
  return false;
}

}  // namespace

LogLine splitLogLine(std::string_view whole, uint32_t from) {
  LogLine out;
  out.textAt = from;
  std::string_view s = whole.substr(std::min<size_t>(from, whole.size()));
  size_t i = 0;
  int rank = 0;
  if (const size_t length = rankPrefix(s, rank)) {
    out.rank = rank;
    i = length;
    while (i < s.size() && s[i] == ' ') ++i;
  }
  const std::string_view body = s.substr(i);
  const auto finish = [&](LogLine::Form form, size_t textAt, bool oneBlank) {
    out.form = form;
    out.key = s.substr(0, textAt);
    if (oneBlank && textAt < s.size() && s[textAt] == ' ') ++textAt;
    out.textAt = from + static_cast<uint32_t>(textAt);
    return out;
  };

  if (!body.empty() && body[0] && std::strchr("VIWEC", body[0]) &&
      shaped(body.substr(1), "#### ##:##:##.###### ")) {
    size_t at = 22;
    const size_t number = at;
    while (at < body.size() && digit(body[at])) ++at;
    if (at > number && at < body.size() && body[at] == ' ') {
      const size_t path = at + 1;
      // `path:123]`: the first bracket behind a number.
      for (size_t close = body.find(']', path); close != std::string_view::npos && close < path + 4096;
           close = body.find(']', close + 1)) {
        size_t d = close;
        while (d > path && digit(body[d - 1])) --d;
        if (d == close || d <= path || body[d - 1] != ':') continue;
        size_t text = close + 1;
        if (body.substr(text).starts_with(" ["))
          if (const size_t length = compileIdAt(body.substr(text + 1))) {
            out.compileId = body.substr(text + 1, length);
            text += 1 + length;
          }
        if (body.substr(text).starts_with(" [__")) {
          size_t end = text + 4;
          while (end < body.size() && word(body[end])) ++end;
          if (end < body.size() && body[end] == ']') {
            out.artifact = body.substr(text + 4, end - text - 4);
            text = end + 1;
          }
        }
        out.level = body[0];
        return finish(LogLine::Form::Short, i + text, true);
      }
    }
  }
  if (shaped(body, "[####-##-## ##:##:##,###] ")) {
    size_t at = 26;
    if (const size_t length = compileIdAt(body.substr(at))) {
      out.compileId = body.substr(at, length);
      at += length;
      if (at < body.size() && body[at] == ' ') ++at;
    }
    const size_t logger = at;
    while (at < body.size() && (word(body[at]) || body[at] == '.' || body[at] == '-')) ++at;
    if (at > logger && body.substr(at).starts_with(": [")) {
      const size_t close = body.find(']', at + 3);
      if (close != std::string_view::npos && levelWord(body.substr(at + 3, close - at - 3), out.level)) {
        out.artifact = artifactOf(body.substr(logger, at - logger));
        return finish(LogLine::Form::Long, i + close + 1, true);
      }
    }
    out.compileId = {};
  }
  if (const size_t colon = body.find(':');
      colon != std::string_view::npos && colon <= 8 && levelWord(body.substr(0, colon), out.level)) {
    size_t at = colon + 1;
    const size_t logger = at;
    while (at < body.size() && (word(body[at]) || body[at] == '.' || body[at] == '-')) ++at;
    if (at > logger && at < body.size() && body[at] == ':') {
      out.artifact = artifactOf(body.substr(logger, at - logger));
      return finish(LogLine::Form::Basic, i + at + 1, false);
    }
    out.level = 0;
  }
  if (out.rank) {
    // `[rank0]: text` of tracebacks, or a plain message of one rank.
    out.key = s.substr(0, i);
    out.textAt = from + static_cast<uint32_t>(i);
  }
  return out;
}

uint32_t launcherPrefix(std::string_view line) {
  uint32_t cut = 0;
  for (int round = 0; round < 4; ++round) {
    const std::string_view s = line.substr(cut);
    size_t length = 0;
    int rank = 0;
    if (s.starts_with("[default")) {
      size_t i = 8;
      while (i < s.size() && digit(s[i])) ++i;
      if (i > 8 && s.substr(i).starts_with("]:")) length = i + 2;
    } else if (s.starts_with("> ") || s == ">") {
      length = s.size() > 1 ? 2 : 1;
    } else if (s.starts_with("E   ") && round == 0) {
      length = 4;
    } else if (shaped(s, "[####-##-##T##:##:##")) {
      const size_t close = s.find("] ");
      if (close != std::string_view::npos && close < 48) length = close + 2;
    } else if (shaped(s, "####-##-##T##:##:##")) {
      const size_t blank = s.find(' ');
      if (blank != std::string_view::npos && blank < 48 && s[blank - 1] == 'Z') length = blank + 1;
      if (length == 0 && s.back() == 'Z' && s.size() < 48) length = s.size();
    } else if (s.starts_with('(')) {
      // `(RayWorker pid=5, ip=10.0.0.1) `
      const size_t close = s.find(')');
      const size_t pid = s.find(" pid=");
      if (close != std::string_view::npos && pid < close && close < 120) {
        length = close + 1;
        if (length < s.size() && s[length] == ' ') ++length;
      }
    } else if (const size_t r = rankPrefix(s, rank)) {
      // Only a wrapper when something else that is a wrapper follows.
      std::string_view rest = s.substr(r);
      while (rest.starts_with(' ')) rest.remove_prefix(1);
      if (rest.starts_with("[default") || rest.starts_with('(')) length = r;
    }
    if (!length) break;
    cut += static_cast<uint32_t>(length);
  }
  return cut;
}

}  // namespace descry::importers
