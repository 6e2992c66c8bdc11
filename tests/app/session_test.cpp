#include "app/session/session.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <string>
#include <thread>

#include "app/live/laboratory.h"
#include "app/live/switching.h"
#include "app/log.h"
#include "app/picture/display_options.h"
#include "headless_test.h"
#include "render/context/gl.h"
#include "sim/galaxies/model.h"
#include "tests/eventually.h"
#include "tests/temporary_folder.h"

namespace orrery::app {
namespace {

using namespace std::chrono_literals;

class SessionTest : public HeadlessTest {
 protected:
  void SetUp() override {
    HeadlessTest::SetUp();
    if (IsSkipped()) return;
    session_ = std::make_unique<Session>(
        table_, std::vector<std::string>{"engine=cpu", "kernel=omp-bodies", "threads=1"});
    auto scene = sim::make_galaxy("plummer", {.bodies = 64, .seed = 1});
    auto summary = summarize(scene.bodies);
    session_->open({.request = {.source = "plummer", .bodies = 64, .seed = 1},
                    .scene = std::make_shared<const sim::Scene>(std::move(scene)),
                    .summary = std::move(summary),
                    .hash = "0",
                    .state = std::nullopt});
    ASSERT_TRUE(wait_for_more_steps());
  }

  /// Frames until the simulation has gone on.
  bool wait_for_more_steps() {
    const auto before = session_->frame().steps;
    const auto limit = std::chrono::steady_clock::now() + 120s;
    while (session_->frame().steps <= before) {
      if (std::chrono::steady_clock::now() > limit) return false;
      session_->update();
      std::this_thread::sleep_for(1ms);
    }
    return true;
  }
  /// Sets an option as the panel does, and lets it take effect.
  void set(const std::string& name, const std::string& value) {
    const auto& option = table_.at(name);
    ASSERT_TRUE(session_->set_option(option, table_.parse(option, value)));
    ASSERT_TRUE(wait_for_more_steps());
  }
  bool replay_is_exact() const { return session_->view_state().exact_replay; }

