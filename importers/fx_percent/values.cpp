#include "importers/fx_percent/values.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "ir/support/python_text.h"
#include "ir/types/dtype.h"

namespace descry::importers::percent {
namespace {

constexpr int kMaxDepth = 200;

bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}
bool digit(char c) {
  return c >= '0' && c <= '9';
}

bool device(std::string_view word) {
  const size_t colon = word.find(':');
  const std::string_view type = word.substr(0, colon);
  if (colon != std::string_view::npos) {
    const std::string_view index = word.substr(colon + 1);
    if (index.empty()) return false;
    for (const char c : index)
      if (!digit(c)) return false;
  }
  for (const std::string_view known :
       {"cpu", "cuda", "meta", "xpu", "mps", "hpu", "npu", "xla", "mtia", "privateuseone"})
    if (type == known) return true;
  return false;
}

bool numeric(std::string_view w) {
  size_t i = w.starts_with('-') || w.starts_with('+') ? 1 : 0;
  if (i >= w.size() || !(digit(w[i]) || w[i] == '.')) return false;
  bool any = false;
  for (; i < w.size(); ++i) {
    if (digit(w[i]))
      any = true;
    else if (w[i] == 'e' || w[i] == 'E') {
      if (i + 1 < w.size() && (w[i + 1] == '-' || w[i + 1] == '+')) ++i;
    } else if (w[i] != '.' && w[i] != '_') {
      return false;
    }
  }
  return any;
}

}  // namespace

ir::Argument bareWord(std::string_view w) {
  using ir::Argument;
  using ir::ValueKind;
  if (w == "None") return Argument::none();
  if (w == "True" || w == "False") return Argument::boolean(w == "True");
  if (w == "Ellipsis" || w == "...") return Argument::texted(ValueKind::Ellipsis, "");
  if (w == "inf") return Argument(std::numeric_limits<double>::infinity());
  if (w == "-inf") return Argument(-std::numeric_limits<double>::infinity());
  if (w == "nan") return Argument(std::nan(""));
  if (numeric(w)) {
    if (w.find_first_of(".eE") == std::string_view::npos) {
      int64_t value = 0;
      const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), value);
      if (error == std::errc() && end == w.data() + w.size()) return Argument(value);
      return Argument::texted(ValueKind::BigInt, std::string(w));
    }
    double value = 0;
    const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), value);
    if (error == std::errc() && end == w.data() + w.size()) return Argument(value);
    return Argument::texted(ValueKind::Opaque, std::string(w));
  }
  if (w.size() > 1 && (w.back() == 'j') && numeric(w.substr(0, w.size() - 1)))
    return Argument::texted(ValueKind::Complex, std::string(w));
  if (w.starts_with("torch.")) {
    const std::string_view name = w.substr(6);
    if (ir::dtypeFromTorchName(name) != ir::DType::Unknown)
      return Argument::texted(ValueKind::Dtype, std::string(w));
    for (const std::string_view layout :
         {"strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged"})
      if (name == layout) return Argument::texted(ValueKind::Layout, std::string(w));
    for (const std::string_view format :
         {"contiguous_format", "channels_last", "channels_last_3d", "preserve_format"})
      if (name == format) return Argument::texted(ValueKind::MemoryFormat, std::string(w));
    if (name.starts_with("ops.")) return Argument::texted(ValueKind::OpRef, std::string(w));
    return Argument::texted(ValueKind::Opaque, std::string(w));
  }
  if (device(w)) return Argument::texted(ValueKind::Device, std::string(w));
  if (w.starts_with('<')) return Argument::texted(ValueKind::Opaque, std::string(w));
  return Argument::str(std::string(w));
}

void ValueReader::blanks() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
}

bool ValueReader::literal(std::string_view word) {
  blanks();
  if (!text_.substr(at_).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

/// Up to a comma or a closing bracket at depth 0.
std::string_view ValueReader::rawToken() {
  const size_t begin = at_;
  int depth = 0;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') {
      if (depth == 0) break;
      --depth;
    }
    if (c == ',' && depth == 0) break;
    ++at_;
  }
  std::string_view token = text_.substr(begin, at_ - begin);
  while (!token.empty() && token.back() == ' ') token.remove_suffix(1);
  return token;
}

