#include "sim/options/form.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/core/error.h"
#include "sim/options/configuration.h"
#include "sim/options/describe.h"

namespace orrery::sim {
namespace {

const FormNumber bodies{
    .name = "BODIES", .default_value = 150.0, .minimum = 1.0, .maximum = 5000.0, .whole = true};

FormNumber edge(const char* name) {
  return {.name = name, .minimum = -10.0, .maximum = 10.0, .required = true};
}

/// Words with and without numbers, and numbers alone.
OptionTable table_of_forms() {
  OptionTable table;
  table.add(shown("arrows", "overlay", "", "Which ones.")
                .formed({{.word = "off", .numbers = {}, .meaning = "none"},
                         {.word = "sample", .numbers = {bodies}, .meaning = "some"}}));
  table.add(shown("range", "colour", "", "From where to where.")
                .formed({{.word = "auto", .numbers = {}, .meaning = "found"},
                         {.word = "", .numbers = {edge("LOW"), edge("HIGH")}, .meaning = ""}}));
  table.add(
      shown("exposure", "light", "", "How bright.")
          .formed({{.word = "auto", .numbers = {{.name = "STOPS", .minimum = -20.0, .maximum = 20.0}}},
                   {.word = "fixed", .numbers = {{.name = "STOPS", .minimum = -20.0, .maximum = 20.0}}}}));
  table.add(shown("show", "bodies", "", "Which components.").listed({"gas", "halo", "disk"}));
  return table;
}

class Forms : public testing::Test {
 protected:
  std::string parsed(std::string_view name, std::string_view text) const {
    return to_string(table_.parse(table_.at(name), text));
  }
  /// Of what is refused.
  std::string message(std::string_view name, std::string_view text) const {
    try {
      return "taken as " + parsed(name, text);
    } catch (const UsageError& error) {
      return error.what();
    }
  }

  OptionTable table_ = table_of_forms();
};

TEST_F(Forms, AreWrittenWithAllTheirNumbers) {
  EXPECT_EQ(parsed("arrows", "off"), "off");
  EXPECT_EQ(parsed("arrows", "sample"), "sample:150");
  EXPECT_EQ(parsed("arrows", "sample:20"), "sample:20");
  EXPECT_EQ(parsed("range", "auto"), "auto");
  EXPECT_EQ(parsed("range", "-0.5:2"), "-0.5:2");
  EXPECT_EQ(parsed("exposure", "fixed:1.25"), "fixed:1.25");
  EXPECT_EQ(to_string(table_.at("exposure").default_value), "auto:0");
}

TEST_F(Forms, NumbersAloneBelongToTheFormWithoutAWordOrTheFirst) {
  EXPECT_EQ(parsed("exposure", "-1.5"), "auto:-1.5");
  EXPECT_EQ(message("arrows", "20"), "option 'arrows' is off, sample[:BODIES], not '20'");
}

TEST_F(Forms, MistakesSayWhatMayBeWritten) {
  EXPECT_EQ(message("arrows", "smaple"),
            "option 'arrows' is off, sample[:BODIES], not 'smaple'; did you mean 'sample'?");
  EXPECT_EQ(message("arrows", "off:3"), "option 'arrows' is off, sample[:BODIES], not 'off:3'");
  EXPECT_EQ(message("arrows", "sample:0"), "option 'arrows': BODIES is 1 to 5000, not 0");
  EXPECT_EQ(message("arrows", "sample:1.5"), "option 'arrows': BODIES is a whole number, not '1.5'");
  EXPECT_EQ(message("arrows", "sample:"), "option 'arrows': BODIES is a whole number, not ''");
  EXPECT_EQ(message("range", "1"), "option 'range': numbers are missing; write LOW:HIGH");
  EXPECT_EQ(message("range", "1:nan"), "option 'range': HIGH is -10 to 10, not nan");
  for (const char* text : {"", ":", "nan", "inf:1", "1:2:3", "auto:1", "1:x", "\x01", "::::"})
    EXPECT_NE(message("range", text).find("option 'range'"), std::string::npos) << text;
}

TEST_F(Forms, AreTakenApart) {
  const auto value = form_value("sample:20");
  EXPECT_EQ(value.word, "sample");
  EXPECT_EQ(value.number(0), 20.0);
  EXPECT_EQ(value.number(1), 0.0) << "there is none";
  EXPECT_EQ(form_text(value), "sample:20");
  EXPECT_EQ(form_value("-0.5:2").word, "");
  EXPECT_EQ(form_value("-0.5:2").number(1), 2.0);
  EXPECT_EQ(form_of(table_.at("arrows"), value)->numbers.size(), 1U);
  EXPECT_EQ(form_of(table_.at("arrows"), form_value("1:2")), nullptr);
}

TEST_F(Forms, NumbersComeBackToTheLastBit) {
  for (const double number : {0.1, -1.0 / 3.0, 1e-7, 9.999999999999998})
    EXPECT_EQ(form_value(form_text({.word = "", .numbers = {number, 1.0}})).number(0), number);
}

TEST_F(Forms, ListsAreOrderedAndNameAllOrNone) {
  EXPECT_EQ(parsed("show", "disk,gas"), "gas,disk");
  EXPECT_EQ(parsed("show", "disk,gas,halo,disk"), "all");
  EXPECT_EQ(parsed("show", "none"), "none");
  EXPECT_TRUE(lists("all", "gas"));
  EXPECT_FALSE(lists("none", "gas"));
  EXPECT_TRUE(lists("gas,disk", "disk"));
  EXPECT_FALSE(lists("gas,disk", "halo"));
  for (const char* text : {"", "gas,", "gas;disk", "all,gas", "dsk"})
    EXPECT_NE(message("show", text).find("option 'show' is all, none, or some of gas, halo, disk"),
              std::string::npos)
        << text;
}

TEST_F(Forms, GoThroughJson) {
  auto configuration = table_.defaults();
  table_.assign(configuration, "arrows=sample:7");
  table_.assign(configuration, "show=halo");
  table_.assign(configuration, "range=0.1:0.3");
  auto copy = table_.defaults();
  EXPECT_TRUE(table_.assign_json(copy, to_json(configuration)).empty());
  EXPECT_EQ(copy, configuration);
  EXPECT_EQ(copy.form("range").number(1), 0.3);
}

}  // namespace
}  // namespace orrery::sim
