#include "sim/simulation/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/thread_priority.h"
#include "sim/cuda/options/schedule.h"
#include "sim/engines/part_done.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/rescue.h"

namespace orrery::sim {

namespace {

constexpr std::chrono::milliseconds timeline_interval{500};
/// Longest sleep of the stepping thread before it looks at the controls again.
constexpr std::chrono::milliseconds longest_nap{2};
/// An engine of a device has several times as much work queued.
constexpr std::chrono::microseconds device_nap{500};
/// While the device is left to the drawing thread.
constexpr std::chrono::microseconds gap_nap{50};

bool computes_otherwise(const OptionTable& table, const Configuration& a, const Configuration& b) {
  return !same_effect(table, a, b, decides_engine);
}

bool forces_differ(const Configuration& a, const Configuration& b) {
  return !physics_of(a).same_forces(physics_of(b));
}

}  // namespace

Simulation::Simulation(const OptionTable& options, std::shared_ptr<const Scene> scene, Control control,
                       const TargetRing& ring, const EngineState* start)
    : options_(options),
      scene_(std::move(scene)),
      frames_(ring),
      sent_(control),
      checks_(scene_),
      control_(std::move(control)),
      engine_(make_engine(options_, control_.configuration)) {
  restart(start);
  thread_ = std::thread([this] { run(); });
}

Simulation::~Simulation() {
  quit_ = true;
  interrupt_ = true;
  thread_.join();
}

void Simulation::set_control(Control control) {
  const bool urgent = computes_otherwise(options_, control.configuration, sent_.configuration) ||
                      control.resets != sent_.resets;
  sent_ = control;
  controls_.send(std::move(control));
  // After sending, so that the interrupted thread finds the news.
  if (urgent) interrupt_ = true;
}

void Simulation::give_way(std::chrono::microseconds longest) { gives_way_until_ = Clock::now() + longest; }

Bodies Simulation::state(double& time) {
  state_.ask();
  auto state = state_.wait();
  time = state.time;
  return std::move(state.bodies);
}

std::unique_ptr<KeptState> Simulation::last_state() {
  last_state_.ask();
  interrupt_ = true;
  return last_state_.wait();
}

void Simulation::run() {
  lower_thread_priority(5);
  while (!quit_) {
    work();
  }
  answer_state_request();
  answer_last_state();
  if (control_.series) control_.series->end();
}

void Simulation::work() try {
  receive_control();
  answer_state_request();
  answer_last_state();
  if (!step_under_way_) keep_if_asked();
  checks_.submit(run_now());
  if (in_flight_ || control_.timeline) collect();
  if (!next_step_publishes()) publish_if_due();
  if (gives_way()) {
    std::this_thread::sleep_for(gap_nap);
  } else if (!may_step()) {
    rate_.pause();
    keep_if_asked();
  } else if (!step() && prefers_device()) {
    std::this_thread::sleep_for(device_nap);
  }
} catch (const DeviceLost& error) {
  lose_device(error);
} catch (const std::exception& error) {
  // Out of memory for a copy of the bodies: the state is whole, and the program goes on.
  stopped_ = true;
  report(error.what());
}

void Simulation::receive_control() {
  // Cleared first: an interrupt that comes later belongs to news that come later.
  if (!quit_) interrupt_ = false;
  Control news;
  if (controls_.receive(news)) apply(std::move(news));
}

void Simulation::apply(Control control) {
  stopped_ = false;
  checks_.forget_motion();
  info_.revision = control.revision;
  try {
    // Anything else must not end a long step in the middle.
    info_.problem.clear();
    if (!same_effect(options_, control.configuration, control_.configuration, decides_result))
      switch_engine(control.configuration);
  } catch (const DeviceLost& error) {
    control.configuration = control_.configuration;
    control.device_ring = control_.device_ring;
    lose_device(error);
  } catch (const std::exception& error) {
    control.configuration = control_.configuration;
    control.device_ring = control_.device_ring;
    report(error.what());
  }
  // Another map shows without another step.
  if (engine_->map() != info_.map) unpublished_ = true;
  info_.timings_before = engine_->status().timings;
  if (forces_differ(effective(options_, control.configuration), effective(options_, control_.configuration)))
    ask_for_baseline();
  const bool forget_steps = !control.paused || control.single_steps < control_.single_steps;
  if (forget_steps) single_steps_done_ = control.single_steps;
  // The next step may be due in days: what sets the pace takes effect at once.
  if (control.speed != control_.speed ||
      physics_of(control.configuration).time_step != physics_of(control_.configuration).time_step) {
    next_step_ = Clock::now();
  }
  const bool reset = control.resets != control_.resets;
  use_device_ring(control.device_ring);
  if (!control.timeline) info_.timeline.reset();
  const bool other_series = control.series != control_.series;
  if (other_series && control_.series) control_.series->end();
  control_ = std::move(control);
  if (reset) restart();
  if (other_series) record(info_.steps);
}

/// The present state, if the series wants it.
void Simulation::record(std::uint64_t steps) {
  if (control_.series)
    control_.series->after_step(
        *engine_, steps, physics_of(effective(options_, control_.configuration)),
        fmt::format("{}, {}", engine_->kind().name, computing_name(control_.configuration)));
}

void Simulation::switch_engine(const Configuration& configuration) {
  const bool same_device = !is_on_gpu(configuration) ||
                           cuda::named_device(configuration) == cuda::named_device(control_.configuration);
  if (engine_name(configuration) == engine_->kind().name && same_device) {
    engine_->configure(configuration);
  } else {
    try {
      settle();
    } catch (const DeviceLost& error) {
      info_.problem = note_loss(error);
    }
    auto engine = make_engine(options_, configuration);
    take_over(*engine);
    engine_ = std::move(engine);
    unpublished_ = true;
    info_.timeline.reset();
    next_timeline_ = {};
  }
  // Show soon whether the new configuration computes the same.
  if (computes_otherwise(options_, configuration, control_.configuration)) checks_.hurry();
}

/// Gives another engine the present state; a lost GPU's state is lost, and the initial one stands in for it.
void Simulation::take_over(Engine& engine) {
  Bodies bodies = scene_->bodies;
  double time = engine_->status().time;
  try {
    engine_->read_back(bodies);
  } catch (const DeviceLost& error) {
    // It has gone back to the state that it kept.
    info_.problem = note_loss(error);
    engine_->read_back(bodies);
    time = engine_->status().time;
  } catch (const Error& error) {
    bodies = scene_->bodies;
    time = scene_->time;
    info_.steps = 0;
    info_.problem = fmt::format("{}; the initial state is computed again", error.what());
  }
  engine.load(bodies, time);
}

bool Simulation::prefers_device() const {
  return engine_->kind().target_space == VertexTarget::Space::device;
}

void Simulation::use_device_ring(const TargetRing* ring) {
  if (ring == control_.device_ring) return;
  try {
    settle();
  } catch (const DeviceLost& error) {
    stopped_ = true;
    info_.problem = note_loss(error);
  }
  device_ring_lost_ = false;
  unpublished_ = true;
}

void Simulation::restart(const EngineState* start) {
  checks_.restart();
  engine_->load(scene_->bodies, scene_->time);
  if (start != nullptr) went_on_exactly_ = engine_->restore_state(*start);
  step_under_way_ = false;
  info_ = {};
  if (start != nullptr) info_.steps = start->steps;
  info_.resets = control_.resets;
  info_.revision = control_.revision;
  rate_.pause();
  single_steps_done_ = control_.single_steps;
  ask_for_baseline();
  next_step_ = Clock::now();
  publish();
}

void Simulation::ask_for_baseline() { info_.baseline = checks_.ask_for_baseline(); }

SteppedRun Simulation::run_now() {
  return {*engine_, control_.configuration, control_.revision, info_.steps};
}

/// One of several GPUs failed: the state that the engine kept is saved, and nothing goes on by itself.
void Simulation::lose_device(const DeviceLost& error) {
  stopped_ = true;
  report(note_loss(error));
}

/// Saves what was kept; returns what to say.
std::string Simulation::note_loss(const DeviceLost& error) {
  in_flight_ = false;
  device_ring_lost_ = true;
  info_.steps -= std::min(info_.steps, error.steps_lost());
  return rescue_state(*engine_, *scene_, physics_of(control_.configuration), control_.rescue_folder,
                      error.what());
}

bool Simulation::may_step() {
  const bool asked = !control_.paused || single_steps_done_ < control_.single_steps;
  if (!asked || stopped_ || quit_ || scene_->bodies.empty()) {
    std::this_thread::sleep_for(longest_nap);
    return false;
  }
  if (control_.series && !control_.series->has_room(info_.steps + 1)) {
    std::this_thread::sleep_for(longest_nap);
    return false;
  }
  if (control_.paused || control_.speed <= 0.0) return true;
  const auto now = Clock::now();
  if (now < next_step_) {
    std::this_thread::sleep_for(std::min<Clock::duration>(next_step_ - now, longest_nap));
    return false;
  }
  const double seconds = std::abs(physics_of(control_.configuration).time_step) / control_.speed;
  const auto interval =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, 1e6)));
  // A late step does not make the following ones hurry.
  next_step_ = std::max(next_step_ + interval, now);
  return true;
}

