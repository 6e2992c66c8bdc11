#include "lab/setup/progress_line.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace orrery::lab {
namespace {

using Clock = std::chrono::steady_clock;

/// A terminal of 60 columns whose other end we read.
class PseudoTerminal {
 public:
  PseudoTerminal() {
    winsize size{};
    size.ws_col = 60;
    size.ws_row = 24;
    if (openpty(&ours_, &theirs_, nullptr, nullptr, &size) != 0) throw std::runtime_error("no terminal");
    fcntl(ours_, F_SETFL, O_NONBLOCK);
  }
  ~PseudoTerminal() {
    close(ours_);
    close(theirs_);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  int descriptor() const { return theirs_; }
  /// All that was written so far.
  const std::string& text() {
    std::array<char, 4096> part{};
    for (;;) {
      const auto size = read(ours_, part.data(), part.size());
      if (size <= 0) return text_;
      text_.append(part.data(), static_cast<std::size_t>(size));
    }
  }

 private:
  int ours_ = -1, theirs_ = -1;
  std::string text_;
};

class Progress : public testing::Test {
 protected:
  Progress() {
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
  }
  /// Works on `line` until the terminal holds `wanted`, for a minute at most.
  bool wait_for(ProgressLine& line, std::string_view wanted) {
    const auto end = Clock::now() + std::chrono::minutes(1);
    while (Clock::now() < end) {
      line.show("step 3 of 4", 0.75);
      if (terminal.text().find(wanted) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }
  PseudoTerminal terminal;
};

constexpr std::string_view erased = "\r\033[K";

TEST_F(Progress, ATerminalShowsTheLineWithTheTimeLeftUntilTheEnd) {
  {
    ProgressLine line("render", terminal.descriptor());
    ASSERT_TRUE(wait_for(line, "s left")) << terminal.text();
    EXPECT_NE(terminal.text().find("render: step 3 of 4, "), std::string::npos) << terminal.text();
    EXPECT_FALSE(terminal.text().ends_with(erased));
  }
  EXPECT_TRUE(terminal.text().ends_with(erased));
  EXPECT_EQ(terminal.text().find('\n'), std::string::npos);
}

TEST_F(Progress, ItChangesAtMostTenTimesASecond) {
  ProgressLine line("bench", terminal.descriptor());
  const auto start = Clock::now();
  const auto drawn = [&] { return std::ranges::count(terminal.text(), '\r'); };
  for (int k = 0; drawn() < 8 && Clock::now() - start < std::chrono::minutes(1);)
    line.show(std::to_string(++k), 0.5);
  const auto quiet = line.pause();
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  EXPECT_GE(drawn(), 8);
  EXPECT_LE(static_cast<double>(drawn()), 10.0 * seconds + 1.0);
}

TEST_F(Progress, ShortWorkShowsNothing) {
  const auto start = Clock::now();
  {
    ProgressLine line("bench", terminal.descriptor());
    line.show("simd", 0.5);
  }
  // A machine may be so busy that this was no short work.
  const bool was_short = Clock::now() - start < std::chrono::milliseconds(900);
  EXPECT_TRUE(terminal.text().empty() || !was_short) << terminal.text();
}

TEST_F(Progress, OthersWriteWhileItPauses) {
  ProgressLine line("bench", terminal.descriptor());
  ASSERT_TRUE(wait_for(line, "bench"));
  const auto quiet = line.pause();
  EXPECT_TRUE(terminal.text().ends_with(erased));
}

TEST_F(Progress, LongLinesFitIntoTheTerminal) {
  ProgressLine line("bench", terminal.descriptor());
  const auto end = Clock::now() + std::chrono::minutes(1);
  while (terminal.text().empty() && Clock::now() < end) line.show(std::string(500, 'x'), 0.5);
  const auto quiet = line.pause();
  const auto& text = terminal.text();
  ASSERT_GT(text.size(), 2 * erased.size());
  const auto shown = text.substr(erased.size(), text.find('\r', 1) - erased.size());
  EXPECT_LE(shown.size(), 59U);
  EXPECT_TRUE(shown.ends_with("...")) << shown;
}

TEST_F(Progress, NothingIsWrittenWhereItIsNotWanted) {
  const auto texts = [&](const char* name, const char* value, int descriptor) {
    setenv(name, value, 1);
    ProgressLine line("render", descriptor);
    line.show("step 1 of 2", 0.5);
    std::this_thread::sleep_for(std::chrono::milliseconds(1600));
  };
  texts("TERM", "dumb", terminal.descriptor());
  EXPECT_EQ(terminal.text(), "");
  setenv("TERM", "xterm", 1);
  texts("NO_COLOR", "1", terminal.descriptor());
  EXPECT_EQ(terminal.text(), "");
  unsetenv("NO_COLOR");
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_NONBLOCK), 0);
  texts("TERM", "xterm", ends[1]);
  char byte = 0;
  EXPECT_LT(read(ends[0], &byte, 1), 0);
  close(ends[0]);
  close(ends[1]);
}

TEST(ProgressText, DurationsAreReadable) {
  EXPECT_EQ(duration_text(0.2), "0 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1 min 0 s");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(7500), "2 h 5 min");
}

TEST(ProgressText, LongTextsAreShortenedBetweenCharacters) {
  EXPECT_EQ(shortened("tile=64", 7), "tile=64");
  EXPECT_EQ(shortened("tile=64, unroll=8", 10), "tile=64...");
  EXPECT_EQ(shortened("\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc", 6), "\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc");
  EXPECT_EQ(shortened("\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc", 5), "\u00e4\u00f6...");
  EXPECT_EQ(shortened("abcdef", 2), "..");
}

}  // namespace
}  // namespace orrery::lab
