// Galaxies that the GPUs of several processes share, in domains or body by body: what they compute is what
// one process with as many GPUs computes, to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sim/activity/activity_map.h"
#include "sim/core/error.h"
#include "sim/cuda/driver/device.h"
#include "sim/galaxies/model.h"
#include "sim/options/engine_option.h"
#include "sim/physics/diagnostics/force_error.h"
#include "sim/ranks/agreement.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/ranked_engine.h"
#include "tests/sim/cuda/repeated_gpu.h"
#include "tests/sim/engines/engine_cases.h"
#include "thread_ranks.h"

namespace orrery::sim {
namespace {

using checks::RepeatedGpu;

#ifdef ORRERY_TEST_EMULATED
constexpr const char* engine_choice = "engine=emulated";
constexpr std::size_t some = 2001;
#else
constexpr const char* engine_choice = "engine=cuda";
constexpr std::size_t some = 40'009;
#endif

using Settings = std::vector<std::string>;

checks::EngineCase team_case() {
  return {.name = "", .assignments = {engine_choice, "family=tree", "time-step=0.005", "softening=0.05"}};
}

/// So many processes with so many GPUs each.
struct Team {
  int processes, gpus;
};

class GpuTeam : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = checks::why_not_here(team_case()); !reason.empty()) GTEST_SKIP() << reason;
  }
  static Configuration configured(const Settings& more = {}) {
    return checks::configuration_of(team_case(), more);
  }
  static std::unique_ptr<Engine> ranked(const Settings& more, Communicator& ranks) {
    auto own = configured(more);
    // As make_ranked_engine spreads processes over the GPUs of a machine.
    const auto gpus = is_on_real_gpu(own) ? std::max<std::size_t>(cuda::devices().size(), 1) : 1;
    own.set("devices", std::string("auto"));
    RepeatedGpu::apply(own, static_cast<int>(static_cast<std::size_t>(ranks.local_rank()) % gpus));
    return make_ranked_engine(checks::simulation_options(), own, ranks);
  }
  static Bodies galaxy(const char* model, std::size_t count = some) {
    return make_galaxy(model, {.bodies = count, .seed = 3}).bodies;
  }
  /// Half of it is so dense that domains with as many bodies have different work.
  static Bodies uneven_galaxy(std::size_t count = some) {
    auto bodies = galaxy("plummer", count);
    for (std::size_t i = 0; i < bodies.size() / 2; ++i) bodies.position[i] = bodies.position[i] * 0.05F;
    return bodies;
  }
  static double fact(const Engine& of, std::string_view key) {
    const auto report = of.report();
    const auto found = std::ranges::find(report.facts, key, &Fact::key);
    if (found == report.facts.end()) return -1.0;
    if (const auto* whole = std::get_if<std::int64_t>(&found->value)) return static_cast<double>(*whole);
    return std::get<double>(found->value);
  }
  /// Of one process with all the GPUs.
  static Bodies by_one(const Team& team, const Settings& more, const Bodies& bodies, int steps) {
    const RepeatedGpu gpus(team.processes * team.gpus);
    return checks::after(*checks::loaded(configured(more), bodies), bodies, steps);
  }
  static Bodies by_all(const Team& team, const Settings& more, const Bodies& bodies, int steps) {
    const RepeatedGpu gpus(team.gpus);
    return checks::moved_by_ranks(
        team.processes, [&](Communicator& ranks) { return ranked(more, ranks); }, bodies, steps);
  }
  static void expect_same(const Team& team, const Settings& more, const Bodies& bodies, int steps) {
    const auto one = by_one(team, more, bodies, steps);
    const auto all = by_all(team, more, bodies, steps);
    const auto what = std::to_string(team.processes) + " processes with " + std::to_string(team.gpus) +
                      " GPUs" + (more.empty() ? "" : ", " + more.front());
    EXPECT_TRUE(checks::same_bits(one.position, all.position)) << what;
    EXPECT_TRUE(checks::same_bits(one.velocity, all.velocity)) << what;
    EXPECT_GT(checks::largest_difference(all.position, bodies.position), 1e-5) << what;
  }
  /// False where the step is made before that time has passed.
  static bool interrupted(Engine& engine, std::chrono::steady_clock::duration wait) {
    std::atomic<bool> now{false};
    std::thread later([&] {
      std::this_thread::sleep_for(wait);
      now = true;
    });
    const bool complete = engine.advance({.interrupt = &now});
    later.join();
    return !complete;
  }
  static std::vector<std::string> failures(int processes, const Settings& more, const Bodies& bodies) {
    return checks::on_ranks(processes, [&](Communicator& ranks) {
      const auto all = ranked(more, ranks);
      all->load(bodies, 0.0);
      all->advance({});
    });
  }
};

