#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/verify/verification_scenes.h"
#include "sim/bodies/partition.h"
#include "sim/scene/scene.h"

// Scenes with structure on very different scales: compact satellites, galaxies far apart, spheres in spheres.
// An approximate kernel can lose all forces inside a small part of such a scene while the median over all
// bodies stays right. So each scene names its parts, and each part is judged by itself.
namespace orrery::lab {

/// Bodies of a scene that belong together, and whose force errors are judged by themselves.
struct ScenePart {
  std::string name;
  sim::BodyRange bodies;
  /// Where pulls cancel, the error is relative to at least this fraction of the sum of their magnitudes,
  /// because an error relative to the remainder would be meaningless. The tree's own rule uses a hundredth.
  double kept_of_pulls = 0.01;
  /// Relative force error that the digits of single precision cost here, whatever the kernel: a part far from
  /// the origin of its coordinates has few of them left for its inside.
  double rounding = 0.0;
};

/// A scene of one galaxy and its parts, which do not overlap and together are all of its bodies.
struct PartedScene {
  sim::Scene scene;
  std::vector<ScenePart> parts;
};

/// A kind of such scenes.
struct MultiscaleScene {
  std::string_view name;  ///< lower case with hyphens
  std::string_view meaning;
  PartedScene (*make)(const SceneSize& size);
};

/// All kinds. Each can be made with any number of bodies from least_multiscale_bodies on.
std::span<const MultiscaleScene> multiscale_scenes();
inline constexpr std::size_t least_multiscale_bodies = 1000;

/// The scene of that name. Throws sim::UsageError if there is none, or with fewer bodies than the least.
PartedScene make_multiscale_scene(std::string_view name, const SceneSize& size);

}  // namespace orrery::lab