/// A token without quotes. Values are separated by a comma and a blank, so that a comma without one belongs
/// to a string: `bhwc,hkc->bhwk`.
ir::Argument ValueReader::bareValue() {
  const size_t begin = at_;
  ir::Argument out = bareWord(rawToken());
  while (out.kind == ir::ValueKind::Str && at_ + 1 < text_.size() && text_[at_] == ',') {
    const char next = text_[at_ + 1];
    if (next == ' ' || next == '%' || next == ')' || next == ']' || next == '}') break;
    ++at_;
    rawToken();
    std::string_view whole = text_.substr(begin, at_ - begin);
    while (whole.ends_with(' ')) whole.remove_suffix(1);
    out = ir::Argument::str(std::string(whole));
  }
  return out;
}

ir::Argument ValueReader::balanced() {
  const size_t begin = at_;
  int depth = 0;
  do {
    const char c = text_[at_++];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
  } while (depth > 0 && at_ < text_.size());
  return ir::Argument::texted(ir::ValueKind::Opaque, std::string(text_.substr(begin, at_ - begin)));
}

ir::Argument ValueReader::container(char close, ir::ValueKind kind, Bare bare) {
  std::vector<ir::Argument> items;
  ++at_;
  bool comma = false;
  while (true) {
    blanks();
    if (at_ >= text_.size()) break;
    if (text_[at_] == close) {
      ++at_;
      break;
    }
    const size_t before = at_;
    items.push_back(value(bare));
    blanks();
    comma = at_ < text_.size() && text_[at_] == ',';
    if (comma)
      ++at_;
    else if (at_ < text_.size() && text_[at_] != close) {
      // A stray bracket: skip it, so that reading always gets on.
      if (at_ == before || text_[at_] == ')' || text_[at_] == ']' || text_[at_] == '}') ++at_;
    }
  }
  // `(x)` is x; `(x,)` is a tuple.
  if (kind == ir::ValueKind::Tuple && items.size() == 1 && !comma) return std::move(items.front());
  return ir::Argument::of(kind, std::move(items));
}

ir::Argument ValueReader::dict(Bare bare) {
  std::vector<ir::Argument> items;
  ++at_;
  while (true) {
    blanks();
    if (at_ >= text_.size()) break;
    if (text_[at_] == '}') {
      ++at_;
      break;
    }
    const size_t before = at_;
    if (text_[at_] == '\'' || text_[at_] == '"') {
      items.push_back(value(bare));
    } else {
      const size_t begin = at_;
      while (at_ < text_.size() && text_[at_] != ':' && text_[at_] != ',' && text_[at_] != '}') ++at_;
      items.push_back(bareWord(text_.substr(begin, at_ - begin)));
    }
    blanks();
    if (at_ < text_.size() && text_[at_] == ':') {
      ++at_;
      items.push_back(value(bare));
    } else {
      items.push_back(ir::Argument::none());
    }
    blanks();
    if (at_ < text_.size() && text_[at_] == ',')
      ++at_;
    else if (at_ == before && at_ < text_.size())
      ++at_;
    else if (at_ < text_.size() && (text_[at_] == ')' || text_[at_] == ']'))
      ++at_;
  }
  return ir::Argument::of(ir::ValueKind::Dict, std::move(items));
}

