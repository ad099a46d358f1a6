#include "exporters/common/escape.h"

#include <gtest/gtest.h>

#include "ir/annotations/palette.h"

namespace descry::exporters {
namespace {

using namespace std::string_literals;

// Expected texts: the XML 1.0, RFC 4180, RFC 8259 and Unicode (table 3-7) rules, written out by hand.
TEST(Escape, XmlTextAndAttribute) {
  EXPECT_EQ(xmlText("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(xmlText("a\nb\tc"), "a\nb\tc");
  EXPECT_EQ(xmlAttribute("a\nb\tc"), "a&#10;b&#9;c");
  EXPECT_EQ(xmlText("\0\x1b\x7f"s), "\u2400\u241B\u2421");
  EXPECT_EQ(xmlText("\uFFFE\uFFFF\u0085"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(xmlText("é 😀"), "é 😀");
}

TEST(Escape, BadUtf8BecomesReplacementCharacters) {
  EXPECT_EQ(visibleUtf8("\xFF"), "\uFFFD");
  EXPECT_EQ(visibleUtf8("\xC0\x80"), "\uFFFD\uFFFD");                      // overlong NUL
  EXPECT_EQ(visibleUtf8("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");            // half a surrogate pair
  EXPECT_EQ(visibleUtf8("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");  // above U+10FFFF
  EXPECT_EQ(visibleUtf8("a\xE2\x82"), "a\uFFFD\uFFFD");                    // cut at the end
  EXPECT_EQ(visibleUtf8("\xF4\x8F\xBF\xBD"), "\xF4\x8F\xBF\xBD");
}

TEST(Escape, JsonStrings) {
  std::string out;
  appendJsonString(out, "q\" b\\ n\n t\t r\r z\0 e\x1b é"s);
  EXPECT_EQ(out, "\"q\\\" b\\\\ n\\n t\\t r\\r z\\u0000 e\\u001b é\"");
  out.clear();
  appendScriptJsonString(out, "</script><!--&\u2028\u2029");
  EXPECT_EQ(out, "\"\\u003c/script\\u003e\\u003c!--\\u0026\\u2028\\u2029\"");
}

TEST(Escape, DotBackslashesAreDoubled) {
  EXPECT_EQ(dotValue("\\N \\G"), "\\\\N \\\\G");
  EXPECT_EQ(dotValue("end\\"), "end\\\\");
  EXPECT_EQ(dotLabel("a\nb"), "a\\nb");
}

TEST(Escape, CsvFields) {
  const auto field = [](std::string_view text) {
    std::string out;
    appendCsvField(out, text);
    return out;
  };
  EXPECT_EQ(field("plain"), "plain");
  EXPECT_EQ(field("a,b"), "\"a,b\"");
  EXPECT_EQ(field("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(field("=1+1"), "'=1+1");
  EXPECT_EQ(field("@x"), "'@x");
  EXPECT_EQ(field("-x"), "'-x");
  EXPECT_EQ(field("+1-cmd"), "'+1-cmd");
  EXPECT_EQ(field("'x"), "''x");
  EXPECT_EQ(field("-12.5e-3"), "-12.5e-3");
  EXPECT_EQ(field("+1"), "+1");
  EXPECT_EQ(field("-"), "'-");
}

TEST(Escape, ShortenedKeepsBothEnds) {
  EXPECT_EQ(shortened("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(shortened("abcdefghij", 7), "abc…hij");
  EXPECT_EQ(shortened("ééééééé", 4), "éé…é");
  EXPECT_EQ(shortened("abc", 1), "…");
  EXPECT_EQ(shortened("abc", 0), "");
}

TEST(Palette, TextAndOutlinesAreReadable) {
  using namespace ir;
  for (const Palette& p : kPalettes) {
    for (Rgb fill : {p.forward, p.backward, p.either, p.plain, p.input, p.output, p.warning})
      EXPECT_GE(contrast(fill, inkOn(fill)), 4.5) << hexColor(fill);
    EXPECT_GE(contrast(p.canvas, p.ink), 7) << hexColor(p.ink);
    for (Rgb ground : {p.canvas, p.groupFill}) {
      EXPECT_GE(contrast(ground, p.mutedInk), 4.5) << hexColor(p.mutedInk);
      for (Rgb line : {p.edge, p.saved, p.forwardLine, p.backwardLine, p.eitherLine, p.plainLine, p.inputLine,
                       p.outputLine})
        EXPECT_GE(contrast(ground, line), 3) << hexColor(line);
    }
  }
  // WCAG's own example: #777777 on white is 4.48:1.
  EXPECT_NEAR(contrast(0x777777, 0xFFFFFF), 4.48, 0.01);
}

}  // namespace
}  // namespace descry::exporters
