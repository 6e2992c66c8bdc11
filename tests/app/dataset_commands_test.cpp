#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "command_line_testing.h"

// Commands that read and write datasets: make, convert, info, series of render.
namespace {

namespace fs = std::filesystem;

using orrery::test::CommandLine;

TEST_F(CommandLine, SeveralFilesAreOneScene) {
  std::ofstream(path("a.csv")) << "id,mass,x,y,z,vx,vy,vz\n0,1,0,0,0,0,0,0\n1,1,2,0,0,0,1,0\n";
  std::ofstream(path("b.csv")) << "id,mass,x,y,z,vx,vy,vz\n0,3,0,0,0,0,0,0\n";
  ASSERT_EQ(orrery("convert a.csv b.csv c.csv --offset -1,0,0:0,0.5,0 --offset 5,6,7:1,2,3").status, 0);
  EXPECT_EQ(text_of(path("c.csv")),
            "id,mass,x,y,z,vx,vy,vz,component\n0,1,-1,0,0,0,0.5,0,other\n1,1,1,0,0,0,1.5,0,other\n"
            "2,3,5,6,7,1,2,3,other\n")
      << text_of(path("c.csv"));
  EXPECT_NE(orrery("info a.csv b.csv --offset 10,0,0").output.find("3 in 1 galaxy"), std::string::npos);
  for (const char* command :
       {"info a.csv b.csv", "info a.csv --offset 1,2,3", "info a.csv b.csv --offset 1,2",
        "info a.csv b.csv --offset 1,0,0 --offset 1,0,0 --offset 1,0,0",
        "info a.csv b.csv --offset auto --offset auto", "render a.csv b.csv -o p.png", "convert a.csv",
        "convert a.csv -", "make plummer -o -", "info a.csv --set every-nth=0",
        "info a.csv --set in-sphere=0", "info a.csv --set in-box=1,2", "info a.csv --set nearest=0",
        "info a.csv --set snapshot=0", "info a.csv --set snapshot=2"})
    expect_mistake(command);
}

/// The numbers of the first are a millionth of those of its file: the second's must be, too.
TEST_F(CommandLine, FilesOfOneSceneAreScaledAlike) {
  std::ofstream(path("heavy.csv")) << "x,y,z,vx,vy,vz,mass\n0,0,0,0,0,0,4.9e41\n1e10,0,0,0,2e4,0,5e30\n";
  std::ofstream(path("light.csv")) << "x,y,z,vx,vy,vz,mass\n0,0,0,0,0,0,1e30\n2e10,0,0,0,2e4,0,5e30\n";
  for (const char* const order : {"heavy.csv light.csv", "light.csv heavy.csv"}) {
    const auto done = orrery(std::string("convert ") + order + " both.csv --overwrite --offset 0,0,0");
    ASSERT_EQ(done.status, 0) << done.errors;
    const auto text = text_of(path("both.csv"));
    EXPECT_NE(text.find(",10000,0,0,0,0.0199999996"), std::string::npos) << text;
    EXPECT_NE(text.find(",20000,0,0,0,0.0199999996"), std::string::npos) << text;
  }
}

/// Offsets are in the units of the scene, which are the first one's.
TEST_F(CommandLine, AnOffsetOfAFileInOtherUnitsIsInThoseOfTheScene) {
  std::ofstream(path("kpc.csv")) << "x_kpc,y_kpc,z_kpc,mass_msun\n0,0,0,1e9\n1,0,0,1e9\n";
  std::ofstream(path("pc.csv")) << "x_pc,y_pc,z_pc,mass_msun\n0,0,0,1e9\n1000,0,0,1e9\n";
  ASSERT_EQ(orrery("convert kpc.csv pc.csv both.csv --offset 5,0,0").status, 0);
  const auto text = text_of(path("both.csv"));
  EXPECT_NE(text.find(",5,0,0,"), std::string::npos) << text;
  EXPECT_NE(text.find(",6,0,0,"), std::string::npos) << text;
}

TEST_F(CommandLine, BodiesThatOnlyTheMiddleOfASeriesLacksAreSaid) {
  std::ofstream(path("s_1.csv")) << "id,x,y,z\n1,0,0,0\n2,1,0,0\n3,0,1,0\n";
  std::ofstream(path("s_2.csv")) << "id,x,y,z\n1,0,0,0\n";
  std::ofstream(path("s_3.csv")) << "id,x,y,z\n1,0,0,0\n2,1,0,0\n3,0,1,0\n";
  const auto told = orrery("info 's_*.csv'");
  EXPECT_NE(told.output.find("2 bodies are missing from snapshot 2 of the series"), std::string::npos)
      << told.output;
}

TEST_F(CommandLine, AnOddExtensionOfAStateIsAnsweredWithExtensions) {
  const auto refused = orrery("render plummer --bodies 10 --engine cpu --steps 1 --write-state s.odd");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.errors.find("end its name in one of .bin"), std::string::npos) << refused.errors;
  EXPECT_EQ(refused.errors.find("--format"), std::string::npos) << refused.errors;
}

