#pragma once

#include <memory>
#include <vector>

#include "sim/series/series_recorder.h"

namespace orrery::app {

/// The series of states that a session writes: the one under way, the one that the panel shows, and those
/// whose files are still being written. It outlives the dataset that it is of.
class SeriesRecording {
 public:
  /// An earlier series ends. Throws sim::Error and sim::UsageError.
  void start(const sim::SeriesRequest& request, std::shared_ptr<const sim::Scene> scene);
  /// The files that wait are still written.
  void stop();
  /// Call once per frame: a file that cannot be written ends the series.
  void update();
  /// The receiver of the simulation's steps; null: none.
  const std::shared_ptr<sim::SeriesRecorder>& under_way() const { return series_; }
  /// The series under way, or the last one; null: none yet.
  const sim::SeriesRecorder* shown() const { return shown_.get(); }

 private:
  std::shared_ptr<sim::SeriesRecorder> series_;
  std::shared_ptr<sim::SeriesRecorder> shown_;                 ///< the series under way, or the last one
  std::vector<std::shared_ptr<sim::SeriesRecorder>> retired_;  ///< until their files are written
  bool problem_shown_ = false;
};

}  // namespace orrery::app
