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
  explicit Console(bool quiet = false);

  /// The program's own words on standard output: nothing in them steers a terminal, wherever they go. When
  /// the reader has closed the pipe, the rest is dropped quietly.
  void print(std::string_view text);
  /// Text that must stay as it is, byte for byte: graphs, JSON, pictures. Only on a terminal it is made safe
  /// as well, since what a program reads never goes there.
  void printExact(std::string_view text);
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
  /// From now on the program ends with a message and kCannotRead when memory runs out, in any thread.
  static void installMemoryGuard();

 private:
  void add(std::string_view text);
  void flush();
  std::string buffer_;
  bool quiet_ = false, terminal_ = false;
  bool broken_ = false;  ///< nothing more can be written
  bool failed_ = false;  ///< and not only since the reader went away
  size_t reported_ = 0, unreported_ = 0;
};

/// Diagnostics as a JSON array under `key`.
void diagnosticsJson(Json& json, std::string_view key, const std::vector<ir::Diagnostic>& diagnostics);

/// A plain table: columns as wide as needed, two blanks between, numbers to the right. Cells are made tidy,
/// so that no file can steer the terminal.
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
/// One line that is safe on a terminal (session/terminal_text.h), cut to `limit` characters with `...`.
std::string tidy(std::string_view text, size_t limit = 0);

}  // namespace descry::cli
