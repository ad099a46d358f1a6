#include "importers/fx_text/script.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "ir/types/dtype.h"

namespace descry::importers::fx {

namespace {

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t' || s.front() == '\n')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\n' || s.back() == '\r'))
    s.remove_suffix(1);
  return s;
}

std::string_view unquoted(std::string_view s) {
  s = trimmed(s);
  if (s.size() >= 2 && (s.front() == '\'' || s.front() == '"') && s.back() == s.front())
    return s.substr(1, s.size() - 2);
  return s;
}

/// Where the bracket at `open` closes, npos when it does not. Quotes are respected.
size_t closing(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      for (++i; i < text.size() && text[i] != c && text[i] != '\n'; ++i)
        if (text[i] == '\\') ++i;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return i;
  }
  return std::string_view::npos;
}

/// Parts between the commas outside of brackets; an empty last part is left out.
std::vector<std::string_view> items(std::string_view text) {
  std::vector<std::string_view> out;
  int depth = 0;
  size_t from = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '\'' || c == '"') {
      for (++i; i < text.size() && text[i] != c; ++i)
        if (text[i] == '\\') ++i;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c != ',' || depth > 0) continue;
    const std::string_view part = trimmed(text.substr(from, i - from));
    if (!part.empty() || i < text.size()) out.push_back(part);
    from = i + 1;
  }
  return out;
}

/// `2, 3` of `(2, 3)` or `[2, 3]`.
std::optional<std::string_view> inside(std::string_view s) {
  s = trimmed(s);
  if (s.size() < 2 || !((s.front() == '(' && s.back() == ')') || (s.front() == '[' && s.back() == ']')))
    return std::nullopt;
  return s.substr(1, s.size() - 2);
}

std::string joined(const std::vector<std::string_view>& parts) {
  std::string out;
  for (const std::string_view p : parts) out += (out.empty() ? "" : ", ") + std::string(p);
  return out;
}

/// Strides of a contiguous tensor; nothing when a size is no number.
std::optional<std::string> contiguous(const std::vector<std::string_view>& sizes) {
  std::vector<std::string> strides(sizes.size());
  int64_t stride = 1;
  for (size_t k = sizes.size(); k-- > 0;) {
    int64_t size = 0;
    const auto [end, error] = std::from_chars(sizes[k].data(), sizes[k].data() + sizes[k].size(), size);
    if (error != std::errc() || end != sizes[k].data() + sizes[k].size() || size < 0) return std::nullopt;
    strides[k] = std::to_string(stride);
    if (__builtin_mul_overflow(stride, std::max<int64_t>(size, 1), &stride)) return std::nullopt;
  }
  std::string out;
  for (const std::string& s : strides) out += (out.empty() ? "" : ", ") + s;
  return out;
}

/// `cuda:0` from `device(type='cuda', index=0)`, `torch.device('cuda', 0)` or `'cuda:0'`.
std::string deviceOf(std::string_view text) {
  text = trimmed(text);
  const size_t open = text.find('(');
  if (open == std::string_view::npos) return std::string(unquoted(text));
  const size_t close = closing(text, open);
  if (close == std::string_view::npos) return "";
  std::string type, index;
  for (std::string_view part : items(text.substr(open + 1, close - open - 1))) {
    const size_t eq = part.find('=');
    const std::string_view key = eq == std::string_view::npos ? "" : trimmed(part.substr(0, eq));
    const std::string_view value = unquoted(eq == std::string_view::npos ? part : part.substr(eq + 1));
    (key == "index" || (key.empty() && !type.empty()) ? index : type) = std::string(value);
  }
  return index.empty() ? type : type + ":" + index;
}

