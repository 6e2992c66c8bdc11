
#include <fmt/format.h>

#include <clocale>
#include <limits>
#include <locale>
#include <numeric>

#include "sim/core/error.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

using Csv = SnapshotTest;
using Com4521 = SnapshotTest;

/// The body that the tables below hold first: mass 2, position (1, -2, 3), velocity (4, 5, -6).
void expect_first_body(const Scene& scene) {
  ASSERT_GE(scene.bodies.size(), 1U);
  EXPECT_EQ(scene.bodies.mass[0], 2.0F);
  EXPECT_EQ(scene.bodies.position[0], (Vec3{1, -2, 3}));
  EXPECT_EQ(scene.bodies.velocity[0], (Vec3{4, 5, -6}));
}

TEST_F(Csv, SeparatorsAndHeaderNames) {
  for (const auto* const text :
       {"mass,x,y,z,vx,vy,vz\n2,1,-2,3,4,5,-6\n", "M;PX;PY;PZ;VelX;VelY;VelZ\r\n2;1;-2;3;4;5;-6\r\n",
        "m\tpos_x\tpos_y\tpos_z\tvel_x\tvel_y\tvel_z\n2\t1\t-2\t3\t4\t5\t-6",
        "\"x [kpc]\",\"y (kpc)\",z,vx,vy,vz,mass\n1, -2 ,3,4,5,-6,2,\n",
        "\xef\xbb\xbfx,y,z,vx,vy,vz,mass\n1,-2,3,4,5,-6,2",
        "# a table\n\n  x y z u v w m\n 1 -2 3 4 5 -6 2 # first\n", "#x y z vx vy vz mass\n1 -2 3 4 5 -6 2\n",
        "% x,y,z,vx,vy,vz,mass\n+1,-2.0D+00,3d0,.4e1,5,-6,2\n", "// m x y z vx vy vz\n2 1 -2 3 4 5 -6\n",
        "name,mass,radius,pos_x,pos_y,pos_z,vel_x,vel_y,vel_z\nSun,2,9,1,-2,3,4,5,-6\n",
        "type,id,x,y,z,vx,vy,vz,mass,softening,potential\n0,5,1,-2,3,4,5,-6,2,.1,-3\n"}) {
    SCOPED_TRACE(text);
    expect_first_body(read_text(text));
  }
}

TEST_F(Csv, LayoutsWithoutHeader) {
  for (const auto* const text :
       {"2 1 -2 3 4 5 -6\n2 1 2 3 4 5 6\n", "1 -2 3 4 5 -6 2\n-5 2 -3 4 -5 6 2\n",
        "2,1,-2,3,4,5,-6\n2,1,2,3,4,5,6,\n", "-1 2 1 -2 3 4 5 -6\n-1 3 1 2 3 4 5 6\n\n",
        "1 2 1 -2 3 4 5 -6\n2 3 1 2 3 4 5 6\n", "2 1 -2 3 4 5 -6 0\n2.5 1 2 3 4 5 6 1\n",
        "0\n0002\n1.5\n0001 2 1 -2 3 4 5 -6\n0002 2 0 0 0 0 0 0\n", "2 1.5\n2 1 -2 3 4 5 -6\n2 1 2 3 4 5 6\n",
        "2\n1.5\n7 2 1 -2 3 4 5 -6\n8 2 1 2 3 4 5 6\n",
        "1.5\n1\n7 2 1 -2 3 4 5 -6 -1 0 0\n\n1.6\n1\n7 2 1 -2 3 4 5 -6 -1 0 0\n"}) {
    SCOPED_TRACE(text);
    const Scene scene = read_text(text);
    expect_first_body(scene);
    EXPECT_TRUE(has_note(scene, "without names were taken as"));
  }
}

TEST_F(Csv, LayoutOfStepCountAndTimeGivesTime) {
  const Scene scene = read_text("0\n1\n1.5\n17 2 1 -2 3 4 5 -6\n");
  EXPECT_EQ(scene.time, 1.5);
  EXPECT_EQ(scene.bodies.id[0], 17U);
}

TEST_F(Csv, PlanarTableWithColors) {
  const Scene scene = read_text("2\n100.0\n1 -2 4 5 2 255 0 10\n1 2 3 4 5 6 7 8\n");
  EXPECT_EQ(scene.bodies.position[0], (Vec3{1, -2, 0}));
  EXPECT_EQ(scene.bodies.velocity[0], (Vec3{4, 5, 0}));
  EXPECT_EQ(scene.bodies.mass[0], 2.0F);
  EXPECT_EQ(scene.time, 0.0);
}

TEST_F(Csv, MissingMassesAndVelocitiesAreSaid) {
  const Scene scene = read_text("x,y,z\n1,2,3\n4,5,6\n7,8,9\n1,1,1\n");
  EXPECT_EQ(scene.bodies.mass[3], 0.25F);
  EXPECT_FALSE(scene.has_velocities);
  EXPECT_TRUE(has_note(scene, "1/N"));
  EXPECT_TRUE(has_note(scene, "at rest"));
}

