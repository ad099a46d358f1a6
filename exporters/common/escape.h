// Escaping for each output language, so that no text of an opened file can become markup or code.
#pragma once

#include <string>
#include <string_view>

namespace descry::exporters {

/// Valid UTF-8 for people and for formats that forbid control characters: bad bytes become U+FFFD; controls
/// other than \n and \t become their pictures (U+2400 ...), so that NUL and ESC can be seen and do nothing.
std::string visibleUtf8(std::string_view text);
/// As visibleUtf8, on one line: \n and \t become pictures too.
std::string visibleLine(std::string_view text);

/// Text between tags, XML 1.0 and HTML.
void appendXmlText(std::string& out, std::string_view text);
/// Text inside an attribute in double quotes, XML 1.0 and HTML: line breaks and tabs as character references.
void appendXmlAttribute(std::string& out, std::string_view text);
std::string xmlText(std::string_view text);
std::string xmlAttribute(std::string_view text);

/// JSON string with its quotes. Bad UTF-8 becomes U+FFFD, controls \u00XX; all else stands for itself.
void appendJsonString(std::string& out, std::string_view text);
/// As appendJsonString, fit for a <script> element: `<`, `>`, `&`, U+2028 and U+2029 as \uXXXX.
void appendScriptJsonString(std::string& out, std::string_view text);

/// A value for cgraph: backslashes doubled, so that neither `\N`, `\G`, `\l` nor a last `\` keeps a meaning.
/// DOT readers get data with doubled backslashes; DOT itself has no other way to hold them.
std::string dotValue(std::string_view text);
/// As dotValue, for labels: line breaks become `\n`.
std::string dotLabel(std::string_view text);

/// One CSV field after RFC 4180: quoted when needed, quotes doubled. A field that begins with `=`, `+`, `-`,
/// `@`, a tab or a return and is no number gets a `'` in front: spreadsheets would run it as a formula
/// otherwise. Readers that want the exact text drop that one `'`; a text of the file that begins with `'`
/// gets a second one, so the rule can be undone. NUL and other controls become pictures, bad UTF-8 U+FFFD.
void appendCsvField(std::string& out, std::string_view text);

/// At most `limit` characters (code points): the middle gives way to U+2026.
std::string shortened(std::string_view text, size_t limit);

}  // namespace descry::exporters
