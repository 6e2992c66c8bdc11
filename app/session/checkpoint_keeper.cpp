#include "app/session/checkpoint_keeper.h"

#include <chrono>
#include <exception>

namespace orrery::app {

bool CheckpointKeeper::wants(std::uint64_t step) {
  if (asked_ || writing_.valid() || !schedule_.is_due(step)) return false;
  return asked_ = true;
}

void CheckpointKeeper::write(Checkpoint checkpoint) {
  asked_ = false;
  if (writing_.valid()) writing_.get();
  const bool keeps_previous = schedule_.begin(checkpoint.engine.steps);
  writing_ = std::async([file = file(), checkpoint = std::move(checkpoint), keeps_previous] {
    write_checkpoint(file, checkpoint, keeps_previous);
  });
  // Where the system gives no thread, the window waits for the disk.
  if (writing_.wait_for(std::chrono::seconds(0)) == std::future_status::deferred) writing_.wait();
}

std::string CheckpointKeeper::take_problem() {
  if (!writing_.valid() || writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return {};
  try {
    writing_.get();
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace orrery::app
