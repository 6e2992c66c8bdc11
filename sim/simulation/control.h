#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "sim/series/series_recorder.h"
#include "sim/simulation/frame_info.h"

namespace orrery::sim {

/// The user's controls. Sent as a whole; the newest counts.
struct Control {
  Configuration configuration;
  bool paused = false;
  double speed = 0.0;              ///< simulated time per second; 0: as fast as the engine goes
  std::uint64_t single_steps = 0;  ///< steps asked for while paused, counted from the start
  std::uint64_t resets = 0;        ///< returns to the initial state, counted from the start
  std::uint64_t revision = 0;      ///< rises with every change: comes back with the steps that obey it
  /// Device targets for engines that prefer them; null: they publish into the host ring, by a copy. Targets
  /// of slots that the drawing thread does not hold must be writable. The ring must live until a frame names
  /// another one, or the simulation ends.
  const TargetRing* device_ring = nullptr;
  /// The folder in which the last complete state is saved if a GPU fails; empty: the working folder.
  std::filesystem::path rescue_folder;
  bool timeline = false;  ///< somebody looks at timelines: the engine is asked for them
  /// The recorder that takes the states of steps, from the present one on; null: none. Stepping waits for it
  /// where its files are slower.
  std::shared_ptr<SeriesRecorder> series = nullptr;
};

}  // namespace orrery::sim
