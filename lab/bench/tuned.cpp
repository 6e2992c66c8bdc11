#include "lab/bench/tuned.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "lab/setup/machine.h"
#include "lab/setup/paths.h"
#include "lab/setup/starting_options.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/json_text.h"
#include "sim/core/text_file.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/options/gpu_options.h"
#include "sim/cuda/options/schedule.h"
#include "sim/options/engine_option.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

std::filesystem::path tuned_file() { return settings_folder() / "tuned.json"; }

std::string device_name([[maybe_unused]] const sim::Configuration& configuration) {
  if (sim::is_on_gpu(configuration)) {
    const auto devices = sim::cuda::devices();
    const auto ordinal = std::max(sim::cuda::named_device(configuration), 0);
    for (const auto& device : devices)
      if (device.ordinal == ordinal) return device.name;
    return "no GPU";
  }
  return this_machine().cpu;
}

std::uint64_t nearest_power_of_two(std::uint64_t number) {
  if (number < 2) return number;
  const auto below = std::bit_floor(number);
  // On the scale of logarithms: the border is at sqrt(2).
  const double ratio = static_cast<double>(number) / static_cast<double>(below);
  return ratio * ratio < 2.0 ? below : 2 * below;
}

json to_json(const TunedResult& result) {
  auto settings = json::object();
  for (const auto& [name, value] : result.settings) settings[name] = value;
  return {{"device", result.key.device},
          {"engine", result.key.engine},
          {"bodies", result.key.bodies},
          {"galaxies", result.key.galaxies},
          {"precision", result.key.precision},
          {"force_law", result.key.force_law},
          {"settings", settings},
          {"gips_kernel", result.gips},
          {"gips_kernel_of_defaults", result.default_gips}};
}

/// Throws json::exception if the form is another.
TunedResult result_from(const json& entry) {
  TunedResult result{.key = {.device = entry.at("device"),
                             .engine = entry.at("engine"),
                             .bodies = entry.at("bodies"),
                             .galaxies = entry.at("galaxies"),
                             .precision = entry.at("precision"),
                             .force_law = entry.at("force_law")},
                     .settings = {},
                     .gips = entry.at("gips_kernel"),
                     .default_gips = entry.at("gips_kernel_of_defaults")};
  for (const auto& [name, value] : entry.at("settings").items())
    result.settings.emplace_back(name, value.get<std::string>());
  return result;
}

/// The value that the last assignment to an option names; empty if none does.
std::string assigned(const sim::OptionTable& table, const std::vector<std::string>& assignments,
                     const std::string& name) {
  std::string value;
  for (const auto& each : assignments) {
    const auto equals = each.find('=');
    if (table.at(each.substr(0, equals)).name == name) value = each.substr(equals + 1);
  }
  return value;
}

/// True if the command line asks for another kernel: then the rest suits nothing.
bool other_kernel_asked(const sim::OptionTable& table, const TunedResult& result, const std::string& kernel,
                        const std::vector<std::string>& assignments) {
  const auto asked = assigned(table, assignments, kernel);
  if (asked.empty()) return false;
  return std::ranges::none_of(result.settings, [&](const auto& setting) {
    return setting.first == kernel && setting.second == asked;
  });
}

}  // namespace

TunedKey tuned_key(const sim::Configuration& configuration, const sim::OptionContext& context) {
  const auto galaxies = std::max<std::uint64_t>(context.galaxies, 1);
  const bool gpu = sim::is_on_gpu(configuration);
  return {.device = device_name(configuration),
          .engine = sim::engine_name(configuration),
          .bodies = nearest_power_of_two(context.bodies / galaxies),
          .galaxies = galaxies,
          .precision = gpu ? sim::gpu_options(configuration).precision : "float",
          .force_law = configuration.contains("force-law") ? configuration.choice("force-law") : "gravity"};
}

std::string describe(const TunedKey& key) {
  return fmt::format("{} on {}, {} x {} bodies, {}, {}", key.engine, key.device, key.galaxies, key.bodies,
                     key.precision, key.force_law);
}

std::vector<TunedResult> read_tuned(std::string& problem) {
  std::vector<TunedResult> results;
  std::error_code failure;
  if (!std::filesystem::exists(tuned_file(), failure)) return results;
  std::string text;
  try {
    text = sim::read_text_file(tuned_file());
  } catch (const sim::Error& error) {
    problem = fmt::format("what `orrery tune` remembered is not used: {}", error.what());
    return results;
  }
  auto document = sim::json_in(text);
  sim::clean_texts(document);
  const auto damaged =
      fmt::format("'{}' is damaged and what cannot be read of it is ignored; `orrery tune` writes it anew",
                  tuned_file().string());
  if (!document.is_object() || !document.contains("results") || !document["results"].is_array()) {
    problem = damaged;
    return results;
  }
  for (const auto& entry : document["results"]) {
    try {
      results.push_back(result_from(entry));
    } catch (const json::exception&) {
      problem = damaged;
    }
  }
  return results;
}

void require_place_for_tuned() {
  if (settings_folder().empty())
    throw sim::Error("the result cannot be kept: there is no home folder; set HOME or XDG_CONFIG_HOME");
  make_folder(settings_folder());
  const sim::FileWriter trial(tuned_file());
}

void remember_tuned(const TunedResult& result) {
  require_place_for_tuned();
  const FolderLock lock(settings_folder());
  std::string problem;
  auto results = read_tuned(problem);
  std::erase_if(results, [&](const TunedResult& old) { return old.key == result.key; });
  results.push_back(result);
  auto list = json::array();
  for (const auto& each : results) list.push_back(to_json(each));
  sim::write_file(tuned_file(),
                  sim::dump_json(json{{"version", ORRERY_VERSION}, {"results", list}}, 2) + "\n");
}

std::string apply_tuned(const sim::OptionTable& table, sim::Configuration& configuration,
                        const std::vector<TunedResult>& results, const sim::OptionContext& context,
                        const std::vector<std::string>& assignments) {
  if (results.empty()) return {};
  auto tuned = configuration;
  apply_assignments(table, tuned, assignments);
  const auto key = tuned_key(tuned, context);
  const auto found = std::ranges::find(results, key, &TunedResult::key);
  if (found == results.end()) return {};
  if (other_kernel_asked(table, *found, sim::kernel_option(tuned), assignments)) return {};
  const auto take_settings = [&](sim::Configuration& into) {
    for (const auto& [name, value] : found->settings)
      if (assigned(table, assignments, name).empty()) table.assign(into, fmt::format("{}={}", name, value));
  };
  try {
    take_settings(tuned);
  } catch (const sim::UsageError& error) {
    return fmt::format("the tuned configuration is not used: {}", error.what());
  }
  if (const auto reason = sim::refusal_of(table, tuned, context); !reason.empty())
    return fmt::format("the tuned configuration is not used: {}", reason);
  // Assignments are the caller's to apply.
  take_settings(configuration);
  return fmt::format(
      "tuned options: {:.2f} times as fast as the defaults (`orrery tune` found them; --untuned leaves them "
      "out)",
      found->gips / found->default_gips);
}

}  // namespace orrery::lab
