#include "app/session/interop.h"

#include <chrono>
#include <functional>
#include <glm/glm.hpp>
#include <thread>

#include "app/picture/display_options.h"
#include "app/picture/painter.h"
#include "app/session/session.h"
#include "render/context/target.h"
#include "sim/engines/engine.h"
#include "sim/galaxies/model.h"
#include "sim/simulation/engine_registry.h"
#include "tests/render/gl_test.h"

#include "sim/cuda/driver/api.h"
#include "sim/cuda/driver/device.h"

namespace orrery::app {
namespace {

using namespace std::chrono_literals;

LoadedDataset dataset(std::size_t bodies, std::uint32_t galaxies = 1) {
  const lab::DatasetRequest request{.source = "plummer", .bodies = bodies, .seed = 3, .galaxies = galaxies};
  auto scene = std::make_shared<const sim::Scene>(lab::load_dataset(request));
  auto summary = summarize(scene->bodies);
  return {request, std::move(scene), std::move(summary), "", std::nullopt};
}

/// On a GPU that computes and draws.
class Interop : public render::test::GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (IsSkipped()) return;
    status_ = probe_interop(-1);
    if (!status_.possible) GTEST_SKIP() << status_.reason();
    painter_ = std::make_unique<Painter>();
    target_ = std::make_unique<render::PictureTarget>(glm::ivec2(320, 240));
  }
  void TearDown() override {
    painter_.reset();
    target_.reset();
    GlTest::TearDown();
  }

  sim::Configuration on_the_gpu_that_draws() const {
    auto configuration = table_.defaults();
    table_.assign(configuration, "devices=" + std::to_string(status_.device));
    return configuration;
  }

  /// Draws as the window does until `done`.
  bool frames_until(Session& session, const std::function<bool()>& done) {
    const auto limit = std::chrono::steady_clock::now() + 60s;
    while (!done()) {
      if (std::chrono::steady_clock::now() > limit) return false;
      if (session.update()) draw(session);
      std::this_thread::sleep_for(1ms);
    }
    return true;
  }
  render::Image draw(Session& session) {
    auto picture = session.picture();
    picture.repeatable = true;
    painter_->draw(picture, *target_);
    session.mark_drawn();
    return target_->read();
  }
  sim::OptionTable table_ = all_options();
  InteropStatus status_;

 private:
  std::unique_ptr<Painter> painter_;
  std::unique_ptr<render::PictureTarget> target_;
};

void set(Session& session, const std::string& assignment) {
  session.table().assign(session.configuration, assignment);
}

std::size_t copied_bytes(const sim::Engine& engine) {
  return static_cast<std::size_t>(engine.report().number("copied_bytes"));
}

TEST_F(Interop, StepsAndPublishingCopyNothing) {
  const auto scene = sim::make_galaxy("plummer", {.bodies = 4099, .seed = 1});
  auto configuration = on_the_gpu_that_draws();
  configuration.set("engine", std::string("cuda"));
  configuration.set("map-size", std::int64_t{100});
  const auto engine = sim::make_engine(table_, configuration);
  engine->load(scene.bodies, 0.0);
  InteropBuffers interop(scene.bodies.size(), render::BodyBuffers::Storage::device, status_.device, 100);
  engine->advance({});
  engine->write_vertices(interop.targets()[0]);
  engine->finish();
  const auto before = copied_bytes(*engine);
  EXPECT_GT(before, 0U) << "loading copies";
  for (int step = 0; step < 50; ++step) {
    interop.to_opengl(0);
    interop.to_cuda(0);
    engine->advance({});
    engine->write_vertices(interop.targets()[0]);
  }
  engine->finish();
  EXPECT_TRUE(engine->poll().published);
  EXPECT_EQ(copied_bytes(*engine), before);
  EXPECT_GT(engine->status().timings.publish_ms, 0.0);

  interop.to_opengl(0);
  const auto drawn = interop.buffers().read_position(0);
  auto bodies = scene.bodies;
  engine->read_back(bodies);
  EXPECT_EQ(copied_bytes(*engine), before + 32 * bodies.size()) << "reading back is a copy";
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ASSERT_EQ(drawn[4 * i], bodies.position[i].x);
    ASSERT_EQ(drawn[4 * i + 2], bodies.position[i].z);
    ASSERT_EQ(drawn[4 * i + 3], bodies.mass[i]);
  }
}

