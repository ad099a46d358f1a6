// What is known of numbers that depend on data.
#include <algorithm>

#include "ir/ops/eval/value.h"

namespace descry::ir::eval {

namespace {

/// As PyTorch takes the symbols of sizes to be: neither 0 nor 1.
constexpr int64_t kLeastSize = 2;

SymRange rangeOf(const SymExpr& e, const SymExpr::Ranges& known) {
  SymExpr::Ranges ranges = known;
  for (const std::string& s : e.symbols())
    if (s.starts_with('s')) ranges.try_emplace(s, SymRange{kLeastSize, INT64_MAX});
  return e.range(ranges);
}

/// `factor * symbol + offset` of an expression with one symbol; false for all others.
bool linear(const SymExpr& e, std::string& symbol, int64_t& factor, int64_t& offset) {
  const std::vector<std::string> symbols = e.symbols();
  if (symbols.size() != 1) return false;
  symbol = symbols[0];
  const Result<int64_t> zero = e.evaluate({{symbol, 0}}), one = e.evaluate({{symbol, 1}}),
                        ten = e.evaluate({{symbol, 10}});
  if (!zero || !one || !ten || *ten - *zero != 10 * (*one - *zero)) return false;
  offset = *zero;
  factor = *one - *zero;
  return sameValue(SymExpr::symbol(symbol) * SymExpr(factor) + SymExpr(offset), e);
}

}  // namespace

void NumberFacts::assume(const SymExpr& relation) {
  if (relation.kind() == SymKind::Logic && relation.name() == "&") {
    for (const SymExpr& part : relation.args()) assume(part);
    return;
  }
  if (relation.kind() != SymKind::Relation) return;
  const SymExpr &a = relation.args()[0], &b = relation.args()[1];
  const auto notNegativeNow = [&](const SymExpr& e) {
    std::string symbol;
    int64_t factor = 0, offset = 0;
    if (linear(e, symbol, factor, offset) && (factor == 1 || factor == -1)) {
      if (symbol.starts_with('s')) return;
      SymRange& r = ranges[symbol];
      if (factor == 1)
        r.lo = std::max(r.lo, -offset);
      else
        r.hi = std::min(r.hi, offset);
      return;
    }
    notNegative.push_back(e.expanded());
  };
  switch (relation.relation()) {
    case SymRel::Ge:
      return notNegativeNow(a - b);
    case SymRel::Gt:
      return notNegativeNow(a - b - SymExpr(1));
    case SymRel::Le:
      return notNegativeNow(b - a);
    case SymRel::Lt:
      return notNegativeNow(b - a - SymExpr(1));
    case SymRel::Eq:
      notNegativeNow(a - b);
      notNegativeNow(b - a);
      return;
    case SymRel::Ne:
      return;
  }
}

std::optional<bool> NumberFacts::decideForSizes(SymRel rel, const SymExpr& a, const SymExpr& b) const {
  NumberFacts sizes;
  sizes.ranges = ranges;
  sizes.notNegative = notNegative;
  for (auto& [symbol, range] : sizes.ranges)
    if (symbol.starts_with('u') && range.lo >= 0) range.lo = std::max(range.lo, kLeastSize);
  return sizes.decide(rel, a, b);
}

std::optional<bool> NumberFacts::decide(SymRel rel, const SymExpr& a, const SymExpr& b) const {
  const SymExpr d = (a - b).expanded();
  if (!d.defined()) return std::nullopt;
  SymRange r = rangeOf(d, ranges);
  // With an asserted e >= 0, d is at least d - e and at most d + e.
  for (const SymExpr& e : notNegative) {
    r.lo = std::max(r.lo, rangeOf((d - e).expanded(), ranges).lo);
    r.hi = std::min(r.hi, rangeOf((d + e).expanded(), ranges).hi);
  }
  switch (rel) {
    case SymRel::Lt:
    case SymRel::Ge:
      if (r.hi < 0) return rel == SymRel::Lt;
      if (r.lo >= 0) return rel == SymRel::Ge;
      return std::nullopt;
    case SymRel::Le:
    case SymRel::Gt:
      if (r.hi <= 0) return rel == SymRel::Le;
      if (r.lo > 0) return rel == SymRel::Gt;
      return std::nullopt;
    case SymRel::Eq:
    case SymRel::Ne:
      if (r.lo == 0 && r.hi == 0) return rel == SymRel::Eq;
      if (r.lo > 0 || r.hi < 0) return rel == SymRel::Ne;
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace descry::ir::eval
