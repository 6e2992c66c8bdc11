#include "tests/app/mutated/mutation.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::test {

namespace {

using Json = nlohmann::ordered_json;

/// Stands in a value's place until the JSON is text: what follows need not be JSON.
constexpr std::string_view placeholder = "\"@@ODD@@\"";

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t k = 0; k < times; ++k) result += text;
  return result;
}

const std::vector<std::string>& odd_values() {
  static const std::vector<std::string> values{
      "null",
      "true",
      "false",
      "0",
      "-0.0",
      "1",
      "-1",
      "0.5",
      "2",
      "1e9",
      "4294967295",
      "4294967296",
      "2147483648",
      "-2147483649",
      "9223372036854775807",
      "18446744073709551615",
      "18446744073709551616",
      "-9223372036854775808",
      "1e38",
      "3.5e38",
      "1e308",
      "1e999",
      "-1e999",
      "5e-324",
      "NaN",
      "Infinity",
      "\"nan\"",
      "\"inf\"",
      "\"-inf\"",
      "\"1e999\"",
      "\"0x10\"",
      "\"\"",
      "\" \"",
      "\"on\"",
      "\"auto\"",
      "\"plummer\"",
      "\"/dev/zero\"",
      "\"../../../..\"",
      "\"\\u0000\"",
      "\"\\ud800\"",
      "\"\\u001b[2J\\u009b31m\\r\\nFORGED\"",
      "\"%s%n{}{:d}\"",
      "\"\x1b]0;title\x07\"",
      "\"\xff\xfe\"",
      "[]",
      "{}",
      "[[[]]]",
      "[null]",
      "{\"\": null}",
      "[1e999, -1e999, 0]",
      "[0, 0, 0]",
      "[\"a\", 1, {}]",
      repeated("[", 3000),
      repeated("{\"a\":", 3000),
      repeated("[", 200) + repeated("]", 200),
      "\"" + std::string(100000, 'x') + "\"",
      std::string(400, '9'),
      "0." + std::string(400, '3'),
      "[" + repeated("0,", 20000) + "0]",
  };
  return values;
}

constexpr std::array<std::string_view, 10> odd_bytes{
    "\x1b[2J", "\x1b]0;t\x07", "\r",    "\xff", "\xc2\x9b",
    "\n\n",    "nan",          "1e999", "-",    "{\"\\u001b\": [\"\x08\"]}"};

/// A value inside of another one.
struct Place {
  Json* parent;
  std::string key;    ///< of an object
  std::size_t index;  ///< of a list
  Json& value() const { return parent->is_object() ? parent->at(key) : parent->at(index); }
};

void collect(Json& json, std::vector<Place>& places) {
  if (json.is_object()) {
    for (auto& [key, value] : json.items()) places.push_back({&json, key, 0});
  } else if (json.is_array()) {
    for (std::size_t k = 0; k < json.size(); ++k) places.push_back({&json, {}, k});
  }
  for (auto& each : json) {
    if (each.is_structured()) collect(each, places);
  }
}

void remove(const Place& place) {
  if (place.parent->is_object())
    place.parent->erase(place.key);
  else
    place.parent->erase(place.index);
}

}  // namespace

void Mutator::damage_once(std::string& bytes) {
  const auto at = below(bytes.size() + 1);
  const auto count = std::min(below(std::size_t{1} << below(12)) + 1, bytes.size() - at);
  switch (below(9)) {
    case 0:
    case 1:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
      break;
    case 2:
      bytes.resize(at);
      break;
    case 3:
      bytes.erase(at, count);
      break;
    case 4:
      bytes.insert(below(bytes.size() + 1), bytes.substr(at, count));
      break;
    case 5: {
      const auto line = bytes.find('\n', at);
      const auto part = bytes.substr(at, line == std::string::npos ? count : line - at + 1);
      bytes.insert(at, part);
      break;
    }
    case 6:
      bytes.insert(at, odd_bytes[below(odd_bytes.size())]);
      break;
    case 7: {
      const auto width = std::min(std::size_t{1} << below(4), bytes.size() - at);
      const std::array<char, 4> fill{'\xff', '\x7f', '\0', '\x80'};
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), width, fill[below(fill.size())]);
      break;
    }
    default:
      for (std::size_t k = 0; k < count; ++k) std::swap(bytes[at + k], bytes[below(bytes.size())]);
  }
}

std::string Mutator::damaged_bytes(std::string bytes) {
  const auto whole = below(40);
  if (whole == 0) return {};
  if (whole == 1) return std::string(bytes.size(), '\0');
  if (whole == 2) return repeated(bytes, 1 + (std::size_t{1} << 18) / (bytes.size() + 1));
  const auto times = 1 + below(4);
  for (std::size_t k = 0; k < times; ++k) damage_once(bytes);
  return bytes;
}

std::string Mutator::damaged_json(const std::string& text) {
  auto json = Json::parse(text, nullptr, false);
  if (!json.is_structured() || json.empty() || below(4) == 0) return damaged_bytes(text);
  std::string odd;
  for (auto times = 1 + below(3); times > 0; --times) {
    std::vector<Place> places;
    collect(json, places);
    if (places.empty()) break;
    const auto& place = places[below(places.size())];
    const auto& other = places[below(places.size())];
    const auto kind = below(8);
    if (kind == 0) {
      remove(place);
    } else if (kind == 1 && !place.value().is_structured() && !other.value().is_structured()) {
      std::swap(place.value(), other.value());
    } else if (kind == 2 && place.parent->is_object()) {
      auto value = place.value();
      remove(place);
      (*place.parent)[other.key.empty() ? "\x1b[31m" : other.key + "s"] = std::move(value);
    } else if (kind == 3 && place.parent->is_object() && odd.empty()) {
      odd = place.value().dump(-1, ' ', false, Json::error_handler_t::replace) + ", " +
            Json(place.key).dump() + ": " + odd_values()[below(odd_values().size())];
      place.value() = placeholder.substr(1, placeholder.size() - 2);
    } else if (odd.empty()) {
      odd = odd_values()[below(odd_values().size())];
      place.value() = placeholder.substr(1, placeholder.size() - 2);
    }
  }
  auto damaged = json.dump(2, ' ', false, Json::error_handler_t::replace);
  if (const auto at = damaged.find(placeholder); at != std::string::npos)
    damaged.replace(at, placeholder.size(), odd);
  return damaged;
}

}  // namespace orrery::test
