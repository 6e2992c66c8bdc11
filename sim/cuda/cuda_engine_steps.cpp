#include <algorithm>
#include <chrono>

#include "sim/cuda/cuda_engine.h"
#include "sim/cuda/driver/api.h"

namespace orrery::sim::cuda {

void CudaEngine::flush_update() {
  if (!update_pending()) return;
  place_ = Place::device;
  // An update is followed, or accompanied, by the count of the map.
  const bool counts = map_.is_stale();
  for (auto* part : active_) part->update(settings_->integrator().last_update(), 0, 0, 0.0, counts);
  if (counts) map_.note_count();
}

/// The map of the last complete step, unless an update is still to move its bodies or to count them.
void CudaEngine::count_map_if_stale() {
  if (!map_.is_stale() || !on_device()) return;
  const bool moves = settings_->integrator().last_update().moves();
  for (auto* part : active_) {
    if (update_pending() && (moves || part->map().in_update())) return;
    part->count_map(!stepper_.between_steps() && backup_ == Backup::kept);
  }
  map_.note_count();
}

/// Devices that share a galaxy lack the positions that others moved.
void CudaEngine::note_moved() const {
  if (exchange_) exchange_->note_moved();
}

/// True if the kick that ends the last step can go along with the update that begins the next one.
bool CudaEngine::next_update_takes_kick() const {
  // A map that the update counts is of the step that it ends.
  if (settings_->kernel.map_in_update) return false;
  return update_pending() && backup_ == Backup::none && settings_->integrator().last_kick_can_wait() &&
         stepper_.has_forces();
}

/// True if steps write their end where they are told: one GPU, no graph, in which addresses are fixed.
bool CudaEngine::writes_in_passing() const {
  return settings_ && settings_->kernel.updates() && settings_->schedule != Schedule::graph &&
         parts_.size() == 1;
}

/// Tells fused kernels what the evaluation that begins is for, and where its vertices go.
void CudaEngine::set_fused() {
  if (!settings_->kernel.updates()) return;
  const bool ends_step = !pass_.first_of_run;
  const auto* target = vertices_.begin(ends_step && writes_in_passing(), count());
  for (auto* part : active_) {
    part->make_current();
    if (target != nullptr && target->free_event != nullptr)
      check(driver()->cuStreamWaitEvent(part->streams().main(), static_cast<CUevent>(target->free_event),
                                        CU_EVENT_WAIT_DEFAULT),
            "waiting for the vertex buffer");
    const auto address = [&](float* VertexTarget::*memory) {
      return target == nullptr ? 0 : reinterpret_cast<CUdeviceptr>(target->*memory);
    };
    part->fused().set(ends_step, address(&VertexTarget::position), address(&VertexTarget::velocity));
  }
}

/// Later evaluations of a step may fail while the bodies are halfway: graphs are captured anew for each.
bool CudaEngine::may_fail_halfway() const {
  if (settings_->schedule == Schedule::graph) return settings_->integrator().evaluations() > 1;
  // Galaxies that are done are ahead of the others.
  return fuses_ahead() && std::ranges::any_of(active_, [](const auto* part) { return part->galaxies() > 1; });
}

bool CudaEngine::longer_than_a_slice() const {
  const auto evaluations = static_cast<double>(settings_->integrator().evaluations());
  return std::ranges::any_of(active_, [&](auto* part) {
    return evaluations * part->interactions() > settings_->slice_ms * part->queue().rate();
  });
}

void CudaEngine::prepare_step(bool wait) {
  const bool wanted = (!wait && longer_than_a_slice()) || may_fail_halfway() || looks_between();
  backup_ = wanted ? Backup::wanted : Backup::none;
  if (!next_update_takes_kick()) flush_update();
}

void CudaEngine::begin_step(bool with_forces) {
  if (backup_ == Backup::wanted) backup_ = Backup::kept;
  if (domains_) domains_->balance().begin_step(with_forces);
  timeline_.start(schedule_name(settings_->schedule), active_);
  for (auto* part : active_) {
    if (backup_ == Backup::kept)
      part->keep_backup();
    else
      part->drop_backup();
  }
}

void CudaEngine::begin_pass(const Pass& pass) {
  pass_ = pass;
  if (domains_ && pass.first_of_run) domains_->balance().begin_step(false);
  if (is_adaptive() && !pass.first_of_run) {
    for (auto* part : active_) part->set_part_of_step(pass.part);
  }
  if (!fuses_ahead() || pass.first_of_run) return begin_evaluation();
  // The last evaluation has begun this step: in the other buffer.
  for (auto* part : active_) part->swap_states();
  note_moved();
  try {
    begin_evaluation();
  } catch (const Error&) {
    for (auto* part : active_) part->swap_states();
    throw;
  }
}

/// True if trees may go on with the cells of an earlier evaluation: by the number of the step, or of the
/// block time in it, so that the same run gives the same bits.
bool CudaEngine::keeps_cells() const {
  if (!has_block_steps()) return settings_->tree.keeps_cells_at(stepper_.steps());
  return !pass_.first_of_run && settings_->tree.keeps_cells_at(pass_.block_time);
}

void CudaEngine::begin_evaluation() {
  // First what may fail: out of memory.
  for (auto* part : active_) {
    part->allocate_scratch();
    part->keep_cells(keeps_cells());
  }
  const auto& integrator = settings_->integrator();
  const auto before = pass_.before;
  const auto step = static_cast<int>(stepper_.steps());
  // On a round trip the host moves the bodies.
  const bool kicks = !pass_.first_of_run && !settings_->round_trip && !before.empty() &&
                     !settings_->kernel.updates() && !has_block_steps();
  // Sampled forces belong to positions that the update has not moved yet.
  const bool moves = !pass_.first_of_run && pass_.ends_part && !looks_between() && settings_->forks() &&
                     !settings_->kernel.updates() && !settings_->round_trip && !sampler_.due() &&
                     std::ranges::any_of(active_, [](const auto* part) { return part->galaxies() > 1; });
  const UpdateBefore update{before, update_pending() ? integrator.last_update().kick : 0.0};
  // Graphs serve parts of any length.
  const bool alone = kicks && exchange_ == nullptr && !looks_between();
  set_fused();
  for (auto* part : active_) part->prepare(moves, step, alone ? &update : nullptr);
  place_ = Place::device;
  for (auto* part : active_) {
    part->begin_evaluation(step, kicks || exchange_ != nullptr);
    if (kicks && !part->graph_updates()) part->update(update.coefficients, 0, 0, update.last_kick);
  }
  // Of charges and jerks the velocities go along.
  if (kicks && (before.moves() || needs_velocities())) note_moved();
  // Every device needs all positions before it computes forces on its own bodies.
  if (exchange_) exchange_->run_if_due(needs_velocities(), step);
  for (auto* part : active_) part->begin_forces(moves);
}

/// True if some milliseconds of work wait for a device; with `wait` room is made instead.
bool CudaEngine::queues_full(bool wait) {
  bool full = false;
  for (auto* part : active_) {
    part->make_current();
    if (wait)
      part->queue().make_room();
    else
      full = part->queue().full() || full;
  }
  return full;
}

/// Queues some of the forces on every device; true when all are queued.
bool CudaEngine::queue_forces(double most_ms) {
  if (domains_) {
    domains_->evaluate();
    return true;
  }
  bool all = true;
  for (auto* part : active_) all = part->queue_forces(most_ms * part->queue().rate()) && all;
  return all;
}

/// The part of an evaluation under way that is queued, on the GPU that has queued least.
double CudaEngine::part_queued() const {
  if (active_.empty() || !active_.front()->queue().evaluates() || domains_) return 0.0;
  double least = 1.0;
  for (const auto* part : active_) least = std::min(least, part->queued_part());
  return least;
}

void CudaEngine::end_evaluation() {
  for (auto* part : active_) part->end_evaluation();
}

bool CudaEngine::advance(const WorkBudget& wanted) try {
  if (count() == 0) return false;
  loss_.refuse();
  // Processes of a team meet in every step: none may leave it before the others.
  const auto budget = team_.has_others() ? WorkBudget{.was_idle = wanted.was_idle} : wanted;
  if (!ensure_modules(budget.time == std::chrono::nanoseconds::max())) return false;
  if (round_trip_) return round_trip_->advance(budget);
  if (!on_device()) upload();
  if (!team_.has_others() && should_cut()) cut_again();
  check_progress();
  if (budget.was_idle) {
    for (auto* part : active_) part->queue().note_rest();
  }
  return stepper_.advance(budget);
} catch (const Error& error) {
  explain_loss(error);
}

/// Without a copy of the state before it, a step that has begun is queued to its end.
bool CudaEngine::has_room(bool wait) { return !queues_full(wait || !may_leave_step()); }

StepDevice::Outcome CudaEngine::compute_forces(const WorkBudget& budget) {
  if (!queue_forces(slice_ms(budget.time == std::chrono::nanoseconds::max()))) return Outcome::pending;
  end_evaluation();
  return Outcome::done;
}

/// A motion that ends the step waits for what writes vertices, or begins the next step.
void CudaEngine::end_part(const MotionUpdate& last, const Pass& pass) {
  if (!is_adaptive()) return;
  // Forces that depend on velocities are of those before the last kick.
  if (pass.ends_step && settings_->physics.law->uses_charges) sample_forces();
  for (auto* part : active_) part->update(last, 0, 0);
}

void CudaEngine::end_step() {
  if (!is_adaptive() || !settings_->physics.law->uses_charges) sample_forces();
  if (!settings_->kernel.updates()) {
    if (!active_.front()->moves_galaxies() && !looks_between()) place_ = Place::before_update;
  } else if (!fuses_ahead()) {
    for (auto* part : active_) part->swap_states();
  }
  vertices_.end_step();
  note_moved();
  for (auto* part : active_) part->drop_backup();
  backup_ = Backup::none;
  map_.note_step();
  count_map_if_stale();
}

void CudaEngine::after_step() {
  timings_.note_step();
  stop_timeline();
  if (loss_.keeps_copies()) {
    flush_update();
    loss_.queue_copy_if_due(stepper_.time(), stepper_.steps());
  }
}

/// The accelerations are not those of the place where the step began: they are computed again.
bool CudaEngine::give_up_step() {
  backup_ = Backup::none;
  if (domains_) domains_->balance().give_up_step();
  for (auto* part : active_) {
    part->restore_backup();
    part->queue().abandon_evaluation();
    part->timeline().cancel();
  }
  timeline_.cancel();
  note_moved();
  return false;
}

void CudaEngine::keep_part() {
  for (auto* part : active_) part->keep_part();
}

void CudaEngine::restore_part() {
  for (auto* part : active_) part->restore_part();
}

void CudaEngine::measure_acceleration() {
  for (auto* part : active_) part->measure_acceleration();
}

/// Polls for a moment before it says that a number is not there yet.
bool CudaEngine::is_measured(bool wait) const {
  constexpr std::chrono::microseconds patience{200};
  const auto until = std::chrono::steady_clock::now() + patience;
  const auto measured = [](GpuWorker* part) {
    part->make_current();
    return part->part().is_measured() && part->block_steps().is_known();
  };
  while (!std::ranges::all_of(active_, measured)) {
    if (wait) {
      for (auto* part : active_) {
        part->make_current();
        part->part().wait();
        part->block_steps().wait();
      }
    } else if (std::chrono::steady_clock::now() > until) {
      return false;
    }
  }
  return true;
}

std::optional<double> CudaEngine::largest_acceleration(bool wait) {
  if (!is_measured(wait)) return std::nullopt;
  double largest = 0.0;
  for (const auto* part : active_) largest = std::max(largest, part->part().largest_acceleration());
  return team_.largest(largest);
}

void CudaEngine::begin_block_steps() { home().allocate_block_steps(); }

/// The GPU chooses levels and lists the active bodies; the host learns how many there are and when.
void CudaEngine::advance_block_steps(std::uint32_t now, bool ends, bool begins) {
  const auto criterion = settings_->physics.step_criterion();
  home().advance_block_steps({.step = settings_->physics.time_step,
                              .accuracy = criterion.accuracy,
                              .length = criterion.length,
                              .now = now,
                              .ends = ends ? 1 : 0,
                              .begins = begins ? 1 : 0});
}

std::optional<BlockTime> CudaEngine::next_block_time(bool wait) {
  if (!is_measured(wait)) return std::nullopt;
  const auto now = home().take_block_time();
  return BlockTime{static_cast<std::uint32_t>(now), home().block_steps().active()};
}

void CudaEngine::end_block_time(bool /*ends_step*/) { home().end_block_time(); }

void CudaEngine::check_progress() { timings_.poll(active_); }

void CudaEngine::finish() try {
  synchronize();
  timings_.count_unmeasured(active_);
  check_progress();
} catch (const Error& error) {
  explain_loss(error);
}

void CudaEngine::synchronize() {
  for (const auto& part : parts_) {
    part->make_current();
    part->streams().wait();
    part->queue().make_room();
  }
}

}  // namespace orrery::sim::cuda