TEST_F(Csv, LabelColumnIsIgnoredWithANote) {
  EXPECT_TRUE(has_note(read_text("2.5 1 2 3 4 5 6 0\n1 1 2 3 4 5 7 1\n"), "ignored"));
}

TEST_F(Csv, ColumnsOfTheUserOverride) {
  ReadOptions options;
  options.columns = "-,x,y,z,vx,vy,vz,mass";
  expect_first_body(read_text("9 1 -2 3 4 5 -6 2\n", options));
  expect_first_body(read_text("a,b,c,d,e,f,g,h\n9,1,-2,3,4,5,-6,2\n", options));
  options.columns = "x,y,vx,vy,mass";
  EXPECT_EQ(read_text("1,2,3,4,5\n", options).bodies.mass[0], 5.0F);
  options.columns = "x,speed";
  EXPECT_THROW(read_text("1,2\n", options), UsageError);
  options.columns = "mass,vx";
  EXPECT_THROW(read_text("1,2\n", options), UsageError);
}

TEST_F(Csv, AColumnOfZerosIsNoMassWhileTheOtherEndIsPositive) {
  const auto masses = [this](const char* text) { return read_text(text).bodies.mass; };
  EXPECT_EQ(masses("1 1 0 0 0 1 0\n"), (std::vector{1.0F}));
  EXPECT_EQ(masses("1 1 0 0 0 1 0\n2 -1 0 0 0 -1 0\n"), (std::vector{1.0F, 2.0F}));
  EXPECT_EQ(masses("0 1 0 0 -1 0 3\n0 -1 0 0 1 0 4\n"), (std::vector{3.0F, 4.0F}));
  // Test particles among the masses are no reason to take the zeros.
  EXPECT_EQ(masses("5 1 0 0 0 1 0\n0 -1 0 0 0 -1 0\n2 0 1 0 0 0 0\n"), (std::vector{5.0F, 0.0F, 2.0F}));
}

TEST_F(Csv, NumbersThatCountUpAreIds) {
  for (const auto* const text :
       {"1 1 -2 3 4 5 -6\n2 1 2 3 4 5 6\n3 0 0 0 0 0 0\n", "1 1 -2 3 4 5 0\n2 1 2 3 4 5 0\n3 0 0 0 0 0 0\n",
        "1,1,-2,3\n2,1,2,3\n3,0,1,-1\n"}) {
    SCOPED_TRACE(text);
    const Scene scene = read_text(text);
    EXPECT_EQ(scene.bodies.id, (std::vector<std::uint64_t>{1, 2, 3}));
    EXPECT_EQ(scene.bodies.position[0], (Vec3{1, -2, 3}));
    EXPECT_EQ(scene.bodies.mass[2], 1.0F / 3.0F);
    EXPECT_TRUE(has_note(scene, "taken as id x y z"));
    EXPECT_TRUE(has_note(scene, "1/N"));
  }
  EXPECT_EQ(read_text("0 1 2 3 4 5 -6\n1 0 0 0 0 0 1\n2 1 1 1 1 1 1\n").bodies.id,
            (std::vector<std::uint64_t>{0, 1, 2}));
}

TEST_F(Csv, MassesThatCountAndPlacesThatCountAreNoIds) {
  // Of two rows numbers are no ids; 2, 3, 4 may be ids or masses.
  EXPECT_EQ(read_text("1 1 -2 3 4 5 -6\n2 1 2 3 4 5 6\n").bodies.mass, (std::vector{1.0F, 2.0F}));
  EXPECT_EQ(read_text("2 1 -2 3 4 5 -6\n4 1 2 3 4 5 6\n3 0 0 0 0 0 1\n").bodies.mass,
            (std::vector{2.0F, 4.0F, 3.0F}));
  EXPECT_NE(text_refusal("2 1 -2 3 4 5 -6\n3 1 2 3 4 5 6\n4 0 0 0 0 0 1\n").find("fit several layouts"),
            std::string::npos);
  // A row of bodies on the x axis, with equal masses.
  EXPECT_NE(text_refusal("0 0 0 0 1 0 2\n1 0 0 0 1 0 2\n2 0 0 0 1 0 2\n").find("--columns"),
            std::string::npos);
}

TEST_F(Csv, ManyDifferentWholeNumbersAreIds) {
  std::string shuffled, zeros;
  for (int k = 0; k < 20; ++k) {
    shuffled +=
        fmt::format("{} {} {} {} 4 {} -6\n", 1000 + 7 * k % 20, k % 5 - 2, 2 - k % 3, k % 4 - 1, k % 2);
    zeros += fmt::format("{} {} {} {} {} {} {}\n", k + 1, k % 5 - 2, 2 - k % 3, k % 4 - 1, k % 7 - 3,
                         3 - k % 5, k % 3);
  }
  for (const auto& text : {shuffled, zeros}) {
    const auto bodies = read_text(text).bodies;
    EXPECT_EQ(bodies.mass, std::vector(20, 1.0F / 20)) << text;
    EXPECT_EQ(bodies.position[3].y, 2.0F) << text;
  }
}

