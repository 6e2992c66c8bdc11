#pragma once

#include <cstdint>
#include <future>
#include <string>

#include "app/session/checkpoint.h"

namespace orrery::app {

/// Writes the checkpoints of a window on a thread of its own, so that no frame waits for the disk.
class CheckpointKeeper {
 public:
  explicit CheckpointKeeper(CheckpointSchedule schedule) : schedule_(std::move(schedule)) {}

  const std::filesystem::path& file() const { return schedule_.file(); }
  /// True once for every checkpoint that is due: the state is to be asked for, and handed to `write`.
  bool wants(std::uint64_t step);
  /// Begins to write; waits for the one before.
  void write(Checkpoint checkpoint);
  /// Waits until the checkpoint of this step is written, which is asked for by `last` unless it is there.
  /// Throws sim::Error.
  template <typename Last>
  void finish(std::uint64_t step, const Last& last) {
    if (schedule_.lacks(step)) write(last());
    if (writing_.valid()) writing_.get();
  }
  /// Why the last one could not be written; empty while all is well. Said once.
  std::string take_problem();

 private:
  CheckpointSchedule schedule_;
  bool asked_ = false;
  std::future<void> writing_;  ///< its end waits for the file
};

}  // namespace orrery::app
