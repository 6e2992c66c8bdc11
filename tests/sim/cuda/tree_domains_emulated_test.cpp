// One galaxy on several GPUs: the kernels of domains, run on the CPU by the emulator.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

#include "kernel_testing.h"
#include "sim/core/random.h"
#include "sim/galaxies/model.h"
#include "sim/tree/curve_grid.h"
#include "sim/tree/curve_sort.h"
#include "tests/sim/cuda/emulator/emulated_domains.h"
#include "tests/sim/cuda/emulator/tree_kernels.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim::cuda {
namespace {

using emulator::EmulatedDomains;
using emulator::Float4;

/// One galaxy in domains of equal numbers of bodies.
struct Domains : EmulatedDomains {
  Bodies bodies;
  float softening_squared;

  Domains(const Bodies& all, std::size_t count, const TreeSettings& settings = {.leaf_size = 16},
          float eps2 = 4e-4F, unsigned seed = 1)
      : Domains(all, all, count, settings, eps2, seed) {}
  /// `cut`: the bodies as they were when the domains were cut.
  Domains(const Bodies& all, const Bodies& cut, std::size_t count, const TreeSettings& settings, float eps2,
          unsigned seed)
      : Domains(all, cut, curve_order(cut.position, EvenGrid(cut.position), 1), count, settings, eps2, seed) {
  }
  Domains(const Bodies& all, const Bodies& cut, const std::vector<std::uint32_t>& order, std::size_t count,
          const TreeSettings& settings, float eps2, unsigned seed)
      : EmulatedDomains(all, cut, EvenGrid(cut.position), order, begins(order, count), settings, eps2, seed,
                        cuda::kernel({"family=tree"}), emulator::tree_kernel),
        bodies(all),
        softening_squared(eps2) {}

  static std::vector<std::size_t> begins(const std::vector<std::uint32_t>& order, std::size_t count) {
    std::vector<std::size_t> begins;
    for (const auto& stretch : cut_order(order, {}, std::vector<double>(count, 1.0)))
      begins.push_back(stretch.first);
    return begins;
  }

