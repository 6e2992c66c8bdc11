#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <utility>

#include "program_test.h"
#include "render/image.h"
#include "render/light_file.h"

// The program as a person calls it: exit status, what stands on which stream, and files.
namespace {

namespace fs = std::filesystem;

using orrery::test::Outcome;

class CommandLine : public orrery::test::ProgramTest {
 protected:
  Outcome orrery(const std::string& arguments) const { return run(ORRERY_PROGRAM, arguments); }
  /// The same program with kernels that are wrong on purpose.
  Outcome orrery_with_wrong_kernels(const std::string& arguments) const {
    return run(ORRERY_WITH_WRONG_KERNELS, arguments);
  }
  Outcome run(const std::string& program, const std::string& arguments) const {
    return shell("'" + program + "' " + arguments);
  }
  /// Ends with 2 and one line, before anything is written.
  void expect_mistake(const std::string& command) const {
    const auto outcome = orrery(command);
    EXPECT_EQ(outcome.status, 2) << command << ": " << outcome.errors;
    EXPECT_EQ(lines(outcome.errors), 1) << command << ": " << outcome.errors;
    EXPECT_EQ(outcome.output, "") << command;
    EXPECT_LT(outcome.errors.size(), 250U) << command;
  }
  static std::ptrdiff_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }
};

TEST_F(CommandLine, VersionAndHelp) {
  const auto version = orrery("--version");
  EXPECT_EQ(version.status, 0);
  EXPECT_EQ(version.output, "orrery " ORRERY_VERSION "\n");
  for (const char* command :
       {"--help", "view --help", "render --help", "bench --help", "ladder --help", "sweep --help",
        "pipeline --help", "tune --help", "make --help", "convert --help", "info --help", "devices --help",
        "verify --help", "kernels --help"}) {
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
        "convert a.csv -", "make plummer -o -", "info a.csv --every-nth 0", "info a.csv --in-sphere 0",
        "info a.csv --in-box 1,2", "info a.csv --nearest 0", "info a.csv --snapshot 0",
        "info a.csv --snapshot 2"})
    expect_mistake(command);
}

TEST_F(CommandLine, SeriesAreListedAndAnySnapshotIsAStart) {
  ASSERT_EQ(orrery("render plummer --bodies 60 --steps 4 --every 2 --series run --format bin").status, 0);
  const auto time_of = [&](const std::string& arguments) {
    const auto text = orrery("info --json " + arguments).output;
    return std::stod(text.substr(text.find("\"time\":") + 7));
  };
  EXPECT_EQ(time_of("run"), 0.0);
  EXPECT_GT(time_of("run --snapshot 2"), 0.0);
  EXPECT_DOUBLE_EQ(time_of("run --snapshot 3"), 2.0 * time_of("run --snapshot 2"));
  EXPECT_EQ(time_of("'run/step-*2.bin'"), time_of("run --snapshot 2"));
  expect_mistake("info run --snapshot 4");
}

TEST_F(CommandLine, MistakesEndWithTwoAndOneLine) {
  for (const char* command : {"render --bogus",
                              "render --kernel nope",
                              "bench --kernels sequential,nope",
                              "bench --steps 0",
                              "render --set size",
                              "render --size 12",
                              "make",
                              "make nebula -o x.csv",
                              "info",
                              "info nowhere",
                              "info nowhere.bin",
                              "info no/where",
                              "nowhere",
                              "nowhere.bin",
                              "no/where --display window",
                              "render --state nowhere.png",
                              "convert nowhere a.csv",
                              "info ''",
                              "render ''",
                              "bench ''",
                              "make '' -o x.csv",
                              "convert '' x.csv",
                              "view --display foo",
                              "bench --kernel nope",
                              "bench --ladder nope",
                              "bench --ladder ''",
                              "bench --ladder all --kernels sequential",
                              "bench --ladder all --kernel sequential",
                              "bench --ladder all --set tile=64",
                              "bench --ladder all --sweep tile",
                              "bench --ladder all --ladders nowhere",
                              "bench --ladder all --json - --csv -",
                              "bench --ladder ece1782 --bodies 10",
                              "verify --ladder all --bodies 10",
                              "verify --ladder nope",
                              "verify --kernel sequential",
                              "verify --steps 0",
                              "verify --quick",
                              "verify --physics plummer",
                              "verify --physics --ladder all",
                              "verify --physics --set kernel=nothing",
                              "verify nowhere",
                              "info plummer --galaxies 100000 --bodies 10000000",
                              "view --steps -1",
                              "render --threads 0",
                              "make plummer --bodies 0 -o x.csv",
                              "bench --json - --csv -",
                              "make two-body --bodies 3 -o x.csv",
                              "render disk plummer",
                              "render plummer --bodies 20 --galaxies 3 --steps 0 --set highlight-galaxy=3",
                              "render plummer --bodies 20 --set highlight-galaxy=-2",
                              "render plummer --bodies 20 --set labels=all",
                              "render --write-state a.nothing",
                              "render --write-state ''",
                              "render --steps -5",
                              "render --steps 99999999999999999999",
                              "render --galaxies -1",
                              "make plummer --seed -1 -o x.csv",
                              "info plummer --G nan",
                              "info plummer --softening nan",
                              "info plummer --softening -1",
                              "bench --sweep ''",
                              "bench --sweep tile,tile",
                              "bench --sweep tile,unroll,block",
                              "bench --sweep exposure",
                              "bench --sweep tile=1",
                              "bench --sweep nonsense",
                              "bench --sweep threads --kernels all",
                              "bench --tuned --kernels all",
                              "bench --engine cpu --figure f.png",
                              "bench --sweep threads --figure f.png",
                              "bench --pipeline all --figure f.png",
                              "bench --ladder all --sweep tile",
                              "tune --seconds -1",
                              "tune --set nonsense=1",
                              "tune nowhere"}) {
    expect_mistake(command);
  }
}

