#include "ir/support/diagnostic.h"

namespace descry::ir {

std::string_view severityName(Severity severity) {
  switch (severity) {
    case Severity::Note:
      return "note";
    case Severity::Warning:
      return "warning";
    case Severity::Error:
      return "error";
  }
  return "error";
}

static std::string placed(const std::string& file, const SourceLoc& loc) {
  std::string out = file.empty() ? "<input>" : file;
  if (loc.line) {
    out += ':' + std::to_string(loc.line);
    if (loc.column) out += ':' + std::to_string(loc.column);
  }
  return out;
}

std::string Diagnostic::text() const {
  std::string out = placed(file, loc);
  out += ": ";
  out += severityName(severity);
  out += ": " + message + " [" + code + "]";
  for (const DiagnosticNote& note : notes)
    out += "\n" + placed(note.file.empty() ? file : note.file, note.loc) + ": note: " + note.message;
  return out;
}

void DiagnosticSink::add(Diagnostic diagnostic) {
  ++counts_[static_cast<int>(diagnostic.severity)];
  if (stored_.size() >= cap_) {
    ++dropped_;
    return;
  }
  if (diagnostic.file.empty()) diagnostic.file = file_;
  stored_.push_back(std::move(diagnostic));
}

static Diagnostic make(Severity severity, std::string code, SourceLoc loc, std::string message) {
  Diagnostic d;
  d.severity = severity;
  d.code = std::move(code);
  d.loc = loc;
  d.message = std::move(message);
  return d;
}

void DiagnosticSink::error(std::string code, SourceLoc loc, std::string message) {
  add(make(Severity::Error, std::move(code), loc, std::move(message)));
}
void DiagnosticSink::warning(std::string code, SourceLoc loc, std::string message) {
  add(make(Severity::Warning, std::move(code), loc, std::move(message)));
}
void DiagnosticSink::note(std::string code, SourceLoc loc, std::string message) {
  add(make(Severity::Note, std::move(code), loc, std::move(message)));
}

void DiagnosticSink::noteOnce(std::string code, std::string_view key, SourceLoc loc, std::string message) {
  if (seen_.size() > 10 * cap_) return;
  if (seen_.emplace(code + '\0' + std::string(key), true).second)
    note(std::move(code), loc, std::move(message));
}

}  // namespace descry::ir
