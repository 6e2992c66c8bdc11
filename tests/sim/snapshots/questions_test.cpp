#include "sim/snapshots/column_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "sim/core/letters.h"
#include "sim/snapshots/reader_process.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

/// Tables that say what their columns are, that leave no doubt, or that are asked about. None is read wrong.
class Questions : public SnapshotTest {
 protected:
  /// What is asked about the table. Fails the test where nothing is.
  ColumnQuestion question(std::string_view text) const {
    try {
      const auto scene = read_text(text);
      ADD_FAILURE() << text << " was read as " << scene.source;
    } catch (const UnclearColumns& unclear) {
      EXPECT_TRUE(is_one_short_line(unclear.what())) << unclear.what();
      return unclear.question();
    }
    return {};
  }
  std::string first_proposal(std::string_view text) const {
    const auto asked = question(text);
    return asked.proposals.empty() ? "nothing" : asked.proposals.front().columns;
  }
  /// How the table is read, or the proposals.
  std::vector<std::string> readings(std::string_view text) const {
    try {
      auto source = read_text(text).source;
      const auto taken = source.find("taken as ");
      if (taken == std::string::npos) return {source};
      source = source.substr(taken + 9);
      std::ranges::replace(source, ' ', ',');
      return {source};
    } catch (const UnclearColumns& unclear) {
      std::vector<std::string> all;
      for (const auto& each : unclear.question().proposals) all.push_back(each.columns);
      return all;
    }
  }
};

float total_mass(const Scene& scene) {
  return std::accumulate(scene.bodies.mass.begin(), scene.bodies.mass.end(), 0.0F);
}

constexpr std::string_view star_and_planets =
    "3\n1.1e11 0 0 3.4e4 1.7 4.8e24 Dione\n1.6e11 0 0 2.8e4 0 6.1e24 Rhea\n0 0 0 0 0 2.1e30 Helios\n";

TEST_F(Questions, AMassIsNoVelocity) {
  const auto asked = question(star_and_planets);
  ASSERT_FALSE(asked.proposals.empty());
  EXPECT_EQ(asked.proposals.front().columns, "x,y,vx,vy,-,mass,name");
  EXPECT_EQ(asked.proposals.front().gives, "mass 2.1e+30, within 1.6e+11");
  ASSERT_EQ(asked.rows.size(), 3U);
  EXPECT_EQ(asked.rows[1], (std::vector<std::string>{"1.6e11", "0", "0", "2.8e4", "0", "6.1e24", "Rhea"}));
  const auto scene = read_text(star_and_planets, {.columns = asked.proposals.front().columns});
  EXPECT_EQ(scene.bodies.mass[2], 2.1e30F);
  EXPECT_EQ(scene.names[1], "Rhea");
}

TEST_F(Questions, ShowTheRowsUnderTheNumbersOfTheirColumns) {
  const auto text = text_of(question(star_and_planets));
  EXPECT_EQ(text.substr(0, text.find("  --")),
            "       1 2 3     4   5      6      7\n"
            "  1.1e11 0 0 3.4e4 1.7 4.8e24  Dione\n"
            "  1.6e11 0 0 2.8e4   0 6.1e24   Rhea\n"
            "       0 0 0     0   0 2.1e30 Helios\n");
  EXPECT_NE(text.find("\n  --columns x,y,vx,vy,-,mass,name  mass 2.1e+30, within 1.6e+11"),
            std::string::npos);
}

TEST_F(Questions, ComeFromTheReadersProcess) {
  const auto path = save("table.txt", star_and_planets);
  try {
    read_snapshot_apart(path);
    FAIL();
  } catch (const UnclearColumns& unclear) {
    EXPECT_EQ(text_of(unclear.question()), text_of(question(star_and_planets)));
  }
}

TEST_F(Questions, ColumnsOfWordsStandInNoNumbersPlace) {
  EXPECT_EQ(first_proposal("# one star\nStar 25 yellow 2.1E30 0 0 0 0\nWorld 4 blue 6.1E24 1.6E11 0 0 2.9E4\n"
                           "World 3 grey 5.2E23 2.4E11 0 0 2.3E4\n"),
            "name,-,-,mass,x,y,vx,vy");
}

