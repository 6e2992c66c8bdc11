#include "tests/sim/snapshots/snapshot_testing.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>

#include "sim/core/error.h"

namespace orrery::sim {

namespace fs = std::filesystem;

SnapshotTest::SnapshotTest() {
  const auto* const info = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string name = fmt::format("orrery-{}-{}-{}", info->test_suite_name(), info->name(), ::getpid());
  std::ranges::replace(name, '/', '-');
  folder_ = fs::temp_directory_path() / name;
  fs::create_directories(folder_);
}

SnapshotTest::~SnapshotTest() {
  std::error_code error;
  fs::remove_all(folder_, error);
}

fs::path SnapshotTest::save(std::string_view name, std::string_view content) const {
  auto path = folder_ / name;
  fs::remove(path);  // some file systems write through when a file is overwritten
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

Scene SnapshotTest::read_text(std::string_view content, const ReadOptions& options) const {
  return read_snapshot(save("text", content), options);
}

std::string SnapshotTest::refusal(const fs::path& path, const ReadOptions& options) {
  try {
    read_snapshot(path, options);
  } catch (const Error& error) {
    EXPECT_TRUE(is_one_short_line(error.what())) << error.what();
    return error.what();
  }
  ADD_FAILURE() << path << " was read";
  return {};
}

std::string SnapshotTest::text_refusal(std::string_view content, const ReadOptions& options) const {
  return refusal(save("text", content), options);
}

std::size_t SnapshotTest::files() const {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
}

fs::path real_data() {
  const fs::path data = ORRERY_TEST_DATA;
  return fs::is_directory(data) ? data : fs::path();
}

std::vector<fs::path> real_snapshots() {
  const auto data = real_data();
  std::vector<fs::path> found;
  if (data.empty()) return found;
  for (const auto* const name :
       {"tipsy/galaxy_20K.bin", "tipsy/tiny.000640", "tipsy/tiny.000832", "text/plummer100.in",
        "text/plummer1k.in", "text/disk_galaxy_N6000.txt", "reference/truth.csv", "nemo/plummer128.nemo",
        "hdf5/default_amuse_plummer.hdf5"}) {
    found.push_back(data / name);
  }
  for (const auto& entry : fs::directory_iterator(data / "reference")) {
    const auto extension = entry.path().extension().string(), name = entry.path().filename().string();
    // Of VTK's files the one that is in the form of ours.
    if (name.starts_with("ref_tipsy") || name == "ref_appended_u64.vtp" || extension == ".gad" ||
        extension == ".hdf5")
      found.push_back(entry.path());
  }
  for (const auto& entry : fs::directory_iterator(data / "gadget")) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool is_one_short_line(std::string_view message) {
  return !message.empty() && message.size() < 300 &&
         std::ranges::none_of(message, [](char c) { return c < ' '; });
}

bool has_note(const Scene& scene, std::string_view part) {
  return std::ranges::any_of(scene.notes,
                             [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

Scene varied_scene(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto number = [&] {
    const double mantissa = static_cast<double>(random() >> 11) * 0x1p-53 - 0.5;
    return static_cast<float>(std::ldexp(mantissa, static_cast<int>(random() % 60) - 30));
  };
  Scene scene;
  auto& bodies = scene.bodies;
  bodies.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    bodies.position[i] = {number(), number(), number()};
    bodies.velocity[i] = {number(), number(), number()};
    bodies.mass[i] = std::abs(number());
    bodies.component[i] = static_cast<Component>(random() % component_count);
  }
  std::shuffle(bodies.id.begin(), bodies.id.end(), random);
  scene.time = 1.5;
  return scene;
}

namespace {
template <typename T>
std::vector<T> permuted(const std::vector<T>& values, const std::vector<std::size_t>& order) {
  std::vector<T> result;
  result.reserve(order.size());
  for (const auto i : order) result.push_back(values[i]);
  return result;
}
}  // namespace

Scene charged_scene(std::size_t count) {
  Scene scene = varied_scene(count, 21);
  for (std::size_t i = 0; i < count; ++i)
    scene.bodies.charge[i] = scene.bodies.velocity[i].x * (i % 3 == 0 ? 0.0F : 1e-3F);
  return scene;
}

Bodies sorted_by_id(const Bodies& bodies) {
  std::vector<std::size_t> order(bodies.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return bodies.id[i]; });
  return {permuted(bodies.position, order), permuted(bodies.velocity, order),
          permuted(bodies.mass, order),     permuted(bodies.charge, order),
          permuted(bodies.id, order),       permuted(bodies.component, order),
          permuted(bodies.galaxy, order)};
}

void expect_same_bodies(const Bodies& a, const Bodies& b) {
  EXPECT_TRUE(a.position == b.position);
  EXPECT_TRUE(a.velocity == b.velocity);
  EXPECT_TRUE(a.mass == b.mass);
  EXPECT_TRUE(a.charge == b.charge);
  EXPECT_TRUE(a.id == b.id);
  EXPECT_TRUE(a.component == b.component);
  EXPECT_TRUE(a.galaxy == b.galaxy);
  EXPECT_TRUE(a.color == b.color);
}

}  // namespace orrery::sim
