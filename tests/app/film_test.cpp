// `orrery render --record`: what becomes of films, also of those that cannot be completed.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "app/film/child_process.h"
#include "app/film/film_format.h"
#include "long_work_testing.h"
#include "sim/core/error.h"
#include "tests/eventually.h"
#include "tests/render/read_png.h"

namespace orrery::app {
namespace {

namespace fs = std::filesystem;

class FilmTest : public test::ProgramTest {
 protected:
  void SetUp() override {
    if (!is_program("ffmpeg") || !is_program("ffprobe"))
      GTEST_SKIP() << "no program ffmpeg: films cannot be made (apt install ffmpeg)";
  }
  /// A small film of a small galaxy; `more` follows on the command line.
  test::Outcome record(const std::string& film, const std::string& more,
                       const std::string& before = "") const {
    return shell(before +
                 " '" ORRERY_PROGRAM
                 "' render disk --bodies 600 --engine cpu --untuned --size 160x90 "
                 "--record " +
                 film + " " + more);
  }
  /// The frames that a player shows.
  int frames_of(const std::string& film) const {
    const auto said =
        shell("ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 " + film);
    return std::atoi(said.output.c_str());
  }
  std::string about(const std::string& film, const std::string& entry) const {
    auto text = shell("ffprobe -v error -show_entries " + entry + " -of default=nw=1:nk=1 " + film).output;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }
  /// A program ffmpeg of the test's own, which goes first: `encode` is what it does instead of encoding.
  std::string with_own_ffmpeg(const std::string& encode) const {
    fs::create_directory(path("bin"));
    const auto real = shell("command -v ffmpeg").output;
    std::ofstream(path("bin/ffmpeg")) << "#!/bin/sh\nreal=" << real << "case \" $* \" in *' rawvideo '*) "
                                      << encode << ";; *) exec $real \"$@\";; esac\n";
    fs::permissions(path("bin/ffmpeg"), fs::perms::owner_all);
    return "PATH='" + path("bin") + "':\"$PATH\"";
  }
};

constexpr int frame_bytes = 160 * 90 * 4;

TEST_F(FilmTest, TheSameCommandGivesTheSameBytes) {
  for (const char* kind : {"mp4", "mkv", "webm"}) {
    for (const char* name : {"a.", "b."}) {
      const auto outcome = record(std::string(name) + kind, "--frames 12 --path orbit");
      ASSERT_EQ(outcome.status, 0) << outcome.errors;
    }
    const auto bytes = text_of(path(std::string("a.") + kind));
    EXPECT_GT(bytes.size(), 1000U);
    EXPECT_EQ(bytes, text_of(path(std::string("b.") + kind))) << kind;
  }
}

TEST_F(FilmTest, HasAsManyFramesAsAskedAndSaysHowItWasMade) {
  const auto outcome = record("c.mp4", "--frames 60 --set fps=30 --set codec=x264:3");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(frames_of("c.mp4"), 60);
  EXPECT_NEAR(std::stod(about("c.mp4", "format=duration")), 2.0, 1e-6);
  EXPECT_EQ(about("c.mp4", "stream=color_space"), "bt709");
  const auto comment = about("c.mp4", "format_tags=comment");
  EXPECT_NE(comment.find("\"encoder_threads\":3"), std::string::npos) << comment;
  EXPECT_NE(comment.find("\"state\""), std::string::npos) << comment;
  EXPECT_NE(outcome.output.find("c.mp4 (60 frames, 160x90, 30 per second, 2 s, x264)"), std::string::npos)
      << outcome.output;
}

/// FFV1 loses nothing, and folders hold the same pictures.
TEST_F(FilmTest, FramesAreThePicturesThatWereDrawn) {
  ASSERT_EQ(record("d.mkv", "--set codec=ffv1 --frames 5 --path orbit").status, 0);
  ASSERT_EQ(record("frames", "--frames 5 --path orbit").status, 0);
  ASSERT_EQ(shell("ffmpeg -v error -i d.mkv -pix_fmt rgba d-%06d.png").status, 0);
  std::vector<std::uint8_t> before;
  for (int i = 1; i <= 5; ++i) {
    const auto film = render::read_png(path(fmt::format("d-{:06}.png", i)));
    const auto folder = render::read_png(path("frames/" + frame_name(static_cast<std::uint64_t>(i))));
    EXPECT_EQ(film.rgba, folder.rgba) << i;
    EXPECT_NE(folder.rgba, before) << "the camera moves";
    before = folder.rgba;
  }
}

TEST_F(FilmTest, SimulatedTimePerFrameIsFixed) {
  const auto outcome = record("e.mp4", "--frames 4 --steps 10 --set steps-per-frame=7");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("31 steps"), std::string::npos) << outcome.output;
  const auto still = record("still", "--frames 3 --set steps-per-frame=0 --set legend=off");
  ASSERT_EQ(still.status, 0) << still.errors;
  EXPECT_EQ(text_of(path("still/frame-000001.png")), text_of(path("still/frame-000003.png")));
}

TEST_F(FilmTest, WhatAKilledEncoderTookIsWhole) {
  const auto before =
      with_own_ffmpeg("head -c " + std::to_string(60 * frame_bytes) + " | $real \"$@\"; kill -9 $$");
  const auto outcome = record("f.mp4", "--frames 200", before);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(frames_of("f.mp4"), 60);
  EXPECT_NE(
      outcome.errors.find("the film ends after 60 of 200 frames: ffmpeg stopped: it was ended by signal 9"),
      std::string::npos)
      << outcome.errors;
}

/// A limit of file sizes stands for the full disk: FFmpeg cannot write on.
TEST_F(FilmTest, WhatFitsOnAFullDiskCanBePlayed) {
  const auto outcome = record("g.mp4", "--frames 500 --path orbit", "ulimit -f 100;");
  EXPECT_EQ(outcome.status, 1);
  const int frames = frames_of("g.mp4");
  EXPECT_GT(frames, 10);
  EXPECT_LT(frames, 500);
  EXPECT_NE(outcome.errors.find("'g.mp4' holds " + std::to_string(frames) + " frames"), std::string::npos)
      << outcome.errors;
}

/// The muxers of .mkv and .webm end with success on a full disk, and the file is cut off.
TEST_F(FilmTest, AJoinedFilmThatLacksFramesIsNotTaken) {
  fs::create_directory(path("bin"));
  const auto real = shell("command -v ffmpeg").output;
  std::ofstream(path("bin/ffmpeg"))
      << "#!/bin/sh\nreal=" << real
      << "$real \"$@\"; status=$?\nfor last; do :; done\ncase \" $* \" in *' copy "
         "'*' matroska '*|*' copy '*' webm '*) truncate -s $CUT $last;; esac\n"
      << "exit $status\n";
  fs::permissions(path("bin/ffmpeg"), fs::perms::owner_all);
  for (const char* film : {"h.mkv", "h.webm"}) {
    for (const std::string cut : {"0", "6000"}) {
      fs::remove(path(film));
      const auto outcome =
          record(film, "--frames 12 --path orbit", "CUT=" + cut + " PATH='" + path("bin") + "':\"$PATH\"");
      EXPECT_EQ(outcome.status, 1) << film << cut;
      EXPECT_NE(outcome.errors.find("ffmpeg could not complete the film; '" + std::string(film) +
                                    "' holds 12 frames"),
                std::string::npos)
          << outcome.errors;
      EXPECT_EQ(frames_of(film), 12) << film << cut;
    }
  }
}

TEST_F(FilmTest, OfARunThatFailsItIsSaidWhatIsKept) {
  ASSERT_EQ(shell("'" ORRERY_PROGRAM
                  "' render plummer --bodies 100 --engine cpu --untuned --steps 10 --series states --every 2")
                .status,
            0);
  std::ofstream(path("states/step-00000006.vtp")) << "cut off";
  const auto outcome = shell("'" ORRERY_PROGRAM "' render states --size 160x90 --record s.mkv");
  EXPECT_EQ(outcome.status, 1);
  const int frames = frames_of("s.mkv");
  EXPECT_GT(frames, 1);
  EXPECT_NE(outcome.errors.find("; 's.mkv' holds " + std::to_string(frames) + " frames\n"), std::string::npos)
      << outcome.errors;
}

TEST_F(FilmTest, CtrlCAndAClosedTerminalKeepWhatThereIs) {
  for (const auto& [signal, status] :
       {std::pair("INT", 130), std::pair("HUP", 129), std::pair("QUIT", 131)}) {
    const auto name = signal + std::string(".mp4");
    const auto outcome = shell("timeout -s " + std::string(signal) +
                               " --preserve-status 4 '" ORRERY_PROGRAM
                               "' render disk --bodies 600 --engine cpu --untuned --size 160x90 --record " +
                               name + " --frames 1000000");
    EXPECT_EQ(outcome.status, status) << outcome.errors;
    const int frames = frames_of(name);
    EXPECT_GT(frames, 0);
    EXPECT_NE(outcome.output.find(name + " (" + std::to_string(frames) + " of 1000000 frames"),
              std::string::npos)
        << outcome.output;
    EXPECT_NE(outcome.errors.find("interrupted at step"), std::string::npos) << outcome.errors;
  }
}

TEST_F(FilmTest, NothingIsOverwritten) {
  std::ofstream(path("i.mp4")) << "mine";
  fs::create_directory(path("full"));
  std::ofstream(path("full/mine.txt")) << "mine";
  for (const char* name : {"i.mp4", "full"}) {
    const auto outcome = record(name, "--frames 2");
    EXPECT_EQ(outcome.status, 1) << name;
    EXPECT_TRUE(has(outcome.errors, "' exists")) << outcome.errors;
  }
  EXPECT_EQ(text_of(path("i.mp4")), "mine");
  EXPECT_EQ(record("full", "--frames 2 --overwrite").status, 1) << "a folder is never replaced";
  EXPECT_EQ(record("i.mp4", "--frames 2 --overwrite").status, 0);
  EXPECT_EQ(frames_of("i.mp4"), 2);
}

/// A film that the program makes with `encode` in place of the encoder, ended by SIGTERM once that has begun.
class HungEncoder : public FilmTest {
 protected:
  /// The wait status.
  int end_film_of(const std::string& encode) {
    with_own_ffmpeg(encode);
    const std::string paths = std::getenv("PATH");
    ::setenv("PATH", (path("bin") + ":" + paths).c_str(), 1);
    test::Running film(
        folder_,
        "render disk --bodies 600 --engine cpu --untuned --size 160x90 --record h.mp4 --frames "
        "1000000");
    ::setenv("PATH", paths.c_str(), 1);
    EXPECT_TRUE(test::eventually([&] { return fs::exists(path("began")); })) << film.errors();
    film.send(SIGTERM);
    const int status = film.wait();
    output_ = film.output();
    errors_ = film.errors();
    return status;
  }
  std::string output_, errors_;
};

TEST_F(HungEncoder, ThatWasStoppedGoesOnAndCompletesTheFilm) {
  // It has the first frame before it is stopped, however slowly that is drawn.
  const int status = end_film_of("head -c " + std::to_string(frame_bytes) +
                                 " >first; touch began; kill -STOP $$; cat first - | $real \"$@\"");
  ASSERT_TRUE(WIFEXITED(status)) << errors_;
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGTERM) << errors_;
  const int frames = frames_of("h.mp4");
  EXPECT_GT(frames, 0);
  EXPECT_TRUE(has(output_, "h.mp4 (" + std::to_string(frames) + " of 1000000 frames")) << output_;
}

