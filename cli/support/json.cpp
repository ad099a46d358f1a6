#include "cli/support/json.h"

#include <cmath>
#include <cstdio>

#include "ir/support/python_text.h"

namespace descry::cli {

void Json::before() {
  if (afterKey_) {
    afterKey_ = false;
    return;
  }
  if (levels_.empty()) return;
  if (levels_.back().any) out_ += ',';
  levels_.back().any = true;
  out_ += '\n';
  out_.append(2 * levels_.size(), ' ');
}

Json& Json::open(char bracket) {
  before();
  out_ += bracket;
  levels_.push_back({bracket == '{' ? '}' : ']', false});
  return *this;
}

Json& Json::end() {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.any) {
    out_ += '\n';
    out_.append(2 * levels_.size(), ' ');
  }
  out_ += level.close;
  return *this;
}

Json& Json::key(std::string_view name) {
  value(name);
  out_ += ": ";
  afterKey_ = true;
  return *this;
}

Json& Json::value(std::string_view text) {
  before();
  size_t bad = 0;
  const std::string clean = ir::cleanUtf8(text, bad);
  out_ += '"';
  for (const char c : clean) {
    switch (c) {
      case '"':
        out_ += "\\\"";
        break;
      case '\\':
        out_ += "\\\\";
        break;
      case '\n':
        out_ += "\\n";
        break;
      case '\t':
        out_ += "\\t";
        break;
      case '\r':
        out_ += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
          char buffer[8];
          std::snprintf(buffer, sizeof buffer, "\\u%04x",
                        static_cast<unsigned>(static_cast<unsigned char>(c)));
          out_ += buffer;
        } else {
          out_ += c;
        }
    }
  }
  out_ += '"';
  return *this;
}

Json& Json::value(double n) {
  if (!std::isfinite(n)) return null();
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.6g", n);
  return raw(buffer);
}

Json& Json::raw(std::string_view json) {
  before();
  out_ += json;
  return *this;
}

}  // namespace descry::cli
