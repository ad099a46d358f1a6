// Symbolic expressions against sympy and PyTorch 2.15: texts, values and operations.
#include "ir/types/sym_expr.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace descry::ir {
namespace {

std::vector<std::vector<std::string>> rows(const char* name) {
  std::ifstream in(std::string(DESCRY_SOURCE_DIR "/tests/data/") + name);
  std::vector<std::vector<std::string>> out;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> cells(1);
    for (char c : line) {
      if (c == '\t')
        cells.emplace_back();
      else
        cells.back() += c;
    }
    out.push_back(std::move(cells));
  }
  return out;
}

SymExpr read(std::string_view text) {
  Result<SymExpr> e = SymExpr::parse(text);
  EXPECT_TRUE(e.ok()) << text << ": " << (e.ok() ? "" : e.error().text());
  return e.ok() ? *e : SymExpr::undefined();
}

SymExpr::Bindings bindings(const std::string& text) {
  SymExpr::Bindings out;
  std::istringstream in(text);
  std::string one;
  while (std::getline(in, one, ',')) {
    const size_t eq = one.find('=');
    out[one.substr(0, eq)] = std::stoll(one.substr(eq + 1));
  }
  return out;
}

TEST(SymExpr, PrintsAsPyTorch) {
  const auto all = rows("sym_expr.tsv");
  ASSERT_GE(all.size(), 400u);
  for (const auto& row : all) {
    const SymExpr e = read(row[0]);
    EXPECT_EQ(e.text(), row[0]);
    std::string symbols;
    for (const std::string& s : e.symbols()) symbols += (symbols.empty() ? "" : ",") + s;
    EXPECT_EQ(symbols, row[1]) << row[0];
  }
}

TEST(SymExpr, ValuesAsSympy) {
  size_t checked = 0;
  for (const auto& row : rows("sym_expr.tsv")) {
    const SymExpr e = read(row[0]);
    for (size_t i = 2; i + 1 < row.size(); i += 2) {
      const SymExpr::Bindings values = bindings(row[i]);
      const Result<int64_t> v = e.evaluate(values);
      ASSERT_TRUE(v.ok()) << row[0] << " at " << row[i] << ": " << v.error().text();
      EXPECT_EQ(*v, std::stoll(row[i + 1])) << row[0] << " at " << row[i];
      ++checked;
      // The value lies in the range of ranges around the bindings.
      SymExpr::Ranges ranges;
      for (const auto& [name, value] : values) ranges[name] = {value - 3, value + 4};
      const SymRange r = e.range(ranges);
      EXPECT_LE(r.lo, *v) << row[0] << " at " << row[i];
      EXPECT_GE(r.hi, *v) << row[0] << " at " << row[i];
      // Multiplying out does not change the value.
      const SymExpr wide = e.expanded();
      if (wide.defined()) {
        const Result<int64_t> w = wide.evaluate(values);
        if (w.ok()) {
          EXPECT_EQ(*w, *v) << row[0] << " expanded to " << wide.text();
        }
      }
    }
  }
  EXPECT_GT(checked, 600u);
}

TEST(SymExpr, OperationsAsPyTorch) {
  const auto all = rows("sym_expr_ops.tsv");
  ASSERT_GE(all.size(), 150u);
  for (const auto& row : all) {
    const SymExpr a = read(row[1]), b = read(row[2]);
    SymExpr r;
    if (row[0] == "+")
      r = a + b;
    else if (row[0] == "-")
      r = a - b;
    else if (row[0] == "*")
      r = a * b;
    else if (row[0] == "//")
      r = symFloorDiv(a, b);
    else if (row[0] == "max")
      r = symMax({a, b});
    else if (row[0] == "min")
      r = symMin({a, b});
    else if (row[0] == "mod")
      r = symMod(a, b);
    else
      FAIL() << row[0];
    EXPECT_EQ(r.text(), row[3]) << row[1] << " " << row[0] << " " << row[2];
  }
}

TEST(SymExpr, EqualExpressionsCompareEqual) {
  EXPECT_EQ(read("s0 + s1"), read("s1 + s0"));
  EXPECT_EQ(read("2*(s0 + s1)"), read("2*s1 + 2*s0"));
  EXPECT_EQ(read("s0*s0"), read("s0**2"));
  EXPECT_EQ(read("s0 - s0"), SymExpr(0));
  EXPECT_EQ(read("Max(s0, Max(1, s1))"), read("Max(1, s1, s0)"));
  EXPECT_NE(read("s0*(s1 + 1)"), read("s0*s1 + s0"));
  EXPECT_TRUE(sameValue(read("s0*(s1 + 1)"), read("s0*s1 + s0")));
  EXPECT_TRUE(sameValue(read("(s0 + s1)**2"), read("s0**2 + 2*s0*s1 + s1**2")));
  EXPECT_FALSE(sameValue(read("s0 + 1"), read("s0 + 2")));
  EXPECT_EQ(read("s0 + 1").hash(), read("1 + s0").hash());
}

TEST(SymExpr, ReadsReprOfSympy) {
  EXPECT_EQ(read("Add(Mul(Integer(2), Symbol('s77', positive=True, integer=True)), Integer(1))").text(),
            "2*s77 + 1");
  EXPECT_EQ(read("GreaterThan(Symbol('u0', integer=True), Integer(0))").text(), "u0 >= 0");
  EXPECT_EQ(read("FloorDiv(Symbol('s0'), Integer(2))").text(), "(s0//2)");
  EXPECT_EQ(read("s0 % 2").text(), "Mod(s0, 2)");
  EXPECT_EQ(read("((2 * s0)) == (s1)").text(), "Eq(2*s0, s1)");
  EXPECT_EQ(read("2 <= s0 and s0 <= 5").text(), "(2 <= s0) & (s0 <= 5)");
}

