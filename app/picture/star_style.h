#pragma once

#include "app/picture/look.h"
#include "app/picture/scene_summary.h"
#include "render/bodies/body_style.h"

namespace orrery::app {

/// Datasets with fewer bodies than this show all bodies of a component equally bright.
inline constexpr std::size_t fewest_to_vary = 100;

/// False for a component that gives no light, as a halo among stars does.
bool shines(std::size_t component, const StarOptions& options, const SceneSummary& summary);

/// Sets the options of stars in a style.
void set_star_style(render::BodyStyle& style, const StarOptions& options, const SceneSummary& summary);

/// Sets the colour of a disk's old stars (`old_disk`), which are disk in all else. After all that sets the
/// look of components.
void set_age_style(render::BodyStyle& style, const StarOptions& options);

}  // namespace orrery::app
