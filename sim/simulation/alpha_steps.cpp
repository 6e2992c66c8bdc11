#include "sim/simulation/alpha_steps.h"

#include <algorithm>
#include <cmath>

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
  const double doublings = ratio > 0.0 ? std::log2(aimed_at / ratio) / alpha_error_power : 100.0;
  const double away = std::isnan(error) ? -farthest_step : steps_of_two * doublings;
  const double bounded = std::clamp(std::round(away), -farthest_step, farthest_step);
  return std::clamp(step + static_cast<int>(bounded), least_step, most_step);
}

double fewest_for_tree(double alpha, bool on_gpu) {
  // Two threads with AVX-512; one H200 with family=tiled.
  const double usual = on_gpu ? 17'000.0 : 8'000.0, power = on_gpu ? 0.4 : 0.25;
  return usual * std::pow(std::max(alpha, 1e-8) / middle_alpha, -power);
}

}  // namespace orrery::sim
