#pragma once

#include <imgui.h>

#include "app/gui/theme.h"
#include "sim/simulation/monitor.h"

namespace orrery::app {

/// Green, amber, red.
inline ImVec4 color_of(sim::Verdict verdict) {
  if (verdict == sim::Verdict::good) return good_color();
  return verdict == sim::Verdict::doubtful ? doubtful_color() : wrong_color();
}

}  // namespace orrery::app
