// Several galaxies and several GPUs: every schedule gives the bits of the serial one.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>

#include "sim/core/error.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/launch/launch.h"
#include "sim/cuda/launch/module.h"
#include "sim/cuda/options/kernel_configuration.h"
#include "sim/engines/pipeline.h"
#include "tests/sim/activity/plain_map.h"
#include "tests/sim/engines/engine_cases.h"
#include "tests/sim/engines/short_slices.h"

namespace orrery::sim {
namespace {

using checks::after;
using checks::EngineCase;
using checks::largest_difference;
using checks::loaded;
using checks::ragged_bodies;
using checks::same_bits;

using Assignments = std::vector<std::string>;

EngineCase case_of(Assignments assignments) {
  assignments.insert(assignments.begin(), "engine=cuda");
  return {.name = "", .assignments = std::move(assignments), .cuda = true};
}

Configuration configuration_of(const Assignments& assignments) {
  return checks::configuration_of(case_of(assignments));
}

Assignments operator+(Assignments a, const Assignments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Galaxies of these sizes.
Bodies galaxies_of(const std::vector<std::size_t>& sizes) {
  Bodies all;
  for (std::size_t k = 0; k < sizes.size(); ++k)
    all.append(ragged_bodies(sizes[k]), static_cast<std::uint32_t>(k));
  return all;
}

/// Skips the test that it stands in.
#define NEED_TWO_GPUS()                                                                    \
  if (const auto reason = checks::why_not_here(case_of({"devices=0,1"})); !reason.empty()) \
  GTEST_SKIP() << reason

class Schedules : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = checks::why_not_here(case_of({})); !reason.empty()) GTEST_SKIP() << reason;
  }
};

void expect_same(const Bodies& mine, const Bodies& expected, const std::string& what) {
  EXPECT_TRUE(same_bits(mine.position, expected.position)) << what;
  EXPECT_TRUE(same_bits(mine.velocity, expected.velocity)) << what;
}

TEST_F(Schedules, AllGiveTheSameBitsForRaggedBatchesAndAnyStreams) {
  const std::vector<std::vector<std::size_t>> batches{{300},
                                                      {1, 2, 3, 400, 33},
                                                      {257, 257, 257, 257, 257, 257, 257},
                                                      {1000, 1, 999, 64, 65, 63, 2, 3, 5, 8, 13}};
  const std::vector<Assignments> kernels{{"family=tiled"},
                                         {"family=tiled", "update=fused", "integrator=symplectic-euler"},
                                         {"family=tiled-2d", "integrator=explicit-euler"},
                                         {"family=tiled", "integrator=forest-ruth"},
                                         {"family=pairwise", "layout=soa", "precision=double"},
                                         {"family=galaxy-block", "layout=aos"}};
  for (const auto& sizes : batches) {
    const auto bodies = galaxies_of(sizes);
    for (const auto& kernel : kernels) {
      const auto expected =
          after(*loaded(configuration_of(kernel + Assignments{"schedule=serial"}), bodies), bodies, 4);
      EXPECT_GT(largest_difference(expected.position, bodies.position), 1e-4);
      const auto check = [&](const Assignments& schedule) {
        const auto mine = after(*loaded(configuration_of(kernel + schedule), bodies), bodies, 4);
        expect_same(mine, expected, kernel.front() + " " + schedule.front() + " " + schedule.back());
      };
      check({"schedule=batched"});
      for (const char* schedule : {"schedule=streams", "schedule=phased", "schedule=graph"}) {
        for (const char* streams : {"streams=1", "streams=2", "streams=3", "streams=16", "streams=64"})
          check({schedule, streams});
      }
    }
  }
}

