#include "sim/diagnostics/centered_state.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/core/random.h"
#include "sim/physics/diagnostics/median_center.h"

namespace orrery::sim {

namespace {

std::vector<std::size_t> usable(const StateView& state, const GalaxyRange& range) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = range.first; i < range.last; ++i)
    if (state.mass[i] > 0.0F && is_finite(state.position[i]) && is_finite(state.velocity[i]))
      numbers.push_back(i);
  return numbers;
}

// Each as likely as the others, rising (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S).
std::vector<std::size_t> drawn_by_lot(const std::vector<std::size_t>& all, std::size_t count,
                                      std::uint64_t seed) {
  if (all.size() <= count) return all;
  Random random(seed);
  std::vector<std::size_t> drawn;
  for (std::size_t i = 0; i < all.size() && drawn.size() < count; ++i) {
    const auto left = static_cast<double>(all.size() - i);
    if (left * random.uniform() < static_cast<double>(count - drawn.size())) drawn.push_back(all[i]);
  }
  return drawn;
}

bool is_disk(Component component) { return component == Component::disk || component == Component::gas; }

std::vector<bool> in_profile(std::span<const Component> component, const std::vector<std::size_t>& drawn) {
  std::vector<bool> disk, luminous;
  for (const std::size_t i : drawn) {
    const auto what = component.empty() ? Component::other : component[i];
    disk.push_back(is_disk(what));
    luminous.push_back(what != Component::halo);
  }
  const auto any = [](const std::vector<bool>& which) {
    return std::ranges::find(which, true) != which.end();
  };
  if (any(disk)) return disk;
  return any(luminous) ? luminous : std::vector<bool>(drawn.size(), true);
}

DVec3 mean_velocity_within(const CenteredState& state, double radius) {
  DVec3 momentum;
  double mass = 0.0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (norm(state.position[i]) > radius) continue;
    momentum += state.mass[i] * state.velocity[i];
    mass += state.mass[i];
  }
  return mass > 0.0 ? momentum * (1.0 / mass) : DVec3();
}

double half_mass_radius(const CenteredState& state, bool profile_only) {
  constexpr std::array half{0.5};
  return lagrange_radii(state, half, profile_only).front();
}

DVec3 axis_of(const CenteredState& state) {
  const double within = half_mass_radius(state, true);
  DVec3 spin;
  double most = 0.0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (!state.in_profile[i] || norm(state.position[i]) > within) continue;
    spin += state.mass[i] * cross(state.position[i], state.velocity[i]);
    most += state.mass[i] * norm(state.position[i]) * norm(state.velocity[i]);
  }
  const double length = norm(spin);
  return length > most / 3.0 ? spin * (1.0 / length) : DVec3{0.0, 0.0, 1.0};
}

// Turns so that `axis` becomes z, along the shortest way (Rodrigues' formula about axis x z).
DVec3 upright(const DVec3& v, const DVec3& axis) {
  const DVec3 z{0.0, 0.0, 1.0};
  if (axis.z < -0.999999) return {v.x, -v.y, -v.z};
  const DVec3 k = cross(axis, z);
  return v + cross(k, v) + cross(k, cross(k, v)) * (1.0 / (1.0 + axis.z));
}

}  // namespace

CenteredState center_state(const StateView& state, std::span<const Component> component,
                           const CenteringRequest& request) {
  CenteredState result;
  if (request.galaxy >= state.galaxies.size()) return result;
  const auto& range = state.galaxies[request.galaxy];
  const auto all = usable(state, range);
  const auto drawn = drawn_by_lot(all, request.most, request.seed);
  result.bodies = all.size();
  if (drawn.empty()) return result;
  result.center = median_center(state.position, state.mass, range);
  result.in_profile = in_profile(component, drawn);
  const double each = static_cast<double>(all.size()) / static_cast<double>(drawn.size());
  for (const std::size_t i : drawn) {
    result.position.push_back(DVec3(state.position[i]) - result.center);
    result.velocity.emplace_back(state.velocity[i]);
    result.mass.push_back(each * state.mass[i]);
  }
  result.center_velocity = mean_velocity_within(result, half_mass_radius(result, false));
  for (auto& v : result.velocity) v -= result.center_velocity;
  result.axis = axis_of(result);
  for (auto& x : result.position) x = upright(x, result.axis);
  for (auto& v : result.velocity) v = upright(v, result.axis);
  return result;
}

std::vector<double> lagrange_radii(const CenteredState& state, std::span<const double> fractions,
                                   bool profile_only) {
  std::vector<std::pair<double, double>> shells;  // radius, mass within
  for (std::size_t i = 0; i < state.size(); ++i)
    if (!profile_only || state.in_profile[i]) shells.emplace_back(norm(state.position[i]), state.mass[i]);
  std::vector<double> radii(fractions.size(), 0.0);
  if (shells.empty()) return radii;
  std::ranges::sort(shells);
  double inside = 0.0;
  for (auto& shell : shells) shell.second = inside += shell.second;
  for (std::size_t k = 0; k < fractions.size(); ++k) {
    const auto at =
        std::ranges::lower_bound(shells, fractions[k] * inside, {}, &std::pair<double, double>::second);
    radii[k] = at == shells.end() ? shells.back().first : at->first;
  }
  return radii;
}

}  // namespace orrery::sim
