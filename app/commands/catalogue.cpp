#include "app/commands/catalogue.h"

#include <algorithm>

#include "commands.h"

namespace orrery::app {

std::span<const Command* const> commands() { return registry::commands; }

const Command* find_command(std::string_view name) {
  const auto all = commands();
  const auto found = std::ranges::find(all, name, [](const Command* each) { return each->name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace orrery::app
