#include <fstream>
#include <utility>
#include <vector>

#include "command_line_testing.h"

// Whatever would write over an input, or two results into one file, is refused before it begins.
namespace {

class CollidingFiles : public orrery::test::CommandLine {
 protected:
  void SetUp() override {
    for (const char* make : {"make plummer --bodies 50 -o a.bin", "make plummer --bodies 60 -o b.bin",
                             "render a.bin --engine cpu --untuned --steps 1 --size 64x48 --checkpoint k.run "
                             "-o p.png"})
      ASSERT_EQ(orrery(make).status, 0) << make;
  }
  /// A mistake after which every file has the bytes that it had.
  void expect_refused(const std::string& command) const {
    const auto before = text_of(path("a.bin")), run = text_of(path("k.run")),
               picture = text_of(path("p.png"));
    expect_mistake(command);
    EXPECT_EQ(text_of(path("a.bin")), before) << command;
    EXPECT_EQ(text_of(path("k.run")), run) << command;
    EXPECT_EQ(text_of(path("p.png")), picture) << command;
  }
};

TEST_F(CollidingFiles, AreRefusedBeforeAnyWork) {
  const std::string render = "render a.bin --engine cpu --untuned --steps 1 --size 64x48 -o q.png ";
  for (const auto& command : std::vector<std::string>{
           render + "--checkpoint kk.bin --write-state kk.bin",
           render + "--checkpoint kk.bin --write-state ./kk.bin",
           render + "--checkpoint kk --write-state kk.previous",
           render + "--write-state a.bin",
           render + "--write-state q.png",
           render + "--checkpoint a.bin",
           render + "--series s --record s",
           render + "--series s --write-state s/step-00000001.vtp",
           "render --resume k.run --steps 2 --size 64x48 -o q.png --write-state k.run",
           "render a.bin b.bin --offset 1,0,0 --engine cpu --steps 1 -o q.png --write-state b.bin",
           "render a.bin --engine cpu --frames 0,1 -o q.bin --write-state q-step1.bin",
           "convert a.bin a.bin",
           "convert b.bin a.bin --offset 1,0,0 ./a.bin",
           "bench a.bin --engine cpu --steps 1 --json r --csv r",
           "bench a.bin --engine cpu --steps 1 --json a.bin",
           "sweep kernel=simd a.bin --engine cpu --steps 1 --json r --csv r",
           "ladder ece415-2022 --steps 1 --json r --csv r",
           "tune a.bin --engine cpu --seconds 0 --json a.bin",
           "verify a.bin --engine cpu --steps 1 --json a.bin",
           "plot orbits a.json -o a.json",
           "diagnose a.bin --engine cpu --steps 1 -o r.csv --profile r.csv",
           "map a.bin --engine cpu -o a.bin",
           "demo limit --table r.csv --record r.csv"})
    expect_refused(command);
}

TEST_F(CollidingFiles, TheDatasetOfAStateIsReadToo) {
  const auto before = text_of(path("a.bin"));
  for (const char* start : {"--resume k.run", "--state p.png"}) {
    const auto outcome = orrery("render --steps 2 --size 64x48 -o q.png --overwrite --write-state a.bin " +
                                std::string(start));
    EXPECT_EQ(outcome.status, 2) << outcome.errors;
    EXPECT_NE(outcome.errors.find("--write-state would write over 'a.bin', which is read (the dataset)"),
              std::string::npos)
        << outcome.errors;
    EXPECT_EQ(text_of(path("a.bin")), before);
  }
}

/// One rule for all commands.
TEST_F(CollidingFiles, AFileThatExistsIsReplacedOnRequestOnly) {
  const std::string cpu = " a.bin --engine cpu --steps 1 ", render = "render --untuned --size 64x48" + cpu;
  ASSERT_EQ(orrery("diagnose" + cpu + "--json d.json").status, 0);
  for (const auto& [command, file] : std::vector<std::pair<std::string, std::string>>{
           {"make plummer --bodies 70 -o ", "x.bin"},
           {"convert a.bin ", "x.csv"},
           {render + "-o ", "x.png"},
           {render + "-o new.png --write-state ", "x.vtp"},
           {"bench --kernels simd" + cpu + "--json ", "y.json"},
           {"bench --kernels simd" + cpu + "--csv ", "y.csv"},
           {"diagnose" + cpu + "-o ", "z.csv"},
           {"diagnose" + cpu + "-o new.csv --profile ", "zz.csv"},
           {"plot diagnostics d.json -o ", "x.svg"},
           {"map a.bin --engine cpu -o ", "m.png"}}) {
    std::ofstream(path(file)) << "mine";
    const auto refused = orrery(command + file);
    EXPECT_EQ(refused.status, 1) << command << refused.errors;
    EXPECT_EQ(refused.errors,
              "orrery: '" + file + "' exists: name another file, or replace it with --overwrite\n");
    EXPECT_EQ(text_of(path(file)), "mine") << command;
    const auto replaced = orrery(command + file + " --overwrite");
    EXPECT_EQ(replaced.status, 0) << command << replaced.errors;
    EXPECT_NE(text_of(path(file)), "mine") << command;
  }
}

}  // namespace
