#pragma once

#include <string>
#include <vector>

#include "lab/bench/published_codes.h"
#include "lab/bench/switch_watch.h"
#include "lab/figures/accuracy_speed_plot.h"
#include "lab/setup/load_watch.h"

namespace orrery::app {

class Session;

/// The options that the keys K and T change, of the engine in force. On the CPU the kernel and the number
/// of threads, on a GPU the kernel family and the tile. Both return what to tell the person: the new value,
/// or why nothing was changed.

/// The next (1) or previous (-1) kernel that is not refused, around the ends.
std::string switch_kernel(Session& session, int direction);
/// One thread more or less; on a GPU a tile of twice or half the size.
std::string switch_amount(Session& session, int direction);

/// The switches of this session, their effects, and the way back.
class Switching {
 public:
  using Clock = lab::SwitchWatch::Clock;

  explicit Switching(const sim::OptionTable& table) : watch_(table) {}

  /// Published results of other codes, for the plot of accuracy over speed.
  void set_published_codes(std::vector<lab::PublishedCode> codes) { published_codes_ = std::move(codes); }
  /// Switches that are not shown: none; those of now; those of now and shortly after, as at the end of a
  /// sweep.
  enum class Quiet { no, now, and_after };
  /// Call once per frame, right after the session's update and before anything else changes options. `now`:
  /// the time of a film can be another.
  void update(const Session& session, Quiet quiet, Clock::time_point now = Clock::now());
  /// Goes to the configuration before the last switch, and back again at the next call. Returns what to tell
  /// the person: empty, or why nothing changed.
  std::string back(Session& session);

  const lab::SwitchWatch& watch() const { return watch_; }
  /// True if other programs use the cores that compute.
  bool machine_is_busy(const Session& session) const;
  /// The opacity of the last switch: 1 while it is new, then falling to 0, where it is not shown.
  float visibility(Clock::time_point now) const;

  /// The data of the figure and of the panel. `subtitle` is empty without a dataset.
  lab::AccuracySpeedPlot accuracy_speed(const Session& session) const;
  bool shows_published = true;           ///< on the plot
  bool accuracy_speed_is_large = false;  ///< over the view too

 private:
  lab::LoadWatch load_;
  lab::SwitchWatch watch_;
  std::vector<lab::PublishedCode> published_codes_;
  std::uint64_t opening_ = 0;
  Clock::time_point quiet_until_{};   ///< no switch is announced before
  std::uint64_t shown_switches_ = 0;  ///< number of the newest switch that was shown, not quiet
};

}  // namespace orrery::app
