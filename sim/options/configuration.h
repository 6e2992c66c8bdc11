#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/options/form.h"
#include "sim/options/option.h"

namespace orrery::sim {

/// The described options of the program, in the order in which the panel shows them.
class OptionTable {
 public:
  /// Adds a description. Its name must be new.
  void add(Option option);
  std::span<const Option> options() const { return options_; }
  /// The option of that name, or nullptr.
  const Option* find(std::string_view name) const;
  /// The option of that name. Throws UsageError with close names if there is none.
  const Option& at(std::string_view name) const;
  /// Every option at its default.
  Configuration defaults() const;
  /// Reads text as a value of `option`. Throws UsageError that says what is allowed.
  OptionValue parse(const Option& option, std::string_view text) const;
  /// Why `value` of `option` cannot go with `configuration`; empty if it can.
  std::string refusal(const Option& option, const OptionValue& value, const Configuration& configuration,
                      const OptionContext& context = {}) const;
  /// Throws UsageError with the reason that refusal_of gives.
  void check(const Configuration& configuration, const OptionContext& context = {}) const;
  /// Sets from text, e.g. "threads=4": unknown names, bad values and values out of range throw UsageError.
  void assign(Configuration& configuration, std::string_view assignment) const;
  /// Sets from a JSON object of name -> value, as written by to_json, also in the spelling of an earlier
  /// version. Unknown names are reported, not fatal: they come back as notes, so that a state file of another
  /// version still opens. Throws UsageError if it is no object.
  std::vector<std::string> assign_json(Configuration& configuration, const nlohmann::json& object) const;

 private:
  std::vector<Option> options_;
};

/// A value for every option. Plain data: copied between threads.
class Configuration {
 public:
  void set(std::string_view name, OptionValue value) {
    values_.insert_or_assign(std::string(name), std::move(value));
  }
  /// The value of an option that is in the table; asking for another name is our own mistake (throws
  /// std::out_of_range).
  const OptionValue& value(std::string_view name) const;
  bool boolean(std::string_view name) const { return std::get<bool>(value(name)); }
  std::int64_t integer(std::string_view name) const { return std::get<std::int64_t>(value(name)); }
  double real(std::string_view name) const { return std::get<double>(value(name)); }
  const std::string& choice(std::string_view name) const { return std::get<std::string>(value(name)); }
  /// The value of an option that takes forms.
  FormValue form(std::string_view name) const { return form_value(choice(name)); }
  bool contains(std::string_view name) const { return values_.find(name) != values_.end(); }
  const std::map<std::string, OptionValue, std::less<>>& values() const { return values_; }
  friend bool operator==(const Configuration&, const Configuration&) = default;

 private:
  std::map<std::string, OptionValue, std::less<>> values_;
};

/// `configuration` with every option that does not apply at its default: what it amounts to.
Configuration effective(const OptionTable& table, const Configuration& configuration);
/// True if the options that `concerns` picks amount to the same in `a` and `b`: values that do not apply
/// differ without effect.
bool same_effect(const OptionTable& table, const Configuration& a, const Configuration& b,
                 OptionFilter concerns);

/// All values as a JSON object.
nlohmann::json to_json(const Configuration& configuration);

/// Why `configuration` cannot run: the first refusal of any option; empty if it can.
std::string refusal_of(const OptionTable& table, const Configuration& configuration,
                       const OptionContext& context);

}  // namespace orrery::sim
