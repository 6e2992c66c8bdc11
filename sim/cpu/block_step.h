#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/cpu/kernel.h"
#include "sim/physics/integrators/block_levels.h"
#include "sim/physics/integrators/step_rule.h"

namespace orrery::sim {

/// Forces on some of the bodies, by any kernel with takes_active, or with takes_targets: for these a galaxy's
/// active bodies are put in front of its others.
class ActiveForces {
 public:
  /// Fills all.acceleration of `active`, which are ascending; the others keep theirs. False if interrupted.
  /// all.interactions is filled where all are active.
  bool evaluate(const ForceProblem& all, const CpuKernel& kernel, std::span<const std::uint32_t> active);
  /// Interactions that it summed; 0 where all were active.
  double summed() const { return summed_; }

 private:
  bool evaluate_marked(const ForceProblem& all, const CpuKernel& kernel,
                       std::span<const std::uint32_t> active);
  bool evaluate_galaxy(const ForceProblem& all, const CpuKernel& kernel, const GalaxyRange& galaxy,
                       std::span<const std::uint32_t> active);
  void gather(const ForceProblem& all, const GalaxyRange& galaxy, std::span<const std::uint32_t> active);

  double summed_ = 0.0;
  std::vector<std::uint8_t> marks_;
  std::vector<std::uint32_t> order_;
  std::vector<Vec3> position_, acceleration_, scratch_;
  std::vector<float> mass_, charge_;
  std::unique_ptr<KernelMemory> memory_;
};

/// The working state of one step with block time steps.
struct BlockStep {
  const CpuKernel* kernel = nullptr;
  StepCriterion criterion;
  BlockLevels& levels;
  ActiveForces& forces;
};

/// Makes a step in which every body takes kick-drift-kick steps of its own length, chosen by the criterion
/// for its own acceleration where its step begins (as in GADGET: Springel 2005, MNRAS 364, 1105, sec. 4.2).
/// All bodies drift to every moment at which a step ends; only those whose steps end get new forces. The
/// accelerations must be those of the begin, and are those of the end. False if interrupted.
bool make_block_step(StepProblem& problem, const BlockStep& step);

}  // namespace orrery::sim
