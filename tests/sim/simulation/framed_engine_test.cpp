#include "sim/simulation/framed_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/core/error.h"
#include "sim/engines/engine_decorator.h"
#include "sim/options/physics_options.h"
#include "sim/physics/diagnostics/force_error.h"
#include "sim/simulation/engine_registry.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

using checks::charged_bodies;
using checks::configuration_of;
using checks::ragged_bodies;
using checks::same_bits;
using checks::simulation_options;

/// Numbers that need a frame, and are powers of two away from usual ones.
constexpr Frame far_away{.mass = 0x1p100, .length = 0x1p60, .velocity = 0x1p30, .charge = 0x1p-40};

Configuration configured(const Physics& physics, const std::vector<std::string>& more = {}) {
  auto configuration = configuration_of({.name = "", .assignments = {"engine=cpu", "threads=1"}}, more);
  set_physics(configuration, physics);
  return configuration;
}

std::unique_ptr<Engine> engine_of(const Configuration& configuration, const Bodies& bodies, double time) {
  auto engine = make_engine(simulation_options(), configuration);
  engine->load(bodies, time);
  return engine;
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

Bodies in(Bodies bodies, const Frame& frame) {
  scale_state(bodies, frame);
  return bodies;
}

TEST(Frame, UsualBodiesStayAsTheyAre) {
  EXPECT_TRUE(frame_of(ragged_bodies(100), 1.0).plain());
  EXPECT_TRUE(frame_of(charged_bodies(100), 1.0).plain());
  EXPECT_TRUE(frame_of({}, 1.0).plain());
  Bodies one;
  one.resize(1);
  EXPECT_TRUE(frame_of(one, 43007.1).plain());
  // Solar masses and parsecs.
  EXPECT_TRUE(frame_of(in(ragged_bodies(100), {.mass = 0x1p36, .length = 0x1p13}), 4.3e-3).plain());
}

TEST(Frame, BringsStrangeNumbersNearOneByPowersOfTwo) {
  const auto frame = frame_of(in(ragged_bodies(100), far_away), 1.0);
  EXPECT_FALSE(frame.plain());
  for (const double factor : {frame.mass, frame.length, frame.velocity}) EXPECT_TRUE(is_power_of_two(factor));
  const auto bodies = in(in(ragged_bodies(100), far_away), frame);
  EXPECT_LT(std::abs(std::log2(norm(bodies.position[3]))), 4.0F);
  EXPECT_LT(std::abs(std::log2(bodies.mass[3] * 100.0F)), 4.0F);
}

TEST(Frame, AFewFarBodiesDoNotDecideIt) {
  auto bodies = ragged_bodies(1000);
  bodies.position[7] = {1e15F, 0.0F, 0.0F};
  EXPECT_TRUE(frame_of(bodies, 1.0).plain());
}

TEST(Frame, BodiesAtRestAreJudgedByTheirOrbits) {
  auto bodies = in(ragged_bodies(100), {.mass = 0x1p110, .length = 0x1p55});
  std::ranges::fill(bodies.velocity, Vec3{});
  const auto frame = frame_of(bodies, 6.6743e-11);
  const double g = in_frame(Physics{.gravitational_constant = 6.6743e-11}, frame).gravitational_constant;
  EXPECT_LT(std::abs(std::log2(g)), 6.0);
}

/// Steps in one dataset's units and in those of `far_away`, for which the same engine needs a frame.
void expect_same_motion(const Bodies& bodies, const Physics& physics, const std::vector<std::string>& more) {
  const auto near = engine_of(configured(physics, more), bodies, 0.5);
  const auto far =
      engine_of(configured(in_frame(physics, far_away), more), in(bodies, far_away), 0.5 * far_away.time());
  const auto near_end = checks::after(*near, bodies, 5);
  const auto far_end = checks::after(*far, in(bodies, far_away), 5);
  EXPECT_FALSE(same_bits(near_end.position, bodies.position));
  EXPECT_TRUE(same_bits(far_end.position, in(near_end, far_away).position));
  EXPECT_TRUE(same_bits(far_end.velocity, in(near_end, far_away).velocity));
  EXPECT_EQ(far_end.mass, in(bodies, far_away).mass);
  EXPECT_EQ(far->status().time, near->status().time * far_away.time());
}

TEST(FramedEngine, EveryIntegratorGivesTheSameBitsInAnyUnits) {
  Physics physics{.gravitational_constant = 1.5, .softening = 0.125, .time_step = 0.0078125};
  for (const auto* integrator : integrators()) {
    physics.integrator = integrator;
    for (const char* state : {"state-precision=single", "state-precision=compensated"})
      expect_same_motion(ragged_bodies(65, 2), physics, {state});
  }
}

TEST(FramedEngine, AdaptiveStepsGiveTheSameBitsInAnyUnits) {
  Physics physics{.softening = 0.125, .time_step = 0.0625, .step = &adaptive_step};
  expect_same_motion(ragged_bodies(65, 2), physics, {});
  physics.step_length = 0.03125;
  expect_same_motion(ragged_bodies(65, 2), physics, {});
}

TEST(FramedEngine, ChargesAndFieldsGiveTheSameBitsInAnyUnits) {
  Physics physics{.softening = 0.125, .time_step = 0.0078125, .law = &electric_law};
  expect_same_motion(charged_bodies(65), physics, {});
  for (const auto* field : external_fields())
    expect_same_motion(ragged_bodies(65), {.time_step = 0.0078125, .field = field, .field_mass = 2.0}, {});
}

TEST(FramedEngine, WhatIsPublishedIsInTheUnitsOfTheDataset) {
  const auto bodies = in(ragged_bodies(40), far_away);
  const Physics physics = in_frame(Physics{}, far_away);
  const auto engine = engine_of(configured(physics), bodies, 0.0);
  ASSERT_TRUE(engine->advance({}));
  const auto now = [&] {
    auto state = bodies;
    engine->read_back(state);
    return state;
  }();
  std::vector<float> position(160), velocity(160);
  engine->write_vertices({.position = position.data(), .velocity = velocity.data(), .bodies = 40});
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ((Vec3{position[4 * i], position[4 * i + 1], position[4 * i + 2]}), now.position[i]);
    EXPECT_EQ(position[4 * i + 3], bodies.mass[i]);
    EXPECT_EQ((Vec3{velocity[4 * i], velocity[4 * i + 1], velocity[4 * i + 2]}), now.velocity[i]);
  }
  EXPECT_EQ(engine->kind().target_space, VertexTarget::Space::host);
}

