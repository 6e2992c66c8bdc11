#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "sim/core/error.h"
#include "sim/series/series_reader.h"
#include "sim/series/series_writer.h"
#include "sim/series/snapshot_list.h"
#include "sim/snapshots/format.h"
#include "tests/temporary_folder.h"

namespace orrery::sim {
namespace {

namespace fs = std::filesystem;

void touch(const fs::path& file) { std::ofstream(file) << "x"; }

std::vector<std::string> names(const std::vector<SnapshotPlace>& places) {
  std::vector<std::string> all;
  for (const auto& place : places) all.push_back(place.file.filename().string());
  return all;
}

using Names = std::vector<std::string>;

/// Bodies that move on circles with a period of 8 in time, at different radii.
Scene circles(double time, std::size_t bodies = 5) {
  Scene scene;
  scene.bodies.resize(bodies);
  scene.time = time;
  for (std::size_t i = 0; i < bodies; ++i) {
    const double angle = 2.0 * M_PI * time / 8.0, radius = 1.0 + static_cast<double>(i);
    scene.bodies.position[i] =
        static_cast<Vec3>(DVec3{radius * std::cos(angle), radius * std::sin(angle), 0});
    const double speed = 2.0 * M_PI * radius / 8.0;
    scene.bodies.velocity[i] = static_cast<Vec3>(DVec3{-speed * std::sin(angle), speed * std::cos(angle), 0});
    scene.bodies.mass[i] = 1.0F;
    scene.bodies.id[i] = 100 + i;
  }
  return scene;
}

class PlaybackTest : public testing::Test {
 protected:
  /// Snapshots at times 0, 1, 2, ...; every second one with its bodies in another order.
  fs::path write_series(std::size_t count, const char* format = "bin") {
    const auto folder = temporary_.path() / "run";
    fs::create_directories(folder);
    for (std::size_t n = 0; n < count; ++n) {
      auto scene = circles(static_cast<double>(n));
      if (n % 2 == 1) {
        std::ranges::reverse(scene.bodies.position);
        std::ranges::reverse(scene.bodies.velocity);
        std::ranges::reverse(scene.bodies.id);
      }
      write_snapshot(scene, folder / ("step-" + std::to_string(10 * n) + ".bin"), format);
    }
    return folder;
  }
  static std::shared_ptr<const Scene> first_of(const std::vector<SnapshotPlace>& places) {
    return std::make_shared<const Scene>(read_snapshot(places.front().file));
  }