TEST_F(HungEncoder, ThatHearsNothingIsKilledAndSaidSo) {
  const int status = end_film_of("head -c " + std::to_string(frame_bytes) +
                                 " >/dev/null; touch began; trap '' TERM; while :; do sleep 1000; done");
  ASSERT_TRUE(WIFEXITED(status)) << "the program waits for ever" << errors_;
  EXPECT_NE(WEXITSTATUS(status), 0) << "of the failure, or of the signal: " << errors_;
  EXPECT_TRUE(has(errors_, "ffmpeg stopped: it hung and was ended; nothing of it could be kept")) << errors_;
  EXPECT_FALSE(fs::exists(path("h.mp4")));
}

TEST_F(FilmTest, MistakesAreOneLineBeforeAnythingIsDone) {
  const std::array<std::pair<const char*, const char*>, 7> mistakes{{{"j.avi", ""},
                                                                     {"j.mp4", "--set codec=ffv1"},
                                                                     {"j.mp4", "--size 161x90"},
                                                                     {"j.mp4", "--frames 1,2"},
                                                                     {"j.mp4", "--frames 0"},
                                                                     {"j.mp4", "--set codec=divx"},
                                                                     {"j.mp4", "--path nowhere.json"}}};
  for (const auto& [film, more] : mistakes) {
    const auto outcome = record(film, more);
    EXPECT_EQ(outcome.status, 2) << film << " " << more;
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
    EXPECT_FALSE(fs::exists(path(film)));
  }
}

