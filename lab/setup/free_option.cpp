#include "lab/setup/free_option.h"

#include <algorithm>

namespace orrery::lab {

bool chooses(const std::string& assignment, const std::string& option) {
  return assignment.starts_with(option + "=");
}

bool is_free(const sim::OptionTable& table, const sim::Configuration& configuration,
             const std::string& option, const std::vector<std::string>& assignments) {
  const auto by_hand = [&](const std::string& each) { return chooses(each, option); };
  return configuration.value(option) == table.defaults().value(option) &&
         std::ranges::none_of(assignments, by_hand);
}

bool take(const sim::OptionTable& table, sim::Configuration& configuration, const sim::OptionContext& context,
          const ChosenValue& chosen) {
  const auto& [option, value] = chosen;
  auto changed = configuration;
  changed.set(option, value);
  if (!sim::refusal_of(table, changed, context).empty() &&
      sim::refusal_of(table, configuration, context).empty())
    return false;
  if (!table.refusal(table.at(option), value, configuration, context).empty()) return false;
  configuration = std::move(changed);
  return true;
}

}  // namespace orrery::lab
