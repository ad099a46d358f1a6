#include "cli/support/console.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>

#include "cli/support/json.h"
#include "session/terminal_text.h"

namespace descry::cli {

namespace {

constexpr size_t kMostReported = 200;

std::atomic<bool> cancelledFlag{false};

void onCancel(int) {
  // Code that watches the flag has a second to end by itself; the next signal ends the program.
  if (cancelledFlag.exchange(true)) _exit(kCancelled);
  itimerval again{};
  again.it_value.tv_sec = 1;
  setitimer(ITIMER_REAL, &again, nullptr);
}

bool writeAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

size_t width(std::string_view text) {
  return session::characterCount(text);
}

std::terminate_handler systemHandler = nullptr;

/// Ends the program when memory ran out, in whichever thread: an exception that leaves a worker comes here
/// and nowhere else. Nothing is allocated on the way, and no half of an output is written.
[[noreturn]] void onTerminate() {
  static std::atomic<bool> entered{false};
  if (entered.exchange(true)) std::abort();
  bool noMemory = false;
  try {
    throw;  // current_exception would need memory to be looked into
  } catch (const std::bad_alloc&) {
    noMemory = true;
  } catch (const std::length_error&) {
    noMemory = true;  // more than a container may ever hold
  } catch (const std::system_error& e) {
    // A thread could not be started: there is no room for its stack.
    noMemory =
        e.code() == std::errc::resource_unavailable_try_again || e.code() == std::errc::not_enough_memory;
  } catch (...) {
    noMemory = false;
  }
  if (!noMemory) {
    systemHandler();
    std::abort();
  }
  writeAll(STDERR_FILENO, "descry: error: not enough memory [out-of-memory]\n");
  _exit(kCannotRead);
}

}  // namespace

ExitCode exitCodeOf(std::string_view code) {
  struct Row {
    std::string_view code;
    ExitCode exit;
  };
  static constexpr Row kRows[] = {
      {"graph-not-found", kUsage},  {"graph-ambiguous", kUsage},   {"node-not-found", kUsage},
      {"format-unknown", kUsage},   {"theme-unknown", kUsage},     {"query", kUsage},
      {"output-is-input", kUsage},  {"cancelled", kCancelled},     {"format-missing", kDeviceMissing},
      {"cannot-write", kRunFailed}, {"export-failed", kRunFailed}, {"scene-missing", kRunFailed}};
  for (const Row& r : kRows)
    if (r.code == code) return r.exit;
  return kCannotRead;
}

const std::atomic<bool>& Console::cancelled() {
  return cancelledFlag;
}

void Console::installSignals() {
  signal(SIGPIPE, SIG_IGN);
  struct sigaction action {};
  action.sa_handler = onCancel;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGALRM, &action, nullptr);
}

void Console::installMemoryGuard() {
  systemHandler = std::set_terminate(onTerminate);
}

void Console::startTimeout(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec =
      static_cast<suseconds_t>((seconds - static_cast<double>(timer.it_value.tv_sec)) * 1e6);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

Console::Console(bool quiet) : quiet_(quiet), terminal_(isatty(STDOUT_FILENO) == 1) {}

void Console::print(std::string_view text) {
  add(session::terminalText(text));
}

void Console::printExact(std::string_view text) {
  terminal_ ? add(session::terminalText(text)) : add(text);
}

void Console::add(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() > (1u << 16)) flush();
}

void Console::flush() {
  if (!broken_ && !writeAll(STDOUT_FILENO, buffer_)) {
    broken_ = true;
    // A reader that has seen enough and closed the pipe is no failure; what the command found still decides
    // the exit code.
    if (errno != EPIPE) {
      failed_ = true;
      const std::string reason = std::strerror(errno);
      writeAll(STDERR_FILENO, "descry: cannot write standard output: " + reason + "\n");
    }
  }
  buffer_.clear();
}

void Console::say(std::string_view text) {
  flush();
  writeAll(STDERR_FILENO, "descry: " + session::terminalMessage(text) + "\n");
}

void Console::report(const ir::Diagnostic& d) {
  if (quiet_ && d.severity != ir::Severity::Error) return;
  if (reported_ >= kMostReported) {
    ++unreported_;
    return;
  }
  ++reported_;
  flush();
  writeAll(STDERR_FILENO, session::terminalMessage(d.text()) + "\n");
}

void Console::report(const std::vector<ir::Diagnostic>& diagnostics) {
  for (const ir::Diagnostic& d : diagnostics) report(d);
}

ExitCode Console::fail(const ir::Diagnostic& d) {
  report(d);
  return exitCodeOf(d.code);
}

ExitCode Console::usage(std::string_view message) {
  say(message);
  return kUsage;
}

int Console::finish(int code) {
  flush();
  if (unreported_)
    writeAll(STDERR_FILENO, "descry: " + std::to_string(unreported_) +
                                " more diagnostics; `descry info --json` lists all\n");
  return failed_ && code == kFine ? kRunFailed : code;
}

void diagnosticsJson(Json& json, std::string_view key, const std::vector<ir::Diagnostic>& diagnostics) {
  json.key(key).array();
  for (const ir::Diagnostic& d : diagnostics) {
    json.object()
        .field("severity", ir::severityName(d.severity))
        .field("code", d.code)
        .field("message", d.message);
    json.textOrNull("file", d.file).field("line", d.loc.line).field("column", d.loc.column);
    json.key("byte");
    if (d.loc.byte < 0)
      json.null();
    else
      json.value(d.loc.byte);
    json.textOrNull("graph", d.graph).textOrNull("node", d.node);
    json.key("notes").array();
    for (const ir::DiagnosticNote& n : d.notes) json.value(n.message);
    json.end().end();
  }
  json.end();
}

std::string tidy(std::string_view text, size_t limit) {
  std::string out = session::terminalText(text, session::LineBreaks::Join);
  if (limit && width(out) > limit) {
    out.resize(session::firstCharacters(out, limit - 3).size());
    out += "...";
  }
  return out;
}

Table::Table(std::vector<std::string> titles) : titles_(std::move(titles)), right_(titles_.size(), false) {}

void Table::row(std::vector<std::string> cells) {
  cells.resize(titles_.size());
  for (std::string& c : cells) c = tidy(c);
  rows_.push_back(std::move(cells));
}

std::string Table::text() const {
  std::vector<size_t> widths;
  for (size_t c = 0; c < titles_.size(); ++c) {
    size_t w = width(titles_[c]);
    for (const auto& r : rows_) w = std::max(w, width(r[c]));
    widths.push_back(w);
  }
  std::string out;
  auto line = [&](const std::vector<std::string>& cells) {
    std::string l;
    for (size_t c = 0; c < cells.size(); ++c) {
      const std::string pad(widths[c] - width(cells[c]), ' ');
      if (c) l += "  ";
      l += right_[c] ? pad + cells[c] : cells[c] + pad;
    }
    while (!l.empty() && l.back() == ' ') l.pop_back();
    out += l + "\n";
  };
  line(titles_);
  for (const auto& r : rows_) line(r);
  return out;
}

}  // namespace descry::cli
