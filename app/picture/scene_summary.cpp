#include "app/picture/scene_summary.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <vector>

#include "app/picture/places.h"
#include "app/picture/stellar_populations.h"
#include "render/bodies/body_style.h"
#include "render/color_maps/color_map.h"
#include "render/color_modes/color_mode.h"

namespace orrery::app {

namespace {

constexpr std::size_t most_sampled = 100'000;
/// So few bodies are no distribution: each of them matters.
constexpr std::size_t few_bodies = 50;
constexpr double reference_height = 720.0;

std::vector<std::size_t> sample_of(std::size_t count) {
  const std::size_t stride = std::max<std::size_t>(1, count / most_sampled);
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < count; i += stride) indices.push_back(i);
  return indices;
}

/// The centre of mass, used for few bodies because they move about it; a median would be at one of them.
glm::dvec3 center_of_mass(const sim::Bodies& bodies) {
  glm::dvec3 sum{0.0};
  double mass = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    sum += double{bodies.mass[i]} * to_glm(bodies.position[i]);
    mass += bodies.mass[i];
  }
  return mass > 0.0 ? sum / mass : glm::dvec3(0.0);
}

render::BodySample body_sample(const sim::Bodies& bodies, std::size_t i) {
  return {.position = glm::vec3(to_glm(bodies.position[i])),
          .mass = bodies.mass[i],
          .velocity = glm::vec3(to_glm(bodies.velocity[i])),
          .component = static_cast<std::uint32_t>(bodies.component[i]),
          .galaxy = bodies.galaxy[i],
          .body = static_cast<std::uint32_t>(i),
          .quantity = bodies.charge[i]};
}

std::vector<GalaxyFacts> facts_of_galaxies(const sim::Bodies& bodies) {
  std::vector<GalaxyFacts> facts;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto number = bodies.galaxy[i];
    if (facts.empty() || facts.back().number != number) facts.push_back({.number = number});
    ++facts.back().bodies;
    facts.back().mass += bodies.mass[i];
  }
  return facts;
}

/// The signs of a component's charges.
struct ChargeSigns {
  bool positive = false, negative = false, neutral = false;
};

std::string label_of(sim::Component component, const ChargeSigns& signs) {
  if (signs.positive && !signs.negative && !signs.neutral) return "positive charges";
  if (signs.negative && !signs.positive && !signs.neutral) return "negative charges";
  return std::string(sim::component_name(component));
}

std::array<std::string, sim::component_count> component_labels(const sim::Bodies& bodies) {
  std::array<ChargeSigns, sim::component_count> signs;
  const std::size_t charged = bodies.has_charges() ? bodies.size() : 0;
  for (std::size_t i = 0; i < charged; ++i) {
    auto& of_component = signs.at(static_cast<std::size_t>(bodies.component[i]));
    const float charge = bodies.charge[i];
    (charge > 0.0F   ? of_component.positive
     : charge < 0.0F ? of_component.negative
                     : of_component.neutral) = true;
  }
  std::array<std::string, sim::component_count> labels;
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels.at(i) = label_of(static_cast<sim::Component>(i), signs.at(i));
  return labels;
}

/// The box around the luminous bodies.
void find_box(SceneSummary& summary, bool few) {
  const auto& places = summary.luminous.places;
  if (places.empty()) return;
  for (glm::length_t axis = 0; axis < 3; ++axis) {
    const auto along = [axis](const glm::dvec3& place) { return place[axis]; };
    summary.box_low[axis] = percentile_of(places, few ? 0.0 : 0.05, along);
    summary.box_high[axis] = percentile_of(places, few ? 1.0 : 0.95, along);
  }
  const auto middle = 0.5 * (summary.box_low + summary.box_high);
  auto half = 0.55 * (summary.box_high - summary.box_low);
  const double largest = std::max({half.x, half.y, half.z});
  half = glm::max(half, glm::dvec3(largest > 0.0 ? 0.2 * largest : summary.radius));
  summary.box_low = middle - half;
  summary.box_high = middle + half;
}

void lay_out_grid(SceneSummary& summary) {
  if (summary.galaxies <= 1) return;
  summary.grid_columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(summary.galaxies)));
  summary.grid_spacing = static_cast<float>(2.4 * summary.radius);
}

glm::dvec3 grid_middle(const SceneSummary& summary) {
  const auto rows = (summary.galaxies + summary.grid_columns - 1) / summary.grid_columns;
  return glm::dvec3(summary.grid_columns - 1.0, 1.0 - rows, 0.0) * (0.5 * summary.grid_spacing);
}

}  // namespace

const GalaxyFacts* SceneSummary::find_galaxy(std::int64_t number) const {
  const auto found = std::ranges::lower_bound(
      each_galaxy, number, {}, [](const GalaxyFacts& galaxy) { return std::int64_t{galaxy.number}; });
  return found != each_galaxy.end() && found->number == number ? &*found : nullptr;
}

glm::dvec3 SceneSummary::grid_offset(std::uint32_t galaxy) const {
  return glm::dvec3(render::grid_offset(galaxy, grid_columns, grid_spacing));
}

glm::dvec3 SceneSummary::view_center() const { return center + grid_middle(*this); }

double SceneSummary::view_radius() const { return radius + glm::length(grid_middle(*this)); }

