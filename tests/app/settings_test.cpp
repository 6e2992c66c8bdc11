#include "app/window/settings.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "app/window/messages.h"

namespace orrery::app {
namespace {

using namespace std::chrono_literals;

class SettingsTest : public ::testing::Test {
 protected:
  SettingsTest() {
    std::filesystem::create_directories(folder);
    ::setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
  }
  ~SettingsTest() override { std::filesystem::remove_all(folder); }
  std::filesystem::path file() const { return folder / "orrery" / "settings.json"; }
  void write_text(const std::string& text) const {
    std::filesystem::create_directories(file().parent_path());
    std::ofstream(file()) << text;
  }

  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("orrery-settings-" + std::to_string(::getpid()));
  std::string problem;
};

TEST(SmallWindow, HasAPanelOfItsOwnThatBeginsHidden) {
  EXPECT_TRUE(is_small({390.0F, 844.0F}, 1.0F));
  EXPECT_TRUE(is_small({1170.0F, 2532.0F}, 3.0F));
  EXPECT_TRUE(is_small({844.0F, 390.0F}, 1.0F));
  EXPECT_FALSE(is_small({600.0F, 450.0F}, 1.0F));
  Settings settings;
  EXPECT_TRUE(settings.panel_shows());
  settings.small_window = true;
  EXPECT_FALSE(settings.panel_shows());
  settings.panel_shows() = true;
  EXPECT_TRUE(settings.panel_shows());
  settings.small_window = false;
  settings.panel_shows() = false;
  EXPECT_TRUE(settings.panel_unfolded) << "each size keeps what it shows";
}

TEST_F(SettingsTest, ComeBackAsTheyWere) {
  Settings settings;
  settings.window_size = {900, 640};
  settings.panel_visible = false;
  settings.ui_scale = 1.5F;
  settings.theme = Theme::light;
  settings.panel.tab = "picture";
  settings.panel.width = 400.0F;
  settings.panel.sections = {{"Engine", false}, {"Sweep", true}};
  settings.display = {{"glow", "0.4"}, {"legend", "off"}};
  note_recent(settings, "/data/a.bin");
  note_recent(settings, "/data/b\xFF.bin");
  note_recent(settings, "/data/a.bin");
  ASSERT_EQ(write_settings(settings), "");
  const auto back = read_settings(problem);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(back.window_size, settings.window_size);
  EXPECT_FALSE(back.panel_visible);
  EXPECT_EQ(back.ui_scale, 1.5F);
  EXPECT_EQ(back.theme, Theme::light);
  EXPECT_EQ(back.panel.tab, "picture");
  EXPECT_EQ(back.panel.width, 400.0F);
  EXPECT_EQ(back.panel.sections, settings.panel.sections);
  EXPECT_EQ(back.display, settings.display);
  ASSERT_EQ(back.recent.size(), 2U);
  EXPECT_EQ(back.recent[0], "/data/a.bin");
}

TEST_F(SettingsTest, DamagedOnesArePutAsideWithOneLine) {
  for (const char* text :
       {"{\"window_width\": \"wide\"", "{\"window_width\": \"wide\"}", "{", "[]", "{\"recent\": 3}", "\xFF",
        "", "{\"panel\": {\"sections\": 5}}", "{\"display\": {\"glow\": 0.3}}"}) {
    write_text(text);
    const auto settings = read_settings(problem);
    EXPECT_EQ(settings.window_size, Settings().window_size) << text;
    EXPECT_NE(problem.find(file().string()), std::string::npos) << problem;
    EXPECT_EQ(problem.find('\n'), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(file())) << text;
    EXPECT_TRUE(std::filesystem::exists(file().string() + ".damaged")) << text;
    problem.clear();
  }
}

TEST_F(SettingsTest, ValuesOutOfRangeAreIgnored) {
  write_text(R"({"ui_scale": 90, "window_width": -4, "window_height": 300, "theme": "pink"})");
  const auto settings = read_settings(problem);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(settings.ui_scale, 1.0F);
  EXPECT_EQ(settings.window_size, Settings().window_size);
  EXPECT_EQ(settings.theme, Theme::dark);
}

TEST_F(SettingsTest, AFolderThatCannotBeWrittenIsOneLine) {
  // A file where the folder should be: refused to every user.
  std::ofstream(folder / "orrery") << "x";
  const auto why = write_settings({});
  EXPECT_NE(why.find("settings cannot be kept"), std::string::npos) << why;
  EXPECT_EQ(why.find('\n'), std::string::npos);
}

TEST_F(SettingsTest, AFolderInTheirPlaceIsOneLine) {
  std::filesystem::create_directories(file());
  EXPECT_EQ(read_settings(problem).window_size, Settings().window_size);
  EXPECT_NE(problem.find("it is a folder"), std::string::npos) << problem;
  EXPECT_NE(write_settings({}), "");
}

TEST_F(SettingsTest, OnlyTheNewestFilesAreKept) {
  Settings settings;
  for (int k = 0; k < 40; ++k) note_recent(settings, "/data/" + std::to_string(k));
  EXPECT_EQ(settings.recent.size(), 12U);
  EXPECT_EQ(settings.recent.front(), "/data/39");
}

TEST(UiScale, GoesUpAndDownBetweenItsEnds) {
  EXPECT_FLOAT_EQ(next_ui_scale(1.0F, 1), 1.1F);
  EXPECT_FLOAT_EQ(next_ui_scale(next_ui_scale(1.0F, 1), -1), 1.0F);
  EXPECT_FLOAT_EQ(next_ui_scale(1.3F, -1), 1.25F);
  EXPECT_FLOAT_EQ(next_ui_scale(largest_ui_scale, 1), largest_ui_scale);
  EXPECT_FLOAT_EQ(next_ui_scale(least_ui_scale, -1), least_ui_scale);
  EXPECT_FLOAT_EQ(next_ui_scale(3.0F, 0), 1.0F);
}

TEST(Toasts, ANoteReplacesTheOneBeforeAndProblemsStayLonger) {
  using Kind = Toasts::Kind;
  using Texts = std::vector<std::string>;
  const Toasts::Clock::time_point start{};
  Toasts toasts;
  toasts.add(Kind::note, "one", start);
  toasts.add(Kind::problem, "wrong", start);
  toasts.add(Kind::note, "two", start);
  toasts.add(Kind::note, "", start);
  EXPECT_EQ(toasts.texts(), (Texts{"wrong", "two"}));
  toasts.add(Kind::problem, "wrong", start);
  EXPECT_EQ(toasts.texts(), (Texts{"two", "wrong"}));
  toasts.expire(start + 5s);
  EXPECT_EQ(toasts.texts(), (Texts{"wrong"}));
  toasts.expire(start + 10s);
  EXPECT_TRUE(toasts.texts().empty());
  for (int k = 0; k < 9; ++k) toasts.add(Kind::problem, std::to_string(k), start);
  EXPECT_EQ(toasts.texts(), (Texts{"5", "6", "7", "8"}));
}

}  // namespace
}  // namespace orrery::app
