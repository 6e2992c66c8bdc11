#include "lab/setup/double_precision.h"

#include <fmt/format.h>

#include "lab/setup/free_option.h"
#include "lab/setup/starting_options.h"

namespace orrery::lab {

namespace {

constexpr std::array<const char*, precision_options.size()> values{"simd-double", "double", "compensated"};

}  // namespace

std::string choose_double_precision(const sim::OptionTable& table, sim::Configuration& configuration,
                                    const sim::Scene& scene, const std::vector<std::string>& assignments) {
  if (!scene.wants_double) return {};
  std::string chosen;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string option = precision_options[k];
    if (!is_free(table, configuration, option, assignments)) continue;
    if (!take(table, configuration, option_context(scene), {option, values[k]})) continue;
    if (sim::why_inactive(table.at(option), configuration).empty())
      chosen += fmt::format("{}{}={}", chosen.empty() ? "" : " ", option, values[k]);
  }
  if (chosen.empty()) return {};
  return fmt::format("{} bodies, so double precision costs nothing: {}", scene.bodies.size(), chosen);
}

}  // namespace orrery::lab