/// The annotation of a tensor as print_readable writes it; empty when a part cannot be read.
std::string tensorType(std::string_view size, std::string_view stride, std::string_view dtype,
                       std::string_view device) {
  const auto sizes = inside(size);
  const ir::DType type = ir::dtypeFromTorchName(unquoted(dtype));
  if (!sizes || type == ir::DType::Unknown) return "";
  std::string out(ir::dtypeInfo(type).shortName);
  const std::vector<std::string_view> dims = items(*sizes);
  out += "[" + joined(dims) + "]";
  if (const auto given = inside(stride))
    out += "[" + joined(items(*given)) + "]";
  else if (const auto made = contiguous(dims); made && stride.empty())
    out += "[" + *made + "]";
  return out + deviceOf(device);
}

/// `head(arguments)  # comment` or `result = head(arguments)`.
struct Call {
  std::string_view result, head, comment;
  std::vector<std::string_view> positional;
  std::unordered_map<std::string_view, std::string_view> keywords;
  std::string_view keyword(std::string_view name, std::string_view otherwise = "") const {
    const auto found = keywords.find(name);
    return found == keywords.end() ? otherwise : found->second;
  }
};

std::optional<Call> readCall(std::string_view line) {
  Call out;
  const size_t open = line.find('(');
  if (open == std::string_view::npos) return std::nullopt;
  const size_t close = closing(line, open);
  if (close == std::string_view::npos) return std::nullopt;
  std::string_view head = line.substr(0, open);
  if (const size_t eq = head.find('='); eq != std::string_view::npos) {
    out.result = trimmed(head.substr(0, eq));
    head = head.substr(eq + 1);
  }
  out.head = trimmed(head);
  if (const size_t hash = line.find('#', close); hash != std::string_view::npos)
    out.comment = trimmed(line.substr(hash + 1));
  for (const std::string_view part : items(line.substr(open + 1, close - open - 1))) {
    const size_t eq = part.find('=');
    const size_t bracket = part.find_first_of("([{'\"");
    if (eq != std::string_view::npos && eq < bracket)
      out.keywords[trimmed(part.substr(0, eq))] = trimmed(part.substr(eq + 1));
    else
      out.positional.push_back(part);
  }
  return out;
}

