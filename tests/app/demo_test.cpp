#include "app/live/demo.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/gui/gui.h"
#include "app/live/demo_run.h"
#include "app/live/headline.h"
#include "app/picture/display_options.h"
#include "app/session/session.h"
#include "app/window/demo_overlay.h"
#include "app/window/demo_slide.h"
#include "headless_test.h"
#include "lab/ladders/ladders.h"
#include "program_test.h"
#include "render/context/target.h"
#include "render/picture/image.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/galaxies/model.h"
#include "tests/eventually.h"
#include "tests/temporary_folder.h"

namespace orrery::app {
namespace {

using nlohmann::json;

json good() {
  return json::parse(R"({"title": "T", "meaning": "M", "dataset": {"source": "plummer", "bodies": 64},
    "steps": [
      {"name": "one", "caption": "First", "set": {"kernel": "sequential"}, "seconds": 0, "measure": true},
      {"name": "two", "caption": "Second", "set": {"kernel": "omp-bodies"}, "seconds": 0, "measure": true,
       "camera": {"view": "face-on", "zoom": 2, "turn": 5}}]})");
}

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
  const auto demo = read(good());
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
  auto demo = good();
  demo["steps"][0]["caption"] = "Large.\nSmaller\u0007 below.";
  EXPECT_EQ(read(demo).steps[0].caption, "Large.\nSmaller? below.");
  demo["title"] = "One\nline";
  EXPECT_EQ(read(demo).title, "One line");
}

