#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include "sim/core/error.h"
#include "sim/core/removed_at_exit.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

namespace fs = std::filesystem;

using Writer = SnapshotTest;

TEST_F(Writer, ReplacesOnlyWhenFinished) {
  const auto path = save("target", "old");
  {
    FileWriter out(path);
    out.write("new");
    EXPECT_EQ(content_of(path), "old");
  }
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(files(), 1U);
  FileWriter out(path);
  out.write("new");
  out.finish();
  EXPECT_EQ(content_of(path), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Writer, RefusesWhatCannotBeReplaced) {
  EXPECT_THROW(FileWriter(folder() / "absent" / "a"), Error);
  EXPECT_THROW(FileWriter{folder()}, Error);
  EXPECT_THROW(FileWriter("/dev/full"), Error);
  EXPECT_THROW(FileWriter(""), Error);
  EXPECT_THROW(FileWriter("/proc/orrery"), Error);
  EXPECT_EQ(files(), 0U);
}

TEST_F(Writer, FollowsLinksAndObeysUmask) {
  const auto path = folder() / "target";
  fs::create_symlink(path, folder() / "link");
  const auto before = ::umask(0027);
  FileWriter out(folder() / "link");
  ::umask(before);
  out.write("new");
  out.finish();
  EXPECT_TRUE(fs::is_symlink(folder() / "link"));
  EXPECT_EQ(content_of(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
}

TEST_F(Writer, KeepsWhatHasTheName) {
  const auto path = save("target", "old");
  EXPECT_THROW(FileWriter(path, Existing::keep), Error);
  fs::create_symlink(folder() / "nowhere", folder() / "link");
  EXPECT_THROW(FileWriter(folder() / "link", Existing::keep), Error);
  EXPECT_TRUE(fs::is_symlink(folder() / "link"));
  EXPECT_EQ(files(), 2U);
  {
    // Somebody else takes the name meanwhile.
    FileWriter out(folder() / "new", Existing::keep);
    out.write("mine");
    save("new", "theirs");
    EXPECT_THROW(out.finish(), Error);
  }
  EXPECT_EQ(content_of(folder() / "new"), "theirs");
  EXPECT_EQ(files(), 3U);
  FileWriter out(folder() / "free", Existing::keep);
  out.write("mine");
  out.finish();
  EXPECT_EQ(content_of(folder() / "free"), "mine");
  EXPECT_EQ(files(), 4U);
}

TEST_F(Writer, FullDiskLeavesNothingBehind) {
  // A limit on the size of files stands in for a full disk: write() fails half way in both.
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit small = before;
  small.rlim_cur = 5000;
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  const auto path = save("target.csv", "old");
  std::string message;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  try {
    write_snapshot(varied_scene(1000, 1), path);
  } catch (const Error& error) {
    message = error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(is_one_short_line(message)) << message;
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Writer, TakesTheNextNumberWhereANameIsTaken) {
  FileWriter first(folder() / "a-0009.png", Existing::number);
  FileWriter second(folder() / "a-0009.png", Existing::number);
  first.write("first");
  second.write("second");
  first.finish();
  second.finish();
  EXPECT_EQ(first.target(), folder() / "a-0009.png");
  EXPECT_EQ(second.target(), folder() / "a-0010.png");
  EXPECT_EQ(content_of(first.target()), "first");
  EXPECT_EQ(content_of(second.target()), "second");
  EXPECT_EQ(files(), 2U);
  EXPECT_EQ(numbered_after("x/a-99.b.png"), "x/a-99.b-0002.png");
  EXPECT_EQ(numbered_after("99.png"), "100.png");
  EXPECT_EQ(numbered_after("a"), "a-0002");
}

TEST_F(Writer, HiddenNamesAreTakenAway) {
  const auto path = save("target", "old");
  const auto free = folder() / "free";
  using Kind = TemporaryFile::Kind;
  {
    TemporaryFile unused(folder(), Kind::hidden);
    ASSERT_GE(unused.descriptor(), 0);
    EXPECT_EQ(files(), 2U);
    EXPECT_FALSE(unused.take_name(path, false));
    EXPECT_EQ(errno, EEXIST);
    EXPECT_EQ(content_of(path), "old");
  }
  EXPECT_EQ(files(), 1U);
  EXPECT_TRUE(TemporaryFile(folder(), Kind::hidden).take_name(path, true));
  EXPECT_EQ(content_of(path), "");
  EXPECT_TRUE(TemporaryFile(folder(), Kind::hidden).take_name(free, false));
  EXPECT_TRUE(fs::exists(free));
  EXPECT_EQ(files(), 2U);
}

TEST_F(Writer, SignalsRemoveHiddenNames) {
  const auto half_written = [&](auto end) {
    remove_files_when_ended();
    const TemporaryFile file(folder(), TemporaryFile::Kind::hidden);
    if (files() != 1) std::_Exit(1);
    end();
  };
  for (const int signal : ending_signals) {
    EXPECT_EXIT(half_written([signal] { ::raise(signal); }), testing::KilledBySignal(signal), "");
    EXPECT_EQ(files(), 0U) << signal;
  }
  EXPECT_EXIT(half_written([] { std::exit(5); }), testing::ExitedWithCode(5), "");
  EXPECT_EQ(files(), 0U);
}

TEST_F(Writer, SignalsThatAreIgnoredRemoveNothing) {
  const auto ignoring = [&] {
    std::signal(SIGHUP, SIG_IGN);
    remove_files_when_ended();
    const TemporaryFile file(folder(), TemporaryFile::Kind::hidden);
    ::raise(SIGHUP);
    std::_Exit(files() == 1 ? 5 : 1);
  };
  EXPECT_EXIT(ignoring(), testing::ExitedWithCode(5), "");
  const auto finishing = [&] {
    remove_files_when_ended();
    TemporaryFile(folder(), TemporaryFile::Kind::hidden).take_name(folder() / "whole", true);
    std::exit(6);
  };
  EXPECT_EXIT(finishing(), testing::ExitedWithCode(6), "");
  EXPECT_TRUE(fs::exists(folder() / "whole"));
}

TEST_F(Writer, LeavesNothingBehindWhenAProgramEnds) {
  const auto path = save("target", "old");
  const std::string more_than_a_buffer(3 << 20, 'x');
  const auto write_and = [&](auto end) {
    remove_files_when_ended();
    FileWriter out(path);
    out.write(more_than_a_buffer);
    end();
  };
  for (const int signal : ending_signals) {
    EXPECT_EXIT(write_and([signal] { ::raise(signal); }), testing::KilledBySignal(signal), "");
    EXPECT_EQ(files(), 1U) << signal;
  }
  EXPECT_EXIT(write_and([] { std::exit(3); }), testing::ExitedWithCode(3), "");
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(content_of(path), "old");
}

TEST_F(Writer, LargeContentIsWhole) {
  std::string content;
  for (int k = 0; k < 300000; ++k) content += std::to_string(k);
  FileWriter out(folder() / "large");
  out.write(content);
  out.write(content);
  out.finish();
  EXPECT_EQ(content_of(folder() / "large"), content + content);
}

}  // namespace
}  // namespace orrery::sim
