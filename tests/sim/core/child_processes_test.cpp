#include "sim/core/child_processes.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/eventually.h"

namespace orrery::sim {
namespace {

/// A process that leads a group and does `work`; it has begun when this returns, or has stopped itself.
template <typename Work>
pid_t start(const Work& work) {
  const pid_t child = ::fork();
  if (child != 0) {
    ::setpgid(child, child);
    return child;
  }
  ::setpgid(0, 0);
  work();
  ::_exit(7);
}

void hang_deaf() {
  std::signal(SIGTERM, SIG_IGN);
  ::raise(SIGSTOP);
  for (;;) ::pause();
}

void wait_until_stopped(pid_t child) { ::waitpid(child, nullptr, WUNTRACED); }

/// The wait status of a child that is watched until it has ended.
int watched(pid_t child, HangWatch& watch) {
  EXPECT_TRUE(test::eventually([&] {
    watch.look(true);
    return child_ends_within(child, std::chrono::milliseconds(50));
  }));
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(ChildProcesses, AStoppedChildThatIgnoresTheRequestIsKilled) {
  const auto child = start(hang_deaf);
  wait_until_stopped(child);
  const int status = end_child(child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST(ChildProcesses, AChildThatListensIsAskedOnly) {
  const auto child = start([] { ::raise(SIGSTOP); });
  wait_until_stopped(child);
  const int status = end_child(child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

TEST(ChildProcesses, AStoppedGroupGoesOnAndCompletesItsWork) {
  const auto child = start([] { ::raise(SIGSTOP); });
  wait_until_stopped(child);
  HangWatch watch(child);
  const int status = watched(child, watch);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_FALSE(watch.gave_up());
}

TEST(ChildProcesses, AGroupThatHangsIsKilled) {
  const auto child = start(hang_deaf);
  wait_until_stopped(child);
  HangWatch watch(child);
  const int status = watched(child, watch);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_TRUE(watch.gave_up());
}

TEST(ChildProcesses, WaitingHasAnEnd) {
  const auto child = start([] { ::pause(); });
  EXPECT_FALSE(child_ends_within(child, std::chrono::milliseconds(20)));
  ::kill(child, SIGKILL);
  EXPECT_TRUE(child_ends_within(child, std::chrono::minutes(2)));
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(child_ends_within(child, std::chrono::milliseconds(0))) << "there is none any more";
}

}  // namespace
}  // namespace orrery::sim