// Kernels that are launched early wait for each other on the GPU; scratch memory goes from galaxy to galaxy.
TEST_F(Schedules, FamiliesThatSplitTheSourcesGiveTheSameBits) {
  const auto bodies = galaxies_of({1000, 1, 4099, 300, 65, 2, 257, 2500});
  for (const char* family :
       {"family=register-split", "family=tensor-sum", "family=tensor", "family=tensor-pairs"}) {
    const auto expected =
        after(*loaded(configuration_of({family, "schedule=serial", "early-launch=off"}), bodies), bodies, 4);
    EXPECT_GT(largest_difference(expected.position, bodies.position), 1e-4);
    for (const char* schedule :
         {"schedule=serial", "schedule=streams", "schedule=phased", "schedule=graph"}) {
      for (const char* streams : {"streams=1", "streams=3", "streams=64"}) {
        for (const char* early : {"early-launch=on", "early-launch=off"}) {
          const auto mine =
              after(*loaded(configuration_of({family, schedule, streams, early}), bodies), bodies, 4);
          expect_same(mine, expected, std::string(family) + " " + schedule + " " + streams + " " + early);
        }
      }
    }
  }
}

// The kick that ends a step goes along with the update that begins the next one, unless somebody looks.
TEST_F(Schedules, AKickLeftForTheNextStepGivesTheSameBits) {
  const auto bodies = ragged_bodies(1000);
  for (const Assignments& kernel : {Assignments{"family=tiled"}, Assignments{"precision=double"},
                                    Assignments{"family=tensor-pairs"}, Assignments{"schedule=graph"}}) {
    const auto configuration = configuration_of(kernel);
    const auto unseen = after(*loaded(configuration, bodies), bodies, 6);
    const auto engine = loaded(configuration, bodies);
    auto seen = bodies;
    for (int step = 0; step < 6; ++step) seen = after(*engine, seen, 1);
    expect_same(unseen, seen, kernel.front());
  }
}

// Of steps that follow each other closely only some are measured; the others have their update in the graph.
TEST_F(Schedules, ShortStepsAreCountedWithoutMeasuringThemAll) {
  constexpr int steps = 40;
  const auto bodies = ragged_bodies(8209);
  const auto expected = after(*loaded(configuration_of({"schedule=serial"}), bodies), bodies, steps);
  for (const Assignments& kernel : {Assignments{"schedule=serial"}, Assignments{"schedule=graph"}}) {
    const auto engine = loaded(configuration_of(kernel), bodies);
    // Then it is known that steps are short.
    engine->advance({});
    engine->finish();
    const auto captures = engine->report().number("graph_captures");
    expect_same(after(*engine, bodies, steps - 1), expected, kernel.front());
    engine->finish();
    EXPECT_EQ(engine->status().timings.evaluations, 1U + steps) << kernel.front();
    EXPECT_GT(engine->status().timings.force_ms, 0.0);
    if (kernel.front() == "schedule=graph") {
      EXPECT_GT(engine->report().number("graph_captures"), captures) << "a step with its update in the graph";
    }
  }
}

/// Until so many steps were made.
void advance_in_pieces(Engine& engine, std::uint64_t steps) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (engine.status().steps < steps && std::chrono::steady_clock::now() < deadline)
    engine.advance({.time = std::chrono::milliseconds(1)});
  ASSERT_EQ(engine.status().steps, steps) << "too slow";
}

TEST_F(Schedules, SlicesOfOneGalaxyGiveTheSameBits) {
  const auto bodies = ragged_bodies(60001);
  for (const char* family :
       {"family=tiled", "family=register-split", "family=tensor", "family=tensor-pairs"}) {
    const auto expected = after(*loaded(configuration_of({family}), bodies), bodies, 2);
    const checks::ShortSlices cut(0.5);
    const auto engine = loaded(configuration_of({family}), bodies);
    engine->advance({});
    engine->observe({.timeline = true});
    advance_in_pieces(*engine, 2);
    auto mine = bodies;
    engine->read_back(mine);
    expect_same(mine, expected, family);
    const auto timeline = engine->poll().timeline;
    ASSERT_TRUE(timeline);
    const auto pieces = std::ranges::count_if(
        timeline->spans, [](const TimelineSpan& span) { return span.activity == TimelineKind::forces; });
    EXPECT_GT(pieces, 1) << family << ": not sliced";
  }
}