std::map<std::string, std::pair<float, float>, std::less<>> color_ranges(const sim::Bodies& bodies) {
  const auto sample = sample_of(bodies.size());
  std::map<std::string, std::pair<float, float>, std::less<>> ranges;
  std::vector<float> values(sample.size());
  for (const auto* mode : render::color_modes()) {
    // Found when they are wanted (AttributeStream).
    if (mode->source == render::ColorMode::Source::density ||
        mode->source == render::ColorMode::Source::acceleration)
      continue;
    std::ranges::transform(sample, values.begin(),
                           [&](std::size_t i) { return mode->scalar(body_sample(bodies, i)); });
    auto range = render::percentile_range(values);
    if (mode->is_signed) {
      const float largest = std::max(std::abs(range.first), std::abs(range.second));
      // Where all are 0 they have the colour of 0, not that of the range's lower end.
      range = largest > 0.0F ? std::pair(-largest, largest) : std::pair(-1.0F, 1.0F);
    }
    ranges.emplace(mode->name, range);
  }
  return ranges;
}

std::array<double, sim::component_count> component_masses(const sim::Bodies& bodies) {
  std::array<double, sim::component_count> masses{};
  for (std::size_t i = 0; i < bodies.size(); ++i)
    masses.at(static_cast<std::size_t>(bodies.component[i])) += static_cast<double>(bodies.mass[i]);
  return masses;
}

SceneSummary summarize(const sim::Bodies& bodies) {
  SceneSummary summary{.bodies = bodies.size(),
                       .components = bodies.component_counts(),
                       .component_mass = component_masses(bodies),
                       .component_labels = component_labels(bodies)};
  summary.colored =
      bodies.color.size() - static_cast<std::size_t>(std::ranges::count(bodies.color, sim::no_color));
  summary.drawn_as = std::make_shared<const std::vector<std::uint8_t>>(drawn_components(bodies));
  summary.start_camera = view_of(summary, View::fit);
  if (bodies.empty()) return summary;
  summary.galaxies = bodies.galaxy.back() + 1;
  summary.each_galaxy = facts_of_galaxies(bodies);
  const auto sample = sample_of(bodies.size());
  const bool few = bodies.size() <= few_bodies;
  summary.origin = {bodies.origin.x, bodies.origin.y, bodies.origin.z};
  const auto places =
      sample | std::views::transform([&](std::size_t i) { return to_glm(bodies.position[i]); });
  summary.center = few ? center_of_mass(bodies) : median_of(places);
  const auto radius = [&](const glm::dvec3& place) { return glm::length(place - summary.center); };
  // Few bodies are all shown, with some room for their orbits.
  summary.radius = few ? 1.15 * percentile_of(places, 1.0, radius) : percentile_of(places, 0.95, radius);
  // A single body, or all in one place, still wants a view of finite size.
  if (!(summary.radius > 0.0)) summary.radius = 1.0;
  summary.half_radius = std::max(percentile_of(places, 0.5, radius), 1e-3 * summary.radius);
  summary.ranges = color_ranges(bodies);
  summary.luminous = luminous_bodies(bodies);
  if (summary.luminous.pair) summary.half_radius = summary.luminous.half_radius;
  summary.disk = disk_of(bodies, summary.luminous);
  find_box(summary, few);
  lay_out_grid(summary);
  summary.start_camera = view_of(summary, View::fit);
  return summary;
}

SceneSummary moved_summary(const SceneSummary& start, const sim::Bodies& now) {
  if (now.empty() || start.galaxies > 1) return start;
  auto moved = start;
  if (now.size() <= few_bodies) {
    moved.center = center_of_mass(now);
    for (const auto& place : now.position)
      moved.radius = std::max(moved.radius, 1.15 * glm::length(to_glm(place) - moved.center));
  }
  moved.luminous = luminous_bodies(now);
  moved.start_camera = view_of(moved, View::fit);
  return moved;
}

bool shows_all(const SceneSummary& summary) { return summary.galaxies > 1 || summary.bodies <= few_bodies; }

render::Camera view_of(const SceneSummary& summary, View view, double aspect) {
  const auto& light = summary.luminous;
  const bool grid = summary.galaxies > 1;
  if (view == View::fit && !grid && light.pair)
    return over_the_shoulder_view(*light.pair, light.spin, aspect);
  if (!shows_all(summary)) {
    const double turn =
        view == View::fit ? open_turn(light.places, light.center, light.spin, light.half_radius) : 0.0;
    return framed(towards(view, light.spin, turn), light.places, aspect);
  }
  auto camera = towards(view, light.spin);
  if (view == View::fit)
    camera.look(grid ? render::Camera::Preset::face_on : render::Camera::Preset::oblique);
  camera.fit(summary.view_center(), summary.view_radius(), aspect);
  return camera;
}

float automatic_exposure(const SceneSummary& summary) {
  const double pixels_per_length = reference_height / fitted_camera(summary).picture_height();
  // A small system is a handful of points: their own size, not their density, decides.
  const double half_pixels = std::max(summary.half_radius * pixels_per_length, 8.0);
  const double bodies = static_cast<double>(summary.bodies) / summary.galaxies;
  const double surface_brightness = 0.5 * bodies / (3.14159265358979 * half_pixels * half_pixels);
  constexpr double wanted = 0.25;
  constexpr double brightest_body = 3.0;
  return static_cast<float>(std::min(std::log2(wanted / surface_brightness), brightest_body));
}

}  // namespace orrery::app
