// The GPU's kernels of integrators with slopes and jerks, of adaptive steps and of individual ones, on the
// CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "sim/engines/engine.h"
#include "sim/physics/integrators/block_levels.h"
#include "sim/physics/integrators/integrator.h"
#include "sim/physics/integrators/step_rule.h"
#include "tests/sim/cuda/emulator/field_kernels.h"
#include "tests/sim/cuda/emulator/step_kernels.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim::cuda {
namespace {

constexpr double softening_squared = 0.0025;
const ForceConstants gravity{.gravitational_constant = 1.5, .softening_squared = softening_squared};

/// The same steps by the device code and by MotionUpdate::apply: each body in the field of a fixed mass, so
/// that both sides have the same forces wherever rounding differs.
struct Both {
  Bodies bodies;
  emulator::StepState device;
  std::vector<Vec3> x, v, x_low, v_low, a, j;
  const FieldAt* field = nullptr;

  explicit Both(const Bodies& start)
      : bodies(start),
        device(start),
        x(start.position),
        v(start.velocity),
        x_low(start.size()),
        v_low(start.size()),
        a(start.size()),
        j(start.size()) {}

  static Vec3 pull(const Vec3& place) {
    const DVec3 r = -DVec3(place);
    return Vec3(std::pow(dot(r, r) + 0.1, -1.5) * r);
  }
  static Vec3 change(const Vec3& place, const Vec3& velocity) {
    const DVec3 r = -DVec3(place), u = -DVec3(velocity);
    const double d2 = dot(r, r) + 0.1;
    return Vec3(std::pow(d2, -1.5) * (u - (3.0 * dot(r, u) / d2) * r));
  }
  void evaluate() {
    for (std::size_t i = 0; i < x.size(); ++i) {
      a[i] = pull(x[i]);
      j[i] = change(x[i], v[i]);
      const float* p = &device.position[4 * i];
      const float* w = &device.velocity[4 * i];
      const Vec3 there = pull({p[0], p[1], p[2]});
      const Vec3 jerk = change({p[0], p[1], p[2]}, {w[0], w[1], w[2]});
      std::ranges::copy(std::array{there.x, there.y, there.z}, &device.acceleration[3 * i]);
      std::ranges::copy(std::array{jerk.x, jerk.y, jerk.z}, &device.jerk[3 * i]);
    }
  }
  void step(const Integrator& integrator, double dt) {
    const auto x_begin = x, v_begin = v, x_begin_low = x_low, v_begin_low = v_low;
    std::vector<DVec3> first(x.size()), second(x.size());
    Motion motion{
        .position = x, .velocity = v, .acceleration = a, .position_low = x_low, .velocity_low = v_low};
    motion.position_begin = x_begin;
    motion.velocity_begin = v_begin;
    motion.position_begin_low = x_begin_low;
    motion.velocity_begin_low = v_begin_low;
    (integrator.has_slopes() ? motion.position_slope : motion.acceleration_begin) = first;
    (integrator.has_slopes() ? motion.velocity_slope : motion.jerk_begin) = second;
    motion.jerk = j;
    motion.field = field;
    for (std::size_t k = 0; k <= integrator.evaluations(); ++k) {
      const auto update = integrator.update(k);
      update.apply(motion, dt);
      if (!update.empty()) move_device(update, dt);
      if (k < integrator.evaluations()) evaluate();
    }
  }
  /// Puts a body there on both sides.
  Vec3 device_place(std::size_t i, const Vec3& place) {
    std::ranges::copy(std::array{place.x, place.y, place.z}, &device.position[4 * i]);
    return place;
  }
  void move_device(const MotionUpdate& update, double dt) {
    if (field != nullptr) return emulator::move_in_field(device, update, dt, *field);
    // In two launches, as galaxies are.
    emulator::move(device, update, dt, {0, 70});
    emulator::move(device, update, dt, {70, x.size()});
  }
  /// The largest difference of place or velocity.
  double difference() const {
    double largest = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const DVec3 place = DVec3(x[i]) + DVec3(x_low[i]), speed = DVec3(v[i]) + DVec3(v_low[i]);
      largest =
          std::max({largest, norm(place - device.exact_position(i)), norm(speed - device.exact_velocity(i))});
    }
    return largest;
  }
};

