#include "sim/core/letters.h"

#include <gtest/gtest.h>

namespace orrery::sim {
namespace {

TEST(Letters, PlainTextsHaveLettersAndDigitsOfAsciiOnly) {
  EXPECT_TRUE(is_plain("Az09", ""));
  EXPECT_TRUE(is_plain("a-b_c", "-_"));
  EXPECT_TRUE(is_plain("", ""));
  for (const char* text : {"a b", "a\n", "a-b", "\xc3\xa4", "@", "[", "`", "{", "/", ":"})
    EXPECT_FALSE(is_plain(text, "_")) << text;
}

TEST(Letters, NamesInFilesHaveSmallOnes) {
  for (const char letter : {'a', 'z', '0', '9'}) EXPECT_TRUE(is_small_or_digit(letter)) << letter;
  EXPECT_TRUE(is_step_name("gpu-double2"));
  for (const char* text : {"GPU", "a b", "a_b", "a.b"}) EXPECT_FALSE(is_step_name(text)) << text;
  for (const char letter : {'A', 'Z', '-', '/', ':', '`', '{'})
    EXPECT_FALSE(is_small_or_digit(letter)) << letter;
}

TEST(Letters, UnitsAndColumnsAreComparedByTheirLetters) {
  EXPECT_EQ(plain_letters("mas.yr**-1"), "masyr1");
  EXPECT_EQ(plain_letters("Mas / Yr"), "masyr");
  EXPECT_EQ(plain_letters("\xc2\xb5m"), "m");
}

}  // namespace
}  // namespace orrery::sim
