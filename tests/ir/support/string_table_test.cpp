// Texts of every length, in every order that matters for the blocks they are kept in.
#include "ir/support/string_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace descry::ir {
namespace {

std::string textOf(size_t length, char mark) {
  return std::string(length, mark);
}

TEST(StringTable, ATextLongerThanTheNextBlockStaysWhole) {
  // Blocks start small and double: a text may be longer than the one it opens.
  for (size_t length : {1000u, 4095u, 4096u, 4097u, 5000u, 10000u, 16383u, 16384u, 16385u, 100000u}) {
    StringTable table;
    std::vector<std::pair<StrId, std::string>> kept;
    for (int i = 0; i < 40; ++i) {
      std::string text = textOf(length, static_cast<char>('a' + i % 26)) + std::to_string(i);
      kept.emplace_back(table.intern(text), text);
      text = "short " + std::to_string(i);
      kept.emplace_back(table.intern(text), text);
    }
    for (const auto& [id, text] : kept) ASSERT_EQ(table.view(id), text) << length;
  }
}

TEST(StringTable, EqualTextsShareAnId) {
  StringTable table;
  const StrId a = table.intern("add"), b = table.intern("mul");
  EXPECT_NE(a.index, b.index);
  EXPECT_EQ(table.intern("add").index, a.index);
  StrId found;
  EXPECT_TRUE(table.find("mul", found));
  EXPECT_EQ(found.index, b.index);
  EXPECT_FALSE(table.find("div", found));
}

}  // namespace
}  // namespace descry::ir
