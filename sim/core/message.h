#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

// Messages of one line, and texts of files as terminals and windows may show them. Whatever comes from a file
// goes through here before it is shown: on reading where its form is known (clean_texts in json_text.h,
// scenes), at the latest in a message.
namespace orrery::sim {

/// `text` without what steers a terminal: control characters, marks that turn the direction of writing, and
/// bytes that are no UTF-8 become '?'; line ends and tabs become spaces.
std::string one_line(std::string_view text);

/// As one_line, for a text of several lines: line ends stay.
std::string plain_lines(std::string_view text);

/// As plain_lines, for a message: shortens lines above 2000 bytes, which quote a file, in the middle, because
/// the remedy is at the end.
std::string message_lines(std::string_view text);

/// `text` for a one-line message: control and non-ASCII bytes become '?', a long one is shortened to `limit`
/// characters.
std::string printable(std::string_view text, std::size_t limit = 24);

/// As printable, for a name given by a person: letters of all alphabets stay (one_line()). `limit` counts
/// bytes.
std::string readable(std::string_view text, std::size_t limit);

/// The path in single quotes for a one-line message; of a long one the end is kept.
std::string quoted(const std::filesystem::path& path);

/// Throws Error "cannot read 'path': <what>".
[[noreturn]] void cannot_read(const std::filesystem::path& path, std::string_view what);
/// Throws Error "cannot write 'path': <what>".
[[noreturn]] void cannot_write(const std::filesystem::path& path, std::string_view what);

/// The meaning of an errno value, for a message.
std::string reason_of(int error_number);

}  // namespace orrery::sim