TEST_F(CommandLine, MistakesOfTheCameraEndWithTwoAndOneLine) {
  std::ofstream(path("camera.json")) << R"({"position": [0, -5, 1], "target": [0, 0, 0]})";
  for (const char* command :
       {"render --view above", "render --zoom 0", "render --zoom x", "render --camera nowhere.json",
        "render plummer --bodies 20 --view fit --camera camera.json",
        "render plummer --bodies 20 --set look=nice", "view --view above"}) {
    expect_mistake(command);
  }
}

TEST_F(CommandLine, MistakesOfSeriesUnitsAndComponentsEndWithTwoAndOneLine) {
  for (const char* command : {
           "render --every 3",
           "render --series x --every 0",
           "render --series x --format jpeg",
           "view --series x --format jpeg",
           "render plummer --only gas",
           "info plummer --only sta",
           "info plummer --without gas,halo,disk,bulge,star,other",
           "convert a.csv b.csv --mass-scale 0",
           "convert a.csv b.csv --length-scale -1",
       }) {
    expect_mistake(command);
  }
}

TEST_F(CommandLine, MistakesOfMeasuringEndWithTwoAndOneLine) {
  for (const char* command : {"bench --ladder",
                              "bench --sweep --json -",
                              "bench --timeline x.json",
                              "bench --bodies 100,200 --tuned",
                              "ladder nope",
                              "ladder ''",
                              "ladder --ladders nowhere",
                              "ladder all --kernels sequential",
                              "ladder all --kernel sequential",
                              "ladder all --set tile=64",
                              "ladder all --json - --csv -",
                              "ladder all --steps 0",
                              "ladder ece1782 --bodies 10",
                              "sweep",
                              "sweep ''",
                              "sweep tile,tile",
                              "sweep tile=1",
                              "sweep exposure",
                              "sweep threads --kernels all",
                              "sweep threads --figure f.png",
                              "sweep threads --bodies 100,200",
                              "sweep threads --steps 0",
                              "sweep threads --json - --csv -",
                              "pipeline nope",
                              "pipeline ''",
                              "pipeline --kernels tiled",
                              "pipeline --csv x.csv",
                              "pipeline --steps 0"}) {
    expect_mistake(command);
  }
}

TEST_F(CommandLine, FailuresEndWithOneAndOneLine) {
  std::ofstream(path("noise.bin")) << std::string(1000, '\x07');
  std::ofstream(path("empty.csv")) << "";
  for (const char* command : {"info noise.bin",
                              "info empty.csv",
                              "info .",
                              "convert noise.bin a.csv",
                              "render --state noise.bin",
                              "render --camera noise.bin",
                              "render --camera empty.csv",
                              "make plummer --bodies 20 -o /nonexistent/a.csv",
                              "info two-body >/dev/full",
                              "--version >/dev/full",
                              "--help-options >/dev/full",
                              "render plummer -o /nonexistent/a.png",
                              "render plummer --write-state /nonexistent/a.bin",
                              "render plummer --pictures empty.csv",
                              "bench --json /nonexistent/x",
                              "bench --csv /nonexistent/x",
                              "bench --sweep threads --csv /nonexistent/x",
                              "sweep threads --csv /nonexistent/x",
                              "tune --json /nonexistent/x",
                              "bench --ladder all --json /nonexistent/x",
                              "ladder --json /nonexistent/x",
                              "pipeline --json /nonexistent/x",
                              "pipeline --timeline /nonexistent/x",
                              "verify --json /nonexistent/x"}) {
    const auto outcome = orrery(command);
    EXPECT_EQ(outcome.status, 1) << command << ": " << outcome.errors;
    EXPECT_EQ(lines(outcome.errors), 1) << command << ": " << outcome.errors;
  }
}

