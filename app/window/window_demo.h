#pragma once

#include <optional>
#include <vector>

#include "app/live/demo_run.h"
#include "app/window/settings.h"

namespace orrery::app {

class Messages;
class Session;
class Switching;

/// A demonstration that plays in the window. The view is for the room meanwhile: the panel comes back at the
/// end.
class WindowDemo {
 public:
  WindowDemo(Session& session, Settings& settings, Messages& messages);

  /// As DemoRun::start.
  void start(Demo demo, std::vector<lab::Ladder> ladders, bool by_itself, std::uint64_t openings = 0);
  /// Call once per frame, after session and switching. `room`: the part of the window that is free.
  void update(const Switching& switching, const DemoRoom& room);
  /// Ends the demonstration. Everything stays as it is, and the user has the controls.
  void end();
  /// The settings to keep for the next start, with the panel as it will be after the demonstration.
  Settings settings_after() const;
  /// The next step.
  void go_on() { run_.go_on(); }
  const DemoRun& run() const { return run_; }

 private:
  Session& session_;
  Settings& settings_;
  Messages& messages_;
  DemoRun run_;
  /// Flags of Settings.
  struct Panel {
    bool visible, unfolded;
  };
  std::optional<Panel> before_;  ///< while a demonstration plays: as they were
};

}  // namespace orrery::app
