#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/engines/engine_report.h"
#include "sim/options/configuration.h"

namespace orrery::lab {

/// The choice that an engine made where the option says "auto"; empty where it says something else, or the
/// engine does not tell (it has not computed yet, or does not use the option).
std::string taken_choice(const sim::Configuration& configuration, const std::string& option,
                         const sim::EngineReport& report);

/// All options that say "auto", with what the engine took, by name.
std::vector<std::pair<std::string, std::string>> taken_choices(const sim::Configuration& configuration,
                                                               const sim::EngineReport& report);

/// "simd", and "auto (simd)" where the choice stands for another.
std::string with_taken(const std::string& choice, const std::string& taken);

/// The computing kernel of the CPU or family of a GPU, with what it stands for.
std::string computing_text(const sim::Configuration& configuration, const sim::EngineReport& report);

}  // namespace orrery::lab
