#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/cpu/kernel.h"

namespace orrery::sim {

/// Forces on some of the bodies, by any kernel with takes_active, or with takes_targets: for these a galaxy's
/// active bodies are put in front of its others.
class ActiveForces {
 public:
  /// Fills all.acceleration of `active`, which are ascending; the others keep theirs. False if interrupted.
  /// all.interactions is filled where all are active.
  bool evaluate(const ForceProblem& all, const CpuKernel& kernel, std::span<const std::uint32_t> active);
  /// Interactions of the last evaluation; 0 where all bodies were active.
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

}  // namespace orrery::sim
