#include "app/window/window_demo.h"

#include <utility>

#include "sim/core/error.h"

namespace orrery::app {

WindowDemo::WindowDemo(Session& session, Settings& settings, Messages& messages)
    : session_(session), settings_(settings), messages_(messages) {}

void WindowDemo::start(Demo demo, std::vector<lab::Ladder> ladders, bool by_itself, std::uint64_t openings) {
  const bool anew = !run_.running();
  run_.start(std::move(demo), std::move(ladders), by_itself, openings);
  if (anew) before_ = {settings_.panel_visible, settings_.panel_unfolded};
  settings_.panel_visible = settings_.panel_unfolded = false;
}

void WindowDemo::update(const Switching& switching, const DemoRoom& room) try {
  if (!run_.running()) return;
  run_.update(session_, switching, {.room = [&room] { return room; }, .leave = {}}, DemoRun::Clock::now());
  if (!run_.running()) end();
} catch (const sim::Error& error) {
  end();
  messages_.show_problem(error.what());
}

void WindowDemo::end() {
  run_.end();
  // The window may have become a small one, or one that is not, meanwhile.
  settings_.panel_visible = settings_.panel_visible || before_.visible;
  settings_.panel_unfolded = settings_.panel_unfolded || before_.unfolded;
  messages_.say("the demonstration has ended; you have the controls");
}

}  // namespace orrery::app
