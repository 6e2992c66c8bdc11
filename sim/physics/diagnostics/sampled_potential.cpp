#include "sim/physics/diagnostics/sampled_potential.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/core/random.h"
#include "sim/physics/diagnostics/median_center.h"
#include "sim/physics/diagnostics/parallel_blocks.h"
#include "sim/physics/laws/pair_sum.h"

namespace orrery::sim {

namespace {

// Bodies drawn from each stratum of the sampled potential: enough for a variance, few enough for thin strata.
constexpr std::size_t draws_per_stratum = 4;
// Sources that stay in a cache: 4 arrays of as many doubles.
constexpr std::size_t sources_per_block = 1024;

// A body with mass, its galaxy, and its distance from the galaxy's centre.
struct Massive {
  std::size_t index = 0;
  std::uint32_t galaxy = 0;
  double radius = 0.0;
  double mass = 0.0;   // here, since in the order of the radii those of the state are all over the memory
  double key = 0.0;    // m times the potential that a spherical galaxy would have at this radius
  bool heavy = false;  // couples so strongly that it is always summed
};

// Bodies with the same number in the order of their indices.
void sort_by(double Massive::*number, std::span<Massive> bodies) {
  std::ranges::sort(bodies, {},
                    [number](const Massive& each) { return std::pair(each.*number, each.index); });
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
std::vector<Massive> drawn_from(std::vector<Massive> population, const std::vector<MassStratum>& strata,
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

// The estimate of a total over a population of which a `share` was ranked, and its variance (Cochran 1977,
// Sampling Techniques: eqs 5.1 and 5.12 for strata, chapter 12 for a share).
Estimate stratified_total(const std::vector<MassStratum>& strata, const std::vector<double>& value,
                          double share) {
  Estimate estimate;
  double members = 0.0, squares = 0.0;
  for (const MassStratum& stratum : strata) {
    const auto draws = static_cast<double>(stratum.draws);
    const auto of_stratum = static_cast<double>(stratum.last - stratum.first);
    if (stratum.draws == 0) continue;
    const auto first = value.begin() + static_cast<std::ptrdiff_t>(stratum.draw_first);
    const auto last = first + static_cast<std::ptrdiff_t>(stratum.draws);
    const double mean = std::accumulate(first, last, 0.0) / draws;
    double around_mean = 0.0;
    for (auto each = first; each != last; ++each) around_mean += (*each - mean) * (*each - mean);
    estimate.total += of_stratum * mean;
    members += of_stratum;
    squares += of_stratum * (mean * mean + around_mean / draws);
    if (stratum.draws > 1) {
      estimate.variance += of_stratum * (of_stratum - draws) * around_mean / (draws * (draws - 1.0));
    }
  }
  if (members > 0.0)
    estimate.variance += (1.0 - share) * std::max(squares - estimate.total * estimate.total / members, 0.0);
  return {estimate.total / share, estimate.variance / (share * share)};
}

// The least weight of bodies that couple so strongly that the sum depends on whether they are drawn: more
// than a thousandth of all, and far more than the mean.
double least_of_heavy(const StateView& state, std::span<const float> weights) {
  double total = 0.0, massive = 0.0;
  for (std::size_t i = 0; i < state.mass.size(); ++i) {
    if (!(state.mass[i] > 0.0F)) continue;
    total += std::abs(weights[i]);
    massive += 1.0;
  }
  return total * std::max(1e-3, 10.0 / massive);
}

// Bodies that stand for all that have mass.
struct Population {
  std::vector<Massive> bodies;  // galaxy after galaxy, by increasing radius within each
  double share = 1.0;           // of the bodies that are not heavy
};

// All heavy bodies, and the others or as many of them as are to be ranked, chosen by Knuth's algorithm S. The
// mass of a chosen one is also that of those it stands for.
Population population_of(const StateView& state, std::span<const DVec3> centers,
                         const DiagnosticsRequest& request, std::span<const float> weights) {
  const double least = least_of_heavy(state, weights);
  const auto is_heavy = [&](std::size_t i) { return !(std::abs(weights[i]) <= least); };
  std::size_t left = 0;
  for (std::size_t i = 0; i < state.mass.size(); ++i) left += state.mass[i] > 0.0F && !is_heavy(i) ? 1 : 0;
  std::size_t wanted = std::min(left, request.ranked);
  Population population;
  if (left > 0) population.share = static_cast<double>(wanted) / static_cast<double>(left);
  population.bodies.reserve(wanted);
  Random random(~request.seed);
  for (std::uint32_t g = 0; g < state.galaxies.size(); ++g) {
    const auto start = population.bodies.size();
    for (std::size_t i = state.galaxies[g].first; i < state.galaxies[g].last; ++i) {
      if (!(state.mass[i] > 0.0F)) continue;
      double mass = state.mass[i];
      if (!is_heavy(i)) {
        if (random.below(left--) >= wanted) continue;
        --wanted;
        mass /= population.share;
      }
      population.bodies.push_back(
          {i, g, distance_from(centers[g], state.position[i]), mass, 0.0, is_heavy(i)});
    }
    sort_by(&Massive::radius, std::span(population.bodies).subspan(start));
  }
  return population;
}

// Takes the heavy bodies out of the population.
std::vector<Massive> take_heavy(std::vector<Massive>& population) {
  std::vector<Massive> taken;
  std::ranges::copy_if(population, std::back_inserter(taken), &Massive::heavy);
  if (!taken.empty()) std::erase_if(population, [](const Massive& each) { return each.heavy; });
  return taken;
}

// Sums over the bodies of a galaxy, whose places and weights become doubles block by block: all at once would
// take 32 bytes a body.
class LightSources {
 public:
  // `heavy`: left out of the sums.
  LightSources(const StateView& state, const DiagnosticsRequest& request, std::span<const float> weights,
               const std::vector<Massive>& heavy)
      : state_(state), request_(request), weights_(weights) {
    for (const Massive& each : heavy) heavy_.push_back(each.index);
    std::ranges::sort(heavy_);
  }

  // The weight of each body times the potential that the others of its galaxy give it.
  std::vector<double> pulls_on(const std::vector<Massive>& targets) const {
    constexpr std::size_t together = 8;  // targets for which a block is made once
    std::vector<double> pulls(targets.size());
    parallel_blocks((targets.size() + together - 1) / together, request_, [&](std::size_t group) {
      const auto last = std::min((group + 1) * together, targets.size());
      add_pulls(std::span(targets).subspan(group * together, last - group * together),
                std::span(pulls).subspan(group * together, last - group * together));
    });
    return pulls;
  }

 private:
  void add_pulls(std::span<const Massive> targets, std::span<double> pulls) const {
    for (std::size_t first = 0; first < weights_.size(); first += sources_per_block) {
      const GalaxyRange range{first, std::min(first + sources_per_block, weights_.size())};
      const auto is_near = [&](const Massive& each) {
        const GalaxyRange& galaxy = state_.galaxies[each.galaxy];
        return galaxy.first < range.last && range.first < galaxy.last;
      };
      if (std::ranges::none_of(targets, is_near)) continue;
      const PointMasses sources = sources_in(range);
      for (std::size_t k = 0; k < targets.size(); ++k)
        if (is_near(targets[k])) pulls[k] += pull_of(sources, range, targets[k]);
    }
  }

  PointMasses sources_in(const GalaxyRange& range) const {
    const auto size = range.last - range.first;
    PointMasses sources(state_.position.subspan(range.first, size), weights_.subspan(range.first, size));
    for (auto each = std::ranges::lower_bound(heavy_, range.first);
         each != heavy_.end() && *each < range.last; ++each)
      sources.mass[*each - range.first] = 0.0;
    return sources;
  }

  double pull_of(const PointMasses& sources, const GalaxyRange& range, const Massive& body) const {
    const GalaxyRange& galaxy = state_.galaxies[body.galaxy];
    const auto first = std::max(range.first, galaxy.first), last = std::min(range.last, galaxy.last);
    const auto potential = [&](std::size_t from, std::size_t to) {
      return request_.physics.law->potential(sources, {from - range.first, to - range.first},
                                             DVec3(state_.position[body.index]),
                                             request_.physics.constants());
    };
    return double{weights_[body.index]} * (potential(first, std::clamp(body.index, first, last)) +
                                           potential(std::clamp(body.index + 1, first, last), last));
  }

  const StateView& state_;
  const DiagnosticsRequest& request_;
  std::span<const float> weights_;
  std::vector<std::size_t> heavy_;
};

// The part that heavy bodies have in the sum over all pairs. Bodies of one galaxy follow each other in
// `heavy`.
double pairs_of_heavy(const std::vector<Massive>& heavy, const LightSources& light, const StateView& state,
                      std::span<const float> weights, const DiagnosticsRequest& request) {
  PointMasses only;
  for (const Massive& each : heavy) {
    const DVec3 x(state.position[each.index]);
    only.x.push_back(x.x);
    only.y.push_back(x.y);
    only.z.push_back(x.z);
    only.mass.push_back(weights[each.index]);
  }
  auto value = light.pulls_on(heavy);
  parallel_blocks(heavy.size(), request, [&](std::size_t k) {
    const auto first = static_cast<std::size_t>(
        std::ranges::lower_bound(heavy, heavy[k].galaxy, {}, &Massive::galaxy) - heavy.begin());
    // Pairs of two heavy ones once: with those before it.
    value[k] += only.mass[k] * request.physics.law->potential(only, {first, k}, only.position(k),
                                                              request.physics.constants());
  });
  return std::accumulate(value.begin(), value.end(), 0.0);
}

}  // namespace

SampledPotential sampled_potential(const StateView& state, std::span<const DVec3> centers,
                                   const DiagnosticsRequest& request) {
  const auto weights = weights_of(state, request.physics);
  auto [population, share] = population_of(state, centers, request, weights);
  set_keys(population, request.physics.softening);
  const auto heavy = take_heavy(population);
  const LightSources light(state, request, weights, heavy);
  sort_by(&Massive::key, population);
  const std::vector<MassStratum> strata = make_strata(population.size(), request.sample);
  const std::vector<Massive> drawn = drawn_from(std::move(population), strata, request.seed);
  const Estimate estimate = stratified_total(strata, light.pulls_on(drawn), share);
  const double strength = request.physics.law->strength(request.physics.constants());
  // The pairs of those drawn are seen from both of their ends.
  return {
      .potential = strength * (pairs_of_heavy(heavy, light, state, weights, request) + 0.5 * estimate.total),
      .uncertainty = 0.5 * std::abs(strength) * std::sqrt(estimate.variance),
      .drawn = drawn.size()};
}

}  // namespace orrery::sim
