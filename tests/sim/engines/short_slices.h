#pragma once

#include <utility>

#include "sim/cuda/worker/engine_settings.h"

namespace orrery::sim::checks {

/// While it lives, GPUs that are configured cut their force evaluations into pieces of so many milliseconds,
/// as they usually do with evaluations of many more bodies.
class ShortSlices {
 public:
  explicit ShortSlices(double milliseconds) : before_(std::exchange(cuda::longest_slice_ms, milliseconds)) {}
  ShortSlices(const ShortSlices&) = delete;
  ShortSlices& operator=(const ShortSlices&) = delete;
  ~ShortSlices() { cuda::longest_slice_ms = before_; }

 private:
  double before_;
};

}  // namespace orrery::sim::checks
