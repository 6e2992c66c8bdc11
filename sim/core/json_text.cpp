#include "sim/core/json_text.h"

#include <nlohmann/json.hpp>

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

}  // namespace orrery::sim
