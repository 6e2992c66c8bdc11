#include "sim/scene/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/bodies/origin.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/physics/diagnostics/force_error.h"
#include "sim/physics/laws/pair_sum.h"
#include "sim/scene/unit_systems.h"

namespace orrery::sim {

namespace {

constexpr double seconds_per_crossing = 4.0;
constexpr double steps_per_crossing = 100.0;
constexpr std::size_t looked_at_bodies = 256;
constexpr double fallback_softening = 0.05;
// More bodies are thinned out to about as many: their sums would take longer than reading the file.
constexpr std::size_t most_bodies = 32'768;

// Half of the mass may sit at one point (a star and its planets): then the next radius counts.
double size_of(const Diagnostics& diagnostics) {
  if (diagnostics.r50 > 0.0) return diagnostics.r50;
  return diagnostics.r90;
}

// (M / eps^3)^-1 and eps^-3 stay below 10^36, inside the range of single precision.
double smallest_softening(double mass) { return 1e-12 * std::cbrt(std::max(1.0, mass)); }

Diagnostics diagnose_scene(const Scene& scene, const std::vector<GalaxyRange>& galaxies,
                           const Physics& physics) {
  DiagnosticsRequest request;
  request.physics = physics;
  request.physics.law = &gravity_law;
  request.exact_limit = 5'000;
  request.above_limit = PotentialMethod::sample;
  request.sample = 500;
  return diagnose(view_of(scene.bodies, galaxies), request);
}

ForceState state_of(const Bodies& bodies) {
  return {bodies.position, bodies.velocity, bodies.mass, bodies.charge};
}

double high_acceleration(const Scene& scene, const std::vector<GalaxyRange>& galaxies) {
  const bool charges = scene.bodies.has_charges();
  const auto constants = scene.physics.constants();
  const PointMasses masses(scene.bodies.position, scene.bodies.mass);
  const auto field = scene.physics.field_at();
  std::vector<double> sizes;
  for (const std::size_t i : sample_indices(masses.size(), looked_at_bodies, 1)) {
    const auto galaxy = std::ranges::upper_bound(galaxies, i, {}, &GalaxyRange::last);
    DVec3 a = charges ? electric_law.acceleration(state_of(scene.bodies), constants, i, *galaxy)
                      : gravity_law.field(masses, *galaxy, masses.position(i), constants);
    if (field.field->acts()) a += field.acceleration(absolute_place(scene.bodies, i));
    sizes.push_back(norm(a));
  }
  std::ranges::sort(sizes);
  return sizes.empty() ? 0.0 : sizes[(sizes.size() - 1) * 99 / 100];
}

// Time to cross the half-mass sphere at the circular or the actual mean speed, whichever is faster: with a
// wrong G only the latter says how fast the bodies move. What a galaxy moves as a whole does not count,
// unless it moves in an external field. 0 if nothing moves.
double crossing_time(const Scene& scene, const Diagnostics& diagnostics, double size, double galaxies) {
  if (!(diagnostics.mass > 0.0) || !(size > 0.0)) return 0.0;
  const double kinetic = scene.physics.field->acts() ? diagnostics.kinetic : diagnostics.inner_kinetic();
  const double circular =
      std::sqrt(0.5 * scene.physics.gravitational_constant * diagnostics.mass / galaxies / size);
  const double actual = std::sqrt(2.0 * kinetic / diagnostics.mass);
  const double speed = std::max(circular, actual);
  return speed > 0.0 ? 2.0 * size / speed : 0.0;
}

// 2T/|W| at which the total energy T + W is zero.
constexpr double most_of_bound = 2.0;
// A system with less collapses.
constexpr double least_balanced = 0.6;

/// The virial ratio says in which units a system is in equilibrium: W is proportional to G. `ratio`: 2T/|W|.
/// Returns whether the notes now say what the ratio means.
bool propose_units(Scene& scene, double ratio) {
  const double used = scene.physics.gravitational_constant;
  const double with_one = ratio * used;
  const auto& best = nearest_to_equilibrium(with_one, scene.units);
  const double there = with_one / best.gravitational_constant;
  const double largest =
      std::ranges::max(unit_systems(), {}, &UnitSystem::gravitational_constant).gravitational_constant;
  if (with_one / largest > most_of_bound) {
    scene.notes.push_back(fmt::format(
        "2T/|W| is above {:.0f} in all usual units, {:.3g} at the least: unbound, or parts of the "
        "system are missing",
        most_of_bound, with_one / largest));
    return true;
  }
  if (best.gravitational_constant == used || !(there > 0.1) || there > most_of_bound) return false;
  scene.proposed_units = best.name;
  const char* means = ratio > most_of_bound ? " (unbound)" : ratio < least_balanced ? " (collapsing)" : "";
  scene.notes.push_back(fmt::format(
      "proposed units: {}; with G = {:.6g} 2T/|W| is {:.2f} (1 in equilibrium), with G = {:.6g} it "
      "is {:.3g}{}; `--units {}` takes them",
      best.meaning, best.gravitational_constant, there, used, ratio, means, best.name));
  return true;
}

/// The values that the user set instead of the suggested ones.
struct Told {
  bool gravity = false;
  std::optional<double> softening = {};
};

std::string gravity_note(const Scene& scene, const Told& told) {
  const double g = scene.physics.gravitational_constant;
  if (told.gravity) return fmt::format("G = {:.6g} (given)", g);
  if (scene.states_gravity) return fmt::format("G = {:.6g} in the file's units", g);
  return scene.units == PhysicalUnits{} ? "no units in the file: G = 1" : "no G in the file: G = 1";
}

constexpr const char* too_large =
    "the largest that can be computed with: write the file in larger units, so that its numbers are smaller";

/// `size_name`: which radius `size` is.
void set_softening(Scene& scene, double size, const char* size_name, const Told& told) {
  const auto note = [&](const char* why) {
    scene.notes.push_back(
        fmt::format("{}; softening {:.4g} ({})", gravity_note(scene, told), scene.physics.softening, why));
  };
  if (told.softening) {
    scene.physics.softening = *told.softening;
    return note("given");
  }
  const double total = std::accumulate(scene.bodies.mass.begin(), scene.bodies.mass.end(), 0.0);
  const double floor = smallest_softening(total);
  const double wanted = size > 0.0 ? size / 100.0 : fallback_softening;
  scene.physics.softening = std::clamp(wanted, floor, std::max(floor, largest_softening));
  const char* why = wanted < floor               ? "the smallest that single precision allows"
                    : wanted > largest_softening ? too_large
                    : size > 0.0                 ? size_name
                                                 : "a guess: the bodies have no extent";
  note(why);
}

/// Orbital times about the centre of an external field; 0: no body orbits.
struct Turns {
  double shortest = 0.0, usual = 0.0;

