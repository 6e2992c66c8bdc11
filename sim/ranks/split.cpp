#include "sim/ranks/split.h"

#include "sim/options/describe.h"
#include "sim/ranks/launch.h"

namespace orrery::sim {

std::string_view split_name(Split split) {
  if (split == Split::domains) return "domains";
  return split == Split::galaxies ? "galaxies" : "bodies";
}

namespace {

std::string one_process(const Configuration& /*configuration*/) {
  return launch().size > 1 ? "" : "one process runs; `mpirun -n N` with bench or render starts more";
}

}  // namespace

void add_ranks_options(OptionTable& table) {
  table.add(
      described("ranks-split", "engine", "Processes share",
                "What several processes (mpirun) divide among them.")
          .chosen({"auto", "galaxies", "bodies", "domains"},
                  {"galaxies if there is one for each process, else bodies, or domains of one galaxy on "
                   "GPUs with family=tree",
                   "whole galaxies for each process; no communication between them",
                   "bodies of every galaxy; all processes exchange positions in each step",
                   "one section of the Hilbert curve per process, with its own tree; processes exchange "
                   "only the cells and bodies they need (GPUs with family=tree)"})
          .unless(one_process)
          .in_scope(OptionScope::machine));
}

Split split_of(const Configuration& configuration, std::size_t galaxies, std::size_t ranks, Split of_few) {
  const auto& choice = configuration.choice("ranks-split");
  if (choice == "auto") return galaxies >= ranks ? Split::galaxies : of_few;
  if (choice == "domains") return Split::domains;
  return choice == "galaxies" ? Split::galaxies : Split::bodies;
}

std::vector<Partition> cut(std::span<const GalaxyRange> galaxies, Split split, std::size_t ranks) {
  const std::vector<double> weights(ranks, 1.0);
  return split == Split::galaxies ? split_galaxies(galaxies, weights) : split_bodies(galaxies, weights);
}

std::vector<std::size_t> target_bounds(std::span<const Partition> shares) {
  std::vector<std::size_t> bounds{0};
  for (const auto& share : shares) bounds.push_back(share.targets.last);
  return bounds;
}

}  // namespace orrery::sim
