#pragma once

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <csignal>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <string>

#include "program_test.h"

namespace orrery::test {

/// The program while it runs: what it writes is read as it comes.
class Running {
 public:
  /// `arguments` as in a shell, in `folder`. `terminal`: standard error is one.
  Running(const std::filesystem::path& folder, const std::string& arguments, bool terminal = false) {
    std::array<int, 2> out{}, errors{};
    if (pipe(out.data()) != 0) throw std::runtime_error("no pipe");
    const bool opened =
        terminal ? openpty(&errors[0], &errors[1], nullptr, nullptr, nullptr) == 0 : pipe(errors.data()) == 0;
    if (!opened) throw std::runtime_error("no pipe or terminal");
    const auto line = "export HOME=" + folder.string() +
                      " TERM=xterm OMP_WAIT_POLICY=passive; unset NO_COLOR DISPLAY; cd " + folder.string() +
                      "; exec '" ORRERY_PROGRAM "' " + arguments;
    process_ = fork();
    if (process_ == 0) {
      setsid();
      dup2(out[1], STDOUT_FILENO);
      dup2(errors[1], STDERR_FILENO);
      for (const int each : {out[0], out[1], errors[0], errors[1]}) close(each);
      execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      _exit(127);
    }
    close(out[1]);
    close(errors[1]);
    streams_ = {out[0], errors[0]};
  }
  ~Running() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    for (const int each : streams_) close(each);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  const std::string& output() const { return texts_[0]; }
  const std::string& errors() const { return texts_[1]; }
  void send(int signal) const { kill(process_, signal); }
  pid_t process() const { return process_; }
  /// Nobody reads its standard output any more.
  void close_output() {
    close(streams_[0]);
    streams_[0] = open("/dev/null", O_RDONLY);
    open_[0] = false;
  }

  /// Reads until `reached`, or the program's end: then false.
  bool read_until(const std::function<bool()>& reached) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!reached()) {
      if (std::chrono::steady_clock::now() > end || !read_some()) return reached();
    }
    return true;
  }
  /// The wait status, once it has ended. `seconds`: of all cores together.
  int wait(double* seconds = nullptr) {
    read_until([] { return false; });
    int status = -1;
    rusage used{};
    wait4(process_, &status, 0, &used);
    process_ = -1;
    const auto sum = [](const timeval& a, const timeval& b) {
      return static_cast<double>(a.tv_sec + b.tv_sec) + 1e-6 * static_cast<double>(a.tv_usec + b.tv_usec);
    };
    if (seconds != nullptr) *seconds = sum(used.ru_utime, used.ru_stime);
    return status;
  }
  /// The time that it has had so far of all cores together.
  double processor_seconds() const {
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(process_, &clock) != 0 || clock_gettime(clock, &time) != 0)
      throw std::runtime_error("no CPU time");
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

 private:
  /// For a machine that does much else. Nothing waits so long where all is right.
  static constexpr std::chrono::minutes patience{2};

  /// False when both streams are at their end.
  bool read_some() {
    std::array<pollfd, 2> polled{pollfd{open_[0] ? streams_[0] : -1, POLLIN, 0},
                                 pollfd{open_[1] ? streams_[1] : -1, POLLIN, 0}};
    poll(polled.data(), polled.size(), 100);
    for (std::size_t k = 0; k < polled.size(); ++k) {
      if (polled.at(k).revents == 0) continue;
      std::array<char, 4096> part{};
      const auto size = read(streams_.at(k), part.data(), part.size());
      if (size <= 0)
        open_.at(k) = false;
      else
        texts_.at(k).append(part.data(), static_cast<std::size_t>(size));
    }
    return open_[0] || open_[1];
  }

  pid_t process_ = -1;
  std::array<int, 2> streams_{};
  std::array<bool, 2> open_{true, true};
  std::array<std::string, 2> texts_;
};

class LongWork : public ProgramTest {
 protected:
  Outcome orrery(const std::string& arguments) const { return shell("'" ORRERY_PROGRAM "' " + arguments); }
  /// No temporary file of a writer.
  void expect_nothing_half_written() const {
    for (const auto& each : std::filesystem::directory_iterator(folder_))
      EXPECT_FALSE(each.path().filename().string().starts_with(".orrery-")) << each.path();
  }
  static void expect_interrupted(int status, int signal, const std::string& errors) {
    EXPECT_TRUE(WIFEXITED(status)) << errors;
    EXPECT_EQ(WEXITSTATUS(status), 128 + signal) << errors;
    EXPECT_TRUE(has(errors, "interrupted ")) << errors;
  }
  /// A picture and a state are written, though nobody reads the output when the signal comes.
  void expect_results_without_reader(int signal) const {
    Running render(folder_,
                   "render plummer --engine cpu --untuned --bodies 300 --steps 1000000000 --size 64x48 -o "
                   "p.png --write-state p.bin");
    ASSERT_TRUE(render.read_until([&] { return has(render.errors(), "drawing with"); })) << render.errors();
    render.close_output();
    render.send(signal);
    expect_interrupted(render.wait(), signal, render.errors());
    EXPECT_TRUE(std::filesystem::exists(path("p.png")));
    EXPECT_TRUE(std::filesystem::exists(path("p.bin")));
  }
};

}  // namespace orrery::test
