#include "sim/cuda/options/schedule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "sim/core/letters.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/families/family.h"
#include "sim/cuda/options/gpu_options.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"

namespace orrery::sim::cuda {

namespace {

constexpr std::array<std::string_view, 5> names{"serial", "streams", "phased", "batched", "graph"};

int device_count() {
  static const auto count = static_cast<int>(devices().size());
  return count;
}

/// The option's own check leaves nothing but "auto", "all" and numbers.
std::vector<int> listed_devices(const std::string& text) {
  if (text == "auto") return {0};
  std::vector<int> devices;
  if (text == "all") {
    devices.resize(static_cast<std::size_t>(std::max(device_count(), 1)));
    std::iota(devices.begin(), devices.end(), 0);
    return devices;
  }
  for (const auto ordinal : split_text(text, ',')) devices.push_back(std::stoi(std::string(ordinal)));
  return devices;
}

}  // namespace

std::string_view schedule_name(Schedule schedule) { return names.at(static_cast<std::size_t>(schedule)); }

std::string batched_refusal(const Configuration& c) {
  const auto& family = family_of(c);
  if (physics_of(c).step->parts == StepParts::own)
    return "with step=block each launch has the bodies whose steps end then; use serial";
  if (family.batch == nullptr && family.galaxies == nullptr)
    return fmt::format("the family {} computes one galaxy a launch; use serial", family.name);
  if (gpu_options(c).has_constant_ranges())
    return "galaxies find their ranges in a table, not in constant memory; use serial";
  return family.limits.no_batch != nullptr ? family.limits.no_batch(c) : std::string();
}

Schedule schedule_of(const Configuration& c, std::size_t galaxies) {
  const auto name = gpu_options(c).schedule;
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<Schedule>(found - names.begin());
  return galaxies > 1 && batched_refusal(c).empty() ? Schedule::batched : Schedule::serial;
}

std::vector<int> devices_of(const Configuration& c) { return listed_devices(gpu_options(c).devices); }

int named_device(const Configuration& c) {
  const auto text = gpu_options(c).devices;
  return text == "auto" || text == "all" ? -1 : listed_devices(text).front();
}

Configuration with_first_device(Configuration c, int ordinal) {
  if (named_device(c) >= 0) return c;
  const auto text = gpu_options(c).devices;
  auto devices = listed_devices(text);
  // One GPU is not all of several: that is refused.
  if (text == "all" && devices.size() < 2) return c;
  std::erase(devices, ordinal);
  if (text == "auto") devices.clear();
  devices.insert(devices.begin(), ordinal);
  c.set("devices", fmt::format("{}", fmt::join(devices, ",")));
  return c;
}

std::string absent_device(const std::vector<int>& devices, int present) {
  const auto absent = std::ranges::find_if(devices, [&](int k) { return k >= present; });
  if (present == 0 || absent == devices.end()) return {};
  return present == 1
             ? fmt::format("there is no GPU {}; this machine has one, which is number 0", *absent)
             : fmt::format("there is no GPU {}; those of this machine are 0 to {}", *absent, present - 1);
}

std::string absent_device(const std::vector<int>& devices) { return absent_device(devices, device_count()); }

bool splits_bodies(const Configuration& c, std::size_t devices, std::size_t galaxies) {
  const auto split = gpu_options(c).split_by;
  return split == "bodies" ||
         (split == "auto" && galaxies < devices && !splits_domains(c, devices, galaxies));
}

Split split_of_processes(const Configuration& c, std::size_t galaxies, std::size_t processes) {
  const bool has_domains = is_on_gpu(c) && galaxies == 1 && family_of(c).domains;
  return split_of(c, galaxies, processes, has_domains ? Split::domains : Split::bodies);
}

std::string team_refusal(const Configuration& c, Split split, std::size_t galaxies) {
  if (split == Split::galaxies) return {};
  if (!gpu_options(c).is_resident())
    return "processes that share a galaxy keep its bodies on their GPUs; use transfers=resident";
  const auto& family = family_of(c);
  if (split == Split::bodies) {
    if (family.domains && galaxies > 1)
      return "processes share the tree of one galaxy, and there are several; use ranks-split=galaxies";
    if (family.domains) return "its tree is shared in domains; use ranks-split=domains";
    if (!family.limits.no_sharing.empty())
      return "it computes whole galaxies, and here processes share one; use tiled, or as many galaxies as "
             "processes";
    return {};
  }
  if (!family.domains) return "domains need a tree; use family=tree, or ranks-split=bodies";
  if (galaxies > 1)
    return fmt::format("domains are cut through one galaxy, and there are {}; use ranks-split=galaxies",
                       galaxies);
  if (gpu_options(c).schedule == "graph")
    return "a graph repeats its launches, and domains exchange other numbers in each step; use "
           "schedule=serial";
  return {};
}

bool splits_domains(const Configuration& c, std::size_t devices, std::size_t galaxies) {
  const auto split = gpu_options(c).split_by;
  return split == "domains" || (split == "auto" && devices > 1 && galaxies == 1 && family_of(c).domains);
}

}  // namespace orrery::sim::cuda