/// True while the device is left to the drawing thread.
bool Simulation::gives_way() {
  if (Clock::now() >= gives_way_until_.load() || !prefers_device()) return false;
  if (in_flight_) collect();
  rested_ = true;
  return true;
}

/// Works on the present step; false when the engine was given enough to do.
bool Simulation::step() try {
  const auto start = Clock::now();
  rate_.begin(start);
  observe_if_due(start);
  offer_slot();
  // Where the device draws too, its work is queued in slices, so that drawing gets its turn.
  const auto time = prefers_device() ? std::chrono::milliseconds(1) : std::chrono::nanoseconds::max();
  const bool complete =
      engine_->advance({.time = time, .interrupt = &interrupt_, .was_idle = std::exchange(rested_, false)});
  step_under_way_ = !complete;
  note_part_done(complete, start);
  // The state and the forces of that step, not of one queued later.
  if (complete && control_.series && control_.series->concerns(info_.steps + 1)) engine_->finish();
  collect();
  if (complete) complete_step();
  if (checks_.has_sample()) checks_.submit(run_now());
  return complete;
} catch (const DeviceLost& error) {
  lose_device(error);
  return true;
} catch (const std::exception& error) {
  stopped_ = true;
  report(error.what());
  return true;
}

/// Long steps only: the engine is asked a few times a second.
void Simulation::note_part_done(bool complete, Clock::time_point now) {
  constexpr std::chrono::milliseconds interval{150};
  if (complete) {
    part_done_.store(0.0, std::memory_order_relaxed);
    part_asked_ = now;
  } else if (now - part_asked_ >= interval) {
    part_done_.store(engine_->report().number(part_done_fact), std::memory_order_relaxed);
    part_asked_ = now;
  }
}

