#include "app/window/window_demo.h"

#include <utility>

#include "app/live/switching.h"
#include "app/session/session.h"
#include "app/window/messages.h"
#include "sim/core/error.h"

namespace orrery::app {

WindowDemo::WindowDemo(Session& session, Settings& settings, Messages& messages)
    : session_(session), settings_(settings), messages_(messages) {}

void WindowDemo::start(Demo demo, std::vector<lab::Ladder> ladders, bool by_itself, std::uint64_t openings) {
  run_.start(std::move(demo), std::move(ladders), by_itself, openings);
  if (!before_) before_ = {settings_.panel_visible, settings_.panel_unfolded};
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

Settings WindowDemo::settings_after() const {
  auto settings = settings_;
  if (!before_) return settings;
  // The window may have become a small one, or one that is not, meanwhile.
  settings.panel_visible = settings.panel_visible || before_->visible;
  settings.panel_unfolded = settings.panel_unfolded || before_->unfolded;
  return settings;
}

void WindowDemo::end() {
  settings_ = settings_after();
  before_.reset();
  run_.end();
  messages_.say("the demonstration has ended; you have the controls");
}

}  // namespace orrery::app
