// Domains: forces, what they are made of, and what ranks send each other for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lab/verify/part_errors.h"
#include "sim/core/error.h"
#include "sim/cpu/tree/domain_forces.h"
#include "sim/galaxies/model.h"
#include "sim/options/tree_options.h"
#include "sim/ranks/packing.h"
#include "sim/simulation/domain_ranks.h"
#include "tests/sim/engines/engine_cases.h"
#include "thread_ranks.h"

namespace orrery::sim {
namespace {

using checks::on_ranks;
using checks::ragged_bodies;
using checks::same_bits;

constexpr float softening_squared = 1e-4F;

Bodies model(const char* name, std::size_t bodies, std::uint32_t galaxies = 1) {
  return make_galaxies(name, {.bodies = bodies, .seed = 3}, galaxies).bodies;
}

/// One evaluation of the tree by ranks with domains.
struct DomainRun {
  TreeSettings tree = {};
  int threads = 1;
  std::function<void(std::vector<DomainBox>&)> change_boxes = {};
  std::function<void(EssentialTree&)> change_essential = {};
  float eps2 = softening_squared;

  std::vector<Vec3> forces(int count, const Bodies& bodies) const {
    std::vector<Vec3> all(bodies.size());
    for (const auto& failure : on_ranks(count, [&](Communicator& ranks) { on(ranks, bodies, all); }))
      EXPECT_EQ(failure, "");
    return all;
  }

