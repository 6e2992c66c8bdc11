#include "sim/cuda/multi_gpu/domain_balance.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace orrery::sim::cuda {

namespace {

constexpr std::string_view present_array = "domain-balance", last_array = "domain-balance-of-forces";

/// Borders are moved where a domain has so much more to do than the mean.
constexpr double uneven = 1.01;
/// A new cut takes as long as that many evaluations for each part: it goes through the host.
constexpr double evaluations_of_a_cut = 30.0;
/// An imported body costs so much more than another one, in parts of that.
constexpr double cost_of_import = 0.3;
/// Imports, in parts of all bodies, above which a cut that knew nothing of costs is made again.
constexpr double many_imports = 0.125;
/// Costs are known after the first evaluation, and change the borders of the third one.
constexpr std::uint32_t first_moved = 3;

}  // namespace

DomainBalance::DomainBalance(GalaxyCut& cut, std::vector<double> weights)
    : cut_(cut), weights_(std::move(weights)), costs_(weights_.size()) {
  std::ranges::copy(cut_.borders(), state_.later.begin());
}

void DomainBalance::note(std::vector<std::vector<tree::PieceCost>> costs) {
  costs_ = std::move(costs);
  state_.is_noted = 1;
  const auto present = cut_.borders();
  const auto later = largest_share() > uneven ? even_borders(costs_, weights_, present)
                                              : std::vector(present.begin(), present.end());
  std::ranges::copy(later, state_.later.begin());
}

std::vector<tree::PieceCost> DomainBalance::costs() const {
  std::vector<tree::PieceCost> all;
  for (const auto& pieces : costs_)
    std::ranges::copy_if(pieces, std::back_inserter(all), [](const auto& piece) { return piece.bodies > 0; });
  return all;
}

double DomainBalance::largest_share() const { return cuda::largest_share(costs_, weights_); }

void DomainBalance::begin_evaluation() {
  last_ = present();
  if (!step_) step_ = last_;
}

void DomainBalance::count_imports(std::size_t imports, std::size_t bodies) {
  ++state_.evaluations;
  const double part = static_cast<double>(imports) / static_cast<double>(bodies);
  if (state_.is_measured == 0 && state_.evaluations == first_moved && part > many_imports) state_.is_due = 1;
  state_.wasted += cost_of_import * part;
  if (state_.wasted > evaluations_of_a_cut * static_cast<double>(weights_.size())) state_.is_due = 1;
}

void DomainBalance::end_evaluation() {
  const auto later = std::span(state_.later).first(weights_.size());
  if (state_.evaluations > 1) cut_.move_borders({later.begin(), later.end()});
  state_.is_noted = 0;
}

void DomainBalance::begin_step(bool with_forces) {
  if (with_forces)
    step_ = last_;
  else
    step_.reset();
}

void DomainBalance::give_up_step() {
  if (step_) go_on_from(*step_);
}

DomainBalance::State DomainBalance::present() const {
  auto state = state_;
  std::ranges::copy(cut_.borders(), state.begins.begin());
  return state;
}

void DomainBalance::go_on_from(const State& state) {
  state_ = state;
  const auto begins = std::span(state.begins).first(weights_.size());
  cut_.move_borders({begins.begin(), begins.end()});
}

void DomainBalance::save(EngineState& state, bool within_step) const {
  const auto now = within_step && step_ ? *step_ : present();
  state.add(present_array, std::span(&now, 1));
  if (!within_step && last_) state.add(last_array, std::span(&*last_, 1));
}

bool DomainBalance::take(const EngineState& state) {
  State now, last;
  if (!state.read(present_array, std::span(&now, 1)) || !is_valid(now)) return false;
  last_.reset();
  step_.reset();
  if (state.read(last_array, std::span(&last, 1)) && is_valid(last)) last_ = last;
  go_on_from(now);
  return true;
}

/// A checkpoint may be damaged.
bool DomainBalance::is_valid(const State& state) const {
  const auto are_borders = [&](const auto& all) {
    const auto keys = std::span(all).first(weights_.size());
    return keys.front() == 0 && std::ranges::is_sorted(keys) && keys.back() <= end_of_keys;
  };
  return state.is_noted == 1 && are_borders(state.begins) && are_borders(state.later);
}

}  // namespace orrery::sim::cuda
