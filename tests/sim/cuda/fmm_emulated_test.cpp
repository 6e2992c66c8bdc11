// Fast multipoles on a GPU, their kernels run on the processor by an emulator of CUDA's threads: forces
// against sums over all pairs, and the parts of the method by themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernel_testing.h"
#include "sim/core/random.h"
#include "sim/cuda/families/fmm_layout.h"
#include "sim/cuda/families/tree_layout.h"
#include "sim/galaxies/model.h"
#include "sim/options/tree_options.h"
#include "tests/sim/cuda/emulator/emulated_forces.h"
#include "tests/sim/cuda/emulator/fmm_kernels.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim::cuda {
namespace {

struct How {
  TreeSettings tree{.alpha = 0.001, .leaf_size = 16, .group_size = 32};
  int order = 5;
  float eps2 = 4e-4F;
  unsigned seed = 1;
};

/// One evaluation by fast multipoles.
struct Evaluation : emulator::EmulatedForces {
  explicit Evaluation(Bodies all, const How& how = {})
      : EmulatedForces(std::move(all), how.tree, how.eps2, how.seed,
                       cuda::kernel({"family=fmm", "expansion=" + std::to_string(how.order)}),
                       [=](const std::string& name, void** arguments) {
                         return emulator::fmm_kernel(name, how.order, arguments);
                       }) {}
};

Bodies sphere(std::size_t bodies) { return make_galaxy("plummer", {.bodies = bodies, .seed = 3}).bodies; }

double median_of(const Evaluation& evaluation) {
  const auto errors = evaluation.errors();
  return errors[errors.size() / 2];
}

/// A part of the memory behind the tree.
fmm::FmmMemory memory_of(const Evaluation& evaluation, std::size_t bodies, const How& how) {
  return fmm::memory(evaluation.queue.scratch() + tree::bytes(bodies, shape_of(how.tree)), bodies,
                     how.tree.leaf_size, how.order, how.tree.group_size);
}

TEST(FmmEmulated, WithoutOpeningEveryPairIsSummed) {
  for (const bool relative : {true, false}) {
    const How how{.tree = {.relative = relative, .alpha = 0.0, .theta = 0.0, .leaf_size = 16}};
    const Evaluation evaluation(sphere(1501), how);
    EXPECT_LT(evaluation.errors().back(), 2e-5);
    EXPECT_EQ(evaluation.queue.pulls_summed, 1501U * 1501U);
  }
}

TEST(FmmEmulated, EveryOrderHoldsTheStatedErrorForEveryModel) {
  for (const char* model : {"plummer", "disk", "collision"}) {
    const auto bodies = make_galaxy(model, {.bodies = 4007, .seed = 1}).bodies;
    for (int order = fmm::least_order; order <= fmm::most_order; ++order) {
      const How how{.order = order};
      const Evaluation evaluation(bodies, how);
      const auto errors = evaluation.errors();
      const auto stated = stated_error(how.tree, true);
      EXPECT_LT(errors[errors.size() / 2], stated.median) << model << ' ' << order;
      EXPECT_LT(errors[errors.size() * 99 / 100], stated.p99) << model << ' ' << order;
      EXPECT_GT(errors[errors.size() / 2], 1e-6) << model << ' ' << order << ": no cell acted as a whole";
      EXPECT_LT(static_cast<double>(evaluation.queue.pulls_summed), 0.95 * 4007 * 4007)
          << model << ' ' << order;
    }
  }
}

// A wrong sign or factor in any term of one order leaves an error of that order in the sizes over the
// distance: then it no longer falls with their power `order`.
TEST(FmmEmulated, TheErrorFallsWithThePowerOfTheOrder) {
  const auto bodies = sphere(6007);
  for (int order = fmm::least_order; order <= fmm::most_order; ++order) {
    const auto of_ratio = [&](double ratio) {
      // The theta whose rule gives that ratio.
      TreeSettings settings{.relative = false, .leaf_size = 8, .group_size = 32};
      double low = 0.0, high = 1.5;
      for (int k = 0; k < 40; ++k) {
        settings.theta = 0.5 * (low + high);
        (static_cast<double>(fmm::rule(settings, order).ratio) < ratio ? low : high) = settings.theta;
      }
      return median_of(Evaluation(bodies, {.tree = settings, .order = order}));
    };
    const double slope = std::log(of_ratio(0.6) / of_ratio(0.4)) / std::log(1.5);
    RecordProperty("slope_" + std::to_string(order), std::to_string(slope));
    EXPECT_GT(slope, order - 0.5) << order;
    EXPECT_LT(slope, order + 3.0) << order;
  }
}

TEST(FmmEmulated, TheRootHasTheMomentsOfAll) {
  const How how{.order = 6};
  const auto bodies = sphere(2003);
  const Evaluation evaluation(bodies, how);
  const auto f = memory_of(evaluation, 2003, how);
  const auto c = *emulator::Emulated::array<emulator::Float4>(evaluation.queue.memory().center);
  const double reach = static_cast<double>(c.w);
  // Of x^3 y^2: fifth order, place 35 + 5 (the third row, its second), without the first order.
  double mass = 0.0, fifth = 0.0, scale = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double m = bodies.mass[i];
    const DVec3 b = (DVec3(bodies.position[i]) - DVec3{c.x, c.y, c.z}) * (1.0 / reach);
    mass += m;
    fifth -= m * std::pow(b.x, 3) / 6.0 * b.y * b.y / 2.0;
    scale += m * std::abs(std::pow(b.x, 3) / 6.0 * b.y * b.y / 2.0);
  }
  const auto* moment = emulator::Emulated::array<float>(f.moment);
  EXPECT_NEAR(moment[0], mass, 1e-5 * mass);
  EXPECT_NEAR(moment[35 + 3 - 3], fifth, 1e-4 * scale);
}

