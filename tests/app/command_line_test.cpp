#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>

#include "command_line_testing.h"

// What all commands have in common: help, exit status, what stands on which stream, mistakes.
namespace {

namespace fs = std::filesystem;

using orrery::test::CommandLine;

TEST_F(CommandLine, VersionAndHelp) {
  const auto version = orrery("--version");
  EXPECT_EQ(version.status, 0);
  EXPECT_EQ(version.output, "orrery " ORRERY_VERSION "\n");
  for (const char* command :
       {"--help", "view --help", "render --help", "bench --help", "ladder --help", "sweep --help",
        "pipeline --help", "tune --help", "make --help", "convert --help", "info --help", "doctor --help",
        "verify --help", "kernels --help", "serve --help", "connect --help"}) {
    const auto help = orrery(command);
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_GT(lines(help.output), 3) << command;
  }
  const auto options = orrery("--help-options");
  EXPECT_EQ(options.status, 0);
  for (const char* name :
       {"kernel", "threads", "softening", "time-step", "integrator", "exposure", "color-mode"}) {
    EXPECT_NE(options.output.find(std::string("  ") + name + " ="), std::string::npos) << name;
  }
}

TEST_F(CommandLine, HelpIsACommandToo) {
  EXPECT_EQ(orrery("help").output, orrery("--help").output);
  for (const char* command : {"view", "render", "ladder", "info", "completion"})
    EXPECT_EQ(orrery(std::string("help ") + command).output, orrery(std::string(command) + " --help").output);
}

TEST_F(CommandLine, AMistakePointsToTheHelpOfItsCommand) {
  for (const char* command : {"render", "bench", "make", "info", "diagnose", "verify"}) {
    const auto errors = orrery(std::string(command) + " --seed x").errors;
    EXPECT_NE(errors.find(std::string("`orrery ") + command + " --help` explains"), std::string::npos)
        << errors;
  }
  EXPECT_NE(orrery("plummer --seed x").errors.find("`orrery view --help` explains"), std::string::npos);
}

TEST_F(CommandLine, LaddersAreListedWithoutAName) {
  const auto listed = orrery("ladder");
  EXPECT_EQ(listed.status, 0) << listed.errors;
  EXPECT_NE(listed.output.find("ece415-2022"), std::string::npos) << listed.output;
  EXPECT_NE(listed.output.find("`orrery ladder NAME` climbs one"), std::string::npos) << listed.output;
}

TEST_F(CommandLine, APictureIsWhatItsNameSays) {
  for (const char* name :
       {"x.jpg", "x.JPEG", "x.bmp", "x.tiff", "x.webp", "x.svg", "x.gif", "x.pdf", "x.png.jpg"}) {
    expect_mistake(std::string("render plummer --bodies 50 --engine cpu --steps 0 --size 64x48 -o ") + name);
    EXPECT_FALSE(std::filesystem::exists(path(name)));
    expect_mistake(std::string("render plummer --bodies 50 --engine cpu --frames 0,1 --size 64x48 -o ") +
                   name);
  }
  for (const char* name : {"x.PNG", "without-an-extension"})
    EXPECT_EQ(orrery(std::string("render plummer --bodies 50 --engine cpu --steps 0 --size 64x48 -o ") + name)
                  .status,
              0);
}

TEST_F(CommandLine, ATimeStepThatCannotBeMeantIsSaid) {
  const auto errors = [&](const std::string& step) {
    return orrery(
               "render plummer --bodies 50 --engine cpu --untuned --steps 1 --size 64x48 --set time-step=" +
               step)
        .errors;
  };
  EXPECT_NE(errors("0").find("the time step is 0: the bodies stand still"), std::string::npos) << errors("0");
  for (const char* large : {"1e9", "-1e9", "2"})
    EXPECT_NE(errors(large).find("times as long as the one suggested"), std::string::npos) << errors(large);
  EXPECT_NE(errors("1e-9").find("times as short as the one suggested"), std::string::npos) << errors("1e-9");
  EXPECT_NE(errors("-0.01").find("the bodies move back in time"), std::string::npos) << errors("-0.01");
  for (const char* usual : {"0.01", "0.001", "0.1"})
    EXPECT_EQ(errors(usual).find("time step"), std::string::npos) << errors(usual);
  for (const char* command :
       {"bench --engine cpu", "diagnose --engine cpu -o x.csv", "sweep --engine cpu kernel=simd",
        "map --engine cpu -o x.png", "ladder ece415-2022"}) {
    const auto outcome = orrery(std::string(command) + " plummer --bodies 50 --steps 1 --set time-step=0");
    EXPECT_TRUE(has(outcome.errors, "stand still")) << command << outcome.errors;
  }
}

TEST_F(CommandLine, AWholeNumberWithoutALimitNamesNone) {
  EXPECT_EQ(orrery("render disk --bodies ten").errors,
            "orrery: --bodies: takes a whole number from 1, not 'ten'; `orrery render --help` explains\n");
}

TEST_F(CommandLine, WithoutADisplayItSaysWhyThereIsAPicture) {
  const auto shown = orrery("plummer --bodies 50 --steps 1 --size 160x120");
  if (shown.errors.find("drawing with") == std::string::npos) GTEST_SKIP() << shown.errors;
  EXPECT_NE(shown.errors.find("there is no display"), std::string::npos) << shown.errors;
  const auto asked = orrery("plummer --bodies 50 --steps 1 --size 160x120 --display headless");
  EXPECT_EQ(asked.errors.find("there is no display"), std::string::npos) << asked.errors;
}

TEST_F(CommandLine, NothingIsProposedWhereNoNameIsNear) {
  for (const char* command : {"render --zzz", "xyzzy", "info xyzzy.bin", "render --set xyzzy=1"})
    EXPECT_EQ(orrery(command).errors.find("did you mean"), std::string::npos) << orrery(command).errors;
}

TEST_F(CommandLine, AFolderDoesNotHideAModelAndAFileDoes) {
  fs::create_directory(path("plummer"));
  const auto model = orrery("info plummer --bodies 20");
  EXPECT_EQ(model.status, 0) << model.errors;
  EXPECT_NE(model.output.find("model plummer, 20 bodies"), std::string::npos) << model.output;
  fs::remove(path("plummer"));
  std::ofstream(path("plummer")) << "x,y,z\n1,2,3\n4,5,6\n";
  EXPECT_NE(orrery("info plummer").output.find("text table"), std::string::npos);
  // What can only be a model is one.
  EXPECT_EQ(orrery("make plummer --bodies 30 -o p.csv").output.find("p.csv: 30 bodies"), 0U);
}

TEST_F(CommandLine, FoldersInPlaceOfSettingsAreSaidAndLeftAlone) {
  for (const char* folder : {"tuned.json", "settings.json", "ladders/own.json"})
    fs::create_directories(folder_ / ".config" / "orrery" / folder);
  const auto tuned = orrery("bench --tuned --bodies 20 --steps 1 --engine cpu");
  EXPECT_NE(tuned.errors.find("tuned.json': it is a folder"), std::string::npos) << tuned.errors;
  EXPECT_EQ(tuned.errors.find("filebuf"), std::string::npos) << tuned.errors;
  const auto named = orrery("ladder own");
  EXPECT_EQ(named.status, 1);
  EXPECT_NE(named.errors.find("own.json': it is a folder"), std::string::npos) << named.errors;
  EXPECT_EQ(lines(named.errors), 1) << named.errors;
}

TEST_F(CommandLine, OptionsAreListedAfterAnySubcommand) {
  const auto table = orrery("--help-options").output;
  for (const char* command :
       {"render --help-options", "disk --steps 3 --help-options", "bench --help-options"}) {
    const auto outcome = orrery(command);
    EXPECT_EQ(outcome.status, 0) << command << ": " << outcome.errors;
    EXPECT_EQ(outcome.output, table) << command;
  }
}

TEST_F(CommandLine, AFlagThatIsAnOptionIsAnsweredWithSet) {
  for (const auto& [command, use] : std::initializer_list<std::pair<const char*, const char*>>{
           {"render plummer --softening 0.1", "--set softening=0.1"},
           {"plummer --softening 0.1", "--set softening=0.1"},
           {"bench --threads=4", "--set threads=4"},
           {"diagnose --gravity --json -", "--set gravity=VALUE"},
           {"render plummer --no-interop", "--set interop=off"},
           {"info plummer --only disk", "--set only=disk"},
           {"render plummer --record f.mp4 --fps 30", "--set fps=30"}}) {
    expect_mistake(command);
    const auto errors = orrery(command).errors;
    EXPECT_TRUE(errors.ends_with("; use " + std::string(use) + "\n")) << command << ": " << errors;
  }
}

TEST_F(CommandLine, SettingsOfFilesAreNoOptionsOfARun) {
  expect_mistake("info plummer --set tile=64");
  expect_mistake("bench --set fps=30");
  expect_mistake("render plummer --set snapshot-rate=0");
  expect_mistake("render plummer --set recentre=maybe");
  expect_mistake("info plummer --set only=");
}

TEST_F(CommandLine, EveryHelpFitsTwoScreens) {
  for (const char* command :
       {"", "view", "render", "demo", "bench", "ladder", "sweep", "pipeline", "tune", "verify", "plot",
        "diagnose", "map", "make", "convert", "info", "doctor", "kernels", "completion"}) {
    const auto help = orrery(std::string(command) + " --help").output;
    EXPECT_LE(lines(help), 80) << command;
    std::istringstream all(help);
    for (std::string line; std::getline(all, line);) EXPECT_LE(line.size(), 100U) << command << ": " << line;
  }
  for (const char* group : {"Input:", "Computing:", "Run:", "Picture:", "Film "})
    EXPECT_NE(orrery("render --help").output.find(std::string("\n") + group), std::string::npos) << group;
}

TEST_F(CommandLine, NoInteropIsTakenWhereThereIsNoGpuToo) {
  EXPECT_EQ(
      orrery("render two-body --engine cpu --steps 1 --set interop=off --size 64x64 -o copied.png").status,
      0);
}

}  // namespace
