#include <gtest/gtest.h>

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

/// A kind, and how it is measured here in a moment.
struct Kind {
  const char* name;
  const char* measured;
};

void PrintTo(const Kind& kind, std::ostream* stream) { *stream << kind.name; }

class PlotKind : public Plot, public testing::WithParamInterface<Kind> {};

TEST_P(PlotKind, WhatIsMeasuredAndWhatWasSavedGiveOnePicture) {
  const std::string name = GetParam().name;
  const auto measured = orrery("plot " + name + " " + GetParam().measured + " -o a.svg --json saved.json");
  ASSERT_EQ(measured.status, 0) << measured.errors;
  EXPECT_EQ(measured.output, "a.svg\n");
  EXPECT_EQ(orrery("plot " + name + " --from saved.json -o b.svg").status, 0);
  EXPECT_TRUE(text_of(folder_ / "a.svg") == text_of(folder_ / "b.svg"));
  ASSERT_EQ(orrery("plot " + name + " --from saved.json -o b.png --size 400x250").status, 0);
  EXPECT_TRUE(text_of(folder_ / "b.png").starts_with("\x89PNG"));
}

INSTANTIATE_TEST_SUITE_P(
    All, PlotKind,
    testing::Values(Kind{"ladder", "ece415-2022 --rungs sequential,omp2 --bodies 200 --steps 1"},
                    Kind{"scaling", "--kernels simd,sequential --bodies 64,128 --steps 1 --engine cpu"},
                    Kind{"sweep", "threads=1:2,kernel=simd:sequential --bodies 100 --steps 1 --engine cpu"},
                    Kind{"stages", "--kernels simd,sequential --bodies 100 --steps 1 --engine cpu"},
                    Kind{"timeline", "plummer --bodies 100 --steps 2 --engine cpu"},
                    Kind{"energy", "--bodies 50 --steps 20 --vary integrator --engine cpu"},
                    Kind{"error", "--bodies 50 --vary kernel=simd:sequential --engine cpu"},
                    Kind{"diagnostics", "--bodies 300 --steps 4 --engine cpu"},
                    Kind{"orbits", "figure-eight --steps 50 --engine cpu"},
                    Kind{"steps", "--bodies 50 --steps 10 --engine cpu"}),
    [](const auto& each) { return std::string(each.param.name); });

TEST_F(Plot, ErrorsOverTimeAreOfTheRightSteps) {
  ASSERT_EQ(
      orrery("plot error --bodies 50 --steps 10 --quantity time --engine cpu -o t.svg --json t.json").status,
      0);
  const auto series = nlohmann::json::parse(text_of(folder_ / "t.json")).at("series").at(0);
  ASSERT_EQ(series.at("time").size(), 10U);
  EXPECT_LT(series.at("median").at(5).get<double>(), 1e-5);
  ASSERT_EQ(
      orrery(
          "plot error --bodies 50 --steps 10 --quantity distance --vary kernel=omp-bodies:simd --engine cpu "
          "-o d.svg --json d.json")
          .status,
      0);
  const auto distances = nlohmann::json::parse(text_of(folder_ / "d.json")).at("series");
  EXPECT_EQ(distances.at(0).at("distance2").back(), 0.0) << "the reference itself";
  EXPECT_GT(distances.at(1).at("distance2").back().get<double>(), 0.0);
  EXPECT_LT(distances.at(1).at("distance2").back().get<double>(), 1e-8);
}

TEST_F(Plot, ALadderOverTheNumberOfBodies) {
  const auto drawn = orrery(
      "plot scaling --ladder ece415-2022 --rungs sequential,omp2 --bodies 100,200 --steps 1 -o a.svg --json "
      "a.json");
  ASSERT_EQ(drawn.status, 0) << drawn.errors;
  EXPECT_EQ(nlohmann::json::parse(text_of(folder_ / "a.json")).at("ladders").size(), 2U);
}

TEST_F(Plot, FiguresAreNeverOverwritten) {
  std::ofstream(folder_ / "there.svg") << "mine";
  const auto refused = orrery("plot orbits figure-eight --steps 10 -o there.svg");
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(text_of(folder_ / "there.svg"), "mine");
}

