#include "sim/physics/diagnostics/diagnostics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sim/physics/diagnostics/median_center.h"
#include "sim/physics/diagnostics/parallel_blocks.h"
#include "sim/physics/diagnostics/sampled_potential.h"
#include "sim/physics/diagnostics/tree_energy.h"
#include "sim/physics/laws/pair_sum.h"

namespace orrery::sim {

namespace {

// Rows of one unit of parallel work: fixed, so that the partial sums do not depend on the threads.
constexpr std::size_t rows_per_block = 256;

struct RowBlock {
  GalaxyRange rows;
  GalaxyRange galaxy;
};

std::vector<RowBlock> row_blocks(std::span<const GalaxyRange> galaxies) {
  std::vector<RowBlock> blocks;
  for (const GalaxyRange& galaxy : galaxies) {
    for (std::size_t first = galaxy.first; first < galaxy.last; first += rows_per_block) {
      blocks.push_back({{first, std::min(first + rows_per_block, galaxy.last)}, galaxy});
    }
  }
  return blocks;
}

// The factor of the sum over pairs.
double strength_of(const Physics& physics) { return physics.law->strength(physics.constants()); }

// The bodies that couple: a million tracers in a halo have no pairs among them.
struct Coupled {
  std::vector<Vec3> position;
  std::vector<float> weight;
  std::vector<GalaxyRange> galaxies;
};

Coupled coupled_bodies(const StateView& state, const Physics& physics) {
  const auto weights = weights_of(state, physics);
  Coupled coupled;
  for (const GalaxyRange& galaxy : state.galaxies) {
    const std::size_t first = coupled.position.size();
    for (std::size_t i = galaxy.first; i < galaxy.last; ++i) {
      if (weights[i] == 0.0F) continue;
      coupled.position.push_back(state.position[i]);
      coupled.weight.push_back(weights[i]);
    }
    coupled.galaxies.push_back({first, coupled.position.size()});
  }
  return coupled;
}

double exact_potential(const StateView& state, const DiagnosticsRequest& request) {
  const Physics& physics = request.physics;
  const auto coupled = coupled_bodies(state, physics);
  const PointMasses weights(coupled.position, coupled.weight);
  const std::vector<RowBlock> blocks = row_blocks(coupled.galaxies);
  std::vector<double> partial(blocks.size());
  parallel_blocks(blocks.size(), request, [&](std::size_t k) {
    partial[k] = pair_sum(*physics.law, physics.constants(), weights, blocks[k].rows, blocks[k].galaxy);
  });
  return strength_of(physics) * std::accumulate(partial.begin(), partial.end(), 0.0);
}

std::vector<DVec3> centers_of(const StateView& state, std::span<const float> masses) {
  std::vector<DVec3> centers;
  for (const GalaxyRange& range : state.galaxies)
    centers.push_back(median_center(state.position, masses, range));
  return centers;
}

// False, with nothing changed, where the tree has no answer: for other laws, or bodies without a place.
bool tree_potential(const StateView& state, const DiagnosticsRequest& request, Diagnostics& result) {
  if (request.above_limit != PotentialMethod::tree || !tree_knows(state, request.physics)) return false;
  const auto energy = tree_energy(state, request);
  if (!std::isfinite(energy.potential)) return false;
  result.potential = energy.potential;
  result.potential_uncertainty = energy.uncertainty;
  result.potential_method = PotentialMethod::tree;
  return true;
}

double kinetic_of_galaxies(const StateView& state) {
  double kinetic = 0.0;
  for (const auto& galaxy : state.galaxies) {
    DVec3 momentum;
    double mass = 0.0;
    for (std::size_t i = galaxy.first; i < galaxy.last; ++i) {
      if (!(state.mass[i] > 0.0F)) continue;
      mass += state.mass[i];
      momentum += double{state.mass[i]} * DVec3(state.velocity[i]);
    }
    if (mass > 0.0) kinetic += 0.5 * dot(momentum, momentum) / mass;
  }
  return kinetic;
}

void sum_over_bodies(const StateView& state, const FieldAt& field, Diagnostics& result) {
  DVec3 weighted;
  for (std::size_t i = 0; i < state.mass.size(); ++i) {
    const double mass = state.mass[i];
    if (!(mass > 0.0)) continue;
    const DVec3 x(state.position[i]), v(state.velocity[i]);
    result.mass += mass;
    result.kinetic += 0.5 * mass * dot(v, v);
    result.external += mass * field.potential(x + state.origin);
    result.external_virial += mass * field.virial(x + state.origin);
    result.momentum += mass * v;
    result.angular_momentum += mass * cross(x, v);
    weighted += mass * x;
  }
  result.kinetic_of_galaxies = kinetic_of_galaxies(state);
  if (result.mass > 0.0) result.center_of_mass = weighted * (1.0 / result.mass);
}

struct Shell {
  double radius = 0.0;
  double weight = 0.0;
};

/// The radius at which the sum of weights, by increasing radius, reaches `fraction` of `total`. Reorders the
/// shells.
double radius_of_fraction(std::vector<Shell>& shells, double total, double fraction) {
  double inside = 0.0;
  auto first = shells.begin(), last = shells.end();
  while (last - first > 1) {
    const auto middle = first + (last - first) / 2;
    std::ranges::nth_element(first, middle, last, {}, &Shell::radius);
    double nearer = 0.0;
    for (auto each = first; each != middle; ++each) nearer += each->weight;
    if (inside + nearer >= fraction * total) {
      last = middle;
    } else {
      inside += nearer;
      first = middle;
    }
  }
  return first == last ? 0.0 : first->radius;
}

/// Sets r10, r50 and r90, each shell as one body.
void set_radii(std::vector<Shell>& shells, Diagnostics& result) {
  for (auto& shell : shells) shell.weight = 1.0;
  const auto count = static_cast<double>(shells.size());
  result.r10 = radius_of_fraction(shells, count, 0.1);
  result.r50 = radius_of_fraction(shells, count, 0.5);
  result.r90 = radius_of_fraction(shells, count, 0.9);
}

/// Bodies with one of `masses`, by their distances from the centres of their galaxies.
std::vector<Shell> shells_of(const StateView& state, std::span<const float> masses,
                             const std::vector<DVec3>& centers) {
  std::vector<Shell> shells;
  shells.reserve(masses.size());
  for (std::size_t g = 0; g < state.galaxies.size(); ++g) {
    for (std::size_t i = state.galaxies[g].first; i < state.galaxies[g].last; ++i)
      if (masses[i] > 0.0F) shells.push_back({distance_from(centers[g], state.position[i]), masses[i]});
  }
  return shells;
}

/// Returns the number of bodies that have mass.
std::size_t find_radii(const StateView& state, const std::vector<DVec3>& centers, Diagnostics& result) {
  auto shells = shells_of(state, state.mass, centers);
  const auto massive = shells.size();
  result.half_mass_radius = radius_of_fraction(shells, result.mass, 0.5);
  set_radii(shells, result);
  if (result.r90 > 0.0) return massive;
  // All mass is at one point, or there is none: test particles are what has an extent.
  std::vector<float> alike;
  for (const Vec3& x : state.position) alike.push_back(std::isnan(x.x + x.y + x.z) ? 0.0F : 1.0F);
  shells = shells_of(state, alike, massive > 0 ? centers : centers_of(state, alike));
  set_radii(shells, result);
  return massive;
}

}  // namespace

StateView view_of(const Bodies& bodies, std::span<const GalaxyRange> galaxies) {
  return {bodies.position, bodies.velocity, bodies.mass, galaxies, bodies.charge, bodies.origin};
}

std::span<const float> weights_of(const StateView& state, const Physics& physics) {
  return physics.law->weights({state.position, state.velocity, state.mass, state.charge});
}

std::string_view name_of(PotentialMethod method) {
  constexpr std::array<std::string_view, 3> names{"pairs", "tree", "sample"};
  return names.at(static_cast<std::size_t>(method));
}

Diagnostics counted_from_zero(Diagnostics diagnostics, const DVec3& origin) {
  diagnostics.angular_momentum += cross(origin, diagnostics.momentum);
  diagnostics.center_of_mass += origin;
  return diagnostics;
}

Diagnostics diagnose(const StateView& state, const DiagnosticsRequest& request) {
  Diagnostics result;
  sum_over_bodies(state, request.physics.field_at(), result);
  if (interrupted(request)) throw Cancelled();
  const auto centers = centers_of(state, state.mass);
  const auto massive = find_radii(state, centers, result);
  if (interrupted(request)) throw Cancelled();
  if (state.mass.size() <= request.exact_limit || massive <= request.sample) {
    result.potential = exact_potential(state, request);
  } else if (!tree_potential(state, request, result)) {
    const auto sampled = sampled_potential(state, centers, request);
    result.potential = sampled.potential;
    result.potential_uncertainty = sampled.uncertainty;
    result.potential_method = PotentialMethod::sample;
    result.potential_sample = sampled.drawn;
  }
  return result;
}

}  // namespace orrery::sim
