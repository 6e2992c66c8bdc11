// Scenes with structure on very different scales, by the GPU's tree in the emulator: every part must have its
// forces, of one tree and of domains.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernel_testing.h"
#include "lab/verify/part_errors.h"
#include "sim/options/tree_options.h"
#include "sim/tree/curve_sort.h"
#include "tests/sim/cuda/emulator/emulated_domains.h"
#include "tests/sim/cuda/emulator/tree_kernels.h"

namespace orrery::sim::cuda {
namespace {

constexpr std::size_t few = 2000, many = 33'000, judged = 150;
using Failures = std::vector<std::string>;

/// One scene, and what its forces should be.
class EmulatedScene {
 public:
  EmulatedScene(const lab::MultiscaleScene& kind, std::size_t bodies)
      : parted_(kind.make({.bodies = bodies, .seed = 2})),
        reference_(this->bodies().position, this->bodies().mass, parted_.scene.physics, parted_.parts,
                   judged) {}

  Failures by_one_tree(const TreeSettings& settings) const {
    return by_one_tree(settings, stated_error(settings));
  }
  Failures by_one_tree(const TreeSettings& settings, const StatedError& stated) const {
    const emulator::EmulatedForces forces(bodies(), settings, eps2(), 1, cuda::kernel({"family=tree"}),
                                          emulator::tree_kernel);
    return judge(forces.queue.acceleration, stated);
  }
  Failures by_domains(std::size_t count, const TreeSettings& settings) const {
    const EvenGrid grid(bodies().position);
    const auto order = curve_order(bodies().position, grid, 1);
    std::vector<std::size_t> begins;
    for (const auto& stretch : cut_order(order, {}, std::vector<double>(count, 1.0)))
      begins.push_back(stretch.first);
    emulator::EmulatedDomains domains(bodies(), bodies(), grid, order, begins, settings, eps2(), 1,
                                      cuda::kernel({"family=tree"}), emulator::tree_kernel);
    domains.evaluate();
    return judge(domains.accelerations(bodies().size()), stated_error(settings));
  }

 private:
  const Bodies& bodies() const { return parted_.scene.bodies; }
  float eps2() const {
    const auto softening = static_cast<float>(parted_.scene.physics.softening);
    return softening * softening;
  }
  Failures judge(const std::vector<Vec3>& acceleration, const StatedError& stated) const {
    return lab::part_failures(reference_.errors(acceleration), stated);
  }

  lab::PartedScene parted_;
  lab::PartReference reference_;
};

class MultiscaleEmulated : public testing::TestWithParam<lab::MultiscaleScene> {};

TEST_P(MultiscaleEmulated, EveryPartHasItsForces) {
  const EmulatedScene scene(GetParam(), few);
  const TreeSettings usual{.leaf_size = 48};
  for (const auto order : {CellOrder::quadrupole, CellOrder::octupole, CellOrder::monopole}) {
    auto settings = usual;
    settings.order = order;
    EXPECT_EQ(scene.by_one_tree(settings), Failures{}) << "order " << static_cast<int>(order);
  }
  EXPECT_EQ(scene.by_one_tree({.relative = false, .leaf_size = 48}), Failures{}) << "geometric";
  EXPECT_EQ(scene.by_one_tree({.far_series = false, .leaf_size = 48}), Failures{}) << "one by one";
  EXPECT_EQ(scene.by_one_tree({.alpha = 1e-4, .leaf_size = 48}), Failures{}) << "opening=relative:1e-4";
}

TEST_P(MultiscaleEmulated, LeavesOfEverySizeAndGroupsInParts) {
  const EmulatedScene scene(GetParam(), few);
  for (const std::size_t leaf : {1U, 256U})
    EXPECT_EQ(scene.by_one_tree({.leaf_size = leaf}), Failures{}) << "leaves of " << leaf;
  // Parts of groups are of eight bodies and of one, for which more is stated.
  EXPECT_EQ(scene.by_one_tree({.leaf_size = 48, .budget = 0.05}, stated_error({.group_size = 1})), Failures{})
      << "in parts";
}

TEST_P(MultiscaleEmulated, EveryPartHasItsForcesByDomains) {
  const EmulatedScene scene(GetParam(), few);
  EXPECT_EQ(scene.by_domains(2, {.leaf_size = 16}), Failures{});
  EXPECT_EQ(scene.by_domains(3, {.alpha = 1e-3, .order = CellOrder::octupole, .leaf_size = 16}), Failures{});
}

INSTANTIATE_TEST_SUITE_P(Scenes, MultiscaleEmulated,
                         testing::ValuesIn(lab::multiscale_scenes().begin(), lab::multiscale_scenes().end()),
                         [](const auto& instance) {
                           std::string name(instance.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

/// With many bodies other distances count (cell_rule).
TEST(MultiscaleEmulated, EveryPartOfManyBodiesHasItsForces) {
  for (const char* name : {"two-spheres-1e6", "deep-spheres", "satellite", "galaxy-group", "escapers"}) {
    const auto kind = std::ranges::find(lab::multiscale_scenes(), name, &lab::MultiscaleScene::name);
    EXPECT_EQ(EmulatedScene(*kind, many).by_one_tree({.leaf_size = 48}), Failures{}) << name;
  }
  for (const char* name : {"two-spheres-1e4", "black-hole"}) {
    const auto kind = std::ranges::find(lab::multiscale_scenes(), name, &lab::MultiscaleScene::name);
    const TreeSettings settings{.order = CellOrder::octupole, .leaf_size = 48};
    EXPECT_EQ(EmulatedScene(*kind, many).by_one_tree(settings), Failures{}) << name;
  }
}

}  // namespace
}  // namespace orrery::sim::cuda
