#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "sim/core/time_account.h"
#include "sim/cuda/cuda_engine.h"
#include "sim/cuda/driver/api.h"
#include "sim/engines/packed_bodies.h"

namespace orrery::sim::cuda {

namespace {

/// An array without content: the accelerations that are there are those that the next step begins with.
constexpr std::string_view forces_are_current = "acceleration-is-current";

}  // namespace

void CudaEngine::observe(const SampleRequest& wanted) {
  if (wanted.timeline) timeline_.request();
  if (wanted.forces > 0) sampler_.request(wanted);
}

Samples CudaEngine::poll() try {
  return {.published = has_published(), .forces = sampler_.take(), .timeline = timeline_.take(active_)};
} catch (const Error& error) {
  explain_loss(error);
}

/// "GPU 1 (NVIDIA H200)" of those that do not answer any more, or "". A GPU that faults takes the others of
/// this process with it where they can read its memory: then it is one of those named.
std::string CudaEngine::failed_devices() const {
  std::vector<std::string> names;
  for (const auto& part : parts_) {
    const CUresult result = driver()->cuCtxSetCurrent(part->context()) == CUDA_SUCCESS
                                ? driver()->cuStreamQuery(part->streams().main())
                                : CUDA_ERROR_UNKNOWN;
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY)
      names.push_back(fmt::format("GPU {} ({})", part->info().ordinal, part->info().name));
  }
  return fmt::format("{}{}", names.size() > 1 ? "one of " : "", fmt::join(names, ", "));
}

/// Called while an error is handled: if a device of several does not answer any more, goes back to the state
/// that was kept and says so.
void CudaEngine::explain_loss(const Error& error) {
  // All processes of a team get the error, and end. A loss was explained when it happened.
  if (team_.has_others() || loss_.happened()) throw;
  const auto failed = failed_devices();
  if (failed.empty() || parts_.size() < 2) throw;
  const auto reached = stepper_.steps();
  // What is on the host is not lost at all.
  const auto [time, steps] = on_device() ? loss_.go_back(host_) : GpuLoss::Kept{stepper_.time(), reached};
  place_ = Place::host;
  stepper_.start(time, steps, false);
  const auto message = fmt::format(
      "{} failed at step {}: {}; the last complete state that was kept is that of step {}, time {:g}; go on "
      "from it with engine=cpu, or in a new start of the program without that GPU",
      failed, reached, error.what(), steps, time);
  loss_.say(message);
  throw DeviceLost(message, reached - std::min(steps, reached));
}

