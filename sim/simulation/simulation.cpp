#include "sim/simulation/simulation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "sim/core/threads.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/live_run.h"

namespace orrery::sim {

/// The time of a step, as the mean of few, so that it follows a change.
class StepRate {
 public:
  using Clock = std::chrono::steady_clock;

  /// A step begins. The interval begins with the first step after a pause.
  void begin(Clock::time_point now) {
    if (counted_ != 0) return;
    counted_ = 1;
    since_ = now;
  }
  /// A step is complete. Returns the milliseconds per step.
  double end(Clock::time_point now) {
    const std::chrono::duration<double, std::milli> elapsed = now - since_;
    const double step_ms = elapsed.count() / static_cast<double>(counted_++);
    if (counted_ > most_counted) pause();
    return step_ms;
  }
  /// The time until the next step is not counted.
  void pause() { counted_ = 0; }

 private:
  static constexpr std::uint64_t most_counted = 16;

  Clock::time_point since_{};
  std::uint64_t counted_ = 0;  ///< the step under way is the n-th of the interval; 0: none
};

/// The stepping thread, round by round: it obeys the controls, answers for states, and steps at the
/// pace that is asked for. Nothing but the exchange is shared with another thread.
class StepLoop {
 public:
  /// Arguments and exceptions as of Simulation. `exchange` must outlive it.
  StepLoop(const OptionTable& options, std::shared_ptr<const Scene> scene, Control control,
           StepExchange& exchange, const EngineState* start);

  /// Runs the rounds of the stepping thread until the exchange says `quit`. Its priority is lower afterwards.
  void run();
  /// As Simulation::went_on_exactly; any thread may ask.
  bool went_on_exactly() const { return went_on_exactly_; }

 private:
  using Clock = StepExchange::Clock;

  void work();
  void receive_control();
  void apply(Control control);
  void set_pace(const Control& control);
  void restart(const EngineState* start = nullptr);
  bool may_step();
  bool is_time();
  bool gives_way();
  bool next_step_publishes();
  bool step();
  void complete_step();
  void note_part_done(bool complete, Clock::time_point now);
  void answer_state_request();
  std::unique_ptr<KeptState> keep_state();
  void keep_if_asked();
  void answer_last_state();

