#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"

namespace orrery::app {

namespace {

void draw_map(PanelContext& context) {
  if (!context.session.has_dataset()) return;
  option_groups(context, {"map"});
}

}  // namespace

extern const Panel map_panel{"Activity map", false, draw_map, PanelTab::picture};

}  // namespace orrery::app
