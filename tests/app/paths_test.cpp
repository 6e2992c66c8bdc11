#include "lab/setup/paths.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sim/core/private_file.h"
#include "tests/temporary_folder.h"

namespace orrery::app {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  std::string old_;
};

TEST(Paths, FollowTheXdgSpecification) {
  const TemporaryFolder home;
  const ScopedVariable a("HOME", home.path().string());
  const ScopedVariable b("XDG_CONFIG_HOME", "");
  const ScopedVariable c("XDG_PICTURES_DIR", "");
  EXPECT_EQ(lab::settings_folder(), home / ".config" / "orrery");
  EXPECT_EQ(lab::pictures_folder(), home / "Pictures");
  fs::create_directories(home / ".config");
  std::ofstream(home / ".config" / "user-dirs.dirs") << "# comment\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\n";
  EXPECT_EQ(lab::pictures_folder(), home / "Bilder");
  const ScopedVariable d("XDG_PICTURES_DIR", "/somewhere/else");
  EXPECT_EQ(lab::pictures_folder(), "/somewhere/else");
}

TEST(Paths, FileNamesOfTitlesFitAnyFileSystem) {
  EXPECT_EQ(lab::file_stem("Messier 31, Andromède"), "Messier-31--Androm--de");
  EXPECT_EQ(lab::file_stem(""), "orrery");
  EXPECT_EQ(lab::file_stem(std::string(60'000, 'x')), std::string(100, 'x'));
}

TEST(Paths, PicturesLieInTheWorkingFolderWithoutAHome) {
  const TemporaryFolder home;
  const ScopedVariable b("XDG_CONFIG_HOME", "");
  const ScopedVariable c("XDG_PICTURES_DIR", "");
  for (const auto& none : {std::string(), std::string("/nonexistent"), (home / "absent").string()}) {
    const ScopedVariable a("HOME", none);
    EXPECT_EQ(lab::pictures_folder(), fs::current_path()) << none;
  }
  // Something else has the name of the folder.
  std::ofstream(home / "Pictures") << "a file";
  const ScopedVariable a("HOME", home.path().string());
  EXPECT_EQ(lab::pictures_folder(), fs::current_path());
}

/// Whoever can read a folder can hold a lock on it for ever: ours is on a file that nobody else can open.
TEST(FolderLock, IsOnAFileOfTheOwner) {
  const TemporaryFolder folder;
  const lab::FolderLock lock(folder.path());
  EXPECT_EQ(fs::status(folder / ".lock").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const int opened = ::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  EXPECT_EQ(::flock(opened, LOCK_EX | LOCK_NB), 0);
  ::close(opened);
  const auto second = sim::open_lock_file(folder.path() / ".lock");
  EXPECT_NE(::flock(second.number(), LOCK_EX | LOCK_NB), 0);
}

}  // namespace
}  // namespace orrery::app
