#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/picture/look.h"
#include "app/picture/scene_summary.h"
#include "app/picture/velocity_arrows.h"
#include "render/bodies/body_buffers.h"
#include "render/trails/trails.h"
#include "sim/physics/kepler.h"
#include "sim/scene/scene.h"

namespace orrery::app {

/// Identifies the displayed state of a simulation.
struct ShownState {
  double time = 0.0;
  std::uint64_t steps = 0;
  std::uint64_t resets = 0;
  friend bool operator==(const ShownState&, const ShownState&) = default;
};

/// The trails of bodies, gathered while states are shown: trails, ellipses, velocities, and
/// where named bodies are. Needs a current context.
class OrbitTrails {
 public:
  /// Begins anew with the bodies of a scene. Both must live until another scene is opened.
  void open(const sim::Scene& scene, const SceneSummary& summary);
  /// Takes a state that is in a slot: appends it to the trails if it is a new one, and does what options ask
  /// for otherwise. Trails are copied by the GPU; only of scenes of fewer than 100 bodies are the bodies read
  /// back, where ellipses or names are drawn. True if the GPU was told to read the slot. Throws
  /// render::Error where there is no memory for the trails.
  bool take(const Look& look, const render::BodyBuffers& buffers, int slot, const ShownState& state);

  /// nullptr if there are none.
  const render::Trails* trails() const { return trails_ ? &*trails_ : nullptr; }
  const render::Trails* ellipses() const { return ellipses_ && shows_ellipses_ ? &*ellipses_ : nullptr; }
  const VelocityArrows& arrows() const { return arrows_; }
  /// The names of the bodies, and where these are, in their order (x, y, z, mass); empty if none are shown.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<float>& positions() const { return positions_; }
  /// Radii of the bodies in lengths, of a scene of fewer than 100: the scene's, or cube roots of masses that
  /// stand for them where it has none. Empty in larger ones.
  const std::vector<double>& radii() const { return radii_; }
  /// The galaxy of a named body.
  std::uint32_t galaxy_of(std::size_t body) const { return galaxies_.at(body); }

 private:
  void forget_if_back(const ShownState& state);
  void follow(const TrailOptions& options);
  void look_closely(const sim::Configuration& configuration, const render::BodyBuffers& buffers, int slot);
  void find_ellipses(const sim::Configuration& configuration, const std::vector<float>& velocities);
  void append_points(const sim::BoundPair& pair, std::size_t column, std::size_t columns,
                     std::vector<glm::vec4>& points) const;

  std::size_t bodies_ = 0;
  std::vector<std::string> names_;
  std::vector<double> radii_;
  std::vector<std::uint32_t> galaxies_;  ///< galaxy of each named body
  std::optional<render::Trails> trails_;
  std::optional<render::Trails> ellipses_;
  VelocityArrows arrows_;
  std::vector<float> positions_;
  std::optional<ShownState> last_;
  sim::Configuration configuration_;  ///< configuration applied last
  bool shows_ellipses_ = false;
  bool shows_names_ = false;
};

}  // namespace orrery::app
