#include "sim/core/pattern.h"

#include <gtest/gtest.h>

#include "sim/core/error.h"

namespace orrery::sim {
namespace {

TEST(Pattern, FindsTheFirstMatchWithItsGroups) {
  const std::string text = "a.cu:12:5: error: b.cu:3: error:";
  const auto match = Pattern("([^: ]*):([0-9]+)(:[0-9]+)?: error").find(text);
  ASSERT_EQ(match.size(), 4U);
  EXPECT_EQ(match[0], "a.cu:12:5: error");
  EXPECT_EQ(match[1], "a.cu");
  EXPECT_EQ(match[2], "12");
  EXPECT_EQ(match[3], ":5");
  EXPECT_EQ(match[0].data(), text.data());
}

TEST(Pattern, LooksAtTheGivenPartOnly) {
  const std::string_view text = "in 12345";
  EXPECT_EQ(Pattern("[0-9]+").find(text.substr(0, 5))[0], "12");
  EXPECT_TRUE(Pattern("[0-9]+").find(text.substr(0, 3)).empty());
  EXPECT_TRUE(Pattern("[0-9]+").find({}).empty());
}

TEST(Pattern, AGroupThatHasNoPartIsEmpty) {
  const auto match = Pattern("a(b)?(c)").find("ac");
  ASSERT_EQ(match.size(), 3U);
  EXPECT_TRUE(match[1].empty());
  EXPECT_EQ(match[2], "c");
}

TEST(Pattern, EveryMatchIsReplaced) {
  const auto twice = [](const auto& match) { return std::string(match[1]) + "+" + std::string(match[1]); };
  EXPECT_EQ(Pattern("<([a-z]+)>").replaced("<a> and <b>", twice), "a+a and b+b");
  EXPECT_EQ(Pattern("<([a-z]+)>").replaced("none", twice), "none");
  EXPECT_EQ(Pattern("\\b([ab])").replaced("aab b", twice), "a+aab b+b")
      << "what was replaced still stands before the next";
}

TEST(Pattern, NonsenseIsRefused) { EXPECT_THROW(Pattern("("), Error); }

}  // namespace
}  // namespace orrery::sim
