#include "app/live/demo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/picture/display_options.h"
#include "demo_testing.h"
#include "lab/ladders/ladders.h"
#include "program_test.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "tests/temporary_folder.h"

namespace orrery::app {
namespace {

using nlohmann::json;

class DemoFile : public testing::Test {
 protected:
  Demo read(const json& content) {
    const auto file = folder_.path() / "mine.json";
    sim::write_file(file, content.dump());
    return read_demo(table_, file);
  }
  /// The message names the file and all of `parts`, in one line.
  void expect_refused(const json& content, const std::vector<std::string>& parts) {
    try {
      read(content);
      ADD_FAILURE() << "accepted: " << content.dump();
    } catch (const sim::Error& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("mine.json"), std::string::npos) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      for (const auto& part : parts) EXPECT_NE(message.find(part), std::string::npos) << message;
    }
  }

  sim::OptionTable table_ = all_options();
  const test::TemporaryFolder folder_;
};

TEST_F(DemoFile, IsReadWithAllThatItSays) {
  const auto demo = read(good_demo());
  // Whatever files the current folder has.
  EXPECT_TRUE(demo.dataset.built_in);
  EXPECT_EQ(demo.name, "mine");
  EXPECT_EQ(demo.dataset.source, "plummer");
  EXPECT_EQ(demo.dataset.bodies, 64U);
  ASSERT_EQ(demo.steps.size(), 2U);
  EXPECT_TRUE(demo.steps[0].measured);
  EXPECT_FALSE(demo.steps[0].camera);
  ASSERT_TRUE(demo.steps[1].camera);
  EXPECT_EQ(demo.steps[1].camera->view, render::Camera::Preset::face_on);
  EXPECT_DOUBLE_EQ(demo.steps[1].camera->zoom, 2.0);
}

/// They had become one line, all of it large.
TEST_F(DemoFile, ACaptionKeepsItsLines) {
  auto demo = good_demo();
  demo["steps"][0]["caption"] = "Large.\nSmaller\u0007 below.";
  EXPECT_EQ(read(demo).steps[0].caption, "Large.\nSmaller? below.");
  demo["title"] = "One\nline";
  EXPECT_EQ(read(demo).title, "One line");
}

TEST_F(DemoFile, AStepCanResetWaitAndPlot) {
  auto demo = good_demo();
  demo["steps"][0]["reset"] = true;
  demo["steps"][0]["until"] = 2.5;
  demo["steps"][0]["plot"] = "energy";
  demo["steps"][1]["label"] = "All threads";
  demo["steps"][1]["camera"]["holds"] = 0.97;
  const auto steps = read(demo).steps;
  EXPECT_TRUE(steps[0].reset);
  EXPECT_DOUBLE_EQ(steps[0].until, 2.5);
  EXPECT_EQ(steps[0].plot, DemoPlot::energy);
  EXPECT_EQ(steps[0].label, "one") << "the name, unless it has another";
  EXPECT_EQ(steps[1].label, "All threads");
  EXPECT_EQ(steps[1].plot, DemoPlot::automatic);
  EXPECT_DOUBLE_EQ(steps[1].camera->holds, 0.97);
}

TEST_F(DemoFile, MistakesNameFileStepAndKey) {
  const auto with = [](const std::string& pointer, const json& value) {
    auto demo = good_demo();
    demo[json::json_pointer(pointer)] = value;
    return demo;
  };
  expect_refused(with("/steps/1/secnods", 3), {"step 2", "'secnods'", "did you mean 'seconds'"});
  expect_refused(with("/steps/0/seconds", "long"), {"step 1 'one'", "'seconds'"});
  expect_refused(with("/steps/0/seconds", -1), {"step 1 'one'", "'seconds'"});
  expect_refused(with("/steps/1/set/kernel", "smid"), {"step 2 'two'", "'set'", "smid"});
  expect_refused(with("/steps/1/set/kernle", "simd"), {"step 2 'two'", "'set'", "kernle", "kernel"});
  expect_refused(with("/steps/1/camera/view", "sideways"), {"step 2 'two'", "'camera'", "'view'"});
  expect_refused(with("/steps/1/needs", "cpu"), {"step 2 'two'", "'needs'"});
  expect_refused(with("/steps/1/plot", "pie"), {"step 2 'two'", "'plot'", "accuracy-speed"});
  expect_refused(with("/steps/1/until", -1), {"step 2 'two'", "'until'"});
  expect_refused(with("/steps/1/camera/holds", 2), {"step 2 'two'", "'camera'", "'holds'"});
  expect_refused(with("/steps/1/rung", "tiled"), {"step 2 'two'", "'rung'", "LADDER/RUNG"});
  expect_refused(with("/steps/1/name", "Two words"), {"step 2", "'name'"});
  expect_refused(with("/dataset/bodies", 0.5), {"'dataset'", "'bodies'"});
  expect_refused(with("/steps", json::array()), {"'steps'"});
  auto demo = good_demo();
  demo["steps"][1].erase("caption");
  expect_refused(demo, {"step 2 'two'", "'caption' is missing"});
  expect_refused("no object", {"must be an object"});
}

TEST_F(DemoFile, BrokenJsonIsSaid) {
  const auto file = folder_.path() / "mine.json";
  sim::write_file(file, "{\"title\": ");
  EXPECT_THROW(read_demo(table_, file), sim::Error);
}

TEST_F(DemoFile, NullIsTheDefaultOfAnOption) {
  auto demo = good_demo();
  demo["steps"][0]["set"] = {{"threads", nullptr}};
  EXPECT_EQ(read(demo).steps[0].settings[0].second, sim::to_string(table_.at("threads").default_value));
}

TEST_F(DemoFile, UnknownNamesGetTheNearest) {
  try {
    find_demo(table_, "limits");
    FAIL();
  } catch (const sim::UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'limit'"), std::string::npos) << error.what();
  }
}

/// All that the program brings can be read, and has steps with and without a GPU.
TEST_F(DemoFile, OwnDemonstrationsAreWhole) {
  std::vector<std::string> problems;
  const auto demos = all_demos(table_, problems);
  EXPECT_TRUE(problems.empty()) << problems.front();
  const auto ladders = lab::find_ladders(table_, "all", {});
  for (const auto* name : {"ladder", "limit", "collision", "orbits", "direct-vs-tree"}) {
    const auto found = std::ranges::find(demos, name, &Demo::name);
    ASSERT_NE(found, demos.end()) << name;
    for (const bool gpu : {false, true}) {
      lab::require_dataset(found->dataset_for(gpu));
      const auto steps = complete_steps(table_, *found, ladders, gpu, table_.defaults(), {});
      EXPECT_FALSE(steps.empty()) << name;
      for (const auto& each : steps)
        EXPECT_NE(each.step.needs, gpu ? DemoNeeds::no_gpu : DemoNeeds::gpu) << each.step.name;
    }
  }
}

/// Without a GPU it ended in x0.50.
TEST_F(DemoFile, TheLastStepOfLimitIsTheFastest) {
  const auto demo = find_demo(table_, "limit");
  auto steps = complete_steps(table_, demo, {}, false, table_.defaults(), {});
  ASSERT_TRUE(steps.back().step.closing) << "then what was measured is summed up";
  steps.pop_back();
  auto configuration = table_.defaults();
  double before = 0.0;
  for (const auto& each : steps) {
    for (const auto& [name, value] : each.step.settings) table_.assign(configuration, name + "=" + value);
    const auto& option = table_.at("kernel");
    const auto place = std::ranges::find(option.choices, configuration.choice("kernel"));
    const double usual = option.usual_rates.at(static_cast<std::size_t>(place - option.choices.begin()));
    EXPECT_GE(usual, before) << each.step.name;
    before = usual;
  }
}

TEST_F(DemoFile, ALadderIsWrittenOut) {
  auto demo = good_demo();
  demo["steps"][0] = {
      {"name", "climb"}, {"caption", "C"}, {"ladder", "ece415-2022"}, {"rungs", {"omp2", "omp1"}}};
  const auto ladders = lab::find_ladders(table_, "all", {});
  auto steps = complete_steps(table_, read(demo), ladders, false, table_.defaults(), {});
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].step.name, "climb-omp1") << "in the ladder's order";
  EXPECT_EQ(steps[1].rung->name, "omp2");
  demo["steps"][0]["rungs"] = {"opm2"};
  const auto wrong = read(demo);
  EXPECT_THROW(complete_steps(table_, wrong, ladders, false, table_.defaults(), {}), sim::Error);
}