  std::shared_ptr<const Scene> scene_;
  StepExchange& exchange_;
  LiveRun run_;
  bool went_on_exactly_ = true;          ///< constant once the thread runs
  std::uint64_t single_steps_done_ = 0;  ///< steps of Control::single_steps that were made
  Clock::time_point next_step_{};        ///< when it is due, if a speed is asked for
  StepRate rate_;
  bool step_under_way_ = false;     ///< begun and not complete
  bool rested_ = false;             ///< gave way since the last step
  Clock::time_point part_asked_{};  ///< when the engine was asked last how far the step is
};

namespace {

/// Longest sleep of the stepping thread before it looks at the controls again.
constexpr std::chrono::milliseconds longest_nap{2};
/// An engine of a device has several times as much work queued.
constexpr std::chrono::microseconds device_nap{500};
/// While the device is left to the drawing thread.
constexpr std::chrono::microseconds gap_nap{50};

}  // namespace

StepLoop::StepLoop(const OptionTable& options, std::shared_ptr<const Scene> scene, Control control,
                   StepExchange& exchange, const EngineState* start)
    : scene_(scene), exchange_(exchange), run_(options, std::move(scene), std::move(control), exchange) {
  restart(start);
}

void StepLoop::run() {
  lower_thread_priority(5);
  while (!exchange_.quit) {
    work();
  }
  answer_state_request();
  answer_last_state();
  run_.watch().end();
}

void StepLoop::work() try {
  receive_control();
  answer_state_request();
  answer_last_state();
  if (!step_under_way_) keep_if_asked();
  run_.watch().checks().submit(run_.present());
  if (run_.frames().in_flight() || run_.control().timeline) run_.collect();
  if (!next_step_publishes()) run_.publish_if_due();
  if (gives_way()) {
    std::this_thread::sleep_for(gap_nap);
  } else if (!may_step()) {
    rate_.pause();
    keep_if_asked();
  } else if (!step() && prefers_device(run_.engine())) {
    std::this_thread::sleep_for(device_nap);
  }
} catch (const DeviceLost& error) {
  run_.stop(run_.note_loss(error));
} catch (const std::exception& error) {
  // A step that failed, or no memory for a copy of the bodies: the state is whole, and the program goes on.
  run_.stop(error.what());
}

void StepLoop::receive_control() {
  // Cleared first: an interrupt that comes later belongs to news that come later.
  if (!exchange_.quit) exchange_.interrupt = false;
  Control news;
  if (exchange_.controls.receive(news)) apply(std::move(news));
}

void StepLoop::apply(Control control) {
  run_.configure(control);
  set_pace(control);
  const bool reset = control.resets != run_.control().resets;
  const bool other_series = control.series != run_.control().series;
  run_.take(std::move(control));
  if (reset) restart();
  if (other_series) run_.watch().record(run_.present());
}

/// Before `control` is in force.
void StepLoop::set_pace(const Control& control) {
  const auto& before = run_.control();
  const bool forget_steps = !control.paused || control.single_steps < before.single_steps;
  if (forget_steps) single_steps_done_ = control.single_steps;
  // The next step may be due in days: what sets the pace takes effect at once.
  if (control.speed != before.speed ||
      physics_of(control.configuration).time_step != physics_of(before.configuration).time_step) {
    next_step_ = Clock::now();
  }
}

void StepLoop::restart(const EngineState* start) {
  const bool exactly = run_.restart(start);
  if (start != nullptr) went_on_exactly_ = exactly;
  step_under_way_ = false;
  rate_.pause();
  single_steps_done_ = run_.control().single_steps;
  next_step_ = Clock::now();
  run_.publish();
}

bool StepLoop::may_step() {
  const auto& control = run_.control();
  const bool asked = !control.paused || single_steps_done_ < control.single_steps;
  if (!asked || run_.stopped() || exchange_.quit || scene_->bodies.empty() ||
      !run_.watch().has_room(run_.present())) {
    std::this_thread::sleep_for(longest_nap);
    return false;
  }
  return control.paused || control.speed <= 0.0 || is_time();
}

/// True if a step is due at the speed that is asked for; else part of the time until then has passed.
bool StepLoop::is_time() {
  const auto now = Clock::now();
  if (now < next_step_) {
    std::this_thread::sleep_for(std::min<Clock::duration>(next_step_ - now, longest_nap));
    return false;
  }
  const auto& control = run_.control();
  const double seconds = std::abs(physics_of(control.configuration).time_step) / control.speed;
  const auto interval =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, 1e6)));
  // A late step does not make the following ones hurry.
  next_step_ = std::max(next_step_ + interval, now);
  return true;
}

/// True while the device is left to the drawing thread.
bool StepLoop::gives_way() {
  if (Clock::now() >= exchange_.gives_way_until.load() || !prefers_device(run_.engine())) return false;
  if (run_.frames().in_flight()) run_.collect();
  rested_ = true;
  return true;
}

bool StepLoop::next_step_publishes() {
  const auto& control = run_.control();
  const bool steps_freely = !control.paused && control.speed <= 0.0 && !run_.stopped() && !exchange_.quit;
  return steps_freely && run_.frames().next_step_publishes(run_.engine());
}

/// Works on the present step; false when the engine was given enough to do.
bool StepLoop::step() {
  const auto start = Clock::now();
  auto& engine = run_.engine();
  rate_.begin(start);
  run_.watch().before_step(run_.present(), start);
  run_.frames().offer_slot(engine);
  // Where the device draws too, its work is queued in slices, so that drawing gets its turn.
  const auto time = prefers_device(engine) ? std::chrono::milliseconds(1) : std::chrono::nanoseconds::max();
  const bool complete = engine.advance(
      {.time = time, .interrupt = &exchange_.interrupt, .was_idle = std::exchange(rested_, false)});
  step_under_way_ = !complete;
  note_part_done(complete, start);
  if (complete) run_.watch().finish_step(run_.present());
  run_.collect();
  if (complete) complete_step();
  auto& checks = run_.watch().checks();
  if (checks.has_sample()) checks.submit(run_.present());
  return complete;
}

