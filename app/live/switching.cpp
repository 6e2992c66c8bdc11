#include "app/live/switching.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/session/session.h"
#include "lab/bench/engine_facts.h"
#include "sim/options/physics_options.h"

namespace orrery::app {

namespace {

/// After the rate is known, so long to read it.
constexpr std::chrono::duration<float> shown_for{9.0F};
constexpr std::chrono::duration<float> fading{0.8F};
constexpr std::chrono::milliseconds after_sweep{500};

}  // namespace

bool Switching::machine_is_busy(const Session& session) const {
  return load_.busy() && session.frame().report.device.empty();
}

void Switching::update(const Session& session, Quiet quiet, Clock::time_point now) {
  if (!session.has_dataset()) return;
  if (session.openings() != opening_) {
    opening_ = session.openings();
    watch_.restart();
    shown_switches_ = 0;
  }
  if (quiet == Quiet::and_after) quiet_until_ = now + after_sweep;
  load_.update(Clock::now());
  const auto before = watch_.switches();
  watch_.update({.frame = session.frame(),
                 .revision = session.revision(),
                 .paused = session.paused,
                 .now = now,
                 .configuration = session.configuration,
                 .health = session.health(),
                 .busy = machine_is_busy(session)});
  const bool shows = quiet == Quiet::no && now >= quiet_until_;
  if (watch_.switches() != before && shows) shown_switches_ = watch_.switches();
}

std::string Switching::back(Session& session) {
  if (!session.has_dataset()) return {};
  const auto wanted = watch_.before(session.configuration);
  if (!wanted) return "nothing was switched yet";
  const auto reason = session.set_computing(*wanted);
  return reason.empty() ? std::string() : "the configuration before cannot run now: " + reason;
}

float Switching::visibility(Clock::time_point now) const {
  const auto& last = watch_.last();
  if (!last || shown_switches_ != watch_.switches()) return 0.0F;
  if (!last->measured && last->refusal.empty()) return 1.0F;
  const std::chrono::duration<float> since = now - (last->measured ? last->measured_at : last->at);
  return std::clamp((shown_for - since) / fading, 0.0F, 1.0F);
}

lab::AccuracySpeedPlot Switching::accuracy_speed(const Session& session) const {
  lab::AccuracySpeedPlot plot{.tried = watch_.tried()};
  if (const auto* present = watch_.present())
    plot.present = static_cast<std::size_t>(present - watch_.tried().data());
  if (!session.has_dataset()) return plot;
  for (const auto& galaxy : session.summary().each_galaxy) {
    const auto bodies = static_cast<double>(galaxy.bodies);
    plot.size.bodies += bodies, plot.size.pairs += bodies * bodies;
  }
  plot.subtitle = fmt::format("{}, {} bodies, {}", session.scene().title, session.summary().bodies,
                              lab::device_name(session.frame().report));
  // Their law is gravity in three dimensions.
  if (shows_published && sim::physics_of(session.configuration).law == &sim::gravity_law)
    plot.published = published_codes_;
  return plot;
}

}  // namespace orrery::app
