#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

// Letters and parts of texts, the same in every locale.
namespace orrery::sim {

/// True for 0 to 9.
bool is_digit(char letter);
/// True for a to z and 0 to 9.
bool is_small_or_digit(char letter);
/// True if the text has a to z, 0 to 9 and hyphens only: names in the files of ladders and demonstrations.
bool is_step_name(std::string_view text);
/// True for A to Z, a to z and 0 to 9.
bool is_letter_or_digit(char letter);
/// True if the text has letters, digits and the bytes of `others` only.
bool is_plain(std::string_view text, std::string_view others);
/// The letters A to Z, as small ones, and the digits of a text.
std::string plain_letters(std::string_view text);

/// The small letter of A to Z; other bytes stay as they are.
char to_lower(char letter);
/// The text with small letters in place of A to Z.
std::string lower_case(std::string_view text);
/// True if both texts are the same but for the case of A to Z.
bool same_letters(std::string_view a, std::string_view b);

/// The parts between separators, at least one; parts may be empty. Views into `text`.
std::vector<std::string_view> split_text(std::string_view text, char separator);

/// True if `name` is one of those in `list`, which commas separate.
bool is_listed(std::string_view list, std::string_view name);

/// The first of a table's entries that has this name among its `names`; nullptr: there is none.
template <typename Table>
auto find_listed(const Table& table, std::string_view name) -> decltype(&*table.begin()) {
  for (const auto& entry : table)
    if (is_listed(entry.names, name)) return &entry;
  return nullptr;
}

/// The number that is the whole text, or nothing.
template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// True for all bytes of a character in UTF-8 but its first one.
bool is_inside_character(char byte);
/// The beginning of the character that contains the byte at `at`, before the end of `text`.
std::size_t character_begin(std::string_view text, std::size_t at);

}  // namespace orrery::sim