TEST_F(DemoFile, AStepCanResetWaitAndPlot) {
  auto demo = good();
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
    auto demo = good();
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
  auto demo = good();
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
  auto demo = good();
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
  auto demo = good();
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

TEST(DemoTable, HasARowForEachStep) {
  const std::vector<DemoResult> rows{
      {.step = "one", .kernel = "simd", .gips = 2.0, .seconds = 0.001, .error = 1e-7, .limit_percent = 50.0},
      {.step = "two", .kernel = "tiled", .refusal = "no GPU, \"none\""}};
  EXPECT_EQ(demo_csv(rows),
            "step,kernel,gips,ms,error_median,percent_of_limit,remark\n"
            "one,simd,2,1,1.000e-07,50.0,\n"
            "two,tiled,,,,,\"no GPU, \"\"none\"\"\"\n");
}

TEST(DemoTable, SaysThatTheMachineWasBusy) {
  DemoResult row{.step = "one", .kernel = "simd", .gips = 2.0, .seconds = 0.001};
  row.busy = true;
  EXPECT_NE(demo_csv({row}).find(",machine busy\n"), std::string::npos) << demo_csv({row});
}

/// Steps of as many interactions are compared by their rates, others by the time for all forces.
TEST(DemoComparisonTest, ComparesWhatCanBeCompared) {
  std::vector<DemoResult> rows{{.step = "one", .kernel = "sequential", .gips = 0.5, .seconds = 2.0},
                               {.step = "none", .kernel = "tiled", .refusal = "no GPU"},
                               {.step = "two", .kernel = "simd", .gips = 5.0, .seconds = 0.2}};
  const DemoComparison rates(rows, nullptr);
  ASSERT_EQ(rates.rows().size(), 2U) << "what was not measured is no bar";
  EXPECT_FALSE(rates.by_time());
  EXPECT_EQ(rates.text(rates.rows()[1]), "5.00");
  EXPECT_DOUBLE_EQ(rates.length(rates.rows()[0]), 0.1);
  EXPECT_EQ(rates.factor().text(), "x10");
  const DemoResult tree{.step = "three", .kernel = "tree", .gips = 0.4, .seconds = 0.01};
  const DemoComparison times(rows, &tree);
  ASSERT_EQ(times.rows().size(), 3U);
  EXPECT_TRUE(times.by_time());
  EXPECT_EQ(times.text(tree), "10 ms");
  EXPECT_DOUBLE_EQ(times.length(times.rows()[0]), 0.005);
  EXPECT_DOUBLE_EQ(times.factor().value(), 200.0);
  rows[2].busy = true;
  rows[2].gips = 1.2, rows[2].seconds = 1.0 / 1.2;
  EXPECT_EQ(DemoComparison(rows, nullptr).factor().text(), "machine busy");
}

/// The audience knows steps, not options.
TEST(DemoComparisonTest, DotsOfTheBoardHaveTheNamesOfTheSteps) {
  const std::vector<DemoResult> rows{
      {.step = "pairs", .gips = 5.0, .seconds = 25.0, .error = 1e-4, .label = "all pairs"},
      {.step = "none", .refusal = "no GPU", .label = "refused"},
      {.step = "tree", .gips = 0.5, .seconds = 0.02, .error = 4e-4, .label = "tree"}};
  const DemoResult now{
      .step = "fine", .gips = 0.4, .seconds = 0.01, .error = 7e-4, .label = "where it counts"};
  const auto panel = lab::accuracy_speed_panel(board_of(rows, &now));
  EXPECT_EQ(panel.lines.at(0).labels, (std::vector<std::string>{"all pairs", "tree"}));
  EXPECT_EQ(panel.lines.at(1).labels, std::vector<std::string>{"where it counts"});
  EXPECT_TRUE(lab::accuracy_speed_panel(board_of(rows, nullptr)).lines.at(1).labels.empty());
}

/// On a real session without a window.
class DemoPlay : public HeadlessTest {
 protected:
  void SetUp() override {
    HeadlessTest::SetUp();
    if (IsSkipped()) return;
    session_ = std::make_unique<Session>(table_, std::vector<std::string>{"engine=cpu", "threads=1"});
    open();
  }
  void open() {
    auto scene = sim::make_galaxy("plummer", {.bodies = 64, .seed = 1});
    auto summary = summarize(scene.bodies);
    session_->open({.request = {.source = "plummer", .bodies = 64, .seed = 1},
                    .scene = std::make_shared<const sim::Scene>(std::move(scene)),
                    .summary = std::move(summary),
                    .hash = "0",
                    .state = std::nullopt});
  }
  void one_frame() {
    session_->update();
    switching_.update(*session_, Switching::Quiet::no);
    // Nobody waits for the closing slide to have been seen.
    if (run_.playing() && run_.step().closing) ahead_ = std::chrono::seconds(60);
    run_.update(*session_, switching_, {.room = [this] { return room_; }, .leave = [this] { leave(); }},
                DemoRun::Clock::now() + ahead_);
  }
  void leave() {
    ++left_;
    const bool unknown = run_.step().measured && !(run_.present() && run_.present()->gips > 0.0);
    if (unknown) ++left_without_result_;
  }
  bool frames_until(const std::function<bool()>& holds) {
    return test::eventually([&] {
      one_frame();
      return holds();
    });
  }
  Demo demo(const json& content = good()) {
    const auto file = folder_.path() / "mine.json";
    sim::write_file(file, content.dump());
    return read_demo(table_, file);
  }

  sim::OptionTable table_ = all_options();
  std::unique_ptr<Session> session_;
  Switching switching_{table_};
  DemoRun run_;
  int left_ = 0, left_without_result_ = 0;
  DemoRoom room_;
  std::chrono::seconds ahead_{0};
  const test::TemporaryFolder folder_;
};

TEST_F(DemoPlay, StepsWaitForTheirMedianAndTheCheck) {
  run_.start(demo(), {}, true);
  ASSERT_TRUE(frames_until([this] { return !run_.running(); }));
  ASSERT_EQ(run_.results().size(), 2U);
  EXPECT_EQ(left_, 3) << "the closing slide too";
  EXPECT_EQ(left_without_result_, 0) << "the picture of a step shows its result, not that it is measured";
  EXPECT_EQ(run_.results()[0].kernel, "sequential");
  EXPECT_EQ(run_.results()[1].kernel, "omp-bodies");
  for (const auto& row : run_.results()) {
    EXPECT_GT(row.gips, 0.0) << row.step;
    EXPECT_GT(row.error, 0.0) << row.step;
  }
  EXPECT_EQ(session_->configuration.choice("kernel"), "omp-bodies") << "all stays as the last step left it";
}

TEST_F(DemoPlay, WithoutItselfItWaitsForThePerson) {
  run_.start(demo(), {}, false);
  ASSERT_TRUE(frames_until([this] { return run_.playing() && run_.ready(); }));
  for (int k = 0; k < 50; ++k) one_frame();
  EXPECT_EQ(run_.current(), 0U);
  run_.go_on();
  one_frame();
  EXPECT_EQ(run_.current(), 1U);
  run_.end();
  one_frame();
  EXPECT_FALSE(run_.running());
  EXPECT_EQ(session_->configuration.choice("kernel"), "omp-bodies");
}

TEST_F(DemoPlay, EndsWhenAnotherDatasetOpens) {
  run_.start(demo(), {}, false);
  ASSERT_TRUE(frames_until([this] { return run_.playing(); }));
  open();
  one_frame();
  EXPECT_FALSE(run_.running());
}

/// A name never stands beside the rate of what computed before.
TEST_F(DemoPlay, TheHeadlineWaitsForTheRateOfWhatItNames) {
  ASSERT_TRUE(frames_until([this] { return switching_.watch().measured(); }));
  EXPECT_GT(headline_of(*session_, switching_.watch()).gips, 0.0);
  const auto& kernel = table_.at("kernel");
  for (const auto* name : {"sequential", "omp-bodies"}) {
    session_->set_option(kernel, std::string(name));
    one_frame();
    const auto headline = headline_of(*session_, switching_.watch());
    EXPECT_EQ(headline.kernel, name);
    EXPECT_EQ(headline.gips, 0.0) << "that of the kernel before";
    EXPECT_EQ(one_line(headline), std::string(name) + "   measuring");
    ASSERT_TRUE(frames_until([this] { return switching_.watch().measured(); }));
    EXPECT_GT(headline_of(*session_, switching_.watch()).gips, 0.0);
  }
}

TEST_F(DemoPlay, AStepBeginsWithTheInitialStateAgain) {
  auto again = good();
  again["steps"][0]["measure"] = again["steps"][1]["measure"] = false;
  again["steps"][1]["reset"] = true;
  run_.start(demo(again), {}, false);
  ASSERT_TRUE(frames_until([this] { return session_->frame().steps > 20; }));
  EXPECT_EQ(session_->frame().resets, 0U);
  run_.go_on();
  ASSERT_TRUE(frames_until([this] { return session_->frame().resets == 1; }));
  EXPECT_EQ(run_.current(), 1U);
}

/// Drawing a picture takes longer than the camera flies: it stayed where it was.
TEST_F(DemoPlay, TheCameraArrivesHoweverLongAFrameTakes) {
  session_->paused = true;
  auto views = good();
  views["steps"][1]["camera"] = {{"view", "face-on"}, {"zoom", 2}};
  views["steps"][0]["camera"] = {{"view", "face-on"}};
  for (auto& step : views["steps"]) step["measure"] = false;
  run_.start(demo(views), {}, false);
  ASSERT_TRUE(frames_until([this] { return run_.playing(); }));
  const double distance = session_->camera.distance;
  one_frame();
  EXPECT_DOUBLE_EQ(session_->camera.distance, distance) << "the first step begins where it looks";
  run_.go_on();
  one_frame();
  ahead_ = std::chrono::seconds(5);
  one_frame();
  EXPECT_NEAR(session_->camera.distance, 0.5 * distance, 1e-6 * distance) << "twice as large";
}

TEST_F(DemoPlay, WhoTakesTheCameraHasIt) {
  run_.start(demo(), {}, false);
  ASSERT_TRUE(frames_until([this] { return run_.playing(); }));
  run_.go_on();
  one_frame();
  session_->camera.distance = 3.0;
  ahead_ = std::chrono::seconds(5);
  one_frame();
  EXPECT_DOUBLE_EQ(session_->camera.distance, 3.0);
}

/// The part of the luminous bodies that is drawn in the free part of a picture of 16 to 9.
double share_in_room(const Session& session, const DemoRoom& room) {
  const auto matrix = glm::dmat4(session.camera.projection(1.0F) * session.camera.view());
  const auto places = session.luminous_now();
  const auto inside = std::ranges::count_if(places, [&](const glm::dvec3& place) {
    const auto clip = matrix * glm::dvec4(place, 1.0);
    const double x = clip.x / clip.w + room.axis, y = clip.y / clip.w;
    return x >= room.box.low.x && x <= room.box.high.x && y >= room.box.low.y && y <= room.box.high.y;
  });
  return static_cast<double>(inside) / static_cast<double>(places.size());
}

/// They stood behind the caption and the banner.
TEST_F(DemoPlay, BodiesStayInTheFreePartOfThePictureWhileTheCameraTurns) {
  session_->paused = true;
  auto turning = good();
  for (auto& step : turning["steps"]) {
    step["measure"] = false;
    step["camera"] = {{"turn", 350}, {"holds", 0.9}};
  }
  for (const glm::vec2 size : {glm::vec2(1920, 1080), glm::vec2(1080, 1080), glm::vec2(500, 900)}) {
    const DemoCover chart{.left = 0.4F * size.x, .top = 0.25F * size.y, .bottom = 0.75F * size.y};
    const DemoCover no_chart{.bottom = 0.7F * size.y},
        closing{.left = 0.5F * size.x, .bottom = 0.9F * size.y};
    for (const auto& cover : {chart, no_chart, closing}) {
      room_ = free_room(cover, size);
      ahead_ = std::chrono::seconds(0);
      run_.start(demo(turning), {}, false);
      ASSERT_TRUE(frames_until([this] { return run_.playing(); }));
      for (int k = 0; k < 12; ++k) {
        ahead_ += std::chrono::seconds(1);
        one_frame();
        EXPECT_GE(share_in_room(*session_, room_), 0.9) << size.x << ' ' << k;
      }
    }
  }
}

/// The banner of a switch appears: they glide out of its way.
TEST_F(DemoPlay, BodiesMakeRoomForWhatAppears) {
  session_->paused = true;
  auto still = good();
  for (auto& step : still["steps"]) step["measure"] = false;
  run_.start(demo(still), {}, false);
  ASSERT_TRUE(frames_until([this] { return run_.playing(); }));
  for (int k = 0; k < 5; ++k) one_frame();
  const auto before = session_->camera;
  room_ = free_room({.left = 600.0F, .top = 400.0F, .bottom = 800.0F}, {1920.0F, 1080.0F});
  EXPECT_LT(share_in_room(*session_, room_), 0.9);
  one_frame();
  EXPECT_NEAR(session_->camera.distance, before.distance, 0.2 * before.distance) << "it does not jump";
  for (int k = 0; k < 100; ++k) {
    ahead_ += std::chrono::seconds(1);
    one_frame();
  }
  EXPECT_GE(share_in_room(*session_, room_), 0.96);
}

TEST_F(DemoPlay, AnotherDatasetIsWaitedFor) {
  run_.start(demo(), {}, false, session_->openings());
  for (int k = 0; k < 5; ++k) one_frame();
  EXPECT_TRUE(run_.loading()) << "not that which is open";
  open();
  ASSERT_TRUE(frames_until([this] { return run_.playing(); }));
}

TEST_F(DemoPlay, TheErrorOfTheEnergyHasACurveForEachStep) {
  auto energy = good();
  for (auto& step : energy["steps"]) {
    step["measure"] = false;
    step["reset"] = true;
    step["plot"] = "energy";
  }
  run_.start(demo(energy), {}, false);
  const auto known = [this] { return !run_.energy().empty() && run_.energy().back().points.size() > 1; };
  ASSERT_TRUE(frames_until(known));
  run_.go_on();
  ASSERT_TRUE(frames_until([&] { return run_.current() == 1 && known(); }));
  ASSERT_EQ(run_.energy().size(), 2U);
  for (const auto& curve : run_.energy()) {
    EXPECT_GT(curve.points.front().x, 0.0);
    EXPECT_LT(curve.points.front().x, curve.points.back().x);
  }
}

/// What an audience reads, on a white picture: the worst ground there is.
class HallTest : public DemoPlay {
 protected:
  render::Image slide(glm::ivec2 size) {
    const render::PictureTarget target(size);
    render::clear_to(target.framebuffer(), glm::vec4(1.0F));
    // The scale of the interface says nothing of what is read from the last row.
    Gui gui(0.7F);
    gui.set_hall(glm::vec2(size));
    const auto now = DemoRun::Clock::now();
    for (int k = 0; k < 3; ++k) {
      gui.frame(glm::vec2(size), size, [&] {
        caption_ = Gui::caption_font()->FontSize;
        below_ = Gui::hall_font()->FontSize;
        const auto left = demo_covers(run_, glm::vec2(size));
        draw_demo_slide(run_, *session_, false, widgets_, now);
        draw_demo(left, run_, false, widgets_, now);
      });
    }
    gui.draw(target.framebuffer());
    return target.read();
  }
  /// As WCAG 2 defines it, of a pixel.
  static double luminance(const render::Image& image, int x, int y) {
    const auto channel = [&](int c) {
      const auto at = 4 * (static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x)) +
                      static_cast<std::size_t>(c);
      const double value = image.rgba[at] / 255.0;
      return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2);
  }

  float caption_ = 0.0F, below_ = 0.0F;
  WidgetMap widgets_;
};

