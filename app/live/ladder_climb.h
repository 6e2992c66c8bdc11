#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/live/experiment.h"
#include "app/live/physics_override.h"
#include "lab/ladders/ladder.h"
#include "lab/setup/dataset.h"

namespace orrery::app {

/// A rung as it is on the present dataset.
struct RungState {
  std::string refusal;       ///< not empty: it cannot run here, and why
  bool measured = false;     ///< true if it was measured in this session, on the present dataset
  lab::MeasuredSpeed speed;  ///< of the forces, as last measured, 1e9 interactions per second
  double gips_frame = 0.0;
  double seconds = 0.0;  ///< time of a force evaluation, which for most integrators is a step
  std::string too_slow;  ///< not empty: no evaluation came to its end, and how long it was waited for
};

/// The chosen ladder, the present rung, and the measurements of each rung.
class LadderClimb {
 public:
  /// The ladders to choose from.
  void set_ladders(std::vector<lab::Ladder> ladders);
  /// Call once per frame: takes results, and forgets them with the dataset that they belong to.
  void update(const Session& session, const Experiment& experiment);
  /// Ends measuring and gives back what a rung lent, before another dataset opens with physics of its own.
  /// `sets_all`: what opens is a state, which sets every option.
  void leave(Session& session, Experiment& experiment, bool sets_all);

  const std::vector<lab::Ladder>& ladders() const { return ladders_; }
  std::size_t chosen() const { return chosen_; }
  /// Chooses a ladder. Until then it is the ladder that runs here as far as any.
  void choose(std::size_t ladder);
  /// Needs a ladder.
  const lab::Ladder& ladder() const { return ladders_[chosen_]; }
  const std::vector<RungState>& rungs() const { return rungs_; }
  /// The rung whose configuration was set last.
  std::optional<std::size_t> rung() const { return rung_; }

  /// Climbs to the next rung that is not refused, up (1) or down (-1); refused ones on the way are logged.
  /// The rung is then measured for a second.
  void climb(Session& session, Experiment& experiment, int direction);
  /// Climbs to that rung; a refusal is logged.
  void climb_to(Session& session, Experiment& experiment, std::size_t rung);
  /// The physics that a rung set in place of the person's, for the banner.
  const PhysicsOverride& loan() const { return loan_; }
  /// The person's physics again; measuring ends.
  void restore_physics(Session& session, Experiment& experiment);
  /// Measures every rung that runs here for about a second, from the first to the last, and restores
  /// everything afterwards.
  void climb_all(Session& session, Experiment& experiment);
  /// The scene that the ladder's report measured.
  lab::DatasetRequest own_scene() const;

 private:
  void judge(const Session& session);
  void forget();
  void choose_for(const Session& session);
  void log_skipped(std::ptrdiff_t first, std::ptrdiff_t end, int direction) const;
  std::vector<lab::LiveTask> tasks(const Session& session) const;
  void take(const lab::LiveResult& result, std::size_t rung);
  void follow(const Session& session, const Experiment& experiment);

  std::vector<lab::Ladder> ladders_;
  std::size_t chosen_ = 0;
  std::vector<RungState> rungs_;
  std::optional<std::size_t> rung_;
  PhysicsOverride loan_;
  std::uint64_t opening_ = 0;
  bool by_hand_ = false;  ///< the ladder is chosen: by the person, or because it runs here
  bool judged_ = false;
  bool results_fit_ = false;    ///< the experiment's results are of the chosen ladder
  std::size_t first_task_ = 0;  ///< the rung of the experiment's first task
};

}  // namespace orrery::app
