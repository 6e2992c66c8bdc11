#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/live/experiment.h"
#include "lab/sweeps/sweep.h"

namespace orrery::app {

/// A sweep of two options, measured live on the present dataset.
class LiveSweep {
 public:
  /// Call once per frame: takes results, and forgets them with the dataset that they belong to.
  void update(const Session& session, const Experiment& experiment);

  /// True for the options to choose from: those of the present engine that have values to try.
  static bool is_candidate(const Session& session, const sim::Option& option);
  /// Rows and columns of the next sweep; empty until chosen.
  std::string rows, columns;
  /// True if both are chosen and differ.
  bool can_start() const { return !rows.empty() && !columns.empty() && rows != columns; }

  /// Measures every combination around the present configuration; a sweep under way is given up.
  void start(Session& session, Experiment& experiment);
  /// Sets the configuration of a cell; what is under way ends.
  void apply(Session& session, Experiment& experiment, std::size_t cell);

  /// The sweep that is under way or was last; empty before the first.
  const std::optional<lab::Sweep>& sweep() const { return sweep_; }
  /// The largest and smallest measured rate, for the colours.
  double fastest() const { return fastest_; }
  double slowest() const { return slowest_; }

 private:
  std::optional<lab::Sweep> sweep_;
  double fastest_ = 0.0, slowest_ = 0.0;
  std::uint64_t opening_ = 0;
};

}  // namespace orrery::app
