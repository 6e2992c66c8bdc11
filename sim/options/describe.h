#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/options/configuration.h"
#include "sim/options/form.h"
#include "sim/options/option.h"

// Descriptions of options, put together: `described("streams", "cuda", "Streams", "...").within(1, 64)`.
namespace orrery::sim {

/// An option that is being described. On or off, and off at first, unless a function says otherwise or the
/// member of an OptionRow is of another kind.
struct Description : Option {
  /// The value at first, which also says the kind where that is on or off or a number.
  Description&& initially(bool value) && {
    return std::move(*this).with(&Option::kind, OptionKind::boolean).with(&Option::default_value, value);
  }
  Description&& initially(std::int64_t value) && {
    return std::move(*this).with(&Option::kind, OptionKind::integer).with(&Option::default_value, value);
  }
  Description&& initially(double value) && {
    return std::move(*this).with(&Option::kind, OptionKind::real).with(&Option::default_value, value);
  }
  Description&& initially(const char* value) && {
    return std::move(*this).with(&Option::default_value, std::string(value));
  }
  /// The limits of a number.
  Description&& within(double low, double high, std::string of_unit = {}) &&;
  /// The limits of a number that a slider moves by factors.
  Description&& scaled(double low, double high, std::string of_unit = {}) &&;
  /// One of some names, at first the first one unless another was said before.
  Description&& chosen(std::vector<std::string> names, std::vector<std::string> meanings) &&;
  /// One of everything that is registered in a list of pointers to things with a name and a meaning.
  template <typename List>
  Description&& chosen_from(const List& list) &&;
  /// One more choice, before the others; it becomes the value at first.
  Description&& with_first(std::string choice, std::string its_meaning) &&;
  /// Some of these names, at first all.
  Description&& listed(std::vector<std::string> names) &&;
  /// One of some forms, at first the first one with its usual numbers.
  Description&& formed(std::vector<OptionForm> all) &&;
  /// Numbers with colons between them, at first their usual ones.
  Description&& numbered(std::vector<FormNumber> numbers) && {
    return std::move(*this).formed({{.word = {}, .numbers = std::move(numbers), .meaning = {}}});
  }
  /// Makes the option without effect while `reason` gives one.
  Description&& unless(std::function<std::string(const Configuration&)> reason) && {
    return std::move(*this).with(&Option::inactive, std::move(reason));
  }
  /// One more combination that cannot run.
  Description&& refused(OptionConflict conflict) &&;
  /// The place among the options that tuning tries, from 1.
  Description&& tuned(int rank) && { return std::move(*this).with(&Option::tuning_rank, rank); }
  Description&& labelled(std::string text) && {
    return std::move(*this).with(&Option::label, std::move(text));
  }
  Description&& with_macro(std::string name_in_device_code) && {
    return std::move(*this).with(&Option::macro, std::move(name_in_device_code));
  }
  /// The values that sweeps and tuning try.
  Description&& tried(std::vector<OptionValue> values) && {
    return std::move(*this).with(&Option::trial_values, std::move(values));
  }
  Description&& in_scope(OptionScope of_change) && {
    return std::move(*this).with(&Option::scope, of_change);
  }

 private:
  template <typename Value>
  Description&& with(Value Option::*part, std::type_identity_t<Value> value) && {
    this->*part = std::move(value);
    return std::move(*this);
  }
};

/// A number of a form: its name, the usual value and the limits.
FormNumber number(std::string name, double usual, double low, double high, std::string unit = {});
/// A number of a form that a slider moves by factors.
FormNumber scaled_number(std::string name, double usual, double low, double high, std::string unit = {});
/// A whole number of things in a form; a slider moves it by factors.
FormNumber count(std::string name, double usual, double low, double high);
/// The index of a body or a galaxy of one dataset; the usual one is the least.
FormNumber index_number(std::string name, double usual, double most);
/// An end of a range of one dataset, which cannot be left out.
FormNumber edge(std::string name, double usual);

/// Name, section of the panel, label for people (empty: made from the name) and meaning.
Description described(std::string name, std::string group, std::string label, std::string meaning);
/// As described, for an option that only the picture depends on.
Description shown(std::string name, std::string group, std::string label, std::string meaning);

template <typename List>
Description&& Description::chosen_from(const List& list) && {
  std::vector<std::string> names, meanings;
  for (const auto* entry : list) {
    names.emplace_back(entry->name);
    meanings.emplace_back(entry->meaning);
  }
  return std::move(*this).chosen(std::move(names), std::move(meanings));
}

}  // namespace orrery::sim
