#include <cstddef>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "pictures_testing.h"
#include "render/picture/image.h"
#include "tests/render/read_png.h"

// The state that a picture carries, and states that render writes.
namespace {

namespace fs = std::filesystem;

using orrery::test::Pictures;

TEST_F(Pictures, AStateThatIsNotFiniteIsSaidAndNotWritten) {
  const auto result = orrery(
      "render plummer --bodies 50 --steps 20 --engine cpu --untuned --set time-step=1e20 --size 64x48 "
      "-o bad.png --write-state bad.csv");
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("of body "), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("is not finite at step "), std::string::npos) << result.errors;
  EXPECT_FALSE(fs::exists(path("bad.csv")));
  EXPECT_FALSE(fs::exists(path("bad.png")));
}

TEST_F(Pictures, RenderWritesTheSizeAndTheState) {
  const auto outcome =
      orrery("render plummer --bodies 400 --steps 7 --size 320x200 --kernel pair-symmetric --output a.png");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("a.png"), std::string::npos);
  EXPECT_NE(outcome.output.find("GInteractions/s"), std::string::npos);
  const auto image = orrery::render::read_png(path("a.png"));
  EXPECT_EQ(image.width, 320);
  EXPECT_EQ(image.height, 200);
  EXPECT_GT(brightness(image), 1.0);
  const auto state = state_of(path("a.png"));
  EXPECT_EQ(state.at("step"), 7);
  EXPECT_EQ(state.at("version"), ORRERY_VERSION);
  EXPECT_EQ(state.at("options").at("kernel"), "pair-symmetric");
  EXPECT_EQ(state.at("dataset").at("model"), "plummer");
  EXPECT_EQ(state.at("dataset").at("hash").get<std::string>().size(), 16U);
  EXPECT_GT(state.at("time").get<double>(), 0.0);
}

TEST_F(Pictures, ManyBodiesBeginWithATreeThatStatesItsErrors) {
  const std::string render = "render plummer --engine cpu --untuned --bodies 12000 --steps 1 --size 64x48 ";
  const auto tree = orrery(render + "-o a.png");
  ASSERT_EQ(tree.status, 0) << tree.errors;
  EXPECT_NE(tree.errors.find("stated as median below 1."), std::string::npos) << tree.errors;
  EXPECT_NE(tree.errors.find("99 % of the bodies below"), std::string::npos) << tree.errors;
  EXPECT_NE(tree.output.find("ms per step"), std::string::npos) << tree.output;
  EXPECT_NE(tree.output.find("interactions per body"), std::string::npos) << tree.output;
  const auto pairs = orrery(render + "--kernel simd -o b.png");
  EXPECT_EQ(pairs.errors.find("stated"), std::string::npos) << pairs.errors;
  EXPECT_EQ(pairs.output.find("interactions per body"), std::string::npos) << pairs.output;
}

TEST_F(Pictures, AWrittenStateIsGoneOnFrom) {
  const std::string options = " --engine cpu --untuned --size 64x48 --write-state ";
  const auto render = [&](const std::string& arguments) {
    const auto outcome = orrery("render " + arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_NE(outcome.output.find("state: "), std::string::npos) << outcome.output;
  };
  const std::string galaxy = "plummer --bodies 100 --set time-step=0.004 --set softening=0.1";
  render(galaxy + " --steps 3" + options + "half.bin -o half.png");
  render("half.bin --steps 3" + options + "rest.tipsy -o rest.png");
  render(galaxy + " --steps 6" + options + "whole.tipsy -o whole.png");
  EXPECT_GT(text_of(path("whole.tipsy")).size(), 100U * 36U);
  EXPECT_TRUE(text_of(path("rest.tipsy")) == text_of(path("whole.tipsy")));
  // What the format cannot hold is said before the run, not after it.
  const auto refused =
      orrery("render plummer --bodies 50 --galaxies 2 --steps 1000000000 --write-state two.tipsy");
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.errors.find("use bin or csv"), std::string::npos) << refused.errors;
  EXPECT_FALSE(fs::exists(path("two.tipsy")));
}

TEST_F(Pictures, ComeBackFromTheirOwnState) {
  ASSERT_EQ(
      orrery("render plummer --bodies 300 --seed 9 --steps 12 --size 200x150 --set exposure=1 --output a.png")
          .status,
      0);
  const auto outcome = orrery("render --state a.png --size 200x150 --output b.png");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(orrery::render::read_png(path("a.png")).rgba, orrery::render::read_png(path("b.png")).rgba);
  EXPECT_EQ(state_of(path("a.png")), state_of(path("b.png")));
}

