#pragma once

#include <chrono>
#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "app/live/demo.h"
#include "app/picture/framing.h"
#include "render/picture/camera.h"

namespace orrery::app {

class Session;

/// The part of a picture that charts and texts leave free.
struct DemoRoom {
  PictureBox box;     ///< as from a camera that looks at the picture's middle
  double axis = 0.0;  ///< the camera looks so many half heights of the picture right of its middle
};

/// Moves the camera of a demonstration: flies to where a step looks, turns, and keeps the luminous bodies in
/// the free part of the picture, as large as fits, while they move. Whoever takes the camera in hand has it
/// until the next step with a camera.
class DemoCameraman {
 public:
  using Clock = std::chrono::steady_clock;

  /// A step begins. The first one begins where it looks. A step without a camera goes on with that of the
  /// step before.
  void aim(Session& session, const DemoStep& step, const DemoRoom& room, bool first, Clock::time_point now);
  /// Moves the camera. Call once per frame.
  void move(Session& session, const DemoRoom& room, Clock::time_point now);

 private:
  /// The bodies by which the camera is set.
  enum class Subject {
    moving,     ///< the luminous ones, where they are now
    resting,    ///< the step's first positions, or a sphere around few bodies, whose orbits are to be seen
    wide_pair,  ///< two galaxies far apart, through a long lens
  };
  void choose_subject(Session& session);
  render::Camera goal(const Session& session, const glm::dquat& orientation);
  void look(const Session& session, const DemoRoom& room, Clock::time_point now, double passed);

  DemoCamera wanted_;
  bool moving_ = false, flying_ = false;
  int settling_ = 0;  ///< frames in which the view jumps: the size of a text is known when it was drawn
  Subject subject_ = Subject::resting;
  double share_ = 1.0;                    ///< fraction of the positions that is framed
  std::vector<glm::dvec3> seen_;          ///< positions when they were looked at last
  std::vector<glm::dvec3> followed_;      ///< positions by which the camera is set: they glide to those seen
  bool moved_bodies_ = false;             ///< since the camera was set by them
  std::optional<render::Camera> framed_;  ///< as it frames them, before the step's zoom
  PictureBox framed_box_;                 ///< the part of the picture in which it does
  DemoRoom room_;                         ///< glides to the present one
  render::Camera from_, last_;            ///< where a flight began; as it was set last
  double from_axis_ = 0.0;
  glm::dquat towards_{1.0, 0.0, 0.0, 0.0};  ///< orientation at the end of a flight
  Clock::time_point since_{}, moved_{}, looked_{};
  double time_ = 0.0;  ///< simulated, when the bodies were looked at last: in a series between two states too
};

}  // namespace orrery::app
