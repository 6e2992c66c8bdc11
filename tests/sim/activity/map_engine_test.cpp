#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/activity/map_options.h"
#include "sim/core/error.h"
#include "tests/sim/activity/plain_map.h"
#include "tests/sim/engines/engine_cases.h"

// The map that engines publish beside the bodies: of the CPU, or of a GPU (ORRERY_TEST_CUDA).
namespace orrery::sim {
namespace {

using checks::configuration_of;
using checks::EngineCase;
using checks::loaded;
using checks::ragged_bodies;

/// Plain memory for a step with its map.
struct Published {
  std::vector<float> position, velocity, map;
  Published(Engine& engine, std::size_t bodies, std::size_t size)
      : position(4 * bodies), velocity(4 * bodies), map(map_header + size * size, -1.0F) {
    engine.write_vertices({.position = position.data(),
                           .velocity = velocity.data(),
                           .bodies = bodies,
                           .map = map.data(),
                           .map_size = size});
  }
  std::vector<Vec3> positions() const {
    std::vector<Vec3> all;
    for (std::size_t i = 0; i < position.size(); i += 4)
      all.push_back({position[i], position[i + 1], position[i + 2]});
    return all;
  }
  std::vector<float> cells() const { return {map.begin() + map_header, map.end()}; }
};

/// The map of these bodies, counted one by one.
std::vector<float> expected_cells(const std::vector<Vec3>& position, const MapSpec& spec) {
  const auto map = checks::plain_map(position, spec);
  return {map.begin() + map_header, map.end()};
}

/// Bodies of which some lie on the edges of the unit square, and of its cells.
Bodies bodies_at_edges() {
  auto bodies = ragged_bodies(601);
  constexpr std::size_t first = 100;
  for (std::size_t k = 0; k < 25; ++k) {
    const std::size_t row = k / 5;
    bodies.position[first + k] = {0.25F * static_cast<float>(k % 5), 0.25F * static_cast<float>(row), 0.0F};
    bodies.velocity[first + k] = {};
  }
  return bodies;
}

std::vector<EngineCase> cases() {
#ifdef ORRERY_TEST_CUDA
  std::vector<EngineCase> all;
  const auto add = [&](std::string name, std::vector<std::string> assignments) {
    assignments.insert(assignments.begin(), "engine=cuda");
    all.push_back({.name = std::move(name), .assignments = std::move(assignments), .cuda = true});
  };
  for (const std::string how : {"update", "kernel", "shared"}) {
    for (const std::string layout : {"aos", "aos-mass", "split", "float4", "soa"})
      add(how + '_' + (layout == "aos-mass" ? "aos_mass" : layout), {"map-count=" + how, "layout=" + layout});
    add(how + "_pointer", {"map-count=" + how, "passing=pointer", "layout=soa"});
    add(how + "_members", {"map-count=" + how, "passing=members", "layout=soa"});
    add(how + "_double", {"map-count=" + how, "precision=double"});
    add(how + "_constants", {"map-count=" + how, "constants=constant-memory"});
    add(how + "_fast_math", {"map-count=" + how, "math=fast"});
    add(how + "_euler", {"map-count=" + how, "integrator=explicit-euler"});
    add(how + "_planar", {"map-count=" + how, "integrator=symplectic-euler", "dimensions=2"});
  }
  add("kernel_graph", {"map-count=kernel", "schedule=graph"});
  add("kernel_streams", {"map-count=kernel", "schedule=streams"});
  add("kernel_fused", {"map-count=kernel", "family=tiled", "update=fused", "integrator=symplectic-euler"});
  add("kernel_round_trip", {"map-count=kernel", "transfers=round-trip"});
  add("kernel_round_trip_positions",
      {"map-count=kernel", "transfers=round-trip-positions", "integrator=symplectic-euler"});
  // Each of two GPUs counts its own bodies. With whole galaxies the second one has none.
  for (const std::string split : {"bodies", "galaxies"}) {
    for (const std::string how : {"update", "kernel", "shared"})
      add("two_gpus_" + split + '_' + how, {"map-count=" + how, "devices=0,1", "split-by=" + split});
    add("two_gpus_constants_" + split, {"constants=constant-memory", "devices=1,0", "split-by=" + split});
  }
  return all;
#else
  return {{.name = "sequential", .assignments = {"engine=cpu", "kernel=sequential"}},
          {.name = "omp_bodies", .assignments = {"engine=cpu", "kernel=omp-bodies", "threads=3"}},
          {.name = "omp_region", .assignments = {"engine=cpu", "kernel=omp-region", "threads=2"}}};
#endif
}

class MapOfEngine : public testing::TestWithParam<EngineCase> {
 protected:
  void SetUp() override {
    if (const auto reason = checks::why_not_here(GetParam()); !reason.empty()) GTEST_SKIP() << reason;
  }
  static Configuration configuration(std::vector<std::string> more = {}) {
    more.emplace_back("time-step=0.05");
    return configuration_of(GetParam(), more);
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, MapOfEngine, testing::ValuesIn(cases()),
                         [](const auto& instance) { return instance.param.name; });

TEST_P(MapOfEngine, IsThatOfTheBodiesOfTheStep) {
  const auto bodies = bodies_at_edges();
  const auto settings = configuration({"map-size=20", "map-box=unit-square"});
  const auto engine = loaded(settings, bodies);
  std::vector<float> before;
  for (int step = 0; step < 4; ++step) {
    const Published now(*engine, bodies.size(), 20);
    const auto expected = expected_cells(now.positions(), engine->map());
    EXPECT_EQ(now.cells(), expected) << "step " << step;
    EXPECT_EQ(now.map[0], *std::ranges::max_element(expected));
    EXPECT_NE(expected, before) << "the bodies move";
    before = expected;
    ASSERT_TRUE(engine->advance({}));
  }
}

TEST_P(MapOfEngine, CountsEveryStepAnew) {
  const auto bodies = bodies_at_edges();
  const auto engine = loaded(configuration({"map-size=20", "map-box=unit-square"}), bodies);
  // Published once only after several steps: no step before it is left in the map.
  for (int step = 0; step < 5; ++step) ASSERT_TRUE(engine->advance({}));
  const Published now(*engine, bodies.size(), 20);
  EXPECT_EQ(now.cells(), expected_cells(now.positions(), engine->map()));
  const Published again(*engine, bodies.size(), 20);
  EXPECT_EQ(again.cells(), now.cells());
}

TEST_P(MapOfEngine, FollowsItsOptionsWhileTheSimulationRuns) {
  const auto bodies = bodies_at_edges();
  const auto engine = loaded(configuration(), bodies);
  EXPECT_EQ(engine->map().size, 0U);
  EXPECT_EQ(Published(*engine, bodies.size(), 4).map[0], -1.0F) << "nobody asked for a map";
  for (const std::string more : {"map-plane=xz", "map-values=normalised", "map-box=all"}) {
    for (const int size : {7, 110}) {
      engine->configure(configuration({"map-size=" + std::to_string(size), more}));
      ASSERT_TRUE(engine->advance({}));
      const auto spec = engine->map();
      ASSERT_EQ(spec.size, static_cast<std::size_t>(size));
      const Published now(*engine, bodies.size(), spec.size);
      EXPECT_EQ(now.cells(), expected_cells(now.positions(), spec)) << more << ' ' << size;
    }
  }
}

TEST_P(MapOfEngine, BoxStaysWhereItIsUntilAnotherIsAskedFor) {
  const auto bodies = bodies_at_edges();
  const auto engine = loaded(configuration({"map-size=8"}), bodies);
  const auto box = engine->map().box;
  ASSERT_TRUE(engine->advance({}));
  engine->configure(configuration({"map-size=16"}));
  EXPECT_EQ(engine->map().box, box);
  engine->configure(configuration({"map-size=16", "map-box=0:0.5:0:1"}));
  EXPECT_EQ(engine->map().box, (MapBox{0.0F, 0.5F, 0.0F, 1.0F}));
}

TEST_P(MapOfEngine, ChangesNoBitOfTheBodies) {
  const auto bodies = bodies_at_edges();
  const auto plain = checks::after(*loaded(configuration(), bodies), bodies, 3);
  const auto mapped = checks::after(*loaded(configuration({"map-size=64"}), bodies), bodies, 3);
  EXPECT_TRUE(checks::same_bits(plain.position, mapped.position));
  EXPECT_TRUE(checks::same_bits(plain.velocity, mapped.velocity));
}

// Options need no GPU: they are looked at in the CPU's program.
#ifndef ORRERY_TEST_CUDA
TEST(MapOptions, SizesThatDoNotFitTheMemoryAreRefusedWithTheirNumber) {
  const auto& table = checks::simulation_options();
  auto settings = table.defaults();
  settings.set("engine", std::string("cpu"));
  const OptionContext small{.host_memory = 1ULL << 30U, .device_memory = 1ULL << 30U};
  const auto refusal = [&](std::int64_t size, const OptionContext& context) {
    return table.refusal(table.at("map-size"), size, settings, context);
  };
  // 20 bytes a cell, half of the memory.
  EXPECT_EQ(refusal(5181, small), "");
  EXPECT_NE(refusal(5182, small).find("use at most 5181"), std::string::npos) << refusal(5182, small);
  EXPECT_NE(refusal(16384, small).find("5.00 GiB"), std::string::npos) << refusal(16384, small);
  EXPECT_EQ(refusal(16384, {}), "");
  EXPECT_THROW(table.assign(settings, "map-size=16385"), UsageError);
  settings.set("engine", std::string("cuda"));
  EXPECT_EQ(refusal(6951, small), "");
  EXPECT_NE(refusal(6952, small), "");
  EXPECT_EQ(refusal(10, {.ranks = 2}), "");
}

/// Why these cannot go together on a GPU; empty if they can.
std::string refusal_on_cuda(const std::vector<std::string>& assignments) {
  const auto& table = checks::simulation_options();
  auto settings = table.defaults();
  settings.set("engine", std::string("cuda"));
  settings.set("integrator", std::string("symplectic-euler"));
  for (const auto& each : assignments) table.assign(settings, each);
  const auto& count = table.at("map-count");
  return table.refusal(count, settings.value("map-count"), settings, {});
}

TEST(MapOptions, WaysToCountThatCannotRunAreRefusedWithTheirReason) {
  EXPECT_EQ(refusal_on_cuda({"map-size=110", "map-count=shared"}), "");
  EXPECT_NE(refusal_on_cuda({"map-size=111", "map-count=shared"}).find("48 KiB"), std::string::npos);
  EXPECT_EQ(refusal_on_cuda({"map-size=1000", "map-count=update"}), "");
  for (const char* other : {"update=fused", "schedule=graph", "schedule=streams", "transfers=round-trip",
                            "transfers=round-trip-positions"}) {
    EXPECT_NE(refusal_on_cuda({"map-size=1000", "map-count=update", other}), "") << other;
    EXPECT_EQ(refusal_on_cuda({"map-size=1000", "map-count=kernel", other}), "") << other;
    EXPECT_EQ(refusal_on_cuda({"map-count=update", other}), "") << "no map: " << other;
  }
  EXPECT_EQ(refusal_on_cuda({"map-size=8", "devices=0,1"}), "");
}

TEST(MapOptions, ABoxWithoutExtentIsRefused) {
  const auto& table = checks::simulation_options();
  auto settings = table.defaults();
  for (const char* each : {"map-size=10", "map-box=2:1:0:1"}) table.assign(settings, each);
  EXPECT_THROW(table.check(settings), UsageError);
  table.assign(settings, "map-box=2:3:0:1");
  EXPECT_NO_THROW(table.check(settings));
  table.assign(settings, "map-box=2:3:0:-1");
  EXPECT_THROW(table.check(settings), UsageError);
}

#endif

}  // namespace
}  // namespace orrery::sim
