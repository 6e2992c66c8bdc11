#pragma once

#include <string>
#include <string_view>

namespace orrery::plots {

/// False where the machine has no font at all: Cairo then draws plain letters of its own. Asked once.
bool has_font();

/// The text in letters that Cairo's own font has (ASCII): signs of figures as their usual stand-ins ("x" for
/// a multiplication sign), letters of Latin, Greek and Cyrillic as they are written in ASCII, any other as
/// "?". `text` is UTF-8.
std::string in_plain_letters(std::string text);

/// The letter of a text in UTF-8 that begins at byte `at`, which is then moved past it.
char32_t next_letter(std::string_view text, std::size_t& at);

/// A letter of Latin, Greek or Cyrillic in ASCII: "e" for U+00E9, "alpha" for U+03B1, "Yu" for U+042E.
/// Accents that stand alone are "". Null: there is no usual way.
const char* in_ascii(char32_t letter);

}  // namespace orrery::plots
