// A small streaming JSON writer: a graph of 100,000 nodes must not become a tree of JSON objects first.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "exporters/common/escape.h"

namespace descry::exporters {

/// Commas are put by the writer; brackets must match. `line()` breaks the line before the next item.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  void beginObject() { open('{'); }
  void endObject() { close('}'); }
  void beginArray() { open('['); }
  void endArray() { close(']'); }
  /// `name` must need no escapes.
  void key(std::string_view name) {
    separate();
    out_ += '"';
    out_ += name;
    out_ += "\":";
    afterKey_ = true;
  }
  void string(std::string_view text) {
    separate();
    appendJsonString(out_, text);
  }
  void integer(int64_t value) {
    separate();
    char buffer[24];
    const auto r = std::to_chars(buffer, buffer + sizeof buffer, value);
    out_.append(buffer, static_cast<size_t>(r.ptr - buffer));
  }
  void boolean(bool value) { raw(value ? "true" : "false"); }
  void null() { raw("null"); }
  /// `text` must be valid JSON.
  void raw(std::string_view text) {
    separate();
    out_ += text;
  }
  void line() { breakLine_ = true; }

  void field(std::string_view name, std::string_view value) {
    key(name);
    string(value);
  }
  void field(std::string_view name, const char* value) { field(name, std::string_view(value)); }
  void field(std::string_view name, bool value) {
    key(name);
    boolean(value);
  }
  void field(std::string_view name, int64_t value) {
    key(name);
    integer(value);
  }

 private:
  void separate() {
    if (afterKey_) {
      afterKey_ = false;
      return;
    }
    if (!first_) out_ += ',';
    if (breakLine_) out_ += '\n';
    breakLine_ = false;
    first_ = false;
  }
  void open(char c) {
    separate();
    out_ += c;
    first_ = true;
  }
  void close(char c) {
    if (breakLine_) out_ += '\n';
    breakLine_ = false;
    out_ += c;
    first_ = false;
  }

  std::string& out_;
  bool first_ = true, afterKey_ = false, breakLine_ = false;
};

}  // namespace descry::exporters
