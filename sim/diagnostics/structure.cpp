#include "sim/diagnostics/structure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "sim/core/random.h"
#include "sim/physics/diagnostics/median_center.h"
#include "sim/physics/laws/force_law.h"

namespace orrery::sim {

namespace {

double distance(const DVec3& x) { return std::hypot(x.x, x.y); }

double outermost(const CenteredState& state) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < state.size(); ++i)
    if (state.in_profile[i]) distances.push_back(distance(state.position[i]));
  if (distances.empty()) return 0.0;
  const auto at =
      distances.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(distances.size() - 1));
  std::nth_element(distances.begin(), at, distances.end());
  return *at;
}

// Along R, phi and z.
DVec3 cylindrical(const DVec3& x, const DVec3& v) {
  const double r = distance(x);
  return {(x.x * v.x + x.y * v.y) / r, (x.x * v.y - x.y * v.x) / r, v.z};
}

struct Sums {
  DVec3 first, second;  // of m v and m v^2 by component
};

void add(Sums& sums, double mass, const DVec3& v) {
  sums.first += mass * v;
  sums.second += mass * DVec3{v.x * v.x, v.y * v.y, v.z * v.z};
}

void finish(Ring& ring, const Sums& sums) {
  const auto spread = [&](double DVec3::*along) {
    if (ring.bodies < 2) return std::numeric_limits<double>::quiet_NaN();
    const double mean = sums.first.*along / ring.mass;
    return std::sqrt(std::max(sums.second.*along / ring.mass - mean * mean, 0.0));
  };
  ring.rotation = ring.bodies > 0 ? sums.first.y / ring.mass : std::numeric_limits<double>::quiet_NaN();
  ring.sigma_r = spread(&DVec3::x);
  ring.sigma_phi = spread(&DVec3::y);
  ring.sigma_z = spread(&DVec3::z);
}

// Times 1 / G.
double inward_pull(const CenteredState& state, double radius, double angle, double softening_squared) {
  const double c = std::cos(angle), s = std::sin(angle);
  double sum = 0.0;
  for (std::size_t j = 0; j < state.size(); ++j) {
    const auto& x = state.position[j];
    const double dx = radius * c - x.x, dy = radius * s - x.y;
    const double squared = dx * dx + dy * dy + x.z * x.z + softening_squared;
    if (squared > 0.0) sum += state.mass[j] * (dx * c + dy * s) / (squared * std::sqrt(squared));
  }
  return sum;
}

double slope(std::span<const double> x, std::span<const double> y) {
  double mean_x = 0.0, mean_y = 0.0;
  const auto count = static_cast<double>(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) mean_x += x[k] / count, mean_y += y[k] / count;
  double above = 0.0, below = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    above += (x[k] - mean_x) * (y[k] - mean_y);
    below += (x[k] - mean_x) * (x[k] - mean_x);
  }
  return above / below;
}

constexpr std::size_t most_phase_points = 1'500;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Dozens of bodies a ring, or a profile is noise.
std::size_t ring_count(const CenteredState& state) {
  const auto members = static_cast<std::size_t>(std::ranges::count(state.in_profile, true));
  return std::clamp<std::size_t>(members / 40, 4, 24);
}

std::vector<ProfilePoint> profile_of(const CenteredState& state, const Physics& physics) {
  const auto rings = rings_of(state, ring_count(state));
  const bool gravity = physics.law == &gravity_law;
  std::vector<double> radii;
  for (const auto& ring : rings) radii.push_back(ring.radius());
  std::vector<double> speeds(radii.size(), unknown);
  if (gravity) speeds = circular_speeds(state, radii, physics);
  const auto kappa = epicyclic_frequencies(radii, speeds);
  std::vector<ProfilePoint> profile;
  for (std::size_t k = 0; k < rings.size(); ++k) {
    const double q =
        toomre_q(rings[k].sigma_r, kappa[k], physics.gravitational_constant, rings[k].surface_density());
    profile.push_back({rings[k], speeds[k], kappa[k], gravity ? q : unknown});
  }
  return profile;
}

std::vector<PhasePoint> phase_points(const CenteredState& state) {
  const auto members = static_cast<std::size_t>(std::ranges::count(state.in_profile, true));
  const std::size_t stride = std::max<std::size_t>((members + most_phase_points - 1) / most_phase_points, 1);
  std::vector<PhasePoint> points;
  std::size_t number = 0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    const auto &x = state.position[i], &v = state.velocity[i];
    const double r = std::hypot(x.x, x.y);
    if (!state.in_profile[i] || number++ % stride != 0 || r == 0.0) continue;
    points.push_back({r, (x.x * v.x + x.y * v.y) / r, (x.x * v.y - x.y * v.x) / r});
  }
  return points;
}