TEST_F(Questions, BodiesWithNamesHaveNoIds) {
  std::string text;
  std::mt19937 random(5);
  for (int i = 0; i < 120; ++i)
    text += fmt::format("b{:x}, {}, {},{},{},{},{},{}\n", 97 * i, random() % 10000000,
                        int(random() % 1600) - 800, int(random() % 1600) - 800, int(random() % 1600) - 800,
                        int(random() % 80) - 40, int(random() % 80) - 40, int(random() % 80) - 40);
  const auto scene = read_text(text);
  EXPECT_TRUE(has_note(scene, "taken as name mass x y z vx vy vz, the one layout that fits"));
  EXPECT_GT(total_mass(scene), 1e6F);
}

TEST_F(Questions, ZerosAreNoMasses) {
  EXPECT_EQ(first_proposal("8 4\n-41.7 -9.0 0 0\n40.1 51.0 0 0\n-27.8 -25.0 0 0\n110.2 -22.3 0 0\n"),
            "x,y,vx,vy");
}

TEST_F(Questions, SettingsBeforeTheRowsAreLeftOut) {
  const std::string text =
      "Little_System\n9000 9000 9000\n250000\n1\n1\n3\nSol 2000.00 28 0 0 0 0 0 0\nUno 0.001 0.35 41.6 0 0 0 "
      "6.9 "
      "0\nDos 0.04 0.86 77.7 0 0 0 5.1 0\n";
  EXPECT_EQ(first_proposal(text), "name,mass,-,x,y,z,vx,vy,vz");
  const auto scene = read_text(text, {.columns = "name,mass,-,x,y,z,vx,vy,vz"});
  ASSERT_EQ(scene.bodies.size(), 3U);
  EXPECT_EQ(scene.bodies.position[2].x, 77.7F);
  EXPECT_TRUE(has_note(scene, "left out: Little_System"));
}

TEST_F(Questions, ARowThatIsCutShortIsNoSetting) {
  EXPECT_NE(text_refusal("1 -2 3\n1 2\n2 -2 3\n3 2 -3\n").find("line 2: 2 fields where 3"),
            std::string::npos);
}

TEST_F(Questions, HeadersOfOtherProgramsAreKnown) {
  const auto paraview = read_text(
      "\"mass\",\"velocity:0\",\"velocity:1\",\"velocity:2\",\"Points:0\",\"Points:1\",\"Points:2\"\n"
      "2,4,5,-6,1,-2,3\n3,1,1,1,1,1,1\n");
  EXPECT_EQ(paraview.bodies.position[0], (Vec3{1, -2, 3}));
  EXPECT_EQ(paraview.bodies.velocity[0], (Vec3{4, 5, -6}));
  EXPECT_TRUE(has_note(paraview, "velocity:0 as vx"));
  const auto spelled = read_text(
      "Name,Mass (kg),Radius (km),X Position (km),Y Position (km),Z Position (km),X Velocity (km/s),Y "
      "Velocity "
      "(km/s),Z Velocity "
      "(km/s)\nMoonlet,7e22,1700,-3.1e5,1.2e4,0,0.03,-1.02,0\nPlanet,6e24,6300,0,0,0,0,0,0\n");
  EXPECT_EQ(spelled.bodies.mass[1], 6e24F);
  EXPECT_TRUE(has_note(spelled, "columns ignored: Radius (km)"));
  EXPECT_EQ(read_text("xp,yp,zp,xv,yv,zv\n1,1,1,4,5,-6\n").bodies.velocity.size(), 1U);
}

TEST_F(Questions, ADayIsATime) {
  for (const std::string name : {"Day", "year", "JD", "mjd", "epoch", "t [d]"}) {
    const auto scene =
        read_text(name + ",X,Y,Z,VX,VY,VZ\n1,1,0,0,0,0.1,0\n2,0.9,0.1,0,0,0.1,0\n3,0.8,0.2,0,0,0.1,0\n");
    EXPECT_EQ(scene.bodies.size(), 1U) << name;
    EXPECT_EQ(scene.snapshots, 3U) << name;
  }
}

