#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace orrery::sim {

/// A value of a JSON file in a one-line message: a short printable text. What is inside of a list or an
/// object is left out, however deep it goes.
std::string json_text(const nlohmann::json& value);

/// A value as `--set` takes it: texts as they are, on and off, numbers.
std::string setting_text(const nlohmann::json& value);

/// Throws Error if brackets are nested deeper than in any file of this program. JSON's library copies and
/// compares level by level on the stack, which a file of some thousand brackets would overflow.
void require_shallow_json(std::string_view text);

}  // namespace orrery::sim
