// The GPU's tree, its kernels run on the CPU by an emulator of CUDA's threads: what they compute, the
// launches and the layout of memory, on machines without a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "kernel_testing.h"
#include "sim/core/random.h"
#include "sim/cuda/families/tree_layout.h"
#include "sim/galaxies/model.h"
#include "sim/options/tree_options.h"
#include "tests/sim/cuda/emulator/emulated_forces.h"
#include "tests/sim/cuda/emulator/tree_kernels.h"
#include "tests/sim/engines/engine_cases.h"
#include "tests/sim/tree/lopsided_cell.h"

namespace orrery::sim::cuda {
namespace {

using emulator::Emulated;
using emulator::Float4;
using emulator::Uint4;

/// One evaluation by the tree.
struct Evaluation : emulator::EmulatedForces {
  explicit Evaluation(Bodies all, const TreeSettings& settings = {.leaf_size = 48}, float eps2 = 4e-4F,
                      unsigned seed = 1)
      : EmulatedForces(std::move(all), settings, eps2, seed, cuda::kernel({"family=tree"}),
                       emulator::tree_kernel) {}
};

Bodies sphere(std::size_t bodies) { return make_galaxy("plummer", {.bodies = bodies, .seed = 3}).bodies; }

/// block time steps: some bodies get the bits that they get among all; the others keep what they have.
TEST(TreeEmulated, SomeBodiesGetTheSameAsAll) {
  const auto bodies = make_galaxies("plummer", {.bodies = 2503, .seed = 3}, 2).bodies;
  // With so little patience groups are walked again in parts.
  for (const TreeSettings& settings :
       {TreeSettings{.leaf_size = 48}, TreeSettings{.leaf_size = 48, .budget = 0.5},
        TreeSettings{.alpha = 1e-3, .order = CellOrder::octupole, .leaf_size = 48, .budget = 0.5}}) {
    const Evaluation all(bodies, settings);
    Emulated some(bodies, settings, all.softening_squared, 7, cuda::kernel({"family=tree"}),
                  emulator::tree_kernel);
    some.levels.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
      some.levels[i] = norm(DVec3(bodies.position[i])) < 0.2 || i % 601 == 0 ? 4 : 2;
    for (const auto& galaxy : bodies.galaxies())
      family_named("tree").forces(some, {galaxy, galaxy.first, galaxy.last});
    std::size_t computed = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const bool active = some.levels[i] >= 3;
      computed += active ? 1 : 0;
      ASSERT_EQ(std::isnan(some.acceleration[i].x), !active) << i;
      if (!active) continue;
      ASSERT_EQ(norm(DVec3(some.acceleration[i]) - DVec3(all.queue.acceleration[i])), 0.0) << i;
    }
    EXPECT_GT(computed, 20U);
    EXPECT_LT(computed, bodies.size() / 3);
    EXPECT_LT(some.interactions, all.queue.interactions);
  }
}

/// Cells that serve several steps: where nothing moved they give the same bits, and else the same error.
TEST(TreeEmulated, KeptCellsFollowTheirBodies) {
  for (const TreeSettings& settings :
       {TreeSettings{.leaf_size = 48}, TreeSettings{.leaf_size = 8, .budget = 0.5},
        TreeSettings{.alpha = 1e-3, .order = CellOrder::octupole, .leaf_size = 48}}) {
    Evaluation evaluation(sphere(2507), settings);
    auto& queue = evaluation.queue;
    const auto again = [&] {
      family_named("tree").forces(queue, {{0, evaluation.bodies.size()}, 0, evaluation.bodies.size()});
    };
    const auto first = queue.acceleration;
    const double median = evaluation.median(), largest = evaluation.largest();
    queue.keeps = true;
    const auto trees = queue.launches["tree_mark"];
    EXPECT_GT(trees, 0);
    for (int time = 0; time < 2; ++time) {
      std::ranges::fill(queue.acceleration, Vec3{NAN, NAN, NAN});
      again();
      EXPECT_TRUE(checks::same_bits(queue.acceleration, first)) << time;
    }
    // Some of them, as with block time steps.
    std::ranges::fill(queue.acceleration, Vec3{NAN, NAN, NAN});
    queue.levels.assign(evaluation.bodies.size(), 2);
    for (std::size_t i = 0; i < queue.levels.size(); i += 50) queue.levels[i] = 3;
    again();
    for (std::size_t i = 0; i < queue.levels.size(); ++i) {
      if (i % 50 == 0)
        ASSERT_EQ(norm(queue.acceleration[i] - first[i]), 0.0F) << i;
      else
        ASSERT_TRUE(std::isnan(queue.acceleration[i].x)) << i;
    }
    queue.levels.clear();
    Random random(5);
    for (auto& x : evaluation.bodies.position)
      x = Vec3{x.x * 1.05F, x.y, x.z} + static_cast<Vec3>(random.direction()) * 0.02F;
    queue.move(evaluation.bodies);
    again();
    EXPECT_LT(evaluation.median(), 1.3 * median);
    EXPECT_LT(evaluation.largest(), 3.0 * largest);
    EXPECT_EQ(queue.launches["tree_mark"], trees);
  }
}

/// Sorted keys, each body once, and those of one key in their order.
void expect_order_of_keys(const Evaluation& evaluation) {
  const auto memory = evaluation.queue.memory();
  const int sorted = tree::passes % 2;
  const std::size_t count = evaluation.bodies.size();
  const auto* key = Emulated::array<std::uint64_t>(memory.key[sorted]);
  const auto* order = Emulated::array<std::uint32_t>(memory.order[sorted]);
  EXPECT_TRUE(std::is_sorted(key, key + count));
  EXPECT_GT(key[count - 1], key[0]);
  std::vector<std::uint32_t> all(order, order + count);
  for (std::size_t k = 1; k < all.size(); ++k) {
    if (key[k] == key[k - 1]) {
      EXPECT_LT(all[k - 1], all[k]) << "not stable";
    }
  }
  std::ranges::sort(all);
  for (std::uint32_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i);
}

TEST(TreeEmulated, OrderIsThatOfTheKeysAndHasEveryBodyOnce) {
  Evaluation few(sphere(9001)), many(sphere(33'001));
  expect_order_of_keys(few);
  expect_order_of_keys(many);
  EXPECT_EQ(few.queue.launches["tree_sort_wide"], tree::passes);
  EXPECT_EQ(many.queue.launches["tree_sort"], tree::passes);
}

TEST(TreeEmulated, EveryBodyIsInOneLeafAndPartsCoverTheirCell) {
  for (const std::size_t leaf : {1U, 8U, 32U, 256U}) {
    const Evaluation evaluation(sphere(3001), {.leaf_size = leaf});
    const auto memory = evaluation.queue.memory();
    const auto* range = Emulated::array<Uint4>(memory.range);
    std::vector<int> leaves(3001, 0);
    std::vector<std::uint32_t> open{0};
    EXPECT_EQ(range[0].y, 3001U);
    while (!open.empty()) {
      const auto cell = range[open.back()];
      open.pop_back();
      if (cell.w == 0) {
        EXPECT_LE(cell.y, leaf);
        for (std::uint32_t i = cell.x; i < cell.x + cell.y; ++i) ++leaves.at(i);
        continue;
      }
      EXPECT_GE(cell.w, 2U);
      std::uint32_t next = cell.x;
      for (std::uint32_t k = cell.z; k < cell.z + cell.w; ++k) {
        EXPECT_EQ(range[k].x, next);
        next += range[k].y;
        open.push_back(k);
      }
      EXPECT_EQ(next, cell.x + cell.y);
    }
    EXPECT_TRUE(std::ranges::all_of(leaves, [](int times) { return times == 1; })) << leaf;
  }
}

TEST(TreeEmulated, TheRootHasTheMassAndMomentsOfAll) {
  const Evaluation evaluation(sphere(2003));
  const auto memory = evaluation.queue.memory();
  double mass = 0.0, xx = 0.0, yz = 0.0;
  DVec3 first;
  const auto& bodies = evaluation.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    mass += bodies.mass[i];
    first += DVec3(bodies.position[i]) * static_cast<double>(bodies.mass[i]);
  }
  const DVec3 center = first * (1.0 / mass);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const DVec3 d = DVec3(bodies.position[i]) - center;
    xx += static_cast<double>(bodies.mass[i]) * d.x * d.x;
    yz += static_cast<double>(bodies.mass[i]) * d.y * d.z;
  }
  const auto c = *Emulated::array<Float4>(memory.center);
  EXPECT_NEAR(c.w, mass, 1e-6 * mass);
  EXPECT_NEAR(norm(DVec3{c.x, c.y, c.z} - center), 0.0, 1e-6);
  EXPECT_NEAR(Emulated::array<Float4>(memory.moment)->x, 3 * xx, 1e-5 * xx);
  EXPECT_NEAR(*Emulated::array<float>(memory.more_moment), 3 * yz, 1e-5 * xx);
}

/// Third moments of these bodies about a point without traces, as TreeMemory::third has them, and what bounds
/// their rounding.
struct DirectThird {
  std::array<double, 7> moments = {};
  double bound = 0.0;
};
DirectThird third_of(const Float4* body, const Uint4& range, const Float4& center, double reach) {
  DirectThird direct;
  for (std::uint32_t i = range.x; i < range.x + range.y; ++i) {
    const DVec3 d{double{body[i].x} - center.x, double{body[i].y} - center.y, double{body[i].z} - center.z};
    const double m = 7.5 * body[i].w / reach;
    const auto odd = checks::traceless_third(d);
    for (std::size_t k = 0; k < 7; ++k) direct.moments[k] += m * odd[k];
    direct.bound += m * std::pow(norm(d), 3);
  }
  return direct;
}

TEST(TreeEmulated, EveryCellHasTheThirdMomentsOfItsBodies) {
  const Evaluation evaluation(sphere(2003), {.order = CellOrder::octupole, .leaf_size = 24});
  const auto memory = evaluation.queue.memory();
  const auto* range = Emulated::array<Uint4>(memory.range);
  const auto *center = Emulated::array<Float4>(memory.center), *body = Emulated::array<Float4>(memory.body);
  const auto *low = Emulated::array<Float4>(memory.third[0]),
             *high = Emulated::array<Float4>(memory.third[1]);
  std::vector<std::uint32_t> open{0};
  std::size_t seen = 0;
  while (!open.empty()) {
    const auto k = open.back();
    open.pop_back();
    for (std::uint32_t part = range[k].z; part < range[k].z + range[k].w; ++part) open.push_back(part);
    const double reach = high[k].w;
    if (reach == 0.0) continue;
    const auto direct = third_of(body, range[k], center[k], reach);
    const std::array found{low[k].x, low[k].y, low[k].z, low[k].w, high[k].x, high[k].y, high[k].z};
    for (std::size_t j = 0; j < 7; ++j)
      ASSERT_NEAR(double{found[j]}, direct.moments[j], 2e-6 * direct.bound) << k << ", moment " << j;
    ++seen;
  }
  EXPECT_GT(seen, 100U);
}

/// The largest error of pulls on bodies within `radius` of the distance from a lopsided cell, over the
/// largest pull. `sign`: of the third moments.
template <typename Pull>
double error_at(double distance, double radius, double sign, const Pull& pull_at) {
  const checks::LopsidedCell cell;
  auto numbers = cell.numbers();
  for (std::size_t k = 7; k < numbers.size(); ++k) numbers[k] *= sign;
  const DVec3 middle = DVec3{0.5, -0.7, 0.6} * (distance / norm(DVec3{0.5, -0.7, 0.6}));
  std::mt19937 random(7);
  double error = 0.0, size = 0.0;
  for (int k = 0; k < 200; ++k) {
    const DVec3 place = middle + checks::direction(random) * radius, exact = cell.pull(place);
    error = std::max(error, norm(pull_at(numbers, place, middle) - exact));
    size = std::max(size, norm(exact));
  }
  return error / size;
}

// The first term that is left out falls with the fourth power of the distance; without third moments, or with
// wrong ones, with the third.
TEST(TreeEmulated, ThirdMomentsLeaveOutTheFourthOrder) {
  const auto by_itself = [](const emulator::CellNumbers& cell, const DVec3& place, const DVec3&) {
    return emulator::pull_of_cell(cell, place);
  };
  // Bodies within `near` of the nearer place, `far` of the other.
  const auto slope = [](double near, double far, double sign, const auto& pull_at) {
    return std::log2(error_at(5.0, near, sign, pull_at) / error_at(10.0, far, sign, pull_at));
  };
  EXPECT_NEAR(slope(1.5, 3.0, 1.0, by_itself), 4.0, 0.4);
  EXPECT_NEAR(slope(1.5, 3.0, 0.0, by_itself), 3.0, 0.3);
  EXPECT_NEAR(slope(1.5, 3.0, -1.0, by_itself), 3.0, 0.3);
  EXPECT_NEAR(slope(0.5, 0.5, 1.0, emulator::pull_by_series), 4.0, 0.4);
  EXPECT_NEAR(slope(0.5, 0.5, 0.0, emulator::pull_by_series), 3.0, 0.4);
  EXPECT_NEAR(slope(0.5, 0.5, -1.0, emulator::pull_by_series), 3.0, 0.4);
}

TEST(TreeEmulated, OctupolesOfHardScenes) {
  const TreeSettings settings{.alpha = 1e-3, .order = CellOrder::octupole, .leaf_size = 48};
  for (const std::size_t count : {1U, 2U, 9U, 65U, 1025U})
    EXPECT_LT(Evaluation(checks::ragged_bodies(count), settings).largest(), 1e-2) << count;
  EXPECT_LT(Evaluation(checks::ragged_bodies(2003, 5), settings).median(), 1e-3);
  auto bodies = sphere(3001);
  for (std::size_t i = 0; i < 6; ++i) bodies.position[i * 500] *= 1e12F;
  EXPECT_LT(Evaluation(bodies, settings).median(), 1e-3);
  bodies = sphere(1501);
  for (std::size_t i = 1; i < bodies.size(); i += 2) bodies.position[i] = bodies.position[i - 1];
  EXPECT_LT(Evaluation(bodies, settings, 0.0F).median(), 1e-3) << "coincident, no softening";
  std::ranges::fill(bodies.position, Vec3{1, 2, 3});
  EXPECT_EQ(Evaluation(bodies, settings).largest(), 0.0);
}

TEST(TreeEmulated, EveryBodyOfRaggedNumbers) {
  for (const std::size_t count : {1U, 2U, 3U, 7U, 9U, 31U, 33U, 63U, 64U, 65U, 129U, 257U, 1023U, 1025U}) {
    const Evaluation evaluation(checks::ragged_bodies(count));
    for (const auto& a : evaluation.queue.acceleration) ASSERT_TRUE(std::isfinite(a.x)) << count;
    EXPECT_LT(evaluation.errors(1)[count / 2], 2e-3) << count << " bodies";
  }
}

// In which order threads, warps and blocks are run decides nothing.
TEST(TreeEmulated, TheSameBitsInEveryOrderOfTurns) {
  const auto bodies = make_galaxy("disk", {.bodies = 3001, .seed = 1}).bodies;
  for (const auto order : {CellOrder::quadrupole, CellOrder::octupole}) {
    const TreeSettings settings{.order = order, .leaf_size = 48};
    const Evaluation first(bodies, settings, 4e-4F, 1);
    for (unsigned seed = 2; seed < 5; ++seed) {
      const Evaluation again(bodies, settings, 4e-4F, 1000 * seed);
      EXPECT_TRUE(checks::same_bits(first.queue.acceleration, again.queue.acceleration)) << seed;
    }
  }
}

TEST(TreeEmulated, CoincidentBodies) {
  auto pairs = sphere(3001);
  for (std::size_t i = 1; i < pairs.size(); i += 2) pairs.position[i] = pairs.position[i - 1];
  EXPECT_LT(Evaluation(pairs).median(), 1e-3);
  EXPECT_LT(Evaluation(pairs, {.leaf_size = 48}, 0.0F).median(), 1e-3) << "no softening";
  auto one_place = sphere(1501);
  std::ranges::fill(one_place.position, Vec3{1, 2, 3});
  EXPECT_EQ(Evaluation(one_place).largest(), 0.0);
  one_place.position.back() = {4, 2, 3};
  EXPECT_LT(Evaluation(one_place).largest(), 1e-3);
}

TEST(TreeEmulated, ALineAPlaneAndALattice) {
  auto line = sphere(3001);
  for (auto& x : line.position) x = {x.x, 0, 0};
  EXPECT_LT(Evaluation(line).median(), 1e-2);
  auto plane = sphere(3001);
  for (auto& x : plane.position) x.z = 0;
  EXPECT_LT(Evaluation(plane).median(), 1e-3);
  auto lattice = sphere(3375);
  for (std::size_t i = 0; i < lattice.size(); ++i) lattice.position[i] = checks::lattice_place(i, 15);
  EXPECT_LT(Evaluation(lattice).median(), 2e-3);
}

TEST(TreeEmulated, BodiesFarOutsideDoNotSpoilTheOthers) {
  for (const float far : {1e3F, 1e6F, 1e12F, 1e30F}) {
    auto bodies = sphere(3001);
    for (std::size_t i = 0; i < 6; ++i) bodies.position[i * 500] *= far;
    const auto errors = Evaluation(bodies).errors();
    EXPECT_LT(errors[errors.size() / 2], 1e-3) << far;
    EXPECT_LT(errors[errors.size() * 95 / 100], 2e-2) << far;
  }
}

// In a sparse halo neighbours along the curve may have the core between them.
TEST(TreeEmulated, AHaloAroundACoreIsWalkedInPieces) {
  auto bodies = sphere(8009);
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies.position[i] *= i % 50 == 0 ? 30.0F : 0.02F;
  const Evaluation evaluation(bodies, {.alpha = 0.3, .leaf_size = 32}, 1e-6F);
  EXPECT_LT(evaluation.median(), 1e-2);
  const auto* stragglers = Emulated::array<std::uint32_t>(evaluation.queue.memory().counters +
                                                          offsetof(tree::TreeCounters, stragglers));
  EXPECT_GT(stragglers[0], 0U) << "the test needs a group that is given up";
}

// With hardly any patience every group is divided, and most of their parts, too.
TEST(TreeEmulated, ABudgetDividesGroups) {
  const Evaluation usual(sphere(3001), {.leaf_size = 48});
  const Evaluation strict(sphere(3001), {.leaf_size = 48, .budget = 0.05});
  const auto given_up = [](const Evaluation& evaluation, int level) {
    return Emulated::array<std::uint32_t>(evaluation.queue.memory().counters +
                                          offsetof(tree::TreeCounters, stragglers))[level];
  };
  EXPECT_LT(given_up(usual, 1), 20U);
  EXPECT_GT(given_up(strict, 0), 40U);
  EXPECT_GT(given_up(strict, 1), 100U);
  // A single body is as far from a cell as it is; one of a group farther than the nearest of them.
  EXPECT_LT(strict.median(), 5e-3);
  EXPECT_LT(strict.largest(), 5e-2);
}

TEST(TreeEmulated, ATreeTakesSixtyNineBytesABody) {
  EXPECT_LT(static_cast<double>(tree::bytes(10'000'000, {.leaf_size = 48})), 69.0 * 10e6);
  EXPECT_LT(static_cast<double>(tree::bytes(10'000'000, {.leaf_size = 48, .third_moments = true})),
            77.1 * 10e6);
}

}  // namespace
}  // namespace orrery::sim::cuda