TEST_F(Questions, TimesIdsAndKindsAreNoMasses) {
  std::string orbit, gaia, kinds, softened;
  std::mt19937 random(3);
  const auto any = [&random] { return 1e-9 * static_cast<double>(random()) - 2.0; };
  for (int i = 0; i < 40; ++i) {
    orbit += fmt::format("{} {} {} {} {} {} {}\n", 0.05 * i, std::cos(0.05 * i), std::sin(0.05 * i),
                         0.01 * any(), -std::sin(0.05 * i), std::cos(0.05 * i), 0.01 * any());
    const auto vectors = fmt::format("{} {} {} {} {} {}", any(), any(), any(), any(), any(), any());
    gaia += fmt::format("{} {}\n", 3329244872536880000 + random(), vectors);
    kinds += fmt::format("{} {}\n", vectors, i % 3);
    softened += fmt::format("{} {} {} {} 0.05\n", 3.0 + any(), any(), any(), any());
  }
  EXPECT_EQ(first_proposal(orbit), "time,x,y,z,vx,vy,vz");
  EXPECT_EQ(first_proposal(gaia), "-,x,y,z,vx,vy,vz");
  EXPECT_EQ(first_proposal(kinds), "x,y,z,vx,vy,vz,-");
  EXPECT_EQ(first_proposal(softened), "mass,x,y,z,-");
  std::ranges::replace(softened, ' ', ',');
  EXPECT_EQ(first_proposal(softened), "mass,x,y,z,-") << "no COM4521";
}

TEST_F(Questions, NumberedNamesInCommentsAreNames) {
  const auto scene = read_text("# 1:vx 2:vy 3:vz 4:x 5:y 6:z 7:mass\n4 5 -6 1 -2 3 2\n");
  EXPECT_EQ(scene.bodies.position[0], (Vec3{1, -2, 3}));
  EXPECT_EQ(scene.bodies.velocity[0], (Vec3{4, 5, -6}));
}

TEST_F(Questions, NamesWithUnitsAreRead) {
  const auto scene =
      read_text("x_pc,y_pc,z_pc,vx_ms,vy_ms,vz_ms,Mstar_msun\n1,-2,3,4,5,-6,2\n1,2,3,4,5,6,7\n");
  EXPECT_EQ(scene.bodies.velocity[0], (Vec3{4, 5, -6}));
  EXPECT_EQ(scene.bodies.mass[0], 2.0F);
  EXPECT_TRUE(has_note(scene, "units of the file: "));
  EXPECT_EQ(read_text("x,y,z,Mstar,mass\n1,2,3,4,5\n").bodies.mass[0], 5.0F);
}

TEST_F(Questions, NamesThatMayBeVelocitiesAreAskedAbout) {
  for (const std::string names : {"px,py,pz", "vx_lsr,vy_lsr,vz_lsr", "vx_furlong,vy,vz"}) {
    const auto asked = question("mass,x,y,z," + names + "\n2,1,-2,3,4,5,-6\n2,1,2,3,4,5,6\n");
    ASSERT_EQ(asked.proposals.size(), 2U) << names;
    EXPECT_EQ(asked.proposals[0].columns, "mass,x,y,z,vx,vy,vz");
    EXPECT_EQ(asked.proposals[1].columns, "mass,x,y,z,-,-,-");
  }
  EXPECT_EQ(read_text("px,py,pz,vx,vy,vz\n1,-2,3,4,5,-6\n").bodies.velocity[0], (Vec3{4, 5, -6}));
}

TEST_F(Questions, VelocitiesBeforeOrBetweenPlacesAreAskedAbout) {
  std::string between, before, usual;
  std::mt19937 random(7);
  const auto any = [&random](double size) {
    return size * (static_cast<double>(random()) / 2147483648.0 - 1.0);
  };
  for (int i = 1; i <= 9; ++i) {
    between += fmt::format("{} {} {} {} {} {}\n", any(8), any(200), any(8), any(200), any(8), any(200));
    const double r = 0.4 * std::pow(1.7, i), v = 0.0172 / std::sqrt(r), angle = 2.4 * i;
    const auto place = fmt::format("{} {} {}", r * std::cos(angle), r * std::sin(angle), any(0.3 * r));
    const auto velocity = fmt::format("{} {} {}", -v * std::sin(angle), v * std::cos(angle), any(0.3 * v));
    const double mass = std::pow(10.0, any(2.0) - 6.0);
    before += fmt::format("{} {} {}\n", velocity, place, mass);
    usual += fmt::format("{} {} {}\n", place, velocity, mass);
  }
  EXPECT_EQ(first_proposal(between), "x,vx,y,vy,z,vz");
  EXPECT_EQ(first_proposal(before), "vx,vy,vz,x,y,z,mass");
  EXPECT_EQ(readings(usual), (std::vector<std::string>{"x,y,z,vx,vy,vz,mass"}));
}

