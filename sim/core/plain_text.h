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

/// The same of a text with several lines, which keeps their ends.
std::string plain_lines(std::string_view text);

/// The same for a message: of a line longer than 2000 bytes, which quotes a text of a file, the middle is
/// left out. What the message says to do stands at its end.
std::string message_lines(std::string_view text);

}  // namespace orrery::sim
