#include "sim/physics/diagnostics/force_error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "sim/core/error.h"
#include "sim/core/random.h"
#include "sim/physics/diagnostics/reference_forces.h"

namespace orrery::sim {

namespace {

double relative_error(const Vec3& computed, const DVec3& reference) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!is_finite(computed)) return infinity;
  const double size = norm(reference);
  if (size == 0.0) return computed == Vec3{} ? 0.0 : infinity;
  return norm(DVec3(computed) - reference) / size;
}

// The smallest value that at least `fraction` of the sorted values do not exceed.
double quantile(const std::vector<double>& sorted, double fraction) {
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

/// The body with more than half of a galaxy's weight.
struct Dominant {
  GalaxyRange galaxy;
  std::size_t body = 0;
  double mass_ratio = 0.0;
};

double weight_size(float weight) { return std::abs(static_cast<double>(weight)); }

std::optional<Dominant> dominant_of(std::span<const float> weights, const GalaxyRange& galaxy) {
  if (galaxy.size() < 3) return std::nullopt;
  double sum = 0.0;
  std::size_t heaviest = galaxy.first;
  for (std::size_t j = galaxy.first; j < galaxy.last; ++j) {
    sum += weight_size(weights[j]);
    if (weight_size(weights[j]) > weight_size(weights[heaviest])) heaviest = j;
  }
  if (!(2.0 * weight_size(weights[heaviest]) > sum)) return std::nullopt;
  std::vector<double> sizes;
  for (std::size_t j = galaxy.first; j < galaxy.last; ++j) sizes.push_back(weight_size(weights[j]));
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::ranges::nth_element(sizes, middle);
  if (*middle == 0.0) return std::nullopt;  // tracers exert no force that could be hidden
  return Dominant{galaxy, heaviest, weight_size(weights[heaviest]) / *middle};
}

std::vector<Dominant> dominants_of(const ForceSample& sample) {
  const auto weights = sample.physics.law->weights(sample.state());
  std::vector<Dominant> found;
  if (weights.empty()) return found;
  for (const auto& galaxy : sample.galaxies)
    if (const auto each = dominant_of(weights, galaxy)) found.push_back(*each);
  return found;
}

/// The pull of body j on body i.
DVec3 pull_of(const ForceSample& sample, std::size_t i, std::size_t j) {
  return sample.physics.law->acceleration(sample.state(), sample.physics.constants(), i, {j, j + 1});
}

/// The expected sum of all forces on the dominant body, were their directions random.
double chance_of(const ForceSample& sample, const Dominant& dominant) {
  double sum = 0.0;
  for (std::size_t j = dominant.galaxy.first; j < dominant.galaxy.last; ++j)
    sum += norm(pull_of(sample, dominant.body, j));
  return sum / std::sqrt(static_cast<double>(dominant.galaxy.size()));
}

/// |computed - reference| relative to `size`; a result that is not finite counts as infinite.
double error_relative_to(double size, const Vec3& computed, const DVec3& reference) {
  if (!is_finite(computed)) return std::numeric_limits<double>::infinity();
  return size > 0.0 ? norm(DVec3(computed) - reference) / size : 0.0;
}

void add_dominants(ForceError& error, const ForceSample& sample, const std::vector<DVec3>& references) {
  std::vector<double> others;
  for (const auto& dominant : dominants_of(sample)) {
    error.mass_ratio = std::max(error.mass_ratio, dominant.mass_ratio);
    for (std::size_t k = 0; k < sample.index.size(); ++k) {
      const auto i = sample.index[k];
      if (i < dominant.galaxy.first || i >= dominant.galaxy.last) continue;
      if (i == dominant.body) {
        const double size = std::max(norm(references[k]), chance_of(sample, dominant));
        error.dominant =
            std::max(error.dominant, error_relative_to(size, sample.acceleration[k], references[k]));
        continue;
      }
      const double rest = norm(references[k] - pull_of(sample, i, dominant.body));
      others.push_back(error_relative_to(rest, sample.acceleration[k], references[k]));
    }
  }
  if (others.empty()) return;
  std::ranges::sort(others);
  error.without_dominant = quantile(others, 0.5);
}

/// The few bodies that weigh ten times as much as the mean, the heaviest first.
std::vector<std::size_t> heaviest_bodies(std::span<const float> weights) {
  constexpr std::size_t most = 4;
  double sum = 0.0;
  for (const float weight : weights) sum += weight_size(weight);
  const double heavy = 10.0 * sum / static_cast<double>(weights.size());
  std::vector<std::size_t> bodies;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weight_size(weights[i]) > heavy) bodies.push_back(i);
  const auto count = std::min(most, bodies.size());
  std::ranges::partial_sort(bodies, bodies.begin() + static_cast<std::ptrdiff_t>(count), std::greater(),
                            [&](std::size_t i) { return weight_size(weights[i]); });
  bodies.resize(count);
  return bodies;
}

