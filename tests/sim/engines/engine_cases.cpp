#include "engine_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "sim/core/random.h"
#include "sim/cpu/kernel.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/families/family.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/approximate_kernels.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/simulation_options.h"
#include "tests/sim/cuda/repeated_gpu.h"

namespace orrery::sim::checks {

namespace {

std::string identifier(std::string text) {
  std::ranges::replace(text, '-', '_');
  std::ranges::replace(text, '=', '_');
  std::ranges::replace(text, ',', '_');
  std::ranges::replace(text, ':', '_');
  return text;
}

EngineCase cuda_case(std::vector<std::string> assignments, bool orbits = false) {
  std::string name = "cuda";
  for (const auto& assignment : assignments) name += "_" + assignment;
  const bool products = std::ranges::any_of(assignments, [](const std::string& each) {
    return each.starts_with("family=") && uses_products(std::string_view(each).substr(7));
  });
  assignments.insert(assignments.begin(), "engine=cuda");
  // What a tree leaves out has tests of its own.
  if (std::ranges::any_of(assignments, [](const std::string& each) {
        return each.starts_with("family=") && is_approximate("family", each.substr(7));
      }))
    assignments.emplace_back("opening=relative:0");
  return {.name = identifier(name),
          .assignments = std::move(assignments),
          .cuda = true,
          .orbits = orbits,
          .products = products,
          .same_bits = false,
          .any_threads = false};
}

EngineCase cpu_case(const CpuKernel& kernel, int threads, const std::vector<std::string>& more) {
  const std::string name(kernel.name);
  EngineCase result{.name = "cpu_" + name + "_" + std::to_string(threads),
                    .assignments = {"engine=cpu", "kernel=" + name, "threads=" + std::to_string(threads)},
                    .same_bits = kernel.same_bits && !kernel.vectors,
                    .any_threads = kernel.same_bits};
  // What a tree leaves out has tests of its own.
  if (kernel.approximate) result.assignments.emplace_back("opening=relative:0");
  for (const auto& assignment : more) {
    result.name += "_" + assignment;
    result.assignments.push_back(assignment);
  }
  result.name = identifier(result.name);
  return result;
}

/// Offset within the galaxy: uneven sizes, the first the largest.
std::uint32_t galaxy_of(std::size_t body, std::size_t count, std::uint32_t galaxies) {
  const double place = static_cast<double>(body) / static_cast<double>(count);
  return static_cast<std::uint32_t>(place * place * galaxies);
}

/// The families that split the sources, at the ends of their options.
template <typename Add>
void add_split_cases(const Add& add) {
  for (const char* bodies : {"1", "2", "3", "8"})
    add({"family=register-split", "bodies-per-thread=" + std::string(bodies)});
  for (const char* split : {"1", "7", "64"}) {
    add({"family=register-split", "split=" + std::string(split)});
    add({"family=tensor", "split=" + std::string(split)});
    add({"family=tensor-pairs", "split=" + std::string(split)});
  }
  add({"family=register-split", "precision=double"});
  add({"family=register-split", "tile=32", "block=1024", "unroll=128"});
  add({"family=register-split", "tile=2048", "block=32", "unroll=1"});
  for (const char* family : {"tensor-sum", "tensor"}) {
    const std::string named = "family=" + std::string(family);
    add({named, "block=128"});
    add({named, "block=0", "registers=128"});
    add({named, "constants=constant-memory", "loads=plain", "passing=pointer"});
    add({named, "passing=members", "transfers=round-trip", "layout=soa"});
  }
  add({"family=tensor-pairs", "constants=constant-memory", "loads=plain", "passing=pointer"});
  add({"family=tensor-pairs", "passing=members", "transfers=round-trip", "layout=soa"});
  add({"family=tensor-pairs", "schedule=graph", "streams=3"});
  add({"family=tensor-pairs", "weights=split"});
  add({"family=tensor", "weights=split"});
}

/// Those that the family does not refuse.
std::vector<std::string> layouts_of(const cuda::Family& family) {
  const auto& option = simulation_options().at("layout");
  auto configuration = simulation_options().defaults();
  configuration.set("engine", std::string("cuda"));
  configuration.set("family", std::string(family.name));
  std::vector<std::string> layouts;
  for (const auto& layout : option.choices) {
    if (simulation_options().refusal(option, layout, configuration).empty()) layouts.push_back(layout);
  }
  return layouts;
}

}  // namespace

bool uses_products(std::string_view family) { return !cuda::family_named(family).limits.float_only.empty(); }

double force_bound(const EngineCase& engine_case) { return engine_case.products ? 3e-4 : 2e-5; }

double bounded_error(const EngineCase& engine_case, const ForceError& error) {
  return engine_case.products ? error.median : error.maximum;
}

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
    for (const int threads : {1, 2, 4}) cases.push_back(cpu_case(*kernel, threads, {}));
  }
  return cases;
}