TEST_F(Csv, WholeNumbersThatAreNoIds) {
  std::string negative, masses, grid, last;
  for (int k = 0; k < 20; ++k) {
    negative += fmt::format("{} {} {} 2 -3 4 5.5\n", 10 * k - 100, k % 3 - 1, k % 5 - 2);
    masses += fmt::format("{}e10 {} {} {} -4 5 -6\n", k * k % 23 + 1.5, k % 3 - 1, k % 5 - 2, 2 - k % 4);
    grid += fmt::format("{} {} {} 0.5\n", k + 3, 50 - k, k * k);
    last += fmt::format("1.5 -2 3 {}\n", k + 1);
  }
  EXPECT_EQ(read_text(negative).bodies.mass[7], 5.5F);
  EXPECT_EQ(read_text(masses).bodies.mass[7], 4.5e10F);
  EXPECT_EQ(read_text(grid).bodies.mass[7], 0.5F);
  EXPECT_EQ(read_text(last).bodies.id[7], 8U);
}

TEST_F(Csv, EightColumnsWithIdsHaveMassesAtEitherEnd) {
  std::string first, end;
  for (int k = 0; k < 20; ++k) {
    const auto vectors =
        fmt::format("{} {} {} {} {} {}", k - 7, k % 5 - 2, 2 - k % 4, k % 3 - 1, 1 - k % 2, k % 6 - 3);
    first += fmt::format("{} 0.5 {}\n", k + 1, vectors);
    end += fmt::format("{} {} 0.5\n", k + 1, vectors);
  }
  for (const auto& text : {first, end}) {
    const auto bodies = read_text(text).bodies;
    EXPECT_EQ(bodies.mass[3], 0.5F) << text;
    EXPECT_EQ(bodies.position[3].x, -4.0F) << text;
    EXPECT_EQ(bodies.id[3], 4U) << text;
  }
}

TEST_F(Csv, TheRadiusOfAPlanarTableIsNoTime) {
  const auto* const princeton = "2\n2.5e11\n1 -2 4 5 2 earth.gif\n-1 2 3 4 5 sun.gif\n";
  const Scene scene = read_text(princeton, {.columns = "x,y,vx,vy,mass,-"});
  EXPECT_EQ(scene.time, 0.0);
  EXPECT_EQ(scene.bodies.mass, (std::vector{2.0F, 5.0F}));
  EXPECT_TRUE(has_note(scene, "2.5e+11"));
  const auto* const colored = "2\n100.0\n1 -2 4 5 2 255 0 10\n1 2 3 4 5 6 7 8\n";
  EXPECT_EQ(read_text(colored, {.columns = "x,y,vx,vy,mass,-,-,-"}).time, 0.0);
  // In space, and where three numbers say what they are, it is a time.
  EXPECT_EQ(read_text("1\n2.5\n1 2 3 4\n", {.columns = "x,y,z,mass"}).time, 2.5);
  EXPECT_EQ(read_text("7\n1\n2.5\n1 2 3 4 5\n", {.columns = "x,y,vx,vy,mass"}).time, 2.5);
}

TEST_F(Csv, ComponentsAndGalaxies) {
  const Scene scene = read_text("x,y,z,component,galaxy\n0,0,0,disk,2\n1,0,0,dark,1\n2,0,0,quark,2\n");
  EXPECT_EQ(scene.bodies.galaxy, (std::vector<std::uint32_t>{0, 1, 1}));
  EXPECT_EQ(scene.bodies.component, (std::vector{Component::halo, Component::disk, Component::other}));
  EXPECT_EQ(scene.bodies.position[1].x, 0.0F);
  EXPECT_TRUE(has_note(scene, "2 independent galaxies"));
  EXPECT_TRUE(has_note(scene, "1 body of a component of unknown name is 'other'"));
}

TEST_F(Csv, TimeSeriesShowsTheFirstTime) {
  const Scene scene = read_text(
      "Time,Frame,ID,Mass,X,Y,Z,VelX,VelY,VelZ\n3,0,1,1,0,0,0,0,0,0\n3,0,2,1,1,0,0,0,0,0\n4,1,1,1,0,0,0,0,0,"
      "0\n");
  EXPECT_EQ(scene.bodies.size(), 2U);
  EXPECT_EQ(scene.time, 3.0);
  EXPECT_TRUE(has_note(scene, "several snapshots: this is number 1 of 2"));
  EXPECT_EQ(read_text("# time=0.125\nid,group_id,mass,x,y,z\n1,0,1,2,3,4\n").time, 0.125);
}

