#include "app/live/experiment.h"

#include <utility>

#include "app/log.h"
#include "app/session/session.h"

namespace orrery::app {

void Experiment::start(Session& session, Plan plan) {
  stop(session);
  before_ = session.configuration;
  paused_before_ = session.paused;
  opening_ = session.openings();
  asked_any_ = false;
  auto tasks = std::move(plan.tasks);
  if (plan.full_speed) {
    session.paused = false;
    for (auto& task : tasks) task.configuration.set("speed", 0.0);
  }
  plan_ = std::move(plan);
  live_.start(std::move(tasks), plan_.pace);
}

void Experiment::stop(Session& session) {
  if (!running()) return;
  live_.stop();
  if (session.openings() == opening_) put_back(session, plan_.restore);
}

void Experiment::update(Session& session, bool busy) {
  if (!running()) return;
  if (session.openings() != opening_) {
    plan_.owner = nullptr;
    return live_.stop();
  }
  if (asked_any_ && !session.computes_like(asked_)) {
    log_info("measuring ends: the options were switched by hand");
    live_.stop();
    return put_back(session, false);
  }
  const lab::LiveMeasurement::Feed feed{.frame = session.frame(),
                                        .revision = session.revision(),
                                        .paused = session.paused,
                                        .now = lab::LiveMeasurement::Clock::now(),
                                        .busy = busy};
  live_.update(feed,
               [&](const sim::Configuration& configuration) { return switch_to(session, configuration); });
  if (!running()) put_back(session, plan_.restore);
}

std::string Experiment::switch_to(Session& session, const sim::Configuration& configuration) {
  auto reason = session.set_computing(configuration);
  if (!reason.empty()) return reason;
  asked_ = configuration;
  asked_any_ = true;
  return {};
}

void Experiment::put_back(Session& session, bool computing) {
  if (computing) session.set_computing(before_);
  if (!plan_.full_speed) return;
  session.configuration.set("speed", before_.value("speed"));
  session.paused = paused_before_;
}

}  // namespace orrery::app
