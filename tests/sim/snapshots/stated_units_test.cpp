#include "sim/snapshots/stated_units.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/scene/unit_systems.h"
#include "tests/sim/snapshots/snapshot_testing.h"

// Units that files state in words.

namespace orrery::sim {
namespace {

class StatedUnitsOfFiles : public SnapshotTest {
 protected:
  void expect_system(std::string_view name, const std::string& text) const {
    const auto scene = read_text(text);
    EXPECT_EQ(unit_system_of(scene), find_unit_system(name)) << text;
    EXPECT_TRUE(scene.states_gravity) << text;
    EXPECT_TRUE(has_note(scene, "units of the file: ")) << text;
    EXPECT_FALSE(has_note(scene, "no units in the file")) << text;
  }
  void expect_unknown(const std::string& text, std::string_view note) const {
    const auto scene = read_text(text);
    EXPECT_FALSE(scene.states_gravity) << text;
    EXPECT_EQ(scene.physics.gravitational_constant, 1.0) << text;
    EXPECT_TRUE(has_note(scene, note)) << text;
  }
};

void expect_unit(std::string_view text, UnitKind kind, double si) {
  const auto unit = parse_unit(text);
  ASSERT_TRUE(unit) << text;
  EXPECT_EQ(unit->kind, kind) << text;
  EXPECT_NEAR(unit->si / si, 1.0, 1e-3) << text;
}

TEST(ParseUnit, ReadsUnitsAsProgramsAndPeopleWriteThem) {
  constexpr double kpc = 3.0857e19, sun = 1.98841e30;
  for (const char* const text : {"kpc", "KPC", "kiloparsec", "1e3 pc", "10^3 pc", "1000pc"})
    expect_unit(text, UnitKind::length, kpc);
  for (const char* const text : {"km/s", "km s-1", "km s^-1", "km.s**-1", "km s^{-1}", "s-1 km", "kms",
                                 "km_s", "KM/S", "10^3 m/s", "km*s^(-1)"})
    expect_unit(text, UnitKind::velocity, 1e3);
  for (const char* const text : {"Msun", "M_sun", "solMass", "msun", "MSun", "Msol", "M\u2609"})
    expect_unit(text, UnitKind::mass, sun);
  for (const char* const text : {"10^10 Msun", "1e10 Msun", "1e10Msun", "10**10 solMass"})
    expect_unit(text, UnitKind::mass, 1e10 * sun);
  expect_unit("1.989 10^30 kg", UnitKind::mass, 1.989e30);
  expect_unit("AU/d", UnitKind::velocity, 1.495978707e11 / 86400);
  expect_unit("pc/Myr", UnitKind::velocity, 977.8);
  expect_unit("Gyr", UnitKind::time, 3.15576e16);
  expect_unit("cm", UnitKind::length, 0.01);
}

TEST(ParseUnit, WhatIsNoneIsNone) {
  for (const char* const text : {"",         "furlong", "kpc/h",
                                 "Mpc h^-1", "h-1 kpc", "10^10 Msun/h",
                                 "kpc2",     "mas/yr",  "km/s/Mpc",
                                 "**2",      "km/",     "(km",
                                 "km^",      "0 km",    "-1 km",
                                 "1e400 km", "kpc kpc", "((((((km))))))",
                                 "s",        "1",       "((((m60m60m60m60)60)60)60)60"}) {
    const auto unit = parse_unit(text);
    EXPECT_TRUE(!unit || unit->kind == UnitKind::time) << text;
  }
}

TEST_F(StatedUnitsOfFiles, BehindNamesOfColumns) {
  const std::string rows = "1,2,3,100,50,0,1e9\n2,2,1,0,50,0,2e9\n";
  for (const std::string header :
       {"x [kpc],y [kpc],z [kpc],vx [km/s],vy [km/s],vz [km/s],mass [Msun]",
        "x (kpc),y (kpc),z (kpc),vx (km s^-1),vy (km s^-1),vz (km s^-1),m (solMass)",
        "x/kpc,y/kpc,z/kpc,vx/(km/s),vy/(km/s),vz/(km/s),mass/Msun",
        "x_kpc,y_kpc,z_kpc,vx_kms,vy_kms,vz_kms,mass_msun",
        "pos_x_kpc,pos_y_kpc,pos_z_kpc,vx_km_s,vy_km_s,vz_km_s,Mass_Msun"})
    expect_system("kpc", header + "\n" + rows);
  expect_system(
      "gadget",
      "# x (kpc) y (kpc) z (kpc) vx (km/s) vy (km/s) vz (km/s) mass (10^10 Msun)\n1 2 3 4 1 1 1\n2 3 4 "
      "5 1 2 1\n");
  expect_system("si", "x_m,y_m,z_m,vx_m_s,vy_m_s,vz_m_s,mass_kg\n" + rows);
}

TEST_F(StatedUnitsOfFiles, InCommentsAndLinesOfUnits) {
  const std::string table = "x y z vx vy vz mass\n1 2 3 100 50 0 1e9\n2 2 1 0 50 0 2e9\n";
  for (const char* const line : {"# units: kpc Msun km/s", "# Units are kpc, km s-1 and Msun",
                                 "# length unit: kpc, mass unit: Msun, "
                                 "velocity unit: km/s",
                                 "# unit_of_nothing\n# units = [kpc, Msun, km/s]"})
    expect_system("kpc", std::string(line) + "\n" + table);
  expect_system("kpc", "# places in kpc, velocities in km s-1, masses in Msun\n" + table);
  expect_system(
      "gadget",
      "# UnitLength_in_cm 3.085678e21\n# UnitMass_in_g = 1.989e43\n# UnitVelocity_in_cm_per_s 1e5\n" + table);
  expect_system("si", "# units: m kg s, m/s\n" + table);
  expect_system("kpc", "x y z mass\nkpc kpc kpc Msun\n1 2 3 4e9\n2 3 4 5e9\n");
  expect_system(
      "pc",
      "#mass,x,y,z,vx,vy,vz\n#MSun,parsec,parsec,parsec,km s-1,km s-1,km s-1\n1,2,3,4,1,1,1\n2,3,4,5,1,"
      "2,1\n");
}

TEST_F(StatedUnitsOfFiles, UnitsOfNoSystemGiveTheirOwnG) {
  const auto scene = read_text(
      "x [Mpc],y [Mpc],z [Mpc],vx [km/s],vy [km/s],vz [km/s],mass [Msun]\n"
      "1,2,3,1,1,1,1e12\n2,2,1,0,1,0,2e12\n");
  EXPECT_TRUE(scene.states_gravity);
  EXPECT_NEAR(scene.physics.gravitational_constant / 4.30091e-9, 1.0, 1e-4);
  EXPECT_NEAR(scene.units.length / 3.0857e22, 1.0, 1e-4);
}

TEST_F(StatedUnitsOfFiles, APartOrAContradictionIsSaidWithWhatToGive) {
  const std::string rows = "1,2,3,100,50,0,1e9\n2,2,1,0,50,0,2e9\n";
  expect_unknown("x [kpc],y [kpc],z [kpc],vx,vy,vz,mass\n" + rows, "none of velocities and masses");
  expect_unknown("x [kpc],y [kpc],z [kpc],vx,vy,vz,mass\n" + rows, "`--units gadget`");
  expect_unknown("x [kpc/h],y [kpc/h],z [kpc/h],vx,vy,vz,mass\n" + rows,
                 "the unit 'kpc/h' of lengths is not");
  expect_unknown("x [km/s],y,z,vx,vy,vz,mass\n" + rows, "none of lengths");
  expect_unknown("# units: pc\nx/kpc,y/kpc,z/kpc,vx,vy,vz,m/Msun\n" + rows, "contradict");
  expect_unknown("x_kpc,y_kpc,z_kpc\n1,2,3\n2,3,4\n", "has no masses");
  EXPECT_EQ(read_text("x_kpc,y_kpc,z_kpc\n1,2,3\n2,3,4\n").units.length,
            find_unit_system("kpc")->units.length);
  EXPECT_NE(text_refusal("x [kpc],y [pc],z [kpc],mass [Msun]\n1,2,3,4\n").find("different units, kpc and pc"),
            std::string::npos);
}

TEST_F(StatedUnitsOfFiles, UnitsThatAreAskedForCount) {
  const std::string text = "x_kpc,y_kpc,z_kpc,mass_msun\n1,2,3,1e9\n2,2,1,2e9\n";
  const auto other = read_text(text, {.units = "pc"});
  EXPECT_EQ(unit_system_of(other), find_unit_system("pc"));
  EXPECT_TRUE(has_note(other, "the file states other units"));
  EXPECT_FALSE(has_note(read_text(text, {.units = "kpc"}), "the file states other units"));
}

/// Names that look like a name and a unit.
TEST_F(StatedUnitsOfFiles, OtherNamesAreNoUnits) {
  const auto scene = read_text("x,y,z,m_h,m_g,v_s,x/rs,mass\n1,2,3,4,5,6,7,8\n2,3,4,5,6,7,8,9\n");
  EXPECT_EQ(scene.bodies.mass[0], 8.0F);
  EXPECT_TRUE(has_note(scene, "columns ignored: m_h,m_g,v_s,x/rs"));
  EXPECT_TRUE(has_note(scene, "no units in the file"));
}

TEST_F(StatedUnitsOfFiles, TimesHaveUnitsToo) {
  const auto scene = read_text("time [Gyr],x [kpc],y [kpc],z [kpc],mass [Msun]\n2,1,2,3,4e9\n2,2,3,4,5e9\n");
  EXPECT_NEAR(scene.time * scene.units.time / 3.15576e16, 2.0, 1e-6);
}

TEST_F(StatedUnitsOfFiles, OfAVotable) {
  expect_system(
      "kpc",
      "<?xml version=\"1.0\"?>\n<VOTABLE version=\"1.4\"><RESOURCE><TABLE>"
      "<FIELD name=\"x\" datatype=\"double\" unit=\"kpc\"/>"
      "<FIELD name=\"y\" datatype=\"double\" unit=\"kpc\"/>"
      "<FIELD name=\"z\" datatype=\"double\" unit=\"kpc\"/>"
      "<FIELD name=\"mass\" datatype=\"double\" unit=\"solMass\"/>"
      "<DATA><TABLEDATA><TR><TD>1</TD><TD>2</TD><TD>3</TD><TD>1e9</TD></TR>"
      "<TR><TD>2</TD><TD>2</TD><TD>1</TD><TD>2e9</TD></TR></TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>");
}

}  // namespace
}  // namespace orrery::sim
