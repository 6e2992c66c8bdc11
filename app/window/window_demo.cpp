#include "app/window/window_demo.h"

#include <utility>

#include "sim/core/error.h"

namespace orrery::app {

WindowDemo::WindowDemo(Session& session, Settings& settings, Messages& messages, CameraOperator& camera)
    : session_(session), settings_(settings), messages_(messages), camera_(camera) {}

void WindowDemo::start(Demo demo, std::vector<lab::Ladder> ladders, bool by_itself, std::uint64_t openings) {
  const bool anew = !run_.running();
  run_.start(std::move(demo), std::move(ladders), by_itself, openings);
  const bool visible = std::exchange(settings_.panel_shows(), false);
  if (anew) panel_before_ = visible;
}

void WindowDemo::update(const Switching& switching) try {
  if (!run_.running()) return;
  run_.update(session_, switching,
              {.fit = [this] { camera_.fit(); }, .leave = {}, .aspect = camera_.free_aspect()},
              DemoRun::Clock::now());
  if (!run_.running()) end();
} catch (const sim::Error& error) {
  end();
  messages_.show_problem(error.what());
}

void WindowDemo::end() {
  run_.end();
  settings_.panel_shows() = settings_.panel_shows() || panel_before_;
  messages_.say("the demonstration has ended; you have the controls");
}

}  // namespace orrery::app
