#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "lab/setup/starting_options.h"
#include "sim/options/configuration.h"
#include "sim/scene/scene.h"

// Options of the benchmark programs: NAME=VALUE,...
namespace orrery::bench {

/// The parts between the commas, without empty ones.
inline std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// The dataset's own physics, and what the settings say. Throws sim::UsageError.
inline sim::Configuration configured(const sim::OptionTable& table, const sim::Scene& scene,
                                     const std::string& settings) {
  std::vector<std::string> assignments;
  for (const auto& part : split(settings)) {
    // "devices=0,2": a part of its own has no name.
    if (part.find('=') == std::string::npos && !assignments.empty())
      assignments.back() += ',' + part;
    else
      assignments.push_back(part);
  }
  auto configuration = table.defaults();
  lab::apply_scene(configuration, scene, assignments);
  lab::apply_assignments(table, configuration, assignments);
  table.check(configuration, lab::option_context(scene));
  return configuration;
}

}  // namespace orrery::bench