// An evaluation of some tiles, or slices, that another kernel takes over begins again.
TEST_F(Schedules, PairsThatWereBegunAreForgotten) {
  const auto bodies = ragged_bodies(200003);
  const checks::ShortSlices cut(0.5);
  const Assignments pairs{"family=tensor-pairs"};
  const Assignments split{"family=register-split"};
  for (const auto& [begun, done] :
       {std::pair(pairs, split), std::pair(split, pairs), std::pair(pairs, pairs)}) {
    const auto expected = after(*loaded(configuration_of(done), bodies), bodies, 1);
    const auto engine = loaded(configuration_of(begun), bodies);
    // What any kernel is taken to reach makes this more than is queued at a time.
    ASSERT_FALSE(engine->advance({.time = std::chrono::nanoseconds(1)})) << "done at once: nothing is tested";
    engine->configure(configuration_of(done + Assignments{"softening=0.3"}));
    engine->configure(configuration_of(done));
    // Waits for the kernel: otherwise the one before may end its step first.
    engine->advance({});
    auto mine = bodies;
    engine->read_back(mine);
    expect_same(mine, expected, begun.front() + ", then " + done.front());
  }
}

// The copy that was kept of a step that is given up is not the state of what follows.
TEST_F(Schedules, AStepThatIsGivenUpLeavesNoOldStateBehind) {
  const auto bodies = ragged_bodies(200003);
  auto others = bodies;
  for (auto& x : others.position) x += Vec3{3.0F, 0.0F, 0.0F};
  const checks::ShortSlices cut(0.5);
  const Assignments sliced{"family=tiled"};
  const auto engine = loaded(configuration_of(sliced), bodies);
  const auto state = [&] {
    auto mine = bodies;
    engine->read_back(mine);
    return mine;
  };
  const auto begun = [&] { return !engine->advance({.time = std::chrono::nanoseconds(1)}); };
  engine->advance({});
  const auto complete = state();
  ASSERT_TRUE(begun());
  engine->configure(configuration_of(sliced + Assignments{"layout=soa"}));
  ASSERT_TRUE(begun());
  expect_same(state(), complete, "another layout");
  engine->advance({});
  ASSERT_TRUE(begun());
  engine->load(others, 0.0);
  ASSERT_TRUE(begun());
  expect_same(state(), others, "other bodies");
}

TEST_F(Schedules, EvaluationsOfTheKernelBeforeCountOnce) {
  const auto bodies = ragged_bodies(8209);
  const auto engine = loaded(configuration_of({"family=tiled"}), bodies);
  for (int step = 0; step < 40; ++step) engine->advance({});
  engine->configure(configuration_of({"family=pairwise"}));
  engine->advance({});
  engine->finish();
  EXPECT_EQ(engine->status().timings.evaluations, 42U) << "41 steps, and forces before the first";
  EXPECT_GT(engine->status().timings.force_ms, 0.0);
}

TEST_F(Schedules, ATimelineOfEarlyLaunchesChangesNothing) {
  const auto bodies = galaxies_of({1000, 300, 65});
  for (const char* family : {"family=register-split", "family=tensor-pairs"}) {
    const auto expected = after(*loaded(configuration_of({family}), bodies), bodies, 3);
    const auto engine = loaded(configuration_of({family, "schedule=graph", "streams=2"}), bodies);
    engine->advance({});
    engine->observe({.timeline = true});
    expect_same(after(*engine, bodies, 2), expected, family);
    EXPECT_TRUE(engine->poll().timeline) << family;
  }
}

