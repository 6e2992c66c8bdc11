#include "sim/scene/physical_units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/galaxies/model.h"
#include "sim/scene/unit_systems.h"

namespace orrery::sim {
namespace {

const PhysicalUnits in_kpc{.length = length_unit("kpc"), .time = time_unit("Myr")};
const PhysicalUnits in_au{.length = length_unit("AU"), .time = time_unit("yr")};

/// The number that a text begins with, blanks between its digits left out, and the unit behind it.
std::pair<double, std::string> read(const std::string& text) {
  const auto end = text.find_first_not_of("0123456789.e- ");
  std::string number = text.substr(0, end);
  std::erase(number, ' ');
  return {std::stod(number), text.substr(end)};
}

TEST(PhysicalUnits, LengthsAreRoundAndHaveTheUnitOfTheirSize) {
  EXPECT_EQ(round_length(7.3, in_kpc).text, "5 kpc");
  EXPECT_EQ(round_length(1.0, in_kpc).text, "1 kpc") << "what is round stays";
  EXPECT_EQ(round_length(0.999, in_kpc).text, "500 pc");
  EXPECT_EQ(round_length(2100.0, in_kpc).text, "2 Mpc");
  EXPECT_EQ(round_length(0.003, in_au).text, "200 000 km");
  EXPECT_EQ(round_length(0.03, in_au).text, "0.02 AU");
  EXPECT_EQ(round_length(9e5, in_au).text, "2 pc");
  EXPECT_EQ(round_length(0.7, {}).text, "0.5 length units");
  EXPECT_EQ(round_length(1.9, {}).text, "1 length unit");
  EXPECT_EQ(round_length(3e-9, {}).text, "2e-9 length units");
}

TEST(PhysicalUnits, TheTextIsTheLength) {
  for (const auto& units : {in_kpc, in_au, PhysicalUnits{}}) {
    for (double longest = 1.3e-7; longest < 1e9; longest *= 1.37) {
      const auto round = round_length(longest, units);
      const auto [number, unit] = read(round.text);
      const double one = unit.starts_with("length") ? 1.0 : length_unit(unit) / units.length;
      EXPECT_NEAR(number * one, round.length, 1e-9 * round.length) << round.text;
      EXPECT_LE(round.length, longest * (1 + 1e-9));
      EXPECT_GT(round.length, 0.19 * longest) << round.text;
      const double digit = number / std::pow(10.0, std::floor(std::log10(number) + 1e-9));
      EXPECT_TRUE(std::abs(digit - 1) < 1e-9 || std::abs(digit - 2) < 1e-9 || std::abs(digit - 5) < 1e-9)
          << round.text;
    }
  }
}

TEST(PhysicalUnits, TimesHaveThreeDigits) {
  EXPECT_EQ(time_text(1250.0, in_kpc), "t = 1.25 Gyr");
  EXPECT_EQ(time_text(123.4, in_kpc), "t = 123 Myr");
  EXPECT_EQ(time_text(-12.34, in_kpc), "t = -12.3 Myr");
  EXPECT_EQ(time_text(0.5, in_au), "t = 183 d");
  EXPECT_EQ(time_text(0.0, in_au), "t = 0");
  EXPECT_EQ(time_text(12.5, {}), "time 12.5");
  EXPECT_EQ(time_text(9.996, in_kpc), "t = 10.0 Myr") << "no fourth digit where it is rounded up";
}

TEST(PhysicalUnits, VelocitiesAreInKilometresASecond) {
  EXPECT_TRUE(velocity_measure({.length = 1.0}).name.empty());
  // The Earth's: 2 pi AU a year.
  EXPECT_NEAR(2.0 * 3.14159265 * velocity_measure(in_au).factor, 29.785, 0.01);
}

/// The note of the disk says 268 km/s.
TEST(PhysicalUnits, BuiltInScenesStateThem) {
  const auto disk = make_galaxy("disk", {.bodies = 256, .seed = 1});
  EXPECT_NEAR(velocity_measure(disk.units).factor, 268.0, 0.5);
  EXPECT_EQ(round_length(1.0, disk.units).text, "2 kpc") << "a length of 1 is 3 kpc";
  const auto earth = make_galaxy("sun-earth", {});
  // Time is in years / 2 pi.
  EXPECT_EQ(time_text(4.0 * 3.14159265358979, earth.units), "t = 2.00 yr");
  EXPECT_EQ(make_galaxy("plummer", {.bodies = 16, .seed = 1}).units, PhysicalUnits{});
}

TEST(PhysicalUnits, ScalingKeepsWhatIsMeant) {
  auto scene = make_galaxy("sun-earth", {});
  scene.time = 10.0;
  const auto before = scene;
  scale_units(scene, {.length = 4.0, .velocity = 0.5});
  EXPECT_NEAR(scene.units.length * scene.bodies.position[1].x,
              before.units.length * before.bodies.position[1].x, 1e4);
  EXPECT_EQ(time_text(scene.time, scene.units), time_text(before.time, before.units));
}

}  // namespace
}  // namespace orrery::sim