// A cell hands its series and what it could not use to its parts: without either, or with the series where it
// was, single bodies are far off while most are not.
TEST(FmmEmulated, NoBodyIsFarOff) {
  const auto bodies = sphere(4007);
  for (int order = fmm::least_order; order <= fmm::most_order; ++order) {
    const Evaluation evaluation(bodies,
                                {.tree = {.alpha = 1e-4, .leaf_size = 8, .group_size = 32}, .order = order});
    const auto errors = evaluation.errors(1);
    EXPECT_LT(errors[errors.size() * 99 / 100], 2e-3) << order;
    EXPECT_LT(errors.back(), 3e-2) << order;
  }
}

TEST(FmmEmulated, EveryBodyOfRaggedNumbers) {
  for (const std::size_t count : {1U, 2U, 3U, 7U, 9U, 31U, 33U, 63U, 64U, 65U, 129U, 257U, 1023U, 1025U}) {
    const Evaluation evaluation(checks::ragged_bodies(count));
    for (const auto& a : evaluation.queue.acceleration) ASSERT_TRUE(std::isfinite(a.x)) << count;
    EXPECT_LT(evaluation.errors(1)[count / 2], 1e-3) << count << " bodies";
  }
}

TEST(FmmEmulated, EverySizeOfLeafAndTarget) {
  const auto bodies = sphere(3001);
  for (const std::size_t leaf : {1U, 8U, 48U, 100U, 256U})
    for (const std::size_t group : {32U, 128U})
      EXPECT_LT(
          median_of(Evaluation(bodies, {.tree = {.alpha = 0.001, .leaf_size = leaf, .group_size = group}})),
          4e-4)
          << leaf << ' ' << group;
}

TEST(FmmEmulated, SeveralGalaxiesEachForItself) {
  EXPECT_LT(median_of(Evaluation(checks::ragged_bodies(2003, 5))), 1e-3);
}

// In which order threads, warps and blocks are run decides nothing.
TEST(FmmEmulated, TheSameBitsInEveryOrderOfTurns) {
  const auto bodies = make_galaxy("disk", {.bodies = 3001, .seed = 1}).bodies;
  const Evaluation first(bodies, {.seed = 1});
  for (unsigned seed = 2; seed < 4; ++seed) {
    const Evaluation again(bodies, {.seed = 1000 * seed});
    EXPECT_TRUE(checks::same_bits(first.queue.acceleration, again.queue.acceleration)) << seed;
  }
}