/// An engine whose device writes vertices: what it is told about them.
class Drawing final : public EngineDecorator {
 public:
  Drawing(std::unique_ptr<Engine> engine, VertexTarget& told)
      : EngineDecorator(std::move(engine)), kind_(inner().kind()), told_(told) {
    kind_.target_space = VertexTarget::Space::device;
  }
  const EngineKind& kind() const override { return kind_; }
  void set_next_target(const VertexTarget& /*target*/) override {
    FAIL() << "it would write in its own frame";
  }
  bool writes_in_passing() const override { return true; }
  void write_vertices(const VertexTarget& target) override {
    told_ = target;
    inner().write_vertices(
        {.position = target.position, .velocity = target.velocity, .bodies = target.bodies});
    if (target.frame) reframe(*target.frame, target.position, target.velocity, target.bodies);
  }

 private:
  EngineKind kind_;
  VertexTarget& told_;
};

/// Vertices of a device after a step, and those that go through the host.
void expect_drawn_in_place(const Bodies& bodies, const Physics& physics) {
  const auto configuration = configured(physics);
  VertexTarget told;
  auto inner = engine_kinds().front()->make(simulation_options());
  inner->configure(configuration);
  FramedEngine engine(std::make_unique<Drawing>(std::move(inner), told), simulation_options(), configuration);
  engine.load(bodies, 0.5);
  EXPECT_EQ(engine.kind().target_space, VertexTarget::Space::device);
  EXPECT_FALSE(engine.writes_in_passing());
  engine.set_next_target({.space = VertexTarget::Space::device});
  ASSERT_TRUE(engine.advance({}));
  const std::size_t n = bodies.size();
  std::vector<float> device(8 * n), host(8 * n);
  engine.write_vertices({.space = VertexTarget::Space::device,
                         .position = device.data(),
                         .velocity = device.data() + 4 * n,
                         .bodies = n});
  EXPECT_TRUE(told.space == VertexTarget::Space::device && told.frame.has_value());
  engine.write_vertices({.position = host.data(), .velocity = host.data() + 4 * n, .bodies = n});
  EXPECT_FALSE(told.frame.has_value()) << "the host's memory is turned by the border itself";
  EXPECT_EQ(device, host);
  EXPECT_EQ(device[3], bodies.mass[0]);
}

TEST(FramedEngine, ADeviceDrawsInPlace) {
  expect_drawn_in_place(in(ragged_bodies(40), far_away), in_frame(Physics{}, far_away));
}

