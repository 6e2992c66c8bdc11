#include "app/run/file_arguments.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sim/core/error.h"
#include "tests/temporary_folder.h"

// Outputs that collide with each other, or with what is read.
namespace orrery::app {
namespace {

namespace fs = std::filesystem;

class FileArguments : public testing::Test {
 protected:
  fs::path there(const std::string& name) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << "text";
    return folder_ / name;
  }
  fs::path absent(const std::string& name) const { return folder_ / name; }
  static void expect_refused(const std::vector<FileArgument>& files) {
    EXPECT_THROW(check_files(files), sim::UsageError) << files.front().path << " and " << files.back().path;
  }
  static void expect_taken(const std::vector<FileArgument>& files) {
    EXPECT_NO_THROW(check_files(files)) << files.front().path << " and " << files.back().path;
  }

 private:
  const test::TemporaryFolder temporary_;

 protected:
  const fs::path& folder_ = temporary_.path();
};

TEST_F(FileArguments, TwoOutputsHaveTwoNames) {
  for (const auto one : {FileRole::written, FileRole::written, FileRole::checkpoint}) {
    for (const auto other : {FileRole::written, FileRole::written, FileRole::filled}) {
      expect_refused({{"-o", absent("a"), one}, {"--json", absent("a"), other}});
      expect_refused({{"-o", absent("a"), one}, {"--json", folder_ / "." / "x" / ".." / "a", other}});
      expect_taken({{"-o", absent("a"), one}, {"--json", absent("b"), other}});
    }
  }
}

TEST_F(FileArguments, LinksAreSeenThrough) {
  const auto file = there("a.bin");
  fs::create_symlink(file, folder_ / "soft");
  fs::create_hard_link(file, folder_ / "hard");
  fs::create_directory_symlink(folder_, folder_ / "folder");
  for (const auto* name : {"soft", "hard", "folder/a.bin"}) {
    expect_refused({{"DATA", file, FileRole::read}, {"-o", folder_ / name, FileRole::written}});
    expect_refused({{"-o", file, FileRole::written}, {"--json", folder_ / name, FileRole::written}});
  }
}

TEST_F(FileArguments, NothingThatIsReadIsWritten) {
  const auto file = there("a.bin");
  for (const auto role : {FileRole::written, FileRole::written, FileRole::checkpoint, FileRole::filled})
    expect_refused({{"DATA", file, FileRole::read}, {"-o", file, role}});
  // The name of a built-in galaxy is no file.
  expect_taken({{"DATA", absent("plummer"), FileRole::read}, {"-o", absent("plummer"), FileRole::written}});
}

TEST_F(FileArguments, FilesOfFoldersAndPatternsAreRead) {
  const auto first = there("run/s-1.bin");
  const auto output = there("run/s-2.bin");
  for (const auto& input : {folder_ / "run", folder_ / "run/s-*.bin", folder_ / "run/s-?.bin"})
    expect_refused({{"DATA", input, FileRole::read}, {"-o", output, FileRole::written}});
  expect_taken({{"DATA", folder_ / "run", FileRole::read}, {"-o", absent("run/new.bin"), FileRole::written}});
  expect_taken({{"DATA", first, FileRole::read}, {"-o", output, FileRole::written}});
}

TEST_F(FileArguments, TheOtherPartsOfASnapshotAreRead) {
  const auto first = there("snap_7.0.hdf5");
  expect_refused({{"DATA", first, FileRole::read}, {"-o", there("snap_7.12.hdf5"), FileRole::written}});
  expect_refused({{"DATA", there("snap.0"), FileRole::read}, {"-o", there("snap.1"), FileRole::written}});
  expect_taken({{"DATA", first, FileRole::read}, {"-o", there("snap_8.0.hdf5"), FileRole::written}});
}

TEST_F(FileArguments, ACheckpointGoesOnInItsFile) {
  const auto file = there("run");
  expect_taken({{"--resume", file, FileRole::read}, {"--checkpoint", file, FileRole::checkpoint}});
  expect_refused({{"--state", file, FileRole::read}, {"--checkpoint", file, FileRole::checkpoint}});
  expect_refused({{"--resume", file, FileRole::read}, {"--write-state", file, FileRole::written}});
  // The one before, too.
  expect_refused({{"--checkpoint", absent("new"), FileRole::checkpoint},
                  {"--write-state", absent("new.previous"), FileRole::written}});
}

TEST_F(FileArguments, WhatAFolderIsFilledWithIsNobodyElses) {
  expect_refused({{"--series", absent("out"), FileRole::filled},
                  {"--write-state", absent("out/step-00000003.vtp"), FileRole::written}});
  expect_taken({{"--series", absent("out"), FileRole::filled},
                {"--checkpoint", absent("out/run"), FileRole::checkpoint}});
}

TEST_F(FileArguments, StandardStreamsAreNoFiles) {
  expect_taken({{"--json", "-", FileRole::written, true}, {"--csv", "", FileRole::written}});
}

TEST_F(FileArguments, AFileThatExistsIsRefusedUnlessItIsToBeReplaced) {
  const auto file = there("a.bin");
  const auto refusal = [](const std::vector<FileArgument>& files) {
    try {
      check_existing(files);
    } catch (const sim::Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_TRUE(refusal({{"-o", file, FileRole::written}})
                  .ends_with("a.bin' exists: name another file, or replace it with --overwrite"));
  for (const auto role :
       {FileRole::read, FileRole::checkpoint, FileRole::filled, FileRole::settled, FileRole::kept_new})
    EXPECT_EQ(refusal({{"-o", file, role}}), "");
  EXPECT_EQ(refusal({{"-o", absent("b"), FileRole::written}, {"--json", "-", FileRole::written, true}}), "");
}

}  // namespace
}  // namespace orrery::app
