#pragma once

#include <string>
#include <string_view>

// Texts of files, as terminals and windows may show them. Whatever comes from a file goes through here before
// it is shown: on reading where its form is known (clean_texts in json_text.h, scenes), at the latest in a
// message.
namespace orrery::sim {

/// `text` without what steers a terminal: control characters, marks that turn the direction of writing, and
/// bytes that are no UTF-8 become '?'; line ends and tabs become spaces.
std::string one_line(std::string_view text);

/// As one_line, for a text of several lines: line ends stay.
std::string plain_lines(std::string_view text);

/// As plain_lines, for a message: shortens lines above 2000 bytes, which quote a file, in the middle, because
/// the remedy is at the end.
std::string message_lines(std::string_view text);

}  // namespace orrery::sim
