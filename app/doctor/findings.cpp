#include "app/doctor/findings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "app/film/child_process.h"

namespace orrery::app {

std::string install_hint(std::string_view debian, std::string_view fedora) {
  const auto* sudo = geteuid() == 0 ? "" : "sudo ";
  if (is_program("apt-get")) return fmt::format("{}apt-get install {}", sudo, debian);
  if (is_program("dnf")) return fmt::format("{}dnf install {}", sudo, fedora);
  return fmt::format("install {} (its name in Debian)", debian);
}

Finding working(std::string name, std::string meaning) {
  return {.name = std::move(name), .meaning = std::move(meaning)};
}
Finding absent(std::string name, std::string why) {
  return {.name = std::move(name), .state = FindingState::absent, .meaning = std::move(why)};
}
Finding missing(std::string name, std::string why, std::string remedy) {
  return {std::move(name), FindingState::missing, std::move(why), std::move(remedy)};
}

}  // namespace orrery::app
