#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "sim/engines/engine.h"
#include "sim/scene/scene.h"
#include "sim/series/snapshot_list.h"
#include "sim/snapshots/format.h"

namespace orrery::sim {

/// One state of a series: the bodies of its first scene, in their order.
struct PlayedState {
  double time = 0.0;
  std::vector<Vec3> position, velocity;
  bool has_velocities = true;
  std::size_t missing = 0;  ///< bodies that this snapshot does not hold: their positions are NaN
};

/// Reads the snapshots of a series on a thread of its own, some ahead of the requested one. Holds at
/// most `kept` of them. Bodies are found by their ids.
class SeriesReader {
 public:
  static constexpr std::size_t kept = 5;

  /// `first` is the scene whose bodies are looked for; `options` say how its file was read. All bodies of the
  /// other files are looked through. `check`, called before and after a file is read, throws Error to refuse
  /// it.
  SeriesReader(std::vector<SnapshotPlace> places, std::shared_ptr<const Scene> first,
               ReadOptions options = {}, std::function<void(const std::filesystem::path& file)> check = {});
  SeriesReader(const SeriesReader&) = delete;
  SeriesReader& operator=(const SeriesReader&) = delete;
  /// Does not wait for a file that is being read longer than that takes.
  ~SeriesReader();

  std::size_t size() const { return places_.size(); }
  const std::vector<SnapshotPlace>& places() const { return places_; }

  /// The states from `n` on are needed next, in the direction (1 or -1) in which it plays; at the ends it
  /// goes around. Never waits.
  void want(std::size_t n, int direction = 1);
  /// The n-th state, or null if it is not read yet or cannot be read.
  std::shared_ptr<const PlayedState> state(std::size_t n) const;
  /// The n-th state; waits until it is read. Throws Error if it cannot be read.
  std::shared_ptr<const PlayedState> wait_for(std::size_t n);
  /// Why the last file that failed could not be read; empty: none failed.
  std::string problem() const;
  /// States in memory: never above `kept`.
  std::size_t held() const;

 private:
  void run();
  std::vector<std::size_t> wishes() const;
  void drop_others(const std::vector<std::size_t>& wanted);
  PlayedState read(std::size_t n) const;

  std::vector<SnapshotPlace> places_;
  std::shared_ptr<const Scene> first_;
  ReadOptions options_;
  std::function<void(const std::filesystem::path& file)> check_;
  std::vector<std::pair<std::uint64_t, std::size_t>> by_id_;  ///< rising; empty: ids are the order

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::size_t, std::shared_ptr<const PlayedState>> states_;
  std::map<std::size_t, std::string> problems_;
  std::string problem_;
  std::size_t wanted_ = 0;
  int direction_ = 1;
  bool quit_ = false;
  std::thread thread_;
};

/// Where bodies are between two states, `share` from 0 to 1: with velocities of both on the cubic that has
/// them (Hermite), unless they say something else than the positions do; else on a straight line. One a body;
/// `position` and `velocity` have room for them.
void interpolate(const PlayedState& a, const PlayedState& b, double share, std::span<Vec3> position,
                 std::span<Vec3> velocity);
/// The time between.
double time_between(const PlayedState& a, const PlayedState& b, double share);

/// An engine that computes nothing: its steps go through the snapshots of a series, `snapshots_a_step` each,
/// to the last one, where it stays. `first` is the scene of the first snapshot, read with `options`. A step
/// waits for its files; `advance` throws Error where one cannot be read.
std::unique_ptr<Engine> make_playback_engine(std::vector<SnapshotPlace> places,
                                             std::shared_ptr<const Scene> first, const ReadOptions& options,
                                             double snapshots_a_step);

}  // namespace orrery::sim
