#include "render/effects/spikes.h"

#include <cmath>
#include <numbers>
#include <string>

#include "app/picture/star_style.h"
#include "effects.h"
#include "sim/options/describe.h"

namespace orrery::app {

namespace {

constexpr const char* option_name = "spikes";

std::string all_alike(const sim::Configuration& configuration) {
  return sim::read_group<StarOptions>(configuration).spread() > 0.0
             ? std::string()
             : "all stars are equally bright: set star-variation";
}

/// The fraction of a normal distribution above `x` standard deviations.
double part_above(double x) { return 0.5 * std::erfc(x / std::numbers::sqrt2); }

void add_spike_options(sim::OptionTable& table) {
  table.add(sim::shown(
                option_name, "bodies", "Stars with spikes",
                "About how many of the brightest stars (STARS) show spikes, as in a telescope, made of their "
                "own light, and how long these are (LENGTH), counted in widths of the star's image. Of 100 "
                "bodies or more.")
                .numbered({{.name = "STARS", .minimum = 0.0, .maximum = 1000.0, .whole = true},
                           sim::scaled_number("LENGTH", 10.0, 1.0, 40.0)})
                .unless(all_alike));
}

/// The light, in units of component_weight, that about so many stars exceed, by what is known of how stars
/// differ; 0 where they do not differ.
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

class SpikesPass final : public EffectPass {
 public:
  render::BodyEffect* on_bodies(const Look& look, const SceneSummary& summary,
                                const render::BodyStyle& style) override {
    const auto option = look.configuration.form(option_name);
    const double stars = option.number(0);
    if (stars == 0.0 || summary.bodies < fewest_to_vary) return nullptr;
    // That many stars have half of what is the most.
    constexpr float half_of_most = 1.2F;
    const auto light =
        static_cast<float>(light_of_brightest(style, summary.components, stars)) / half_of_most;
    if (!(light > 0.0F)) return nullptr;
    spikes_.style = {.light = light, .share = 0.5F, .length = static_cast<float>(2.0 * option.number(1))};
    return &spikes_;
  }

 private:
  render::Spikes spikes_;
};

std::unique_ptr<EffectPass> make_spikes_pass() { return std::make_unique<SpikesPass>(); }

}  // namespace

const Effect spikes_effect{
    .name = option_name, .add_options = add_spike_options, .make_pass = make_spikes_pass};

}  // namespace orrery::app
