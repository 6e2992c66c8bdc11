// Tables of the sky: text, FITS and VOTable. The places that are expected were computed by Astropy 8.0.2:
//   SkyCoord(...).transform_to(Galactocentric()) with galactocentric_frame_defaults.set("v4.0").
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "sim/core/byte_order.h"
#include "sim/scene/unit_systems.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

class Sky : public SnapshotTest {
 protected:
  static void expect_near(const Vec3& a, const Vec3& b, float tolerance) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
  }
  /// Sgr A*'s direction and proper motion at the distance of the centre, an object towards M31 at 2 kpc, and
  /// one towards the Crab at 0.5 kpc; one of negative parallax was left out.
  static void expect_objects(const Scene& scene) {
    ASSERT_EQ(scene.bodies.size(), 3U);
    // Astropy's frame ends on this direction, Galactic coordinates 0.3" beside it: 1.2e-5 kpc.
    expect_near(scene.bodies.position[0], {0, 0, 0}, 2e-5F);
    expect_near(scene.bodies.velocity[0], {12.88022F, 0.09740F, 0.05442F}, 1e-2F);
    expect_near(scene.bodies.position[1], {-9.06922696F, 1.59802500F, -0.72016338F}, 1e-5F);
    expect_near(scene.bodies.velocity[1], {142.602218F, 6.526804F, 136.118548F}, 2e-3F);
    expect_near(scene.bodies.position[2], {-8.61795605F, -0.03948788F, -0.02861534F}, 1e-5F);
    expect_near(scene.bodies.velocity[2], {61.073286F, 253.645430F, 23.750471F}, 2e-3F);
    EXPECT_EQ(scene.bodies.id[0], 5853498713190525696U);
    EXPECT_EQ(unit_system_of(scene), find_unit_system("kpc"));
    EXPECT_TRUE(has_note(scene, "the Sun is at (-8.12197, 0, 0.0208) kpc"));
    EXPECT_TRUE(has_note(scene, "1 object without a usable distance is left out"));
  }
};

constexpr std::string_view rows =
    "5853498713190525696,266.4051,-28.936175,0.12312238364934745,-3.151,-5.547,0\n"
    "2,10,41,0.5,1,2,-300\n3,200,-60,-1,2,3,20\n4,83.6,22,2,3,4,-50\n";

TEST_F(Sky, TextTables) {
  const auto header = std::string("source_id,ra,dec,parallax,pmra,pmdec,radial_velocity\n");
  expect_objects(read_text(header + std::string(rows)));
  expect_objects(read_text("# a catalogue\n# " + header + std::string(rows)));
}

TEST_F(Sky, UnitsInNamesAndMissingNumbers) {
  const auto scene = read_text(
      "RA (deg),DEC (deg),distance [pc],pmra,pmdec,rv\n10,41,2000,1,2,-300\n10,41,,1,2,3\n"
      "83.6,22,500,null,4,-50\n");
  ASSERT_EQ(scene.bodies.size(), 2U);
  expect_near(scene.bodies.position[0], {-9.06922696F, 1.59802500F, -0.72016338F}, 1e-5F);
  EXPECT_TRUE(has_note(scene, "1 object lacks a proper motion"));
  EXPECT_NE(text_refusal("ra,dec,distance [furlong]\n1,2,3\n").find("'furlong'"), std::string::npos);
}

TEST_F(Sky, GalacticCoordinates) {
  // Along the axes of the frame, which is tilted by asin(0.0208 / 8.122) = 0.00256: 2 kpc to l = 90 are along
  // y.
  const auto scene = read_text("l b dist pml pmb rv\n90 0 2 0 0 10\n0 90 2 1 0 0\n");
  expect_near(scene.bodies.position[0], {-8.121973F, 2.0F, 0.0208F}, 1e-5F);
  expect_near(scene.bodies.velocity[0], {12.9F, 255.6F, 7.78F}, 1e-4F);
  EXPECT_NEAR(scene.bodies.position[1].z, 2.0208F, 1e-5F);
  // 1 mas/yr at 2 kpc is 2 x 4.74047 km/s.
  const auto relative = scene.bodies.velocity[1] - Vec3{12.9F, 245.6F, 7.78F};
  EXPECT_NEAR(norm(relative), 9.480941F, 1e-4F);
  EXPECT_TRUE(has_note(scene, "without a unit were taken as kpc"));
}

