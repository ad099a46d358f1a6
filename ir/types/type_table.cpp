#include "ir/types/type_table.h"

#include <charconv>

namespace descry::ir {

static std::string_view trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

static std::string dimList(const std::vector<Dim>& dims) {
  std::string out = "[";
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i) out += ", ";
    out += dims[i].str();
  }
  return out + "]";
}

std::string TensorType::text() const {
  std::string out = dtype == DType::Unknown ? dtypeText : std::string(dtypeInfo(dtype).shortName);
  out += dimList(shape);
  if (strides) out += dimList(*strides);
  return out + device;
}

std::optional<int64_t> TensorType::numel() const {
  int64_t n = 1;
  for (const Dim& d : shape)
    if (d.symbolic() || d.value < 0 || __builtin_mul_overflow(n, d.value, &n)) return std::nullopt;
  return n;
}

std::optional<int64_t> TensorType::bytes() const {
  const auto n = numel();
  const int bits = dtypeInfo(dtype).bits;
  int64_t total = 0;
  if (!n || bits == 0 || __builtin_mul_overflow(*n, int64_t{bits / 8}, &total)) return std::nullopt;
  return total;
}

/// A size or stride as sympy prints it: names, numbers, operators, balanced parentheses.
static bool looksLikeExpression(std::string_view s) {
  int depth = 0;
  for (char c : s) {
    const bool word =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    if (c == '(' || c == '[')
      ++depth;
    else if (c == ')' || c == ']')
      --depth;
    else if (!word && std::string_view(" +-*/%<>=!&|~^,").find(c) == std::string_view::npos)
      return false;
    if (depth < 0) return false;
  }
  return depth == 0;
}

/// Reads `[a, b, c]` at the front of `text` and removes it. Commas count at bracket depth 0 only.
static bool takeDims(std::string_view& text, std::vector<Dim>& dims) {
  if (text.empty() || text.front() != '[') return false;
  int depth = 0;
  size_t from = 1;
  bool sound = true;
  auto push = [&](std::string_view item) {
    item = trim(item);
    if (item.empty()) return;
    Dim d;
    const auto [end, ec] = std::from_chars(item.data(), item.data() + item.size(), d.value);
    if (ec != std::errc() || end != item.data() + item.size()) {
      d.value = 0;
      d.text = std::string(item);
      sound = sound && looksLikeExpression(item);
    }
    dims.push_back(std::move(d));
  };
  for (size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || (c == ']' && depth > 0)) {
      --depth;
    } else if (c == ',' && depth == 0) {
      push(text.substr(from, i - from));
      from = i + 1;
    } else if (c == ']') {
      push(text.substr(from, i - from));
      text.remove_prefix(i + 1);
      return sound;
    }
  }
  return false;
}

static bool isDeviceText(std::string_view s) {
  if (s.empty()) return true;
  size_t i = 0;
  while (i < s.size() && ((s[i] >= 'a' && s[i] <= 'z') || s[i] == '_')) ++i;
  if (i == 0) return false;
  if (i == s.size()) return true;
  if (s[i] != ':' || i + 1 == s.size()) return false;
  for (++i; i < s.size(); ++i)
    if (s[i] < '0' || s[i] > '9') return false;
  return true;
}

static bool parseTensor(std::string_view s, TensorType& out) {
  size_t i = 0;
  while (i < s.size() && ((s[i] >= 'a' && s[i] <= 'z') || (s[i] >= '0' && s[i] <= '9') || s[i] == '_')) ++i;
  if (i == 0 || i >= s.size() || s[i] != '[' || s[0] < 'a') return false;
  out.dtypeText = std::string(s.substr(0, i));
  out.dtype = dtypeFromShortName(out.dtypeText);
  // An unknown dtype still has to look like one, else `list[torch.Tensor]` would be a tensor type.
  if (out.dtype == DType::Unknown && out.dtypeText.find_first_of("0123456789") == std::string::npos)
    return false;
  s.remove_prefix(i);
  if (!takeDims(s, out.shape)) return false;
  std::vector<Dim> strides;
  if (!s.empty() && s.front() == '[') {
    if (!takeDims(s, strides)) return false;
    out.strides = std::move(strides);
  }
  if (!isDeviceText(s)) return false;
  out.device = std::string(s);
  return true;
}

