#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/picture/scene_summary.h"
#include "sim/options/configuration.h"
#include "sim/options/option.h"
#include "sim/options/option_member.h"
#include "sim/scene/scene.h"

namespace orrery::app {

/// The options of velocity arrows: which bodies have them and how many, and how long they are.
struct ArrowOptions {
  sim::FormValue arrows;
  double length = 0.0;  ///< of the arrow of a fast body, in hundredths of the picture's height
};
template <typename Visit>
void for_each_value(ArrowOptions& options, const Visit& visit) {
  visit("arrows", options.arrows);
  visit("arrow-length", options.length);
}

/// Describes the options of arrows.
void add_arrow_options(sim::OptionTable& table);

/// True if any body has an arrow.
bool shows_arrows(const sim::Configuration& configuration);

/// All that decides which bodies of a scene have arrows.
struct ArrowChoice {
  std::string which;                           ///< the option
  std::array<float, 8> component_weight = {};  ///< as of render::BodyStyle
  friend bool operator==(const ArrowChoice&, const ArrowChoice&) = default;
};
ArrowChoice arrow_choice(const sim::Configuration& configuration, const SceneSummary& summary);

/// The numbers of the bodies that have arrows, rising: of those that are drawn, some by lot, which are always
/// the same, or the heaviest.
std::vector<std::uint32_t> bodies_with_arrows(const sim::Configuration& configuration,
                                              const sim::Scene& scene, const SceneSummary& summary);

}  // namespace orrery::app
