#include "lab/bench/default_bodies.h"

#include <algorithm>
#include <cmath>

#include "lab/bench/benchmark.h"
#include "lab/setup/free_option.h"
#include "lab/setup/machine.h"
#include "lab/setup/starting_options.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/options/schedule.h"
#include "sim/options/engine_option.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::lab {

namespace {

constexpr double steps_a_second = 30.0;
constexpr double share_beside_drawing = 0.7;
constexpr double usual_share_of_limit = 0.6;
constexpr double most_on_gpu = 1e6;
constexpr double least_on_gpu = 20e3;
/// Measured on an H100 (132 multiprocessors of 1.98 GHz): ten million bodies in 8 ms by family=tree,
/// more than four million of them drawn in a thirtieth of a second.
constexpr double large_gpu = 132.0 * 1980.0, large_tree_rate = 1e7 * 23.25 / 8e-3, drawn_by_large = 4e6;
constexpr std::size_t pictured_by_processor = 100'000, pictured_by_gpu = 1'000'000;
/// Bodies, vertex buffers and what kernels need besides, on the GPU.
constexpr double bytes_on_gpu = 1000.0;

/// True of a tree, whose rate grows with the number of bodies.
bool leaves_pairs_out(const TunedResult& result) {
  return std::ranges::any_of(result.settings, [](const auto& setting) {
    return sim::is_approximate(setting.first, setting.second);
  });
}

/// The best rate of one galaxy in single precision; 0: none is remembered.
double remembered_gips(const std::vector<TunedResult>& results, const std::string& engine,
                       const std::string& device) {
  double best = 0.0;
  for (const TunedResult& result : results) {
    const TunedKey& key = result.key;
    const bool same = key.engine == engine && key.device == device && key.galaxies == 1 &&
                      key.precision == "float" && key.force_law == "gravity";
    if (same && !leaves_pairs_out(result)) best = std::max(best, result.gips);
  }
  return best;
}

double rounded_down(double number) {
  const double unit = std::pow(10.0, std::floor(std::log10(number)) - 1.0);
  return std::floor(number / unit) * unit;
}

/// A few force evaluations of few bodies.
BenchmarkRow measured(const sim::OptionTable& table, const sim::Configuration& configuration,
                      std::size_t bodies) {
  constexpr int steps = 3;
  const auto scene = sim::make_galaxy("plummer", {.bodies = bodies});
  return time_configuration(table, configuration, scene, timed_steps(steps));
}

double tree_work(double bodies) { return bodies * std::log2(std::max(bodies, 2.0)); }

/// How so many bodies of an ordinary galaxy are computed.
sim::Configuration configuration_of_many(const sim::OptionTable& table, std::size_t bodies,
                                         const std::vector<std::string>& assignments) {
  return probable_configuration(table, {.source = "plummer", .bodies = bodies}, assignments);
}

/// The rate of the tree that many bodies begin with; 0: `assignments` want something else.
double measured_tree_rate(const sim::OptionTable& table, const std::vector<std::string>& assignments) {
  constexpr std::size_t bodies = 16'384;
  const auto configuration = configuration_of_many(table, bodies, assignments);
  if (sim::is_on_gpu(configuration) || !sim::uses_tree(configuration)) return 0.0;
  const double step_ms = measured(table, configuration, bodies).step_ms;
  return step_ms > 0.0 ? tree_work(bodies) / (step_ms * 1e-3) : 0.0;
}

ComputingPower power_of_processor(const sim::OptionTable& table, const sim::Configuration& configuration,
                                  const std::vector<std::string>& assignments,
                                  const std::vector<TunedResult>& results) {
  constexpr std::size_t bodies = 2048;
  const double remembered = remembered_gips(results, "cpu", this_machine().cpu);
  return {.gips = remembered > 0.0 ? remembered : measured(table, configuration, bodies).gips_kernel,
          .tree_rate = measured_tree_rate(table, assignments)};
}

/// The most bodies that a tree of that rate steps in a second.
double bodies_of_tree(double rate) {
  double bodies = rate / 16.0;
  for (int round = 0; round < 8; ++round) bodies = rate / std::log2(std::max(bodies, 2.0));
  return bodies;
}

/// The built-in galaxy that is asked for without a number of bodies, if it may have another than its usual
/// one.
const sim::GalaxyModel* model_without_number(const DatasetRequest& request) {
  if (request.bodies || request.galaxies != 1) return nullptr;
  const auto* model = built_in_model(request);
  return model == nullptr || model->most_shown == 0 ? nullptr : model;
}

}  // namespace

