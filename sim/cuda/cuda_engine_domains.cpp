#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "sim/cuda/cuda_engine_class.h"

// One galaxy on several devices: each has the bodies of a stretch of Hilbert's curve
// (parts/tree_exchange.h). Inside, bodies are in the order of the curve; nobody else knows.
namespace orrery::sim::cuda {

namespace {

constexpr std::string_view order_array = "domain-order", begins_array = "domain-begins",
                           stretches_array = "domain-stretches", balance_array = "domain-balance",
                           grid_array = "domain-grid";

template <typename Item>
void add_items(EngineState& state, std::string_view name, std::span<const Item> items) {
  state.add(std::string(name), std::as_bytes(items));
}

/// False where they are not there, or not that many.
template <typename Item>
bool read_items(const EngineState& state, std::string_view name, std::span<Item> items) {
  const auto* array = state.find(name);
  if (array == nullptr || array->bytes.size() != items.size_bytes()) return false;
  std::memcpy(items.data(), array->bytes.data(), array->bytes.size());
  return true;
}

bool is_order(const std::vector<std::uint32_t>& order) {
  std::vector<bool> seen(order.size());
  for (const auto body : order) {
    if (body >= order.size() || seen[body]) return false;
    seen[body] = true;
  }
  return true;
}

/// True if they follow each other through all bodies, with none behind an empty one.
bool is_cut(const std::vector<BodyRange>& stretches, std::size_t bodies) {
  std::size_t next = 0;
  for (const auto& stretch : stretches) {
    if (stretch.first != next || stretch.last < next) return false;
    if (stretch.empty() && next < bodies) return false;
    next = stretch.last;
  }
  return next == bodies;
}

}  // namespace

/// By what the bodies have cost, as far as it is known.
void CudaEngine::share_domains(const std::vector<double>& weights) {
  if (std::exchange(cut_is_given_, false)) return share_stretches();
  const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  grid_ = EvenGrid(host_.position);
  auto order = std::make_shared<std::vector<std::uint32_t>>(along_even_curve(host_.position, grid_, threads));
  stretches_ = cut_order(*order, work_, weights);
  begins_.clear();
  for (const auto& stretch : stretches_) {
    if (!stretch.empty())
      begins_.push_back(
          stretch.first == 0 ? 0 : tree::curve_key(grid_.key(host_.position[(*order)[stretch.first]])));
  }
  order_ = std::move(order);
  share_stretches();
}

void CudaEngine::share_stretches() {
  checkpoint_.reset();
  exchange_.reset();
  domains_.reset();
  active_.clear();
  weights_.clear();
  const auto weights = weights_of_parts();
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const auto& stretch = stretches_.at(k);
    if (stretch.empty()) continue;
    const GalaxyRange own{stretch.first, stretch.last};
    parts_[k]->set_partition({stretch, stretch}, {&own, 1}, {&own, 1});
    active_.push_back(parts_[k].get());
    weights_.push_back(weights[k]);
  }
  port_->set_order(home(), order_);
  std::vector<tree::TreeCurve> curves(active_.size());
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const auto& middle = grid_.middle();
    curves[k] = {.center = {middle.x, middle.y, middle.z},
                 .spread = grid_.spread(),
                 .domains = static_cast<unsigned>(curves.size()),
                 .own = static_cast<unsigned>(k),
                 .begin = {}};
    std::ranges::copy(begins_, std::begin(curves[k].begin));
  }
  domains_ = std::make_unique<TreeExchange>(active_, curves);
  add_up_interactions();
  part_timings_.assign(active_.size(), timings_);
  counted_ = part_timings_;
}

/// Cuts the galaxy anew, through the host. What a compensated state has besides would be lost on that way.
void CudaEngine::cut_again_if_due() {
  if (!domains_ || !on_device_ || !stepper_.between_steps() || domains_->balance().is_due == 0 ||
      settings_->kernel.compensated)
    return;
  const auto start = std::chrono::steady_clock::now();
  work_.resize(count());
  put_back(order_, domains_->work().data(), count(), 1, work_.data());
  pull();
  upload();
  domains_->balance().is_measured = 1;
  stepper_.forget_forces();
  vertices_of_last_ = nullptr;
  ++cuts_;
  cut_ms_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void CudaEngine::save_domains(EngineState& state) {
  if (domains_->balance().evaluations > 0 && domains_->balance().counted == 0) {
    finish();
    domains_->note_interactions();
  }
  add_items(state, order_array, std::span<const std::uint32_t>(*order_));
  add_items(state, stretches_array, std::span<const BodyRange>(stretches_));
  add_items(state, begins_array, std::span<const std::uint64_t>(begins_));
  const std::array grid{grid_.middle().x, grid_.middle().y, grid_.middle().z, grid_.spread()};
  add_items(state, grid_array, std::span<const float>(grid));
  add_items(state, balance_array, std::span<const DomainBalance>(&domains_->balance(), 1));
}

/// The domains are those of the state. False if it has none.
bool CudaEngine::take_domains(const EngineState& state) {
  auto order = std::make_shared<std::vector<std::uint32_t>>(count());
  std::vector<BodyRange> stretches(parts_.size());
  if (!read_items(state, order_array, std::span<std::uint32_t>(*order)) ||
      !read_items(state, stretches_array, std::span<BodyRange>(stretches)) || !is_order(*order) ||
      !is_cut(stretches, count()))
    return false;
  const auto used = std::ranges::count_if(stretches, [](const auto& stretch) { return !stretch.empty(); });
  std::vector<std::uint64_t> begins(static_cast<std::size_t>(used));
  std::array<float, 4> grid{};
  if (!read_items(state, begins_array, std::span<std::uint64_t>(begins)) ||
      !read_items(state, grid_array, std::span<float>(grid)))
    return false;
  begins_ = std::move(begins);
  grid_ = EvenGrid({grid[0], grid[1], grid[2]}, grid[3]);
  order_ = std::move(order);
  stretches_ = std::move(stretches);
  cut_is_given_ = true;
  return true;
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
  report.facts.push_back({.key = "domain_cuts",
                          .value = static_cast<std::int64_t>(cuts_),
                          .label = "domains cut again",
                          .hint = "How often, because work was uneven or bodies had moved away."});
  report.facts.push_back({.key = "domain_cut_ms",
                          .value = cut_ms_,
                          .label = cuts_ > 0 ? "a cut took" : "",
                          .unit = "ms",
                          .hint = "The last new cut: it goes through the host."});
}

}  // namespace orrery::sim::cuda
