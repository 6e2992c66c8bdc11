#include "app/live/headline.h"

#include <fmt/format.h>

#include "app/session/session.h"
#include "lab/bench/rates.h"
#include "lab/bench/taken_options.h"

namespace orrery::app {

namespace {

/// Three significant digits.
std::string number_text(double value) {
  return value >= 100.0 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string rate_words(const Headline& headline) {
  if (headline.measuring) return headline.compiling ? "compiling" : "measuring";
  return lab::rate_text(headline.gips) + " GInteractions/s";
}

void add_tree(Headline& headline, const Session& session) {
  const auto& frame = session.frame();
  headline.interactions_per_body = frame.report.number("sources_per_body");
  if (headline.interactions_per_body <= 0.0) return;
  headline.step_ms = frame.step_ms;
  headline.steps_per_second = session.rates().steps_per_second();
}

}  // namespace

Headline headline_of(const Session& session, const lab::SwitchWatch& watch) {
  const auto& report = session.frame().report;
  Headline headline{.kernel = lab::computing_text(session.configuration, report),
                    .paused = session.paused,
                    .compiling = report.compiling,
                    .measuring = !watch.measured() && watch.switches() > 0,
                    .busy = watch.measured() && watch.present()->busy};
  if (!headline.measuring) {
    headline.gips = watch.measured() ? watch.present()->gips : session.rates().kernel_gips();
    add_tree(headline, session);
  }
  if (headline.gips > 0.0 && !report.limits.empty() && report.limits.front().gips > 0.0) {
    headline.limit_percent = 100.0 * headline.gips / report.limits.front().gips;
    headline.limit = report.limits.front().label;
  }
  const auto& health = session.health();
  if (health && health->force_error.sample > 0) {
    headline.verdict = sim::verdict(*health);
    headline.error = health->force_error.median;
    headline.error_p99 = health->force_error.p99;
  }
  return headline;
}

const char* word_for(sim::Verdict verdict) {
  if (verdict == sim::Verdict::good) return "RIGHT";
  return verdict == sim::Verdict::doubtful ? "DOUBTFUL" : "WRONG";
}

std::string step_text(const Headline& headline) {
  if (headline.interactions_per_body <= 0.0) return {};
  return fmt::format("{} ms/step, {} steps/s", number_text(headline.step_ms),
                     number_text(headline.steps_per_second));
}

std::string one_line(const Headline& headline) {
  auto text = fmt::format("{}   {}", headline.kernel, rate_words(headline));
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
