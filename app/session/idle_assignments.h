#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/options/configuration.h"

namespace orrery::app {

/// Says if a command draws bodies. Where it does not, display options have no effect.
enum class Draws { yes, no };

/// One line for each option that the command line sets and that has no effect in any of the configurations
/// (one or more) that the command uses: "devices has no effect here: only the CUDA engine uses it". Options
/// at their default, and settings that are part of the chosen look, are not mentioned.
std::vector<std::string> idle_assignments(const sim::OptionTable& table,
                                          const std::vector<std::string>& assignments,
                                          std::span<const sim::Configuration> used, Draws draws);

/// Writes the notes of idle_assignments to standard error, in the first process only.
void report_idle_assignments(const sim::OptionTable& table, const std::vector<std::string>& assignments,
                             std::span<const sim::Configuration> used, Draws draws);

/// `configuration` with each value of the option in turn.
std::vector<sim::Configuration> with_each(const sim::Configuration& configuration, const std::string& option,
                                          const std::vector<std::string>& values);

}  // namespace orrery::app
