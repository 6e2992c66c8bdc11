#include "sim/cpu/block_step.h"

#include <algorithm>

namespace orrery::sim {

namespace {

constexpr std::size_t worth_threads = 20'000;

/// Calls work(i) for the bodies, on several threads where that pays. Each body is for itself.
template <typename Work>
void for_bodies(std::span<const std::uint32_t> bodies, int threads, const Work& work) {
  const bool many = bodies.size() > worth_threads;
#pragma omp parallel for schedule(static) num_threads(many ? threads : 1)
  for (std::size_t k = 0; k < bodies.size(); ++k)  // NOLINT(modernize-loop-convert): OpenMP's
    work(std::size_t{bodies[k]});
}

void drift_all(const StepProblem& problem, double part) {
  const std::size_t bodies = problem.motion.position.size();
  const auto parts =
      bodies > worth_threads ? static_cast<std::size_t>(problem.force.threads) : std::size_t{1};
#pragma omp parallel for schedule(static) num_threads(static_cast <int>(parts))
  for (std::size_t k = 0; k < parts; ++k)
    MotionUpdate{.drift = 1.0}.apply(problem.motion.range(bodies * k / parts, bodies * (k + 1) / parts),
                                     problem.dt * part);
}

/// Half of each one's own step.
void kick_active(const StepProblem& problem, const BlockStep& step) {
  for_bodies(step.levels.active(), problem.force.threads, [&](std::size_t i) {
    MotionUpdate{.kick = 0.5}.apply(problem.motion.range(i, i + 1), problem.dt * step.levels.part(i));
  });
}

void choose_levels(const StepProblem& problem, const BlockStep& step) {
  for (const std::size_t i : step.levels.active()) {
    const double tau = step.criterion.longest(problem.motion.acceleration.subspan(i, 1),
                                              problem.motion.position.subspan(i, 1), problem.motion.field);
    step.levels.set(i, block_level(problem.dt, tau));
  }
}

}  // namespace

void ActiveForces::gather(const ForceProblem& all, const GalaxyRange& galaxy,
                          std::span<const std::uint32_t> active) {
  order_.assign(active.begin(), active.end());
  auto next = active.begin();
  for (auto i = static_cast<std::uint32_t>(galaxy.first); i < galaxy.last; ++i) {
    if (next != active.end() && *next == i)
      ++next;
    else
      order_.push_back(i);
  }
  const std::size_t count = order_.size();
  position_.resize(count), mass_.resize(count), acceleration_.resize(count);
  charge_.resize(all.state.charge.empty() ? 0 : count);
  for (std::size_t k = 0; k < count; ++k) {
    position_[k] = all.position[order_[k]];
    mass_[k] = all.mass[order_[k]];
    if (!charge_.empty()) charge_[k] = all.state.charge[order_[k]];
  }
}

bool ActiveForces::evaluate_galaxy(const ForceProblem& all, const CpuKernel& kernel,
                                   const GalaxyRange& galaxy, std::span<const std::uint32_t> active) {
  gather(all, galaxy, active);
  double interactions = static_cast<double>(active.size()) * static_cast<double>(galaxy.size());
  const GalaxyRange whole{0, galaxy.size()};
  auto some = all;
  some.position = position_;
  some.mass = mass_;
  some.galaxies = {&whole, 1};
  some.sources = {};
  some.acceleration = acceleration_;
  some.scratch = &scratch_;
  some.memory = &memory_;
  some.interactions = &interactions;
  some.state = {position_, all.state.velocity.subspan(galaxy.first, galaxy.size()), mass_, charge_};
  some.targets = {0, active.size()};
  if (!kernel.evaluate(some)) return false;
  summed_ += interactions;
  for (std::size_t k = 0; k < active.size(); ++k) all.acceleration[active[k]] = acceleration_[k];
  return true;
}

bool ActiveForces::evaluate_marked(const ForceProblem& all, const CpuKernel& kernel,
                                   std::span<const std::uint32_t> active) {
  marks_.assign(all.position.size(), 0);
  for (const auto i : active) marks_[i] = 1;
  auto some = all;
  some.active = marks_;
  some.interactions = &summed_;
  return kernel.evaluate(some);
}

bool ActiveForces::evaluate(const ForceProblem& all, const CpuKernel& kernel,
                            std::span<const std::uint32_t> active) {
  summed_ = 0.0;
  if (active.size() == all.position.size()) return kernel.evaluate(all);
  if (kernel.takes_active) return evaluate_marked(all, kernel, active);
  auto first = active.begin();
  for (const auto& galaxy : all.galaxies) {
    const auto last = std::lower_bound(first, active.end(), galaxy.last);
    if (first != last && !evaluate_galaxy(all, kernel, galaxy, {first, last})) return false;
    first = last;
  }
  return true;
}

bool make_block_step(StepProblem& problem, const BlockStep& step) {
  step.levels.begin(problem.motion.position.size());
  std::size_t moment = 0;
  auto begin = StepPart::Clock::now();
  while (!step.levels.done()) {
    choose_levels(problem, step);
    kick_active(problem, step);
    drift_all(problem, step.levels.go_on());
    problem.note(TimelineKind::update, begin);
    begin = StepPart::Clock::now();
    problem.force.keeps_cells = problem.force.tree.keeps_cells_at(moment++);
    if (!step.forces.evaluate(problem.force, *step.kernel, step.levels.active())) return false;
    problem.note(TimelineKind::forces, begin, step.forces.summed());
    begin = StepPart::Clock::now();
    if (step.levels.done()) problem.after_forces();
    kick_active(problem, step);
  }
  problem.note(TimelineKind::update, begin);
  return true;
}

}  // namespace orrery::sim
