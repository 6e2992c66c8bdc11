#include "app/picture/arrow_options.h"

#include <algorithm>
#include <functional>
#include <string>

#include "app/picture/picture_style.h"
#include "app/picture/star_options.h"
#include "sim/core/random.h"
#include "sim/options/describe.h"

namespace orrery::app {

namespace {

constexpr std::uint64_t lot_of_arrows = 1;

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

/// Orders the bodies by mass, heaviest first; random order breaks ties.
void put_heaviest_first(std::vector<std::uint32_t>& bodies, const std::vector<float>& mass) {
  put_some_first(bodies, bodies.size());
  std::ranges::stable_sort(bodies, std::greater<>(), [&](std::uint32_t body) { return mass[body]; });
}

}  // namespace

ArrowChoice arrow_choice(const sim::Configuration& configuration, const SceneSummary& summary) {
  auto style = body_style(configuration);
  set_star_style(style, configuration, summary);
  return {.which = sim::form_text(sim::read_member(configuration, &ArrowOptions::arrows)),
          .component_weight = style.component_weight};
}

void add_arrow_options(sim::OptionTable& table) {
  const std::vector<sim::FormNumber> bodies{{.name = "BODIES",
                                             .default_value = 150.0,
                                             .minimum = 1.0,
                                             .maximum = 5000.0,
                                             .whole = true,
                                             .logarithmic = true}};
  table.add(sim::formed(
      sim::shown("arrows", "overlay", "Velocity arrows",
                 "Bodies with a velocity arrow, and their maximum number. The selected body always has one."),
      {{.word = "off", .numbers = {}, .meaning = "none"},
       {.word = "sample", .numbers = bodies, .meaning = "a random sample of the drawn bodies"},
       {.word = "heaviest", .numbers = bodies, .meaning = "the most massive ones"}}));
  table.add(sim::real(sim::shown("arrow-length", "overlay", "Length of arrows",
                                 "Length of a fast body's arrow, as a fraction of the picture's height. The "
                                 "legend shows the scale."),
                      8.0, 0.5, 50.0, "%", true));
}

bool shows_arrows(const sim::Configuration& configuration) {
  return sim::read_member(configuration, &ArrowOptions::arrows).word != "off";
}

std::vector<std::uint32_t> bodies_with_arrows(const sim::Configuration& configuration,
                                              const sim::Scene& scene, const SceneSummary& summary) {
  const auto option = sim::read_member(configuration, &ArrowOptions::arrows);
  if (option.word == "off") return {};
  auto bodies = drawn_bodies(configuration, scene, summary);
  const auto wanted = static_cast<std::size_t>(option.number(0));
  const auto count = std::min(bodies.size(), wanted);
  if (option.word == "heaviest")
    put_heaviest_first(bodies, scene.bodies.mass);
  else
    put_some_first(bodies, count);
  bodies.resize(count);
  std::ranges::sort(bodies);
  return bodies;
}

}  // namespace orrery::app
