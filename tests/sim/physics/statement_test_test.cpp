#include "sim/physics/diagnostics/statement_test.h"

#include <gtest/gtest.h>

#include <random>

namespace orrery::sim {
namespace {

constexpr std::size_t evenly = 384, of_a_stratum = 24;

/// Fractions of bodies above the stated errors.
struct Above {
  double median = 0.5, p99 = 0.01;
};

/// The checks of runs whose errors are drawn by chance.
class StatementTests : public testing::Test {
 protected:
  /// One check: of all bodies, and of ten strata, the last of which may differ.
  ForceError check(Above all, Above strata, Above last) {
    ForceError error{.stated = {.median = 1e-3, .p99 = 1e-2}};
    error.strata.push_back(draw("all bodies", evenly, all));
    for (int k = 1; k < 10; ++k)
      error.strata.push_back(draw("clump " + std::to_string(k), of_a_stratum, strata));
    error.strata.push_back(draw("component halo", of_a_stratum, last));
    return error;
  }
  /// The check that rejects the statement; 0: none of `most`.
  int rejected_at(int most, Above all, Above strata, Above last, std::string* where = nullptr) {
    StatementTest test;
    for (int k = 1; k <= most; ++k) {
      const auto error = test.add(check(all, strata, last));
      if (where != nullptr) *where = error.worst.name;
      if (breaks_statement(error)) return k;
    }
    return 0;
  }

 private:
  StratumError draw(const std::string& name, std::size_t bodies, Above above) {
    StratumError error{name, bodies};
    error.above_median = count(bodies, above.median);
    error.above_p99 = count(bodies, above.p99);
    return error;
  }
  std::size_t count(std::size_t bodies, double fraction) {
    return std::binomial_distribution<std::size_t>(bodies, fraction)(random_);
  }
  std::mt19937 random_{1};  // NOLINT: the same runs each time
};

TEST_F(StatementTests, TwiceAsManyAreFoundWithinTwentyChecks) {
  constexpr int runs = 2000;
  int found = 0;
  for (int run = 0; run < runs; ++run) found += rejected_at(20, {.p99 = 0.02}, {}, {}) > 0 ? 1 : 0;
  EXPECT_GE(found, 0.99 * runs);
}

/// At the very limit of each statement, over many checks.
TEST_F(StatementTests, ATrueStatementIsNotRejected) {
  for (int run = 0; run < 100; ++run) ASSERT_EQ(rejected_at(300, {}, {.p99 = 0.02}, {.p99 = 0.02}), 0) << run;
}

TEST_F(StatementTests, AComponentIsFoundByItself) {
  std::string where;
  for (int run = 0; run < 100; ++run) {
    EXPECT_GT(rejected_at(20, {}, {}, {.median = 0.8}, &where), 0);
    EXPECT_EQ(where, "component halo");
    EXPECT_GT(rejected_at(20, {}, {}, {.p99 = 0.12}, &where), 0);
    EXPECT_EQ(where, "component halo");
  }
}

TEST_F(StatementTests, AGrossErrorIsFoundAtOnce) {
  for (int run = 0; run < 100; ++run) {
    EXPECT_EQ(rejected_at(1, {.p99 = 0.1}, {}, {}), 1);
    EXPECT_EQ(rejected_at(1, {}, {}, {.median = 1.0, .p99 = 0.9}), 1);
  }
}

/// Eight bodies are few, and yet all of them above the median, check after check, are no chance.
TEST(StatementTest, CountsAllChecks) {
  StatementTest test;
  ForceError check{.stated = {.median = 1e-3, .p99 = 1e-2}};
  check.strata = {{"all bodies", evenly}, {"clump 2 (8 bodies)", 8, 2e-3, 2e-3, 1.0, 8, 0}};
  EXPECT_FALSE(breaks_statement(test.add(check)));
  check.strata.back().name = "clump 2 (9 bodies)";
  for (int k = 0; k < 2; ++k) test.add(check);
  const auto fourth = test.add(check);
  EXPECT_TRUE(breaks_statement(fourth));
  EXPECT_EQ(fourth.worst.name, "clump 2 (9 bodies)");
  EXPECT_EQ(fourth.worst.sample, 32U);
  EXPECT_EQ(fourth.strata.front().sample, 4 * evenly);
  // Where nothing is stated nothing is tested.
  check.stated = {};
  EXPECT_FALSE(breaks_statement(test.add(check)));
}

}  // namespace
}  // namespace orrery::sim
