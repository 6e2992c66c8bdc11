#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "pictures_testing.h"
#include "render/picture/light_file.h"
#include "sim/core/pattern.h"
#include "tests/render/read_png.h"

// What `orrery render` draws, and `orrery` without a display.
namespace {

namespace fs = std::filesystem;

using orrery::test::Pictures;

TEST_F(Pictures, LinearLightAndTransparentPictures) {
  const std::string disk = "render disk --bodies 500 --steps 0 --engine cpu --untuned --size 96x64 ";
  ASSERT_EQ(orrery(disk + "--transparent -o clear.png").status, 0);
  const auto image = orrery::render::read_png(path("clear.png"));
  std::size_t clear = 0, opaque = 0;
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) (image.rgba[i] == 0 ? clear : opaque) += 1;
  EXPECT_GT(clear, 100U);
  EXPECT_GT(opaque, 100U);
  EXPECT_EQ(orrery(disk + "--transparent --record a.mp4").status, 2);
  EXPECT_EQ(orrery(disk + "--transparent -o a.exr").status, orrery::render::has_light_files() ? 2 : 1);
  if (!orrery::render::has_light_files()) return;
  const auto four = orrery(disk + "--set views=four -o four.exr");
  EXPECT_EQ(four.status, 2);
  EXPECT_NE(four.errors.find("holds one view"), std::string::npos) << four.errors;
  ASSERT_EQ(orrery(disk + "-o light.exr").status, 0);
  EXPECT_EQ(orrery::render::read_light_file(path("light.exr")).size, glm::ivec2(96, 64));
  EXPECT_EQ(orrery("render --state light.exr --size 96x64 -o again.png").status, 0);
}

TEST_F(Pictures, BodiesThatLeaveTheViewAreFollowedOrMissed) {
  std::ofstream file(path("drift.csv"));
  file << "x,y,z,vx,vy,vz,mass\n";
  for (int i = 0; i < 60; ++i)
    file << std::cos(0.7 * i) << ',' << std::sin(1.3 * i) << ',' << std::cos(2.9 * i) << ",100,0,0,0.01\n";
  file.close();
  const std::string run = "render drift.csv --engine cpu --untuned --size 96x64 --set time-step=0.01 ";
  const auto light = [&](const char* name) {
    const auto image = orrery::render::read_png(path(name));
    std::size_t lit = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) lit += image.rgba[i] > 40 ? 1 : 0;
    return lit;
  };
  const auto followed = orrery(run + "--steps 100 --set legend=off -o a.png");
  ASSERT_EQ(followed.status, 0) << followed.errors;
  EXPECT_NE(followed.errors.find("framed where they are now"), std::string::npos) << followed.errors;
  EXPECT_GT(light("a.png"), 20U);
  const auto missed = orrery(run + "--frames 0,100 -o b.png");
  ASSERT_EQ(missed.status, 0) << missed.errors;
  EXPECT_NE(missed.errors.find("no body is in the picture of step 100"), std::string::npos) << missed.errors;
  EXPECT_EQ(missed.errors.find("picture of step 0"), std::string::npos) << missed.errors;
  const auto still = orrery(run + "--steps 1 -o c.png");
  EXPECT_EQ(still.errors.find("framed where"), std::string::npos) << still.errors;
}

TEST_F(Pictures, FewBodiesThatFlewFarApartAreSeen) {
  std::ofstream(path("three.csv")) << "x,y,z,vx,vy,vz\n0,0,0,-2,-2,0\n1,0,0,8,-6,0\n0,1,0,-6,8,0\n";
  const auto run = orrery(
      "render three.csv --engine cpu --untuned --size 240x160 --set time-step=0.1 --steps 50 --set "
      "legend=off "
      "--set scale-bar=off -o a.png");
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_NE(run.errors.find("framed where they are now"), std::string::npos) << run.errors;
  const auto image = orrery::render::read_png(path("a.png"));
  std::size_t lit = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4)
    lit += std::max({image.rgba[i], image.rgba[i + 1], image.rgba[i + 2]}) > 100 ? 1 : 0;
  EXPECT_GE(lit, 3U);
}