/// The command as a person calls it.
class DemoCommand : public test::ProgramTest {
 protected:
  test::Outcome demo(const std::string& arguments) const {
    return shell("'" ORRERY_PROGRAM "' demo " + arguments);
  }
};

TEST_F(DemoCommand, ListsAndRefuses) {
  const auto list = demo("--list");
  EXPECT_EQ(list.status, 0);
  EXPECT_NE(list.output.find("limit "), std::string::npos);
  const auto unknown = demo("colision");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.errors.find("did you mean 'collision'"), std::string::npos) << unknown.errors;
  std::ofstream(folder_ / "bad.json") << R"({"title": "T", "meaning": "M", "dataset": {"source": "disk"},
    "steps": [{"name": "a", "caption": "C", "set": {"kernel": 7}}]})";
  const auto bad = demo("bad.json");
  EXPECT_EQ(bad.status, 1);
  EXPECT_EQ(std::count(bad.errors.begin(), bad.errors.end(), '\n'), 1) << bad.errors;
  for (const auto* part : {"bad.json", "step 1 'a'", "'set'"})
    EXPECT_NE(bad.errors.find(part), std::string::npos) << bad.errors;
}

/// As long as its steps say, at 30 frames a second of its own time.
TEST_F(DemoCommand, WithoutADisplayItMakesAFilm) {
  auto timed = good_demo();
  for (auto& step : timed["steps"]) {
    step["seconds"] = 0.5;
    step["measure"] = false;
  }
  std::ofstream(folder_ / "mine.json") << timed.dump();
  const auto outcome = demo("mine.json --record film.mp4 --size 160x90");
  if (outcome.errors.find("OpenGL") != std::string::npos && outcome.status == 1)
    GTEST_SKIP() << outcome.errors;
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto at = outcome.output.find(" frames, ");
  ASSERT_NE(at, std::string::npos) << outcome.output;
  const auto frames = std::stod(outcome.output.substr(outcome.output.rfind('(', at) + 1));
  EXPECT_NEAR(frames, 30.0, 3.0);
  const bool joined = std::filesystem::exists(folder_ / "film.mp4");
  EXPECT_FALSE(std::filesystem::is_empty(folder_ / (joined ? "film.mp4" : "film-frames")));
  EXPECT_EQ(demo("mine.json --record film.gif").status, 2);
}

