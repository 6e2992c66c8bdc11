#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sim/cuda/families/family.h"
#include "sim/cuda/options/cuda_options.h"
#include "sim/cuda/options/gpu_options.h"
#include "sim/cuda/options/kernel_configuration.h"
#include "sim/cuda/options/schedule.h"
#include "sim/options/tree_options.h"

namespace orrery::sim::cuda {

namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

/// The number of galaxies that have scratch memory at the same time: one for each stream.
double galaxies_at_a_time(const Configuration& c, const OptionContext& context) {
  switch (schedule_of(c, context.galaxies)) {
    case Schedule::streams:
    case Schedule::phased:
    case Schedule::graph:
      return std::min(static_cast<double>(context.galaxies), static_cast<double>(gpu_options(c).streams));
    default:
      return 1.0;
  }
}

/// True if each galaxy's cells stay in scratch memory of its own.
bool keeps_cells(const Configuration& c) {
  return family_of(c).keeps_cells && tree_settings(c).shares_cells();
}

/// Bytes of scratch memory: of all galaxies in one launch or with cells that stay, else the largest one's for
/// each stream.
double scratch_bytes(const Configuration& c, const OptionContext& context) {
  const auto& family = family_of(c);
  const auto kernel = kernel_configuration(c);
  const auto of = [&](std::size_t n) { return static_cast<double>(family.scratch.bytes(kernel, n, n)); };
  const bool at_once = schedule_of(c, context.galaxies) == Schedule::batched;
  if (!at_once && !keeps_cells(c)) return galaxies_at_a_time(c, context) * of(context.largest_galaxy());
  double all = 0.0;
  for (const auto& each : context.all_sizes()) all += static_cast<double>(each.galaxies) * of(each.bodies);
  return all;
}

/// Advice where scratch memory does not fit.
std::string less_scratch(const Configuration& c, std::size_t galaxies) {
  const auto otherwise = family_of(c).scratch.less;
  if (galaxies == 1) return fmt::format("use {}", otherwise);
  if (keeps_cells(c)) return fmt::format("use rebuild=1, or {}", otherwise);
  return fmt::format("use schedule=serial, fewer streams, or {}", otherwise);
}

}  // namespace

std::string scratch_too_large(const Configuration& c, const OptionContext& context) {
  const auto& family = family_of(c);
  if (family.scratch.bytes == nullptr || context.device_memory == 0 || context.galaxies == 0) return {};
  const double bytes = scratch_bytes(c, context);
  const auto memory = static_cast<double>(context.device_memory);
  if (bytes < 0.9 * memory) return {};
  const auto largest = context.largest_galaxy();
  return fmt::format("its {} for {} would need {:.1f} GiB and the GPU has {:.1f} GiB; {}",
                     family.scratch.meaning,
                     context.galaxies > 1 ? fmt::format("galaxies of up to {} bodies", largest)
                                          : fmt::format("{} bodies", largest),
                     bytes / gib, memory / gib, less_scratch(c, context.galaxies));
}

}  // namespace orrery::sim::cuda
