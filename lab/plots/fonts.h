#pragma once

#include <string>

namespace orrery::plots {

/// False where the machine has no font at all: Cairo then draws plain letters of its own. Asked once.
bool has_font();

/// The text in letters that Cairo's own font has (ASCII): signs of figures as their usual stand-ins ("x" for
/// a multiplication sign), any other letter as "?". `text` is UTF-8.
std::string in_plain_letters(std::string text);

}  // namespace orrery::plots
