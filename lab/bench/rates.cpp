#include "lab/bench/rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/core/percentile.h"

namespace orrery::lab {

namespace {

/// Medians that lie nearer to each other are never told apart: clocks change, caches are warm or cold.
constexpr double least_spread = 0.005;
constexpr double spread_of_one = 0.1;
/// Samples that differ so much are those of a machine that does something else as well.
constexpr double much_spread = 1.5;
/// By so much other programs may have slowed one of two measurements more than the other.
constexpr double slowed_by_others = 4.0;

/// The range in which a speed may really lie.
struct Range {
  double low, high;
};

bool is_unsteady(const MeasuredSpeed& speed) {
  return speed.busy || speed.spread.high > much_spread * speed.spread.low;
}

Range range_of(const MeasuredSpeed& speed) {
  return {speed.median * std::min(speed.spread.low, 1.0 - least_spread),
          speed.median * std::max(speed.spread.high, 1.0 + least_spread)};
}

}  // namespace

Spread spread_of_times(std::span<double> times) {
  if (times.empty()) return {};
  if (times.size() == 1) return {1.0 - spread_of_one, 1.0 + spread_of_one};
  // The ends of few samples; of many, those of the middle half.
  const bool few = times.size() < 5;
  const double middle = sim::median(times);
  const double shortest = few ? *std::ranges::min_element(times) : sim::percentile(times, 0.25);
  const double longest = few ? *std::ranges::max_element(times) : sim::percentile(times, 0.75);
  if (!(shortest > 0.0)) return {};
  return {std::min(middle / longest, 1.0), std::max(middle / shortest, 1.0)};
}

Factor::Factor(const MeasuredSpeed& before, const MeasuredSpeed& after) {
  if (!(before.median > 0.0) || !(after.median > 0.0)) return;
  value_ = after.median / before.median;
  const auto was = range_of(before), is = range_of(after);
  rough_ = is_unsteady(before) || is_unsteady(after);
  const double doubt = rough_ ? slowed_by_others : 1.0;
  if (is.low > doubt * was.high)
    says_ = Says::faster;
  else if (doubt * is.high < was.low)
    says_ = Says::slower;
  else
    says_ = rough_ ? Says::machine_busy : Says::no_difference;
}

std::string Factor::text(const char* sign) const {
  if (says_ == Says::unknown) return {};
  if (says_ == Says::no_difference) return "no difference";
  if (says_ == Says::machine_busy) return "machine busy";
  if (rough_ && value_ < 99.5) return fmt::format("about {}{:.2g}", sign, value_);
  return fmt::format("{}{}{}", rough_ ? "about " : "", sign, factor_text(1.0, value_));
}

std::string factor_text(double before, double after) {
  const double factor = after / before;
  if (factor >= 99.5) return fmt::format("{:.0f}", factor);
  return factor >= 9.95 || factor < 0.1 ? fmt::format("{:.2g}", factor) : fmt::format("{:.2f}", factor);
}

double giga_per_second(double interactions, double milliseconds) {
  return milliseconds > 0.0 ? interactions / milliseconds * 1e-6 : 0.0;
}

Rates rates_of(const TimedWork& kernel, const TimedWork& whole) {
  Rates rates{.kernel = giga_per_second(kernel.interactions, kernel.milliseconds),
              .whole = giga_per_second(whole.interactions, whole.milliseconds)};
  if (rates.kernel > 0.0) rates.kernel = std::max(rates.kernel, rates.whole);
  return rates;
}

std::string rate_text(double gips, int digits) {
  if (!(gips > 0.0)) return "0";
  // What is rounded to that power of ten belongs to it.
  const double whole = std::pow(10.0, digits - 1) * (1.0 - 0.5 * std::pow(10.0, -digits));
  if (gips >= whole) return fmt::format("{:.0f}", gips);
  return fmt::format("{:#.{}g}", gips, digits);
}

}  // namespace orrery::lab
