#pragma once

#include <vector>

#include "sim/cuda/families/family.h"
#include "sim/cuda/launch/part_map.h"
#include "sim/cuda/options/gpu_options.h"
#include "sim/cuda/options/kernel_configuration.h"
#include "sim/cuda/options/schedule.h"
#include "sim/options/physics_options.h"
#include "sim/options/tree_options.h"
#include "sim/ranks/split.h"

namespace orrery::sim::cuda {

/// Milliseconds of the pieces into which a longer force evaluation is cut, so that switches take effect soon
/// and slow GPUs draw in between. Much shorter ones leave a large GPU half empty (docs/performance.md). Tests
/// shorten it before they configure an engine, so that small galaxies are cut too.
inline double longest_slice_ms = 250.0;

/// The settings that the CUDA engine reads from a configuration, once for each change.
struct EngineSettings {
  KernelConfiguration kernel;
  Physics physics;
  bool round_trip = false;         ///< bodies live on the host
  bool kicks_on_device = false;    ///< on a round trip the GPU updates velocities
  bool positions_in_only = false;  ///< velocities stay on the device
  bool pinned = true;              ///< page-locked memory for copies
  double slice_ms = longest_slice_ms;
  Schedule schedule = Schedule::serial;
  std::size_t streams = 1;        ///< workers of the schedules that use several
  std::vector<int> devices;       ///< CUDA ordinals; the first one draws
  Split split = Split::galaxies;  ///< how devices share the bodies
  bool weighted = false;          ///< shares by the devices' FP32 limits
  RanksTransfer ranks_transfer = RanksTransfer::automatic;
  MapCount map_count = MapCount::kernel;
  TreeSettings tree;

  /// `galaxies`: of the dataset.
  EngineSettings(const Configuration& c, std::size_t galaxies)
      : EngineSettings(c, gpu_options(c), galaxies) {}

  std::size_t real_bytes() const { return static_cast<std::size_t>(kernel.precision) / 8; }
  const Integrator& integrator() const { return *physics.integrator; }
  /// True if several streams work at a time.
  bool forks() const {
    return schedule == Schedule::streams || schedule == Schedule::phased || schedule == Schedule::graph;
  }
  /// True if accelerations computed with `other` are right with these settings too.
  bool same_forces(const EngineSettings& other) const {
    return physics.same_forces(other.physics) && round_trip == other.round_trip;
  }
  /// True if the devices hold the same bodies as with `other`, and exchange them in the same way.
  bool same_shares(const EngineSettings& other) const {
    return devices == other.devices && split == other.split && weighted == other.weighted &&
           ranks_transfer == other.ranks_transfer;
  }

 private:
  EngineSettings(const Configuration& c, const GpuOptions& options, std::size_t galaxies)
      : kernel(kernel_configuration(c)),
        physics(physics_of(c)),
        round_trip(!options.is_resident()),
        kicks_on_device(round_trip && options.transfers != "round-trip"),
        positions_in_only(options.transfers == "round-trip-positions"),
        pinned(options.host_memory == "pinned"),
        schedule(schedule_of(c, galaxies)),
        streams(options.streams),
        devices(devices_of(c)),
        weighted(options.balance == "weighted"),
        ranks_transfer(ranks_transfer_named(options.ranks_transfer)),
        map_count(map_count_named(options.map_count)),
        tree(tree_settings(c)) {
    if (devices.size() > 1 && splits_bodies(c, devices.size(), galaxies)) split = Split::bodies;
    if (devices.size() > 1 && splits_domains(c, devices.size(), galaxies)) split = Split::domains;
    // Kernels that follow slopes do not count.
    if (!kernel.map_in_update && map_count == MapCount::update) map_count = MapCount::kernel;
    kernel.batched = schedule == Schedule::batched && kernel.family->batch != nullptr;
  }
};

}  // namespace orrery::sim::cuda
