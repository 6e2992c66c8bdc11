#include <gtest/gtest.h>

#include "kernel_folder_testing.h"
#include "kernel_testing.h"
#include "sim/core/error.h"
#include "sim/cuda/compiler/compiler.h"
#include "sim/cuda/driver/api.h"

namespace orrery::sim::cuda {
namespace {

namespace fs = std::filesystem;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(KernelFolder, WrittenSourcesAreTheEmbeddedOnes) {
  const SourceFolder folder;
  const auto files = read_kernel_folder(folder.path(), false);
  EXPECT_GE(files.all().size(), 9U);
  for (const auto& [name, file] : files.all()) {
    EXPECT_EQ(file.text, embedded_kernel_files().at(name).text) << name;
    EXPECT_FALSE(file.embedded) << name;
  }
}

TEST(KernelFolder, WritingNeverOverwrites) {
  const SourceFolder folder;
  fs::remove(folder.path() / "common.cuh");
  folder.write("update.cu", "mine");
  EXPECT_NE(message_of([&] { write_kernel_folder(folder.path()); }).find("exists"), std::string::npos);
  EXPECT_EQ(folder.text("update.cu"), "mine");
  EXPECT_FALSE(fs::exists(folder.path() / "common.cuh")) << "half a set of sources was written";
}

TEST(KernelFolder, AMissingFileIsTheEmbeddedOne) {
  const SourceFolder folder;
  fs::remove(folder.path() / "tiled.cu");
  const auto files = read_kernel_folder(folder.path(), false);
  EXPECT_TRUE(files.at("tiled.cu").embedded);
  EXPECT_EQ(files.at("tiled.cu").text, embedded_kernel_files().at("tiled.cu").text);
  EXPECT_FALSE(files.at("update.cu").embedded);
}

TEST(KernelFolder, SourcesMayLieAsInTheProgramsTree) {
  const SourceFolder folder;
  for (const auto& [name, part] : {std::pair("tiled.cu", "families"), std::pair("common.cuh", "device")}) {
    fs::create_directory(folder.path() / part);
    fs::rename(folder.path() / name, folder.path() / part / name);
    folder.write(std::string(part) + "/" + name, "mine");
  }
  const auto files = read_kernel_folder(folder.path(), false);
  EXPECT_EQ(files.at("tiled.cu").text, "mine");
  EXPECT_EQ(files.at("common.cuh").text, "mine");
  EXPECT_EQ(files.at("common.cuh").shown, (folder.path() / "device" / "common.cuh").string());
  EXPECT_FALSE(files.at("update.cu").embedded);
}

TEST(KernelFolder, WhatIsNoFolderOfSourcesIsRefused) {
  const SourceFolder folder;
  const auto problem = [](const fs::path& path) {
    return message_of([&] { read_kernel_folder(path, false); });
  };
  EXPECT_NE(problem(folder.path() / "none").find("--write-sources"), std::string::npos);
  EXPECT_NE(problem(folder.path() / "tiled.cu").find("no folder"), std::string::npos);
  fs::create_directory(folder.path() / "empty");
  EXPECT_NE(problem(folder.path() / "empty").find("no kernel source"), std::string::npos);
  fs::remove(folder.path() / "tiled.cu");
  fs::create_directory(folder.path() / "tiled.cu");
  EXPECT_NE(problem(folder.path()).find("no regular file"), std::string::npos);
}

class EditedKernel : public testing::Test {
 protected:
  void SetUp() override {
    if (nvrtc() == nullptr) GTEST_SKIP() << nvrtc_problem();
  }
  CompiledKernel compiled() const {
    return compile(configuration_, "sm_90", read_kernel_folder(folder_.path(), true));
  }
  SourceFolder folder_;
  KernelConfiguration configuration_ = kernel();
};

TEST_F(EditedKernel, GivesOtherCodeUnderAnotherKey) {
  const auto key = [&] {
    return cache_key(configuration_, "sm_90", read_kernel_folder(folder_.path(), true));
  };
  const auto before = compiled();
  const auto key_before = key();
  EXPECT_EQ(before.cubin, compile(configuration_, "sm_90").cubin);
  ASSERT_TRUE(folder_.edit("sums.cuh", "factor * sum.x", "2 * factor * sum.x"));
  EXPECT_NE(compiled().cubin, before.cubin);
  EXPECT_NE(key(), key_before);
}

TEST_F(EditedKernel, AnErrorNamesFileAndLineAndIsGoneWhenMended) {
  for (const std::string name : {"common.cuh", "tiled.cu", "update.cu"}) {
    const auto whole = folder_.text(name);
    const auto line = 1 + std::count(whole.begin(), whole.end(), '\n');
    folder_.write(name, whole + "int broken = ;\n");
    const auto message = message_of([&] { compiled(); });
    const auto place = (folder_.path() / name).string() + "(" + std::to_string(line) + "): error: ";
    EXPECT_NE(message.find(place), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
    folder_.write(name, whole);
    EXPECT_EQ(message_of([&] { compiled(); }), "");
  }
}

TEST_F(EditedKernel, FoldersWithOddNamesAreNamedToo) {
  const auto odd = folder_.path() / "an \"error\" \\ odd";
  write_kernel_folder(odd);
  std::ofstream(odd / "tiled.cu") << "\nbroken\n";
  const auto message = message_of([&] { compile(configuration_, "sm_90", read_kernel_folder(odd, true)); });
  EXPECT_NE(message.find("tiled.cu("), std::string::npos) << message;
  EXPECT_NE(message.find("): error"), std::string::npos) << message;
}

TEST_F(EditedKernel, WhileItIsBrokenTheLastGoodCodeIsCompiled) {
  ASSERT_TRUE(folder_.edit("sums.cuh", "factor * sum.x", "2 * factor * sum.x"));
  const auto good = read_kernel_folder(folder_.path(), true);
  const auto newest = [&](const KernelFiles* last_good, bool watched = true) {
    return compile_newest(configuration_, "sm_90", {}, read_kernel_folder(folder_.path(), watched),
                          last_good);
  };
  const auto edited = newest(nullptr);
  EXPECT_EQ(edited.problem, "");
  folder_.write("tiled.cu", "broken;\n");
  const auto kept = newest(&good);
  EXPECT_EQ(kept.cubin, edited.cubin);
  EXPECT_NE(kept.problem.find("tiled.cu(1): error"), std::string::npos) << kept.problem;
  // None was good, or what was good for another family is not for this one: the embedded code.
  const auto embedded = compile(configuration_, "sm_90").cubin;
  EXPECT_EQ(newest(nullptr).cubin, embedded);
  const auto good_for_others = read_kernel_folder(folder_.path(), true);
  EXPECT_EQ(newest(&good_for_others).cubin, embedded);
  EXPECT_NE(newest(&good_for_others).problem, "");
  EXPECT_THROW(newest(&good, false), Error) << "sources read once are what was asked for";
  folder_.write("tiled.cu", embedded_kernel_files().at("tiled.cu").text);
  EXPECT_EQ(newest(&good).problem, "");
}

class Watcher : public testing::Test {
 protected:
  static bool in_use(const std::string& name, const std::string& text) {
    return eventually([&] { return kernel_files()->at(name).text == text; });
  }
  SourceFolder folder_;
  Messages messages_;
};

TEST_F(Watcher, FollowsEditsAndSaysSo) {
  const KernelWatcher watcher(folder_.path(), messages_.say());
  EXPECT_TRUE(kernel_files()->watched());
  folder_.write("tiled.cu", "first edit");
  EXPECT_TRUE(in_use("tiled.cu", "first edit"));
  folder_.write("tiled.cu", "second edit");
  EXPECT_TRUE(in_use("tiled.cu", "second edit"));
  EXPECT_TRUE(messages_.contain("tiled.cu was edited"));
  EXPECT_FALSE(messages_.contain("common.cuh"));
}

TEST_F(Watcher, FollowsEditorsThatRename) {
  const KernelWatcher watcher(folder_.path(), messages_.say());
  const auto kept = fs::last_write_time(folder_.path() / "tiled.cu");
  folder_.write("tiled.cu.new", "renamed");
  // The date says nothing: a file put in place of another may be older.
  fs::last_write_time(folder_.path() / "tiled.cu.new", kept);
  fs::rename(folder_.path() / "tiled.cu", folder_.path() / "tiled.cu~");
  fs::rename(folder_.path() / "tiled.cu.new", folder_.path() / "tiled.cu");
  EXPECT_TRUE(in_use("tiled.cu", "renamed"));
}

TEST_F(Watcher, ARemovedFileIsTheEmbeddedOneUntilItIsBack) {
  fs::remove(folder_.path() / "pairwise.cu");
  const KernelWatcher watcher(folder_.path(), messages_.say());
  EXPECT_TRUE(messages_.contain("pairwise.cu is not there: the embedded"));
  EXPECT_FALSE(messages_.contain("tiled.cu is not there"));
  fs::remove(folder_.path() / "tiled.cu");
  EXPECT_TRUE(eventually([&] { return messages_.contain("tiled.cu is not there: the embedded"); }));
  EXPECT_EQ(kernel_files()->at("tiled.cu").text, embedded_kernel_files().at("tiled.cu").text);
  folder_.write("tiled.cu", "back");
  EXPECT_TRUE(in_use("tiled.cu", "back"));
}

TEST_F(Watcher, AFolderThatGoesAwayLeavesTheLastSources) {
  const KernelWatcher watcher(folder_.path(), messages_.say());
  folder_.write("tiled.cu", "mine");
  ASSERT_TRUE(in_use("tiled.cu", "mine"));
  fs::remove_all(folder_.path());
  EXPECT_TRUE(eventually([&] { return messages_.contain("are kept"); }));
  EXPECT_EQ(kernel_files()->at("tiled.cu").text, "mine");
  write_kernel_folder(folder_.path());
  EXPECT_TRUE(in_use("tiled.cu", embedded_kernel_files().at("tiled.cu").text));
}

TEST_F(Watcher, EndsWithTheEmbeddedSources) {
  {
    folder_.write("tiled.cu", "mine");
    const KernelWatcher watcher(folder_.path(), messages_.say());
    EXPECT_EQ(kernel_files()->at("tiled.cu").text, "mine");
  }
  EXPECT_EQ(kernel_files()->at("tiled.cu").text, embedded_kernel_files().at("tiled.cu").text);
  EXPECT_FALSE(kernel_files()->watched());
}

TEST_F(Watcher, AMissingFolderIsRefusedAtTheStart) {
  EXPECT_THROW(KernelWatcher(folder_.path() / "none", messages_.say()), Error);
}

}  // namespace
}  // namespace orrery::sim::cuda
