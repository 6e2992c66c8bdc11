#include "app/session/force_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/log.h"
#include "app/session/dataset_options.h"
#include "sim/simulation/error_watch.h"

namespace orrery::app {

void ForceGuard::take(sim::Health health, const Run& run, sim::Configuration& configuration) {
  health_ = std::move(health);
  if (health_->problem != shown_shortfall_ && !health_->problem.empty()) log_error(health_->problem);
  shown_shortfall_ = health_->problem;
  if (health_->revision == 0 || health_->revision != run.revision || guarded_revision_ == run.revision)
    return;
  const auto problem = sim::statement_problem(health_->force_error, configuration);
  if (problem.empty()) return;
  guarded_revision_ = run.revision;
  const auto line = fmt::format("step {}: {}", run.step, problem);
  if (problem_.empty()) problem_ = line;
  const double times = sim::times_the_sums(run.bodies, run.interactions);
  if (!compute_more_safely(line, run, times, configuration))
    log_error(line + sim::every_pair_advice(run.table, configuration, times));
}

bool ForceGuard::compute_more_safely(const std::string& problem, const Run& run, double times,
                                     sim::Configuration& configuration) {
  const auto same = [&](const sim::Configuration& other) {
    return sim::same_effect(run.table, configuration, other, sim::decides_result);
  };
  if (run.measuring || std::ranges::any_of(left_, same)) return false;
  const auto before = configuration;
  // Somebody has chosen another one since.
  if (!taken_ || !same(*taken_)) safer_ = sim::safer_configurations(run.table, before, times);
  while (const auto safer = sim::take_first(safer_)) {
    if (!set_computing(run.table, run.context, configuration, *safer).empty()) continue;
    left_.push_back(before);
    taken_ = configuration;
    log_warning(fmt::format("{}; now {}", problem, sim::differences(run.table, before, configuration)));
    return true;
  }
  return false;
}

void ForceGuard::reset() {
  problem_.clear();
  taken_.reset();
  guarded_revision_ = ~std::uint64_t{0};
}

}  // namespace orrery::app