 private:
  void on(Communicator& ranks, const Bodies& bodies, std::vector<Vec3>& result) const {
    DomainRanks domains(ranks);
    const auto held = domains.begin(bodies);
    DomainForces forces(domains);
    forces.take(domains.domain());
    forces.change_boxes = change_boxes;
    forces.change_essential = change_essential;
    std::vector<Vec3> mine(held.size(), Vec3{NAN, NAN, NAN}), all(bodies.size(), Vec3{NAN, NAN, NAN});
    const auto galaxies = held.galaxies();
    EXPECT_TRUE(find_cpu_kernel("tree")->evaluate({.position = held.position,
                                                   .mass = held.mass,
                                                   .galaxies = galaxies,
                                                   .softening_squared = eps2,
                                                   .threads = threads,
                                                   .acceleration = mine,
                                                   .tree = tree,
                                                   .domain = &forces}));
    domains.collect(mine, all);
    if (ranks.rank() == 0) result = all;
  }
};

/// The forces of one process, by a tree or by double sums.
std::vector<Vec3> forces_of_one(const Bodies& bodies, const TreeSettings& tree) {
  std::vector<Vec3> all(bodies.size());
  const auto galaxies = bodies.galaxies();
  find_cpu_kernel("tree")->evaluate({.position = bodies.position,
                                     .mass = bodies.mass,
                                     .galaxies = galaxies,
                                     .softening_squared = softening_squared,
                                     .acceleration = all,
                                     .tree = tree});
  return all;
}

struct Errors {
  double median = 0.0, p99 = 0.0, largest = 0.0;
};

/// Relative errors of every `stride`th body against double sums.
Errors errors_of(const std::vector<Vec3>& found, const Bodies& bodies, std::size_t stride = 5) {
  const ForceState state{bodies.position, bodies.velocity, bodies.mass, bodies.charge};
  std::vector<double> errors;
  for (const auto& galaxy : bodies.galaxies()) {
    for (std::size_t i = galaxy.first; i < galaxy.last; i += stride) {
      const auto exact = gravity_law.acceleration(state, {.softening_squared = softening_squared}, i, galaxy);
      const double error = norm(DVec3(found[i]) - exact) / norm(exact);
      errors.push_back(std::isfinite(error) ? error : 1e9);
    }
  }
  std::ranges::sort(errors);
  return {errors[errors.size() / 2], errors[errors.size() * 99 / 100], errors.back()};
}

/// The error of a tree that is cut in other places; not that of one in which something is missing. The median
/// of 800 sampled bodies is known to a twentieth, the largest error to a factor of two or three.
bool alike(const Errors& mine, const Errors& expected) {
  return mine.median < 1.2 * expected.median && mine.median > 0.75 * expected.median &&
         mine.p99 < 1.4 * expected.p99 && mine.largest < 5.0 * expected.largest;
}

bool not_alike(const Errors& mine, const Errors& expected) { return !alike(mine, expected); }

void PrintTo(const Errors& errors, std::ostream* out) {
  *out << errors.median << " median, " << errors.p99 << " p99, " << errors.largest << " largest";
}

TEST(Domains, ForcesHaveTheErrorOfOneProcess) {
  for (const auto& tree : {TreeSettings{}, TreeSettings{.alpha = 0.002}, TreeSettings{.relative = false},
                           TreeSettings{.alpha = 0.001, .order = CellOrder::octupole},
                           TreeSettings{.leaf_size = 8, .group_size = 20}}) {
    for (const auto& bodies : {model("plummer", 6000), model("disk", 4000), model("plummer", 2500, 3)}) {
      const auto expected = errors_of(forces_of_one(bodies, tree), bodies);
      for (const int count : {2, 3, 5}) {
        const auto mine = errors_of(DomainRun{.tree = tree}.forces(count, bodies), bodies);
        EXPECT_PRED2(alike, mine, expected) << count << " ranks, alpha " << tree.alpha;
      }
    }
  }
}

/// Nothing is far then: every body goes to every rank.
TEST(Domains, WithoutFarCellsForcesAreThoseOfAllPairs) {
  const auto bodies = ragged_bodies(900, 2);
  for (const auto& tree : {TreeSettings{.alpha = 0.0}, TreeSettings{.relative = false, .theta = 0.0}})
    EXPECT_LT(errors_of(DomainRun{.tree = tree}.forces(3, bodies), bodies).largest, 1e-4);
}

TEST(Domains, OneRankHasTheBitsOfOneProcess) {
  const auto bodies = model("plummer", 5000);
  EXPECT_TRUE(same_bits(DomainRun().forces(1, bodies), forces_of_one(bodies, {})));
}

TEST(Domains, ThreadsAndRepetitionsChangeNoBit) {
  for (const auto& bodies : {model("plummer", 5000), model("disk", 1500, 3)}) {
    const auto expected = DomainRun{.threads = 1}.forces(3, bodies);
    EXPECT_TRUE(same_bits(DomainRun{.threads = 2}.forces(3, bodies), expected));
    EXPECT_TRUE(same_bits(DomainRun{.threads = 1}.forces(3, bodies), expected));
  }
}

/// Bodies that no grid tells apart, bodies far away, and masses of which one hides the others.
TEST(Domains, StrangeBodiesAreSharedToo) {
  auto coincident = model("plummer", 3000);
  for (std::size_t i = 0; i < 2500; ++i) coincident.position[i] = {0.5F, 0.25F, 0.125F};
  auto scattered = model("plummer", 3000);
  for (std::size_t i = 0; i < 30; ++i) scattered.position[100 * i] *= 1e6F;
  auto uneven = model("plummer", 3000);
  uneven.mass[77] = 1e6F;
  for (const auto& bodies : {coincident, scattered, uneven}) {
    const auto expected = errors_of(forces_of_one(bodies, {}), bodies);
    for (const int count : {2, 3}) {
      const auto mine = errors_of(DomainRun().forces(count, bodies), bodies);
      EXPECT_LT(mine.median, 1.5 * expected.median + 1e-6) << count;
      EXPECT_LT(mine.p99, 2.0 * expected.p99 + 1e-5) << count;
    }
  }
}

/// A rank's own tree, and what it gets of the others, have parts of very different sizes.
TEST(Domains, EveryPartOfMultiscaleScenesHasItsForces) {
  for (const auto& kind : lab::multiscale_scenes()) {
    const auto parted = kind.make({.bodies = 6000, .seed = 2});
    const auto& [scene, parts] = parted;
    const lab::PartReference reference(scene.bodies.position, scene.bodies.mass, scene.physics, parts, 150);
    const auto eps = static_cast<float>(scene.physics.softening);
    for (const auto& tree :
         {TreeSettings{}, TreeSettings{.order = CellOrder::octupole}, TreeSettings{.relative = false},
          TreeSettings{.alpha = 1e-3, .leaf_size = 8, .group_size = 20}}) {
      for (const int count : {2, 3}) {
        const auto found = DomainRun{.tree = tree, .eps2 = eps * eps}.forces(count, scene.bodies);
        EXPECT_EQ(lab::part_failures(reference.errors(found), stated_error(tree)), std::vector<std::string>{})
            << kind.name << ", " << count << " ranks, alpha " << tree.alpha;
      }
    }
  }
}

/// A node that is far from its rank's own middle, and its parts, are taken out.
void forget_a_cell(EssentialTree& tree) {
  auto& nodes = tree.nodes;
  const auto heavy = std::ranges::find_if(nodes, [&](const TreeNode& node) {
    return node.is_leaf() && node.count == 0 && node.mass > 2e-3F * nodes[0].mass;
  });
  ASSERT_NE(heavy, nodes.end());
  heavy->mass = 0.0F;
  tree.moments[static_cast<std::size_t>(heavy - nodes.begin())] = {};
}

TEST(Domains, AForgottenCellIsNoticed) {
  const auto bodies = model("plummer", 6000);
  const auto expected = errors_of(forces_of_one(bodies, {}), bodies);
  const auto broken = errors_of(DomainRun{.change_essential = forget_a_cell}.forces(2, bodies), bodies);
  EXPECT_PRED2(not_alike, broken, expected);
}

TEST(Domains, ForgottenBodiesAreNoticed) {
  const auto bodies = model("plummer", 6000);
  const auto expected = errors_of(forces_of_one(bodies, {}), bodies);
  const auto forget = [](EssentialTree& tree) { std::fill_n(tree.mass.begin(), tree.mass.size() / 4, 0.0F); };
  const auto broken = errors_of(DomainRun{.change_essential = forget}.forces(2, bodies), bodies);
  EXPECT_PRED2(not_alike, broken, expected);
}

/// Where the bodies were long ago, or fewer of them, or with stronger pulls.
TEST(Domains, StaleBoxesAreNoticed) {
  const auto bodies = model("plummer", 6000);
  const auto expected = errors_of(forces_of_one(bodies, {}), bodies);
  const auto moved = [](std::vector<DomainBox>& boxes) {
    for (auto& box : boxes) box.box.least.x += 3.0F, box.box.most.x += 3.0F;
  };
  const auto fewer = [](std::vector<DomainBox>& boxes) { boxes.resize(boxes.size() / 4); };
  const auto stronger = [](std::vector<DomainBox>& boxes) {
    for (auto& box : boxes) box.factor *= 0.02F;
  };
  for (const auto& change :
       std::vector<std::function<void(std::vector<DomainBox>&)>>{moved, fewer, stronger}) {
    const auto broken = errors_of(DomainRun{.change_boxes = change}.forces(2, bodies), bodies);
    EXPECT_PRED2(not_alike, broken, expected);
  }
}

/// Mass is neither lost nor counted twice, and what is sent whole is far from all boxes.
TEST(EssentialTreeOf, HoldsAllMassOnce) {
  const auto bodies = model("plummer", 4000);
  Octree tree;
  tree.build(bodies.position, bodies.mass, {.leaf_size = 16}, 1);
  const TreeSettings settings{.relative = false};
  const WalkTable table(tree, settings, softening_squared, 1);
  const std::vector<DomainBox> boxes{{.box = {{1.0F, 0.0F, 0.0F}, {2.0F, 1.0F, 1.0F}}},
                                     {.box = {{-1.0F, -1.0F, -1.0F}, {-0.5F, 0.0F, 0.0F}}}};
  const auto essential = essential_tree(tree.view(), table, boxes);
  double mass = 0.0;
  std::size_t cells = 0;
  for (const auto& node : essential.nodes) {
    if (!node.is_leaf()) continue;
    if (node.count == 0) mass += double{node.mass}, ++cells;
    for (std::size_t k = node.first; k < node.first + node.count; ++k) mass += double{essential.mass[k]};
    if (node.count > 0) continue;
    for (const auto& box : boxes) {
      const auto nearest = [&](float x, float least, float most) { return std::clamp(x, least, most) - x; };
      const Vec3 d{nearest(node.center.x, box.box.least.x, box.box.most.x),
                   nearest(node.center.y, box.box.least.y, box.box.most.y),
                   nearest(node.center.z, box.box.least.z, box.box.most.z)};
      EXPECT_GT(double{norm(d)}, 0.999 * (node.size / settings.theta + double{node.offset}));
    }
  }
  EXPECT_NEAR(mass, double{tree.nodes()[0].mass}, 1e-5);
  EXPECT_GT(cells, 50U);
  EXPECT_GT(essential.position.size(), 500U);
  EXPECT_LT(essential.position.size(), 4000U);
  const std::vector<EssentialTree> two{essential, essential};
  const auto both = joined(two, 1.0F);
  EXPECT_EQ(both.nodes.size(), 2 * essential.nodes.size() + 1);
  EXPECT_NEAR(both.nodes[0].mass, 2.0F * tree.nodes()[0].mass, 1e-5F);
}

TEST(CutCurve, GivesEqualWorkAndAPieceToEveryone) {
  std::vector<CurvePiece> pieces;
  for (std::uint32_t k = 0; k < 100; ++k)
    pieces.push_back({.begin = {.index = k, .key = 99 - k}, .work = k < 50 ? 3.0 : 1.0});
  const auto half = cut_curve(pieces, 2);
  ASSERT_EQ(half.size(), 1U);
  // The work of keys 0 to 49 is 1 each, of 50 to 99 it is 3 each: 100 of 200 lie below 67.
  EXPECT_NEAR(static_cast<double>(half[0].key), 67.0, 1.0);
  pieces[40].work = 1e6;
  const auto many = cut_curve(pieces, 100);
  for (std::size_t k = 0; k < many.size(); ++k) EXPECT_EQ(many[k].key, k + 1);
  EXPECT_EQ(cut_curve(pieces, 3).size(), 2U);
}

TEST(Packing, GivesBackWhatWasPackedAndRefusesLess) {
  Bytes bytes;
  pack(std::vector<double>{1.0, 2.0}, bytes);
  pack(std::vector<float>{}, bytes);
  pack(std::vector<Vec3>{{1.0F, 2.0F, 3.0F}}, bytes);
  Unpacking from(bytes);
  EXPECT_EQ(from.take<double>(), (std::vector<double>{1.0, 2.0}));
  EXPECT_TRUE(from.take<float>().empty());
  EXPECT_EQ(from.take<Vec3>(), (std::vector<Vec3>{{1.0F, 2.0F, 3.0F}}));
  EXPECT_TRUE(from.done());
  bytes.resize(20);
  EXPECT_THROW(Unpacking(bytes).take<double>(), Error);
}

}  // namespace
}  // namespace orrery::sim
