// Texts that are no tables with a body a line: Horizons', Princeton's.
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

using OtherWords = SnapshotTest;
using Horizons = SnapshotTest;
using Princeton = SnapshotTest;

TEST_F(OtherWords, AreRefusedByName) {
  const std::pair<const char*, const char*> cases[] = {
      {"3\n3\n0.5\n0.1\n0.2\n0.3\n1 2 3\n2 3 4\n4 5 6\n0 1 2\n1 2 3\n2 3 4\n", "NEMO's atos"},
      {"1\n2\n0\n1\n1 2\n3 4\n", "NEMO's atos"},
      {"3 1 1\n3\n0.25\n.1\n.2\n.3\n1\n2\n3\n4\n5\n6\n7\n8\n9\n-1\n-2\n-3\n-4\n-5\n-6\n-7\n-8\n-9\n.1\n",
       "Tipsy's ascii2bin"},
      {"char History[30] \"mkplummer out=- nbody=2\"\nset SnapShot\n  set Parameters\n    int Nobj 02 \n",
       "rsf"},
      {"set SnapShot\n set Particles\n double Mass[30] 0.1 0.2 . . .\n", "rsf"},
      {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n", "a PLY point cloud"},
      {"ply\r\nformat ascii 1.0\r\n", "a PLY point cloud"}};
  for (const auto& [text, named] : cases) {
    const auto refusal = text_refusal(text);
    EXPECT_NE(refusal.find("which is not read"), std::string::npos) << refusal;
    EXPECT_NE(refusal.find(named), std::string::npos) << refusal;
  }
  EXPECT_NE(text_refusal("5\n1\n2\n3\n4\n5\n").find("list of one quantity"), std::string::npos);
}

TEST_F(Horizons, FirstStateOfTheBody) {
  const auto scene = read_text(
      "VertexTarget body name: Earth (399)    {source: DE441}\n$$SOE\n"
      "2458849.5, A.D. 2020-Jan-01 00:00:00.0000, -1.0E-01, 9.0E-01, 3.0E-05, -1.7E-02, -3.0E-03, 2.0E-07,\n"
      "2458850.5, A.D. 2020-Jan-02 00:00:00.0000, -2.0E-01, 9.0E-01, 3.0E-05, -1.7E-02, -3.0E-03, "
      "2.0E-07,\n$$EOE\n");
  ASSERT_EQ(scene.bodies.size(), 1U);
  EXPECT_EQ(scene.title, "Earth");
  EXPECT_EQ(scene.bodies.position[0], (Vec3{-0.1F, 0.9F, 3e-5F}));
  EXPECT_EQ(scene.bodies.velocity[0], (Vec3{-0.017F, -0.003F, 2e-7F}));
  EXPECT_TRUE(has_note(scene, "2458849.5"));
  EXPECT_TRUE(has_note(scene, "2 times"));
  EXPECT_NE(text_refusal("$$SOE\n1, 2\n$$EOE\n").find("CSV"), std::string::npos);
  EXPECT_NE(text_refusal("$$SOE\n").find("no end"), std::string::npos);
  EXPECT_NE(text_refusal("$$SOE\n\n$$EOE\n").find("empty"), std::string::npos);
}

TEST_F(Princeton, PlanetsWithPictures) {
  const auto scene = read_text(
      "2\n2.5e11\n1.4960e+11 0.0 0.0 2.98e+04 5.9740e+24 earth.gif\n0.0 0.0 0.0 0.0 1.9890e+30 sun.gif\n\n"
      "This file describes two bodies.\n");
  ASSERT_EQ(scene.bodies.size(), 2U);
  EXPECT_EQ(scene.bodies.velocity[0], (Vec3{0, 2.98e4F, 0}));
  EXPECT_EQ(scene.bodies.mass[1], 1.989e30F);
}

}  // namespace
}  // namespace orrery::sim
