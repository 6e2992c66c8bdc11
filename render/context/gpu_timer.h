#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "render/context/gl_object.h"

namespace orrery::render {

/// Deletes a query object; 0 is ignored.
void destroy_query(GlName name);

/// Times stretches of drawing on the GPU's own clock (GL_TIME_ELAPSED) and never waits for a result.
/// Stretches must not overlap those of any other timer of the context. Drivers in software give
/// times of no use.
class GpuTimer {
 public:
  /// Needs a current context.
  GpuTimer();

  /// Starts a stretch under a label of the caller's. False, and nothing is timed, while all queries wait for
  /// their results. After true, end() must follow.
  bool begin(std::uint64_t label);
  void end();

  /// Labels and milliseconds of the stretches that the GPU has finished since the last call, oldest first.
  std::vector<std::pair<std::uint64_t, double>> take();

 private:
  struct Stretch {
    GlObject<destroy_query> query;
    std::uint64_t label = 0;
  };
  std::array<Stretch, 16> ring_;
  std::size_t first_ = 0;    ///< the oldest that waits
  std::size_t waiting_ = 0;  ///< number of waiting queries
};

}  // namespace orrery::render
