#include "sim/tree/tree_potential.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/galaxies/model.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/physics/diagnostics/tree_energy.h"

namespace orrery::sim {
namespace {

constexpr double softening_squared = 1e-4;

/// In the order of the curve.
std::vector<double> potentials(const Octree& tree, double theta, double squared = softening_squared) {
  const TreePotential walk(tree, squared, theta);
  std::vector<double> found(tree.order().size());
  TreePotential::Scratch scratch;
  for (std::size_t group = 0; group < walk.groups(); ++group) walk.sum(group, scratch, found);
  return found;
}

double squared_distance(const Octree& tree, std::size_t i, std::size_t j) {
  const DVec3 d = DVec3(tree.position()[j]) - DVec3(tree.position()[i]);
  return dot(d, d);
}

/// Another way to write the sum; pairs at distance 0 without softening left out.
double direct(const Octree& tree, std::size_t i, double squared = softening_squared) {
  double sum = 0.0;
  for (std::size_t j = 0; j < tree.order().size(); ++j) {
    const double r = std::sqrt(squared_distance(tree, i, j) + squared);
    if (j != i && r > 0.0) sum += tree.mass()[j] / r;
  }
  return sum;
}

Octree tree_of(const Bodies& bodies) {
  Octree tree;
  tree.build(bodies.position, bodies.mass, {.leaf_size = 16}, 2);
  return tree;
}

double median_error(const Octree& tree, double theta) {
  const auto found = potentials(tree, theta);
  std::vector<double> errors;
  for (std::size_t i = 0; i < found.size(); i += 67)
    errors.push_back(std::abs(found[i] / direct(tree, i) - 1.0));
  std::ranges::nth_element(errors, errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2));
  return errors[errors.size() / 2];
}

Bodies model(const char* name, std::size_t count) {
  return make_galaxy(name, {.bodies = count, .seed = 3}).bodies;
}

Bodies uneven(std::size_t count) {
  auto bodies = model("disk", count);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    bodies.mass[i] *= std::pow(10.0F, static_cast<float>(i * 7 % 13) - 6.0F);
  return bodies;
}

TEST(TreePotential, WithoutOpeningIsTheDirectSum) {
  for (const std::size_t count : {1U, 2U, 3U, 17U, 300U, 700U}) {
    auto bodies = uneven(700);
    bodies.resize(count);
    const auto tree = tree_of(bodies);
    for (const double squared : {0.0, softening_squared}) {
      const auto found = potentials(tree, 0.0, squared);
      for (std::size_t i = 0; i < count; ++i) {
        const double exact = direct(tree, i, squared);
        ASSERT_NEAR(found[i], exact, 1e-6 * exact) << count << " bodies, body " << i;
      }
    }
  }
}

TEST(TreePotential, PairsInOnePlaceAreLeftOutWithoutSoftening) {
  auto bodies = model("plummer", 300);
  std::fill_n(bodies.position.begin(), 100, Vec3{0.5F, 0.0F, 0.0F});
  const auto tree = tree_of(bodies);
  const auto found = potentials(tree, 0.6, 0.0);
  for (std::size_t i = 0; i < 300; ++i) ASSERT_NEAR(found[i] / direct(tree, i, 0.0), 1.0, 1e-3);
}

/// The first term that second moments leave out is of third order in size over distance.
TEST(TreePotential, ErrorFallsWithTheThirdPowerOfTheta) {
  const auto tree = tree_of(model("plummer", 10'000));
  const double coarse = median_error(tree, 1.0), fine = median_error(tree, 0.5);
  EXPECT_LT(coarse, 3e-4);
  EXPECT_GT(std::log2(coarse / fine), 2.4);
}

TEST(TreePotential, BodiesWithoutMassGetNone) {
  auto bodies = model("plummer", 500);
  std::fill(bodies.mass.begin() + 1, bodies.mass.end(), 0.0F);
  const auto tree = tree_of(bodies);
  const auto found = potentials(tree, 0.6);
  for (std::size_t i = 0; i < 500; ++i) {
    if (tree.mass()[i] > 0.0F) {
      EXPECT_EQ(found[i], 0.0);
    }
  }
}

Diagnostics energy_of(const Bodies& bodies, double softening, std::size_t exact_limit, int threads = 2) {
  const auto galaxies = bodies.galaxies();
  return diagnose(view_of(bodies, galaxies),
                  {.physics = {.gravitational_constant = 1.5, .softening = softening},
                   .exact_limit = exact_limit,
                   .sample = 10,
                   .threads = threads});
}

constexpr std::size_t by_pairs = 1'000'000, by_tree = 0;

TEST(TreeEnergy, AgreesWithAllPairsWithinItsUncertainty) {
  for (const std::size_t count : {300U, 1000U, 6000U}) {
    for (const auto& bodies : {model("plummer", count), model("disk", count), uneven(count)}) {
      for (const double softening : {0.0, 0.02}) {
        const auto exact = energy_of(bodies, softening, by_pairs);
        const auto found = energy_of(bodies, softening, by_tree);
        EXPECT_EQ(found.potential_method, PotentialMethod::tree);
        EXPECT_EQ(found.potential_sample, 0U);
        const double error = std::abs(found.potential - exact.potential);
        EXPECT_LT(error, -1e-4 * exact.potential) << count << " bodies, softening " << softening;
        EXPECT_LT(error, 4.0 * found.potential_uncertainty - 1e-12 * exact.potential) << count;
        EXPECT_LT(found.potential_uncertainty, -1e-4 * exact.potential) << count;
      }
    }
  }
}

TEST(TreeEnergy, HasTheSameBitsForAnyNumberOfThreads) {
  const auto bodies = make_galaxies("plummer", {.bodies = 2001, .seed = 1}, 3).bodies;
  const auto one = energy_of(bodies, 0.01, by_tree, 1);
  for (const int threads : {2, 3, 5}) {
    const auto many = energy_of(bodies, 0.01, by_tree, threads);
    EXPECT_EQ(many.potential, one.potential);
    EXPECT_EQ(many.potential_uncertainty, one.potential_uncertainty);
  }
  EXPECT_NEAR(one.potential, energy_of(bodies, 0.01, by_pairs).potential, -3e-5 * one.potential);
}

/// Sums that the tree cannot hold are sampled, as before: another law, and positions that are none.
TEST(TreeEnergy, LeavesOtherLawsAndOddBodiesToASample) {
  auto bodies = model("plummer", 2000);
  const auto galaxies = bodies.galaxies();
  bodies.charge.assign(2000, 1.0F);
  DiagnosticsRequest request{.physics = {.softening = 0.1, .law = &electric_law}, .exact_limit = 0};
  request.sample = 100;
  EXPECT_EQ(diagnose(view_of(bodies, galaxies), request).potential_method, PotentialMethod::sample);
  request.physics.law = &gravity_law;
  EXPECT_EQ(diagnose(view_of(bodies, galaxies), request).potential_method, PotentialMethod::tree);
  for (auto& x : bodies.position) x = 1e25F * x;  // second moments leave single precision
  const auto far = diagnose(view_of(bodies, galaxies), request);
  EXPECT_EQ(far.potential_method, PotentialMethod::sample);
  EXPECT_LT(far.potential, 0.0);
  bodies.position[7].y = NAN;
  EXPECT_EQ(diagnose(view_of(bodies, galaxies), request).potential_method, PotentialMethod::sample);
}

}  // namespace
}  // namespace orrery::sim
