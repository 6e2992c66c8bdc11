#pragma once

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace orrery::render {

/// A perspective camera that looks at a target from a distance. Value type: copy it to bookmark a view.
///
/// Kept in double precision so that scenes of any scale (1e-6 to 1e9 length units) move smoothly; the
/// matrices are rounded to float last. Length unit: that of the bodies. `orientation` turns camera axes (x
/// right, y up, z backwards) into world axes.
struct Camera {
  enum class Mode {
    /// Dragging turns the camera around the target.
    orbit,
    /// Dragging turns the camera around itself.
    fly,
  };
  /// The views of the number keys. A galaxy's disk lies in the x-y plane.
  enum class Preset { face_on, edge_on, oblique };

  glm::dvec3 target{0.0, 0.0, 0.0};
  glm::dquat orientation{1.0, 0.0, 0.0, 0.0};
  double distance = 1.0;
  /// Vertical opening angle in radians.
  float field_of_view = 0.7853982F;
  Mode mode = Mode::orbit;

  /// Turns by angles in radians, horizontal dragging around the z axis; positive dx moves the scene to the
  /// right, positive dy moves it up. In orbit mode around the target (the distance is kept), in fly mode
  /// around the camera (its position is kept).
  void orbit(double dx, double dy);
  /// Shifts the view; (1, 0) moves the scene right by one picture height, measured at the target.
  void pan(double dx, double dy);
  /// Makes the scene `factor` times larger; a factor that is not positive and finite changes nothing.
  void zoom(double factor);
  /// Zooms and keeps the point of the target plane under the cursor there. `cursor` in normalized device
  /// coordinates (-1..1, y up), `aspect` = width / height.
  void zoom(double factor, glm::dvec2 cursor, double aspect);
  /// Moves camera and target along the camera's axes, in units of the distance.
  void fly(double right, double up, double forward);
  /// Looks at a sphere from the present direction so that all of it is in a picture of this aspect.
  void fit(glm::dvec3 center, double radius, double aspect = 1.0);
  /// Turns to a preset direction; target and distance are kept.
  void look(Preset preset);

  /// The position of the camera, and its axes in world coordinates (unit length).
  glm::dvec3 position() const;
  glm::dvec3 right() const;
  glm::dvec3 up() const;
  glm::dvec3 forward() const;
  /// From the target to the top of the picture, per unit of distance.
  double half_height() const;
  /// The height of the picture at the target.
  double picture_height() const { return 2.0 * distance * half_height(); }

  /// World to camera coordinates (right-handed, the camera looks along -z).
  glm::mat4 view() const;
  /// Camera to clip coordinates. The near plane is at distance / 1000; there is no far plane: light is added
  /// without a depth buffer, so depth precision does not matter and nothing is ever too far away.
  glm::mat4 projection(float aspect) const;
  /// The distance of the near plane.
  double near_plane() const { return distance * 1e-3; }
  /// The point of the plane through the target, perpendicular to the line of sight, under the cursor.
  glm::dvec3 point_under(glm::dvec2 cursor, double aspect) const;
  /// Exposure in stops that keeps the surface brightness of the scene as it was at `reference_distance`.
  /// Sprites carry the same light at any distance, so a scene twice as near is four times fainter per pixel.
  float zoom_compensation(double reference_distance) const;

  friend bool operator==(const Camera&, const Camera&) = default;
};

}  // namespace orrery::render
