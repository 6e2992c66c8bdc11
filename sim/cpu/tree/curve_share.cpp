#include "sim/cpu/tree/curve_share.h"

#include <algorithm>
#include <limits>

namespace orrery::sim {

namespace {

constexpr auto no_body = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void CurveShare::begin(std::span<const GalaxyRange> galaxies, std::size_t group_size) {
  galaxies_.assign(galaxies.begin(), galaxies.end());
  group_size_ = std::max<std::size_t>(1, group_size);
  first_group_.assign(1, 0);
  for (const auto& galaxy : galaxies_)
    first_group_.push_back(first_group_.back() + (galaxy.size() + group_size_ - 1) / group_size_);
  const std::size_t bodies = galaxies_.empty() ? 0 : galaxies_.back().last;
  acceleration_.resize(bodies);
  order_.assign(bodies, no_body);
  // The first time, all groups count the same.
  if (work_.size() != first_group_.back()) work_.assign(first_group_.back(), Vec3{1.0F, 0.0F, 0.0F});
  new_work_.resize(work_.size());
  cut();
  begun_ = true;
}

/// Every worker gets the groups in the middle of whose work its share of all work is.
void CurveShare::cut() {
  double all = 0.0;
  for (const auto& group : work_) all += static_cast<double>(group.x);
  const std::size_t workers = bounds_.size() - 1;
  std::ranges::fill(bounds_, work_.size());
  bounds_[0] = 0;
  double sum = 0.0;
  std::size_t next = 1;
  for (std::size_t k = 0; k < work_.size(); ++k) {
    const double middle = sum + 0.5 * static_cast<double>(work_[k].x);
    while (next < workers && middle >= all * static_cast<double>(next) / static_cast<double>(workers))
      bounds_[next++] = k;
    sum += static_cast<double>(work_[k].x);
  }
}

BodyRange CurveShare::all_groups(const GalaxyRange& galaxy) const {
  const auto found = std::ranges::lower_bound(galaxies_, galaxy.first, {}, &GalaxyRange::first);
  const auto k = static_cast<std::size_t>(found - galaxies_.begin());
  return {first_group_[k], first_group_[k + 1]};
}

BodyRange CurveShare::groups_in(const GalaxyRange& galaxy) const {
  const auto all = all_groups(galaxy);
  const auto within = [&](std::size_t bound) { return std::clamp(bound, all.first, all.last) - all.first; };
  return {within(bounds_[worker_]), within(bounds_[worker_ + 1])};
}

void CurveShare::note_work(const GalaxyRange& galaxy, std::size_t group, double work) {
  new_work_[all_groups(galaxy).first + group].x = static_cast<float>(work);
}

void CurveShare::note_order(const GalaxyRange& galaxy, std::span<const std::uint32_t> order) {
  for (std::size_t k = 0; k < order.size(); ++k)
    order_[galaxy.first + k] = static_cast<std::uint32_t>(galaxy.first) + order[k];
}

/// Where the positions of a group begin; of the one after the last, their end.
std::size_t CurveShare::place_of(std::size_t group) const {
  if (galaxies_.empty()) return 0;
  if (group >= first_group_.back()) return galaxies_.back().last;
  const auto next = std::ranges::upper_bound(first_group_, group);
  const auto galaxy = static_cast<std::size_t>(next - first_group_.begin()) - 1;
  return galaxies_[galaxy].first + (group - first_group_[galaxy]) * group_size_;
}

void CurveShare::bring_together(StateExchange& exchange, BodyRange targets, std::span<Vec3> acceleration) {
  begun_ = false;
  std::vector<std::size_t> places;
  for (const auto bound : bounds_) places.push_back(place_of(bound));
  exchange.share(acceleration_, places);
  exchange.share(new_work_, bounds_);
  work_.swap(new_work_);
  for (std::size_t place = 0; place < order_.size(); ++place) {
    const std::size_t body = order_[place];
    if (body >= targets.first && body < targets.last) acceleration[body] = acceleration_[place];
  }
}

}  // namespace orrery::sim
