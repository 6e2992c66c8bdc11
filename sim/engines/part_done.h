#pragma once

#include <string_view>

namespace orrery::sim {

/// The key of a fact (EngineReport) that is there while a long force evaluation is under way: the part of it
/// that is done, 0 to 1. Not shown to people as it is.
inline constexpr std::string_view part_done_fact = "part_done";

}  // namespace orrery::sim
