#include "sim/snapshots/amuse_units.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace orrery::sim {

namespace {

/// Reads an expression from left to right.
class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : rest_(text) {}

  std::optional<AmuseUnit> all() {
    const auto unit = product(0);
    blanks();
    return good_ && rest_.empty() ? std::optional(unit) : std::nullopt;
  }

 private:
  static constexpr int deepest = 32;
  std::string_view rest_;
  bool good_ = true;

  void blanks() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  bool take(std::string_view token) {
    blanks();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  AmuseUnit fail() {
    good_ = false;
    return {};
  }
  void multiply(AmuseUnit& unit, const AmuseUnit& other, int sign) {
    unit.factor *= std::pow(other.factor, sign);
    for (std::size_t k = 0; k < 3; ++k) unit.powers.at(k) += sign * other.powers.at(k);
    if (unit.system.empty()) unit.system = other.system;
    good_ = good_ && (other.system.empty() || other.system == unit.system);
  }

  AmuseUnit product(int depth) {
    auto unit = power(depth);
    while (good_) {
      if (take("*"))
        multiply(unit, power(depth), 1);
      else if (take("/"))
        multiply(unit, power(depth), -1);
      else
        break;
    }
    return unit;
  }
  AmuseUnit power(int depth) {
    auto unit = single(depth);
    if (!good_ || !take("**")) return unit;
    const double exponent = number();
    if (!good_ || std::abs(exponent) > 8.0 || exponent != std::trunc(exponent)) return fail();
    unit.factor = std::pow(unit.factor, exponent);
    for (auto& each : unit.powers) each *= static_cast<int>(exponent);
    return unit;
  }
  AmuseUnit single(int depth) {
    if (depth > deepest) return fail();
    if (take("(")) {
      const auto unit = product(depth + 1);
      return take(")") ? unit : fail();
    }
    if (take("system.get('")) return base();
    if (take("none")) return {};
    return {.factor = number()};
  }
  AmuseUnit base() {
    AmuseUnit unit;
    unit.system = std::string(until("').base('"));
    const auto quantity = until("')");
    if (quantity == "length") unit.powers[0] = 1;
    if (quantity == "mass") unit.powers[1] = 1;
    if (quantity == "time") unit.powers[2] = 1;
    return unit.powers == std::array<int, 3>{} ? fail() : unit;
  }
  std::string_view until(std::string_view token) {
    const auto end = rest_.find(token);
    if (end == std::string_view::npos) {
      good_ = false;
      return {};
    }
    const auto found = rest_.substr(0, end);
    rest_.remove_prefix(end + token.size());
    return found;
  }
  double number() {
    blanks();
    double value = 0.0;
    const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    good_ = good_ && problem == std::errc{} && std::isfinite(value) && value != 0.0;
    if (good_) rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
};

struct System {
  double below;  ///< meters
  double length, mass, time;
  const char* name;
};

}  // namespace

std::optional<AmuseUnit> parse_amuse_unit(std::string_view text) {
  if (text.empty()) return AmuseUnit{};
  return UnitParser(text).all();
}

double UnitChoice::factor(const AmuseUnit& unit) const {
  return unit.factor /
         (std::pow(length, unit.powers[0]) * std::pow(mass, unit.powers[1]) * std::pow(time, unit.powers[2]));
}

UnitChoice choose_units(const AmuseUnit& length, double reach) {
  if (length.system == "generic" || length.system == "nbody")
    return {.gravity = 1.0, .source = "N-body units", .note = "units of the file: N-body units, G = 1"};
  if (length.system != "S.I.") return {.source = "without units"};
  constexpr double gravity = 6.6743e-11;  // CODATA 2018
  constexpr double pc = 3.0856775814913673e16, sun = 1.98841e30, au = 149597870700.0;
  constexpr double year = 365.25 * 86400.0;
  constexpr std::array systems{
      System{1e15, au, sun, year, "AU, years and solar masses"},
      System{1e19, pc, sun, pc / 1e3, "pc, km/s and solar masses"},
      System{HUGE_VAL, 1e3 * pc, 1e10 * sun, pc, "kpc, km/s and 10^10 solar masses"},
  };
  const auto& chosen = reach < systems[0].below   ? systems[0]
                       : reach < systems[1].below ? systems[1]
                                                  : systems[2];
  return {.length = chosen.length,
          .mass = chosen.mass,
          .time = chosen.time,
          .gravity = gravity * chosen.mass * chosen.time * chosen.time /
                     (chosen.length * chosen.length * chosen.length),
          .is_physical = true,
          .source = "SI units",
          .note = fmt::format("the file's SI units were changed to {}", chosen.name)};
}

}  // namespace orrery::sim
