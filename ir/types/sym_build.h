// Inside of symbolic expressions: the node and the checked arithmetic of its numbers. Private to ir/types.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/types/sym_expr.h"

namespace descry::ir {

struct SymExpr::Node {
  SymKind kind = SymKind::Number;
  SymRel rel = SymRel::Eq;
  bool clean = false;    ///< FloorDiv: a CleanDiv. Infinity: negative
  int64_t p = 0, q = 1;  ///< Number: p / q, q > 0. Bool: p
  std::string name;      ///< Symbol, Function, Real, and `&`, `|`, `~` of Logic
  std::vector<SymExpr> args;
  uint32_t size = 1, depth = 1;
  size_t hash = 0;
};

/// Access for the implementation files.
struct SymBuild {
  using Node = SymExpr::Node;
  static SymExpr make(Node node);  ///< fills in size, depth, hash; Undefined when too large
  static const Node& node(const SymExpr& e) { return *e.node_; }

  static SymExpr add(std::vector<SymExpr> terms);
  static SymExpr mul(std::vector<SymExpr> factors);
  static SymExpr pow(const SymExpr& base, const SymExpr& exponent);
  static SymExpr floorDiv(const SymExpr& base, const SymExpr& divisor, bool clean);
  static SymExpr minMax(bool max, std::vector<SymExpr> args);
  static SymExpr logic(const char* op, std::vector<SymExpr> args);
  /// Rebuilds `e` with other arguments.
  static SymExpr rebuild(const SymExpr& e, std::vector<SymExpr> args);
};

/// A fraction in lowest terms; `ok` is false after an overflow.
struct SymRational {
  int64_t p = 0, q = 1;
  bool ok = true;

  static SymRational of(__int128 p, __int128 q);
  friend SymRational operator+(SymRational a, SymRational b) {
    SymRational r = of(static_cast<__int128>(a.p) * b.q + static_cast<__int128>(b.p) * a.q,
                       static_cast<__int128>(a.q) * b.q);
    r.ok = r.ok && a.ok && b.ok;
    return r;
  }
  friend SymRational operator*(SymRational a, SymRational b) {
    SymRational r = of(static_cast<__int128>(a.p) * b.p, static_cast<__int128>(a.q) * b.q);
    r.ok = r.ok && a.ok && b.ok;
    return r;
  }
  bool isOne() const { return p == 1 && q == 1; }
  bool isZero() const { return p == 0; }
};

bool symIsOne(const SymExpr& e);
/// Factors of a product or terms of a sum, or the expression itself.
std::vector<SymExpr> symFactors(const SymExpr& e);
std::vector<SymExpr> symTerms(const SymExpr& e);
/// Base and integer exponent of a factor, as sympy's decompose_power.
std::pair<SymExpr, int64_t> symPower(const SymExpr& factor);
/// Splits off the numeric coefficient: 2*s0 gives 2 and s0.
SymRational symCoefficient(const SymExpr& e, SymExpr& rest);
/// Divides both by the greatest sum that divides them (sym_gcd.cpp). False: there is none.
bool symCancel(SymExpr& a, SymExpr& b);
/// Three-way comparison by sympy's sort_key, which decides the order of printing.
int symCompare(const SymExpr& a, const SymExpr& b);
/// floor(a / b) for b != 0 and a / b representable.
int64_t symFloorDivide(int64_t a, int64_t b);

}  // namespace descry::ir
