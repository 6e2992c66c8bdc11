#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "lab/runs/run_measurement.h"
#include "sim/core/interrupt.h"
#include "sim/cpu/cpu_options.h"
#include "sim/options/engine_option.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

constexpr std::size_t sampled_bodies = 1024;

double relative_error(const sim::ForceSample& sample, std::size_t k) {
  const auto exact = sim::reference_acceleration(sample, sample.index[k]);
  const auto& found = sample.acceleration[k];
  const sim::DVec3 off{found.x - exact.x, found.y - exact.y, found.z - exact.z};
  const double size = std::sqrt(exact.x * exact.x + exact.y * exact.y + exact.z * exact.z);
  const double error = std::sqrt(off.x * off.x + off.y * off.y + off.z * off.z);
  return size > 0.0 ? error / size : (error > 0.0 ? std::numeric_limits<double>::infinity() : 0.0);
}

json distribution(const BenchSetup& setup, const std::vector<Variant>& variants) {
  auto all = json::array();
  run_variants(setup, variants, {.steps = 1, .stride = 1}, [&](std::size_t k, sim::Engine& engine) {
    if (engine.status().steps == 0) return engine.observe({.forces = sampled_bodies, .seed = 1});
    const auto sample = engine.poll().forces;
    auto errors = json::array();
    for (std::size_t i = 0; sample && i < sample->index.size(); ++i)
      errors.push_back(relative_error(*sample, i));
    all.push_back({{"name", variants[k].name}, {"errors", std::move(errors)}});
  });
  return all;
}

json error_over_time(const BenchSetup& setup, const std::vector<Variant>& variants, const RunLength& length) {
  auto all = json::array();
  for (const auto& variant : variants)
    all.push_back(
        {{"name", variant.name}, {"time", json::array()}, {"median", json::array()}, {"p99", json::array()}});
  // A sample is of the step after it was asked for.
  run_variants(setup, variants, length, [&](std::size_t k, sim::Engine& engine) {
    if (const auto sample = engine.poll().forces) {
      const auto error = sim::force_error(*sample);
      all[k]["time"].push_back(sample->time);
      all[k]["median"].push_back(error.median);
      all[k]["p99"].push_back(error.p99);
    }
    engine.observe({.forces = sampled_bodies, .seed = 1 + engine.status().steps});
  });
  return all;
}

double squared_distance(const std::vector<sim::Vec3>& a, const std::vector<sim::Vec3>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = double{a[i].x} - b[i].x, y = double{a[i].y} - b[i].y, z = double{a[i].z} - b[i].z;
    sum += x * x + y * y + z * z;
  }
  return sum;
}

/// The reference first: the CPU kernel that everything is compared with.
json distances(const BenchSetup& setup, const std::vector<Variant>& variants, const RunLength& length) {
  auto reference = variants.front().configuration;
  reference.set("engine", std::string("cpu"));
  reference.set("kernel", std::string("omp-bodies"));
  std::vector<std::vector<sim::Vec3>> right;
  auto bodies = setup.scene.bodies;
  run_variants(setup, {{"the reference", reference}}, length, [&](std::size_t, sim::Engine& engine) {
    engine.read_back(bodies);
    right.push_back(bodies.position);
  });
  auto all = json::array();
  for (const auto& variant : variants)
    all.push_back({{"name", variant.name}, {"time", json::array()}, {"distance2", json::array()}});
  run_variants(setup, variants, length, [&](std::size_t k, sim::Engine& engine) {
    engine.read_back(bodies);
    all[k]["distance2"].push_back(squared_distance(bodies.position, right.at(all[k]["time"].size())));
    all[k]["time"].push_back(engine.status().time);
  });
  return all;
}

json error_document(const BenchSetup& setup, const char* quantity, json series) {
  auto document = document_head(setup, "error");
  document["quantity"] = quantity;
  document["kernel"] = sim::computing_name(setup.configuration);
  document["series"] = std::move(series);
  return document;
}

constexpr int usual_steps = 100, looks = 100;

json measure_distribution(BenchSetup& setup, const RunRequest& request) {
  return error_document(setup, "distribution", distribution(setup, variants_of(setup, request.vary)));
}

json measure_over_time(BenchSetup& setup, const RunRequest& request) {
  const auto length = length_of(request, usual_steps, looks);
  return error_document(setup, "time", error_over_time(setup, variants_of(setup, request.vary), length));
}

json measure_distances(BenchSetup& setup, const RunRequest& request) {
  const auto length = length_of(request, usual_steps, looks);
  return error_document(setup, "distance", distances(setup, variants_of(setup, request.vary), length));
}

}  // namespace

extern const RunMeasurement error_measurement;
constinit const RunMeasurement error_measurement{
    .name = "error",
    .meaning = "relative errors of the forces on a sample of bodies, after one step",
    .drawn_by = "error",
    .varies = true,
    .measure = measure_distribution,
};

extern const RunMeasurement error_time_measurement;
constinit const RunMeasurement error_time_measurement{
    .name = "error-time",
    .meaning = "median and 99th percentile of these errors over time",
    .drawn_by = "error",
    .varies = true,
    .measure = measure_over_time,
};

extern const RunMeasurement distance_measurement;
constinit const RunMeasurement distance_measurement{
    .name = "distance",
    .meaning = "squared distance to the bodies of the CPU over time",
    .drawn_by = "error",
    .varies = true,
    .measure = measure_distances,
};

}  // namespace orrery::lab
