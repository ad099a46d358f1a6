#include "importers/common/graph_ids.h"

#include <charconv>

namespace descry::importers {

std::string shortKind(std::string_view kind) {
  if (kind == "dynamo_output_graph") return "dynamo";
  if (kind.starts_with("aot_")) kind.remove_prefix(4);
  if (kind.ends_with("_graph") && kind.size() > 6) kind.remove_suffix(6);
  return std::string(kind);
}

std::string kindOfFile(std::string_view path) {
  std::string_view stem = path.substr(path.find_last_of('/') + 1);
  stem = stem.substr(0, stem.find('.'));
  const std::string stage = shortKind(stem);
  for (const std::string_view known :
       {"joint", "forward", "backward", "inference", "dynamo", "dynamo_output"})
    if (stage == known) return std::string(stem);
  return "graph";
}

std::string GraphIds::make(std::string_view rankPrefix, std::string_view shownCompileId,
                           std::string_view kind) {
  std::string id(rankPrefix);
  if (!shownCompileId.empty()) id += std::string(shownCompileId) + ":";
  return unique(id + shortKind(kind));
}

std::string GraphIds::unique(std::string wanted) {
  int& count = used_[wanted];
  if (++count == 1) return wanted;
  int n = count;
  std::string next = wanted + "#" + std::to_string(n);
  while (used_.contains(next)) next = wanted + "#" + std::to_string(++n);
  used_[wanted] = n;
  used_[next] = 1;
  return next;
}

bool splitCompileId(std::string_view text, std::string& id, std::string& shown, int& attempt) {
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
  const std::string_view whole = text;
  const auto number = [&](std::string_view& out, bool dash) {
    size_t i = 0;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    if (i == 0 && dash && !text.empty() && text[0] == '-') i = 1;
    out = text.substr(0, i);
    text.remove_prefix(i);
    return i > 0 && i < 19;
  };
  std::string_view autograd, frame, compile, attemptText;
  const bool hasAutograd = text.starts_with('!');
  bool hasFrame = true;
  if (hasAutograd) {
    text.remove_prefix(1);
    if (!number(autograd, false)) return false;
    hasFrame = text.starts_with('/');
    if (hasFrame) text.remove_prefix(1);
    if (hasFrame && text.empty()) hasFrame = false;
  }
  if (hasFrame) {
    if (!number(frame, true) || !text.starts_with('/')) return false;
    text.remove_prefix(1);
    if (!number(compile, true)) return false;
  }
  attempt = 0;
  if (text.starts_with('_')) {
    text.remove_prefix(1);
    if (!number(attemptText, false)) return false;
    std::from_chars(attemptText.data(), attemptText.data() + attemptText.size(), attempt);
  }
  if (!text.empty()) return false;
  shown = whole;
  id = hasFrame ? std::string(frame == "-" ? "None" : frame) : std::string("!").append(autograd);
  if (hasFrame) id.append("/").append(compile == "-" ? "None" : compile);
  if (attempt > 0) id.append("_").append(std::to_string(attempt));
  return true;
}

}  // namespace descry::importers
