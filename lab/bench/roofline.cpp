#include "lab/bench/roofline.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.h"

namespace orrery::lab {

namespace {

bool has_count(const BenchmarkRow& row) {
  const auto issue = row.report.limit(sim::limit_keys::issue);
  return issue.operations > 0.0 && issue.gips > 0.0 && row.gips_kernel > 0.0;
}

double devices_of(const BenchmarkRow& row) {
  return static_cast<double>(std::max<std::size_t>(row.report.devices, 1));
}

RooflinePoint point_of(const BenchmarkRow& row) {
  return {.label = row.label,
          .slots = row.report.limit(sim::limit_keys::issue).operations,
          .gips = row.gips_kernel / devices_of(row),
          .special = row.report.limit(sim::limit_keys::special).operations};
}

/// Raises the device's rates by the limits that follow for a kernel.
void raise_rates(Roofline& roofline, const BenchmarkRow& row) {
  const auto rate = [&](std::string_view key) {
    const auto limit = row.report.limit(key);
    return limit.gips * limit.operations / devices_of(row);
  };
  roofline.instruction_rate = std::max(roofline.instruction_rate, rate(sim::limit_keys::issue));
  roofline.special_rate = std::max(roofline.special_rate, rate(sim::limit_keys::special));
}

}  // namespace

Roofline roofline_of(const std::vector<BenchmarkRow>& rows, const std::string& dataset) {
  Roofline roofline;
  for (const auto& row : rows) {
    if (!has_count(row)) continue;
    if (roofline.points.empty()) roofline.title = fmt::format("{}: {}", row.report.device, dataset);
    roofline.points.push_back(point_of(row));
    raise_rates(roofline, row);
  }
  if (roofline.points.empty())
    throw sim::Error(
        "there is nothing to draw in the figure: no kernel of a GPU ran whose instructions could be counted");
  return roofline;
}

}  // namespace orrery::lab
