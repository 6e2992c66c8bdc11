#include "app/picture/arrow_options.h"

#include <algorithm>
#include <functional>
#include <string>

#include "app/picture/display_options.h"
#include "app/picture/star_options.h"
#include "sim/core/random.h"

namespace orrery::app {

namespace {

constexpr std::uint64_t lot_of_arrows = 1;

sim::Option arrow_option(sim::Option option, std::string label) {
  option.group = "overlay";
  option.scope = sim::OptionScope::display;
  option.label = std::move(label);
  return option;
}

std::string no_arrows(const sim::Configuration& configuration) {
  return shows_arrows(configuration) ? std::string() : "arrows are off";
}

/// In their order.
std::vector<std::uint32_t> drawn_bodies(const sim::Configuration& configuration, const sim::Scene& scene,
                                        const SceneSummary& summary) {
  const auto weight = arrow_choice(configuration, summary).component_weight;
  const auto& component = scene.bodies.component;
  std::vector<std::uint32_t> bodies;
  for (std::size_t i = 0; i < component.size(); ++i)
    if (weight.at(static_cast<std::size_t>(component[i])) > 0.0F)
      bodies.push_back(static_cast<std::uint32_t>(i));
  return bodies;
}

/// Fisher & Yates. Where more are asked for, these are the same ones and others.
void put_some_first(std::vector<std::uint32_t>& bodies, std::size_t count) {
  sim::Random random(lot_of_arrows);
  for (std::size_t i = 0; i < count; ++i)
    std::swap(bodies[i], bodies[i + static_cast<std::size_t>(random.below(bodies.size() - i))]);
}

/// Of equal ones those that the lot falls on.
void put_heaviest_first(std::vector<std::uint32_t>& bodies, const std::vector<float>& mass) {
  put_some_first(bodies, bodies.size());
  std::ranges::stable_sort(bodies, std::greater<>(), [&](std::uint32_t body) { return mass[body]; });
}

}  // namespace

ArrowChoice arrow_choice(const sim::Configuration& configuration, const SceneSummary& summary) {
  auto style = body_style(configuration);
  set_star_style(style, configuration, summary);
  return {.which = configuration.choice("arrows"),
          .bodies = configuration.integer("arrow-bodies"),
          .component_weight = style.component_weight};
}

void add_arrow_options(sim::OptionTable& table) {
  table.add(arrow_option({.name = "arrows",
                          .meaning = "Which bodies have an arrow along their velocity. The body that was "
                                     "clicked on always has one.",
                          .kind = sim::OptionKind::choice,
                          .default_value = std::string("off"),
                          .choices = {"off", "sample", "heaviest"},
                          .choice_meanings = {"none", "some, drawn by lot", "those of most mass"}},
                         "Velocity arrows"));
  sim::Option count{.name = "arrow-bodies",
                    .meaning = "How many bodies have arrows, at most.",
                    .kind = sim::OptionKind::integer,
                    .default_value = std::int64_t{150},
                    .minimum = 1.0,
                    .maximum = 5000.0,
                    .logarithmic = true,
                    .inactive = no_arrows};
  table.add(arrow_option(std::move(count), "Bodies with arrows"));
  table.add(arrow_option({.name = "arrow-length",
                          .meaning = "How long the arrow of a fast body is: a part of the picture's height. "
                                     "The legend says which speed has which length.",
                          .unit = "%",
                          .kind = sim::OptionKind::real,
                          .default_value = 8.0,
                          .minimum = 0.5,
                          .maximum = 50.0,
                          .logarithmic = true},
                         "Length of arrows"));
}

bool shows_arrows(const sim::Configuration& configuration) { return configuration.choice("arrows") != "off"; }

std::vector<std::uint32_t> bodies_with_arrows(const sim::Configuration& configuration,
                                              const sim::Scene& scene, const SceneSummary& summary) {
  if (!shows_arrows(configuration)) return {};
  auto bodies = drawn_bodies(configuration, scene, summary);
  const auto wanted = static_cast<std::size_t>(configuration.integer("arrow-bodies"));
  const auto count = std::min(bodies.size(), wanted);
  if (configuration.choice("arrows") == "heaviest")
    put_heaviest_first(bodies, scene.bodies.mass);
  else
    put_some_first(bodies, count);
  bodies.resize(count);
  std::ranges::sort(bodies);
  return bodies;
}

}  // namespace orrery::app