TEST_F(Schedules, SlicesOfABatchGiveTheSameBits) {
  const auto bodies = galaxies_of({3000, 5000, 64, 4099});
  const auto expected = after(*loaded(configuration_of({"schedule=serial"}), bodies), bodies, 3);
  for (const Assignments& sliced :
       {Assignments{"schedule=batched"}, Assignments{"schedule=batched", "family=tiled-2d"},
        Assignments{"schedule=streams"}}) {
    const checks::ShortSlices cut(0.5);
    const auto engine = loaded(configuration_of(sliced), bodies);
    engine->advance({});
    advance_in_pieces(*engine, 3);
    auto mine = bodies;
    engine->read_back(mine);
    if (sliced.size() == 1) {
      expect_same(mine, expected, sliced.front());
    } else {
      EXPECT_LT(largest_difference(mine.position, expected.position), 1e-5);
    }
  }
}

TEST_F(Schedules, AGraphIsCapturedAgainWhenTheConfigurationChanges) {
  const auto bodies = galaxies_of({300, 200, 100, 64});
  const Assignments graph{"schedule=graph", "integrator=symplectic-euler"};
  const auto engine = loaded(configuration_of(graph), bodies);
  const auto reference = loaded(configuration_of({"schedule=serial", "integrator=symplectic-euler"}), bodies);
  const auto captures = [&] { return engine->report().number("graph_captures"); };
  const auto step_both = [&](int steps) {
    expect_same(after(*engine, bodies, steps), after(*reference, bodies, steps), "after a change");
  };
  step_both(5);
  const auto first = captures();
  EXPECT_GE(first, 1U);
  step_both(5);
  EXPECT_EQ(captures(), first) << "a graph that fits is replayed";
  for (const char* change :
       {"time-step=0.002", "softening=0.1", "gravity=2", "unroll=4", "layout=soa", "streams=2",
        "integrator=leapfrog", "integrator=forest-ruth", "update=fused", "tile=64"}) {
    Assignments both{change};
    if (std::string(change) == "integrator=leapfrog") both.emplace_back("update=separate");
    if (std::string(change) == "update=fused") both.emplace_back("integrator=symplectic-euler");
    const auto before = captures();
    engine->configure(configuration_of(graph + both));
    reference->configure(
        configuration_of(Assignments{"schedule=serial", "integrator=symplectic-euler"} + both));
    step_both(4);
    EXPECT_GT(captures(), before) << change;
  }
  const auto before = captures();
  engine->load(galaxies_of({10, 500}), 0.0);
  engine->advance({});
  EXPECT_GT(captures(), before) << "other bodies";
}

TEST_F(Schedules, SwitchingBetweenThemKeepsTheState) {
  const auto bodies = galaxies_of({300, 200, 100, 64});
  const auto expected = after(*loaded(configuration_of({"schedule=serial"}), bodies), bodies, 12);
  const auto engine = loaded(configuration_of({"schedule=serial"}), bodies);
  for (const char* schedule : {"batched", "streams", "graph", "phased", "graph", "serial"}) {
    engine->configure(configuration_of({"schedule=" + std::string(schedule)}));
    after(*engine, bodies, 2);
  }
  expect_same(after(*engine, bodies, 0), expected, "12 steps");
}

