#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sim/options/configuration.h"
#include "sim/options/describe.h"

// Options as members of structs: code reads `gpu_options(c).update`, not `c.choice("update")`. A group is a
// struct with a static function `rows`: each row describes one option and names the member with its value.
namespace orrery::sim {

/// One option of a group. Its kind is that of its member; its default is that of the description, or else the
/// value of the member in a new group.
template <typename Group>
struct OptionRow {
  Option option;
  /// The member that has the value; the first alternative: only device code and tables read it.
  std::variant<std::monostate, bool Group::*, int Group::*, std::size_t Group::*, double Group::*,
               std::string Group::*, FormValue Group::*>
      member;

  OptionRow(Option description) : option(std::move(description)) {}  // NOLINT: rows are written as lists
  template <typename Value>
  OptionRow(Value Group::*place, Description description)
      : option(with_default(std::move(description), Group().*place)), member(place) {}

 private:
  template <typename Value>
  static Description with_default(Description description, const Value& value) {
    if constexpr (std::is_same_v<Value, FormValue>) {
      return with_default(std::move(description), form_text(value));
    } else if constexpr (std::is_same_v<Value, std::string>) {
      return value.empty() ? std::move(description) : std::move(description).initially(value.c_str());
    } else {
      using Kind = std::conditional_t<std::is_same_v<Value, int> || std::is_same_v<Value, std::size_t>,
                                      std::int64_t, Value>;
      if (!std::is_same_v<Value, bool> && std::holds_alternative<Kind>(description.default_value))
        return description;
      return std::move(description).initially(static_cast<Kind>(value));
    }
  }
};

/// The options of a group, in the order of the panel.
template <typename Group>
using OptionRows = std::vector<OptionRow<Group>>;

/// The rows of a group, put together once.
template <typename Group>
const OptionRows<Group>& rows_of() {
  static const auto rows = Group::rows();
  return rows;
}

/// Adds the options of a group to a table.
template <typename Group>
void add_group(OptionTable& table) {
  for (const auto& row : rows_of<Group>()) table.add(row.option);
}

/// Reads the option of that name into a member.
template <typename Value>
void read_value(const Configuration& c, const std::string& name, Value& value) {
  if constexpr (std::is_same_v<Value, FormValue>)
    value = c.form(name);
  else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>)
    value = static_cast<Value>(c.integer(name));
  else
    value = std::get<Value>(c.value(name));
}

/// The members of a group, read from their options.
template <typename Group>
Group read_group(const Configuration& configuration) {
  Group group;
  for (const auto& row : rows_of<Group>()) {
    const auto read = [&](auto place) {
      if constexpr (!std::is_same_v<decltype(place), std::monostate>)
        read_value(configuration, row.option.name, group.*place);
    };
    std::visit(read, row.member);
  }
  return group;
}

}  // namespace orrery::sim
