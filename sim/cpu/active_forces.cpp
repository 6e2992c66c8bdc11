#include "sim/cpu/active_forces.h"

#include <algorithm>

namespace orrery::sim {

void ActiveForces::gather(const ForceProblem& all, const GalaxyRange& galaxy,
                          std::span<const std::uint32_t> active) {
  order_.assign(active.begin(), active.end());
  auto next = active.begin();
  for (auto i = static_cast<std::uint32_t>(galaxy.first); i < galaxy.last; ++i) {
    if (next != active.end() && *next == i)
      ++next;
    else
      order_.push_back(i);
  }
  const std::size_t count = order_.size();
  position_.resize(count), mass_.resize(count), acceleration_.resize(count);
  charge_.resize(all.state.charge.empty() ? 0 : count);
  for (std::size_t k = 0; k < count; ++k) {
    position_[k] = all.position[order_[k]];
    mass_[k] = all.mass[order_[k]];
    if (!charge_.empty()) charge_[k] = all.state.charge[order_[k]];
  }
}

bool ActiveForces::evaluate_galaxy(const ForceProblem& all, const CpuKernel& kernel,
                                   const GalaxyRange& galaxy, std::span<const std::uint32_t> active) {
  gather(all, galaxy, active);
  double interactions = static_cast<double>(active.size()) * static_cast<double>(galaxy.size());
  const GalaxyRange whole{0, galaxy.size()};
  auto some = all;
  some.position = position_;
  some.mass = mass_;
  some.galaxies = {&whole, 1};
  some.sources = {};
  some.acceleration = acceleration_;
  some.scratch = &scratch_;
  some.memory = &memory_;
  some.interactions = &interactions;
  some.state = {position_, all.state.velocity.subspan(galaxy.first, galaxy.size()), mass_, charge_};
  some.targets = {0, active.size()};
  if (!kernel.evaluate(some)) return false;
  summed_ += interactions;
  for (std::size_t k = 0; k < active.size(); ++k) all.acceleration[active[k]] = acceleration_[k];
  return true;
}

bool ActiveForces::evaluate_marked(const ForceProblem& all, const CpuKernel& kernel,
                                   std::span<const std::uint32_t> active) {
  marks_.assign(all.position.size(), 0);
  for (const auto i : active) marks_[i] = 1;
  auto some = all;
  some.active = marks_;
  some.interactions = &summed_;
  return kernel.evaluate(some);
}

bool ActiveForces::evaluate(const ForceProblem& all, const CpuKernel& kernel,
                            std::span<const std::uint32_t> active) {
  summed_ = 0.0;
  if (active.size() == all.position.size()) return kernel.evaluate(all);
  if (kernel.takes_active) return evaluate_marked(all, kernel, active);
  auto first = active.begin();
  for (const auto& galaxy : all.galaxies) {
    const auto last = std::lower_bound(first, active.end(), galaxy.last);
    if (first != last && !evaluate_galaxy(all, kernel, galaxy, {first, last})) return false;
    first = last;
  }
  return true;
}

}  // namespace orrery::sim
