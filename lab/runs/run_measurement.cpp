#include "lab/runs/run_measurement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lab/bench/engine_facts.h"
#include "lab/setup/progress_line.h"
#include "lab/sweeps/sweep.h"
#include "run_measurements.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/spelling.h"
#include "sim/simulation/engine_registry.h"

namespace orrery::lab {

std::span<const RunMeasurement* const> run_measurements() { return registry::run_measurements; }

const RunMeasurement& find_run_measurement(const std::string& name) {
  std::vector<std::string> names;
  for (const auto* measurement : run_measurements()) {
    if (measurement->name == name) return *measurement;
    names.emplace_back(measurement->name);
  }
  throw sim::UsageError(fmt::format("--measure cannot take '{}'{}; it takes {}", name,
                                    sim::did_you_mean(name, names), fmt::join(names, ", ")));
}

namespace {

std::string name_of(const Sweep& sweep, const SweepCell& cell) {
  const auto part = [&](const SweepAxis& axis) {
    return sim::to_string(cell.configuration.value(axis.option));
  };
  return sweep.columns.values.empty() ? part(sweep.rows) : part(sweep.rows) + ", " + part(sweep.columns);
}

}  // namespace

std::vector<Variant> variants_of(const BenchSetup& setup, const std::string& vary) {
  if (vary.empty()) {
    setup.table.check(setup.configuration, setup.context);
    return {{"", setup.configuration}};
  }
  const auto sweep = make_sweep(setup.table, parse_sweep(setup.table, vary, setup.configuration),
                                setup.configuration, setup.context);
  std::vector<Variant> variants;
  for (const auto& cell : sweep.cells) {
    if (!cell.refusal.empty())
      throw sim::UsageError(fmt::format("--vary: {} cannot run: {}", name_of(sweep, cell), cell.refusal));
    variants.push_back({name_of(sweep, cell), cell.configuration});
  }
  return variants;
}

nlohmann::json empty_series(const std::vector<Variant>& variants, std::initializer_list<const char*> lists) {
  auto all = nlohmann::json::array();
  for (const auto& variant : variants) {
    all.push_back({{"name", variant.name}});
    for (const char* list : lists) all.back()[list] = nlohmann::json::array();
  }
  return all;
}

void advance_one(sim::Engine& engine) {
  if (!engine.advance({.interrupt = sim::interrupt_flag()})) sim::stop_if_interrupted();
  engine.finish();
}

RunLength length_of(const RunRequest& request, int usual_steps, int samples) {
  const int steps = request.steps.value_or(usual_steps);
  return {.steps = steps, .stride = request.every.value_or(std::max(steps / samples, 1))};
}

void run_variants(const BenchSetup& setup, const std::vector<Variant>& variants, const RunLength& length,
                  const Look& look) {
  const auto [steps, stride] = length;
  ProgressLine line("diagnose");
  for (std::size_t k = 0; k < variants.size(); ++k) {
    const auto engine = sim::make_engine(setup.table, variants[k].configuration);
    engine->load(setup.scene.bodies, setup.scene.time);
    look(k, *engine);
    for (int step = 1; step <= steps; ++step) {
      advance_one(*engine);
      if (step % stride == 0 || step == steps) look(k, *engine);
      const double done = static_cast<double>(k) + static_cast<double>(step) / steps;
      if (line.due())
        line.show(fmt::format("{}step {} of {}", variants[k].name.empty() ? "" : variants[k].name + ", ",
                              step, steps),
                  done / static_cast<double>(variants.size()));
    }
  }
}

std::string computing_device(const BenchSetup& setup) {
  return device_name(sim::make_engine(setup.table, setup.configuration)->report());
}

nlohmann::json document_head(const BenchSetup& setup, std::string_view figure) {
  return {{"version", ORRERY_VERSION},          {"figure", figure},
          {"dataset", setup.scene.title},       {"bodies", setup.context.bodies},
          {"galaxies", setup.context.galaxies}, {"device", {{"name", computing_device(setup)}}}};
}

}  // namespace orrery::lab
