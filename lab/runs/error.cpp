#include <limits>
#include <nlohmann/json.hpp>

#include "lab/runs/run_measurement.h"
#include "lab/verify/known_orbits.h"
#include "sim/options/engine_option.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

constexpr std::size_t sampled_bodies = 1024;

double relative_error(const sim::ForceSample& sample, std::size_t k) {
  const auto exact = sim::reference_acceleration(sample, sample.index[k]);
  const double size = norm(exact), error = norm(sim::DVec3(sample.acceleration[k]) - exact);
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
  auto all = empty_series(variants, {"time", "median", "p99"});
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
  auto all = empty_series(variants, {"time", "distance2"});
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

extern constinit const RunMeasurement error_measurement{
    .name = "error",
    .meaning = "relative errors of the forces on a sample of bodies, after one step",
    .drawn_by = "error",
    .varies = true,
    .measure = measure_distribution,
};

extern constinit const RunMeasurement error_time_measurement{
    .name = "error-time",
    .meaning = "median and 99th percentile of these errors over time",
    .drawn_by = "error",
    .varies = true,
    .measure = measure_over_time,
};

extern constinit const RunMeasurement distance_measurement{
    .name = "distance",
    .meaning = "squared distance to the bodies of the CPU over time",
    .drawn_by = "error",
    .varies = true,
    .measure = measure_distances,
};

}  // namespace orrery::lab
