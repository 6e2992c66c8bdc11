#include "app/live/headline.h"

#include <fmt/format.h>

#include "app/session/session.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::app {

namespace {

double seconds_of_tree(const Session& session, const lab::SwitchWatch& watch) {
  if (!sim::uses_tree(session.configuration) || !watch.measured()) return 0.0;
  return watch.present()->seconds;
}

}  // namespace

Headline headline_of(const Session& session, const lab::SwitchWatch& watch) {
  const auto& report = session.frame().report;
  Headline headline{.kernel = sim::computing_name(session.configuration),
                    .gips = watch.measured() ? watch.present()->gips : session.rates().kernel_gips(),
                    .seconds = seconds_of_tree(session, watch),
                    .paused = session.paused,
                    .compiling = report.compiling};
  if (!report.limits.empty() && report.limits.front().gips > 0.0) {
    headline.limit_percent = 100.0 * headline.gips / report.limits.front().gips;
    headline.limit = report.limits.front().label;
  }
  const auto& health = session.health();
  if (health && health->force_error.sample > 0) {
    headline.verdict = sim::verdict(*health);
    headline.error = health->force_error.median;
  }
  return headline;
}

const char* word_for(sim::Verdict verdict) {
  if (verdict == sim::Verdict::good) return "RIGHT";
  return verdict == sim::Verdict::doubtful ? "DOUBTFUL" : "WRONG";
}

std::string one_line(const Headline& headline) {
  auto text = fmt::format("{}   {} GInteractions/s", headline.kernel, lab::rate_text(headline.gips));
  if (headline.seconds > 0.0) text += "   forces in " + lab::evaluation_text(headline.seconds);
  if (headline.limit_percent > 0.0)
    text += fmt::format("   {:.0f} % of the {}", headline.limit_percent, headline.limit);
  return text;
}

std::string window_title(const Headline& headline, const std::string& dataset) {
  return fmt::format("Orrery: {}{} GInteractions/s, {}, {}", headline.paused ? "paused, " : "",
                     lab::rate_text(headline.gips), headline.kernel, dataset);
}

}  // namespace orrery::app
