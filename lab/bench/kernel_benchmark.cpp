#include "lab/bench/kernel_benchmark.h"

#include <fmt/format.h>

#include <sstream>

#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/ranks/agreement.h"
#include "sim/ranks/world.h"

namespace orrery::lab {

namespace {

void describe_run(const sim::Scene& scene, int steps) {
  fmt::print(stderr, "{} in {} of {}, {} after one to warm up\n",
             sim::counted(scene.bodies.size(), "body", "bodies"),
             sim::counted(scene.bodies.galaxies().size(), "galaxy", "galaxies"), scene.title,
             sim::counted(steps, "step", "steps"));
}

}  // namespace

std::vector<std::string> kernel_names(const sim::OptionTable& table, const sim::Configuration& configuration,
                                      const std::string& list) {
  const auto& option = table.at(kernel_option(configuration));
  if (list == "all") return option.choices;
  std::vector<std::string> names;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');) {
    names.push_back(sim::to_string(table.parse(option, name)));
  }
  if (names.empty()) throw sim::UsageError("--kernels needs names or 'all'");
  return names;
}

std::vector<BenchmarkRow> time_kernels(const BenchSetup& setup, const std::vector<std::string>& names,
                                       bool which_can, int steps) {
  auto configuration = setup.configuration;
  const auto& varied = setup.table.at(kernel_option(configuration));
  describe_run(setup.scene, steps);
  std::vector<BenchmarkRow> rows;
  for (const auto& name : names) {
    const auto reason = sim::first_text(
        sim::world(),
        which_can ? setup.table.refusal(varied, name, configuration, setup.context) : std::string());
    if (!reason.empty()) {
      fmt::print(stderr, "{} is left out: {}\n", name, reason);
      continue;
    }
    configuration.set(varied.name, name);
    rows.push_back(time_configuration(setup.table, configuration, setup.scene, steps));
    rows.back().speedup = rows.front().kernel_ms / rows.back().kernel_ms;
  }
  return rows;
}

std::vector<BenchmarkRow> time_tuned(BenchSetup setup, const std::vector<std::string>& assignments,
                                     int steps) {
  const auto plain = setup.configuration;
  use_tuned(setup, assignments);
  describe_run(setup.scene, steps);
  std::vector<BenchmarkRow> rows;
  for (const auto& configuration : {plain, setup.configuration}) {
    rows.push_back(time_configuration(setup.table, configuration, setup.scene, steps));
    rows.back().speedup = rows.front().kernel_ms / rows.back().kernel_ms;
  }
  rows.back().label = "tuned";
  return rows;
}

std::string dataset_text(const sim::Scene& scene) {
  const auto galaxies = scene.bodies.galaxies().size();
  return fmt::format("{}, {}{}", scene.title, sim::counted(scene.bodies.size(), "body", "bodies"),
                     galaxies > 1 ? fmt::format(" in {} galaxies", galaxies) : std::string());
}

}  // namespace orrery::lab
