#include "sim/physics/diagnostics/tree_energy.h"

#include <cmath>

#include "sim/physics/laws/pair_sum.h"
#include "sim/tree/tree_potential.h"

namespace orrery::sim {

namespace {

constexpr std::size_t leaf_size = 16, compared_bodies = 64;
/// Groups of one unit of parallel work: their lists use the same memory.
constexpr std::size_t groups_per_block = 64;

/// Twice the energy of the pairs of one galaxy, without G, with the bias and variance of that sum.
struct Sum {
  double pairs = 0.0, bias = 0.0, variance = 0.0;
};

std::vector<double> potentials_of(const Octree& tree, const DiagnosticsRequest& request) {
  const TreePotential walk(tree, request.physics.constants().softening_squared, request.tree_theta);
  std::vector<double> potential(tree.order().size());
  const std::size_t blocks = (walk.groups() + groups_per_block - 1) / groups_per_block;
  parallel_blocks(blocks, request, [&](std::size_t block) {
    TreePotential::Scratch scratch;
    const std::size_t last = std::min(walk.groups(), (block + 1) * groups_per_block);
    for (std::size_t k = block * groups_per_block; k < last; ++k) walk.sum(k, scratch, potential);
  });
  return potential;
}

/// Places on the curve at which so much mass lies before them: each body as likely as it is heavy.
std::vector<std::size_t> places_by_mass(const Octree& tree, double total) {
  std::vector<std::size_t> places;
  double before = 0.0;
  for (std::size_t k = 0; k < tree.mass().size(); ++k) {
    before += tree.mass()[k];
    const auto next = [&] { return (static_cast<double>(places.size()) + 0.5) / compared_bodies * total; };
    while (places.size() < compared_bodies && before > next()) places.push_back(k);
  }
  return places;
}

/// Mean and its variance of the differences, for the sum over all mass.
void add_error(const std::vector<double>& difference, double total, Sum& sum) {
  const auto count = static_cast<double>(difference.size());
  double mean = 0.0, squares = 0.0;
  for (const double each : difference) mean += each / count;
  for (const double each : difference) squares += (each - mean) * (each - mean);
  sum.bias = total * mean;
  if (difference.size() > 1) sum.variance = total * total * squares / (count * (count - 1.0));
}

void check(const Octree& tree, const std::vector<double>& potential, const DiagnosticsRequest& request,
           double total, Sum& sum) {
  const PointMasses bodies(tree.position(), tree.mass());
  const auto places = places_by_mass(tree, total);
  const double softening_squared = request.physics.constants().softening_squared;
  std::vector<double> difference(places.size());
  parallel_blocks(places.size(), request, [&](std::size_t k) {
    const std::size_t i = places[k];
    const DVec3 x = bodies.position(i);
    difference[k] = potential[i] - inverse_distance_sum(bodies, {0, i}, x, softening_squared) -
                    inverse_distance_sum(bodies, {i + 1, potential.size()}, x, softening_squared);
  });
  add_error(difference, total, sum);
}

Sum sum_of(const StateView& state, const GalaxyRange& galaxy, const DiagnosticsRequest& request) {
  Octree tree;
  tree.build(state.position.subspan(galaxy.first, galaxy.size()),
             state.mass.subspan(galaxy.first, galaxy.size()), {.leaf_size = leaf_size}, request.threads);
  const auto potential = potentials_of(tree, request);
  Sum sum;
  double total = 0.0;
  for (std::size_t k = 0; k < potential.size(); ++k) {
    sum.pairs += tree.mass()[k] * potential[k];
    total += tree.mass()[k];
  }
  if (total > 0.0) check(tree, potential, request, total, sum);
  return sum;
}

}  // namespace

bool tree_knows(const StateView& state, const Physics& physics) {
  return physics.law == &gravity_law &&
         std::ranges::all_of(state.position, [](const Vec3& x) { return is_finite(x); }) &&
         std::ranges::all_of(state.mass, [](float m) { return m >= 0.0F && std::isfinite(m); });
}

TreeEnergy tree_energy(const StateView& state, const DiagnosticsRequest& request) {
  Sum all;
  for (const auto& galaxy : state.galaxies) {
    if (galaxy.size() < 2) continue;
    const auto sum = sum_of(state, galaxy, request);
    all.pairs += sum.pairs;
    all.bias += sum.bias;
    all.variance += sum.variance;
  }
  const double strength = request.physics.law->strength(request.physics.constants());
  return {.potential = 0.5 * strength * all.pairs,
          .uncertainty = 0.5 * std::abs(strength) * std::hypot(all.bias, std::sqrt(all.variance))};
}

}  // namespace orrery::sim
