#include "importers/descry_json/json_reader.h"

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

bool JsonReader::hex4(uint32_t& out) {
  if (text_.size() - at_ < 4) return fail("four hexadecimal digits are expected behind \\u");
  out = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = text_[at_++];
    uint32_t digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<uint32_t>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<uint32_t>(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<uint32_t>(c - 'A') + 10;
    } else {
      --at_;
      return fail("four hexadecimal digits are expected behind \\u");
    }
    out = out << 4 | digit;
  }
  return true;
}

static void appendUtf8(std::string& out, uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
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
    if (at_ + 1 >= text_.size()) return fail("the text ends inside a string");
    at_ += 2;
    switch (text_[at_ - 1]) {
      case '"':
        out += '"';
        break;
      case '\\':
        out += '\\';
        break;
      case '/':
        out += '/';
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'u': {
        uint32_t c1 = 0;
        if (!hex4(c1)) return false;
        if (c1 >= 0xD800 && c1 <= 0xDBFF && text_.substr(at_, 2) == "\\u") {
          const size_t back = at_;
          at_ += 2;
          uint32_t c2 = 0;
          if (!hex4(c2)) return false;
          if (c2 >= 0xDC00 && c2 <= 0xDFFF) {
            c1 = 0x10000 + ((c1 - 0xD800) << 10) + (c2 - 0xDC00);
          } else {
            at_ = back;
          }
        }
        if (c1 >= 0xD800 && c1 <= 0xDFFF) c1 = 0xFFFD;  // half a pair stands for no character
        appendUtf8(out, c1);
        break;
      }
      default:
        at_ -= 2;
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
