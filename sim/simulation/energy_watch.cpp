#include "sim/simulation/energy_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/core/interrupt.h"
#include "sim/core/time_account.h"
#include "sim/cpu/cpu_options.h"
#include "sim/ranks/world.h"

namespace orrery::sim {

namespace {

/// Up to these numbers all pairs are summed, and all bodies by a tree, whatever the number of steps is.
constexpr std::size_t most_in_pairs = 2000, most_always = 100'000;
/// Cells of charges say nothing of their energy: of more than that a sample is summed.
constexpr std::size_t most_charges_in_pairs = 8192;
/// Steps in whose time the energy of more bodies is nothing. A GPU makes a step of as many bodies as are
/// always looked at in the time of a few hundredths of a look.
constexpr std::uint64_t steps_for_a_tree = 400, gpu_steps_for_a_tree = 40'000, gpu_steps_for_a_look = 4000;
constexpr std::size_t most_on_gpu_always = 4096;
/// Of a sample, and for how many bodies that tells anything.
constexpr double most_pairs = 2e9;
constexpr std::size_t most_sampled = 2000, most_bodies_of_sample = 2'000'000;
/// Looks on the way, and how many steps lie between two at least: a look takes about as long as two steps.
constexpr std::uint64_t looks = 16, fewest_between = 500;
/// Looking for an encounter compares all bodies with each other, in steps that are made once more.
constexpr std::size_t most_compared = 4096;
constexpr double most_pairs_compared = 1e9;
/// An encounter in more steps than that is resolved.
constexpr double resolved_in = 16.0;

/// "+3.2 %", "4e+03 times its value".
std::string change_text(double drift) {
  if (!std::isfinite(drift)) return "a number that is not finite";
  return std::abs(drift) < 0.1   ? fmt::format("{:+.2g} %", 100.0 * drift)
         : std::abs(drift) < 1.0 ? fmt::format("{:+.0f} %", 100.0 * drift)
                                 : fmt::format("{:+.2g} times its value", drift);
}

bool is_here() { return world().rank() == 0; }

}  // namespace

EnergyWatch::EnergyWatch(const Bodies& bodies, std::uint64_t last) : of_(bodies), last_(last) {}

void EnergyWatch::begin(const Engine& engine) {
  first_ = engine.status().steps;
  // Processes decide alike.
  on_gpu_ = world().size() == 1 && engine.kind().target_space == VertexTarget::Space::device;
  // Where it would take long beside the steps.
  const auto steps = last_ - first_;
  sums_all_ = of_.size() <= most_always || steps >= (on_gpu_ ? gpu_steps_for_a_tree : steps_for_a_tree);
  leaves_out_ =
      steps == 0 || (on_gpu_ ? of_.size() > most_on_gpu_always && (steps < gpu_steps_for_a_look || !sums_all_)
                             : of_.size() > most_bodies_of_sample && !sums_all_);
  if (leaves_out_) return;
  state_.position.resize(of_.size());
  state_.velocity.resize(of_.size());
}

Diagnostics EnergyWatch::measure(const Physics& physics) const {
  const double fitting = most_pairs / static_cast<double>(std::max<std::size_t>(of_.size(), 1));
  const StateView state{state_.position, state_.velocity, of_.mass, galaxies_, of_.charge, of_.origin};
  return diagnose(state, {.physics = physics,
                          .exact_limit = physics.law == &gravity_law ? most_in_pairs : most_charges_in_pairs,
                          .above_limit = sums_all_ ? PotentialMethod::tree : PotentialMethod::sample,
                          .sample = std::min(static_cast<std::size_t>(fitting), most_sampled),
                          .tree_theta = 1.0,
                          .threads = available_processors()});
}

bool EnergyWatch::look(Engine& engine, const Physics& physics) {
  const auto steps = engine.status().steps;
  if (!std::exchange(begun_, true)) begin(engine);
  if (leaves_out_ || (steps < next_ && steps != last_)) return false;
  seen_ = steps;
  const TimedPhase phase("measure the energy");
  engine.read_back(state_);
  next_ = steps + std::max(on_gpu_ ? gpu_steps_for_a_look : fewest_between, (last_ - first_) / looks);
  const auto now = is_here() ? measure(physics) : Diagnostics();
  if (!start_) start_ = now;
  set_drifts(health_, *start_, now);
  const bool lost = is_here() && loses_energy(health_) && problem_.empty();
  const bool again = lost && good_;
  if (lost)
    problem_ = fmt::format("step {}: the energy has changed by {} since step {}{}", steps,
                           change_text(health_.energy_drift), first_, reason(engine, physics));
  const bool keeps = world().size() == 1 && of_.size() <= most_compared && problem_.empty();
  if (keeps)
    good_ = engine.save_state();
  else
    good_.reset();
  return again;
}

EnergyWatch::Encounter EnergyWatch::closest(const Physics& physics, std::uint64_t step) const {
  const double softening = physics.softening, dt = physics.time_step;
  std::vector<Encounter> found(galaxies_.size());
  for (std::size_t k = 0; k < galaxies_.size(); ++k) {
    const auto& galaxy = galaxies_[k];
    for (std::size_t i = galaxy.first; i < galaxy.first + galaxy.size(); ++i)
      for (std::size_t j = i + 1; j < galaxy.first + galaxy.size(); ++j) {
        const double distance = norm(DVec3(state_.position[i]) - DVec3(state_.position[j]));
        const double speed = norm(DVec3(state_.velocity[i]) - DVec3(state_.velocity[j]));
        const double passed = std::hypot(distance, softening) / (speed * dt);
        if (passed < found[k].steps) found[k] = {i, j, distance, passed, step};
      }
  }
  return found.empty() ? Encounter() : *std::ranges::min_element(found, {}, &Encounter::steps);
}

/// "; ...": what is to blame, and what helps.
std::string EnergyWatch::reason(Engine& engine, const Physics& physics) {
  const std::string help = physics.softening > 0.0
                               ? "; use a shorter time-step, step=even, or a larger softening"
                               : "; use a shorter time-step, step=even:ETA:LENGTH, or a softening";
  const auto again = good_ ? engine.status().steps - good_->steps : 0;
  const auto pairs = 0.5 * static_cast<double>(of_.size() * of_.size()) * static_cast<double>(again);
  if (!good_ || pairs > most_pairs_compared) return help;
  const auto now = engine.save_state();
  engine.restore_state(*good_);
  Encounter fastest = closest(physics, good_->steps);
  while (engine.status().steps < now.steps && !interrupted()) {
    if (!engine.advance({.interrupt = interrupt_flag()})) continue;
    engine.finish();
    engine.read_back(state_);
    const auto found = closest(physics, engine.status().steps);
    if (found.steps < fastest.steps) fastest = found;
  }
  engine.restore_state(now);
  engine.read_back(state_);
  if (fastest.steps > resolved_in) return help;
  const auto lengths = physics.softening > 0.0
                           ? fmt::format(" ({:.2g} softening lengths)", fastest.distance / physics.softening)
                           : std::string(" (softening 0)");
  return fmt::format(": bodies {} and {} passed each other at {:.2g}{} in {:.2g} steps at step {}{}",
                     fastest.a + 1, fastest.b + 1, fastest.distance, lengths, fastest.steps, fastest.at,
                     help);
}

std::optional<double> EnergyWatch::drift() const {
  return start_ && seen_ != first_ ? std::optional(health_.energy_drift) : std::nullopt;
}

std::string EnergyWatch::text(std::uint64_t steps) const {
  if (!drift()) return {};
  const double error = health_.energy_drift_uncertainty;
  const bool shown = error > 0.1 * std::abs(health_.energy_drift);
  return fmt::format("energy changed by {:+.1e}{}{}", health_.energy_drift,
                     shown ? fmt::format(" +- {:.0e}", error) : std::string(),
                     seen_ < steps ? fmt::format(" up to step {}", seen_) : std::string());
}

}  // namespace orrery::sim