void CudaEngine::write_vertices(const VertexTarget& target) try {
  if (target.bodies < count()) throw Error("the target holds fewer bodies than the engine");
  if (target.space == VertexTarget::Space::device) return publish_on_device(target);
  // Each process of a team counts the bodies that it moves.
  if (team_.has_others() && !on_device()) upload();
  if (!on_device()) {
    pack_bodies(host_.position, host_.velocity, host_.mass, target.position, target.velocity);
    publish_map(target);
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  write_bodies({}, [&](BodyWrite& write) {
    port_->download(active_, write, target.position, target.velocity, count(), settings_->pinned);
  });
  publish_map(target);
  timings_.set_publish_ms(milliseconds_since(start));
} catch (const Error& error) {
  explain_loss(error);
}

/// The update after the forces, if it is still to be done, writes the bodies on its way.
template <typename Transfer>
void CudaEngine::write_bodies(const std::optional<VertexFrame>& frame, Transfer transfer) {
  BodyWrite write{.counts_map = update_pending() && map_.is_stale(),
                  .from_backup = !stepper_.between_steps() && backup_ == Backup::kept,
                  .frame = frame};
  if (update_pending()) write.update = settings_->integrator().last_update();
  try {
    transfer(write);
  } catch (...) {
    note(write);
    throw;
  }
  note(write);
}

/// Where memory for the way was lacking, the update is still to be done.
void CudaEngine::note(const BodyWrite& write) {
  if (!write.has_begun) return;
  place_ = Place::device;
  vertices_.note_writer(write.update ? "update" : "publish");
  if (write.counts_map) map_.note_count();
}

/// The map of the step that was just published. Where a device counts it, its memory is written by the
/// device.
void CudaEngine::publish_map(const VertexTarget& target) {
  if (!target.takes(map())) return;
  const bool to_device = target.space == VertexTarget::Space::device;
  if (!on_device()) {
    std::vector<float> values(map_header + target.map_size * target.map_size);
    MapCounter().write(host_.position, map_.spec(), count(), omp_get_max_threads(), values.data());
    if (to_device)
      port_->copy_map_to_device(home(), values.data(), values.size(), target.map);
    else
      std::ranges::copy(values, target.map);
    return;
  }
  count_map_if_stale();
  home().make_current();
  map_.write(active_, home(), to_device ? reinterpret_cast<CUdeviceptr>(target.map) : 0);
  if (!to_device) port_->copy_map(home(), target.map);
}

void CudaEngine::publish_on_device(const VertexTarget& target) {
  home().make_current();
  const auto stream = home().streams().main();
  publishing_.begin(stream, true);
  const bool is_there = on_device() && stepper_.between_steps() && vertices_.are_in(target);
  vertices_.take_back();
  for (auto* part : active_) part->fused().drop_vertices();
  if (is_there) {
    vertices_.note_writer("fused_step");
  } else if (on_device()) {
    write_bodies(target.frame,
                 [&](BodyWrite& write) { port_->write_vertices(active_, home(), write, target); });
  } else {
    // Before the first step, and between round trips, the host holds the bodies.
    if (target.free_event != nullptr)
      check(driver()->cuEventSynchronize(static_cast<CUevent>(target.free_event)),
            "waiting for the vertex buffer");
    const std::size_t floats = 4 * count();
    std::vector<float> packed(2 * floats);
    pack_bodies(host_.position, host_.velocity, host_.mass, packed.data(), packed.data() + floats);
    if (target.frame) reframe(*target.frame, packed.data(), packed.data() + floats, count());
    port_->copy_to_target(home(), packed.data(), packed.data() + floats, count(), target);
  }
  publish_map(target);
  home().make_current();
  publishing_.end(stream);
}

bool CudaEngine::has_published() {
  if (!publishing_.running()) return true;
  home().make_current();
  const double milliseconds = publishing_.milliseconds();
  if (publishing_.running()) return false;
  timings_.set_publish_ms(milliseconds);
  return true;
}

void CudaEngine::read_back(Bodies& bodies) try {
  if (bodies.size() != count()) throw Error("read_back needs as many bodies as were loaded");
  if (!on_device()) {
    bodies.position = host_.position;
    bodies.velocity = host_.velocity;
    return;
  }
  // Waits for the GPU, which has nothing to do then.
  for (auto* part : active_) part->queue().note_rest();
  const TimedPhase phase("read back");
  write_bodies({}, [&](BodyWrite& write) { port_->download(active_, write, bodies, settings_->pinned); });
} catch (const Error& error) {
  explain_loss(error);
}

/// Queues copies of positions and accelerations as they are between the forces and the update.
void CudaEngine::sample_forces() {
  // Where galaxies have moved already, a sample that was asked for meanwhile waits for the next step.
  if (!sampler_.due() || active_.front()->moves_galaxies()) return;
  const TimedPhase phase("sample forces");
  const bool charges = settings_->physics.law->uses_charges;
  home().make_current();
  auto* position = static_cast<float*>(sampler_.memory(count(), charges, settings_->real_bytes()));
  auto* velocity = charges ? position + 4 * count() : nullptr;
  auto* accelerations = reinterpret_cast<std::byte*>(position + (charges ? 8 : 4) * count());
  try {
    for (auto* part : active_) {
      part->publish_range(part->packed_position(), part->packed_velocity(), part->streams().main(),
                          part->targets());
      port_->copy_packed(*part, position, velocity);
      port_->copy_accelerations(*part, settings_->real_bytes(), accelerations);
      sampler_.queued_in(part->streams().main());
    }
  } catch (const Error&) {
    sampler_.drop();
    throw;
  }
  const auto& family = *settings_->kernel.family;
  sampler_.queued({.mass = host_.mass,
                   .galaxies = galaxies_,
                   .physics = settings_->physics,
                   .time = stepper_.time() + settings_->physics.time_step,
                   .charge = charges ? host_.charge : std::vector<float>(),
                   .stated_error = family.approximate ? stated_error(settings_->tree) : StatedError{}},
                  cut_.order());
}

/// With the update, so that the whole step is seen.
void CudaEngine::stop_timeline() {
  if (!active_.front()->timeline().on()) return;
  flush_update();
  for (auto* part : active_) {
    part->make_current();
    part->timeline().stop(part->streams().main());
  }
}

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