TEST(StepKernels, MoveBodiesAsTheProcessorDoes) {
  for (const char* name : {"rk4", "hermite"}) {
    const auto& integrator = *find_integrator(name);
    Both both(checks::ragged_bodies(131));
    both.evaluate();
    const auto start = both.device.exact_position(5);
    for (int step = 0; step < 4; ++step) both.step(integrator, 0.125);
    EXPECT_LT(both.difference(), 1e-13) << name;
    EXPECT_GT(norm(both.device.exact_position(5) - start), 1e-3) << name;
  }
}

/// The accelerations of the fields, with numbers that differ from each other: those of the device are in
/// single precision.
TEST(StepKernels, MoveBodiesInFieldsAsTheProcessorDoes) {
  for (const auto* field : external_fields().subspan(1)) {
    const FieldAt acting{field,
                         {.gm = 1.3,
                          .speed_squared = 0.9,
                          .radius = 0.7,
                          .height = 0.2,
                          .flattening = 0.8,
                          .centre = {0.25, -0.125, 0.5}}};
    for (const char* name : {"rk4", "hermite"}) {
      Both both(checks::ragged_bodies(131));
      // Near the centre sums of a series count.
      both.x[8] = both.device_place(8, Vec3{0.3125F, -0.125F, 0.5F});
      both.field = &acting;
      both.evaluate();
      for (int step = 0; step < 4; ++step) both.step(*find_integrator(name), 0.0625);
      EXPECT_LT(both.difference(), 3e-6) << field->name << ' ' << name;
    }
  }
}

/// The derivative of the pull along the way, by its difference in double precision.
TEST(StepKernels, PredictByTheJerkOfTheField) {
  for (const auto* field : external_fields().subspan(1)) {
    const FieldAt acting{field,
                         {.gm = 1.3, .speed_squared = 0.9, .radius = 0.7, .height = 0.2, .flattening = 0.8}};
    const auto bodies = checks::ragged_bodies(131);
    emulator::StepState device(bodies);
    const auto begin = device;
    emulator::move_in_field(device, find_integrator("hermite")->update(0), 1.0, acting);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const DVec3 x(bodies.position[i]), v(bodies.velocity[i]), h = 1e-4 * v;
      const DVec3 jerk = 5e3 * (acting.acceleration(x + h) - acting.acceleration(x - h));
      const DVec3 change = device.exact_velocity(i) - begin.exact_velocity(i) - acting.acceleration(x);
      EXPECT_LT(norm(2.0 * change - jerk), 2e-5 * (norm(jerk) + 1.0)) << field->name << ' ' << i;
    }
  }
}

/// There the pull of a halo jumps.
TEST(StepKernels, AreFiniteAtTheCentreOfAField) {
  for (const auto* field : external_fields().subspan(1)) {
    Bodies bodies = checks::ragged_bodies(3);
    bodies.position[1] = {};
    emulator::StepState device(bodies);
    emulator::move_in_field(device, find_integrator("hermite")->update(0), 1.0, {field, {.height = 0.0}});
    EXPECT_LT(norm(device.exact_velocity(1)), 2.0 * norm(DVec3(bodies.velocity[1]))) << field->name;
  }
}

/// A quarter of an orbit of radius 1.
TEST(StepKernels, AreOfFourthOrder) {
  Bodies bodies;
  bodies.resize(71);
  for (auto& x : bodies.position) x = {1, 0, 0};
  for (auto& v : bodies.velocity) v = {0, 1, 0};
  const double rate = std::pow(1.1, -0.75), time = std::numbers::pi / 2.0 / rate;
  const auto error = [&](const Integrator& integrator, int steps) {
    auto circle = bodies;
    for (auto& v : circle.velocity) v.y = static_cast<float>(rate);
    Both both(circle);
    both.evaluate();
    for (int step = 0; step < steps; ++step) both.step(integrator, time / steps);
    return norm(both.device.exact_position(70) - DVec3{0, 1, 0});
  };
  for (const char* name : {"rk4", "hermite"}) {
    const auto& integrator = *find_integrator(name);
    EXPECT_NEAR(std::log2(error(integrator, 4) / error(integrator, 8)), 4.0, 0.3) << name;
  }
}

TEST(StepKernels, TheLastSlopeWritesVertices) {
  Both both(checks::ragged_bodies(131));
  both.evaluate();
  std::vector<float> vertices(8 * 131, -1.0F);
  MotionUpdate first = find_integrator("rk4")->update(1);
  emulator::move(both.device, first, 0.125, {0, 131});
  emulator::move(both.device, find_integrator("rk4")->last_update(), 0.125, {0, 131}, &vertices);
  EXPECT_TRUE(std::equal(both.device.position.begin(), both.device.position.end(), vertices.begin()));
  const float* velocity = &vertices[4 * 131];
  EXPECT_EQ(velocity[4 * 130], both.device.velocity[4 * 130]);
  EXPECT_NEAR(velocity[4 * 130 + 3], dot(both.a[130], both.a[130]), 1e-6);
}