TEST_F(Questions, EmptyColumnsAreNoNames) {
  const auto scene = read_text("nan,2,1,-2,3,4,5,-6\n,2,2,2,-3,4,-5,6\n");
  EXPECT_TRUE(scene.names.empty());
  EXPECT_EQ(scene.bodies.mass[0], 2.0F);
}

TEST_F(Questions, MissingMassesAreCounted) {
  const auto scene = read_text(
      "\"id\",\"name\",\"x\",\"y\",\"z\",\"mass\"\n\"1\",\"p\",\"-6.8\",\"-17.3\",\"-46.4\",\"0.2\"\n"
      "\"2\",\"q\",\"27.4\",\"35.4\",\"22.3\",\"\"\n\"3\",\"r\",\"5.2\",\"31.7\",\"-38.3\",\"nan\"\n");
  EXPECT_EQ(scene.bodies.mass, (std::vector{0.2F, 0.0F, 0.0F}));
  EXPECT_TRUE(has_note(scene, "2 bodies without mass: 0 was taken"));
}

TEST_F(Questions, MessagesQuoteWhereTheTroubleBegins) {
  EXPECT_NE(
      text_refusal("planet;position;mass\nsun;POINTZ(0 0 0);39.4\njove;POINTZ(4 -1 0);0.03\n").find("line 1"),
      std::string::npos);
  EXPECT_NE(text_refusal("version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 2376472\n")
                .find("git lfs"),
            std::string::npos);
}

TEST_F(Questions, DistancesThatContradictParallaxesAreRefused) {
  const std::string head = "ra,dec,parallax,d\n";
  EXPECT_NE(text_refusal(head + "57.3,24.3,7.57,41.9\n54.0,23.1,7.54,16.8\n").find("other distances"),
            std::string::npos);
  EXPECT_EQ(read_text(head + "57.3,24.3,7.57,0.132\n54.0,23.1,7.54,0.133\n").bodies.size(), 2U);
}

/// Places and velocities of a Plummer sphere: of like sizes.
std::vector<std::array<double, 6>> sphere(std::size_t count) {
  std::mt19937 random(17);
  const auto uniform = [&random] { return (static_cast<double>(random()) + 0.5) / 4294967296.0; };
  const auto take_direction = [&](double* to, double length) {
    const double z = 2.0 * uniform() - 1.0, ring = std::sqrt(1.0 - z * z), angle = 6.2831853 * uniform();
    to[0] = length * ring * std::cos(angle), to[1] = length * ring * std::sin(angle), to[2] = length * z;
  };
  std::vector<std::array<double, 6>> bodies(count);
  for (auto& body : bodies) {
    const double r = 1.0 / std::sqrt(std::pow(uniform(), -2.0 / 3.0) - 1.0);
    double q = uniform();
    while (0.1 * uniform() > q * q * std::pow(1.0 - q * q, 3.5)) q = uniform();
    take_direction(body.data(), r);
    take_direction(body.data() + 3, q * std::sqrt(2.0) * std::pow(1.0 + r * r, -0.25));
  }
  return bodies;
}

/// The numbers of the bodies in such an order, with `more(body)` at the end of each row.
template <typename More>
std::string rows_of(const std::vector<std::array<double, 6>>& bodies, const std::array<std::size_t, 6>& order,
                    const More& more) {
  std::string text;
  for (const auto& body : bodies) {
    for (const auto k : order) text += fmt::format("{:.6g} ", body.at(k));
    text += fmt::format("{}\n", more(body));
  }
  return text;
}
constexpr std::array<std::size_t, 6> usual_order{0, 1, 2, 3, 4, 5};
std::string nothing(const std::array<double, 6>& /*body*/) { return ""; }

TEST_F(Questions, TurnedAndInterleavedColumnsOfLikeSizesAreAskedAbout) {
  const auto bodies = sphere(200);
  const auto with_mass = [](const auto& /*body*/) { return "0.005"; };
  EXPECT_EQ(readings(rows_of(bodies, usual_order, nothing)), (std::vector<std::string>{"x,y,z,vx,vy,vz"}));
  EXPECT_EQ(readings(rows_of(bodies, usual_order, with_mass)),
            (std::vector<std::string>{"x,y,z,vx,vy,vz,mass"}));
  EXPECT_EQ(first_proposal(rows_of(bodies, {0, 3, 1, 4, 2, 5}, nothing)), "x,vx,y,vy,z,vz");
  EXPECT_EQ(first_proposal(rows_of(bodies, {0, 3, 1, 4, 2, 5}, with_mass)), "x,vx,y,vy,z,vz,mass");
  EXPECT_EQ(first_proposal(rows_of(bodies, {3, 4, 5, 0, 1, 2}, nothing)), "vx,vy,vz,x,y,z");
  EXPECT_EQ(first_proposal(rows_of(bodies, {3, 4, 5, 0, 1, 2}, with_mass)), "vx,vy,vz,x,y,z,mass");
  EXPECT_EQ(first_proposal(rows_of(sphere(30), {3, 4, 5, 0, 1, 2}, nothing)), "vx,vy,vz,x,y,z");
  EXPECT_EQ(readings(rows_of(sphere(30), usual_order, nothing)),
            (std::vector<std::string>{"x,y,z,vx,vy,vz"}));
}

