#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/picture/display_options.h"
#include "app/picture/png_file.h"
#include "app/session/shared_names.h"
#include "app/session/state.h"
#include "app/session/state_file.h"
#include "render/error.h"
#include "sim/core/error.h"
#include "tests/render/read_png.h"
#include "tests/temporary_folder.h"

namespace orrery::app {
namespace {

using test::TemporaryFolder;

ViewState some_state(const sim::OptionTable& table) {
  ViewState state{.dataset = {.source = "plummer", .bodies = 33, .seed = 5, .galaxies = 2},
                  .dataset_hash = "00ff",
                  .time = 1.25,
                  .step = 77,
                  .exact_replay = false,
                  .configuration = table.defaults()};
  state.camera.orbit(0.3, 0.2);
  state.camera.distance = 12.5;
  table.assign(state.configuration, "kernel=pair-symmetric");
  table.assign(state.configuration, "exposure=1.5");
  return state;
}

void expect_same(const ViewState& a, const ViewState& b) {
  EXPECT_EQ(a.dataset.source, b.dataset.source);
  EXPECT_EQ(a.dataset.bodies, b.dataset.bodies);
  EXPECT_EQ(a.dataset.seed, b.dataset.seed);
  EXPECT_EQ(a.dataset.galaxies, b.dataset.galaxies);
  EXPECT_EQ(a.dataset_hash, b.dataset_hash);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.exact_replay, b.exact_replay);
  EXPECT_EQ(a.configuration, b.configuration);
  EXPECT_NEAR(glm::length(a.camera.position() - b.camera.position()), 0.0, 1e-9);
}

TEST(ViewState, ComesBackFromAStateFileAndFromAPicture) {
  const auto table = all_options();
  const auto state = some_state(table);
  const TemporaryFolder folder;
  std::ofstream(folder / "state.json") << state_text(state, folder / "state.json", 2);
  expect_same(read_view_state(table, folder / "state.json"), state);
  write_picture(folder / "picture.png", {.width = 2, .height = 1, .rgba = {1, 2, 3, 4, 5, 6, 7, 8}}, state);
  expect_same(read_view_state(table, folder / "picture.png"), state);
  EXPECT_TRUE(looks_like_state(folder / "picture.png"));
  EXPECT_TRUE(looks_like_state(folder / "state.json"));
}

TEST(ViewState, DamagedStatesAreRefusedWithOneLine) {
  const auto table = all_options();
  const TemporaryFolder folder;
  const auto whole = to_json(some_state(table)).dump();
  const auto file = folder / "bad.json";
  std::vector<std::string> bad{"", "{}", "[]", "null", "{\"state_version\":1}", "{\"state_version\":99}"};
  for (std::size_t n = 1; n < whole.size(); n += 37) bad.push_back(whole.substr(0, n));
  for (const char* key : {"dataset", "camera", "options"}) {
    auto json = nlohmann::json::parse(whole);
    json[key] = 5;
    bad.push_back(json.dump());
  }
  for (const auto& text : bad) {
    std::ofstream(file) << text;
    try {
      read_view_state(table, file);
      FAIL() << text;
    } catch (const sim::Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
  EXPECT_THROW(read_view_state(table, folder / "missing.json"), sim::Error);
}

TEST(ViewState, OfAnotherVersionIsRefusedWithBothVersions) {
  const auto table = all_options();
  auto json = to_json(some_state(table));
  json["state_version"] = 99;
  json["version"] = "3.1";
  try {
    view_state_from_json(table, json);
    FAIL();
  } catch (const sim::Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "the state is of another version of the program (3.1; this is " ORRERY_VERSION
              "); open it with that one");
  }
}

TEST(ViewState, LargeFilesAreRefusedBeforeTheyAreUnderstood) {
  const TemporaryFolder folder;
  const auto file = folder / "large.json";
  const auto whole = to_json(some_state(all_options())).dump();
  const auto problem = [&](std::size_t blanks) -> std::string {
    std::ofstream(file) << whole << std::string(blanks, ' ');
    try {
      read_view_state(all_options(), file);
      return "";
    } catch (const sim::Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(problem(std::size_t{3} << 20U), "");
  EXPECT_NE(problem(std::size_t{5} << 20U).find("the state is larger than 4 MiB"), std::string::npos);
}

std::string bytes_of(double number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

TEST(ViewState, ANumberThatBeginsWithABraceIsNoState) {
  const TemporaryFolder folder;
  const auto file = folder / "some.file";
  const auto looks = [&](const std::string& content) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
    return looks_like_state(file);
  };
  // Times of Tipsy files, before the numbers of bodies and dimensions.
  const std::string counts{3, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0};
  for (const double time : {0.01, 0.64, 0.04}) EXPECT_FALSE(looks(bytes_of(time) + counts)) << time;
  for (const char* head : {"{\"234567", "{       ", "  {\"3456", "{}345678"})
    EXPECT_FALSE(looks(head + counts)) << head;
  for (const char* text : {"{number} of bodies", "{1,2,3}", "x {\"a\":1}", "[{}]", "", " "})
    EXPECT_FALSE(looks(text)) << text;
  for (const char* text : {"{\"a\":1}", " \r\n{ \n\t\"a\":1}", "{}", "{", "{\n"})
    EXPECT_TRUE(looks(text)) << text;
  EXPECT_TRUE(names_state({.source = file.string()}));
  EXPECT_FALSE(names_state({.source = file.string(), .format = "tipsy"}));
}

TEST(ViewState, FoldersAndMissingFilesAreExplained) {
  const TemporaryFolder folder;
  EXPECT_FALSE(looks_like_state(folder.path()));
  EXPECT_THROW(read_view_state(all_options(), folder / "missing.json"), sim::UsageError);
  try {
    read_view_state(all_options(), folder.path());
    FAIL();
  } catch (const sim::Error& error) {
    EXPECT_NE(std::string(error.what()).find("it is a folder"), std::string::npos) << error.what();
  }
}

TEST(ViewState, APictureOfAnotherProgramIsRefused) {
  const TemporaryFolder folder;
  write_png(folder / "other.png", {.width = 1, .height = 1, .rgba = {0, 0, 0, 255}});
  EXPECT_THROW(read_view_state(all_options(), folder / "other.png"), sim::Error);
}

TEST(Pictures, AreWholeAndNeverOverwritten) {
  const TemporaryFolder folder;
  const render::Image image{.width = 1, .height = 1, .rgba = {9, 8, 7, 255}};
  const std::vector<render::PngText> text{{"Comment", "mine"}};
  write_png(folder / "a.png", image, text);
  EXPECT_EQ(render::read_png(folder / "a.png").rgba, image.rgba);
  EXPECT_EQ(render::read_png_text(folder / "a.png", "Comment", 100), "mine");
  EXPECT_THROW(write_png(folder / "a.png", {.width = 1, .height = 1, .rgba = {0, 0, 0, 0}}), sim::Error);
  EXPECT_EQ(render::read_png(folder / "a.png").rgba, image.rgba);
  EXPECT_THROW(write_png(folder / "missing" / "a.png", image), sim::Error);
  EXPECT_THROW(write_png(folder / "empty.png", {}), render::Error);
  EXPECT_THROW(write_png(folder / "text.png", image, std::vector<render::PngText>{{"", "no keyword"}}),
               render::Error);
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(Pictures, NamesAreFreeAndPlain) {
  const TemporaryFolder folder;
  const auto first = free_picture_name(folder.path() / "new", "a b/c.bin", 12);
  EXPECT_EQ(first.filename().string(), "a-b-c.bin-step12-0001.png");
  std::ofstream(first) << "x";
  EXPECT_NE(free_picture_name(folder.path() / "new", "a b/c.bin", 12), first);
}

}  // namespace
}  // namespace orrery::app
