#include "lab/bench/rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery::lab {

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
