#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "render/picture/camera.h"

namespace orrery::app {

/// One of two clusters of bodies.
struct Cluster {
  glm::dvec3 center{0.0};    ///< median of the positions
  double radius = 0.0;       ///< nine tenths of the positions lie within, around the centre
  double half_radius = 0.0;  ///< half of them
};

/// Two galaxies so far apart that a picture of both from the side would show two spots.
struct WidePair {
  Cluster first;  ///< cluster with the first body
  Cluster second;
};

/// Two clusters, each of at least a tenth of the positions, whose centres are more than six times the sum of
/// their radii apart (two means, then radii around medians); otherwise nothing.
std::optional<WidePair> wide_pair(const std::vector<glm::dvec3>& places);

/// A camera behind the first cluster that looks past it at the second one: through a lens so long that both
/// are large, in true scale. It stands where the second one is seen half as large as the first one, but not
/// farther from the first one than the second one is. `spin`: of the first one; it lies across the picture.
/// The target is beside the first cluster, as far away. `aspect` = width / height of the picture.
render::Camera over_the_shoulder_view(const WidePair& pair, glm::dvec3 spin, double aspect);

}  // namespace orrery::app
