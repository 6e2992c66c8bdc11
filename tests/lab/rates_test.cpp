#include "lab/bench/rates.h"

#include <gtest/gtest.h>

namespace orrery::lab {
namespace {

TEST(RateText, HasFourDigitsAtAnySize) {
  EXPECT_EQ(rate_text(12345.6), "12346");
  EXPECT_EQ(rate_text(1650.4), "1650");
  EXPECT_EQ(rate_text(999.96), "1000");
  EXPECT_EQ(rate_text(999.94), "999.9");
  EXPECT_EQ(rate_text(412.34), "412.3");
  EXPECT_EQ(rate_text(11.07), "11.07");
  EXPECT_EQ(rate_text(0.0408), "0.04080");
  EXPECT_EQ(rate_text(3.2e-5), "3.200e-05");
  EXPECT_EQ(rate_text(1.234567e-12), "1.235e-12");
  EXPECT_EQ(rate_text(0.0), "0");
}

TEST(RateText, CanBeShorter) {
  EXPECT_EQ(rate_text(1650.4, 3), "1650");
  EXPECT_EQ(rate_text(412.34, 3), "412");
  EXPECT_EQ(rate_text(11.07, 3), "11.1");
  EXPECT_EQ(rate_text(0.0408, 3), "0.0408");
  EXPECT_EQ(rate_text(3.2e-5, 3), "3.20e-05");
}

TEST(Rates, AreInteractionsOverTime) {
  const auto rates = rates_of({8e6, 2.0}, {9e6, 10.0});
  EXPECT_DOUBLE_EQ(rates.kernel, 4.0);
  EXPECT_DOUBLE_EQ(rates.whole, 0.9);
}

/// A median of 3 ms where all took 2 ms each.
TEST(Rates, TheWholeIsNeverFasterThanTheKernel) {
  const auto rates = rates_of({6e6, 3.0}, {60e6, 20.0});
  EXPECT_DOUBLE_EQ(rates.whole, 3.0);
  EXPECT_DOUBLE_EQ(rates.kernel, 3.0);
}

TEST(Rates, AreZeroWithoutATime) {
  const auto rates = rates_of({0.0, 0.0}, {60e6, 20.0});
  EXPECT_EQ(rates.kernel, 0.0);
  EXPECT_DOUBLE_EQ(rates.whole, 3.0);
  EXPECT_EQ(giga_per_second(1.0, 0.0), 0.0);
}

}  // namespace
}  // namespace orrery::lab
