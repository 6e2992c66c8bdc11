#include "app/live/switching.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "app/session/session.h"
#include "lab/bench/engine_facts.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"

namespace orrery::app {

namespace {

/// The options that the keys change for an engine.
struct Keys {
  std::string_view engine, kernel, amount;
  bool by_factors;  ///< the amount doubles and halves
};

constexpr std::array all_keys{Keys{"cpu", "kernel", "threads", false}, Keys{"cuda", "family", "tile", true}};

/// The keys of the present engine; nullptr if it has none.
const Keys* keys_of(const Session& session) {
  const auto found = std::ranges::find(all_keys, sim::engine_group(session.configuration), &Keys::engine);
  return found == all_keys.end() ? nullptr : &*found;
}

std::string set(Session& session, const sim::Option& option, const sim::OptionValue& value) {
  session.configuration.set(option.name, value);
  return fmt::format("{}: {}", sim::label_of(option), sim::to_string(value));
}

std::string no_keys(const Session& session) {
  return fmt::format("this key changes nothing of the engine {}", sim::engine_name(session.configuration));
}

/// After the rate is known, so long to read it.
constexpr std::chrono::duration<float> shown_for{9.0F};
constexpr std::chrono::duration<float> fading{0.8F};
constexpr std::chrono::milliseconds after_sweep{500};

}  // namespace

std::string switch_kernel(Session& session, int direction) {
  const auto* keys = keys_of(session);
  if (keys == nullptr) return no_keys(session);
  const auto& option = session.table().at(keys->kernel);
  const auto count = static_cast<std::ptrdiff_t>(option.choices.size());
  const auto here =
      std::ranges::find(option.choices, session.configuration.choice(option.name)) - option.choices.begin();
  for (std::ptrdiff_t k = 1; k < count; ++k) {
    const auto next = ((here + direction * k) % count + count) % count;
    const sim::OptionValue value = option.choices[static_cast<std::size_t>(next)];
    if (session.refusal(option, value).empty()) return set(session, option, value);
  }
  return fmt::format("{}: no other can run now", sim::label_of(option));
}

std::string switch_amount(Session& session, int direction) {
  const auto* keys = keys_of(session);
  if (keys == nullptr) return no_keys(session);
  const auto& option = session.table().at(keys->amount);
  const auto label = sim::label_of(option);
  if (const auto why = sim::why_inactive(option, session.configuration); !why.empty())
    return fmt::format("{}: no effect now, {}", label, why);
  const auto now = session.configuration.integer(option.name);
  const auto asked = !keys->by_factors ? now + direction : direction > 0 ? 2 * now : now / 2;
  const auto value =
      std::clamp(asked, static_cast<std::int64_t>(option.minimum), static_cast<std::int64_t>(option.maximum));
  if (value == now) return fmt::format("{}: {} is the {}", label, now, direction > 0 ? "most" : "least");
  const auto why = session.refusal(option, value);
  return why.empty() ? set(session, option, value) : fmt::format("{} stays {}: {}", label, now, why);
}

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