TEST_F(GpuTeam, EveryBitIsThatOfOneProcess) {
  expect_same({2, 1}, {}, galaxy("plummer"), 3);
  expect_same({3, 1}, {}, galaxy("plummer"), 3);
  expect_same({2, 2}, {}, galaxy("disk"), 3);
}

TEST_F(GpuTeam, SoItIsWithOtherStepsAndTrees) {
  const auto bodies = galaxy("disk", some / 2);
  for (const char* more : {"step=adaptive", "integrator=yoshida", "order=octupole", "opening=geometric:0.6",
                           "dimensions=2", "state-precision=compensated"})
    expect_same({2, 1}, {more}, bodies, 2);
}

/// Bodies pass from the domains of one process into those of another, and the galaxy is cut anew.
TEST_F(GpuTeam, BodiesAreImportedAndDomainsAreCutAgain) {
  const Settings fast{"time-step=0.3"};
  auto bodies = galaxy("plummer");
  bodies.append(galaxy("plummer", some / 8), 0);
  for (std::size_t i = some; i < bodies.size(); ++i)
    bodies.position[i] = bodies.position[i] * 0.01F + Vec3{4, 0, 0};
  std::mutex mutex;
  double imports = 0.0, cuts = 0.0, errors = 0.0;
  int samples = 0;
  Bodies end;
  {
    const RepeatedGpu gpus(2);
    const auto failed = checks::on_ranks(2, [&](Communicator& ranks) {
      const auto all = ranked(fast, ranks);
      all->load(bodies, 0.0);
      for (int k = 0; k < 6; ++k) {
        // Samples that are under way neither stop a cut nor are spoilt by it.
        all->observe({.forces = 50, .seed = 1});
        all->advance({});
        if (k % 2 == 1) continue;
        all->finish();
        const auto sample = all->poll().forces;
        if (ranks.rank() == 0 && sample) errors = std::max(errors, force_error(*sample).p99);
        samples += ranks.rank() == 0 && sample ? 1 : 0;
      }
      all->finish();
      auto moved = bodies;
      all->read_back(moved);
      if (ranks.rank() == 0) end = std::move(moved);
      const std::lock_guard lock(mutex);
      imports = std::max(imports, fact(*all, "domain_guests"));
      cuts = std::max(cuts, fact(*all, "domain_cuts"));
    });
    for (const auto& failure : failed) EXPECT_EQ(failure, "");
  }
  EXPECT_GT(imports, 20.0);
  EXPECT_GE(cuts, 1.0);
  EXPECT_GE(samples, 2);
  EXPECT_LT(errors, 2e-2);
  EXPECT_TRUE(checks::same_bits(end.position, by_one({2, 2}, fast, bodies, 6).position));
}

/// A piece of a domain is a few groups of bodies here, and most of the pieces have none.
TEST_F(GpuTeam, BordersStayWhereDomainsCostTheSame) {
  const RepeatedGpu gpus(3);
  const auto bodies = uneven_galaxy();
  const auto engine = checks::loaded(configured({"time-step=1e-6"}), bodies);
  for (int k = 0; k < 6; ++k) engine->advance({});
  engine->finish();
  EXPECT_LT(fact(*engine, "domain_largest_share"), 1.3);
}

