#include "sim/scene/physical_units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

#include "sim/core/counted.h"

namespace orrery::sim {

namespace {

/// A unit, in metres or seconds, and the smallest number that people write with it rather than with the one
/// before it.
struct Unit {
  std::string_view name;
  double size;
  double from;
};

constexpr std::array length_units{Unit{"m", 1.0, 0.0},
                                  Unit{"km", 1e3, 1.0},
                                  Unit{"AU", meters_of_au, 0.01},
                                  Unit{"pc", meters_of_parsec, 0.1},
                                  Unit{"kpc", 1e3 * meters_of_parsec, 1.0},
                                  Unit{"Mpc", 1e6 * meters_of_parsec, 1.0},
                                  Unit{"Gpc", 1e9 * meters_of_parsec, 1.0}};
constexpr std::array time_units{Unit{"s", 1.0, 0.0},
                                Unit{"h", 3600.0, 1.0},
                                Unit{"d", 86400.0, 0.5},
                                Unit{"yr", seconds_of_year, 1.0},
                                Unit{"kyr", 1e3 * seconds_of_year, 10.0},
                                Unit{"Myr", 1e6 * seconds_of_year, 0.1},
                                Unit{"Gyr", 1e9 * seconds_of_year, 1.0}};

double size_of(std::span<const Unit> units, std::string_view name) {
  for (const auto& unit : units)
    if (unit.name == name) return unit.size;
  return 0.0;
}

/// `one`: what a number of 1 is, in metres or seconds.
Measure measure(std::span<const Unit> units, double number, double one) {
  if (!(one > 0.0)) return {};
  // What is round in one unit is round to the last bit in the other.
  const double size = std::abs(number) * one * (1.0 + 1e-12);
  const Unit* best = &units.front();
  for (const auto& unit : units)
    if (size >= unit.from * unit.size) best = &unit;
  return {one / best->size, best->name};
}

/// Groups of three digits from 10 000 on, powers of ten where plain digits would be many.
std::string round_text(double number) {
  if (number < 1e-4 || number >= 1e7) {
    const auto exponent = static_cast<int>(std::floor(std::log10(number) + 1e-9));
    return fmt::format("{:.0f}e{}", number / std::pow(10.0, exponent), exponent);
  }
  return number >= 1e4 ? grouped(static_cast<std::size_t>(number)) : fmt::format("{:.10g}", number);
}

double round_number(double longest) {
  const double power = std::pow(10.0, std::floor(std::log10(longest)));
  constexpr double slack = 1.0 + 1e-9;
  for (const double digit : {10.0, 5.0, 2.0, 1.0})
    if (digit * power <= longest * slack) return digit * power;
  return 0.5 * power;
}

/// Three digits, so that a clock keeps its width.
std::string clock_text(double value) {
  const double size = std::abs(value);
  if (size >= 1e4) return fmt::format("{:.3g}", value);
  return fmt::format("{:.{}f}", value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

}  // namespace

double length_unit(std::string_view name) { return size_of(length_units, name); }
double time_unit(std::string_view name) { return size_of(time_units, name); }

Measure length_measure(double length, const PhysicalUnits& units) {
  return measure(length_units, length, units.length);
}

Measure time_measure(double time, const PhysicalUnits& units) {
  return measure(time_units, time, units.time);
}

Measure velocity_measure(const PhysicalUnits& units) {
  if (!(units.length > 0.0) || !(units.time > 0.0)) return {};
  return {units.length / units.time * 1e-3, "km/s"};
}

NamedLength round_length(double longest, const PhysicalUnits& units) {
  const auto unit = length_measure(longest, units);
  const double number = round_number(longest * unit.factor);
  const auto text = round_text(number);
  if (!unit.name.empty()) return {number / unit.factor, fmt::format("{} {}", text, unit.name)};
  return {number, fmt::format("{} {}", text, number == 1.0 ? "length unit" : "length units")};
}

std::string time_text(double time, const PhysicalUnits& units) {
  if (!(units.time > 0.0)) return fmt::format("time {:.4g}", time);
  if (time == 0.0) return "t = 0";
  const auto unit = time_measure(time, units);
  return fmt::format("t = {} {}", clock_text(time * unit.factor), unit.name);
}

}  // namespace orrery::sim