TEST_F(CommandLine, WhatAFormatLosesOfTheUnitsIsSaid) {
  const auto made = orrery("make disk --bodies 300 -o a.bin");
  ASSERT_EQ(made.status, 0) << made.errors;
  EXPECT_EQ(made.output.find("holds no units"), std::string::npos) << made.output;
  for (const char* const name : {"b.vtp", "b.hdf5"}) {
    const auto kept = orrery(std::string("convert a.bin ") + name);
    EXPECT_EQ(kept.output.find("holds no units"), std::string::npos) << kept.output;
    const auto info = orrery(std::string("info ") + name).output;
    EXPECT_NE(info.find(" kpc"), std::string::npos) << name << info;
  }
  const auto lost = orrery("convert a.bin b.tipsy");
  EXPECT_NE(lost.output.find("tipsy holds no units (lengths in 3 kpc"), std::string::npos) << lost.output;
}

TEST_F(CommandLine, WhatInfoSuggestsFollowsWhatIsGiven) {
  std::ofstream(path("a.csv")) << "x,y,z,vx,vy,vz,mass\n0,0,0,0,0,0,1\n1,0,0,0,1,0,1\n0,1,0,1,0,0,1\n";
  const auto step_of = [&](const std::string& more) {
    const auto text = orrery("info --json a.csv" + more).output;
    return std::stod(text.substr(text.find("\"suggested_time_step\":") + 22));
  };
  EXPECT_LT(step_of(" --G 10000"), 0.1 * step_of(""));
  const auto text = orrery("info a.csv --G 2").output;
  EXPECT_EQ(text.find("no units in the file: G = 1"), std::string::npos) << text;
  EXPECT_NE(text.find("G = 2 (given)"), std::string::npos) << text;
}

TEST_F(CommandLine, WhatConvertSaysOfGIsInTheFile) {
  std::ofstream(path("a.csv")) << "x,y,z,vx,vy,vz,mass\n0,0,0,0,0,0,1\n1,0,0,0,1,0,1\n0,1,0,1,0,0,1\n";
  const auto converted = orrery("convert a.csv b.bin --G 5");
  ASSERT_EQ(converted.status, 0) << converted.errors;
  EXPECT_EQ(converted.output.find("no units in the file"), std::string::npos) << converted.output;
  EXPECT_NE(converted.output.find("G = 5 (given)"), std::string::npos) << converted.output;
  const auto stored = nlohmann::json::parse(orrery("info b.bin --json").output);
  EXPECT_EQ(stored.at("G"), 5.0);
  EXPECT_NE(
      converted.output.find(fmt::format("time step {:.4g} ", stored.at("suggested_time_step").get<double>())),
      std::string::npos)
      << converted.output;
}