std::vector<EngineCase> cuda_cases() {
  std::vector<EngineCase> cases;
  const auto add = [&](std::vector<std::string> assignments, bool orbits = false) {
    cases.push_back(cuda_case(std::move(assignments), orbits));
  };
  for (const auto* family : cuda::families()) {
    for (const auto& layout : layouts_of(*family)) {
      add({"family=" + std::string(family->name), "layout=" + layout},
          layout == "float4" && !uses_products(family->name));
    }
  }
  add_split_cases(add);
  for (const char* arithmetic : {"sqrt", "rsqrt-of-cube", "frsqrt-rn", "powf"})
    add({"arithmetic=" + std::string(arithmetic)});
  for (const char* passing : {"members", "pointer"}) {
    for (const char* layout : {"aos", "soa"})
      add({"passing=" + std::string(passing), "layout=" + std::string(layout)});
  }
  add({"loads=plain"});
  add({"constants=constant-memory"}, true);
  add({"staging=bodies"});
  add({"family=tiled-2d", "staging=none"}, true);
  add({"family=galaxy-block", "staging=none"}, true);
  add({"family=galaxy-block", "tile=2048", "block=64"});
  // The run-time compiler has left out turns of loops that are unrolled by divisors of 2^32 - 1.
  for (const auto* family : cuda::families()) {
    if (!family->uses_option("unroll")) continue;
    for (const char* unroll : {"unroll=3", "unroll=17"}) add({"family=" + std::string(family->name), unroll});
  }
  add({"family=galaxy-block", "unroll=3", "tile=1000", "block=32"});
  add({"family=galaxy-block", "tile=32", "block=1024", "layout=split"});
  add({"precision=double"}, true);
  add({"precision=double", "layout=soa"});
  add({"tile=32", "block=1024", "unroll=1"});
  add({"tile=2048", "block=32", "unroll=128"});
  add({"tile=256", "block=0"});
  add({"registers=32"});
  add({"math=fast"});
  add({"math=flush-to-zero"});
  add({"family=tiled-2d", "tiling=1:64:1024"});
  add({"family=tiled-2d", "tiling=4:256", "bank-safe=writes"});
  add({"family=tiled-2d", "tiling=4:256", "bank-safe=reads"});
  add({"family=tiled-2d", "tiling=1:96:1000", "bank-safe=none"});
  add({"family=tiled-2d", "tiling=8:128:128"}, true);
  add({"family=tiled-2d", "tiling=8:32:32", "bank-safe=reads"});
  add({"family=tiled-2d", "sum=tree"}, true);
  add({"family=tiled-2d", "sum=tree", "precision=double", "tiling=8:128:32"});
  add({"family=tiled-2d", "sum=tree", "tiling=1:128:1024", "schedule=graph", "streams=3"});
  add({"block=16", "tile=16"}, true);
  add({"block=16", "family=pairwise"});
  for (const char* layout : {"aos", "split", "float4", "soa"})
    add({"family=tiled-2d", "sum=cublas", "layout=" + std::string(layout)}, layout == std::string("float4"));
  add({"family=tiled-2d", "sum=cublas", "precision=double", "tiling=4:128:32"});
  add({"family=tiled-2d", "sum=cublas", "constants=constant-memory", "transfers=round-trip"});
  // 'auto' batches several galaxies.
  for (const char* family : {"tiled", "pairwise", "galaxy-block", "tiled-2d", "pairs-atomic", "pairs-matrix"})
    add({"family=" + std::string(family), "schedule=serial"});
  for (const char* schedule : {"streams", "phased", "graph"}) {
    add({"schedule=" + std::string(schedule), "streams=3"}, true);
    add({"schedule=" + std::string(schedule), "family=tiled-2d", "layout=soa", "precision=double"});
  }
  add({"schedule=graph", "constants=constant-memory", "family=pairs-atomic"});
  add({"schedule=streams", "family=galaxy-block", "transfers=round-trip"});
  add({"transfers=round-trip"}, true);
  add({"transfers=round-trip", "host-memory=pageable", "layout=soa"});
  // Two GPUs: 2 stands for device 1 besides device 0.
  for (const char* layout : {"aos", "split", "float4", "soa"})
    add({"devices=0,1", "split-by=bodies", "layout=" + std::string(layout)}, layout == std::string("float4"));
  add({"devices=0,1", "split-by=galaxies"});
  add({"devices=0,1", "split-by=galaxies", "schedule=graph"});
  add({"devices=0,1", "split-by=bodies", "schedule=streams", "family=tiled-2d", "precision=double"});
  return cases;
}

