#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "program_test.h"

namespace orrery::test {
namespace {

namespace fs = std::filesystem;

class Plot : public ProgramTest {
 protected:
  Outcome orrery(const std::string& arguments) const {
    return shell("OMP_WAIT_POLICY=passive '" ORRERY_PROGRAM "' " + arguments);
  }
  bool exists(const std::string& name) const { return fs::exists(folder_ / name); }
};

TEST_F(Plot, AFileThatIsNotOursToReadIsNoWrongName) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  std::ofstream(path("mine.json")) << "{}";
  fs::permissions(path("mine.json"), fs::perms::none);
  const auto outcome = orrery("plot orbits mine.json -o a.svg");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("cannot read 'mine.json': Permission denied; check its permissions"),
            std::string::npos)
      << outcome.errors;
}

/// A kind, the command that measures for it in a moment, and how it names the JSON.
struct Kind {
  const char* name;
  const char* measured;
  const char* flag = "--json";
};

void PrintTo(const Kind& kind, std::ostream* stream) { *stream << kind.name; }

class PlotKind : public Plot, public testing::WithParamInterface<Kind> {};

TEST_P(PlotKind, IsDrawnFromWhatItsCommandWrites) {
  const std::string name = GetParam().name;
  const auto measured =
      orrery(GetParam().measured + std::string(" ") + GetParam().flag + " saved.json --engine cpu");
  ASSERT_EQ(measured.status, 0) << measured.errors;
  const auto drawn = orrery("plot " + name + " saved.json -o a.svg");
  ASSERT_EQ(drawn.status, 0) << drawn.errors;
  EXPECT_EQ(drawn.output, "a.svg\n");
  EXPECT_NE(text_of(folder_ / "a.svg").find("<svg"), std::string::npos);
  ASSERT_EQ(orrery("plot " + name + " saved.json -o b.png --size 400x250").status, 0);
  EXPECT_TRUE(text_of(folder_ / "b.png").starts_with("\x89PNG"));
}

INSTANTIATE_TEST_SUITE_P(
    All, PlotKind,
    testing::Values(Kind{"scaling", "bench --kernels simd,sequential --bodies 64,128 --steps 1"},
                    Kind{"sweep", "sweep threads=1:2,kernel=simd:sequential --bodies 100 --steps 1"},
                    Kind{"stages", "bench --kernels simd,sequential --bodies 100 --steps 1"},
                    Kind{"timeline", "diagnose --measure timeline --bodies 100 --steps 2"},
                    Kind{"energy", "diagnose --measure energy --bodies 50 --steps 20 --vary integrator"},
                    Kind{"error", "diagnose --measure error --bodies 50 --vary kernel=simd:sequential"},
                    Kind{"diagnostics", "diagnose --bodies 300 --steps 4"},
                    Kind{"orbits", "diagnose figure-eight --measure orbits --steps 50"},
                    Kind{"steps", "diagnose --measure steps --bodies 50 --steps 10"},
                    Kind{"map", "map plummer --bodies 50 --size 4 -o cells.csv"}),
    [](const auto& each) { return std::string(each.param.name); });

TEST_F(Plot, ErrorsOverTimeAreOfTheRightSteps) {
  ASSERT_EQ(orrery("diagnose --measure error-time --bodies 50 --steps 10 --engine cpu --json t.json").status,
            0);
  const auto series = nlohmann::json::parse(text_of(folder_ / "t.json")).at("series").at(0);
  ASSERT_EQ(series.at("time").size(), 10U);
  EXPECT_LT(series.at("median").at(5).get<double>(), 1e-5);
  ASSERT_EQ(
      orrery("diagnose --measure distance --bodies 50 --steps 10 --vary kernel=omp-bodies:simd --engine "
             "cpu --json d.json")
          .status,
      0);
  const auto distances = nlohmann::json::parse(text_of(folder_ / "d.json")).at("series");
  EXPECT_EQ(distances.at(0).at("distance2").back(), 0.0) << "the reference itself";
  EXPECT_GT(distances.at(1).at("distance2").back().get<double>(), 0.0);
  EXPECT_LT(distances.at(1).at("distance2").back().get<double>(), 1e-8);
  for (const char* file : {"t", "d"})
    EXPECT_EQ(orrery(std::string("plot error ") + file + ".json -o " + file + ".svg").status, 0);
}

TEST_F(Plot, ALadderIsDrawnInSeveralWays) {
  ASSERT_EQ(orrery("ladder ece415-2022 --bodies 100,200 --steps 1 --json a.json").status, 0);
  EXPECT_EQ(orrery("plot scaling a.json --rungs sequential,omp2 -o a.svg").status, 0);
  EXPECT_EQ(orrery("plot ladder a.json --bodies 100 --quantity rate -o b.svg").status, 0);
  EXPECT_EQ(orrery("plot stages a.json --bodies 200 --quantity share -o c.svg").status, 0);
  const auto both = orrery("plot ladder a.json -o d.svg");
  EXPECT_EQ(both.status, 1);
  EXPECT_NE(both.errors.find("--bodies"), std::string::npos) << both.errors;
  EXPECT_EQ(orrery("plot ladder a.json --bodies 100 --rungs nope -o d.svg").status, 2);
}