/// torch.Tensor, list[torch.Tensor], int | None, typing_Optional[torch.Tensor].
static bool looksLikePythonType(std::string_view s) {
  int depth = 0;
  for (size_t i = 0; i < s.size(); ++i) {
    const char c = s[i];
    const bool word =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    const bool besideBar = (i > 0 && s[i - 1] == '|') || (i + 1 < s.size() && s[i + 1] == '|');
    if (c == '[')
      ++depth;
    else if (c == ']')
      --depth;
    else if (!word && c != '|' && !(c == ',' && depth > 0) && !(c == ' ' && (depth > 0 || besideBar)))
      return false;
    if (depth < 0) return false;
  }
  return depth == 0 && !(s.front() >= '0' && s.front() <= '9') && s.front() != '.';
}

Type parseType(std::string_view text) {
  Type t;
  t.text = std::string(text);
  const std::string_view s = trim(text);
  if (s.empty()) return t;
  if (s.starts_with("Sym(") && s.back() == ')') {
    t.kind = TypeKind::Sym;
    t.sym = std::string(s.substr(4, s.size() - 5));
    return t;
  }
  if (parseTensor(s, t.tensor)) {
    t.kind = TypeKind::Tensor;
    return t;
  }
  t.tensor = {};
  const size_t open = s.find('(');
  if (open != std::string_view::npos && open > 0 && s.back() == ')') {
    // The tensor ends at the first comma outside brackets: DTensor(f32[8, 4], S(0)).
    int depth = 0;
    size_t end = s.size() - 1;
    for (size_t i = open + 1; i + 1 < s.size(); ++i) {
      if (s[i] == '[' || s[i] == '(') ++depth;
      if (s[i] == ']' || s[i] == ')') --depth;
      if (s[i] == ',' && depth == 0) {
        end = i;
        break;
      }
    }
    if (parseTensor(trim(s.substr(open + 1, end - open - 1)), t.tensor)) {
      t.kind = TypeKind::Wrapped;
      t.wrapper = std::string(s.substr(0, open));
      return t;
    }
    t.tensor = {};
  }
  t.kind = looksLikePythonType(s) ? TypeKind::Python : TypeKind::Unknown;
  return t;
}

TypeTable::TypeTable() : slots_(256, 0) {
  types_.append(Type{});
}

TypeId TypeTable::intern(std::string_view text) {
  if (text.empty()) return {};
  const uint64_t hash = hashText(text);
  const std::lock_guard lock(mutex_);
  size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  while (const uint64_t slot = slots_[at]) {
    if ((slot ^ hash) >> 32 == 0 && types_[static_cast<uint32_t>(slot) - 1].text == text)
      return {static_cast<uint32_t>(slot) - 1};
    at = (at + 1) & mask;
  }
  const uint32_t id = types_.append(parseType(text));
  slots_[at] = (hash & 0xFFFFFFFF00000000ull) | (id + 1);
  if (types_.size() * 10 > slots_.size() * 6) {
    std::vector<uint64_t> bigger(slots_.size() * 2, 0);
    mask = bigger.size() - 1;
    for (uint32_t i = 1; i < types_.size(); ++i) {
      const uint64_t h = hashText(types_[i].text);
      size_t k = h & mask;
      while (bigger[k]) k = (k + 1) & mask;
      bigger[k] = (h & 0xFFFFFFFF00000000ull) | (i + 1);
    }
    slots_ = std::move(bigger);
  }
  return {id};
}

}  // namespace descry::ir
