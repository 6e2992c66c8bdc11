#include "sim/options/configuration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"

namespace orrery::sim {

namespace {

/// Text from a person or file, for a message of one line.
std::string for_message(std::string_view text) { return printable(text, 60); }

OptionValue parse_boolean(const Option& option, std::string_view text) {
  constexpr std::array yes{"on", "true", "yes", "1"};
  constexpr std::array no{"off", "false", "no", "0"};
  if (std::ranges::find(yes, text) != yes.end()) return true;
  if (std::ranges::find(no, text) != no.end()) return false;
  throw UsageError(fmt::format("option '{}' is on or off, not '{}'", option.name, for_message(text)));
}

template <typename T>
T parse_number(const Option& option, std::string_view text, std::string_view what) {
  if (const auto value = number_in<T>(text)) return *value;
  throw UsageError(fmt::format("option '{}' takes {}, not '{}'", option.name, what, for_message(text)));
}

void check_range(const Option& option, double value) {
  if (std::isfinite(value) && value >= option.minimum && value <= option.maximum) return;
  throw UsageError(fmt::format("option '{}' takes {} to {}{}{}, not {}", option.name, option.minimum,
                               option.maximum, option.unit.empty() ? "" : " ", option.unit, value));
}

[[noreturn]] void refuse_choice(const Option& option, std::string_view text) {
  const auto meant = did_you_mean(text, option.choices);
  if (!meant.empty())
    throw UsageError(fmt::format("option '{}' cannot be '{}'{}", option.name, for_message(text), meant));
  throw UsageError(fmt::format("option '{}' is one of {}, not '{}'", option.name,
                               fmt::join(option.choices, ", "), for_message(text)));
}

OptionValue parse_choice(const Option& option, std::string_view text) {
  if (std::ranges::find(option.choices, text) == option.choices.end()) refuse_choice(option, text);
  return std::string(text);
}

nlohmann::json value_to_json(const OptionValue& value) {
  return std::visit([](const auto& v) { return nlohmann::json(v); }, value);
}

}  // namespace

void OptionTable::add(Option option) {
  if (find(option.name) != nullptr) throw std::logic_error("option registered twice: " + option.name);
  options_.push_back(std::move(option));
}

const Option* OptionTable::find(std::string_view name) const {
  const auto found = std::ranges::find(options_, name, &Option::name);
  return found == options_.end() ? nullptr : &*found;
}

const Option& OptionTable::at(std::string_view name) const {
  if (const auto* option = find(name)) return *option;
  std::vector<std::string> names;
  for (const auto& option : options_) names.push_back(option.name);
  throw UsageError(fmt::format("there is no option '{}' (`orrery --help-options` lists all){}",
                               for_message(name), did_you_mean(name, names)));
}

Configuration OptionTable::defaults() const {
  Configuration configuration;
  for (const auto& option : options_) configuration.set(option.name, option.default_value);
  return configuration;
}

OptionValue OptionTable::parse(const Option& option, std::string_view text) const {
  switch (option.kind) {
    case OptionKind::boolean:
      return parse_boolean(option, text);
    case OptionKind::choice:
      return parse_choice(option, text);
    case OptionKind::list:
      return parse_list(option, text);
    case OptionKind::form:
      return parse_form(option, text);
    case OptionKind::integer: {
      const auto value = parse_number<std::int64_t>(option, text, "a whole number");
      check_range(option, static_cast<double>(value));
      return value;
    }
    case OptionKind::real:
      break;
  }
  const auto value = parse_number<double>(option, text, "a number");
  check_range(option, value);
  return value;
}

std::string OptionTable::refusal(const Option& option, const OptionValue& value,
                                 const Configuration& configuration, const OptionContext& context) const {
  for (const auto& conflict : option.conflicts) {
    if (auto reason = conflict(value, configuration, context); !reason.empty()) return reason;
  }
  return {};
}

void OptionTable::check(const Configuration& configuration, const OptionContext& context) const {
  if (const auto reason = refusal_of(*this, configuration, context); !reason.empty())
    throw UsageError(reason);
}

void OptionTable::assign(Configuration& configuration, std::string_view assignment) const {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    throw UsageError(
        fmt::format("'{}' is no assignment; write NAME=VALUE, e.g. threads=4", for_message(assignment)));
  }
  const auto& option = at(assignment.substr(0, equals));
  configuration.set(option.name, parse(option, assignment.substr(equals + 1)));
}

std::vector<std::string> OptionTable::assign_json(Configuration& configuration,
                                                  const nlohmann::json& object) const {
  if (!object.is_object()) throw UsageError("options must be a JSON object of names and values");
  std::vector<std::string> notes;
  for (const auto& [name, written] : object.items()) {
    const auto* option = find(name);
    if (option == nullptr) {
      notes.push_back(fmt::format("option '{}' is not known to this version; left out", for_message(name)));
      continue;
    }
    try {
      configuration.set(option->name, parse(*option, setting_text(written)));
    } catch (const UsageError& error) {
      notes.push_back(fmt::format("{}; left out", error.what()));
    }
  }
  return notes;
}

const OptionValue& Configuration::value(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw std::out_of_range("no such option: " + std::string(name));
  return found->second;
}

Configuration effective(const OptionTable& table, const Configuration& configuration) {
  auto result = configuration;
  for (const auto& option : table.options()) {
    if (!applies(option, configuration)) result.set(option.name, option.default_value);
  }
  return result;
}

bool same_effect(const OptionTable& table, const Configuration& a, const Configuration& b,
                 OptionFilter concerns) {
  if (a == b) return true;
  const auto of_a = effective(table, a);
  const auto of_b = effective(table, b);
  return std::ranges::none_of(table.options(), [&](const Option& option) {
    return concerns(option) && of_a.value(option.name) != of_b.value(option.name);
  });
}

nlohmann::json to_json(const Configuration& configuration) {
  auto object = nlohmann::json::object();
  for (const auto& [name, value] : configuration.values()) object[name] = value_to_json(value);
  return object;
}

std::string refusal_of(const OptionTable& table, const Configuration& configuration,
                       const OptionContext& context) {
  for (const auto& option : table.options()) {
    const auto& value = configuration.value(option.name);
    const auto reason = table.refusal(option, value, configuration, context);
    if (!reason.empty()) return fmt::format("{}={}: {}", option.name, to_string(value), reason);
  }
  return {};
}

}  // namespace orrery::sim