/// The errors of these bodies, sorted. Both lists of bodies ascend.
std::vector<double> errors_of(const std::vector<std::size_t>& bodies, const ForceSample& sample,
                              const std::vector<double>& errors) {
  std::vector<double> found;
  for (const auto i : bodies) {
    const auto place = std::ranges::lower_bound(sample.index, i);
    if (place != sample.index.end() && *place == i)
      found.push_back(errors[static_cast<std::size_t>(place - sample.index.begin())]);
  }
  std::ranges::sort(found);
  return found;
}

/// The probability of at least `successes` in `trials` trials, each of which succeeds with probability `p`.
double chance_of_at_least(std::size_t successes, std::size_t trials, double p) {
  const auto n = static_cast<double>(trials);
  double term = std::pow(1.0 - p, n), below = 0.0, above = 0.0;
  for (std::size_t k = 0; k <= trials; ++k) {
    (k < successes ? below : above) += term;
    const auto done = static_cast<double>(k);
    term *= (n - done) / (done + 1.0) * p / (1.0 - p);
  }
  return above;
}

/// `errors` are sorted.
StratumError error_of(const std::string& name, const std::vector<double>& errors, const StatedError& stated) {
  StratumError error{name, errors.size(), quantile(errors, 0.5), quantile(errors, 0.99)};
  if (stated.median <= 0.0) return error;
  const auto above = [&](double limit) {
    return static_cast<std::size_t>(errors.end() - std::ranges::upper_bound(errors, limit));
  };
  error.above_median = above(stated.median);
  error.above_p99 = above(stated.p99);
  error.chance = std::min(chance_of_at_least(error.above_median, errors.size(), 0.5),
                          chance_of_at_least(error.above_p99, errors.size(), 0.01));
  return error;
}

/// True if `a` says more against what is stated. Of what is hardly possible the first one is as good as any.
bool is_worse(const StratumError& a, const StratumError& b) {
  constexpr double impossible = 1e-2 * least_chance;
  const double chance_a = std::max(a.chance, impossible), chance_b = std::max(b.chance, impossible);
  return chance_a != chance_b ? chance_a < chance_b : a.chance == 1.0 && a.median > b.median;
}

std::vector<StratumError> errors_by_stratum(const ForceSample& sample, const std::vector<double>& errors,
                                            const std::vector<double>& evenly) {
  std::vector<StratumError> found{error_of("all bodies", evenly, sample.stated_error)};
  found.back().whole = evenly.size() == sample.position.size();
  for (const auto& stratum : sample.plan ? sample.plan->strata : std::vector<Stratum>()) {
    const auto of_stratum = errors_of(stratum.bodies, sample, errors);
    if (of_stratum.size() < ErrorStrata::fewest_judged) continue;
    found.push_back(error_of(stratum.name, of_stratum, sample.stated_error));
    found.back().whole = stratum.whole;
  }
  return found;
}

/// Both, ascending.
std::vector<std::size_t> joined(std::vector<std::size_t> bodies, const std::vector<std::size_t>& more) {
  bodies.insert(bodies.end(), more.begin(), more.end());
  std::ranges::sort(bodies);
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

}  // namespace

