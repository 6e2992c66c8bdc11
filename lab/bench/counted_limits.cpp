#include "lab/bench/counted_limits.h"

#include <fmt/format.h>

#include <array>

namespace orrery::lab {

namespace {

constexpr std::array counted_keys{sim::limit_keys::issue, sim::limit_keys::special, sim::limit_keys::fp64};

double percent(const sim::RateLimit& limit, double gips) {
  return limit.gips > 0.0 ? 100.0 * gips / limit.gips : 0.0;
}

}  // namespace

CountedLimits counted_limits(const sim::EngineReport& report, double gips) {
  return {.fp32_percent = percent(report.limit(sim::limit_keys::fp32), gips),
          .slots = report.limit(sim::limit_keys::issue).operations,
          .issue_percent = percent(report.limit(sim::limit_keys::issue), gips),
          .special_percent = percent(report.limit(sim::limit_keys::special), gips),
          .fp64_percent = percent(report.limit(sim::limit_keys::fp64), gips)};
}

std::string counted_text(const sim::EngineReport& report, double gips) {
  const double slots = report.limit(sim::limit_keys::issue).operations;
  if (slots <= 0.0) return "slots per interaction: the machine code does not tell";
  auto text = fmt::format("{:.1f} slots per interaction", slots);
  const char* between = ": ";
  for (const auto key : counted_keys) {
    const auto limit = report.limit(key);
    if (limit.gips <= 0.0) continue;
    text += fmt::format("{}{:.0f} % of the {}", between, percent(limit, gips), limit.label);
    between = ", ";
  }
  return text;
}

}  // namespace orrery::lab
