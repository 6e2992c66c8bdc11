#pragma once

#include <string>

namespace orrery::app {

/// The manual page orrery(1) in the macros of man(7), made from the subcommands, their arguments, the table
/// of options and the built-in galaxies. It says nothing of the machine that it is made on.
std::string manual_page();

}  // namespace orrery::app