TEST_F(CommandLine, UnitsThatAFileMustHaveAreSaid) {
  ASSERT_EQ(orrery("make plummer --bodies 20 -o a.csv").status, 0);
  const auto converted = orrery("convert a.csv a.h5");
  if (converted.errors.find("HDF5") != std::string::npos && converted.status == 1)
    GTEST_SKIP() << converted.errors;
  EXPECT_NE(converted.output.find("hdf5 needs units: kpc, "), std::string::npos) << converted.output;
  EXPECT_NE(converted.output.find(" km/s were put in, so that G is 1\n"), std::string::npos)
      << converted.output;
  EXPECT_EQ(orrery("convert a.h5 b.h5").output.find("needs units"), std::string::npos);
}

TEST_F(CommandLine, NamesOfFilesDoNotSteerTheTerminal) {
  for (const std::string command :
       {"make plummer --bodies 20 -o \"$name.csv\"", "convert a.csv \"$name.bin\"",
        "render a.csv --engine cpu --steps 1 --size 64x48 -o \"$name.png\" "
        "--write-state \"$name.vtp\"",
        "diagnose a.csv --engine cpu -o \"$name-d.csv\""}) {
    const auto outcome = shell("name=\"$(printf 'x\\033[31m')\"; '" ORRERY_PROGRAM
                               "' make plummer --bodies 20 -o a.csv "
                               ">made; '" ORRERY_PROGRAM "' " +
                               command);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_NE(outcome.output.find("x?[31m"), std::string::npos) << outcome.output;
    EXPECT_EQ((outcome.output + outcome.errors).find('\033'), std::string::npos) << outcome.output;
  }
}

TEST_F(CommandLine, ASeriesIsSimulatedOnlyWithAWordAboutIt) {
  ASSERT_EQ(orrery("render plummer --bodies 20 --engine cpu --steps 2 --series states").status, 0);
  const std::string said = "this simulates from the first snapshot of the series";
  const std::string how = "render states --engine cpu --size 64x48 ";
  EXPECT_NE(orrery(how + "--steps 1 -o a.png").errors.find(said), std::string::npos);
  EXPECT_EQ(orrery(how + "--steps 0 -o b.png").errors.find(said), std::string::npos);
  EXPECT_EQ(orrery(how + "--steps 1 --set snapshot=1 -o c.png").errors.find(said), std::string::npos);
}

TEST_F(CommandLine, WhatIsSaidOfFewBodiesIsTrue) {
  std::ofstream(path("one.csv")) << "x,y,z,vx,vy,vz,mass\n1,2,3,0,0,0,1\n";
  EXPECT_EQ(orrery("info one.csv").output.find("-0 "), std::string::npos);
  EXPECT_EQ(orrery("bench one.csv --engine cpu --kernels simd --steps 1").output.find("1 bodies"),
            std::string::npos);
  std::ofstream(path("star.csv")) << "x,y,z,vx,vy,vz,mass\n0,0,0,0,0,0,1000\n1,0,0,0,30,0,1\n";
  const auto star = orrery("info star.csv").output;
  EXPECT_NE(star.find("(r90 / 100)"), std::string::npos) << star;
  std::ofstream(path("tracer.csv")) << "x,y,z,vx,vy,vz,mass\n0,0,0,0,0,0,1\n1,0,0,0,1,0,0\n2,0,0,0,1,0,1\n";
  const auto tracer = orrery("info tracer.csv").output;
  EXPECT_NE(tracer.find("1 massless body"), std::string::npos) << tracer;
  EXPECT_EQ(tracer.find("without mass"), std::string::npos) << tracer;
}

TEST_F(CommandLine, NamesComeBackFromCsv) {
  ASSERT_EQ(orrery("make solar-system -o a.csv").status, 0);
  const auto text = text_of(path("a.csv"));
  EXPECT_NE(text.find(",\"Mercury\"\n"), std::string::npos) << text;
  const auto info = orrery("convert a.csv b.csv");
  ASSERT_EQ(info.status, 0) << info.errors;
  EXPECT_EQ(text_of(path("b.csv")), text);
}

