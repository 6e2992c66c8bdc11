#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "program_test.h"
#include "render/picture/image.h"
#include "sim/core/ending_signals.h"
#include "tests/eventually.h"

// Work that takes long: it ends early when a person wants that, says how far it is, and minds streams that
// cannot be written.
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;
/// Of a machine that does much else. Nothing waits so long where all is right.
constexpr std::chrono::minutes patience{2};

/// The program while it runs: what it writes is read as it comes.
class Running {
 public:
  /// `arguments` as in a shell, in `folder`. `terminal`: standard error is one.
  Running(const fs::path& folder, const std::string& arguments, bool terminal = false) {
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
  /// Nobody reads its standard output any more.
  void close_output() {
    close(streams_[0]);
    streams_[0] = open("/dev/null", O_RDONLY);
    open_[0] = false;
  }

  /// Reads until `reached`, or the program's end: then false.
  bool read_until(const std::function<bool()>& reached) {
    const auto end = Clock::now() + patience;
    while (!reached()) {
      if (Clock::now() > end || !read_some()) return reached();
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
      throw std::runtime_error("no processor time");
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

 private:
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

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class LongWork : public orrery::test::ProgramTest {
 protected:
  orrery::test::Outcome orrery(const std::string& arguments) const {
    return shell("'" ORRERY_PROGRAM "' " + arguments);
  }
  /// No temporary file of a writer.
  void expect_nothing_half_written() const {
    for (const auto& each : fs::directory_iterator(folder_))
      EXPECT_FALSE(each.path().filename().string().starts_with(".orrery-")) << each.path();
  }
  static void expect_interrupted(int status, int signal, const std::string& errors) {
    EXPECT_TRUE(WIFEXITED(status)) << errors;
    EXPECT_EQ(WEXITSTATUS(status), 128 + signal) << errors;
    EXPECT_TRUE(has(errors, "interrupted ")) << errors;
  }
};

// ---- ending early ----

TEST_F(LongWork, AnInterruptedRenderWritesThePictureAndTheStateReached) {
  for (const int signal : orrery::sim::ending_signals) {
    const auto name = "signal" + std::to_string(signal);
    Running render(folder_,
                   "render plummer --engine cpu --untuned --bodies 300 --steps 1000000000 --size 64x48 -o " +
                       name + ".png --write-state " + name + ".bin");
    ASSERT_TRUE(render.read_until([&] { return has(render.errors(), "drawing with"); })) << render.errors();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    render.send(signal);
    expect_interrupted(render.wait(), signal, render.errors());
    EXPECT_TRUE(has(render.errors(), "interrupted at step ")) << render.errors();
    EXPECT_TRUE(has(render.errors(), " of 1000000000\n")) << render.errors();
    EXPECT_EQ(orrery::render::read_png(path(name + ".png")).width, 64);
    EXPECT_EQ(orrery("info " + name + ".bin").status, 0);
    expect_nothing_half_written();
  }
}

TEST_F(LongWork, AnInterruptedSeriesIsComplete) {
  Running render(folder_,
                 "render plummer --engine cpu --untuned --bodies 300 --steps 1000000000 --series out");
  const auto out = folder_ / "out";
  ASSERT_TRUE(orrery::test::eventually([&] { return fs::exists(out / "step-00000003.vtp"); }));
  render.send(SIGINT);
  expect_interrupted(render.wait(), SIGINT, render.errors());
  EXPECT_TRUE(has(render.output(), "series: ")) << render.output();
  const auto index = text_of(out / "series.pvd");
  for (const auto& each : fs::directory_iterator(out)) {
    const auto name = each.path().filename().string();
    EXPECT_TRUE(name == "series.pvd" || has(index, "\"" + name + "\"")) << name;
  }
}

/// Nobody can catch that: what is there is whole, and the index names nothing else.
TEST_F(LongWork, AKilledSeriesHasWholeFilesAndAnIndexOfThem) {
  for (int trial = 0; trial < 4; ++trial) {
    const auto name = "out" + std::to_string(trial);
    Running render(folder_,
                   "render plummer --engine cpu --untuned --bodies 3000 --steps 1000000000 --series " + name);
    const auto out = folder_ / name;
    ASSERT_TRUE(orrery::test::eventually([&] { return fs::exists(out / "step-00000004.vtp"); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(13 * trial));
    render.send(SIGKILL);
    render.wait();
    const auto index = text_of(out / "series.pvd");
    EXPECT_TRUE(index.ends_with("</VTKFile>\n"));
    std::size_t files = 0, named = 0;
    for (const auto& each : fs::directory_iterator(out)) {
      if (each.path().extension() != ".vtp") continue;
      ++files;
      const auto content = text_of(each.path());
      EXPECT_TRUE(content.ends_with("</VTKFile>")) << each.path();
      EXPECT_GT(content.size(), 3000U * 60U) << each.path();
    }
    for (auto at = index.find("file=\""); at != std::string::npos;
         at = index.find("file=\"", at + 1), ++named) {
      const auto file = index.substr(at + 6, index.find('"', at + 6) - at - 6);
      EXPECT_TRUE(fs::exists(out / file)) << file;
    }
    EXPECT_GE(named, 4U);
    EXPECT_LE(files, named + 1) << "the index lags by no more than the last file";
    EXPECT_EQ(orrery("info " + name + "/step-00000004.vtp").status, 0);
  }
}

TEST_F(LongWork, InterruptedFramesKeepWhatThereIsAndAddTheStepReached) {
  Running render(
      folder_,
      "render plummer --engine cpu --untuned --bodies 300 --frames 0,5,1000000000 --size 64x48 -o f.png");
  ASSERT_TRUE(render.read_until([&] { return fs::exists(path("f-step0000000005.png")); })) << render.errors();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  render.send(SIGINT);
  expect_interrupted(render.wait(), SIGINT, render.errors());
  int pictures = 0;
  for (const auto& each : fs::directory_iterator(folder_))
    if (each.path().extension() == ".png") ++pictures;
  EXPECT_EQ(pictures, 3) << "of steps 0 and 5, and of the last one";
  EXPECT_FALSE(fs::exists(path("f-step1000000000.png")));
  expect_nothing_half_written();
}

TEST_F(LongWork, AnInterruptedDiagnosisKeepsItsRows) {
  Running command(folder_,
                  "diagnose plummer --engine cpu --bodies 300 --steps 1000000000 --every 1 -o rows.csv");
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  command.send(SIGINT);
  expect_interrupted(command.wait(), SIGINT, command.errors());
  EXPECT_TRUE(has(command.errors(), "what was measured before is written")) << command.errors();
  const auto rows = text_of(path("rows.csv"));
  EXPECT_GT(std::count(rows.begin(), rows.end(), '\n'), 2) << rows;
  expect_nothing_half_written();
}

TEST_F(LongWork, AReaderThatIsInterruptedTooLosesNothing) {
  // As in `orrery render | tee log`, where Ctrl+C ends both.
  Running render(folder_,
                 "render plummer --engine cpu --untuned --bodies 300 --steps 1000000000 --size 64x48 -o "
                 "p.png --write-state p.bin");
  ASSERT_TRUE(render.read_until([&] { return has(render.errors(), "drawing with"); })) << render.errors();
  render.close_output();
  render.send(SIGINT);
  expect_interrupted(render.wait(), SIGINT, render.errors());
  EXPECT_TRUE(fs::exists(path("p.png")));
  EXPECT_TRUE(fs::exists(path("p.bin")));
}

TEST_F(LongWork, AnInterruptedBenchReportsTheRowsItHas) {
  Running bench(folder_,
                "bench plummer --engine cpu --bodies 4000 --steps 300 --kernels simd,sequential --json "
                "b.json --csv b.csv");
  // The first row is there as soon as it is measured, on a pipe too; then one that takes forty times as long
  // begins.
  ASSERT_TRUE(bench.read_until([&] { return has(bench.output(), "\nsimd "); })) << bench.errors();
  bench.send(SIGINT);
  expect_interrupted(bench.wait(), SIGINT, bench.errors());
  EXPECT_FALSE(has(bench.output(), "\nsequential "));
  const auto rows = nlohmann::json::parse(text_of(path("b.json"))).at("rows");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.at(0).at("label"), "simd");
  EXPECT_TRUE(has(text_of(path("b.csv")), "\nsimd,"));
  expect_nothing_half_written();
}

TEST_F(LongWork, CsvOnStandardOutputGrowsToo) {
  Running bench(folder_,
                "bench plummer --engine cpu --bodies 4000 --steps 300 --kernels simd,sequential --csv -");
  ASSERT_TRUE(bench.read_until([&] { return has(bench.output(), "\nsimd,"); })) << bench.errors();
  EXPECT_TRUE(bench.output().starts_with("label,"));
  EXPECT_FALSE(has(bench.output(), "\nsequential,")) << "it came with the last row only";
}

TEST_F(LongWork, AnInterruptedSweepReportsTheCellsItHas) {
  Running sweep(
      folder_,
      "sweep kernel=simd:sequential plummer --engine cpu --bodies 20000 --steps 100000 --json s.json");
  ASSERT_TRUE(sweep.read_until([&] { return has(sweep.errors(), "combinations"); })) << sweep.errors();
  sweep.send(SIGINT);
  expect_interrupted(sweep.wait(), SIGINT, sweep.errors());
  EXPECT_EQ(nlohmann::json::parse(text_of(path("s.json"))).at("cells").size(), 2U);
  EXPECT_TRUE(has(sweep.output(), "interrupted before it was measured")) << sweep.output();
}

TEST_F(LongWork, AnInterruptedLadderReportsTheRungsItHas) {
  Running ladder(folder_, "ladder ece415-2022 --bodies 8000 --steps 1000 --json l.json");
  ASSERT_TRUE(ladder.read_until([&] { return has(ladder.errors(), ": "); })) << ladder.errors();
  ladder.send(SIGINT);
  expect_interrupted(ladder.wait(), SIGINT, ladder.errors());
  const auto rungs = nlohmann::json::parse(text_of(path("l.json"))).at("ladders").at(0).at("rungs");
  EXPECT_GT(rungs.size(), 1U);
  EXPECT_TRUE(has(ladder.output(), "interrupted before it was measured")) << ladder.output();
}

TEST_F(LongWork, AnInterruptedTuneKeepsWhatItCompared) {
  Running tune(folder_,
               "tune plummer --engine cpu --bodies 12000 --seconds 100000 --under-load --json t.json");
  const auto lines = [&] { return std::ranges::count(tune.output(), '\n'); };
  ASSERT_TRUE(tune.read_until([&] { return lines() >= 4; })) << tune.errors() << tune.output();
  tune.send(SIGINT);
  expect_interrupted(tune.wait(), SIGINT, tune.errors());
  const auto json = nlohmann::json::parse(text_of(path("t.json")));
  EXPECT_GE(json.at("trials").size(), 3U);
  EXPECT_TRUE(has(tune.output(), "configurations tried")) << tune.output();
  EXPECT_TRUE(fs::exists(folder_ / ".config" / "orrery" / "tuned.json"));
}

TEST_F(LongWork, SignalsThatComeTogetherAreOneWish) {
  // As `timeout` sends them; both are there when the program goes on.
  Running bench(folder_, "bench plummer --engine cpu --bodies 2000 --steps 100000000 --kernels simd");
  ASSERT_TRUE(bench.read_until([&] { return has(bench.errors(), "to warm up"); })) << bench.errors();
  bench.send(SIGSTOP);
  bench.send(SIGINT);
  bench.send(SIGTERM);
  bench.send(SIGCONT);
  const int status = bench.wait();
  ASSERT_TRUE(WIFEXITED(status)) << status << bench.errors();
  EXPECT_TRUE(WEXITSTATUS(status) == 130 || WEXITSTATUS(status) == 143) << status;
  EXPECT_TRUE(has(bench.errors(), "interrupted at ")) << bench.errors();
}

TEST_F(LongWork, InterruptedMakeInfoAndConvertLeaveNothingBehind) {
  ASSERT_EQ(orrery("make plummer --bodies 4000000 -o big.bin").status, 0);
  // What the terminal shows says when they are in the middle of it.
  const std::vector<std::pair<std::string, std::string>> commands{
      {"make disk --bodies 16000000 -o out.csv", "making disk"},
      {"info disk --bodies 16000000", "making disk"},
      {"convert big.bin out.csv", "writing out.csv"},
  };
  for (const auto& [arguments, shown] : commands) {
    Running command(folder_, arguments, true);
    ASSERT_TRUE(command.read_until([&] { return has(command.errors(), shown); })) << arguments;
    command.send(SIGINT);
    expect_interrupted(command.wait(), SIGINT, command.errors());
    EXPECT_FALSE(fs::exists(path("out.csv"))) << arguments;
    expect_nothing_half_written();
  }
}

/// The shell of a session that is closed hangs up, and so does the system when that shell has ended.
TEST_F(LongWork, ASecondHangUpChangesNothing) {
  Running render(
      folder_,
      "render plummer --engine cpu --untuned --bodies 300 --steps 1000000000 --size 3000x3000 -o p.png");
  ASSERT_TRUE(render.read_until([&] { return has(render.errors(), "drawing with"); })) << render.errors();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  render.send(SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  render.send(SIGHUP);
  expect_interrupted(render.wait(), SIGHUP, render.errors());
  EXPECT_TRUE(fs::exists(path("p.png")));
}

/// `orrery render | head -1`: the reader is gone, the results are not.
TEST_F(LongWork, AReaderThatIsGoneLosesNothing) {
  Running render(
      folder_,
      "render plummer --engine cpu --untuned --bodies 300 --steps 1000000000 --size 64x48 -o p.png "
      "--write-state p.bin");
  ASSERT_TRUE(render.read_until([&] { return has(render.errors(), "drawing with"); })) << render.errors();
  render.close_output();
  render.send(SIGPIPE);
  expect_interrupted(render.wait(), SIGPIPE, render.errors());
  EXPECT_TRUE(fs::exists(path("p.png")));
  EXPECT_TRUE(fs::exists(path("p.bin")));
}

/// Of models, sums, files, tables and pictures that take seconds, in parts that look at nothing.
TEST_F(LongWork, EverythingIsGivenUpInTheMiddle) {
  const std::vector<std::pair<std::string, std::string>> commands{
      {"make plummer --bodies 20000000 -o out.bin", "making plummer"},
      {"make plummer --bodies 20000000 -o out.csv", "writing out.csv"},
      {"info milky-way-andromeda --bodies 10000000", "making milky-way"},
      {"render plummer --bodies 20000000 --engine cpu --untuned --steps 1 -o out.png", "making plummer"},
      {"bench plummer --bodies 20000000 --engine cpu", "making plummer"},
      {"sweep kernel=simd plummer --bodies 20000000 --engine cpu", "making plummer"},
      {"tune plummer --bodies 20000000 --engine cpu", "making plummer"},
      {"diagnose plummer --bodies 20000000 --engine cpu -o out.csv", "making plummer"},
      {"map plummer --bodies 20000000 --engine cpu -o out.png", "making plummer"},
      {"render plummer --bodies 3000 --engine cpu --untuned --steps 0 --size 16000x16000 -o out.png",
       "drawing with"},
  };
  for (const auto& [arguments, shown] : commands) {
    for (const int delay_ms : {100, 900}) {
      Running command(folder_, arguments, true);
      ASSERT_TRUE(command.read_until([&] { return has(command.errors(), shown); })) << arguments;
      std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
      const double before = command.processor_seconds();
      command.send(SIGTERM);
      double after = 0.0;
      expect_interrupted(command.wait(&after), SIGTERM, command.errors());
      // Half a second by the clock, however busy the machine is; and all pages are given back.
      EXPECT_LT(after - before, 0.5 * std::thread::hardware_concurrency() + 1.0) << arguments;
      expect_nothing_half_written();
      for (const char* result : {"out.bin", "out.csv", "out.png"})
        EXPECT_FALSE(fs::exists(path(result))) << arguments;
    }
  }
}

/// A command that completes its results says so in time, and how it is ended at once.
TEST_F(LongWork, WhatTakesLongToCompleteSaysSo) {
  Running render(
      folder_,
      "render plummer --engine cpu --untuned --bodies 300 --steps 1000000000 --size 16000x16000 -o p.png");
  ASSERT_TRUE(render.read_until([&] { return has(render.errors(), "drawing with"); })) << render.errors();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  render.send(SIGTERM);
  EXPECT_TRUE(render.read_until([&] { return has(render.errors(), "results are being completed"); }));
  render.send(SIGTERM);
  EXPECT_TRUE(WIFSIGNALED(render.wait()));
  EXPECT_FALSE(fs::exists(path("p.png")));
  expect_nothing_half_written();
}

// ---- saying how far it is ----

constexpr const char* erased = "\r\033[K";

TEST_F(LongWork, OnATerminalALineSaysHowFarItIs) {
  const std::string plummer = " plummer --engine cpu --bodies 20000 ";
  const std::vector<std::pair<std::string, std::string>> commands{
      {"render" + plummer + "--steps 100000000 --size 64x48 -o p.png", "render: step "},
      {"bench" + plummer + "--steps 100000 --kernels simd", "bench: simd, 1 of 1, step "},
      {"sweep kernel=simd" + plummer + "--steps 100000", "sweep: combination 1 of 1"},
      {"tune" + plummer + "--seconds 100000 --kernel sequential", "tune: "},
      {"ladder ece415-2022 --bodies 8000 --galaxies 1 --steps 100000", "ladder: ece415-2022, rung 1 of "},
      {"verify" + plummer + "--steps 1000000", "verify: "},
      {"make disk --bodies 16000000 -o big.csv", "making disk"},
      {"info disk --bodies 16000000", "making disk"},
  };
  for (const auto& [arguments, shown] : commands) {
    Running command(folder_, arguments, true);
    const auto line = erased + shown;
    EXPECT_TRUE(command.read_until([&] {
      return has(command.errors(), line) && has(command.errors(), " left");
    })) << arguments
        << "\n"
        << command.errors().substr(0, 1000);
  }
}

TEST_F(LongWork, TheLineIsGoneAtTheEnd) {
  Running render(folder_,
                 "render plummer --engine cpu --bodies 20000 --steps 100000000 --size 64x48 -o p.png", true);
  ASSERT_TRUE(render.read_until([&] { return has(render.errors(), "render: step"); })) << render.errors();
  render.send(SIGINT);
  render.wait();
  const auto& text = render.errors();
  const auto last = text.rfind(erased);
  ASSERT_NE(last, std::string::npos);
  EXPECT_FALSE(has(text.substr(last), "render:")) << text.substr(last);
  EXPECT_TRUE(has(text.substr(last), "interrupted at step")) << text.substr(last);
}

TEST_F(LongWork, APipeSeesNothingOfIt) {
  Running render(folder_,
                 "render plummer --engine cpu --bodies 20000 --steps 100000000 --size 64x48 -o p.png");
  ASSERT_TRUE(render.read_until([&] { return has(render.errors(), "drawing with"); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  render.send(SIGINT);
  render.wait();
  EXPECT_FALSE(has(render.errors(), "\r")) << render.errors();
  EXPECT_FALSE(has(render.errors(), "\033")) << render.errors();
}

// ---- streams that cannot be written ----

TEST_F(LongWork, AStandardErrorThatCannotBeWrittenChangesNothing) {
  ASSERT_EQ(orrery("make plummer --bodies 100 -o p.csv").status, 0);
  for (const std::string& errors : {std::string(" 2>&-"), std::string(" 2>/dev/full")}) {
    EXPECT_EQ(orrery("bench plummer --engine cpu --bodies 200 --steps 1" + errors).status, 0) << errors;
    EXPECT_EQ(orrery("info p.csv" + errors).status, 0) << errors;
    EXPECT_EQ(orrery("info nowhere" + errors).status, 2) << errors;
    EXPECT_EQ(orrery("info nowhere.csv" + errors).status, 2) << errors;
    EXPECT_EQ(orrery("nonsense --nonsense" + errors).status, 2) << errors;
    EXPECT_EQ(orrery("tune --engine cpu --bodies 130 --seconds 0" + errors).status, 0) << errors;
    fs::remove(path("a.png"));
    EXPECT_EQ(
        orrery("render plummer --engine cpu --bodies 50 --steps 1 --size 64x48 -o a.png" + errors).status, 0);
    EXPECT_EQ(orrery::render::read_png(path("a.png")).width, 64);
  }
}

TEST_F(LongWork, AClosedStandardErrorIsNoPlaceForMessages) {
  // A file that is opened gets the lowest free number: without care that of standard error.
  ASSERT_EQ(orrery("make plummer --bodies 100 -o p.csv").status, 0);
  ASSERT_EQ(
      orrery("render p.csv --engine cpu --steps 1 --size 64x48 -o a.png --write-state s.csv 2>&- <&-").status,
      0);
  EXPECT_EQ(orrery("info s.csv").status, 0);
}

TEST_F(LongWork, AStandardOutputThatCannotBeWrittenIsAFailure) {
  for (const char* output : {" >&-", " >/dev/full"}) {
    for (const char* command : {"bench plummer --engine cpu --bodies 200 --steps 1", "info plummer", "man",
                                "kernels", "diagnose plummer --engine cpu --bodies 500 --every 1 --json -",
                                "sweep kernel=simd plummer --engine cpu --bodies 200 --steps 1"}) {
      const auto outcome = orrery(std::string(command) + output);
      EXPECT_EQ(outcome.status, 1) << command << output;
      EXPECT_TRUE(has(outcome.errors, "cannot write to standard output: ")) << outcome.errors;
    }
  }
}

TEST_F(LongWork, AReaderThatHadEnoughIsNoFailure) {
  for (const char* before : {"", "trap '' PIPE; "}) {
    for (const char* command :
         {"bench plummer --engine cpu --bodies 500 --steps 1", "verify --physics --quick", "man", "kernels",
          "diagnose plummer --engine cpu --bodies 500 --steps 2 --every 1 --json -"}) {
      const auto outcome =
          shell(std::string(before) + "{ '" ORRERY_PROGRAM "' " + command + "; echo $? >status; } | true");
      EXPECT_EQ(text_of(path("status")), "141\n") << before << command;
      EXPECT_FALSE(has(outcome.errors, "orrery:") || has(outcome.errors, "interrupted")) << outcome.errors;
    }
  }
}

// ---- tuning ----

TEST_F(LongWork, NoTimeForTuningRemembersNothing) {
  const auto tuned = orrery("tune plummer --engine cpu --bodies 300 --seconds 0");
  EXPECT_EQ(tuned.status, 0) << tuned.errors;
  EXPECT_TRUE(has(tuned.errors, "nothing is remembered")) << tuned.errors;
  EXPECT_FALSE(fs::exists(folder_ / ".config" / "orrery" / "tuned.json"));
}

TEST_F(LongWork, TuningSaysTheErrorOfWhatItChose) {
  const auto tuned = orrery(
      "tune plummer --engine cpu --bodies 300 --seconds 60 --kernel simd --set threads=1 --under-load");
  ASSERT_EQ(tuned.status, 0) << tuned.errors;
  EXPECT_TRUE(has(tuned.output, "its force error: median ")) << tuned.output;
  EXPECT_TRUE(has(tuned.output, "at most 1.0e-05 is taken")) << tuned.output;
  const auto strict = orrery(
      "tune plummer --engine cpu --bodies 300 --seconds 60 --kernel simd --set threads=1 --error 1e-12 "
      "--json -");
  ASSERT_EQ(strict.status, 0) << strict.errors;
  EXPECT_TRUE(has(strict.errors, "nothing is remembered")) << strict.errors;
  EXPECT_FALSE(nlohmann::json::parse(strict.output).at("remembered").get<bool>());
}

TEST_F(LongWork, LinesOfTuningFitIntoTheTerminal) {
  // With its reason each line has about 110 characters; a terminal that does not say how wide it is has 80.
  Running tune(folder_, "tune plummer --engine cpu --bodies 300 --seconds 60 --error 1e-12 --json -", true);
  tune.wait();
  std::istringstream lines(tune.errors());
  int shortened = 0;
  for (std::string line; std::getline(lines, line);) {
    // Of a slow run the line that says how far it is was there before, and was erased.
    if (const auto last_erased = line.rfind("\x1b[K"); last_erased != std::string::npos)
      line.erase(0, last_erased + 3);
    if (!has(line, "kernel=")) continue;
    EXPECT_LE(line.size(), 81U) << line;  // a terminal adds a carriage return
    shortened += has(line, "...") ? 1 : 0;
  }
  EXPECT_GT(shortened, 3) << tune.errors();
}

// ---- programs that measure ----

TEST_F(LongWork, BenchmarksExplainThemselves) {
#ifndef ORRERY_BENCHMARKS
  GTEST_SKIP() << "built without benchmarks";
#else
  for (const char* program : {"bench_frames", "bench_drawing", "bench_cpu_limit", "bench_tree"}) {
    const auto call = [&](const std::string& arguments) {
      return shell("'" ORRERY_BENCHMARKS "/" + std::string(program) + "' " + arguments);
    };
    const auto help = call("--help");
    EXPECT_EQ(help.status, 0) << program << help.errors;
    EXPECT_TRUE(has(help.output, "--help")) << program << help.output;
    for (const char* wrong : {"--nonsense", "nonsense", "-1", "16384x"}) {
      const auto outcome = call(wrong);
      EXPECT_EQ(outcome.status, 2) << program << " " << wrong << outcome.errors;
      EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << program << " " << wrong << outcome.errors;
      EXPECT_FALSE(has(outcome.errors, "stoul")) << outcome.errors;
    }
  }
#endif
}

/// A softening or time step that is not the model's own is another problem, with other errors.
TEST_F(LongWork, ABenchmarkOfATreeTakesTheModelsOwnPhysics) {
#ifndef ORRERY_BENCHMARKS
  GTEST_SKIP() << "built without benchmarks";
#else
  const auto line = [&](const std::string& dataset, const std::string& settings) {
    const auto outcome =
        shell("'" ORRERY_BENCHMARKS "/bench_tree' --steps 1 --repeats 1 --sampled 50 --models " + dataset +
              " --set engine=cpu,kernel=tree" + settings);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return nlohmann::json::parse(outcome.output);
  };
  ASSERT_EQ(orrery("make hernquist --bodies 3000 -o own.bin").status, 0);
  const auto model = line("hernquist --bodies 3000", "");
  EXPECT_NE(model.at("softening"), 0.05) << "the option's default";
  EXPECT_EQ(line("own.bin", "").at("softening"), model.at("softening"));
  EXPECT_EQ(line("hernquist --bodies 3000", ",softening=0.5").at("softening"), 0.5);
  EXPECT_GT(model.at("force_error").at("p99"), model.at("force_error").at("median"));
#endif
}

}  // namespace
