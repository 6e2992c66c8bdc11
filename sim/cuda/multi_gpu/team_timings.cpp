#include "sim/cuda/multi_gpu/team_timings.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "sim/cuda/launch/launch.h"

namespace orrery::sim::cuda {

void TeamTimings::start(double interactions) {
  each_.clear();
  all_ = {};
  all_.interactions = interactions;
}

void TeamTimings::begin(std::span<GpuWorker* const> gpus) {
  add_up_interactions(gpus);
  each_.assign(gpus.size(), all_);
  counted_ = each_;
}

void TeamTimings::note_step() {
  const auto launches = launches_of_this_thread();
  launches_of_step_ = launches - std::exchange(launches_, launches);
}

void TeamTimings::add_up_interactions(std::span<GpuWorker* const> gpus) {
  all_.interactions = 0.0;
  for (const auto* gpu : gpus) all_.interactions += gpu->interactions();
}

void TeamTimings::poll(std::span<GpuWorker* const> gpus) {
  for (std::size_t k = 0; k < gpus.size(); ++k) {
    gpus[k]->make_current();
    gpus[k]->queue().poll(each_[k]);
    gpus[k]->read_counts();
  }
  if (each_.empty()) return;
  const auto most = [&](auto member) {
    return std::invoke(member, *std::ranges::max_element(each_, {}, member));
  };
  add_up_interactions(gpus);
  all_.force_ms = most(&StepTimings::force_ms);
  all_.map_ms = 0.0;
  for (auto* gpu : gpus) all_.map_ms = std::max(all_.map_ms, gpu->map().milliseconds());
  all_.update_ms = most(&StepTimings::update_ms);
  const auto& last = *std::ranges::min_element(each_, {}, &StepTimings::evaluations);
  all_.evaluations = last.evaluations;
  all_.sums = last.sums;
  add_measured();
}

void TeamTimings::count_unmeasured(std::span<GpuWorker* const> gpus) {
  for (std::size_t k = 0; k < gpus.size(); ++k) gpus[k]->queue().count_unmeasured(each_[k]);
}

/// The evaluations measured since the last call, once every GPU has some: each took as long as on the
/// slowest.
void TeamTimings::add_measured() {
  auto fewest = std::numeric_limits<std::uint64_t>::max();
  double slowest_ms = 0.0, share = 1.0;
  for (std::size_t k = 0; k < each_.size(); ++k) {
    const auto count = each_[k].measured - counted_[k].measured;
    if (count == 0) return;
    fewest = std::min(fewest, count);
    // Less than 1 on one device alone.
    share = (each_[k].measured_sums - counted_[k].measured_sums) / static_cast<double>(count);
    slowest_ms =
        std::max(slowest_ms, (each_[k].measured_ms - counted_[k].measured_ms) / static_cast<double>(count));
  }
  all_.measured += fewest;
  all_.measured_ms += static_cast<double>(fewest) * slowest_ms;
  all_.measured_sums += static_cast<double>(fewest) * share;
  counted_ = each_;
}

void TeamTimeline::start(std::string_view schedule, std::span<GpuWorker* const> gpus) {
  if (!std::exchange(wanted_, false)) return;
  timeline_.emplace();
  timeline_->schedule = schedule;
  missing_ = gpus.size();
  for (auto* gpu : gpus) {
    gpu->make_current();
    gpu->timeline().start(gpu->info().ordinal, gpu->streams().main());
  }
}

std::optional<Timeline> TeamTimeline::take(std::span<GpuWorker* const> gpus) {
  if (!timeline_ || missing_ == 0) return std::nullopt;
  for (auto* gpu : gpus) {
    gpu->make_current();
    auto spans = gpu->timeline().take();
    if (!spans) continue;
    timeline_->spans.insert(timeline_->spans.end(), spans->begin(), spans->end());
    --missing_;
  }
  if (missing_ > 0) return std::nullopt;
  return std::exchange(timeline_, std::nullopt);
}

}  // namespace orrery::sim::cuda