// The kernel that computes the forces writes the vertices that OpenGL draws.
TEST_F(Interop, AFusedStepWritesTheVertexBuffer) {
  const auto scene = sim::make_galaxy("plummer", {.bodies = 4099, .seed = 1});
  for (const char* integrator : {"leapfrog", "symplectic-euler"}) {
    auto configuration = on_the_gpu_that_draws();
    configuration.set("engine", std::string("cuda"));
    configuration.set("integrator", std::string(integrator));
    configuration.set("update", std::string("fused"));
    const auto engine = sim::make_engine(table_, configuration);
    engine->load(scene.bodies, 0.0);
    InteropBuffers interop(scene.bodies.size(), render::BodyBuffers::Storage::device, status_.device);
    engine->advance({});
    const auto before = copied_bytes(*engine);
    for (int step = 0; step < 20; ++step) {
      interop.to_opengl(0);
      interop.to_cuda(0);
      engine->set_next_target(interop.targets()[0]);
      engine->advance({});
      engine->write_vertices(interop.targets()[0]);
    }
    engine->finish();
    EXPECT_EQ(copied_bytes(*engine), before);
    EXPECT_EQ(engine->report().number("launches"), 1);
    EXPECT_EQ(engine->report().text("vertices_by"), "fused_step");
    interop.to_opengl(0);
    const auto drawn = interop.buffers().read_position(0);
    auto bodies = scene.bodies;
    engine->read_back(bodies);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      ASSERT_EQ(drawn[4 * i], bodies.position[i].x);
      ASSERT_EQ(drawn[4 * i + 3], bodies.mass[i]);
    }
  }
}

// The whole way: a session's steps, and what it says of them.
TEST_F(Interop, ASessionDrawsWhatFusedStepsWrote) {
  Session session(table_, {"engine=cuda", "family=register-split", "update=fused"});
  session.open(dataset(4099, 5));
  EXPECT_TRUE(frames_until(session, [&] {
    return session.frame().steps > 200 && session.frame().report.text("vertices_by") == "fused_step";
  }));
}

TEST_F(Interop, TrailsCopyNothingToTheHost) {
  const auto scene = sim::make_galaxy("plummer", {.bodies = 4099, .seed = 1});
  auto configuration = on_the_gpu_that_draws();
  configuration.set("engine", std::string("cuda"));
  const auto engine = sim::make_engine(table_, configuration);
  engine->load(scene.bodies, 0.0);
  InteropBuffers interop(scene.bodies.size(), render::BodyBuffers::Storage::device, status_.device);
  render::Trails trails;
  trails.follow({.bodies = {4098, 17, 2000}, .rows = 16});
  engine->advance({});
  engine->write_vertices(interop.targets()[0]);
  engine->finish();
  const auto before = copied_bytes(*engine);
  std::vector<std::vector<float>> drawn;
  for (int step = 0; step < 20; ++step) {
    interop.to_opengl(0);
    trails.append(interop.buffers(), 0, engine->status().time);
    drawn.push_back(interop.buffers().read_position(0));
    interop.to_cuda(0);
    engine->advance({});
    engine->write_vertices(interop.targets()[0]);
    engine->finish();
  }
  EXPECT_EQ(copied_bytes(*engine), before);
  const auto rows = trails.read();
  ASSERT_EQ(rows.size(), 16U * 4U);
  for (std::size_t row = 0; row < 16; ++row) {
    const auto& then = drawn[row + 4];
    EXPECT_EQ(rows[4 * row].x, then[4 * 4098]) << row;
    EXPECT_EQ(rows[4 * row + 1].y, then[4 * 17 + 1]) << row;
    EXPECT_EQ(rows[4 * row + 2].z, then[4 * 2000 + 2]) << row;
  }
}