TEST_F(Plot, MistakesEndWithTwoAndOneLine) {
  std::ofstream(folder_ / "saved.json") << "{}";
  for (const char* arguments : {"plot",
                                "plot orbits",
                                "plot orbit -o a.svg",
                                "plot '' -o a.svg",
                                "plot orbits -o a.pdf",
                                "plot orbits -o a",
                                "plot orbits nowhere -o a.svg",
                                "plot orbits figure-eight more -o a.svg",
                                "plot ladder -o a.svg",
                                "plot ladder all -o a.svg",
                                "plot ladder nope -o a.svg",
                                "plot ladder ece1782 --rungs nope -o a.svg",
                                "plot ladder ece1782 --quantity sped -o a.svg",
                                "plot sweep -o a.svg",
                                "plot sweep tile,tile -o a.svg",
                                "plot orbits --quantity x -o a.svg",
                                "plot orbits --scale cubic -o a.svg",
                                "plot orbits --steps 0 -o a.svg",
                                "plot orbits --bodies 1,2 -o a.svg",
                                "plot energy --vary nope -o a.svg",
                                "plot energy --vary kernel=nope -o a.svg",
                                "plot orbits --size 12 -o a.svg",
                                "plot orbits --from none.json -o a.svg",
                                "plot map -o a.svg",
                                "plot orbits figure-eight --from saved.json -o a.svg",
                                "plot scaling --kernels nope -o a.svg",
                                "plot stages serial --engine cpu -o a.svg",
                                "plot stages streams,phased --engine cpu -o a.svg",
                                "plot roofline -o a.svg"}) {
    const auto outcome = orrery(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.errors;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << arguments << "\n"
                                                                                 << outcome.errors;
    EXPECT_FALSE(exists("a.svg")) << arguments;
  }
  // A word that is no file is what the kind takes.
  EXPECT_NE(orrery("plot stages streams,phased --engine cpu -o a.svg").errors.find("schedules are of a GPU"),
            std::string::npos);
  EXPECT_NE(orrery("plot orbit -o a.svg").errors.find("did you mean 'orbits'?"), std::string::npos);
}

TEST_F(Plot, FailuresEndWithOneAndOneLine) {
  std::ofstream(folder_ / "saved.json") << "{}";
  std::ofstream(folder_ / "rows.json") << R"({"rows": [{"label": 7}]})";
  for (const char* arguments :
       {"plot orbits --from saved.json -o a.svg", "plot scaling --from rows.json -o a.svg",
        "plot orbits figure-eight --steps 5 -o none/a.svg"}) {
    const auto outcome = orrery(arguments);
    EXPECT_EQ(outcome.status, 1) << arguments << "\n" << outcome.errors;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << arguments << "\n"
                                                                                 << outcome.errors;
    EXPECT_FALSE(exists("a.svg"));
  }
}

TEST_F(Plot, CtrlCEndsItWithoutAFigure) {
  const auto outcome = shell("timeout -s INT 1 '" ORRERY_PROGRAM
                             "' plot orbits figure-eight --steps 2000000000 -o a.svg; echo $?");
  EXPECT_NE(outcome.errors.find("interrupted at"), std::string::npos) << outcome.errors;
  EXPECT_FALSE(exists("a.svg"));
}

TEST_F(Plot, WithoutAnyFontThereIsAFigureAndAWord) {
  std::ofstream(folder_ / "fonts.conf")
      << "<?xml version=\"1.0\"?><fontconfig><cachedir>cache</cachedir></fontconfig>";
  const auto outcome = shell("FONTCONFIG_FILE='" + path("fonts.conf") +
                             "' '" ORRERY_PROGRAM "' plot orbits figure-eight --steps 20 -o a.png");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("no font"), std::string::npos) << outcome.errors;
  EXPECT_TRUE(text_of(folder_ / "a.png").starts_with("\x89PNG"));
}

}  // namespace
}  // namespace orrery::test