DVec3 reference_acceleration(const ForceSample& sample, std::size_t i) {
  const auto found =
      std::ranges::find_if(sample.galaxies, [i](const GalaxyRange& g) { return i >= g.first && i < g.last; });
  if (found == sample.galaxies.end()) throw Error("cannot check forces: a sampled body belongs to no galaxy");
  return sample.physics.law->acceleration(sample.state(), sample.physics.constants(), i, *found);
}

StratumError worst_of(const std::vector<StratumError>& strata) {
  // A stratum tells more than all bodies, which are first.
  auto last = strata;
  std::ranges::rotate(last, last.begin() + 1);
  return *std::ranges::min_element(last, is_worse);
}

ForceError force_error(const ForceSample& sample, int threads) {
  const auto references =
      reference_accelerations(sample.state(), sample.galaxies, sample.physics, sample.index, threads);
  std::vector<double> errors;
  for (std::size_t k = 0; k < sample.index.size(); ++k)
    errors.push_back(relative_error(sample.acceleration[k], references[k]));
  if (errors.empty()) return {};
  auto evenly = sample.plan ? errors_of(sample.plan->evenly, sample, errors) : errors;
  if (evenly.empty()) evenly = errors;
  std::ranges::sort(evenly);
  ForceError error{errors.size(), evenly.size(), quantile(evenly, 0.5), quantile(evenly, 0.99),
                   std::ranges::max(errors)};
  error.strata = errors_by_stratum(sample, errors, evenly);
  error.worst = worst_of(error.strata);
  add_dominants(error, sample, references);
  error.stated = sample.stated_error;
  return error;
}

ForceError larger(const ForceError& a, const ForceError& b) {
  return {.sample = std::max(a.sample, b.sample),
          .evenly = std::max(a.evenly, b.evenly),
          .median = std::max(a.median, b.median),
          .p99 = std::max(a.p99, b.p99),
          .maximum = std::max(a.maximum, b.maximum),
          .mass_ratio = std::max(a.mass_ratio, b.mass_ratio),
          .dominant = std::max(a.dominant, b.dominant),
          .without_dominant = std::max(a.without_dominant, b.without_dominant),
          .stated = a.sample > 0 ? a.stated : b.stated,
          .worst = is_worse(b.worst, a.worst) ? b.worst : a.worst};
}

std::vector<std::size_t> sampled_bodies(const ForceSample& sample, std::size_t size, std::size_t count,
                                        std::uint64_t seed) {
  const bool planned = sample.plan && sample.plan->of == size;
  auto chosen = planned ? sample.plan->bodies() : sample_indices(size, count, seed);
  const auto weights = sample.physics.law->weights(sample.state());
  if (chosen.size() == size || weights.size() != size) return chosen;
  if (planned) return joined(std::move(chosen), heaviest_bodies(weights));
  Random random(seed);
  auto heaviest = heaviest_bodies(weights);
  heaviest.resize(std::min(heaviest.size(), chosen.size()));
  const auto is_heavy = [&](std::size_t i) { return std::ranges::find(heaviest, i) != heaviest.end(); };
  for (const auto i : heaviest) {
    if (std::ranges::binary_search(chosen, i)) continue;
    auto place = random.below(chosen.size());
    while (is_heavy(chosen[place])) place = random.below(chosen.size());
    chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(place));
    chosen.insert(std::ranges::lower_bound(chosen, i), i);
  }
  return chosen;
}

ForceSample part_of(const ForceSample& sample, std::shared_ptr<const StratifiedSample> plan) {
  if (sample.plan == plan) return sample;
  auto part = sample;
  part.plan = std::move(plan);
  part.index.clear();
  part.acceleration.clear();
  for (const auto i : sampled_bodies(part, part.position.size(), sample.index.size(), 0)) {
    const auto place = std::ranges::lower_bound(sample.index, i);
    if (place == sample.index.end() || *place != i) continue;
    part.index.push_back(i);
    part.acceleration.push_back(sample.acceleration[static_cast<std::size_t>(place - sample.index.begin())]);
  }
  return part;
}

}  // namespace orrery::sim
