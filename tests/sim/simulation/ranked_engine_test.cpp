#include "sim/simulation/ranked_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "sim/core/error.h"
#include "sim/cpu/kernel.h"
#include "sim/galaxies/model.h"
#include "sim/ranks/agreement.h"
#include "sim/simulation/engine_registry.h"
#include "tests/sim/engines/engine_cases.h"
#include "thread_ranks.h"

namespace orrery::sim {
namespace {

using checks::after;
using checks::charged_bodies;
using checks::configuration_of;
using checks::loaded;
using checks::on_ranks;
using checks::ragged_bodies;
using checks::same_bits;

constexpr int usual_steps = 4;

Configuration configured(const std::vector<std::string>& assignments) {
  return configuration_of({.name = "", .assignments = {"engine=cpu", "threads=2"}}, assignments);
}

std::unique_ptr<Engine> ranked(const Configuration& configuration, Communicator& ranks) {
  return std::make_unique<RankedEngine>(make_engine(checks::simulation_options(), configuration),
                                        configuration, ranks);
}

/// The bodies that rank 0 has after the steps. No rank may fail.
Bodies after_on_ranks(int count, const Configuration& configuration, const Bodies& bodies,
                      int steps = usual_steps) {
  return checks::moved_by_ranks(
      count, [&](Communicator& ranks) { return ranked(configuration, ranks); }, bodies, steps);
}

void expect_the_same(const Bodies& mine, const Bodies& expected, bool bits, const std::string& what) {
  ASSERT_EQ(mine.size(), expected.size()) << what;
  if (bits) {
    EXPECT_TRUE(same_bits(mine.position, expected.position)) << what;
    EXPECT_TRUE(same_bits(mine.velocity, expected.velocity)) << what;
  } else {
    EXPECT_LT(checks::largest_difference(mine.position, expected.position), 1e-5) << what;
    EXPECT_LT(checks::largest_difference(mine.velocity, expected.velocity), 1e-4) << what;
  }
}

/// As one process, for several numbers of ranks.
void expect_as_one_process(const std::vector<std::string>& assignments, const Bodies& bodies,
                           bool bits = true, int steps = usual_steps) {
  const auto configuration = configured(assignments);
  const auto expected = after(*loaded(configuration, bodies), bodies, steps);
  EXPECT_GT(checks::largest_difference(expected.position, bodies.position), 1e-4);
  for (const int count : {1, 2, 3, 5}) {
    std::string what = std::to_string(count) + " ranks";
    for (const auto& assignment : assignments) what += " " + assignment;
    expect_the_same(after_on_ranks(count, configuration, bodies, steps), expected, bits, what);
  }
}

TEST(RankedEngine, GalaxiesOfEveryKernelAsInOneProcess) {
  for (const auto* kernel : cpu_kernels()) {
    expect_as_one_process({"kernel=" + std::string(kernel->name), "ranks-split=galaxies"},
                          ragged_bodies(150, 7), kernel->same_bits);
  }
}

TEST(RankedEngine, BodiesOfEveryKernelThatCanAsInOneProcess) {
  int able = 0;
  for (const auto* kernel : cpu_kernels()) {
    if (!kernel->takes_targets) continue;
    ++able;
    const std::string name = "kernel=" + std::string(kernel->name);
    expect_as_one_process({name, "ranks-split=bodies"}, ragged_bodies(101), kernel->same_bits);
    expect_as_one_process({name, "ranks-split=bodies"}, ragged_bodies(150, 3), kernel->same_bits);
  }
  EXPECT_GE(able, 6);
}

/// Galaxies of many groups, in which the borders between ranks move from step to step.
TEST(RankedEngine, GroupsOfATreeAsInOneProcess) {
  for (const char* options : {"group-size=20", "opening=geometric"}) {
    expect_as_one_process({"kernel=tree", "ranks-split=bodies", options}, ragged_bodies(2000));
    expect_as_one_process({"kernel=tree", "ranks-split=bodies", options}, ragged_bodies(1500, 3));
  }
}

/// A rank may get groups of a galaxy of which it had none when the cells were made: where galaxies are about
/// as much work as each other the border between two ranks goes to and fro at theirs.
TEST(RankedEngine, KeptCellsOfATreeAsInOneProcess) {
  const std::vector<std::string> all{"kernel=tree", "ranks-split=bodies", "group-size=4",
                                     "rebuild=3",   "time-step=0.05",     "softening=0.1"};
  expect_as_one_process(all, ragged_bodies(600, 3), true, 12);
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U})
    expect_as_one_process(all, make_galaxies("plummer", {.bodies = 128, .seed = seed}, 2).bodies, true, 18);
}