double potential_at(const CenteredState& state, std::size_t i, const Physics& physics) {
  const double softening_squared = physics.softening * physics.softening;
  double sum = 0.0;
  for (std::size_t j = 0; j < state.size(); ++j) {
    const DVec3 apart = state.position[j] - state.position[i];
    const double squared = dot(apart, apart) + softening_squared;
    if (j != i && squared > 0.0) sum += state.mass[j] / std::sqrt(squared);
  }
  return -physics.gravitational_constant * sum;
}

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

double Ring::surface_density() const { return mass / (std::numbers::pi * (outer * outer - inner * inner)); }

std::vector<Ring> rings_of(const CenteredState& state, std::size_t count) {
  const double edge = outermost(state);
  if (!(edge > 0.0) || count == 0) return {};
  const double width = edge / static_cast<double>(count);
  std::vector<Ring> rings(count);
  std::vector<Sums> sums(count);
  for (std::size_t k = 0; k < count; ++k) {
    rings[k].inner = width * static_cast<double>(k);
    rings[k].outer = width * static_cast<double>(k + 1);
  }
  for (std::size_t i = 0; i < state.size(); ++i) {
    const double r = distance(state.position[i]);
    if (!state.in_profile[i] || r >= edge || r == 0.0) continue;
    const auto k = std::min(static_cast<std::size_t>(r / width), count - 1);
    ++rings[k].bodies;
    rings[k].mass += state.mass[i];
    add(sums[k], state.mass[i], cylindrical(state.position[i], state.velocity[i]));
  }
  for (std::size_t k = 0; k < count; ++k) finish(rings[k], sums[k]);
  return rings;
}

std::vector<double> circular_speeds(const CenteredState& state, std::span<const double> radii,
                                    const Physics& physics) {
  constexpr int points = 8;
  const double softening_squared = physics.softening * physics.softening;
  std::vector<double> speeds;
  for (const double radius : radii) {
    double pull = 0.0;
    for (int k = 0; k < points; ++k)
      pull += inward_pull(state, radius, (2.0 * std::numbers::pi * k) / points, softening_squared) / points;
    speeds.push_back(std::sqrt(std::max(radius * physics.gravitational_constant * pull, 0.0)));
  }
  return speeds;
}

std::vector<double> epicyclic_frequencies(std::span<const double> radii, std::span<const double> speeds) {
  const std::size_t count = radii.size();
  std::vector<double> kappa(count, std::numeric_limits<double>::quiet_NaN());
  if (count < 3) return kappa;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t first = k < 2 ? 0 : k - 2, last = std::min(k + 3, count);
    const double change = slope(radii.subspan(first, last - first), speeds.subspan(first, last - first));
    const double omega = speeds[k] / radii[k];
    kappa[k] = std::sqrt(std::max(2.0 * omega * (omega + change), 0.0));
  }
  return kappa;
}

Structure structure_of(const StateView& state, std::span<const Component> component, const Physics& physics,
                       const CenteringRequest& request) {
  const auto centered = center_state(state, component, request);
  Structure result{.center = centered.center, .sample = centered.size(), .of = centered.bodies};
  std::ranges::copy(lagrange_radii(centered, Structure::fractions), result.lagrange.begin());
  constexpr std::array half{0.5};
  result.a2 = bar_strength(centered, lagrange_radii(centered, half, true).front());
  result.bound = physics.law == &gravity_law ? bound_fraction(centered, physics) : unknown;
  result.profile = profile_of(centered, physics);
  result.phase = phase_points(centered);
  return result;
}

double toomre_q(double sigma_r, double kappa, double gravitational_constant, double surface_density) {
  return sigma_r * kappa / (3.36 * gravitational_constant * surface_density);
}

double bar_strength(const CenteredState& state, double radius) {
  double cosine = 0.0, sine = 0.0, mass = 0.0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    const auto& x = state.position[i];
    const double squared = x.x * x.x + x.y * x.y;
    if (!state.in_profile[i] || squared > radius * radius || squared == 0.0) continue;
    cosine += state.mass[i] * (x.x * x.x - x.y * x.y) / squared;
    sine += state.mass[i] * 2.0 * x.x * x.y / squared;
    mass += state.mass[i];
  }
  return mass > 0.0 ? std::hypot(cosine, sine) / mass : 0.0;
}

double bound_fraction(const CenteredState& state, const Physics& physics, std::size_t most) {
  const std::size_t stride =
      std::max<std::size_t>((state.size() + most - 1) / std::max<std::size_t>(most, 1), 1);
  double bound = 0.0, all = 0.0;
  for (std::size_t i = 0; i < state.size(); i += stride) {
    const auto& v = state.velocity[i];
    all += state.mass[i];
    if (0.5 * dot(v, v) + potential_at(state, i, physics) < 0.0) bound += state.mass[i];
  }
  return all > 0.0 ? bound / all : 0.0;
}

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