TEST_F(Plot, AFileOfBracketsIsRefused) {
  std::ofstream(path("deep.json")) << std::string(1'000'000, '[') << std::string(1'000'000, ']');
  const auto outcome = orrery("plot diagnostics deep.json -o a.svg");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("'deep.json' is no JSON"), std::string::npos) << outcome.errors;
}

TEST_F(Plot, FiguresAreNeverOverwritten) {
  std::ofstream(folder_ / "there.svg") << "mine";
  ASSERT_EQ(orrery("diagnose figure-eight --measure orbits --steps 10 --json o.json").status, 0);
  EXPECT_EQ(orrery("plot orbits o.json -o there.svg").status, 1);
  EXPECT_EQ(text_of(folder_ / "there.svg"), "mine");
}

TEST_F(Plot, MistakesEndWithTwoAndOneLine) {
  std::ofstream(folder_ / "saved.json") << R"({"figure": "orbits"})";
  for (const char* arguments : {"plot",
                                "plot orbits",
                                "plot orbits -o a.svg",
                                "plot orbit saved.json -o a.svg",
                                "plot '' saved.json -o a.svg",
                                "plot orbits saved.json -o a.pdf",
                                "plot orbits saved.json -o a",
                                "plot orbits none.json -o a.svg",
                                "plot orbits . -o a.svg",
                                "plot orbits saved.json saved.json -o a.svg",
                                "plot orbits saved.json --quantity x -o a.svg",
                                "plot ladder saved.json --quantity sped -o a.svg",
                                "plot orbits saved.json --scale cubic -o a.svg",
                                "plot orbits saved.json --size 12 -o a.svg",
                                "plot orbits saved.json --steps 5 -o a.svg",
                                "diagnose --measure orbit --json a.svg",
                                "diagnose --measure orbits",
                                "diagnose --measure orbits -o a.csv",
                                "diagnose --measure orbits --vary kernel --json a.svg",
                                "diagnose --measure energy --vary nope --json a.svg",
                                "diagnose --measure energy --vary kernel=nope --json a.svg"}) {
    const auto outcome = orrery(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.errors;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << arguments << "\n"
                                                                                 << outcome.errors;
    EXPECT_FALSE(exists("a.svg")) << arguments;
  }
  EXPECT_NE(orrery("plot orbit saved.json -o a.svg").errors.find("did you mean 'orbits'?"),
            std::string::npos);
  EXPECT_NE(orrery("plot energy -o a.svg").errors.find("orrery diagnose --measure energy"),
            std::string::npos);
}

TEST_F(Plot, JsonOfAnotherMeasurementIsRefusedWithTheKindsThatDrawIt) {
  ASSERT_EQ(orrery("bench --kernels simd --bodies 64 --steps 1 --engine cpu --json b.json").status, 0);
  const auto outcome = orrery("plot energy b.json -o a.svg");
  EXPECT_EQ(outcome.status, 1);
  for (const char* part : {"'b.json'", "another measurement", "orrery diagnose --measure energy",
                           "`orrery plot scaling` or `orrery plot stages`"})
    EXPECT_NE(outcome.errors.find(part), std::string::npos) << part << "\n" << outcome.errors;
  EXPECT_FALSE(exists("a.svg"));
}

TEST_F(Plot, FailuresEndWithOneAndOneLine) {
  std::ofstream(folder_ / "saved.json") << "{}";
  std::ofstream(folder_ / "rows.json") << R"({"rows": [{"label": 7}]})";
  std::ofstream(folder_ / "cut.json") << R"({"rows": [{)";
  for (const char* arguments : {"plot orbits saved.json -o a.svg", "plot scaling rows.json -o a.svg",
                                "plot scaling cut.json -o a.svg", "plot scaling rows.json -o none/a.svg"}) {
    const auto outcome = orrery(arguments);
    EXPECT_EQ(outcome.status, 1) << arguments << "\n" << outcome.errors;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << arguments << "\n"
                                                                                 << outcome.errors;
    EXPECT_FALSE(exists("a.svg"));
  }
}

TEST_F(Plot, CtrlCEndsAMeasurementWithoutAFile) {
  const auto outcome =
      shell("timeout -s INT 1 '" ORRERY_PROGRAM
            "' diagnose figure-eight --measure orbits --steps 2000000000 --json a.json; echo $?");
  EXPECT_NE(outcome.errors.find("interrupted while measuring"), std::string::npos) << outcome.errors;
  EXPECT_FALSE(exists("a.json"));
}

TEST_F(Plot, WithoutAnyFontThereIsAFigureAndAWord) {
  std::ofstream(folder_ / "fonts.conf")
      << "<?xml version=\"1.0\"?><fontconfig><cachedir>cache</cachedir></fontconfig>";
  ASSERT_EQ(orrery("diagnose figure-eight --measure orbits --steps 20 --json o.json").status, 0);
  const auto outcome =
      shell("FONTCONFIG_FILE='" + path("fonts.conf") + "' '" ORRERY_PROGRAM "' plot orbits o.json -o a.png");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("no font"), std::string::npos) << outcome.errors;
  EXPECT_TRUE(text_of(folder_ / "a.png").starts_with("\x89PNG"));
}

}  // namespace
}  // namespace orrery::test
