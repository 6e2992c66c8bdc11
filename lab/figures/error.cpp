#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "lab/figures/figure_kind.h"
#include "lab/figures/saved.h"
#include "lab/figures/stepping.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/cpu/cpu_options.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

constexpr std::size_t sampled_bodies = 1024;

plots::Line line_of(std::string name, std::size_t k) {
  return {.name = std::move(name),
          .points = {},
          .color = plots::distinct(k),
          .dash = k < plots::distinct_colors ? plots::Dash::solid : plots::Dash::dashed};
}

std::string name_of(const json& series, const json& document) {
  const auto name = text_in(series, "name");
  return name.empty() ? text_in(document, "kernel") : name;
}

/// Which share of the bodies has at most that error.
plots::Panel distribution_panel(const json& document) {
  plots::Panel panel;
  std::vector<double> all;
  for (const auto& series : document.at("series")) {
    auto errors = numbers_in(series, "errors");
    std::ranges::sort(errors);
    auto line = line_of(name_of(series, document), panel.lines.size());
    for (std::size_t k = 0; k < errors.size(); ++k)
      line.points.push_back(
          {errors[k], 100.0 * static_cast<double>(k + 1) / static_cast<double>(errors.size())});
    all.insert(all.end(), errors.begin(), errors.end());
    panel.lines.push_back(std::move(line));
  }
  panel.x = plots::fitted("relative error of the force", plots::Scale::logarithmic, all);
  panel.y = {.label = "bodies with at most this error, %", .low = 0.0, .high = 100.0};
  return panel;
}

/// Values over time; of force errors also the 99th percentile, dashed.
plots::Panel time_panel(const json& document, const std::string& quantity, const FigureRequest& request) {
  plots::Panel panel;
  std::vector<double> times, values;
  std::size_t k = 0;
  for (const auto& series : document.at("series")) {
    const auto time = numbers_in(series, "time");
    const auto add = [&](const char* key, const std::string& what, plots::Dash dash) {
      auto line = line_of(name_of(series, document) + what, k);
      line.dash = dash;
      const auto all = numbers_in(series, key);
      for (std::size_t i = 0; i < std::min(time.size(), all.size()); ++i)
        line.points.push_back({time[i], all[i]});
      values.insert(values.end(), all.begin(), all.end());
      panel.lines.push_back(std::move(line));
    };
    if (quantity == "distance") {
      add("distance2", "", plots::Dash::solid);
    } else {
      add("median", ", median", plots::Dash::solid);
      add("p99", ", 99 % are below", plots::Dash::dashed);
    }
    times.insert(times.end(), time.begin(), time.end());
    ++k;
  }
  const auto scale = request.scale == "linear" ? plots::Scale::linear : plots::Scale::logarithmic;
  panel.x = plots::fitted("simulated time", plots::Scale::linear, times, 0.0);
  panel.y =
      plots::fitted(quantity == "distance" ? "Σ |r − r(CPU)|^{2}, length^{2}" : "relative error of the force",
                    scale, values);
  return panel;
}

std::string title_of(const std::string& quantity) {
  if (quantity == "distance") return "How far the bodies come from those of the CPU";
  return quantity == "time" ? "Errors of the forces over time" : "Errors of the forces";
}

plots::Figure draw_error(const Documents& documents, const FigureRequest& request) {
  const auto& document = documents.front();
  const auto quantity = text_in(document, "quantity");
  if (document.at("series").empty()) throw sim::Error("there is nothing to draw: no error was measured");
  return {.title = title_of(quantity),
          .subtitle = joined({dataset_in(document), device_in(document)}),
          .note = quantity == "distance" ? "summed over all bodies; CPU: kernel omp-bodies"
                                         : "against sums in double precision",
          .panels = {quantity == "distribution" ? distribution_panel(document)
                                                : time_panel(document, quantity, request)},
          .width = 720.0,
          .height = 440.0};
}

bool reads_error(const json& document) { return made_by(document, "error"); }

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
  run_variants(setup, variants, 1, 1, [&](std::size_t k, sim::Engine& engine) {
    if (engine.status().steps == 0) return engine.observe({.forces = sampled_bodies, .seed = 1});
    const auto sample = engine.poll().forces;
    auto errors = json::array();
    for (std::size_t i = 0; sample && i < sample->index.size(); ++i)
      errors.push_back(relative_error(*sample, i));
    all.push_back({{"name", variants[k].name}, {"errors", std::move(errors)}});
  });
  return all;
}

json over_time(const BenchSetup& setup, const std::vector<Variant>& variants, int steps, int stride) {
  auto all = json::array();
  for (const auto& variant : variants)
    all.push_back(
        {{"name", variant.name}, {"time", json::array()}, {"median", json::array()}, {"p99", json::array()}});
  // A sample is of the step after it was asked for.
  run_variants(setup, variants, steps, stride, [&](std::size_t k, sim::Engine& engine) {
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
json distances(const BenchSetup& setup, const std::vector<Variant>& variants, int steps, int stride) {
  auto reference = variants.front().configuration;
  reference.set("engine", std::string("cpu"));
  reference.set("kernel", std::string("omp-bodies"));
  std::vector<std::vector<sim::Vec3>> right;
  auto bodies = setup.scene.bodies;
  run_variants(setup, {{"the reference", reference}}, steps, stride, [&](std::size_t, sim::Engine& engine) {
    engine.read_back(bodies);
    right.push_back(bodies.position);
  });
  auto all = json::array();
  for (const auto& variant : variants)
    all.push_back({{"name", variant.name}, {"time", json::array()}, {"distance2", json::array()}});
  run_variants(setup, variants, steps, stride, [&](std::size_t k, sim::Engine& engine) {
    engine.read_back(bodies);
    all[k]["distance2"].push_back(squared_distance(bodies.position, right.at(all[k]["time"].size())));
    all[k]["time"].push_back(engine.status().time);
  });
  return all;
}

Documents measure_error(const sim::OptionTable& table, const FigureRequest& request) {
  constexpr int looks = 100;
  const auto setup = setup_of(table, request);
  const auto variants = variants_of(setup, request.vary);
  const int steps = request.steps.value_or(100);
  const int stride = std::max(steps / looks, 1);
  auto document = document_head(setup, "error");
  document["quantity"] = request.quantity;
  document["kernel"] = sim::computing_name(setup.configuration);
  if (request.quantity == "distribution")
    document["series"] = distribution(setup, variants);
  else if (request.quantity == "time")
    document["series"] = over_time(setup, variants, steps, stride);
  else
    document["series"] = distances(setup, variants, steps, stride);
  return {document};
}

constexpr std::array<std::string_view, 3> error_quantities{"distribution", "time", "distance"};

}  // namespace

extern const FigureKind error_figure;
constinit const FigureKind error_figure{
    .name = "error",
    .meaning =
        "errors of the forces: how they are distributed, over time, or the distance to the CPU's bodies",
    .subject = "",
    .reads = "orrery plot error --json",
    .quantities = error_quantities,
    .reads_document = reads_error,
    .measure = measure_error,
    .draw = draw_error,
};

}  // namespace orrery::lab
