#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/bodies/partition.h"
#include "sim/core/vec3.h"
#include "sim/cpu/simd/instruction_sets.h"
#include "sim/engines/timeline.h"
#include "sim/physics/integrators/integrator.h"
#include "sim/physics/laws/force_law.h"
#include "sim/tree/tree_settings.h"

namespace orrery::sim {

class CurveShare;
class Octree;

/// Memory that a kernel keeps from one evaluation to the next, whatever the bodies.
struct KernelMemory {
  virtual ~KernelMemory() = default;
};

/// Everything that one force evaluation reads and writes. Views, owned by the engine.
struct ForceProblem {
  std::span<const Vec3> position;
  std::span<const float> mass;
  std::span<const GalaxyRange> galaxies;  ///< cover the bodies; no force between them
  float gravitational_constant = 1.0F;
  float softening_squared = 0.0F;  ///< epsilon^2, added to every squared distance
  int threads = 1;
  const std::atomic<bool>* interrupt = nullptr;     ///< once true, stays true until the evaluation returns
  std::span<Vec3> acceleration;                     ///< result
  std::vector<Vec3>* scratch = nullptr;             ///< kept between evaluations; a kernel may resize it
  std::unique_ptr<KernelMemory>* memory = nullptr;  ///< as `scratch`; a kernel may put its own there
  double* interactions = nullptr;  ///< result of kernels that do not compute every pair: what they summed
  TreeSettings tree = {};          ///< settings of kernels with a tree
  /// The trees in `memory` are of these bodies a few steps ago, and their order and cells may be used again.
  bool keeps_cells = false;
  void (*change_tree)(Octree&) = nullptr;  ///< called for each tree that is built or moved: tests break it
  const ForceLaw* law = nullptr;  ///< one that is not inlined in the kernels; nullptr: gravity, as below
  ForceState state = {};          ///< state that `law` reads
  ForceConstants constants = {};
  /// Instruction set of kernels with vector instructions; nullptr: the widest that this CPU has.
  const InstructionSet* instructions = nullptr;
  /// Kernels with takes_targets compute these bodies only; what they leave out is computed elsewhere.
  BodyRange targets = {0, std::numeric_limits<std::size_t>::max()};
  /// Kernels with takes_active compute those of the targets that have a 1 here; empty: all of them.
  std::span<const std::uint8_t> active = {};

  /// Bodies that exert forces in each galaxy (sources_of); empty: all of its bodies.
  std::span<const GalaxyRange> sources = {};

  /// If workers share galaxies: the part of a tree that this worker computes, instead of its targets. A
  /// kernel that begins it leaves its accelerations there. Else nullptr.
  CurveShare* curve = nullptr;

  /// The sources of `galaxy`, which is one of `galaxies`. Kernels that compute both ends of a pair at once
  /// take whole galaxies instead: bodies without mass add 0.
  const GalaxyRange& sources_in(const GalaxyRange& galaxy) const {
    return sources.empty() ? galaxy : sources[static_cast<std::size_t>(&galaxy - galaxies.data())];
  }
  /// The bodies of `galaxy` to compute; perhaps none.
  BodyRange targets_in(const GalaxyRange& galaxy) const {
    const auto first = std::clamp(targets.first, galaxy.first, galaxy.last);
    return {first, std::clamp(targets.last, first, galaxy.last)};
  }
  const InstructionSet& instruction_set() const {
    return instructions != nullptr ? *instructions : sim::instruction_set("auto");
  }
  bool interrupted() const { return interrupt != nullptr && interrupt->load(std::memory_order_relaxed); }
};

/// One phase of a step, with its times.
struct StepPart {
  using Clock = std::chrono::steady_clock;
  TimelineKind activity = TimelineKind::forces;
  Clock::time_point start, end;
  /// Interactions that a partial evaluation summed; 0: the evaluation was for all bodies.
  double interactions = 0.0;

  double milliseconds() const { return std::chrono::duration<double, std::milli>(end - start).count(); }
};

/// A whole step, for kernels that put forces and updates into one parallel region.
struct StepProblem {
  ForceProblem force;
  Motion motion;  ///< before: the state at t; after: at t + dt
  const Integrator* integrator = nullptr;
  double dt = 0.0;
  /// Called by one thread after the last force evaluation, while positions still are those of the forces.
  /// Exceptions reach the caller of the step; the motion is then unusable.
  std::function<void()> after_forces;
  std::vector<StepPart> parts = {};  ///< result: updates and force evaluations, in order

  /// Notes a part that ends now.
  void note(TimelineKind activity, StepPart::Clock::time_point start, double interactions = 0.0) {
    parts.push_back({activity, start, StepPart::Clock::now(), interactions});
  }
};

/// One way to compute the forces on the CPU. Each lives in its own file; adding one takes that file and one
/// line in kernels/CMakeLists.txt. All give the same physics: a_i = G sum_j m_j (x_j - x_i) / (r_ij^2 +
/// eps^2)^(3/2), or that of problem.law; approximate ones within an error that options set.
struct CpuKernel {
  std::string_view name;     ///< as in --set kernel=NAME
  std::string_view meaning;  ///< one line for the panel and the help, with the report it comes from
  /// GInteractions/s of two threads with AVX-512; 0: not known. Only the order counts: tuning tries fast ones
  /// first.
  double usual_rate = 0.0;
  bool threaded;         ///< false: the option `threads` does nothing
  bool same_bits;        ///< the result does not depend on the number of threads, bit for bit
  bool vectors = false;  ///< the option `instructions` chooses what it runs; other sets give other last bits
  /// Why the kernel computes gravity only; empty if it also computes other laws.
  std::string_view gravity_only = {};
  /// Fills problem.acceleration. False if interrupted; the accelerations are then unusable.
  bool (*evaluate)(const ForceProblem& problem);
  /// The whole step, of as many force evaluations as the integrator has; nullptr: the engine moves the bodies
  /// around `evaluate`. False if interrupted; the motion is then unusable.
  bool (*step)(StepProblem& problem) = nullptr;
  /// True if the kernel computes problem.targets only, so that processes can share a galaxy.
  bool takes_targets = false;
  /// True if the kernel computes problem.active only, too.
  bool takes_active = false;
  /// True if the kernel neglects parts of distant bodies' forces, within a stated error.
  bool approximate = false;
};

/// Why a kernel without takes_targets is refused where processes share a galaxy, and what to do.
inline constexpr std::string_view shares_no_galaxy =
    "it computes whole galaxies, and here processes share one; use simd, or as many galaxies as "
    "processes";

/// All CPU kernels, simplest first.
std::span<const CpuKernel* const> cpu_kernels();
/// The kernel of that name, or nullptr.
const CpuKernel* find_cpu_kernel(std::string_view name);

}  // namespace orrery::sim
