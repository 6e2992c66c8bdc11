#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/picture/look.h"
#include "app/picture/scene_summary.h"
#include "render/bodies/body_buffers.h"
#include "render/bodies/body_gatherer.h"
#include "sim/scene/physical_units.h"
#include "sim/scene/scene.h"

namespace orrery::app {

/// All that decides which bodies of a scene have arrows.
struct ArrowChoice {
  std::string which;                           ///< the option
  std::array<float, 8> component_weight = {};  ///< as of render::BodyStyle
  friend bool operator==(const ArrowChoice&, const ArrowChoice&) = default;
};
ArrowChoice arrow_choice(const Look& look, const SceneSummary& summary);

/// The numbers of the bodies that have arrows, rising: of those that are drawn, some by lot, which are always
/// the same, or the heaviest.
std::vector<std::uint32_t> bodies_with_arrows(const Look& look, const sim::Scene& scene,
                                              const SceneSummary& summary);

/// A body that has an arrow, as it is drawn: with its galaxy's place in the grid.
struct MovingBody {
  glm::dvec3 place{0.0};
  glm::dvec3 velocity{0.0};
};

/// Chooses the bodies with velocity arrows and gathers their velocities while states are shown. Needs a
/// current context.
class VelocityArrows {
 public:
  /// Begins anew with the bodies of a scene; both must live as long as states are taken.
  void open(const sim::Scene& scene, const SceneSummary& summary);
  /// Reads the bodies that the options ask for from a slot. `is_new`: it holds another state than before.
  /// Those in graphics memory come with a later call: nothing waits for them.
  void take(const Look& look, const render::BodyBuffers& buffers, int slot, bool is_new);
  /// True while bodies are still to come.
  bool waiting() const { return wanted_ || (sample_ && sample_->busy()); }
  /// Empty where there are none.
  const std::vector<MovingBody>& bodies() const { return bodies_; }
  /// The speed whose arrow has the length of the option arrows: that of fast bodies at the start, and
  /// more where those that have arrows have become much faster.
  double usual_speed() const { return usual_speed_; }

 private:
  bool choose(const Look& look);
  void collect();

  const sim::Scene* scene_ = nullptr;
  const SceneSummary* summary_ = nullptr;
  std::optional<ArrowChoice> choice_;  ///< choice applied last
  std::vector<std::uint32_t> numbers_;
  std::optional<render::BodyGatherer> sample_;
  std::vector<MovingBody> bodies_;
  bool wanted_ = false;  ///< a state that was not begun to be read
  double usual_speed_ = 0.0;
};

/// The simulated time whose way at constant velocity an arrow shows. It follows the camera: arrows are as
/// long in the picture at any distance. 0: nothing moves.
double arrow_time(const render::Camera& camera, const OverlayOptions& options, double usual_speed);

/// The scale of the arrows.
struct ArrowKey {
  double pixels = 0.0;
  std::string text;  ///< "200 km/s"
};
/// A round speed whose arrow is at most that many pixels long, at the distance of the camera's target, in a
/// picture `height` pixels high.
ArrowKey arrow_key(const render::Camera& camera, const OverlayOptions& options, double usual_speed,
                   double height, double most_pixels, const sim::PhysicalUnits& units);

}  // namespace orrery::app
