#include "sim/cuda/worker/force_work.h"

#include <algorithm>

namespace orrery::sim::cuda {

namespace {
constexpr double usual_interactions = 2000.0;  ///< on a body, of approximate families
}  // namespace

void WorkerShare::set(const Partition& share, std::span<const GalaxyRange> global_galaxies,
                      std::span<const GalaxyRange> global_sources) {
  partition_ = share;
  slices_.clear();
  sources_.clear();
  const auto local = [&](std::size_t body) { return body - share.held.first; };
  for (std::size_t k = 0; k < global_galaxies.size(); ++k) {
    const auto& galaxy = global_galaxies[k];
    const std::size_t begin = std::max(galaxy.first, share.targets.first);
    const std::size_t end = std::min(galaxy.last, share.targets.last);
    if (begin >= end) continue;
    if (slices_.empty()) first_galaxy_ = k;
    slices_.push_back({{local(galaxy.first), local(galaxy.last)}, local(begin), local(end)});
    sources_.push_back({local(global_sources[k].first), local(global_sources[k].last)});
  }
}

void WorkerShare::choose_sources(bool leaves_out, bool approximate) {
  all_ = slices_;
  some_.clear();
  interactions_ = 0.0;
  for (std::size_t k = 0; k < all_.size(); ++k) {
    if (leaves_out) all_[k].galaxy = sources_[k];
    interactions_ += all_[k].interactions();
  }
  if (approximate)
    interactions_ = std::min(interactions_, usual_interactions * static_cast<double>(bodies()));
}

}  // namespace orrery::sim::cuda