TEST_F(DemoCommand, WithoutADisplayItWritesTableAndPictures) {
  std::ofstream(folder_ / "mine.json") << good_demo().dump();
  const auto outcome = demo("mine.json --table t.csv --record steps --size 320x180");
  if (outcome.errors.find("OpenGL") != std::string::npos && outcome.status == 1)
    GTEST_SKIP() << outcome.errors;
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto table = text_of(folder_ / "t.csv");
  EXPECT_NE(table.find("one,sequential,"), std::string::npos) << table;
  EXPECT_NE(table.find("two,omp-bodies,"), std::string::npos) << table;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "steps" / "01-one.png"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "steps" / "02-two.png"));
  EXPECT_EQ(demo("mine.json --table t.csv").status, 1) << "a table is never overwritten";
  EXPECT_EQ(text_of(folder_ / "t.csv"), table);
}

/// The log says there that the tree, which is chosen for so many bodies, has errors.
TEST_F(DemoCommand, OnStandardOutputIsTheTableAlone) {
  std::ofstream(folder_ / "mine.json") << good_demo().dump();
  const auto outcome = demo("mine.json --bodies 7000 --table -");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(outcome.output.starts_with("step,kernel,gips,")) << outcome.output;
  EXPECT_NE(outcome.errors.find("7000 bodies: kernel=tree"), std::string::npos) << outcome.errors;
}

}  // namespace
}  // namespace orrery::app
