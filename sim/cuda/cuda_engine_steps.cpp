#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <utility>

#include "sim/cuda/cuda_engine_class.h"
#include "sim/cuda/driver/api.h"

namespace orrery::sim::cuda {

void CudaEngine::flush_update() {
  if (!std::exchange(update_pending_, false)) return;
  const bool counts = map_waits_for_update();
  for (auto* part : active_) part->update(settings_->integrator().last_update(), 0, 0, 0.0, counts);
  if (counts) map_is_current_ = true;
}

/// True if the update that is still to be done is followed, or accompanied, by the count of the map.
bool CudaEngine::map_waits_for_update() const { return map_in_force_.size > 0 && !map_is_current_; }

/// The map of the last complete step, unless an update is still to move its bodies or to count them.
void CudaEngine::count_map_if_stale() {
  if (map_is_current_ || map_in_force_.size == 0 || !on_device_) return;
  const bool moves = settings_->integrator().last_update().moves();
  for (auto* part : active_) {
    if (update_pending_ && (moves || part->map().in_update())) return;
    part->count_map(stage_ != Stage::between_steps && backed_up_);
  }
  map_is_current_ = true;
}

void CudaEngine::make_exchange() {
  if (exchange_ == nullptr && settings_->split_bodies && active_.size() > 1)
    exchange_ = std::make_unique<BodyExchange>(active_);
}

/// Every device needs all positions before it computes forces on its own bodies.
void CudaEngine::exchange_if_stale() {
  if (!exchange_ || !positions_are_stale_) return;
  exchange_->run(needs_velocities(), static_cast<int>(steps_));
  positions_are_stale_ = false;
}

/// True if the kick that ends the last step can go along with the update that begins the next one.
bool CudaEngine::next_update_takes_kick(bool keep_backup) const {
  // A map that the update counts is of the step that it ends.
  if (settings_->kernel.map_in_update) return false;
  return update_pending_ && !keep_backup && settings_->integrator().last_kick_can_wait() &&
         acceleration_is_current_;
}

/// True if steps write their end where they are told: one GPU, no graph, in which addresses are fixed.
bool CudaEngine::writes_in_passing() const {
  return settings_ && settings_->kernel.updates() && settings_->schedule != Schedule::graph &&
         parts_.size() == 1;
}

/// Tells fused kernels what the evaluation that begins is for, and where its vertices go.
void CudaEngine::set_fused(Stage stage) {
  if (!settings_->kernel.updates()) return;
  const bool ends_step = stage == Stage::forces;
  vertices_of_last_ = vertices_of_step_ = nullptr;
  if (ends_step && writes_in_passing() && offered_.space == VertexTarget::Space::device &&
      offered_.bodies >= count())
    vertices_of_step_ = offered_.position;
  for (auto* part : active_) {
    part->make_current();
    if (vertices_of_step_ != nullptr && offered_.free_event != nullptr)
      check(driver()->cuStreamWaitEvent(part->streams().main(), static_cast<CUevent>(offered_.free_event),
                                        CU_EVENT_WAIT_DEFAULT),
            "waiting for the vertex buffer");
    const auto address = [&](const float* memory) {
      return vertices_of_step_ == nullptr ? 0 : reinterpret_cast<CUdeviceptr>(memory);
    };
    part->set_fused(ends_step, address(offered_.position), address(offered_.velocity));
  }
}

/// Later evaluations of a step may fail while the bodies are halfway: graphs are captured anew for each.
bool CudaEngine::may_fail_halfway() const {
  if (settings_->schedule == Schedule::graph) return settings_->integrator().evaluations() > 1;
  // Galaxies that are done are ahead of the others.
  return fuses_ahead() && std::ranges::any_of(active_, [](const auto* part) { return part->galaxies() > 1; });
}

void CudaEngine::begin_step(bool keep_backup) {
  keep_backup = keep_backup || may_fail_halfway() || looks_between();
  if (!next_update_takes_kick(keep_backup)) flush_update();
  evaluation_ = 0;
  if (settings_->integrator().starts_with_acceleration() && !acceleration_is_current_)
    return begin_forces(Stage::first_forces);
  backed_up_ = keep_backup;
  start_timeline();
  for (auto* part : active_) {
    if (keep_backup)
      part->keep_backup();
    else
      part->drop_backup();
  }
  if (is_adaptive()) return begin_parts();
  if (has_individual_steps()) return begin_individual();
  if (!fuses_ahead()) return begin_forces(Stage::forces);
  // The last evaluation has begun this step: in the other buffer.
  for (auto* part : active_) part->swap_states();
  positions_are_stale_ = true;
  try {
    begin_forces(Stage::forces);
  } catch (const Error&) {
    for (auto* part : active_) part->swap_states();
    throw;
  }
}

/// True if trees may go on with the cells of an earlier evaluation: by the number of the step, or of the
/// block time in it, so that the same run gives the same bits.
bool CudaEngine::keeps_cells(Stage stage) const {
  if (!has_individual_steps()) return settings_->tree.keeps_cells_at(steps_);
  return stage != Stage::first_forces && settings_->tree.keeps_cells_at(moments_ - 1);
}

void CudaEngine::begin_forces(Stage stage) {
  // First what may fail: out of memory.
  make_exchange();
  for (auto* part : active_) {
    part->allocate_scratch();
    part->keep_cells(keeps_cells(stage));
  }
  const auto& integrator = settings_->integrator();
  const auto before = integrator.update(evaluation_);
  // On a round trip the host moves the bodies.
  const bool kicks = stage == Stage::forces && !settings_->round_trip && !before.empty() &&
                     !settings_->kernel.updates() && !has_individual_steps();
  const bool last = evaluation_ + 1 == integrator.evaluations();
  // Sampled forces belong to positions that the update has not moved yet.
  moves_ = stage == Stage::forces && last && !looks_between() && settings_->forks() &&
           !settings_->kernel.updates() && !settings_->round_trip && !sampler_.due() &&
           std::ranges::any_of(active_, [](const auto* part) { return part->galaxies() > 1; });
  const UpdateBefore update{before, update_pending_ ? integrator.last_update().kick : 0.0};
  // Graphs serve parts of any length.
  const bool alone = kicks && exchange_ == nullptr && !looks_between();
  set_fused(stage);
  for (auto* part : active_) part->prepare(moves_, static_cast<int>(steps_), alone ? &update : nullptr);
  stage_ = stage;
  update_pending_ = false;
  for (auto* part : active_) {
    part->begin_evaluation(static_cast<int>(steps_), kicks || exchange_ != nullptr);
    if (kicks && !part->graph_updates()) part->update(update.coefficients, 0, 0, update.last_kick);
  }
  // Of charges and jerks the velocities go along.
  if (kicks && (before.moves() || needs_velocities())) positions_are_stale_ = true;
  exchange_if_stale();
  for (auto* part : active_) part->begin_forces(moves_);
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
    domains_->evaluate(weights_);
    return true;
  }
  bool all = true;
  for (auto* part : active_) all = part->queue_forces(most_ms * part->queue().rate()) && all;
  return all;
}