TEST_F(CommandLine, MistakesNameWhatIsThere) {
  EXPECT_NE(orrery("info nowhere").errors.find("plummer"), std::string::npos);
  EXPECT_NE(orrery("info nowhere.bin").errors.find("'nowhere.bin'"), std::string::npos);
  EXPECT_EQ(orrery("view --display foo").errors,
            "orrery: --display takes auto, window or headless, not 'foo'\n");
  EXPECT_NE(orrery("info plummer --galaxies 100000 --bodies 10000000").errors.find("GiB"), std::string::npos);
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

TEST_F(CommandLine, TheNameThatWasMeantIsProposed) {
  std::ofstream(path("galaxy.csv")) << "x,y,z\n1,2,3\n4,5,6\n";
  for (const auto& [command, meant] : std::initializer_list<std::pair<const char*, const char*>>{
           {"rendr plummer", "render"},
           {"Bench", "bench"},
           {"plumer", "plummer"},
           {"render plumer", "plummer"},
           {"make plumer -o x.csv", "plummer"},
           {"galxy.csv", "galaxy.csv"},
           {"info Galaxy.csv", "galaxy.csv"},
           {"info galaxy", "galaxy.csv"},
           {"convert ./galaxy.cvs a.bin", "./galaxy.csv"},
           {"render --state galaxi.csv", "galaxy.csv"},
           {"render --bodeis 5", "--bodies"},
           {"bench --kernls=all", "--kernels"},
           {"render --set famly=tiled", "family"},
           {"render --kernel sequentail", "sequential"},
           {"bench --kernels simd,omp-boddies", "omp-bodies"},
           {"render --set integrator=leepfrog", "leapfrog"},
           {"info galaxy.csv --format tispy", "tipsy"},
           {"info galaxy.csv --columns x,y,mas", "mass"},
           {"ladder ece178", "ece1782"},
           {"sweep treads", "threads"},
           {"pipeline stream", "streams"}}) {
    expect_mistake(command);
    const auto errors = orrery(command).errors;
    EXPECT_TRUE(errors.ends_with("did you mean '" + std::string(meant) + "'?\n"))
        << command << ": " << errors;
  }
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

TEST_F(CommandLine, OneIsNotSeveral) {
  EXPECT_NE(orrery("info plummer --bodies 20").output.find("20 in 1 galaxy\n"), std::string::npos);
  EXPECT_NE(orrery("info plummer --bodies 20 --galaxies 2").output.find("40 in 2 galaxies\n"),
            std::string::npos);
  std::ofstream(path("one.csv")) << "x,y,z,mass\n1,2,3,1\n";
  EXPECT_EQ(orrery("convert one.csv one.bin").output.find("one.bin: 1 body\n"), 0U);
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

TEST_F(CommandLine, ColumnsOfABinaryFileAreSaidToBeIgnored) {
  ASSERT_EQ(orrery("make plummer --bodies 20 -o p.bin").status, 0);
  ASSERT_EQ(orrery("make plummer --bodies 20 -o p.csv").status, 0);
  const std::string columns = " --columns mass,x,y,z,vx,vy,vz";
  EXPECT_NE(orrery("info p.bin" + columns).output.find("ignored"), std::string::npos);
  EXPECT_NE(orrery("bench p.bin --kernels sequential --steps 1" + columns).errors.find("ignored"),
            std::string::npos);
  EXPECT_EQ(orrery("info p.csv" + columns).output.find("ignored"), std::string::npos);
}

TEST_F(CommandLine, BenchTakesOneKernel) {
  const auto labels = [this](const std::string& arguments) {
    const auto outcome = orrery("bench --bodies 100 --steps 1 --json - " + arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    std::string all;
    const auto json = nlohmann::json::parse(outcome.output);
    for (const auto& row : json.at("rows")) all += row.at("label").get<std::string>() + " ";
    return all;
  };
  EXPECT_EQ(labels("--kernel shared-edge"), "shared-edge ");
  EXPECT_EQ(labels("--set kernel=shared-edge"), "shared-edge ");
  EXPECT_EQ(labels("--kernel shared-edge --kernels sequential,omp-bodies"), "sequential omp-bodies ");
}

TEST_F(CommandLine, ASweepPrintsAHeatMap) {
  const auto outcome =
      orrery("sweep threads=1:2,kernel=sequential:omp-bodies --engine cpu --bodies 200 --steps 1");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("kernel =\nthreads sequential"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("omp-bodies"), std::string::npos) << outcome.output;
  // In one cell, and in the line that says what it means.
  EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '*'), 2) << outcome.output;
  EXPECT_NE(outcome.output.find("best: threads="), std::string::npos) << outcome.output;
}

TEST_F(CommandLine, ASweepIsWrittenAsJsonAndCsv) {
  const auto outcome =
      orrery("sweep threads=2:1,kernel --engine cpu --bodies 100 --steps 1 --json - --csv a.csv");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto json = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(json.at("rows_option"), "threads");
  EXPECT_EQ(json.at("columns_option"), "kernel");
  ASSERT_EQ(json.at("cells").size(), 22U);
  EXPECT_EQ(json.at("cells").at(0).at("threads"), 2);
  double best = 0.0;
  for (const auto& cell : json.at("cells")) {
    best = std::max(best, cell.at("gips_kernel").get<double>());
    EXPECT_LT(cell.at("force_error_median").get<double>(), 1e-5) << cell;
  }
  EXPECT_EQ(json.at("best").at("gips_kernel").get<double>(), best);
  const auto csv = text_of(path("a.csv"));
  EXPECT_EQ(lines(csv), 23);
  EXPECT_TRUE(csv.starts_with("threads,kernel,kernel_ms,gips_kernel")) << csv;
}

TEST_F(CommandLine, RefusedCombinationsOfASweepHaveAReason) {
  // Forest-Ruth refuses the fused kernel; without a GPU the engine is refused already.
  const auto outcome = orrery(
      "sweep engine=cpu:cuda,update=separate:fused --integrator forest-ruth --bodies 100 --steps 1 --json -");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto json = nlohmann::json::parse(outcome.output);
  const auto& refused = json.at("cells").at(3);
  EXPECT_EQ(refused.at("update"), "fused");
  EXPECT_FALSE(refused.at("refused").get<std::string>().empty());
  EXPECT_FALSE(refused.contains("gips_kernel"));
  EXPECT_TRUE(json.at("cells").at(0).contains("gips_kernel"));
}

const std::string own_ladder =
    R"({"title": "Mine", "source": "me", "model": "plummer", "bodies": 150, "steps": 3,
    "rungs": [{"name": "only", "text": "one", "set": {"engine": "cpu", "kernel": "sequential"}}]})";

/// What is named, as opposed to what is measured: the same however often it runs.
nlohmann::json names_in(const nlohmann::json& report) {
  nlohmann::json names;
  for (const auto& ladder : report.value("ladders", nlohmann::json::array())) {
    names.push_back(ladder.at("name"));
    for (const auto& rung : ladder.at("rungs"))
      names.push_back(
          {rung.at("name"), rung.at("measured"), rung.value("bodies", 0), rung.value("steps", 0)});
  }
  for (const auto& cell : report.value("cells", nlohmann::json::array()))
    names.push_back({cell.at("threads"), cell.value("bodies", 0), cell.value("steps", 0)});
  return names;
}

