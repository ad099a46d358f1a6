#include "ir/core/context.h"

#include <charconv>
#include <vector>

namespace descry::ir {

Context::Context() {
  descs_.append(DescEntry{});
  sources_.append(Source{});
}

/// The place of `id` in a list by text, made when it is not there yet.
static uint32_t& ofText(std::vector<uint32_t>& list, StrId id) {
  if (id.index >= list.size()) list.resize(id.index + id.index / 2 + 64);
  return list[id.index];
}

DescId Context::descriptor(std::string_view text) {
  if (text.empty()) return {};
  const StrId id = strings.intern(text);
  const std::lock_guard lock(mutex_);
  uint32_t& known = ofText(descByText_, id);
  if (!known) {
    DescEntry entry;
    entry.text = id;
    if (auto parsed = Descriptor::parse(text)) entry.descriptor = std::move(*parsed);
    known = descs_.append(std::move(entry));
  }
  return {known};
}

SourceId Context::source(std::string_view comment) {
  if (comment.empty()) return {};
  const StrId id = strings.intern(comment);
  const std::lock_guard lock(mutex_);
  uint32_t& known = ofText(sourceByText_, id);
  if (!known) known = sources_.append(parseSource(strings, comment));
  return {known};
}

Source parseSource(StringTable& strings, std::string_view comment) {
  Source out;
  out.comment = strings.intern(comment);
  // The last line that names a place decides; lines before it can only add tags.
  std::string tags;
  for (size_t from = 0; from <= comment.size();) {
    const size_t end = std::min(comment.find('\n', from), comment.size());
    std::string_view line = comment.substr(from, end - from);
    from = end + 1;
    while (!line.empty() && (line.front() == '#' || line.front() == ' ')) line.remove_prefix(1);
    std::string_view before = line;
    const size_t none = line.find("No stacktrace found for following nodes");
    const size_t file = line.find("File: ");
    const size_t code = line.find(", code: ");
    if (none != std::string_view::npos && (file == std::string_view::npos || none < file)) {
      out.noStackTrace = true;
      before = line.substr(0, none);
    } else if (file != std::string_view::npos && (code == std::string_view::npos || file < code)) {
      before = line.substr(0, file);
      std::string_view place = line.substr(file + 6);
      if (const size_t c = place.find(", code: "); c != std::string_view::npos) {
        out.code = strings.intern(place.substr(c + 8));
        place = place.substr(0, c);
      }
      // `path:line` or `path:line in function`; the path may hold colons, blanks and '#'. Of a printed stack
      // (`<eval_with_key>.1 from a.py:3 in wrapped:6 in forward`) the last place counts.
      size_t in = place.rfind(" in ");
      std::string_view at = place;
      if (in != std::string_view::npos) {
        out.function = strings.intern(place.substr(in + 4));
        at = place.substr(0, in);
      }
      const size_t colon = at.rfind(':');
      if (colon != std::string_view::npos) {
        const char* first = at.data() + colon + 1;
        uint32_t n = 0;
        const auto [p, ec] = std::from_chars(first, at.data() + at.size(), n);
        if (ec == std::errc() && p == at.data() + at.size()) {
          out.line = n;
          at = at.substr(0, colon);
        }
      }
      out.file = strings.intern(at);
      out.noStackTrace = false;
    } else {
      continue;
    }
    constexpr std::string_view kBackward = "Backward of forward node: ";
    if (const size_t b = before.find(kBackward); b != std::string_view::npos) {
      out.backward = true;
      before = before.substr(0, b);
    }
    while (!before.empty() && (before.back() == ' ' || before.back() == '#')) before.remove_suffix(1);
    if (!before.empty()) {
      if (!tags.empty()) tags += '\n';
      tags += before;
    }
  }
  out.tags = strings.intern(tags);
  return out;
}

}  // namespace descry::ir