std::vector<EngineCase> emulated_cases() {
  std::vector<EngineCase> cases;
  const auto add = [&](std::vector<std::string> assignments) {
    auto emulated = cuda_case(std::move(assignments));
    emulated.assignments.front() = "engine=emulated";
    emulated.name.replace(0, 4, "emulated");
    emulated.cuda = false;
    emulated.orbits = cases.empty();
    cases.push_back(std::move(emulated));
  };
  for (const auto* family : cuda::families()) add({"family=" + std::string(family->name)});
  for (const char* layout : {"aos", "aos-mass", "split", "soa"}) add({"layout=" + std::string(layout)});
  for (const char* passing : {"members", "pointer"}) add({"passing=" + std::string(passing)});
  for (const char* constants : {"constant-memory", "constant-memory-all"})
    add({"constants=" + std::string(constants), "schedule=serial"});
  add({"precision=double"});
  add({"family=tiled-2d", "sum=tree"});
  add({"family=tensor", "weights=split"});
  add({"schedule=graph", "streams=3"});
  add({"transfers=round-trip"});
  add({"devices=0,1", "split-by=bodies"});
  return cases;
}

std::vector<EngineCase> electric_cases(bool cuda) {
  std::vector<EngineCase> cases;
  const std::string law = "force-law=electric";
  if (!cuda) {
    for (const auto* kernel : cpu_kernels()) {
      if (!kernel->gravity_only.empty()) continue;
      for (const int threads : {1, 4}) cases.push_back(cpu_case(*kernel, threads, {law}));
    }
    return cases;
  }
  const auto add = [&](std::vector<std::string> assignments) {
    assignments.insert(assignments.begin(), law);
    cases.push_back(cuda_case(std::move(assignments)));
  };
  for (const auto* family : cuda::families()) {
    if (!family->limits.gravity_only.empty()) continue;
    for (const char* layout : {"aos", "split", "float4", "soa"})
      add({"family=" + std::string(family->name), "layout=" + std::string(layout)});
    add({"family=" + std::string(family->name), "precision=double"});
  }
  for (const char* layout : {"aos", "split", "float4", "soa"}) {
    add({"passing=members", "layout=" + std::string(layout)});
    add({"passing=pointer", "precision=double", "layout=" + std::string(layout)});
  }
  add({"staging=bodies"});
  add({"family=tiled-2d", "staging=none"});
  add({"family=galaxy-block", "staging=none"});
  add({"staging=bodies", "layout=soa", "tile=1024"});
  add({"family=tiled-2d", "sum=cublas"});
  add({"family=tiled-2d", "sum=tree", "tiling=8:128:128"});
  add({"constants=constant-memory"});
  add({"constants=constant-memory", "precision=double"});
  add({"loads=plain"});
  add({"math=fast"});
  add({"arithmetic=powf"});
  add({"tile=32", "block=1024"});
  add({"transfers=round-trip"});
  return cases;
}

