#include "sim/cuda/options/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "sim/cuda/driver/device.h"
#include "sim/cuda/families/family.h"
#include "sim/options/physics_options.h"

namespace orrery::sim::cuda {

namespace {

constexpr std::array<std::string_view, 5> names{"serial", "streams", "phased", "batched", "graph"};

int device_count() {
  static const auto count = static_cast<int>(devices().size());
  return count;
}

/// For tests: how often each GPU is listed.
int times_listed() {
  const char* text = std::getenv("ORRERY_TEST_REPEAT_GPU");
  return text == nullptr ? 1 : static_cast<int>(std::strtol(text, nullptr, 10));
}

}  // namespace

std::string_view schedule_name(Schedule schedule) { return names.at(static_cast<std::size_t>(schedule)); }

std::string batched_refusal(const Configuration& c) {
  const auto& family = family_of(c);
  if (physics_of(c).step == &block_step)
    return "with step=block each launch has the bodies whose steps end then; use serial";
  if (family.batch == nullptr && family.galaxies == nullptr)
    return fmt::format("the family {} computes one galaxy a launch; use serial", family.name);
  if (c.choice("constants") == "constant-memory-all")
    return "galaxies find their ranges in a table, not in constant memory; use serial";
  return family.no_batch != nullptr ? family.no_batch(c) : std::string();
}

Schedule schedule_of(const Configuration& c, std::size_t galaxies) {
  const auto& name = c.choice("schedule");
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<Schedule>(found - names.begin());
  return galaxies > 1 && batched_refusal(c).empty() ? Schedule::batched : Schedule::serial;
}

std::vector<int> devices_of(const Configuration& c) {
  std::vector<int> devices{static_cast<int>(std::max<std::int64_t>(c.integer("device"), 0))};
  const auto mask = static_cast<std::uint64_t>(c.integer("devices"));
  const int most = c.integer("devices") < 0 ? device_count() : 16;
  for (int k = 0; k < most; ++k) {
    if (((mask >> static_cast<unsigned>(k)) & 1U) != 0 && k != devices.front()) devices.push_back(k);
  }
  const std::vector<int> once = devices;
  for (int k = 1; k < times_listed(); ++k) devices.insert(devices.end(), once.begin(), once.end());
  return devices;
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
  const auto& split = c.choice("split-by");
  return split == "bodies" ||
         (split == "auto" && galaxies < devices && !splits_domains(c, devices, galaxies));
}

bool splits_domains(const Configuration& c, std::size_t devices, std::size_t galaxies) {
  const auto& split = c.choice("split-by");
  return split == "domains" || (split == "auto" && devices > 1 && galaxies == 1 && family_of(c).domains);
}

}  // namespace orrery::sim::cuda
