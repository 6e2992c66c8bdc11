#include "sim/cuda/multi_gpu/domain_balance.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace orrery::sim::cuda {
namespace {

/// Bodies along a diagonal in three domains, of which the first costs most.
struct Line {
  Line() {
    for (int i = 0; i < 3000; ++i) position.push_back(Vec3{1.0F, 0.7F, 0.3F} * static_cast<float>(i));
    cut.cut(position, weights);
    balance.emplace(cut, weights);
  }
  std::vector<std::uint64_t> borders() const { return {cut.borders().begin(), cut.borders().end()}; }
  void evaluate() {
    if (!balance->is_noted()) balance->note(costs());
    balance->begin_evaluation();
    balance->count_imports(0, position.size());
    balance->end_evaluation();
  }
  /// A piece for each domain.
  std::vector<std::vector<tree::PieceCost>> costs() const {
    std::vector<std::vector<tree::PieceCost>> all;
    for (std::size_t k = 0; k < weights.size(); ++k)
      all.push_back({{.key = cut.borders()[k], .work = k == 0 ? 5000U : 1000U, .bodies = 1000}});
    return all;
  }
  EngineState saved(bool within_step) {
    if (!balance->is_noted()) balance->note(costs());
    EngineState state;
    balance->save(state, within_step);
    return state;
  }

  std::vector<Vec3> position;
  std::vector<double> weights{1.0, 1.0, 1.0};
  GalaxyCut cut;
  std::optional<DomainBalance> balance;
};

TEST(DomainBalance, BordersMoveOnceCostsAreKnown) {
  Line line;
  const auto first = line.borders();
  line.evaluate();
  EXPECT_EQ(line.borders(), first);
  line.evaluate();
  EXPECT_LT(line.borders()[1], first[1]);
}

/// No memory for what comes from others, say.
TEST(DomainBalance, AnEvaluationThatFailsMovesNothing) {
  Line line, whole;
  line.balance->begin_evaluation();
  for (int k = 0; k < 3; ++k) {
    line.evaluate();
    whole.evaluate();
    EXPECT_EQ(line.borders(), whole.borders()) << k;
  }
}

TEST(DomainBalance, AStepThatIsGivenUpGoesBackToItsFirstForces) {
  for (const bool with_forces : {false, true}) {
    Line line, whole;
    for (auto* each : {&line, &whole}) {
      for (int k = 0; k < 3; ++k) each->evaluate();
    }
    line.balance->begin_step(with_forces);
    for (int k = 0; k < 4; ++k) line.evaluate();
    line.balance->give_up_step();
    // The forces that the step began with are computed again.
    if (!with_forces) whole.evaluate();
    EXPECT_NE(line.borders(), whole.borders());
    line.evaluate();
    EXPECT_EQ(line.borders(), whole.borders()) << with_forces;
    line.evaluate();
    whole.evaluate();
    EXPECT_EQ(line.borders(), whole.borders());
  }
}

TEST(DomainBalance, AStateWithinAStepIsThatOfItsStart) {
  Line line;
  for (int k = 0; k < 3; ++k) line.evaluate();
  line.balance->begin_step(true);
  const auto before = line.borders();
  for (int k = 0; k < 4; ++k) line.evaluate();
  Line other;
  ASSERT_TRUE(other.balance->take(line.saved(true)));
  other.evaluate();
  EXPECT_EQ(other.borders(), before);
  ASSERT_TRUE(other.balance->take(line.saved(false)));
  EXPECT_EQ(other.borders(), line.borders());
}

TEST(DomainBalance, BordersInDisorderAreRefused) {
  Line line;
  for (int k = 0; k < 3; ++k) line.evaluate();
  const auto state = line.saved(false);
  ASSERT_TRUE(line.balance->take(state));
  auto damaged = state;
  auto& bytes = damaged.arrays.front().bytes;
  // The largest key where the second border is: before the third one, and behind the curve.
  const auto second = line.borders()[1];
  std::size_t changed = 0;
  for (std::size_t at = 0; at + sizeof(second) <= bytes.size(); at += sizeof(second)) {
    if (std::memcmp(bytes.data() + at, &second, sizeof(second)) != 0) continue;
    std::memset(bytes.data() + at, 0xFF, sizeof(second));
    ++changed;
  }
  ASSERT_GT(changed, 0U);
  const auto borders = line.borders();
  EXPECT_FALSE(line.balance->take(damaged));
  EXPECT_EQ(line.borders(), borders);
  EXPECT_FALSE(line.balance->take({}));
}

}  // namespace
}  // namespace orrery::sim::cuda