TEST_F(CommandLine, RecentreNeedsAPeriodicBox) {
  ASSERT_EQ(orrery("make plummer --bodies 400 -o a.bin").status, 0);
  const auto info = orrery("info --set recentre=on a.bin");
  EXPECT_NE(info.status, 0);
  EXPECT_NE(info.errors.find("periodic box"), std::string::npos) << info.errors;
}

TEST_F(CommandLine, SeriesAreListedAndAnySnapshotIsAStart) {
  ASSERT_EQ(orrery("render plummer --bodies 60 --steps 4 --every 2 --series run --format bin").status, 0);
  const auto time_of = [&](const std::string& arguments) {
    const auto text = orrery("info --json " + arguments).output;
    return std::stod(text.substr(text.find("\"time\":") + 7));
  };
  EXPECT_EQ(time_of("run"), 0.0);
  EXPECT_GT(time_of("run --set snapshot=2"), 0.0);
  EXPECT_DOUBLE_EQ(time_of("run --set snapshot=3"), 2.0 * time_of("run --set snapshot=2"));
  EXPECT_EQ(time_of("'run/step-*2.bin'"), time_of("run --set snapshot=2"));
  expect_mistake("info run --set snapshot=4");
}

TEST_F(CommandLine, ASeriesSaysItsGapsAndTheBodiesThatItLoses) {
  fs::create_directory(path("run"));
  for (const int number : {0, 1, 5, 6}) {
    std::ofstream file(path("run/snap_00" + std::to_string(number) + ".csv"));
    file << "id,x,y,z\n";
    for (int i = number < 5 ? 0 : 2; i < 8; ++i) file << i << ',' << i << ",0," << number << '\n';
  }
  const auto outcome = orrery("info run");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(
      outcome.output.find("a series of 4 snapshots, snap_000.csv to snap_006.csv; 002 to 004 are missing"),
      std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("2 bodies are missing from the last snapshot"), std::string::npos)
      << outcome.output;
  EXPECT_EQ(orrery("info run/snap_000.csv").output.find("series"), std::string::npos);
}

TEST_F(CommandLine, ALongTableSaysHowManySnapshotsItHas) {
  std::ofstream(path("long.csv")) << "step,id,x,y,z\n0,0,0,0,0\n0,1,1,0,0\n4,0,2,0,0\n4,1,3,0,0\n";
  const auto first = orrery("info long.csv").output, last = orrery("info long.csv --set snapshot=2").output;
  EXPECT_NE(first.find("this is number 1 of 2"), std::string::npos) << first;
  EXPECT_NE(last.find("this is number 2 of 2"), std::string::npos) << last;
  EXPECT_EQ(orrery("info plummer").output.find("several snapshots"), std::string::npos);
  expect_mistake("info long.csv --set snapshot=3");
}

TEST_F(CommandLine, MakeListsEveryModelWithItsNumbersOfBodies) {
  const auto list = orrery("make --list");
  EXPECT_EQ(list.status, 0);
  for (const char* line : {"\ndisk                 256 to 100000000", "\nhernquist            2 to 100000000",
                           "\nmoth                 3                  three equal bodies"})
    EXPECT_NE(list.output.find(line), std::string::npos) << line << list.output;
  for (const char* command : {"make plummer", "make -o x.csv"})
    EXPECT_EQ(orrery(command).status, 2) << command;
}

TEST_F(CommandLine, OneIsNotSeveral) {
  EXPECT_NE(orrery("info plummer --bodies 20").output.find("20 in 1 galaxy\n"), std::string::npos);
  EXPECT_NE(orrery("info plummer --bodies 20 --galaxies 2").output.find("40 in 2 galaxies\n"),
            std::string::npos);
  std::ofstream(path("one.csv")) << "x,y,z,mass\n1,2,3,1\n";
  EXPECT_EQ(orrery("convert one.csv one.bin").output.find("one.bin: 1 body\n"), 0U);
}