class ScriptReader {
 public:
  ScriptFacts run(std::string_view text) {
    // Where `def` and `class` stand tells which block a line belongs to.
    enum class In : uint8_t { Other, Init, LoadArgs } in = In::Other;
    size_t blockIndent = 0;
    std::string owner;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view raw = text.substr(at, end - at);
      const size_t begin = at;
      at = end + 1;
      const size_t indent = raw.find_first_not_of(" \t");
      if (indent == std::string_view::npos || raw[indent] == '#') continue;
      const std::string_view s = trimmed(raw);
      if (in != In::Other && indent <= blockIndent) in = In::Other;
      if (s.starts_with("class ")) {
        owner = std::string(s.substr(6, s.find_first_of("(:", 6) - 6));
        in = In::Other;
      } else if (s.starts_with("def __init__(")) {
        in = In::Init;
        blockIndent = indent;
      } else if (s.starts_with("def load_args(")) {
        in = In::LoadArgs;
        blockIndent = indent;
        out_.inputs.clear();
      } else if (s.starts_with("def ")) {
        in = In::Other;
      } else if (in == In::Init) {
        attribute(owner, s);
      } else if (in == In::LoadArgs) {
        if (const auto call = readCall(s)) reader(*call);
      } else if (indent == 0 && s.starts_with("args = [(")) {
        const size_t open = begin + raw.find('[');
        const size_t close = closing(text, open);
        if (close == std::string_view::npos) continue;
        argumentList(text.substr(open + 1, close - open - 1));
        at = std::min(text.find('\n', close), text.size()) + 1;
      }
    }
    return std::move(out_);
  }

 private:
  void attribute(const std::string& owner, std::string_view s) {
    if (!s.starts_with("self.") || !s.ends_with("()")) return;
    const size_t eq = s.find(" = ");
    if (eq == std::string_view::npos) return;
    std::string_view maker = s.substr(eq + 3, s.size() - eq - 5);
    if (maker.find('(') != std::string_view::npos || maker.find('.') != std::string_view::npos) return;
    out_.attributes.push_back({owner, std::string(s.substr(5, eq - 5)), std::string(maker)});
  }

  void reader(const Call& call) {
    if (call.head == "reader.storage") {
      storages_[std::string(call.result)] = {std::string(call.keyword("device", "cpu")),
                                             std::string(call.keyword("dtype_hint"))};
      return;
    }
    ScriptFacts::InputFact fact;
    fact.name = std::string(call.comment.substr(0, call.comment.find(' ')));
    if (call.head == "reader.tensor" && call.positional.size() >= 2) {
      Storage storage{"cpu", ""};
      if (const auto found = storages_.find(std::string(call.positional[0])); found != storages_.end())
        storage = found->second;
      const std::string_view stride =
          call.positional.size() > 2 ? call.positional[2] : call.keyword("stride");
      std::string_view dtype = call.keyword("dtype", storage.dtype);
      if (dtype.empty()) dtype = "torch.float32";
      fact.type = tensorType(call.positional[1], stride, dtype, storage.device);
    } else if (call.head == "reader.symint" && !call.positional.empty()) {
      fact.type = "Sym(" + std::string(call.positional[0]) + ")";
    } else if (!call.head.starts_with("reader.")) {
      return;
    }
    out_.inputs.push_back(std::move(fact));
  }

  void argumentList(std::string_view list) {
    out_.inputs.clear();
    for (const std::string_view item : items(list)) {
      ScriptFacts::InputFact fact;
      if (const auto parts = inside(item)) {
        const std::vector<std::string_view> p = items(*parts);
        if (p.size() >= 4) fact.type = tensorType(p[0], p[1], p[2], p[3]);
      }
      out_.inputs.push_back(std::move(fact));
    }
  }

  struct Storage {
    std::string device, dtype;
  };
  std::unordered_map<std::string, Storage> storages_;
  ScriptFacts out_;
};

}  // namespace

ScriptFacts readScript(std::string_view text) {
  if (text.find("def __init__(") == std::string_view::npos &&
      text.find("def load_args(") == std::string_view::npos &&
      text.find("args = [(") == std::string_view::npos)
    return {};
  return ScriptReader().run(text);
}

void readModelMetadata(std::string_view text, std::unordered_map<std::string, std::string>& types) {
  std::string name, shape, dtype, device;
  const auto flush = [&] {
    if (!name.empty() && !shape.empty())
      if (std::string type = tensorType(shape, "?", dtype, device); !type.empty())
        types.emplace(name, std::move(type));
    name.clear(), shape.clear(), dtype.clear(), device.clear();
  };
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view raw = text.substr(at, end - at);
    const size_t begin = at;
    at = end + 1;
    const std::string_view s = trimmed(raw);
    if (s.starts_with("class ")) {
      flush();
      continue;
    }
    const size_t eq = s.find('=');
    if (eq == std::string_view::npos) continue;
    const std::string_view key = trimmed(s.substr(0, eq)), value = trimmed(s.substr(eq + 1));
    if (key == "name") {
      name = std::string(unquoted(value));
    } else if (key == "dtype") {
      dtype = std::string(unquoted(value));
    } else if (key == "device") {
      device = std::string(unquoted(value));
    } else if (key == "shape" && value.starts_with('[')) {
      const size_t open = begin + raw.find('[');
      const size_t close = closing(text, open);  // long shapes are broken over lines
      if (close == std::string_view::npos) continue;
      shape.clear();
      for (const char c : text.substr(open, close + 1 - open)) shape += c == '\n' ? ' ' : c;
      at = std::min(text.find('\n', close), text.size()) + 1;
    }
  }
  flush();
}

