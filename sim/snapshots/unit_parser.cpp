#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "sim/core/letters.h"
#include "sim/scene/physical_units.h"
#include "sim/scene/scene.h"
#include "sim/snapshots/stated_units.h"
#include "sim/snapshots/text_table.h"

// Units as people and programs write them: products and quotients of names with powers.

namespace orrery::sim {

namespace {

enum class Base : std::uint8_t { meter, kilogram, second };
struct BaseUnit {
  std::string_view names;
  Base base;
  double si;
};

constexpr std::array base_units{
    BaseUnit{"m", Base::meter, 1.0},
    BaseUnit{"cm", Base::meter, 0.01},
    BaseUnit{"km", Base::meter, 1e3},
    BaseUnit{"AU", Base::meter, meters_of_au},
    BaseUnit{"pc,parsec", Base::meter, meters_of_parsec},
    BaseUnit{"kpc,kiloparsec", Base::meter, 1e3 * meters_of_parsec},
    BaseUnit{"Mpc,megaparsec", Base::meter, 1e6 * meters_of_parsec},
    BaseUnit{"Gpc", Base::meter, 1e9 * meters_of_parsec},
    BaseUnit{"lyr,ly", Base::meter, 9.4607304725808e15},
    BaseUnit{"Rsun", Base::meter, 6.957e8},
    BaseUnit{"g", Base::kilogram, 1e-3},
    BaseUnit{"kg", Base::kilogram, 1.0},
    BaseUnit{"Msun,M_sun,Msol,Mo,solMass,solarmass,solar_mass,solarmasses,M\u2609,M\u2299", Base::kilogram,
             kilograms_of_sun},
    BaseUnit{"Mearth", Base::kilogram, 3.986004e14 / 6.6743e-11},
    BaseUnit{"Mjup", Base::kilogram, 1.2668653e17 / 6.6743e-11},
    BaseUnit{"s,sec", Base::second, 1.0},
    BaseUnit{"h", Base::second, 3600.0},
    BaseUnit{"hr", Base::second, 3600.0},
    BaseUnit{"d,day,days", Base::second, 86400.0},
    BaseUnit{"yr,year,years,a", Base::second, seconds_of_year},
    BaseUnit{"kyr", Base::second, 1e3 * seconds_of_year},
    BaseUnit{"Myr", Base::second, 1e6 * seconds_of_year},
    BaseUnit{"Gyr", Base::second, 1e9 * seconds_of_year},
};

/// As it is written, else whatever the case ("KPC", "msun").
const BaseUnit* find_base(std::string_view name) {
  if (const auto* const exact = find_listed(base_units, name)) return exact;
  const auto found = std::ranges::find_if(
      base_units, [&](const BaseUnit& unit) { return is_listed(lower_case(unit.names), lower_case(name)); });
  return found == base_units.end() || name.size() == 1 ? nullptr : &*found;
}

/// Reads products and quotients from left to right, of names with powers as people write them ("10^10 Msun",
/// "km s-1") and of the bases of AMUSE's files.
class UnitReader {
 public:
  UnitReader(std::string_view text, bool of_people) : rest_(text), of_people_(of_people) {}

  /// All of the text. Of kpc/h and Msun/h, which are divided by the Hubble parameter and not by hours,
  /// nothing.
  std::optional<AmuseUnit> read() {
    const auto unit = product(0);
    const bool has_hubble = unit.hours < 0 && is_astronomical_;
    return good_ && rest_.empty() && !has_hubble ? std::optional<AmuseUnit>(unit) : std::nullopt;
  }

 private:
  struct Product : AmuseUnit {
    int hours = 0;  ///< the power of "h"
  };
  std::string_view rest_;
  bool of_people_;  ///< not of AMUSE: the sign between two factors may be left out
  bool good_ = true, is_astronomical_ = false;

  void blanks() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  Product fail() {
    good_ = false;
    return {};
  }
  static bool begins_number(std::string_view text) {
    return !text.empty() && (is_digit(text.front()) || text.front() == '.');
  }