TEST(RankedEngine, EveryIntegratorAndLawAsInOneProcess) {
  for (const char* integrator :
       {"leapfrog", "symplectic-euler", "explicit-euler", "forest-ruth", "rk4", "hermite"}) {
    for (const char* split : {"ranks-split=galaxies", "ranks-split=bodies"}) {
      const auto named = std::string("integrator=") + integrator;
      expect_as_one_process({named, split}, ragged_bodies(90, 2));
      expect_as_one_process({named, split, "dimensions=2"}, ragged_bodies(90, 2));
      if (find_integrator(integrator)->has_jerks()) continue;  // not known of charges
      // The magnetic force needs the others' velocities.
      expect_as_one_process({named, split, "force-law=electric"}, charged_bodies(90, 2));
    }
  }
}

TEST(RankedEngine, FewerBodiesThanRanks) {
  for (const char* split : {"ranks-split=galaxies", "ranks-split=bodies", "ranks-split=auto"})
    expect_as_one_process({split}, ragged_bodies(3));
}

TEST(RankedEngine, AutoCutsGalaxiesWhereEachRankGetsOne) {
  const auto configuration = configured({});
  EXPECT_EQ(split_of(configuration, 3, 3), Split::galaxies);
  EXPECT_EQ(split_of(configuration, 2, 3), Split::bodies);
  EXPECT_EQ(split_of(configured({"ranks-split=galaxies"}), 1, 3), Split::galaxies);
  EXPECT_EQ(split_of(configured({"ranks-split=bodies"}), 9, 3), Split::bodies);
}

TEST(RankedEngine, TheSampleIsThatOfOneProcess) {
  const auto bodies = charged_bodies(120, 4);
  for (const char* split : {"ranks-split=galaxies", "ranks-split=bodies"}) {
    for (const char* law : {"force-law=gravity", "force-law=electric"}) {
      const auto configuration = configured({split, law});
      const bool planned = configuration.choice("force-law") == "gravity";
      const auto plan = std::make_shared<const StratifiedSample>(
          StratifiedSample{.of = 120, .evenly = {3, 40, 99}, .strata = {{"some", {5, 40, 60}}}});
      const auto sampled = [&](Engine& engine) {
        engine.load(bodies, 0.0);
        engine.advance({});
        engine.observe({.forces = 50, .seed = 7, .plan = planned ? plan : nullptr});
        engine.advance({});
        engine.finish();
        return engine.poll().forces;
      };
      const auto expected = sampled(*make_engine(checks::simulation_options(), configuration));
      ASSERT_TRUE(expected);
      on_ranks(3, [&](Communicator& ranks) {
        const auto sample = sampled(*ranked(configuration, ranks));
        ASSERT_EQ(sample.has_value(), ranks.rank() == 0);
        if (!sample) return;
        EXPECT_EQ(sample->index, expected->index);
        EXPECT_TRUE(same_bits(sample->position, expected->position));
        EXPECT_TRUE(same_bits(sample->acceleration, expected->acceleration));
        EXPECT_EQ(sample->velocity.size(), expected->velocity.size());
        EXPECT_EQ(sample->time, expected->time);
        EXPECT_LT(force_error(*sample).maximum, 2e-4);
      });
    }
  }
}

