#include "sim/core/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace orrery::sim {
namespace {

using nlohmann::json;

TEST(JsonText, IsShortAndPrintable) {
  EXPECT_EQ(json_text(json(1.5)), "1.5");
  EXPECT_EQ(json_text(json("two\nlines")), "\"two\\nlines\"");
  EXPECT_LT(json_text(json(std::string(1000, 'x'))).size(), 60U);
  EXPECT_EQ(json_text(json("\xff")), json_text(json("\xff")));
}

// Following them would take a call for each, until the stack ends.
TEST(JsonText, DoesNotFollowNestedLists) {
  const auto deep = json::parse(std::string(80'000, '[') + std::string(80'000, ']'));
  EXPECT_EQ(json_text(deep), "[...]");
  EXPECT_EQ(setting_text(deep), "[...]");
  EXPECT_EQ(json_text(json::object()), "{}");
}

TEST(JsonText, SettingsAreAsTheyAreTyped) {
  EXPECT_EQ(setting_text(json(true)), "on");
  EXPECT_EQ(setting_text(json("register-split")), "register-split");
  EXPECT_EQ(setting_text(json(32)), "32");
}

}  // namespace
}  // namespace orrery::sim