TEST_F(Csv, EverySnapshotOfALongTableHasItsBodiesAndItsTime) {
  const std::string steps = "step,id,x,y,z\n0,0,0,0,0\n2,1,1.2,0,0\n0,1,1,0,0\n2,0,0.2,0,0\n";
  const std::string times = "id;x;y;z;time\n0;0;0;0;0,5\n1;1;0;0;0,5\n0;0,25;0;0;2,5\n1;1,25;0;0;2,5\n";
  for (const auto& text : {steps, times}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(count_snapshots(save("series.csv", text)), 2U);
    const Scene first = read_text(text), last = read_text(text, {.snapshot = 1});
    EXPECT_EQ(first.snapshots, 2U);
    EXPECT_EQ(first.bodies.size(), 2U);
    EXPECT_EQ(last.bodies.size(), 2U);
    EXPECT_EQ(last.time - first.time, 2.0);
    EXPECT_NE(text_refusal(text, {.snapshot = 2}).find("2 snapshots only"), std::string::npos);
  }
}

TEST_F(Csv, LinesBeforeTheRowsAreLeftOut) {
  const std::string text =
      "Time 0.5\nTotal 2\nmasses,  x, y, z, and vx, vy, vz in km/s\n#type, m, x, y, z, vx, vy, vz\n"
      " 1.0 2 1 -2 3 4 5 -6\n 3.0 3 1 2 3 4 5 6\n";
  for (const auto& options :
       {ReadOptions{}, ReadOptions{.columns = "type,mass,x,y,z,vx,vy,vz"}, ReadOptions{.skip = 3}}) {
    const Scene scene = read_text(text, options);
    expect_first_body(scene);
    EXPECT_EQ(scene.bodies.component, (std::vector{Component::halo, Component::bulge}));
  }
  EXPECT_EQ(read_text(text).time, 0.5);
  EXPECT_NE(text_refusal(text, {.skip = 9}).find("6 lines"), std::string::npos);
  EXPECT_NE(text_refusal("1,2,x,4\n1,2,3,4\n").find("line 1"), std::string::npos);
}

TEST_F(Csv, QuotesTabsAndUnitsInHeaders) {
  for (const auto* const text :
       {"mass [Msun]\tx [kpc]\ty [kpc]\tz [kpc]\tvx (km/s)\tvy (km/s)\tvz (km/s)\n2\t1\t-2\t3\t4\t5\t-6\n",
        "mass [1e10 Msun] x [kpc] y [kpc] z [kpc] vx [km/s] vy [km/s] vz [km/s]\n2 1 -2 3 4 5 -6\n",
        "name,x,y,z,vx,vy,vz,mass\n\"Alpha, \"\"A\"\" #1\",1,-2,3,4,5,-6,2\n",
        "name; x ; y; z ;vx; vy;vz;mass\n\"two\nlines\"; 1; -2;3;4;5;-6;2\n",
        "object name\tx\ty\tz\tvx\tvy\tvz\tmass\nAlpha, A\t1\t-2\t3\t4\t5\t-6\t2\n"}) {
    SCOPED_TRACE(text);
    const Scene scene = read_text(text);
    expect_first_body(scene);
    EXPECT_EQ(scene.bodies.size(), 1U);
  }
  EXPECT_EQ(read_text("name,x,y\n\"Alpha, \"\"A\"\"\",1,2\n").names,
            (std::vector<std::string>{"Alpha, \"A\""}));
}

TEST_F(Csv, ColumnsOfWordsAreNamesOrComponents) {
  const Scene scene = read_text("Sun,1,0,0,0,0,0,0\nEarth,3e-6,1,0,0,0,6,0\nMars,3e-7,1.5,0,0,0,5,0\n");
  EXPECT_EQ(scene.names, (std::vector<std::string>{"Sun", "Earth", "Mars"}));
  EXPECT_EQ(scene.bodies.mass[0], 1.0F);
  EXPECT_EQ(read_text("disk 1 2 3\nHalo 2 3 4\n").bodies.component,
            (std::vector{Component::disk, Component::halo}));
  EXPECT_EQ(read_text("id,x,y\nA,1,2\nB,2,3\n").names.size(), 2U);
  EXPECT_EQ(read_text("type,x,y\n0,1,2\n4,2,3\n9,2,4\n").bodies.component,
            (std::vector{Component::gas, Component::star, Component::other}));
}

