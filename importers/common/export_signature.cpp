#include "importers/common/export_signature.h"

#include <algorithm>

namespace descry::importers {

namespace {

std::string_view trimmed(std::string_view s) {
  const size_t first = s.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

/// The text behind `head` up to its closing quote: `quoted("target='a.b', x", "target=")` is `a.b`.
std::optional<std::string> quoted(std::string_view text, std::string_view head) {
  const size_t at = text.find(head);
  if (at == std::string_view::npos || at + head.size() >= text.size()) return std::nullopt;
  const char quote = text[at + head.size()];
  if (quote != '\'' && quote != '"') return std::nullopt;
  const size_t begin = at + head.size() + 1, end = text.find(quote, begin);
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(text.substr(begin, end - begin));
}

std::optional<bool> flag(std::string_view text, std::string_view head) {
  const size_t at = text.find(head);
  if (at == std::string_view::npos) return std::nullopt;
  if (text.substr(at + head.size()).starts_with("True")) return true;
  if (text.substr(at + head.size()).starts_with("False")) return false;
  return std::nullopt;
}

void finish(SignatureSpec& spec) {
  spec.text = spec.kind;
  if (!spec.target.empty()) spec.text += " target='" + spec.target + "'";
  if (spec.persistent) spec.text += *spec.persistent ? " persistent=True" : " persistent=False";
}

SignatureSpec made(std::string name, const char* kind, std::string target) {
  SignatureSpec spec{std::move(name), kind, std::move(target), std::nullopt, ""};
  finish(spec);
  return spec;
}

/// `kind=<InputKind.PARAMETER: 2>, arg=TensorArgument(name='p'), target='lin.weight', persistent=None`.
void readSpecs(std::string_view text, std::string_view head, std::vector<SignatureSpec>& out) {
  for (size_t at = text.find(head); at != std::string_view::npos;) {
    const size_t next = text.find(head, at + head.size());
    const std::string_view one = text.substr(
        at + head.size(), next == std::string_view::npos ? std::string_view::npos : next - at - head.size());
    SignatureSpec spec;
    spec.kind = std::string(one.substr(0, one.find_first_of(":>")));
    spec.name = quoted(one, "name=").value_or("");
    spec.target = quoted(one, "target=").value_or("");
    spec.persistent = flag(one, "persistent=");
    finish(spec);
    out.push_back(std::move(spec));
    at = next;
  }
}

/// The strings of `head[...]` or `head{...}`, in order.
std::vector<std::string> strings(std::string_view text, std::string_view head) {
  std::vector<std::string> out;
  size_t at = text.find(head);
  if (at == std::string_view::npos || at + head.size() >= text.size()) return out;
  at += head.size();
  const char close = text[at] == '[' ? ']' : text[at] == '{' ? '}' : '\0';
  while (close && ++at < text.size() && text[at] != close) {
    if (text[at] != '\'' && text[at] != '"') continue;
    const size_t end = text.find(text[at], at + 1);
    if (end == std::string_view::npos) break;
    out.emplace_back(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return out;
}

/// PyTorch 2.1: lists of names, and dicts from names to paths.
void readOldForm(std::string_view text, ExportSignature& out) {
  const auto pairs = [&](std::string_view head, const char* kind, std::vector<SignatureSpec>& into) {
    const std::vector<std::string> s = strings(text, head);
    for (size_t i = 0; i + 1 < s.size(); i += 2) into.push_back(made(s[i], kind, s[i + 1]));
  };
  pairs("inputs_to_parameters=", "PARAMETER", out.inputs);
  pairs("inputs_to_buffers=", "BUFFER", out.inputs);
  for (std::string& name : strings(text, "user_inputs="))
    out.inputs.push_back(made(std::move(name), "USER_INPUT", ""));
  pairs("buffers_to_mutate=", "BUFFER_MUTATION", out.outputs);
  for (std::string& name : strings(text, "user_outputs="))
    out.outputs.push_back(made(std::move(name), "USER_OUTPUT", ""));
}

/// `name: KIND target='fqn' persistent=True`; constants have no name.
bool readBlockLine(std::string_view line, SignatureSpec& spec) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return false;
  std::string_view rest = trimmed(line.substr(colon + 1));
  size_t end = 0;
  while (end < rest.size() && ((rest[end] >= 'A' && rest[end] <= 'Z') || rest[end] == '_')) ++end;
  if (!end || (end < rest.size() && rest[end] != ' ')) return false;
  spec.name = std::string(trimmed(line.substr(0, colon)));
  spec.kind = std::string(rest.substr(0, end));
  spec.target = quoted(rest, "target=").value_or("");
  spec.persistent = flag(rest, "persistent=");
  spec.text = std::string(rest);
  return true;
}

/// `{u0: VR[-int_oo, 15], 2*s77: VR[4, 256]}`, also with RangeConstraint(...) and ValueRanges(...).
void readRanges(std::string_view text, std::vector<std::pair<std::string, std::string>>& out) {
  const size_t open = text.find('{');
  if (open == std::string_view::npos) return;
  size_t begin = open + 1;
  int depth = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    const bool last = c == '}' && depth == 0;
    if (last || (c == ',' && depth == 0)) {
      const std::string_view item = text.substr(begin, i - begin);
      if (const size_t colon = item.find(": "); colon != std::string_view::npos)
        out.emplace_back(trimmed(item.substr(0, colon)), trimmed(item.substr(colon + 2)));
      begin = i + 1;
    }
    if (last) return;
    if (c == ')' || c == ']' || c == '}') --depth;
  }
}

}  // namespace

std::optional<ExportSignature> findExportSignature(std::string_view text) {
  ExportSignature out;
  enum { Nothing, Block, Inputs, Outputs } state = Nothing;
  bool any = false;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trimmed(text.substr(at, end - at));
    at = end + 1;
    static constexpr std::string_view kSignature = "Graph signature:", kRanges = "Range constraints:";
    if (line.starts_with(kSignature)) {
      const std::string_view rest = line.substr(kSignature.size());
      any = true;
      state = trimmed(rest).empty() ? Block : Nothing;
      readSpecs(rest, "InputSpec(kind=<InputKind.", out.inputs);
      readSpecs(rest, "OutputSpec(kind=<OutputKind.", out.outputs);
      if (out.inputs.empty() && out.outputs.empty()) readOldForm(rest, out);
    } else if (line.starts_with(kRanges)) {
      any = true;
      readRanges(line, out.ranges);
      break;  // the last thing that is printed
    } else if (state != Nothing && line == "# inputs") {
      state = Inputs;
    } else if (state != Nothing && line == "# outputs") {
      state = Outputs;
    } else if ((state == Inputs || state == Outputs) && !line.empty()) {
      SignatureSpec spec;
      if (readBlockLine(line, spec))
        (state == Inputs ? out.inputs : out.outputs).push_back(std::move(spec));
      else
        state = Nothing;
    }
  }
  if (!any || out.empty()) return std::nullopt;
  return out;
}

}  // namespace descry::importers