void StepLoop::complete_step() {
  ++run_.info().steps;
  run_.watch().after_step(run_.present());
  if (run_.control().paused) ++single_steps_done_;
  run_.info().step_ms = rate_.end(Clock::now());
  run_.frames().note_news();
  run_.publish_if_due();
}

/// Long steps only: the engine is asked a few times per second.
void StepLoop::note_part_done(bool complete, Clock::time_point now) {
  constexpr std::chrono::milliseconds interval{150};
  if (complete) {
    exchange_.part_done.store(0.0, std::memory_order_relaxed);
    part_asked_ = now;
  } else if (now - part_asked_ >= interval) {
    exchange_.part_done.store(run_.engine().report().number(part_done_fact), std::memory_order_relaxed);
    part_asked_ = now;
  }
}

void StepLoop::answer_state_request() {
  if (!exchange_.state.asked()) return;
  auto& engine = run_.engine();
  TimedBodies state{scene_->bodies, engine.status().time};
  try {
    engine.read_back(state.bodies);
  } catch (const DeviceLost& error) {
    run_.report(run_.note_loss(error));
    engine.read_back(state.bodies);
    state.time = engine.status().time;
  } catch (const Error& error) {
    // Whoever asked must not wait for ever: the initial state is all there is.
    state.time = scene_->time;
    run_.report(error.what());
  }
  exchange_.state.answer(std::move(state));
}

/// Null if the engine cannot say: then it is reported why.
std::unique_ptr<KeptState> StepLoop::keep_state() try {
  auto kept =
      std::make_unique<KeptState>(KeptState{run_.engine().save_state(), run_.control().configuration});
  // Another engine may have made the first ones.
  kept->engine.steps = run_.info().steps;
  return kept;
} catch (const DeviceLost& error) {
  run_.report(run_.note_loss(error));
  return nullptr;
} catch (const std::exception& error) {
  run_.report(error.what());
  return nullptr;
}

void StepLoop::keep_if_asked() {
  if (exchange_.keep_wanted.exchange(false)) exchange_.kept.send(keep_state());
}

void StepLoop::answer_last_state() {
  if (exchange_.last_state.asked()) exchange_.last_state.answer(keep_state());
}

Simulation::Simulation(const OptionTable& options, std::shared_ptr<const Scene> scene, Control control,
                       const TargetRing& ring, const EngineState* start)
    : options_(options),
      sent_(control),
      exchange_(ring),
      loop_(std::make_unique<StepLoop>(options, std::move(scene), std::move(control), exchange_, start)),
      thread_(start_thread("the simulation", [this] { loop_->run(); })) {}

Simulation::~Simulation() {
  exchange_.quit = true;
  exchange_.interrupt = true;
  thread_.join();
}

void Simulation::set_control(Control control) {
  const bool urgent = !same_effect(options_, control.configuration, sent_.configuration, decides_engine) ||
                      control.resets != sent_.resets;
  sent_ = control;
  exchange_.controls.send(std::move(control));
  // After sending, so that the interrupted thread finds the news.
  if (urgent) exchange_.interrupt = true;
}

void Simulation::give_way(std::chrono::microseconds longest) {
  exchange_.gives_way_until = StepExchange::Clock::now() + longest;
}

Bodies Simulation::state(double& time) {
  exchange_.state.ask();
  auto state = exchange_.state.wait();
  time = state.time;
  return std::move(state.bodies);
}

bool Simulation::went_on_exactly() const { return loop_->went_on_exactly(); }

std::unique_ptr<KeptState> Simulation::last_state() {
  exchange_.last_state.ask();
  exchange_.interrupt = true;
  return exchange_.last_state.wait();
}

}  // namespace orrery::sim