void Simulation::observe_if_due(Clock::time_point now) {
  const bool owed =
      control_.series && control_.series->before_step(
                             *engine_, info_.steps, physics_of(effective(options_, control_.configuration)));
  checks_.ask_if_due(run_now(), now, owed);
  if (control_.timeline && now >= next_timeline_) {
    engine_->observe({.timeline = true});
    next_timeline_ = now + timeline_interval;
  }
}

/// Collects finished work of the engine: the step in the slot, samples and timelines.
void Simulation::collect() {
  auto arrived = engine_->poll();
  if (arrived.timeline && control_.timeline) {
    info_.timeline = std::make_shared<const Timeline>(std::move(*arrived.timeline));
    unpublished_ = true;
  }
  if (arrived.forces) {
    if (control_.series) control_.series->take(*arrived.forces);
    checks_.take(run_now(), std::move(*arrived.forces));
  }
  if (in_flight_ && arrived.published) offer();
}

void Simulation::complete_step() {
  ++info_.steps;
  checks_.end_step(run_now());
  record(info_.steps);
  if (control_.paused) ++single_steps_done_;
  info_.step_ms = rate_.end(Clock::now());
  unpublished_ = true;
  publish_if_due();
}

void Simulation::report(std::string problem) {
  info_.problem = std::move(problem);
  unpublished_ = true;
  try {
    if (in_flight_) collect();
    publish_if_due();
    return;
  } catch (const DeviceLost& error) {
    stopped_ = true;
    info_.problem = note_loss(error);
  } catch (const std::exception&) {
    in_flight_ = false;
  }
  try {
    publish();
  } catch (const std::exception&) {
    // The engine cannot even publish: an older step is shown again, with the problem.
    in_flight_ = unpublished_ = false;
    frames_.info() = info_;
    frames_.offer();
  }
}

