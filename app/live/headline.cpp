#include "app/live/headline.h"

#include <fmt/format.h>

#include <cmath>

#include "app/session/session.h"
#include "lab/bench/engine_facts.h"
#include "lab/bench/rates.h"
#include "sim/core/counted.h"
#include "sim/options/physics_options.h"

namespace orrery::app {

namespace {

/// Three significant digits.
std::string number_text(double value) {
  return value >= 100.0 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

/// A step of so few bodies takes microseconds: how many interactions that makes says little of it.
constexpr std::size_t few_bodies = 100;

/// Twice the potential energy in motion is unbound: bodies go straight on. So much more than that is no
/// dataset that a person would write; nor is so much less, which falls together as if all were at rest.
constexpr double most_virial_ratio = 20.0, least_virial_ratio = 1e-4;

std::string rate_words(const Headline& headline) {
  if (headline.measuring) return headline.compiling ? "compiling" : "measuring";
  if (headline.few) return main_number(headline) + " steps/s";
  return lab::rate_text(headline.gips) + " GInteractions/s";
}

bool is_measuring(const lab::SwitchWatch& watch) { return !watch.measured() && watch.switches() > 0; }

}  // namespace

double shown_gips(const Session& session, const lab::SwitchWatch& watch) {
  if (is_measuring(watch)) return 0.0;
  return watch.measured() ? watch.present()->gips : session.rates().kernel_gips();
}

double mean_force_ms(const Session& session, double gips) {
  const auto& timings = session.frame().timings;
  return gips > 0.0 ? timings.interactions / gips * 1e-6 : timings.force_ms;
}

sim::Verdict verdict_of(const sim::Health& health, const std::string& doubt) {
  const auto verdict = sim::verdict(health);
  return !doubt.empty() && verdict == sim::Verdict::good ? sim::Verdict::doubtful : verdict;
}

Headline headline_of(const Session& session, const lab::SwitchWatch& watch) {
  const auto& report = session.frame().report;
  Headline headline{.kernel = lab::computing_text(session.configuration, report),
                    .paused = session.paused,
                    .doubt = units_doubt(session),
                    .few = session.summary().bodies < few_bodies,
                    .compiling = report.compiling,
                    .measuring = is_measuring(watch),
                    .busy = watch.measured() && watch.present()->busy};
  headline.gips = shown_gips(session, watch);
  if (!headline.measuring) {
    headline.force_ms = mean_force_ms(session, headline.gips);
    headline.steps_per_second = session.rates().steps_per_second();
    headline.interactions_per_body = report.number("sources_per_body");
  }
  // Its row is there from the beginning, so that no row moves when the rate comes.
  if (!report.limits.empty() && report.limits.front().gips > 0.0) {
    headline.limit_percent = 100.0 * headline.gips / report.limits.front().gips;
    headline.limit = report.limits.front().label;
  }
  const auto& health = session.health();
  if (health && health->force_error.sample > 0) {
    headline.verdict = verdict_of(*health, headline.doubt);
    headline.error = health->force_error.median;
    headline.error_p99 = health->force_error.p99;
  }
  return headline;
}

std::string units_doubt(const Session& session) {
  const auto& health = session.health();
  if (session.playback() != nullptr || !lab::is_file(session.dataset().request)) return {};
  if (sim::physics_of(session.configuration).law != &sim::gravity_law) return {};
  // Before anything was checked, as the bodies were found.
  const double ratio = health ? health->diagnostics.virial_ratio() : session.scene().virial_ratio;
  const bool too_fast = ratio > most_virial_ratio, too_slow = ratio > 0.0 && ratio < least_virial_ratio;
  if (!too_fast && !too_slow) return {};
  return fmt::format("K/|W| is {:.1e}: the bodies {}. Are the units right?", ratio,
                     too_fast ? "fly apart" : "fall together");
}

std::string main_number(const Headline& headline) {
  const double value = headline.few ? headline.steps_per_second : headline.gips;
  if (!(value > 0.0)) return "-";
  if (!headline.few) return lab::rate_text(value, 3);
  return value >= 10.0 ? sim::grouped(static_cast<std::size_t>(std::llround(value)))
                       : fmt::format("{:.2g}", value);
}

const char* word_for(const Headline& headline) {
  const bool only_units = !headline.doubt.empty() && headline.verdict != sim::Verdict::wrong;
  if (!headline.verdict && !only_units) return "CHECKING";
  return only_units ? "UNITS?" : word_for(*headline.verdict);
}

const char* word_for(sim::Verdict verdict) {
  if (verdict == sim::Verdict::good) return "RIGHT";
  return verdict == sim::Verdict::doubtful ? "DOUBTFUL" : "WRONG";
}

std::string step_text(const Headline& headline) {
  if (headline.few) return headline.gips > 0.0 ? lab::rate_text(headline.gips, 3) + " GInteractions/s" : "";
  if (headline.interactions_per_body <= 0.0) return {};
  const auto forces = fmt::format("forces {} ms", number_text(headline.force_ms));
  if (headline.paused) return forces + ", paused";
  return fmt::format("{}, {} steps/s", forces, number_text(headline.steps_per_second));
}

std::string one_line(const Headline& headline) {
  auto text = fmt::format("{}   {}", headline.kernel, rate_words(headline));
  if (headline.few) return text;
  if (const auto steps = step_text(headline); !steps.empty())
    text += fmt::format("   {}   {:.0f} interactions/body", steps, headline.interactions_per_body);
  if (headline.limit_percent > 0.0)
    text += fmt::format("   {:.0f} % of the {}", headline.limit_percent, headline.limit);
  return text;
}

std::string window_title(const Headline& headline, const std::string& dataset) {
  return fmt::format("Orrery: {}{}, {}, {}", headline.paused ? "paused, " : "", rate_words(headline),
                     headline.kernel, dataset);
}

}  // namespace orrery::app
