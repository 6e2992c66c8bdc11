#include "sim/cuda/multi_gpu/domain_team.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace orrery::sim::cuda {

std::vector<double> DomainTeam::all_weights(std::vector<double> mine) {
  first_ = {0, mine.size()};
  if (!has_others()) return mine;
  const auto received = deliver<double>(*ranks_, std::vector(processes(), mine));
  std::vector<double> all;
  first_.assign(1, 0);
  for (std::size_t w = 0; w < processes(); ++w) {
    const auto& those = w == self() ? mine : received[w];
    all.insert(all.end(), those.begin(), those.end());
    first_.push_back(all.size());
  }
  return all;
}

std::size_t DomainTeam::process_of(std::size_t domain) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(first_, domain) - first_.begin()) - 1;
}

void DomainTeam::tell(std::size_t domains, const std::function<std::span<std::byte>(std::size_t)>& of) {
  if (!has_others()) return;
  OutgoingPieces mine;
  std::vector<IncomingPieces> from(processes());
  for (std::size_t k = 0; k < domains; ++k) {
    if (is_here(k))
      mine.emplace_back(of(k));
    else
      from[process_of(k)].push_back(of(k));
  }
  std::vector<OutgoingPieces> to(processes(), mine);
  to[self()].clear();
  trade(to, from);
}

double DomainTeam::largest(double mine) {
  if (has_others()) find_largest(*ranks_, {&mine, 1});
  return mine;
}

void DomainTeam::hold(BodyOrder order, std::vector<BodyRange> stretches) {
  order_ = std::move(order);
  stretches_ = std::move(stretches);
  if (!has_others()) return;
  const auto own = stretch_of_process(self());
  moved_.resize(own.size());
  std::iota(moved_.begin(), moved_.end(), static_cast<std::uint32_t>(own.first));
  if (order_ != nullptr)
    for (auto& body : moved_) body = (*order_)[body];
}

BodyRange DomainTeam::stretch_of_process(std::size_t process) const {
  return {stretches_[first_[process]].first, stretches_[first_[process + 1] - 1].last};
}

void DomainTeam::share_bytes(std::span<std::byte> all, std::size_t each) {
  const auto own = stretch_of_process(self());
  std::vector<OutgoingPieces> to(processes());
  std::vector<IncomingPieces> from(processes());
  for (std::size_t w = 0; w < processes(); ++w) {
    if (w == self()) continue;
    const auto those = stretch_of_process(w);
    to[w] = {all.subspan(each * own.first, each * own.size())};
    from[w] = {all.subspan(each * those.first, each * those.size())};
  }
  trade(to, from);
}

void DomainTeam::gather(std::span<Vec3> vectors) {
  if (!has_others()) return;
  // In the order of the curve each domain's bodies lie together.
  std::vector<Vec3> sorted(vectors.size());
  const auto place = [&](std::size_t i) { return order_ == nullptr ? i : (*order_)[i]; };
  const auto own = stretch_of_process(self());
  for (std::size_t i = own.first; i < own.last; ++i) sorted[i] = vectors[place(i)];
  share_bytes(std::as_writable_bytes(std::span(sorted)), sizeof(Vec3));
  for (std::size_t i = 0; i < sorted.size(); ++i) vectors[place(i)] = sorted[i];
}

}  // namespace orrery::sim::cuda
