#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sim/core/progress.h"
#include "sim/scene/scene.h"

namespace orrery::sim {

/// The parameters of a galaxy model.
struct ModelRequest {
  std::size_t bodies = 0;        ///< 0: the model's default
  std::uint64_t seed = 1;        ///< the same seed gives the same bits
  Progress* progress = nullptr;  ///< may be null; a model that is told to stop throws Cancelled
};

/// A built-in set of initial conditions, in a file of its own or of its kind.
struct GalaxyModel {
  std::string_view name;     ///< as in `orrery make NAME`
  std::string_view meaning;  ///< one line for the panel and the help
  std::size_t default_bodies = 4096;
  std::size_t minimum_bodies = 2;
  std::size_t maximum_bodies = 100'000'000;  ///< equal to the minimum for systems of fixed size
  /// The number of bodies that the viewer begins with at most where a CPU computes; 0: viewer and pictures
  /// always begin with `default_bodies`.
  std::size_t most_shown = 150'000;
  /// Centred (centre of mass and momentum at 0), with suggested G, softening, dt and speed set.
  Scene (*make)(const ModelRequest& request);
};

/// A system that always has that many bodies (two-body, figure-eight).
constexpr GalaxyModel fixed_model(std::string_view name, std::string_view meaning, std::size_t bodies,
                                  Scene (*make)(const ModelRequest&)) {
  return {name, meaning, bodies, bodies, bodies, 0, make};
}

/// All models, the default of `orrery view` (disk) first.
std::span<const GalaxyModel* const> galaxy_models();
/// The model of that name, or nullptr.
const GalaxyModel* find_galaxy_model(std::string_view name);
/// Looks up, checks the number of bodies, makes. Throws UsageError with the list of names or the allowed
/// range.
Scene make_galaxy(std::string_view name, const ModelRequest& request);
/// `galaxies` independent copies with seeds seed, seed+1, ...: the reports' num_systems. `request.bodies` is
/// per galaxy.
Scene make_galaxies(std::string_view name, const ModelRequest& request, std::uint32_t galaxies);

}  // namespace orrery::sim
