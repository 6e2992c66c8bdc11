#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/options/configuration.h"
#include "sim/options/option.h"

// Descriptions of options, put together: `whole(described("streams", "cuda", "Streams", "..."), 32, 1, 64)`.
namespace orrery::sim {

/// Name, section of the panel, label for people (empty: made from the name) and meaning. On or off, and off
/// at first, unless one of the functions below says otherwise.
Option described(std::string name, std::string group, std::string label, std::string meaning);
/// As described, for an option that only the picture depends on.
Option shown(std::string name, std::string group, std::string label, std::string meaning);

/// An option that is on or off.
Option flag(Option option, bool value);
/// A whole number.
Option whole(Option option, std::int64_t value, double minimum, double maximum, std::string unit = {},
             bool logarithmic = false);
/// A real number.
Option real(Option option, double value, double minimum, double maximum, std::string unit = {},
            bool logarithmic = false);
/// One of some names, at first the first one.
Option chosen(Option option, std::vector<std::string> choices, std::vector<std::string> meanings);
/// Some of these names, at first all.
Option listed(Option option, std::vector<std::string> choices);
/// One of some forms, at first the first one with its usual numbers.
Option formed(Option option, std::vector<OptionForm> forms);
/// Makes an option without effect while `inactive` gives a reason.
Option unless(Option option, std::function<std::string(const Configuration&)> inactive);

/// A choice of everything that is registered in a list of pointers to things with a name and a meaning.
template <typename List>
Option chosen_from(Option option, const List& list) {
  std::vector<std::string> names, meanings;
  for (const auto* entry : list) {
    names.emplace_back(entry->name);
    meanings.emplace_back(entry->meaning);
  }
  return chosen(std::move(option), std::move(names), std::move(meanings));
}
/// Puts one more choice before the others of an option; it becomes the default.
Option with_first(Option option, std::string choice, std::string meaning);

}  // namespace orrery::sim