std::vector<EngineCase> planar_cases(bool cuda) {
  std::vector<EngineCase> cases;
  const std::string planar = "dimensions=2", law = "force-law=electric";
  if (!cuda) {
    for (const auto* kernel : cpu_kernels()) {
      cases.push_back(cpu_case(*kernel, 2, {planar}));
      if (kernel->gravity_only.empty()) cases.push_back(cpu_case(*kernel, 2, {planar, law}));
    }
    return cases;
  }
  for (const auto* family : cuda::families()) {
    for (const auto& layout : layouts_of(*family))
      cases.push_back(cuda_case({planar, "family=" + std::string(family->name), "layout=" + layout}));
  }
  for (const char* layout : {"aos", "split", "float4", "soa"}) {
    const std::string form = "layout=" + std::string(layout);
    cases.push_back(cuda_case({planar, law, form}));
    cases.push_back(cuda_case({planar, law, form, "precision=double", "passing=members"}));
    cases.push_back(cuda_case({planar, form, "passing=pointer", "transfers=round-trip"}));
    cases.push_back(cuda_case({planar, form, "update=fused", "integrator=symplectic-euler"}));
  }
  cases.push_back(
      cuda_case({planar, "update=fused", "integrator=symplectic-euler", "unroll=3", "tile=1000"}));
  return cases;
}

std::string why_not_here(const EngineCase& engine_case) {
  const auto configuration = configuration_of(engine_case);
  if (!is_on_gpu(configuration)) return {};
  const auto kinds = engine_kinds();
  const auto kind = std::ranges::find(kinds, engine_name(configuration), &EngineKind::name);
  if (kind == kinds.end()) return "this build has no such engine";
  if (auto reason = (*kind)->unavailable(); !reason.empty()) return reason;
  const auto& chosen = configuration.choice("devices");
  const bool several = chosen == "all" || chosen.find(',') != std::string::npos;
  if (several && !is_emulated(configuration) && cuda::devices().size() < 2) return "there are no two GPUs";
  // Without cuBLAS.
  const auto& sum = simulation_options().at("sum");
  return simulation_options().refusal(sum, configuration.value("sum"), configuration);
}

Configuration configuration_of(const EngineCase& engine_case, const std::vector<std::string>& more) {
  const auto& table = simulation_options();
  auto configuration = table.defaults();
  const char* gpu = std::getenv("ORRERY_TEST_GPU");
  const auto engine = std::string("engine=") + (gpu != nullptr ? gpu : "cuda");
  const auto assign = [&](const std::string& assignment) {
    table.assign(configuration, assignment == "engine=cuda" ? engine : assignment);
  };
  std::ranges::for_each(engine_case.assignments, assign);
  std::ranges::for_each(more, assign);
  RepeatedGpu::apply(configuration);
  return configuration;
}

std::string field_setting(const ExternalField& field, Physics numbers) {
  numbers.field = &field;
  Configuration configuration;
  set_physics(configuration, numbers);
  return "external-field=" + configuration.choice("external-field");
}

Vec3 lattice_place(std::size_t i, std::size_t side) {
  const std::size_t row = i / side, plane = row / side;
  return {static_cast<float>(i % side), static_cast<float>(row % side), static_cast<float>(plane)};
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

Bodies charged_bodies(std::size_t count, std::uint32_t galaxies) {
  auto bodies = ragged_bodies(count, galaxies);
  Random random(7 * count + galaxies);
  for (std::size_t i = 0; i < count; ++i) {
    bodies.velocity[i] *= 4.0F;
    const double size = (0.3 + random.uniform()) / std::sqrt(static_cast<double>(count));
    bodies.charge[i] = static_cast<float>(random.uniform() < 0.5 ? -size : size);
    if (i % 7 == 3) bodies.charge[i] = 0.0F;
  }
  return bodies;
}

std::unique_ptr<Engine> loaded(const Configuration& configuration, const Bodies& bodies) {
  auto engine = make_engine(simulation_options(), configuration);
  engine->load(bodies, 0.0);
  return engine;
}

Bodies after(Engine& engine, Bodies bodies, int steps) {
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(engine.advance({}));
  engine.read_back(bodies);
  return bodies;
}

ForceSample all_forces(const Configuration& configuration, const Bodies& bodies) {
  const auto engine = loaded(configuration, bodies);
  engine->observe({.forces = bodies.size(), .seed = 1});
  engine->advance({});
  engine->finish();
  return engine->poll().forces.value();
}

bool same_bits(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3)) == 0;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max<double>(largest, norm(a[i] - b[i]));
  return largest;
}

Advance advance_by(const Configuration& configuration) {
  return lab::by_engine(simulation_options(), configuration);
}

}  // namespace orrery::sim::checks
