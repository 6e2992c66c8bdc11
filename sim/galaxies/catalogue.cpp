#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include "galaxy_models.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/spelling.h"
#include "sim/galaxies/draw_bodies.h"
#include "sim/galaxies/model.h"

namespace orrery::sim {

namespace {

constexpr const auto& all_models = registry::models;

const GalaxyModel& model_or_throw(std::string_view name) {
  if (const GalaxyModel* model = find_galaxy_model(name)) return *model;
  std::vector<std::string> names;
  for (const GalaxyModel* each : all_models) names.emplace_back(each->name);
  throw UsageError(fmt::format("no galaxy model '{}' (choose one of {}){}", name, fmt::join(names, ", "),
                               did_you_mean(name, names)));
}

std::string allowed(const GalaxyModel& model) {
  if (model.minimum_bodies == model.maximum_bodies) return fmt::format("always has {}", model.minimum_bodies);
  return fmt::format("takes {} to {}", model.minimum_bodies, model.maximum_bodies);
}

void check_bodies(const GalaxyModel& model, std::size_t bodies) {
  if (bodies >= model.minimum_bodies && bodies <= model.maximum_bodies) return;
  throw UsageError(fmt::format("galaxy model '{}' cannot have {}: it {}", model.name,
                               counted(bodies, "body", "bodies"), allowed(model)));
}

/// `count` galaxies with the seeds after that of the request, made beside one another: each has its own seed,
/// so the result does not depend on the threads.
std::vector<Bodies> make_others(std::string_view name, const ModelRequest& request, std::uint32_t count) {
  std::vector<Bodies> others(count);
  const Ticker ticker(request.progress, count);
  std::atomic<std::size_t> done{0};
  on_all_cores(count, [&](std::size_t k) {
    ticker.at(done++);
    others[k] = make_galaxy(name, {request.bodies, request.seed + k + 1}).bodies;
  });
  return others;
}

/// Throws Error where memory does not suffice: 100 million bodies take 10 GB while they are made.
Scene made(const GalaxyModel& model, const ModelRequest& request) try {
  return model.make(request);
} catch (const std::bad_alloc&) {
  throw Error(fmt::format(
      "there is not enough memory to make {}, which takes about 100 bytes for each; ask for fewer",
      counted(request.bodies, "body", "bodies")));
}

}  // namespace

std::span<const GalaxyModel* const> galaxy_models() { return all_models; }

const GalaxyModel* find_galaxy_model(std::string_view name) {
  const auto found = std::ranges::find(all_models, name, &GalaxyModel::name);
  return found == all_models.end() ? nullptr : *found;
}

Scene make_galaxy(std::string_view name, const ModelRequest& request) {
  const GalaxyModel& model = model_or_throw(name);
  const ModelRequest actual{request.bodies == 0 ? model.default_bodies : request.bodies, request.seed,
                            request.progress};
  check_bodies(model, actual.bodies);
  Scene scene = made(model, actual);
  scene.title = model.name;
  scene.source =
      fmt::format("model {}, {}, seed {}", model.name, counted(actual.bodies, "body", "bodies"), actual.seed);
  return scene;
}

Scene make_galaxies(std::string_view name, const ModelRequest& request, std::uint32_t galaxies) {
  if (galaxies == 0) throw UsageError("cannot make 0 galaxies: ask for at least 1");
  if (galaxies == 1) return make_galaxy(name, request);
  Scene scene = make_galaxy(name, {request.bodies, request.seed});
  const auto others = make_others(name, request, galaxies - 1);
  for (std::uint32_t k = 1; k < galaxies; ++k) scene.bodies.append(others[k - 1], k);
  repeat(scene.names, galaxies);
  repeat(scene.radii, galaxies);
  std::iota(scene.bodies.id.begin(), scene.bodies.id.end(), std::uint64_t{0});
  scene.source += fmt::format(", and {} with the seeds after it",
                              counted(galaxies - 1, "more independent galaxy", "more independent galaxies"));
  return scene;
}

}  // namespace orrery::sim