TEST_F(HallTest, CaptionsAreReadFromTheLastRow) {
  run_.start(demo(), {}, false);
  ASSERT_TRUE(frames_until([this] { return run_.playing(); }));
  const auto image = slide({1920, 1080});
  EXPECT_FLOAT_EQ(caption_, 44.0F);
  EXPECT_FLOAT_EQ(below_, 28.0F);
  slide({3840, 2160});
  EXPECT_FLOAT_EQ(caption_, 88.0F) << "they grow with the picture";
  EXPECT_FLOAT_EQ(below_, 56.0F);
  // The card is where white is no more; on it the brightest are letters.
  std::vector<double> card;
  for (int y = 700; y < 1080; ++y) {
    for (int x = 700; x < 1900; ++x) {
      if (const double light = luminance(image, x, y); light < 0.95) card.push_back(light);
    }
  }
  ASSERT_GT(card.size(), 20'000U) << "there is a caption";
  std::ranges::sort(card);
  const double ground = card[card.size() / 2], letters = card[card.size() - card.size() / 200];
  EXPECT_GE((letters + 0.05) / (ground + 0.05), 7.0) << "enhanced contrast, WCAG 2 AAA";
}

TEST_F(HallTest, TheChartGrowsAndTheClosingSlideSumsUp) {
  ahead_ = std::chrono::seconds(0);
  run_.start(demo(), {}, false);
  ASSERT_TRUE(frames_until([this] { return run_.playing() && run_.ready(); }));
  EXPECT_EQ(run_.plot(), DemoPlot::rates);
  EXPECT_TRUE(run_.present()) << "its bar is there as soon as it is measured";
  EXPECT_GT(demo_covers(run_, {1920.0F, 1080.0F}), 300.0F);
  run_.go_on();
  one_frame();
  ASSERT_TRUE(frames_until([this] { return run_.ready(); }));
  EXPECT_EQ(DemoComparison(run_.results(), &*run_.present()).rows().size(), 2U);
  run_.go_on();
  one_frame();
  ASSERT_TRUE(run_.playing());
  EXPECT_TRUE(run_.step().closing);
  EXPECT_EQ(run_.results().size(), 2U);
  // Drawn without a fault, at any size.
  slide({1920, 1080});
  slide({320, 180});
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
  auto timed = good();
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
  std::ofstream(folder_ / "mine.json") << good().dump();
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

}  // namespace
}  // namespace orrery::app
