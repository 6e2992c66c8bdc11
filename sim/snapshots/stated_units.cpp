#include "sim/snapshots/stated_units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/scene/unit_systems.h"
#include "sim/snapshots/text_table.h"

namespace orrery::sim {

namespace {

constexpr double gravity_si = 6.6743e-11;  // CODATA 2018

std::size_t index(UnitKind kind) { return static_cast<std::size_t>(kind); }

std::string_view plural(UnitKind kind) {
  constexpr std::array<std::string_view, 4> names{"lengths", "velocities", "masses", "times"};
  return names.at(index(kind));
}

/// True if both are the same number but for the digits of constants: 1.989e33 and 1.98848e33 are both the
/// Sun.
bool agree(double a, double b) { return a > 0.0 && b > 0.0 && std::abs(a / b - 1.0) < 3e-3; }

// ---- A comment ----

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The words between commas, semicolons and blanks; "=" and ":" separate too.
std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view marks = " \t,;=:[]|\"";
  std::vector<std::string_view> words;
  while (true) {
    const auto begin = text.find_first_not_of(marks);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const auto end = std::min(text.find_first_of(marks), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

bool is_unit_word(std::string_view word) { return same_letters(word, "unit") || same_letters(word, "units"); }

/// "s-1" behind "km", "Msun" behind "1e10".
bool goes_on(std::string_view word, std::string_view next) {
  const auto sign = next.find('-');
  return !is_letter(word.front()) || (sign != std::string_view::npos && sign > 0);
}

/// The unit that a word is, or that it and the next one are together: then `k` moves to that one.
std::optional<NamedUnit> unit_at(const std::vector<std::string_view>& words, std::size_t& k, bool letters) {
  if (k + 1 < words.size() && goes_on(words[k], words[k + 1]))
    if (const auto unit = parse_unit(fmt::format("{} {}", words[k], words[k + 1]))) {
      ++k;
      return unit;
    }
  return letters || words[k].size() > 1 ? parse_unit(words[k]) : std::nullopt;
}

/// The units among words; letters alone count only where all words are units or what they are units of:
/// others are words of a sentence.
std::vector<NamedUnit> units_among(const std::vector<std::string_view>& words, bool& all_are) {
  constexpr std::string_view others =
      "length,lengths,mass,masses,velocity,time,times,velocities,in,of,are,and,position,positions";
  std::vector<NamedUnit> units;
  const bool takes_letters = all_are;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (const auto unit = unit_at(words, k, takes_letters))
      units.push_back(*unit);
    else
      all_are = all_are && is_listed(others, lower_case(words[k]));
  }
  return units;
}

/// Gadget's parameters: "UnitLength_in_cm 3.085678e21".
std::vector<NamedUnit> units_of_gadget(const std::vector<std::string_view>& words) {
  constexpr std::array parameters{std::pair{"unitlength_in_cm", NamedUnit{UnitKind::length, 1e-2}},
                                  std::pair{"unitmass_in_g", NamedUnit{UnitKind::mass, 1e-3}},
                                  std::pair{"unitvelocity_in_cm_per_s", NamedUnit{UnitKind::velocity, 1e-2}}};
  std::vector<NamedUnit> units;
  for (std::size_t k = 0; k + 1 < words.size(); ++k)
    for (const auto& [name, unit] : parameters)
      if (const auto number = parse_number(words[k + 1]);
          number && *number > 0.0 && same_letters(words[k], name))
        units.push_back({unit.kind, unit.si * *number});
  return units;
}

/// "positions in kpc, velocities in km/s".
std::vector<NamedUnit> units_behind_in(const std::vector<std::string_view>& words) {
  std::vector<NamedUnit> units;
  for (std::size_t k = 1; k < words.size(); ++k) {
    if (!same_letters(words[k - 1], "in") || words[k].size() < 2) continue;
    if (const auto unit = unit_at(words, k, false)) units.push_back(*unit);
  }
  return units;
}

/// Metres a second of a velocity of 1.
double speed_of(const UnitSystem& system) { return system.units.length / system.units.time; }

/// True for a system of physical units that has all units that are stated.
bool fits(const UnitSystem& system, const StatedUnits::Parts& parts) {
  const auto is_known = [](double stated, double known) { return stated == 0.0 || agree(stated, known); };
  return system.units.length > 0.0 && is_known(parts.length, system.units.length) &&
         is_known(parts.velocity, speed_of(system)) && is_known(parts.mass, system.units.mass);
}

/// The first of the known systems with these units; nullptr: there is none.
const UnitSystem* system_with(const StatedUnits::Parts& parts) {
  for (const auto& system : unit_systems())
    if (fits(system, parts)) return &system;
  return nullptr;
}

/// Velocities that nothing states: km/s from parsecs on, else a length in a year.
double usual_speed(double length) { return length > 0.1 * meters_of_parsec ? 1e3 : length / seconds_of_year; }

void state_parts(Scene& scene, const StatedUnits::Parts& parts) {
  if (const auto* const system = system_with(parts)) return state_units(scene, *system);
  const double time = parts.length / parts.velocity;
  scene.units = {parts.length, time, parts.mass};
  scene.physics.gravitational_constant =
      gravity_si * parts.mass * time * time / (parts.length * parts.length * parts.length);
  scene.states_gravity = true;
}

/// "--units kpc says all of them"
std::string advice(const StatedUnits::Parts& parts) {
  std::vector<std::string> fitting;
  for (const auto& system : unit_systems()) {
    if (fits(system, parts)) fitting.push_back(fmt::format("`--units {}` ({})", system.name, system.meaning));
  }
  if (fitting.empty())
    return "no --units fits them: state all in the file, as in x [kpc], vx [km/s], mass [Msun]";
  return fmt::format("{} says all", fmt::join(fitting, " or "));
}

}  // namespace

bool speaks_of_units(std::string_view words) { return std::ranges::any_of(words_of(words), is_unit_word); }

std::vector<NamedUnit> units_in_words(std::string_view text) {
  auto words = words_of(text);
  const auto named = std::ranges::find_if(words, is_unit_word);
  if (named == words.end()) {
    auto units = units_of_gadget(words);
    return units.empty() ? units_behind_in(words) : units;
  }
  const std::vector<std::string_view> behind(named + 1, words.end());
  bool all_are = true;
  auto units = units_among(behind, all_are);
  if (all_are) return units;
  words.erase(named);
  bool letters = false;
  return units_among(words, letters);
}

bool is_line_of_units(const std::vector<std::string_view>& fields) {
  const auto is_unit = [](auto field) { return parse_unit(field).has_value(); };
  return std::ranges::any_of(fields, is_unit) &&
         std::ranges::all_of(fields, [&](auto field) { return is_no_unit(field) || is_unit(field); });
}

NameWithUnit split_unit(std::string_view name, std::optional<UnitKind> (*kind_of)(std::string_view)) {
  const auto bracket = name.find_first_of("[(");
  if (bracket != std::string_view::npos) {
    auto before = name.substr(0, bracket);
    while (before.ends_with(' ') || before.ends_with('/') || before.ends_with('_')) before.remove_suffix(1);
    const auto end = std::min(name.find_last_of("])"), name.size());
    return {before, end > bracket ? name.substr(bracket + 1, end - bracket - 1) : std::string_view()};
  }
  for (auto at = name.find_first_of("/_ "); at != std::string_view::npos;
       at = name.find_first_of("/_ ", at + 1)) {
    const auto before = name.substr(0, at), behind = name.substr(at + 1);
    const auto kind = kind_of(before);
    const auto unit = kind ? parse_unit(behind) : std::nullopt;
    if (!unit || unit->kind != *kind) continue;
    // "m_g" and "t_s" are gas and stars more often than grams and seconds.
    const bool is_letter_alone = name[at] != '/' && behind.size() == 1;
    if (is_letter_alone && behind != "m") continue;
    return {before, behind};
  }
  return {name, {}};
}

void StatedUnits::take(const FileView& file, UnitKind kind, std::string_view unit, std::string_view name) {
  if (is_no_unit(unit)) return;
  const auto parsed = parse_unit(unit);
  if (!parsed || parsed->kind != kind) {
    auto problem = fmt::format("the unit '{}' of {} is {}", printable(unit, 30), plural(kind),
                               parsed ? fmt::format("none of {}", plural(kind)) : "not understood");
    if (std::ranges::find(problems_, problem) == problems_.end()) problems_.push_back(std::move(problem));
    return;
  }
  auto& stated = columns_.at(index(kind));
  if (stated.si > 0.0 && std::abs(stated.si / parsed->si - 1.0) > 1e-6)
    cannot_read(file.path,
                fmt::format("its columns {} and {} have different units, {} and {}; write both in one",
                            printable(stated.name, 40), printable(name, 40), printable(stated.text, 30),
                            printable(unit, 30)));
  stated = {parsed->si, std::string(unit), std::string(name)};
}

void StatedUnits::take_comment(const NamedUnit& unit) {
  auto& stated = comments_.at(index(unit.kind));
  if (stated > 0.0 && !agree(stated, unit.si))
    problems_.push_back(fmt::format("a comment states two units of {}", plural(unit.kind)));
  stated = unit.si;
}

double StatedUnits::of(UnitKind kind) const {
  const double column = columns_.at(index(kind)).si;
  return column > 0.0 ? column : comments_.at(index(kind));
}

StatedUnits::Parts StatedUnits::parts() const {
  return {of(UnitKind::length), of(UnitKind::velocity), of(UnitKind::mass)};
}

void StatedUnits::note_part(Scene& scene, bool has_masses) const {
  std::vector<std::string_view> said, missing;
  for (const auto kind : {UnitKind::length, UnitKind::velocity, UnitKind::mass}) {
    if (kind == UnitKind::velocity && !scene.has_velocities) continue;
    if (of(kind) > 0.0)
      said.push_back(plural(kind));
    else if (kind != UnitKind::mass || has_masses)
      missing.push_back(plural(kind));
  }
  scene.notes.push_back(fmt::format("the file states units of {} and {}: G = 1; {}", fmt::join(said, " and "),
                                    missing.empty() && !has_masses
                                        ? "has no masses"
                                        : fmt::format("none of {}", fmt::join(missing, " and ")),
                                    advice(parts())));
}

void StatedUnits::settle(Scene& scene, bool has_masses, std::string_view asked) const {
  auto parts = this->parts();
  const bool states_parts = parts.length > 0.0 || parts.velocity > 0.0 || parts.mass > 0.0;
  if (!asked.empty()) {
    const auto* const system = find_unit_system(asked);
    if (system != nullptr && states_parts && !fits(*system, parts))
      scene.notes.push_back(
          fmt::format("the file states other units than --units {}, which counts: leave it out to take those "
                      "of the file",
                      asked));
    return;
  }
  const double time = of(UnitKind::time);
  scene.names_units = !problems_.empty() || states_parts || time > 0.0;
  for (const auto& problem : problems_)
    scene.notes.push_back(problem + ": it was left out; `--units NAME` says what the numbers are");
  bool contradict = false;
  for (std::size_t k = 0; k < comments_.size(); ++k) {
    const double column = columns_.at(k).si, comment = comments_.at(k);
    contradict = contradict || (column > 0.0 && comment > 0.0 && !agree(column, comment));
  }
  if (contradict) {
    scene.notes.emplace_back(
        "the units of the columns and those of a comment contradict: none is taken; `--units NAME` says "
        "them");
    return;
  }
  if (!states_parts) return;
  // Times that are stated say velocities too, where these have no unit of their own.
  if (parts.velocity == 0.0 && parts.length > 0.0 && time > 0.0) parts.velocity = parts.length / time;
  const bool knows_speed = parts.velocity > 0.0 || !scene.has_velocities;
  if (!(parts.length > 0.0) || !knows_speed || !has_masses || !(parts.mass > 0.0)) {
    scene.units.length = parts.length;
    if (parts.length > 0.0 && parts.velocity > 0.0) scene.units.time = parts.length / parts.velocity;
    return note_part(scene, has_masses);
  }
  if (parts.velocity == 0.0 && system_with(parts) == nullptr) parts.velocity = usual_speed(parts.length);
  state_parts(scene, parts);
  const double velocity = scene.units.length / scene.units.time;
  scene.notes.push_back(fmt::format(
      "units of the file: {}",
      unit_names({100.0 * scene.units.length, 1000.0 * scene.units.mass, 100.0 * velocity}, false)));
  if (time > 0.0 && scene.time != 0.0) scene.time *= time / scene.units.time;
}

}  // namespace orrery::sim
