#include "sim/ranks/launch.h"

#include <cstdlib>
#include <initializer_list>

#include "sim/core/letters.h"

namespace orrery::sim {

namespace {

/// The first of these variables that holds a whole number.
int first_number_in(std::initializer_list<const char*> names, int otherwise) {
  for (const char* name : names) {
    const char* value = std::getenv(name);
    if (value == nullptr) continue;
    if (const auto number = number_in<int>(value); number && *number >= 0) return *number;
  }
  return otherwise;
}

Launch read_launch() {
  // Open MPI; MPICH and Slurm's PMI; MPICH's names for the processes of a machine.
  Launch launch{.rank = first_number_in({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0),
                .size = first_number_in({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1),
                .local_size = first_number_in({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}, 1)};
  const bool sensible = launch.size >= 1 && launch.rank < launch.size;
  return sensible ? launch : Launch{};
}

}  // namespace

const Launch& launch() {
  static const Launch once = read_launch();
  return once;
}

}  // namespace orrery::sim