TEST(StepKernels, JerksAreTheLaws) {
  const auto bodies = checks::ragged_bodies(333, 2);
  const ForceState view{bodies.position, bodies.velocity, bodies.mass, bodies.charge};
  for (const unsigned block : {32U, 64U, 256U}) {
    emulator::StepState device(bodies);
    for (const auto& galaxy : bodies.galaxies()) {
      const std::size_t middle = galaxy.first + galaxy.size() / 3;
      const auto constants = gravity_law.device_constants(gravity);
      emulator::sum_jerks(device, constants, galaxy, {galaxy.first, middle}, block, block);
      emulator::sum_jerks(device, constants, galaxy, {middle, galaxy.last}, block, block + 1);
      for (std::size_t i = galaxy.first; i < galaxy.last; ++i) {
        const auto right = gravity_law.jerk(view, gravity, i, galaxy);
        const float* j = &device.jerk[3 * i];
        EXPECT_LT(norm(DVec3{j[0], j[1], j[2]} - right), 2e-4 * (norm(right) + 1.0)) << i;
      }
    }
  }
}

TEST(StepKernels, CoincidentBodiesHaveNoJerk) {
  auto bodies = checks::ragged_bodies(64);
  bodies.position[1] = bodies.position[0];
  emulator::StepState device(bodies);
  const auto constants = gravity_law.device_constants({.softening_squared = 0.0});
  emulator::sum_jerks(device, constants, {0, 64}, {0, 64}, 32, 1);
  EXPECT_TRUE(std::ranges::all_of(device.jerk, [](float x) { return std::isfinite(x); }));
}

/// block time steps by the kernels and by BlockLevels, side by side.
class OwnStepsOfBoth {
 public:
  explicit OwnStepsOfBoth(const Bodies& start) : both_(start) {
    both_.evaluate();
    steps_.level.assign(start.size(), 77);
    for (const auto& galaxy : start.galaxies())
      steps_.galaxy_starts.push_back(static_cast<unsigned>(galaxy.first));
    steps_.galaxy_starts.push_back(static_cast<unsigned>(start.size()));
  }

  /// Expects the same levels, the same lists and the same places.
  void step(double dt) {
    levels_.begin(both_.x.size());
    unsigned now = 0;
    while (!levels_.done()) {
      begin_steps(dt);
      emulator::advance(both_.device, moment(dt, now, true), steps_);
      expect_the_same_levels();
      const double part = levels_.go_on();
      ++block_times_, computed_ += levels_.active().size();
      MotionUpdate{.drift = 1.0}.apply(motion(0, both_.x.size()), dt * part);
      now += static_cast<unsigned>(part * 65536.0);
      ASSERT_EQ(steps_.list, levels_.active());
      ASSERT_LT(both_.difference(), 1e-12);
      evaluate();
      kick(dt);
    }
    emulator::advance(both_.device, moment(dt, now, false), steps_);
    EXPECT_LT(both_.difference(), 1e-12);
  }
  std::size_t block_times() const { return block_times_; }
  std::size_t computed() const { return computed_; }  ///< bodies that were active at all of them
  const emulator::OwnSteps& steps() const { return steps_; }

 private:
  static constexpr StepCriterion criterion{.accuracy = 0.2, .length = 0.05};

  static emulator::Moment moment(double dt, unsigned now, bool begins) {
    return {dt, criterion.accuracy, criterion.length, now, now > 0, begins};
  }
  Motion motion(std::size_t first, std::size_t last) {
    const Motion all{.position = both_.x,
                     .velocity = both_.v,
                     .acceleration = both_.a,
                     .position_low = both_.x_low,
                     .velocity_low = both_.v_low};
    return all.range(first, last);
  }
  void kick(double dt) {
    for (const std::size_t i : levels_.active())
      MotionUpdate{.kick = 0.5}.apply(motion(i, i + 1), dt * levels_.part(i));
  }
  void begin_steps(double dt) {
    for (const std::size_t i : levels_.active()) {
      const double tau = criterion.longest(norm(DVec3(both_.a[i])));
      levels_.set(i, block_level(dt, tau));
    }
    kick(dt);
  }
  void expect_the_same_levels() {
    for (std::size_t i = 0; i < both_.x.size(); ++i)
      ASSERT_EQ(1.0 / (1U << steps_.level[i]), levels_.part(i)) << "body " << i;
  }
  /// Of the active bodies, on the device by way of their copies.
  void evaluate() {
    const auto& active = levels_.active();
    const auto all = emulator::gathered(both_.device, steps_);
    std::vector<float> found;
    for (std::size_t k = 0; k < active.size(); ++k) {
      both_.a[active[k]] = Both::pull(both_.x[active[k]]);
      const float* p = &all[4 * (both_.x.size() + k)];
      const Vec3 there = Both::pull({p[0], p[1], p[2]});
      found.insert(found.end(), {there.x, there.y, there.z});
    }
    emulator::scatter(both_.device, steps_, found);
  }