std::unordered_map<std::string, std::string> readModuleTree(std::string_view text) {
  constexpr size_t kMaxPaths = 1u << 16;
  std::unordered_map<std::string, std::string> out;
  struct Open {
    size_t indent;
    std::vector<std::string> paths;  ///< several for `(0-3): 4 x Block(`
  };
  std::vector<Open> stack;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view raw = text.substr(at, end - at);
    at = end + 1;
    const size_t indent = raw.find_first_not_of(' ');
    if (indent == std::string_view::npos || raw[indent] != '(') continue;
    const size_t close = raw.find("): ", indent);
    if (close == std::string_view::npos) continue;
    const std::string_view name = raw.substr(indent + 1, close - indent - 1);
    std::string_view what = trimmed(raw.substr(close + 3));
    if (name.empty() || what.empty() || name.find_first_of(" ()'\"") != std::string_view::npos) continue;
    while (!stack.empty() && stack.back().indent >= indent) stack.pop_back();
    std::vector<std::string> names;
    size_t low = 0, high = 0;
    const size_t dash = name.find('-');
    const size_t times = what.find(" x ");
    if (dash != std::string_view::npos && times != std::string_view::npos) {
      const auto a = std::from_chars(name.data(), name.data() + dash, low);
      const auto b = std::from_chars(name.data() + dash + 1, name.data() + name.size(), high);
      if (a.ec == std::errc() && b.ec == std::errc() && high - low < 4096)
        for (size_t k = low; k <= high; ++k) names.push_back(std::to_string(k));
      what.remove_prefix(times + 3);
    }
    if (names.empty()) names.emplace_back(name);
    Open open{indent, {}};
    for (const std::string& n : names) {
      if (stack.empty())
        open.paths.push_back(n);
      else
        for (const std::string& above : stack.back().paths) open.paths.push_back(above + "." + n);
      if (open.paths.size() > kMaxPaths) return out;
    }
    if (what.ends_with('(')) what.remove_suffix(1);  // its parts follow
    for (const std::string& path : open.paths) out.emplace(path, what);
    if (out.size() > kMaxPaths) return out;
    stack.push_back(std::move(open));
  }
  return out;
}

namespace {

void annotate(ir::Graph& graph, ir::NodeId id, const std::string& text) {
  const ir::TypeKind kind = graph.type(id).kind;
  if (text.empty() || kind == ir::TypeKind::Tensor || kind == ir::TypeKind::Sym) return;
  // The example value of a size says less than that it is a size.
  if (graph.type(id).text == "torch.SymInt" && !text.starts_with("Sym(")) return;
  const ir::TypeId type = graph.context().type(text);
  if (type && graph.context().types.at(type).kind != ir::TypeKind::Unknown) graph.setType(id, type);
}

}  // namespace

void annotateInputs(ir::Graph& graph, const std::vector<ScriptFacts::InputFact>& inputs) {
  const std::vector<ir::NodeId> placeholders = graph.placeholders();
  std::unordered_map<std::string_view, ir::NodeId> byName;
  for (const ir::NodeId id : placeholders) byName.emplace(graph.target(id), id);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto found = byName.find(inputs[i].name);
    if (found != byName.end())
      annotate(graph, found->second, inputs[i].type);
    else if (inputs[i].name.empty() && i < placeholders.size())
      annotate(graph, placeholders[i], inputs[i].type);
  }
}

void annotateInputs(ir::Graph& graph, const std::unordered_map<std::string, std::string>& types) {
  for (const ir::NodeId id : graph.placeholders())
    if (const auto found = types.find(std::string(graph.target(id))); found != types.end())
      annotate(graph, id, found->second);
}

void addMeta(ir::Graph& graph, ir::NodeId id, std::string key, std::string value) {
  std::vector<ir::NodeMetaEntry> entries;
  if (const auto* old = graph.meta(id)) entries = *old;
  entries.push_back({std::move(key), std::move(value)});
  graph.setMeta(id, std::move(entries));
}

}  // namespace descry::importers::fx
