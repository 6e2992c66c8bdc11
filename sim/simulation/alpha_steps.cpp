#include "sim/simulation/alpha_steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/options/tree_options.h"

namespace orrery::sim {

namespace {

constexpr double middle_alpha = 0.01;
constexpr double steps_of_two = 4.0;
/// Above 0.1 a tree is hardly faster, and single bodies are off by much.
constexpr int least_step = -80, most_step = 13;
/// In the middle of the band.
constexpr double aimed_at = 0.8;
constexpr double farthest_step = 16.0;
/// Trials of one search; five find alpha within a factor of 16^5.
constexpr std::size_t most_trials = 6;

/// The numbers of bodies at which a tree and direct sums take as long, at alpha 1e-2, 1e-3, 1e-4 and 1e-5,
/// the last two with third moments (docs/trees.md, "The crossover"). CPU: beside simd, between the crossovers
/// of two and of sixteen cores. The choice must not depend on their number, since results do not. GPU: one
/// H100 beside family=tiled; the last one is a guess.
using Crossovers = std::array<double, 4>;
constexpr Crossovers cpu_crossovers{6000.0, 8000.0, 10e3, 25e3}, gpu_crossovers{32'768.0, 45e3, 1e5, 3e5};

}  // namespace

double alpha_of_step(int step) { return middle_alpha * std::exp2(step / steps_of_two); }

int step_of_alpha(double alpha) {
  const double step = steps_of_two * std::log2(std::max(alpha, 1e-30) / middle_alpha);
  return static_cast<int>(std::clamp<double>(std::round(step), least_step, most_step));
}

int corrected_step(int step, double error, double wanted, const AccuracyBand& band) {
  const double ratio = error / wanted;
  if (ratio >= band.low && ratio <= band.high) return step;
  // Written so that an error that is no number makes alpha smaller.
  const double doublings = ratio > 0.0 ? std::log2(aimed_at / ratio) / relative_law.power : 100.0;
  const double away = std::isnan(error) ? -farthest_step : steps_of_two * doublings;
  const double bounded = std::clamp(std::round(away), -farthest_step, farthest_step);
  return std::clamp(step + static_cast<int>(bounded), least_step, most_step);
}

AlphaSearch::AlphaSearch(int step, double wanted, const AccuracyBand& first)
    : step_(step), wanted_(wanted), error_(std::numeric_limits<double>::infinity()), band_(first) {}

bool AlphaSearch::goes_on(double error) {
  if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
  tried_.push_back({step_, error});
  const bool good = error <= band_.high * wanted_;
  if (good) good_ = std::max(good_.value_or(step_), step_);
  if (!good) bad_ = std::min(bad_.value_or(step_), step_);
  const int next = next_step(error);
  if (next == step_ || tried_.size() == most_trials) return end(), false;
  step_ = next;
  band_ = first_band;
  return true;
}

/// By the law, but between what is known to be good and to be bad. The present step if there is none left.
int AlphaSearch::next_step(double error) const {
  const int next = corrected_step(step_, error, wanted_, band_);
  if (next == step_ || !good_ || !bad_ || (next > *good_ && next < *bad_)) return next;
  // An error that does not grow with alpha can leave nothing between them.
  return *bad_ - *good_ > 1 ? (*good_ + *bad_) / 2 : step_;
}

void AlphaSearch::end() {
  const auto worse = [&](const MeasuredAlpha& a, const MeasuredAlpha& b) { return a.error < b.error; };
  auto best = std::ranges::min_element(tried_, worse);
  if (good_) best = std::ranges::find(tried_, *good_, &MeasuredAlpha::step);
  step_ = best->step;
  error_ = best->error;
}

double fewest_for_tree(double alpha, bool on_gpu) {
  const auto& measured = on_gpu ? gpu_crossovers : cpu_crossovers;
  if (!(alpha > 0.0)) return std::numeric_limits<double>::infinity();
  const double decades = std::max(0.0, -2.0 - std::log10(alpha));
  const auto at = std::min(static_cast<std::size_t>(decades), measured.size() - 2);
  const double slope = std::log(measured[at + 1] / measured[at]);
  return measured[at] * std::exp(slope * (decades - static_cast<double>(at)));
}

}  // namespace orrery::sim