TEST_F(Schedules, ThePipelineComputesWhatTheEngineDoes) {
  Scene scene;
  scene.bodies = galaxies_of({300, 1, 200, 100, 64});
  for (const Assignments& kernel :
       {Assignments{"integrator=symplectic-euler"}, Assignments{"integrator=leapfrog"},
        Assignments{"integrator=forest-ruth"}, Assignments{"update=fused", "integrator=symplectic-euler"},
        Assignments{"family=galaxy-block", "integrator=symplectic-euler"},
        Assignments{"family=galaxy-block", "integrator=symplectic-euler", "update=fused"}}) {
    const auto expected = after(
        *loaded(configuration_of(kernel + Assignments{"schedule=serial"}), scene.bodies), scene.bodies, 5);
    for (const char* schedule : {"serial", "streams", "phased", "batched", "graph"}) {
      for (const char* memory : {"host-memory=pinned", "host-memory=pageable"}) {
        const Assignments all =
            kernel + Assignments{"schedule=" + std::string(schedule), "streams=3", memory};
        if (schedule == std::string("graph") && memory == std::string("host-memory=pageable")) {
          EXPECT_THROW(run_pipeline(checks::simulation_options(), configuration_of(all), scene, 5, 1),
                       UsageError);
          continue;
        }
        const auto result = run_pipeline(checks::simulation_options(), configuration_of(all), scene, 5, 1);
        expect_same(result.result, expected, std::string(schedule) + " " + kernel.front() + " " + memory);
        EXPECT_GT(result.total_ms, 0.0);
        EXPECT_GT(result.compute_ms, 0.0);
        EXPECT_EQ(result.galaxies.size(), schedule == std::string("batched") ? 1U : 5U);
      }
    }
  }
}

TEST_F(Schedules, AnOfflineJobCountsTheMapOfItsLastStep) {
  Scene one, several;
  one.bodies = ragged_bodies(1003);
  several.bodies = galaxies_of({700, 1024, 33});
  for (const Assignments& kernel :
       {Assignments{"map-count=kernel"}, Assignments{"map-count=update"}, Assignments{"map-count=shared"},
        Assignments{"map-count=kernel", "update=fused", "integrator=symplectic-euler"},
        Assignments{"map-count=kernel", "family=galaxy-block", "update=fused", "integrator=symplectic-euler"},
        Assignments{"map-count=update", "constants=constant-memory", "integrator=explicit-euler"}}) {
    for (const auto* scene : {&one, &several}) {
      for (const std::string schedule : {"serial", "streams", "phased", "batched", "graph"}) {
        const auto forks = schedule != "serial" && schedule != "batched";
        if (forks && kernel[0] == "map-count=update") continue;
        const auto all = kernel + Assignments{"schedule=" + schedule, "streams=2", "map-size=19",
                                              "map-box=all", "time-step=0.05"};
        const auto result = run_pipeline(checks::simulation_options(), configuration_of(all), *scene, 5, 1);
        const auto what = schedule + ' ' + kernel.front() + ' ' + kernel.back();
        EXPECT_EQ(result.map.size, 19U) << what;
        EXPECT_GT(result.map_values.front(), 1.0F) << what;
        EXPECT_EQ(result.map_values, checks::plain_map(result.result.position, result.map)) << what;
      }
    }
  }
}

// Hours of steps: the test ends only if the job does.
TEST_F(Schedules, AJobThatIsGivenUpEndsSoon) {
  Scene scene;
  scene.bodies = galaxies_of({700, 1024, 33});
  for (const char* schedule : {"serial", "streams", "phased", "batched"}) {
    for (const char* memory : {"host-memory=pinned", "host-memory=pageable"}) {
      SCOPED_TRACE(std::string(schedule) + ' ' + memory);
      const Assignments all{"family=tiled", "schedule=" + std::string(schedule), "streams=2", memory};
      Progress progress;
      const std::jthread impatient([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        progress.cancel = true;
      });
      EXPECT_THROW(run_pipeline(checks::simulation_options(), configuration_of(all), scene, 2'000'000'000, 1,
                                &progress),
                   Cancelled);
    }
  }
  const auto after_it =
      run_pipeline(checks::simulation_options(), configuration_of({"family=tiled"}), scene, 5, 1);
  EXPECT_GT(after_it.total_ms, 0.0);
}

