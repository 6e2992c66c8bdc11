#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "sim/core/time_account.h"
#include "sim/cuda/cuda_engine.h"
#include "sim/options/engine_option.h"

// One galaxy on several devices, in domains (multi_gpu/galaxy_cut.h, multi_gpu/tree_exchange.h).
namespace orrery::sim::cuda {

/// Each GPU of a team has a domain.
constexpr std::size_t least_bodies_of_a_domain = 64;

void CudaEngine::join(Communicator& ranks, bool in_domains) try {
  team_.join(ranks, in_domains);
  choose_settings();
  // From now on it is known who has which bodies.
  if (settings_) upload();
} catch (const Error& error) {
  explain_loss(error);
}

/// What the options' own check knows already, for engines that are used without it; and block time steps.
void CudaEngine::refuse_sharing(const EngineSettings& settings) const {
  const auto split = team_.in_domains() ? Split::domains : Split::bodies;
  if (const auto reason = team_refusal(*configuration_, split, galaxies_.size()); !reason.empty())
    throw UsageError(fmt::format("family={}: {}", settings.kernel.family->name, reason));
  if (settings.kernel.block_steps)
    throw UsageError("step=block does not run on GPUs of several processes; use step=fixed");
  // An MPI that takes no addresses of GPU memory would fault there. The memory of emulated GPUs is the
  // host's.
  if (settings.ranks_transfer == RanksTransfer::direct && !is_emulated(*configuration_) &&
      team_.gpu_addresses() == GpuAddresses::refused)
    throw UsageError(
        "ranks-transfer=direct needs a CUDA-aware MPI, and this one does not say that it is; use "
        "ranks-transfer=auto");
}

/// Where processes share galaxies body by body.
void CudaEngine::hold_bodies(std::span<const Partition> shares) {
  if (!team_.has_others()) return;
  std::vector<BodyRange> targets;
  for (const auto& share : shares) targets.push_back(share.targets);
  if (std::ranges::any_of(targets, &BodyRange::empty))
    throw UsageError(
        fmt::format("{} bodies are too few for {} GPUs; use fewer processes", count(), targets.size()));
  team_.hold(nullptr, std::move(targets));
}

/// By what the bodies have cost, as far as it is known.
void CudaEngine::share_domains() {
  const auto weights = team_.all_weights(weights_of_parts());
  if (team_.has_others() && count() < least_bodies_of_a_domain * weights.size())
    throw UsageError(
        fmt::format("domains on {} GPUs need {} bodies or more, and there are {}; use fewer "
                    "processes",
                    weights.size(), least_bodies_of_a_domain * weights.size(), count()));
  cut_.cut(host_.position, weights);
  drop_shares();
  std::vector<double> used;
  std::vector<GpuWorker*> parts;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const auto& stretch = cut_.stretches()[k];
    if (stretch.empty()) continue;
    used.push_back(weights[k]);
    parts.push_back(team_.is_here(k) ? parts_[k - team_.first()].get() : nullptr);
    if (!team_.is_here(k)) continue;
    const GalaxyRange own{stretch.first, stretch.last};
    parts.back()->set_partition({stretch, stretch}, {&own, 1}, {&own, 1});
    active_.push_back(parts.back());
  }
  const auto stretches = cut_.stretches();
  team_.hold(cut_.order(), {stretches.begin(), stretches.end()});
  port_->set_order(home(), cut_.order());
  domains_ = std::make_unique<TreeExchange>(parts, std::move(used), cut_, team_, settings_->ranks_transfer);
  timings_.begin(active_);
}

/// What a compensated state has besides would be lost on the way through the host.
bool CudaEngine::should_cut() const {
  return domains_ && on_device() && stepper_.between_steps() && domains_->balance().is_due() &&
         !settings_->kernel.compensated;
}

void CudaEngine::cut_again() try {
  const auto start = std::chrono::steady_clock::now();
  synchronize();
  domains_->note_costs();
  cut_.note_costs(domains_->balance().costs());
  pull();
  upload();
  domains_->balance().note_measured_cut();
  stepper_.forget_forces();
  vertices_.forget();
  cut_.note_new_cut(milliseconds_since(start));
} catch (const Error& error) {
  explain_loss(error);
}

void CudaEngine::save_domains(EngineState& state) {
  finish();
  domains_->note_costs();
  cut_.save(state);
  domains_->balance().save(state, !stepper_.between_steps());
}

void CudaEngine::add_domains(EngineReport& report) const {
  if (!domains_) return;
  try {
    domains_->add_facts(report);
  } catch (const Error&) {
    // A device that failed: the caller asks it for work says so.
  }
  cut_.add_facts(report);
}

}  // namespace orrery::sim::cuda
