#pragma once

#include "app/picture/scene_summary.h"
#include "render/bodies/body_style.h"
#include "sim/options/configuration.h"
#include "sim/options/option.h"

namespace orrery::app {

/// Adds the options of dust: how much there is, and how high its layer is.
void add_dust_options(sim::OptionTable& table);

/// Dust in the disk of a scene; none where the scene is no disk. After the colour mode of `style` is set:
/// dust makes no colours redder that stand for values.
void set_dust_style(render::BodyStyle& style, const sim::Configuration& configuration,
                    const SceneSummary& summary);

}  // namespace orrery::app
