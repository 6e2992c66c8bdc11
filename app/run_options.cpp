#include "app/run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "app/machine.h"
#include "sim/error.h"
#include "sim/ranks/world.h"
#include "sim/tuning/simulation_options.h"
#ifdef ORRERY_CUDA
#include "sim/cuda/device.h"
#endif

namespace orrery::app {

PictureSize parse_picture_size(const std::string& text) {
  PictureSize size;
  const char* end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  const bool has_x = width.ec == std::errc() && width.ptr != end && *width.ptr == 'x';
  const auto height = has_x ? std::from_chars(width.ptr + 1, end, size.height) : width;
  if (!has_x || height.ec != std::errc() || height.ptr != end || size.width < 1 || size.height < 1) {
    throw sim::UsageError(fmt::format("'{}' is no picture size; write WIDTHxHEIGHT, e.g. 1920x1080", text));
  }
  return size;
}

Display parse_display(const std::string& text) {
  if (text == "auto") return Display::automatic;
  if (text == "window") return Display::window;
  if (text == "headless") return Display::headless;
  throw sim::UsageError(fmt::format("--display takes auto, window or headless, not '{}'", text));
}

void report_notes(const DatasetRequest& request, const sim::Scene& scene) {
  if (!is_file(request)) return;
  for (const auto& note : scene.notes) fmt::print(stderr, "{}\n", note);
}

namespace {

/// Few bodies are drawn larger: 1.6 pixels from 2000 bodies on, 7 for a handful.
double suggested_size(const sim::Bodies& bodies) {
  const double galaxies = bodies.empty() ? 1.0 : bodies.galaxy.back() + 1.0;
  const double each = std::max(static_cast<double>(bodies.size()) / galaxies, 1.0);
  return std::round(10.0 * std::clamp(1.6 * std::pow(2000.0 / each, 0.25), 1.6, 7.0)) / 10.0;
}

}  // namespace

void apply_scene(sim::Configuration& configuration, const sim::Scene& scene) {
  sim::set_physics(configuration, scene.physics);
  configuration.set("speed", scene.speed);
  configuration.set("size", suggested_size(scene.bodies));
}

void apply_assignments(const sim::OptionTable& table, sim::Configuration& configuration,
                       const std::vector<std::string>& assignments) {
  for (const auto& assignment : assignments) table.assign(configuration, assignment);
}

/// Of the first GPU; 0 without one.
std::uint64_t device_memory() {
#ifdef ORRERY_CUDA
  static const auto devices = sim::cuda::devices();
  if (!devices.empty()) return devices.front().memory;
#endif
  return 0;
}

std::vector<std::string> device_assignments(const std::string& list) {
  if (list == "all") return {"devices=-1"};
  std::vector<int> ordinals;
  std::istringstream stream(list);
  for (std::string text; std::getline(stream, text, ',');) {
    int value = -1;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size() || value < 0 || value > 15)
      throw sim::UsageError(
          fmt::format("--devices takes ordinals from 0 to 15, comma separated, or all; not '{}'", list));
    ordinals.push_back(value);
  }
  if (ordinals.empty()) throw sim::UsageError("--devices needs an ordinal; see `orrery devices`");
  unsigned mask = 0;
  for (const int ordinal : ordinals) mask |= 1U << static_cast<unsigned>(ordinal);
  // The first one alone needs no mask.
  if (ordinals.size() == 1) mask = 0;
  return {fmt::format("device={}", ordinals.front()), fmt::format("devices={}", mask)};
}

sim::OptionContext option_context(const sim::Scene& scene) {
  const auto& galaxy = scene.bodies.galaxy;
  return {.bodies = scene.bodies.size(),
          .galaxies = galaxy.empty() ? 0 : std::size_t{galaxy.back()} + 1,
          .host_memory = this_machine().memory,
          .device_memory = device_memory(),
          .ranks = static_cast<std::size_t>(sim::world().size())};
}

}  // namespace orrery::app
