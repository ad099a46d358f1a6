#include "session/value_text.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace descry::session {

std::string valueType(const runtime::Tensor& t) {
  std::string s(ir::dtypeInfo(t.meta.dtype).shortName);
  s += '[';
  for (size_t d = 0; d < t.meta.sizes.size(); ++d) s += (d ? ", " : "") + t.meta.sizes[d].str();
  return s + ']';
}

std::string shortNumber(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

std::optional<uint64_t> readCount(std::string_view text, bool bytes) {
  uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc()) return std::nullopt;
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  if (unit.empty()) return n;
  if (!bytes) return std::nullopt;
  uint64_t base = 1000;
  if (unit.ends_with("iB")) {
    base = 1024;
    unit.remove_suffix(2);
  } else if (unit.ends_with('B')) {
    unit.remove_suffix(1);
  }
  uint64_t factor = 1;
  if (unit.size() > 1) return std::nullopt;
  if (!unit.empty()) {
    const size_t power = std::string_view("KMGT").find(static_cast<char>(std::toupper(unit[0])));
    if (power == std::string_view::npos) return std::nullopt;
    for (size_t i = 0; i <= power; ++i) factor *= base;
  }
  uint64_t out = 0;
  if (__builtin_mul_overflow(n, factor, &out)) return std::nullopt;
  return out;
}

}  // namespace descry::session
