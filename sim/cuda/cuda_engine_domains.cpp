#include <chrono>

#include "sim/cuda/cuda_engine_class.h"

// One galaxy on several devices, in domains (multi_gpu/galaxy_cut.h, multi_gpu/tree_exchange.h).
namespace orrery::sim::cuda {

namespace {
constexpr std::string_view balance_array = "domain-balance";
}  // namespace

/// By what the bodies have cost, as far as it is known.
void CudaEngine::share_domains(const std::vector<double>& weights) {
  cut_.cut(host_.position, weights);
  drop_shares();
  weights_.clear();
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const auto& stretch = cut_.stretches()[k];
    if (stretch.empty()) continue;
    const GalaxyRange own{stretch.first, stretch.last};
    parts_[k]->set_partition({stretch, stretch}, {&own, 1}, {&own, 1});
    active_.push_back(parts_[k].get());
    weights_.push_back(weights[k]);
  }
  port_->set_order(home(), cut_.order());
  domains_ = std::make_unique<TreeExchange>(active_, cut_.curves());
  timings_.begin(active_);
}

/// Cuts the galaxy anew, through the host. What a compensated state has besides would be lost on that way.
void CudaEngine::cut_again_if_due() {
  if (!domains_ || !on_device_ || !stepper_.between_steps() || domains_->balance().is_due == 0 ||
      settings_->kernel.compensated)
    return;
  const auto start = std::chrono::steady_clock::now();
  std::vector<float> work(count());
  put_back(cut_.order(), domains_->work().data(), count(), 1, work.data());
  cut_.note_work(std::move(work));
  pull();
  upload();
  domains_->balance().is_measured = 1;
  stepper_.forget_forces();
  vertices_of_last_ = nullptr;
  cut_.note_new_cut(
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
}

void CudaEngine::save_domains(EngineState& state) {
  if (domains_->balance().evaluations > 0 && domains_->balance().counted == 0) {
    finish();
    domains_->note_interactions();
  }
  cut_.save(state);
  add_items(state, balance_array, std::span<const DomainBalance>(&domains_->balance(), 1));
}

void CudaEngine::take_balance(const EngineState& state) {
  if (domains_) read_items(state, balance_array, std::span<DomainBalance>(&domains_->balance(), 1));
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