TEST_F(CommandLine, OldSpellingsGoOnWithAHint) {
  struct Spelling {
    const char* before;
    const char* now;
    const char* hint;
  };
  const std::string few = " --bodies 300 --steps 1 --threads 1 --json -";
  for (const auto& [before, now, hint] :
       {Spelling{"bench disk --ladder ece1782 --galaxies 2", "ladder ece1782 disk --galaxies 2",
                 "orrery bench --ladder ece1782 is now: orrery ladder ece1782\n"},
        Spelling{"bench --ladders here --ladder=mine", "ladder mine --ladders here",
                 "orrery bench --ladder mine is now: orrery ladder mine\n"},
        Spelling{"bench --engine cpu --sweep threads=1:2 plummer", "sweep threads=1:2 plummer --engine cpu",
                 "orrery bench --sweep threads=1:2 is now: orrery sweep threads=1:2\n"}}) {
    SCOPED_TRACE(before);
    fs::create_directories(folder_ / "here");
    std::ofstream(path("here/mine.json")) << own_ladder;
    const auto old = orrery(before + few);
    const auto renewed = orrery(now + few);
    ASSERT_EQ(old.status, 0) << old.errors;
    ASSERT_EQ(renewed.status, 0) << renewed.errors;
    EXPECT_EQ(old.errors, renewed.errors + hint);
    const auto names = names_in(nlohmann::json::parse(old.output));
    EXPECT_GE(names.size(), 2U);
    EXPECT_EQ(names, names_in(nlohmann::json::parse(renewed.output)));
  }
}

/// Without a GPU both say the same of it, with one both run.
TEST_F(CommandLine, ThePipelineOfBenchIsTheCommand) {
  const std::string job = " --bodies 64 --galaxies 2 --steps 2 --json -";
  const auto old = orrery("bench --engine cuda --pipeline serial,streams" + job);
  const auto renewed = orrery("pipeline serial,streams --engine cuda" + job);
  const std::string hint = "orrery bench --pipeline serial,streams is now: orrery pipeline serial,streams\n";
  ASSERT_EQ(old.status, renewed.status) << old.errors << renewed.errors;
  EXPECT_EQ(old.errors, renewed.errors + (old.status == 0 ? hint : ""));
  EXPECT_EQ(old.output.empty(), renewed.output.empty());
  if (old.status != 0) GTEST_SKIP() << "needs an NVIDIA GPU: " << old.errors;
  EXPECT_EQ(nlohmann::json::parse(old.output).at("runs").size(), 2U);
  EXPECT_EQ(nlohmann::json::parse(renewed.output).at("runs").size(), 2U);
}

TEST_F(CommandLine, MistakesInOldSpellingsNameTheNewOnes) {
  const auto errors = [this](const std::string& arguments) { return orrery(arguments).errors; };
  EXPECT_EQ(
      errors("bench --sweep threads --kernels all"),
      "orrery: `orrery sweep` has no option '--kernels' (orrery bench --sweep threads is now: orrery sweep "
      "threads); did you mean '--kernel'?\n");
  EXPECT_EQ(errors("bench --ladder"),
            "orrery: --ladder: 1 required NAME|all missing; orrery bench --ladder NAME|all is now: orrery "
            "ladder NAME|all\n");
  // What is no flag of `bench` is a name like others.
  EXPECT_NE(errors("bench -- --ladder").find("no file '--ladder'"), std::string::npos);
  EXPECT_NE(errors("render --ladder best").find("not expected: --ladder"), std::string::npos);
}

TEST_F(CommandLine, EveryCommandTakesOnlyWhatItNeeds) {
  const auto help = [this](const std::string& command) { return orrery(command + " --help").output; };
  const auto has = [](const std::string& text, const std::string& flag) {
    return text.find("  " + flag + " ") != std::string::npos;
  };
  for (const char* flag : {"--ladder", "--ladders", "--sweep", "--pipeline", "--timeline"})
    EXPECT_FALSE(has(help("bench"), flag)) << flag;
  for (const char* flag : {"--kernels", "--kernel", "--engine", "--tuned", "--timeline"})
    EXPECT_FALSE(has(help("ladder"), flag)) << flag;
  for (const char* flag : {"--kernels", "--figure", "--ladders", "--timeline"})
    EXPECT_FALSE(has(help("sweep"), flag)) << flag;
  for (const char* flag : {"--kernels", "--figure", "--csv", "--tuned"})
    EXPECT_FALSE(has(help("pipeline"), flag)) << flag;
  for (const char* command : {"bench", "ladder", "sweep", "pipeline"})
    EXPECT_TRUE(has(help(command), "--json"));
}

TEST_F(CommandLine, TuneFindsAndRemembers) {
  const auto tuned = orrery("tune --engine cpu --bodies 300 --seconds 3 --json -");
  ASSERT_EQ(tuned.status, 0) << tuned.errors;
  const auto json = nlohmann::json::parse(tuned.output);
  EXPECT_GE(json.at("speedup").get<double>(), 1.0);
  EXPECT_GE(json.at("trials").size(), 2U);
  const auto kernel = json.at("best").at("kernel").get<std::string>();
  const auto kept = nlohmann::json::parse(text_of(folder_ / ".config" / "orrery" / "tuned.json"));
  EXPECT_EQ(kept.at("results").at(0).at("settings").at("kernel"), kernel);
  const auto bench = orrery("bench --engine cpu --bodies 290 --steps 1 --tuned --json -");
  ASSERT_EQ(bench.status, 0) << bench.errors;
  EXPECT_EQ(nlohmann::json::parse(bench.output).at("rows").at(1).at("config").at("kernel"), kernel);
}