TEST_F(Pictures, BodiesWithoutVelocitiesAreDrawnWhereTheyAre) {
  std::ofstream(path("points.csv")) << "x,y,z\n0,0,0\n1,0,0\n0,1,0\n";
  const auto usual = orrery("render points.csv --engine cpu --untuned --size 96x64 -o a.png");
  ASSERT_EQ(usual.status, 0) << usual.errors;
  EXPECT_NE(usual.errors.find("no velocities"), std::string::npos) << usual.errors;
  EXPECT_EQ(usual.output.find(" steps"), std::string::npos) << usual.output;
  const auto told = orrery("render points.csv --engine cpu --untuned --size 96x64 --steps 2 -o b.png");
  EXPECT_NE(told.output.find("2 steps"), std::string::npos) << told.output;
}

TEST_F(Pictures, HaveTheColoursOfTheFile) {
  std::ofstream(path("colours.csv")) << "x,y,z,red,green,blue\n0,0,0,255,0,0\n1,0,0,0,255,0\n0,1,0,0,0,255\n";
  const std::string run =
      " --engine cpu --untuned --size 240x160 --steps 0 --set legend=off --set scale-bar=off ";
  /// Pixels in which one channel is by far the brightest.
  const auto pure = [&](const char* name) {
    const auto image = orrery::render::read_png(path(name));
    std::array<int, 3> count{};
    for (std::size_t i = 0; i < image.rgba.size(); i += 4)
      for (std::size_t k = 0; k < 3; ++k) {
        const int others = std::max(image.rgba[i + (k + 1) % 3], image.rgba[i + (k + 2) % 3]);
        count.at(k) += 10 * image.rgba[i + k] > 13 * others + 300 ? 1 : 0;
      }
    return count;
  };
  const auto outcome = orrery("render colours.csv -o file.png" + run);
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  for (const int pixels : pure("file.png")) EXPECT_GT(pixels, 0);
  // In another format and back, and by name.
  ASSERT_EQ(orrery("convert colours.csv colours.bin").status, 0);
  ASSERT_EQ(orrery("render colours.bin --set color-mode=file -o again.png" + run).status, 0);
  EXPECT_EQ(pure("again.png"), pure("file.png"));
  ASSERT_EQ(orrery("render colours.csv --set color-mode=component -o component.png" + run).status, 0);
  EXPECT_EQ(pure("component.png"), (std::array<int, 3>{}));
  const auto none = orrery("render plummer --bodies 50 --set color-mode=file" + run);
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.errors.find("no colours of its own"), std::string::npos) << none.errors;
}

TEST_F(Pictures, WrongFramesAndTrailsAreMistakes) {
  for (const char* arguments : {"--frames 1,two", "--frames 1,,2", "--frames ''", "--frames -1",
                                "--frames 1,2 --steps 3", "--set trails=some", "--set trail-length=1"}) {
    const auto outcome = orrery(std::string("render plummer --bodies 50 ") + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
  }
}

TEST_F(Pictures, FramesAreAPictureOfEachStep) {
  const std::string galaxy = "render plummer --bodies 200 --engine cpu --untuned --size 96x64";
  const auto outcome = orrery(galaxy + " --frames 20,0,100 -o a.png");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  for (const auto& [step, name] :
       {std::pair(0, std::string("a-step000.png")), std::pair(20, std::string("a-step020.png")),
        std::pair(100, std::string("a-step100.png"))}) {
    ASSERT_TRUE(fs::exists(path(name))) << name << outcome.output;
    EXPECT_EQ(state_of(path(name)).at("step"), step);
    EXPECT_NE(outcome.output.find("picture: " + name), std::string::npos) << outcome.output;
  }
  EXPECT_FALSE(fs::exists(path("a.png")));
  // Each as if it were made alone.
  ASSERT_EQ(orrery(galaxy + " --steps 20 -o alone.png").status, 0);
  EXPECT_TRUE(orrery::render::read_png(path("alone.png")).rgba ==
              orrery::render::read_png(path("a-step020.png")).rgba);
  EXPECT_NE(orrery::render::read_png(path("a-step000.png")).rgba,
            orrery::render::read_png(path("a-step020.png")).rgba);
  // Refused before the first step: one of the names is taken.
  fs::remove(path("a-step000.png"));
  const auto refused = orrery(galaxy + " --frames 0,100 -o a.png");
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.errors.find("a-step100.png"), std::string::npos) << refused.errors;
  EXPECT_FALSE(fs::exists(path("a-step000.png")));
}

