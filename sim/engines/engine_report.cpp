#include "sim/engines/engine_report.h"

#include <algorithm>

namespace orrery::sim {

Fact summed_for_each_body(double interactions, std::size_t bodies) {
  return {
      .key = "sources_per_body",
      .value = interactions / static_cast<double>(bodies),
      .label = "interactions per body",
      .hint = "Evaluated for each body, with bodies and cells. Direct sums evaluate one with every body."};
}

std::vector<Fact> block_step_facts(std::uint32_t block_times, double forces_of_body) {
  return {{.key = "block_times",
           .value = std::int64_t{block_times},
           .label = "block times",
           .hint = "The number of block times within the last step at which some bodies ended a step."},
          {.key = "forces_of_body",
           .value = forces_of_body,
           .label = "forces of a body",
           .hint = "How often the force on a body was computed in the last step, on average."}};
}

RateLimit EngineReport::limit(std::string_view key) const {
  const auto found = std::ranges::find(limits, key, &RateLimit::key);
  return found == limits.end() ? RateLimit{.key = key} : *found;
}

void EngineReport::add(const RateLimit& limit) {
  const auto found = std::ranges::find(limits, limit.key, &RateLimit::key);
  if (found == limits.end())
    limits.push_back(limit);
  else
    found->gips += limit.gips;
}

double EngineReport::number(std::string_view key) const {
  const auto found = std::ranges::find(facts, key, &Fact::key);
  if (found == facts.end()) return 0.0;
  if (const auto* whole = std::get_if<std::int64_t>(&found->value)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&found->value);
  return real != nullptr ? *real : 0.0;
}

std::string EngineReport::text(std::string_view key) const {
  const auto found = std::ranges::find(facts, key, &Fact::key);
  const auto* text = found == facts.end() ? nullptr : std::get_if<std::string>(&found->value);
  return text != nullptr ? *text : std::string();
}

}  // namespace orrery::sim
