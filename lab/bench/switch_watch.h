#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/bench/live_measurement.h"
#include "lab/bench/rates.h"
#include "sim/options/configuration.h"
#include "sim/simulation/simulation.h"

namespace orrery::lab {

/// A way to compute that was tried in this session, with what was measured of it last.
struct MeasuredVariant {
  sim::Configuration computing;  ///< engine and options of it that apply
  sim::Configuration physics;    ///< physics in effect
  std::string name;              ///< "tiled", "tiled, tile 128": what tells it from others of its kernel
  double gips = 0.0;     ///< median over force evaluations, 1e9 interactions per second; 0: not measured
  double seconds = 0.0;  ///< median time of a force evaluation
  double error = 0.0;    ///< median relative error of the force; 0: not known
  Spread spread;         ///< of `gips` and of 1 / `seconds`
  bool busy = false;     ///< other programs used the cores meanwhile
};

/// One step from a way to compute to another.
struct Switch {
  std::size_t before = 0, after = 0;  ///< places in SwitchWatch::tried
  std::string from, to;               ///< the change in words: "tiled", "tensor-pairs"; "tile 64", "tile 128"
  MeasuredVariant was;                ///< as measured before the switch
  LiveMeasurement::Clock::time_point at{};
  bool measured = false;  ///< the rate after it is known: tried()[after].gips
  LiveMeasurement::Clock::time_point measured_at{};
  bool checked = false;  ///< the error after it is known
  std::string refusal;   ///< not empty: the engine refused it, and why
};

/// Notices when another way to compute is switched to, by whomever, and measures before and after: medians of
/// force evaluations that the configuration surely computed. Keeps what was tried. Knows nothing of windows:
/// it is told once a frame what is there.
///
/// Values that a slider passes on its way are one switch: one that comes within `merging` after another,
/// before that was measured, belongs to it.
class SwitchWatch {
 public:
  using Clock = LiveMeasurement::Clock;
  static constexpr std::chrono::milliseconds merging{1500};

  /// The state of one frame of the window, after changed controls were sent.
  struct Feed {
    const sim::FrameInfo& frame;
    std::uint64_t revision;  ///< revision of the controls that were sent last
    bool paused;             ///< nothing is measured
    Clock::time_point now;
    const sim::Configuration& configuration;   ///< configuration in force
    const std::optional<sim::Health>& health;  ///< the newest; may be of another configuration
    bool busy = false;                         ///< other programs use the cores that compute
  };

  explicit SwitchWatch(const sim::OptionTable& table) : table_(&table) {}

  /// Forgets everything, for another dataset. Allocates.
  void restart();
  /// Call once per frame. Cheap while nothing changes.
  void update(const Feed& feed);

  /// The measured configurations in the order of the first try.
  const std::vector<MeasuredVariant>& tried() const { return tried_; }
  /// The one that computes now; nullptr before the first update.
  const MeasuredVariant* present() const { return tried_.empty() ? nullptr : &tried_[present_]; }
  /// True if a median of the present one has been measured since it was switched to.
  bool measured() const { return measured_; }
  /// True if the error of the present one has been found since.
  bool checked() const { return checked_; }
  /// Why the engine refused the present one; empty if it did not.
  const std::string& refusal() const { return refusal_; }
  /// The last switch; none yet, or it was taken back before it was measured: no value.
  const std::optional<Switch>& last() const { return last_; }
  /// The number of switches so far.
  std::uint64_t switches() const { return switches_; }

  /// `present` with the engine and its options as they were before the last switch: A and B in turn. No value
  /// if nothing was switched.
  std::optional<sim::Configuration> before(const sim::Configuration& present) const;

 private:
  void look_at(const Feed& feed);
  void switch_from(std::size_t old, const sim::Configuration& raw, const Feed& feed);
  std::size_t place_of(sim::Configuration computing, sim::Configuration physics);
  std::string name_of(const sim::Configuration& computing) const;
  void measure_anew(const Feed& feed, std::chrono::duration<double> each);
  void take_rate(const Feed& feed);
  void take_error(const Feed& feed);

  const sim::OptionTable* table_;
  std::vector<MeasuredVariant> tried_;
  std::size_t present_ = 0;
  sim::Configuration seen_;    ///< configuration in the previous frame
  sim::Configuration before_;  ///< all options before the last switch
  bool has_before_ = false;
  std::optional<Switch> last_;
  std::uint64_t switches_ = 0;
  LiveMeasurement live_;
  bool measured_ = false, checked_ = false;
  std::string refusal_;
  std::uint64_t since_ = 0;  ///< the revision that computes with the present one
};

/// True if both were measured and they evaluate different numbers of interactions, as a tree and a direct sum
/// do. Compare their times per force evaluation then, not their rates.
bool evaluates_other_interactions(const MeasuredVariant& a, const MeasuredVariant& b);
/// "203 ms", "2.40 s": the time of a force evaluation for people.
std::string evaluation_text(double seconds);
/// The ratio of the second to the first, by their rates, or by their times where these say more.
Factor factor_of(const MeasuredVariant& was, const MeasuredVariant& is);

}  // namespace orrery::lab