ir::Argument ValueReader::word(Bare bare) {
  const size_t begin = at_;
  const std::string_view rest = text_.substr(at_);
  if (rest[0] == '%') {
    size_t end = 1;
    while (end < rest.size() && (letter(rest[end]) || digit(rest[end]) || rest[end] == '.')) ++end;
    at_ += end;
    return ir::Argument(make_(rest.substr(1, end - 1)));
  }
  if (rest[0] == '\'' || rest[0] == '"') {
    size_t end = 1;
    while (end < rest.size() && rest[end] != rest[0]) end += rest[end] == '\\' ? 2 : 1;
    if (end < rest.size()) {
      at_ += end + 1;
      return ir::Argument::str(ir::unescapePython(rest.substr(1, end - 1)));
    }
  }
  for (const std::string_view head : {"slice(", "torch.Size(", "immutable_list(", "immutable_dict("})
    if (rest.starts_with(head)) {
      at_ += head.size() - 1;
      if (head == "slice(") {
        ir::Argument parts = container(')', ir::ValueKind::List, bare == Bare::Text ? Bare::Node : bare);
        while (parts.items.size() < 3) {
          if (parts.items.size() == 1)
            parts.items.insert(parts.items.begin(), ir::Argument::none());
          else
            parts.items.push_back(ir::Argument::none());
        }
        parts.items.resize(3);
        return ir::Argument::of(ir::ValueKind::Slice, std::move(parts.items));
      }
      ir::Argument inner = container(')', ir::ValueKind::Tuple, bare);
      return inner;
    }
  if (rest.starts_with("device(")) {
    at_ += 6;  // what is balanced begins with the bracket
    const std::string raw = balanced().text.empty() ? "" : std::string(text_.substr(begin, at_ - begin));
    const size_t quote = raw.find('\'');
    if (quote == std::string::npos) return ir::Argument::texted(ir::ValueKind::Opaque, raw);
    const size_t close = raw.find('\'', quote + 1);
    std::string name = raw.substr(quote + 1, close == std::string::npos ? close : close - quote - 1);
    if (const size_t index = raw.find("index="); index != std::string::npos)
      name.append(":").append(raw, index + 6, raw.find_first_not_of("0123456789", index + 6) - index - 6);
    return ir::Argument::texted(ir::ValueKind::Device, std::move(name));
  }
  if (rest.starts_with("...[total_len="))
    return ir::Argument::texted(ir::ValueKind::Opaque, std::string(rawToken()));
  if (bare != Bare::Text && letter(rest[0])) {
    size_t end = 0;
    while (end < rest.size() && (letter(rest[end]) || digit(rest[end]))) ++end;
    const std::string_view name = rest.substr(0, end);
    const char after = end < rest.size() ? rest[end] : ',';
    const bool alone = after == ',' || after == ')' || after == ']' || after == '}' || after == ' ';
    if (alone) {
      if (const ir::NodeId found = find_(name); found.valid()) {
        at_ += end;
        return ir::Argument(found);
      }
      if (bare == Bare::Force && name != "None" && name != "True" && name != "False" && name != "inf" &&
          name != "nan") {
        at_ += end;
        return ir::Argument(make_(name));
      }
    }
  }
  // In quoted forms a call or a repr such as <function f at 0x..> has no parts that count.
  if (rest[0] == '<') {
    int angle = 0;
    size_t end = 0;
    for (; end < rest.size(); ++end) {
      if (rest[end] == '<') ++angle;
      if (rest[end] == '>' && --angle == 0) {
        ++end;
        break;
      }
    }
    at_ += end;
    return ir::Argument::texted(ir::ValueKind::Opaque, std::string(rest.substr(0, end)));
  }
  return bareValue();
}

ir::Argument ValueReader::value(Bare bare) {
  blanks();
  if (at_ >= text_.size()) return ir::Argument::none();
  const char c = text_[at_];
  if (c == '(' || c == '[' || c == '{') {
    if (depth_ >= kMaxDepth) return balanced();
    ++depth_;
    ir::Argument out;
    const size_t begin = at_;
    // `(2+3j)` is a number.
    const size_t close = text_.find(')', at_);
    if (c == '(' && close != std::string_view::npos && close > at_ + 2 && text_[close - 1] == 'j' &&
        close - at_ < 64 &&
        text_.substr(at_ + 1, close - at_ - 1).find_first_not_of("0123456789+-.ejinfa") ==
            std::string_view::npos) {
      at_ = close + 1;
      out = ir::Argument::texted(ir::ValueKind::Complex, std::string(text_.substr(begin, at_ - begin)));
    } else if (c == '{') {
      out = dict(bare);
    } else {
      out = container(c == '(' ? ')' : ']', c == '(' ? ir::ValueKind::Tuple : ir::ValueKind::List, bare);
    }
    --depth_;
    return out;
  }
  return word(bare);
}

std::vector<ir::Argument> ValueReader::list(Bare bare) {
  std::vector<ir::Argument> out;
  while (true) {
    blanks();
    if (at_ >= text_.size()) return out;
    const size_t before = at_;
    out.push_back(value(bare));
    blanks();
    if (at_ < text_.size() && (text_[at_] == ',' || at_ == before))
      ++at_;
    else if (at_ < text_.size() && (text_[at_] == ')' || text_[at_] == ']' || text_[at_] == '}'))
      ++at_;
  }
}

bool ValueReader::keywords(Bare bare, std::vector<std::pair<std::string, ir::Argument>>& out) {
  blanks();
  if (at_ >= text_.size() || text_[at_] != '{') return false;
  ir::Argument all = dict(bare);
  for (size_t i = 0; i + 1 < all.items.size(); i += 2)
    out.emplace_back(all.items[i].text, std::move(all.items[i + 1]));
  return true;
}

}  // namespace descry::importers::percent
