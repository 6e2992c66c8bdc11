#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/options/configuration.h"

namespace orrery::app {

/// True for what decides how pictures look, whatever the dataset: it is kept from one run to the next.
bool is_persistent(const sim::Option& option);

/// The value of an option as another dataset takes it over: numbers that name a body or a galaxy are those of
/// `own`, a value of that dataset, or else the usual ones.
sim::OptionValue kept_value(const sim::Option& option, const sim::OptionValue& value,
                            const sim::OptionValue& own);

/// Sets options from kept values (by name, as --set takes them). What no longer exists or fits is left out,
/// with one line each that says so.
std::vector<std::string> apply_kept(const sim::OptionTable& table,
                                    const std::map<std::string, std::string>& values,
                                    sim::Configuration& configuration);

/// Takes the look of a picture, whose options are `look`. What cannot go with the dataset that is shown
/// (`context`) stays as it is: colours of a file whose bodies have none.
void take_look(const sim::OptionTable& table, const sim::Configuration& look,
               const sim::OptionContext& context, sim::Configuration& configuration);

}  // namespace orrery::app