/// A step that is interrupted and saved begins again with the borders that its first forces had.
TEST_F(GpuTeam, AStateWithinAStepGoesOnWithTheSameBits) {
  const RepeatedGpu gpus(3);
  const auto bodies = uneven_galaxy(some / 3);
  // A step has about ten parts, and most places to end it are within it.
  const auto loaded = [&] {
    return checks::loaded(configured({"step=adaptive:0.02", "time-step=0.004"}), bodies);
  };
  const auto before = loaded(), whole = loaded();
  checks::after(*before, bodies, 1);
  const auto saved = before->save_state();
  ASSERT_TRUE(whole->restore_state(saved));
  const auto begin = std::chrono::steady_clock::now();
  const auto expected = checks::after(*whole, bodies, 1);
  const auto step = std::chrono::steady_clock::now() - begin;
  int within = 0;
  auto wait = step / 2;
  for (int attempt = 0; within < 2 && attempt < 40; ++attempt) {
    const auto first = loaded(), second = loaded();
    ASSERT_TRUE(first->restore_state(saved));
    // On a busy machine a step may take many times as long as another one.
    if (!interrupted(*first, wait)) {
      wait /= 2;
      continue;
    }
    wait += wait / 4 + std::chrono::microseconds(10);
    const auto kept = first->save_state();
    within += kept.find("acceleration-is-current") == nullptr ? 1 : 0;
    ASSERT_TRUE(second->restore_state(kept));
    const auto found = checks::after(*second, bodies, 1);
    EXPECT_TRUE(checks::same_bits(expected.position, found.position)) << attempt;
    EXPECT_TRUE(checks::same_bits(expected.velocity, found.velocity)) << attempt;
  }
  EXPECT_GT(within, 0);
}

/// Sampled forces, interactions and the activity map are those of one process.
TEST_F(GpuTeam, WhatIsMeasuredIsThatOfOneProcess) {
  const auto bodies = galaxy("disk");
  const Settings more{"map-size=32"};
  struct Measured {
    ForceSample sample;
    double interactions = 0.0;
    std::vector<float> map;
  };
  const auto measure = [&](Engine& of) {
    of.load(bodies, 0.0);
    of.observe({.forces = 300, .seed = 7});
    of.advance({});
    of.finish();
    Measured found;
    if (auto sample = of.poll().forces) found.sample = *std::move(sample);
    found.interactions = of.status().timings.interactions;
    std::vector<float> packed(8 * bodies.size());
    found.map.resize(map_header + 32 * 32);
    of.write_vertices({.position = packed.data(),
                       .velocity = packed.data() + 4 * bodies.size(),
                       .bodies = bodies.size(),
                       .map = found.map.data(),
                       .map_size = 32});
    return found;
  };
  Measured one, all;
  {
    const RepeatedGpu gpus(4);
    one = measure(*make_engine(checks::simulation_options(), configured(more)));
  }
  {
    const RepeatedGpu gpus(2);
    const auto failed = checks::on_ranks(2, [&](Communicator& ranks) {
      auto mine = measure(*ranked(more, ranks));
      if (ranks.rank() == 0) all = std::move(mine);
    });
    for (const auto& failure : failed) EXPECT_EQ(failure, "");
  }
  ASSERT_EQ(all.sample.index, one.sample.index);
  EXPECT_TRUE(checks::same_bits(all.sample.acceleration, one.sample.acceleration));
  EXPECT_LT(force_error(all.sample).median, 2e-3);
  EXPECT_EQ(all.interactions, one.interactions);
  EXPECT_EQ(all.map, one.map);
  EXPECT_GT(*std::ranges::max_element(one.map), 1.0F);
}

TEST_F(GpuTeam, WholeGalaxiesOnSeveralGpusOfEachProcess) {
  const auto bodies = make_galaxies("plummer", {.bodies = some / 4, .seed = 5}, 4).bodies;
  for (const char* family : {"family=tree", "family=tiled"})
    expect_same({2, 2}, {family, "ranks-split=galaxies"}, bodies, 3);
}

