#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sim/core/output_claim.h"
#include "sim/scene/scene.h"
#include "sim/snapshots/format.h"

namespace orrery::sim {

/// One file of a series.
struct SeriesEntry {
  std::string file;  ///< file name within the folder of the index
  std::uint64_t step = 0;
  double time = 0.0;                ///< simulated
  std::string acceleration_source;  ///< source of the accelerations; empty: the file has none
};

/// The index's name in the series' folder: "series.pvd" of VTK, else "series.EXTENSION.series", which are
/// ParaView's names.
std::string series_index_name(const SnapshotFormat& format);

/// The first extension of the format, "txt" if it has none.
std::string series_extension(const SnapshotFormat& format);

/// The states to keep, and their folder.
struct SeriesRequest {
  std::filesystem::path folder;  ///< new or empty; empty path: no series
  std::uint64_t every = 1;       ///< steps from one state to the next
  std::string format = "vtk";    ///< a name of snapshot_formats()
};

/// One state on its way into a file.
struct SeriesState {
  std::uint64_t step = 0;
  double time = 0.0;
  Physics physics;
  std::vector<Vec3> position, velocity;
  std::vector<Vec3> acceleration;   ///< empty: not known, the writer computes them where they are requested
  std::string acceleration_source;  ///< source of the accelerations
};

/// Throws UsageError for an unknown format, one that is only read, or no step between two states; Error if
/// the folder is there and holds something.
void check_series(const SeriesRequest& request);

/// Progress of a series.
struct SeriesProgress {
  std::uint64_t files = 0;         ///< whole ones, which the index names
  std::uint64_t by_engine = 0;     ///< files with accelerations computed by the engine
  std::uint64_t by_processor = 0;  ///< files with accelerations computed by the double-precision reference
  std::size_t waiting = 0;         ///< states, with the one that is being written
  bool slower = false;             ///< stepping had to wait for the files
  std::string problem;             ///< not empty: nothing more is written, and why
};

/// Writes states into a folder on a thread of its own: a file each, and after each file the index of all that
/// are whole. Whatever ends the program, every file that is there is whole, and the index names no other.
class SeriesWriter {
 public:
  /// States that may wait. Each holds positions, velocities and accelerations.
  static constexpr std::size_t most_waiting = 3;

  /// `scene` gives what does not change. Makes the folder. Throws what check_series throws, and Error if the
  /// folder cannot be made; then nothing is left behind.
  SeriesWriter(SeriesRequest request, std::shared_ptr<const Scene> scene);
  SeriesWriter(const SeriesWriter&) = delete;
  SeriesWriter& operator=(const SeriesWriter&) = delete;
  ~SeriesWriter();  ///< writes what waits

  const SeriesRequest& request() const { return request_; }
  const Scene& scene() const { return *scene_; }
  /// True if the files of the series hold accelerations.
  bool wants_acceleration() const { return format_.keeps.acceleration; }

  /// Throws Error if the format cannot hold the scene or the folder cannot be written to: before a long run.
  /// Writes a whole file that gets no name.
  void try_first_file() const;
  /// False while one more state would have to wait for a file; then stepping is said to be slowed.
  bool has_room();
  /// Queues a state; waits where there is no room. What comes after a problem is thrown away.
  void write(SeriesState state);
  /// Waits until all that was queued is written.
  void flush();
  SeriesProgress progress() const;

 private:
  using Clock = std::chrono::steady_clock;

  void make_folder();
  void run();
  void work(SeriesState& state);
  void add_reference(SeriesState& state) const;
  void add_external_field(SeriesState& state) const;
  void write_state(const SeriesState& state);
  void write_index(bool is_last);

  SeriesRequest request_;
  std::shared_ptr<const Scene> scene_;
  const SnapshotFormat& format_;
  bool made_folder_ = false;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::deque<SeriesState> queue_;  ///< the first one is being written
  SeriesProgress progress_;
  bool quit_ = false;

  // Of the writing thread.
  std::vector<SeriesEntry> entries_;
  std::size_t indexed_ = 0;  ///< entries that the index names
  Clock::time_point index_time_{};

  std::shared_ptr<const OutputClaim> claim_;  ///< of the folder
  std::thread thread_;
};

}  // namespace orrery::sim
