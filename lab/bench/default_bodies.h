#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/bench/tuned.h"
#include "lab/setup/dataset.h"
#include "sim/galaxies/model.h"
#include "sim/options/configuration.h"

// With how many bodies a built-in galaxy begins where nobody said a number. In the window as many as the
// machine steps and draws 30 times per second, so that every picture shows another state.
namespace orrery::lab {

/// Properties of a GPU that are known without asking it to compute.
struct GpuDescription {
  std::string name;
  int multiprocessors = 0;
  double clock_mhz = 0.0;    ///< 0: not known
  std::uint64_t memory = 0;  ///< bytes; 0: not known
};

/// The computing device's peak rates.
struct ComputingPower {
  bool gpu = false;
  double gips = 0.0;  ///< 1e9 interactions per second that it is expected to reach pair by pair
  /// N log2(N) of the bodies whose forces it finds by a tree, a second; 0: it does not use one.
  double tree_rate = 0.0;
  std::uint64_t memory = 0;     ///< bytes of a GPU; 0: not known
  double share_of_large = 0.0;  ///< its multiprocessors x clock, beside those of an H100
};

/// The rate that `orrery tune` remembered of this GPU, else 0.6 of its FP32 limit: 128 lanes a multiprocessor
/// and clock, 13 issue slots per interaction. The tree's rate is an H100's, by multiprocessors and clock.
ComputingPower power_of_gpu(const GpuDescription& gpu, const std::vector<TunedResult>& results);
/// The computing power of the engine that `assignments` ask for, on this machine. A CPU is measured, which
/// takes some milliseconds; the tree too, where they leave one for many bodies.
ComputingPower power_of(const sim::OptionTable& table, const std::vector<std::string>& assignments,
                        const std::vector<TunedResult>& results);

/// The bodies to begin with: of a model with `most_shown` bodies as many as make 30 steps per second by the
/// faster of pairs and tree (on a CPU that draws besides, with 0.7 of its rate), rounded down to two
/// digits. At least its usual number; on a core at most `most_shown`; on a GPU at least 20 000, and no more
/// than it draws at that pace, at most a million. Of other models their usual number.
std::size_t bodies_to_begin_with(const sim::GalaxyModel& model, const ComputingPower& power);

/// Sets the number of bodies_to_begin_with in a request for one built-in galaxy that names none;
/// `assignments` choose what computes. Other requests stay as they are. Throws sim::UsageError for
/// assignments that are refused.
void choose_bodies(DatasetRequest& request, const sim::OptionTable& table,
                   const std::vector<std::string>& assignments, const std::vector<TunedResult>& results);

/// Chooses the bodies for pictures: 100 000 where a CPU computes them by a tree, a million on a GPU, the
/// model's usual number where every pair is summed. Independent of the machine's speed, so that pictures are
/// repeatable.
void choose_bodies_of_picture(DatasetRequest& request, const sim::OptionTable& table,
                              const std::vector<std::string>& assignments);

}  // namespace orrery::lab