bool Simulation::uses_device_ring() const {
  return control_.device_ring != nullptr && !device_ring_lost_ && prefers_device();
}

/// True if the next step ends soon and writes its end into the slot by itself.
bool Simulation::next_step_publishes() {
  constexpr double soon_ms = 4.0;
  const bool steps_freely = !control_.paused && control_.speed <= 0.0 && !stopped_ && !quit_;
  return steps_freely && uses_device_ring() && engine_->writes_in_passing() && info_.steps > 0 &&
         info_.step_ms < soon_ms;
}

/// Says where the steps to come may write their end: into the slot that nobody reads.
void Simulation::offer_slot() {
  if (!uses_device_ring()) return;
  engine_->set_next_target(in_flight_ ? VertexTarget() : (*control_.device_ring)[frames_.writing()]);
}

/// States in between are skipped while the device has yet to write one.
void Simulation::publish_if_due() {
  if (unpublished_ && !in_flight_) publish();
}

void Simulation::publish() {
  info_.on_device = uses_device_ring();
  info_.device_ring = control_.device_ring;
  info_.map = engine_->map();
  engine_->write_vertices(frames_.target(info_));
  info_.time = engine_->status().time;
  frames_.info() = info_;
  unpublished_ = false;
  in_flight_ = true;
  collect();
}

/// The step in the slot is whole.
void Simulation::offer() {
  in_flight_ = false;
  auto& info = frames_.info();
  info.timings = engine_->status().timings;
  info.known_at = Clock::now();
  // Queueing a step takes a device's engine less time than the step.
  info.step_ms = std::max(info.step_ms, info.timings.force_ms + info.timings.update_ms);
  info.report = engine_->report();
  info.problem = info_.problem;
  frames_.offer();
}

/// Before the engine or the ring changes: what is under way arrives.
void Simulation::settle() {
  if (!in_flight_) return;
  engine_->finish();
  collect();
}

void Simulation::answer_state_request() {
  if (!state_.asked()) return;
  TimedBodies state{scene_->bodies, engine_->status().time};
  try {
    engine_->read_back(state.bodies);
  } catch (const DeviceLost& error) {
    report(note_loss(error));
    engine_->read_back(state.bodies);
    state.time = engine_->status().time;
  } catch (const Error& error) {
    // Whoever asked must not wait for ever: the initial state is all there is.
    state.time = scene_->time;
    report(error.what());
  }
  state_.answer(std::move(state));
}

/// Null if the engine cannot say: then it is reported why.
std::unique_ptr<KeptState> Simulation::keep_state() try {
  auto kept = std::make_unique<KeptState>(KeptState{engine_->save_state(), control_.configuration});
  // Another engine may have made the first ones.
  kept->engine.steps = info_.steps;
  return kept;
} catch (const DeviceLost& error) {
  report(note_loss(error));
  return nullptr;
} catch (const std::exception& error) {
  report(error.what());
  return nullptr;
}

void Simulation::keep_if_asked() {
  if (keep_wanted_.exchange(false)) kept_.send(keep_state());
}

void Simulation::answer_last_state() {
  if (last_state_.asked()) last_state_.answer(keep_state());
}

}  // namespace orrery::sim
