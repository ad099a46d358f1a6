// Diagnostics: what was wrong, where, and a stable code that scripts can match.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace descry::ir {

enum class Severity : uint8_t { Note, Warning, Error };

/// "note", "warning", "error".
std::string_view severityName(Severity severity);

/// A place in the original file. Lines and columns count from 1; 0 means unknown.
/// `byte` is the offset from the start of the file, -1 when unknown.
struct SourceLoc {
  uint32_t line = 0;
  uint32_t column = 0;
  int64_t byte = -1;
};

struct DiagnosticNote {
  SourceLoc loc;
  std::string message;
  std::string file = {};  ///< empty: that of the diagnostic
};

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string code;     ///< stable, kebab case: "use-before-definition"
  std::string message;  ///< lower case, no final stop, names what was expected and found
  std::string file;     ///< as the user named it; empty for graphs that come from no file
  SourceLoc loc;
  uint32_t length = 0;  ///< characters the fault covers, 0 when unknown
  std::string graph;    ///< graph id or name, when known
  std::string node;     ///< node name, when the fault belongs to one
  std::vector<DiagnosticNote> notes;

  /// `file:line:col: error: message [code]`, notes on lines of their own.
  std::string text() const;
};

/// Collects diagnostics of one input. At most `cap` are stored; the rest are only counted, so that a
/// hostile file cannot fill the memory.
class DiagnosticSink {
 public:
  explicit DiagnosticSink(size_t cap = 1000) : cap_(cap) {}

  void add(Diagnostic diagnostic);
  void error(std::string code, SourceLoc loc, std::string message);
  void warning(std::string code, SourceLoc loc, std::string message);
  void note(std::string code, SourceLoc loc, std::string message);
  /// Adds `note` only the first time this (code, key) pair is seen.
  void noteOnce(std::string code, std::string_view key, SourceLoc loc, std::string message);

  /// File name that is written into diagnostics that have none.
  void setFile(std::string file) { file_ = std::move(file); }
  const std::string& file() const { return file_; }

  const std::vector<Diagnostic>& all() const { return stored_; }
  std::vector<Diagnostic> take() { return std::move(stored_); }
  size_t errors() const { return counts_[2]; }
  size_t warnings() const { return counts_[1]; }
  size_t notes() const { return counts_[0]; }
  /// How many were counted but not stored.
  size_t dropped() const { return dropped_; }

 private:
  size_t cap_;
  std::string file_;
  std::vector<Diagnostic> stored_;
  std::unordered_map<std::string, bool> seen_;
  size_t counts_[3] = {0, 0, 0};
  size_t dropped_ = 0;
};

}  // namespace descry::ir
