#include <algorithm>
#include <nlohmann/json.hpp>

#include "lab/bench/timeline_trace.h"
#include "lab/runs/run_measurement.h"
#include "sim/simulation/engine_registry.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

/// A few steps of the engine that was chosen.
sim::Timeline timeline_of_steps(const BenchSetup& setup, int steps) {
  const auto engine = sim::make_engine(setup.table, setup.configuration);
  engine->load(setup.scene.bodies, setup.scene.time);
  sim::Timeline all;
  double start = 0.0;
  for (int step = 0; step <= steps; ++step) {
    engine->observe({.timeline = true});
    advance_one(*engine);
    const auto part = engine->poll().timeline;
    // The first one warms up.
    if (!part || step == 0) continue;
    all.schedule = part->schedule;
    double end = start;
    for (auto span : part->spans) {
      span.start_ms += start;
      span.end_ms += start;
      span.step = step - 1;
      end = std::max(end, span.end_ms);
      all.spans.push_back(span);
    }
    start = end;
  }
  return all;
}

json measure_timeline(BenchSetup& setup, const RunRequest& request) {
  constexpr int usual_steps = 3;
  auto trace = trace_json(timeline_of_steps(setup, request.steps.value_or(usual_steps)));
  trace["device"] = {{"name", computing_device(setup)}};
  return trace;
}

}  // namespace

extern constinit const RunMeasurement timeline_measurement{
    .name = "timeline",
    .meaning = "what every stream does in a few steps, in Chrome's trace format",
    .drawn_by = "timeline",
    .measure = measure_timeline,
};

}  // namespace orrery::lab
