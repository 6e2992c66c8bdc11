#pragma once

#include <optional>

#include "sim/engines/vertex_frame.h"
#include "sim/physics/integrators/integrator.h"

namespace orrery::sim::cuda {

/// The way in which every GPU writes its bodies of the last complete step, 4 floats per body.
struct BodyWrite {
  /// The update after the last forces where it is still to be done: it writes the bodies on its way.
  std::optional<MotionUpdate> update = std::nullopt;
  bool counts_map = false;                          ///< with the update, the activity map
  bool from_backup = false;                         ///< a step is under way: as the bodies were before it
  std::optional<VertexFrame> frame = std::nullopt;  ///< the numbers are those seen in it
  bool has_begun = false;  ///< set by the first GPU that writes: the update is not to be done again
};

}  // namespace orrery::sim::cuda
