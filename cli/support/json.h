// Writes JSON in the order of the calls, indented by two blanks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace descry::cli {

class Json {
 public:
  Json& object() { return open('{'); }
  Json& array() { return open('['); }
  Json& end();
  Json& key(std::string_view name);

  Json& value(std::string_view text);
  Json& value(const char* text) { return value(std::string_view(text)); }
  Json& value(const std::string& text) { return value(std::string_view(text)); }
  Json& value(bool b) { return raw(b ? "true" : "false"); }
  Json& value(int64_t n) { return raw(std::to_string(n)); }
  Json& value(int n) { return raw(std::to_string(n)); }
  Json& value(uint32_t n) { return raw(std::to_string(n)); }
  Json& value(uint64_t n) { return raw(std::to_string(n)); }
  Json& value(double n);
  Json& null() { return raw("null"); }
  template <class T>
  Json& value(const std::optional<T>& v) {
    return v ? value(*v) : null();
  }

  template <class T>
  Json& field(std::string_view name, const T& v) {
    key(name);
    return value(v);
  }
  /// Empty text as null.
  Json& textOrNull(std::string_view name, std::string_view text) {
    key(name);
    return text.empty() ? null() : value(text);
  }
  /// A finished JSON text as the value.
  Json& raw(std::string_view json);

  const std::string& text() const { return out_; }
  std::string take() { return std::move(out_ += '\n'); }

 private:
  Json& open(char bracket);
  void before();

  std::string out_;
  struct Level {
    char close;
    bool any;
  };
  std::vector<Level> levels_;
  bool afterKey_ = false;
};

}  // namespace descry::cli