TEST_F(CommandLine, TuningTheGpuBeatsTheDefaultsOrKeepsThem) {
  if (orrery("bench --engine cuda --kernels tiled --bodies 500 --steps 1").status != 0)
    GTEST_SKIP() << "needs an NVIDIA GPU";
  const auto tuned = orrery("tune --engine cuda --bodies 16384 --seconds 30 --json -");
  ASSERT_EQ(tuned.status, 0) << tuned.errors;
  const auto json = nlohmann::json::parse(tuned.output);
  EXPECT_GE(json.at("speedup").get<double>(), 1.0);
  EXPECT_GE(json.at("trials").size(), 10U);
  const auto bench = orrery("bench --engine cuda --bodies 16384 --steps 5 --tuned --json -");
  ASSERT_EQ(bench.status, 0) << bench.errors;
  const auto rows = nlohmann::json::parse(bench.output).at("rows");
  EXPECT_LT(rows.at(1).at("force_error_median").get<double>(), 1e-5);
  EXPECT_GT(rows.at(1).at("speedup").get<double>(), 0.9);
}

TEST_F(CommandLine, WithoutATunedResultBenchSaysWhatToDo) {
  const auto outcome = orrery("bench --engine cpu --bodies 100 --tuned");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("orrery tune"), std::string::npos) << outcome.errors;
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
  const auto halo = count("--only dark");
  EXPECT_EQ(halo.size(), 1U);
  EXPECT_EQ(halo.at("halo"), all.at("halo"));
  EXPECT_FALSE(count("--without halo").contains("halo"));
  ASSERT_EQ(orrery("make disk --bodies 400 -o d.vtp").status, 0);
  ASSERT_EQ(orrery("convert d.vtp e.csv --without dark").status, 0);
  EXPECT_EQ(text_of(path("e.csv")).find("halo"), std::string::npos);
  EXPECT_EQ(orrery("info d.vtp --only gas").status, 1);
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

TEST_F(CommandLine, BenchGivesCleanJsonForAllKernels) {
  const auto outcome = orrery("bench --kernels all --bodies 300 --steps 2 --json -");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto json = nlohmann::json::parse(outcome.output);
  ASSERT_EQ(json.at("rows").size(), 11U);
  EXPECT_EQ(json.at("rows").at(0).at("label"), "sequential");
  EXPECT_EQ(json.at("rows").at(0).at("speedup"), 1.0);
  for (const auto& row : json.at("rows")) {
    EXPECT_LT(row.at("force_error_median").get<double>(), 1e-5) << row.at("label");
    EXPECT_GT(row.at("gips_kernel").get<double>(), 0.0);
  }
}

TEST_F(CommandLine, BenchSaysThatNumbersAreNotFiniteAfterItsRows) {
  const auto outcome = orrery(
      "bench plummer --bodies 50 --steps 2 --engine cpu --kernel simd --set time-step=1e20 --csv a.csv");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("simd: the "), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.errors.find("is not finite at step 3 "), std::string::npos) << outcome.errors;
  EXPECT_NE(text_of(folder_ / "a.csv").find("simd,"), std::string::npos);
}

TEST_F(CommandLine, BenchWritesFilesAndATable) {
  const auto outcome = orrery(
      "bench --kernels omp-bodies,sequential --bodies 200 --galaxies 2 --steps 1 --json a.json --csv a.csv");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(lines(outcome.output), 4);
  EXPECT_EQ(nlohmann::json::parse(text_of(path("a.json"))).at("rows").at(1).at("galaxies"), 2);
  EXPECT_EQ(lines(text_of(path("a.csv"))), 3);
}

TEST_F(CommandLine, AllLaddersHaveEveryRung) {
  const auto outcome = orrery("ladder --bodies 300 --galaxies 1 --steps 1 --json -");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto json = nlohmann::json::parse(outcome.output);
  ASSERT_GE(json.at("ladders").size(), 5U);
  for (const auto& ladder : json.at("ladders")) {
    EXPECT_FALSE(ladder.at("rungs").empty()) << ladder.at("name");
    for (const auto& rung : ladder.at("rungs")) {
      EXPECT_NE(rung.at("measured").get<bool>(), !rung.at("reason").get<std::string>().empty()) << rung;
      if (rung.at("measured")) {
        EXPECT_LT(rung.at("force_error_median").get<double>(), 1e-4) << rung;
      }
    }
  }
}

TEST_F(CommandLine, ALadderPrintsATable) {
  const auto outcome = orrery("ladder ece415-2022 --bodies 200 --steps 1 --csv a.csv --json a.json");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  for (const char* rung : {"sequential", "omp3", "gpu-baseline", "ftz"})
    EXPECT_NE(outcome.output.find(std::string("\n") + rung + " "), std::string::npos) << rung;
  EXPECT_GT(lines(text_of(path("a.csv"))), 10);
  EXPECT_EQ(nlohmann::json::parse(text_of(path("a.json"))).at("ladders").at(0).at("name"), "ece415-2022");
}

TEST_F(CommandLine, OwnLaddersNeedNoRebuild) {
  fs::create_directories(folder_ / "here");
  fs::create_directories(folder_ / ".config" / "orrery" / "ladders");
  std::ofstream(path("here/first.json")) << own_ladder;
  std::ofstream(path(".config/orrery/ladders/second.json")) << own_ladder;
  for (const char* name : {"first", "second"}) {
    // An XDG_CONFIG_HOME of the machine would be somebody else's.
    ASSERT_EQ(unsetenv("XDG_CONFIG_HOME"), 0);
    const auto outcome = orrery("ladder " + std::string(name) + " --ladders here --steps 1 --csv -");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_NE(outcome.output.find(std::string(name) + ",only,150,1,1,"), std::string::npos) << outcome.output;
  }
  EXPECT_EQ(orrery("ladder first --steps 1").status, 2) << "only with --ladders";
  std::ofstream(path("here/first.json")) << "{";
  const auto damaged = orrery("ladder first --ladders here --steps 1");
  EXPECT_EQ(damaged.status, 1);
  EXPECT_NE(damaged.errors.find("is no JSON"), std::string::npos) << damaged.errors;
}

