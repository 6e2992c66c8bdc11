// Which schedules and devices the options allow, and what "auto" means.
#include <gtest/gtest.h>

#include "sim/cuda/options/schedule.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

using cuda::Schedule;

Configuration with(const std::vector<std::string>& assignments) {
  auto configuration = checks::simulation_options().defaults();
  configuration.set("engine", std::string("cuda"));
  for (const auto& assignment : assignments) checks::simulation_options().assign(configuration, assignment);
  return configuration;
}

std::string refusal(const std::string& option, const Configuration& configuration, std::size_t galaxies = 4) {
  const auto& table = checks::simulation_options();
  return table.refusal(table.at(option), configuration.value(option), configuration,
                       {.bodies = 100 * galaxies, .galaxies = galaxies});
}

TEST(ScheduleOptions, AutoBatchesSeveralGalaxiesWhereTheKernelCan) {
  EXPECT_EQ(cuda::schedule_of(with({}), 1), Schedule::serial);
  EXPECT_EQ(cuda::schedule_of(with({}), 2), Schedule::batched);
  EXPECT_EQ(cuda::schedule_of(with({"family=pairs-matrix"}), 2), Schedule::serial);
  EXPECT_EQ(cuda::schedule_of(with({"family=tiled-2d", "sum=cublas"}), 2), Schedule::serial);
  EXPECT_EQ(cuda::schedule_of(with({"schedule=graph"}), 1), Schedule::graph);
  // Other bodies are active at each moment: a table of blocks would have to be made each time.
  EXPECT_EQ(cuda::schedule_of(with({"step=block"}), 2), Schedule::serial);
}

TEST(ScheduleOptions, WhatCannotBeIsRefusedWithTheReason) {
  EXPECT_EQ(refusal("schedule", with({"schedule=batched"})), "");
  EXPECT_NE(refusal("schedule", with({"schedule=batched", "family=pairs-atomic"})), "");
  EXPECT_NE(refusal("schedule", with({"schedule=graph", "family=force-matrix"})), "");
  EXPECT_NE(refusal("schedule", with({"schedule=streams", "family=tiled-2d", "sum=cublas"})), "");
  EXPECT_EQ(refusal("schedule", with({"schedule=streams", "family=tiled-2d"})), "");
}

TEST(ScheduleOptions, DevicesAreThatOfDeviceFirst) {
  EXPECT_EQ(cuda::devices_of(with({"devices=2,0,1,3"})), (std::vector<int>{2, 0, 1, 3}));
  EXPECT_EQ(cuda::devices_of(with({"devices=0"})), std::vector<int>{0});
  EXPECT_EQ(cuda::devices_of(with({"devices=1"})), std::vector<int>{1});
}

TEST(ScheduleOptions, GpusThatAreNotThereAreNamed) {
  EXPECT_NE(cuda::absent_device(cuda::devices_of(with({"devices=0,1,3"})), 3).find("no GPU 3"),
            std::string::npos);
  EXPECT_NE(cuda::absent_device({1}, 1).find("no GPU 1"), std::string::npos);
  EXPECT_EQ(cuda::absent_device(cuda::devices_of(with({"devices=0,1,3"})), 4), "");
  EXPECT_EQ(cuda::absent_device({-1}, 1), "") << "the one that draws";
  EXPECT_EQ(cuda::absent_device({5}, 0), "") << "the engine itself says that there is none";
}

TEST(ScheduleOptions, BodiesAreSplitWhenGalaxiesAreFew) {
  EXPECT_TRUE(cuda::splits_bodies(with({}), 2, 1));
  EXPECT_FALSE(cuda::splits_bodies(with({}), 2, 2));
  EXPECT_TRUE(cuda::splits_bodies(with({"split-by=bodies"}), 2, 32));
  EXPECT_FALSE(cuda::splits_bodies(with({"split-by=galaxies"}), 2, 1));
}

TEST(ScheduleOptions, OneGalaxyIsCutIntoDomainsForTheTree) {
  const auto tree = with({"family=tree"});
  EXPECT_TRUE(cuda::splits_domains(tree, 2, 1));
  EXPECT_FALSE(cuda::splits_bodies(tree, 2, 1));
  EXPECT_FALSE(cuda::splits_domains(tree, 1, 1));
  EXPECT_FALSE(cuda::splits_domains(tree, 2, 2));
  EXPECT_FALSE(cuda::splits_domains(with({}), 2, 1)) << "tiled shares bodies";
  EXPECT_TRUE(cuda::splits_domains(with({"split-by=domains"}), 2, 1));
}

TEST(ScheduleOptions, DomainsAreRefusedWithAReasonWhereTheyCannotBe) {
  const auto reason = [](const std::vector<std::string>& more, std::size_t galaxies = 1) {
    std::vector<std::string> all{"devices=0,1", "family=tree", "split-by=domains"};
    all.insert(all.end(), more.begin(), more.end());
    return refusal("split-by", with(all), galaxies);
  };
  EXPECT_EQ(reason({}), "");
  EXPECT_EQ(reason({"split-by=auto"}), "");
  EXPECT_NE(reason({"family=tiled"}).find("split-by=bodies"), std::string::npos);
  EXPECT_NE(reason({}, 5).find("there are 5"), std::string::npos);
  EXPECT_NE(reason({"schedule=graph"}).find("schedule=serial"), std::string::npos);
  EXPECT_NE(reason({"split-by=bodies"}).find("split-by=domains"), std::string::npos);
  EXPECT_EQ(reason({"family=tiled", "split-by=bodies"}), "");
}

TEST(ScheduleOptions, OneBlockAGalaxyCannotBeSharedByGpus) {
  EXPECT_NE(refusal("split-by", with({"devices=0,1", "family=galaxy-block", "split-by=bodies"})), "");
  EXPECT_NE(refusal("split-by", with({"devices=0,1", "family=galaxy-block"}), 1), "");
  EXPECT_EQ(refusal("split-by", with({"devices=0,1", "family=galaxy-block"}), 8), "");
  for (const char* way : {"round-trip", "round-trip-bodies", "round-trip-positions"})
    EXPECT_NE(refusal("devices", with({"devices=0,1", std::string("transfers=") + way})), "") << way;
}

TEST(Transfers, VelocitiesAreUpdatedOnTheGpuWithSymplecticEulerOnly) {
  for (const std::string way : {"transfers=round-trip-bodies", "transfers=round-trip-positions"}) {
    EXPECT_EQ(refusal("transfers", with({way, "integrator=symplectic-euler"})), "");
    for (const char* integrator : {"integrator=leapfrog", "integrator=explicit-euler"})
      EXPECT_NE(refusal("transfers", with({way, integrator})).find("symplectic-euler"), std::string::npos);
    EXPECT_NE(refusal("transfers", with({way, "integrator=symplectic-euler", "update=fused"})), "");
  }
  EXPECT_EQ(refusal("transfers", with({"transfers=round-trip", "integrator=leapfrog"})), "");
}

}  // namespace
}  // namespace orrery::sim
