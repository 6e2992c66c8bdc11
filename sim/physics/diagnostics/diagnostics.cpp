#include "sim/physics/diagnostics/diagnostics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "sim/core/random.h"
#include "sim/physics/diagnostics/median_center.h"
#include "sim/physics/diagnostics/tree_energy.h"
#include "sim/physics/laws/pair_sum.h"

namespace orrery::sim {

namespace {

// Rows of one unit of parallel work: fixed, so that the partial sums do not depend on the threads.
constexpr std::size_t rows_per_block = 256;
// Bodies drawn from each stratum of the sampled potential: enough for a variance, few enough for thin strata.
constexpr std::size_t draws_per_stratum = 4;
// Sources that stay in a cache: 4 arrays of as many doubles.
constexpr std::size_t sources_per_block = 1024;

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

// What couples the pairs: masses or charges.
PointMasses sources_of(const StateView& state, const Physics& physics) {
  return {state.position, physics.law->weights({state.position, state.velocity, state.mass, state.charge})};
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
  const auto weights = physics.law->weights({state.position, state.velocity, state.mass, state.charge});
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

// A body with mass, its galaxy, and its distance from the galaxy's centre.
struct Massive {
  std::size_t index = 0;
  std::uint32_t galaxy = 0;
  float mass = 0.0F;  // here, since in the order of the radii those of the state are all over the memory
  double radius = 0.0;
  double key = 0.0;  // m times the potential that a spherical galaxy would have at this radius
};

using MassiveIterator = std::vector<Massive>::iterator;

// By a number of theirs and then by their index, so that the order does not depend on the threads.
void sort_part(MassiveIterator first, MassiveIterator last, double Massive::*number, int threads) {
  constexpr std::ptrdiff_t worth_threads = 100'000;
  const auto order = [number](const Massive& each) { return std::pair(each.*number, each.index); };
  if (threads < 2 || last - first < worth_threads) {
    std::ranges::sort(first, last, {}, order);
    return;
  }
  const auto middle = first + (last - first) / 2;
  std::ranges::nth_element(first, middle, last, {}, order);
#pragma omp task firstprivate(first, middle, number, threads)
  sort_part(first, middle, number, threads / 2);
  sort_part(middle, last, number, threads - threads / 2);
}

void sort_by(double Massive::*number, MassiveIterator first, MassiveIterator last, int threads) {
#pragma omp parallel num_threads(std::max(1, threads))
#pragma omp single
  sort_part(first, last, number, threads);
}

// All bodies with mass, galaxy after galaxy, by increasing radius within each.
std::vector<Massive> massive_by_radius(const StateView& state, int threads) {
  std::vector<Massive> all;
  all.reserve(state.mass.size());
  for (std::uint32_t g = 0; g < state.galaxies.size(); ++g) {
    const GalaxyRange& range = state.galaxies[g];
    const DVec3 center = median_center(state.position, state.mass, range);
    const auto start = static_cast<std::ptrdiff_t>(all.size());
    for (std::size_t i = range.first; i < range.last; ++i) {
      if (!(state.mass[i] > 0.0F)) continue;
      const double radius = norm(DVec3(state.position[i]) - center);
      all.push_back(
          {i, g, state.mass[i], std::isnan(radius) ? std::numeric_limits<double>::infinity() : radius});
    }
    sort_by(&Massive::radius, all.begin() + start, all.end(), threads);
  }
  return all;
}

// phi(r) of the spherically averaged galaxy = -(M(<r)/r + sum of m/r outside): known from two passes over the
// sorted radii. It only ranks the bodies, well even in a disk, and whatever the law.
void set_keys(std::vector<Massive>& by_radius, double softening) {
  const auto softened = [&](const Massive& each) { return std::hypot(each.radius, softening); };
  double inside = 0.0;
  for (std::size_t k = 0; k < by_radius.size(); ++k) {
    if (k > 0 && by_radius[k].galaxy != by_radius[k - 1].galaxy) inside = 0.0;
    inside += by_radius[k].mass;
    by_radius[k].key = inside / std::max(softened(by_radius[k]), 1e-300);
  }
  double outside = 0.0;
  for (std::size_t k = by_radius.size(); k-- > 0;) {
    if (k + 1 < by_radius.size() && by_radius[k].galaxy != by_radius[k + 1].galaxy) outside = 0.0;
    const double mass = by_radius[k].mass;
    by_radius[k].key = mass * (by_radius[k].key + outside);
    outside += mass / std::max(softened(by_radius[k]), 1e-300);
  }
}

struct MassStratum {
  std::size_t first = 0, last = 0;        // in the ranked population
  std::size_t draw_first = 0, draws = 0;  // in the list of drawn bodies
};

// Cuts the ranked population into strata of nearly equal size.
std::vector<MassStratum> make_strata(std::size_t population, std::size_t sample) {
  const std::size_t count = std::max<std::size_t>(1, std::min(sample, population) / draws_per_stratum);
  std::vector<MassStratum> strata(count);
  std::size_t drawn = 0;
  for (std::size_t h = 0; h < count; ++h) {
    const std::size_t first = population * h / count, last = population * (h + 1) / count;
    strata[h] = {first, last, drawn, std::min(draws_per_stratum, last - first)};
    drawn += strata[h].draws;
  }
  return strata;
}

// Different positions of each stratum, by partial Fisher-Yates shuffles of the ranked population.
std::vector<Massive> draw(std::vector<Massive> population, const std::vector<MassStratum>& strata,
                          std::uint64_t seed) {
  Random random(seed);
  std::vector<Massive> drawn;
  for (const MassStratum& stratum : strata) {
    for (std::size_t k = stratum.first; k < stratum.first + stratum.draws; ++k) {
      std::swap(population[k], population[k + random.below(stratum.last - k)]);
      drawn.push_back(population[k]);
    }
  }
  return drawn;
}

struct Estimate {
  double total = 0.0;
  double variance = 0.0;
};

// The stratified estimate of a total and its variance (Cochran 1977, Sampling Techniques, eqs 5.1 and 5.12).
Estimate stratified_total(const std::vector<MassStratum>& strata, const std::vector<double>& value) {
  Estimate estimate;
  for (const MassStratum& stratum : strata) {
    const auto draws = static_cast<double>(stratum.draws);
    const auto members = static_cast<double>(stratum.last - stratum.first);
    if (stratum.draws == 0) continue;
    const auto first = value.begin() + static_cast<std::ptrdiff_t>(stratum.draw_first);
    const auto last = first + static_cast<std::ptrdiff_t>(stratum.draws);
    const double mean = std::accumulate(first, last, 0.0) / draws;
    double squares = 0.0;
    for (auto each = first; each != last; ++each) squares += (*each - mean) * (*each - mean);
    estimate.total += members * mean;
    if (stratum.draws > 1) {
      estimate.variance += members * (members - draws) * squares / (draws * (draws - 1.0));
    }
  }
  return estimate;
}

// Takes the bodies out of the population that couple so strongly that the sum depends on whether they are
// drawn: more than a thousandth of all, and far more than the mean.
std::vector<Massive> take_heavy(std::vector<Massive>& population, const PointMasses& weights) {
  double total = 0.0;
  for (const Massive& each : population) total += std::abs(weights.mass[each.index]);
  const double least = total * std::max(1e-3, 10.0 / static_cast<double>(population.size()));
  const auto is_heavy = [&](const Massive& each) { return !(std::abs(weights.mass[each.index]) <= least); };
  std::vector<Massive> taken;
  std::ranges::copy_if(population, std::back_inserter(taken), is_heavy);
  if (!taken.empty()) std::erase_if(population, is_heavy);
  return taken;
}

// Both ends of the pairs of heavy bodies: twice their part of W, without its strength. Afterwards they have
// no weight. Bodies of one galaxy follow each other in `heavy`.
double take_pairs_of_heavy(const std::vector<Massive>& heavy, const StateView& state,
                           const DiagnosticsRequest& request, PointMasses& weights) {
  const auto constants = request.physics.constants();
  PointMasses only;
  for (const Massive& each : heavy) {
    only.x.push_back(weights.x[each.index]);
    only.y.push_back(weights.y[each.index]);
    only.z.push_back(weights.z[each.index]);
    only.mass.push_back(std::exchange(weights.mass[each.index], 0.0));
  }
  std::vector<double> value(heavy.size());
  parallel_blocks(heavy.size(), request, [&](std::size_t k) {
    const auto first = static_cast<std::size_t>(
        std::ranges::lower_bound(heavy, heavy[k].galaxy, {}, &Massive::galaxy) - heavy.begin());
    const auto& potential = request.physics.law->potential;
    const DVec3 x = only.position(k);
    // Pairs of two heavy ones once: with those before it.
    value[k] = only.mass[k] * (potential(weights, state.galaxies[heavy[k].galaxy], x, constants) +
                               potential(only, {first, k}, x, constants));
  });
  return 2.0 * std::accumulate(value.begin(), value.end(), 0.0);
}

// m times the potential that some of the sources give a body: those of its galaxy but itself.
double pull_of(const PointMasses& weights, const GalaxyRange& sources, const Massive& body,
               const StateView& state, const Physics& physics) {
  const GalaxyRange& galaxy = state.galaxies[body.galaxy];
  const auto first = std::max(sources.first, galaxy.first), last = std::min(sources.last, galaxy.last);
  if (first >= last) return 0.0;
  const auto potential = [&](std::size_t from, std::size_t to) {
    return physics.law->potential(weights, {from, to}, weights.position(body.index), physics.constants());
  };
  return weights.mass[body.index] * (potential(first, std::clamp(body.index, first, last)) +
                                     potential(std::clamp(body.index + 1, first, last), last));
}

void sampled_potential(const StateView& state, const DiagnosticsRequest& request,
                       std::vector<Massive> population, Diagnostics& result) {
  set_keys(population, request.physics.softening);
  const Physics& physics = request.physics;
  PointMasses weights = sources_of(state, physics);
  const auto heavy = take_heavy(population, weights);
  const double of_heavy = take_pairs_of_heavy(heavy, state, request, weights);
  sort_by(&Massive::key, population.begin(), population.end(), request.threads);
  const std::vector<MassStratum> strata = make_strata(population.size(), request.sample);
  const std::vector<Massive> drawn = draw(std::move(population), strata, request.seed);

  std::vector<double> value(drawn.size());
  parallel_blocks(strata.size(), request, [&](std::size_t h) {
    // The draws of a stratum go through the sources together, which then come from the memory once for all.
    for (std::size_t first = 0; first < weights.size(); first += sources_per_block)
      for (std::size_t k = strata[h].draw_first; k < strata[h].draw_first + strata[h].draws; ++k)
        value[k] += pull_of(weights, {first, first + sources_per_block}, drawn[k], state, physics);
  });
  const Estimate estimate = stratified_total(strata, value);
  // Each pair is seen from both of its ends.
  const double strength = strength_of(physics);
  result.potential = 0.5 * strength * (of_heavy + estimate.total);
  result.potential_uncertainty = 0.5 * std::abs(strength) * std::sqrt(estimate.variance);
  result.potential_method = PotentialMethod::sample;
  result.potential_sample = drawn.size();
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

/// The radius of the shell at which the running sum of `weights` reaches `fraction` of their total.
double radius_of_fraction(const std::vector<std::pair<double, double>>& shells, double total,
                          double fraction) {
  double inside = 0.0;
  for (const auto& [radius, weight] : shells) {
    inside += weight;
    if (inside >= fraction * total) return radius;
  }
  return shells.empty() ? 0.0 : shells.back().first;
}

/// Sets r10, r50 and r90 from shells in the order of their radii, each as one body.
void set_radii(std::vector<std::pair<double, double>>& shells, Diagnostics& result) {
  for (auto& shell : shells) shell.second = 1.0;
  const auto count = static_cast<double>(shells.size());
  result.r10 = radius_of_fraction(shells, count, 0.1);
  result.r50 = radius_of_fraction(shells, count, 0.5);
  result.r90 = radius_of_fraction(shells, count, 0.9);
}

/// Every body, with mass or without, by its distance from the centre of its galaxy: that of `masses`.
std::vector<std::pair<double, double>> shells_of_all(const StateView& state, std::span<const float> masses) {
  std::vector<std::pair<double, double>> shells;
  shells.reserve(state.mass.size());
  for (const GalaxyRange& range : state.galaxies) {
    const DVec3 center = median_center(state.position, masses, range);
    for (std::size_t i = range.first; i < range.last; ++i) {
      const double radius = norm(DVec3(state.position[i]) - center);
      if (!std::isnan(radius)) shells.emplace_back(radius, 1.0);
    }
  }
  std::ranges::sort(shells);
  return shells;
}

void find_radii(const StateView& state, const std::vector<Massive>& massive, Diagnostics& result) {
  std::vector<std::pair<double, double>> shells;  // radius, weight
  shells.reserve(massive.size());
  for (const Massive& each : massive) shells.emplace_back(each.radius, each.mass);
  if (state.galaxies.size() > 1) std::ranges::sort(shells);
  result.half_mass_radius = radius_of_fraction(shells, result.mass, 0.5);
  set_radii(shells, result);
  if (result.r90 > 0.0) return;
  // All mass is at one point, or there is none: test particles are what has an extent.
  const std::vector<float> alike(shells.empty() ? state.mass.size() : 0, 1.0F);
  shells = shells_of_all(state, shells.empty() ? alike : state.mass);
  set_radii(shells, result);
}

}  // namespace

StateView view_of(const Bodies& bodies, std::span<const GalaxyRange> galaxies) {
  return {bodies.position, bodies.velocity, bodies.mass, galaxies, bodies.charge, bodies.origin};
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
  std::vector<Massive> massive = massive_by_radius(state, request.threads);
  find_radii(state, massive, result);
  if (interrupted(request)) throw Cancelled();
  if (state.mass.size() <= request.exact_limit || massive.size() <= request.sample) {
    result.potential = exact_potential(state, request);
  } else if (!tree_potential(state, request, result)) {
    sampled_potential(state, request, std::move(massive), result);
  }
  return result;
}

}  // namespace orrery::sim