  double step() const { return shortest / steps_per_crossing; }
  double speed() const { return usual / (3.0 * seconds_per_crossing); }
};

Turns turns_in(const Bodies& bodies, const FieldAt& field) {
  if (!field.field->acts()) return {};
  std::vector<double> turns;
  for (const std::size_t i : sample_indices(bodies.size(), looked_at_bodies, 1)) {
    const DVec3 place = absolute_place(bodies, i);
    const double radius = norm(place - field.constants.centre), pull = norm(field.acceleration(place));
    if (radius > 0.0 && pull > 0.0) turns.push_back(2.0 * std::numbers::pi * std::sqrt(radius / pull));
  }
  if (turns.empty()) return {};
  std::ranges::sort(turns);
  return {turns[turns.size() / 100], turns[turns.size() / 2]};
}

constexpr const char* for_the_turn = "1/100 of the shortest turn in the external field";

std::string step_note(double time_step, std::string_view why) {
  return fmt::format("time step {:.4g} ({})", time_step, why);
}

void set_time_step(Scene& scene, double acceleration, double crossing, const Turns& turns) {
  const char* why = "a guess: nothing moves";
  const bool resolves = acceleration > 0.0 && scene.physics.softening > 0.0;
  if (resolves) {
    scene.physics.time_step = 0.2 * std::sqrt(scene.physics.softening / acceleration);
    why = "0.2 sqrt(eps / |a|)";
  }
  if (crossing > 0.0 && (!resolves || crossing / steps_per_crossing < scene.physics.time_step)) {
    scene.physics.time_step = crossing / steps_per_crossing;
    why = "1/100 of the half-mass crossing time";
  }
  if (scene.physics.time_step > largest_time_step) {
    scene.physics.time_step = largest_time_step;
    why = too_large;
  }
  if (turns.shortest > 0.0 && turns.step() < scene.physics.time_step) {
    scene.physics.time_step = turns.step();
    why = for_the_turn;
  }
  scene.motion_note = step_note(scene.physics.time_step, why);
  scene.notes.push_back(scene.motion_note);
}

// Without self-gravity (one body with mass, tracers about it) and without a field there is no balance.
void note_balance(Scene& scene, const Diagnostics& measured) {
  if (measured.potential == 0.0 && measured.external_virial == 0.0) return;
  const double ratio = measured.virial_ratio();
  if (!scene.has_velocities) {
    scene.notes.emplace_back("the file has no velocities: the bodies start at rest and will collapse");
    return;
  }
  // A field's pull does not go with G. What a proposal explains by the units is no imbalance.
  const bool may_propose = ratio > 0.0 && !scene.states_gravity && !scene.physics.field->acts();
  if (may_propose && propose_units(scene, 2.0 * ratio)) return;
  if (2.0 * ratio < least_balanced) {
    scene.notes.push_back(fmt::format("K/|W| = {:.3g}: not in balance, collapsing", ratio));
  } else if (2.0 * ratio > most_of_bound) {
    scene.notes.push_back(fmt::format("K/|W| = {:.3g}: unbound, or parts of the system are missing", ratio));
  }
}

// Bodies that carry much of the mass; each of them counts.
bool is_heavy(const Bodies& bodies, std::size_t i, double total) { return bodies.mass[i] > 1e-3 * total; }

// All heavy bodies and some of the others, which get the mass of those left out. They are drawn: the order in
// a file may have a period.
std::vector<std::size_t> bodies_to_keep(const Bodies& all, double total) {
  auto kept = sample_indices(all.size(), most_bodies, 1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_heavy(all, i, total)) kept.push_back(i);
  }
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

Scene thinned(const Scene& scene) {
  const Bodies& all = scene.bodies;
  const double total = std::accumulate(all.mass.begin(), all.mass.end(), 0.0);
  const auto kept = bodies_to_keep(all, total);
  double heavy = 0.0, light = 0.0;
  for (const auto i : kept) (is_heavy(all, i, total) ? heavy : light) += all.mass[i];
  const double share = light > 0.0 ? (total - heavy) / light : 1.0;
  Scene thin;
  thin.has_velocities = scene.has_velocities;
  thin.states_gravity = scene.states_gravity;
  thin.names_units = scene.names_units;
  thin.units = scene.units;
  thin.physics = scene.physics;
  thin.bodies.origin = all.origin;
  thin.bodies.resize(kept.size());
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const std::size_t i = kept[k];
    thin.bodies.position[k] = all.position[i];
    thin.bodies.velocity[k] = all.velocity[i];
    thin.bodies.mass[k] = static_cast<float>((is_heavy(all, i, total) ? 1.0 : share) * all.mass[i]);
    thin.bodies.charge[k] = all.charge[i];
    thin.bodies.galaxy[k] = all.galaxy[i];
  }
  return thin;
}

void suggest_from_all(Scene& scene, double gravitational_constant, const Told& told = {}) {
  scene.physics.gravitational_constant = gravitational_constant;
  if (scene.bodies.empty()) return;
  const std::vector<GalaxyRange> galaxies = scene.bodies.galaxies();
  scene.physics.softening = 0.0;
  const auto unsoftened = diagnose_scene(scene, galaxies, scene.physics);
  const double size = size_of(unsoftened);
  set_softening(scene, size, unsoftened.r50 > 0.0 ? "r50 / 100" : "r90 / 100", told);
  const Diagnostics measured = diagnose_scene(scene, galaxies, scene.physics);
  if (!scene.bodies.has_charges()) scene.virial_ratio = measured.virial_ratio();
  const double crossing = crossing_time(scene, measured, size, static_cast<double>(galaxies.size()));
  const auto turns = turns_in(scene.bodies, scene.physics.field_at());
  set_time_step(scene, high_acceleration(scene, galaxies), crossing, turns);
  if (crossing > 0.0) scene.speed = crossing / seconds_per_crossing;
  if (turns.usual > 0.0) scene.speed = crossing > 0.0 ? std::min(scene.speed, turns.speed()) : turns.speed();
  if (scene.bodies.has_charges()) return;  // their virial ratio says nothing
  if (measured.mass > 0.0 && scene.bodies.size() > 1) note_balance(scene, measured);
}

/// False where all masses are the same and make 1 together: then nobody stated them.
bool has_masses(const Bodies& bodies) {
  const double total = std::accumulate(bodies.mass.begin(), bodies.mass.end(), 0.0);
  const bool same = std::ranges::all_of(bodies.mass, [&](float m) { return m == bodies.mass.front(); });
  return !same || std::abs(total - 1.0) > 1e-3;
}

/// Where nothing says the units, and only those of one usual system make the bodies bound, they are taken.
const UnitSystem* units_of(const Scene& scene) {
  const auto& bodies = scene.bodies;
  if (scene.states_gravity || scene.names_units || scene.units != PhysicalUnits{} || !scene.has_velocities ||
      bodies.size() < 2 || bodies.has_charges() || scene.physics.field->acts() || !has_masses(bodies))
    return nullptr;
  auto physics = scene.physics;
  physics.gravitational_constant = 1.0;
  physics.softening = 0.0;
  const auto galaxies = bodies.galaxies();
  return only_bound(2.0 * diagnose_scene(scene, galaxies, physics).virial_ratio());
}

/// The motion of a scene that states its own parameters.
SuggestedMotion kept_motion(const Scene& scene, const Physics& physics) {
  const double stated = scene.physics.gravitational_constant, now = physics.gravitational_constant;
  const double faster = stated > 0.0 && now > stated ? std::sqrt(now / stated) : 1.0;
  SuggestedMotion motion{.time_step = scene.physics.time_step / faster, .speed = scene.speed / faster};
  const auto say = [&](std::string_view why) {
    motion.note = step_note(motion.time_step, why);
    motion.notes = {motion.note};
  };
  if (faster > 1.0)
    say(fmt::format("the scene's, {:.4g}, is for G = {:.6g}", scene.physics.time_step, stated));
  const auto turns = turns_in(scene.bodies, physics.field_at());
  if (turns.shortest <= 0.0) return motion;
  motion.speed = std::min(motion.speed, turns.speed());
  if (turns.step() >= motion.time_step) return motion;
  motion.time_step = turns.step();
  say(for_the_turn);
  return motion;
}

}  // namespace

