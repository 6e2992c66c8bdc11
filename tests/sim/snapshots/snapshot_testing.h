#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scene/scene.h"
#include "sim/snapshots/format.h"

namespace orrery::sim {

/// A folder of its own for each test, removed afterwards.
class SnapshotTest : public ::testing::Test {
 public:
  SnapshotTest();
  ~SnapshotTest() override;

 protected:
  const std::filesystem::path& folder() const { return folder_; }
  /// Writes `content` to `name` in the folder.
  std::filesystem::path save(std::string_view name, std::string_view content) const;
  /// Reads `content` as a file.
  Scene read_text(std::string_view content, const ReadOptions& options = {}) const;
  /// The message with which reading `path` fails; fails the test if it succeeds or if it is not one short
  /// line.
  static std::string refusal(const std::filesystem::path& path, const ReadOptions& options = {});
  std::string text_refusal(std::string_view content, const ReadOptions& options = {}) const;
  /// How many files the folder holds.
  std::size_t files() const;

 private:
  std::filesystem::path folder_;
};

/// Where the real files are, or empty if they are absent.
std::filesystem::path real_data();

/// All files of real data that can be read.
std::vector<std::filesystem::path> real_snapshots();

std::string content_of(const std::filesystem::path& path);

/// A message as users must get it: one line, not empty, below 300 characters.
bool is_one_short_line(std::string_view message);

bool has_note(const Scene& scene, std::string_view part);

/// `count` bodies with all components, random numbers of all magnitudes, ids that are not in order.
Scene varied_scene(std::size_t count, std::uint64_t seed);

/// The same with charges, every third of them larger.
Scene charged_scene(std::size_t count);

/// The bodies in the order of their ids.
Bodies sorted_by_id(const Bodies& bodies);

/// Exact equality of all arrays.
void expect_same_bodies(const Bodies& a, const Bodies& b);

}  // namespace orrery::sim