TEST(FramedEngine, TheSampleOfForcesIsInTheUnitsOfTheDataset) {
  const Physics physics{.gravitational_constant = 1.5, .softening = 0.125};
  const auto near = checks::all_forces(configured(physics), ragged_bodies(40));
  const auto configuration = configured(in_frame(physics, far_away));
  const auto far = checks::all_forces(configuration, in(ragged_bodies(40), far_away));
  EXPECT_EQ(far.physics, physics_of(configuration));
  EXPECT_EQ(far.mass, in(ragged_bodies(40), far_away).mass);
  EXPECT_EQ(far.time, near.time * far_away.time());
  for (std::size_t k = 0; k < far.acceleration.size(); ++k)
    EXPECT_EQ(far.acceleration[k], rescaled(near.acceleration[k], far_away.acceleration()));
  EXPECT_EQ(force_error(far).maximum, force_error(near).maximum);
}

TEST(FramedEngine, TheMapLooksAtTheSamePlace) {
  const auto cells = [](const Bodies& bodies, const std::vector<std::string>& box) {
    auto more = box;
    more.emplace_back("map-size=4");
    const auto engine = engine_of(configured(in_frame(Physics{}, far_away), more), bodies, 0.0);
    std::vector<float> packed(8 * bodies.size()), map(map_header + 16);
    engine->write_vertices({.position = packed.data(),
                            .velocity = packed.data() + 4 * bodies.size(),
                            .bodies = bodies.size(),
                            .map = map.data(),
                            .map_size = 4});
    map.push_back(engine->map().box.right);
    return map;
  };
  const auto right = [](double length) { return std::to_string(length); };
  const auto near = cells(ragged_bodies(100), {"map-box=0:0.75:0:0.5"});
  const auto far =
      cells(in(ragged_bodies(100), {.length = far_away.length}),
            {"map-box=0:" + right(0.75 * far_away.length) + ":0:" + right(0.5 * far_away.length)});
  EXPECT_GT(near[map_header], 0.0F);
  EXPECT_TRUE(std::equal(near.begin(), near.end() - 1, far.begin()));
  EXPECT_EQ(far.back(), near.back() * static_cast<float>(far_away.length));
  const auto fitted = cells(in(ragged_bodies(100), {.length = far_away.length}), {"map-box=all"});
  EXPECT_GT(fitted.back(), 0.5F * static_cast<float>(far_away.length));
}

