#include "app/picture/display_options.h"

#include "app/picture/effects/effect.h"
#include "app/picture/look.h"
#include "sim/simulation/simulation_options.h"

namespace orrery::app {

sim::OptionTable all_options() {
  sim::OptionTable table;
  sim::add_simulation_options(table);
  sim::add_group<ColorOptions>(table);
  sim::add_group<LightOptions>(table);
  sim::add_group<BodyOptions>(table);
  sim::add_group<StarOptions>(table);
  add_effect_options(table);
  sim::add_group<PictureOptions>(table);
  sim::add_group<OverlayOptions>(table);
  sim::add_group<TrailOptions>(table);
  sim::add_group<MapLookOptions>(table);
  sim::add_group<PaceOptions>(table);
  return table;
}

}  // namespace orrery::app
