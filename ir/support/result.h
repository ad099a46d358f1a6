// Result<T>: a value, or the diagnostic that says why there is none.
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "ir/support/diagnostic.h"

namespace descry::ir {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}                     // NOLINT: implicit on purpose
  Result(Diagnostic diagnostic) : state_(std::move(diagnostic)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Diagnostic& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Diagnostic> state_;
};

/// Success, or a diagnostic.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Diagnostic diagnostic) : error_(std::move(diagnostic)) {}  // NOLINT

  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Diagnostic& error() const { return *error_; }

 private:
  std::optional<Diagnostic> error_;
};

/// An error diagnostic without a place: for the environment (files, memory) and for wrong usage.
inline Diagnostic failure(std::string code, std::string message, std::string file = {}) {
  Diagnostic d;
  d.code = std::move(code);
  d.message = std::move(message);
  d.file = std::move(file);
  return d;
}

}  // namespace descry::ir
