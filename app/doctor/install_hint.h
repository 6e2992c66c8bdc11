#pragma once

#include <string>
#include <string_view>

namespace orrery::app {

/// The command that installs a package here, by apt or dnf; without either the package's name in Debian.
std::string install_hint(std::string_view debian, std::string_view fedora);

}  // namespace orrery::app
