#include "sim/cuda/cuda_engine.h"

namespace orrery::sim::cuda {

bool CudaEngine::RoundTrip::advance(const WorkBudget& budget) {
  if (budget.interrupt != nullptr && budget.interrupt->load()) return false;
  try {
    return engine_.stepper_.advance(budget);
  } catch (const Error&) {
    // The step is made again as a whole, or not at all.
    engine_.stepper_.give_up();
    throw;
  }
}

void CudaEngine::RoundTrip::begin_step(bool /*with_forces*/) {
  const auto& host = engine_.host_;
  position_before_ = host.position;
  velocity_before_ = host.velocity;
  position_slope_.resize(engine_.settings_->integrator().has_slopes() ? host.size() : 0);
  velocity_slope_.resize(position_slope_.size());
  begun_ = true;
}

void CudaEngine::RoundTrip::move(const MotionUpdate& update) {
  auto& host = engine_.host_;
  const auto field = engine_.settings_->physics.field_at();
  update.apply({.position = host.position,
                .velocity = host.velocity,
                .acceleration = acceleration_,
                .field = field.field->acts() ? &field : nullptr,
                .position_begin = position_before_,
                .velocity_begin = velocity_before_,
                .position_slope = position_slope_,
                .velocity_slope = velocity_slope_},
               step());
}

void CudaEngine::RoundTrip::begin_pass(const Pass& pass) {
  pass_ = pass;
  acceleration_.resize(engine_.count());
  if (!pass.first_of_run && !engine_.settings_->kicks_on_device) move(pass.before);
}

StepDevice::Outcome CudaEngine::RoundTrip::compute_forces(const WorkBudget& /*budget*/) {
  if (!pass_.first_of_run && engine_.settings_->kicks_on_device) {
    kick_on_device();
    return Outcome::part_done;
  }
  evaluate(!pass_.first_of_run && pass_.ends_part);
  return Outcome::done;
}

void CudaEngine::RoundTrip::end_part(const MotionUpdate& last, const Pass& /*pass*/) { move(last); }

/// The GPU's copy is that of the force evaluation: the host's is the state.
void CudaEngine::RoundTrip::end_step() {
  engine_.place_ = Place::host;
  begun_ = false;
}

bool CudaEngine::RoundTrip::give_up_step() {
  if (!std::exchange(begun_, false)) return false;
  engine_.host_.position.swap(position_before_);
  engine_.host_.velocity.swap(velocity_before_);
  engine_.place_ = Place::host;
  velocities_on_device_ = false;
  return false;
}

/// Whole bodies go in and come back, or positions go in and velocities come back.
void CudaEngine::RoundTrip::kick_on_device() {
  const auto& settings = *engine_.settings_;
  const auto last = settings.integrator().last_update();
  queue_forces(settings.positions_in_only && velocities_on_device_);
  velocities_on_device_ = false;
  engine_.sample_forces();
  for (auto* part : engine_.active_) part->update({.kick = last.kick, .kick_first = true}, 0, 0);
  BodyWrite write;
  engine_.port_->download(engine_.active_, write, engine_.host_, settings.pinned,
                          !settings.positions_in_only);
  engine_.finish();
  velocities_on_device_ = true;
  auto& host = engine_.host_;
  MotionUpdate{.drift = last.drift}.apply({host.position, host.velocity, acceleration_}, step());
}

/// Bodies in (all of them, or positions where the rest is there), forces queued.
void CudaEngine::RoundTrip::queue_forces(bool positions_only) {
  if (engine_.active_.empty()) engine_.share_out();
  const auto& settings = *engine_.settings_;
  if (!positions_only) {
    for (auto* part : engine_.active_) part->allocate();
  }
  engine_.port_->upload(engine_.active_, engine_.host_, settings.physics.law->uses_charges, settings.pinned,
                        positions_only);
  engine_.place_ = Place::device;
  engine_.pass_ = {.before = {}, .ends_part = pass_.ends_part};
  engine_.begin_evaluation();
  while (!engine_.queue_forces(engine_.slice_ms(true))) continue;
  engine_.end_evaluation();
}

/// Bodies in, forces, accelerations out.
void CudaEngine::RoundTrip::evaluate(bool sampled) {
  queue_forces(false);
  const auto& settings = *engine_.settings_;
  auto* memory = engine_.port_->accelerations_memory(engine_.count(), settings.real_bytes(), settings.pinned);
  for (auto* part : engine_.active_) engine_.port_->copy_accelerations(*part, settings.real_bytes(), memory);
  if (sampled) engine_.sample_forces();
  engine_.finish();
  const auto* as_float = reinterpret_cast<const float*>(memory);
  const auto* as_double = reinterpret_cast<const double*>(memory);
  for (std::size_t i = 0; i < engine_.count(); ++i) {
    acceleration_[i] = settings.real_bytes() == 4
                           ? Vec3{as_float[3 * i], as_float[3 * i + 1], as_float[3 * i + 2]}
                           : Vec3(DVec3{as_double[3 * i], as_double[3 * i + 1], as_double[3 * i + 2]});
  }
}

}  // namespace orrery::sim::cuda
