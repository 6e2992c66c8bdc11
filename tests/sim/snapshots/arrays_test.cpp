// NumPy arrays and archives, and what zip archives promise.
#include <zlib.h>

#include <array>
#include <bit>

#include "sim/core/byte_order.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

using Numpy = SnapshotTest;

template <typename T>
void put(std::string& to, T value, bool big_endian = false) {
  std::array<std::byte, sizeof(T)> bytes;
  store(value, big_endian, bytes.data());
  to.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// An .npy file of a version; `type` is a literal as '<f8' or a list.
std::string npy(std::string_view type, std::string_view shape, std::string_view data, bool fortran = false,
                char version = 1) {
  std::string header = "{'descr': " + std::string(type) +
                       ", 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + std::string(shape) + ", }\n";
  std::string file("\x93NUMPY", 6);
  file += version;
  file += '\0';
  if (version == 1)
    put(file, static_cast<std::uint16_t>(header.size()));
  else
    put(file, static_cast<std::uint32_t>(header.size()));
  return file + header + std::string(data);
}

template <typename T>
std::string numbers(std::initializer_list<double> values, bool big_endian = false) {
  std::string data;
  for (const double value : values) put(data, static_cast<T>(value), big_endian);
  return data;
}

std::string deflated(const std::string& content) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

struct Entry {
  std::string name, content;
};

/// An archive; `promised` replaces the size of the first file.
std::string zip(const std::vector<Entry>& entries, bool packed, std::uint32_t promised = 0) {
  std::string file, directory;
  for (const auto& [name, content] : entries) {
    const auto stored = packed ? deflated(content) : content;
    const auto size = promised > 0 ? promised : static_cast<std::uint32_t>(content.size());
    std::string common;
    for (const int value : {20, 0, packed ? 8 : 0, 0, 0}) put(common, static_cast<std::uint16_t>(value));
    put(common, static_cast<std::uint32_t>(
                    crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size())));
    put(common, static_cast<std::uint32_t>(stored.size()));
    put(common, size);
    put(common, static_cast<std::uint16_t>(name.size()));
    put(common, std::uint16_t{0});
    directory += "PK\x01\x02" + std::string("\x14\0", 2) + common + std::string(10, '\0');
    put(directory, static_cast<std::uint32_t>(file.size()));
    directory += name;
    file += "PK\x03\x04" + common + name + stored;
  }
  const auto begin = static_cast<std::uint32_t>(file.size());
  file += directory + "PK\x05\x06" + std::string(4, '\0');
  put(file, static_cast<std::uint16_t>(entries.size()));
  put(file, static_cast<std::uint16_t>(entries.size()));
  put(file, static_cast<std::uint32_t>(directory.size()));
  put(file, begin);
  return file + std::string(2, '\0');
}

TEST_F(Numpy, PlacesInBothOrdersOfBytesAndOfTheArray) {
  const auto c = read_text(npy("'<f8'", "(2, 3)", numbers<double>({1, 2, 3, -1, -2, -3})));
  const auto fortran =
      read_text(npy("'>f4'", "(2, 3)", numbers<float>({1, -1, 2, -2, 3, -3}, true), true, 2));
  const auto whole =
      read_text(npy("'<i2'", "(2, 3)", numbers<std::int16_t>({1, 2, 3, -1, -2, -3}), false, 3));
  for (const auto* const scene : {&c, &fortran, &whole}) {
    ASSERT_EQ(scene->bodies.size(), 2U);
    EXPECT_EQ(scene->bodies.position[1], (Vec3{-1, -2, -3}));
    EXPECT_FALSE(scene->has_velocities);
    EXPECT_TRUE(has_note(*scene, "taken as x y z"));
  }
}

TEST_F(Numpy, MassesAreFoundAsInATextTable) {
  const auto first = numbers<double>({0.5, 1, 2, 3, 4, 5, 6, 0.5, -1, -2, -3, -4, -5, -6});
  const auto last = numbers<double>({1, 2, 3, 4, 5, 6, 0.5, -1, -2, -3, -4, -5, -6, 0.5});
  for (const auto& data : {first, last}) {
    const auto scene = read_text(npy("'<f8'", "(2, 7)", data));
    EXPECT_EQ(scene.bodies.mass[1], 0.5F);
    EXPECT_EQ(scene.bodies.position[1], (Vec3{-1, -2, -3}));
    EXPECT_EQ(scene.bodies.velocity[1], (Vec3{-4, -5, -6}));
    EXPECT_TRUE(has_note(scene, "; --columns overrides this"));
  }
  const auto named = read_text(npy("'<f8'", "(2, 7)", last), {.columns = "vx,vy,vz,x,y,z,mass"});
  EXPECT_EQ(named.bodies.velocity[0], (Vec3{1, 2, 3}));
}