void suggest_parameters(Scene& scene) {
  scene.physics_suggested = true;
  const bool is_large = scene.bodies.size() > most_bodies;
  Scene thin = is_large ? thinned(scene) : Scene();
  Scene& looked_at = is_large ? thin : scene;
  const auto* const taken = units_of(looked_at);
  if (taken != nullptr) {
    state_units(scene, *taken);
    state_units(looked_at, *taken);
    scene.notes.push_back(fmt::format(
        "no units in the file: {}, since the bodies are near equilibrium in no other usual ones; `--units "
        "nbody` keeps G = 1",
        taken->meaning));
  }
  const double gravity = scene.states_gravity ? scene.physics.gravitational_constant : 1.0;
  const auto read = static_cast<std::ptrdiff_t>(looked_at.notes.size());
  suggest_from_all(looked_at, gravity);
  scene.suggested_notes.assign(looked_at.notes.begin() + read, looked_at.notes.end());
  if (!is_large) return;
  scene.physics.gravitational_constant = thin.physics.gravitational_constant;
  scene.physics.softening = thin.physics.softening;
  scene.physics.time_step = thin.physics.time_step;
  scene.speed = thin.speed;
  scene.motion_note = thin.motion_note;
  scene.proposed_units = thin.proposed_units;
  scene.virial_ratio = thin.virial_ratio;
  scene.notes.insert(scene.notes.end(), thin.notes.begin(), thin.notes.end());
}

