#include "app/commands/catalogue.h"

#include <algorithm>
#include <array>

namespace orrery::app {

extern const Command view_command;
extern const Command render_command;
extern const Command bench_command;
extern const Command ladder_command;
extern const Command sweep_command;
extern const Command pipeline_command;
extern const Command tune_command;
extern const Command verify_command;
extern const Command make_command;
extern const Command convert_command;
extern const Command info_command;
extern const Command devices_command;
extern const Command kernels_command;

std::span<const Command* const> commands() {
  static constexpr std::array<const Command*, 13> all{
      &view_command,     &render_command,  &bench_command,  &ladder_command, &sweep_command,
      &pipeline_command, &tune_command,    &verify_command, &make_command,   &convert_command,
      &info_command,     &devices_command, &kernels_command};
  return all;
}

const Command* find_command(std::string_view name) {
  const auto all = commands();
  const auto found = std::ranges::find(all, name, [](const Command* each) { return each->name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace orrery::app
