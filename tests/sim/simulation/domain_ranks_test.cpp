// Ranks with domains: motion, and what the ranks send each other.
#include "sim/simulation/domain_ranks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <iterator>
#include <new>
#include <numeric>

#include "sim/activity/activity_map.h"
#include "sim/core/error.h"
#include "sim/galaxies/model.h"
#include "sim/options/physics_options.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/ranks/agreement.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/ranked_engine.h"
#include "tests/sim/engines/engine_cases.h"
#include "thread_ranks.h"

namespace orrery::sim {
namespace {

using checks::after;
using checks::configuration_of;
using checks::loaded;
using checks::on_ranks;
using checks::ragged_bodies;
using checks::same_bits;

Bodies galaxies_of(const char* name, std::size_t bodies, std::uint32_t galaxies = 1) {
  return make_galaxies(name, {.bodies = bodies, .seed = 3}, galaxies).bodies;
}

Configuration configured(const std::vector<std::string>& assignments = {}) {
  std::vector<std::string> all{"kernel=tree", "ranks-split=domains"};
  all.insert(all.end(), assignments.begin(), assignments.end());
  return configuration_of({.name = "", .assignments = {"engine=cpu", "threads=1"}}, all);
}

std::unique_ptr<Engine> ranked(const Configuration& configuration, Communicator& ranks) {
  return make_ranked_engine(checks::simulation_options(), configuration, ranks);
}

/// The bodies of rank 0 after the steps.
Bodies moved(int count, const Configuration& configuration, const Bodies& bodies, int steps) {
  return checks::moved_by_ranks(
      count, [&](Communicator& ranks) { return ranked(configuration, ranks); }, bodies, steps);
}

TEST(Domains, EveryIntegratorMovesTheBodiesOfOneProcess) {
  const auto bodies = ragged_bodies(700, 2);
  for (const char* integrator : {"leapfrog", "symplectic-euler", "explicit-euler", "forest-ruth", "rk4"}) {
    for (const char* more : {"dimensions=3", "dimensions=2", "state-precision=compensated"}) {
      const auto configuration =
          configured({std::string("integrator=") + integrator, more, "opening=relative:0.0001"});
      const auto expected = after(*loaded(configuration, bodies), bodies, 6);
      for (const int count : {2, 3}) {
        const auto mine = moved(count, configuration, bodies, 6);
        const std::string what = std::string(integrator) + ' ' + more + ' ' + std::to_string(count);
        EXPECT_LT(checks::largest_difference(mine.position, expected.position), 2e-5) << what;
        EXPECT_LT(checks::largest_difference(mine.velocity, expected.velocity), 2e-4) << what;
      }
    }
  }
  EXPECT_GT(checks::largest_difference(moved(2, configured(), bodies, 6).position, bodies.position), 1e-4);
}

Diagnostics diagnosed(const Bodies& bodies, const Configuration& configuration) {
  const auto galaxies = bodies.galaxies();
  return diagnose(view_of(bodies, galaxies), {.physics = physics_of(configuration)});
}

TEST(Domains, EnergyAndMomentumAreKeptAsInOneProcess) {
  const auto bodies = galaxies_of("plummer", 3000);
  const auto configuration = configured({"time-step=0.02", "softening=0.05"});
  const auto begin = diagnosed(bodies, configuration);
  const auto one = diagnosed(after(*loaded(configuration, bodies), bodies, 60), configuration);
  const double drift = std::abs(one.energy() - begin.energy());
  for (const int count : {2, 3}) {
    const auto end = diagnosed(moved(count, configuration, bodies, 60), configuration);
    EXPECT_LT(std::abs(end.energy() - begin.energy()), 2.0 * drift + 2e-4 * std::abs(begin.energy()))
        << count;
    EXPECT_LT(norm(end.momentum - begin.momentum), 2.0 * norm(one.momentum - begin.momentum) + 2e-4) << count;
  }
}

/// Steps in which a third of a disk's bodies pass from one domain to another.
TEST(Domains, BodiesChangeHandsAndKeepTheirOrder) {
  const auto bodies = galaxies_of("disk", 3000);
  std::atomic<int> changes = 0;
  std::atomic<std::size_t> bodies_at_the_end = 0;
  const auto configuration = configured({"time-step=0.02"});
  const auto failures = on_ranks(3, [&](Communicator& ranks) {
    DomainRanks domains(ranks);
    auto held = domains.begin(bodies);
    const auto engine = make_bare_engine(checks::simulation_options(), configuration);
    engine->load(held, 0.0);
    engine->take_domain(domains.domain(), domains);
    auto before = domains.domain().index;
    for (int step = 0; step < 40; ++step) {
      EXPECT_TRUE(engine->advance({}));
      domains.move_bodies(*engine, held);
      const auto now = domains.domain().index;
      EXPECT_TRUE(std::ranges::is_sorted(now));
      EXPECT_EQ(engine->status().steps, static_cast<std::uint64_t>(step) + 1);
      std::vector<std::uint32_t> gone;
      std::ranges::set_difference(before, now, std::back_inserter(gone));
      changes += static_cast<int>(gone.size());
      before = now;
      for (std::size_t k = 0; k < now.size(); ++k) EXPECT_EQ(held.mass[k], bodies.mass[now[k]]);
    }
    bodies_at_the_end += held.size();
  });
  for (const auto& failure : failures) EXPECT_EQ(failure, "");
  EXPECT_GT(changes, 1000);
  EXPECT_EQ(bodies_at_the_end, bodies.size());
}

/// Forces cost more in a large galaxy than in small ones: after one evaluation its rank gets fewer bodies.
TEST(Domains, AreCutByTheWorkOfTheEvaluationBefore) {
  auto bodies = galaxies_of("plummer", 10'000);
  bodies.append(galaxies_of("plummer", 50, 100), 1);
  const auto failures = on_ranks(3, [&](Communicator& ranks) {
    DomainRanks domains(ranks);
    auto held = domains.begin(bodies);
    EXPECT_EQ(held.size(), 5'000U);
    const auto engine = make_bare_engine(checks::simulation_options(),
                                         configured({"time-step=0.001", "integrator=symplectic-euler"}));
    engine->load(held, 0.0);
    engine->take_domain(domains.domain(), domains);
    std::array<double, 2> work{};
    for (auto& most : work) {
      engine->advance({});
      std::array<double, 2> largest{engine->status().timings.interactions,
                                    -engine->status().timings.interactions};
      domains.find_largest(largest);
      most = largest[0] / -largest[1];
      domains.move_bodies(*engine, held);
    }
    EXPECT_GT(work[0], 3.0) << "nothing to balance";
    EXPECT_LT(work[1], 1.3);
  });
  for (const auto& failure : failures) EXPECT_EQ(failure, "");
}

/// One body flies off: on the grid around all, the others are soon in one stretch, in fewer groups than
/// ranks.
TEST(Domains, NoRankIsLeftWithoutBodies) {
  auto bodies = galaxies_of("plummer", 256);
  bodies.velocity[17] = {1e6F, 1e6F, 1e6F};
  const auto configuration = configured({"time-step=0.01", "softening=0.05", "group-size=128"});
  const auto mine = moved(4, configuration, bodies, 5);
  const auto expected = after(*loaded(configuration, bodies), bodies, 5);
  ASSERT_EQ(mine.size(), expected.size());
  EXPECT_GT(expected.position[17].x, 1e4F);
  for (std::size_t k = 0; k < mine.size(); ++k)
    EXPECT_LT(norm(mine.position[k] - expected.position[k]), k == 17 ? 1.0F : 1e-3F) << k;
}

/// Whatever is proposed.
TEST(Domains, AMoveThatLeavesARankWithoutBodiesIsNotMade) {
  const auto bodies = galaxies_of("plummer", 300);
  const auto failures = on_ranks(3, [&](Communicator& ranks) {
    DomainRanks domains(ranks);
    auto held = domains.begin(bodies);
    const auto engine = make_bare_engine(checks::simulation_options(), configured());
    engine->load(held, 0.0);
    engine->take_domain(domains.domain(), domains);
    const auto before = domains.domain().index;
    std::vector<std::vector<std::uint32_t>> leaving(3);
    leaving[0].resize(ranks.rank() == 1 ? held.size() : 0);
    std::iota(leaving[0].begin(), leaving[0].end(), 0U);
    domains.propose(std::move(leaving));
    domains.move_bodies(*engine, held);
    EXPECT_EQ(domains.domain().index, before);
    EXPECT_EQ(held.size(), before.size());
    EXPECT_TRUE(engine->advance({}));
  });
  for (const auto& failure : failures) EXPECT_EQ(failure, "");
}

enum class Failing { progress, wait };

/// Messages for which there is no memory when this rank looks at them, or waits for them.
class FailingDelivery final : public Delivery {
 public:
  FailingDelivery(std::unique_ptr<Delivery> inner, Failing when) : inner_(std::move(inner)), when_(when) {}
  bool progress() override {
    if (when_ == Failing::progress) throw std::bad_alloc();
    return inner_->progress();
  }
  std::vector<Bytes> wait() override {
    if (when_ == Failing::wait) throw std::bad_alloc();
    return inner_->wait();
  }

 private:
  std::unique_ptr<Delivery> inner_;
  Failing when_;
};

/// A rank whose deliveries fail while `failing` is set.
class FailingRank final : public Communicator {
 public:
  explicit FailingRank(Communicator& inner) : inner_(inner) {}
  std::optional<Failing> failing;

  int rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }
  int local_rank() const override { return inner_.local_rank(); }
  bool maximum(std::span<double> numbers, std::chrono::milliseconds patience) override {
    return inner_.maximum(numbers, patience);
  }
  void all_gather(std::span<Vec3> vectors, std::span<const std::size_t> bounds) override {
    inner_.all_gather(vectors, bounds);
  }
  void gather(std::span<Vec3> vectors, std::span<const std::size_t> bounds) override {
    inner_.gather(vectors, bounds);
  }
  void sum(std::span<std::uint32_t> numbers) override { inner_.sum(numbers); }
  std::vector<std::string> texts(const std::string& mine) override { return inner_.texts(mine); }
  std::unique_ptr<Delivery> deliver(std::vector<Bytes> messages) override {
    auto delivery = inner_.deliver(std::move(messages));
    if (!failing) return delivery;
    return std::make_unique<FailingDelivery>(std::move(delivery), *failing);
  }
  void trade(std::span<const OutgoingPieces> to, std::span<const IncomingPieces> from) override {
    inner_.trade(to, from);
  }
  GpuAddresses gpu_addresses() const override { return inner_.gpu_addresses(); }
  void leave() override { inner_.leave(); }
  void abort(int status) override { inner_.abort(status); }

 private:
  Communicator& inner_;
};

/// While its own messages and those of others are under way. Then all go on, after loading again.
TEST(Domains, ARankWithoutMemoryForMessagesFailsEverywhere) {
  const auto bodies = galaxies_of("plummer", 3000);
  for (const auto failing : {Failing::progress, Failing::wait}) {
    const auto failures = on_ranks(3, [&](Communicator& inner) {
      FailingRank ranks(inner);
      const auto engine = ranked(configured(), ranks);
      engine->load(bodies, 0.0);
      if (ranks.rank() == 1) ranks.failing = failing;
      const auto failed = [&] { engine->advance({}); };
      EXPECT_THROW(failed(), SharedError);
      ranks.failing.reset();
      engine->load(bodies, 0.0);
      EXPECT_TRUE(engine->advance({}));
    });
    for (const auto& failure : failures) EXPECT_EQ(failure, "");
  }
}

TEST(Domains, ARankWithoutMemoryForBodiesThatComeFailsEverywhere) {
  const auto bodies = galaxies_of("plummer", 300);
  const auto failures = on_ranks(3, [&](Communicator& inner) {
    FailingRank ranks(inner);
    DomainRanks domains(ranks);
    auto held = domains.begin(bodies);
    const auto engine = make_bare_engine(checks::simulation_options(), configured());
    engine->load(held, 0.0);
    engine->take_domain(domains.domain(), domains);
    domains.propose({{0, 1, 2}, {3, 4, 5}, {6, 7, 8}});
    if (ranks.rank() == 2) ranks.failing = Failing::wait;
    EXPECT_THROW(domains.move_bodies(*engine, held), SharedError);
    EXPECT_EQ(held.size(), domains.domain().index.size());
    EXPECT_TRUE(call_roll(ranks, {.vote = true}).yes);
  });
  for (const auto& failure : failures) EXPECT_EQ(failure, "");
}

/// Otherwise the others would wait for it in their next evaluation.
TEST(Domains, AnEngineThatCannotChangeKeepsItsDomain) {
  const auto bodies = galaxies_of("plummer", 300);
  const auto failures = on_ranks(2, [&](Communicator& ranks) {
    DomainRanks domains(ranks);
    const auto held = domains.begin(bodies);
    const auto engine = make_bare_engine(checks::simulation_options(), configured());
    engine->load(held, 0.0);
    engine->take_domain(domains.domain(), domains);
    if (ranks.rank() == 1) {
      EXPECT_THROW(engine->change_domain(held, {}, domains.domain()), Error);
    }
    EXPECT_TRUE(engine->advance({}));
    EXPECT_GT(domains.sent_per_evaluation(), 0.0);
  });
  for (const auto& failure : failures) EXPECT_EQ(failure, "");
}

TEST(Domains, SamplesAndMapsAreOfAllBodiesInTheirOrder) {
  const auto bodies = ragged_bodies(900, 2);
  const auto configuration = configured({"map-size=7", "map-box=all", "time-step=0.001"});
  const auto one = loaded(configuration, bodies);
  const auto published = [&](Engine& engine) {
    std::vector<float> state(8 * bodies.size()), map(map_header + 49);
    for (int step = 0; step < 5; ++step) {
      engine.observe({.forces = 100, .seed = 7});
      engine.advance({});
      engine.finish();
    }
    engine.write_vertices({.position = state.data(),
                           .velocity = state.data() + 4 * bodies.size(),
                           .bodies = bodies.size(),
                           .map = map.data(),
                           .map_size = 7});
    std::fill(map.begin() + 1, map.begin() + map_header, 0.0F);
    return map;
  };
  const auto expected_map = published(*one);
  const auto expected = one->poll().forces;
  ASSERT_TRUE(expected);
  const auto failures = on_ranks(3, [&](Communicator& ranks) {
    const auto engine = ranked(configuration, ranks);
    engine->load(bodies, 0.0);
    const auto map = published(*engine);
    const auto sample = engine->poll().forces;
    ASSERT_EQ(sample.has_value(), ranks.rank() == 0);
    if (!sample) return;
    EXPECT_EQ(map, expected_map);
    EXPECT_EQ(sample->index, expected->index);
    EXPECT_LT(checks::largest_difference(sample->position, expected->position), 1e-6);
    EXPECT_LT(force_error(*sample).median, 2e-3);
    EXPECT_GT(engine->report().number("sent_bytes_per_evaluation"), 1000.0);
  });
  for (const auto& failure : failures) EXPECT_EQ(failure, "");
}

TEST(Domains, AnInterruptedStepIsMadeByNone) {
  const auto bodies = ragged_bodies(600, 2);
  const std::atomic<bool> stop{true};
  const auto expected = moved(3, configured(), bodies, 2);
  const auto failures = on_ranks(3, [&](Communicator& ranks) {
    const auto engine = ranked(configured(), ranks);
    engine->load(bodies, 0.0);
    for (int k = 0; k < 2; ++k)
      EXPECT_FALSE(engine->advance({.interrupt = ranks.rank() == 1 ? &stop : nullptr}));
    const auto mine = after(*engine, bodies, 2);
    if (ranks.rank() == 0) {
      EXPECT_TRUE(same_bits(mine.position, expected.position));
      EXPECT_TRUE(same_bits(mine.velocity, expected.velocity));
    }
  });
  for (const auto& failure : failures) EXPECT_EQ(failure, "");
}

void expect_refusal(const std::vector<std::string>& messages, const std::string& part) {
  for (const auto& message : messages) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_LT(message.size(), 250U);
  }
}

TEST(Domains, WhatCannotBeIsRefusedEverywhere) {
  const auto load = [](const std::vector<std::string>& options, std::size_t count) {
    return on_ranks(
        2, [&](Communicator& ranks) { ranked(configured(options), ranks)->load(ragged_bodies(count), 0.0); });
  };
  expect_refusal(load({}, 100), "64 bodies or more for each process");
  expect_refusal(load({"kernel=simd"}, 500), "has no tree");
  expect_refusal(load({"integrator=hermite"}, 500), "integrator=hermite");
  const auto& table = checks::simulation_options();
  const auto refusal = [&](const char* kernel, std::size_t ranks) {
    return table.refusal(table.at("kernel"), std::string(kernel), configured(),
                         {.bodies = 1000, .galaxies = 1, .ranks = ranks});
  };
  EXPECT_EQ(refusal("tree", 2), "");
  EXPECT_NE(refusal("simd", 2), "");
  EXPECT_EQ(refusal("simd", 1), "");
}

}  // namespace
}  // namespace orrery::sim
