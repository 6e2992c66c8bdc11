#include <chrono>
#include <nlohmann/json.hpp>

#include "lab/runs/run_measurement.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

json measure_steps(BenchSetup& setup, const RunRequest& request) {
  using Clock = std::chrono::steady_clock;
  constexpr int usual_steps = 200, looks = 20;
  const auto variants = variants_of(setup, request.vary);
  auto document = document_head(setup, "steps");
  auto series = empty_series(variants, {"steps", "seconds"});
  Clock::time_point start;
  run_variants(setup, variants, length_of(request, usual_steps, looks),
               [&](std::size_t k, sim::Engine& engine) {
                 if (engine.status().steps == 0) start = Clock::now();
                 series[k]["steps"].push_back(engine.status().steps);
                 series[k]["seconds"].push_back(std::chrono::duration<double>(Clock::now() - start).count());
               });
  document["series"] = std::move(series);
  return document;
}

}  // namespace

extern constinit const RunMeasurement steps_measurement{
    .name = "steps",
    .meaning = "seconds of a run over the number of its steps",
    .drawn_by = "steps",
    .varies = true,
    .measure = measure_steps,
};

}  // namespace orrery::lab
