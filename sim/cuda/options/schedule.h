#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/options/configuration.h"
#include "sim/ranks/split.h"

// How many galaxies share a GPU, and GPUs a dataset: read from the options.
namespace orrery::sim::cuda {

/// The order and the streams in which the galaxies' work is queued.
enum class Schedule {
  serial,   ///< one galaxy after the other in one stream
  streams,  ///< galaxy s on stream s mod S; depth first: all of a galaxy, then the next one
  phased,   ///< galaxy s on stream s mod S; breadth first: every phase for all galaxies
  batched,  ///< one launch for all galaxies
  graph     ///< the work of `streams`, captured once and replayed
};
std::string_view schedule_name(Schedule schedule);

/// The schedule of a configuration; "auto" is batched for several galaxies where the kernels can, else
/// serial.
Schedule schedule_of(const Configuration& configuration, std::size_t galaxies);
/// Why the family's kernels have no batched form; empty if they have.
std::string batched_refusal(const Configuration& configuration);

/// The CUDA ordinals that share the work, the one that draws first. `devices=auto` is GPU 0, `all` are those
/// of this machine. One that is set several times has several parts, as tests do.
std::vector<int> devices_of(const Configuration& configuration);
/// The first ordinal that `devices` names; -1 where it is auto or all, which leave that to the program.
int named_device(const Configuration& configuration);
/// `configuration` with GPU `ordinal` before the others, unless `devices` names the GPUs.
Configuration with_first_device(Configuration configuration, int ordinal);
/// Why these ordinals cannot be: one of them is no GPU of a machine that has `present` of them; empty if they
/// can be, or if there is no GPU at all, which the engine says itself.
std::string absent_device(const std::vector<int>& devices, int present);
/// Why these ordinals cannot be used on this machine; empty if they can.
std::string absent_device(const std::vector<int>& devices);
/// True if that many devices share the bodies of one galaxy instead of whole galaxies.
bool splits_bodies(const Configuration& configuration, std::size_t devices, std::size_t galaxies);
/// True if that many devices share one galaxy in domains along a curve.
bool splits_domains(const Configuration& configuration, std::size_t devices, std::size_t galaxies);

/// The way between GPUs of several processes: through memory of the host, or MPI gets addresses of GPU
/// memory. Automatic: the latter where MPI says that it takes them.
enum class RanksTransfer { automatic, host, direct };
/// The value of the option ranks-transfer.
constexpr RanksTransfer ranks_transfer_named(std::string_view name) {
  if (name == "direct") return RanksTransfer::direct;
  return name == "host" ? RanksTransfer::host : RanksTransfer::automatic;
}
/// What `processes` processes share of a dataset (sim/ranks/split.h). With auto and fewer galaxies than
/// processes they share one galaxy, on GPUs in domains if the family has them, else its bodies.
Split split_of_processes(const Configuration& configuration, std::size_t galaxies, std::size_t processes);
/// Why the GPUs of several processes cannot share these galaxies by `split`; empty if they can.
std::string team_refusal(const Configuration& configuration, Split split, std::size_t galaxies);

}  // namespace orrery::sim::cuda
