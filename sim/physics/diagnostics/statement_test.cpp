#include "sim/physics/diagnostics/statement_test.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery::sim {

namespace {

/// A larger fraction than the stated one, by its odds, and how much it counts. The second one is what must be
/// found soon.
struct Alternative {
  double odds;
  double weight;
};
constexpr std::array<Alternative, 8> alternatives{
    {{1.5, 0.25}, {2, 0.3}, {3, 0.15}, {5, 0.1}, {10, 0.07}, {25, 0.05}, {100, 0.04}, {5000, 0.04}}};

/// Statements about all bodies and about the strata share the probability of a false alarm.
constexpr double share_of_p99 = 0.5, share_of_median = 0.1, share_of_strata = 0.4;
constexpr double above_p99 = 0.01, above_p99_of_a_stratum = 0.02, above_median = 0.5;

/// The logarithm of the ratio of likelihoods, if `above` of `sample` bodies are above a number that
/// `fraction` of all may exceed.
double log_ratio(std::size_t above, std::size_t sample, double fraction) {
  const auto k = static_cast<double>(above), n = static_cast<double>(sample);
  std::array<double, alternatives.size()> logs{};
  for (std::size_t j = 0; j < logs.size(); ++j) {
    const auto& [odds, weight] = alternatives.at(j);
    logs.at(j) = std::log(weight) + k * std::log(odds) - n * std::log1p(fraction * (odds - 1.0));
  }
  const double largest = std::ranges::max(logs);
  double sum = 0.0;
  for (const double each : logs) sum += std::exp(each - largest);
  return largest + std::log(sum);
}

/// Of the k-th stratum, from 1 on, for each of its two statements: however many there are, they have what
/// there is for all.
double share_of_stratum(std::size_t k) {
  constexpr double sum_of_inverse_squares = 1.6449340668;
  return share_of_strata / (2.0 * sum_of_inverse_squares * static_cast<double>(k * k));
}

/// The fraction above the stated 99th percentile that is no fault. Where each check sees the same few bodies
/// two of them may be above: they are no news.
double allowed_above(const StratumError& check, bool of_all) {
  const double usual = of_all ? above_p99 : above_p99_of_a_stratum;
  return check.whole ? std::clamp(2.0 / static_cast<double>(check.sample), usual, above_median) : usual;
}

double bound(double log_ratio, double share) { return std::min(1.0, std::exp(-log_ratio) / share); }

/// The name without the number of bodies, which changes: "clump 2 (500 bodies)".
std::string key_of(const std::string& name) {
  const auto open = name.rfind(" (");
  return name.ends_with("bodies)") && open != std::string::npos ? name.substr(0, open) : name;
}

}  // namespace

ForceError StatementTest::add(ForceError check) {
  if (check.stated.median <= 0.0 || check.strata.empty()) return check;
  for (auto& stratum : check.strata) {
    auto& all = counts_[key_of(stratum.name)];
    if (all.number == 0) all.number = counts_.size();
    const bool of_all = &stratum == &check.strata.front();
    const double allowed = allowed_above(stratum, of_all);
    const double share = share_of_stratum(all.number);
    stratum.sample = all.sample += stratum.sample;
    stratum.above_median = all.above_median += stratum.above_median;
    stratum.above_p99 = all.above_p99 += stratum.above_p99;
    const double p99 = log_ratio(all.above_p99, all.sample, allowed);
    const double median = log_ratio(all.above_median, all.sample, above_median);
    stratum.chance =
        std::min(bound(p99, of_all ? share_of_p99 : share), bound(median, of_all ? share_of_median : share));
  }
  check.worst = worst_of(check.strata);
  return check;
}

}  // namespace orrery::sim
