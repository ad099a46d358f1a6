// Takes away what terminals, web pages and mail programs put between the lines of a file and the text of a
// graph, and remembers where each character stood.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace descry::importers {

/// From offset `clean` of a cleaned line on, the text stands `raw` bytes behind the start of the raw line,
/// until the next shift.
struct LineShift {
  uint32_t clean = 0, raw = 0;
};

/// Appends `raw` without terminal colours, with non-breaking blanks as blanks, and with the quotes of web
/// pages as plain ones where the line has no plain ones of that sort (a curly quote inside a plain string
/// stays); `html` resolves escapes such as `&lt;`. `shifts` gets the places where text was left out or
/// replaced; it stays empty for a line that is already clean. Cost: linear.
void appendCleanLine(std::string& out, std::string_view raw, bool html,
                     std::vector<LineShift>* shifts = nullptr);

/// True when graph text in `head` needs this before it can be read at all: blanks that are no blanks in
/// front of or inside statements, or curly quotes around types.
bool pastedFromPage(std::string_view head);

}  // namespace descry::importers
