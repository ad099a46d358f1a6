// The terminal: results to standard output, diagnostics to standard error, and the exit code they lead to.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "cli/support/command.h"
#include "ir/support/diagnostic.h"

namespace descry::cli {

class Json;

class Console {
 public:
  explicit Console(bool quiet = false) : quiet_(quiet) {}

  /// Standard output. A reader that closed the pipe ends the program quietly.
  void print(std::string_view text);
  /// A message of the program itself on standard error: `descry: text`.
  void say(std::string_view text);
  /// `file:line:col: error: message [code]` on standard error; at most 200 of them.
  void report(const ir::Diagnostic& diagnostic);
  void report(const std::vector<ir::Diagnostic>& diagnostics);
  /// Reports and returns the exit code that belongs to it.
  ExitCode fail(const ir::Diagnostic& diagnostic);
  ExitCode usage(std::string_view message);
  /// Writes the rest of standard output. Returns `code`, or kRunFailed when the disk is full or the like.
  int finish(int code);

  /// Set by Ctrl+C and by --timeout.
  static const std::atomic<bool>& cancelled();
  static void installSignals();
  static void startTimeout(double seconds);

 private:
  void flush();
  std::string buffer_;
  bool quiet_ = false, broken_ = false;
  size_t reported_ = 0, unreported_ = 0;
};

/// Diagnostics as a JSON array under `key`.
void diagnosticsJson(Json& json, std::string_view key, const std::vector<ir::Diagnostic>& diagnostics);

/// A plain table: columns as wide as needed, two blanks between, numbers to the right. Control characters are
/// shown as `?`, so that no file can steer the terminal.
class Table {
 public:
  explicit Table(std::vector<std::string> titles);
  void right(size_t column) { right_[column] = true; }
  void row(std::vector<std::string> cells);
  std::string text() const;
  bool empty() const { return rows_.empty(); }

 private:
  std::vector<std::string> titles_;
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};
/// One line without control characters, cut to `limit` characters with `...`.
std::string tidy(std::string_view text, size_t limit = 0);

}  // namespace descry::cli
