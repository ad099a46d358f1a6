#include "importers/descry_json/json_reader.h"

#include "importers/common/json_escape.h"

namespace descry::importers {

void JsonReader::space() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
    ++at_;
  }
}

bool JsonReader::fail(std::string message) {
  if (error_.empty()) error_ = std::move(message);
  return false;
}

JsonKind JsonReader::peek() {
  if (!ok()) return JsonKind::Bad;
  space();
  if (at_ >= text_.size()) {
    fail("the text ends where a value is expected");
    return JsonKind::Bad;
  }
  switch (text_[at_]) {
    case '{':
      return JsonKind::Object;
    case '[':
      return JsonKind::Array;
    case '"':
      return JsonKind::String;
    case 't':
    case 'f':
      return JsonKind::Bool;
    case 'n':
      return JsonKind::Null;
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      return JsonKind::Number;
    default:
      fail("a value is expected here");
      return JsonKind::Bad;
  }
}

void JsonReader::enter() {
  if (!ok()) return;
  if (++depth_ > kMaxDepth) {
    fail("values are nested deeper than " + std::to_string(kMaxDepth));
    return;
  }
  ++at_;
}

bool JsonReader::nextKey(bool& first, std::string& key) {
  if (!ok()) return false;
  space();
  if (at_ < text_.size() && text_[at_] == '}') {
    ++at_;
    --depth_;
    return false;
  }
  if (!first) {
    if (at_ >= text_.size() || text_[at_] != ',') return fail("',' or '}' is expected here");
    ++at_;
    space();
  }
  first = false;
  if (at_ >= text_.size() || text_[at_] != '"') return fail("a name in double quotes is expected here");
  if (!readString(key)) return false;
  space();
  if (at_ >= text_.size() || text_[at_] != ':') return fail("':' is expected here");
  ++at_;
  return true;
}

bool JsonReader::nextItem(bool& first) {
  if (!ok()) return false;
  space();
  if (at_ < text_.size() && text_[at_] == ']') {
    ++at_;
    --depth_;
    return false;
  }
  if (!first) {
    if (at_ >= text_.size() || text_[at_] != ',') return fail("',' or ']' is expected here");
    ++at_;
  }
  first = false;
  return true;
}

bool JsonReader::readString(std::string& out) {
  out.clear();
  if (!ok()) return false;
  ++at_;
  while (true) {
    size_t end = at_;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\\' &&
           static_cast<unsigned char>(text_[end]) >= 0x20)
      ++end;
    out.append(text_, at_, end - at_);
    at_ = end;
    if (at_ >= text_.size()) return fail("the text ends inside a string");
    const char c = text_[at_];
    if (c == '"') {
      ++at_;
      return true;
    }
    if (c != '\\') return fail("a control character must be written as an escape inside a string");
    switch (readJsonEscape(text_, at_, out)) {
      case JsonEscape::Read:
        break;
      case JsonEscape::CutOff:
        return fail("the text ends inside a string");
      case JsonEscape::BadHex:
        return fail("four hexadecimal digits are expected behind \\u");
      case JsonEscape::Unknown:
        return fail("unknown escape in a string");
    }
  }
}

bool JsonReader::literal(std::string_view word) {
  if (text_.substr(at_, word.size()) != word) return fail("a value is expected here");
  at_ += word.size();
  return true;
}

bool JsonReader::readBool(bool& out) {
  if (!ok()) return false;
  out = text_[at_] == 't';
  return literal(out ? "true" : "false");
}

bool JsonReader::readNull() {
  return ok() && literal("null");
}

bool JsonReader::readNumber(std::string_view& out) {
  if (!ok()) return false;
  const size_t start = at_;
  const auto digits = [&] {
    const size_t from = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return at_ > from;
  };
  const auto is = [&](char c) { return at_ < text_.size() && text_[at_] == c; };
  if (is('-')) ++at_;
  if (is('0')) {
    ++at_;
  } else if (!digits()) {
    return fail("a digit is expected here");
  }
  if (is('.')) {
    ++at_;
    if (!digits()) return fail("a digit is expected behind '.'");
  }
  if (is('e') || is('E')) {
    ++at_;
    if (is('+') || is('-')) ++at_;
    if (!digits()) return fail("a digit is expected in the exponent");
  }
  out = text_.substr(start, at_ - start);
  return true;
}

bool JsonReader::skip() {
  std::string scratch;
  std::string_view number;
  std::string open;  // one character for each bracket that is open
  while (true) {
    bool flag = false;
    bool first = false;
    switch (peek()) {
      case JsonKind::Null:
        readNull();
        break;
      case JsonKind::Bool:
        readBool(flag);
        break;
      case JsonKind::Number:
        readNumber(number);
        break;
      case JsonKind::String:
        readString(scratch);
        break;
      case JsonKind::Array:
        enter();
        open += '[';
        first = true;
        break;
      case JsonKind::Object:
        enter();
        open += '{';
        first = true;
        break;
      case JsonKind::Bad:
        return false;
    }
    // To the next value: out of all brackets that end here.
    while (true) {
      if (!ok()) return false;
      if (open.empty()) return true;
      if (open.back() == '[' ? nextItem(first) : nextKey(first, scratch)) break;
      open.pop_back();
      first = false;
    }
    if (!ok()) return false;
  }
}

bool JsonReader::atEnd() {
  space();
  return at_ >= text_.size();
}

ir::SourceLoc LineFinder::at(size_t offset) {
  offset = offset < text_.size() ? offset : text_.size();
  if (offset < seen_) {
    seen_ = 0;
    line_ = column_ = 1;
  }
  for (; seen_ < offset; ++seen_) {
    const auto c = static_cast<unsigned char>(text_[seen_]);
    if (c == '\n') {
      ++line_;
      column_ = 1;
    } else if ((c & 0xC0) != 0x80) {
      ++column_;
    }
  }
  ir::SourceLoc loc;
  loc.line = line_;
  loc.column = column_;
  loc.byte = static_cast<int64_t>(offset);
  return loc;
}

}  // namespace descry::importers
