#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "render/picture/camera.h"

namespace orrery::render {

/// Interpolation between two keys.
enum class Easing {
  smooth,  ///< the speed does not jump at the keys
  linear,  ///< straight and evenly
  rest,    ///< starts from rest and comes to rest
  hold,    ///< stays, then jumps
};
inline constexpr std::size_t easing_count = 4;
/// "smooth", "linear", "rest" or "hold".
std::string_view easing_name(Easing easing);
std::optional<Easing> find_easing(std::string_view name);

/// The camera at a point in time.
struct CameraKey {
  double time = 0.0;  ///< seconds of film
  Camera camera;
  Easing easing = Easing::smooth;  ///< on the way to the next key
  friend bool operator==(const CameraKey&, const CameraKey&) = default;
};

/// The way of a camera through its keys. Places go along Catmull-Rom splines (Catmull & Rom 1974, with the
/// slopes of unevenly spaced keys), distances and opening angles too, by their logarithms; orientations by
/// squad (Shoemake 1987). The place is that of the target, or of the camera where one of two keys flies.
class CameraPath {
 public:
  CameraPath() = default;
  /// Sorts by time. Of keys of the same time the last one counts.
  explicit CameraPath(const std::vector<CameraKey>& keys);

  /// Adds a key, in place of one within a thousandth of a second.
  void set(const CameraKey& key);
  void remove(std::size_t key);
  std::span<const CameraKey> keys() const { return keys_; }
  bool empty() const { return keys_.empty(); }
  /// The time of the last key; 0 without keys.
  double duration() const { return keys_.empty() ? 0.0 : keys_.back().time; }
  /// The camera at `time`; before the first key and after the last one theirs. There must be a key.
  Camera at(double time) const;

  friend bool operator==(const CameraPath&, const CameraPath&) = default;

 private:
  void take_short_ways();
  Camera between(std::size_t key, double share) const;

  std::vector<CameraKey> keys_;
};

/// A path once around what the camera looks at, about `axis`, evenly, in that many seconds.
CameraPath orbit_path(const Camera& camera, glm::dvec3 axis, double seconds);

/// A path from the camera into a scene with this centre and radius, close past the centre, which stays in
/// view, and out on the other side.
CameraPath fly_through_path(const Camera& camera, glm::dvec3 middle, double radius, glm::dvec3 axis,
                            double seconds);

}  // namespace orrery::render
