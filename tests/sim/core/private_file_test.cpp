#include "sim/core/private_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tests/temporary_folder.h"

// What other users may have written is not run.
namespace orrery::sim {
namespace {

namespace fs = std::filesystem;

constexpr uid_t somebody_else = 12345;

class PrivateFile : public testing::Test {
 protected:
  fs::path save(const std::string& name) const {
    std::ofstream(folder_ / name) << "code";
    return folder_ / name;
  }
  static bool others_write(const fs::path& path) {
    return (fs::status(path).permissions() & (fs::perms::group_write | fs::perms::others_write)) !=
           fs::perms::none;
  }

 private:
  const test::TemporaryFolder temporary_;

 protected:
  const fs::path& folder_ = temporary_.path();
};

TEST_F(PrivateFile, FoldersAreMadeForTheirOwner) {
  const auto folder = folder_ / "a" / "b" / "kernels";
  EXPECT_TRUE(make_private(folder));
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
  EXPECT_TRUE(make_private(folder));
}

TEST_F(PrivateFile, WhoMayWriteByChanceMayNotAnyMore) {
  for (const auto more :
       {fs::perms::others_write, fs::perms::group_write, fs::perms::group_all | fs::perms::others_all}) {
    const auto folder = folder_ / "kernels";
    fs::create_directory(folder);
    fs::permissions(folder, fs::perms::owner_all | more);
    EXPECT_TRUE(make_private(folder));
    EXPECT_FALSE(others_write(folder));
  }
}

TEST_F(PrivateFile, AFileIsNoFolderAndAFolderNoFile) {
  EXPECT_FALSE(make_private(save("file")));
  EXPECT_FALSE(make_private("/proc/nowhere"));
  EXPECT_EQ(read_private(folder_), "");
  EXPECT_EQ(read_private(folder_ / "absent"), "");
}

TEST_F(PrivateFile, LinksAreNotFollowed) {
  const auto file = save("file");
  fs::create_symlink(file, folder_ / "link");
  EXPECT_EQ(read_private(file), "code");
  EXPECT_EQ(read_private(folder_ / "link"), "");
}

TEST_F(PrivateFile, WhatAnotherUserOwnsIsNotTaken) {
  const auto file = save("file");
  const auto folder = folder_ / "kernels";
  fs::create_directory(folder);
  if (::chown(file.c_str(), somebody_else, somebody_else) != 0) GTEST_SKIP() << "only root gives files away";
  ASSERT_EQ(::chown(folder.c_str(), somebody_else, somebody_else), 0);
  EXPECT_EQ(read_private(file), "");
  EXPECT_FALSE(make_private(folder));
}

}  // namespace
}  // namespace orrery::sim
