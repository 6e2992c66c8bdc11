#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/options/configuration.h"

namespace orrery::app {

class DemoRun;
class Experiment;
class Gui;
class Messages;
class Session;
struct Settings;

/// Option values before and after a change, by name.
using OptionChange = std::map<std::string, std::pair<sim::OptionValue, sim::OptionValue>>;

/// "Kernel is simd", or the names of the options where there are several: what a change led to.
std::string change_text(const sim::OptionTable& table, const OptionChange& change);

/// The history of switches, to undo and redo them. It looks at the configuration once a
/// frame and so knows of every change, whatever made it.
class OptionHistory {
 public:
  using Clock = std::chrono::steady_clock;

  /// Forgets nothing, but takes `now` as it is: what differs from before was changed by opening a dataset.
  void accept(const sim::Configuration& now) { last_ = now; }
  /// Notes what has changed since the last call, as one change, and returns it; empty if nothing has. Do not
  /// call while a value is being dragged or a measurement switches options by itself. A number that is
  /// changed again within a second makes one change together with the last.
  OptionChange note(const sim::Configuration& now, Clock::time_point when);

  /// Takes the last change back, or makes it again, in `configuration`, which is left alone where `refusal`
  /// (the reason against a configuration, empty if there is none) has one. Either way the change is dealt
  /// with. Returns the change as made now, and the reason.
  struct Step {
    OptionChange change;
    std::string refusal;
  };
  using Refusal = std::function<std::string(const sim::Configuration&)>;
  using Way = std::optional<Step> (OptionHistory::*)(sim::Configuration&, const Refusal&);
  std::optional<Step> undo(sim::Configuration& configuration, const Refusal& refusal) {
    return go(done_, undone_, configuration, refusal);
  }
  std::optional<Step> redo(sim::Configuration& configuration, const Refusal& refusal) {
    return go(undone_, done_, configuration, refusal);
  }

 private:
  bool continues(const OptionChange& change, Clock::time_point when) const;
  std::optional<Step> go(std::vector<OptionChange>& from, std::vector<OptionChange>& to,
                         sim::Configuration& configuration, const Refusal& refusal);

  std::optional<sim::Configuration> last_;
  std::vector<OptionChange> done_;    ///< as they were made
  std::vector<OptionChange> undone_;  ///< as they were taken back
  Clock::time_point last_time_{};
};

/// The options that a person switches in the window: taken back and made again, and those of the picture kept
/// for the next run.
class OptionKeeper {
 public:
  /// Settings of a demonstration or an experiment are neither saved nor undone step by step.
  struct Watched {
    Session& session;
    Settings& settings;
    Messages& messages;
    Gui& gui;
    const DemoRun& demo;
    const Experiment& experiment;
  };
  explicit OptionKeeper(Watched watched) : watched_(watched) {}

  /// Applies the picture's options of the last run. Command line and dataset take precedence.
  void use_kept();
  /// Call once per frame, and before something else changes options: notes what the person switched.
  void note();
  /// The options of now were not switched by the person.
  void accept();
  /// Takes back the last change of an option, or makes it again, and says which.
  void undo() { go("undo", &OptionHistory::undo); }
  void redo() { go("redo", &OptionHistory::redo); }
  /// Sets every option of the picture to its default.
  void reset_display();

 private:
  void keep(const OptionChange& change);
  void go(const char* what, OptionHistory::Way way);

  Watched watched_;
  OptionHistory history_;
};

}  // namespace orrery::app
