#include "sim/core/json_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/message.h"

namespace orrery::sim {

std::string json_text(const nlohmann::json& value) {
  if (value.is_array()) return value.empty() ? "[]" : "[...]";
  if (value.is_object()) return value.empty() ? "{}" : "{...}";
  return printable(dump_json(value), 40);
}

std::string setting_text(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  return json_text(value);
}

std::string dump_json(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

namespace {

bool is_shallow(std::string_view text) {
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
    if (depth > deepest) return false;
  }
  return true;
}

using Cleaner = std::string (*)(std::string_view);

template <typename Json>
void clean(Json& value, Cleaner cleaner);

template <typename Json>
void clean_object(Json& object, Cleaner cleaner) {
  auto cleaned = Json::object();
  for (auto& [key, value] : object.items()) {
    clean(value, cleaner);
    cleaned[one_line(key)] = std::move(value);
  }
  object = std::move(cleaned);
}

template <typename Json>
void clean(Json& value, Cleaner cleaner) {
  if (value.is_string()) value = cleaner(value.template get_ref<const std::string&>());
  if (value.is_object()) clean_object(value, cleaner);
  if (!value.is_array()) return;
  for (auto& each : value) clean(each, cleaner);
}

template <typename Json>
Json parsed(std::string_view text, Cleaner cleaner) try {
  require_shallow_json(text);
  auto value = Json::parse(text);
  clean(value, cleaner);
  return value;
} catch (const typename Json::parse_error& error) {
  throw Error(fmt::format("is no JSON (byte {}); repair it", error.byte));
} catch (const typename Json::out_of_range&) {
  throw Error("is no JSON that can be read: a number in it is too large; repair it");
}

}  // namespace

nlohmann::json json_in(std::string_view text) {
  if (!is_shallow(text)) return nlohmann::json::value_t::discarded;
  return nlohmann::json::parse(text, nullptr, false);
}

void require_shallow_json(std::string_view text) {
  if (!is_shallow(text)) throw Error("its brackets are nested deeper than 100 levels; repair it");
}

nlohmann::json parse_json(std::string_view text) { return parsed<nlohmann::json>(text, one_line); }
nlohmann::ordered_json parse_ordered_lines(std::string_view text) {
  return parsed<nlohmann::ordered_json>(text, plain_lines);
}

void clean_texts(nlohmann::json& value) { clean(value, one_line); }
void clean_texts(nlohmann::ordered_json& value) { clean(value, one_line); }

std::string json_problem(const std::exception& error) {
  const std::string_view text = error.what();
  const auto name = text.find("] ");
  return printable(name == std::string_view::npos ? text : text.substr(name + 2), 120);
}

}  // namespace orrery::sim