TEST(RankedEngine, ChangedOptionsHoldFromTheNextStep) {
  const auto bodies = ragged_bodies(60, 2);
  const auto run = [&](Engine& engine) {
    engine.load(bodies, 0.0);
    auto moved = after(engine, bodies, 2);
    engine.configure(configured({"ranks-split=bodies", "softening=0.3", "integrator=symplectic-euler"}));
    moved = after(engine, moved, 2);
    engine.configure(configured({"ranks-split=bodies", "softening=0.1"}));
    return after(engine, moved, 2);
  };
  const auto configuration = configured({"ranks-split=bodies"});
  const auto expected = run(*make_engine(checks::simulation_options(), configuration));
  on_ranks(3, [&](Communicator& ranks) {
    const auto engine = ranked(configuration, ranks);
    const auto moved = run(*engine);
    EXPECT_EQ(engine->status().steps, 6U);
    if (ranks.rank() == 0) expect_the_same(moved, expected, true, "reconfigured");
  });
}

TEST(RankedEngine, RankZeroPublishesAll) {
  const auto bodies = ragged_bodies(40, 5);
  on_ranks(3, [&](Communicator& ranks) {
    const auto engine = ranked(configured({}), ranks);
    engine->load(bodies, 2.5);
    EXPECT_EQ(engine->status().time, 2.5);
    std::vector<float> position(160, -1.0F);
    std::vector<float> velocity(160, -1.0F);
    engine->write_vertices({.position = position.data(), .velocity = velocity.data(), .bodies = 40});
    for (std::size_t i = 0; i < 40; ++i) {
      const bool first = ranks.rank() == 0;
      EXPECT_EQ(position[4 * i], first ? bodies.position[i].x : -1.0F);
      EXPECT_EQ(position[4 * i + 3], first ? bodies.mass[i] : -1.0F);
      EXPECT_EQ(velocity[4 * i + 2], first ? bodies.velocity[i].z : -1.0F);
    }
    EXPECT_EQ(engine->status().timings.interactions, interactions_per_evaluation(bodies.galaxies()));
  });
}

/// Rank 1 is told to stop before its forces are whole.
/// The map of each of some steps, with its header; of another D, plane and box after two.
std::vector<std::vector<float>> maps_of(Engine& engine, const Bodies& bodies, int rank) {
  std::vector<std::vector<float>> maps;
  engine.load(bodies, 0.0);
  for (int step = 0; step < 4; ++step) {
    if (step == 2)
      engine.configure(configured({"map-size=33", "map-plane=yz", "map-box=fit", "map-values=normalised"}));
    const auto size = engine.map().size;
    std::vector<float> packed(8 * bodies.size());
    std::vector<float> map(map_header + size * size, -1.0F);
    // As render does it: only rank 0 has a target for the map.
    engine.write_vertices({.position = packed.data(),
                           .velocity = packed.data() + 4 * bodies.size(),
                           .bodies = bodies.size(),
                           .map = rank == 0 ? map.data() : nullptr,
                           .map_size = rank == 0 ? size : 0});
    std::fill(map.begin() + 1, map.begin() + map_header, 0.0F);
    maps.push_back(std::move(map));
    engine.advance({});
    engine.finish();
  }
  return maps;
}

// Each rank counts the bodies that it moves; the sum is exact. One rank of five may have no body at all.
TEST(RankedEngine, TheActivityMapIsThatOfOneProcess) {
  for (const auto& bodies : {ragged_bodies(301), ragged_bodies(70, 4), ragged_bodies(3)}) {
    for (const char* split : {"ranks-split=galaxies", "ranks-split=bodies"}) {
      const auto configuration = configured({split, "map-size=9", "map-box=all", "integrator=leapfrog"});
      const auto expected = maps_of(*make_engine(checks::simulation_options(), configuration), bodies, 0);
      EXPECT_GT(std::accumulate(expected[0].begin() + map_header, expected[0].end(), 0.0), bodies.size() / 2);
      for (const int count : {2, 5}) {
        const auto failures = on_ranks(count, [&](Communicator& ranks) {
          const auto engine = make_ranked_engine(checks::simulation_options(), configuration, ranks);
          const auto mine = maps_of(*engine, bodies, ranks.rank());
          if (ranks.rank() == 0) {
            EXPECT_EQ(mine, expected) << split << ' ' << count << " ranks";
            EXPECT_GT(engine->status().timings.map_ms, 0.0);
          }
        });
        for (const auto& failure : failures) EXPECT_EQ(failure, "");
      }
    }
  }
}