  /// A slash divides by the next factor only. People leave out the sign between two, but not between numbers.
  Product product(int depth) {
    if (depth > (of_people_ ? 4 : 32)) return fail();  // parentheses within each other
    Product product;
    for (bool divides = false, joins = true, is_number = false; good_; joins = false, divides = false) {
      blanks();
      for (bool sign = true; sign; blanks()) {
        const bool slash = take("/");
        sign = slash || (!rest_.starts_with("**") && take("*")) || take(".") || take("\u00b7");
        joins = joins || sign;
        divides = divides || slash;
      }
      if (rest_.empty() || rest_.front() == ')') {
        good_ = !divides && (of_people_ || !joins);
        return product;
      }
      const bool follows_number = std::exchange(is_number, begins_number(rest_)) && !joins;
      if (follows_number && is_number && !of_people_) return fail();  // people: "1.989 10^30 kg"
      multiply(product, power(depth), divides ? -1 : 1);
    }
    return product;
  }

  void multiply(Product& product, const Product& other, int sign) {
    product.factor *= std::pow(other.factor, sign);
    for (std::size_t k = 0; k < 3; ++k) product.powers.at(k) += sign * other.powers.at(k);
    product.hours += sign * other.hours;
    if (product.system.empty()) product.system = other.system;
    good_ = good_ && (other.system.empty() || other.system == product.system);
  }

  Product power(int depth) {
    auto unit = single(depth);
    const int power = good_ ? exponent() : 1;
    unit.factor = std::pow(unit.factor, power);
    constexpr int most = 1000;  // what is multiplied again stays a number
    for (auto& each : unit.powers) good_ = std::abs(each *= power) <= most && good_;
    unit.hours *= power;
    return unit;
  }

  Product single(int depth) {
    if (take("(")) {
      const auto inner = product(depth + 1);
      return take(")") ? inner : fail();
    }
    if (take("system.get('")) return base();
    if (take("none")) return {};
    if (!begins_number(rest_)) return name();
    Product unit;
    const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), unit.factor);
    if (problem != std::errc{} || !std::isfinite(unit.factor) || !(unit.factor > 0.0)) return fail();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return unit;
  }

  Product name() {
    std::size_t size = 0;
    const auto belongs = [](char c) {
      return (is_letter_or_digit(c) && !is_digit(c)) || static_cast<unsigned char>(c) >= 0x80 || c == '_';
    };
    while (size < rest_.size() && belongs(rest_[size])) ++size;
    const auto* const base = find_base(rest_.substr(0, size));
    if (base == nullptr) return fail();
    rest_.remove_prefix(size);
    Product unit;
    unit.factor = base->si;
    unit.system = "S.I.";
    unit.powers.at(static_cast<std::size_t>(base->base)) = 1;
    unit.hours = base->names == "h" ? 1 : 0;
    if (base->base == Base::kilogram || base->si >= meters_of_parsec) is_astronomical_ = true;
    return unit;
  }

  /// "S.I.').base('length')"
  Product base() {
    constexpr std::string_view between = "').base('";
    Product unit;
    unit.system = rest_.substr(0, rest_.find(between));
    rest_.remove_prefix(unit.system.size());
    if (!take(between)) return fail();
    for (std::size_t k = 0; k < 3; ++k) {
      constexpr std::array<std::string_view, 3> quantities{"length')", "mass')", "time')"};
      unit.powers.at(k) = take(quantities.at(k)) ? 1 : 0;
      if (unit.powers.at(k) == 1) return unit;
    }
    return fail();
  }

