#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/picture/wide_pair.h"
#include "render/picture/camera.h"
#include "sim/bodies/bodies.h"

namespace orrery::app {

/// The bodies that give light, as a picture is framed by them: all but the halo; the halo too where there is
/// nothing else.
struct Luminous {
  /// Positions of a sample of the luminous bodies, evenly spread over the arrays; without grid offsets.
  std::vector<glm::dvec3> places;
  std::vector<std::size_t> indices;  ///< indices of the sampled bodies
  std::size_t count = 0;             ///< number of luminous bodies, sampled or not
  glm::dvec3 center{0.0};            ///< median of the positions
  double half_radius = 0.0;          ///< half of the positions are within, around the centre
  /// Unit vector around which the bodies turn (angular momentum); where they hardly turn, along which they
  /// are flattest; the z axis where they are round as well.
  glm::dvec3 spin{0.0, 0.0, 1.0};
  /// Two galaxies far apart: then centre, radius and spin are those of the first one.
  std::optional<WidePair> pair;
};

/// Looks at up to `most` of the luminous bodies.
Luminous luminous_bodies(const sim::Bodies& bodies, std::size_t most = 20'000);

/// Bodies that follow each other in the arrays.
struct BodyRun {
  std::size_t first, count;
};
/// Runs with up to 1024 luminous bodies, spread over the arrays: at most 64 that do not overlap, each of at
/// most 1024 bodies unless it joins others, so that reading them from a GPU is cheap. Where one body in
/// thousands is luminous, a run may have one only. Dark bodies may be among them.
std::vector<BodyRun> luminous_runs(const sim::Bodies& bodies, const Luminous& light);
/// True for a body that a picture is framed by.
bool gives_light(const sim::Bodies& bodies, const Luminous& light, std::size_t index);

/// A direction from which a scene is viewed.
enum class View {
  fit,            ///< tilted, as a picture starts
  face_on,        ///< along the spin
  edge_on,        ///< across it
  three_quarter,  ///< lower: halfway to edge-on and beyond
};
/// "fit", "face-on", "edge-on" or "three-quarter". Throws sim::UsageError that lists the names.
View view_from_name(const std::string& name);

/// A camera that looks along a view's direction at a scene of this spin; target and distance are left alone.
/// `turn_degrees`: around the spin, counter-clockwise.
render::Camera towards(View view, glm::dvec3 spin, double turn_degrees = 0.0);

/// The turn around `spin`, in degrees, for towards(View::fit, ...), from which the positions cover most of
/// the picture: galaxies whose disks lie in different planes are then seen from their open sides, and beside
/// each other. 0 unless another turn, of twelve, shows clearly more. `radius` around `center` holds half of
/// the positions.
double open_turn(const std::vector<glm::dvec3>& places, glm::dvec3 center, glm::dvec3 spin, double radius);

/// A framing of positions: `share` of them lie in an ellipse of their own shape that fills `part` of the
/// picture's height, or of its width where that is less.
struct Framing {
  double share;
  double part;
};
/// The framing with which a picture starts.
inline constexpr Framing usual_framing{.share = 0.9, .part = 2.0 / 3.0};

/// Moves a camera, which keeps its orientation, so that the positions are framed. `aspect` = width / height
/// of the picture. Without places the camera stays.
render::Camera framed(render::Camera camera, const std::vector<glm::dvec3>& places, double aspect,
                      const Framing& framing = usual_framing);

/// A rectangle of a picture, in half heights of it, right of and above the point at which its camera looks.
struct PictureBox {
  glm::dvec2 low{-16.0 / 9.0, -1.0}, high{16.0 / 9.0, 1.0};

  glm::dvec2 middle() const { return 0.5 * (low + high); }
  friend bool operator==(const PictureBox&, const PictureBox&) = default;
};

/// Moves a camera, which keeps its orientation and its lens, so that `share` of the positions lie in the box
/// and are as large as fits. Without places the camera stays.
render::Camera framed_in(render::Camera camera, const std::vector<glm::dvec3>& places, const PictureBox& box,
                         double share);

/// As framed_in, for a camera that framed nearly the same positions, box and direction `before`: far cheaper,
/// and the camera moves no more than the bodies do. The lens must be the same.
render::Camera reframed_in(render::Camera camera, const render::Camera& before,
                           const std::vector<glm::dvec3>& places, const PictureBox& box, double share);

/// The part of the positions that lies in the picture of a camera, from 0 to 1; 1 without places.
double share_in_picture(const render::Camera& camera, const std::vector<glm::dvec3>& places, double aspect);

}  // namespace orrery::app