TEST_F(Sky, WithoutDistancesOrRowsIsRefused) {
  EXPECT_NE(text_refusal("ra,dec,pmra,pmdec\n1,2,3,4\n").find("without distances"), std::string::npos);
  EXPECT_NE(text_refusal("ra,dec,parallax\n1,2,-3\n").find("none of its 1 object"), std::string::npos);
  EXPECT_NE(text_refusal("ra,dec,parallax\n").find("no rows"), std::string::npos);
  EXPECT_NE(text_refusal("ra,dec,parallax\n12:30:00,-20:00:00,3\n").find("degrees"), std::string::npos);
}

TEST_F(Sky, CartesianColumnsComeFirst) {
  const auto scene = read_text("x,y,z,ra,dec,parallax\n1,2,3,4,5,6\n");
  EXPECT_EQ(scene.bodies.position[0], (Vec3{1, 2, 3}));
}

// ---- FITS ----

std::string padded(std::string text, char with) {
  text.resize((text.size() + 2879) / 2880 * 2880, with);
  return text;
}
std::string card(std::string_view key, std::string_view value) {
  auto text = fmt::format("{:<8}= {:>20}", key, value);
  text.resize(80, ' ');
  return text;
}
std::string end_card() { return "END" + std::string(77, ' '); }

template <typename T>
void put(std::string& to, T value) {
  std::array<std::byte, sizeof(T)> bytes;
  store(value, true, bytes.data());
  to.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// The objects of expect_objects() after a column of text; `count` is what the header says, `form` the form
/// of ra and dec, 8 bytes each.
std::string fits(std::size_t count = 4, const std::string& form = "'D'") {
  auto head = padded(card("SIMPLE", "T") + card("BITPIX", "8") + card("NAXIS", "0") + end_card(), ' ');
  std::string table = card("XTENSION", "'BINTABLE'") + card("BITPIX", "8") + card("NAXIS", "2") +
                      card("NAXIS1", "59") + card("NAXIS2", fmt::format("{}", count)) + card("PCOUNT", "0") +
                      card("GCOUNT", "1") + card("TFIELDS", "8");
  constexpr std::array<std::string_view, 8> names{"tag",      "source_id", "ra",    "dec",
                                                  "parallax", "pmra",      "pmdec", "radial_velocity"};
  for (std::size_t k = 0; k < names.size(); ++k) {
    table += card(fmt::format("TTYPE{}", k + 1), fmt::format("'{}'", names.at(k)));
    table += card(fmt::format("TFORM{}", k + 1), k == 0 ? "'3A'" : k == 1 ? "'K'" : k < 4 ? form : "'D'");
  }
  table += card("TUNIT5", "'mas'") + end_card();
  std::string data;
  const std::array<std::array<double, 6>, 4> values{{{266.4051, -28.936175, 1 / 8.122, -3.151, -5.547, 0},
                                                     {10, 41, 0.5, 1, 2, -300},
                                                     {200, -60, -1, 2, 3, 20},
                                                     {83.6, 22, 2, 3, 4, -50}}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    data += "abc";
    put(data, i == 0 ? std::int64_t{5853498713190525696} : static_cast<std::int64_t>(i + 1));
    for (const double value : values.at(i)) put(data, value);
  }
  return head + padded(table, ' ') + padded(data, '\0');
}

/// Two bodies in a table of this name; units of the columns x, y, z and mass.
std::string table_of_bodies(const std::string& name, float mass) {
  std::string table = card("XTENSION", "'BINTABLE'") + card("BITPIX", "8") + card("NAXIS", "2") +
                      card("NAXIS1", "16") + card("NAXIS2", "2") + card("PCOUNT", "0") + card("GCOUNT", "1") +
                      card("TFIELDS", "4") + card("EXTNAME", fmt::format("'{}'", name));
  constexpr std::array<std::string_view, 4> names{"x", "y", "z", "mass"};
  for (std::size_t k = 0; k < names.size(); ++k) {
    table += card(fmt::format("TTYPE{}", k + 1), fmt::format("'{}'", names.at(k)));
    table += card(fmt::format("TFORM{}", k + 1), "'E'");
    table += card(fmt::format("TUNIT{}", k + 1), k < 3 ? "'kpc'" : "'solMass'");
  }
  std::string data;
  for (const float value : {1.0F, 2.0F, 3.0F, mass, 2.0F, 3.0F, 4.0F, mass}) put(data, value);
  return padded(table + end_card(), ' ') + padded(data, '\0');
}

TEST_F(Sky, FitsOfBodiesStatesUnitsAndHasTablesToChooseFrom) {
  const auto head = padded(card("SIMPLE", "T") + card("BITPIX", "8") + card("NAXIS", "0") + end_card(), ' ');
  const auto text = head + table_of_bodies("GAS", 1e9F) + table_of_bodies("STARS", 2e9F);
  const auto first = read_text(text);
  EXPECT_EQ(unit_system_of(first), find_unit_system("kpc"));
  EXPECT_EQ(first.bodies.mass[0], 1e9F);
  EXPECT_EQ(read_text(text, {.group = "STARS"}).bodies.mass[0], 2e9F);
  EXPECT_NE(text_refusal(text, {.group = "DUST"}).find("GAS, STARS with --set group=NAME"),
            std::string::npos);
}

TEST_F(Sky, DecimalCommas) {
  for (const char* const text :
       {"ra;dec;distance\n10,5;41,25;2,0\n83,5;22,1;0,5\n",
        "ra dec distance\n10,5 41,25 2,0\n83,5 22,1 0,5\n",
        "ra\tdec\tdistance\n10,5\t41,25\t2,0\n83,5\t22,1\t0,5\n",
        "ra,dec,distance\n\"10,5\",\"41,25\",\"2,0\"\n\"83,5\",\"22,1\",\"0,5\"\n"}) {
    const auto scene = read_text(text),
               with_points = read_text("ra,dec,distance\n10.5,41.25,2\n83.5,22.1,.5\n");
    ASSERT_EQ(scene.bodies.size(), 2U) << text;
    EXPECT_EQ(scene.bodies.position[0], with_points.bodies.position[0]) << text;
    EXPECT_TRUE(has_note(scene, "decimal commas")) << text;
  }
  EXPECT_NE(text_refusal("ra;dec;distance\n10,500;41,250;2,125\n").find("one of thousands"),
            std::string::npos);
  EXPECT_NE(text_refusal("ra;dec;distance\n10,5;41.25;2.125\n").find("beside '"), std::string::npos);
  EXPECT_NE(text_refusal("ra,dec,distance\n10,5,41,25,2,0\n").find("decimal commas"), std::string::npos);
}

TEST_F(Sky, NumbersBeyondSinglePrecisionAreScaled) {
  const auto scene = read_text("ra,dec,distance,mass\n10,41,2,1e45\n11,41,2,1e44\n");
  EXPECT_LT(scene.scale, 1.0);
  EXPECT_NEAR(scene.bodies.mass[0] * scene.units.mass / (1e45 * find_unit_system("kpc")->units.mass), 1.0,
              1e-5);
}

TEST_F(Sky, FitsTables) {
  expect_objects(read_text(fits()));
  EXPECT_NE(text_refusal(fits(99999999)).find("too short"), std::string::npos);
  EXPECT_NE(text_refusal(fits().substr(0, 2880)).find("without a table"), std::string::npos);
  EXPECT_NE(text_refusal(fits().substr(0, 3200)).find("no END"), std::string::npos);
}

TEST_F(Sky, DirectionsThatAreNoNumbersAreRefused) {
  for (const auto* const form : {"'8A'", "'8B'", "'1C'", "'1P'"})
    EXPECT_NE(text_refusal(fits(4, form)).find("not columns of numbers"), std::string::npos) << form;
  const auto with_directions = [](std::string_view datatype, std::string_view more) {
    return fmt::format(
        R"(<VOTABLE><RESOURCE><TABLE><FIELD name="RAJ2000" datatype="{0}"/><FIELD name="DEJ2000" datatype="{0}"/>)"
        R"(<FIELD name="parallax" datatype="double"/>{1}<DATA><TABLEDATA>)",
        datatype, more);
  };
  constexpr std::string_view end = "</TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>";
  for (const auto* const datatype : {R"(char" arraysize="*)", R"(double" arraysize="2)", "boolean"}) {
    const auto text = with_directions(datatype, "") +
                      "<TR><TD>05 35 17.3</TD><TD>-05 23 28</TD><TD>2.4</TD></TR>" + std::string(end);
    EXPECT_NE(text_refusal(text).find("not columns of numbers"), std::string::npos) << text;
  }
  const auto galactic = with_directions(
      R"(char" arraysize="*)", R"(<FIELD name="l" datatype="float"/><FIELD name="b" datatype="float"/>)");
  EXPECT_EQ(read_text(galactic + "<TR><TD>05 35</TD><TD>-05 23</TD><TD>2</TD><TD>0</TD><TD>0</TD></TR>" +
                      std::string(end))
                .bodies.size(),
            1U);
  const auto body = std::string(
      R"(<VOTABLE><TABLE><FIELD name="x" datatype="char"/><FIELD name="y" datatype="char"/><DATA><TABLEDATA>)"
      "<TR><TD>1</TD><TD>2</TD></TR></TABLEDATA></DATA></TABLE></VOTABLE>");
  EXPECT_NE(text_refusal(body).find("holds no numbers"), std::string::npos);
}

// ---- VOTable ----

std::string votable() {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VOTABLE version=\"1.4\"><RESOURCE><TABLE>\n"
      "<FIELD name=\"source_id\" datatype=\"long\"/>";
  for (const auto* const name : {"ra", "dec", "parallax", "pmra", "pmdec", "radial_velocity"})
    text += fmt::format("<FIELD name=\"{}\" datatype=\"double\"/>", name);
  text += "<FIELD name=\"tag\" datatype=\"char\" arraysize=\"*\"/><DATA><TABLEDATA>\n<TR><TD>";
  for (const char c : rows) {
    if (c == ',')
      text += "</TD><TD>";
    else if (c == '\n')
      text += "</TD><TD>a &amp; b</TD></TR>\n<TR><TD>";
    else
      text += c;
  }
  text.resize(text.size() - std::string_view("<TR><TD>").size());
  return text + "</TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>\n";
}

TEST_F(Sky, VoTables) {
  expect_objects(read_text(votable()));
  auto coded = votable();
  coded.replace(coded.find("<TABLEDATA>"), 11, "<BINARY2>");
  EXPECT_NE(text_refusal(coded).find("coded (BINARY2)"), std::string::npos);
  auto wrong = votable();
  wrong.replace(wrong.find("<TD>200"), 7, "<TD>2oo");
  EXPECT_NE(text_refusal(wrong).find("'2oo' in row 3"), std::string::npos);
  EXPECT_NE(text_refusal(votable().substr(0, votable().size() / 2)).find("no XML"), std::string::npos);
}

}  // namespace
}  // namespace orrery::sim
