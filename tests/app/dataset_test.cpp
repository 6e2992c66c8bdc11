#include "lab/setup/dataset.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lab/setup/dataset_hash.h"
#include "sim/core/error.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/snapshots/format.h"
#include "tests/temporary_folder.h"

namespace orrery::app {
namespace {

using test::TemporaryFolder;

/// A mistake in the request, with a message that says `part`.
void expect_mistake(const lab::DatasetRequest& request, const std::string& part) {
  try {
    lab::load_dataset(request);
    FAIL() << request.source;
  } catch (const sim::UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Dataset, ModelsFilesAndMistakes) {
  EXPECT_EQ(lab::load_dataset({.source = "plummer", .bodies = 64}).bodies.size(), 64U);
  EXPECT_EQ(lab::load_dataset({.source = "plummer", .bodies = 20, .galaxies = 3}).bodies.galaxies().size(),
            3U);
  expect_mistake({.source = "plumber"}, "did you mean 'plummer'?");
  expect_mistake({.source = "nebula"}, "orrery make --list");
  expect_mistake({.source = "/no/such/file.bin"}, "/no/such/file.bin");
  expect_mistake({.source = "file.bin"}, "file.bin");
  const TemporaryFolder folder;
  const auto file = (folder / "a.csv").string();
  std::ofstream(file) << "mass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n1,1,0,0,0,1,0\n";
  const auto copies = lab::load_dataset({.source = file, .galaxies = 2});
  EXPECT_EQ(copies.bodies.size(), 4U);
  EXPECT_EQ(copies.bodies.galaxies().size(), 2U);
  EXPECT_THROW(lab::load_dataset({.source = file, .bodies = 5}), sim::UsageError);
  expect_mistake({.source = (folder / "A.CSV").string()}, "did you mean '" + file + "'?");
}

TEST(Dataset, MoreThanTheMachineHoldsIsRefusedWithNumbers) {
  const TemporaryFolder folder;
  const auto file = (folder / "p.bin").string();
  sim::write_snapshot(lab::load_dataset({.source = "plummer", .bodies = 1000}), file);
  // 4 * 10^9 copies of 1000 bodies: 600 TB.
  for (const auto& request :
       {lab::DatasetRequest{.source = "plummer", .bodies = 10'000'000, .galaxies = 100'000},
        lab::DatasetRequest{.source = file, .galaxies = 4'000'000'000}}) {
    try {
      lab::load_dataset(request);
      FAIL() << request.source;
    } catch (const sim::UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("GiB"), std::string::npos) << error.what();
    }
  }
}

/// One by one they may fit, and the memory would be full before the last is made.
TEST(Dataset, PartsThatTogetherNeedTooMuchAreRefusedBeforeOneIsMade) {
  const lab::DatasetRequest request{.source = "plummer",
                                    .bodies = 1000,
                                    .galaxies = 4'000'000'000,
                                    .with = {"plummer", "/no/such/file.csv"},
                                    .offsets = std::vector<sim::Placement>(3)};
  expect_mistake(request, "4000000000 x 2000 bodies need about");
}

TEST(Dataset, AStateNamesFewPartsAndAsManyPlaces) {
  const auto asked = [](std::size_t parts, std::size_t places) {
    return lab::dataset_request_from_json({{"model", "plummer"},
                                           {"with", std::vector<std::string>(parts - 1, "disk")},
                                           {"offsets", std::vector<std::string>(places, "0,0,0")}});
  };
  EXPECT_EQ(asked(64, 64).with.size(), 63U);
  EXPECT_EQ(asked(1, 0).offsets.size(), 0U);
  using Sizes = std::vector<std::pair<std::size_t, std::size_t>>;
  for (const auto& [parts, places] : Sizes{{65, 65}, {1000, 1000}, {3, 0}, {3, 2}, {3, 4}, {1, 2}})
    EXPECT_THROW(asked(parts, places), sim::Error) << parts << " parts, " << places << " places";
  const lab::DatasetRequest many{.source = "plummer",
                                 .with = std::vector<std::string>(64, "plummer"),
                                 .offsets = std::vector<sim::Placement>(65)};
  expect_mistake(many, "65 datasets in one scene are too many; at most 64 can be");
}

TEST(Dataset, APlummerSphereOfManyBodiesIsInStandardUnits) {
  // More than are summed pair by pair in the making.
  const auto scene = lab::load_dataset({.source = "plummer", .bodies = 20'000, .seed = 3});
  const auto galaxies = scene.bodies.galaxies();
  const auto sums = sim::diagnose(sim::view_of(scene.bodies, galaxies),
                                  {.physics = {.softening = scene.physics.softening}, .exact_limit = 20'000});
  EXPECT_NEAR(sums.potential, -0.5, 2e-4);
  EXPECT_NEAR(sums.kinetic, 0.25, 1e-6);
}

/// It stands in old states and pictures.
TEST(Dataset, HashOfKnownBodies) {
  sim::Bodies bodies;
  bodies.resize(2);
  bodies.position = {{1, 2, 3}, {4, 5, 6}};
  bodies.velocity = {{7, 8, 9}, {-1, -2, -3}};
  bodies.mass = {0.5F, 0.25F};
  EXPECT_EQ(lab::dataset_hash(bodies), "5c1f9b3678ea3add");
}

TEST(Dataset, TheHashTellsBodiesApart) {
  auto bodies = lab::load_dataset({.source = "plummer", .bodies = 20}).bodies;
  const auto hash = lab::dataset_hash(bodies);
  EXPECT_EQ(hash.size(), 16U);
  EXPECT_EQ(lab::dataset_hash(lab::load_dataset({.source = "plummer", .bodies = 20}).bodies), hash);
  bodies.velocity[19].z += 1e-6F;
  EXPECT_NE(lab::dataset_hash(bodies), hash);
}

}  // namespace
}  // namespace orrery::app
