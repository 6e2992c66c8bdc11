#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <future>
#include <optional>
#include <string>

#include "app/session/state.h"
#include "sim/engines/engine_state.h"

namespace orrery::app {

/// The interval between checkpoints.
struct CheckpointPace {
  std::uint64_t steps = 0;         ///< from one to the next; 0: by time
  std::chrono::seconds time{600};  ///< from one to the next, without steps
};
/// Reads "100" (steps), "30s", "10min" or "2h". Throws sim::UsageError.
CheckpointPace parse_pace(const std::string& text);

/// The checkpoint options of the command line.
struct CheckpointRequest {
  std::filesystem::path file;  ///< to write; empty: none
  CheckpointPace pace;
  std::optional<std::filesystem::path> resume;  ///< to go on from; an empty path: the last session
};

/// A run at one of its steps, with all that the next ones depend on.
struct Checkpoint {
  ViewState view;               ///< dataset, camera, options; its step and time are those of `engine`
  std::uint64_t last_step = 0;  ///< to which `orrery render` was going; 0: no end was set
  bool paused = false;          ///< true if the window was paused
  sim::EngineState engine;
};

/// Writes a checkpoint in place of a file of that name, which with `keep_previous` stays as FILE.previous
/// (sim::write_checkpoint). It holds the full paths of the dataset's files: a run goes on on its own machine,
/// without settings too. Throws sim::Error.
void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint, bool keep_previous);
/// Reads a checkpoint. Paths of its dataset stay as the file names them: dataset_search.h finds the files.
/// Throws sim::Error with one line, sim::UsageError if there is no such file.
Checkpoint read_checkpoint(const sim::OptionTable& table, const std::filesystem::path& file);

/// Throws sim::Error if the dataset that was loaded is not the checkpoint's.
void require_same_dataset(const Checkpoint& checkpoint, const std::string& hash);
/// Makes `checkpoint` one to go on from with these options. Where they can change a bit of the result, what
/// the old ones computed is left out, and the line that is returned says so; else it is empty.
std::string adapt_checkpoint(Checkpoint& checkpoint, const sim::OptionTable& table,
                             const sim::Configuration& configuration);

/// Says when a checkpoint is due and which file it goes into.
class CheckpointSchedule {
 public:
  /// `resumed`: the file that the run went on from, or an empty path; `step` is the present one. A checkpoint
  /// of another run is not replaced: throws sim::Error, also if the file is something else or its folder
  /// cannot be written to.
  CheckpointSchedule(const CheckpointRequest& request, const std::filesystem::path& resumed,
                     std::uint64_t step);

  const std::filesystem::path& file() const { return file_; }
  /// True if the time or the number of steps since the last one is over.
  bool is_due(std::uint64_t step) const;
  /// True unless the checkpoint of this step was written.
  bool lacks(std::uint64_t step) const { return !written_ || step != step_; }
  /// The checkpoint of this step is being written. Returns whether the one before is to be kept: not where
  /// it is the damaged one of a pair.
  bool begin(std::uint64_t step);

 private:
  using Clock = std::chrono::steady_clock;
  std::filesystem::path file_;
  CheckpointPace pace_;
  bool keeps_previous_ = false;
  bool written_ = false;
  std::uint64_t step_ = 0;
  Clock::time_point time_ = Clock::now();
};

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

/// A larger session is not kept: closing the window must not take long.
inline constexpr std::size_t largest_last_session = std::size_t{256} << 20;

/// The file of the session with which the window was closed: last-session.checkpoint beside the settings.
/// Empty if there is no home.
std::filesystem::path last_session_file();

/// Replaces the last session; logs if a session is too large. The session of a window that was closed while
/// this one was open stays as FILE.previous. Throws sim::Error.
void write_last_session(const Checkpoint& checkpoint);

}  // namespace orrery::app
