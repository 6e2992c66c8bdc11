#include "sim/snapshots/csv_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"
#include "sim/snapshots/text_table.h"

namespace orrery::sim {

namespace {

constexpr std::array<std::string_view, column_count> names{
    "-",  "id",        "mass",   "charge", "x",     "y",    "z",   "vx",    "vy",
    "vz", "component", "galaxy", "time",   "frame", "name", "red", "green", "blue"};

/// Names as plain_column_name() gives them.
struct Synonyms {
  Column column;
  std::string_view names;
};
constexpr std::array synonyms{
    Synonyms{Column::mass, "m,mass,masses,mstar"},
    Synonyms{Column::charge, "q,charge,charges"},
    Synonyms{Column::id, "id,index,i,iord,number,particleid,particleids"},
    Synonyms{Column::vx, "u"},
    Synonyms{Column::vy, "v"},
    Synonyms{Column::vz, "w"},
    Synonyms{Column::component, "component,type,species,family"},
    Synonyms{Column::galaxy, "galaxy,system"},
    Synonyms{Column::time, "t,time,day,days,year,years,date,epoch,jd,mjd"},
    Synonyms{Column::frame, "step,timestep,snap,snapnum,iteration,frame,snapshot"},
    Synonyms{Column::name, "name,names,object,planet"},
    Synonyms{Column::red, "red"},
    Synonyms{Column::green, "green"},
    Synonyms{Column::blue, "blue"},
};

[[noreturn]] void refuse_column(std::string_view name) {
  std::vector<std::string> usual(names.begin() + 1, names.end());
  throw UsageError(fmt::format("unknown column '{}' (choose from {} and -, to skip one){}", printable(name),
                               fmt::join(usual, ", "), did_you_mean(name, usual)));
}

/// The component `axis` of a vector of that name.
std::optional<Column> component_of(std::string_view vector, std::size_t axis) {
  constexpr std::string_view of_place =
      ",p,r,pos,position,points,positions,point,coord,coords,coordinate,coordinates";
  constexpr std::string_view of_velocity = "v,vel,velocity,velocities,dot";
  if (axis > 2) return std::nullopt;
  if (is_listed(of_place, vector)) return on_axis(Column::x, axis);
  return is_listed(of_velocity, vector) ? std::optional(on_axis(Column::vx, axis)) : std::nullopt;
}

/// Of a component with its vector: "x", "posx", "positionx", "xposition", "points0".
std::optional<Column> component_of(std::string_view plain) {
  constexpr std::string_view letters = "xyz", digits = "012";
  if (plain.empty()) return std::nullopt;
  const auto behind = plain.substr(0, plain.size() - 1), before = plain.substr(1);
  if (const auto column = component_of(behind, letters.find(plain.back()))) return column;
  if (behind.size() > 1)
    if (const auto column = component_of(behind, digits.find(plain.back()))) return column;
  const bool is_word = !before.empty() && before != "r";  // "yr" is a year
  return is_word ? component_of(before, letters.find(plain.front())) : std::nullopt;
}

std::optional<Column> column_of_plain(std::string_view plain) {
  if (const auto component = component_of(plain)) return component;
  const auto* const found = find_listed(synonyms, plain);
  return found == nullptr ? std::nullopt : std::optional(found->column);
}

std::optional<UnitKind> kind_of_name(std::string_view name) {
  const auto column = column_of_plain(plain_column_name(name));
  return column ? unit_kind(*column) : std::nullopt;
}

/// A name without its unit: "vx_kms" is vx.
std::string without_unit(std::string_view name) {
  const auto plain = plain_column_name(name);
  if (column_of_plain(plain)) return plain;
  return plain_column_name(split_unit(name, kind_of_name).name);
}

/// u, v, w: velocities where nothing else is one. Else textures, or an energy.
bool is_velocity_letter(std::string_view name) { return is_listed("u,v,w", without_unit(name)); }

/// The mass of the stars of a galaxy, where there is another one.
bool is_star_mass(std::string_view name) { return without_unit(name) == "mstar"; }

}  // namespace

std::string plain_column_name(std::string_view name) {
  const auto number = name.find_first_not_of("0123456789");
  if (number != 0 && number < name.size() && name[number] == ':') name.remove_prefix(number + 1);
  return plain_letters(name.substr(0, name.find_first_of("[(")));
}

Column on_axis(Column first, std::size_t axis) {
  return static_cast<Column>(static_cast<std::size_t>(first) + axis);
}

std::string_view name_of(Column column) { return names.at(static_cast<std::size_t>(column)); }

std::string text_of(const std::vector<Column>& columns, char between) {
  std::string text;
  for (const auto column : columns) {
    if (!text.empty()) text += between;
    text += name_of(column);
  }
  return text;
}

std::optional<Column> column_from_name(std::string_view name) { return column_of_plain(without_unit(name)); }

std::optional<UnitKind> unit_kind(Column column) {
  if (is_place(column)) return UnitKind::length;
  if (is_velocity(column)) return UnitKind::velocity;
  if (column == Column::mass) return UnitKind::mass;
  return column == Column::time ? std::optional(UnitKind::time) : std::nullopt;
}

std::string_view unit_of_name(std::string_view name) {
  const bool has_brackets = name.find_first_of("[(") != std::string_view::npos;
  if (!has_brackets && column_of_plain(plain_column_name(name))) return {};
  return split_unit(name, kind_of_name).unit;
}

std::vector<Column> columns_of(const Fields& names) {
  std::vector<Column> columns;
  std::array<bool, column_count> seen{};
  const bool letters_are_others = std::ranges::any_of(names, [](std::string_view name) {
    return is_velocity(column_from_name(name).value_or(Column::skip)) && !is_velocity_letter(name);
  });
  const bool stars_are_parts = std::ranges::any_of(names, [](std::string_view name) {
    return column_from_name(name) == Column::mass && !is_star_mass(name);
  });
  for (const auto name : names) {
    auto column = column_from_name(name).value_or(Column::skip);
    if (letters_are_others && is_velocity_letter(name)) column = Column::skip;
    if (stars_are_parts && is_star_mass(name)) column = Column::skip;
    const bool again = std::exchange(seen.at(static_cast<std::size_t>(column)), true);
    columns.push_back(again ? Column::skip : column);
  }
  constexpr std::array parts{Column::red, Column::green, Column::blue};
  if (!std::ranges::all_of(parts, [&](Column part) { return contains(columns, part); }))
    for (const auto part : parts) std::ranges::replace(columns, part, Column::skip);
  return columns;
}

bool contains(const std::vector<Column>& columns, Column column) {
  return std::ranges::find(columns, column) != columns.end();
}

bool names_positions(const std::vector<Column>& columns) {
  return contains(columns, Column::x) && contains(columns, Column::y);
}

std::string joined(const Fields& names) {
  std::string text;
  for (const auto name : names) text += (text.empty() ? "" : ",") + printable(name);
  return printable(text, 100);
}

void drop_partial_velocity(std::vector<Column>& columns) {
  const bool complete = contains(columns, Column::vx) && contains(columns, Column::vy) &&
                        (contains(columns, Column::vz) || !contains(columns, Column::z));
  if (complete) return;
  for (auto& c : columns)
    if (is_velocity(c)) c = Column::skip;
}

std::vector<Column> with_possible_velocity(const Fields& names, const std::vector<Column>& columns) {
  constexpr std::string_view letters = "xyz";
  auto wider = columns;
  for (std::size_t axis = 0; axis < letters.size() && !contains(columns, Column::vx); ++axis) {
    if (!contains(columns, on_axis(Column::x, axis))) continue;
    const auto begins = [&](std::string_view name) {
      const auto plain = plain_column_name(name);
      return plain.size() > 1 && (plain[0] == 'v' || plain[0] == 'p') && plain[1] == letters[axis];
    };
    std::size_t k = 0;
    while (k < names.size() && !(columns[k] == Column::skip && begins(names[k]))) ++k;
    if (k == names.size()) return columns;
    wider[k] = on_axis(Column::vx, axis);
  }
  return wider;
}

std::vector<Column> columns_of_option(std::string_view option) {
  Fields names;
  split_fields(option, Separator::comma, names);
  for (const auto name : names) {
    if (name != "-" && !column_from_name(name)) refuse_column(name);
  }
  auto columns = columns_of(names);
  if (!names_positions(columns)) throw UsageError("the columns must name x and y, as in mass,x,y,z,vx,vy,vz");
  return columns;
}

}  // namespace orrery::sim
