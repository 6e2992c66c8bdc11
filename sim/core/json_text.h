#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace orrery::sim {

/// A value of a JSON file in a one-line message: a short printable text. What is inside of a list or an
/// object is left out, however deep it goes.
std::string json_text(const nlohmann::json& value);

/// A value as `--set` takes it: texts as they are, on and off, numbers.
std::string setting_text(const nlohmann::json& value);

}  // namespace orrery::sim