TEST_F(Numpy, StructuredArrays) {
  std::string data;
  for (const float sign : {1.0F, -1.0F}) {
    put(data, std::int64_t{sign > 0 ? 9 : 4});
    for (const float x : {1.0F, 2.0F, 3.0F}) put(data, sign * x);
    for (const double v : {4.0, 5.0, 6.0}) put(data, static_cast<double>(sign) * v, true);
    put(data, 0.25F);
    data += "tag ";
  }
  const auto scene = read_text(
      npy("[('id', '<i8'), ('pos', '<f4', (3,)), ('vel', '>f8', (3,)), ('m', '<f4'), ('tag', '|S4')]", "(2,)",
          data));
  EXPECT_EQ(scene.bodies.id, (std::vector<std::uint64_t>{9, 4}));
  EXPECT_EQ(scene.bodies.position[1], (Vec3{-1, -2, -3}));
  EXPECT_EQ(scene.bodies.velocity[0], (Vec3{4, 5, 6}));
  EXPECT_EQ(scene.bodies.mass[1], 0.25F);
  EXPECT_TRUE(has_note(scene, "left out: tag"));
}

TEST_F(Numpy, ArchivesStoredAndDeflated) {
  const std::vector<Entry> entries{
      {"x.npy", npy("'<f8'", "(2,)", numbers<double>({1, 2}))},
      {"y.npy", npy("'<f4'", "(2,)", numbers<float>({3, 4}))},
      {"z.npy", npy("'<i4'", "(2,)", numbers<std::int32_t>({5, 6}))},
      {"velocity.npy", npy("'<f8'", "(2, 3)", numbers<double>({1, 2, 3, 4, 5, 6}))},
      {"u.npy", npy("'<f8'", "(2,)", numbers<double>({7, 8}))},
      {"time.npy", npy("'<f8'", "()", numbers<double>({2.5}))},
  };
  for (const bool packed : {false, true}) {
    const auto scene = read_text(zip(entries, packed));
    EXPECT_EQ(scene.bodies.position[1], (Vec3{2, 4, 6}));
    EXPECT_EQ(scene.bodies.velocity[1], (Vec3{4, 5, 6}));
    EXPECT_EQ(scene.time, 2.5);
  }
  const auto one = read_text(zip({{"arr_0.npy", npy("'<f8'", "(1, 3)", numbers<double>({1, 2, 3}))}}, true));
  EXPECT_EQ(one.bodies.position[0], (Vec3{1, 2, 3}));
}

TEST_F(Numpy, HostileFilesAreRefused) {
  const auto refused = [&](const std::string& file, std::string_view why) {
    EXPECT_NE(text_refusal(file).find(why), std::string::npos) << why << ": " << text_refusal(file);
  };
  const auto xyz = numbers<double>({1, 2, 3});
  refused(npy("'|O'", "(2, 3)", xyz), "pickled Python objects");
  refused(npy("'<f8'", "(99999999999999, 3)", xyz), "too short");
  refused(npy("'<f8'", "(4294967296, 4294967296, 3)", xyz), "too short");
  refused(npy("'<c16'", "(1, 1)", numbers<double>({1, 2})), "'c16'");
  refused(npy("'<f8'", "(3,)", xyz), "1 dimensions");
  refused(npy("'<f8'", "(9, 9)", std::string(648, '\0')), "no common layout");
  refused(npy("'<f8'", "(1, 5)", numbers<double>({1, 2, 3, 4, 5})), "name them, as in --columns");
  refused(npy("'<f8'", "(3, 9)", std::string(216, '\0')), "transpose");
  refused(npy("'f8'", "(1, 3)", xyz), "makes no sense");
  refused(npy("__import__('os')", "(1, 3)", xyz), "makes no sense");
  const Entry pos{"pos.npy", npy("'<f8'", "(1, 3)", xyz)};
  refused(zip({pos}, true, 0xf0000000U), "would become");
  refused(zip({pos}, true, 1000), "damaged");
  auto damaged = zip({pos}, false);
  damaged[damaged.find("(1, 3)") + 20] ^= 1;
  refused(damaged, "damaged");
  refused(zip({pos}, false).substr(0, 150), "directory");
  refused(zip({{"a.npy", pos.content}, {"b.npy", pos.content}}, false), "none of its arrays are positions");
}