TEST(RankedEngine, AnInterruptedStepIsMadeByAllOrByNone) {
  const auto bodies = ragged_bodies(60, 3);
  const std::atomic<bool> stop{true};
  for (const char* split : {"ranks-split=galaxies", "ranks-split=bodies"}) {
    const auto configuration = configured({split});
    const auto expected = after(*loaded(configuration, bodies), bodies, 2);
    on_ranks(3, [&](Communicator& ranks) {
      const auto engine = ranked(configuration, ranks);
      engine->load(bodies, 0.0);
      EXPECT_FALSE(engine->advance({.interrupt = &stop}));
      EXPECT_EQ(engine->status().steps, 0U);
      const WorkBudget mine{.interrupt = ranks.rank() == 1 ? &stop : nullptr};
      std::uint64_t made = 0;
      for (int k = 0; k < 2; ++k) made += engine->advance(mine) ? 1 : 0;
      EXPECT_EQ(made, split == std::string("ranks-split=galaxies") ? 2U : 0U);
      EXPECT_EQ(engine->status().steps, made);
      const auto moved = after(*engine, bodies, static_cast<int>(2 - made));
      if (ranks.rank() == 0) expect_the_same(moved, expected, true, split);
    });
  }
}

void expect_all(const std::vector<std::string>& messages, const std::string& part) {
  for (const auto& message : messages) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_EQ(message, messages.front());
  }
}

TEST(RankedEngine, KernelsOfWholeGalaxiesAreRefusedEverywhere) {
  const auto one = ragged_bodies(50);
  for (const char* kernel : {"pair-symmetric", "omp-region"}) {
    const auto messages = on_ranks(2, [&](Communicator& ranks) {
      ranked(configured({std::string("kernel=") + kernel}), ranks)->load(one, 0.0);
    });
    expect_all(messages, std::string("kernel=") + kernel + ": it computes whole galaxies");
  }
  // While the galaxy is shared, too; the engine goes on with the kernel that it has.
  on_ranks(2, [&](Communicator& ranks) {
    const auto engine = ranked(configured({}), ranks);
    engine->load(one, 0.0);
    EXPECT_THROW(engine->configure(configured({"kernel=pair-symmetric"})), Error);
    EXPECT_TRUE(engine->advance({}));
  });
}

TEST(RankedEngine, DomainsAreForGpus) {
  const auto messages = on_ranks(2, [&](Communicator& ranks) {
    ranked(configured({"kernel=tree", "ranks-split=domains"}), ranks)->load(ragged_bodies(50), 0.0);
  });
  expect_all(messages, std::string(domains_are_for_gpus));
  const auto& table = checks::simulation_options();
  EXPECT_EQ(table.refusal(table.at("kernel"), std::string("tree"), configured({"ranks-split=domains"}),
                          {.bodies = 100, .galaxies = 1, .ranks = 2}),
            domains_are_for_gpus);
}

TEST(Agreement, DeliversMessagesOfAnySize) {
  const auto messages = on_ranks(3, [](Communicator& ranks) {
    const auto self = static_cast<std::size_t>(ranks.rank());
    std::vector<std::vector<double>> sent(3);
    for (std::size_t r = 0; r < sent.size(); ++r) sent[r].assign(self * r, 10.0 * static_cast<double>(self));
    const auto received = deliver<double>(ranks, sent);
    for (std::size_t r = 0; r < sent.size(); ++r)
      EXPECT_EQ(received[r], std::vector<double>(r == self ? 0 : self * r, 10.0 * static_cast<double>(r)));
  });
  for (const auto& message : messages) EXPECT_EQ(message, "");
}

