#include "session/terminal_text.h"

#include <gtest/gtest.h>

namespace descry::session {
namespace {

TEST(TerminalText, WhatSteersATerminalBecomesVisible) {
  EXPECT_EQ(terminalText("a\x1b[31mb\x07\x08\r\x7f"), "a\\x1b[31mb\\x07\\x08\\x0d\\x7f");
  EXPECT_EQ(terminalText(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(terminalText("\xc2\x9b"
                         "31m"),
            "\\u009b31m");
  EXPECT_EQ(terminalText("\xe2\x80\xae"
                         "x\xe2\x81\xa6"
                         "y\xe2\x80\x8f"
                         "z\xd8\x9c"),
            "\\u202ex\\u2066y\\u200fz\\u061c");
}

TEST(TerminalText, OtherTextStays) {
  const std::string text = "tab\tline\nünïcödé \xe2\x86\x92 \xf0\x9f\x99\x82 \\x1b";
  EXPECT_EQ(terminalText(text), text);
  EXPECT_EQ(terminalText("a\nb\tc", LineBreaks::Join), "a b c");
  EXPECT_EQ(terminalText(""), "");
}

TEST(TerminalText, BytesThatAreNoUtf8AreEscapedOneByOne) {
  EXPECT_EQ(terminalText("\x9b"
                         "1m\xff"),
            "\\x9b1m\\xff");                                                     // C1 of one byte
  EXPECT_EQ(terminalText("\xc1\x9b\xe0\x82\x9b"), "\\xc1\\x9b\\xe0\\x82\\x9b");  // longer than need be
  EXPECT_EQ(terminalText("\xed\xa0\x80"), "\\xed\\xa0\\x80");                    // surrogate
  EXPECT_EQ(terminalText("a\xe2\x80"), "a\\xe2\\x80");                           // cut
}

TEST(TerminalText, LongLinesLoseTheirMiddle) {
  const std::string text = terminalMessage("short\n" + std::string(5000, 'x') + "end\nlast", 100);
  EXPECT_EQ(text, "short\n" + std::string(50, 'x') + "..." + std::string(47, 'x') + "end\nlast");
  EXPECT_EQ(terminalMessage("a\n\n"), "a\n\n");
  EXPECT_EQ(characterCount("\xc3\xbc\xe2\x86\x92z"), 3u);
  EXPECT_EQ(firstCharacters("\xc3\xbc\xe2\x86\x92z", 2), "\xc3\xbc\xe2\x86\x92");
}

}  // namespace
}  // namespace descry::session
