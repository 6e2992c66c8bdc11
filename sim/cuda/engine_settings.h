#pragma once

#include <algorithm>

#include "sim/cuda/kernel_configuration.h"
#include "sim/physics/integrator.h"
#include "sim/tuning/simulation_options.h"

namespace orrery::sim::cuda {

/// What the CUDA engine reads from a configuration, once for each change.
struct EngineSettings {
  KernelConfiguration kernel;
  const Integrator* integrator = nullptr;
  double dt = 0.0;
  double gravitational_constant = 1.0;
  double softening = 0.0;
  ForceModel force;
  bool round_trip = false;  ///< bodies live on the host
  bool pinned = true;       ///< page-locked memory for copies
  double slice_ms = 250.0;
  int device = 0;  ///< CUDA ordinal

  explicit EngineSettings(const Configuration& c)
      : kernel(kernel_configuration(c)),
        integrator(find_integrator(c.choice("integrator"))),
        dt(c.real("time-step")),
        gravitational_constant(c.real("gravity")),
        softening(c.real("softening")),
        force(force_model(c)),
        round_trip(c.choice("transfers") == "round-trip"),
        pinned(c.choice("host-memory") == "pinned"),
        slice_ms(c.real("slice")),
        device(static_cast<int>(std::max<std::int64_t>(c.integer("device"), 0))) {}

  std::size_t real_bytes() const { return static_cast<std::size_t>(kernel.precision) / 8; }
  /// True if accelerations computed with `other` are right with these settings too.
  bool same_forces(const EngineSettings& other) const {
    return gravitational_constant == other.gravitational_constant && softening == other.softening &&
           force == other.force && round_trip == other.round_trip;
  }
};

}  // namespace orrery::sim::cuda