TEST(RankedEngine, TheTableRefusesThemBefore) {
  const auto& table = checks::simulation_options();
  const auto refusal = [&](const char* kernel, std::size_t galaxies, std::size_t ranks) {
    return table.refusal(table.at("kernel"), std::string(kernel), configured({}),
                         {.bodies = 100, .galaxies = galaxies, .ranks = ranks});
  };
  EXPECT_EQ(refusal("pair-symmetric", 1, 1), "");
  EXPECT_EQ(refusal("pair-symmetric", 2, 2), "");
  EXPECT_NE(refusal("pair-symmetric", 1, 2), "");
  EXPECT_EQ(refusal("omp-bodies", 1, 2), "");
}

TEST(RankedEngine, DifferentDatasetsAreRefusedEverywhere) {
  const auto failures = [](const Bodies& others) {
    return on_ranks(3, [&](Communicator& ranks) {
      ranked(configured({}), ranks)->load(ranks.rank() == 2 ? others : ragged_bodies(40, 3), 0.0);
    });
  };
  expect_all(failures(ragged_bodies(39, 3)), "different datasets");
  auto moved = ragged_bodies(40, 3);
  moved.position[7].y += 1e-3F;
  expect_all(failures(moved), "different datasets");
}

/// An engine that fails in its second step.
class Failing final : public Engine {
 public:
  explicit Failing(std::unique_ptr<Engine> inner) : inner_(std::move(inner)) {}
  const EngineKind& kind() const override { return inner_->kind(); }
  void load(const Bodies& bodies, double time) override { inner_->load(bodies, time); }
  void configure(const Configuration& configuration) override { inner_->configure(configuration); }
  bool advance(const WorkBudget& budget) override {
    if (inner_->status().steps == 1) throw Error("the processor is on fire; get water");
    return inner_->advance(budget);
  }
  void write_vertices(const VertexTarget& target) override { inner_->write_vertices(target); }
  void read_back(Bodies& bodies) override { inner_->read_back(bodies); }
  EngineStatus status() const override { return inner_->status(); }
  EngineReport report() const override { return inner_->report(); }
  void observe(const SampleRequest& /*wanted*/) override {}
  Samples poll() override { return {}; }
  void set_partition(BodyRange targets, StateExchange& exchange) override {
    inner_->set_partition(targets, exchange);
  }

 private:
  std::unique_ptr<Engine> inner_;
};

TEST(RankedEngine, WhatOneRankThrowsAllThrow) {
  for (const char* split : {"ranks-split=galaxies", "ranks-split=bodies"}) {
    const auto messages = on_ranks(3, [&](Communicator& ranks) {
      const auto configuration = configured({split});
      auto inner = make_engine(checks::simulation_options(), configuration);
      if (ranks.rank() == 1) inner = std::make_unique<Failing>(std::move(inner));
      RankedEngine engine(std::move(inner), configuration, ranks);
      engine.load(ragged_bodies(60, 3), 0.0);
      EXPECT_TRUE(engine.advance({}));
      engine.advance({});
    });
    expect_all(messages, "rank 1 of 3: the processor is on fire; get water");
  }
}

TEST(RankedEngine, AReasonOfOneMachineCountsForAll) {
  on_ranks(3, [](Communicator& ranks) {
    EXPECT_EQ(first_text(ranks, ""), "");
    EXPECT_EQ(first_text(ranks, ranks.rank() == 2 ? "no GPU" : ""), "rank 2 of 3: no GPU");
    EXPECT_EQ(first_text(ranks, "no GPU"), "no GPU");
  });
}

TEST(RankedEngine, EnginesThatCannotShareSayWhatToDo) {
  const auto messages = on_ranks(2, [&](Communicator& ranks) {
    class Whole final : public StateExchange {
      std::size_t worker() const override { return 0; }
      std::size_t workers() const override { return 1; }
      void share(std::span<Vec3>) override {}
      void share(std::span<Vec3>, std::span<const std::size_t>) override {}
      bool all(bool mine) override { return mine; }
    } exchange;
    Failing engine(make_engine(checks::simulation_options(), configured({})));
    if (ranks.rank() == 0) engine.Engine::set_partition({}, exchange);
  });
  EXPECT_NE(messages.front().find("cannot share a galaxy among processes; use"), std::string::npos);
}

}  // namespace
}  // namespace orrery::sim