/// Where positions go to all, and with charges velocities.
TEST_F(GpuTeam, TheBodiesOfGalaxiesAreShared) {
  const auto bodies = checks::ragged_bodies(some / 4, 1);
  expect_same({2, 2}, {"family=tiled"}, bodies, 3);
  expect_same({3, 1}, {"family=tiled", "step=adaptive"}, bodies, 2);
  expect_same({2, 1}, {"family=tiled", "integrator=hermite"}, bodies, 2);
  expect_same({2, 1}, {"family=tiled", "schedule=graph"}, bodies, 2);
  expect_same({2, 1}, {"family=register-split", "layout=soa"}, bodies, 2);
  expect_same({2, 1}, {"family=tiled", "update=fused"}, bodies, 3);
  expect_same({2, 2}, {"family=tiled", "force-law=electric"}, checks::charged_bodies(some / 4), 2);
  expect_same({2, 2}, {"family=tiled", "ranks-split=bodies", "split-by=bodies"},
              checks::ragged_bodies(some / 4, 3), 2);
}

#ifdef ORRERY_TEST_EMULATED
std::string way_of(const Engine& engine) {
  const auto report = engine.report();
  return std::get<std::string>(std::ranges::find(report.facts, "exchange", &Fact::key)->value);
}

/// The ranks of this test take the memory of emulated GPUs only; with others OptionsChangeBetweenSteps sees a
/// refusal.
TEST_F(GpuTeam, AddressesOfGpuMemoryCarryTheSameBits) {
  const std::string direct = "ranks-transfer=direct";
  for (const Team& team : {Team{3, 1}, Team{2, 2}}) {
    expect_same(team, {direct, "order=octupole", "time-step=0.02"}, uneven_galaxy(some / 2), 4);
    expect_same(team, {direct, "family=register-split", "layout=soa"}, checks::ragged_bodies(some / 4, 1), 2);
  }
  expect_same({2, 2}, {direct, "family=tiled", "force-law=electric"}, checks::charged_bodies(some / 4), 2);
  expect_same({2, 2}, {direct, "family=tiled", "update=fused"}, checks::ragged_bodies(some / 4), 3);
}

/// By itself a team takes the direct way only where all ranks say that it is open.
TEST_F(GpuTeam, TheWayIsThatOfAllRanks) {
  const auto way = [&](GpuAddresses first, GpuAddresses second) {
    checks::gpu_addresses_of = [=](int rank) { return rank == 0 ? first : second; };
    std::string found;
    const auto failed = checks::on_ranks(2, [&](Communicator& ranks) {
      const auto all = ranked({"family=tiled"}, ranks);
      all->load(checks::ragged_bodies(some / 4, 1), 0.0);
      all->advance({});
      const auto way_here = way_of(*all);
      if (ranks.rank() == 0) found = way_here;
    });
    checks::gpu_addresses_of = nullptr;
    for (const auto& failure : failed) EXPECT_EQ(failure, "");
    return found;
  };
  using enum GpuAddresses;
  EXPECT_EQ(way(taken, taken), "positions from GPU memory by MPI");
  EXPECT_EQ(way(taken, refused), "positions through the host and MPI");
  EXPECT_EQ(way(possible, taken), "positions through the host and MPI");
}

/// The way may change while it runs.
TEST_F(GpuTeam, TheReportSaysWhichWayBytesGo) {
  const auto bodies = galaxy("plummer", some / 2);
  for (const char* family : {"family=tree", "family=tiled"}) {
    const auto failed = checks::on_ranks(2, [&](Communicator& ranks) {
      const auto all = ranked({family}, ranks);
      all->load(bodies, 0.0);
      for (const char* transfer : {"auto", "direct", "host"}) {
        all->configure(configured({family, std::string("ranks-transfer=") + transfer}));
        all->advance({});
        const auto way = way_of(*all);
        const bool direct = std::string_view(transfer) == "direct";
        EXPECT_NE(way.find(direct ? "from GPU memory by MPI" : "through the host and MPI"), std::string::npos)
            << transfer << ": " << way;
      }
    });
    for (const auto& failure : failed) EXPECT_EQ(failure, "");
  }
}
#endif

