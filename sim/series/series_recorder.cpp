#include "sim/series/series_recorder.h"

#include <utility>

#include "sim/core/error.h"

namespace orrery::sim {

namespace {

/// The evaluation that begins a step is at the state before it.
bool evaluates_first(const Integrator& integrator) { return integrator.first_update().empty(); }

}  // namespace

bool SeriesRecorder::before_step(Engine& engine, std::uint64_t steps, const Physics& physics) {
  if (observed_ == steps) return asked_ && !sample_;
  observed_ = steps;
  const bool at_end = is_due(steps + 1) && physics.integrator->keeps_acceleration();
  asked_ = writer_.wants_acceleration() && (pending_ || at_end);
  sample_.reset();
  if (asked_) engine.observe({.forces = writer_.scene().bodies.size(), .seed = 1});
  return asked_;
}

void SeriesRecorder::take(const ForceSample& sample) {
  if (sample.index.size() == writer_.scene().bodies.size()) sample_ = sample;
}

/// True if the sample is of that very state.
bool SeriesRecorder::add_forces(SeriesState& state, const std::string& label) const {
  if (!sample_ || sample_->position != state.position) return false;
  if (!sample_->physics.same_forces(state.physics)) return false;
  if (state.physics.law->uses_charges && sample_->velocity != state.velocity) return false;
  state.acceleration = sample_->acceleration;
  state.acceleration_source = label;
  return true;
}

void SeriesRecorder::after_step(Engine& engine, std::uint64_t steps, const Physics& physics,
                                const std::string& label) {
  if (pending_) {
    add_forces(*pending_, pending_label_);
    writer_.write(std::move(*std::exchange(pending_, std::nullopt)));
  }
  if (is_due(steps)) {
    Bodies bodies = writer_.scene().bodies;
    engine.read_back(bodies);
    SeriesState state{.step = steps,
                      .time = engine.status().time,
                      .physics = physics,
                      .position = std::move(bodies.position),
                      .velocity = std::move(bodies.velocity)};
    last_ = steps;
    const bool complete = !writer_.wants_acceleration() || add_forces(state, label);
    if (!complete && evaluates_first(*physics.integrator)) {
      pending_ = std::move(state);
      pending_label_ = label;
    } else {
      writer_.write(std::move(state));
    }
  }
  sample_.reset();
}

void SeriesRecorder::end() {
  if (pending_) writer_.write(std::move(*std::exchange(pending_, std::nullopt)));
}

void SeriesRecorder::flush() {
  end();
  writer_.flush();
  if (const auto problem = progress().problem; !problem.empty()) throw Error(problem);
}

}  // namespace orrery::sim