SuggestedMotion suggest_motion(const Scene& scene, const Physics& wanted) {
  const auto& own = scene.physics;
  auto physics = wanted;
  if (!(physics.gravitational_constant > 0.0)) physics.gravitational_constant = own.gravitational_constant;
  if (!scene.physics_suggested) return kept_motion(scene, physics);
  Told told{.gravity = physics.gravitational_constant != own.gravitational_constant};
  if (physics.softening != own.softening) told.softening = physics.softening;
  Scene thin = scene.bodies.size() <= most_bodies ? scene : thinned(scene);
  thin.notes.clear();
  thin.physics = physics;
  suggest_from_all(thin, physics.gravitational_constant, told);
  return {thin.physics.time_step, thin.speed, thin.motion_note, thin.notes, thin.proposed_units};
}

void take_physics(Scene& scene, const Physics& physics) {
  auto motion = suggest_motion(scene, physics);
  std::erase_if(scene.notes, [&](const std::string& note) {
    return std::ranges::find(scene.suggested_notes, note) != scene.suggested_notes.end();
  });
  scene.notes.insert(scene.notes.end(), motion.notes.begin(), motion.notes.end());
  scene.suggested_notes = std::move(motion.notes);
  scene.motion_note = std::move(motion.note);
  scene.proposed_units = motion.proposed_units;
  scene.speed = motion.speed;
  scene.physics = physics;
  scene.physics.time_step = motion.time_step;
}

}  // namespace orrery::sim
