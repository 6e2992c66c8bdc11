#include "engine_cases.h"

#include <algorithm>

#include "sim/cpu/kernel.h"
#include "sim/cuda/family_names.h"
#include "sim/random.h"
#include "sim/tuning/simulation_options.h"

namespace orrery::sim::checks {

namespace {

std::string identifier(std::string text) {
  std::ranges::replace(text, '-', '_');
  std::ranges::replace(text, '=', '_');
  return text;
}

/// Offset within the galaxy: uneven sizes, the first the largest.
std::uint32_t galaxy_of(std::size_t body, std::size_t count, std::uint32_t galaxies) {
  const double place = static_cast<double>(body) / static_cast<double>(count);
  return static_cast<std::uint32_t>(place * place * galaxies);
}

}  // namespace

const OptionTable& simulation_options() {
  static const OptionTable table = [] {
    OptionTable options;
    add_simulation_options(options);
    return options;
  }();
  return table;
}

std::vector<EngineCase> engine_cases() {
  std::vector<EngineCase> cases;
  for (const auto* kernel : cpu_kernels()) {
    for (const int threads : {1, 2, 4}) {
      const std::string name(kernel->name);
      cases.push_back({.name = identifier("cpu_" + name + "_" + std::to_string(threads)),
                       .assignments = {"engine=cpu", "kernel=" + name, "threads=" + std::to_string(threads)},
                       .same_bits = kernel->same_bits});
    }
  }
  return cases;
}

std::vector<EngineCase> cuda_cases() {
  std::vector<EngineCase> cases;
  const auto add = [&](std::vector<std::string> assignments, bool orbits = false) {
    std::string name = "cuda";
    for (const auto& assignment : assignments) name += "_" + assignment;
    assignments.insert(assignments.begin(), "engine=cuda");
    cases.push_back({.name = identifier(name),
                     .assignments = std::move(assignments),
                     .cuda = true,
                     .orbits = orbits,
                     .same_bits = false});
  };
  for (const auto& family : cuda::family_names) {
    for (const char* layout : {"aos", "split", "float4", "soa"}) {
      add({"family=" + std::string(family.name), "layout=" + std::string(layout)},
          layout == std::string("float4"));
    }
  }
  for (const char* arithmetic : {"sqrt", "rsqrt-of-cube", "frsqrt-rn", "powf"})
    add({"arithmetic=" + std::string(arithmetic)});
  for (const char* passing : {"members", "pointer"}) {
    for (const char* layout : {"aos", "soa"})
      add({"passing=" + std::string(passing), "layout=" + std::string(layout)});
  }
  add({"loads=plain"});
  add({"constants=constant-memory"}, true);
  add({"staging=bodies"});
  add({"precision=double"}, true);
  add({"precision=double", "layout=soa"});
  add({"tile=32", "block=1024", "unroll=1"});
  add({"tile=2048", "block=32", "unroll=128"});
  add({"tile=256", "block=0"});
  add({"registers=32"});
  add({"fast-math=on"});
  add({"flush-to-zero=on"});
  add({"family=tiled-2d", "width=1", "span=1024", "length=64"});
  add({"family=tiled-2d", "width=4", "span=256", "length=256", "bank-safe=off"});
  for (const char* layout : {"aos", "split", "float4", "soa"})
    add({"family=tiled-2d", "sum=cublas", "layout=" + std::string(layout)}, layout == std::string("float4"));
  add({"family=tiled-2d", "sum=cublas", "precision=double", "width=4", "span=32"});
  add({"family=tiled-2d", "sum=cublas", "constants=constant-memory", "transfers=round-trip"});
  add({"transfers=round-trip"}, true);
  add({"transfers=round-trip", "host-memory=pageable", "layout=soa"});
  return cases;
}

std::string why_not_here(const EngineCase& engine_case) {
  if (!engine_case.cuda) return {};
  const auto kinds = engine_kinds();
  const auto cuda = std::ranges::find(kinds, "cuda", &EngineKind::name);
  if (cuda == kinds.end()) return "this build has no CUDA engine";
  if (auto reason = (*cuda)->unavailable(); !reason.empty()) return reason;
  // Without cuBLAS.
  const auto configuration = configuration_of(engine_case);
  const auto& sum = simulation_options().at("sum");
  return simulation_options().refusal(sum, configuration.value("sum"), configuration);
}

Configuration configuration_of(const EngineCase& engine_case, const std::vector<std::string>& more) {
  const auto& table = simulation_options();
  auto configuration = table.defaults();
  for (const auto& assignment : engine_case.assignments) table.assign(configuration, assignment);
  for (const auto& assignment : more) table.assign(configuration, assignment);
  return configuration;
}

Bodies ragged_bodies(std::size_t count, std::uint32_t galaxies) {
  Bodies bodies;
  bodies.resize(count);
  Random random(count + galaxies);
  const auto coordinate = [&] { return static_cast<float>(2.0 * random.uniform() - 1.0); };
  for (std::size_t i = 0; i < count; ++i) {
    bodies.position[i] = {coordinate(), coordinate(), coordinate()};
    bodies.velocity[i] = {0.3F * coordinate(), 0.3F * coordinate(), 0.3F * coordinate()};
    bodies.mass[i] = static_cast<float>((0.1 + random.uniform()) / static_cast<double>(count));
    bodies.galaxy[i] = galaxy_of(i, count, galaxies);
  }
  return bodies;
}

Advance advance_by(const Configuration& configuration) {
  // One engine for all calls: starting one takes much longer than a step.
  const std::shared_ptr<Engine> engine = make_engine(simulation_options(), configuration);
  return [configuration, engine](System& system, int steps, double dt) {
    auto settings = configuration;
    settings.set("time-step", dt);
    settings.set("softening", system.softening);
    settings.set("gravity", system.gravitational_constant);
    Bodies bodies;
    bodies.resize(system.position.size());
    bodies.position = system.position;
    bodies.velocity = system.velocity;
    bodies.mass = system.mass;
    engine->configure(settings);
    engine->load(bodies, 0.0);
    for (int k = 0; k < steps; ++k) engine->advance({});
    engine->read_back(bodies);
    system.position = bodies.position;
    system.velocity = bodies.velocity;
  };
}

}  // namespace orrery::sim::checks