TEST_F(Questions, BodiesAtRestLeaveNoDoubt) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (const double share_that_moves : {0.0, 0.1, 0.3})
    for (const double flattening : {0.5, 0.8, 1.3}) {
      std::string text;
      for (int i = 0; i < 200; ++i) {
        const double speed = i < 200 * share_that_moves ? 0.2 : 0.0;
        text += fmt::format("{:.6g} {:.6g} {:.6g} {:.6g} {:.6g} {:.6g}\n", normal(random),
                            flattening * normal(random), normal(random), speed * normal(random),
                            speed * normal(random), speed * normal(random));
      }
      EXPECT_EQ(readings(text), std::vector<std::string>{"x,y,z,vx,vy,vz"})
          << share_that_moves << " of the bodies move, flattening " << flattening;
    }
}

TEST_F(Questions, DensitiesAndSmoothingLengthsAreNoMasses) {
  std::mt19937 random(2);
  const auto about_1 = [&random] { return 0.8 + 0.4 * static_cast<double>(random()) / 4294967296.0; };
  const auto at = [](const auto& body) {
    return 1.0 + body[0] * body[0] + body[1] * body[1] + body[2] * body[2];
  };
  const auto bodies = sphere(100);
  const auto density = [&](const auto& body) {
    return fmt::format("{:.6g}", about_1() * std::pow(at(body), -2.5));
  };
  const auto length = [&](const auto& body) { return fmt::format("{:.6g}", 0.1 * about_1() * at(body)); };
  const auto mass = [&](const auto& /*body*/) { return fmt::format("{:.6g}", 0.01 * about_1()); };
  EXPECT_EQ(first_proposal(rows_of(bodies, usual_order, density)), "x,y,z,vx,vy,vz,-");
  EXPECT_EQ(first_proposal(rows_of(bodies, usual_order, length)), "x,y,z,vx,vy,vz,-");
  EXPECT_EQ(readings(rows_of(bodies, usual_order, mass)), (std::vector<std::string>{"x,y,z,vx,vy,vz,mass"}));
}

TEST_F(Questions, DirectionsWithoutNamesAreAskedAbout) {
  std::string three, six;
  std::mt19937 random(4);
  for (int i = 0; i < 20; ++i) {
    const double ra = 0.36 * static_cast<double>(random() % 1000),
                 dec = 0.1 * static_cast<double>(random() % 1200) - 60.0;
    three += fmt::format("{:.3f} {:.3f} {:.3f}\n", ra, dec, 1.0 + 0.1 * i);
    six +=
        fmt::format("{:.3f} {:.3f} {:.3f} {} {} {}\n", ra, dec, 1.0 + 0.1 * i, i % 7 - 3, i % 5 - 2, i - 9);
  }
  for (const auto& text : {three, six})
    EXPECT_NE(text_refusal(text).find("ra dec distance"), std::string::npos) << text_refusal(text);
  EXPECT_EQ(read_text("ra dec distance\n" + three).bodies.size(), 20U);
}

TEST_F(Questions, NumbersInALineBeforeTheRowsAreNoRow) {
  const auto rows = rows_of(sphere(12), usual_order, [](const auto& /*body*/) { return "0.1"; });
  for (const std::string line : {"12 0.5 0.001", "12 0.5 0.001 3"}) {
    const auto scene = read_text(line + "\n" + rows);
    EXPECT_EQ(scene.bodies.size(), 12U);
    EXPECT_TRUE(has_note(scene, "left out: " + line));
  }
}

