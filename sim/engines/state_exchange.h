#pragma once

#include <cstddef>
#include <span>

#include "sim/core/vec3.h"

namespace orrery::sim {

/// Exchange of body states between the workers that share a galaxy. Every worker makes the same calls in the
/// same order; each call waits for all.
class StateExchange {
 public:
  virtual ~StateExchange() = default;
  virtual std::size_t worker() const = 0;   ///< index of this worker: 0 to workers() - 1
  virtual std::size_t workers() const = 0;  ///< number of workers
  /// `vectors` (positions or velocities) of all bodies: this worker's targets are sent, the others filled in.
  virtual void share(std::span<Vec3> vectors) = 0;
  /// Worker w's vectors [bounds[w], bounds[w + 1]) go to all. `bounds` are the same for all.
  virtual void share(std::span<Vec3> vectors, std::span<const std::size_t> bounds) = 0;
  /// True if `mine` is true for all workers.
  virtual bool all(bool mine) = 0;
};

}  // namespace orrery::sim
