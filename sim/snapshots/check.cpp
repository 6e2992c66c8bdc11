#include "sim/snapshots/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "sim/bodies/bodies.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/scene/scene.h"
#include "sim/tree/curve_sort.h"

namespace orrery::sim {

namespace {

std::uint64_t mixed(std::uint64_t key) {
  // The finalizer of SplitMix64 (Steele, Lea & Flood 2014).
  key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9U;
  key = (key ^ (key >> 27)) * 0x94d049bb133111ebU;
  return key ^ (key >> 31);
}

std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value + 0.0F); }  // -0 becomes 0

/// Two places share a key with a probability of 2^-64.
std::uint64_t place_key(const Vec3& p, std::uint32_t galaxy) {
  return mixed(mixed((bits(p.x) << 32) | bits(p.y)) ^ ((bits(p.z) << 32) | galaxy));
}

/// True if what scaling changes is infinite, and nothing is no number.
bool is_too_large(const Bodies& bodies, std::size_t i) {
  const auto &x = bodies.position[i], &v = bodies.velocity[i];
  const std::array numbers{x.x, x.y, x.z, v.x, v.y, v.z, bodies.mass[i]};
  return std::isfinite(bodies.charge[i]) &&
         std::ranges::none_of(numbers, [](float n) { return std::isnan(n); });
}

[[noreturn]] void refuse_body(const std::filesystem::path& path, const Bodies& bodies, std::size_t i) {
  if (bodies.mass[i] < 0.0F) cannot_read(path, fmt::format("body {} has a negative mass; remove it", i + 1));
  const auto text = fmt::format(
      "cannot read {}: {} is not finite in single precision; convert to units that keep numbers below 1e38 "
      "or remove "
      "the body",
      quoted(path), not_finite(bodies, i));
  if (is_too_large(bodies, i)) throw TooLarge(text);
  throw Error(text);
}

void refuse_bad_bodies(const Bodies& bodies, const std::filesystem::path& path, LoadProgress* progress) {
  const Ticker ticker(progress, bodies.size(), 0.8F, 0.9F);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i % Ticker::interval == 0) ticker.at(i);
    const float mass = bodies.mass[i];
    const bool good = is_finite(bodies.position[i]) && is_finite(bodies.velocity[i]) && mass >= 0.0F &&
                      std::isfinite(mass) && std::isfinite(bodies.charge[i]);
    if (!good) refuse_body(path, bodies, i);
  }
}

void note_massless(Scene& scene) {
  const auto massless = std::ranges::count(scene.bodies.mass, 0.0F);
  if (massless == 0) return;
  scene.notes.push_back(
      std::cmp_equal(massless, scene.bodies.size())
          ? std::string("all bodies are massless: they move on straight lines")
          : counted(massless, "massless body is a test particle: it feels gravity and exerts none",
                    "massless bodies are test particles: they feel gravity and exert none"));
}

void note_coincident(Scene& scene) {
  constexpr std::size_t counted = 4'000'000;
  if (scene.bodies.size() > counted) return;
  const auto coincident = count_coincident(scene.bodies);
  if (coincident == 0) return;
  scene.notes.push_back(fmt::format("{} exactly on another one: keep the softening above 0",
                                    sim::counted(coincident, "body lies", "bodies lie")));
}

/// For ids within a range a few times their number, to mark each is faster than to sort them.
bool all_marked_once(std::span<const std::uint64_t> ids, std::uint64_t least, std::uint64_t width) {
  std::vector<bool> marked(width + 1);
  for (const auto id : ids) {
    if (marked[id - least]) return false;
    marked[id - least] = true;
  }
  return true;
}

Color packed(const std::array<double, 3>& color) {
  Color sum = 0;
  for (const double part : color) {
    if (std::isnan(part)) return no_color;
    sum = 256U * sum + static_cast<Color>(part);
  }
  return sum;
}

}  // namespace

std::size_t count_coincident(const Bodies& bodies) {
  std::vector<KeyedIndex> keys(bodies.size()), scratch(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    keys[i].key = place_key(bodies.position[i], bodies.galaxy[i]);
  sort_run(keys, scratch);
  return std::ranges::unique(keys, {}, &KeyedIndex::key).size();  // those that are left over
}

bool all_different(std::span<const std::uint64_t> ids) {
  // Most files have rising ids: they are neither copied nor sorted.
  const auto not_rising = [](std::uint64_t a, std::uint64_t b) { return a >= b; };
  if (std::ranges::adjacent_find(ids, not_rising) == ids.end()) return true;
  const auto [least, most] = std::ranges::minmax(ids);
  if (most - least < 64 * ids.size()) return all_marked_once(ids, least, most - least);
  std::vector<std::uint64_t> sorted(ids.begin(), ids.end());
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) == sorted.end();
}

void assume_equal_masses(Scene& scene) {
  auto& masses = scene.bodies.mass;
  if (masses.empty()) return;
  std::ranges::fill(masses, static_cast<float>(1.0 / static_cast<double>(masses.size())));
  scene.notes.emplace_back("the file has no masses: every body has the mass 1/N");
}

