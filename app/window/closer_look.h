#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "app/picture/picture_views.h"
#include "render/bodies/body_buffers.h"
#include "sim/physics/diagnostics/local_density.h"

namespace orrery::app {

class Session;
class WidgetMap;

/// One body that was picked with a click: what is known of it in a card, a ring about it, its trail, and the
/// camera that follows it. Sums over all bodies are found on a thread of their own, of a state of some
/// moments ago. Needs a current context.
class CloserLook {
 public:
  /// Picks the body under the cursor (normalized device coordinates; `height` in pixels of the window), or
  /// lets go where none is. Only in scenes of one galaxy: of several a click means a galaxy.
  void pick(Session& session, glm::dvec2 cursor, double aspect, double height);
  /// Call once per frame, after the session's update: looks where the body is, and moves the camera with it.
  /// Lets go when another dataset opened.
  void update(Session& session);
  /// The camera goes along with the body, or no longer. False if none is picked.
  bool toggle_following(Session& session);
  /// Deselects the body and restores the trails. False if no body was selected.
  bool release(Session& session);
  bool active() const { return body_.has_value(); }

  /// Ring and card over the picture, right of `left`; `shift` as in PictureInput.
  void draw(const Session& session, float left, double shift, float scale, WidgetMap& widgets) const;

 private:
  using Clock = std::chrono::steady_clock;
  void forget();
  void show_trail(Session& session);
  void look(const Session& session);
  void ask(const Session& session);
  void draw_ring(const Session& session, double shift, float scale, WidgetMap& widgets) const;
  void note_way();
  void draw_way(const PictureView& view, float scale, WidgetMap& widgets) const;
  void draw_ring_in(const Session& session, const PictureView& view, float scale, WidgetMap& widgets) const;
  void draw_velocity(const Session& session, const PictureView& view, float scale, WidgetMap& widgets) const;
  void draw_card(const Session& session, float left, float scale, WidgetMap& widgets) const;
  void rows(const Session& session, WidgetMap& widgets) const;

  std::optional<std::size_t> body_;
  std::uint64_t opening_ = 0;
  std::vector<glm::vec3> way_;  ///< where the body was since it was picked, the newest last
  render::OneBody now_;
  bool following_ = false;
  std::optional<sim::Configuration> before_;  ///< whose trails come back
  std::future<sim::Surroundings> asked_;
  std::optional<sim::Surroundings> known_;
  std::size_t asked_of_ = 0;
  Clock::time_point next_ask_{};
};

}  // namespace orrery::app
