#include <algorithm>

#include "app/live/headline.h"
#include "app/session/session.h"
#include "app/window/demo_overlay.h"
#include "app/window/messages.h"
#include "app/window/settings.h"
#include "app/window/window_demo.h"
#include "demo_testing.h"

namespace orrery::app {
namespace {

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

/// The fastest kernel, with which a demonstration began, was the bottom rung of its ladder.
TEST_F(DemoPlay, OnlyMeasuredStepsHaveResults) {
  auto introduced = good_demo();
  const nlohmann::json start{{"name", "start"}, {"caption", "Before"}, {"seconds", 0}};
  introduced["steps"].insert(introduced["steps"].begin(), start);
  run_.start(demo(introduced), {}, false);
  ASSERT_TRUE(frames_until([this] { return run_.playing() && switching_.watch().measured(); }));
  run_.go_on();
  one_frame();
  EXPECT_EQ(run_.step().name, "one");
  EXPECT_TRUE(run_.results().empty());
  EXPECT_TRUE(run_.sets_the_scene()) << "the first kernel that is measured replaces none";
  ASSERT_TRUE(frames_until([this] { return run_.ready(); }));
  run_.go_on();
  one_frame();
  ASSERT_EQ(run_.results().size(), 1U);
  EXPECT_EQ(run_.results().front().step, "one");
  EXPECT_FALSE(run_.sets_the_scene());
}

/// Who quits in the middle of a demonstration found a window without a panel at the next start.
TEST_F(DemoPlay, WhatIsKeptHasThePanelThatADemonstrationHides) {
  Settings settings;
  Messages messages;
  WindowDemo window(*session_, settings, messages);
  window.start(demo(), {}, false);
  EXPECT_FALSE(settings.panel_visible);
  EXPECT_TRUE(window.settings_after().panel_visible);
  window.end();
  EXPECT_TRUE(settings.panel_visible);
  settings.panel_visible = false;
  window.start(demo(), {}, false);
  EXPECT_FALSE(window.settings_after().panel_visible) << "a person hid it before";
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
  auto again = good_demo();
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
  auto views = good_demo();
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

/// Without a margin at each side.
DemoRoom within(DemoRoom room, double margin) {
  const glm::dvec2 inset = margin * (room.box.high - room.box.low);
  room.box = {room.box.low + inset, room.box.high - inset};
  return room;
}

/// They stood behind the caption and the banner, then at the very edge of the picture.
TEST_F(DemoPlay, BodiesStayInTheFreePartOfThePictureWhileTheCameraTurns) {
  session_->paused = true;
  auto turning = good_demo();
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
        EXPECT_GE(share_in_room(*session_, within(room_, 0.06)), 0.9) << size.x << ' ' << k;
      }
    }
  }
}

/// The banner of a switch appears: they glide out of its way.
TEST_F(DemoPlay, BodiesMakeRoomForWhatAppears) {
  session_->paused = true;
  auto still = good_demo();
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

/// A film asks for the same moment again and again until its state is there.
TEST_F(DemoPlay, TheCameraDependsOnTheTimeNotOnHowOftenItIsAsked) {
  auto turning = good_demo();
  for (auto& step : turning["steps"]) {
    step["measure"] = false;
    step["camera"] = {{"view", "oblique"}, {"turn", 30}};
  }
  const auto start = DemoRun::Clock::now();
  std::vector<render::Camera> cameras;
  for (const int polls : {1, 3}) {
    open("plummer", 64, true);
    run_.start(demo(turning), {}, false);
    ASSERT_TRUE(test::eventually([&] {
      one_frame(start);
      return run_.playing();
    }));
    room_ = free_room({.left = 300.0F, .top = 100.0F, .bottom = 800.0F}, {1920.0F, 1080.0F});
    for (int frame = 1; frame <= 60; ++frame) {
      if (frame == 30) run_.go_on();
      for (int poll = 0; poll < polls; ++poll) one_frame(start + frame * std::chrono::milliseconds(40));
    }
    cameras.push_back(session_->camera);
    room_ = DemoRoom();
    run_.end();
  }
  EXPECT_EQ(cameras[0], cameras[1]);
}

/// From a pair of galaxies, which a long lens shows, to a view with the usual one: it jumped.
TEST_F(DemoPlay, TheLensChangesAsTheCameraFlies) {
  open("milky-way-andromeda-today", 4000, true);
  auto views = good_demo();
  for (auto& step : views["steps"]) step["measure"] = false;
  const auto start = DemoRun::Clock::now();
  run_.start(demo(views), {}, false);
  ASSERT_TRUE(test::eventually([&] {
    one_frame(start);
    return run_.playing();
  }));
  // The first frame shows how much room texts leave.
  room_ = free_room({.left = 500.0F, .top = 200.0F, .bottom = 800.0F}, {1920.0F, 1080.0F});
  one_frame(start + std::chrono::milliseconds(1));
  EXPECT_GE(share_in_room(*session_, room_), 0.9);
  const auto usual = render::Camera().field_of_view;
  const float first = session_->camera.field_of_view;
  EXPECT_LT(first, 0.5F * usual);
  run_.go_on();
  float before = first;
  for (int frame = 1; frame <= 100; ++frame) {
    one_frame(start + (frame + 1) * std::chrono::milliseconds(20));
    const float now = session_->camera.field_of_view;
    EXPECT_GE(now, before) << frame;
    EXPECT_LT(now, 1.15F * before) << frame;
    before = now;
  }
  EXPECT_EQ(before, usual);
}

TEST_F(DemoPlay, AnotherDatasetIsWaitedFor) {
  run_.start(demo(), {}, false, session_->openings());
  for (int k = 0; k < 5; ++k) one_frame();
  EXPECT_TRUE(run_.loading()) << "not that which is open";
  open();
  ASSERT_TRUE(frames_until([this] { return run_.playing(); }));
}

TEST_F(DemoPlay, TheErrorOfTheEnergyHasACurveForEachStep) {
  auto energy = good_demo();
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

}  // namespace
}  // namespace orrery::app