TEST_F(Pictures, AreOpenedLikeDatasets) {
  ASSERT_EQ(orrery("render plummer --bodies 300 --seed 9 --steps 12 --size 200x150 -o a.png").status, 0);
  const auto rendered = orrery("render a.png --size 200x150 -o b.png");
  ASSERT_EQ(rendered.status, 0) << rendered.errors;
  EXPECT_EQ(state_of(path("a.png")), state_of(path("b.png")));
  EXPECT_EQ(orrery::render::read_png(path("a.png")).rgba, orrery::render::read_png(path("b.png")).rgba);
  // Without a display the viewer draws it too; options and steps come on top.
  ASSERT_EQ(orrery("a.png --size 64x64 --steps 2 --set exposure=2").status, 0);
  const auto state = state_of(path("Pictures/plummer-step2-0001.png"));
  EXPECT_EQ(state.at("dataset").at("bodies"), 300);
  EXPECT_EQ(state.at("options").at("exposure"), "auto:2");
  std::ofstream(path("state.json")) << state;
  EXPECT_EQ(orrery("render state.json --size 64x64 -o c.png").status, 0);
}

TEST_F(Pictures, WithoutAStateAreExplained) {
  ASSERT_EQ(orrery("render plummer --bodies 50 --steps 0 --size 8x8 -o a.png").status, 0);
  orrery::render::Image image{.width = 1, .height = 1, .rgba = {0, 0, 0, 255}};
  std::ofstream file(path("other.png"), std::ios::binary);
  orrery::render::encode_png(image, {}, [&](std::span<const std::byte> bytes) {
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  });
  file.close();
  for (const char* command : {"render other.png", "other.png"}) {
    const auto outcome = orrery(command);
    EXPECT_EQ(outcome.status, 1) << command;
    EXPECT_NE(outcome.errors.find("carries no state"), std::string::npos) << outcome.errors;
    EXPECT_EQ(lines(outcome.errors), 1) << outcome.errors;
  }
  EXPECT_NE(orrery("info a.png").errors.find("orrery render"), std::string::npos);
  expect_mistake("render a.png --bodies 5");
  expect_mistake("render a.png --state a.png");
}

TEST_F(Pictures, OfBodiesFromRestAreFollowedByTheirVelocities) {
  std::ofstream(path("p.csv")) << "x,y,z,mass\n0,0,0,1\n1,0,0,1\n0,1,0,1\n";
  const std::string render = "render p.csv --engine cpu --untuned --size 8x8 --set time-step=1e-3 ";
  ASSERT_EQ(orrery(render + "--steps 50 --write-state moved.csv -o a.png").status, 0);
  EXPECT_NE(text_of(path("moved.csv")).find("vx,vy,vz"), std::string::npos);
  ASSERT_EQ(orrery(render + "--steps 50 --write-state moved.bin -o b.png").status, 0);
  EXPECT_EQ(orrery("info moved.bin").output.find("at rest"), std::string::npos);
  ASSERT_EQ(orrery(render + "--steps 0 --write-state start.csv -o c.png").status, 0);
  EXPECT_EQ(text_of(path("start.csv")).find("vx,vy,vz"), std::string::npos);
}

TEST_F(Pictures, WhatAStateLacksIsSaidInPlainWords) {
  std::ofstream(path("state.json")) << R"({"state_version":1})";
  const auto outcome = orrery("render --state state.json --size 64x64 --output b.png");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("the state is damaged (key 'dataset' not found)"), std::string::npos)
      << outcome.errors;
}

TEST_F(Pictures, StatesWithNegativeNumbersAreRefused) {
  ASSERT_EQ(orrery("render plummer --bodies 50 --steps 0 --size 64x64 --output a.png").status, 0);
  for (const char* pointer : {"/step", "/dataset/galaxies", "/dataset/bodies", "/dataset/seed"}) {
    auto state = state_of(path("a.png"));
    state[nlohmann::json::json_pointer(pointer)] = -1;
    std::ofstream(path("state.json")) << state;
    const auto outcome = orrery("render --state state.json --size 64x64 --output b.png");
    EXPECT_EQ(outcome.status, 1) << pointer;
    EXPECT_EQ(lines(outcome.errors), 1) << outcome.errors;
  }
}

}  // namespace
