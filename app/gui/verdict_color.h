#pragma once

#include <imgui.h>

#include "sim/simulation/monitor.h"

namespace orrery::app {

/// Green, amber, red.
inline ImVec4 color_of(sim::Verdict verdict) {
  if (verdict == sim::Verdict::good) return {0.35F, 0.85F, 0.45F, 1.0F};
  if (verdict == sim::Verdict::doubtful) return {0.98F, 0.75F, 0.25F, 1.0F};
  return {1.0F, 0.35F, 0.32F, 1.0F};
}

}  // namespace orrery::app