// One block a galaxy needs nobody else: the job's steps are one launch, between one that unpacks the bodies
// and one that packs them.
TEST_F(Schedules, AGalaxyABlockMakesAllStepsInOneLaunch) {
  Scene scene;
  scene.bodies = galaxies_of({1, 2, 700, 33, 1024, 2049});
  for (const Assignments& form :
       {Assignments{}, Assignments{"staging=none", "layout=aos"}, Assignments{"layout=soa", "unroll=8"}}) {
    for (const char* integrator : {"integrator=symplectic-euler", "integrator=explicit-euler"}) {
      for (const int steps : {1, 4, 9}) {
        const auto run = [&](const char* update) {
          const auto all = Assignments{"family=galaxy-block", "block=128", integrator, update} + form;
          const auto before = cuda::launches_of_this_thread();
          const auto result =
              run_pipeline(checks::simulation_options(), configuration_of(all), scene, steps, 1);
          return std::pair(result.result, cuda::launches_of_this_thread() - before);
        };
        const auto [expected, many] = run("update=separate");
        const auto [mine, few] = run("update=fused");
        expect_same(mine, expected, std::string(integrator) + ' ' + std::to_string(steps));
        // A job is run more than once: to warm up, and for the timeline.
        EXPECT_EQ(few % 3, 0U) << few;
        EXPECT_EQ(many, few / 3 * (2 + 2 * static_cast<unsigned>(steps)));
      }
    }
  }
}

TEST_F(Schedules, ATimelineShowsEveryGalaxyOnItsStream) {
  const auto bodies = galaxies_of({300, 200, 100, 64, 32});
  for (const char* schedule : {"streams", "phased", "graph"}) {
    const auto engine = loaded(configuration_of({"schedule=" + std::string(schedule), "streams=2"}), bodies);
    engine->advance({});
    engine->observe({.timeline = true});
    engine->advance({});
    engine->finish();
    const auto timeline = engine->poll().timeline;
    ASSERT_TRUE(timeline) << schedule;
    std::set<int> galaxies;
    for (const auto& span : timeline->spans) {
      EXPECT_LE(span.start_ms, span.end_ms);
      EXPECT_LT(span.stream, 2);
      if (span.activity == TimelineKind::forces) {
        galaxies.insert(span.galaxy);
        EXPECT_EQ(span.stream, span.galaxy % 2);
      }
    }
    EXPECT_EQ(galaxies, (std::set<int>{0, 1, 2, 3, 4})) << schedule;
    EXPECT_FALSE(engine->poll().timeline) << "taken once";
    expect_same(after(*engine, bodies, 1),
                after(*loaded(configuration_of({"schedule=serial"}), bodies), bodies, 3), schedule);
  }
}

TEST_F(Schedules, GalaxiesOnTwoGpusGiveTheSameBits) {
  NEED_TWO_GPUS();
  for (const auto& sizes : {std::vector<std::size_t>{300, 200, 100, 64, 33}, std::vector<std::size_t>{300},
                            std::vector<std::size_t>(7, 128)}) {
    const auto bodies = galaxies_of(sizes);
    for (const Assignments& kernel : {Assignments{"schedule=serial"}, Assignments{"schedule=graph"},
                                      Assignments{"schedule=streams", "layout=soa"},
                                      Assignments{"update=fused", "integrator=symplectic-euler"}}) {
      const auto expected = after(*loaded(configuration_of(kernel), bodies), bodies, 4);
      const auto two = kernel + Assignments{"devices=0,1", "split-by=galaxies"};
      expect_same(after(*loaded(configuration_of(two), bodies), bodies, 4), expected, kernel.front());
    }
  }
}

TEST_F(Schedules, OneGalaxyOnTwoGpusGivesTheSameToRounding) {
  NEED_TWO_GPUS();
  const auto bodies = galaxies_of({1001, 77});
  for (const Assignments& kernel :
       {Assignments{"integrator=leapfrog"}, Assignments{"integrator=forest-ruth"},
        Assignments{"integrator=symplectic-euler", "layout=soa"},
        Assignments{"update=fused", "integrator=symplectic-euler", "layout=split"},
        Assignments{"family=tiled-2d", "layout=aos"}, Assignments{"schedule=streams"}}) {
    const auto expected = after(*loaded(configuration_of(kernel), bodies), bodies, 10);
    const auto two = kernel + Assignments{"devices=0,1", "split-by=bodies"};
    if (const auto reason = checks::why_not_here(case_of(two)); !reason.empty()) continue;
    const auto mine = after(*loaded(configuration_of(two), bodies), bodies, 10);
    EXPECT_LT(largest_difference(mine.position, expected.position), 1e-6) << kernel.front();
    EXPECT_LT(largest_difference(mine.velocity, expected.velocity), 1e-5) << kernel.front();
  }
}