void CudaEngine::end_evaluation() {
  for (auto* part : active_) part->end_evaluation();
}

bool CudaEngine::advance(const WorkBudget& budget) {
  if (count() == 0) return false;
  if (!lost_.empty()) throw Error(lost_);
  return guarded([&] { return step_within(budget); });
}

bool CudaEngine::step_within(const WorkBudget& budget) {
  const bool wait = budget.time == std::chrono::nanoseconds::max();
  if (!ensure_modules(wait)) return false;
  if (settings_->round_trip) return step_on_host(budget);
  if (!on_device_) upload();
  cut_again_if_due();
  check_progress();
  if (budget.was_idle) {
    for (auto* part : active_) part->queue().note_rest();
  }
  const double slice_ms = wait ? 1e300 : settings_->slice_ms;
  const auto longer_than_a_slice = [&] {
    const auto evaluations = static_cast<double>(settings_->integrator().evaluations());
    return std::ranges::any_of(active_, [&](auto* part) {
      return evaluations * part->interactions() > slice_ms * part->queue().rate();
    });
  };
  // Without a copy of the state before it, a step that has begun is queued to its end.
  const auto indivisible = [&] {
    return (stage_ == Stage::forces || stage_ == Stage::between_evaluations) && !backed_up_;
  };
  while (indivisible() || budget.interrupt == nullptr || !budget.interrupt->load()) {
    if (queues_full(wait || indivisible())) return false;
    if (stage_ == Stage::between_steps) begin_step(!wait && longer_than_a_slice());
    if (stage_ == Stage::choosing) {
      if (!(has_individual_steps() ? choose_moment(wait) : choose_part(wait))) return false;
      if (stage_ == Stage::between_steps) return true;
    }
    if (stage_ == Stage::between_evaluations) begin_forces(Stage::forces);
    if (!queue_forces(slice_ms)) continue;
    end_evaluation();
    if (end_step_if_last()) return true;
  }
  return false;
}

