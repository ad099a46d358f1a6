// Text of symbolic expressions, and the order in which sympy prints terms and factors.
#include <cstdlib>

#include "ir/types/sym_build.h"

namespace descry::ir {

namespace {

// ---------------------------------------------------------------- order

/// sympy's class_key: numbers, symbols, products, sums, powers, functions, all else.
struct ClassKey {
  int group, index;
  std::string_view name;
};

ClassKey classKey(const SymExpr& e) {
  switch (e.kind()) {
    case SymKind::Number:
    case SymKind::Real:
    case SymKind::Infinity:
      return {1, 0, "Number"};
    case SymKind::Symbol:
      return {2, 0, "Symbol"};
    case SymKind::Bool:
      return {2, 0, SymBuild::node(e).p ? "BooleanTrue" : "BooleanFalse"};
    case SymKind::Mul:
      return {3, 0, "Mul"};
    case SymKind::Add:
      return {3, 1, "Add"};
    case SymKind::Pow:
      return {3, 2, "Pow"};
    case SymKind::FloorDiv:
      return {4, 10000, SymBuild::node(e).clean ? "CleanDiv" : "FloorDiv"};
    case SymKind::Function:
      if (e.name() == "Max" || e.name() == "Min") return {5, 0, e.name()};
      return {4, 10000, e.name()};
    case SymKind::Relation: {
      static constexpr std::string_view kNames[] = {"Equality", "Unequality",        "StrictLessThan",
                                                    "LessThan", "StrictGreaterThan", "GreaterThan"};
      return {5, 0, kNames[static_cast<size_t>(e.relation())]};
    }
    case SymKind::Logic:
      return {5, 0, e.name()};
    case SymKind::Undefined:
      return {1, 0, "NaN"};
  }
  return {6, 0, ""};
}

int sign(int64_t v) {
  return v < 0 ? -1 : v > 0;
}

double numberValue(const SymExpr& e) {
  if (e.kind() == SymKind::Infinity) return SymBuild::node(e).clean ? -1e308 : 1e308;
  if (e.kind() == SymKind::Real) return std::strtod(e.name().c_str(), nullptr);
  return static_cast<double>(e.integer()) / static_cast<double>(e.denominator());
}

int compareNumbers(const SymExpr& a, const SymExpr& b) {
  if (a.kind() == SymKind::Number && b.kind() == SymKind::Number) {
    const __int128 x = static_cast<__int128>(a.integer()) * b.denominator();
    const __int128 y = static_cast<__int128>(b.integer()) * a.denominator();
    return x < y ? -1 : x > y;
  }
  const double x = numberValue(a), y = numberValue(b);
  return x < y ? -1 : x > y;
}

}  // namespace

// Depth of expressions is bounded, so the recursion is.
int symCompare(const SymExpr& a, const SymExpr& b) {
  SymExpr x, y;
  const SymRational ca = symCoefficient(a, x), cb = symCoefficient(b, y);
  if (a.kind() == SymKind::Number) x = a;
  if (b.kind() == SymKind::Number) y = b;
  SymExpr ex(1), ey(1);
  if (x.kind() == SymKind::Pow) {
    ex = x.args()[1];
    x = SymExpr(x.args()[0]);
  }
  if (y.kind() == SymKind::Pow) {
    ey = y.args()[1];
    y = SymExpr(y.args()[0]);
  }
  const ClassKey kx = classKey(x), ky = classKey(y);
  if (kx.group != ky.group) return sign(kx.group - ky.group);
  if (kx.index != ky.index) return sign(kx.index - ky.index);
  if (const int c = kx.name.compare(ky.name)) return sign(c);
  if (kx.group == 1) return compareNumbers(x, y);
  if (x.kind() == SymKind::Symbol) {
    if (const int c = x.name().compare(y.name())) return sign(c);
  } else {
    if (x.args().size() != y.args().size()) return x.args().size() < y.args().size() ? -1 : 1;
    for (size_t i = 0; i < x.args().size(); ++i)
      if (const int c = symCompare(x.args()[i], y.args()[i])) return c;
  }
  const bool numericExponents = ex.kind() == SymKind::Number && ey.kind() == SymKind::Number;
  if (const int c = numericExponents ? compareNumbers(ex, ey) : symCompare(ex, ey)) return c;
  const __int128 l = static_cast<__int128>(ca.p) * cb.q, r = static_cast<__int128>(cb.p) * ca.q;
  return l < r ? -1 : l > r;
}

namespace {

// ---------------------------------------------------------------- printing

// sympy's PRECEDENCE table.
constexpr int kOr = 20, kAnd = 30, kRel = 35, kBitOr = 36, kBitXor = 37, kBitAnd = 38, kAdd = 40, kMul = 50,
              kPow = 60, kFunc = 70, kNot = 100, kAtom = 1000;

int precedence(const SymExpr& e) {
  switch (e.kind()) {
    case SymKind::Number:
      if (e.integer() < 0) return kAdd;
      return e.denominator() == 1 ? kAtom : kMul;
    case SymKind::Real:
      return e.name()[0] == '-' ? kAdd : kAtom;
    case SymKind::Infinity:
      return SymBuild::node(e).clean ? kAdd : kAtom;
    case SymKind::Add:
      return kAdd;
    case SymKind::Mul:
      return e.args()[0].kind() == SymKind::Number && e.args()[0].integer() < 0 ? kAdd : kMul;
    case SymKind::Pow:
      return kPow;
    case SymKind::FloorDiv:
      return kRel;
    case SymKind::Relation:
      return e.relation() == SymRel::Eq || e.relation() == SymRel::Ne ? kMul : kRel;
    case SymKind::Logic:
      return e.name() == "&" ? kAnd : e.name() == "|" ? kOr : kNot;
    case SymKind::Function: {
      const std::string& n = e.name();
      if (n == "Max" || n == "Min") return kAtom;
      if (n == "Mod" || n == "PythonMod" || n == "ModularIndexing" || n == "Where" || n == "IntTrueDiv" ||
          n == "FloatTrueDiv")
        return kRel;
      if (n == "PowByNatural") return kMul;
      if (n == "FloatPow") return kPow;
      if (n == "Identity") return 10;
      if (n == "BitwiseFn_bitwise_and") return kBitAnd;
      if (n == "BitwiseFn_bitwise_or") return kBitOr;
      if (n == "BitwiseFn_bitwise_xor") return kBitXor;
      return kFunc;
    }
    default:
      return kAtom;
  }
}

void print(std::string& out, const SymExpr& e);

void parenthesize(std::string& out, const SymExpr& e, double level) {
  const bool brackets = precedence(e) <= level;
  if (brackets) out += '(';
  print(out, e);
  if (brackets) out += ')';
}

void printJoined(std::string& out, const std::vector<SymExpr>& args, const char* between) {
  for (size_t i = 0; i < args.size(); ++i) {
    if (i) out += between;
    print(out, args[i]);
  }
}

void printMul(std::string& out, const SymExpr& e) {
  const int level = precedence(e);
  std::vector<SymExpr> above, below;
  for (const SymExpr& f : e.args()) {
    if (f.kind() == SymKind::Number) {
      if (f.integer() < 0) out += '-';
      const int64_t p = f.integer() < 0 ? -f.integer() : f.integer();
      if (p != 1) above.emplace_back(p);
      if (f.denominator() != 1) below.emplace_back(f.denominator());
    } else if (f.kind() == SymKind::Pow && f.args()[1].kind() == SymKind::Number &&
               f.args()[1].integer() < 0) {
      below.push_back(SymBuild::pow(f.args()[0], -f.args()[1]));
    } else {
      above.push_back(f);
    }
  }
  if (above.empty()) above.emplace_back(1);
  for (size_t i = 0; i < above.size(); ++i) {
    if (i) out += '*';
    parenthesize(out, above[i], level);
  }
  if (below.empty()) return;
  out += '/';
  if (below.size() > 1) out += '(';
  for (size_t i = 0; i < below.size(); ++i) {
    if (i) out += '*';
    parenthesize(out, below[i], level);
  }
  if (below.size() > 1) out += ')';
}

void print(std::string& out, const SymExpr& e) {
  const SymBuild::Node& n = SymBuild::node(e);
  switch (n.kind) {
    case SymKind::Undefined:
      out += "nan";
      return;
    case SymKind::Number:
      out += std::to_string(n.p);
      if (n.q != 1) out += "/" + std::to_string(n.q);
      return;
    case SymKind::Real:
    case SymKind::Symbol:
      out += n.name;
      return;
    case SymKind::Infinity:
      out += n.clean ? "-int_oo" : "int_oo";
      return;
    case SymKind::Bool:
      out += n.p ? "True" : "False";
      return;
    case SymKind::Add:
      for (size_t i = 0; i < n.args.size(); ++i) {
        std::string term;
        print(term, n.args[i]);
        const bool minus = term[0] == '-' && n.args[i].kind() != SymKind::Add;
        const std::string_view body = minus ? std::string_view(term).substr(1) : std::string_view(term);
        if (i)
          out += minus ? " - " : " + ";
        else if (minus)
          out += '-';
        if (precedence(n.args[i]) < kAdd || n.args[i].kind() == SymKind::Add)
          out.append("(").append(body).append(")");
        else
          out += body;
      }
      return;
    case SymKind::Mul:
      printMul(out, e);
      return;
    case SymKind::Pow:
      if (n.args[1].isInteger() && n.args[1].integer() == -1) {
        out += "1/";
        parenthesize(out, n.args[0], kPow);
        return;
      }
      parenthesize(out, n.args[0], kPow);
      out += "**";
      parenthesize(out, n.args[1], kPow);
      return;
    case SymKind::FloorDiv:
      out += '(';
      parenthesize(out, n.args[0], kAtom - 0.5);
      out += "//";
      parenthesize(out, n.args[1], kAtom - 0.5);
      out += ')';
      return;
    case SymKind::Function:
      out += n.name + "(";
      printJoined(out, n.args, ", ");
      out += ')';
      return;
    case SymKind::Relation: {
      if (n.rel == SymRel::Eq || n.rel == SymRel::Ne) {
        out += n.rel == SymRel::Eq ? "Eq(" : "Ne(";
        printJoined(out, n.args, ", ");
        out += ')';
        return;
      }
      static constexpr const char* kSigns[] = {"", "", " < ", " <= ", " > ", " >= "};
      parenthesize(out, n.args[0], kRel);
      out += kSigns[static_cast<size_t>(n.rel)];
      parenthesize(out, n.args[1], kRel);
      return;
    }
    case SymKind::Logic:
      if (n.name == "~") {
        out += '~';
        parenthesize(out, n.args[0], kNot);
        return;
      }
      for (size_t i = 0; i < n.args.size(); ++i) {
        if (i) out += " " + n.name + " ";
        parenthesize(out, n.args[i], n.name == "&" ? kBitAnd : kBitOr);
      }
      return;
  }
}

}  // namespace

std::string SymExpr::text() const {
  std::string out;
  print(out, *this);
  return out;
}

}  // namespace descry::ir