TEST_F(CommandLine, VerifyPassesWithRightKernels) {
  const auto outcome = orrery("verify --bodies 200 --steps 10");
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.output.find("kernel=shared-edge threads=3"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find(" 0 failed"), std::string::npos) << outcome.output;
}

TEST_F(CommandLine, VerifyOfOneEngineLeavesTheOthersOut) {
  const auto outcome = orrery("verify --engine cpu --bodies 100 --steps 5");
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.output.find("kernel=sequential"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find("cuda"), std::string::npos) << outcome.output;
  const auto cuda = orrery("verify --engine cuda --bodies 100 --steps 5");
  EXPECT_TRUE(cuda.status == 0 || cuda.status == 2) << cuda.errors;
  EXPECT_EQ(cuda.output.find("kernel=sequential"), std::string::npos) << cuda.output;
}

TEST_F(CommandLine, VerifyOfAllLaddersGivesCleanJson) {
  const auto outcome = orrery("verify --ladder all --bodies 300 --galaxies 2 --json -");
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  const auto json = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(json.at("failed"), 0);
  EXPECT_GT(json.at("passed").get<int>(), 5);
  for (const auto& row : json.at("rows")) {
    EXPECT_EQ(row.at("status") == "skipped", !row.at("reason").get<std::string>().empty()) << row;
    if (row.at("status") == "skipped") continue;
    // The sum of the squares, of all bodies, is no less than the largest one and no more than that of all.
    const auto largest = row.at("checks").at("position_difference").at("value").get<double>();
    const auto sum = row.at("squared_distance").get<double>();
    EXPECT_GE(sum, 0.999 * largest * largest) << row;
    EXPECT_LE(sum, 3.001 * row.at("bodies").get<double>() * largest * largest) << row;
  }
}

TEST_F(CommandLine, VerifyFailsWithWrongKernels) {
  const auto outcome = orrery_with_wrong_kernels("verify --bodies 200 --steps 5 --json v.json");
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  EXPECT_EQ(lines(outcome.errors), 1) << outcome.errors;
  std::set<std::string> failed, all;
  const auto json = nlohmann::json::parse(text_of(path("v.json")));
  for (const auto& row : json.at("rows")) {
    if (row.at("status") == "skipped") continue;
    const auto name = row.at("name").get<std::string>();
    const auto kernel = name.substr(0, name.find(' '));
    all.insert(kernel);
    if (row.at("status") == "failed") failed.insert(kernel);
  }
  EXPECT_EQ(failed.size(), 16U) << "the wrong kernels; second moments matter among more bodies only";
  for (const char* right : {"kernel=sequential", "kernel=omp-bodies", "kernel=simd", "kernel=tree"}) {
    EXPECT_TRUE(all.contains(right)) << right;
    EXPECT_FALSE(failed.contains(right)) << right;
  }
}

TEST_F(CommandLine, VerifyRefusesWhatDoesNotGoTogether) {
  for (const char* command :
       {"verify --list", "verify --seconds 5", "verify --random 5 plummer", "verify --random 5 --ladder all",
        "verify --random 5 --physics", "verify --random 0", "verify --bodies 20"}) {
    const auto outcome = orrery(command);
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_EQ(lines(outcome.errors), 1) << command << ": " << outcome.errors;
  }
}

TEST_F(CommandLine, VerifyOfRandomConfigurationsIsRepeatable) {
  const auto listed = orrery("verify --engine cpu --random 40 --seed 1 --list");
  ASSERT_EQ(listed.status, 0) << listed.errors;
  EXPECT_EQ(lines(listed.output), 40);
  EXPECT_EQ(orrery("verify --engine cpu --random 40 --seed 1 --list").output, listed.output);
  EXPECT_NE(orrery("verify --engine cpu --random 40 --seed 6 --list").output, listed.output);
  EXPECT_NE(listed.output.find("kernel="), std::string::npos) << listed.output;
  EXPECT_NE(listed.output.find("integrator="), std::string::npos) << listed.output;
  const auto outcome = orrery("verify --engine cpu --random 40 --seed 1 --json -");
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  const auto json = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(json.at("failed"), 0);
  EXPECT_GT(json.at("passed").get<int>(), 20);
  EXPECT_GT(json.at("refused").get<int>(), 0) << "some kernels know gravity only";
  EXPECT_EQ(json.at("rows").size(), 40U);
  for (const auto& row : json.at("rows")) {
    EXPECT_EQ(row.at("status") == "refused", !row.at("reason").get<std::string>().empty()) << row;
    EXPECT_NE(listed.output.find(row.at("name").get<std::string>() + "\n"), std::string::npos) << row;
  }
}

TEST_F(CommandLine, VerifyOfRandomConfigurationsFindsWrongKernels) {
  const auto outcome = orrery_with_wrong_kernels("verify --engine cpu --random 30 --seed 1 --json r.json");
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  EXPECT_NE(outcome.output.find("FAIL: "), std::string::npos) << outcome.output;
  const auto json = nlohmann::json::parse(text_of(path("r.json")));
  for (const auto& row : json.at("rows")) {
    const auto name = row.at("name").get<std::string>();
    if (name.find("kernel=") != std::string::npos) continue;
    EXPECT_NE(row.at("status"), "failed") << row;
  }
}