ComputingPower power_of_gpu(const GpuDescription& gpu, const std::vector<TunedResult>& results) {
  const double clock = gpu.clock_mhz > 0.0 ? gpu.clock_mhz : 1000.0;
  const double limit = gpu.multiprocessors * 128.0 * clock * 1e-3 / 13.0;
  const double remembered = remembered_gips(results, "cuda", gpu.name);
  const double share_of_large = gpu.multiprocessors * clock / large_gpu;
  return {.gpu = true,
          .gips = remembered > 0.0 ? remembered : usual_share_of_limit * limit,
          .tree_rate = large_tree_rate * share_of_large,
          .memory = gpu.memory,
          .share_of_large = share_of_large};
}

ComputingPower power_of(const sim::OptionTable& table, const std::vector<std::string>& assignments,
                        const std::vector<TunedResult>& results) {
  auto configuration = table.defaults();
  apply_assignments(table, configuration, assignments);
  if (sim::is_on_gpu(configuration)) {
    const auto ordinal = std::max(sim::cuda::named_device(configuration), 0);
    for (const auto& device : sim::cuda::devices()) {
      if (device.ordinal != ordinal) continue;
      auto power =
          power_of_gpu({device.name, device.multiprocessors, device.clock_mhz, device.memory}, results);
      if (!sim::uses_tree(configuration_of_many(table, pictured_by_gpu, assignments))) power.tree_rate = 0.0;
      return power;
    }
  }
  return power_of_processor(table, configuration, assignments, results);
}

std::size_t bodies_to_begin_with(const sim::GalaxyModel& model, const ComputingPower& power) {
  if (model.most_shown == 0) return model.default_bodies;
  const double share = power.gpu ? 1.0 : share_beside_drawing;
  const double pairs = std::sqrt(std::max(power.gips, 0.0) * 1e9 * share / steps_a_second);
  const double wanted = std::max(pairs, bodies_of_tree(power.tree_rate * share / steps_a_second));
  const auto usual = static_cast<double>(model.default_bodies), most = static_cast<double>(model.most_shown);
  if (!power.gpu)
    return static_cast<std::size_t>(std::clamp(rounded_down(std::max(wanted, usual)), usual, most));
  const double room = power.memory > 0 ? static_cast<double>(power.memory) / bytes_on_gpu : most_on_gpu;
  const double drawn = power.tree_rate > 0.0 ? drawn_by_large * power.share_of_large : most_on_gpu;
  const double largest = std::max(std::min({most_on_gpu, room, drawn}), least_on_gpu);
  return static_cast<std::size_t>(rounded_down(std::clamp(wanted, least_on_gpu, largest)));
}

void choose_bodies(DatasetRequest& request, const sim::OptionTable& table,
                   const std::vector<std::string>& assignments, const std::vector<TunedResult>& results) {
  const auto* model = model_without_number(request);
  if (model == nullptr) return;
  request.bodies = bodies_to_begin_with(*model, power_of(table, assignments, results));
}

void choose_bodies_of_picture(DatasetRequest& request, const sim::OptionTable& table,
                              const std::vector<std::string>& assignments) {
  const auto* model = model_without_number(request);
  if (model == nullptr) return;
  auto wanted = request;
  wanted.bodies = pictured_by_processor;
  const auto configuration = probable_configuration(table, wanted, assignments);
  if (sim::is_emulated(configuration) || !sim::uses_tree(configuration)) return;
  request.bodies = sim::is_on_gpu(configuration) ? pictured_by_gpu : pictured_by_processor;
}

}  // namespace orrery::lab
