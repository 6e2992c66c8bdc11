#include "sim/bodies/bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/core/error.h"
#include "sim/core/large_array.h"

namespace orrery::sim {

namespace {

constexpr std::array<std::string_view, component_count> component_names{"gas",   "halo", "disk",
                                                                        "bulge", "star", "other"};

template <typename T>
void append_to(std::vector<T>& target, const std::vector<T>& source) {
  target.insert(target.end(), source.begin(), source.end());
}

/// The name of the number of body `i` that is not finite; nullptr: all are.
const char* which_not_finite(const Bodies& bodies, std::size_t i) {
  const auto is_bad = [i](const std::vector<float>& values) {
    return !values.empty() && !std::isfinite(values[i]);
  };
  return !is_finite(bodies.position[i])   ? "position"
         : !is_finite(bodies.velocity[i]) ? "velocity"
         : is_bad(bodies.mass)            ? "mass"
         : is_bad(bodies.charge)          ? "charge"
                                          : nullptr;
}

}  // namespace

std::string_view component_name(Component component) {
  return component_names.at(static_cast<std::size_t>(component));
}

std::optional<Component> component_from_name(std::string_view name) {
  const auto found = std::ranges::find(component_names, name);
  if (found == component_names.end()) return std::nullopt;
  return static_cast<Component>(found - component_names.begin());
}

void Bodies::resize(std::size_t count) {
  const std::size_t before = size();
  if (before == 0) {
    for_each_array(*this, [&](auto& values) {
      if (static_cast<const void*>(&values) != &color) reserve_large(values, count);
    });
  }
  position.resize(count);
  velocity.resize(count);
  mass.resize(count);
  charge.resize(count);
  id.resize(count);
  component.resize(count, Component::other);
  galaxy.resize(count);
  if (!color.empty()) color.resize(count, no_color);
  if (count > before) std::iota(id.begin() + static_cast<std::ptrdiff_t>(before), id.end(), before);
}

void Bodies::append(const Bodies& other, std::uint32_t galaxy_offset) {
  if (!color.empty() || !other.color.empty()) {
    color.resize(size(), no_color);
    append_to(color, other.color);
    color.resize(size() + other.size(), no_color);
  }
  if (empty()) origin = other.origin;
  if (origin == other.origin) {
    append_to(position, other.position);
  } else {
    for (std::size_t i = 0; i < other.size(); ++i)
      position.push_back(static_cast<Vec3>(other.origin + static_cast<DVec3>(other.position[i]) - origin));
  }
  append_to(velocity, other.velocity);
  append_to(mass, other.mass);
  append_to(charge, other.charge);
  append_to(id, other.id);
  append_to(component, other.component);
  // Nothing is reserved: room for exactly these would make many calls copy everything each time.
  for (const auto g : other.galaxy) galaxy.push_back(g + galaxy_offset);
}

bool Bodies::has_charges() const {
  return std::ranges::any_of(charge, [](float q) { return q != 0.0F; });
}

bool Bodies::has_colors() const {
  return std::ranges::any_of(color, [](Color own) { return own != no_color; });
}

std::array<std::size_t, component_count> Bodies::component_counts() const {
  std::array<std::size_t, component_count> counts{};
  for (const auto c : component) ++counts.at(static_cast<std::size_t>(c));
  return counts;
}

std::vector<GalaxyRange> Bodies::galaxies() const {
  std::vector<GalaxyRange> ranges;
  for (auto first = galaxy.begin(); first != galaxy.end();) {
    const auto number = *first;
    const auto last = std::find_if(first, galaxy.end(), [number](auto other) { return other != number; });
    if (last != galaxy.end() && *last < number) throw Error("galaxy numbers decrease along the bodies");
    ranges.push_back(
        {static_cast<std::size_t>(first - galaxy.begin()), static_cast<std::size_t>(last - galaxy.begin())});
    first = last;
  }
  return ranges;
}

Bodies repeat_galaxies(const Bodies& one, std::uint32_t copies) {
  Bodies all;
  const std::uint32_t galaxies = one.empty() ? 0 : one.galaxy.back() + 1;
  for (std::uint32_t k = 0; k < copies; ++k) all.append(one, k * galaxies);
  if (copies > 1) std::iota(all.id.begin(), all.id.end(), 0);
  return all;
}

double interactions_per_evaluation(const std::vector<GalaxyRange>& galaxies) {
  return std::accumulate(galaxies.begin(), galaxies.end(), 0.0, [](double sum, const GalaxyRange& g) {
    return sum + static_cast<double>(g.size()) * static_cast<double>(g.size());
  });
}

GalaxyRange bodies_of_galaxy(std::span<const std::uint32_t> galaxy, std::uint32_t number) {
  const auto [first, last] = std::equal_range(galaxy.begin(), galaxy.end(), number);
  return {static_cast<std::size_t>(first - galaxy.begin()), static_cast<std::size_t>(last - galaxy.begin())};
}

std::string not_finite(const Bodies& bodies, std::size_t i) {
  const char* const what = which_not_finite(bodies, i);
  return what == nullptr ? std::string() : fmt::format("the {} of body {}", what, i + 1);
}

std::string first_not_finite(const Bodies& bodies) {
  constexpr std::size_t worth_threads = 100'000;
  const std::size_t count = bodies.size();
  std::size_t first = count;
#pragma omp parallel for schedule(static) reduction(min : first) if (count > worth_threads)
  for (std::size_t i = 0; i < count; ++i) {
    if (i < first && which_not_finite(bodies, i) != nullptr) first = i;
  }
  return first < count ? not_finite(bodies, first) : std::string();
}

}  // namespace orrery::sim

template class std::vector<orrery::sim::Vec3>;
