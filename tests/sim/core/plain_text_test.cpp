#include "sim/core/message.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/core/error.h"
#include "sim/core/json_text.h"

// Texts of files that strangers made, as terminals may show them.
namespace orrery::sim {
namespace {

TEST(PlainText, KeepsWhatPeopleWrite) {
  for (const char* text : {"", "plummer", "Größe 10 kpc", "銀河", "🌌 and é"}) EXPECT_EQ(one_line(text), text);
}

TEST(PlainText, NothingSteersATerminal) {
  for (int code = 0; code < 256; ++code) {
    const std::string text(1, static_cast<char>(code));
    const auto clean = one_line(text);
    if (code >= 0x20 && code < 0x7F)
      EXPECT_EQ(clean, text);
    else
      EXPECT_TRUE(clean == "?" || clean == " ") << code;
  }
  EXPECT_EQ(one_line("a\x1b[31mred\x1b]0;title\x07"), "a?[31mred?]0;title?");
  EXPECT_EQ(one_line("\xc2\x9b"
                     "31m"),
            "?31m")
      << "the same in one letter of Latin-1";
  EXPECT_EQ(one_line("a\xe2\x80\xae"
                     "b\xe2\x81\xa6"
                     "c\xe2\x80\xa8"
                     "d"),
            "a?b?c?d")
      << "turned, and a line's end";
}

TEST(PlainText, HasOneLine) {
  EXPECT_EQ(one_line("first\nsecond\r\nthird\tend"), "first second  third end");
  EXPECT_EQ(plain_lines("first\nsecond\x1b\r\n"), "first\nsecond? \n");
}

TEST(PlainText, AMessageLeavesOutTheMiddleOfALongLine) {
  EXPECT_EQ(message_lines("one\ntwo\x1b\n"), "one\ntwo?\n");
  EXPECT_EQ(message_lines(std::string(2000, 'x')), std::string(2000, 'x'));
  std::string umlauts;
  for (int k = 0; k < 50'000; ++k) umlauts += "\xc3\xbc";
  const auto cut = message_lines("first\nthe name a" + umlauts + "; give another\nlast");
  EXPECT_LT(cut.size(), 2100U);
  EXPECT_TRUE(cut.starts_with("first\nthe name a\xc3\xbc")) << cut;
  EXPECT_TRUE(cut.ends_with("\xc3\xbc; give another\nlast")) << cut;
  EXPECT_EQ(one_line(cut).find('?'), std::string::npos) << "a character was cut in two";
}

TEST(PlainText, WhatIsNoUtf8IsMarked) {
  for (const char* text :
       {"\x80", "\xff", "\xc3", "\xe2\x82", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    const auto clean = one_line(text);
    EXPECT_EQ(clean.find_first_not_of('?'), std::string::npos) << clean;
    EXPECT_FALSE(clean.empty());
  }
}

TEST(PlainText, JsonIsCleanedWherever) {
  const std::string text =
      R"({"title": "a\u001b[2Jb\nc", "list": ["\u0007", 1, {"k\u001b": "\u202e"}], "n": 2.5})";
  EXPECT_EQ(parse_json(text).dump(), R"({"list":["?",1,{"k?":"?"}],"n":2.5,"title":"a?[2Jb c"})");
  EXPECT_EQ(parse_ordered_lines(text).dump(), R"({"title":"a?[2Jb\nc","list":["?",1,{"k?":"?"}],"n":2.5})");
}

TEST(PlainText, WhatIsNoJsonIsSaidInPlainWords) {
  for (const char* text : {"", "{", "{\"a\": }", "{\"a\": 1e999}", "[\"\x80\"]", "[[[[[[}"}) {
    try {
      parse_json(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with("is no JSON")) << message;
      EXPECT_EQ(message.find("json.exception"), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace orrery::sim
