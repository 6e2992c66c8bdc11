#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/options/configuration.h"

namespace orrery::lab {

/// A configuration with a name that says what is particular about it.
using NamedConfiguration = std::pair<std::string, sim::Configuration>;

/// Every CPU kernel, with one thread and with three.
std::vector<NamedConfiguration> cpu_verification_set(const sim::OptionTable& table,
                                                     const sim::Configuration& start);

/// The configurations that cover the CUDA engine: every family with every layout, precision and number of
/// dimensions, every integrator, and every value of every other switch (of numbers: the smallest and the
/// largest) with the first family that uses it. Empty where there is no CUDA engine.
std::vector<NamedConfiguration> cuda_verification_set(const sim::OptionTable& table,
                                                      const sim::Configuration& start);

/// One of each CPU kernel and CUDA family: for another scene or force law.
std::vector<NamedConfiguration> short_verification_set(const sim::OptionTable& table,
                                                       const sim::Configuration& start);

/// Configurations of trees with each of their rules, for scenes with parts (multiscale_scenes.h).
std::vector<NamedConfiguration> approximate_verification_set(const sim::OptionTable& table,
                                                             const sim::Configuration& start);

/// Why the CUDA engine cannot run here; empty if it can.
std::string cuda_unavailable();

}  // namespace orrery::lab
