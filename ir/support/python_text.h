// How Python writes the values that graphs hold: repr() of floats and strings, and reading them back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace descry::ir {

/// repr(float): shortest digits that read back, `1e-05`, `1e+16`, `0.1`, `2.0`, `inf`, `-inf`, `nan`.
std::string pythonFloat(double value);
void appendPythonFloat(std::string& out, double value);

/// repr(str): single quotes unless the text holds one and no double quote; \n \t \r \\ \xHH escapes.
/// Bytes that are not UTF-8 are written as \xHH.
std::string pythonString(std::string_view text);
void appendPythonString(std::string& out, std::string_view text);

/// Reads the inside of a Python string literal (without quotes or prefix). Unknown escapes are kept as
/// written.
std::string unescapePython(std::string_view body);

/// True for a Python identifier in ASCII or UTF-8 letters.
bool isIdentifier(std::string_view text);

/// True for words of Python's grammar (`def`, `None`), which cannot be names.
bool isPythonKeyword(std::string_view text);
/// True for names that Python code takes for functions of its own when nothing else has them (`float`,
/// `len`).
bool isPythonBuiltin(std::string_view text);

/// Valid UTF-8 is returned unchanged; bad bytes become U+FFFD and are counted in `bad`.
std::string cleanUtf8(std::string_view text, size_t& bad);

}  // namespace descry::ir
