#include "sim/core/letters.h"

#include <algorithm>

namespace orrery::sim {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool is_small_or_digit(char letter) { return (letter >= 'a' && letter <= 'z') || is_digit(letter); }

bool is_step_name(std::string_view text) {
  return std::ranges::all_of(text, [](char letter) { return is_small_or_digit(letter) || letter == '-'; });
}

bool is_letter_or_digit(char letter) { return is_small_or_digit(to_lower(letter)); }

bool is_plain(std::string_view text, std::string_view others) {
  return std::ranges::all_of(text, [&](char letter) {
    return is_letter_or_digit(letter) || others.find(letter) != std::string_view::npos;
  });
}

std::string plain_letters(std::string_view text) {
  std::string plain;
  for (const char letter : text)
    if (is_letter_or_digit(letter)) plain += to_lower(letter);
  return plain;
}

char to_lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), to_lower);
  return lower;
}

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, to_lower, to_lower);
}

std::vector<std::string_view> split_text(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool is_inside_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::size_t character_begin(std::string_view text, std::size_t at) {
  while (at > 0 && is_inside_character(text[at])) --at;
  return at;
}

bool is_listed(std::string_view list, std::string_view name) {
  while (true) {
    const auto end = std::min(list.find(','), list.size());
    if (list.substr(0, end) == name) return true;
    if (end == list.size()) return false;
    list.remove_prefix(end + 1);
  }
}

}  // namespace orrery::sim
