#include "lab/bench/default_bodies.h"

#include <algorithm>
#include <cmath>

#include "lab/bench/benchmark.h"
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
double measured_gips(const sim::OptionTable& table, const sim::Configuration& configuration) {
  constexpr std::size_t bodies = 2048;
  constexpr int steps = 3;
  const auto scene = sim::make_galaxy("plummer", {.bodies = bodies});
  return time_configuration(table, configuration, scene, timed_steps(steps)).gips_kernel;
}

ComputingPower power_of_processor(const sim::OptionTable& table, const sim::Configuration& configuration,
                                  const std::vector<TunedResult>& results) {
  const double remembered = remembered_gips(results, "cpu", this_machine().cpu);
  return {.gips = remembered > 0.0 ? remembered : measured_gips(table, configuration)};
}

}  // namespace

ComputingPower power_of_gpu(const GpuDescription& gpu, const std::vector<TunedResult>& results) {
  const double clock = gpu.clock_mhz > 0.0 ? gpu.clock_mhz : 1000.0;
  const double limit = gpu.multiprocessors * 128.0 * clock * 1e-3 / 13.0;
  const double remembered = remembered_gips(results, "cuda", gpu.name);
  return {.gpu = true,
          .gips = remembered > 0.0 ? remembered : usual_share_of_limit * limit,
          .memory = gpu.memory};
}

ComputingPower power_of(const sim::OptionTable& table, const sim::Configuration& configuration,
                        const std::vector<TunedResult>& results) {
  if (sim::is_on_gpu(configuration)) {
    const auto ordinal = std::max(sim::cuda::named_device(configuration), 0);
    for (const auto& device : sim::cuda::devices()) {
      if (device.ordinal == ordinal)
        return power_of_gpu({device.name, device.multiprocessors, device.clock_mhz, device.memory}, results);
    }
  }
  return power_of_processor(table, configuration, results);
}

std::size_t bodies_to_begin_with(const sim::GalaxyModel& model, const ComputingPower& power) {
  if (model.most_shown == 0) return model.default_bodies;
  const double rate = std::max(power.gips, 0.0) * 1e9 * (power.gpu ? 1.0 : share_beside_drawing);
  const double wanted = std::sqrt(rate / steps_a_second);
  const auto usual = static_cast<double>(model.default_bodies), most = static_cast<double>(model.most_shown);
  if (!power.gpu)
    return static_cast<std::size_t>(std::clamp(rounded_down(std::max(wanted, usual)), usual, most));
  const double room = power.memory > 0 ? static_cast<double>(power.memory) / bytes_on_gpu : most_on_gpu;
  const double largest = std::max(std::min(most_on_gpu, room), most);
  return static_cast<std::size_t>(rounded_down(std::clamp(wanted, most, largest)));
}

void choose_bodies(DatasetRequest& request, const sim::OptionTable& table,
                   const std::vector<std::string>& assignments, const std::vector<TunedResult>& results) {
  if (request.bodies || request.galaxies != 1 || is_file(request)) return;
  const auto* model =
      request.source.empty() ? sim::galaxy_models().front() : sim::find_galaxy_model(request.source);
  if (model == nullptr || model->most_shown == 0) return;
  auto configuration = table.defaults();
  apply_assignments(table, configuration, assignments);
  request.bodies = bodies_to_begin_with(*model, power_of(table, configuration, results));
}

}  // namespace orrery::lab