TEST(FmmEmulated, CoincidentBodies) {
  auto pairs = sphere(3001);
  for (std::size_t i = 1; i < pairs.size(); i += 2) pairs.position[i] = pairs.position[i - 1];
  EXPECT_LT(median_of(Evaluation(pairs)), 4e-4);
  EXPECT_LT(median_of(Evaluation(pairs, {.eps2 = 0.0F})), 4e-4) << "no softening";
  auto one_place = sphere(1501);
  std::ranges::fill(one_place.position, Vec3{1, 2, 3});
  EXPECT_EQ(Evaluation(one_place).errors().back(), 0.0);
  one_place.position.back() = {4, 2, 3};
  EXPECT_LT(Evaluation(one_place).errors().back(), 1e-3);
}

TEST(FmmEmulated, ALineAPlaneAndALattice) {
  auto line = sphere(3001);
  for (auto& x : line.position) x = {x.x, 0, 0};
  // Pulls of both sides cancel, so that little error is much of what is left.
  EXPECT_LT(median_of(Evaluation(line)), 5e-2);
  auto plane = sphere(3001);
  for (auto& x : plane.position) x.z = 0;
  EXPECT_LT(median_of(Evaluation(plane)), 1e-3);
  auto lattice = sphere(3375);
  for (std::size_t i = 0; i < lattice.size(); ++i) lattice.position[i] = checks::lattice_place(i, 15);
  EXPECT_LT(median_of(Evaluation(lattice)), 2e-3);
}

TEST(FmmEmulated, BodiesFarOutsideDoNotSpoilTheOthers) {
  for (const float far : {1e3F, 1e6F, 1e12F, 1e30F}) {
    auto bodies = sphere(3001);
    for (std::size_t i = 0; i < 6; ++i) bodies.position[i * 500] *= far;
    const auto errors = Evaluation(bodies).errors();
    EXPECT_LT(errors[errors.size() / 2], 4e-4) << far;
    EXPECT_LT(errors[errors.size() * 95 / 100], 2e-2) << far;
  }
}

TEST(FmmEmulated, GroupsThatMeetTooMuchAreWalkedBodyByBody) {
  auto bodies = sphere(30'011);
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies.position[i] *= i % 300 == 0 ? 30.0F : 0.02F;
  const How how{.tree = {.alpha = 0.01, .leaf_size = 32, .group_size = 32, .budget = 0.5}, .eps2 = 1e-6F};
  const Evaluation evaluation(bodies, how);
  const auto errors = evaluation.errors(101);
  EXPECT_LT(errors[errors.size() / 2], 2e-3);
  EXPECT_LT(errors.back(), 5e-2);
  const auto* counters =
      emulator::Emulated::array<fmm::FmmCounters>(memory_of(evaluation, 30'011, how).counters);
  EXPECT_GT(counters->singles, 0U) << "the test needs a group that is given up";
}

TEST(FmmEmulated, TakesLessThanTwoHundredBytesABody) {
  EXPECT_LT(
      static_cast<double>(tree::bytes(10'000'000, {.leaf_size = 24}) + fmm::bytes(10'000'000, 24, 5, 64)),
      200.0 * 10e6);
}

TEST(FmmEmulated, MassesAMillionApart) {
  auto bodies = sphere(3001);
  Random random(9);
  for (auto& mass : bodies.mass) mass = static_cast<float>(std::pow(10.0, -6.0 * random.uniform()));
  EXPECT_LT(median_of(Evaluation(bodies)), 1e-3);
  bodies.mass[77] = 1e6F;
  EXPECT_LT(median_of(Evaluation(bodies)), 1e-3);
  for (std::size_t i = 0; i < bodies.size(); i += 2) bodies.mass[i] = 0.0F;
  EXPECT_LT(median_of(Evaluation(bodies)), 1e-3);
}

}  // namespace
}  // namespace orrery::sim::cuda
