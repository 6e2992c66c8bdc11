#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sim/engines/engine.h"
#include "sim/series/series_writer.h"

namespace orrery::sim {

/// Takes the states of a series out of an engine as it steps, with the accelerations that the engine computed
/// for them: those of the step that ended there (leapfrog), or of the one that begins there (both Euler
/// methods). Where no evaluation was at that very state, or the run ends first, the writer computes them.
///
/// Used by the thread that steps; `request` and `progress` by any.
class SeriesRecorder {
 public:
  /// Throws what SeriesWriter throws.
  SeriesRecorder(SeriesRequest request, std::shared_ptr<const Scene> scene)
      : writer_(std::move(request), std::move(scene)) {}

  const SeriesRequest& request() const { return writer_.request(); }
  SeriesProgress progress() const { return writer_.progress(); }
  void try_first_file() const { writer_.try_first_file(); }
  /// False while the next step would have to wait for a file.
  bool has_room(std::uint64_t next_step) { return !concerns(next_step) || writer_.has_room(); }

  /// True if the engine must have finished step `step` before after_step().
  bool concerns(std::uint64_t step) const { return is_due(step) || pending_.has_value(); }

  /// `steps` are complete and another one begins. Further calls in the same step do nothing. True while the
  /// engine owes a sample of all forces: others must not ask for one.
  bool before_step(Engine& engine, std::uint64_t steps, const Physics& physics);
  /// Takes a force sample of the engine; samples for others are left alone.
  void take(const ForceSample& sample);
  /// `steps` are complete (0: as loaded). `label` names what computes. Waits where the writer is full.
  void after_step(Engine& engine, std::uint64_t steps, const Physics& physics, const std::string& label);
  /// Ends the series: what waits for a step is written without.
  void end();
  /// Waits for the files. Throws Error if one could not be written.
  void flush();

 private:
  bool is_due(std::uint64_t step) const {
    return step % request().every == 0 && (last_ == none || step > last_);
  }
  bool add_forces(SeriesState& state, const std::string& label) const;

  static constexpr std::uint64_t none = ~std::uint64_t{0};

  SeriesWriter writer_;
  std::optional<SeriesState> pending_;  ///< until the next evaluation, which is at its position
  std::string pending_label_;
  std::optional<ForceSample> sample_;
  std::uint64_t last_ = none;      ///< the step recorded last
  std::uint64_t observed_ = none;  ///< the step that begins with this number was looked at
  bool asked_ = false;             ///< the forces of step `observed_` were asked for
};

}  // namespace orrery::sim