  sim::OptionTable table_ = all_options();
  std::unique_ptr<Session> session_;
};

class FirstKernel : public HeadlessTest {
 protected:
  static LoadedDataset plummer(std::size_t bodies) {
    auto scene =
        std::make_shared<const sim::Scene>(sim::make_galaxy("plummer", {.bodies = bodies, .seed = 1}));
    auto summary = summarize(scene->bodies);
    return {.request = {.source = "plummer", .bodies = bodies, .seed = 1},
            .scene = std::move(scene),
            .summary = std::move(summary),
            .hash = "0",
            .state = std::nullopt};
  }
  /// Of a galaxy that opens, and of one that opens after it.
  std::vector<std::string> kernels(std::size_t first, std::size_t second,
                                   const std::vector<lab::TunedResult>& tuned = {}) const {
    Session session(table_, {"engine=cpu"});
    session.use_tuned(tuned);
    std::vector<std::string> found;
    for (const auto bodies : {first, second}) {
      session.open(plummer(bodies));
      found.push_back(session.configuration.choice("kernel"));
    }
    return found;
  }
  sim::OptionTable table_ = all_options();
};

TEST_F(FirstKernel, IsATreeForManyBodiesOnly) {
  EXPECT_EQ(kernels(1000, 12'000), (std::vector<std::string>{"simd", "tree"}));
  EXPECT_EQ(kernels(12'000, 1000), (std::vector<std::string>{"tree", "simd"}));
}

/// A galaxy begins at once, and stepped before it was told to wait: a badge stood beside step 0.
TEST_F(FirstKernel, ADatasetThatIsToWaitMakesNoStep) {
  Session session(table_, {"engine=cpu"});
  session.open(plummer(100), true);
  for (int frame = 0; frame < 50; ++frame) {
    session.update();
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_TRUE(session.paused);
  EXPECT_EQ(session.frame().steps, 0U);
  EXPECT_EQ(session.frame().timings.evaluations, 0U);
  session.open(plummer(100));
  EXPECT_FALSE(session.paused);
}

/// A slider that moves through such values says it once.
TEST_F(SessionTest, ADoubtfulTimeStepIsSaid) {
  const auto said_of = [&](const std::vector<double>& steps) {
    take_problems();
    for (const double step : steps) EXPECT_TRUE(session_->set_option(table_.at("time-step"), step));
    return take_problems();
  };
  const double suggested = session_->scene().physics.time_step;
  const auto too_long = said_of({1e6 * suggested, 2e6 * suggested, 3e6 * suggested});
  ASSERT_EQ(too_long.size(), 1U);
  EXPECT_NE(too_long[0].find(" times as long as the one suggested"), std::string::npos) << too_long[0];
  EXPECT_TRUE(said_of({suggested, 2.0 * suggested}).empty());
  const auto none = said_of({0.0});
  ASSERT_EQ(none.size(), 1U);
  EXPECT_NE(none[0].find("the bodies stand still"), std::string::npos) << none[0];
}

/// Settings of the previous run need not fit the dataset.
TEST_F(FirstKernel, ColoursOfTheFileAreForgottenWhereThereAreNone) {
  Session session(table_, {"engine=cpu"});
  session.configuration.set("color-mode", std::string("file"));
  session.open(plummer(100));
  EXPECT_EQ(session.configuration.choice("color-mode"), "auto");
  EXPECT_FALSE(session.set_option(table_.at("color-mode"), std::string("file")));
  EXPECT_EQ(session.configuration.choice("color-mode"), "auto");
}

TEST_F(FirstKernel, IsTheTunedOneWhereThereIsOne) {
  auto configuration = table_.defaults();
  table_.assign(configuration, "engine=cpu");
  const lab::TunedResult tuned{.key = lab::tuned_key(configuration, {.bodies = 12'000, .galaxies = 1}),
                               .settings = {{"kernel", "simd"}, {"threads", "1"}},
                               .gips = 3.0,
                               .default_gips = 2.0};
  EXPECT_EQ(kernels(12'000, 1000, {tuned}).front(), "simd");
  EXPECT_EQ(kernels(60'000, 1000, {tuned}).front(), "tree") << "tuned for another number of bodies";
}

class DoubtfulTimeStep : public FirstKernel {
 protected:
  /// Whether the panel says `text` of two datasets that open with this step, and a problem is shown for each.
  bool is_said(const std::string& step, const std::string& text) const {
    Session session(table_, {"engine=cpu", "threads=1", "time-step=" + step});
    bool said = true;
    for (const std::size_t bodies : {64, 32}) {
      take_problems();
      session.open(plummer(bodies));
      const auto has_text = [&](const std::string& line) { return line.find(text) != std::string::npos; };
      said = said && std::ranges::any_of(session.notes(), has_text) &&
             std::ranges::any_of(take_problems(), has_text);
    }
    return said;
  }
};

TEST_F(DoubtfulTimeStep, IsSaidInTheWindowAsByCommands) {
  EXPECT_TRUE(is_said("0", "the time step is 0: the bodies stand still"));
  EXPECT_TRUE(is_said("1e9", "times as long as the one suggested"));
  EXPECT_FALSE(is_said("0.01", "time step"));
}

TEST_F(SessionTest, OptionsWithoutEffectLeaveReplayExactAndKeepTheirValue) {
  // Of the other engine, of kernels with vector instructions, of a field, of the picture.
  for (const auto& [name, value] :
       {std::pair("tile", "512"), std::pair("family", "pairwise"), std::pair("instructions", "scalar"),
        std::pair("field-center", "7:0:0"), std::pair("exposure", "auto:1")}) {
    set(name, value);
    EXPECT_TRUE(replay_is_exact()) << name;
    EXPECT_EQ(sim::to_string(session_->view_state().configuration.value(name)), value);
  }
}

TEST_F(SessionTest, ACheckpointGoesOnInAnotherSession) {
  session_->paused = true;
  session_->camera.distance *= 1.5;
  session_->update();
  auto first = session_->checkpoint();
  ASSERT_NE(first, nullptr);
  ASSERT_GT(first->engine.steps, 0U);
  EXPECT_TRUE(first->paused);
  const auto open = [&](const Checkpoint& from) {
    auto scene = std::make_shared<const sim::Scene>(session_->scene());
    auto session = std::make_unique<Session>(table_, std::vector<std::string>{});
    session->open({.request = from.view.dataset,
                   .scene = scene,
                   .summary = summarize(scene->bodies),
                   .hash = "0",
                   .state = from.view,
                   .series = {},
                   .resumed = std::make_unique<Checkpoint>(from)});
    return session;
  };
  const auto second = open(*first);
  EXPECT_TRUE(second->paused);
  EXPECT_EQ(second->camera.distance, session_->camera.distance);
  const auto again = second->checkpoint();
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(again->engine, first->engine);
  EXPECT_TRUE(second->view_state().exact_replay);
  // What the command line says wins, and is not what computed the state.
  auto assigned = std::make_unique<Session>(table_, std::vector<std::string>{"softening=0.2"});
  assigned->open({.request = first->view.dataset,
                  .scene = std::make_shared<const sim::Scene>(session_->scene()),
                  .summary = summarize(session_->scene().bodies),
                  .hash = "0",
                  .state = first->view,
                  .series = {},
                  .resumed = std::make_unique<Checkpoint>(*first)});
  EXPECT_FALSE(assigned->view_state().exact_replay);
}

TEST_F(SessionTest, CheckpointsAreWrittenWhileItRuns) {
  const test::TemporaryFolder folder;
  session_->keep_checkpoints({.file = folder / "run", .pace = {.steps = 3}, .resume = {}}, {});
  const auto previous = folder / "run.previous";
  const auto limit = std::chrono::steady_clock::now() + 60s;
  while (!std::filesystem::exists(previous) && std::chrono::steady_clock::now() < limit) {
    session_->update();
    std::this_thread::sleep_for(1ms);
  }
  session_->finish_checkpoints();
  const auto before = read_checkpoint(table_, previous), last = read_checkpoint(table_, folder / "run");
  EXPECT_LT(before.engine.steps, last.engine.steps);
  EXPECT_EQ(last.view.step, last.engine.steps);
  EXPECT_EQ(last.view.configuration.choice("kernel"), "omp-bodies");
  EXPECT_EQ(last.engine.position.size(), 64U);
}

/// Bodies in the map that would be drawn.
double drawn_bodies(const PictureInput& picture) {
  std::vector<float> map(picture.map.buffers->floats());
  glGetNamedBufferSubData(picture.map.buffers->buffer(picture.map.slot), 0,
                          static_cast<GLsizeiptr>(map.size() * sizeof(float)), map.data());
  return std::accumulate(map.begin() + sim::map_header, map.end(), 0.0);
}

TEST_F(SessionTest, TheActivityMapIsThatOfTheBodiesShown) {
  EXPECT_EQ(session_->picture().map.buffers, nullptr);
  set("map-box", "all");
  set("map-size", "16");
  // A step that was under way has none.
  for (int steps = 0; steps < 10 && session_->picture().map.buffers == nullptr; ++steps)
    ASSERT_TRUE(wait_for_more_steps());
  const auto picture = session_->picture();
  ASSERT_NE(picture.map.buffers, nullptr);
  EXPECT_EQ(picture.map.buffers->size(), 16U);
  // The box is that of the bodies as they were loaded: few have left it.
  EXPECT_GT(drawn_bodies(picture), 50.0);
  EXPECT_LE(drawn_bodies(picture), 64.0);
  EXPECT_GE(session_->legend().map_largest.value_or(0.0F), 1.0F);
  EXPECT_TRUE(replay_is_exact());
}

TEST_F(SessionTest, AnotherMapShowsWhilePaused) {
  session_->paused = true;
  for (const std::size_t size : {8UL, 5UL, 0UL}) {
    session_->configuration.set("map-size", static_cast<std::int64_t>(size));
    const auto limit = std::chrono::steady_clock::now() + 120s;
    const auto shown = [&] {
      const auto* map = session_->picture().map.buffers;
      return map != nullptr ? map->size() : 0;
    };
    do {
      session_->update();
      std::this_thread::sleep_for(1ms);
    } while ((shown() != size || session_->frame().map.size != size) &&
             std::chrono::steady_clock::now() < limit);
    EXPECT_EQ(shown(), size);
  }
}

TEST_F(SessionTest, TrailsGrowWithStepsAndBeginAnewWithAReset) {
  ASSERT_TRUE(wait_for_more_steps());
  const auto* trails = session_->picture().orbits->trails();
  ASSERT_NE(trails, nullptr) << "64 bodies have trails";
  EXPECT_EQ(trails->bodies(), 64U);
  const auto before = trails->rows();
  EXPECT_GE(before, 2U);
  ASSERT_TRUE(wait_for_more_steps());
  EXPECT_EQ(trails->rows(), before + 1) << "a row for every state that is shown";
  // The newest row is what is drawn.
  const auto rows = trails->read();
  const auto picture = session_->picture();
  const auto drawn = picture.buffers.read_position(picture.slot);
  const auto* newest = &rows[(trails->rows() - 1) * 65];
  for (std::size_t i = 0; i < 64; ++i) ASSERT_EQ(newest[i].y, drawn[4 * i + 1]) << i;
  session_->reset();
  const auto limit = std::chrono::steady_clock::now() + 60s;
  while (session_->frame().resets == 0 && std::chrono::steady_clock::now() < limit) {
    session_->update();
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(trails->rows(), 1U);
  set("trails", "off");
  EXPECT_EQ(trails->bodies(), 0U);
}

TEST_F(SessionTest, NamesAndEllipsesBelongToTheirScene) {
  const auto open = [this](const std::string& name) {
    auto scene = sim::make_galaxy(name, {});
    auto summary = summarize(scene.bodies);
    session_->open({.request = {.source = name},
                    .scene = std::make_shared<const sim::Scene>(std::move(scene)),
                    .summary = std::move(summary),
                    .hash = "0",
                    .state = std::nullopt});
    ASSERT_TRUE(wait_for_more_steps());
  };
  open("sun-earth-moon");
  const auto* orbits = session_->picture().orbits;
  EXPECT_EQ(orbits->names().size(), 3U);
  EXPECT_EQ(orbits->positions().size(), 12U);
  ASSERT_NE(orbits->ellipses(), nullptr);
  EXPECT_EQ(orbits->ellipses()->plan().bodies, (std::vector<std::uint32_t>{1, 2}));
  const auto points = orbits->ellipses()->read();
  // The Moon's ellipse: 257 rows of Earth, Moon and origin, closed, at the Moon, around the Earth.
  const auto at = [&](std::size_t row) { return glm::dvec3(points[3 * row + 1]); };
  const auto place = [&](std::size_t body) {
    const float* x = &orbits->positions()[4 * body];
    return glm::dvec3(x[0], x[1], x[2]);
  };
  EXPECT_LT(glm::distance(at(0), place(2)), 1e-6);
  EXPECT_LT(glm::distance(at(256), place(2)), 1e-6);
  for (std::size_t row = 0; row < 257; row += 16)
    EXPECT_NEAR(glm::distance(at(row), place(1)), 0.00257, 0.0003) << row;
  set("marks", "names");
  EXPECT_EQ(orbits->ellipses(), nullptr);
  set("marks", "none");
  EXPECT_TRUE(orbits->positions().empty()) << "nothing is read back";
  open("figure-eight");
  EXPECT_TRUE(session_->picture().orbits->names().empty());
}

TEST_F(SessionTest, TheSameBitsAtAnotherSpeedLeaveReplayExact) {
  set("binding", "cores");
  EXPECT_TRUE(replay_is_exact());
}

TEST_F(SessionTest, WhatChangesBitsMakesReplayInexact) {
  set("instructions", "scalar");
  EXPECT_TRUE(replay_is_exact()) << "the kernel has no vector instructions";
  set("kernel", "simd");
  EXPECT_FALSE(replay_is_exact());
}

TEST_F(SessionTest, ComputingIsComparedByItsEffect) {
  auto other = session_->configuration;
  table_.assign(other, "tile=512");
  table_.assign(other, "exposure=2");
  EXPECT_TRUE(session_->computes_like(other));
  table_.assign(other, "softening=0.3");
  EXPECT_FALSE(session_->computes_like(other));
}

TEST_F(SessionTest, ASeriesIsWrittenWhileFramesGoOnAndEndsWithAReset) {
  const test::TemporaryFolder folder;
  const auto out = folder / "out";
  session_->start_series({.folder = out, .every = 2});
  EXPECT_TRUE(session_->records());
  ASSERT_TRUE(test::eventually([&] {
    session_->update();
    return session_->series()->progress().files >= 3;
  }));
  EXPECT_THROW(session_->start_series({.folder = out}), sim::Error) << "the folder is somebody's";
  EXPECT_TRUE(session_->records());
  session_->reset();
  EXPECT_FALSE(session_->records());
  ASSERT_TRUE(wait_for_more_steps() || session_->frame().steps == 0);
  ASSERT_TRUE(test::eventually([&] {
    session_->update();
    return session_->series()->progress().waiting == 0;
  }));
  const auto files = session_->series()->progress().files;
  EXPECT_EQ(folder.entries(), 2U) << "the series, and its lock while the panel shows it";
  std::uint64_t found = 0;
  for (const auto& each : std::filesystem::directory_iterator(out)) {
    if (each.path().extension() != ".vtp") continue;
    ++found;
    EXPECT_EQ(sim::read_snapshot(each.path()).bodies.size(), 64U);
  }
  EXPECT_EQ(found, files);
}

/// A ladder of two rungs with physics of its own, climbed on the session.
class LadderTest : public SessionTest {
 protected:
  void SetUp() override {
    SessionTest::SetUp();
    if (IsSkipped()) return;
    const auto rung = [](const char* name, const char* softening, const char* kernel) {
      return lab::Rung{.name = name,
                       .text = {},
                       .settings = {{"engine", "cpu"}, {"softening", softening}, {"kernel", kernel}}};
    };
    laboratory_.ladder.set_ladders(
        {{.name = "test",
          .base = {{"integrator", "symplectic-euler"}},
          .rungs = {rung("low", "3e-5", "sequential"), rung("high", "1e-4", "omp-bodies")}}});
    frame();
    before_ = session_->configuration;
  }
  void frame() {
    session_->update();
    laboratory_.update(*session_, false);
    std::this_thread::sleep_for(1ms);
  }
  bool frames_until(const std::function<bool()>& done) {
    const auto limit = std::chrono::steady_clock::now() + 120s;
    while (!done()) {
      if (std::chrono::steady_clock::now() > limit) return false;
      frame();
    }
    return true;
  }
  void climb_to(std::size_t rung) {
    laboratory_.ladder.climb_to(*session_, laboratory_.experiment, rung);
    frame();
  }
  double softening() const { return session_->configuration.real("softening"); }
  const PhysicsOverride& loan() const { return laboratory_.ladder.loan(); }

  Laboratory laboratory_;
  sim::Configuration before_;
};

TEST_F(LadderTest, ARungLendsItsPhysicsUntilItIsGivenBack) {
  EXPECT_FALSE(loan().active());
  climb_to(0);
  EXPECT_TRUE(loan().active());
  EXPECT_EQ(loan().rung(), "low");
  EXPECT_EQ(softening(), 3e-5);
  climb_to(1);
  EXPECT_EQ(loan().rung(), "high");
  EXPECT_EQ(softening(), 1e-4);
  laboratory_.ladder.restore_physics(*session_, laboratory_.experiment);
  frame();
  EXPECT_FALSE(loan().active());
  EXPECT_EQ(softening(), before_.real("softening"));
  EXPECT_EQ(session_->configuration.choice("integrator"), before_.choice("integrator"));
  EXPECT_EQ(session_->configuration.choice("kernel"), "omp-bodies") << "the rung's kernel stays";
}

TEST_F(LadderTest, ClimbingAllPutsEverythingBack) {
  laboratory_.ladder.climb_all(*session_, laboratory_.experiment);
  EXPECT_TRUE(frames_until([&] { return loan().active() && loan().rung() == "high"; }));
  EXPECT_EQ(softening(), 1e-4);
  EXPECT_TRUE(frames_until([&] { return !laboratory_.experiment.running(); }));
  frame();
  EXPECT_EQ(session_->configuration, before_);
  EXPECT_FALSE(loan().active());
  for (const auto& rung : laboratory_.ladder.rungs()) EXPECT_TRUE(rung.measured);
}

TEST_F(LadderTest, WhatIsChangedByHandIsNotGivenBack) {
  climb_to(0);
  set("softening", "0.25");
  frame();
  EXPECT_TRUE(loan().active()) << "the integrator is still the rung's";
  laboratory_.ladder.restore_physics(*session_, laboratory_.experiment);
  EXPECT_EQ(softening(), 0.25);
  EXPECT_EQ(session_->configuration.choice("integrator"), before_.choice("integrator"));
}

TEST_F(LadderTest, AnotherDatasetOpensWithoutTheRungsPhysics) {
  climb_to(0);
  laboratory_.leave(*session_, false);
  EXPECT_EQ(session_->configuration.choice("integrator"), before_.choice("integrator"));
  climb_to(1);
  laboratory_.leave(*session_, true);
  EXPECT_FALSE(loan().active());
  EXPECT_EQ(softening(), 1e-4) << "a state brings its own";
}

TEST_F(LadderTest, PhysicsThatTheKernelCannotRunBringsTheOldKernelBack) {
  const auto& law = table_.at("force-law");
  const auto electric = table_.parse(law, "electric");
  session_->configuration.set("force-law", electric);
  session_->configuration.set("kernel", std::string("omp-bodies"));
  frame();
  laboratory_.ladder.set_ladders(
      {{.name = "test",
        .base = {{"force-law", "gravity"}},
        .rungs = {
            {.name = "fast", .text = {}, .settings = {{"engine", "cpu"}, {"kernel", "pair-symmetric"}}}}}});
  frame();
  climb_to(0);
  ASSERT_EQ(session_->configuration.choice("kernel"), "pair-symmetric");
  laboratory_.ladder.restore_physics(*session_, laboratory_.experiment);
  EXPECT_EQ(session_->configuration.value("force-law"), electric);
  EXPECT_EQ(session_->configuration.choice("kernel"), "omp-bodies");
}

TEST_F(SessionTest, KeysChangeOptionsOfTheProcessorWhileItComputes) {
  EXPECT_NE(switch_kernel(*session_, 1).find("ernel"), std::string::npos);
  EXPECT_NE(session_->configuration.choice("kernel"), "omp-bodies");
  switch_kernel(*session_, -1);
  EXPECT_EQ(session_->configuration.choice("kernel"), "omp-bodies");
  EXPECT_NE(switch_amount(*session_, 1).find('2'), std::string::npos);
  EXPECT_EQ(session_->configuration.integer("threads"), 2);
  switch_amount(*session_, -1);
  switch_amount(*session_, -1);
  EXPECT_EQ(session_->configuration.integer("threads"), 1);
}

TEST_F(SessionTest, KeysThatMeanNothingSayWhy) {
  set("kernel", "sequential");
  EXPECT_NE(switch_amount(*session_, 1).find("sequential runs on one thread"), std::string::npos);
  EXPECT_EQ(session_->configuration.integer("threads"), 1);
}

TEST_F(SessionTest, KeysChangeOptionsOfTheGpuWhileItComputes) {
  // No frame follows, so no GPU is needed.
  const auto before = session_->configuration;
  session_->configuration.set("engine", std::string("cuda"));
  EXPECT_NE(switch_kernel(*session_, 1).find("amily"), std::string::npos);
  EXPECT_NE(session_->configuration.choice("family"), before.choice("family"));
  EXPECT_EQ(session_->configuration.choice("kernel"), before.choice("kernel"));
  session_->configuration.set("family", std::string("tiled"));
  EXPECT_NE(switch_amount(*session_, -1).find("128"), std::string::npos);
  EXPECT_EQ(session_->configuration.integer("tile"), 128);
  EXPECT_EQ(session_->configuration.integer("threads"), before.integer("threads"));
  session_->configuration.set("family", std::string("pairwise"));
  EXPECT_NE(switch_amount(*session_, 1).find("does not use it"), std::string::npos);
  EXPECT_EQ(session_->configuration.integer("tile"), 128);
  session_->configuration = before;
}

}  // namespace
}  // namespace orrery::app
