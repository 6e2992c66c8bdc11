#include "sim/core/private_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "sim/core/error.h"
#include "tests/temporary_folder.h"

// What other users may have written is not run, and secrets are for nobody else.
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

/// Read, write and execute rights of owner, group and others.
unsigned mode_of(const fs::path& file) { return static_cast<unsigned>(fs::status(file).permissions()); }

TEST_F(PrivateFile, SecretsAreWrittenAnewForThisUserOnly) {
  const auto file = folder_ / "secret.json";
  write_secret(file, "one");
  EXPECT_EQ(mode_of(file), 0600U);
  // A file that others can read, and have open perhaps.
  fs::permissions(file, fs::perms(0644));
  std::ifstream reader(file);
  write_secret(file, "two");
  EXPECT_EQ(mode_of(file), 0600U);
  std::string seen;
  reader >> seen;
  EXPECT_EQ(seen, "one");
  EXPECT_EQ(read_secret(file), "two");
}

TEST_F(PrivateFile, SecretsAreNotWrittenThroughLinks) {
  const auto target = save("target"), link = folder_ / "link", hanging = folder_ / "hanging";
  fs::create_symlink(target, link);
  fs::create_symlink(folder_ / "elsewhere", hanging);
  for (const auto& name : {link, hanging}) {
    write_secret(name, "secret");
    EXPECT_FALSE(fs::is_symlink(name));
    EXPECT_EQ(read_secret(name), "secret");
  }
  EXPECT_EQ(fs::file_size(target), 4U);
  EXPECT_FALSE(fs::exists(folder_ / "elsewhere"));
  // /dev/stdout is a link to a device or a pipe: it must stay one.
  fs::create_symlink("/dev/null", folder_ / "device");
  EXPECT_THROW(write_secret(folder_ / "device", "secret"), Error);
  EXPECT_TRUE(fs::is_symlink(folder_ / "device"));
  EXPECT_THROW(write_secret(folder_, "secret"), Error);
  EXPECT_THROW(write_secret(folder_ / "no" / "folder", "secret"), Error);
}

TEST_F(PrivateFile, SecretsOfAnotherUserAreRefused) {
  const auto file = save("token");
  fs::permissions(file, fs::perms(0600));
  if (::chown(file.c_str(), somebody_else, somebody_else) != 0) GTEST_SKIP() << "only root gives files away";
  try {
    read_secret(file);
    ADD_FAILURE() << "it was read";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("belongs to another user"), std::string::npos) << error.what();
  }
}

TEST_F(PrivateFile, SecretsThatOthersCanReadAreRefused) {
  const auto file = save("token");
  for (const unsigned mode : {0644U, 0640U, 0604U, 0620U}) {
    fs::permissions(file, fs::perms(mode));
    try {
      read_secret(file);
      ADD_FAILURE() << std::oct << mode;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("chmod 600 '" + file.string()), std::string::npos)
          << error.what();
    }
  }
  fs::permissions(file, fs::perms(0400));
  EXPECT_EQ(read_secret(file), "code");
  EXPECT_THROW(read_secret(folder_), Error);
  EXPECT_THROW(read_secret(folder_ / "absent"), Error);
}

}  // namespace
}  // namespace orrery::sim
