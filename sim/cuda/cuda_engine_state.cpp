#include <fmt/format.h>

#include <algorithm>

#include "sim/cuda/cuda_engine_class.h"
#include "sim/cuda/cuda_engine_round_trip.h"

namespace orrery::sim::cuda {

namespace {

/// An array without content: the accelerations that are there are those that the next step begins with.
constexpr std::string_view forces_are_current = "acceleration-is-current";

}  // namespace

/// All that shapes the arrays.
std::string CudaEngine::form_of_state() const {
  const auto& kernel = settings_->kernel;
  return fmt::format("cuda {} {} bits, {} dimensions{}{}{}{}{}{}, {} parts", kernel.layout, kernel.precision,
                     kernel.dimensions, kernel.law->uses_charges ? ", charges" : "",
                     kernel.compensated ? ", compensated" : "", kernel.jerks ? ", jerks" : "",
                     kernel.updates() ? ", fused" : "", settings_->round_trip ? ", on the host" : "",
                     settings_->split == Split::domains ? ", domains" : "", parts_.size());
}

EngineState CudaEngine::save_state() try {
  loss_.refuse();
  if (should_cut()) cut_again();
  EngineState state{.time = stepper_.time(),
                    .steps = stepper_.steps(),
                    .position = {},
                    .velocity = {},
                    .form = {},
                    .arrays = {}};
  Bodies bodies;
  bodies.position.resize(count());
  bodies.velocity.resize(count());
  read_back(bodies);
  state.position = std::move(bodies.position);
  state.velocity = std::move(bodies.velocity);
  if (!settings_) return state;
  state.form = form_of_state();
  const bool complete = stepper_.between_steps();
  if (stepper_.has_forces() && complete) state.arrays.push_back({std::string(forces_are_current), {}});
  if (round_trip_ && !round_trip_->accelerations().empty())
    state.add(forces_array, round_trip_->accelerations());
  if (!on_device()) return state;
  for (std::size_t k = 0; k < active_.size(); ++k)
    active_[k]->save(state, std::to_string(k), !complete && backup_ == Backup::kept);
  if (domains_) save_domains(state);
  return state;
} catch (const Error& error) {
  explain_loss(error);
}

bool CudaEngine::restore_state(const EngineState& state) try {
  loss_.refuse();
  if (state.position.size() != count() || state.velocity.size() != count())
    throw Error("the state is of another number of bodies");
  stepper_.give_up();
  host_.position = state.position;
  host_.velocity = state.velocity;
  stepper_.start(state.time, state.steps, false);
  place_ = Place::host;
  if (round_trip_) round_trip_->forget();
  ensure_modules(true);
  enter_plane();
  if (!settings_ || state.form != form_of_state()) return false;
  const bool current = state.find(forces_are_current) != nullptr;
  if (round_trip_) {
    auto& accelerations = round_trip_->accelerations();
    accelerations.resize(count());
    const bool has_forces = current && state.read(forces_array, accelerations);
    stepper_.start(state.time, state.steps, has_forces);
    return true;
  }
  // Before the first step there is no more than what was loaded.
  if (state.find("bodies-0") == nullptr) return true;
  if (settings_->split == Split::domains && !cut_.take(state, count(), parts_.size())) return false;
  upload();
  if (domains_ && !domains_->balance().take(state)) {
    place_ = Place::host;
    return false;
  }
  const auto restored = [&](std::size_t k) { return active_[k]->restore(state, std::to_string(k)); };
  for (std::size_t k = 0; k < active_.size(); ++k) {
    if (restored(k)) continue;
    place_ = Place::host;
    return false;
  }
  const bool ahead =
      !fuses_ahead() || std::ranges::all_of(active_, [](auto* part) { return part->fused().is_filled(); });
  stepper_.start(state.time, state.steps, current && ahead);
  note_moved();
  return true;
} catch (const Error& error) {
  explain_loss(error);
}

}  // namespace orrery::sim::cuda
