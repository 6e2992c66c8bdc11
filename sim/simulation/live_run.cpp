#include "sim/simulation/live_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/cuda/options/schedule.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/lost_run.h"

namespace orrery::sim {

LiveRun::LiveRun(const OptionTable& options, std::shared_ptr<const Scene> scene, Control control,
                 StepExchange& exchange)
    : options_(options),
      scene_(std::move(scene)),
      watch_(options_, scene_, exchange.monitor),
      control_(std::move(control)),
      engine_(make_engine(options_, control_.configuration)),
      frames_(exchange.frames, control_.device_ring) {
  watch_.follow(control_);
}

bool LiveRun::restart(const EngineState* start) {
  watch_.checks().restart();
  engine_->load(scene_->bodies, scene_->time);
  const bool exactly = start == nullptr || engine_->restore_state(*start);
  info() = {};
  if (start != nullptr) info().steps = start->steps;
  info().resets = control_.resets;
  info().revision = control_.revision;
  info().baseline = watch_.checks().ask_for_baseline();
  return exactly;
}

void LiveRun::configure(Control& control) {
  stopped_ = false;
  watch_.checks().forget_motion();
  info().revision = control.revision;
  try {
    // Anything else must not end a long step in the middle.
    info().problem.clear();
    if (!same_effect(options_, control.configuration, control_.configuration, decides_result))
      switch_engine(control.configuration);
  } catch (const DeviceLost& error) {
    control.configuration = control_.configuration;
    control.device_ring = control_.device_ring;
    stop(note_loss(error));
  } catch (const std::exception& error) {
    control.configuration = control_.configuration;
    control.device_ring = control_.device_ring;
    report(error.what());
  }
  // Another map shows without another step.
  if (engine_->map() != info().map) frames_.note_news();
  info().timings_before = engine_->status().timings;
  const auto physics = physics_of(effective(options_, control.configuration));
  if (!physics.same_forces(physics_of(effective(options_, control_.configuration))))
    info().baseline = watch_.checks().ask_for_baseline();
}

void LiveRun::take(Control control) {
  change_ring(control.device_ring);
  if (!control.timeline) info().timeline.reset();
  watch_.follow(control);
  control_ = std::move(control);
}

void LiveRun::switch_engine(const Configuration& configuration) {
  const bool same_device = !is_on_gpu(configuration) ||
                           cuda::named_device(configuration) == cuda::named_device(control_.configuration);
  if (engine_name(configuration) == engine_->kind().name && same_device) {
    engine_->configure(configuration);
  } else {
    replace_engine(configuration);
  }
  // Show soon whether the new configuration computes the same.
  if (!same_effect(options_, configuration, control_.configuration, decides_engine)) watch_.checks().hurry();
}

void LiveRun::replace_engine(const Configuration& configuration) {
  try {
    settle();
  } catch (const DeviceLost& error) {
    info().problem = note_loss(error);
  }
  auto engine = make_engine(options_, configuration);
  take_over(*engine);
  engine_ = std::move(engine);
  frames_.note_news();
  info().timeline.reset();
  watch_.hurry_timeline();
}

/// Gives another engine the present state; a lost GPU's state is lost, and the initial one stands in for it.
void LiveRun::take_over(Engine& engine) {
  Bodies bodies = scene_->bodies;
  double time = engine_->status().time;
  try {
    engine_->read_back(bodies);
  } catch (const DeviceLost& error) {
    // It has gone back to the state that it kept.
    info().problem = note_loss(error);
    engine_->read_back(bodies);
    time = engine_->status().time;
  } catch (const Error& error) {
    bodies = scene_->bodies;
    time = scene_->time;
    info().steps = 0;
    info().problem = fmt::format("{}; the initial state is computed again", error.what());
  }
  engine.load(bodies, time);
}

void LiveRun::change_ring(const TargetRing* ring) {
  if (ring == control_.device_ring) return;
  try {
    settle();
  } catch (const DeviceLost& error) {
    stopped_ = true;
    info().problem = note_loss(error);
  }
  frames_.use_ring(ring);
}

/// Before the engine or the ring changes: what is under way arrives.
void LiveRun::settle() {
  if (!frames_.in_flight()) return;
  engine_->finish();
  collect();
}

void LiveRun::collect() {
  auto arrived = engine_->poll();
  if (arrived.timeline && control_.timeline) {
    info().timeline = std::make_shared<const Timeline>(std::move(*arrived.timeline));
    frames_.note_news();
  }
  if (arrived.forces) watch_.take(present(), std::move(*arrived.forces));
  if (frames_.in_flight() && arrived.published) frames_.offer(*engine_);
}

void LiveRun::publish() {
  frames_.write(*engine_);
  collect();
}

void LiveRun::report(std::string problem) {
  info().problem = std::move(problem);
  frames_.note_news();
  try {
    if (frames_.in_flight()) collect();
    publish_if_due();
    return;
  } catch (const DeviceLost& error) {
    stopped_ = true;
    info().problem = note_loss(error);
  } catch (const std::exception&) {
    frames_.give_up();
  }
  try {
    publish();
  } catch (const std::exception&) {
    // The engine cannot even publish.
    frames_.repeat();
  }
}

void LiveRun::stop(std::string problem) {
  stopped_ = true;
  report(std::move(problem));
}

std::string LiveRun::note_loss(const DeviceLost& error) {
  frames_.lose_ring();
  info().steps -= std::min(info().steps, error.steps_lost());
  return rescue_state(*engine_, *scene_, physics_of(control_.configuration), control_.rescue_folder,
                      error.what());
}

}  // namespace orrery::sim
