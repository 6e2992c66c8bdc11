#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/engines/engine.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/physics/physics.h"
#include "sim/simulation/monitor.h"

namespace orrery::sim {

/// Watches the energy of a run that steps by itself, without a window: of its first state, of its last one,
/// and of up to sixteen in between, if the run is so long that looking takes no more than some hundredth of
/// it. Up to 100 000 bodies, and in long runs with more, W is summed over all bodies; else over a sample, and
/// of more than two million, and in short runs on a GPU, nothing is known. Where the energy is lost between
/// two looks these steps are made once more to find the encounter that they do not resolve.
class EnergyWatch {
 public:
  /// Watches a run of these bodies, which must outlive it, to step `last`; the run is at its first state.
  /// With several processes the first one looks, and all make the same calls.
  EnergyWatch(const Bodies& bodies, std::uint64_t last);

  /// Call before the first step and after each; looks if it is time. True if it made steps once more.
  bool look(Engine& engine, const Physics& physics);
  /// The run ends at this step after all.
  void end_at(std::uint64_t last) { last_ = last; }
  /// (E - E0) / |E0| at the last look; none: nothing is known.
  std::optional<double> drift() const;
  /// "energy changed by +1.2e-05", with its standard error if that is not small; empty: nothing is known.
  /// `steps`: of the run, which may have ended since the last look.
  std::string text(std::uint64_t steps) const;
  /// When the energy changed by more than it may, why and what helps, as far as that is known, in one line;
  /// empty: it did not.
  const std::string& problem() const { return problem_; }

 private:
  /// Two bodies on their way past each other.
  struct Encounter {
    std::size_t a = 0, b = 0;
    double distance = 0.0;
    double steps = 1e9;  ///< duration in steps: distance, softened, over the path of a step
    std::uint64_t at = 0;
  };
  void begin(const Engine& engine);
  Diagnostics measure(const Physics& physics) const;
  std::string reason(Engine& engine, const Physics& physics);
  Encounter closest(const Physics& physics, std::uint64_t step) const;

  const Bodies& of_;
  std::vector<GalaxyRange> galaxies_ = of_.galaxies();
  Bodies state_;  ///< positions and velocities of the last look
  std::uint64_t first_ = 0, last_, next_ = 0, seen_ = 0;
  bool begun_ = false, on_gpu_ = false, leaves_out_ = true;
  bool sums_all_ = true;  ///< W of all looks is summed over all bodies; else over a sample
  std::optional<Diagnostics> start_;
  Health health_;                    ///< the drift of the last look
  std::optional<EngineState> good_;  ///< state of the last look at which all was well; none: not kept
  std::string problem_;
};

}  // namespace orrery::sim
