// The passes over the bodies that a Stepper asks the CPU engine for.
#include <algorithm>
#include <utility>

#include "sim/core/pass_parts.h"
#include "sim/cpu/cpu_engine.h"
#include "sim/physics/integrators/block_levels.h"

namespace orrery::sim {

namespace {

constexpr std::size_t worth_several_threads = 20'000;

/// Calls work(i) for the bodies, on several threads where that pays. Each body is for itself.
template <typename Work>
void for_bodies(std::span<const std::uint32_t> bodies, int threads, const Work& work) {
  const bool many = bodies.size() > worth_several_threads;
#pragma omp parallel for schedule(static) num_threads(many ? threads : 1)
  for (std::size_t k = 0; k < bodies.size(); ++k)  // NOLINT(modernize-loop-convert): OpenMP's
    work(std::size_t{bodies[k]});
}

}  // namespace

/// The kernel's own step, if it has one that fits: it moves the bodies and computes the forces of a whole
/// part in one parallel region. Such kernels sum no jerks.
bool (*CpuEngine::own_step() const)(StepProblem&) {
  return settings_.jerks() || settings_.blocks() ? nullptr : settings_.kernel->step;
}

/// Where the present part of the step began.
const MotionArrays& CpuEngine::begin_of_part() const {
  return settings_.adaptive() ? part_.motion() : state_;
}

/// Notes a phase of the step that ends now.
void CpuEngine::note(TimelineKind activity, StepPart::Clock::time_point start, double interactions) {
  done_.push_back({activity, start, StepPart::Clock::now(), interactions});
}

/// Moves this process's bodies, on several threads where that pays.
void CpuEngine::move(const MotionUpdate& update, double part) {
  const auto mine = motion_between(begin_of_part(), next_).range(targets_.first, targets_.last);
  const double dt = settings_.step() * part;
  const PassParts parts(mine.position.size(), worth_several_threads, move_threads());
#pragma omp parallel for schedule(static, 1) num_threads(parts.threads()) if (parts.count() > 1)
  for (std::size_t k = 0; k < parts.count(); ++k)
    update.apply(mine.range(parts.begin(k), parts.begin(k + 1)), dt);
}

void CpuEngine::begin_step(bool with_forces) {
  pass_ = {};
  kept_cells_ = cells_are_kept_;
  kept_.drop();
  if (with_forces) kept_.keep(acceleration_, jerk_, move_threads());
  done_.clear();
  next_.copy_from(state_, move_threads());
}

void CpuEngine::begin_pass(const Pass& pass) {
  pass_ = pass;
  if (pass.first_of_run) return share(state_);
  if (own_step() != nullptr || settings_.blocks()) return;
  const auto begin = StepPart::Clock::now();
  move(pass.before, pass.part);
  share(next_);
  note(TimelineKind::update, begin);
}

StepDevice::Outcome CpuEngine::compute_forces(const WorkBudget& budget) {
  const auto said = [](bool complete) { return complete ? Outcome::done : Outcome::abandoned; };
  if (pass_.first_of_run) {
    done_.clear();
    const bool complete = evaluate(force_problem(state_, budget.interrupt));
    if (complete) count(done_);
    return said(complete);
  }
  if (settings_.blocks()) return said(evaluate_active(budget.interrupt));
  auto* const step = own_step();
  if (step == nullptr) return said(evaluate(force_problem(next_, budget.interrupt)));
  StepProblem problem{.force = force_problem(next_, budget.interrupt),
                      .motion = motion_between(begin_of_part(), next_),
                      .integrator = settings_.physics.integrator,
                      .dt = settings_.step() * pass_.part,
                      .after_forces = [this] {
                        if (pass_.ends_step) sample_forces(next_);
                      }};
  const bool complete = step(problem);
  std::ranges::move(problem.parts, std::back_inserter(done_));
  return complete ? Outcome::part_done : Outcome::abandoned;
}

void CpuEngine::end_part(const MotionUpdate& last, const Pass& pass) {
  if (pass.ends_step) sample_forces(next_);
  const auto begin = StepPart::Clock::now();
  move(last, pass.part);
  note(TimelineKind::update, begin);
}

void CpuEngine::end_step() {
  kept_.drop();
  if (samples_.wants_timeline()) record_step(done_);
  std::swap(state_, next_);
  samples_.end_step();
  count(done_);
}

bool CpuEngine::give_up_step() {
  if (pass_.first_of_run) return false;
  cells_are_kept_ = kept_cells_;
  return kept_.give_back(acceleration_, jerk_);
}

void CpuEngine::keep_part() { part_.keep(next_, acceleration_, move_threads()); }

void CpuEngine::restore_part() { part_.restore(next_, acceleration_, move_threads()); }

std::optional<double> CpuEngine::largest_acceleration(bool /*wait*/) {
  return sim::largest_acceleration(acceleration_, next_.position, settings_.acting_field());
}

void CpuEngine::begin_block_steps() {
  levels_.begin(mass_.size());
  block_begin_ = StepPart::Clock::now();
}

/// Half of each one's own step.
void CpuEngine::kick_active(const Motion& motion) const {
  for_bodies(levels_.active(), settings_.threads, [&](std::size_t i) {
    MotionUpdate{.kick = 0.5}.apply(motion.range(i, i + 1), settings_.step() * levels_.part(i));
  });
}

void CpuEngine::choose_levels(const Motion& motion) {
  const auto criterion = settings_.physics.step_criterion();
  for (const std::size_t i : levels_.active()) {
    const double tau = criterion.longest(sim::largest_acceleration(
        motion.acceleration.subspan(i, 1), motion.position.subspan(i, 1), motion.field));
    levels_.set(i, block_level(settings_.step(), tau));
  }
}

void CpuEngine::advance_block_steps(std::uint32_t /*now*/, bool ends, bool begins) {
  const auto motion = motion_between(state_, next_);
  if (ends) kick_active(motion);
  if (begins) {
    choose_levels(motion);
    kick_active(motion);
    move({.drift = 1.0}, levels_.go_on());
  }
  note(TimelineKind::update, block_begin_);
}

std::optional<BlockTime> CpuEngine::next_block_time(bool /*wait*/) {
  return BlockTime{levels_.now(), levels_.active().size()};
}

/// Forces on the bodies whose steps end at this block time.
bool CpuEngine::evaluate_active(const std::atomic<bool>* interrupt) {
  const auto begin = StepPart::Clock::now();
  auto problem = force_problem(next_, interrupt);
  problem.keeps_cells = problem.tree.keeps_cells_at(pass_.block_time);
  if (!active_forces_.evaluate(problem, *settings_.kernel, levels_.active())) return false;
  note(TimelineKind::forces, begin, active_forces_.summed());
  block_begin_ = StepPart::Clock::now();
  return true;
}

void CpuEngine::end_block_time(bool ends_step) {
  if (ends_step) sample_forces(next_);
}

}  // namespace orrery::sim
