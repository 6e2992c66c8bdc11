#include "app/picture/star_style.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "app/picture/stellar_populations.h"
#include "render/color_maps/color_space.h"
#include "sim/bodies/bodies.h"

namespace orrery::app {

namespace {

/// With fewer luminous bodies in a galaxy each body is drawn as one star.
constexpr double fewest_to_spread = 1000.0;
/// Luminous bodies of a galaxy from which all of the share is spread; below there is less glow and more
/// stars.
constexpr double none_spread = 500.0, all_spread = 50'000.0;
/// Fewer luminous bodies share their light with more of them, or chance would show as blobs.
constexpr double few_bodies = 400'000.0;
/// Largest fraction of a galaxy's luminous bodies over which the light of one is spread.
constexpr double largest_part = 0.1;
constexpr double ln_of_magnitude = 0.921034;

/// The stellar population of a component (docs/rendering.md, "Starlight"). Light is that of a mass, in solar
/// units in the V band for one population of that age (about those of Maraston 2005).
struct Population {
  double mass_to_light;  ///< 0: dark
  float colors;          ///< deviation of ln red
  float red_giants;      ///< correlation of light and redness
};
constexpr std::array<Population, sim::component_count> populations{{
    {1.5, 0.25F, 0.0F},   // gas: lit by the youngest stars
    {0.0, 0.30F, 0.6F},   // halo
    {1.0, 0.45F, -0.5F},  // thin disk, 2 thousand million years: the brightest are blue
    {4.0, 0.30F, 0.6F},   // bulge, 10 thousand million years: the brightest are red giants
    {2.5, 0.40F, 0.2F},   // stars of all ages
    {2.5, 0.30F, 0.0F},   // other
}};

/// Bodies of one component give at most this many times the light of the usual body, and at least its
/// inverse.
constexpr double widest_light = 10.0;

using Lights = std::array<double, sim::component_count>;

bool is_lit(std::size_t component, const SceneSummary& summary) {
  return summary.components.at(component) > 0 && populations.at(component).mass_to_light > 0.0;
}

/// The light of one body of the component in which the median of all lit bodies is, sorted by their light; of
/// those with mass. 0: none has.
double usual_light(const Lights& light, const SceneSummary& summary) {
  std::vector<std::pair<double, std::size_t>> bodies;
  std::size_t all = 0;
  for (std::size_t i = 0; i < light.size(); ++i) {
    if (!is_lit(i, summary) || light.at(i) <= 0.0) continue;
    const auto count = summary.components.at(i);
    bodies.emplace_back(light.at(i) / static_cast<double>(count), count);
    all += count;
  }
  std::ranges::sort(bodies);
  std::size_t below = 0;
  for (const auto& [each, count] : bodies) {
    below += count;
    if (2 * below >= all) return each;
  }
  return 0.0;
}

/// One star among particles of gas is a hundred thousand times as heavy: the picture would show it alone.
/// Bodies without mass shine like the usual one.
void narrow(Lights& light, const SceneSummary& summary) {
  const double usual = usual_light(light, summary);
  for (std::size_t i = 0; i < light.size(); ++i) {
    if (!is_lit(i, summary)) continue;
    const auto count = static_cast<double>(summary.components.at(i));
    const double low = count * usual / widest_light, high = count * usual * widest_light;
    light.at(i) = light.at(i) > 0.0 ? std::clamp(light.at(i), low, high) : count * usual;
  }
}

/// Light of a component over that of as many bodies of mean light: all together keep the light of all.
Lights light_of_populations(const SceneSummary& summary) {
  Lights light{};
  double all = 0.0, bodies = 0.0;
  for (std::size_t i = 0; i < light.size(); ++i)
    if (is_lit(i, summary)) light.at(i) = summary.component_mass.at(i) / populations.at(i).mass_to_light;
  narrow(light, summary);
  for (std::size_t i = 0; i < light.size(); ++i) {
    if (!is_lit(i, summary)) continue;
    all += light.at(i);
    bodies += static_cast<double>(summary.components.at(i));
  }
  for (std::size_t i = 0; i < light.size(); ++i)
    light.at(i) = all > 0.0 && light.at(i) > 0.0
                      ? light.at(i) / all * bodies / static_cast<double>(summary.components.at(i))
                      : 0.0;
  return light;
}

void set_populations(render::BodyStyle& style, const SceneSummary& summary) {
  const auto light = light_of_populations(summary);
  // A halo alone, or bodies without mass, shine as they are.
  if (std::ranges::all_of(light, [](double each) { return each <= 0.0; })) return;
  for (std::size_t i = 0; i < light.size(); ++i)
    style.component_weight.at(i) *= static_cast<float>(light.at(i));
}

/// The luminous bodies of one galaxy, in a style whose components have their light.
double luminous_of_galaxy(const render::BodyStyle& style, const SceneSummary& summary) {
  std::size_t luminous = 0;
  for (std::size_t i = 0; i < summary.components.size(); ++i)
    if (style.component_weight.at(i) > 0.0F) luminous += summary.components.at(i);
  return static_cast<double>(luminous) / std::max(summary.galaxies, 1U);
}

/// The part of the share that is spread: a gentle glow of few stars.
double part_of_share(double luminous) {
  if (luminous < fewest_to_spread) return 0.0;
  const double t =
      std::clamp(std::log(luminous / none_spread) / std::log(all_spread / none_spread), 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

/// Few stars are drawn larger, or the sky would look empty.
double size_of_few(double luminous) {
  constexpr double enough = 2000.0, largest = 1.8;
  return std::clamp(std::sqrt(std::sqrt(enough / std::max(luminous, 1.0))), 1.0, largest);
}

void set_sizes(render::BodyStyle& style, const sim::FormValue& sizes, const SceneSummary& summary) {
  if (sizes.word != "adaptive") return;
  const double luminous = luminous_of_galaxy(style, summary);
  style.spread_share = static_cast<float>(sizes.number(0) * part_of_share(luminous));
  const double neighbours = sizes.number(1) * std::sqrt(std::max(few_bodies / std::max(luminous, 1.0), 1.0));
  style.spread_neighbours = static_cast<float>(std::min(neighbours, std::max(largest_part * luminous, 1.0)));
  if (summary.bodies >= fewest_to_vary)
    style.size_px *= static_cast<float>(size_of_few(luminous * summary.galaxies));
}

void vary_stars(render::BodyStyle& style, const StarOptions& options) {
  const double light = options.spread() * ln_of_magnitude;
  for (std::size_t i = 0; i < populations.size(); ++i) {
    const auto& population = populations.at(i);
    style.star_spread.at(i) = {.light = static_cast<float>(light),
                               .color = static_cast<float>(options.colors()) * population.colors,
                               .red_giants = population.red_giants};
  }
}

}  // namespace

bool shines(std::size_t component, const StarOptions& options, const SceneSummary& summary) {
  render::BodyStyle style;
  set_star_style(style, options, summary);
  return style.component_weight.at(component) > 0.0F;
}

void set_star_style(render::BodyStyle& style, const StarOptions& options, const SceneSummary& summary) {
  if (summary.bodies >= fewest_to_vary) {
    if (options.starlight == "populations") set_populations(style, summary);
    vary_stars(style, options);
  }
  set_sizes(style, options.sizes, summary);
}

void set_age_style(render::BodyStyle& style, const StarOptions& options) {
  constexpr float kelvin_of_old = 4900.0F;
  constexpr auto disk_place = static_cast<std::size_t>(sim::Component::disk);
  const auto difference = static_cast<float>(options.ages());
  style.palette[old_disk] =
      glm::mix(style.palette[disk_place], render::blackbody_color(kelvin_of_old), difference);
  style.component_weight[old_disk] = style.component_weight[disk_place];
  style.star_spread[old_disk] = style.star_spread[disk_place];
}

}  // namespace orrery::app
