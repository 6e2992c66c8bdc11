#pragma once

#include <memory>
#include <vector>

#include "sim/engines/engine.h"
#include "sim/scene/scene.h"
#include "sim/series/series_reader.h"

namespace orrery::sim {

/// An engine that computes nothing: its steps go through the snapshots of a series, `snapshots_a_step` each,
/// to the last one, where it stays. `first` is the scene of the first snapshot, read with `options`. A step
/// waits for its files; `advance` throws Error where one cannot be read.
std::unique_ptr<Engine> make_playback_engine(std::vector<SnapshotPlace> places,
                                             std::shared_ptr<const Scene> first, const ReadOptions& options,
                                             double snapshots_a_step);

}  // namespace orrery::sim
