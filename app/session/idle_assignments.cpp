#include "app/session/idle_assignments.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/picture/look.h"
#include "app/picture/look_settings.h"
#include "sim/ranks/world.h"

namespace orrery::app {

namespace {

/// True if the look, which is an assignment too, sets the option to the value that it has.
bool is_of_look(const sim::Option& option, const sim::Configuration& configuration) {
  const auto settings = look_settings(sim::read_group<LightOptions>(configuration).look);
  return std::ranges::any_of(settings, [&](const auto& setting) {
    return setting.first == option.name && setting.second == configuration.value(option.name);
  });
}

std::string why_idle(const sim::Option& option, const sim::Configuration& configuration, Draws draws) {
  if (draws == Draws::no && option.scope == sim::OptionScope::display) return "nothing is drawn";
  return sim::why_inactive(option, configuration);
}

}  // namespace

std::vector<std::string> idle_assignments(const sim::OptionTable& table,
                                          const std::vector<std::string>& assignments,
                                          std::span<const sim::Configuration> used, Draws draws) {
  std::vector<std::string> lines;
  for (const auto& assignment : assignments) {
    const auto& option = table.at(assignment.substr(0, assignment.find('=')));
    const auto is_idle = [&](const sim::Configuration& configuration) {
      return configuration.value(option.name) != option.default_value && !is_of_look(option, configuration) &&
             !why_idle(option, configuration, draws).empty();
    };
    if (used.empty() || !std::ranges::all_of(used, is_idle)) continue;
    auto line = fmt::format("{} has no effect here: {}", option.name, why_idle(option, used.front(), draws));
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

void report_idle_assignments(const sim::OptionTable& table, const std::vector<std::string>& assignments,
                             std::span<const sim::Configuration> used, Draws draws) {
  if (sim::world().rank() != 0) return;
  for (const auto& line : idle_assignments(table, assignments, used, draws)) fmt::print(stderr, "{}\n", line);
}

std::vector<sim::Configuration> with_each(const sim::Configuration& configuration, const std::string& option,
                                          const std::vector<std::string>& values) {
  std::vector<sim::Configuration> all(values.size(), configuration);
  for (std::size_t k = 0; k < values.size(); ++k) all[k].set(option, values[k]);
  return all;
}

}  // namespace orrery::app