  /// Relative errors of every `stride`-th body, sorted.
  std::vector<double> errors(std::size_t stride = 5) const {
    const auto found = accelerations(bodies.size());
    const ForceState state{bodies.position, bodies.velocity, bodies.mass, bodies.charge};
    std::vector<double> errors;
    for (std::size_t i = 0; i < bodies.size(); i += stride) {
      const auto exact =
          gravity_law.acceleration(state, {.softening_squared = softening_squared}, i, {0, bodies.size()});
      const double size = norm(exact), error = norm(DVec3(found[i]) - exact);
      errors.push_back(std::isnan(error) ? INFINITY : size > 0.0 ? error / size : error);
    }
    std::ranges::sort(errors);
    return errors;
  }
  double median() const { return errors()[errors().size() / 2]; }
  double largest() const { return errors().back(); }
};

Bodies sphere(std::size_t bodies) { return make_galaxy("plummer", {.bodies = bodies, .seed = 3}).bodies; }

double median_of_one(const Bodies& bodies, const TreeSettings& settings, float eps2 = 4e-4F) {
  return emulator::EmulatedForces(bodies, settings, eps2, 1, cuda::kernel({"family=tree"}),
                                  emulator::tree_kernel)
      .median();
}

TEST(TreeDomainsEmulated, ForcesHaveTheErrorOfOneTree) {
  const TreeSettings settings{.leaf_size = 16};
  for (const std::size_t count : {1000U, 4099U}) {
    const auto bodies = sphere(count);
    const double one = median_of_one(bodies, settings);
    for (const std::size_t domains : {1U, 2U, 3U, 4U}) {
      Domains several(bodies, domains, settings);
      several.evaluate();
      EXPECT_LT(several.median(), 1.3 * one + 1e-5) << count << " bodies, " << domains << " domains";
      EXPECT_LT(several.largest(), 3e-2) << count << " bodies, " << domains << " domains";
    }
  }
}

// Halo, disks and bulges of two galaxies: the tail, too, is that of one tree.
TEST(TreeDomainsEmulated, TheTailOfAGalaxyGroupIsThatOfOneTree) {
  const auto scene = make_galaxy("milky-way-andromeda", {.bodies = 20'000, .seed = 3});
  const auto eps2 = static_cast<float>(scene.physics.softening * scene.physics.softening);
  const auto p99_in = [&](std::size_t domains) {
    Domains several(scene.bodies, domains, TreeSettings{}, eps2);
    several.evaluate();
    const auto errors = several.errors(2);
    return errors[errors.size() * 99 / 100];
  };
  const double one = p99_in(1);
  for (const std::size_t domains : {2U, 4U}) EXPECT_NEAR(p99_in(domains) / one, 1.0, 0.15) << domains;
}

// What is far enough depends on the number of bodies of the galaxy, not on that of a domain, which is another
// side of cell_rule's limit here.
TEST(TreeDomainsEmulated, DomainsOpenCellsAsOneTreeDoes) {
  const TreeSettings settings{.leaf_size = 48};
  const auto bodies = sphere(33'000);
  Domains several(bodies, 3, settings);
  several.evaluate();
  EXPECT_NEAR(several.median() / median_of_one(bodies, settings), 1.0, 0.1);
}

// What is far goes as cells: a domain gets less than all, and less of what is farther.
TEST(TreeDomainsEmulated, EssentialTreesAreSmallerThanTheTrees) {
  auto bodies = sphere(8009);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (i % 2 == 0) bodies.position[i].x += 20.0F;
  Domains several(bodies, 2, {.alpha = 0.1, .leaf_size = 16});
  several.evaluate();
  EXPECT_LT(several.size(0, 1).nodes, 200U);
  EXPECT_LT(several.size(0, 1).bodies, 100U);
  EXPECT_GE(several.size(0, 1).nodes, 1U);
  EXPECT_LT(several.median(), 5e-3);
}

TEST(TreeDomainsEmulated, WithoutOpeningEveryPairIsSummed) {
  for (const TreeSettings& settings : {TreeSettings{.alpha = 0.0, .leaf_size = 16},
                                       TreeSettings{.relative = false, .theta = 0.0, .leaf_size = 16}}) {
    Domains several(sphere(1001), 3, settings);
    several.evaluate();
    EXPECT_LT(several.largest(), 1e-4);
    EXPECT_EQ(several.interactions(), 1001U * 1001U);
    EXPECT_EQ(several.size(0, 1).bodies, several.domains[0].bodies.size());
  }
}

TEST(TreeDomainsEmulated, GeometricOpening) {
  const TreeSettings settings{.relative = false, .theta = 0.6, .leaf_size = 16};
  Domains several(sphere(3001), 3, settings);
  several.evaluate();
  EXPECT_LT(several.median(), 1.3 * median_of_one(sphere(3001), settings) + 1e-5);
  EXPECT_LT(several.largest(), 3e-2);
}

/// Bits of centres of mass, and of the third moments of these nodes.
std::map<std::array<std::uint32_t, 4>, std::array<std::uint32_t, 8>> numbers_of(const tree::TreeMemory& t,
                                                                                unsigned first,
                                                                                unsigned count) {
  std::map<std::array<std::uint32_t, 4>, std::array<std::uint32_t, 8>> all;
  for (unsigned k = first; k < first + count; ++k) {
    std::array<std::uint32_t, 8> third{};
    std::memcpy(third.data(), EmulatedDomains::at<Float4>(t.third[0]) + k, sizeof(Float4));
    std::memcpy(third.data() + 4, EmulatedDomains::at<Float4>(t.third[1]) + k, sizeof(Float4));
    all[std::bit_cast<std::array<std::uint32_t, 4>>(EmulatedDomains::at<Float4>(t.center)[k])] = third;
  }
  return all;
}

/// Cells whose parts stay elsewhere need their third moments.
TEST(TreeDomainsEmulated, ThirdMomentsAreSent) {
  const TreeSettings settings{.alpha = 1e-3, .order = CellOrder::octupole, .leaf_size = 16};
  const auto bodies = sphere(3001);
  Domains several(bodies, 3, settings);
  several.evaluate();
  EXPECT_LT(several.median(), 1.3 * median_of_one(bodies, settings) + 1e-5);
  EXPECT_LT(several.largest(), 1e-2);
  const auto tree = several.tree_of(several.domains[0]);
  unsigned first = tree.capacity + 1;
  for (const unsigned from : {1U, 2U}) {
    const auto sent = numbers_of(several.tree_of(several.domains[from]), 0,
                                 several.tree_of(several.domains[from]).capacity);
    const auto size = several.size(from, 0).nodes;
    EXPECT_GT(size, 100U);
    for (const auto& [center, third] : numbers_of(tree, first, size)) {
      ASSERT_EQ(sent.count(center), 1U);
      EXPECT_EQ(sent.at(center), third);
    }
    first += size;
  }
}

TEST(TreeDomainsEmulated, TheSameBitsInAnyOrderOfThreads) {
  const auto bodies = sphere(2503);
  std::vector<Vec3> first;
  for (const unsigned seed : {1U, 17U, 99U}) {
    Domains several(bodies, 3, {.leaf_size = 16}, 4e-4F, seed);
    several.evaluate();
    const auto found = several.accelerations(bodies.size());
    if (first.empty()) first = found;
    EXPECT_TRUE(checks::same_bits(first, found)) << seed;
  }
}

TEST(TreeDomainsEmulated, ParcelsHoldTheMassOfTheirTree) {
  Domains several(sphere(4099), 3);
  several.evaluate();
  const auto& receiver = several.domains[1];
  const auto tree = several.tree_of(receiver);
  const auto* opening = EmulatedDomains::at<Float4>(tree.opening);
  const auto* center = EmulatedDomains::at<Float4>(tree.center);
  const auto* body = EmulatedDomains::at<Float4>(tree.body);
  // Of the first parcel: what of a cell is sent adds up to it.
  const std::uint32_t root = tree.capacity + 1;
  const std::function<double(std::uint32_t)> mass_below = [&](std::uint32_t node) -> double {
    const auto& o = opening[node];
    const auto down = std::bit_cast<std::uint32_t>(o.y), count = std::bit_cast<std::uint32_t>(o.z);
    if (o.x == -1.0F) return static_cast<double>(center[node].w);
    double sum = 0.0;
    if (count != 0xffffffffU) {
      for (std::uint32_t k = 0; k < count; ++k) sum += static_cast<double>(body[down + k].w);
      return sum;
    }
    for (std::uint32_t part = 0; part <= (down & 7U); ++part) sum += mass_below((down >> 3U) + part);
    return sum;
  };
  double mass = 0.0;
  for (const auto i : several.domains[0].bodies) mass += static_cast<double>(several.bodies.mass[i]);
  EXPECT_NEAR(mass_below(root), mass, 1e-6 * mass);
}

TEST(TreeDomainsEmulated, HardScenes) {
  auto masses = sphere(2001);
  Random random(9);
  for (auto& mass : masses.mass) mass = static_cast<float>(std::pow(10.0, -6.0 * random.uniform()));
  masses.mass[77] = 1e6F;
  auto far = sphere(2001);
  for (std::size_t i = 0; i < 5; ++i) far.position[i * 300] *= 1e6F;
  auto pairs = sphere(2001);
  for (std::size_t i = 1; i < pairs.size(); i += 2) pairs.position[i] = pairs.position[i - 1];
  auto light = sphere(2001);
  for (std::size_t i = 0; i < light.size(); i += 2) light.mass[i] = 0.0F;
  auto halo = sphere(4001);
  for (std::size_t i = 0; i < halo.size(); ++i) halo.position[i] *= i % 50 == 0 ? 30.0F : 0.02F;
  for (const auto* scene : {&masses, &far, &pairs, &light, &halo}) {
    Domains several(*scene, 4);
    several.evaluate();
    EXPECT_LT(several.median(), 2e-3) << scene->size();
    EXPECT_TRUE(std::isfinite(several.largest()));
  }
  auto one_place = sphere(501);
  std::ranges::fill(one_place.position, Vec3{1, 2, 3});
  Domains several(one_place, 3);
  several.evaluate();
  EXPECT_EQ(several.largest(), 0.0);
}

TEST(TreeDomainsEmulated, AsManyDomainsAsBodiesNearly) {
  for (const std::size_t count : {7U, 40U}) {
    Domains several(checks::ragged_bodies(count), 7, {.leaf_size = 4}, 4e-4F, 1);
    several.evaluate();
    EXPECT_LT(several.largest(), 1e-2) << count;
  }
}

/// Every body a little farther on.
Bodies drifted(Bodies bodies, float time) {
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies.position[i] += bodies.velocity[i] * time;
  return bodies;
}

// Bodies that have left their stretch of the curve are computed where they are now.
TEST(TreeDomainsEmulated, GuestsAreComputedByTheDomainThatTheyAreIn) {
  const auto cut = sphere(4001);
  const TreeSettings settings{.leaf_size = 16};
  for (const float time : {0.02F, 0.3F, 5.0F}) {
    const auto bodies = drifted(cut, time);
    Domains fresh(bodies, bodies, 3, settings, 4e-4F, 1), stale(bodies, cut, 3, settings, 4e-4F, 1);
    fresh.evaluate();
    stale.evaluate();
    std::size_t left = 0, came = 0;
    for (const auto& domain : stale.domains) {
      left += domain.shape.imports.left;
      came += domain.shape.imports.now;
    }
    EXPECT_GT(left, 20U);
    EXPECT_EQ(left, came);
    EXPECT_LT(stale.median(), 1.2 * fresh.median());
    EXPECT_LT(stale.largest(), 3e-2);
    EXPECT_LT(static_cast<double>(stale.interactions()), 1.2 * static_cast<double>(fresh.interactions()));
  }
}

// And their accelerations are theirs.
TEST(TreeDomainsEmulated, GuestsSumEveryPairToo) {
  const auto cut = sphere(1001), bodies = drifted(cut, 0.5F);
  Domains several(bodies, cut, 4, {.alpha = 0.0, .leaf_size = 16}, 4e-4F, 1);
  several.evaluate();
  EXPECT_LT(several.largest(), 1e-4);
  EXPECT_EQ(several.interactions(), 1001U * 1001U);
}

// The tests above see what they are for.
TEST(TreeDomainsEmulated, MistakesAreSeen) {
  const auto bodies = sphere(3001);
  Domains forgetful(bodies, 3);
  forgetful.forget_tree = [](unsigned from, unsigned to) { return from == 0 && to == 2; };
  forgetful.evaluate();
  EXPECT_GT(forgetful.largest(), 3e-2);
  EXPECT_GT(forgetful.errors()[forgetful.errors().size() * 9 / 10], 3e-2);
  Domains right(bodies, 3);
  right.evaluate();
  // Boxes that are somewhere else: what is near goes as far cells.
  Domains misplaced(bodies, 3);
  misplaced.change_pieces = [](unsigned, unsigned, Float4* pieces) {
    for (int k = 0; k < tree::domain_pieces; ++k) {
      pieces[3 * k].x += 50.0F;
      pieces[3 * k + 1].x += 50.0F;
    }
  };
  misplaced.evaluate();
  EXPECT_GT(misplaced.median(), 3.0 * right.median());
}

TEST(TreeDomainsEmulated, WorkIsWhatGroupsHaveSummed) {
  Domains several(sphere(3001), 3);
  several.evaluate();
  double counted = 0.0, summed = 0.0;
  for (const auto& domain : several.domains) {
    const auto* work = EmulatedDomains::at<std::uint32_t>(several.memory_of(domain).work);
    const auto all = std::accumulate(work, work + domain.shape.in_tree() / 32 + 1, std::uint64_t{0});
    counted += 32.0 * static_cast<double>(all);
    summed += static_cast<double>(domain.queue->interactions);
    // Most pieces of a domain with so few bodies have none.
    const auto* pieces = EmulatedDomains::at<tree::PieceCost>(several.memory_of(domain).shared.cost);
    std::uint64_t of_pieces = 0, bodies = 0;
    for (const auto& piece : std::span(pieces, tree::domain_pieces)) {
      of_pieces += piece.work;
      bodies += piece.bodies;
    }
    EXPECT_EQ(of_pieces, all);
    EXPECT_EQ(bodies, domain.shape.in_tree());
  }
  EXPECT_NEAR(counted, summed, 0.01 * summed);
}

}  // namespace
}  // namespace orrery::sim::cuda