  test::TemporaryFolder temporary_;
};

TEST_F(PlaybackTest, ListsByNumberTheLargestSetOfAFolder) {
  const auto& folder = temporary_.path();
  for (const char* name : {"step-2.vtp", "step-10.vtp", "step-1.vtp", "series.pvd", "notes.txt",
                           "other-1.csv", "film-0001.png", "film-0002.png", "film-0003.png", "film-0004.png"})
    touch(folder / name);
  const Names wanted{"step-1.vtp", "step-2.vtp", "step-10.vtp"};
  EXPECT_EQ(names(list_snapshots(folder)), wanted);
  EXPECT_EQ(names(list_snapshots(folder / "series.pvd")), wanted);
  EXPECT_EQ(names(list_snapshots(folder / "step-1*.vtp")), (Names{"step-1.vtp", "step-10.vtp"}));
  EXPECT_EQ(names(list_snapshots(folder / "step-?.vtp")), (Names{"step-1.vtp", "step-2.vtp"}));
  EXPECT_THROW(list_snapshots(folder / "nothing*"), Error);
  EXPECT_TRUE(list_snapshots(folder / "absent.bin").empty());
}

TEST_F(PlaybackTest, SnapshotsInSeveralFilesCountOnce) {
  for (const char* name :
       {"snap_001.0", "snap_001.1", "snap_002.0", "snap_002.1", "snap_010.0", "snap_010.1"})
    touch(temporary_.path() / name);
  EXPECT_EQ(names(list_snapshots(temporary_.path())), (Names{"snap_001.0", "snap_002.0", "snap_010.0"}));
}

TEST_F(PlaybackTest, NumbersOfTipsyRunsAreNotParts) {
  for (const char* name : {"run.00064", "run.00128", "run.00512"}) touch(temporary_.path() / name);
  EXPECT_EQ(names(list_snapshots(temporary_.path())), (Names{"run.00064", "run.00128", "run.00512"}));
}

TEST_F(PlaybackTest, FolderWithoutSnapshotsIsAnError) {
  EXPECT_THROW(list_snapshots(temporary_.path()), Error);
}

TEST_F(PlaybackTest, BodiesAreFoundByTheirIds) {
  const auto places = list_snapshots(write_series(4));
  SeriesReader reader(places, first_of(places));
  const auto state = reader.wait_for(1);
  const auto expected = circles(1.0);
  EXPECT_EQ(state->position, expected.bodies.position);
  EXPECT_EQ(state->velocity, expected.bodies.velocity);
  EXPECT_EQ(state->missing, 0U);
}

TEST_F(PlaybackTest, HoldsFewStatesWhateverTheLength) {
  const auto places = list_snapshots(write_series(30));
  SeriesReader reader(places, first_of(places));
  for (std::size_t n = 0; n < 30; ++n) {
    EXPECT_EQ(reader.wait_for(n)->time, static_cast<double>(n));
    EXPECT_LE(reader.held(), SeriesReader::kept);
  }
}

TEST_F(PlaybackTest, GapsOfTheNumbersAreSaid) {
  const auto gaps = [](std::initializer_list<const char*> names) {
    std::vector<SnapshotPlace> places;
    for (const char* name : names) places.push_back({name});
    return describe_gaps(places);
  };
  EXPECT_EQ(gaps({"snap_000.csv", "snap_001.csv", "snap_005.csv", "snap_006.csv"}), "002 to 004 are missing");
  EXPECT_EQ(gaps({"step-10.bin", "step-20.bin", "step-40.bin"}), "30 is missing");
  EXPECT_EQ(gaps({"s-8.h5", "s-9.h5", "s-11.h5", "s-12.h5", "s-15.h5"}), "10, 13 to 14 are missing");
  EXPECT_EQ(gaps({"s-1", "s-2", "s-3"}), "");
  EXPECT_EQ(gaps({"s-1", "s-2", "s-4", "s-8", "s-16"}), "");  // no steady distance
  EXPECT_EQ(gaps({"one.nemo", "one.nemo"}), "");
  EXPECT_EQ(gaps({"s-99999999999999999999999", "s-99999999999999999999998"}), "");
}

TEST_F(PlaybackTest, SnapshotsAreCountedInTheFormatAskedFor) {
  const auto file = temporary_.path() / "several.nemo";
  write_snapshot(circles(0.0), file);
  std::ifstream in(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  std::ofstream(file, std::ios::binary | std::ios::app) << text;
  EXPECT_EQ(list_snapshots(file).size(), 2U);
  EXPECT_EQ(list_snapshots(file, {.format = "nemo"}).size(), 2U);
  EXPECT_EQ(list_snapshots(file, {.format = "tipsy"}).size(), 1U);
}

TEST_F(PlaybackTest, ColumnsThatWereNamedAreThoseOfAllSnapshots) {
  std::vector<SnapshotPlace> places;
  for (const char* name : {"a1.csv", "a2.csv"}) {
    places.push_back({temporary_.path() / name});
    std::ofstream(places.back().file) << "1,2,3,4\n5,6,7,8\n";
  }
  const ReadOptions options{.columns = "mass,z,y,x"};
  SeriesReader reader(places, std::make_shared<const Scene>(read_snapshot(places.front().file, options)),
                      options);
  EXPECT_EQ(reader.wait_for(1)->position[0], (Vec3{4.0F, 3.0F, 2.0F}));
}

TEST_F(PlaybackTest, BodiesThatAreMissingHaveNoPlace) {
  const auto folder = write_series(2);
  auto fewer = circles(1.0);
  fewer.bodies.resize(3);
  write_snapshot(fewer, folder / "step-10.bin");
  const auto places = list_snapshots(folder);
  SeriesReader reader(places, first_of(places));
  const auto state = reader.wait_for(1);
  EXPECT_EQ(state->missing, 2U);
  EXPECT_TRUE(std::isnan(state->position[4].x));
  EXPECT_EQ(state->position[2], circles(1.0).bodies.position[2]);
}

TEST_F(PlaybackTest, DamagedSnapshotIsNamedAndOthersPlay) {
  const auto folder = write_series(3);
  std::ofstream(folder / "step-10.bin") << "garbage that is no snapshot \x01\x02";
  const auto places = list_snapshots(folder);
  SeriesReader reader(places, first_of(places));
  EXPECT_THROW(reader.wait_for(1), Error);
  EXPECT_NE(reader.problem().find("step-10.bin"), std::string::npos) << reader.problem();
  EXPECT_EQ(reader.wait_for(2)->time, 2.0);
}

PlayedState state_of(const Scene& scene) {
  return {.time = scene.time, .position = scene.bodies.position, .velocity = scene.bodies.velocity};
}

double error_between(const PlayedState& a, const PlayedState& b, double time) {
  std::vector<Vec3> position(a.position.size()), velocity(a.position.size());
  interpolate(a, b, (time - a.time) / (b.time - a.time), position, velocity);
  const auto truth = circles(time);
  double worst = 0.0;
  for (std::size_t i = 0; i < position.size(); ++i)
    worst =
        std::max(worst, norm(static_cast<DVec3>(position[i]) - static_cast<DVec3>(truth.bodies.position[i])) /
                            (1.0 + static_cast<double>(i)));
  return worst;
}

TEST(Interpolation, FollowsTheOrbit) {
  // A straight line would be 1 - cos(22.5 degrees) = 0.076 inside the circle.
  EXPECT_LT(error_between(state_of(circles(0.0)), state_of(circles(1.0)), 0.5), 2e-3);
}

TEST(Interpolation, MeetsBothEnds) {
  const auto a = state_of(circles(0.0)), b = state_of(circles(1.0));
  EXPECT_LT(error_between(a, b, 0.0), 1e-6);
  EXPECT_LT(error_between(a, b, 1.0), 1e-6);
}

TEST(Interpolation, IsStraightWhereVelocitiesLeadElsewhere) {
  // Almost a whole turn between them: the cubic would swing far out.
  const auto a = state_of(circles(0.0)), b = state_of(circles(7.5));
  std::vector<Vec3> position(5), velocity(5);
  interpolate(a, b, 0.5, position, velocity);
  const auto middle = 0.5F * (a.position[0] + b.position[0]);
  EXPECT_LT(norm(position[0] - middle), 1e-6F);
}

TEST_F(PlaybackTest, EnginePlaysToTheLastSnapshotAndStaysThere) {
  const auto places = list_snapshots(write_series(3));
  const auto first = first_of(places);
  const auto engine = make_playback_engine(places, first, {}, 0.5);
  engine->load(first->bodies, first->time);
  auto bodies = first->bodies;
  for (const double time : {0.5, 1.0, 1.5, 2.0, 2.0}) {
    ASSERT_TRUE(engine->advance({}));
    EXPECT_EQ(engine->status().time, time);
  }
  engine->read_back(bodies);
  EXPECT_EQ(bodies.position, circles(2.0).bodies.position);
  EXPECT_EQ(engine->status().steps, 5U);
}

TEST_F(PlaybackTest, SnapshotsOfOneFileAreListed) {
  const auto file = temporary_.path() / "several.nemo";
  std::string text;
  for (int n = 0; n < 3; ++n) {
    write_snapshot(circles(n), temporary_.path() / "one.nemo");
    std::ifstream in(temporary_.path() / "one.nemo", std::ios::binary);
    text.append(std::istreambuf_iterator<char>(in), {});
  }
  std::ofstream(file, std::ios::binary) << text;
  const auto places = list_snapshots(file);
  ASSERT_EQ(places.size(), 3U);
  EXPECT_EQ(read_snapshot(file, {.snapshot = 2}).time, 2.0);
  EXPECT_THROW(read_snapshot(file, {.snapshot = 3}), Error);
  SeriesReader reader(places, first_of(places));
  EXPECT_EQ(reader.wait_for(2)->position, circles(2.0).bodies.position);
}

}  // namespace
}  // namespace orrery::sim