  /// "**-1", "^-1", "^{-1}", "-1", "2" or "**2.0"; 1 where none stands there.
  int exponent() {
    const auto behind_unit = rest_;
    blanks();
    const bool marked = take("**") || take("^");
    marked ? blanks() : void(rest_ = behind_unit);
    const bool braced = marked && (take("{") || take("("));
    const bool plus = take("+");
    int value = 0;
    const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (problem != std::errc{} || value == 0 || std::abs(value) > 60) {
      good_ = good_ && !marked && !plus;
      return 1;
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    if (rest_.starts_with(".0") && (rest_.size() == 2 || !is_digit(rest_[2]))) rest_.remove_prefix(2);
    good_ =
        !(rest_.starts_with('.') && begins_number(rest_.substr(1))) && (!braced || take("}") || take(")"));
    return value;
  }
};

std::optional<NamedUnit> unit_in(std::string_view text) {
  const auto unit = UnitReader(text, true).read();
  if (!unit || unit->system != "S.I." || !std::isfinite(unit->factor) || unit->factor <= 0.0)
    return std::nullopt;
  // In the order of UnitKind.
  constexpr std::array<std::array<int, 3>, 4> powers{{{1, 0, 0}, {1, 0, -1}, {0, 1, 0}, {0, 0, 1}}};
  const auto kind = std::ranges::find(powers, unit->powers) - powers.begin();
  return kind < 4 ? std::optional(NamedUnit{static_cast<UnitKind>(kind), unit->factor}) : std::nullopt;
}

struct CgsUnit {
  double cgs;
  std::string_view name;
};
constexpr std::array lengths{CgsUnit{3.0856776e24, "Mpc"}, CgsUnit{3.0856776e21, "kpc"},
                             CgsUnit{3.0856776e18, "pc"},  CgsUnit{1.495978707e13, "AU"},
                             CgsUnit{1e5, "km"},           CgsUnit{100.0, "m"}};
constexpr std::array masses{CgsUnit{1.98841e43, "10^10 solar masses"}, CgsUnit{1.98841e33, "solar masses"},
                            CgsUnit{1000.0, "kg"}};
constexpr std::array velocities{CgsUnit{1e5, "km/s"}, CgsUnit{100.0, "m/s"}};

std::string name_of(double value, std::span<const CgsUnit> names, std::string_view cgs) {
  // Codes have constants of their own: 1.989e33 and 1.98848e33 are both the Sun.
  const auto found =
      std::ranges::find_if(names, [&](const CgsUnit& n) { return std::abs(value / n.cgs - 1.0) < 2e-3; });
  return found != names.end() ? std::string(found->name) : fmt::format("{:.6g} {}", value, cgs);
}

}  // namespace

std::optional<NamedUnit> parse_unit(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  constexpr std::size_t longest = 64;
  if (text.empty() || text.size() > longest) return std::nullopt;
  // Velocities that people write as one word.
  const auto lower = lower_case(text);
  if (is_listed("kms,kms-1,kms^-1,kmps,km_s,km_per_s", lower)) return NamedUnit{UnitKind::velocity, 1e3};
  if (is_listed("ms,ms-1,ms^-1,mps,m_s,m_per_s", lower)) return NamedUnit{UnitKind::velocity, 1.0};
  if (const auto unit = unit_in(text)) return unit;
  // "KM/S": of single letters the case matters elsewhere.
  const bool is_shouted =
      text.size() > 1 && std::ranges::none_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
  return is_shouted ? unit_in(lower) : std::nullopt;
}

std::optional<AmuseUnit> parse_amuse_unit(std::string_view text) {
  return text.empty() ? AmuseUnit{} : UnitReader(text, false).read();
}

bool is_no_unit(std::string_view text) {
  constexpr std::string_view none =
      "-,--,1,none,dimensionless,unitless,nounit,code,code units,nbody,n-body,arbitrary,internal";
  return text.empty() || is_listed(none, lower_case(text)) || text.starts_with("code_");
}

FileUnits units_for(const Scene& scene) {
  const auto& known = scene.units;
  if (known.length > 0.0 && known.time > 0.0 && known.mass > 0.0)
    return {100.0 * known.length, 1000.0 * known.mass, 100.0 * known.length / known.time};
  const double gravity = scene.physics.gravitational_constant;
  constexpr double cgs = 6.6743e-8;  // CODATA 2018
  constexpr double kpc = 3.0856775814913673e21, sun = 1.98841e33, au = 1.495978707e13;
  constexpr double day = 86400.0, year = 365.25 * day;
  constexpr std::array systems{FileUnits{kpc, 1e10 * sun, 1e5}, FileUnits{1e-3 * kpc, sun, 1e5},
                               FileUnits{au, sun, au / year}, FileUnits{au, sun, au / day},
                               FileUnits{100.0, 1000.0, 100.0}};
  const auto gravity_in = [](const FileUnits& units) {
    return cgs * units.mass / (units.length * units.velocity * units.velocity);
  };
  const auto found = std::ranges::find_if(
      systems, [&](const FileUnits& units) { return std::abs(gravity / gravity_in(units) - 1.0) < 2e-3; });
  if (found != systems.end()) return *found;
  return {kpc, gravity * kpc * 1e10 / cgs, 1e5};
}

std::string unit_names(const FileUnits& units, bool with_h) {
  return fmt::format("{}{}, {}{}, {}", name_of(units.length, lengths, "cm"), with_h ? "/h" : "",
                     name_of(units.mass, masses, "g"), with_h ? "/h" : "",
                     name_of(units.velocity, velocities, "cm/s"));
}

}  // namespace orrery::sim