TEST_F(Interop, BodiesOfSeveralGpusReachTheOneThatDraws) {
  if (sim::cuda::devices().size() < 2) GTEST_SKIP() << "there is one GPU";
  Session session(table_, {"engine=cuda", "time-step=0.001", "integrator=symplectic-euler"});
  session.open(dataset(1001, 5));
  const auto picture_after = [&](std::uint64_t resets, const std::vector<std::string>& assignments) {
    for (const auto& each : assignments) set(session, each);
    session.paused = true;
    session.reset();
    EXPECT_TRUE(frames_until(session, [&] { return session.frame().resets == resets; }));
    session.step_once(25);
    EXPECT_TRUE(frames_until(session, [&] { return session.frame().steps == 25; }));
    EXPECT_TRUE(session.frame().on_device) << session.drawn_how();
    return draw(session);
  };
  const auto one = picture_after(1, {});
  const auto two = picture_after(2, {"devices=all", "split-by=galaxies"});
  const auto& report = session.frame().report;
  EXPECT_GE(report.devices, 2U);
  EXPECT_NE(report.text("exchange"), "");
  EXPECT_GT(report.number("exchange_ms"), 0.0);
  EXPECT_EQ(two.rgba, one.rgba);
  // A shared galaxy differs by rounding: the same picture but for single steps of a pixel.
  picture_after(3, {"split-by=bodies"});
  EXPECT_EQ(picture_after(4, {"devices=" + std::to_string(status_.device)}).rgba, one.rgba);
}

TEST_F(Interop, TimelinesArriveWhileFramesAreDrawn) {
  Session session(table_, {"engine=cuda", "schedule=streams", "streams=4"});
  session.open(dataset(500, 6));
  EXPECT_EQ(session.frame().timeline, nullptr);
  session.timeline_wanted = true;
  ASSERT_TRUE(frames_until(session, [&] { return session.frame().timeline != nullptr; }));
  EXPECT_EQ(session.frame().timeline->schedule, "streams");
  int forces = 0;
  for (const auto& span : session.frame().timeline->spans) {
    if (span.activity == sim::TimelineKind::forces) ++forces;
    EXPECT_LT(span.stream, 4);
  }
  EXPECT_EQ(forces, 6);
  set(session, "schedule=graph");
  ASSERT_TRUE(frames_until(session, [&] {
    return session.frame().timeline != nullptr && session.frame().timeline->schedule == "graph";
  }));
}

TEST_F(Interop, ThePictureIsTheSameWithAndWithout) {
  Session session(table_, {"engine=cuda", "time-step=0.001", "map-size=70", "map-log=on"});
  session.open(dataset(3001));
  // It may have made steps before it pauses.
  session.paused = true;
  session.reset();
  ASSERT_TRUE(frames_until(session, [&] { return session.frame().resets == 1; }));
  session.step_once(25);
  ASSERT_TRUE(frames_until(session, [&] { return session.frame().steps == 25; }));
  ASSERT_TRUE(session.frame().on_device) << session.drawn_how();
  ASSERT_NE(session.picture().map.buffers, nullptr) << "the map comes in place too";
  const auto in_place = draw(session);
  set(session, "interop=off");
  ASSERT_TRUE(frames_until(session, [&] { return !session.frame().on_device; }));
  EXPECT_EQ(session.frame().steps, 25U);
  EXPECT_NE(session.drawn_how().find("switched off"), std::string::npos);
  EXPECT_EQ(draw(session).rgba, in_place.rgba);
  session.step_once(1);
  ASSERT_TRUE(frames_until(session, [&] { return session.frame().steps == 26; }));
  EXPECT_NE(draw(session).rgba, in_place.rgba) << "the picture has to depend on the bodies";
}

