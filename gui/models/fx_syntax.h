// Cuts one line of FX text into coloured spans.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace descry::gui {

enum class SpanKind : uint8_t { Plain, Comment, Keyword, String, Number, Name, Type };

struct TextSpan {
  uint32_t begin = 0, length = 0;  ///< bytes
  SpanKind kind = SpanKind::Plain;
  friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

/// Spans cover the line without gaps. Name: the name a statement or parameter defines. Type: annotations such
/// as "f32[8]".
std::vector<TextSpan> fxSpans(std::string_view line);

}  // namespace descry::gui
