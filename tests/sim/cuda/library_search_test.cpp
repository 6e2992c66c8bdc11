#include "sim/cuda/driver/library_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "tests/temporary_folder.h"

namespace orrery::sim::cuda {
namespace {

namespace fs = std::filesystem;

class LibrarySearch : public testing::Test {
 protected:
  LibrarySearch() { setenv("XDG_DATA_HOME", (folder_ / "none").c_str(), 1); }
  ~LibrarySearch() override { unsetenv("XDG_DATA_HOME"); }
  /// The index of a name among those that are tried; -1: it is not.
  std::ptrdiff_t place_of(const std::string& name) const {
    const auto names = toolkit_library_names("libnvrtc", {"13", "12", "11.2"}, program_);
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? -1 : found - names.begin();
  }
  std::string wheel(const std::string& folder, const std::string& version) const {
    fs::create_directories(folder_ / folder / "lib");
    return (folder_ / folder / "lib" / ("libnvrtc.so." + version)).string();
  }

  const test::TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
  fs::path program_ = folder_ / "build" / "dev" / "tests" / "gpu";
};

TEST_F(LibrarySearch, TheLinkerIsAskedFirstWithAndWithoutAVersion) {
  EXPECT_EQ(place_of("libnvrtc.so.13"), 0);
  EXPECT_EQ(place_of("libnvrtc.so.12"), 1);
  EXPECT_EQ(place_of("libnvrtc.so.11.2"), 2);
  EXPECT_EQ(place_of("libnvrtc.so"), 3);
}

TEST_F(LibrarySearch, TheUsualToolkitIsKnownByVersionToo) {
  for (const char* name : {"libnvrtc.so", "libnvrtc.so.12", "libnvrtc.so.11.2"})
    EXPECT_GT(place_of(std::string("/usr/local/cuda/lib64/") + name), 3) << name;
}

TEST_F(LibrarySearch, PackagesOfPythonInTheBuildFolderAreKnown) {
  EXPECT_GT(place_of(wheel("build/venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc", "12")), 3);
}

TEST_F(LibrarySearch, WhatTheDoctorFetchedComesFirst) {
  const auto data = wheel("data/orrery/cuda/nvidia/cu13", "13");
  setenv("XDG_DATA_HOME", (folder_ / "data").c_str(), 1);
  EXPECT_EQ(place_of(data), 0);
  unsetenv("XDG_DATA_HOME");
  const auto home = wheel("home/.local/share/orrery/cuda/nvidia/cuda_nvrtc", "12");
  const std::string before = getenv("HOME") != nullptr ? getenv("HOME") : "";
  setenv("HOME", (folder_ / "home").c_str(), 1);
  EXPECT_GE(place_of(home), 0);
  EXPECT_LT(place_of(home), place_of("libnvrtc.so.13"));
  setenv("HOME", before.c_str(), 1);
}

TEST_F(LibrarySearch, ToolkitsHaveAFolderForThisKindOfProcessor) {
#if defined(__aarch64__)
  for (const char* target : {"sbsa-linux", "aarch64-linux"})
#else
  for (const char* target : {"x86_64-linux"})
#endif
    EXPECT_GT(place_of(std::string("/usr/local/cuda/targets/") + target + "/lib/libnvrtc.so.12"), 3)
        << target;
}

TEST_F(LibrarySearch, FoldersAboveTheBuildFolderAreNotOpened) {
  EXPECT_EQ(place_of(wheel("venv/lib/python3.11/site-packages/nvidia/cu13", "13")), -1);
  const auto inside = wheel("build/venv/lib/python3.11/site-packages/nvidia/cu13", "13");
  program_ = folder_ / "bin";
  EXPECT_EQ(place_of(inside), -1);
}

TEST_F(LibrarySearch, AFunctionTellsItsFile) {
  void* library = open_first({"libno-such-library.so", "libm.so.6"});
  EXPECT_NE(library, nullptr);
  EXPECT_NE(file_of(reinterpret_cast<void*>(static_cast<double (*)(double)>(&std::cos))).size(), 0U);
  EXPECT_EQ(open_first({"libno-such-library.so"}), nullptr);
}

}  // namespace
}  // namespace orrery::sim::cuda
