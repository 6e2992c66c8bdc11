#include "app/picture/spike_options.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "sim/options/describe.h"

namespace orrery::app {

namespace {

using sim::Configuration;

std::string all_alike(const Configuration& configuration) {
  return configuration.real("star-spread") > 0.0 ? std::string()
                                                 : "all stars are equally bright: set star-spread";
}

/// The fraction of a normal distribution above `x` standard deviations.
double part_above(double x) { return 0.5 * std::erfc(x / std::numbers::sqrt2); }

}  // namespace

void add_spike_options(sim::OptionTable& table) {
  auto spikes = sim::formed(
      sim::shown(
          "spikes", "bodies", "Stars with spikes",
          "About how many of the brightest stars (STARS) show spikes, as in a telescope, made of their "
          "own light, and how long these are (LENGTH), counted in widths of the star's image. Of 100 "
          "bodies or more."),
      {{.word = "",
        .numbers =
            {{.name = "STARS", .minimum = 0.0, .maximum = 1000.0, .whole = true},
             {.name = "LENGTH", .default_value = 10.0, .minimum = 1.0, .maximum = 40.0, .logarithmic = true}},
        .meaning = ""}});
  table.add(sim::unless(std::move(spikes), all_alike));
}

double light_of_brightest(const render::BodyStyle& style,
                          const std::array<std::size_t, sim::component_count>& bodies, double stars) {
  const auto brighter = [&](double log_light) {
    double count = 0.0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double weight = double{style.component_weight.at(i)};
      const double sigma = double{style.star_spread.at(i).light};
      if (bodies.at(i) == 0 || weight <= 0.0 || sigma <= 0.0) continue;
      const double deviate = (log_light - std::log(weight)) / sigma + 0.5 * sigma;
      count += static_cast<double>(bodies.at(i)) * part_above(deviate);
    }
    return count;
  };
  double low = -60.0, high = 60.0;
  if (brighter(low) < stars) return 0.0;
  for (int round = 0; round < 60; ++round)
    (brighter(0.5 * (low + high)) > stars ? low : high) = 0.5 * (low + high);
  return std::exp(high);
}

void set_spike_style(render::BodyStyle& style, const Configuration& configuration,
                     const SceneSummary& summary) {
  const auto option = configuration.form("spikes");
  const double stars = option.number(0);
  if (stars == 0.0 || summary.bodies < fewest_to_vary) return;
  style.spike_light = static_cast<float>(light_of_brightest(style, summary.components, stars));
  // That many stars have half of what is the most.
  constexpr float half_of_most = 1.2F;
  style.spike_light /= half_of_most;
  style.spike_share = 0.5F;
  style.spike_length = static_cast<float>(2.0 * option.number(1));
}

}  // namespace orrery::app
