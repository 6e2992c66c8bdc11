#include "app/picture/star_options.h"

#include "sim/options/option.h"

namespace orrery::app {

namespace {

using sim::Configuration;
using sim::Option;
using sim::OptionKind;

Option star_option(std::string name, std::string label, std::string meaning) {
  Option option{.name = std::move(name), .group = "display", .meaning = std::move(meaning)};
  option.label = std::move(label);
  option.scope = sim::OptionScope::display;
  return option;
}

Option real(Option option, std::string unit, double value, double minimum, double maximum,
            bool logarithmic = false) {
  option.kind = OptionKind::real;
  option.unit = std::move(unit);
  option.default_value = value;
  option.minimum = minimum;
  option.maximum = maximum;
  option.logarithmic = logarithmic;
  return option;
}

bool adapts(const Configuration& configuration) { return configuration.choice("sizes") == "adaptive"; }

std::string fixed_sizes(const Configuration& configuration) {
  return adapts(configuration) ? std::string() : "sizes are fixed: set sizes=adaptive";
}

void add_size_options(sim::OptionTable& table) {
  auto sizes = star_option("sizes", "Sizes",
                           "How wide the light of a body is. Where bodies stand apart, adaptive sizes make a "
                           "smooth glow of them.");
  sizes.kind = OptionKind::choice;
  sizes.choices = {"adaptive", "fixed"};
  sizes.choice_meanings = {"a part of it is spread over the distance to the neighbours; 1000 bodies or more",
                           "all of it is in the star's image"};
  sizes.default_value = std::string("adaptive");
  table.add(std::move(sizes));
  auto share = real(star_option("spread", "Spread light", "The part of a body's light that is spread."), "",
                    0.75, 0.0, 1.0);
  share.inactive = fixed_sizes;
  table.add(std::move(share));
  auto neighbours = real(star_option("neighbours", "Neighbours",
                                     "The spread light covers as many bodies as these, as they are seen: more "
                                     "are smoother, fewer are sharper."),
                         "bodies", 12.0, 1.0, 1000.0, true);
  neighbours.inactive = fixed_sizes;
  table.add(std::move(neighbours));
}

/// Of fewer bodies each is a star.
constexpr std::size_t fewest_to_spread = 1000;

}  // namespace

void add_star_options(sim::OptionTable& table) { add_size_options(table); }

void set_star_style(render::BodyStyle& style, const Configuration& configuration,
                    const SceneSummary& summary) {
  if (adapts(configuration) && summary.bodies >= fewest_to_spread)
    style.spread_share = static_cast<float>(configuration.real("spread"));
  style.spread_neighbours = static_cast<float>(configuration.real("neighbours"));
}

}  // namespace orrery::app