void settle_masses(Scene& scene, bool stated) {
  if (stated) return;
  if (std::ranges::all_of(scene.bodies.mass, [](float m) { return m == 0.0F; }))
    return assume_equal_masses(scene);
  scene.notes.emplace_back("some types of bodies have no masses: they count nothing");
}

void note_vanished(Scene& scene, const RoundedMasses& masses) {
  if (masses.vanished == 0) return;
  scene.notes.push_back(
      fmt::format("{}: below 1e-45 single precision has no numbers; write larger ones where they matter",
                  counted(masses.vanished, "mass became 0", "masses became 0")));
}

void assume_no_velocities(Scene& scene) {
  scene.has_velocities = false;
  scene.notes.emplace_back("the file has no velocities: all bodies start at rest");
}

void settle_ids(Scene& scene, bool stated, bool usable) {
  auto& ids = scene.bodies.id;
  if (stated && usable && all_different(ids)) return;
  std::iota(ids.begin(), ids.end(), 0);
  if (stated) scene.notes.emplace_back("the ids are no different counts: bodies were numbered");
}

void settle_galaxies(Scene& scene) {
  auto& bodies = scene.bodies;
  if (bodies.empty()) return;
  if (!std::ranges::is_sorted(bodies.galaxy)) {
    std::vector<std::size_t> order(bodies.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return bodies.galaxy[i]; });
    put_in_order(scene, order);
    scene.notes.emplace_back("the bodies were put in the order of their galaxies");
  }
  const auto first = bodies.galaxy.front();
  for (auto& g : bodies.galaxy) g -= first;
  const auto galaxies = bodies.galaxies().size();
  if (galaxies > 1) {
    scene.notes.push_back(
        fmt::format("{} independent galaxies: bodies of different ones do not attract each other", galaxies));
  }
}

void suggest_force_law(Scene& scene) {
  if (!scene.bodies.has_charges()) return;
  scene.physics.law = &electric_law;
  scene.physics.integrator = find_integrator("symplectic-euler");
  scene.notes.push_back(
      fmt::format("the bodies carry charges: force law electric, K_E = {}, K_M = {}, symplectic Euler",
                  scene.physics.coulomb, scene.physics.magnetic));
}

void require_one_galaxy(const Scene& scene, const FileWriter& out, std::string_view format,
                        std::string_view others) {
  const auto& bodies = scene.bodies;
  if (bodies.galaxy.front() != bodies.galaxy.back())
    cannot_write(
        out.target(),
        fmt::format("{} one galaxy and this scene has several independent ones; use {}", format, others));
  if (bodies.has_charges())
    cannot_write(out.target(), fmt::format("{} no charges and this scene has some; use {}", format, others));
}

std::vector<std::filesystem::path> files_of_snapshot(const std::filesystem::path& path, std::size_t count,
                                                     std::vector<std::string>& notes) {
  if (count == 1) return {path};
  const auto name = path.filename().string();
  for (const auto end : {name.size(), name.rfind('.')}) {
    const auto dot = end == 0 || end == std::string::npos ? end : name.rfind('.', end - 1);
    std::size_t number = 0;
    if (dot == std::string::npos || dot + 1 >= end) continue;
    const auto [rest, problem] = std::from_chars(name.data() + dot + 1, name.data() + end, number);
    if (problem != std::errc{} || rest != name.data() + end || number >= count) continue;
    std::vector<std::filesystem::path> files;
    for (std::size_t k = 0; k < count; ++k) {
      files.push_back(path.parent_path() /
                      fmt::format("{}{}{}", name.substr(0, dot + 1), k, name.substr(end)));
      if (k == number) files.back() = path;
      if (!std::filesystem::exists(files.back()))
        cannot_read(path, fmt::format("the snapshot has {} files, and {} is missing; copy all of them", count,
                                      quoted(files.back().filename())));
    }
    return files;
  }
  notes.push_back(fmt::format(
      "it says that it is one of {} files, and its name has no number of them: the others are missing",
      count));
  return {path};
}

void settle_colors(Scene& scene, std::span<const std::array<double, 3>> colors) {
  const auto is_byte = [](double part) {
    return std::isnan(part) || (part >= 0.0 && part <= 255.0 && part == std::floor(part));
  };
  if (!std::ranges::all_of(colors, [&](const auto& each) { return std::ranges::all_of(each, is_byte); })) {
    scene.notes.emplace_back("left out: red, green, blue, which are no whole numbers from 0 to 255");
    return;
  }
  auto& own = scene.bodies.color;
  own.clear();
  for (const auto& color : colors) own.push_back(packed(color));
  own.resize(scene.bodies.size(), no_color);
}

std::array<std::uint8_t, 3> rgb_of(Color color) {
  return {static_cast<std::uint8_t>(color >> 16U), static_cast<std::uint8_t>(color >> 8U),
          static_cast<std::uint8_t>(color)};
}

void check_bodies(Scene& scene, const std::filesystem::path& path, LoadProgress* progress) {
  if (scene.bodies.empty()) cannot_read(path, "it holds no bodies; choose another file");
  refuse_bad_bodies(scene.bodies, path, progress);
  note_massless(scene);
  Ticker(progress, 1, 0.9F).at(0);
  note_coincident(scene);
  Ticker(progress, 1).at(1);
}

}  // namespace orrery::sim
