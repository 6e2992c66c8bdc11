#pragma once

#include <string>
#include <vector>

#include "sim/options/configuration.h"

// How the program chooses values of options that nobody chose.
namespace orrery::lab {

/// The value of a choice.
struct ChosenValue {
  std::string option;
  sim::OptionValue value;
};

/// True if `assignment` (NAME=VALUE) is of the option.
bool chooses(const std::string& assignment, const std::string& option);
/// True if the option has its default in `configuration` and is in none of the assignments.
bool is_free(const sim::OptionTable& table, const sim::Configuration& configuration,
             const std::string& option, const std::vector<std::string>& assignments);
/// Sets the value unless something is refused with it that was not before: some integrators need what trees
/// do not sum. True if it was set.
bool take(const sim::OptionTable& table, sim::Configuration& configuration, const sim::OptionContext& context,
          const ChosenValue& chosen);

}  // namespace orrery::lab
