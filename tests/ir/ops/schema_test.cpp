// The schema grammar against schemas as PyTorch 2.15 prints them.
#include "ir/ops/schema.h"

#include <gtest/gtest.h>

#include <fstream>

namespace descry::ir {
namespace {

TEST(Schema, PrintsAsPyTorch) {
  std::ifstream in(DESCRY_SOURCE_DIR "/tests/data/op_schemas.txt");
  std::string line;
  size_t count = 0;
  while (std::getline(in, line)) {
    const Result<Schema> s = parseSchema(line);
    ASSERT_TRUE(s.ok()) << line << "\n" << s.error().text();
    EXPECT_EQ(s->str(), line);
    ++count;
  }
  EXPECT_GE(count, 400u);
}

Schema read(std::string_view text) {
  Result<Schema> s = parseSchema(text);
  EXPECT_TRUE(s.ok()) << text << ": " << (s.ok() ? "" : s.error().text());
  return s.ok() ? *s : Schema{};
}

TEST(Schema, Parts) {
  const Schema s = read("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  EXPECT_EQ(s.target(), "torch.ops.aten.add.Tensor");
  ASSERT_EQ(s.arguments.size(), 3u);
  EXPECT_FALSE(s.arguments[1].keywordOnly);
  EXPECT_TRUE(s.arguments[2].keywordOnly);
  EXPECT_EQ(s.arguments[2].defaultText, "1");
  EXPECT_FALSE(s.isMutable());
  EXPECT_FALSE(s.isView());
  EXPECT_EQ(read("prims::rev(Tensor a, int[] dims) -> Tensor").target(), "torch.ops.prims.rev.default");
}

TEST(Schema, Aliasing) {
  const Schema inplace =
      read("aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  EXPECT_TRUE(inplace.isMutable());
  EXPECT_FALSE(inplace.isView());
  EXPECT_TRUE(read("aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)").isView());
  EXPECT_TRUE(
      read("aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]").isView());
  const Schema list = read("aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!)");
  EXPECT_TRUE(list.isMutable());
  ASSERT_TRUE(list.arguments[0].type.wraps[0].alias.has_value());
  EXPECT_EQ(list.arguments[1].type.alias->after, std::vector<std::string>{"*"});
  EXPECT_TRUE(read("aten::_foreach_add_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()").isMutable());
}

TEST(Schema, Types) {
  const Schema s = read(
      "x::y(int[2]? a, Tensor?[] b, Dict(str, t)(a!) c, __torch__.torch.classes.c10d.Work d, "
      "(int, str)[] e, Future(t)? f, ...) -> (Tensor out, SymInt[3])");
  EXPECT_TRUE(s.varargs);
  ASSERT_EQ(s.arguments.size(), 6u);
  EXPECT_TRUE(s.arguments[0].type.isOptional());
  EXPECT_EQ(s.arguments[0].type.wraps[1].size, 2);
  EXPECT_TRUE(s.arguments[1].type.wraps[0].list);
  EXPECT_FALSE(s.arguments[1].type.wraps[1].list);
  EXPECT_EQ(s.arguments[2].type.params.size(), 2u);
  EXPECT_EQ(s.arguments[3].type.base, "__torch__.torch.classes.c10d.Work");
  EXPECT_EQ(s.arguments[4].type.str(), "(int, str)[]");
  EXPECT_EQ(s.arguments[5].type.str(), "Future(t)?");
  EXPECT_EQ(s.returns[0].name, "out");
  EXPECT_EQ(s.returns[1].type.wraps[0].size, 3);
}

TEST(Schema, DefaultsAsNativeFunctionsWritesThem) {
  const Schema s = read(
      "f(int reduction=Mean, MemoryFormat memory_format=contiguous_format, ScalarType dtype=long, float "
      "p=inf, "
      "int[2] stride=1, int[2] d=[0,1], str s=\"a,b)\\\"c\", bool b=True, Tensor? t=None, float eps=-1e-05) "
      "-> ()");
  const char* wanted[] = {"Mean",  "contiguous_format", "long", "inf",  "1",
                          "[0,1]", "\"a,b)\\\"c\"",     "True", "None", "-1e-05"};
  ASSERT_EQ(s.arguments.size(), std::size(wanted));
  for (size_t i = 0; i < std::size(wanted); ++i) EXPECT_EQ(s.arguments[i].defaultText, wanted[i]);
  EXPECT_TRUE(s.returns.empty());
}

TEST(Schema, FaultsHaveTheirColumn) {
  auto column = [](std::string_view text) -> uint32_t {
    const Result<Schema> s = parseSchema(text);
    EXPECT_FALSE(s.ok()) << text;
    if (s.ok()) return 0;
    EXPECT_EQ(s.error().code, "schema-syntax");
    return s.error().loc.column;
  };
  EXPECT_EQ(column(""), 1u);
  EXPECT_EQ(column("aten::"), 7u);
  EXPECT_EQ(column("f(Tensor) -> Tensor"), 9u);
  EXPECT_EQ(column("f(Tensor x -> Tensor"), 12u);
  EXPECT_EQ(column("f(Tensor x) Tensor"), 13u);
  EXPECT_EQ(column("f(Tensor x, *, *, int y) -> ()"), 16u);
  EXPECT_EQ(column("f(str s=\"abc) -> ()"), 20u);
  EXPECT_EQ(column("f(int[99999999999999999999] x) -> ()"), 7u);
  EXPECT_EQ(column("f(Tensor(a! x) -> ()"), 13u);
  EXPECT_EQ(column("f(int x=) -> ()"), 9u);
  EXPECT_EQ(column("f() -> Tensor junk more"), 20u);
}

TEST(Schema, HostileTextStaysBounded) {
  EXPECT_FALSE(parseSchema("f(" + std::string(100000, '(')).ok());
  EXPECT_FALSE(parseSchema("f(Tensor" + std::string(100000, '?') + " x) -> ()").ok());
  std::string many = "f(";
  for (int i = 0; i < 100000; ++i) many += "int a" + std::to_string(i) + ", ";
  EXPECT_FALSE(parseSchema(many + "int z) -> ()").ok());
}

}  // namespace
}  // namespace descry::ir
