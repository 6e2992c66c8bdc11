#include "sim/core/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "sim/core/error.h"

namespace orrery::sim {
namespace {

using nlohmann::json;

// A fuzzer found that copies of such a value overflow the stack.
TEST(JsonText, DeepBracketsAreRefusedBeforeTheyAreRead) {
  const auto nested = [](std::size_t depth) {
    return "{\"a\": " + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_NO_THROW(require_shallow_json(nested(50)));
  EXPECT_THROW(require_shallow_json(nested(150)), Error);
  EXPECT_THROW(require_shallow_json(std::string(100'000, '{')), Error);
  EXPECT_NO_THROW(require_shallow_json("{\"a\": \"\\\"" + std::string(500, '[') + "\"}")) << "inside a text";
  std::string flat = "[";
  for (int k = 0; k < 1000; ++k) flat += "[1],";
  EXPECT_NO_THROW(require_shallow_json(flat + "0]"));
}

TEST(JsonText, IsShortAndPrintable) {
  EXPECT_EQ(json_text(json(1.5)), "1.5");
  EXPECT_EQ(json_text(json("two\nlines")), "\"two\\nlines\"");
  EXPECT_LT(json_text(json(std::string(1000, 'x'))).size(), 60U);
  EXPECT_EQ(json_text(json("\xff")), json_text(json("\xff")));
}

TEST(JsonText, OneThatIsNestedTooDeepIsNone) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(json_in(nested(50)).is_array());
  EXPECT_TRUE(json_in(nested(1'000'000)).is_discarded());
  EXPECT_TRUE(json_in("[1,").is_discarded());
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