// Nine pairs in a step, most of whose time goes elsewhere.
TEST_F(Pictures, SmallRatesHaveDigits) {
  const auto outcome = orrery(
      "render figure-eight --engine cpu --untuned --kernel sequential --steps 20 --size 64x48 -o a.png");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const orrery::sim::Pattern both("([0-9.e-]+) GInteractions/s in the kernel, ([0-9.e-]+) overall");
  const auto rates = both.find(outcome.output);
  ASSERT_FALSE(rates.empty()) << outcome.output;
  const double in_kernel = std::stod(std::string(rates[1])), overall = std::stod(std::string(rates[2]));
  EXPECT_GT(overall, 0.0) << outcome.output;
  EXPECT_LE(overall, in_kernel) << outcome.output;
}

TEST_F(Pictures, WhatAutoTakesIsSaid) {
  const auto outcome = orrery(
      "render plummer --bodies 100 --engine cpu --untuned --kernel auto --steps 1 --size 64x48 -o a.png");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find(" with auto (simd): "), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find("interactions per body"), std::string::npos) << outcome.output;
}

// Three bodies leave light on their way; a picture with trails is the same every time.
TEST_F(Pictures, SayWhereTheTimeOfTheRunWent) {
  const auto outcome = orrery("render plummer --bodies 100 --steps 2 --engine cpu --times -o a.png");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  for (const char* phase : {"dataset", "summary", "steps", "check numbers", "picture", "in all"})
    EXPECT_NE(outcome.errors.find(std::string("  ") + phase + "\n"), std::string::npos) << outcome.errors;
}

TEST_F(Pictures, SmallScenesHaveTrails) {
  const std::string scene =
      "render figure-eight --engine cpu --untuned --steps 300 --size 320x180 --set marks=ellipses --set "
      "star-field=0 ";
  ASSERT_EQ(orrery(scene + "-o on.png").status, 0);
  ASSERT_EQ(orrery(scene + "-o again.png").status, 0);
  ASSERT_EQ(orrery(scene + "--set trails=off -o off.png").status, 0);
  const auto on = orrery::render::read_png(path("on.png"));
  EXPECT_EQ(on.rgba, orrery::render::read_png(path("again.png")).rgba);
  EXPECT_GT(brightness(on), 1.5 * brightness(orrery::render::read_png(path("off.png"))));
  // A body that stands still, the same scene seen from it: its trail is gone, others have some.
  ASSERT_EQ(orrery(scene + "--set trails=range:0:1 -o one.png").status, 0);
  ASSERT_EQ(orrery(scene + "--set trails=range:0:1 --set trail-frame=body -o self.png").status, 0);
  EXPECT_TRUE(orrery::render::read_png(path("self.png")).rgba ==
              orrery::render::read_png(path("off.png")).rgba);
  EXPECT_NE(orrery::render::read_png(path("one.png")).rgba, orrery::render::read_png(path("off.png")).rgba);
  const auto state = state_of(path("self.png"));
  EXPECT_EQ(state.at("options").at("trail-frame"), "body:0") << "states keep the options";
}

TEST_F(Pictures, TheCameraIsChosenAndKept) {
  std::ofstream(path("camera.json")) << R"({"position": [0, -5, 0], "target": [0, 0, 0]})";
  const auto camera_of = [this](const std::string& arguments, const std::string& picture) {
    EXPECT_EQ(
        orrery("render disk --bodies 300 --steps 0 --size 160x90 " + arguments + " -o " + picture).status, 0);
    return state_of(path(picture)).at("camera");
  };
  const auto given = camera_of("--view camera.json", "given.png");
  EXPECT_EQ(given.at("distance"), 5.0);
  EXPECT_EQ(camera_of("--view given.png", "again.png"), given) << "of a picture";
  EXPECT_EQ(camera_of("--view camera.json --zoom 2", "near.png").at("distance"), 2.5);
  const auto fit = camera_of("", "fit.png");
  EXPECT_EQ(camera_of("--view fit", "same.png"), fit) << "the default";
  EXPECT_NE(camera_of("--view face-on", "face.png"), fit);
  EXPECT_NE(camera_of("--view edge-on", "edge.png"), camera_of("--view three-quarter", "quarter.png"));
}