TEST_F(CommandLine, VerifyOfRandomConfigurationsEndsInTime) {
  const auto outcome = orrery("verify --engine cpu --random 1000000 --seconds 0.3 --json -");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_LT(nlohmann::json::parse(outcome.output).at("rows").size(), 100'000U);
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

TEST_F(CommandLine, DevicesSaysWhatIsThere) {
  const auto outcome = orrery("devices");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.output.find("engine cpu"), std::string::npos);
  const auto report = nlohmann::json::parse(orrery("devices --json").output);
  EXPECT_TRUE(report.at("cuda_devices").is_array());
  const auto instructions = report.at("cpu").at("instructions").get<std::string>();
  EXPECT_NE(outcome.output.find(" processors, " + instructions + ","), std::string::npos) << outcome.output;
  const auto& headless = report.at("headless_drawing");
  if (!headless.at("available").get<bool>()) return;
  const auto& interop = headless.at("interop");
  EXPECT_NE(interop.at("possible").get<bool>(), !interop.at("why_not").get<std::string>().empty());
  EXPECT_NE(outcome.output.find("interop"), std::string::npos);
}

TEST_F(CommandLine, NoInteropIsTakenWhereThereIsNoGpuToo) {
  EXPECT_EQ(orrery("render two-body --engine cpu --steps 1 --no-interop --size 64x64 -o copied.png").status,
            0);
  EXPECT_EQ(orrery("bench --no-interop").status, 2) << "bench draws nothing";
}

TEST_F(CommandLine, AFolderOfLaddersNeedsALadder) {
  // `bench` has none: they are for `ladder`, and in the old spelling for --ladder.
  for (const char* command : {"bench --ladders .", "verify --ladders ."}) {
    const auto outcome = orrery(command);
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_NE(outcome.errors.find("--ladder"), std::string::npos);
  }
}

TEST_F(CommandLine, TheCudaEngineRunsOrSaysWhatIsMissing) {
  const auto outcome = orrery("bench --engine cuda --kernels tiled --bodies 500 --steps 1 --json -");
  if (outcome.status == 0) {
    EXPECT_EQ(nlohmann::json::parse(outcome.output).at("device").at("kind"), "cuda");
  } else {
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.errors.find("engine"), std::string::npos) << outcome.errors;
  }
}

TEST_F(CommandLine, AFigureShowsKernelsOfTheGpu) {
  std::ofstream(path("there.png")) << "mine";
  const auto there = orrery("bench --engine cuda --figure there.png");
  EXPECT_EQ(there.status, 1);
  EXPECT_EQ(text_of(path("there.png")), "mine");
  for (const char* what : {"bench --engine cuda --kernels tiled,pairwise --json -", "ladder best --csv -"}) {
    SCOPED_TRACE(what);
    const auto outcome = orrery(std::string(what) + " --bodies 4096 --steps 2 --figure drawn.png");
    if (outcome.status == 2) {
      EXPECT_FALSE(fs::exists(path("drawn.png")));
      GTEST_SKIP() << "needs an NVIDIA GPU: " << outcome.errors;
    }
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(orrery::render::read_png(path("drawn.png")).width, 1600);
    fs::remove(path("drawn.png"));
  }
  const auto json = nlohmann::json::parse(
      orrery("bench --engine cuda --kernels tiled --bodies 131072 --steps 5 --json -").output);
  const auto& kernel = json.at("rows").at(0).at("kernel");
  EXPECT_GT(kernel.at("slots_per_interaction").get<double>(), 13.0);
  EXPECT_GT(kernel.at("percent_of_issue_limit").get<double>(), 20.0);
  EXPECT_LT(kernel.at("percent_of_issue_limit").get<double>(), 101.0) << "more than the hardware can do";
}

TEST_F(CommandLine, KernelSourcesAreWrittenOnceAndReadBack) {
  const auto written = orrery("kernels --write-sources sources");
  if (written.errors.find("built without CUDA") != std::string::npos) GTEST_SKIP() << written.errors;
  EXPECT_EQ(written.status, 0) << written.errors;
  EXPECT_NE(text_of(folder_ / "sources" / "tiled.cu").find("forces"), std::string::npos);
  const auto again = orrery("kernels --write-sources sources");
  EXPECT_EQ(again.status, 1);
  EXPECT_NE(again.errors.find("never overwritten"), std::string::npos);
  fs::remove(folder_ / "sources" / "pairwise.cu");
  const auto bench = orrery("bench --watch-kernels sources --kernels sequential --bodies 50 --steps 1");
  EXPECT_EQ(bench.status, 0) << bench.errors;
  EXPECT_NE(bench.errors.find("pairwise.cu is not there"), std::string::npos);
}

TEST_F(CommandLine, AFolderWithoutKernelSourcesIsRefused) {
  for (const char* command : {"view --display headless", "render", "bench", "kernels --compile-all"}) {
    const auto outcome = orrery(std::string(command) + " --watch-kernels nowhere");
    EXPECT_EQ(outcome.status, 1) << command;
    EXPECT_EQ(lines(outcome.errors), 1) << outcome.errors;
  }
}

class Pictures : public CommandLine {
 protected:
  static nlohmann::json state_of(const fs::path& png) {
    for (const auto& entry : orrery::render::read_png_text(png)) {
      if (entry.keyword == "orrery") return nlohmann::json::parse(entry.text);
    }
    return {};
  }
  static double brightness(const orrery::render::Image& image) {
    double sum = 0.0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4)
      sum += image.rgba[i] + image.rgba[i + 1] + image.rgba[i + 2];
    return sum / static_cast<double>(image.rgba.size());
  }
};

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
      orrery("render plummer --bodies 400 --steps 7 --size 320x200 --kernel shared-edge --output a.png");
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
  EXPECT_EQ(state.at("options").at("kernel"), "shared-edge");
  EXPECT_EQ(state.at("dataset").at("model"), "plummer");
  EXPECT_EQ(state.at("dataset").at("hash").get<std::string>().size(), 16U);
  EXPECT_GT(state.at("time").get<double>(), 0.0);
}

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
  const auto four = orrery(disk + "--views four -o four.exr");
  EXPECT_EQ(four.status, 2);
  EXPECT_NE(four.errors.find("holds one view"), std::string::npos) << four.errors;
  ASSERT_EQ(orrery(disk + "-o light.exr").status, 0);
  EXPECT_EQ(orrery::render::read_light_file(path("light.exr")).size, glm::ivec2(96, 64));
  EXPECT_EQ(orrery("render --state light.exr --size 96x64 -o again.png").status, 0);
}