TEST_F(Schedules, DevicesAreChosenWhileItRuns) {
  NEED_TWO_GPUS();
  const auto bodies = galaxies_of({300, 200, 100});
  const auto expected = after(*loaded(configuration_of({}), bodies), bodies, 8);
  const auto engine = loaded(configuration_of({"devices=0"}), bodies);
  for (const Assignments& devices :
       {Assignments{"devices=0,1"}, Assignments{"devices=1"}, Assignments{"devices=1,0", "split-by=bodies"},
        Assignments{"devices=0"}}) {
    engine->configure(configuration_of(devices));
    after(*engine, bodies, 2);
  }
  const auto mine = after(*engine, bodies, 0);
  EXPECT_LT(largest_difference(mine.position, expected.position), 1e-6);
}

TEST_F(Schedules, ADeviceThatIsNotThereIsRefused) {
  const auto bodies = galaxies_of({10});
  const auto engine = loaded(configuration_of({}), bodies);
  EXPECT_THROW(engine->configure(configuration_of({"devices=15"})), UsageError);
  EXPECT_TRUE(engine->advance({})) << "the old devices go on";
}

/// Makes a GPU fail for good: engines have the same context.
void break_device(int ordinal, const Configuration& configuration) {
  const cuda::Context context(ordinal);
  cuda::ModuleCache modules(context.info());
  const auto module = modules.get(cuda::kernel_configuration(configuration));
  const cuda::Streams streams;
  cuda::Arguments none;
  cuda::launch(module->function("fail"), {}, none, streams.main());
}

// Last: CUDA is of no use to the process afterwards.
TEST_F(Schedules, ZLosingAGpuLeavesTheLastKeptState) {
  NEED_TWO_GPUS();
  const auto bodies = galaxies_of({300, 200, 100, 50});
  std::vector<Bodies> after_steps;
  const auto whole = loaded(configuration_of({"devices=0", "schedule=serial"}), bodies);
  after_steps.reserve(8);
  for (int k = 0; k < 8; ++k) after_steps.push_back(after(*whole, bodies, k > 0 ? 1 : 0));
  {
    const char* split = "split-by=galaxies";
    const auto configuration = configuration_of({"devices=0,1", split, "schedule=serial"});
    const auto engine = loaded(configuration, bodies);
    // A copy is made each second, and taken over with the step after it.
    for (int k = 0; k < 5; ++k) engine->advance({});
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    engine->advance({});
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    engine->advance({});
    break_device(1, configuration);
    std::string message;
    try {
      for (int k = 0; k < 100; ++k) {
        engine->advance({});
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    } catch (const DeviceLost& error) {
      message = error.what();
    }
    EXPECT_NE(message.find("GPU 1"), std::string::npos) << message;
    EXPECT_NE(message.find("last complete state"), std::string::npos) << message;
    const auto kept = engine->status().steps;
    EXPECT_EQ(kept, 6U);
    auto state = bodies;
    engine->read_back(state);
    expect_same(state, after_steps.at(kept), "the state that was kept");
    EXPECT_THROW(engine->advance({}), Error) << "it does not go on by itself";
    const auto processor =
        loaded(checks::configuration_of({.name = "", .assignments = {"engine=cpu"}}), state);
    EXPECT_TRUE(processor->advance({})) << "another engine does";
  }
}

}  // namespace
}  // namespace orrery::sim
