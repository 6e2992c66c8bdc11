#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lab/bench/benchmark.h"
#include "lab/verify/verification.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::lab {

namespace {

std::string status_of(const Verification& result) {
  if (!result.skipped.empty()) return "skipped";
  return result.failed() ? "failed" : "passed";
}

std::ptrdiff_t count_of(const std::vector<Verification>& results, const std::string& status) {
  return std::ranges::count(results, status, status_of);
}

std::string full_name(const Verification& result) {
  return result.ladder.empty() ? result.name : result.ladder + " " + result.name;
}

nlohmann::json checks_json(const Verification& result) {
  const auto check = [](double value, double limit) {
    return nlohmann::json{{"value", value}, {"limit", limit}};
  };
  nlohmann::json checks{{"force_error_median", check(result.force_error.median, result.limits.force_median)},
                        {"force_error_p99", check(result.force_error.p99, result.limits.force_p99)}};
  if (result.parts.empty()) {
    checks["position_difference"] = check(result.position_difference, result.limits.position);
    checks["energy_difference"] = check(result.energy_difference, result.limits.energy);
  }
  if (result.force_error.mass_ratio > 0.0)
    checks["dominant_force_error"] = check(result.force_error.dominant, result.limits.dominant);
  return checks;
}

nlohmann::json parts_json(const Verification& result) {
  auto parts = nlohmann::json::array();
  for (const auto& part : result.parts) {
    const auto limits = part_limits(part, sim::stated_error(result.configuration));
    parts.push_back({{"part", part.part},
                     {"sample", part.sample},
                     {"median", part.median},
                     {"median_limit", limits.median},
                     {"p99", part.p99},
                     {"p99_limit", limits.p99},
                     {"max", part.maximum}});
  }
  return parts;
}

nlohmann::json row_of(const sim::OptionTable& table, const Verification& result) {
  nlohmann::json json{{"ladder", result.ladder},
                      {"name", result.name},
                      {"status", status_of(result)},
                      {"reason", result.skipped},
                      {"failures", result.failures}};
  // A rung that is not available has no configuration that could run.
  if (!result.skipped.empty()) return json;
  json["config"] = computing_options(table, result.configuration);
  json["bodies"] = result.bodies;
  json["galaxies"] = result.galaxies;
  json["steps"] = result.steps;
  json["checks"] = checks_json(result);
  json["force_error_max"] = result.force_error.maximum;
  json["force_error_sample"] = result.force_error.sample;
  if (result.parts.empty()) {
    json["squared_distance"] = result.squared_distance;
    json["energy_drift"] = result.energy_drift;
  } else {
    json["parts"] = parts_json(result);
  }
  if (result.circle_error) json["circle_error"] = *result.circle_error;
  if (result.force_error.mass_ratio > 0.0) {
    json["mass_ratio"] = result.force_error.mass_ratio;
    json["force_error_without_dominant"] = result.force_error.without_dominant;
  }
  return json;
}

/// One body's pull hides that of all others.
std::string dominant_text(const sim::ForceError& error) {
  if (error.mass_ratio == 0.0) return {};
  return fmt::format("  (heaviest body: {:.1e} times the median mass, its error {:.1e}; without it {:.1e})",
                     error.mass_ratio, error.dominant, error.without_dominant);
}

/// The columns of what a run of many steps shows.
std::string run_text(const Verification& result) {
  if (!result.parts.empty()) return fmt::format("{:>8} {:>8} {:>9}", "-", "-", "-");
  return fmt::format("{:>8.1e} {:>8.1e} {:>9.1e}", result.position_difference, result.squared_distance,
                     result.energy_drift);
}

std::string part_text(const Verification& result) {
  if (result.parts.empty()) return {};
  const auto& worst = worst_part(result.parts, sim::stated_error(result.configuration));
  return fmt::format("  (worst part: {}, median {:.1e}, 99 % {:.1e})", worst.part, worst.median, worst.p99);
}

}  // namespace

nlohmann::json verification_json(const sim::OptionTable& table, const std::vector<Verification>& results) {
  nlohmann::json json{{"version", ORRERY_VERSION},
                      {"passed", count_of(results, "passed")},
                      {"failed", count_of(results, "failed")},
                      {"skipped", count_of(results, "skipped")},
                      {"rows", nlohmann::json::array()}};
  for (const auto& result : results) json["rows"].push_back(row_of(table, result));
  return json;
}

std::string verification_heading() {
  return fmt::format("{:<44} {:>7} {:>5} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9}  {}\n", "", "bodies", "steps",
                     "median", "p99", "max", "position", "sum d^2", "dE/E", "");
}

std::string verification_line(const Verification& result) {
  if (!result.skipped.empty()) return fmt::format("{:<44} skipped: {}\n", full_name(result), result.skipped);
  const auto& error = result.force_error;
  return fmt::format("{:<44} {:>7} {:>5} {:>8.1e} {:>8.1e} {:>8.1e} {}  {}{}{}\n", full_name(result),
                     result.bodies, result.steps, error.median, error.p99, error.maximum, run_text(result),
                     result.failed() ? fmt::format("FAIL: {}", fmt::join(result.failures, "; ")) : "pass",
                     dominant_text(error), part_text(result));
}

std::string verification_summary(const std::vector<Verification>& results) {
  return fmt::format("{} passed, {} failed, {} skipped", count_of(results, "passed"),
                     count_of(results, "failed"), count_of(results, "skipped"));
}

}  // namespace orrery::lab