/// After an evaluation: true when it was the step's last one.
bool CudaEngine::end_step_if_last() {
  if (std::exchange(stage_, Stage::between_steps) == Stage::first_forces) {
    acceleration_is_current_ = true;
    return false;
  }
  if (++evaluation_ < settings_->integrator().evaluations()) {
    stage_ = Stage::between_evaluations;
    return false;
  }
  if (has_individual_steps()) return end_moment();
  if (is_adaptive()) {
    end_part();
    return false;
  }
  end_step();
  return true;
}

void CudaEngine::end_step() {
  if (!is_adaptive() || !settings_->physics.law->uses_charges) sample_forces();
  parts_of_step_ = is_adaptive() ? cut_.parts() : 0;
  moments_of_step_ = has_individual_steps() ? moments_ : 0;
  forces_of_body_ = computed_ / static_cast<double>(std::max<std::size_t>(count(), 1));
  if (!settings_->kernel.updates()) {
    update_pending_ = !moves_ && !looks_between();
  } else if (!fuses_ahead()) {
    for (auto* part : active_) part->swap_states();
  }
  vertices_of_last_ = std::exchange(vertices_of_step_, nullptr);
  positions_are_stale_ = true;
  for (auto* part : active_) part->drop_backup();
  backed_up_ = false;
  map_is_current_ = false;
  count_map_if_stale();
  acceleration_is_current_ = settings_->integrator().keeps_acceleration();
  time_ += settings_->physics.time_step;
  ++steps_;
  launches_of_step_ = launches_of_this_thread() - std::exchange(launches_, launches_of_this_thread());
  stop_timeline();
  if (checkpoint_) {
    flush_update();
    checkpoint_->queue_if_due(fault_.device >= 0 ? 0.0 : copy_interval, time_, steps_);
  }
  if (fault_.device >= 0 && steps_ == fault_.step) {
    for (auto* part : active_) {
      if (part->info().ordinal == fault_.device) part->break_device();
    }
  }
}

/// The round trip of ECE415 2022: the GPU computes forces and updates velocities, the host moves the bodies.
/// Whole bodies go in and come back, or positions go in and velocities come back.
void CudaEngine::kick_on_device() {
  const auto& integrator = settings_->integrator();
  const auto last = integrator.last_update();
  forces_for_host(settings_->positions_in_only && velocities_on_device_);
  velocities_on_device_ = false;
  sample_forces();
  for (auto* part : active_) part->update({.kick = last.kick, .kick_first = true}, 0, 0);
  const auto write = [](GpuWorker& part, CUdeviceptr position, CUdeviceptr velocity) {
    part.write_vertices(position, velocity, false);
  };
  port_->download_velocities(active_, write, host_, !settings_->positions_in_only, settings_->pinned);
  finish();
  velocities_on_device_ = true;
  const auto dt = static_cast<float>(settings_->physics.time_step);
  MotionUpdate{.drift = last.drift}.apply({host_.position, host_.velocity, host_acceleration_}, dt);
}

/// The reports' round trip: the host holds the bodies and integrates, the GPU only computes accelerations.
bool CudaEngine::step_on_host(const WorkBudget& budget) {
  if (budget.interrupt != nullptr && budget.interrupt->load()) return false;
  const auto& integrator = settings_->integrator();
  host_acceleration_.resize(count());
  evaluation_ = 0;
  if (integrator.starts_with_acceleration() && !acceleration_is_current_) evaluate_for_host(false);
  const auto field = settings_->physics.field_at();
  position_before_ = host_.position;
  velocity_before_ = host_.velocity;
  position_slope_.resize(integrator.has_slopes() ? count() : 0);
  velocity_slope_.resize(position_slope_.size());
  const Motion motion{.position = host_.position,
                      .velocity = host_.velocity,
                      .acceleration = host_acceleration_,
                      .field = field.field->acts() ? &field : nullptr,
                      .position_begin = position_before_,
                      .velocity_begin = velocity_before_,
                      .position_slope = position_slope_,
                      .velocity_slope = velocity_slope_};
  const auto dt = static_cast<float>(settings_->physics.time_step);
  // On the other round trips the GPU has kicked, and the host has drifted.
  const std::size_t evaluations = settings_->kicks_on_device ? 0 : integrator.evaluations();
  try {
    if (settings_->kicks_on_device) kick_on_device();
    for (std::size_t k = 0; k < evaluations; ++k) {
      integrator.update(k).apply(motion, dt);
      evaluate_for_host(k + 1 == evaluations);
    }
  } catch (const Error&) {
    // The step is made again as a whole, or not at all.
    host_.position.swap(position_before_);
    host_.velocity.swap(velocity_before_);
    on_device_ = velocities_on_device_ = false;
    stage_ = Stage::between_steps;
    throw;
  }
  if (!settings_->kicks_on_device) integrator.last_update().apply(motion, dt);
  // The GPU's copy is that of the force evaluation: the host's is the state.
  on_device_ = false;
  acceleration_is_current_ = integrator.keeps_acceleration();
  time_ += settings_->physics.time_step;
  ++steps_;
  return true;
}