TEST_F(Csv, MassesAreWhereTheOtherColumnsAreAlike) {
  std::string last, first, plain;
  for (int k = 0; k < 20; ++k) {
    const auto vectors = fmt::format("{} {} {} {} {} {}", 3 * k % 50 + 0.5, 7 * k % 50 + 0.25, 11 * k % 50,
                                     k % 3 - 1, (k + 1) % 3 - 1, 0.125 * (k % 7) - 0.5);
    last += fmt::format("{} {}e8\n", vectors, 7 * k % 19 + 1.5);
    first += fmt::format("{} {} {} {} {} {} {}\n", 1e5 * (7 * k % 20) + 1.5, 3 * k % 50 + 0.5,
                         7 * k % 50 + 0.25, 11 * k % 50 + 1, k % 5, (k + 1) % 5, 0.3 * (k % 17));
    plain += fmt::format("{0} {1} {2} {0} {1} {2} {0}\n", k + 0.5, k + 1.5, k + 2.5);
  }
  EXPECT_EQ(read_text(last).bodies.mass[0], 1.5e8F);
  EXPECT_EQ(read_text(first).bodies.mass[1], 700001.5F);
  EXPECT_NE(text_refusal(plain).find("--columns"), std::string::npos);
  const auto* const planar = "0.65,-8.2,-1.3,-0.2,-0.7\n0.89,4.4,5.6,-0.2,0.5\n";
  EXPECT_EQ(read_text(planar).bodies.mass[1], 0.89F);
  EXPECT_NE(text_refusal("-1,2,3,4,-5\n1,2,3,4,5\n").find("--columns"), std::string::npos);
}

TEST_F(Csv, DecimalCommasAreReadOrNamed) {
  EXPECT_EQ(read_text("x;y;z\n0,5;0,67;2\n").bodies.position[0], (Vec3{0.5F, 0.67F, 2}));
  EXPECT_EQ(read_text("0,5;0,67;2\n").bodies.position[0].x, 0.5F);
  for (const auto* const text :
       {"0,1 0,67 0,71\n-0,5 0,2 0,3\n", "0,1, 0,67, 0,71\n", "x,y,z\n0,1 0,6 1,5\n"})
    EXPECT_NE(text_refusal(text).find("decimal comma"), std::string::npos) << text;
  EXPECT_NE(text_refusal("x;y\n1,234;2,345\n").find("thousands"), std::string::npos);
}

TEST_F(Csv, IdsThatAreNoCountsAreReplaced) {
  EXPECT_EQ(read_text("id,x,y,z\n5,1,2,3\n5,1,2,4\n").bodies.id, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(read_text("id,x,y,z\n7,1,2,3\n18446744073709551615,1,2,4\n").bodies.id.back(),
            std::numeric_limits<std::uint64_t>::max());
}

TEST_F(Csv, ErrorsNameTheLine) {
  const std::string head = "mass,x,y,z\n1,2,3,4\n";
  EXPECT_NE(text_refusal(head + "1,nan,3,4\n").find("line 3: 'nan' is not a finite"), std::string::npos);
  EXPECT_NE(text_refusal(head + "\n\n1,2,-inf,4\n").find("line 5: '-inf'"), std::string::npos);
  EXPECT_NE(text_refusal(head + "1,2,3\n").find("line 3: 3 fields where 4"), std::string::npos);
  EXPECT_NE(text_refusal(head + "1,2,3,4,5\n").find("line 3: 5 fields"), std::string::npos);
  EXPECT_NE(text_refusal(head + "1,2,x\n1,2,3,4").find("line 3"), std::string::npos);
  EXPECT_NE(text_refusal(head + "1,2,,4\n").find("line 3: ''"), std::string::npos);
  EXPECT_NE(text_refusal(head + "1,1e80,3,4\n").find("not finite in single precision"), std::string::npos);
  EXPECT_NE(text_refusal(head + "-1,1,3,4\n").find("body 2 has a negative mass"), std::string::npos);
  EXPECT_NE(text_refusal("hello, world\n").find("line 1"), std::string::npos);
  EXPECT_NE(text_refusal("1 2 3 4 5 6 7 8 9\n").find("line 1: 9 columns"), std::string::npos);
  EXPECT_NE(text_refusal("x,y,z\n").find("no bodies"), std::string::npos);
  EXPECT_NE(text_refusal("# nothing\n\n").find("no bodies"), std::string::npos);
  EXPECT_NE(text_refusal("8\n4\n0\n1\n1\n").find("line 4"), std::string::npos);
  EXPECT_NE(text_refusal("0\n3\n0\n1 1 1 1 1 1 1 1\n").find("3 bodies but ends after 1"), std::string::npos);
}

/// So many rows that several threads read parts of them; some parts begin within a name.
std::string rows_of_two_lines(int count) {
  std::string rows;
  for (int i = 0; i < count; ++i) rows += fmt::format("{},{},0.5,\"b\n{}\"\n", i, -i, i);
  return rows;
}

TEST_F(Csv, PartsOfALongTableMakeOneTable) {
  constexpr int count = 40'000;
  const auto scene = read_text("x,y,z,name\n" + rows_of_two_lines(count));
  ASSERT_EQ(scene.bodies.size(), std::size_t{count});
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(scene.bodies.position[i].x, static_cast<float>(i));
    ASSERT_TRUE(scene.names[i].ends_with(std::to_string(i))) << scene.names[i];
  }
}