TEST_F(Questions, ATimeMayStandBeforeTheNumberOfBodies) {
  const auto rows = rows_of(sphere(12), usual_order, [](const auto& /*body*/) { return "0.1"; });
  for (const std::string line : {"0.5 12", "0.5\n12", "12 0.5", "12\n0.5"}) {
    const auto scene = read_text(line + "\n" + rows);
    EXPECT_EQ(scene.bodies.size(), 12U) << line;
    EXPECT_EQ(scene.time, 0.5) << line;
  }
  EXPECT_EQ(read_text("5 12\n" + rows).time, 5.0);
  EXPECT_EQ(read_text("0 12\n" + rows).bodies.size(), 12U);
}

TEST_F(Questions, TablesWhoseColumnsAreBodiesAreRefusedOrAskedAbout) {
  EXPECT_NE(text_refusal("mass 1 2 3\nx 1 -2 3\ny 4 5 -6\n").find("write one body a line"),
            std::string::npos);
  std::string text;
  std::mt19937 random(3);
  for (const double size : {6e24, 1e11, 1e11, 1e10, 3e4, 3e4, 3e3})
    for (int i = 0; i < 7; ++i) {
      const double number = size * (0.3 + static_cast<double>(random()) / 4294967296.0);
      text += fmt::format("{:.6g}{}", i % 3 == 1 && size < 1e20 ? -number : number, i < 6 ? " " : "\n");
    }
  EXPECT_FALSE(text_refusal(text).empty());
}

TEST_F(Questions, TwoPlacesInARowAreRefused) {
  EXPECT_NE(text_refusal("x1 y1 x2 y2\n1 2 3 4\n-1 2 -3 5\n3 -2 5 -4\n").find("line 1"), std::string::npos);
}

/// Tables that nobody made the rules for: columns of a sphere with equal or random masses, sizes, kinds, ids
/// and names, in orders that programs write.
TEST_F(Questions, TablesOfAllKindsAreReadRightOrAskedAbout) {
  constexpr std::array layouts{"x,y,z,mass,-",
                               "id,mass,x,y,z,vx,vy,vz,-",
                               "mass,-,x,y,z,vx,vy,vz",
                               "name,x,y,z,vx,vy,vz,mass",
                               "name,mass,-,x,y,vx,vy",
                               "x,y,vx,vy",
                               "x,y,z,vx,vy,vz,mass,-",
                               "id,x,y,z",
                               "x,y,vx,vy,mass",
                               "mass,x,y,vx,vy",
                               "id,x,y,vx,vy,mass",
                               "x,y,z,vx,vy,vz",
                               "x,y,z,vx,vy,vz,-",
                               "id,x,y,z,vx,vy,vz,mass",
                               "x,y,z,mass,vx,vy,vz",
                               "id,mass,x,y,z",
                               "mass,x,y,z",
                               "x,y,z,mass",
                               "mass,x,y,z,vx,vy,vz",
                               "-,mass,x,y,z,vx,vy,vz"};
  std::mt19937 random(11);
  const auto uniform = [&random] { return static_cast<double>(random()) / 4294967296.0; };
  for (const std::string layout : layouts)
    for (const double size : {1.0, 3e-3, 1e11})
      for (const double mass : {0.0, 1.0, 1e30})
        for (const std::size_t rows : {3U, 40U}) {
          std::string text;
          for (std::size_t i = 0; i < rows; ++i) {
            for (const auto column : split_text(layout, ',')) {
              const double speed = 0.3 * size * (uniform() - 0.5), place = size * (uniform() - 0.5);
              text += column == "id"     ? fmt::format("{} ", i + 1)
                      : column == "name" ? fmt::format("b{:x} ", 7 * i + 1)
                      : column == "mass"
                          ? fmt::format("{:.6g} ", mass == 0.0 ? 0.025 : mass * (0.5 + uniform()))
                      : column == "-"    ? fmt::format("{:.6g} ", 0.01 * size * (1.0 + uniform()))
                      : column[0] == 'v' ? fmt::format("{:.6g} ", speed)
                                         : fmt::format("{:.6g} ", place);
            }
            text += '\n';
          }
          SCOPED_TRACE(layout + "\n" + text.substr(0, 400));
          auto found = readings(text);
          if (layout.starts_with("-,") && found.front().starts_with("id,")) found.front().replace(0, 2, "-");
          // An id that is none does no harm. A size that stands where masses do looks like one: nothing
          // tells.
          const bool size_first = layout == "x,y,z,vx,vy,vz,-";
          EXPECT_TRUE(found.size() != 1 || size_first || found.front() == layout) << found.front();
        }
}

}  // namespace
}  // namespace orrery::sim