/// Options change while it runs; one that is refused leaves the team with those before.
TEST_F(GpuTeam, OptionsChangeBetweenSteps) {
  const auto bodies = checks::ragged_bodies(some / 4);
  const auto run = [&](Engine& of, bool team) {
    of.load(bodies, 0.0);
    of.advance({});
    of.configure(configured({"family=register-split", "integrator=yoshida"}));
    of.advance({});
    if (team) {
      EXPECT_THROW(of.configure(configured({"family=tensor-pairs"})), SharedError);
#ifndef ORRERY_TEST_EMULATED
      EXPECT_THROW(of.configure(configured({"family=tiled", "ranks-transfer=direct"})), SharedError)
          << "these ranks do not take GPU memory";
#endif
    }
    of.advance({});
    of.configure(configured({"family=tiled", "layout=soa"}));
    of.advance({});
    auto moved = bodies;
    of.read_back(moved);
    return moved;
  };
  Bodies one, all;
  {
    const RepeatedGpu gpus(2);
    one = run(*make_engine(checks::simulation_options(), configured({"family=tiled"})), false);
  }
  const auto failed = checks::on_ranks(2, [&](Communicator& ranks) {
    auto moved = run(*ranked({"family=tiled"}, ranks), true);
    if (ranks.rank() == 0) all = std::move(moved);
  });
  for (const auto& failure : failed) EXPECT_EQ(failure, "");
  EXPECT_TRUE(checks::same_bits(one.position, all.position));
  EXPECT_TRUE(checks::same_bits(one.velocity, all.velocity));
}

TEST_F(GpuTeam, OtherDatasetsAreRefusedByAll) {
  const auto other = [&](int rank, int kind) {
    auto bodies = checks::ragged_bodies(400);
    if (rank == 1 && kind == 0) bodies = checks::ragged_bodies(401);
    if (rank == 1 && kind == 1) bodies.position[7].x += 1.0F;
    if (rank == 1 && kind == 2) bodies = checks::ragged_bodies(400, 2);
    if (rank == 1 && kind == 3) bodies.galaxy.back() = 1;
    return bodies;
  };
  for (int kind = 0; kind < 4; ++kind) {
    const auto failed = checks::on_ranks(2, [&](Communicator& ranks) {
      ranked({"ranks-split=bodies", "family=tiled"}, ranks)->load(other(ranks.rank(), kind), 0.0);
    });
    for (const auto& failure : failed)
      EXPECT_NE(failure.find("different datasets"), std::string::npos) << kind << ": " << failure;
  }
}

TEST_F(GpuTeam, WhatCannotBeSharedIsRefusedByAll) {
  const auto bodies = galaxy("plummer", 999);
  const auto refused = [&](int processes, const Settings& more, const Bodies& of, std::string_view because) {
    for (const auto& failure : failures(processes, more, of))
      EXPECT_NE(failure.find(because), std::string::npos) << because << ": " << failure;
  };
  refused(2, {"family=tiled", "ranks-split=domains"}, bodies, "family=tiled: domains need a tree");
  refused(2, {"family=tensor-pairs"}, bodies, "family=tensor-pairs: it computes whole galaxies");
  refused(2, {"ranks-split=bodies"}, bodies, "family=tree: its tree is shared in domains");
  refused(2, {"transfers=round-trip"}, bodies, "transfers=resident");
  refused(2, {"schedule=graph"}, bodies, "schedule=serial");
  refused(2, {"step=block"}, bodies, "step=block");
  refused(3, {"ranks-split=domains"}, make_galaxies("plummer", {.bodies = 300, .seed = 3}, 2).bodies,
          "ranks-split=galaxies");
  refused(3, {"family=tiled"}, galaxy("plummer", 2), "too few for 3 GPUs");
  refused(2, {}, galaxy("plummer", 100), "need 128 bodies or more");
}

}  // namespace
}  // namespace orrery::sim