TEST(SymExpr, ReadsAMinusBeforeAProduct) {
  // sympy: -1*(s0 - s1)*Max(2, s2), and (s1 - s0) times it.
  EXPECT_EQ(read("-(s0 - s1)*Max(2, s2)").text(), "-(s0 - s1)*Max(2, s2)");
  EXPECT_EQ(read("s3 - (s0 - s1)*Max(2, s2)").text(), "s3 - (s0 - s1)*Max(2, s2)");
  EXPECT_EQ(read("(-s0 + s1)*Max(2, s2)").text(), "(-s0 + s1)*Max(2, s2)");
  EXPECT_EQ(read("-(s0 - s1)").text(), "-s0 + s1");
  EXPECT_EQ(read("--s0").text(), "s0");
  EXPECT_EQ(read("-s0//2").text(), "((-s0)//2)");
}

TEST(SymExpr, Substitutes) {
  const SymExpr e = read("s0*(s1 + 1)");
  EXPECT_EQ(e.substitute({{"s0", SymExpr(3)}}).text(), "3*s1 + 3");
  EXPECT_EQ(e.substitute({{"s0", read("u0 - 1")}, {"s1", SymExpr(4)}}).text(), "5*u0 - 5");
}

TEST(SymExpr, Ranges) {
  const SymExpr::Ranges r = {{"s0", {2, 10}}, {"u0", {0, INT64_MAX}}};
  EXPECT_EQ(read("2*s0 + 1").range(r), (SymRange{5, 21}));
  EXPECT_EQ(read("((s0 + 1)//2)").range(r), (SymRange{1, 5}));
  EXPECT_EQ(read("Mod(s0, 4)").range(r), (SymRange{0, 3}));
  EXPECT_EQ(read("Max(4, s0)").range(r), (SymRange{4, 10}));
  EXPECT_EQ(read("u0 + 1").range(r), (SymRange{1, INT64_MAX}));
  EXPECT_EQ(read("u0 >= 0").range(r), (SymRange{1, 1}));
  EXPECT_EQ(read("s0 > 10").range(r), (SymRange{0, 0}));
  EXPECT_EQ(read("unknown").range(r), (SymRange{}));
  EXPECT_EQ(read("(s0 - 5)**2").range(r).lo, 0);
}

TEST(SymExpr, FaultsAreNamed) {
  auto code = [](const std::string& text) {
    const Result<SymExpr> e = SymExpr::parse(text);
    return e.ok() ? std::string("ok") : e.error().code;
  };
  EXPECT_EQ(code(""), "sym-syntax");
  EXPECT_EQ(code("s0 +"), "sym-syntax");
  EXPECT_EQ(code("s0 +* 2"), "sym-syntax");
  EXPECT_EQ(code("(s0"), "sym-syntax");
  EXPECT_EQ(code("s0)"), "sym-syntax");
  EXPECT_EQ(code("Symbol(s0)"), "sym-syntax");
  EXPECT_EQ(code("99999999999999999999"), "sym-overflow");
  EXPECT_EQ(code("9223372036854775807*2"), "sym-overflow");
  EXPECT_EQ(code("s0//0"), "sym-overflow");
  EXPECT_EQ(code(std::string(100000, '(')), "sym-too-large");
  EXPECT_EQ(read("int_oo").evaluate({}).error().code, "sym-overflow");
  EXPECT_EQ(code(std::string(2000, '-') + "s0"), "ok");
  const Result<SymExpr> e = SymExpr::parse("s0 + ?");
  ASSERT_FALSE(e.ok());
  EXPECT_EQ(e.error().loc.column, 6u);
}

TEST(SymExpr, HostileTextStaysBounded) {
  std::string sum = "s0", product = "(s0 + s1)", powers = "2";
  for (int i = 1; i < 3000; ++i) sum += " + s" + std::to_string(i);
  for (int i = 1; i < 400; ++i) product += "*(s" + std::to_string(i) + " + 1)";
  for (int i = 0; i < 60; ++i) powers += "**9";
  EXPECT_EQ(read(sum).args().size(), 3000u);
  EXPECT_FALSE(read(product).expanded().defined());
  EXPECT_FALSE(SymExpr::parse(powers).ok());
  std::string deep;
  for (int i = 0; i < 80; ++i) deep += "Max(s" + std::to_string(i) + ", 2*";
  deep += "s0" + std::string(80, ')');
  EXPECT_TRUE(SymExpr::parse(deep).ok());
}

TEST(SymExpr, EvaluationFaults) {
  auto code = [](const char* text, const SymExpr::Bindings& values) {
    const Result<int64_t> v = read(text).evaluate(values);
    return v.ok() ? std::string("ok") : v.error().code;
  };
  EXPECT_EQ(code("s0 + 1", {}), "sym-unbound");
  EXPECT_EQ(code("s0*s0", {{"s0", INT64_C(1) << 40}}), "sym-overflow");
  EXPECT_EQ(code("(4//s0)", {{"s0", 0}}), "sym-division");
  EXPECT_EQ(code("Mod(4, s0)", {{"s0", 0}}), "sym-division");
  EXPECT_EQ(code("ToFloat(s0)", {{"s0", 1}}), "sym-not-integer");
  EXPECT_EQ(code("mystery(s0)", {{"s0", 1}}), "sym-not-integer");
}

}  // namespace
}  // namespace descry::ir