using Foreign = SnapshotTest;

TEST_F(Foreign, FilesOfOtherProgramsAreNamed) {
  const std::array<std::array<std::string, 2>, 12> files{{
      {std::string("\x2c\0\0\0\x61\xed\0\0", 8) + std::string(60, '\1'), "a Phantom dump"},
      {std::string("\0\0\0\x2c\0\0\xed\x61", 8) + std::string(60, '\1'), "a Phantom dump"},
      {"ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\n", "a LAMMPS dump"},
      {"a box of argon\n\n2 atoms\n1 atom types\n\nAtoms\n\n1 1 0 0 0\n2 1 1 1 1\n", "a LAMMPS data file"},
      {"# .PCD v0.7 - Point Cloud Data\nFIELDS x y z\nDATA ascii\n1 2 3\n", "a PCD point cloud"},
      {std::string("LASF\0\0\1\2", 8) + std::string(200, '\0'), "a LAS or LAZ point cloud"},
      {std::string("PAR1\x15\0PAR1", 10), "a Parquet file"},
      {"#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n", "an ASDF file"},
      {"[\n {\"x\": 1, \"y\": 2}\n]\n", "a JSON file"},
      {"{ \"x\": [1, 2] }", "a JSON file"},
      {"(Particle\n  N = 2\n(Log\n)Log\n)Particle\n", "a Starlab snapshot"},
      {")O+_06 Big-body initial data\n style = Cartesian\n", "a Mercury file"},
  }};
  for (const auto& [content, name] : files)
    EXPECT_NE(text_refusal(content).find("it is " + name), std::string::npos) << text_refusal(content);
}

TEST_F(Foreign, TablesThatLookSimilarAreRead) {
  EXPECT_EQ(read_text("# 2 atoms of a crystal\n1 2 3\n4 5 6\n").bodies.size(), 2U);
  EXPECT_EQ(read_text("x,y,z\n1,2,3\n").bodies.size(), 1U);
}

TEST_F(Numpy, OfTwoArraysOfOneQuantityTheFirstCounts) {
  const auto scene = read_text(npy("[('x', '<f8'), ('y', '<f8'), ('m', '<f8'), ('mass', '<f8')]", "(2,)",
                                   numbers<double>({1, 2, 3, 30, -1, 4, 5, 50})));
  EXPECT_EQ(scene.bodies.mass, (std::vector{3.0F, 5.0F}));
  EXPECT_TRUE(has_note(scene, "left out: mass"));
}

TEST_F(Numpy, AnEnergyOrASpeedBesideVelocitiesIsNone) {
  for (const std::string name : {"u", "v", "vel", "v_tot"}) {
    const auto scene = read_text(npy("[('" + name +
                                         "', '<f8'), ('vx', '<f8'), ('vy', '<f8'), ('vz', '<f8'), "
                                         "('x', '<f8'), ('y', '<f8'), ('z', '<f8')]",
                                     "(2,)", numbers<double>({9, 1, 2, 3, 4, 5, 6, 9, -1, -2, -3, 7, 8, 9})));
    EXPECT_EQ(scene.bodies.velocity.front().x, 1.0F) << name;
    EXPECT_EQ(scene.bodies.velocity.front().y, 2.0F) << name;
    EXPECT_TRUE(scene.has_velocities) << name;
    EXPECT_TRUE(has_note(scene, "left out: " + name)) << name;
  }
}

TEST_F(Numpy, ASpeedAloneIsNoVelocity) {
  const std::string places = "[('x', '<f8'), ('y', '<f8'), ('vel', '<f8')]";
  EXPECT_NE(text_refusal(npy(places, "(2,)", numbers<double>({1, 2, 3, -1, 4, 5}))).find("does not fit"),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::sim