/// Bodies in (all of them, or positions where the rest is there), forces queued.
void CudaEngine::forces_for_host(bool positions_only) {
  if (active_.empty()) share_out();
  if (positions_only) {
    port_->upload_positions(active_, host_, settings_->pinned);
  } else {
    for (auto* part : active_) part->allocate();
    port_->upload(active_, host_, settings_->physics.law->uses_charges, settings_->pinned);
  }
  on_device_ = true;
  begin_forces(Stage::forces);
  while (!queue_forces(1e300)) continue;
  end_evaluation();
  stage_ = Stage::between_steps;
}

/// Bodies in, forces, accelerations out into host_acceleration_.
void CudaEngine::evaluate_for_host(bool sampled) {
  forces_for_host(false);
  auto* memory = port_->accelerations_memory(count(), settings_->real_bytes(), settings_->pinned);
  for (auto* part : active_) port_->copy_accelerations(*part, settings_->real_bytes(), memory);
  if (sampled) sample_forces();
  finish();
  const auto* as_float = reinterpret_cast<const float*>(memory);
  const auto* as_double = reinterpret_cast<const double*>(memory);
  for (std::size_t i = 0; i < count(); ++i) {
    host_acceleration_[i] = settings_->real_bytes() == 4
                                ? Vec3{as_float[3 * i], as_float[3 * i + 1], as_float[3 * i + 2]}
                                : Vec3(DVec3{as_double[3 * i], as_double[3 * i + 1], as_double[3 * i + 2]});
  }
}

void CudaEngine::check_progress() {
  for (std::size_t k = 0; k < active_.size(); ++k) {
    active_[k]->make_current();
    active_[k]->queue().poll(part_timings_[k], evaluating());
    active_[k]->read_pulls();
  }
  if (part_timings_.empty()) return;
  // Devices work at the same time: the slowest counts.
  const auto most = [&](auto member) {
    return std::invoke(member, *std::ranges::max_element(part_timings_, {}, member));
  };
  add_up_interactions();
  timings_.force_ms = most(&StepTimings::force_ms);
  timings_.map_ms = 0.0;
  for (auto* part : active_) timings_.map_ms = std::max(timings_.map_ms, part->map().milliseconds());
  timings_.update_ms = most(&StepTimings::update_ms);
  const auto& last = *std::ranges::min_element(part_timings_, {}, &StepTimings::evaluations);
  timings_.evaluations = last.evaluations;
  timings_.sums = last.sums;
  add_measured();
}

/// Adds the evaluations measured since the last call, once every device has some: each took as long as on the
/// slowest device.
void CudaEngine::add_measured() {
  auto fewest = std::numeric_limits<std::uint64_t>::max();
  double slowest_ms = 0.0, share = 1.0;
  for (std::size_t k = 0; k < part_timings_.size(); ++k) {
    const auto count = part_timings_[k].measured - counted_[k].measured;
    if (count == 0) return;
    fewest = std::min(fewest, count);
    // Less than 1 on one device alone.
    share = (part_timings_[k].measured_sums - counted_[k].measured_sums) / static_cast<double>(count);
    slowest_ms = std::max(
        slowest_ms, (part_timings_[k].measured_ms - counted_[k].measured_ms) / static_cast<double>(count));
  }
  timings_.measured += fewest;
  timings_.measured_ms += static_cast<double>(fewest) * slowest_ms;
  timings_.measured_sums += static_cast<double>(fewest) * share;
  counted_ = part_timings_;
}

void CudaEngine::finish() {
  guarded([this] {
    synchronize();
    for (std::size_t k = 0; k < active_.size(); ++k) active_[k]->queue().count_unmeasured(part_timings_[k]);
    check_progress();
  });
}

void CudaEngine::synchronize() {
  for (const auto& part : parts_) {
    part->make_current();
    part->streams().wait();
    part->queue().make_room();
  }
}

}  // namespace orrery::sim::cuda
