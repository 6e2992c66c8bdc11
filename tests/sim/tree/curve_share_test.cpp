#include "sim/cpu/tree/curve_share.h"

#include <gtest/gtest.h>

#include <numeric>

namespace orrery::sim {
namespace {

/// Several shares in one process: what one sends goes to all.
struct Crew {
  static constexpr std::size_t workers = 3, group_size = 10;
  std::vector<GalaxyRange> galaxies{{0, 95}, {95, 100}, {100, 300}};
  std::vector<CurveShare> shares;

  Crew() {
    for (std::size_t w = 0; w < workers; ++w) shares.emplace_back(w, workers);
  }
  void begin() {
    for (auto& share : shares) share.begin(galaxies, group_size);
  }
  /// Groups of all galaxies that worker w has.
  std::size_t groups(std::size_t w) const {
    std::size_t sum = 0;
    for (const auto& galaxy : galaxies) sum += shares[w].groups_in(galaxy).size();
    return sum;
  }
};

/// Nobody else is there: notes what would be exchanged.
class Recorder final : public StateExchange {
 public:
  explicit Recorder(std::vector<std::vector<std::size_t>>& bounds) : bounds_(bounds) {}
  std::size_t worker() const override { return 0; }
  std::size_t workers() const override { return Crew::workers; }
  void share(std::span<Vec3>) override {}
  void share(std::span<Vec3>, std::span<const std::size_t> bounds) override {
    bounds_.emplace_back(bounds.begin(), bounds.end());
  }
  bool all(bool mine) override { return mine; }

 private:
  std::vector<std::vector<std::size_t>>& bounds_;
};

TEST(CurveShare, EveryGroupHasOneWorker) {
  Crew crew;
  crew.begin();
  for (const auto& galaxy : crew.galaxies) {
    std::size_t next = 0;
    for (const auto& share : crew.shares) {
      const auto groups = share.groups_in(galaxy);
      EXPECT_EQ(groups.first, next);
      next = groups.last;
    }
    EXPECT_EQ(next, (galaxy.size() + 9) / 10);
  }
}

/// 31 groups, of which the first ten cost half of all.
TEST(CurveShare, WorkOfTheEvaluationBeforeCutsTheGroups) {
  Crew crew;
  crew.begin();
  EXPECT_EQ(crew.groups(0), 10U);
  std::vector<std::vector<std::size_t>> bounds;
  std::vector<Vec3> acceleration(300);
  auto& share = crew.shares[0];
  const auto evaluate = [&] {
    share.begin(crew.galaxies, Crew::group_size);
    std::size_t number = 0;
    for (const auto& galaxy : crew.galaxies) {
      for (std::size_t k = 0; k < (galaxy.size() + 9) / 10; ++k)
        share.note_work(galaxy, k, number++ < 10 ? 2.1 : 1.0);
    }
  };
  // An evaluation that is not completed teaches nothing.
  evaluate();
  share.begin(crew.galaxies, Crew::group_size);
  EXPECT_EQ(crew.groups(0), 10U);
  evaluate();
  Recorder recorder(bounds);
  share.bring_together(recorder, {0, 300}, acceleration);
  share.begin(crew.galaxies, Crew::group_size);
  EXPECT_EQ(crew.groups(0), 7U);
  // Places, then groups; the second galaxy's only group has five bodies.
  ASSERT_EQ(bounds.size(), 2U);
  EXPECT_EQ(bounds[0], (std::vector<std::size_t>{0, 95, 200, 300}));
  EXPECT_EQ(bounds[1], (std::vector<std::size_t>{0, 10, 21, 31}));
}

TEST(CurveShare, ForcesGoFromPlacesToTargets) {
  CurveShare share(0, 1);
  const std::vector<GalaxyRange> galaxies{{0, 3}, {3, 6}};
  share.begin(galaxies, 2);
  share.note_order(galaxies[1], std::vector<std::uint32_t>{2, 0, 1});
  for (std::size_t place = 0; place < 6; ++place)
    share.acceleration()[place] = {static_cast<float>(place), 0.0F, 0.0F};
  std::vector<Vec3> acceleration(6, Vec3{-1.0F, 0.0F, 0.0F});
  std::vector<std::vector<std::size_t>> bounds;
  Recorder recorder(bounds);
  EXPECT_TRUE(share.begun());
  share.forget();
  EXPECT_FALSE(share.begun());
  share.begin(galaxies, 2);
  share.note_order(galaxies[1], std::vector<std::uint32_t>{2, 0, 1});
  for (std::size_t place = 0; place < 6; ++place)
    share.acceleration()[place] = {static_cast<float>(place), 0.0F, 0.0F};
  share.bring_together(recorder, {2, 5}, acceleration);
  EXPECT_FALSE(share.begun());
  const std::vector<float> expected{-1, -1, -1, 4, 5, -1};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(acceleration[i].x, expected[i]) << i;
}

}  // namespace
}  // namespace orrery::sim