class FramesTest : public test::ProgramTest {};

TEST_F(FramesTest, WithoutFfmpegTheFramesAreKept) {
  const auto outcome =
      shell("PATH=/nonexistent '" ORRERY_PROGRAM
            "' render disk --bodies 600 --engine cpu --untuned --size 160x90 --frames 3 --record "
            "k.mp4");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("there is no program ffmpeg"), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.output.find("ffmpeg -framerate 60 -i k-frames/frame-%06d.png"), std::string::npos)
      << outcome.output;
  EXPECT_FALSE(fs::exists(path("k.mp4")));
  EXPECT_EQ(std::distance(fs::directory_iterator(path("k-frames")), fs::directory_iterator()), 3);
}

TEST(FilmFormat, TimePerFrameFollowsTheSpeed) {
  EXPECT_EQ(steps_per_frame(1.2, 0.01, 60), 2U);
  EXPECT_EQ(steps_per_frame(1.2, -0.01, 30), 4U);
  EXPECT_EQ(steps_per_frame(0.0, 0.01, 60), 1U);
  EXPECT_EQ(steps_per_frame(1e-9, 0.01, 60), 1U);
}

TEST(FilmFormat, TheKindOfFileChoosesTheCodec) {
  for (const auto& [name, codec] : {std::pair{"a.mp4", "x264"}, {"a.MKV", "x264"}, {"a.webm", "av1"}}) {
    FilmPlan plan{.output = name};
    settle_film(plan);
    EXPECT_EQ(plan.codec, codec) << name;
  }
}