TEST_F(CommandLine, ColumnsOfABinaryFileAreSaidToBeIgnored) {
  ASSERT_EQ(orrery("make plummer --bodies 20 -o p.bin").status, 0);
  ASSERT_EQ(orrery("make plummer --bodies 20 -o p.csv").status, 0);
  const std::string columns = " --columns mass,x,y,z,vx,vy,vz";
  EXPECT_NE(orrery("info p.bin" + columns).output.find("ignored"), std::string::npos);
  EXPECT_NE(orrery("bench p.bin --kernels sequential --steps 1" + columns).errors.find("ignored"),
            std::string::npos);
  EXPECT_EQ(orrery("info p.csv" + columns).output.find("ignored"), std::string::npos);
}

TEST_F(CommandLine, MakeInfoAndConvertAgree) {
  ASSERT_EQ(orrery("make plummer --bodies 500 --seed 4 -o p.bin").status, 0);
  for (const char* target : {"p.csv", "p.tipsy", "p2.bin"}) {
    ASSERT_EQ(orrery(std::string("convert p.bin ") + target).status, 0) << target;
    const auto first = nlohmann::json::parse(orrery("info p.bin --json --G 1 --softening 0.1").output);
    const auto second =
        nlohmann::json::parse(orrery(std::string("info ") + target + " --json --G 1 --softening 0.1").output);
    EXPECT_EQ(first.at("bodies"), 500);
    EXPECT_EQ(first.at("components"), second.at("components")) << target;
    for (const char* key : {"mass", "kinetic", "potential", "energy", "virial_ratio", "r50"}) {
      EXPECT_NEAR(first.at(key).get<double>(), second.at(key).get<double>(),
                  1e-9 * std::abs(first.at(key).get<double>()))
          << target << " " << key;
    }
  }
}

TEST_F(CommandLine, ConvertScalesUnits) {
  ASSERT_EQ(orrery("make plummer --bodies 500 --seed 4 -o p.bin").status, 0);
  const auto info = [&](const std::string& file) {
    return nlohmann::json::parse(orrery("info " + file + " --json").output);
  };
  const auto before = info("p.bin");
  const auto number = [](const nlohmann::json& json, const char* key) { return json.at(key).get<double>(); };
  ASSERT_EQ(orrery("convert p.bin q.vtp --mass-scale 2 --length-scale 3 --velocity-scale 4").status, 0);
  const auto after = info("q.vtp");
  const auto expect_factor = [&](const char* key, double factor) {
    EXPECT_NEAR(number(after, key), factor * number(before, key), 1e-5 * std::abs(number(after, key))) << key;
  };
  expect_factor("mass", 2.0);
  expect_factor("r50", 3.0);
  expect_factor("G", 3.0 * 16.0 / 2.0);
  expect_factor("softening", 3.0);
  expect_factor("suggested_time_step", 0.75);
  expect_factor("energy", 32.0);
  expect_factor("virial_ratio", 1.0);
}

TEST_F(CommandLine, ConvertBringsGToOne) {
  ASSERT_EQ(orrery("make plummer --bodies 500 --seed 4 -o p.csv").status, 0);
  expect_mistake("convert p.csv q.bin --to-G1");
  ASSERT_EQ(orrery("convert p.csv q.bin --to-G1 --G 0.0043009").status, 0);
  const auto info = nlohmann::json::parse(orrery("info q.bin --json").output);
  EXPECT_NEAR(info.at("mass").get<double>(), 0.0043009, 1e-8);
  EXPECT_NEAR(info.at("G").get<double>(), 1.0, 1e-12);
  // Stated by the file, so nothing is asked for.
  ASSERT_EQ(orrery("convert q.bin r.bin --mass-scale 7").status, 0);
  ASSERT_EQ(orrery("convert r.bin s.bin --to-G1").status, 0);
  const auto back = nlohmann::json::parse(orrery("info s.bin --json").output);
  EXPECT_NEAR(back.at("mass").get<double>(), 0.0043009, 1e-8);
}

