#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/picture/disk_shape.h"
#include "app/picture/framing.h"
#include "render/picture/camera.h"
#include "sim/scene/scene.h"

namespace orrery::app {

/// Facts about one galaxy of a dataset.
struct GalaxyFacts {
  std::uint32_t number = 0;
  std::size_t bodies = 0;
  double mass = 0.0;
};

/// Facts about a dataset that drawing needs, found once when it is loaded.
struct SceneSummary {
  std::size_t bodies = 0;
  std::uint32_t galaxies = 1;
  glm::dvec3 origin{0.0};    ///< origin of the dataset, to which all drawn positions are relative
  glm::dvec3 center{0.0};    ///< median of the positions; the centre of mass of few bodies
  double radius = 1.0;       ///< 95 % of the bodies of a galaxy lie within, around the centre; all if few
  double half_radius = 0.5;  ///< half of the bodies lie within; of two galaxies far apart, of the first one
  std::uint32_t grid_columns = 1;  ///< galaxies are drawn side by side
  float grid_spacing = 0.0F;
  std::vector<GalaxyFacts> each_galaxy;  ///< those that have bodies, by rising number
  std::array<std::size_t, sim::component_count> components{};
  std::array<double, sim::component_count> component_mass{};
  /// The legend's name of each component: its name, or of a component whose charges all have one sign
  /// "positive charges" or "negative charges".
  std::array<std::string, sim::component_count> component_labels{};
  std::size_t colored = 0;  ///< bodies with a colour of their own
  Luminous luminous;        ///< bodies by which pictures are framed
  DiskShape disk;
  std::shared_ptr<const std::vector<std::uint8_t>> drawn_as;  ///< each body (stellar_populations.h)
  /// Corners of a box around them, in which 90 of 100 lie along each axis, all if few. Never flat.
  glm::dvec3 box_low{-1.0}, box_high{1.0};
  render::Camera start_camera;  ///< fitted_camera for a picture of 16 to 9
  /// 2nd to 98th percentile of every colour mode's quantity, by its name.
  std::map<std::string, std::pair<float, float>, std::less<>> ranges;

  /// nullptr if no body has that number.
  const GalaxyFacts* find_galaxy(std::int64_t number) const;
  /// The displacement of a galaxy in the grid, added to its bodies' positions.
  glm::dvec3 grid_offset(std::uint32_t galaxy) const;
  /// The middle of the grid of galaxies, and a radius around it that shows all.
  glm::dvec3 view_center() const;
  double view_radius() const;
};

/// Looks at up to 100 000 bodies, evenly spread over the arrays.
SceneSummary summarize(const sim::Bodies& bodies);

/// The scene for fitting cameras after a dataset has moved: `start` with the positions of `now`, the same
/// bodies. Few bodies keep room for their orbits; a grid of galaxies stays as it is.
SceneSummary moved_summary(const SceneSummary& start, const sim::Bodies& now);

/// The aspect, width / height, of pictures whose size is not known.
inline constexpr double usual_aspect = 16.0 / 9.0;

/// True if all bodies of the dataset are in a picture that shows it, whatever light they give: few bodies,
/// and the galaxies of a grid. SceneSummary::view_center and view_radius say where they are.
bool shows_all(const SceneSummary& summary);

/// A camera that looks at the scene from a view's direction and frames it (app/picture/framing.h). Few
/// bodies, and the galaxies of a grid, are all in the picture. The view `fit` of two galaxies far apart looks
/// past the first one (app/picture/wide_pair.h).
render::Camera view_of(const SceneSummary& summary, View view, double aspect = usual_aspect);

/// The camera that a picture starts with.
inline const render::Camera& fitted_camera(const SceneSummary& summary) { return summary.start_camera; }

/// The exposure in stops at which the scene, seen from `fitted_camera` at the reference height of 720
/// pixels, is neither dark nor burnt out, for bodies of light 1.
float automatic_exposure(const SceneSummary& summary);

/// Colour ranges of the present state, for the key that adapts them: as `summarize` finds them.
std::map<std::string, std::pair<float, float>, std::less<>> color_ranges(const sim::Bodies& bodies);

}  // namespace orrery::app
