#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/options/configuration.h"
#include "sim/scene/scene.h"

namespace orrery::lab {

/// The options that choose_double_precision() sets.
inline constexpr std::array<const char*, 4> precision_options{"kernel", "precision", "state-precision",
                                                              "threads"};

/// Chooses double precision, on the CPU and on GPUs, where the scene wants it, and one thread: for so few
/// bodies a team costs more than it saves, most of all on a busy machine. Options that `assignments` or
/// a person set stay, and so does what double precision would be refused with. Returns a line that says what
/// was chosen; empty: nothing changed.
std::string choose_double_precision(const sim::OptionTable& table, sim::Configuration& configuration,
                                    const sim::Scene& scene, const std::vector<std::string>& assignments);

}  // namespace orrery::lab
