#pragma once

#include <optional>

#include "app/gui/gui.h"
#include "app/live/demo_run.h"
#include "app/live/experiment.h"
#include "app/session/option_history.h"
#include "app/session/session.h"
#include "app/window/messages.h"
#include "app/window/settings.h"

namespace orrery::app {

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
  void accept() { history_.accept(watched_.session.configuration); }
  /// Takes back the last change of an option, or makes it again, and says which.
  void undo();
  void redo();
  /// Sets every option of the picture to its default.
  void reset_display();

 private:
  void keep(const OptionChange& change);
  void say_step(const char* what, const std::optional<OptionHistory::Step>& step);

  Watched watched_;
  OptionHistory history_;
};

}  // namespace orrery::app
