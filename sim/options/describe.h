#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/options/configuration.h"
#include "sim/options/option.h"

// Descriptions of options, put together: `described("streams", "cuda", "Streams", "...").within(1, 64)`.
namespace orrery::sim {

/// An option that is being described. On or off, and off at first, unless a function says otherwise or the
/// member of an OptionRow is of another kind.
struct Description : Option {
  /// The value at first, which also says the kind where that is on or off or a number.
  Description&& initially(bool value) &&;
  Description&& initially(std::int64_t value) &&;
  Description&& initially(double value) &&;
  Description&& initially(const char* value) &&;
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
  /// Makes the option without effect while `reason` gives one.
  Description&& unless(std::function<std::string(const Configuration&)> reason) &&;
  /// One more combination that cannot run.
  Description&& refused(OptionConflict conflict) &&;
  /// The place among the options that tuning tries, from 1.
  Description&& tuned(int rank) &&;
  Description&& labelled(std::string text) &&;
  Description&& with_macro(std::string name_in_device_code) &&;
  /// The values that sweeps and tuning try.
  Description&& tried(std::vector<OptionValue> values) &&;
  Description&& in_scope(OptionScope of_change) &&;
};

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
