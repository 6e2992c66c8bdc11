// Scenes with structure on very different scales: every part of them must have its forces, by every rule of
// the tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lab/verify/part_errors.h"
#include "sim/core/percentile.h"
#include "sim/cpu/kernel.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/approximate_kernels.h"
#include "tests/sim/engines/engine_cases.h"
#include "tests/sim/tree/wrong_trees.h"

namespace orrery::sim {
namespace {

using Assignments = std::vector<std::string>;

constexpr std::size_t few = 8000, many = 34'000, judged = 150;

/// The engine whose tree is tested, and what sums every pair there.
#ifdef ORRERY_TEST_CUDA
const checks::EngineCase engine_case{.name = "", .assignments = {"engine=cuda", "family=tree"}, .cuda = true};
[[maybe_unused]] constexpr const char* every_pair = "family=tiled";
#else
const checks::EngineCase engine_case{.name = "", .assignments = {"engine=cpu", "kernel=tree"}};
constexpr const char* every_pair = "kernel=simd";
#endif

Configuration tree_of(const Scene& scene, const Assignments& more) {
  auto configuration = checks::configuration_of(engine_case);
  set_physics(configuration, scene.physics);
  for (const auto& each : more) checks::simulation_options().assign(configuration, each);
  return configuration;
}

/// Judges the parts of a scene by their forces at one and the same state.
class PartJudge {
 public:
  explicit PartJudge(lab::PartedScene parted)
      : parted_(std::move(parted)),
        reference_(parted_.scene.bodies.position, parted_.scene.bodies.mass, parted_.scene.physics,
                   parted_.parts, judged) {
    // An engine may give the forces at the end of a step: bodies must be where they were.
    std::ranges::fill(parted_.scene.bodies.velocity, Vec3{});
    parted_.scene.physics.time_step = 1e-15;
  }

  std::vector<std::string> failures(const Assignments& assignments) const {
    return lab::part_failures(errors(assignments), stated(assignments));
  }
  /// The error of the worst part over its limit.
  double excess(const Assignments& assignments) const {
    return lab::excess_of(lab::worst_part(errors(assignments), stated(assignments)), stated(assignments));
  }

 private:
  StatedError stated(const Assignments& assignments) const {
    return stated_error(tree_of(parted_.scene, assignments));
  }
  std::vector<lab::PartError> errors(const Assignments& assignments) const {
    const auto sample = checks::all_forces(tree_of(parted_.scene, assignments), parted_.scene.bodies);
    EXPECT_LT(checks::largest_difference(parted_.scene.bodies.position, sample.position), 1e-15);
    return reference_.errors(sample.acceleration);
  }

