#include "app/counted_limits.h"

#include <fmt/format.h>

namespace orrery::app {

CountedLimits counted_limits(const sim::KernelReport& kernel, double gips) {
  const auto percent = [&](double limit) { return limit > 0.0 ? 100.0 * gips / limit : 0.0; };
  return {.fp32_percent = percent(kernel.limit_gips),
          .slots = kernel.slots_per_interaction,
          .issue_percent = percent(kernel.issue_limit_gips),
          .special_percent = percent(kernel.special_limit_gips),
          .fp64_percent = percent(kernel.fp64_limit_gips)};
}

std::string counted_text(const sim::KernelReport& kernel, double gips) {
  const auto counted = counted_limits(kernel, gips);
  if (counted.slots <= 0.0) return "slots an interaction: the machine code does not tell";
  auto text = fmt::format("{:.1f} slots an interaction", counted.slots);
  if (kernel.issue_limit_gips > 0.0)
    text += fmt::format(": {:.0f} % of the issue limit", counted.issue_percent);
  if (kernel.special_limit_gips > 0.0)
    text += fmt::format(", {:.0f} % of the special-function limit", counted.special_percent);
  if (kernel.fp64_limit_gips > 0.0) text += fmt::format(", {:.0f} % of the FP64 limit", counted.fp64_percent);
  return text;
}

}  // namespace orrery::app
