#include "sim/core/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "sim/core/error.h"
#include "sim/core/letters.h"

namespace orrery::sim {

namespace {

struct Letter {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

std::uint32_t byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// The length in bytes of a UTF-8 letter with this first byte; 0 if no letter begins with it.
std::size_t length_after(std::uint32_t lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

/// The shortest form only, and no halves of UTF-16.
bool allowed(char32_t code, std::size_t bytes) {
  if (bytes == 3) return code >= 0x800 && (code < 0xD800 || code > 0xDFFF);
  return bytes != 4 || (code >= 0x10000 && code <= 0x10FFFF);
}

Letter letter_at(std::string_view text, std::size_t at) {
  const auto lead = byte_at(text, at);
  const auto bytes = length_after(lead);
  if (bytes == 0 || at + bytes > text.size()) return {};
  char32_t code = bytes == 1 ? lead : lead & (0x7FU >> bytes);
  for (std::size_t k = 1; k < bytes; ++k) {
    const auto next = byte_at(text, at + k);
    if ((next & 0xC0U) != 0x80U) return {};
    code = (code << 6U) | (next & 0x3FU);
  }
  return {code, bytes, allowed(code, bytes)};
}

bool is_line_end_or_tab(char32_t code) { return code == '\n' || code == '\r' || code == '\t'; }

/// Control characters of ASCII and Latin-1, separators of lines, and marks of direction (Unicode, UAX 9).
bool steers(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string cleaned(std::string_view text, bool keep_lines) {
  std::string clean;
  for (std::size_t at = 0; at < text.size();) {
    const auto letter = letter_at(text, at);
    const auto bytes = letter.valid ? letter.bytes : 1;
    if (keep_lines && letter.code == '\n')
      clean += '\n';
    else if (letter.valid && is_line_end_or_tab(letter.code))
      clean += ' ';
    else if (!letter.valid || steers(letter.code))
      clean += '?';
    else
      clean += text.substr(at, bytes);
    at += bytes;
  }
  return clean;
}

std::string without_middle(std::string_view line) {
  constexpr std::size_t longest = 2000, first = 1300, last = 600;
  if (line.size() <= longest) return std::string(line);
  return std::string(line.substr(0, character_begin(line, first))) + " ... " +
         std::string(line.substr(character_begin(line, line.size() - last)));
}

}  // namespace

std::string one_line(std::string_view text) { return cleaned(text, false); }
std::string plain_lines(std::string_view text) { return cleaned(text, true); }

std::string message_lines(std::string_view text) {
  const auto plain = plain_lines(text);
  std::string lines;
  for (const auto line : split_text(plain, '\n')) lines += without_middle(line) + '\n';
  lines.pop_back();
  return lines;
}

std::string printable(std::string_view text, std::size_t limit) {
  std::string shown(text.substr(0, limit));
  std::ranges::replace_if(
      shown, [](char c) { return c < ' ' || c > '~'; }, '?');
  if (text.size() > limit) shown += "...";
  return shown;
}

std::string readable(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return one_line(text);
  auto end = limit;
  while (end > 0 && limit - end < 3 && is_inside_character(text[end])) --end;
  return one_line(text.substr(0, end)) + "...";
}

std::string quoted(const std::filesystem::path& path) {
  constexpr std::size_t limit = 80;
  auto name = path.string();
  // A line end in a name is no blank.
  std::ranges::replace_if(
      name, [](char c) { return static_cast<unsigned char>(c) < ' '; }, '?');
  if (name.size() <= limit) return '\'' + readable(name, limit) + '\'';
  auto begin = name.size() - limit;
  while (begin < name.size() && is_inside_character(name[begin])) ++begin;
  return "'..." + readable(std::string_view(name).substr(begin), limit) + '\'';
}

void cannot_read(const std::filesystem::path& path, std::string_view what) {
  throw Error(fmt::format("cannot read {}: {}", quoted(path), what));
}

void cannot_write(const std::filesystem::path& path, std::string_view what) {
  throw Error(fmt::format("cannot write {}: {}", quoted(path), what));
}

std::string reason_of(int error_number) {
  const auto reason = std::generic_category().message(error_number);
  if (error_number == EMFILE) return reason + " (raise `ulimit -n`)";
  if (error_number == EAGAIN)
    return "the system gives no more processes or memory now (`ulimit -u`, `ulimit -v`)";
  return reason;
}

}  // namespace orrery::sim