TEST_F(CommandLine, ComponentsAreChosenOnLoad) {
  const auto count = [&](const std::string& arguments) {
    return nlohmann::json::parse(orrery("info disk --bodies 400 --json " + arguments).output)
        .at("components");
  };
  const auto all = count("");
  ASSERT_TRUE(all.contains("halo") && all.contains("disk")) << all;
  const auto halo = count("--set only=dark");
  EXPECT_EQ(halo.size(), 1U);
  EXPECT_EQ(halo.at("halo"), all.at("halo"));
  EXPECT_FALSE(count("--set without=halo").contains("halo"));
  ASSERT_EQ(orrery("make disk --bodies 400 -o d.vtp").status, 0);
  ASSERT_EQ(orrery("convert d.vtp e.csv --set without=dark").status, 0);
  EXPECT_EQ(text_of(path("e.csv")).find("halo"), std::string::npos);
  EXPECT_EQ(orrery("info d.vtp --set only=gas").status, 1);
}

TEST_F(CommandLine, ASeriesNeedsNoPicture) {
  const auto outcome = orrery("render charges --bodies 50 --steps 20 --series out --every 5 --format vtk");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors.find("drawing with"), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.output.find("series: 5 states in out"), std::string::npos) << outcome.output;
  EXPECT_FALSE(fs::exists(path("Pictures")));
  const auto info = nlohmann::json::parse(orrery("info out/step-00000020.vtp --json").output);
  EXPECT_NEAR(info.at("time").get<double>(), 0.02, 1e-12);
  EXPECT_EQ(info.at("force_law"), "electric");
  // The folder is somebody's now.
  const auto index = text_of(path("out/series.pvd"));
  const auto again = orrery("render charges --bodies 50 --steps 20 --series out");
  EXPECT_EQ(again.status, 1);
  EXPECT_EQ(lines(again.errors), 1) << again.errors;
  EXPECT_EQ(text_of(path("out/series.pvd")), index);
  // What a format cannot hold is said before anything is computed, and leaves no folder.
  EXPECT_EQ(orrery("render charges --bodies 50 --steps 1000000000 --series other --format tipsy").status, 1);
  EXPECT_FALSE(fs::exists(path("other")));
}

TEST_F(CommandLine, InfoOfNvidiasGalaxyIsRight) {
  const fs::path file = fs::path(ORRERY_TEST_DATA) / "tipsy" / "galaxy_20K.bin";
  if (!fs::exists(file)) GTEST_SKIP() << "the data folder is absent";
  const auto outcome = orrery("info '" + file.string() + "' --G 1 --softening 0.1 --json");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto info = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(info.at("bodies"), 20000);
  EXPECT_EQ(info.at("components"), (nlohmann::json{{"bulge", 2500}, {"disk", 15000}, {"halo", 2500}}));
  EXPECT_EQ(info.at("softening"), 0.1);
  // Independent sums in double precision (docs/physics.md).
  EXPECT_NEAR(info.at("kinetic").get<double>(), 97.6393904, 1e-5);
  EXPECT_NEAR(info.at("potential").get<double>(), -195.484427, 1e-4);
  EXPECT_NEAR(info.at("virial_ratio").get<double>(), 0.4995, 1e-4);
  EXPECT_NEAR(info.at("r50").get<double>(), 10.537, 1e-2);
  EXPECT_NEAR(info.at("half_mass_radius").get<double>(), 46.269, 1e-2);
}

// The system's signal would end the program without a word.
TEST_F(CommandLine, ALimitOnTheSizeOfFilesIsAnErrorOfWriting) {
  const auto outcome =
      shell("ulimit -f 16; " + std::string(ORRERY_PROGRAM) + " make plummer --bodies 20000 -o a.bin");
  EXPECT_EQ(outcome.status, 1) << outcome.errors;
  EXPECT_EQ(lines(outcome.errors), 1) << outcome.errors;
  EXPECT_NE(outcome.errors.find("ulimit"), std::string::npos) << outcome.errors;
  EXPECT_FALSE(fs::exists(path("a.bin")));
}

}  // namespace
