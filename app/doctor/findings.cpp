#include "app/doctor/findings.h"

#include <fmt/format.h>
#include <unistd.h>

#include "app/film/child_process.h"

namespace orrery::app {

std::string install_hint(std::string_view debian, std::string_view fedora) {
  const auto* sudo = geteuid() == 0 ? "" : "sudo ";
  if (is_program("apt-get")) return fmt::format("{}apt-get install {}", sudo, debian);
  if (is_program("dnf")) return fmt::format("{}dnf install {}", sudo, fedora);
  return fmt::format("install {} (its name in Debian)", debian);
}

}  // namespace orrery::app
