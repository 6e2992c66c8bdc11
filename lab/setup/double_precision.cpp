#include "lab/setup/double_precision.h"

#include <fmt/format.h>

#include "lab/setup/free_option.h"
#include "lab/setup/starting_options.h"

namespace orrery::lab {

namespace {

std::array<sim::OptionValue, precision_options.size()> wanted_values() {
  return {std::string("simd-double"), std::string("double"), std::string("compensated"), std::int64_t{1}};
}

}  // namespace

std::string choose_double_precision(const sim::OptionTable& table, sim::Configuration& configuration,
                                    const sim::Scene& scene, const std::vector<std::string>& assignments) {
  if (!scene.wants_double) return {};
  const auto values = wanted_values();
  std::string chosen;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string option = precision_options[k];
    if (!is_free(table, configuration, option, assignments)) continue;
    if (!take(table, configuration, option_context(scene), {option, values[k]})) continue;
    if (sim::why_inactive(table.at(option), configuration).empty())
      chosen += fmt::format("{}{}={}", chosen.empty() ? "" : " ", option, sim::to_string(values[k]));
  }
  if (chosen.empty()) return {};
  return fmt::format("{} bodies, so double precision costs nothing: {}", scene.bodies.size(), chosen);
}

}  // namespace orrery::lab
