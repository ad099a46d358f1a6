// Symbolic integer expressions as PyTorch prints them in shapes: `2*s77 + 1`, `((s17 + s77)//2)`, `Max(1,
// u0)`.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/support/result.h"

namespace descry::ir {

enum class SymKind : uint8_t {
  Undefined,  ///< nan: division by zero, a number that does not fit 64 bits, an expression grown too large
  Number,     ///< integer or fraction
  Real,       ///< a float, kept as text
  Infinity,   ///< int_oo or -int_oo
  Bool,       ///< True, False
  Symbol,
  Add,
  Mul,
  Pow,
  FloorDiv,  ///< and CleanDiv
  Function,  ///< Max, Min, Mod, PythonMod, ModularIndexing, ToFloat, Where, and any other name
  Relation,  ///< == != < <= > >=
  Logic,     ///< & | ~
};

enum class SymRel : uint8_t { Eq, Ne, Lt, Le, Gt, Ge };

/// Integers from lo to hi, both included. INT64_MIN and INT64_MAX stand for no bound.
struct SymRange {
  int64_t lo = INT64_MIN, hi = INT64_MAX;
  bool bounded() const { return lo != INT64_MIN && hi != INT64_MAX; }
  bool single() const { return lo == hi; }
  friend bool operator==(const SymRange&, const SymRange&) = default;
};

/// An immutable expression; copies share. Built in the form that sympy's automatic evaluation gives: sums and
/// products are flat, like terms are collected, a number is multiplied into a sum, but products of sums stay
/// products (`s77*(s27 + 1)`). So what PyTorch prints reads back and prints the same.
/// Equal means equal in that form; `sameValue` expands first.
/// Nothing is assumed of a symbol: Max(1, s0) stays even where PyTorch knows that s0 is positive.
/// An operation whose result is not defined or too large gives SymKind::Undefined, which absorbs everything.
class SymExpr {
 public:
  SymExpr() : SymExpr(0) {}
  SymExpr(int64_t value);  // NOLINT: implicit on purpose
  static SymExpr fraction(int64_t numerator, int64_t denominator);
  static SymExpr symbol(std::string_view name);
  static SymExpr infinity(bool negative = false);
  static SymExpr boolean(bool value);
  static SymExpr real(std::string_view text);
  static SymExpr undefined();
  static SymExpr function(std::string_view name, std::vector<SymExpr> args);

  /// Reads sympy text (also `a % b`, `a == b`, `a and b`, and the heads that sympy's srepr writes:
  /// `Integer(2)`, `Symbol('s0', positive=True)`). Error: `sym-syntax`, `sym-overflow`, `sym-too-large`, with
  /// the column.
  static Result<SymExpr> parse(std::string_view text);

  SymKind kind() const;
  bool isInteger() const;   ///< an integer constant
  int64_t integer() const;  ///< numerator of a Number
  int64_t denominator() const;
  bool defined() const { return kind() != SymKind::Undefined; }
  /// Symbol: its name. Function: its name. Real: as written.
  const std::string& name() const;
  /// In the order in which they are printed. Pow: base and exponent. Relation: both sides.
  const std::vector<SymExpr>& args() const;
  SymRel relation() const;
  uint32_t size() const;  ///< nodes of the tree
  uint32_t depth() const;
  size_t hash() const;

  /// As PyTorch prints it in graphs.
  std::string text() const;
  /// Names of the symbols, sorted, each once.
  std::vector<std::string> symbols() const;
  /// Products of sums multiplied out. Undefined when that takes more than some thousand terms.
  SymExpr expanded() const;
  /// Symbols replaced by what `f` returns for their name (nullptr: kept).
  SymExpr substitute(const std::function<const SymExpr*(std::string_view)>& f) const;
  SymExpr substitute(const std::unordered_map<std::string, SymExpr>& values) const;

  using Bindings = std::unordered_map<std::string, int64_t>;
  /// The value under `values` (the hints of symbols, for example). Relations give 0 or 1. Errors:
  /// `sym-unbound`, `sym-overflow`, `sym-division` (by zero), `sym-not-integer` (a float, or a function that
  /// is not known).
  Result<int64_t> evaluate(const Bindings& values) const;

  using Ranges = std::unordered_map<std::string, SymRange>;
  /// Bounds of the value when each symbol lies in its range; symbols not in `ranges` have no bounds. Interval
  /// arithmetic: never too narrow, perhaps too wide.
  SymRange range(const Ranges& ranges) const;

  friend bool operator==(const SymExpr& a, const SymExpr& b);
  friend SymExpr operator+(const SymExpr& a, const SymExpr& b);
  friend SymExpr operator-(const SymExpr& a, const SymExpr& b);
  friend SymExpr operator*(const SymExpr& a, const SymExpr& b);
  friend SymExpr operator-(const SymExpr& a);

 private:
  friend struct SymBuild;
  struct Node;
  explicit SymExpr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

/// Equal for all values of the symbols as far as multiplying out shows it.
bool sameValue(const SymExpr& a, const SymExpr& b);
SymExpr symFloorDiv(const SymExpr& a, const SymExpr& b);
SymExpr symTrueDiv(const SymExpr& a, const SymExpr& b);  ///< a fraction, as `/` in sympy
SymExpr symMod(const SymExpr& a, const SymExpr& b);      ///< Mod: both sides are not negative
SymExpr symPythonMod(const SymExpr& a, const SymExpr& b);
SymExpr symPow(const SymExpr& base, const SymExpr& exponent);
SymExpr symMax(std::vector<SymExpr> args);
SymExpr symMin(std::vector<SymExpr> args);
SymExpr symRelation(SymRel rel, const SymExpr& a, const SymExpr& b);
/// Whether sympy's assumptions alone show it to be positive, or not negative: symbols of sizes (`s77`) are
/// positive, of those that depend on data (`u0`) nothing is known.
bool symPositive(const SymExpr& e);
bool symNotNegative(const SymExpr& e);

}  // namespace descry::ir