TEST(FramedEngine, ARefusalNamesTheNumbersThatWereAskedFor) {
  const auto bodies = in(ragged_bodies(20), far_away);
  const auto physics = in_frame(Physics{}, far_away);
  const auto engine = engine_of(configured(physics), bodies, 0.0);
  try {
    engine->configure(configured(physics, {"map-size=4", "map-box=3e20:2e20:0:1"}));
    FAIL() << "it was taken";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("3e+20"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(engine->advance({}));
  EXPECT_EQ(engine->status().time, physics.time_step);
}

TEST(FramedEngine, AStateGoesOnWithTheSameBitsInTheUnitsOfTheDataset) {
  for (const char* precision : {"state-precision=single", "state-precision=compensated"}) {
    const auto bodies = in(ragged_bodies(65, 2), far_away);
    const auto configuration = configured(in_frame(Physics{.time_step = 0.0078125}, far_away), {precision});
    const auto whole = engine_of(configuration, bodies, 0.0);
    const auto half_way = checks::after(*whole, bodies, 3);
    const auto state = whole->save_state();
    EXPECT_TRUE(same_bits(state.position, half_way.position));
    EXPECT_EQ(state.time, whole->status().time);
    const auto resumed = engine_of(configuration, bodies, 0.0);
    EXPECT_TRUE(resumed->restore_state(state));
    EXPECT_EQ(resumed->status().time, whole->status().time);
    EXPECT_TRUE(
        same_bits(checks::after(*resumed, bodies, 3).position, checks::after(*whole, bodies, 3).position));
  }
}

TEST(FramedEngine, AStateOfAnotherFrameGoesOnWithoutItsOwnArrays) {
  const auto configuration = configured(Physics{.time_step = 0.0078125}, {"state-precision=compensated"});
  const auto near = engine_of(configuration, ragged_bodies(20), 0.0);
  const auto near_end = checks::after(*near, ragged_bodies(20), 2);
  const auto far = engine_of(configuration, in(ragged_bodies(20), far_away), 0.0);
  EXPECT_FALSE(far->restore_state(near->save_state()));
  auto taken = in(ragged_bodies(20), far_away);
  far->read_back(taken);
  EXPECT_TRUE(same_bits(taken.position, near_end.position));
}

TEST(FramedEngine, OtherBodiesHaveAnotherFrame) {
  const Physics physics;
  const auto engine = engine_of(configured(physics), in(ragged_bodies(20), far_away), 0.0);
  engine->load(ragged_bodies(20), 0.0);
  const auto mine = checks::after(*engine, ragged_bodies(20), 3);
  const auto fresh =
      checks::after(*engine_of(configured(physics), ragged_bodies(20), 0.0), ragged_bodies(20), 3);
  EXPECT_TRUE(same_bits(mine.position, fresh.position));
}

/// A galaxy that flies: its velocities have digits that are there at this speed too.
Bodies flying(const DVec3& with) {
  auto bodies = ragged_bodies(200);
  for (auto& v : bodies.velocity) {
    constexpr float grain = 0x1p-6F;
    v = {std::round(v.x / grain) * grain, std::round(v.y / grain) * grain, std::round(v.z / grain) * grain};
    v = static_cast<Vec3>(DVec3(v) + with);
  }
  return bodies;
}
const DVec3 fast{0x1p17, -0x1p16, 0.0};

TEST(MovingFrame, HasTheVelocityThatBodiesHaveInCommon) {
  const auto common = common_velocity(flying(fast));
  EXPECT_LT(norm(common - fast), 2.0);
  EXPECT_EQ(common.z, 0.0) << "along this axis nothing flies";
  EXPECT_EQ(common_velocity(flying({})), DVec3{});
  EXPECT_EQ(common_velocity(flying({10, 0, 0})), DVec3{}) << "single precision has digits enough";
  EXPECT_EQ(common_velocity({}), DVec3{});
  auto slow = flying(fast);
  slow.velocity[7].x = 1e-7F;
  EXPECT_EQ(common_velocity(slow), DVec3{}) << "one would not come back as it was";
}

TEST(MovingFrame, BodiesThatWereNotSteppedHaveTheirBits) {
  const auto bodies = flying(fast);
  const auto engine = engine_of(configured({}), bodies, 3.0);
  auto back = bodies;
  engine->read_back(back);
  EXPECT_TRUE(same_bits(back.position, bodies.position));
  EXPECT_TRUE(same_bits(back.velocity, bodies.velocity));
  const auto state = engine->save_state();
  EXPECT_TRUE(same_bits(state.velocity, bodies.velocity));
}

/// There and back: at the begin places are small again, and show what was lost on the way.
TEST(MovingFrame, OrbitsKeepTheirDigits) {
  const auto error = [](const DVec3& with) {
    const auto bodies = flying(with);
    Physics physics{.softening = 0.1, .time_step = 0.01};
    const auto engine = engine_of(configured(physics), bodies, 0.0);
    for (int step = 0; step < 100; ++step) EXPECT_TRUE(engine->advance({}));
    auto far = bodies;
    engine->read_back(far);
    EXPECT_LT(norm(DVec3(far.position[0]) - with), 0.01 * norm(with) + 3.0);
    EXPECT_LT(norm(DVec3(far.velocity[0]) - with), 10.0);
    physics.time_step = -0.01;
    engine->configure(configured(physics));
    for (int step = 0; step < 100; ++step) EXPECT_TRUE(engine->advance({}));
    auto back = bodies;
    engine->read_back(back);
    return checks::largest_difference(back.position, bodies.position);
  };
  EXPECT_LT(error({}), 1e-4);
  EXPECT_LT(error(fast), 1e-4) << "without a moving frame 0.015";
}

TEST(MovingFrame, WhatIsPublishedFlies) {
  const auto bodies = flying(fast);
  const auto engine = engine_of(configured({.softening = 0.1, .time_step = 0.25}), bodies, 1.0);
  EXPECT_TRUE(engine->advance({}));
  std::vector<float> packed(8 * bodies.size());
  engine->write_vertices({.space = VertexTarget::Space::host,
                          .position = packed.data(),
                          .velocity = packed.data() + 4 * bodies.size(),
                          .bodies = bodies.size()});
  auto read = bodies;
  engine->read_back(read);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_EQ(packed[4 * i], read.position[i].x);
    EXPECT_EQ(packed[4 * i + 3], bodies.mass[i]);
    EXPECT_EQ(packed[4 * (bodies.size() + i) + 1], read.velocity[i].y);
    EXPECT_NEAR(read.position[i].x, 0.25 * fast.x, 10.0);
  }
  EXPECT_EQ(engine->status().time, 1.25);
}

TEST(MovingFrame, ADeviceDrawsInPlaceWhatFlies) {
  expect_drawn_in_place(flying(fast), {.softening = 0.1, .time_step = 0.25});
}

TEST(MovingFrame, GoesOnFromItsStateBitForBit) {
  const auto bodies = flying(fast);
  const auto configuration = configured({.softening = 0.1, .time_step = 0.01});
  const auto whole = engine_of(configuration, bodies, 0.0), first = engine_of(configuration, bodies, 0.0);
  for (int step = 0; step < 6; ++step) EXPECT_TRUE(whole->advance({}));
  for (int step = 0; step < 3; ++step) EXPECT_TRUE(first->advance({}));
  const auto half = first->save_state();
  const auto second = engine_of(configuration, bodies, 0.0);
  EXPECT_TRUE(second->restore_state(half));
  for (int step = 0; step < 3; ++step) EXPECT_TRUE(second->advance({}));
  EXPECT_EQ(whole->save_state(), second->save_state());
}

TEST(MovingFrame, StandsStillForAnExternalField) {
  const auto bodies = flying(fast);
  const Physics physics{.softening = 0.1, .time_step = 1e-5};
  auto engine = engine_of(configured(physics), bodies, 0.0);
  for (int step = 0; step < 2; ++step) EXPECT_TRUE(engine->advance({}));
  auto before = bodies, after = bodies;
  engine->read_back(before);
  auto in_field = physics;
  in_field.field = find_external_field("point-mass");
  in_field.field_mass = 0.0;
  engine->configure(configured(in_field));
  engine->read_back(after);
  EXPECT_TRUE(same_bits(before.position, after.position));
  EXPECT_TRUE(same_bits(before.velocity, after.velocity));
  EXPECT_EQ(engine->status().steps, 2U);
  EXPECT_EQ(engine->save_state().form.find("moving"), std::string::npos);
  EXPECT_TRUE(engine->advance({}));
  EXPECT_DOUBLE_EQ(engine->status().time, 3e-5);
}

/// An engine that refuses once to take other options, or bodies.
class Refusing final : public EngineDecorator {
 public:
  using EngineDecorator::EngineDecorator;
  enum class Call { none, configure, load };
  void configure(const Configuration& configuration) override {
    refuse(Call::configure);
    inner().configure(configuration);
  }
  void load(const Bodies& bodies, double time) override {
    refuse(Call::load);
    inner().load(bodies, time);
  }
  Call refused = Call::none;

 private:
  void refuse(Call call) {
    if (refused != call) return;
    refused = Call::none;
    throw Error("no memory");
  }
};

TEST(MovingFrame, FliesOnWhereItMayNotStandStill) {
  const auto bodies = flying(fast);
  const auto configuration = configured({.softening = 0.1, .time_step = 0.25});
  const auto with_map = configured({.softening = 0.1, .time_step = 0.25}, {"map-size=4"});
  for (const auto call : {Refusing::Call::configure, Refusing::Call::load}) {
    auto made = engine_kinds().front()->make(simulation_options());
    made->configure(configuration);
    auto refusing = std::make_unique<Refusing>(std::move(made));
    auto& inner = *refusing;
    FramedEngine engine(std::move(refusing), simulation_options(), configuration);
    engine.load(bodies, 1.0);
    EXPECT_TRUE(engine.advance({}));
    const auto before = engine.save_state();
    const auto motion = engine.motion();
    inner.refused = call;
    EXPECT_THROW(engine.configure(with_map), Error);
    EXPECT_EQ(engine.motion(), motion);
    EXPECT_EQ(engine.map().size, 0U);
    EXPECT_EQ(engine.save_state(), before);
    auto read = bodies;
    engine.read_back(read);
    EXPECT_TRUE(same_bits(read.position, before.position));
    EXPECT_TRUE(same_bits(read.velocity, before.velocity));
    engine.configure(with_map);
    EXPECT_EQ(engine.motion(), DVec3{});
    engine.read_back(read);
    EXPECT_TRUE(same_bits(read.position, before.position));
    EXPECT_EQ(engine.status().steps, 1U);
  }
}

TEST(MovingFrame, ForcesAreRight) {
  const auto bodies = flying(fast);
  const auto engine = engine_of(configured({.softening = 0.1, .time_step = 0.25}), bodies, 0.0);
  for (int step = 0; step < 4; ++step) EXPECT_TRUE(engine->advance({}));
  engine->observe({.forces = bodies.size(), .seed = 1});
  EXPECT_TRUE(engine->advance({}));
  EXPECT_LT(force_error(engine->poll().forces.value()).maximum, 1e-4);
}

}  // namespace
}  // namespace orrery::sim
