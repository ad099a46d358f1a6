// A pull reader for JSON text: knows the place of every value, builds no tree, and survives anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ir/support/diagnostic.h"

namespace descry::importers {

enum class JsonKind : uint8_t { Null, Bool, Number, String, Array, Object, Bad };

/// Reads values one after the other. After the first syntax error every read fails (`ok()` is false) and
/// `error` says what was expected and where. Nesting is limited to kMaxDepth, by a counter and not by the C
/// stack.
class JsonReader {
 public:
  static constexpr int kMaxDepth = 1000;

  explicit JsonReader(std::string_view text, size_t at = 0) : text_(text), at_(at) {}

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  size_t position() const { return at_; }
  void seek(size_t at) { at_ = at; }

  /// Kind of the value that comes next; Bad at the end of the text and for characters that start no value.
  JsonKind peek();
  /// Steps into an object or array that peek() has announced.
  void enter();
  /// Moves to the next member of the object last entered and reads its key; false at the end of the object.
  /// `first` must be true before the first member and is cleared.
  bool nextKey(bool& first, std::string& key);
  /// The same for arrays.
  bool nextItem(bool& first);

  /// Each reads one value of the kind that peek() announced; false after a syntax error.
  bool readString(std::string& out);
  bool readBool(bool& out);
  bool readNull();
  /// The text of a number, checked against JSON's grammar.
  bool readNumber(std::string_view& out);
  /// Passes over one value of any kind.
  bool skip();
  /// True when only white space is left.
  bool atEnd();

 private:
  void space();
  bool fail(std::string message);
  bool literal(std::string_view word);

  std::string_view text_;
  size_t at_;
  int depth_ = 0;
  std::string error_;
};

/// Lines and columns of byte offsets; columns count characters. Cheap when offsets rise.
class LineFinder {
 public:
  explicit LineFinder(std::string_view text) : text_(text) {}
  ir::SourceLoc at(size_t offset);

 private:
  std::string_view text_;
  size_t seen_ = 0;
  uint32_t line_ = 1, column_ = 1;  // of seen_
};

}  // namespace descry::importers