TEST_F(Pictures, ALookSetsOptionsAndTheStateSaysAll) {
  ASSERT_EQ(
      orrery("render disk --bodies 300 --steps 0 --size 160x90 --set look=print --set glow=0.3 -o p.png")
          .status,
      0);
  const auto options = state_of(path("p.png")).at("options");
  EXPECT_EQ(options.at("look"), "print");
  EXPECT_EQ(options.at("paper"), true);
  EXPECT_EQ(options.at("glow"), 0.3);
  ASSERT_EQ(orrery("render --state p.png -o again.png --size 160x90").status, 0);
  EXPECT_EQ(state_of(path("again.png")).at("options"), options);
}

TEST_F(Pictures, UseWhatTuningRemembered) {
  // Something that is not the default: only so can it be seen that it is used.
  ASSERT_EQ(
      orrery("tune --engine cpu --bodies 130 --seconds 60 --kernel sequential --set threads=1 --under-load")
          .status,
      0);
  const auto kernel = [this](const std::string& arguments) {
    fs::remove(path("a.png"));
    const auto outcome =
        orrery("render plummer --engine cpu --bodies 120 --steps 1 --size 64x64 --output a.png " + arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    const bool said = outcome.errors.find("--untuned") != std::string::npos;
    return state_of(path("a.png")).at("options").at("kernel").get<std::string>() + (said ? " said" : "");
  };
  EXPECT_EQ(kernel(""), "sequential said");
  EXPECT_EQ(kernel("--set threads=2"), "sequential said");
  EXPECT_EQ(kernel("--untuned"), "simd");
  EXPECT_EQ(kernel("--kernel pair-symmetric"), "pair-symmetric");
  EXPECT_EQ(kernel("--galaxies 2"), "simd");
  std::ofstream(folder_ / ".config" / "orrery" / "tuned.json") << "{";
  const auto damaged = orrery("render plummer --bodies 120 --steps 1 --size 64x64 --output b.png");
  EXPECT_EQ(damaged.status, 0);
  EXPECT_NE(damaged.errors.find("tuned.json"), std::string::npos) << damaged.errors;
}

TEST_F(Pictures, AreNeverOverwritten) {
  ASSERT_EQ(orrery("render plummer --bodies 50 --steps 0 --size 64x64 --output a.png").status, 0);
  const auto before = text_of(path("a.png"));
  const auto again = orrery("render plummer --bodies 60 --steps 0 --size 64x64 --output a.png");
  EXPECT_EQ(again.status, 1);
  EXPECT_EQ(lines(again.errors), 1) << again.errors;
  EXPECT_EQ(text_of(path("a.png")), before);
}

TEST_F(Pictures, OfProgramsBesideEachOtherAllHaveANameOfTheirOwn) {
  const std::string six =
      "for i in 1 2 3 4 5 6; do '" ORRERY_PROGRAM
      "' render plummer --engine cpu --bodies 64 --steps 3 --size 32x32 || echo failed & done; wait";
  const auto outcome = shell(six);
  EXPECT_EQ(outcome.output.find("failed"), std::string::npos) << outcome.errors;
  for (const char* number : {"1", "2", "3", "4", "5", "6"})
    EXPECT_TRUE(fs::exists(path("Pictures/plummer-step3-000" + std::string(number) + ".png"))) << number;
  EXPECT_EQ(std::distance(fs::directory_iterator(path("Pictures")), fs::directory_iterator()), 6);
}

TEST_F(Pictures, AreDrawnByTheRasterizerWhateverSplattingSays) {
  for (const char* splatting : {"auto", "raster", "compute"}) {
    const std::string name = splatting;
    const auto outcome =
        orrery("render plummer --bodies 3000 --steps 1 --size 320x200 --set splatting=" + name +
               " --output " + name + ".png");
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
  }
  const auto raster = orrery::render::read_png(path("raster.png")).rgba;
  EXPECT_EQ(orrery::render::read_png(path("compute.png")).rgba, raster);
  EXPECT_EQ(orrery::render::read_png(path("auto.png")).rgba, raster);
}

TEST_F(Pictures, SingleAGalaxyOutAndLabelAll) {
  const auto drawn = [&](const std::string& name, const std::string& settings, int galaxies = 4) {
    const auto outcome = orrery(
        "render plummer --bodies 300 --steps 0 --size 400x300 --set legend=off --set glow=0 --set dither=off "
        "--galaxies " +
        std::to_string(galaxies) + " " + settings + " --output " + name);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return orrery::render::read_png(path(name));
  };
  const auto all = drawn("all.png", "");
  const auto one = drawn("one.png", "--set highlight=dim-others:3");
  EXPECT_EQ(drawn("off.png", "--set highlight=off:3").rgba, all.rgba);
  EXPECT_LT(brightness(one), 0.8 * brightness(all));
  EXPECT_EQ(state_of(path("one.png"))["options"]["highlight"], "dim-others:3");
  // Red and blue differ nowhere but in a galaxy of its own colour: galaxy 3 is the lower right one.
  const auto colored = drawn("color.png", "--set highlight=color:3 --set star-variation=1:0");
  std::size_t inside = 0;
  std::size_t outside = 0;
  for (std::size_t i = 0; i < colored.rgba.size(); i += 4) {
    if (colored.rgba[i] < colored.rgba[i + 2] + 60) continue;
    const auto x = i / 4 % 400;
    const auto y = i / 4 / 400;
    ++(x >= 200 && y >= 150 ? inside : outside);
  }
  EXPECT_GT(inside, 100U);
  EXPECT_LT(outside, inside / 10) << "bodies far from their galaxy's middle";
  const auto labels = drawn("labels.png", "--set labels=numbers");
  EXPECT_GT(brightness(labels), brightness(all));
  EXPECT_EQ(drawn("single.png", "--set labels=numbers", 1).rgba, drawn("plain.png", "", 1).rgba)
      << "one galaxy has no label";
}

TEST_F(Pictures, MayBeASinglePixel) {
  ASSERT_EQ(orrery("render plummer --bodies 50 --steps 0 --size 1x1 --output a.png").status, 0);
  EXPECT_EQ(orrery::render::read_png(path("a.png")).width, 1);
}

TEST_F(Pictures, OfAFileWhoseNameIsNoUnicode) {
  ASSERT_EQ(orrery("make plummer --bodies 20 -o 'caf\xe9.csv'").status, 0);
  EXPECT_EQ(orrery("render 'caf\xe9.csv' --steps 0 --size 64x64 --output a.png").status, 0);
  EXPECT_FALSE(state_of(path("a.png")).empty());
}

TEST_F(Pictures, WithoutADisplayTheViewerTakesSizeStepsAndTheFirstDataset) {
  const auto outcome = orrery("plummer two-body --bodies 100 --size 160x90 --steps 3");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("1 more left out"), std::string::npos) << outcome.errors;
  const auto image = orrery::render::read_png(path("Pictures/plummer-step3-0001.png"));
  EXPECT_EQ(image.width, 160);
  EXPECT_EQ(image.height, 90);
  ASSERT_EQ(orrery("plummer --bodies 100 --size 160x90 --screenshot-size 50x40 --steps 4").status, 0);
  EXPECT_EQ(orrery::render::read_png(path("Pictures/plummer-step4-0001.png")).width, 50);
}

TEST_F(Pictures, WithoutADisplayTheViewerDrawsOneAndSaysWhere) {
  const auto outcome = orrery("plummer --bodies 100 --screenshot-size 160x90");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto expected = path("Pictures/plummer-step200-0001.png");
  EXPECT_NE(outcome.output.find(expected), std::string::npos) << outcome.output;
  EXPECT_TRUE(fs::exists(expected));
}

}  // namespace
