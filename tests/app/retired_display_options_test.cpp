#include "app/picture/retired_display_options.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/picture/display_options.h"
#include "app/picture/persistent_options.h"
#include "sim/core/error.h"

namespace orrery::app {
namespace {

using nlohmann::json;

class RetiredDisplayOptions : public testing::Test {
 protected:
  /// The present options of a state with these old ones. There must be no notes.
  std::string value(const json& options, const char* name) {
    auto configuration = table_.defaults();
    const auto notes = assign_options(table_, options, configuration);
    EXPECT_TRUE(notes.empty()) << notes.front();
    EXPECT_NO_THROW(table_.check(configuration));
    return sim::to_string(configuration.value(name));
  }
  std::vector<std::string> notes(const json& options) {
    auto configuration = table_.defaults();
    return assign_options(table_, options, configuration);
  }

  sim::OptionTable table_ = all_options();
};

TEST_F(RetiredDisplayOptions, AreNoOptionsToday) {
  for (const char* name :
       {"arrow-bodies",  "dust-height", "highlight-galaxy",      "neighbours",  "spike-length", "spread",
        "trail-bodies",  "trail-fade",  "trail-first",           "trail-light", "trail-steps",  "trail-time",
        "trail-width",   "trail-seed",  "trail-frame-body",      "even-light",  "moving-size",  "color-min",
        "exposure-auto", "color-max",   "exposure-follows-zoom", "show-halo",   "map-left",     "map-top"})
    EXPECT_EQ(table_.find(name), nullptr) << name;
}

TEST_F(RetiredDisplayOptions, BecameNumbersOfOthers) {
  EXPECT_EQ(value({{"arrows", "sample"}, {"arrow-bodies", 40}}, "arrows"), "sample:40");
  EXPECT_EQ(value({{"arrows", "off"}, {"arrow-bodies", 40}}, "arrows"), "off");
  EXPECT_EQ(value({{"dust", 1.5}, {"dust-height", 0.25}}, "dust"), "1.5:0.25");
  EXPECT_EQ(value({{"spikes", 30}, {"spike-length", 12.5}}, "spikes"), "30:12.5");
  EXPECT_EQ(value({{"highlight", "color"}, {"highlight-galaxy", 3}}, "highlight"), "color:3");
  EXPECT_EQ(value({{"highlight", "off"}, {"highlight-galaxy", 3}}, "highlight"), "off:3");
  EXPECT_EQ(value({{"highlight-galaxy", 2}}, "highlight"), "dim-others:2");
  EXPECT_EQ(value({{"sizes", "adaptive"}, {"spread", 0.5}, {"neighbours", 60.0}}, "sizes"),
            "adaptive:0.5:60");
  EXPECT_EQ(value({{"sizes", "fixed"}, {"spread", 0.5}, {"neighbours", 60.0}}, "sizes"), "fixed");
}

TEST_F(RetiredDisplayOptions, OfTrailsBecameFour) {
  EXPECT_EQ(value({{"trails", "range"}, {"trail-first", 7}, {"trail-bodies", 3}}, "trails"), "range:7:3");
  EXPECT_EQ(value({{"trails", "sample"}, {"trail-first", 7}, {"trail-bodies", 3}}, "trails"), "sample:3");
  EXPECT_EQ(value({{"trails", "auto"}, {"trail-bodies", 3}}, "trails"), "auto");
  EXPECT_EQ(value({{"trail-steps", 200}, {"trail-time", 0.4}}, "trail-length"), "200:0.4");
  EXPECT_EQ(value({{"trail-width", 2.0}, {"trail-light", 3.0}, {"trail-fade", 1.5}}, "trail-look"),
            "2:3:1.5");
  EXPECT_EQ(value({{"trail-frame", "body"}, {"trail-frame-body", 5}}, "trail-frame"), "body:5");
  EXPECT_EQ(value({{"trail-frame", "dataset"}, {"trail-frame-body", 5}}, "trail-frame"), "dataset");
}

TEST_F(RetiredDisplayOptions, OfTheExposureKeepTheirMeaning) {
  EXPECT_EQ(value({{"exposure", 1.5}}, "exposure"), "auto:1.5");
  EXPECT_EQ(value({{"exposure", 1.5}, {"exposure-auto", true}}, "exposure"), "auto:1.5");
  EXPECT_EQ(value({{"exposure", -2.0}, {"exposure-auto", false}}, "exposure"), "fixed:-2");
  EXPECT_EQ(value({{"exposure-auto", "off"}, {"exposure-follows-zoom", true}}, "exposure"), "fixed:0");
}

TEST_F(RetiredDisplayOptions, OfColoursAndComponentsBecameOne) {
  EXPECT_EQ(value({{"color-min", 0.25}, {"color-max", 2.0}}, "color-range"), "0.25:2");
  EXPECT_EQ(value({{"color-max", 2.0}}, "color-range"), "0:2");
  EXPECT_EQ(value({{"color-min", 0.0}, {"color-max", 0.0}}, "color-range"), "auto");
  EXPECT_EQ(value({{"color-max", 0.0}}, "color-range"), "auto");
  EXPECT_EQ(value({{"show-halo", false}, {"show-disk", true}}, "show"), "gas,disk,bulge,star,other");
  EXPECT_EQ(value({{"show-halo", true}}, "show"), "all");
  json none;
  for (const char* name : {"gas", "halo", "disk", "bulge", "star", "other"})
    none[std::string("show-") + name] = false;
  EXPECT_EQ(value(none, "show"), "none");
}

TEST_F(RetiredDisplayOptions, OfTheMapBecameOneBox) {
  const json edges{{"map-left", -1.0}, {"map-right", 2.0}, {"map-bottom", -3.0}, {"map-top", 4.0}};
  auto custom = edges;
  custom["map-box"] = "custom";
  EXPECT_EQ(value(custom, "map-box"), "-1:2:-3:4");
  auto fitted = edges;
  fitted["map-box"] = "all";
  EXPECT_EQ(value(fitted, "map-box"), "all") << "edges had no effect then";
  EXPECT_EQ(value({{"map-box", "custom"}}, "map-box"), "0:1:0:1");
}

TEST_F(RetiredDisplayOptions, AsTheyUsuallyWereAreNotSpokenOf) {
  EXPECT_TRUE(notes({{"even-light", true}, {"moving-size", "auto"}, {"trail-seed", 1}}).empty());
  for (const json& options : {json{{"even-light", false}}, json{{"moving-size", "full"}},
                              json{{"trail-seed", 2}}, json{{"exposure-follows-zoom", false}}}) {
    const auto said = notes(options);
    ASSERT_EQ(said.size(), 1U) << options;
    EXPECT_NE(said.front().find("left out"), std::string::npos) << said.front();
  }
}

TEST_F(RetiredDisplayOptions, DamagedOnesAreLeftOut) {
  for (const json& options :
       {json{{"dust-height", "high"}}, json{{"spike-length", 900}}, json{{"color-min", "x"}},
        json{{"map-box", "custom"}, {"map-left", "a:b:c"}}, json{{"highlight-galaxy", {1, 2}}},
        json{{"arrows", "sample"}, {"arrow-bodies", 2.5}}}) {
    auto configuration = table_.defaults();
    const auto said = assign_options(table_, options, configuration);
    ASSERT_EQ(said.size(), 1U) << options;
    EXPECT_NE(said.front().find("left out"), std::string::npos) << said.front();
    EXPECT_NO_THROW(table_.check(configuration)) << options;
  }
  EXPECT_THROW(notes(json::array()), sim::UsageError);
}

TEST_F(RetiredDisplayOptions, AreReadFromSettings) {
  auto configuration = table_.defaults();
  const auto problems = apply_kept(table_,
                                   {{"exposure", "1"},
                                    {"exposure-auto", "off"},
                                    {"dust-height", "0.5"},
                                    {"trail-width", "2"},
                                    {"show-gas", "off"}},
                                   configuration);
  EXPECT_TRUE(problems.empty()) << problems.front();
  EXPECT_EQ(configuration.choice("exposure"), "fixed:1");
  EXPECT_EQ(configuration.choice("dust"), "0.7:0.5");
  EXPECT_EQ(configuration.choice("trail-look"), "2:1:3");
  EXPECT_EQ(configuration.choice("show"), "halo,disk,bulge,star,other");
}

TEST_F(RetiredDisplayOptions, NumbersOfOneDatasetAreNotKept) {
  const auto& highlight = table_.at("highlight");
  EXPECT_EQ(kept_value(highlight, std::string("color:3"), highlight.default_value),
            sim::OptionValue(std::string("color:-1")));
  EXPECT_EQ(kept_value(highlight, std::string("color:3"), std::string("off:5")),
            sim::OptionValue(std::string("color:5")));
  const auto& trails = table_.at("trails");
  EXPECT_EQ(kept_value(trails, std::string("range:7:3"), trails.default_value),
            sim::OptionValue(std::string("range:0:3")));
}

}  // namespace
}  // namespace orrery::app
