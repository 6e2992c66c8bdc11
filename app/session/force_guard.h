#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/options/configuration.h"
#include "sim/simulation/monitor.h"

namespace orrery::app {

/// Watches the checks of a run: its forces must be as right as their kernel states. Where they are not, it
/// says so and goes to a safer configuration.
class ForceGuard {
 public:
  /// `problem`: that of a run that goes on, which is known already; empty: none.
  explicit ForceGuard(std::string problem) : problem_(std::move(problem)) {}

  /// The run that the checks are of.
  struct Run {
    const sim::OptionTable& table;
    const sim::OptionContext& context;
    const sim::Bodies& bodies;
    std::uint64_t step;
    double interactions;     ///< of one evaluation; 0: not known
    std::uint64_t revision;  ///< revision of the controls that were sent last
    bool measuring;          ///< a measurement sets the options
  };
  /// Takes the result of a check. Forces beyond what their kernel states are told once for each change of the
  /// options, and `configuration` becomes a safer one, unless a measurement sets it or the person came back
  /// to one that was left for this reason.
  void take(sim::Health health, const Run& run, sim::Configuration& configuration);
  /// The run begins anew: earlier forces count no more.
  void reset();

  const std::optional<sim::Health>& health() const { return health_; }
  /// ViewState::force_problem.
  const std::string& problem() const { return problem_; }

 private:
  bool compute_more_safely(const std::string& problem, const Run& run, double times,
                           sim::Configuration& configuration);

  std::optional<sim::Health> health_;
  std::string problem_;
  std::string shown_shortfall_;
  std::uint64_t guarded_revision_ = ~std::uint64_t{0};  ///< whose forces were beyond what is stated
  std::vector<sim::Configuration> left_;                ///< configurations that were replaced for this
  std::optional<sim::Configuration> taken_;             ///< the last one that replaced another
  std::vector<sim::Configuration> safer_;               ///< further ones, should it fail, too
};

}  // namespace orrery::app
