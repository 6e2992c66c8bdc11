#include "sim/core/output_claim.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "sim/core/error.h"
#include "tests/temporary_folder.h"

namespace orrery::sim {
namespace {

namespace fs = std::filesystem;

/// Another process that has claimed a name until it is killed.
class Owner {
 public:
  explicit Owner(const fs::path& output) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return;
    process_ = ::fork();
    if (process_ == 0) {
      const auto claim = claim_output(output);
      const char said = claim ? 'y' : 'n';
      if (::write(ends[1], &said, 1) == 1) ::pause();
      ::_exit(0);
    }
    char said = 0;
    has_it_ = ::read(ends[0], &said, 1) == 1 && said == 'y';
    ::close(ends[0]);
    ::close(ends[1]);
  }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() { kill(); }
  pid_t process() const { return process_; }
  bool has_it() const { return has_it_; }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
  pid_t process_ = -1;
  bool has_it_ = false;
};

class OutputClaims : public testing::Test {
 protected:
  std::string refusal(const fs::path& output) const {
    try {
      claim_output(output);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
  const test::TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
};

TEST_F(OutputClaims, AnotherProcessIsRefusedAndToldWhoHasTheName) {
  const auto output = folder_ / "run.checkpoint";
  Owner owner(output);
  ASSERT_TRUE(owner.has_it());
  const auto said = refusal(output);
  EXPECT_NE(said.find("run.checkpoint' is being written by another run of orrery (process " +
                      std::to_string(owner.process()) + " on "),
            std::string::npos)
      << said;
  EXPECT_EQ(refusal(folder_ / "other"), "");
}

TEST_F(OutputClaims, OfAKilledProcessBlockNobody) {
  const auto output = folder_ / "series";
  Owner owner(output);
  ASSERT_TRUE(owner.has_it());
  EXPECT_NE(refusal(output), "");
  owner.kill();
  EXPECT_TRUE(fs::exists(folder_ / ".series.lock")) << "nobody removed it";
  const auto claim = claim_output(output);
  EXPECT_NE(claim, nullptr);
}

TEST_F(OutputClaims, LeaveNothingBehind) {
  const auto output = folder_ / "a.json";
  auto first = claim_output(output);
  auto second = claim_output(output);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first, second) << "one process shares it";
  first.reset();
  EXPECT_FALSE(fs::is_empty(folder_));
  second.reset();
  EXPECT_TRUE(fs::is_empty(folder_));
  EXPECT_NE(claim_output(output), nullptr);
}

TEST_F(OutputClaims, SeeThroughLinksAndSpellings) {
  fs::create_directory(folder_ / "real");
  fs::create_directory_symlink(folder_ / "real", folder_ / "link");
  std::ofstream(folder_ / "real/a") << "a";
  fs::create_symlink("real/a", folder_ / "b");
  Owner owner(folder_ / "real/a");
  for (const char* spelling : {"link/a", "real/../link/./a", "b"})
    EXPECT_NE(refusal(folder_ / spelling), "") << spelling;
  Owner of_folder(folder_ / "real");
  EXPECT_NE(refusal(folder_ / "link/"), "");
}

TEST_F(OutputClaims, AreNotMadeWhereNoLockCanBe) {
  EXPECT_EQ(claim_output("/proc/self/a"), nullptr);
  EXPECT_EQ(claim_output(folder_ / "absent/a"), nullptr);
  EXPECT_EQ(claim_output(folder_ / std::string(255, 'x')), nullptr) << "the lock's name would be too long";
}

/// Whoever can open a file can hold a lock on it, and so keep its owner from the output for ever.
TEST_F(OutputClaims, CanBeHeldByNobodyElse) {
  const auto lock = folder_ / ".a.lock";
  const auto rights = [&] { return fs::status(lock).permissions(); };
  constexpr auto ours = fs::perms::owner_read | fs::perms::owner_write;
  auto claim = claim_output(folder_ / "a");
  EXPECT_EQ(rights(), ours);
  claim.reset();
  std::ofstream(lock) << "process 1 on an older version";
  fs::permissions(lock, ours | fs::perms::group_read | fs::perms::others_read);
  claim = claim_output(folder_ / "a");
  EXPECT_EQ(rights(), ours);
}

TEST_F(OutputClaims, OfAnotherUserAreSaid) {
  constexpr uid_t somebody = 65534;
  if (::geteuid() != 0) GTEST_SKIP() << "only root becomes somebody else";
  fs::permissions(folder_, fs::perms::all);
  Owner owner(folder_ / "a");
  ASSERT_EQ(::seteuid(somebody), 0);
  const auto said = refusal(folder_ / "a");
  ASSERT_EQ(::seteuid(0), 0);
  EXPECT_NE(said.find("another user's run"), std::string::npos) << said;
  EXPECT_NE(said.find(".a.lock"), std::string::npos) << said;
}

TEST_F(OutputClaims, LeaveAFileOfAnotherProgramAsItIs) {
  const auto file = folder_ / ".a.lock";
  const std::string text = "what another program needs";
  std::ofstream(file) << text;
  EXPECT_EQ(claim_output(folder_ / "a"), nullptr);
  EXPECT_EQ(fs::file_size(file), text.size());
  std::ofstream(file).close();
  EXPECT_NE(claim_output(folder_ / "a"), nullptr) << "an empty one holds nothing";
}

/// A text that somebody else wrote does not steer the terminal.
TEST_F(OutputClaims, ShowTheOwnersTextAsPlainText) {
  const auto output = folder_ / "a";
  Owner owner(output);
  std::ofstream(folder_ / ".a.lock") << "\x1b[2Jprocess 1\nnext line";
  const auto said = refusal(output);
  EXPECT_EQ(said.find('\x1b'), std::string::npos);
  EXPECT_EQ(said.find('\n'), std::string::npos);
  EXPECT_NE(said.find("process 1"), std::string::npos);
}

}  // namespace
}  // namespace orrery::sim
