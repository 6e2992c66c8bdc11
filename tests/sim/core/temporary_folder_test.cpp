#include "sim/core/temporary_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <optional>

#include "tests/temporary_folder.h"

namespace orrery::sim {
namespace {

namespace fs = std::filesystem;

/// A folder for temporary files of its own, in which programs were killed.
class LeftFolders : public testing::Test {
 protected:
  LeftFolders() {
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    setenv("TMPDIR", root_.path().c_str(), 1);
  }
  ~LeftFolders() override {
    if (before_)
      setenv("TMPDIR", before_->c_str(), 1);
    else
      unsetenv("TMPDIR");
  }

  /// A folder with a file, as a program of `age` seconds ago left it.
  fs::path leave(const std::string& name, mode_t mode = 0700, int age = 600) const {
    const auto path = root_ / name;
    fs::create_directory(path);
    std::ofstream(path / "upload.csv") << "x,y\n";
    chmod(path.c_str(), mode);
    const timespec time{std::time(nullptr) - age, 0}, times[] = {time, time};
    utimensat(AT_FDCWD, path.c_str(), times, 0);
    return path;
  }
  static void make_old(const fs::path& folder) {
    const timespec time{std::time(nullptr) - 600, 0}, times[] = {time, time};
    utimensat(AT_FDCWD, folder.c_str(), times, 0);
  }

  const test::TemporaryFolder root_;
  std::optional<std::string> before_;
};

TEST_F(LeftFolders, AreRemovedByTheNextOne) {
  const auto left = leave("orrery-serve-aB3xY9");
  const TemporaryFolder next("orrery-serve", "uploads");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(next.path()));
}

TEST_F(LeftFolders, StayWhileTheyAreInUse) {
  const TemporaryFolder used("orrery-serve", "uploads");
  std::ofstream(used.path() / "upload.csv") << "x,y\n";
  make_old(used.path());
  const TemporaryFolder next("orrery-serve", "uploads");
  EXPECT_TRUE(fs::exists(used.path() / "upload.csv"));
}

TEST_F(LeftFolders, StayWhereTheyMayBeSomethingElse) {
  const auto elsewhere = leave("elsewhere");
  fs::create_directory_symlink(elsewhere, root_ / "orrery-serve-aaaaaa");
  const fs::path others[] = {leave("orrery-serve-bbbbbb", 0755), leave("orrery-serve-cccccc", 0700, 5),
                             leave("orrery-serve-ccccccc"),      leave("orrery-serve-cc.ccc"),
                             leave("orrery-device-dddddd"),      elsewhere};
  const TemporaryFolder next("orrery-serve", "uploads");
  for (const auto& each : others) EXPECT_TRUE(fs::exists(each / "upload.csv")) << each;
}

}  // namespace
}  // namespace orrery::sim