TEST_F(Interop, SurvivesEverySwitchOfEngineAndPath) {
  Session session(table_, {"time-step=0.001"});
  session.open(dataset(2000));
  const auto more_steps = [&](bool on_device) {
    const auto steps = session.frame().steps;
    return frames_until(session, [&] {
      return session.frame().on_device == on_device && session.frame().steps > steps + 20;
    });
  };
  for (int round = 0; round < 3; ++round) {
    set(session, "engine=cuda");
    set(session, "interop=on");
    ASSERT_TRUE(more_steps(true)) << session.frame().problem;
    set(session, "layout=soa");
    ASSERT_TRUE(more_steps(true)) << session.frame().problem;
    set(session, "interop=off");
    session.update();
    set(session, "interop=on");  // twice, faster than the simulation answers
    ASSERT_TRUE(more_steps(true)) << session.frame().problem;
    // And so that the newest ring is none again, as before the first of them.
    for (const char* value : {"interop=off", "interop=on", "interop=off"}) {
      set(session, value);
      session.update();
    }
    ASSERT_TRUE(more_steps(false)) << session.frame().problem;
    set(session, "interop=on");
    ASSERT_TRUE(more_steps(true)) << session.frame().problem;
    set(session, "transfers=round-trip");
    ASSERT_TRUE(more_steps(true)) << session.frame().problem;
    set(session, "transfers=resident");
    set(session, "layout=float4");
    set(session, "engine=cpu");
    ASSERT_TRUE(more_steps(false)) << session.frame().problem;
  }
  EXPECT_EQ(session.frame().problem, "");
}

std::size_t free_memory() {
  std::size_t free_bytes = 0;
  std::size_t total = 0;
  sim::cuda::check(sim::cuda::driver()->cuMemGetInfo(&free_bytes, &total), "asking for free memory");
  return free_bytes;
}

TEST_F(Interop, AHundredRegistrationsLeakNothing) {
  const sim::cuda::Context context(status_.device);
  constexpr std::size_t bodies = 100000;
  const auto cycle = [&] {
    InteropBuffers interop(bodies, render::BodyBuffers::Storage::device_ring, status_.device);
    interop.to_opengl(1);
    interop.to_cuda(1);
    interop.to_opengl(2);
  };
  for (int k = 0; k < 5; ++k) cycle();
  glFinish();
  const auto before = free_memory();
  for (int k = 0; k < 100; ++k) cycle();
  glFinish();
  // One cycle that leaked would cost 9.6 MB; other programs may take a little meanwhile.
  EXPECT_LT(static_cast<double>(before) - static_cast<double>(free_memory()), 50e6);
}

TEST_F(Interop, TheSimulationSurvivesTheLossOfTheContextThatDraws) {
  auto scene = std::make_shared<const sim::Scene>(sim::make_galaxy("plummer", {.bodies = 1000, .seed = 1}));
  std::vector<float> memory(3 * 8 * scene->bodies.size());
  sim::TargetRing ring;
  for (std::size_t k = 0; k < ring.size(); ++k) {
    ring[k].position = memory.data() + 8 * scene->bodies.size() * k;
    ring[k].velocity = ring[k].position + 4 * scene->bodies.size();
    ring[k].bodies = scene->bodies.size();
  }
  sim::Control control{.configuration = on_the_gpu_that_draws()};
  control.configuration.set("engine", std::string("cuda"));
  control.configuration.set("devices", std::to_string(status_.device));
  std::unique_ptr<sim::Simulation> simulation;
  sim::FrameInfo info;
  std::uint64_t steps = 0;
  for (int life = 0; life < 3; ++life) {
    const render::HeadlessContext window;
    render::load_gl(render::HeadlessContext::loader);
    InteropBuffers interop(scene->bodies.size(), render::BodyBuffers::Storage::device_ring, status_.device);
    control.device_ring = &interop.targets();
    if (simulation)
      simulation->set_control(control);
    else
      simulation = std::make_unique<sim::Simulation>(table_, scene, control, ring);
    const auto limit = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < limit &&
           (info.device_ring != &interop.targets() || info.steps < steps + 30)) {
      if (simulation->has_news()) simulation->take_frame(info);
    }
    ASSERT_GE(info.steps, steps + 30) << info.problem;
    steps = info.steps;
    // The window is about to go: the simulation leaves its buffers first.
    control.device_ring = nullptr;
    simulation->set_control(control);
    while (info.device_ring != nullptr && std::chrono::steady_clock::now() < limit) {
      if (simulation->has_news()) simulation->take_frame(info);
    }
    ASSERT_EQ(info.device_ring, nullptr);
    ASSERT_GE(info.steps, steps);
  }
  context()->make_current();
}

}  // namespace
}  // namespace orrery::app