TEST_F(Csv, ErrorsInALongTableNameTheFirstWrongLine) {
  const auto rows = rows_of_two_lines(40'000);
  const auto refusal = text_refusal("x,y,z,name\n" + rows + "1,2\n" + rows + "1,2,3\n");
  EXPECT_NE(refusal.find("line 80002: 2 fields where 4 are expected"), std::string::npos) << refusal;
}

TEST_F(Csv, RowsBehindTheAnnouncedOnesOfALongTableAreNotRead) {
  std::string rows;
  for (int i = 0; i < 30'000; ++i) rows += fmt::format("{} 2 {} -2 3 4 5 -6\n", i, i);
  const auto scene =
      read_text("30000 0.5\n" + rows + rows + "wrong\n", {.columns = "id,mass,x,y,z,vx,vy,vz"});
  EXPECT_EQ(scene.bodies.size(), 30'000U);
  EXPECT_EQ(scene.bodies.position.back().x, 29'999.0F);
  EXPECT_TRUE(has_note(scene, "only the first 30000 rows are shown"));
}

TEST_F(Csv, HugeAnnouncedCountAllocatesNothing) {
  EXPECT_NE(text_refusal("0\n2147483648\n0\n1 1 1 1 1 1 1 1\n").find("2147483648"), std::string::npos);
}

TEST_F(Csv, DegeneraciesAreSaid) {
  const Scene scene = read_text("mass,x,y,z\n0,0,0,0\n1,-0,0,0\n");
  EXPECT_TRUE(has_note(scene, "1 massless body is a test particle"));
  EXPECT_TRUE(has_note(scene, "1 body lies exactly"));
  EXPECT_EQ(read_text("1 2 3").bodies.size(), 1U);
}

/// A locale that writes 1.000,5 for a thousand and a half.
class CommaPoint : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST_F(Csv, LocaleDoesNotMatter) {
  const auto before = std::locale::global(std::locale(std::locale::classic(), new CommaPoint));
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed
  const Scene scene = read_text("id,x,y,z\n12345,1.5,-2.25,1000.75\n");
  write_snapshot(scene, folder() / "back.csv");
  std::locale::global(before);
  EXPECT_EQ(scene.bodies.position[0], (Vec3{1.5, -2.25, 1000.75}));
  EXPECT_EQ(content_of(folder() / "back.csv"), "id,mass,x,y,z,component\n12345,1,1.5,-2.25,1000.75,other\n");
}

TEST_F(Csv, RealFiles) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  const Scene hundred = read_snapshot(real_data() / "text/plummer100.in");
  ASSERT_EQ(hundred.bodies.size(), 100U);
  EXPECT_EQ(hundred.bodies.id.front(), 1U);
  EXPECT_EQ(hundred.bodies.id.back(), 100U);
  EXPECT_EQ(hundred.bodies.mass[7], 0.01F);
  EXPECT_EQ(hundred.bodies.position[0].x, -0.283793941745086542F);
  EXPECT_EQ(hundred.bodies.velocity[0].z, 0.127052133099607945F);
  const Scene thousand = read_snapshot(real_data() / "text/plummer1k.in");
  EXPECT_EQ(thousand.bodies.size(), 1024U);
  EXPECT_EQ(std::accumulate(thousand.bodies.mass.begin(), thousand.bodies.mass.end(), 0.0), 1.0);
  const Scene disk = read_snapshot(real_data() / "text/disk_galaxy_N6000.txt");
  ASSERT_EQ(disk.bodies.size(), 6000U);
  EXPECT_EQ(disk.bodies.mass[0], 0.00043008433F);
  EXPECT_EQ(disk.bodies.position[0].x, -2.1543867F);
  EXPECT_EQ(disk.bodies.velocity[5999].z, 0.48461748F);
  EXPECT_EQ(read_snapshot(real_data() / "reference/truth.csv").bodies.id[7], 107U);
}

TEST_F(Com4521, RowsWithBlanksAndSuffixes) {
  const Scene scene = read_text("# x, y, vx, vy, m\n0.234f, 0.567f, , ,\n, .5, 1, 2.f, 3e0f\n\n");
  ASSERT_EQ(scene.bodies.size(), 2U);
  EXPECT_EQ(scene.bodies.position[0], (Vec3{0.234F, 0.567F, 0}));
  EXPECT_EQ(scene.bodies.velocity[0], (Vec3{}));
  EXPECT_EQ(scene.bodies.mass[0], 0.5F);
  EXPECT_GE(scene.bodies.position[1].x, 0.0F);
  EXPECT_LE(scene.bodies.position[1].x, 1.0F);
  EXPECT_EQ(scene.bodies.velocity[1], (Vec3{1, 2, 0}));
  EXPECT_EQ(scene.bodies.mass[1], 3.0F);
  EXPECT_EQ(scene.physics.gravitational_constant, 9.8);
  EXPECT_EQ(scene.physics.softening, 2.0);
  EXPECT_EQ(scene.physics.time_step, 0.01);
  EXPECT_EQ(scene.physics.dimensions, 2);
  EXPECT_EQ(scene.physics.integrator->name, "explicit-euler");
  EXPECT_EQ(read_text(", .5, 1, 2, 3\n").bodies.position, read_text(", .5, 1, 2, 3\n").bodies.position);
}

TEST_F(Com4521, OnlyFiveColumnsWithoutAHeaderAreTakenForIt) {
  EXPECT_EQ(read_text("1,2,3,4,5\n").source, "COM4521 text, x, y, vx, vy, mass");
  EXPECT_EQ(read_text("x,y,z,vx,mass\n1,2,3,4,5\n").bodies.position[0].z, 3.0F);
  EXPECT_EQ(read_text("# id,x,y,z,mass\n1,2,3,4,5\n").bodies.position[0].z, 4.0F);
  ReadOptions options;
  options.columns = "mass,x,y,z,-";
  EXPECT_EQ(read_text("1,2,3,4,5\n", options).bodies.position[0].z, 4.0F);
  options = {};
  options.format = "csv";
  EXPECT_NE(text_refusal("1,2,3,4,5\n", options).find("5 columns"), std::string::npos);
  options.format = "com4521";
  EXPECT_NE(text_refusal("1,2,3,4\n", options).find("line 1: 4 fields"), std::string::npos);
  EXPECT_NE(text_refusal("1,2,3,4,5ff\n", options).find("line 1: '5ff'"), std::string::npos);
  EXPECT_NE(text_refusal("1,2,3,4,inf\n", options).find("line 1: 'inf'"), std::string::npos);
}

/// x, y, z, mass and radius, or x, y, vx, vy and mass: nothing tells.
TEST_F(Com4521, FiveColumnsThatMayBeOthersAreRefused) {
  for (const std::string text : {"0 0 0 1 0.1\n1 0 0 2 0.2\n0 1 0 1.5 0.1\n0 0 1 1 0.3\n",
                                 "0,0,0,1,0.1\n1,0,0,2,0.2\n0,1,0,1.5,0.1\n0,0,1,1,0.3\n"}) {
    const auto refused = text_refusal(text);
    EXPECT_NE(refused.find("--columns x,y,z,mass,- or --columns"), std::string::npos) << refused;
  }
  EXPECT_EQ(read_text("# x, y, vx, vy, mass\n0,0,0,1,0.1\n1,0,0,2,0.2\n0,1,0,1,0.1\n").physics.dimensions, 2);
  EXPECT_EQ(read_text("0 0 0 1 0.1\n1 0 0 -2 0.2\n0 1 0 1 0.1\n-1 1 0 1 0.1\n").bodies.velocity[1].y, -2.0F);
}

TEST_F(Com4521, UnitsAreNotThoseOfTheAssignment) {
  const auto scene = read_text("# x_kpc, y_kpc, vx_kms, vy_kms, mass_msun\n0,0,0,1,1e9\n1,0,0,-2,2e9\n");
  EXPECT_NEAR(scene.physics.gravitational_constant, 4.30091e-6, 1e-10);
}

TEST_F(Com4521, ANegativeMassNamesTheLayoutThatWasAssumed) {
  std::string text;
  for (int i = 0; i < 600; ++i) text += "1,2,3,-4,5\n";  // more than what is looked at to recognize it
  const auto refused = text_refusal(text + "1,2,3,4,-5\n");
  EXPECT_NE(refused.find("line 601"), std::string::npos) << refused;
  EXPECT_NE(refused.find("--columns mass,x,y,vx,vy"), std::string::npos) << refused;
}

TEST_F(Com4521, FlatScenesComeBack) {
  Scene scene = varied_scene(50, 5);
  std::iota(scene.bodies.id.begin(), scene.bodies.id.end(), 0);
  for (std::size_t i = 0; i < 50; ++i) {
    scene.bodies.position[i].z = scene.bodies.velocity[i].z = 0.0F;
    scene.bodies.component[i] = Component::other;
  }
  write_snapshot(scene, folder() / "flat.csv", "com4521");
  expect_same_bodies(scene.bodies, read_snapshot(folder() / "flat.csv").bodies);
  scene.bodies.position[3].z = 1.0F;
  EXPECT_THROW(write_snapshot(scene, folder() / "deep.csv", "com4521"), Error);
  EXPECT_EQ(files(), 1U);
}

TEST_F(Csv, ColoursByName) {
  const std::vector<Color> colors{0xff0000, 0x0080ff};
  EXPECT_EQ(read_text("x,y,z,red,green,blue\n1,2,3,255,0,0\n4,5,6,0,128,255\n").bodies.color, colors);
  const auto partial = read_text("x,y,z,red\n1,2,3,255\n4,5,6,0\n");
  EXPECT_FALSE(partial.bodies.has_colors());
  EXPECT_TRUE(has_note(partial, "columns ignored: red"));
  // Colours of other programs, and magnitudes.
  for (const char* names : {"r,g,b", "g,r,b", "Diffuse_Red,Diffuse_Green,Diffuse_Blue"}) {
    const auto scene = read_text(std::string("x,y,z,") + names + "\n1,2,3,17,16,18\n4,5,6,15,14,16\n");
    EXPECT_FALSE(scene.bodies.has_colors());
    EXPECT_TRUE(has_note(scene, std::string("columns ignored: ") + names)) << names;
  }
  EXPECT_TRUE(has_note(read_text("x,y,z,red,green,blue\n1,2,3,255,0,pink\n"), "no whole numbers"));
}

/// Bodies are put in the order of their galaxies, and some have no colour.
TEST_F(Csv, ColoursStayWithTheirBodies) {
  const auto scene =
      read_text("x,y,z,galaxy,red,green,blue\n1,0,0,1,255,0,0\n2,0,0,0,nan,nan,nan\n3,0,0,0,0,0,255\n");
  EXPECT_EQ(scene.bodies.color, (std::vector<Color>{no_color, 0x0000ff, 0xff0000}));
}

TEST_F(Csv, ColoursOfPlanarUniverses) {
  const auto scene = read_text("2\n10.0\n1 2 0 0 5 255 0 0\n3 4 0 0 6 0 0 255\n");
  EXPECT_EQ(scene.bodies.color, (std::vector<Color>{0xff0000, 0x0000ff}));
  EXPECT_EQ(scene.bodies.mass[1], 6.0F);
}

TEST_F(Csv, LettersAreNoVelocitiesBesideOthers) {
  const auto scene = read_text("x,y,z,u,v,w,vx,vy,vz\n1,2,3,9,9,9,4,5,6\n1,2,4,9,9,9,4,5,6\n");
  EXPECT_EQ(scene.bodies.velocity[0], (Vec3{4, 5, 6}));
  EXPECT_TRUE(has_note(scene, "columns ignored: u,v,w"));
}

TEST_F(Csv, MixedSeparatorsAreRefused) {
  for (const std::string text : {"1,2,3 4,5,6\n2,3,4 5,6,7\n3,1,2 3,1,1\n", "1,2,3\t4,5,6\n2,3,4\t5,6,7\n",
                                 "1;2;3 4;5;6\n2;3;4 5;6;7\n"}) {
    const auto refused = text_refusal(text);
    EXPECT_NE(refused.find("separate all columns by one sign"), std::string::npos) << refused;
    EXPECT_NE(refused.find("--columns"), std::string::npos) << refused;
  }
}

TEST_F(Csv, SixColumnsThatMayBeOthersAreRefused) {
  std::string ids, positive;
  for (int i = 0; i < 10; ++i) {
    ids += fmt::format("{} {} {} {} 1 0.1\n", i, 0.5 * (7 * i % 10), 3 - 3 * i % 10, -(9 * i % 10));
    positive += fmt::format("{} {} {} 1 0.1 {}\n", 0.3 * i - 1, 0.5 * i, 3 - i, i + 1);
  }
  EXPECT_NE(text_refusal(ids).find("id,x,y,z,mass,-"), std::string::npos);
  EXPECT_NE(text_refusal(positive).find("x,y,z,mass,-,-"), std::string::npos);
}

TEST_F(Csv, LinesBeforeTheRowsAreQuotedAsTheyAreAndSkipIsAdvised) {
  EXPECT_TRUE(has_note(read_text("My run, of 3 bodies\n1 2 3 4\n", {.columns = "x,y,z,mass"}),
                       "left out: My run, of 3 bodies"));
  const auto refused = text_refusal("1 2 3 4 5 oops\n1 2 3 4\n", {.columns = "x,y,z,mass"});
  EXPECT_NE(refused.find("--set skip=1"), std::string::npos) << refused;
}

TEST_F(Csv, NamesOfAllAlphabetsAreKept) {
  const auto scene = read_text("name,x,y\nÉris,1,2\nЮпитер,2,3\n火星,2,4\n");
  EXPECT_EQ(scene.names, (std::vector<std::string>{"Éris", "Юпитер", "火星"}));
  EXPECT_EQ(read_text("name,x,y\nA\xe2\x80\xaeZ,1,2\nB,2,3\n").names, (std::vector<std::string>{"A?Z", "B"}));
}

TEST_F(Csv, BarsBetweenColumnsAreNamed) {
  EXPECT_NE(text_refusal("id|x|y|z|mass\n1|1|2|3|4\n2|2|3|4|5\n").find("separated by '|'"),
            std::string::npos);
}

TEST_F(Csv, ATimeAloneInALineIsTheTime) {
  for (const std::string line : {"t 0.5", "T 0.5", "time 0.5", "t = 0.5", "# t 0.5"}) {
    const auto scene = read_text(line + "\nx y z mass\n1 2 3 1\n2 3 4 1\n");
    EXPECT_EQ(scene.time, 0.5) << line;
    EXPECT_FALSE(has_note(scene, "left out")) << line;
  }
}

}  // namespace
}  // namespace orrery::sim