TEST(ChildProcess, SaysHowItEnded) {
  EXPECT_TRUE(ChildProcess({"true"}).finish().succeeded);
  EXPECT_EQ(ChildProcess({"sh", "-c", "echo said; echo one >&2; echo why >&2; exit 3"}).finish().problem,
            "why");
  EXPECT_NE(ChildProcess({"sh", "-c", "kill -9 $$"}).finish().problem.find("signal 9"), std::string::npos);
  EXPECT_EQ(ChildProcess({"echo", "said"}).finish().output, "said\n");
  EXPECT_THROW(ChildProcess({"no-such-program-here"}), sim::Error);
}

TEST(ChildProcess, CanBeWatchedAndEnded) {
  ChildProcess child({"sleep", "600"});
  EXPECT_FALSE(child.ended());
  child.interrupt();
  EXPECT_TRUE(test::eventually([&] { return child.ended(); }));
  EXPECT_NE(child.finish().problem.find("signal 15"), std::string::npos);
  EXPECT_TRUE(child.ended());
}

TEST(ChildProcess, AReaderThatIsGoneIsAnErrorAndNoSignal) {
  std::thread([] {
    block_broken_pipes();
    ChildProcess child({"true"});
    const std::vector<std::byte> much(std::size_t{1} << 20);
    bool taken = true;
    for (int i = 0; i < 100 && taken; ++i) taken = child.write(much);
    EXPECT_FALSE(taken);
  }).join();
}

}  // namespace
}  // namespace orrery::app
