#pragma once

#include <span>
#include <vector>

#include "sim/bodies/partition.h"
#include "sim/options/configuration.h"

namespace orrery::sim {

/// Division of the dataset among processes: whole galaxies, the bodies of every galaxy, or stretches of the
/// space-filling curve through all galaxies with the bodies in them.
enum class Split { galaxies, bodies, domains };

/// Why an engine on CPUs is refused where processes have domains, and what to do.
inline constexpr std::string_view domains_are_for_gpus =
    "domains are for GPUs; use ranks-split=bodies, or engine=cuda with family=tree";

/// "galaxies", "bodies" or "domains".
std::string_view split_name(Split split);

/// Describes the option ranks-split. With auto: galaxies if each process gets one, else bodies, or domains on
/// GPUs.
void add_ranks_options(OptionTable& table);
/// The division that `configuration` chooses for a dataset with that many galaxies; `of_few`: with auto,
/// where these are fewer than ranks.
Split split_of(const Configuration& configuration, std::size_t galaxies, std::size_t ranks,
               Split of_few = Split::bodies);

/// One share for each of `ranks` equal processes; a TeamEngine cuts domains itself.
std::vector<Partition> cut(std::span<const GalaxyRange> galaxies, Split split, std::size_t ranks);
/// The begin of each process's targets, and the end of the last: ranks + 1 indices, ascending.
std::vector<std::size_t> target_bounds(std::span<const Partition> shares);

}  // namespace orrery::sim