  lab::PartedScene parted_;
  lab::PartReference reference_;
};

std::string joined(const Assignments& assignments) {
  std::string text;
  for (const auto& each : assignments) text += each + " ";
  return text;
}

class MultiscaleTree : public testing::TestWithParam<lab::MultiscaleScene> {
 protected:
  void SetUp() override {
    if (const auto reason = checks::why_not_here(engine_case); !reason.empty()) GTEST_SKIP() << reason;
  }
  static void expect_right(std::size_t bodies, const std::vector<Assignments>& sets) {
    const PartJudge judge(GetParam().make({.bodies = bodies, .seed = 2}));
    for (const auto& set : sets)
      EXPECT_EQ(judge.failures(set), std::vector<std::string>{}) << joined(set) << bodies << " bodies";
  }
};

TEST_P(MultiscaleTree, EveryPartHasItsForces) {
  expect_right(few,
               {{}, {"order=octupole"}, {"order=monopole"}, {"opening=geometric"}, {"far-cells=one-by-one"}});
}

TEST_P(MultiscaleTree, SmallerErrorsAreReachedInEveryPart) {
  expect_right(few, {{"opening=relative:0.001"},
                     {"opening=relative:1e-4"},
                     {"order=octupole", "opening=relative:1e-4"},
                     {"accuracy=1e-3"},
                     {"accuracy=1e-4"}});
}

TEST_P(MultiscaleTree, GroupsOfEverySize) {
  std::vector<Assignments> sets{{"group-size=128"}};
  // On a GPU warps walk for groups.
  if (engine_case.cuda)
    sets.insert(sets.end(), {{"group-size=32"}});
  else
    sets.insert(sets.end(), {{"group-size=4"}, {"group-size=16"}});
  expect_right(few, sets);
}

#ifndef ORRERY_TEST_CUDA
/// A body that walks alone has the error of its own nearest cells: where pulls cancel, as in a thin disk, the
/// tail is up to twice as long as that of groups is allowed to be.
TEST_P(MultiscaleTree, ABodyThatWalksAloneLosesNoPart) {
  EXPECT_LT(PartJudge(GetParam().make({.bodies = few, .seed = 2})).excess({"group-size=1"}), 2.0);
}
#endif

/// With many bodies other distances count (cell_rule).
TEST_P(MultiscaleTree, EveryPartOfManyBodiesHasItsForces) {
  expect_right(many, {{}, {"order=octupole"}, {"order=monopole"}, {"opening=geometric"}, {"accuracy=1e-3"}});
}

INSTANTIATE_TEST_SUITE_P(Scenes, MultiscaleTree,
                         testing::ValuesIn(lab::multiscale_scenes().begin(), lab::multiscale_scenes().end()),
                         [](const auto& instance) {
                           std::string name(instance.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

#ifndef ORRERY_TEST_CUDA
/// Errors by a tree with a mistake.
std::vector<lab::PartError> errors_with(void (*change)(Octree&), const lab::PartedScene& parted) {
  const auto& bodies = parted.scene.bodies;
  const auto galaxies = bodies.galaxies();
  const auto eps = static_cast<float>(parted.scene.physics.softening);
  std::vector<Vec3> acceleration(bodies.size());
  find_cpu_kernel("tree")->evaluate({.position = bodies.position,
                                     .mass = bodies.mass,
                                     .galaxies = galaxies,
                                     .softening_squared = eps * eps,
                                     .threads = 2,
                                     .acceleration = acceleration,
                                     .change_tree = change});
  return lab::PartReference(bodies.position, bodies.mass, parted.scene.physics, parted.parts, judged)
      .errors(acceleration);
}

/// The parts see what the median of all bodies cannot.
TEST(MultiscaleTree, AClumpWithoutAnInsideIsSeen) {
  const auto stated = stated_error(tree_of({}, {}));
  auto satellite = lab::make_multiscale_scene("satellite", {.bodies = 20'000});
  EXPECT_LT(lab::excess_of(lab::worst_part(errors_with(nullptr, satellite), stated), stated), 1.0);
  const auto wrong = lab::worst_part(errors_with(ignore_insides_of_clumps, satellite), stated);
  EXPECT_EQ(wrong.part, "satellite");
  EXPECT_GT(lab::excess_of(wrong, stated), 50.0);
  satellite.parts = {{"all", {0, satellite.scene.bodies.size()}}};
  EXPECT_LT(errors_with(ignore_insides_of_clumps, satellite).front().median, stated.median);
}

#endif

/// The radius that holds half of the first `count` bodies.
double half_radius(const Bodies& bodies, std::size_t count) {
  DVec3 middle;
  for (std::size_t i = 0; i < count; ++i)
    middle += DVec3(bodies.position[i]) * (1.0 / static_cast<double>(count));
  std::vector<double> radii;
  for (std::size_t i = 0; i < count; ++i) radii.push_back(norm(DVec3(bodies.position[i]) - middle));
  return median(radii);
}

/// Bodies that feel nothing of each other fly apart within a crossing time.
TEST(MultiscaleTree, ASphereWithACompanionFarAwayHoldsTogether) {
  if (const auto reason = checks::why_not_here(engine_case); !reason.empty()) GTEST_SKIP() << reason;
  const auto parted = lab::make_multiscale_scene("two-spheres-1e4", {.bodies = 3000});
  const std::size_t count = parted.parts.front().bodies.last;
  const auto after = [&](const char* kernel) {
    const auto engine =
        checks::loaded(tree_of(parted.scene, {kernel, "time-step=0.05"}), parted.scene.bodies);
    return half_radius(checks::after(*engine, parted.scene.bodies, 80), count);
  };
  const double before = half_radius(parted.scene.bodies, count), direct = after("kernel=simd");
  EXPECT_NEAR(direct / before, 1.0, 0.15);
  EXPECT_NEAR(after("kernel=tree") / direct, 1.0, 0.05);
}

}  // namespace
}  // namespace orrery::sim
