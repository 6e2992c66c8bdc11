#pragma once

#include <cstdlib>

namespace orrery::sim::checks {

/// While it lives, GPUs that are configured cut their force evaluations into pieces of so many milliseconds,
/// as they usually do with evaluations of many more bodies (sim/cuda/worker/engine_settings.h).
class ShortSlices {
 public:
  explicit ShortSlices(const char* milliseconds) { setenv("ORRERY_TEST_SLICE_MS", milliseconds, 1); }
  ShortSlices(const ShortSlices&) = delete;
  ShortSlices& operator=(const ShortSlices&) = delete;
  ~ShortSlices() { unsetenv("ORRERY_TEST_SLICE_MS"); }
};

}  // namespace orrery::sim::checks
