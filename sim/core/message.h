#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace orrery::sim {

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
