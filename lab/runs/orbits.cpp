#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "lab/runs/run_measurement.h"
#include "sim/bodies/bodies.h"
#include "sim/options/physics_options.h"
#include "sim/physics/kepler.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

/// The word behind "lengths in" or "time in" in the scene's notes: "AU".
std::string unit_in_notes(const sim::Scene& scene, const std::string& what) {
  for (const auto& note : scene.notes) {
    const auto at = note.find(what + " in ");
    if (at == std::string::npos) continue;
    const auto start = at + what.size() + 4;
    const auto end = note.find_first_of(",;=", start);
    auto unit = note.substr(start, end == std::string::npos ? end : end - start);
    while (unit.ends_with(' ')) unit.pop_back();
    return unit;
  }
  return {};
}

/// All bodies of a small scene; of others some, evenly out of all.
std::vector<std::size_t> shown_bodies(std::size_t bodies) {
  constexpr std::size_t most = 24;
  std::vector<std::size_t> shown;
  const std::size_t count = std::min(bodies, most);
  for (std::size_t k = 0; k < count; ++k) shown.push_back(k * bodies / count);
  return shown;
}

/// The longest period of a body around the heaviest other one; 0: none is bound to it.
double longest_period(const sim::Bodies& bodies, double gravitational_constant) {
  double longest = 0.0;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    std::size_t center = k == 0 ? 1 : 0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (i != k && bodies.mass[i] > bodies.mass[center]) center = i;
    const auto from = [center](const std::vector<sim::Vec3>& of, std::size_t body) {
      return sim::DVec3(of[body]) - sim::DVec3(of[center]);
    };
    const double pull = gravitational_constant * (double{bodies.mass[k]} + double{bodies.mass[center]});
    const auto ellipse = sim::osculating_ellipse(from(bodies.position, k), from(bodies.velocity, k), pull);
    if (ellipse) longest = std::max(longest, ellipse->period(pull));
  }
  return longest;
}

/// One period of periodic orbits, a little more than the longest one of planets; of scenes with many bodies
/// as long as one looks at them.
int usual_steps(const BenchSetup& setup) {
  constexpr std::size_t few = 100;
  constexpr double usual = 500.0, most = 200'000.0;
  const auto& bodies = setup.scene.bodies;
  const auto physics = sim::physics_of(setup.configuration);
  if (bodies.size() < 2 || bodies.size() > few || !(physics.time_step > 0.0)) return static_cast<int>(usual);
  if (setup.scene.period > 0.0)
    return static_cast<int>(std::min(std::ceil(setup.scene.period / physics.time_step - 1e-6), most));
  const double period = longest_period(bodies, physics.gravitational_constant);
  return static_cast<int>(std::clamp(1.05 * period / physics.time_step, usual, most));
}

json body_json(const sim::Scene& scene, std::size_t k) {
  const bool named = k < scene.names.size() && !scene.names[k].empty();
  auto name = named ? scene.names[k] : fmt::format("body {}", k + 1);
  return {{"name", std::move(name)}, {"mass", scene.bodies.mass[k]}, {"path", json::array()}};
}

/// A team of threads costs more than it saves where there are so few bodies.
void use_one_thread(BenchSetup& setup, const RunRequest& request) {
  constexpr std::size_t few = 200;
  const bool chosen = std::ranges::any_of(
      request.assignments, [](const std::string& each) { return each.starts_with("threads="); });
  if (setup.scene.bodies.size() <= few && !chosen) setup.configuration.set("threads", std::int64_t{1});
}

json measure_orbits(BenchSetup& setup, const RunRequest& request) {
  constexpr int looks = 4000;
  use_one_thread(setup, request);
  const auto length = length_of(request, usual_steps(setup), looks);
  auto document = document_head(setup, "orbits");
  const auto shown = shown_bodies(setup.scene.bodies.size());
  auto bodies_json = json::array();
  for (const auto k : shown) bodies_json.push_back(body_json(setup.scene, k));
  auto bodies = setup.scene.bodies;
  run_variants(setup, variants_of(setup, ""), length, [&](std::size_t, sim::Engine& engine) {
    engine.read_back(bodies);
    document["end"] = engine.status().time;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const auto& at = bodies.position[shown[i]];
      bodies_json[i]["path"].push_back({at.x, at.y, at.z});
    }
  });
  document["start"] = setup.scene.time;
  document["steps"] = length.steps;
  document["all_bodies"] = setup.scene.bodies.size();
  document["units"] = {{"length", unit_in_notes(setup.scene, "lengths")},
                       {"time", unit_in_notes(setup.scene, "time")}};
  document["bodies"] = std::move(bodies_json);
  return document;
}

}  // namespace

extern constinit const RunMeasurement orbits_measurement{
    .name = "orbits",
    .meaning = "paths of up to 24 bodies",
    .drawn_by = "orbits",
    .double_precision = true,
    .measure = measure_orbits,
};

}  // namespace orrery::lab