  Both both_;
  BlockLevels levels_;
  std::size_t block_times_ = 0, computed_ = 0;
  emulator::OwnSteps steps_;
};

TEST(StepKernels, BlockStepsAreThoseOfTheCpu) {
  const auto start = checks::ragged_bodies(701, 3);
  OwnStepsOfBoth own(start);
  for (int step = 0; step < 2; ++step) own.step(0.5);
  EXPECT_GT(own.block_times(), 16U);
  EXPECT_LT(static_cast<double>(own.computed()), 0.7 * static_cast<double>(own.block_times()) * 701.0);
  // At the end all are active: the list has every galaxy where it is.
  EXPECT_EQ(own.steps().starts, own.steps().galaxy_starts);
}

/// More blocks than the sum over them takes at a time.
TEST(StepKernels, SomeOfManyBodiesAreListed) {
  constexpr unsigned bodies = 270'001;
  Bodies start;
  start.resize(bodies);
  emulator::StepState device(start);
  emulator::OwnSteps steps{.level = {}, .galaxy_starts = {0, 100'000, 100'001, bodies}};
  steps.level.assign(bodies, 0);
  std::vector<unsigned> expected;
  for (unsigned i = 0; i < bodies; ++i) {
    const bool strong = i % 7 == 3 && (i < 100'000 || i > 200'000);
    device.acceleration[3 * i] = strong ? 4.0F : 0.01F;
    if (strong) expected.push_back(i);
  }
  emulator::advance(device, {1.0, 1.0, 1.0, 0, false, true}, steps);
  EXPECT_EQ(steps.deepest, 1U);
  EXPECT_EQ(steps.list, expected);
  const auto below = [&](unsigned body) {
    return static_cast<unsigned>(std::ranges::lower_bound(expected, body) - expected.begin());
  };
  EXPECT_EQ(steps.starts, (std::vector<unsigned>{0, below(100'000), below(100'001), below(bodies)}));
}

TEST(StepKernels, VerticesInAnotherFrameHaveTheBitsOfTheHost) {
  const VertexFrame frame{.length = 0x1p60,
                          .mass = 0x1p-40,
                          .velocity = 0.125,
                          .square = 0x1p-30,
                          .place = {0.1, -7e10, 3e18},
                          .motion = {0.3, 1e5, 1e-9}};
  const auto bodies = checks::ragged_bodies(131);
  std::vector<float> host(8 * bodies.size());
  pack_bodies(bodies.position, bodies.velocity, bodies.mass, host.data(), host.data() + 4 * bodies.size(),
              bodies.velocity);
  auto device = host;
  const auto before = host;
  reframe(frame, host.data(), host.data() + 4 * bodies.size(), bodies.size());
  EXPECT_NE(host, before);
  emulator::reframe(frame, device, {0, 60});
  EXPECT_TRUE(std::equal(device.begin() + 4 * 60, device.begin() + 4 * 131, before.begin() + 4 * 60))
      << "others stay";
  emulator::reframe(frame, device, {60, 131});
  EXPECT_EQ(device, host);
}

TEST(StepKernels, TheLargestAccelerationIsFound) {
  emulator::StepState device(checks::ragged_bodies(500));
  const auto put = [&](std::size_t i, float x) { device.acceleration[3 * i + 1] = x; };
  put(340, -7.0F);
  put(18, 6.0F);
  put(490, std::nanf(""));
  for (const unsigned blocks : {1U, 3U, 8U}) {
    EXPECT_EQ(emulator::largest_acceleration(device, {0, 500}, blocks), 7.0F);
    EXPECT_EQ(emulator::largest_acceleration(device, {0, 300}, blocks), 6.0F);
    EXPECT_EQ(emulator::largest_acceleration(device, {19, 300}, blocks), 0.0F);
  }
}

}  // namespace
}  // namespace orrery::sim::cuda