TEST_F(Pictures, AWrittenStateIsGoneOnFrom) {
  const std::string options = " --engine cpu --untuned --size 64x48 --write-state ";
  const auto render = [&](const std::string& arguments) {
    const auto outcome = orrery("render " + arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_NE(outcome.output.find("state: "), std::string::npos) << outcome.output;
  };
  const std::string galaxy = "plummer --bodies 100 --dt 0.004 --softening 0.1";
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

TEST_F(Pictures, WrongFramesAndTrailsAreMistakes) {
  for (const char* arguments : {"--frames 1,two", "--frames 1,,2", "--frames ''", "--frames -1",
                                "--frames 1,2 --steps 3", "--set trails=some", "--set trail-steps=1"}) {
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

// Three bodies leave light on their way; a picture with trails is the same every time.
TEST_F(Pictures, SmallScenesHaveTrails) {
  const std::string scene =
      "render figure-eight --engine cpu --untuned --steps 300 --size 320x180 --set names=off ";
  ASSERT_EQ(orrery(scene + "-o on.png").status, 0);
  ASSERT_EQ(orrery(scene + "-o again.png").status, 0);
  ASSERT_EQ(orrery(scene + "--set trails=off -o off.png").status, 0);
  const auto on = orrery::render::read_png(path("on.png"));
  EXPECT_EQ(on.rgba, orrery::render::read_png(path("again.png")).rgba);
  EXPECT_GT(brightness(on), 1.5 * brightness(orrery::render::read_png(path("off.png"))));
  // A body that stands still, the same scene seen from it: its trail is gone, others have some.
  ASSERT_EQ(orrery(scene + "--set trails=range --set trail-bodies=1 -o one.png").status, 0);
  ASSERT_EQ(
      orrery(scene + "--set trails=range --set trail-bodies=1 --set trail-frame=body -o self.png").status, 0);
  EXPECT_TRUE(orrery::render::read_png(path("self.png")).rgba ==
              orrery::render::read_png(path("off.png")).rgba);
  EXPECT_NE(orrery::render::read_png(path("one.png")).rgba, orrery::render::read_png(path("off.png")).rgba);
  const auto state = state_of(path("self.png"));
  EXPECT_EQ(state.at("options").at("trail-frame"), "body") << "states keep the options";
}

TEST_F(Pictures, TheCameraIsChosenAndKept) {
  std::ofstream(path("camera.json")) << R"({"position": [0, -5, 0], "target": [0, 0, 0]})";
  const auto camera_of = [this](const std::string& arguments, const std::string& picture) {
    EXPECT_EQ(
        orrery("render disk --bodies 300 --steps 0 --size 160x90 " + arguments + " -o " + picture).status, 0);
    return state_of(path(picture)).at("camera");
  };
  const auto given = camera_of("--camera camera.json", "given.png");
  EXPECT_EQ(given.at("distance"), 5.0);
  EXPECT_EQ(camera_of("--camera given.png", "again.png"), given) << "of a picture";
  EXPECT_EQ(camera_of("--camera camera.json --zoom 2", "near.png").at("distance"), 2.5);
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
  ASSERT_EQ(orrery("tune --engine cpu --bodies 130 --seconds 60 --kernel sequential --threads 1").status, 0);
  const auto kernel = [this](const std::string& arguments) {
    fs::remove(path("a.png"));
    const auto outcome =
        orrery("render plummer --engine cpu --bodies 120 --steps 1 --size 64x64 --output a.png " + arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    const bool said = outcome.errors.find("--untuned") != std::string::npos;
    return state_of(path("a.png")).at("options").at("kernel").get<std::string>() + (said ? " said" : "");
  };
  EXPECT_EQ(kernel(""), "sequential said");
  EXPECT_EQ(kernel("--threads 2"), "sequential said");
  EXPECT_EQ(kernel("--untuned"), "simd");
  EXPECT_EQ(kernel("--kernel shared-edge"), "shared-edge");
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
  EXPECT_EQ(state.at("options").at("exposure"), 2);
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
  const std::string render = "render p.csv --engine cpu --untuned --size 8x8 ";
  ASSERT_EQ(orrery(render + "--steps 50 --write-state moved.csv -o a.png").status, 0);
  EXPECT_NE(text_of(path("moved.csv")).find("vx,vy,vz"), std::string::npos);
  ASSERT_EQ(orrery(render + "--steps 50 --write-state moved.bin -o b.png").status, 0);
  EXPECT_EQ(orrery("info moved.bin").output.find("at rest"), std::string::npos);
  ASSERT_EQ(orrery(render + "--steps 0 --write-state start.csv -o c.png").status, 0);
  EXPECT_EQ(text_of(path("start.csv")).find("vx,vy,vz"), std::string::npos);
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
  const auto one = drawn("one.png", "--set highlight-galaxy=3");
  EXPECT_EQ(drawn("off.png", "--set highlight-galaxy=3 --set highlight=off").rgba, all.rgba);
  EXPECT_LT(brightness(one), 0.8 * brightness(all));
  EXPECT_EQ(state_of(path("one.png"))["options"]["highlight-galaxy"], 3);
  // Red and blue differ nowhere but in a galaxy of its own colour: galaxy 3 is the lower right one.
  const auto colored =
      drawn("color.png", "--set highlight-galaxy=3 --set highlight=color --set star-colors=0");
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
