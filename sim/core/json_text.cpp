#include "sim/core/json_text.h"

#include <nlohmann/json.hpp>

#include "sim/core/error.h"
#include "sim/core/message.h"

namespace orrery::sim {

std::string json_text(const nlohmann::json& value) {
  if (value.is_array()) return value.empty() ? "[]" : "[...]";
  if (value.is_object()) return value.empty() ? "{}" : "{...}";
  return printable(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), 40);
}

std::string setting_text(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  return json_text(value);
}

void require_shallow_json(std::string_view text) {
  constexpr int deepest = 100;
  int depth = 0;
  bool quoted_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted_text && c == '\\')
      ++i;
    else if (c == '"')
      quoted_text = !quoted_text;
    else if (!quoted_text && (c == '[' || c == '{'))
      ++depth;
    else if (!quoted_text && (c == ']' || c == '}'))
      --depth;
    if (depth > deepest) throw Error("its brackets are nested deeper than 100 levels; repair it");
  }
}

}  // namespace orrery::sim
