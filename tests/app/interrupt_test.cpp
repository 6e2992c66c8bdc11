#include "app/ending/answer_in_time.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/removed_at_exit.h"
#include "sim/galaxies/model.h"
#include "sim/physics/diagnostics/diagnostics.h"

// Each case runs in a process of its own: handlers and flag belong to the process.
namespace orrery::sim {
namespace {

using app::catch_interrupts;
using app::NothingToKeep;

void raise_caught(int signal) {
  catch_interrupts();
  std::raise(signal);
}

TEST(InterruptDeathTest, TheFirstSignalSetsTheFlagOnly) {
  for (const int signal : ending_signals) {
    EXPECT_EXIT(
        {
          if (interrupted()) _exit(1);
          raise_caught(signal);
          const bool right = interrupted() && interrupt_flag()->load() && interrupt_signal() == signal;
          _exit(right ? 42 : 1);
        },
        testing::ExitedWithCode(42), "");
  }
}

TEST(InterruptDeathTest, TheSecondSignalEndsTheProgram) {
  for (const int second : {SIGINT, SIGQUIT, SIGTERM}) {
    EXPECT_EXIT(
        {
          raise_caught(SIGINT);
          std::this_thread::sleep_for(std::chrono::milliseconds(300));
          std::raise(second);
          _exit(1);
        },
        testing::KilledBySignal(second), "");
  }
}

/// The system repeats them without being asked: SIGHUP when a session's shell ends, SIGXCPU every second.
TEST(InterruptDeathTest, OtherSignalsMayComeAgain) {
  for (const int signal : ending_signals) {
    if (insists(signal)) continue;
    EXPECT_EXIT(
        {
          raise_caught(signal);
          std::this_thread::sleep_for(std::chrono::milliseconds(300));
          std::raise(signal);
          _exit(interrupt_signal() == signal ? 42 : 1);
        },
        testing::ExitedWithCode(42), "");
  }
}

TEST(InterruptDeathTest, WorkWithoutResultsIsEndedInTime) {
  EXPECT_EXIT(
      {
        const NothingToKeep nothing;
        raise_caught(SIGHUP);
        std::this_thread::sleep_for(std::chrono::minutes(1));
        _exit(1);
      },
      testing::ExitedWithCode(128 + SIGHUP), "interrupted before");
}

TEST(InterruptDeathTest, WorkWithResultsGoesOnUntilItHasNone) {
  EXPECT_EXIT(
      {
        raise_caught(SIGTERM);
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));
        const NothingToKeep nothing;
        std::this_thread::sleep_for(std::chrono::minutes(1));
        _exit(1);
      },
      testing::ExitedWithCode(128 + SIGTERM), "results are being completed(.|\n)*interrupted before");
}

TEST(InterruptDeathTest, SignalsThatComeTogetherAreOneWish) {
  EXPECT_EXIT(
      {
        raise_caught(SIGINT);
        std::raise(SIGINT);
        std::raise(SIGTERM);
        _exit(interrupt_signal() == SIGINT ? 42 : 1);
      },
      testing::ExitedWithCode(42), "");
}

TEST(InterruptDeathTest, WithoutBeingAskedASignalEndsTheProgram) {
  EXPECT_EXIT(
      {
        std::raise(SIGINT);
        _exit(1);
      },
      testing::KilledBySignal(SIGINT), "");
}

TEST(InterruptDeathTest, WhatWasIgnoredStaysIgnored) {
  EXPECT_EXIT(
      {
        std::signal(SIGINT, SIG_IGN);
        raise_caught(SIGINT);
        _exit(interrupted() ? 1 : 42);
      },
      testing::ExitedWithCode(42), "");
}

TEST(InterruptDeathTest, WorkIsCancelled) {
  EXPECT_EXIT(
      {
        stop_if_interrupted();
        raise_caught(SIGINT);
        try {
          stop_if_interrupted();
        } catch (const Cancelled&) {
          _exit(42);
        }
        _exit(1);
      },
      testing::ExitedWithCode(42), "");
}

TEST(Progress, ModelsTellHowFarTheyAreAndStop) {
  constexpr std::size_t bodies = 12'000;
  for (const auto* model : galaxy_models()) {
    if (model->maximum_bodies < bodies) continue;
    Progress progress;
    make_galaxy(model->name, {.bodies = bodies, .progress = &progress});
    EXPECT_GT(progress.fraction, 0.5F) << model->name;
    EXPECT_LE(progress.fraction, 1.0F) << model->name;
    progress.cancel = true;
    EXPECT_THROW(make_galaxy(model->name, {.bodies = bodies, .progress = &progress}), Cancelled)
        << model->name;
  }
}

TEST(Progress, SeveralGalaxiesTellHowFarTheyAreAndStop) {
  Progress progress;
  make_galaxies("plummer", {.bodies = 100, .progress = &progress}, 50);
  EXPECT_GT(progress.fraction, 0.5F);
  progress.cancel = true;
  EXPECT_THROW(make_galaxies("plummer", {.bodies = 100, .progress = &progress}, 50), Cancelled);
}

TEST(Progress, TheEnergyTellsHowFarItIsAndStops) {
  const auto scene = make_galaxy("plummer", {.bodies = 2000});
  const auto galaxies = scene.bodies.galaxies();
  Progress progress;
  const DiagnosticsRequest request{.physics = scene.physics, .progress = &progress};
  diagnose(view_of(scene.bodies, galaxies), request);
  EXPECT_EQ(progress.fraction, 1.0F);
  progress.cancel = true;
  EXPECT_THROW(diagnose(view_of(scene.bodies, galaxies), request), Cancelled);
}

}  // namespace
}  // namespace orrery::sim
